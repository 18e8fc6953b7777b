package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/diff"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// feedback is what a session's edits have told of errors. Edits may run side by side: what one has told, the others do not.
type feedback struct {
	mu   sync.Mutex
	told map[fault]int
}

// fault is an error that language servers name, without its place: that moves with every edit.
type fault struct{ path, source, code, message string }

// watched are the errors before an edit, to which those after it are compared.
type watched struct {
	s     *Service
	path  string
	known map[fault][]int // their lines, 1-based
}

// watchErrors looks at the errors that there are before the file at path is changed, nil if nobody is to be told of new ones. A server
// that has not looked at the file yet is waited for: its old errors must not look new.
func (s *Service) watchErrors(ctx context.Context, path string) *watched {
	if !s.all.Feedback {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, feedbackLimit)
	defer cancel()
	d, err := s.all.Editor.Diagnosed(ctx, path)
	if err != nil || d.Servers == ServersNone {
		return nil
	}
	w := &watched{s: s, path: path, known: faultsIn(d.Files)}
	s.feedback.mu.Lock()
	defer s.feedback.mu.Unlock()
	for k := range s.feedback.told {
		if len(w.known[k]) == 0 {
			delete(s.feedback.told, k) // it is gone, and new when it comes back
		}
	}
	return w
}

// faultsIn are the errors of files by what they are.
func faultsIn(list []FileDiagnostics) map[fault][]int {
	out := map[fault][]int{}
	for _, f := range list {
		for _, d := range f.Items {
			if d.Severity == "error" {
				k := fault{f.Path, d.Source, d.Code, d.Message}
				out[k] = append(out[k], d.Line)
			}
		}
	}
	return out
}

// newErrors are the errors that are new since an edit, as a text for its result; "" if there are none. It waits until the servers have spoken about the file as it is now, and about others, for a limited time.
func (w *watched) newErrors(ctx context.Context, r *fsproxy.WriteResult) string {
	if w == nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, feedbackLimit)
	defer cancel()
	w.known = w.moved(r.Before.Text.String(), r.After.Text.String())
	begun := time.Now()
	var last []newFault
	for {
		d, err := w.s.all.Editor.Diagnosed(ctx, w.path)
		if err != nil && len(last) == 0 || errors.Is(ctx.Err(), context.Canceled) {
			return ""
		}
		if err == nil {
			now := w.since(d.Files)
			settled := d.Servers == ServersSpoken && (time.Since(begun) >= feedbackOthers || len(now) > 0 && slices.Equal(now, last))
			if last = now; settled || d.Servers == ServersNone {
				return w.tell(last)
			}
		}
		pause := time.NewTimer(feedbackPoll)
		select {
		case <-ctx.Done():
			pause.Stop()
			return w.tell(last)
		case <-pause.C:
		}
	}
}

// moved are the known errors with the lines that they have after the edit.
func (w *watched) moved(before, after string) map[fault][]int {
	hunks := diff.Lines(before, after)
	out := map[fault][]int{}
	for k, lines := range w.known {
		for _, n := range lines {
			if k.path == w.path {
				shift := 0
				for _, h := range hunks {
					if h.OldEnd <= n-1 {
						shift = h.NewEnd - h.OldEnd
					}
				}
				n += shift
			}
			out[k] = append(out[k], n)
		}
	}
	return out
}

// newFault is an error that was not there before.
type newFault struct {
	fault
	line int
}

// since are the errors that were not there before: of several that read alike, as many as there are more, and not those whose line had
// one.
func (w *watched) since(list []FileDiagnostics) (out []newFault) {
	for k, lines := range faultsIn(list) {
		old := slices.Clone(w.known[k])
		lines = slices.DeleteFunc(lines, func(n int) bool {
			i := slices.Index(old, n)
			if i >= 0 {
				old = slices.Delete(old, i, i+1)
			}
			return i >= 0
		})
		for _, n := range lines[min(len(old), len(lines)):] {
			out = append(out, newFault{k, n})
		}
	}
	slices.SortFunc(out, func(a, b newFault) int {
		return cmp.Or(cmp.Compare(order(w.path, a.path), order(w.path, b.path)), cmp.Compare(a.path, b.path), cmp.Compare(a.line, b.line), cmp.Compare(a.message, b.message))
	})
	return out
}

// order puts the file that was edited before the others.
func order(first, path string) int {
	if path == first {
		return 0
	}
	return 1
}

// tell is the text for the model. An error in a file that it may not read is left out, and so is one that another edit has told.
func (w *watched) tell(list []newFault) string {
	f, through := &w.s.feedback, w.s.Gate.NewReading("diagnostics")
	may := map[string]bool{}
	for _, n := range list {
		if _, known := may[n.path]; !known {
			may[n.path] = through.MayNamed(n.path)
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	told, now := f.told, map[fault]int{}
	var lines []string
	for _, n := range list {
		if !may[n.path] {
			continue
		}
		if now[n.fault]++; now[n.fault] <= told[n.fault] {
			continue
		}
		lines = append(lines, fmt.Sprintf("%s:%d: %s", w.s.Gate.Short(n.path), n.line, escape.Clip(escape.Inline(n.message), maxLanguageError)))
	}
	f.told = now
	if len(lines) == 0 {
		return ""
	}
	what, more := fmt.Sprintf("%d new errors", len(lines)), ""
	if len(lines) == 1 {
		what = "1 new error"
	}
	if len(lines) > maxFeedback {
		more = fmt.Sprintf("\n… and %d more; the diagnostics tool lists them", len(lines)-maxFeedback)
		lines = lines[:maxFeedback]
	}
	return "\n\n" + what + ":\n" + strings.Join(lines, "\n") + more
}
