package bench

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// What the agent can be asked to do.
const (
	taskFull   = "full"   // stream all updates at full speed, in one turn
	taskPaused = "paused" // the same in turns of pauseEvery updates
	taskRead   = "read"   // read a file over and over, in one turn
)

const (
	updates    = 200_000
	updateText = 150 // bytes of text in an update of about 326 bytes
	pauseEvery = 512
	writeSize  = 64 << 10 // a pipe full

	reads   = 20_000
	warmUp  = 2_000
	session = "sess_24198fa14d4cb5f23"
)

// fileText is 10 KB of what an agent reads.
var fileText = strings.Repeat("\tif err := run(ctx, os.Args, \"x\"); err != nil {\n\t\treturn fmt.Errorf(\"run: %w\", err)\n\t}\n", 120)[:10<<10]

const filePath = "/workspace/main.go"

// turns is how many prompts a task takes.
func turns(task string) int {
	if task == taskPaused {
		return (updates + pauseEvery - 1) / pauseEvery
	}
	return 1
}

// runAgent is an agent without a library, so that no contender has its maker's
// at the other end. It prepares all bytes before it answers initialize.
func runAgent(task string, in io.Reader, out, report io.Writer) error {
	a := &agent{in: bufio.NewReaderSize(in, writeSize), out: out}
	if task == taskFull || task == taskPaused {
		a.stream = prepare(task)
	}
	for {
		var call struct {
			ID     json.RawMessage
			Method string
		}
		line, err := a.in.ReadBytes('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := json.Unmarshal(line, &call); err != nil {
			return err
		}
		result := `{"protocolVersion":1,"agentCapabilities":{}}`
		if call.Method == "session/new" {
			result = `{"sessionId":"` + session + `"}`
		}
		if call.Method == "session/prompt" {
			result = `{"stopReason":"end_turn"}`
			if err := a.turn(task, report); err != nil {
				return err
			}
		}
		if _, err := fmt.Fprintf(a.out, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", call.ID, result); err != nil {
			return err
		}
	}
}

type agent struct {
	in     *bufio.Reader
	out    io.Writer
	stream [][]byte // what is left of it
	id     int
}

func (a *agent) turn(task string, report io.Writer) error {
	switch task {
	case taskRead:
		return a.readOften(report)
	case taskStamp:
		return a.stampOften()
	}
	pieces := len(a.stream)
	if task == taskPaused {
		pieces = 1
	}
	for _, piece := range a.stream[:pieces] {
		if _, err := a.out.Write(piece); err != nil {
			return err
		}
	}
	a.stream = a.stream[pieces:]
	return nil
}

// prepare returns the updates in the pieces they are written in: of writeSize, or
// of a turn.
func prepare(task string) (pieces [][]byte) {
	text := strings.Repeat("The quick brown fox jumps over the lazy dog, then rests. ", 3)[:updateText-9]
	var piece []byte
	for i := range updates {
		piece = fmt.Appendf(piece, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"%s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"%08d %s"}}}}`+"\n",
			session, i, text)
		if full := len(piece) >= writeSize; task == taskFull && full || task == taskPaused && (i+1)%pauseEvery == 0 {
			pieces = append(pieces, piece)
			piece = nil
		}
	}
	if len(piece) > 0 {
		pieces = append(pieces, piece)
	}
	return pieces
}

// read sends fs/read_text_file and returns the line of the answer.
func (a *agent) read() ([]byte, error) {
	a.id++
	if _, err := fmt.Fprintf(a.out, `{"jsonrpc":"2.0","id":%d,"method":"fs/read_text_file","params":{"sessionId":"%s","path":"%s"}}`+"\n", a.id, session, filePath); err != nil {
		return nil, err
	}
	line, err := a.in.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		return nil, fmt.Errorf("answer of more than %d bytes", writeSize)
	}
	return line, err
}

func (a *agent) readOften(report io.Writer) error {
	times := make([]time.Duration, 0, reads)
	for i := range warmUp + reads {
		start := time.Now()
		line, err := a.read()
		took := time.Since(start)
		if err != nil {
			return err
		}
		if i < warmUp {
			if err := checkAnswer(line, a.id); err != nil {
				return err
			}
			continue
		}
		times = append(times, took)
	}
	slices.Sort(times)
	return json.NewEncoder(report).Encode(latencies{
		P50: times[len(times)/2].Nanoseconds(), P99: times[len(times)*99/100].Nanoseconds(),
	})
}

type latencies struct {
	P50, P99 int64 // nanoseconds
}

func checkAnswer(line []byte, id int) error {
	var answer struct {
		ID     int
		Result struct{ Content string }
	}
	if err := json.Unmarshal(line, &answer); err != nil {
		return err
	}
	if answer.ID != id || answer.Result.Content != fileText {
		return fmt.Errorf("wrong answer to read %d: %.100q", id, line)
	}
	return nil
}
