package tools

import (
	"context"
	"fmt"
	"sync"
)

// fakeHost answers each call with its name and arguments, unless a test puts something else there.
type fakeHost struct {
	view func(context.Context, Caller, ViewArgs) (string, error)
	edit func(context.Context, Caller, EditArgs) (string, error)
	bash func(context.Context, Caller, BashArgs, func(string)) (string, error)

	mu   sync.Mutex
	came []Caller
	went map[Caller]error
	news chan struct{} // a slot that is filled on Connected and Disconnected
}

func newFakeHost() *fakeHost {
	return &fakeHost{went: map[Caller]error{}, news: make(chan struct{}, 100)}
}

func said(name string, args any) (string, error) { return fmt.Sprintf("%s %+v", name, args), nil }

func (h *fakeHost) View(ctx context.Context, c Caller, a ViewArgs) (string, error) {
	if h.view != nil {
		return h.view(ctx, c, a)
	}
	return said("view", a)
}

func (h *fakeHost) Edit(ctx context.Context, c Caller, a EditArgs) (string, error) {
	if h.edit != nil {
		return h.edit(ctx, c, a)
	}
	return said("edit", a)
}

func (h *fakeHost) Create(_ context.Context, _ Caller, a CreateArgs) (string, error) {
	return said("create", a)
}

func (h *fakeHost) Glob(_ context.Context, _ Caller, a GlobArgs) (string, error) {
	return said("glob", a)
}

func (h *fakeHost) Grep(_ context.Context, _ Caller, a GrepArgs) (string, error) {
	return said("grep", a)
}

func (h *fakeHost) Bash(ctx context.Context, c Caller, a BashArgs, progress func(string)) (string, error) {
	if h.bash != nil {
		return h.bash(ctx, c, a, progress)
	}
	return said("bash", a)
}

func (h *fakeHost) ReadBash(_ context.Context, _ Caller, a ReadBashArgs) (string, error) {
	return said("read_bash", a)
}

func (h *fakeHost) StopBash(_ context.Context, _ Caller, a StopBashArgs) (string, error) {
	return said("stop_bash", a)
}

func (h *fakeHost) ListBash(context.Context, Caller) (string, error) { return "list_bash", nil }

func (h *fakeHost) Diagnostics(_ context.Context, _ Caller, a DiagnosticsArgs) (string, error) {
	return said("diagnostics", a)
}

func (h *fakeHost) Selection(context.Context, Caller) (string, error) { return "selection", nil }

func (h *fakeHost) Ask(_ context.Context, _ Caller, a AskArgs) (string, error) {
	return said("ask", a)
}

func (h *fakeHost) Language(_ context.Context, _ Caller, a LanguageArgs) (string, error) {
	return said(string(a.Tool), a)
}

func (h *fakeHost) Connected(c Caller) {
	h.mu.Lock()
	h.came = append(h.came, c)
	h.mu.Unlock()
	h.news <- struct{}{}
}

func (h *fakeHost) Disconnected(c Caller, err error) {
	h.mu.Lock()
	h.went[c] = err
	h.mu.Unlock()
	h.news <- struct{}{}
}
