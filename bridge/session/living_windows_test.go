package session_test

import "golang.org/x/sys/windows"

func living(pids []int) bool {
	for _, pid := range pids {
		h, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(pid))
		if err != nil {
			continue
		}
		event, err := windows.WaitForSingleObject(h, 0)
		_ = windows.CloseHandle(h)
		if err == nil && event != windows.WAIT_OBJECT_0 {
			return true
		}
	}
	return false
}
