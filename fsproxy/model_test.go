package fsproxy_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/fsproxytest"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

var (
	interleavings = flag.Int("interleavings", 1500, "how many random interleavings the model check runs for each editor")
	oneSeed       = flag.Uint64("seed", 0, "run only this interleaving of the model check, and tell what happens")
)

// TestModel lets agents write while the user types, saves, closes and opens, in
// every order chance can think of, and looks whether a character got lost or was
// doubled. Each character that anybody writes is there only once in the world, so
// counting them tells.
func TestModel(t *testing.T) {
	for _, kind := range fsproxytest.Kinds {
		t.Run(kind.String(), func(t *testing.T) {
			outcomes := map[string]int{}
			for seed := uint64(1); seed <= uint64(*interleavings); seed++ {
				if *oneSeed != 0 && seed != *oneSeed {
					continue
				}
				synctest.Test(t, func(t *testing.T) { newModel(t, kind, seed).run(outcomes) })
				if t.Failed() {
					t.Fatalf("failed with -run 'TestModel/%s' -seed %d", kind, seed)
				}
			}
			t.Logf("%d interleavings: %v", *interleavings, outcomes)
		})
	}
}

// model is one interleaving.
type model struct {
	*rand.Rand
	t       *testing.T
	kind    fsproxytest.Kind
	files   *fsproxy.MemFiles
	overlay *fsproxy.Overlay
	editor  *fsproxytest.Editor
	fs      *fsproxy.FS
	log     []string
	mu      sync.Mutex
	told    []string // by the FS, in its log

	next    rune          // the next character nobody has written yet
	fate    map[rune]fate // of every character ever written
	ops     []*agentOp
	done    chan *agentOp
	steps   int
	calm    bool                 // nobody types any more
	mayLose bool                 // a buffer may be closed without saving
	watch   bool                 // there is a watcher
	mute    bool                 // the editor does not answer edits
	owed    map[string]time.Time // since when a step is due
}

// fate is how often a character must be there in the end.
type fate uint8

const (
	once fate = iota
	never
	maybe // at most once
)

// agentOp is one write of an agent.
type agentOp struct {
	name     string
	adds     []rune
	removes  []rune
	do       func() (*fsproxy.WriteResult, error)
	result   *fsproxy.WriteResult
	err      error
	finished bool
	closed   bool // the buffer was closed without saving while it ran
}

func newModel(t *testing.T, kind fsproxytest.Kind, seed uint64) *model {
	m := &model{
		Rand: rand.New(rand.NewPCG(seed, uint64(kind))), t: t, kind: kind, files: fsproxy.NewMemFiles(),
		next: 0x4E00, fate: map[rune]fate{}, done: make(chan *agentOp, 10), owed: map[string]time.Time{},
	}
	m.overlay = fsproxy.NewOverlay(m.files.Source())
	m.editor = fsproxytest.New(kind, m.overlay, m.files)
	m.editor.Enc = []text.Encoding{text.UTF16, text.UTF8}[m.IntN(2)]
	m.editor.CannotSave = m.IntN(3) == 0
	m.editor.Stop = m.IntN(3) == 0
	m.mute = m.IntN(12) == 0 && kind != fsproxytest.Kak && kind != fsproxytest.Zed
	m.mayLose = m.IntN(4) == 0
	m.watch = m.IntN(2) == 0
	if m.IntN(3) == 0 {
		m.editor.Format = func(s string) string {
			return strings.ReplaceAll(strings.ReplaceAll(s, "  ", " "), " \n", "\n")
		}
	}
	m.fs = fsproxy.NewOver(m.files, fsproxy.Config{Overlay: m.overlay, Editor: m.editor, Log: zerolog.New(m)})
	return m
}

// fresh is a new character that is to be there once.
func (m *model) fresh() rune {
	r := m.next
	m.next++
	if m.next == 0xA000 {
		m.next = 0x20000 // beyond the first plane, where a character is two units
	}
	m.fate[r] = once
	return r
}

func (m *model) say(format string, args ...any) {
	m.log = append(m.log, fmt.Sprintf(format, args...))
}

// Write takes the log.
func (m *model) Write(line []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.told = append(m.told, string(line))
	return len(line), nil
}

