// Package words holds the test of the words that people read: in the strings of Go, Lua and TypeScript, in what the command
// line prints, and in Markdown. What to write instead is in docs/glossary.md and in the list of the test.
package words
