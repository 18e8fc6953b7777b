//go:build linux

package terminalproxy

import (
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"
)

// memory reads a line of /proc/self/status in bytes.
func memory(t testing.TB, line string) int {
	data, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(data), line+":")
	kb, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		t.Fatal(err)
	}
	return kb << 10
}

//
func TestFloodCostsTheLimitAndLittleMore(t *testing.T) {
	size := 1 << 30
	if raceDetector {
		size = 64 << 20 // its memory means nothing, and its time is the detector's
	}
	r := runner(t, Config{})
	debug.FreeOSMemory()
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil { // the peak begins here
		t.Fatal(err)
	}
	before := memory(t, "VmRSS")
	begin := time.Now()
	term := create(t, r, Spec{Command: self(t), Args: []string{"act", "flood", strconv.Itoa(size)}})
	wait(t, term)
	took := time.Since(begin)
	cost := memory(t, "VmHWM") - before
	o := term.Output()
	if !o.Truncated || len(o.Text) != DefaultOutputLimit || !sameExit(*o.Exit, code(0)) {
		t.Errorf("%d bytes, truncated %v, exit %v", len(o.Text), o.Truncated, o.Exit)
	}
	t.Logf("%d MiB in %v, %.0f MB/s, cost %.2f MB", size>>20, took, float64(size)/took.Seconds()/1e6, float64(cost)/1e6)
	if cost > DefaultOutputLimit+2<<20 && !raceDetector {
		t.Errorf("it cost %d bytes", cost)
	}
}

func BenchmarkDrain(b *testing.B) {
	const size = 64 << 20
	for _, c := range []struct {
		name string
		live func(OutputEvent)
	}{{"captured", nil}, {"live", func(OutputEvent) {}}} {
		b.Run(c.name, func(b *testing.B) {
			r := runner(b, Config{OnOutput: c.live})
			b.SetBytes(size)
			for b.Loop() {
				term := create(b, r, Spec{Command: self(b), Args: []string{"act", "flood", strconv.Itoa(size)}})
				wait(b, term)
				_ = term.Release(b.Context())
			}
		})
	}
	b.Run("not UTF-8", func(b *testing.B) {
		r := runner(b, Config{})
		b.SetBytes(size)
		for b.Loop() {
			term := bash(b, r, "head -c "+strconv.Itoa(size)+` /dev/zero | tr '\0' 'é'`)
			wait(b, term)
			_ = term.Release(b.Context())
		}
	})
}

// BenchmarkCommand is what a command costs beside itself: guardian, pipe, exit and clean-up.
func BenchmarkCommand(b *testing.B) {
	r := runner(b, Config{})
	dir := b.TempDir()
	for b.Loop() {
		term := create(b, r, Spec{Command: "true", Cwd: dir})
		wait(b, term)
		_ = term.Release(b.Context())
	}
}

// BenchmarkExitWithABackgroundChild is R-53: how long after the end of the command its exit is known while a child
// still holds the output.
func BenchmarkExitWithABackgroundChild(b *testing.B) {
	r := runner(b, Config{})
	for b.Loop() {
		term := bash(b, r, "sleep 60 &")
		wait(b, term)
		b.StopTimer()
		_ = term.Release(b.Context())
		b.StartTimer()
	}
}

// BenchmarkBash is a whole call of the tool.
func BenchmarkBash(b *testing.B) {
	d := newDesk(b, Config{})
	for b.Loop() {
		d.in("a", "echo hi")
	}
}
