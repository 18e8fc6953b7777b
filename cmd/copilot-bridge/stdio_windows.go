package main

import "io"

// pollable is standard input as it is: closing it ends a Read that waits.
func pollable(in io.Reader) io.Reader { return in }

func pollableOut(out io.Writer) io.Writer { return out }
