package lspfront

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// message shows one line to the person. Editors put it where there is little room, so it is cut.
func (s *Server) message(t protocol.MessageType, text string) {
	s.whole(t, clipEnd(escape.Inline(text), maxMessageText))
}

// whole shows a line that was cut already where it may be.
func (s *Server) whole(t protocol.MessageType, text string) {
	s.notify(protocol.MethodWindowShowMessage, &protocol.ShowMessageParams{Type: t, Message: text})
}

// logText puts a whole text into the editor's log.
func (s *Server) logText(text string) {
	s.notify(protocol.MethodWindowLogMessage, &protocol.LogMessageParams{Type: protocol.MessageTypeInfo, Message: escape.Text(text)})
}

// escapeLines is a text over many lines with nothing left out: what [escape.Text] would drop as part of a sequence is
// written to a file or run by a shell all the same.
func escapeLines(text string) string {
	var b strings.Builder
	for len(text) > 0 {
		n := strings.IndexAny(text, "\n\t")
		if n < 0 {
			n = len(text)
		}
		b.WriteString(escape.Inline(text[:n]))
		if n < len(text) {
			b.WriteByte(text[n])
			n++
		}
		text = text[n:]
	}
	return b.String()
}

// clipEnd cuts a text to n characters and shows that it did.
func clipEnd(text string, n int) string {
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	return string([]rune(text)[:n-1]) + "…"
}

// clipMiddle cuts a text to n characters but keeps its end: a question must not be hidden by what stands before it.
func clipMiddle(text string, n int) string {
	r := []rune(text)
	if len(r) <= n {
		return text
	}
	gap := fmt.Sprintf(" …(%d characters)… ", len(r)-n)
	keep := n - utf8.RuneCountInString(gap)
	if keep < 2 {
		return clipEnd(text, n)
	}
	head := keep / 2
	return string(r[:head]) + gap + string(r[len(r)-(keep-head):])
}

// failures shows what went wrong, each thing once.
type failures struct {
	p         *plainTier
	signedOut bool   // said since the last turn began
	last      string // of the last turn that failed
	lost      bool   // it failed because the agent has ended
}

func newFailures(p *plainTier) *failures { return &failures{p: p} }

// started says that what is said from now on is about another turn.
func (f *failures) started() { f.signedOut, f.last, f.lost = false, "", false }

// turn says why a turn failed. It runs on the goroutine that shows events, as does status.
func (f *failures) turn(e *bridge.TurnEnded) {
	if e.Err == nil {
		return
	}
	f.last, f.lost = e.Err.Error(), e.Lost
	if e.Err.Code == bridge.CodeNotSignedIn && f.signedOut || f.p.s.tiers.rich(concernUpdates) {
		return
	}
	f.signedOut = e.Err.Code == bridge.CodeNotSignedIn
	if e.Lost {
		return // told with the offer to send the prompt again
	}
	f.p.s.message(protocol.MessageTypeError, "Copilot: "+f.last)
}

// status says that the person has to sign in, and what went wrong outside of turns.
func (f *failures) status(e *bridge.StatusChanged) {
	plain := !f.p.s.tiers.rich(concernStatus)
	switch e.Kind {
	case bridge.StatusSignedOut:
		if plain && !f.signedOut {
			f.p.s.message(protocol.MessageTypeWarning, e.Message)
		}
		f.signedOut = true
	case bridge.StatusError:
		if plain && f.isNews(e, len(f.p.running()) > 0) {
			f.p.s.message(protocol.MessageTypeError, e.Message)
		}
	}
}

// isNews says whether an error is not told otherwise. Of an agent that ends in a turn the end of that turn tells, whichever
// of the two comes first.
func (f *failures) isNews(e *bridge.StatusChanged, running bool) bool {
	return e.Message != f.last && (e.Session != "" || !running && !(e.Gone && f.lost))
}

// endWord says how a turn ended, in a word or two.
func endWord(e *bridge.TurnEnded) string {
	switch {
	case e.Err != nil:
		return "failed"
	case e.StopReason == "end_turn":
		return "done"
	}
	return string(e.StopReason)
}

// showDocument has the editor show something; false if it did not. Not on the reading goroutine.
func (s *Server) showDocument(ctx context.Context, p *protocol.ShowDocumentParams) bool {
	if !s.client.showDocument {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	var r protocol.ShowDocumentResult
	if err := s.call(ctx, protocol.MethodWindowShowDocument, p, &r); err != nil {
		s.log.Debug().Err(err).Msg("window/showDocument")
		return false
	}
	return r.Success
}

// showFile shows a file, or says where it is to an editor that cannot be asked to show one.
func (s *Server) showFile(ctx context.Context, path, what string) {
	focus := true
	if !s.showDocument(ctx, &protocol.ShowDocumentParams{URI: uri.URI(s.docs.uri(path)), TakeFocus: &focus}) {
		s.message(protocol.MessageTypeInfo, what+": "+path)
	}
}
