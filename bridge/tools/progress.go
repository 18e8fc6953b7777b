package tools

import (
	"context"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// progress sends what a long call reports, if the agent asked for it with a progressToken: the newest text only, and
// not more often than ProgressEvery. Where there is no news it is sent again each StillEvery, so that the agent does not take
// the call for lost while the user is asked. report never blocks; stop waits until nothing is sent any more.
type progress struct {
	send func(text string, n int)
	wake chan struct{} // has one slot: "latest is new"
	quit chan struct{}
	done chan struct{}

	mu     sync.Mutex
	latest string
}

func startProgress(ctx context.Context, req *mcp.CallToolRequest) *progress {
	token := req.Params.GetProgressToken()
	if token == nil {
		return nil
	}
	return newProgress(func(text string, n int) {
		// A connection that is gone ends the call by its context; there is nobody to tell.
		_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: float64(n), Message: text})
	})
}

func newProgress(send func(string, int)) *progress {
	p := &progress{send: send, wake: make(chan struct{}, 1), quit: make(chan struct{}), done: make(chan struct{})}
	go p.run()
	return p
}

// report is Host.Bash's progress function.
func (p *progress) report(text string) {
	if p == nil {
		return
	}
	text = tail(text, MaxProgress)
	p.mu.Lock()
	p.latest = text
	p.mu.Unlock()
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

func (p *progress) stop() {
	if p == nil {
		return
	}
	close(p.quit)
	<-p.done
}

func (p *progress) run() {
	defer close(p.done)
	pause := time.NewTimer(0)
	defer pause.Stop()
	still := time.NewTicker(StillEvery)
	defer still.Stop()
	for n := 1; ; n++ {
		select {
		case <-pause.C:
		case <-p.quit:
			return
		}
		select {
		case <-p.wake:
		case <-still.C:
		case <-p.quit:
			return
		}
		p.mu.Lock()
		text := p.latest
		p.mu.Unlock()
		p.send(text, n)
		pause.Reset(ProgressEvery)
	}
}

// tail is the end of s, at most n bytes and valid UTF-8.
func tail(s string, n int) string {
	if len(s) > n {
		s = s[len(s)-n:]
		for i := 0; i < utf8.UTFMax && s != "" && !utf8.RuneStart(s[0]); i++ {
			s = s[1:]
		}
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}
