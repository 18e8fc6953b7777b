package transcript

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// fakeDir names a folder with what the program is to do: help, the text of its --help; one file a call, named by its
// number from 1, and "summary" for calls that ask for one. What it was called with goes into calls, a JSON object a line.
const fakeDir = "TRANSCRIPT_FAKE"

// fakeCall is what the program was called with.
type fakeCall struct {
	Args   []string
	Prompt string
	Dir    string
}

// fake is the program. A script is lines of a verb and its text.
func fake(args []string) int {
	dir := os.Getenv(fakeDir)
	if os.Getenv("FAKE_CHILD") != "" {
		signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
		select {}
	}
	read := func(name string) string {
		b, _ := os.ReadFile(filepath.Join(dir, name))
		return string(b)
	}
	switch {
	case slices.Contains(args, "--version"):
		fmt.Println(read("version"))
		return 0
	case slices.Contains(args, "--help"):
		fmt.Println(read("help"))
		return 0
	}
	c := fakeCall{Args: args}
	c.Dir, _ = os.Getwd()
	if i := slices.Index(args, "-p"); i >= 0 {
		c.Prompt = args[i+1]
	}
	first := strings.SplitN(read("0"), " ", 2)[0]
	if c.Prompt == "" && first != "deaf" {
		b, _ := io.ReadAll(os.Stdin)
		c.Prompt = string(b)
	}
	log, err := os.OpenFile(filepath.Join(dir, "calls"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	line, _ := json.Marshal(c)
	log.Write(append(line, '\n'))
	log.Close()
	if strings.HasPrefix(c.Prompt, "Summarize the conversation") {
		return act(dir, read("summary"), c)
	}
	n := 0
	for _, c := range fakeCalls(dir) {
		if !strings.HasPrefix(c.Prompt, "Summarize the conversation") {
			n++
		}
	}
	script := read(strconv.Itoa(n))
	if script == "" {
		script = read("always")
	}
	return act(dir, script, c)
}

func fakeCalls(dir string) (out []fakeCall) {
	f, err := os.Open(filepath.Join(dir, "calls"))
	if err != nil {
		return nil
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(nil, 64<<20)
	for in.Scan() {
		var c fakeCall
		if json.Unmarshal(in.Bytes(), &c) == nil {
			out = append(out, c)
		}
	}
	return out
}

func act(dir, script string, c fakeCall) int {
	for _, line := range strings.Split(strings.TrimRight(script, "\n"), "\n") {
		verb, text, _ := strings.Cut(line, " ")
		switch verb {
		case "say":
			fmt.Println(text)
		case "bytes":
			s, err := strconv.Unquote(text)
			if err != nil {
				panic(err)
			}
			os.Stdout.WriteString(s)
		case "echo":
			last := c.Prompt[strings.LastIndex(c.Prompt, "User:")+1:]
			fmt.Println("you said", strings.TrimPrefix(last, "ser: "), strings.Repeat("word ", len(text)))
		case "err":
			fmt.Fprintln(os.Stderr, text)
		case "limit": // refuses what is longer, in tokens
			if n, _ := strconv.Atoi(text); len(c.Prompt)/4 > n {
				fmt.Fprintf(os.Stderr, "Error: prompt is too long: %d tokens > %d maximum (413)\n", len(c.Prompt)/4, n)
				return 1
			}
		case "full": // refuses what is longer, in bytes, and does not say how much it takes
			if n, _ := strconv.Atoi(text); len(c.Prompt) > n {
				fmt.Fprintln(os.Stderr, "Error: the request exceeds the context window of the model")
				return 1
			}
		case "exit":
			code, _ := strconv.Atoi(text)
			return code
		case "flood":
			chunk := strings.Repeat("x", 1<<20)
			for {
				if _, err := os.Stdout.WriteString(chunk); err != nil {
					return 0
				}
			}
		case "hang":
			select {}
		case "stubborn":
			signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
			fmt.Println("never")
			select {}
		case "die":
			p, _ := os.FindProcess(os.Getpid())
			_ = p.Kill()
			select {}
		case "child": // somebody who stays, and holds the pipes
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), "FAKE_CHILD=1")
			cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
			if err := cmd.Start(); err != nil {
				panic(err)
			}
		case "session": // makes a session folder of Copilot's
			id, created, _ := strings.Cut(text, " ")
			home := filepath.Join(os.Getenv("COPILOT_HOME"), "session-state", id)
			if err := os.MkdirAll(home, 0o700); err != nil {
				panic(err)
			}
			os.WriteFile(filepath.Join(home, "workspace.yaml"), []byte("id: "+id+"\ncwd: "+c.Dir+"\ncreated_at: "+created+"\n"), 0o600)
		case "log": // writes to the log of the session that is resumed
			home := filepath.Join(os.Getenv("COPILOT_HOME"), "session-state", c.Args[slices.Index(c.Args, "--resume")+1])
			f, err := os.OpenFile(filepath.Join(home, "events.jsonl"), os.O_APPEND|os.O_WRONLY, 0o600)
			if err != nil {
				panic(err)
			}
			fmt.Fprintln(f, text)
			f.Close()
		}
	}
	return 0
}
