package host

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// What language servers are sent and answer (LSP 3.18), as far as it is read.

type lspPosition struct {
	Line      uint32 `json:"line"`
	Character uint32 `json:"character"`
}

type lspRange struct {
	Start lspPosition `json:"start"`
	End   lspPosition `json:"end"`
}

type documentID struct {
	URI string `json:"uri"`
}

type documentParams struct {
	Document documentID `json:"textDocument"`
}

type placeParams struct {
	Document documentID  `json:"textDocument"`
	Position lspPosition `json:"position"`
}

type referenceParams struct {
	Document documentID       `json:"textDocument"`
	Position lspPosition      `json:"position"`
	Context  referenceContext `json:"context"`
}

type referenceContext struct {
	IncludeDeclaration bool `json:"includeDeclaration"`
}

type symbolParams struct {
	Query string `json:"query"`
}

type renameParams struct {
	Document documentID  `json:"textDocument"`
	Position lspPosition `json:"position"`
	NewName  string      `json:"newName"`
}

type formattingParams struct {
	Document documentID        `json:"textDocument"`
	Options  formattingOptions `json:"options"`
}

// formattingOptions are LSP's own defaults; the editor puts those of the file in their place.
type formattingOptions struct {
	TabSize      int  `json:"tabSize"`
	InsertSpaces bool `json:"insertSpaces"`
}

type codeActionParams struct {
	Document documentID        `json:"textDocument"`
	Range    lspRange          `json:"range"`
	Context  codeActionContext `json:"context"`
}

// codeActionContext is without diagnostics: the editor, which has them, puts them there.
type codeActionContext struct {
	Diagnostics []jsontext.Value `json:"diagnostics"`
	TriggerKind int              `json:"triggerKind"`
}

// lspPlace is a Location or a LocationLink.
type lspPlace struct {
	URI         string    `json:"uri"`
	Range       *lspRange `json:"range"`
	TargetURI   string    `json:"targetUri"`
	TargetRange *lspRange `json:"targetSelectionRange"`
}

// lspSymbol is a DocumentSymbol, a SymbolInformation or a WorkspaceSymbol.
type lspSymbol struct {
	Name           string      `json:"name"`
	SelectionRange *lspRange   `json:"selectionRange"`
	Children       []lspSymbol `json:"children"`
	Location       *lspPlace   `json:"location"`
}

// codeAction is a CodeAction, or a Command, whose command is a word.
type codeAction struct {
	Title    string         `json:"title"`
	Kind     string         `json:"kind"`
	Edit     jsontext.Value `json:"edit"`
	Command  jsontext.Value `json:"command"`
	Data     jsontext.Value `json:"data"`
	Disabled *struct {
		Reason string `json:"reason"`
	} `json:"disabled"`

	raw jsontext.Value
}

func positionOf(t text.Text, at int, enc text.Encoding) lspPosition {
	p := t.PositionOf(at, enc)
	return lspPosition{p.Line, p.Character}
}

// each decodes the items of an array, or a value that stands alone, one after the other; null has none.
func each[T any](raw jsontext.Value, do func(T) error) error {
	d := jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowInvalidUTF8(true))
	one := func() error {
		var v T
		if err := json.UnmarshalDecode(d, &v); err != nil {
			return err
		}
		return do(v)
	}
	switch d.PeekKind() {
	case '[':
		if _, err := d.ReadToken(); err != nil {
			return err
		}
		for d.PeekKind() != ']' {
			if err := one(); err != nil {
				return err
			}
		}
		_, err := d.ReadToken()
		return err
	case '{':
		return one()
	case 'n':
		return nil
	}
	if _, err := d.ReadToken(); errors.Is(err, io.EOF) {
		return nil // no result at all
	}
	return errors.New("neither a list nor an object")
}

// hoverText is the contents of a Hover: MarkupContent, or one or several MarkedStrings.
func hoverText(raw jsontext.Value) (string, error) {
	var h *struct {
		Contents jsontext.Value `json:"contents"`
	}
	if len(raw) == 0 {
		return "", nil
	}
	if err := json.Unmarshal(raw, &h, jsontext.AllowInvalidUTF8(true)); err != nil || h == nil {
		return "", err
	}
	one := func(v jsontext.Value) (string, error) {
		var s string
		if json.Unmarshal(v, &s) == nil {
			return s, nil
		}
		var m struct {
			Value    string `json:"value"`
			Language string `json:"language"`
		}
		if err := json.Unmarshal(v, &m, jsontext.AllowInvalidUTF8(true)); err != nil {
			return "", err
		}
		if m.Language != "" {
			return fmt.Sprintf("```%s\n%s\n```", m.Language, m.Value), nil
		}
		return m.Value, nil
	}
	if h.Contents.Kind() != '[' {
		said, err := one(h.Contents)
		return strings.TrimSpace(said), err
	}
	var parts []string
	err := each(h.Contents, func(v jsontext.Value) error {
		part, err := one(v)
		parts = append(parts, part)
		return err
	})
	return strings.TrimSpace(strings.Join(parts, "\n\n")), err
}
