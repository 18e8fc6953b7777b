// Package peercred says who is at the other end of a unix socket, as far as the system tells.
package peercred
