package program

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/copilot-bridge/copilot-bridge/acp/agent"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// Reason is why a turn failed, as far as its program has told.
type Reason string

// The reasons of a [Failure].
const (
	Failed      Reason = "failed"        // it ended with an error, or said one
	Killed      Reason = "killed"        // a signal ended it
	NotStarted  Reason = "not started"   // it could not be started
	SignedOut   Reason = "signed out"    // nobody is signed in
	TooLong     Reason = "context limit" // the request does not fit into the model's context
	LostSession Reason = "lost session"  // it does not have the session that it was to go on with
	NoAnswer    Reason = "no answer"     // it ended well and said nothing
	RanWild     Reason = "ran wild"      // it printed more than anybody reads
)

// Failure is a turn that came to no answer. What the user said is kept, and goes along with the next message.
type Failure struct {
	Reason  Reason
	Message string // one sentence, safe to show
	Hint    string // what to do about it
	Limit   int    // with TooLong: the context window in tokens that the program named, 0 if it named none
}

func (f *Failure) Error() string { return f.Message }

// Unwrap makes a signed-out failure [agent.ErrSignedOut].
func (f *Failure) Unwrap() error {
	if f.Reason == SignedOut {
		return agent.ErrSignedOut
	}
	return nil
}

// patterns are the wordings that tell failures apart, in lower case: those of Copilot CLI 1.0.102 and of the model
// services behind it.
var patterns = sync.OnceValue(func() (p struct{ signedOut, provider, tooLong, lost, limit *regexp.Regexp }) {
	p.provider = regexp.MustCompile(`authentication failed with provider`)
	p.signedOut = regexp.MustCompile(`no authentication information found|not (?:logged|signed) in|please (?:log|sign) in|authentication required|you must (?:log|sign) in|run (?:the )?'?/login`)
	p.tooLong = regexp.MustCompile(`\b413\b|prompt is too long|request (?:is )?too large|payload too large|context[ _](?:length|window|limit)|maximum context|prompt token count|model_max_prompt_tokens|too many (?:input )?tokens|exceeds? the (?:token |context )?limit|token limit (?:exceeded|reached)`)
	p.lost = regexp.MustCompile(`no session, task, or name matched|no session (?:was )?found|session not found|(?:could|can) ?not find (?:the )?session|no (?:such )?session\b|unknown session|session [^\n]{0,80}does not exist`)
	p.limit = regexp.MustCompile(`> *([\d,_]+)(?: tokens)? (?:maximum|max|limit)|(?:limit|maximum|max)(?: context)?(?: length| window| size| prompt)?(?: of| is|:| =)? *([\d,_]+)`)
	return p
})

// Failure says why a call of the program of that name failed, nil if it did not. resumed says that it was to go on with a
// session.
func (o *Outcome) Failure(name string, resumed bool) *Failure {
	exit := o.Exit
	if o.flooded {
		return &Failure{Reason: RanWild, Message: fmt.Sprintf("%s printed more than %d MB for one answer and was ended", name, maxAnswer>>20), Hint: "ask for less at a time"}
	}
	text := strings.TrimSpace(o.failure)
	if text == "" && (exit.Code != 0 || exit.Signal != "") {
		text = strings.TrimSpace(o.stderr)
		if text == "" {
			text = strings.TrimSpace(o.stray)
		}
	}
	answered := o.Said || o.Called
	if text == "" && exit.Code == 0 && !answered {
		text = strings.TrimSpace(o.stray) // an error's text with a good exit
		if text == "" {
			text = strings.TrimSpace(o.stderr)
		}
		if text == "" {
			return &Failure{Reason: NoAnswer, Message: name + " ended without an answer", Hint: "send the message again"}
		}
	}
	if text == "" && exit.Code == 0 {
		return nil
	}
	f := &Failure{Reason: Failed, Message: name + " failed: " + sentence(text), Hint: "the message is kept; send it again after fixing the cause"}
	p, low := patterns(), strings.ToLower(text)
	switch {
	case exit.Signal != "" && text == "":
		return &Failure{Reason: Killed, Message: fmt.Sprintf("%s was killed by %s", name, exit.Signal), Hint: f.Hint}
	case text == "":
		f.Message = fmt.Sprintf("%s ended with exit status %d", name, exit.Code)
		if !answered {
			f.Message += " and said nothing"
		}
	case resumed && p.lost.MatchString(low):
		f.Reason = LostSession
	case p.provider.MatchString(low): // the key of a model of the user's own, for which no login helps
	case o.errorType == "authentication", p.signedOut.MatchString(low):
		f.Reason, f.Message, f.Hint = SignedOut, name+" is not signed in: "+sentence(text), ""
	case o.status == 413, p.tooLong.MatchString(low):
		f.Reason, f.Limit = TooLong, namedLimit(low)
		f.Message, f.Hint = "the conversation does not fit into the model's context: "+sentence(text), "make it shorter, or begin a new session"
	case exit.Signal != "":
		f.Reason, f.Message = Killed, fmt.Sprintf("%s was killed by %s: %s", name, exit.Signal, sentence(text))
	}
	return f
}

// namedLimit is the context window that an error's text names, 0 if none that can be believed.
func namedLimit(low string) int {
	for _, m := range patterns().limit.FindAllStringSubmatch(low, -1) {
		digits := strings.NewReplacer(",", "", "_", "").Replace(m[1] + m[2])
		if n, err := strconv.Atoi(digits); err == nil && n >= LeastLimit {
			return n
		}
	}
	return 0
}

// sentence is the first paragraph of an error's text on one line, without the word that says it is one.
func sentence(text string) string {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n\n")
	text = strings.TrimSpace(strings.TrimPrefix(text, "Error:"))
	return escape.Redact(escape.Inline(Clip(strings.Join(strings.Fields(escape.StripANSI(text)), " "), maxSentence)))
}

// isErrorText says whether a whole answer is an error that the program has printed in place of one.
func isErrorText(text string) bool {
	text = strings.TrimSpace(text)
	return strings.HasPrefix(text, errorWord) && len(text) <= maxStray/4
}
