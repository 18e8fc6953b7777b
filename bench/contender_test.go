package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"time"
)

// outcome is what a contender prints at its end.
type outcome struct {
	Received int   // updates
	Misplace int   // updates that were not the next one
	Nanos    int64 // of all turns
	PeakKiB  int64 // resident memory of the contender; 0 where unknown
}

// client initializes the agent behind these pipes, prompts it as often as told,
// one turn after the other, and hands over the text of every update in order. It
// returns how long the turns took.
type client func(in io.Reader, out io.WriteCloser, turns int, update func(text string)) (time.Duration, error)

var contenders = map[string]client{
	"conn":  connClient,
	"raw":   rawClient,
	"coder": coderClient,
}

// runContender starts the agent, lets the client work and prints the outcome.
func runContender(name, task string) error {
	agent := exec.Command(os.Getenv(agentOf))
	agent.Env = append(os.Environ(), asAgent+"="+task)
	agent.Stderr = os.Stderr
	in, err := agent.StdoutPipe()
	if err != nil {
		return err
	}
	out, err := agent.StdinPipe()
	if err != nil {
		return err
	}
	if err := agent.Start(); err != nil {
		return err
	}
	var o outcome
	took, err := contenders[name](in, out, turns(task), o.update)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	o.Nanos, o.PeakKiB = took.Nanoseconds(), peakMemory()
	_ = out.Close()
	if err := agent.Wait(); err != nil {
		return fmt.Errorf("agent: %w", err)
	}
	return json.NewEncoder(os.Stdout).Encode(o)
}

func (o *outcome) update(text string) {
	if n, err := strconv.Atoi(text[:8]); err != nil || n != o.Received || len(text) != updateText {
		o.Misplace++
	}
	o.Received++
}
