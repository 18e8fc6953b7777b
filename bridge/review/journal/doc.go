// Package journal keeps a state on disk as the records that lead to it. Several processes work in one workspace at the
// same time: their journals lie beside each other in one folder, each has the lock of its own, and one whose process is
// gone can be taken over by another.
//
// It promises four things. A journal on disk is a state at every moment: a record is there whole or not at all, and a
// snapshot takes the place of the records before it in one step. What is damaged is set aside in a file of its own, never
// dropped. A string in a record comes back byte for byte, whether or not it is UTF-8. And while the disk works its user goes
// on: what is recorded meanwhile is in both journals, the old one and the one that is about to take its place.
//
// What it leaves to its user: what a record means ([State]), and the lock of the state. Every method of a [Journal] is
// called with that lock held, and those that wait for the disk say that they give it back for the time.
package journal
