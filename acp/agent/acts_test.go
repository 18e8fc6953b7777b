//go:build linux

package agent

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// acts are the agents that the tests start; args are their arguments.
var acts = map[string]func(args []string){
	"agent":      func([]string) { new(fake).serve() },
	"exit":       func(args []string) { code, _ := strconv.Atoi(args[0]); os.Exit(code) },
	"words":      func([]string) { fmt.Fprintln(os.Stderr, "\x1b[31mlicence\x1b[0m expired \u202efdp"); os.Exit(3) },
	"usage":      func([]string) { fmt.Fprintln(os.Stderr, "Usage: thing [options]"); os.Exit(2) },
	"help":       func([]string) { fmt.Println("thing, the best\nUsage: thing [options]") },
	"mute":       func([]string) { os.Stdout.Close(); forever() },
	"hang":       func([]string) { forever() },
	"chat":       func([]string) { fmt.Println("Hello! How can I help?"); forever() },
	"cat":        func([]string) { _, _ = io.Copy(os.Stdout, os.Stdin) },
	"answer":     func(args []string) { (&fake{initialize: args[0]}).serve() },
	"late":       func([]string) { shout(20_000); new(fake).serve() },
	"stubborn":   func([]string) { deaf(); new(fake).serve(); forever() },
	"polite":     func([]string) { new(fake).serve(); fmt.Println(strings.Repeat("x", 1<<20)); os.Exit(5) },
	"tree":       tree,
	"branch":     func([]string) { deaf(); forever() },
	"stdin-shut": func([]string) { new(fake).serveOne(); os.Stdin.Close(); fmt.Println(update("deaf")); forever() },
}

// fake is an agent as small as it gets. What a prompt says, it does.
type fake struct {
	initialize string // the response's member for initialize, "" for the usual one
	in         *bufio.Scanner
}

const usual = `"result":{"protocolVersion":1,"agentInfo":{"name":"fake","title":"Fake","version":"1.2"},"agentCapabilities":{"loadSession":true}}`

func (f *fake) serveOne() bool {
	if f.in == nil {
		f.in = bufio.NewScanner(os.Stdin)
	}
	if !f.in.Scan() {
		return false
	}
	var msg struct {
		ID     jsontext.Value `json:"id"`
		Method string         `json:"method"`
		Params struct {
			Prompt []struct {
				Text string `json:"text"`
			} `json:"prompt"`
		} `json:"params"`
	}
	if err := json.Unmarshal(f.in.Bytes(), &msg); err != nil {
		panic(err)
	}
	member := `"result":{}`
	switch msg.Method {
	case "initialize":
		if member = usual; f.initialize != "" {
			member = f.initialize
		}
	case "session/new":
		member = `"result":{"sessionId":"s"}`
	case "session/list":
		member = `"error":{"code":-32000,"message":"Authentication required"}`
	case "session/prompt":
		perform(msg.Params.Prompt[0].Text)
		member = `"result":{"stopReason":"end_turn"}`
	}
	if len(msg.ID) > 0 && member != "none" {
		fmt.Printf("{\"jsonrpc\":\"2.0\",\"id\":%s,%s}\n", msg.ID, member)
	}
	return true
}

func (f *fake) serve() {
	for f.serveOne() {
	}
}

// perform does what a prompt says: "updates N", then perhaps "exit N", "kill",
// "raw TEXT" without a newline, "leave" a process that holds our output.
func perform(script string) {
	for _, step := range strings.Split(script, ";") {
		verb, arg, _ := strings.Cut(step, " ")
		n, _ := strconv.Atoi(arg)
		switch verb {
		case "updates":
			var b strings.Builder
			for i := range n {
				b.WriteString(update(strconv.Itoa(i)) + "\n")
			}
			fmt.Print(b.String())
		case "exit":
			os.Exit(n)
		case "kill":
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			forever()
		case "raw":
			fmt.Print(arg)
		case "leave":
			spawn("branch", "left-behind")
		}
	}
}

func update(text string) string {
	return `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"` + text + `"}}}}`
}

// tree is an agent with deaf children, one of them in a session of its own.
func tree([]string) {
	deaf()
	spawn("branch", "in-group")
	spawn("branch", "in-session")
	new(fake).serve()
	forever()
}

func spawn(act, name string) {
	exe, _ := os.Executable()
	cmd := exec.Command(exe, name)
	cmd.Env = append(os.Environ(), actVar+"="+act)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: name == "in-session"}
	if err := cmd.Start(); err != nil {
		panic(err)
	}
}

// shout fills the standard error far beyond what a pipe holds.
func shout(lines int) {
	for i := range lines {
		fmt.Fprintf(os.Stderr, "line %d %s\n", i, strings.Repeat("z", 100))
	}
}

func deaf() { signal.Ignore(syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT) }

func forever() { time.Sleep(time.Hour) }
