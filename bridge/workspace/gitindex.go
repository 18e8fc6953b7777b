package workspace

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"path/filepath"
	"slices"
	"strings"
)

// trackedFiles are the names in a git index (gitformat-index(5)), sorted by their bytes as they are there, with slashes.
type trackedFiles struct{ names []string }

// has says whether a path is a tracked file, or a folder with one in it.
func (t *trackedFiles) has(rel string) bool {
	if _, found := slices.BinarySearch(t.names, rel); found {
		return true
	}
	i, _ := slices.BinarySearch(t.names, rel+"/") // not next to the folder's name: "a-b" is before "a/b"
	return i < len(t.names) && strings.HasPrefix(t.names[i], rel+"/")
}

// readIndex reads the index of a repository. One that is too large, damaged, or of a kind that is not known tracks nothing,
// as far as is known.
func readIndex(path string) *trackedFiles {
	t := &trackedFiles{}
	text, err := readGit(path, maxGitIndex)
	if err != nil {
		return t
	}
	for _, hash := range []int{20, 32} { // SHA-1, SHA-256
		if names, shared, ok := indexNames(text, hash); ok {
			if shared != "" { // a split index: the rest is in a file that is named by its hash
				names = append(names, readIndex(filepath.Join(filepath.Dir(path), "sharedindex."+shared)).names...)
			}
			slices.Sort(names)
			t.names = slices.Compact(names)
			return t
		}
	}
	return t
}

// indexNames are the names in an index whose hashes have so many bytes, and the hash of the shared index it is split from.
// ok is false where the bytes do not add up.
func indexNames(text []byte, hash int) (names []string, shared string, ok bool) {
	const header, fixed = 12, 40 // bytes of the header, and of an entry's stat data
	if len(text) < header+hash || string(text[:4]) != "DIRC" {
		return nil, "", false
	}
	version, n := binary.BigEndian.Uint32(text[4:]), binary.BigEndian.Uint32(text[8:])
	if version < 2 || version > 4 {
		return nil, "", false
	}
	body := text[:len(text)-hash]
	at, last := header, []byte(nil)
	for range n {
		flagsAt := at + fixed + hash
		if flagsAt+2 > len(body) {
			return nil, "", false
		}
		name := flagsAt + 2
		if flags := binary.BigEndian.Uint16(body[flagsAt:]); flags&0x4000 != 0 {
			if name += 2; version < 3 {
				return nil, "", false
			}
		}
		if name > len(body) {
			return nil, "", false
		}
		if version == 4 { // what the name shares with the one before is left out
			strip, size := uvarint(body[name:])
			if size == 0 || strip > uint64(len(last)) {
				return nil, "", false
			}
			name += size
			last = last[:len(last)-int(strip)]
		} else {
			last = last[:0]
		}
		end := bytes.IndexByte(body[name:], 0)
		if end < 0 {
			return nil, "", false
		}
		last = append(last, body[name:name+end]...)
		if len(last) > 0 {
			names = append(names, string(last))
		}
		if version == 4 {
			at = name + end + 1
		} else {
			at += (name + end - at + 8) &^ 7 // padded with 1 to 8 bytes of zero
		}
	}
	for at+8 <= len(body) { // extensions
		size := binary.BigEndian.Uint32(body[at+4:])
		if uint64(at)+8+uint64(size) > uint64(len(body)) {
			return nil, "", false
		}
		data := body[at+8 : at+8+int(size)]
		if string(body[at:at+4]) == "link" && len(data) >= hash {
			shared = hex.EncodeToString(data[:hash])
		}
		at += 8 + int(size)
	}
	if at != len(body) {
		return nil, "", false
	}
	return names, shared, true
}

// uvarint reads git's own variable length number: seven bits a byte, the most significant first, each further byte adding one.
func uvarint(b []byte) (v uint64, size int) {
	for i, c := range b {
		if i > 8 {
			return 0, 0
		}
		if i > 0 {
			v++
		}
		v = v<<7 | uint64(c&0x7f)
		if c&0x80 == 0 {
			return v, i + 1
		}
	}
	return 0, 0
}
