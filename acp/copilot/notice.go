package copilot

import (
	"bytes"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Copilot speaks in its own voice through agent_message_chunk, as if the model had said it: "Info: …", "Error: …" and,
// where a turn was cut off before, "Warning: …".
// Measured on 1.0.102: a notice is one chunk, whole, several lines if need be; it may follow the model's text directly;
// the model's text is in pieces. A failed turn is an Error notice followed by a plain end_turn.

// NoticeKind tells a remark from a failure.
type NoticeKind string

// The kinds of notices.
const (
	NotNotice     NoticeKind = ""
	NoticeInfo    NoticeKind = "info"
	NoticeWarning NoticeKind = "warning"
	NoticeError   NoticeKind = "error" // the model gave no answer; the turn is over
)

// Topic is what a notice is about, as far as it is known.
type Topic string

// The topics of notices.
const (
	TopicOther     Topic = ""
	TopicTools     Topic = "tools"     // tools are switched off, or a name in the list is not known; sent once a session
	TopicCancelled Topic = "cancelled" // the user refused something, and the turn is over
	TopicFile      Topic = "file"      // a file was created; the text is its path
	TopicRetry     Topic = "retry"     // the model did not answer and is asked again
	TopicModel     Topic = "model"     // the model did not answer
	TopicSignIn    Topic = "sign-in"   // the model's server wants another key or login
	TopicCutOff    Topic = "cut-off"   // tool calls of an earlier turn have no result: the agent ended while they ran
)

// Notice is something Copilot itself said.
type Notice struct {
	Kind  NoticeKind
	Topic Topic
	Text  string // without the "Info: "
}

// known are the notices whose wording has been seen. They are recognised wherever they come.
type wording struct {
	kind  NoticeKind
	topic Topic
	form  *regexp.Regexp
}

var known = sync.OnceValue(func() []wording {
	return []wording{
		{NoticeInfo, TopicTools, regexp.MustCompile(`^Disabled tools: `)},
		{NoticeInfo, TopicTools, regexp.MustCompile(`^Unknown tool name in the tool `)},
		{NoticeInfo, TopicCancelled, regexp.MustCompile(`^Operation cancelled by user\b`)},
		{NoticeInfo, TopicRetry, regexp.MustCompile(`^Request failed due to a transient API error`)},
		{NoticeWarning, TopicCutOff, regexp.MustCompile(`^\d+ tool call\(s\) had no recorded result at resume\b`)},
		{NoticeError, TopicModel, regexp.MustCompile(`^Failed to get response from the AI model\b`)},
		{NoticeError, TopicSignIn, regexp.MustCompile(`^Authentication failed\b`)},
		{NoticeError, TopicSignIn, regexp.MustCompile(`^40[13]\b`)},
		{NoticeError, TopicModel, regexp.MustCompile(`^[45]\d\d\b`)},
	}
})

// MayBeNotice says whether a text, quoted as it is on the wire, may be a notice that is an info: for those who look at
// every chunk.
func MayBeNotice(raw []byte) bool { return bytes.HasPrefix(raw, []byte(`"Info: `)) }

// AboutOurTools says whether a whole chunk is a notice about tools that [Launch] switches off: that they are (any version),
// or that Copilot knows none of that name (1.0.78, of apply_patch). It comes once a session, and is nobody's news where the
// editor tools are in their place. A name that only the user has given is not ours.
func AboutOurTools(text string) bool {
	n, sure := read(text)
	if !sure || n.Topic != TopicTools {
		return false
	}
	_, names, _ := strings.Cut(n.Text, ": ")
	return slices.ContainsFunc(strings.Split(names, ","), func(name string) bool {
		return slices.Contains(OwnTools(), strings.Trim(name, " \"\n"))
	})
}

// Classify says whether a whole message is a notice, and what is in it without its first word.
func Classify(text string) (kind NoticeKind, body string) {
	n, _ := read(text)
	return n.Kind, n.Text
}

// read reads a message that begins a notice; sure says that its wording is known.
func read(text string) (n Notice, sure bool) {
	if len(text) > maxNotice {
		return Notice{}, false
	}
	if body, ok := strings.CutPrefix(text, "Info: "); ok {
		n = Notice{Kind: NoticeInfo, Text: body}
	} else if body, ok := strings.CutPrefix(text, "Error: "); ok {
		n = Notice{Kind: NoticeError, Text: body}
	} else if body, ok := strings.CutPrefix(text, "Warning: "); ok {
		n = Notice{Kind: NoticeWarning, Text: body}
	} else {
		return Notice{}, false
	}
	for _, k := range known() {
		if k.kind == n.Kind && k.form.MatchString(n.Text) {
			n.Topic = k.topic
			return n, true
		}
	}
	if n.Kind == NoticeInfo && filepath.IsAbs(n.Text) && !strings.ContainsAny(n.Text, "\n") {
		n.Topic = TopicFile
		return n, true
	}
	if n.Kind == NoticeWarning { // models warn, too: of these only a known wording is Copilot's
		return Notice{}, false
	}
	return n, false
}

// Classifier finds notices in the stream of a turn's message chunks. The zero value stands at the start of a turn.
// It is not for use from several goroutines. It holds no text back: what is no notice is for the caller to show.
type Classifier struct {
	said  string  // the text of the message so far, while it may still become a known notice
	maybe *Notice // a chunk that looks like a notice of unknown wording, and began a message
	busy  bool    // the model's own text is running
}

// Write takes the next chunk and returns the notices that are now known to be some, most often none. The wording of a
// known notice makes one wherever it comes as a whole chunk, and at the start of a message in pieces too. A chunk that
// only begins like one ("Error: something new") may as well be the model's: it counts as a notice when no text of the
// model follows it, which Flush or the next notice tells.
func (c *Classifier) Write(text string) []Notice {
	n, sure := read(text)
	switch {
	case sure:
		return append(c.Flush(), n)
	case n.Kind != NotNotice && !c.busy && c.said == "":
		out := c.Flush()
		c.maybe = &n
		return out
	case c.busy || text == "":
		return nil
	case c.maybe != nil || !begins(c.said+text):
		*c = Classifier{busy: true}
		return nil
	}
	c.said += text
	if n, sure := read(c.said); sure {
		*c = Classifier{busy: true} // more of it may follow
		return []Notice{n}
	}
	return nil
}

// Flush says that the message is over: the turn has ended, or something other than message text came, such as a tool
// call. It returns a notice that was not sure before. What follows begins a message.
func (c *Classifier) Flush() []Notice {
	maybe := c.maybe
	*c = Classifier{}
	if maybe == nil {
		return nil
	}
	return []Notice{*maybe}
}

// begins says whether text can still become a notice.
func begins(text string) bool {
	for _, p := range []string{"Info: ", "Error: ", "Warning: "} {
		if strings.HasPrefix(text, p) || strings.HasPrefix(p, text) {
			return len(text) <= maxNotice
		}
	}
	return false
}
