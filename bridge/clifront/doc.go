// Package clifront is the editor side in a terminal: it shows a turn as it runs and asks by single keys.
//
// The answer of the agent goes to stdout, everything else to stderr, so that the output can be piped. With JSON on,
// stdout carries one object per event instead. What is shown has passed the escape filter; nothing an agent says can
// move the cursor, change a title, hide itself or look like a question. While a question is open nothing else is shown. Without a terminal to ask at, the answer to every question is no.
package clifront
