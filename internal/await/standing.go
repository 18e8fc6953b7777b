package await

import "go.uber.org/goleak"

// Standing is what goleak may find when all is over: on Windows go-winio has one goroutine for all named pipes, which never ends.
func Standing() goleak.Option {
	return goleak.IgnoreAnyFunction("github.com/Microsoft/go-winio.ioCompletionProcessor")
}
