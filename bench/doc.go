// Package bench measures the connection against others that do its work, and
// the start of the program. Everything runs over real processes and pipes. It
// is a module of its own so that the contenders stay out of the bridge's go.mod;
// README.md says how to run it and what the numbers mean.
package bench
