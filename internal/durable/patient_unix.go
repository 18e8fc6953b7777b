//go:build unix

package durable

// Patiently calls do. Nobody's open file hinders it here.
func Patiently(do func() error) error { return do() }
