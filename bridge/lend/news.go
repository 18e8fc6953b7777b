package lend

import "time"

// nobody says that there is no lender, and was none that the user would miss.
func (b *Borrower) nobody(sockets map[string][]string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(sockets) == 0 && len(b.seen) == 0
}

func (b *Borrower) had(key string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.seen[key] != never
}

// note takes down how the lenders of a folder are, and has the user told of what has changed.
func (b *Borrower) note(key, folder string, now state) {
	b.mu.Lock()
	defer b.mu.Unlock()
	was := b.seen[key]
	if now == was || now == gone && was == never {
		return
	}
	b.seen[key] = now
	switch {
	case now == gone:
		b.lines = append(b.lines, "the editor that shared its buffers of "+folder+" is gone; the files are read from and written to the disk now")
	case now == hangs:
		b.lines = append(b.lines, "the editor that shares its buffers of "+folder+" does not answer; the files are read from the disk, and not changed until it does")
	case was != never:
		b.lines = append(b.lines, "the buffers of "+folder+" are shared again")
	}
}

// sayOnce has the user told of something that goes on for long.
func (b *Borrower) sayOnce(line string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.once[line] {
		b.once[line] = true
		b.lines = append(b.lines, line)
	}
}

// pause leaves a lender alone for a while that hung.
func (b *Borrower) pause(socket string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.hung[socket] = time.Now().Add(hangPause)
}

func (b *Borrower) pauses(socket string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	until, hung := b.hung[socket]
	if hung && time.Now().After(until) {
		delete(b.hung, socket)
		hung = false
	}
	return hung
}
