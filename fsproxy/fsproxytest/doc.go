// Package fsproxytest has editors for tests and the demo: in-memory models of how real ones
// take an edit, tell of their buffers and save.
//
// An Editor does nothing by itself. The test that drives it takes one step at a time:
// a request is taken up, an answer given, a notification delivered, a key pressed.
// So a test decides on every interleaving, without clocks and without luck. Auto
// makes the editor take all its steps at once, for tests that are not about order.
//
// The models follow what was read in the clients' sources; each Kind says what.
package fsproxytest
