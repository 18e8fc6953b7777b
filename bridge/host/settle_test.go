//go:build unix

package host

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/bridge/workspace"
	"github.com/copilot-bridge/copilot-bridge/internal/await"
	"github.com/copilot-bridge/copilot-bridge/terminalproxy"
)

// settled is the service of a session with commands, and what is asked of the review book for it.
type settled struct {
	*Service
	mu       sync.Mutex
	looks    int  // how often the book was to look at the files that are unsettled
	early    int  // and how often while a command might have been changing them
	prompted bool // a prompt is not over
	work     sync.WaitGroup
}

func settledOf(t *testing.T) *settled {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &settled{Service: serviceOf(t, dir)}
	s.all.Runner = terminalproxy.New(terminalproxy.Config{Env: os.Environ(), Log: zerolog.Nop()})
	t.Cleanup(s.all.Runner.Close)
	t.Cleanup(s.work.Wait)
	s.all.Sessions = func() []*Service { return []*Service{s.Service} }
	s.all.SettleReview = func() {
		out := s.all.CommandsOut()
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.looks++; out {
			s.early++
		}
	}
	s.Prompted = func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.prompted
	}
	s.Go, s.Running, s.TurnNow = s.work.Go, func([]string) {}, func() string { return "" }
	s.Compared = func(string, []workspace.Change) {}
	return s
}

// prompt begins a turn, or ends it.
func (s *settled) prompt(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.prompted = on
}

// looked gives how often the book has looked since it was last called.
func (s *settled) looked(t *testing.T) (n int) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.early > 0 {
		t.Errorf("%d times the book looked while a command might have been changing files", s.early)
	}
	n, s.looks, s.early = s.looks, 0, 0
	return n
}

// before begins a command.
func (s *settled) before(t *testing.T) (release func()) {
	t.Helper()
	release, err := s.lookBefore(t.Context(), "true")
	if err != nil {
		t.Fatal(err)
	}
	return release
}

// TestWhatIsLeftOfBeforeIsNotTheCommands: what looked different before the first command is compared before it runs, and nothing is
// while one does.
func TestWhatIsLeftOfBeforeIsNotTheCommands(t *testing.T) {
	s := settledOf(t)
	first := s.before(t)
	if n := s.looked(t); n != 1 {
		t.Errorf("before the first command the book looked %d times", n)
	}
	second := s.before(t)
	if n := s.looked(t); n != 0 {
		t.Errorf("before the second one, which runs beside the first, it looked %d times", n)
	}
	first()
	second()
}

// TestTheEndOfACommandSettlesWhatWasInDoubt: of one that outlives its turn, and of one in a terminal of the editor's, nothing but
// its own end has the book look again.
func TestTheEndOfACommandSettlesWhatWasInDoubt(t *testing.T) {
	for name, run := range map[string]func(*testing.T, *settled, func()){
		"here": func(t *testing.T, s *settled, release func()) {
			term, err := s.all.Runner.Create(t.Context(), terminalproxy.Spec{Session: "s", Command: "true", SessionCwd: s.Cwd, Cwd: s.Cwd})
			if err != nil {
				t.Fatal(err)
			}
			cmd := &command{term: term, title: "true", release: release}
			s.watchCommand(t.Context(), cmd)
			ctx, cancel := context.WithTimeout(t.Context(), await.Limit)
			defer cancel()
			select {
			case <-cmd.settled:
			case <-ctx.Done():
				t.Fatal("the command is not compared")
			}
		},
		"in the editor": func(t *testing.T, s *settled, release func()) {
			s.AwayBegan(t.Context(), "e", release)
			s.AwayEnded("e", true)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := settledOf(t)
			release, other := s.before(t), s.before(t)
			s.looked(t)
			run(t, s, release)
			if n := s.looked(t); n != 0 {
				t.Errorf("while another command ran the book looked %d times", n)
			}
			release = s.before(t)
			other()
			run(t, s, release)
			if n := s.looked(t); n != 1 {
				t.Errorf("at the end of the last command the book looked %d times", n)
			}
		})
	}
}

// TestTheEndOfATurnSettlesWhatWasInDoubt: a command may leave something running that is compared when the turn is over. The turn
// after that has had no command: what changes in it is not taken for one's.
func TestTheEndOfATurnSettlesWhatWasInDoubt(t *testing.T) {
	s := settledOf(t)
	s.prompt(true)
	s.before(t)()
	s.looked(t)
	if !s.all.CommandsOut() {
		t.Error("what the command has left running is not counted on")
	}
	s.SettleTurn("t")
	if n := s.looked(t); n != 1 {
		t.Errorf("at the end of the turn the book looked %d times", n)
	}
	if s.prompt(true); s.all.CommandsOut() {
		t.Error("in the next turn no command has run, and the bridge thinks that one may be changing files")
	}
}
