package lspfront

import "golang.org/x/sys/windows"

// watchProcess ends the server when the editor's process is gone (LSP initialize, processId).
func (s *server) watchProcess(pid int) {
	h, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(pid))
	if err != nil {
		return
	}
	s.work.Go(func() {
		defer windows.CloseHandle(h)
		for s.life.Err() == nil {
			if r, err := windows.WaitForSingleObject(h, uint32(watchEvery.Milliseconds())); err != nil {
				return
			} else if r == windows.WAIT_OBJECT_0 {
				s.end()
				return
			}
		}
	})
}
