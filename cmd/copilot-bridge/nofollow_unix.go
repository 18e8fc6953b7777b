//go:build unix

package main

import "syscall"

// openNoFollow: a link that takes the place of a file between a look and its opening is not followed, and a pipe does not hold
// the opening up.
const openNoFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
