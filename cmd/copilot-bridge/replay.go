package main

import (
	"bufio"
	"fmt"
	"io"
	"os"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"
)

// maxRecordLine is the longest line of a recording; a message is at most 64 MiB and JSON in JSON adds little.
const maxRecordLine = 80 << 20

// replayCommand plays the agent's side of a recording: each message of the agent is sent when the client's messages
// before it have come. Answers take the ids of the requests that really came.
func replayCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "replay FILE",
		Short: "play a recording as an agent",
		Long: "Plays the agent's side of a recording (see --record) on stdin and stdout. Each message of the agent is sent when the messages " +
			"of the client that came before it have arrived.",
		Example: "  copilot-bridge prompt \"hello\" -- copilot-bridge replay turn.ndjson",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return &usageError{"replay needs the file of a recording", "make one with copilot-bridge prompt --record FILE"}
			}
			f, err := os.Open(args[0])
			if err != nil {
				return err
			}
			defer f.Close()
			return replay(f, args[0], cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
}

// replayMessage is what replay must know of a message.
type replayMessage struct {
	ID     jsontext.Value `json:"id,omitzero"`
	Method string         `json:"method,omitzero"`
	Others jsontext.Value `json:",embed"`
}

func replay(recording io.Reader, name string, stdin io.Reader, stdout io.Writer) error {
	in := bufio.NewScanner(recording)
	in.Buffer(nil, maxRecordLine)
	client := bufio.NewScanner(stdin)
	client.Buffer(nil, maxRecordLine)
	ids := map[string]jsontext.Value{} // of the client's requests: as recorded, as they came
	line := 0
	for in.Scan() {
		line++
		var rec recordLine
		if err := json.Unmarshal(in.Bytes(), &rec); err != nil {
			return fmt.Errorf("%s:%d: not a line of a recording: %w", name, line, err)
		}
		var want replayMessage
		if err := json.Unmarshal(rec.Msg, &want); err != nil {
			return fmt.Errorf("%s:%d: the message is not JSON-RPC: %w", name, line, err)
		}
		if rec.Dir == "c2a" {
			if err := expect(client, want, ids); err != nil {
				return fmt.Errorf("%s:%d: %w", name, line, err)
			}
			continue
		}
		out := []byte(rec.Msg)
		if id, ok := ids[string(want.ID)]; ok && want.Method == "" {
			want.ID = id
			b, err := json.Marshal(want)
			if err != nil {
				return err
			}
			out = b
		}
		if _, err := stdout.Write(append(out[:len(out):len(out)], '\n')); err != nil {
			return err
		}
	}
	if err := in.Err(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for client.Scan() { // stay until the client leaves, as an agent does
	}
	return nil
}

// expect reads the client's next message, which must be the one of the recording: the same method, or an answer. A
// client may send notifications that the recorded one did not; they are passed over.
func expect(client *bufio.Scanner, want replayMessage, ids map[string]jsontext.Value) error {
	for client.Scan() {
		var got replayMessage
		if err := json.Unmarshal(client.Bytes(), &got); err != nil {
			return fmt.Errorf("the client sent something that is not JSON-RPC: %w", err)
		}
		if got.Method != want.Method {
			if got.Method != "" && len(got.ID) == 0 {
				continue
			}
			return fmt.Errorf("the client sent %q where the recording has %q", label(got), label(want))
		}
		if got.Method != "" && len(got.ID) > 0 {
			ids[string(want.ID)] = got.ID.Clone()
		}
		return nil
	}
	if err := client.Err(); err != nil {
		return err
	}
	return fmt.Errorf("the client left before %q", label(want))
}

func label(m replayMessage) string {
	if m.Method == "" {
		return "an answer"
	}
	return m.Method
}
