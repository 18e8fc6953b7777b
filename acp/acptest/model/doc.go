// Package model is a language model for tests: an OpenAI-style server on loopback that says what its script says. With it a
// real Copilot CLI runs whole turns offline, without a login.
//
// It keeps no state between requests. The script rides in the user's message: [Script] makes the text, step i answers the
// i-th request after that message. A request without a script, for a title say, gets a word.
//
// It links net/http and is therefore a package of its own: the program, which links acptest for its demo, has no use
// for it.
package model
