// Package model is a language model that is a script: an OpenAI-style server on loopback that says what it is told to. With
// it a real Copilot CLI runs whole turns offline, without a login: in tests, and in the trial of a new version (bridge/trust).
//
// It keeps no state between requests. The script rides in the user's message: [Script] makes the text, step i answers the
// i-th request after that message. For a prompt that is to look as a user would write it, [Server.When] has the script
// beside. A request without a script, for a title say, gets a word, and one that offers no tools
// never gets a call.
//
// The program uses [Listen], which keeps nothing and speaks one interface. [New] and what speaks the others, keeps requests
// and holds answers is for tests. Requests are answered on goroutines of the server; [Server.Close] waits for its end. What
// must stay true: there is one port, on loopback, which answers nobody who does not know its path, and every request is
// bounded in size and time.
//
// It links net/http and is therefore a package of its own.
package model
