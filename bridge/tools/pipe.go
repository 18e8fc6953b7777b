package tools

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/copilot-bridge/copilot-bridge/internal/peercred"
)

// sessionVars are the environment variables that name the agent's session: Copilot sets the first by itself (1.0.102),
// the second is for agents that are given this server in session/new.
var sessionVars = []string{"COPILOT_AGENT_SESSION_ID", SessionVar}

// SessionVar names the agent's session for agents that do not do so themselves.
const SessionVar = "COPILOT_BRIDGE_AGENT_SESSION"

// Pipe is the process that an agent starts as its MCP server: it connects to the Server's socket, shows a token, and
// copies bytes both ways until one side ends. When the Server cannot be reached it answers every MCP request with an
// error that says what to do, until stdin ends, and returns why. Reading stdin cannot be interrupted: after ctx ends or
// the socket is closed, a Read of it may be left behind.
func Pipe(ctx context.Context, socket string, env []string, stdin io.Reader, stdout io.Writer) error {
	conn, in, err := connect(ctx, socket, env)
	if err != nil {
		err = fmt.Errorf("the editor's tools cannot be reached: %w", err)
		refuse(ctx, err, stdin, stdout)
		return err
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	go func() {
		// However stdin ends, the Server sees it, finishes, and closes its side.
		_, _ = io.Copy(conn, stdin)
		_ = conn.CloseWrite()
	}()
	_, err = io.Copy(stdout, in)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("the connection to the editor broke: %w", err)
	}
	return nil
}

// connect returns a connection on which the Server has said welcome.
func connect(ctx context.Context, socket string, env []string) (peercred.Conn, *bufio.Reader, error) {
	session := sessionOf(env)
	if err := checkSessionID(session); err != nil {
		return nil, nil, fmt.Errorf("%s is not set to the agent's session: this program is started by an agent, which sets it", sessionVars[0])
	}
	ctx, cancel := context.WithTimeout(ctx, HelloTimeout)
	defer cancel()
	conn, err := peercred.Dial(ctx, socket)
	if err != nil {
		return nil, nil, fmt.Errorf("the bridge that started this session is gone (%w)", err)
	}
	in, err := greetServer(conn, session, filepath.Dir(socket))
	if err != nil {
		return nil, nil, errors.Join(err, conn.Close())
	}
	return conn, in, nil
}

func greetServer(conn net.Conn, session, folder string) (*bufio.Reader, error) {
	if _, err := peercred.SameUser(conn); err != nil {
		return nil, err
	}
	token, err := takeToken(folder)
	if errors.Is(err, errNoToken) {
		return nil, errors.New("the bridge does not expect this process: it lets one in for each session it opens")
	}
	if err != nil {
		return nil, fmt.Errorf("take a token: %w", err)
	}
	if err := conn.SetDeadline(time.Now().Add(HelloTimeout)); err != nil {
		return nil, err
	}
	line, err := json.Marshal(hello{Version: helloVersion, Token: token, AgentSession: session, PID: os.Getpid()})
	if err != nil {
		return nil, err
	}
	if _, err := conn.Write(append(line, '\n')); err != nil {
		return nil, err
	}
	in := bufio.NewReader(conn)
	if answer, err := readLine(in, MaxHello); err != nil || string(answer) != welcome {
		return nil, errors.New("the bridge refused this process; its log says why")
	}
	return in, conn.SetDeadline(time.Time{})
}

func sessionOf(env []string) (id string) {
	for _, name := range sessionVars {
		for _, kv := range env {
			// The last one counts, as it does for the system.
			if v, ok := strings.CutPrefix(kv, name+"="); ok {
				id = v
			}
		}
		if id != "" {
			return id
		}
	}
	return ""
}