func (m *model) run(outcomes map[string]int) {
	eol := []string{"\n", "\r\n"}[m.IntN(2)]
	var b strings.Builder
	for range 2 + m.IntN(6) {
		for range 1 + m.IntN(4) {
			fmt.Fprintf(&b, "%c ", m.fresh())
		}
		b.WriteString(eol)
	}
	start := b.String()
	if m.IntN(3) == 0 {
		start = strings.TrimSuffix(start, eol)
	}
	_ = m.files.Store(file, start)
	if m.IntN(8) > 0 {
		m.editor.Open(file)
	}
	for m.editor.Deliver() {
	}
	if m.IntN(2) == 0 {
		m.typeSomething()
	}

	ops := 1 + m.IntN(3)
	for step := 0; step < 400; step++ {
		synctest.Wait()
		m.collect()
		if len(m.ops) < ops && m.IntN(6) == 0 && (len(m.ops) == 0 || m.ops[len(m.ops)-1].finished || m.IntN(4) == 0) {
			m.start()
			continue
		}
		if len(m.ops) == ops && m.allDone() {
			break
		}
		m.step()
	}
	m.settle()
	m.fs.Close()
	m.judge(outcomes)
}

func (m *model) allDone() bool {
	for _, op := range m.ops {
		if !op.finished {
			return false
		}
	}
	return true
}

// step lets one thing happen.
func (m *model) step() {
	p := m.editor.Pending()
	m.steps++
	pick := m.IntN(100)
	switch {
	case pick < 14 && p.Requests > 0 && !m.mute:
		m.editor.Take()
	case pick < 28 && p.Answers > 0:
		m.editor.Answer()
	case pick < 42 && p.Late > 0:
		m.editor.MakeLate()
	case pick < 62 && p.Notes > 0:
		m.editor.Deliver()
	case pick < 70 && m.steps/40%2 == 0: // people pause
		m.typeSomething()
	case pick == 97 && m.watch:
		m.fs.ChangedOnDisk(file)
	case pick >= 98:
		m.person()
	default:
		m.pass(time.Duration(1+m.IntN(100)) * time.Millisecond)
	}
}

// pass lets time pass, but first takes what an editor would not leave lying for so
// long: edits it has taken up are made within a second, and it tells of changes
// within 300 ms.
func (m *model) pass(d time.Duration) {
	p := m.editor.Pending()
	for what, n := range map[string]int{"requests": p.Requests, "late": p.Late, "notes": p.Notes, "answers": p.Answers} {
		if n == 0 {
			delete(m.owed, what)
		} else if _, ok := m.owed[what]; !ok {
			m.owed[what] = time.Now()
		}
	}
	due := func(what string) bool {
		since, ok := m.owed[what]
		limit := time.Second
		if what == "notes" {
			limit = 300 * time.Millisecond
		}
		return ok && time.Since(since) > limit
	}
	switch {
	case due("late"):
		m.editor.MakeLate()
		delete(m.owed, "late")
	case due("notes"):
		m.editor.Deliver()
		delete(m.owed, "notes")
	case due("answers"):
		m.editor.Answer()
		delete(m.owed, "answers")
	case due("requests") && !m.mute:
		m.editor.Take()
		delete(m.owed, "requests")
	default:
		time.Sleep(d)
	}
}

// collect takes note of writes that have ended.
func (m *model) collect() {
	for {
		select {
		case op := <-m.done:
			op.finished = true
			m.say("%d ended: %s: %+v, %v", len(m.editor.Log), op.name, op.result, op.err)
		default:
			return
		}
	}
}

// settle lets everything end.
func (m *model) settle() {
	m.calm = true
	for i, rest := 0, 5; !m.allDone() || rest > 0; i++ {
		if m.allDone() {
			rest-- // for what goes on behind a write that has ended
		}
		if i > 200 {
			m.t.Fatalf("a write does not end: %q", m.log)
		}
		synctest.Wait()
		m.collect()
		for m.editor.MakeLate() || m.editor.Deliver() || m.editor.Answer() || !m.mute && m.editor.Take() {
		}
		time.Sleep(time.Second)
	}
	m.mute = false
	m.editor.Settle()
	synctest.Wait()
}
