package lspfront

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// raw is an ACP value as it is on the wire. A value that cannot be encoded is left out: it came from the wire.
func raw(v any) jsontext.Value {
	b, err := acp.Marshal(v)
	if err != nil {
		return nil
	}
	return b
}

func rawModes(m *acp.SessionModeState) jsontext.Value {
	if m == nil {
		return nil
	}
	return labelled(m)
}

// labelledList is a list of such values, nil for nil.
func labelledList[T any](list []T) []jsontext.Value {
	if list == nil {
		return nil
	}
	out := make([]jsontext.Value, len(list))
	for i := range list {
		out[i] = labelled(&list[i])
	}
	return out
}

func rawBlocks(list []acp.ContentBlock) []jsontext.Value {
	out := make([]jsontext.Value, len(list))
	for i, b := range list {
		out[i] = raw(b)
	}
	return out
}

// sessionInfo is what session/new and session/load answer.
type sessionInfo struct {
	SessionID     string           `json:"sessionId"`
	Modes         jsontext.Value   `json:"modes,omitzero" as:"SessionModeState"`
	ConfigOptions []jsontext.Value `json:"configOptions,omitzero" as:"SessionConfigOption"`
	Commands      []jsontext.Value `json:"commands,omitzero" as:"AvailableCommand"`
	Level         policy.Level     `json:"level" enum:"read-only,ask,edits,all"`
	Relaxed       []relaxedMode    `json:"relaxed"` // because of which less is asked than usual
}

func encodeInfo(i bridge.Info, relaxed []relaxedMode) sessionInfo {
	return sessionInfo{i.ID, rawModes(i.Modes), labelledList(i.Options), labelledList(i.Commands), i.Level, relaxed}
}

// listedSession is one session in session/list.
type listedSession struct {
	SessionID      string `json:"sessionId"`
	AgentSessionID string `json:"agentSessionId,omitzero"`
	Cwd            string `json:"cwd"`
	Title          string `json:"title,omitzero"`
	UpdatedAt      string `json:"updatedAt"` // RFC 3339, UTC
	Turns          int    `json:"turns"`
	Live           bool   `json:"live"`
}

func encodeListed(i bridge.Info) listedSession {
	return listedSession{i.ID, string(i.Remote), i.Cwd, escape.Inline(i.Title), i.Updated.UTC().Format(time.RFC3339), i.Turns, i.Live}
}

// wireHunk is a pending hunk: whole lines, the range in the text as it is now.
type wireHunk struct {
	ID      string    `json:"id"`
	Range   wireRange `json:"range"`
	OldText string    `json:"oldText"`
	NewText string    `json:"newText"`
	TurnID  string    `json:"turnId"`
}

// wireRange is LSP's.
type wireRange struct {
	Start wirePosition `json:"start"`
	End   wirePosition `json:"end"`
}

// wirePosition is LSP's, in the units of the encoding that was agreed on.
type wirePosition struct {
	Line      uint32 `json:"line"`
	Character uint32 `json:"character"`
}

// reviewFile is a file with pending hunks.
type reviewFile struct {
	URI     string      `json:"uri"`
	Version *int32      `json:"version"` // null for a file that is not open
	Kind    review.Kind `json:"kind"`
	From    string      `json:"from,omitzero"` // where a file was that has been moved
	Hunks   []wireHunk  `json:"hunks"`
}

// file encodes a file's hunks in the text it has now.
func (s *server) file(f review.File) reviewFile {
	out := reviewFile{URI: s.URI(f.Path), Kind: f.Kind, Hunks: []wireHunk{}}
	if f.From != "" {
		out.From = s.URI(f.From)
	}
	now, version := s.Text(f.Path)
	out.Version = version
	for _, h := range f.Hunks {
		out.Hunks = append(out.Hunks, wireHunk{h.ID, s.hunkRange(now, h), h.OldText, h.NewText, h.Turn})
	}
	return out
}

// pendingIn is a file with what is pending in it, and its text now; false if nothing is.
func (s *server) pendingIn(path string) (f review.File, now text.Text, ok bool) {
	b, err := s.Bridge()
	if err != nil {
		return f, now, false
	}
	files := b.Review(s.life, review.Filter{Path: path})
	if len(files) == 0 {
		return f, now, false
	}
	now, _ = s.Text(path)
	return files[0], now, true
}

// Text is a file's text as the review book has it, and the editor's version if it is open there.
func (s *server) Text(path string) (now text.Text, version *int32) {
	b, err := s.Bridge()
	if err != nil {
		return text.Text{}, nil
	}
	if snap, open := b.Overlay().Lookup(path); open {
		v := snap.Version
		return snap.Text, &v
	}
	if t, ok := b.CurrentText(path); ok {
		now = text.New(t)
	}
	return now, nil
}

// hunkRange is where a hunk is: from the start of a line to the start of a line, or to the end of the text.
func (s *server) hunkRange(now text.Text, h review.Hunk) wireRange {
	start := wirePosition{Line: uint32(h.StartLine)}
	end := wirePosition{Line: uint32(h.EndLine)}
	if total := now.PositionOf(now.Len(), s.client.enc); end.Line > total.Line {
		end = wirePosition{total.Line, total.Character}
	}
	if start.Line > end.Line || start.Line == end.Line && start.Character > end.Character {
		start = end
	}
	return wireRange{start, end}
}

// counts encodes what a turn changed.
func (s *server) counts(list []bridge.FileCount) []fileCount {
	out := make([]fileCount, 0, len(list))
	for _, c := range list {
		out = append(out, fileCount{s.URI(c.Path), c.Added, c.Removed})
	}
	return out
}

// fileCount is how many lines a turn added to and removed from a file.
type fileCount struct {
	URI     string `json:"uri"`
	Added   int    `json:"added"`
	Removed int    `json:"removed"`
}
