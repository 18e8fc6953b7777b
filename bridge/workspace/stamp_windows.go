package workspace

import (
	"io/fs"
	"os"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// stampOf is the stamp of the file at path, of which fi was told, without following a link. What no program can set back, and
// what stays the same through a rename, Windows tells only of an open file; one that it opens for nobody has the times alone.
func stampOf(path string, fi fs.FileInfo) stamp {
	s := stamp{size: fi.Size(), mod: fi.ModTime().UnixNano(), changed: fi.ModTime().UnixNano()}
	name, err := syscall.UTF16PtrFromString(longPath(path))
	if err != nil {
		return s
	}
	h, err := windows.CreateFile(name, windows.FILE_READ_ATTRIBUTES, windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE|windows.FILE_SHARE_DELETE,
		nil, windows.OPEN_EXISTING, windows.FILE_FLAG_BACKUP_SEMANTICS|windows.FILE_FLAG_OPEN_REPARSE_POINT, 0)
	if err != nil {
		return s
	}
	defer windows.CloseHandle(h)
	var basic struct {
		created, accessed, written, changed windows.Filetime
		attributes, _                       uint32
	}
	if windows.GetFileInformationByHandleEx(h, windows.FileBasicInfo, (*byte)(unsafe.Pointer(&basic)), uint32(unsafe.Sizeof(basic))) != nil || basic.written.Nanoseconds() != s.mod {
		return s // it is another file by now
	}
	var info windows.ByHandleFileInformation
	if windows.GetFileInformationByHandle(h, &info) == nil {
		s.inode = uint64(info.FileIndexHigh)<<32 | uint64(info.FileIndexLow)
	}
	s.changed = basic.changed.Nanoseconds()
	return s
}

// longPath is a path that the system takes in any length (package os does the same with the paths it is given).
func longPath(path string) string {
	if len(path) < 248 || len(path) > 1 && path[0] == '\\' && path[1] == '\\' {
		return path
	}
	return `\\?\` + path
}

func openPlain(path string) (*os.File, error) { return os.Open(path) }

// born is when a file was made.
func born(_ string, fi fs.FileInfo) time.Time {
	if d, ok := fi.Sys().(*syscall.Win32FileAttributeData); ok {
		return time.Unix(0, d.CreationTime.Nanoseconds())
	}
	return time.Time{}
}
