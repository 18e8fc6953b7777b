//go:build unix

package lspfront

import (
	"errors"
	"time"

	"golang.org/x/sys/unix"
)

// watchProcess ends the server when the editor's process is gone (LSP initialize, processId): its end of the pipe may
// be held open by somebody else.
func (s *server) watchProcess(pid int) {
	if pid <= 1 || errors.Is(unix.Kill(pid, 0), unix.ESRCH) {
		return // in another pid namespace: nothing to be seen from here
	}
	s.work.Go(func() {
		tick := time.NewTicker(watchEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				if errors.Is(unix.Kill(pid, 0), unix.ESRCH) {
					s.log.Info().Int("pid", pid).Msg("the editor is gone")
					s.end()
					return
				}
			case <-s.life.Done():
				return
			}
		}
	})
}
