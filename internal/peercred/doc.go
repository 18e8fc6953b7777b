// Package peercred is about private doors between processes of one user: a unix socket, or on Windows a named pipe, that stands
// in a folder as a file. It opens and finds them, and says who is at the other end, as far as the system tells.
//
// The folder has to be one that nobody else can enter; its caller sees to that.
package peercred

import "net"

// Conn is one end of a connection.
type Conn interface {
	net.Conn
	// CloseWrite tells the other end that nothing more will come. It can still answer.
	CloseWrite() error
}
