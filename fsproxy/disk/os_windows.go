package disk

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"

	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

// openFlags: Windows opens neither pipes nor devices by the names that pass
// checkName, and children inherit nothing.
const openFlags = 0

// folderModes: the read-only mark of a folder means something else on Windows.
const folderModes = false

// syncFolder: Windows has no such call; NTFS journals names itself.
func syncFolder(*os.Root) error { return nil }

// moveNew renames without ever replacing: a hard link fails if the name is taken.
// It goes by the folders' names, as package os cannot link between two handles.
func moveNew(from *os.Root, old string, into *os.Root, name string) error {
	source := filepath.Join(from.Name(), old)
	if err := os.Link(source, filepath.Join(into.Name(), name)); err != nil {
		return err
	}
	return durable.Patiently(func() error { return from.Remove(old) })
}

// readOnlyErrno reports whether err is how the system says that something may not
// be written.
func readOnlyErrno(err error) bool { return errors.Is(err, syscall.ERROR_ACCESS_DENIED) }

// kernelFile: Windows has no file systems of that kind.
func kernelFile(*os.File) string { return "" }

// keepOwner: a new file inherits its access list from the folder, as the old did.
func keepOwner(_, _ *os.File) (bool, []string) { return true, nil }
