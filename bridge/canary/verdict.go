package canary

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

// File is the name of the file of verdicts in the state folder.
const File = "canary.json"

// Verdict is what came of trying a version of an agent out.
type Verdict struct {
	Agent    string    `json:"agent"` // name and version, "copilot 1.0.102"
	Problems []string  `json:"problems,omitempty"`
	By       string    `json:"by"` // "trial", "version", or "first edit" in a session of the user's
	When     time.Time `json:"when"`
}

// Listed is the verdict on a version that is known not to ask, before anybody has tried it here; see the table of
// [copilot.QuirksOf]. A trial counts for more, a first edit for less.
func Listed(agent string) Verdict {
	return Verdict{Agent: agent, By: "version", Problems: []string{"this version writes files and runs commands without asking, 1.0.83 and later ask"}}
}

// Passed says that nothing was found.
func (v Verdict) Passed() bool { return len(v.Problems) == 0 }

// Sentence is the verdict for a person.
func (v Verdict) Sentence() string {
	if v.Passed() {
		return fmt.Sprintf("%s asks before it changes or runs something (%s, %s)", v.Agent, v.By, v.When.Local().Format(time.DateOnly))
	}
	return fmt.Sprintf("%s cannot be relied on: %s", v.Agent, strings.Join(v.Problems, ", and "))
}

// Load reads the verdict on an agent from the file; false if there is none. A file that cannot be read has none: the agent
// is tried again.
func Load(path, agent string) (Verdict, bool) {
	all, err := read(path)
	if err != nil {
		return Verdict{}, false
	}
	for _, v := range all {
		if v.Agent == agent {
			return v, true
		}
	}
	return Verdict{}, false
}

// Keep puts a verdict into the file, in the place of an older one on the same agent.
func Keep(path string, v Verdict) error {
	lock, err := durable.Lock(path + ".lock")
	if err != nil {
		return fmt.Errorf("lock the verdicts on agents: %w", err)
	}
	defer lock.Close()
	all, err := read(path)
	if err != nil {
		all = nil // it is damaged: what was in it is tried again
	}
	all = slices.DeleteFunc(all, func(o Verdict) bool { return o.Agent == v.Agent })
	all = append(all, v)
	b, err := json.Marshal(all[max(0, len(all)-maxKept):], jsontext.WithIndent("  "), json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err == nil {
		err = durable.Save(path, append(b, '\n'))
	}
	if err != nil {
		return fmt.Errorf("keep the verdict on %s: %w", v.Agent, err)
	}
	return nil
}

func read(path string) ([]Verdict, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case info.Size() > maxKeptFile:
		return nil, fmt.Errorf("%s has %d bytes", path, info.Size())
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var all []Verdict
	return all, json.Unmarshal(b, &all, jsontext.AllowInvalidUTF8(true))
}
