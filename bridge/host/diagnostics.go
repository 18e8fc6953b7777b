package host

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// Diagnostics is the tool of that name: what the editor's other language servers say.
func (s *Service) Diagnostics(ctx context.Context, a tools.DiagnosticsArgs) (string, error) {
	var paths []string
	asked := ""
	if a.Path != "" {
		t, err := s.Gate.Reach(ctx, "diagnostics", a.Path)
		if err != nil {
			return "", err
		}
		if err := s.Gate.PermitRead(ctx, "diagnostics", t); err != nil {
			return "", err
		}
		paths, asked = []string{t.Real}, t.Real
	}
	files, err := s.all.Editor.Diagnostics(ctx, paths)
	if errors.Is(err, ErrUnsupported) {
		return "", errors.New("this editor does not pass diagnostics on; run the project's compiler or linter instead")
	}
	if err != nil {
		return "", err
	}
	through := s.Gate.NewReading("diagnostics")
	files = slices.DeleteFunc(files, func(f FileDiagnostics) bool {
		return len(f.Items) == 0 || s.all.canonical(f.Path) != asked && !through.MayNamed(f.Path)
	})
	return through.WithLeft(s.diagnosticsText(files)), nil
}

func (s *Service) diagnosticsText(files []FileDiagnostics) string {
	var b strings.Builder
	for _, f := range files {
		for _, d := range f.Items {
			source := d.Source
			if d.Code != "" {
				source = strings.TrimSpace(source + " " + d.Code)
			}
			if source != "" {
				source = " [" + source + "]"
			}
			fmt.Fprintf(&b, "%s:%d:%d: %s: %s%s\n", s.Gate.Short(f.Path), d.Line, d.Column, d.Severity, d.Message, source)
		}
	}
	if b.Len() == 0 {
		return "No diagnostics."
	}
	return b.String()
}

// Selection is the tool of that name: where the user is.
func (s *Service) Selection(ctx context.Context) (string, error) {
	sel, err := s.all.Editor.Selection(ctx)
	if errors.Is(err, ErrUnsupported) || err == nil && sel == nil {
		return "", errors.New("the editor has not said where the user is; ask the user for the file and the lines")
	}
	if err != nil {
		return "", err
	}
	t, err := s.Gate.Resolve(sel.Path)
	if err != nil {
		return "", err
	}
	if err := s.Gate.PermitRead(ctx, "selection", t); err != nil {
		return "", err
	}
	where := fmt.Sprintf("%s, line %d", sel.Path, sel.StartLine)
	if sel.Text == "" {
		return where + " (nothing selected)", nil
	}
	return fmt.Sprintf("%s, lines %d to %d:\n%s", sel.Path, sel.StartLine, sel.EndLine, sel.Text), nil
}
