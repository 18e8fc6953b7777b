package store

import "os"

// readSmall is os.ReadFile.
func readSmall(name string, _ []byte) ([]byte, stamp, error) {
	st, err := stampFile(name)
	if err != nil {
		return nil, stamp{}, err
	}
	data, err := os.ReadFile(name)
	return data, st, err
}

// stampFile is the stamp of the file that has a name now.
func stampFile(name string) (stamp, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return stamp{}, err
	}
	return stamp{mod: info.ModTime().UnixNano(), size: info.Size()}, nil
}
