package trust

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

const (
	// file is the name of the file of verdicts in the state folder.
	file = "verdicts.json"
	// formerly is the name that it had. It is read where there is no file of the other name.
	formerly = "canary.json"
)

// What a verdict comes from.
const (
	byTrial     = "trial"
	byVersion   = "version"    // the table of versions
	byFirstEdit = "first edit" // in a session of the user's
)

// Verdict is what is known of a version of an agent.
type Verdict struct {
	Agent    string    `json:"agent"` // name and version, "copilot 1.0.102"
	Problems []string  `json:"problems,omitempty"`
	By       string    `json:"by"` // "trial", "version" or "first edit"
	When     time.Time `json:"when"`
}

// Tried says that it comes from a trial.
func (v Verdict) Tried() bool { return v.By == byTrial }

// Passed says that nothing was found.
func (v Verdict) Passed() bool { return len(v.Problems) == 0 }

// Sentence is the verdict for the user.
func (v Verdict) Sentence() string {
	if v.Passed() {
		return fmt.Sprintf("%s asks before it changes or runs something (%s, %s)", v.Agent, v.By, v.When.Local().Format(time.DateOnly))
	}
	return fmt.Sprintf("%s cannot be relied on: %s", v.Agent, strings.Join(v.Problems, ", and "))
}

// Version is a version of an agent.
type Version struct {
	Agent   string         // name and version, "copilot 1.0.102"; "" where it says neither: then nothing is known of it
	Quirks  copilot.Quirks // what the table of versions has of it
	PerTurn bool           // its program runs for a turn and ends, as no trial has it
}

// weigh is what is known of a version of which a verdict is kept, or none: a trial counts most, then the table of versions,
// then a first edit.
func (v Version) weigh(kept Verdict, known bool) (Verdict, bool) {
	if v.Quirks.NoPermissionAsked && !kept.Tried() {
		return Verdict{Agent: v.Agent, By: byVersion, Problems: []string{"this version writes files and runs commands without asking, 1.0.83 and later ask"}}, true
	}
	return kept, known
}

// Load is what is known of a version, with the verdicts that are kept in the state folder dir; false if that is nothing.
func Load(dir string, v Version) (Verdict, bool) { return v.weigh(load(dir, v.Agent)) }

// load reads the verdict that is kept on an agent, false if there is none. A file that cannot be read has none: the agent is
// tried again.
func load(dir, agent string) (Verdict, bool) {
	all, err := read(dir)
	if i := slices.IndexFunc(all, func(v Verdict) bool { return v.Agent == agent }); err == nil && i >= 0 {
		return all[i], true
	}
	return Verdict{}, false
}

// Keep puts a verdict into the file in the state folder dir, in the place of an older one on the same agent.
func Keep(dir string, v Verdict) error {
	path := filepath.Join(dir, file)
	lock, err := durable.LockWait(path + ".lock")
	if err != nil {
		return fmt.Errorf("lock the verdicts on agents: %w", err)
	}
	defer lock.Close()
	all, err := read(dir)
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

func read(dir string) ([]Verdict, error) {
	path := filepath.Join(dir, file)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		path = filepath.Join(dir, formerly)
		info, err = os.Stat(path)
	}
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
