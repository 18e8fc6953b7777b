// Package program is one call of a program without ACP, such as `copilot -p`: it runs it under the guardian, shows what it
// prints while it does, and says what came of it, or why nothing did.
//
// It promises that nothing of the program's tree is left when [Call.Run] returns, that no escape sequence gets out of what
// it prints, and that every tool call that was shown is ended. What is said to the program, and what is remembered of it,
// is left to package transcript.
//
// A [Stage] is called on the one goroutine that reads the program's output; Run waits for it.
package program
