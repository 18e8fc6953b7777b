// Package peercred is about unix sockets between processes of one user: who is at the other end of one, as far as the system
// tells, and whose it is.
package peercred
