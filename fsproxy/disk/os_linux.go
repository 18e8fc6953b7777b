package disk

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// moveNew renames without ever replacing.
func moveNew(from *os.Root, old string, into *os.Root, name string) error {
	return withFDs(from, into, func(a, b int) error {
		err := unix.Renameat2(a, old, b, name, unix.RENAME_NOREPLACE)
		if !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.ENOSYS) && !errors.Is(err, unix.ENOTSUP) {
			return err
		}
		// A file system that cannot promise it (NFS, some in user space).
		return linkThenUnlink(a, old, b, name)
	})
}

// kernelNames are the file systems whose files are made up while they are read:
// they have no size, may block, and may act when read.
var kernelNames = map[int64]string{
	unix.PROC_SUPER_MAGIC:      "proc",
	unix.SYSFS_MAGIC:           "sysfs",
	unix.DEBUGFS_MAGIC:         "debugfs",
	unix.TRACEFS_MAGIC:         "tracefs",
	unix.SECURITYFS_MAGIC:      "securityfs",
	unix.CGROUP_SUPER_MAGIC:    "cgroup",
	unix.CGROUP2_SUPER_MAGIC:   "cgroup2",
	unix.BPF_FS_MAGIC:          "bpf",
	unix.EFIVARFS_MAGIC:        "efivarfs",
	unix.PSTOREFS_MAGIC:        "pstore",
	unix.BINFMTFS_MAGIC:        "binfmt_misc",
	unix.SELINUX_MAGIC:         "selinuxfs",
	unix.SMACK_MAGIC:           "smackfs",
	unix.NSFS_MAGIC:            "nsfs",
	unix.USBDEVICE_SUPER_MAGIC: "usbfs",
}

// kernelFile names the kernel's file system that f is of, "" if none.
func kernelFile(f *os.File) (name string) {
	conn, err := f.SyscallConn()
	if err != nil {
		return ""
	}
	_ = conn.Control(func(fd uintptr) {
		var st unix.Statfs_t
		if unix.Fstatfs(int(fd), &st) == nil {
			name = kernelNames[int64(st.Type)] //nolint:unconvert // int32 on some systems
		}
	})
	return name
}

// keptAttribute reports whether the extended attribute is the user's and not the
// kernel's own: the access list, the security label, and what users set. File
// capabilities go, as they do when the file is written in place.
func keptAttribute(name string) bool {
	return name == "system.posix_acl_access" || name == "security.selinux" || len(name) > 5 && name[:5] == "user."
}
