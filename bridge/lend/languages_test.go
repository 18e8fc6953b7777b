package lend

import (
	"context"
	"errors"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func (h *host) LendsLanguages() string { return h.encoding }

func (h *host) LendLanguage(ctx context.Context, method string, params jsontext.Value) (jsontext.Value, error) {
	return h.language(ctx, method, params)
}

// TestLanguageServersAreLent: a borrower finds the lender whose editor has some, and gets what they answer and why they do not.
func TestLanguageServersAreLent(t *testing.T) {
	h, _, dir, folder := lentTo(t)
	b := NewBorrower(dir)
	for _, path := range []string{h.path, folder, ""} {
		if got := b.Languages(t.Context(), path); got != nil {
			t.Errorf("%q: an editor without language servers lends %v", path, got)
		}
	}
	h.encoding = "utf-8"
	if got := b.Languages(t.Context(), t.TempDir()); got != nil {
		t.Errorf("those of another folder: %v", got)
	}
	for _, path := range []string{h.path, folder, ""} {
		if got := b.Languages(t.Context(), path); got == nil || got.Encoding != "utf-8" {
			t.Fatalf("%q: %v", path, got)
		}
	}
	l := b.Languages(t.Context(), h.path)
	h.language = func(_ context.Context, method string, params jsontext.Value) (jsontext.Value, error) {
		return jsontext.Value(`["` + method + `",` + string(params) + `]`), nil
	}
	if got, err := l.Request(t.Context(), "textDocument/hover", jsontext.Value(`{"x":1}`)); err != nil || string(got) != `["textDocument/hover",{"x":1}]` {
		t.Errorf("%s %v", got, err)
	}
	for _, want := range []error{&LanguageError{NoServer, ""}, &LanguageError{NotSupported, ""}, errors.New("boom")} {
		h.language = func(context.Context, string, jsontext.Value) (jsontext.Value, error) { return nil, want }
		var why *LanguageError
		_, err := l.Request(t.Context(), "m", jsontext.Value(`{}`))
		if !errors.As(err, &why) || why.Error() != want.Error() {
			t.Errorf("%v, want %v", err, want)
		}
	}
}

// TestALentRequestEndsWithWhoAsked: the lender's editor is told to stop when the borrower does not wait any more.
func TestALentRequestEndsWithWhoAsked(t *testing.T) {
	h, _, dir, _ := lentTo(t)
	h.encoding = "utf-16"
	asked, stopped := make(chan struct{}), make(chan struct{})
	h.language = func(ctx context.Context, _ string, _ jsontext.Value) (jsontext.Value, error) {
		close(asked)
		<-ctx.Done()
		close(stopped)
		return nil, ctx.Err()
	}
	ctx, cancel := context.WithCancel(t.Context())
	l := NewBorrower(dir).Languages(ctx, h.path)
	go func() { <-asked; cancel() }()
	if _, err := l.Request(ctx, "textDocument/hover", jsontext.Value(`{}`)); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	<-stopped
}
