package lend

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Failure says why language servers have no result.
type Failure string

const (
	Failed       Failure = "failed"
	NoServer     Failure = "noServer"     // none looks after the file
	NotSupported Failure = "notSupported" // they do not know the method, or the editor does not pass it on
)

// LanguageError is that they have none.
type LanguageError struct {
	Failure Failure
	Reason  string // a sentence; may be empty
}

func (e *LanguageError) Error() string { return cmp.Or(e.Reason, string(e.Failure)) }

// Languages are the language servers of one lender's editor.
type Languages struct {
	socket   string
	Encoding string // what positions count (LSP's PositionEncodingKind)
}

// Languages finds the lender of the folders around a path, from the innermost outwards, whose editor lets its language servers be
// asked; with path "" it is any lender. nil if there is none that answers.
func (b *Borrower) Languages(ctx context.Context, path string) *Languages {
	all, err := socketsIn(b.folder)
	if err != nil {
		return nil // said when a buffer was asked for
	}
	if path == "" {
		for _, sockets := range all {
			if l := b.firstWithLanguages(ctx, sockets); l != nil {
				return l
			}
		}
		return nil
	}
	for dir := path; ; dir = filepath.Dir(dir) {
		if l := b.firstWithLanguages(ctx, all[keyOf(dir)]); l != nil {
			return l
		}
		if dir == filepath.Dir(dir) {
			return nil
		}
	}
}

func (b *Borrower) firstWithLanguages(ctx context.Context, sockets []string) *Languages {
	for _, socket := range slices.DeleteFunc(slices.Clone(sockets), b.pauses) {
		if a, err := ask(ctx, socket, request{Languages: true}, b.read); err == nil && a.Encoding != "" {
			return &Languages{socket: socket, Encoding: a.Encoding}
		}
	}
	return nil
}

// Request asks them. The error is a [*LanguageError], ctx's, or that the lender has ended.
func (l *Languages) Request(ctx context.Context, method string, params jsontext.Value) (jsontext.Value, error) {
	a, err := ask(ctx, l.socket, request{Method: method, Params: params}, languagesLimit)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, &LanguageError{Failed, "the editor that shares its language servers ended or hangs: " + err.Error()}
	case a.Failure != "":
		return nil, &LanguageError{a.Failure, a.Error}
	}
	return a.Result, nil
}
