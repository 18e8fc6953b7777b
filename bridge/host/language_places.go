package host

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// places are lines of files that language servers have named, grouped by file in the order in which they came. A server may
// name 100,000: a place is a number here, and only files that are shown are read.
type places struct {
	s       *Service
	servers LanguageServers
	files   []*placesIn
	byURI   map[string]*placesIn
	byPath  map[string]*placesIn
	strange int // of URIs that are no files
}

// placesIn are the lines of one file, 0-based.
type placesIn struct {
	given, path string // as the server named it, and with its links resolved
	lines       []uint32
}

func newPlaces(s *Service, servers LanguageServers) *places {
	return &places{s: s, servers: servers, byURI: map[string]*placesIn{}, byPath: map[string]*placesIn{}}
}

func (p *places) add(uri string, line uint32) {
	f, known := p.byURI[uri]
	if !known {
		if given, err := p.servers.Path(uri); err == nil {
			f = p.in(given)
		}
		p.byURI[uri] = f
	}
	if f == nil {
		p.strange++
		return
	}
	f.lines = append(f.lines, line)
}

func (p *places) in(given string) *placesIn {
	path := p.s.all.canonical(given)
	f := p.byPath[path]
	if f == nil {
		f = &placesIn{given: given, path: path}
		p.byPath[path] = f
		p.files = append(p.files, f)
	}
	return f
}

// locations takes a result of Location, Location[] or LocationLink[] in.
func (p *places) locations(raw jsontext.Value) error {
	return each(raw, func(l lspPlace) error {
		switch {
		case l.TargetURI != "" && l.TargetRange != nil:
			p.add(l.TargetURI, l.TargetRange.Start.Line)
		case l.URI != "" && l.Range != nil:
			p.add(l.URI, l.Range.Start.Line)
		default:
			return fmt.Errorf("a place without a file or a range")
		}
		return nil
	})
}

// symbols takes a result of workspace/symbol in.
func (p *places) symbols(raw jsontext.Value) error {
	return each(raw, func(sym lspSymbol) error {
		switch l := sym.Location; {
		case l == nil || l.URI == "":
			return fmt.Errorf("a symbol without a place")
		case l.Range == nil:
			p.add(l.URI, 0)
		default:
			p.add(l.URI, l.Range.Start.Line)
		}
		return nil
	})
}

// outline takes the symbols of one file in.
func (p *places) outline(path string, raw jsontext.Value) error {
	f := p.in(path)
	var take func(sym lspSymbol, depth int)
	take = func(sym lspSymbol, depth int) {
		switch {
		case sym.SelectionRange != nil:
			f.lines = append(f.lines, sym.SelectionRange.Start.Line)
		case sym.Location != nil && sym.Location.Range != nil:
			f.lines = append(f.lines, sym.Location.Range.Start.Line)
		}
		for _, c := range sym.Children {
			if depth < maxOutlineDepth {
				take(c, depth+1)
			}
		}
	}
	return each(raw, func(sym lspSymbol) error { take(sym, 0); return nil })
}

// placesText is the answer: path:line: text of the line, as far as it fits.
func (s *Service) placesText(ctx context.Context, a tools.LanguageArgs, p *places, none string) (string, error) {
	through := s.Gate.NewReading(string(a.Tool))
	var b strings.Builder
	shown, left, leftFiles, reads := 0, 0, 0, 0
	for _, f := range p.files {
		slices.Sort(f.lines)
		lines := slices.Compact(f.lines)
		sight := through.Sight(f.given, f.path)
		if sight == permission.SightNone || len(lines) == 0 {
			continue
		}
		if b.Len() >= placesRoom {
			left, leftFiles = left+len(lines), leftFiles+1
			continue
		}
		var content *text.Text
		if sight == permission.SightText {
			if through.Twin(f.path) {
				continue
			}
			reads++
			content = s.textOfPlaces(ctx, f.path, reads)
		}
		for i, n := range lines {
			line := fmt.Sprintf("%s:%d: %s\n", s.Gate.Short(f.given), n+1, lineOf(content, sight, n))
			if b.Len()+len(line) > placesRoom && shown > 0 {
				left, leftFiles = left+len(lines)-i, leftFiles+1
				break
			}
			b.WriteString(line)
			shown++
		}
		if err := ctx.Err(); err != nil {
			return "", err
		}
	}
	switch {
	case left > 0:
		fmt.Fprintf(&b, "… and %d more in %s\n", left, files(leftFiles))
	case shown == 0:
		b.WriteString(none + " `grep` finds text that looks like it.\n")
	}
	if p.strange > 0 {
		fmt.Fprintf(&b, "[%d places are in documents that are no files]\n", p.strange)
	}
	return through.WithLeft(strings.TrimSuffix(b.String(), "\n")), nil
}

// textOfPlaces is the text of a file that a place is in, whose reading the caller has decided: the buffer's, or the disk's; nil if it
// cannot be read. reads counts those of one answer: an editor that has to be asked is asked about a few.
func (s *Service) textOfPlaces(ctx context.Context, path string, reads int) *text.Text {
	opts := []fsproxy.ReadOption{fsproxy.WithOutside()}
	if reads > maxGrepAsked {
		opts = append(opts, fsproxy.WithDisk())
	}
	snap, err := s.all.FS.Read(ctx, "", path, opts...)
	if err != nil || !sameName(snap.Path, path) { // it leads elsewhere by now
		return nil
	}
	return &snap.Text
}

// lineOf is what is shown of a line.
func lineOf(content *text.Text, sight permission.Sight, n uint32) string {
	switch {
	case sight == permission.SightName:
		return "[outside the session's folders; `view` asks the user for its text]"
	case content == nil:
		return "[the file cannot be read]"
	case int64(n) >= int64(content.Lines()):
		return "[the file has no such line any more]"
	}
	return escape.Clip(strings.TrimSpace(content.Line(int(n))), maxLanguageLine)
}

func files(n int) string {
	if n == 1 {
		return "1 file"
	}
	return fmt.Sprintf("%d files", n)
}
