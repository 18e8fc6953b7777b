//go:build unix

package brought

import "syscall"

// openFlags let the open of a pipe return at once.
const openFlags = syscall.O_NONBLOCK | syscall.O_NOCTTY
