// Package meaning says what an agent's own tool call does, as far as that can be told from what the agent sends: the command,
// its folder, the files, the texts.
//
// It promises one reading or none. An input is understood if it has one of the known forms, each of which says where it was
// seen, and nothing beside it; what could be read in two ways, or is in no known form, is [Input.Odd] and says why. Then
// nothing of it is believed, and everything that it might name is gathered, for rules that deny.
//
// It leaves to others what is to be done (package permission): it resolves no path, reads no file and asks nobody. Everything
// in it is a function of its arguments and may be called on any goroutine.
package meaning
