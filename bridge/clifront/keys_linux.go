package clifront

import "golang.org/x/sys/unix"

// flushTermios also throws away what was typed and not read.
const getTermios, setTermios, flushTermios = unix.TCGETS, unix.TCSETS, unix.TCSETSF
