package tracking

import (
	"context"

	"github.com/rs/zerolog"
	"golang.org/x/sync/semaphore"

	"github.com/copilot-bridge/copilot-bridge/bridge/host"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
)

// Config is what a [Tracker] ties together, and whom it tells. All but Watcher is required.
type Config struct {
	Log       zerolog.Logger
	Book      *review.Book
	Host      *host.Host
	Authority *permission.Authority
	Disk      *disk.Disk
	Overlay   *fsproxy.Overlay
	FS        *fsproxy.FS
	Watcher   *fsproxy.Watcher

	Changed   func(review.File)                        // shows the pending hunks of a file; must not block
	Commented func(path string, list []review.Comment) // shows the comments on a file; must not block
	Notice    func(text string)                        // tells the user; must not block
	Tell      func(session string) func(host.News)
	Idle      func() bool     // no session has a prompt
	Dirs      func() []string // in which the editor and the sessions work
	NewID     func(prefix string) string
	Life      context.Context
}

// Tracker keeps the review book true to what is in buffers and on disk. Its methods may be called on any goroutine but where they
// say otherwise.
type Tracker struct {
	cfg Config
	// looks is shared by who looks at the disk, and had whole by who carries out a plan: the names that files pass through on the
	// way, and texts that were read before, are nobody's changes. Who finds it taken leaves the file unsettled.
	looks *semaphore.Weighted
}

// New makes a tracker, which does nothing by itself before [Tracker.Follow].
func New(cfg Config) *Tracker {
	return &Tracker{cfg: cfg, looks: semaphore.NewWeighted(maxConcurrentLooks)}
}

// Overlay is where the front puts the editor's open buffers.
func (t *Tracker) Overlay() *fsproxy.Overlay { return t.cfg.Overlay }
