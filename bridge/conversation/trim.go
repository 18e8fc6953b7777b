package conversation

// trim drops what is in the store from memory, all but a run of text that still grows. The store itself keeps what is
// not certainly on disk: so much of it is seen to from time to time. The caller holds mu, and has just added an item.
func (c *Conversation) trim() {
	n := len(c.items)
	last := c.items[n-1]
	if last.ends != nil && len(last.text) < maxRunOnDisk {
		if n > 1 {
			c.items = []item{last}
		}
		return
	}
	c.saveRun()
	clear(c.items)
	c.items, c.run = c.items[:0], 0
	if last.ends != nil && cap(last.text) <= 2*maxRunOnDisk {
		c.spareText, c.spareEnds = last.text[:0], last.ends[:0]
	}
	if c.saved == nil {
		return
	}
	if c.unsure += len(last.text); c.unsure < maxUnsure {
		return
	}
	if c.syncing != nil {
		select {
		case <-c.syncing:
		default:
			if c.unsure < 4*maxUnsure {
				return
			}
			<-c.syncing // the disk is slower than the agent
		}
	}
	c.unsure = 0
	saved, done := c.saved, make(chan struct{})
	c.syncing = done
	go func() {
		defer close(done)
		_ = saved.Sync() // told of by the store itself
	}()
}
