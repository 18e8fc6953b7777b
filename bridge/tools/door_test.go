package tools

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/internal/await"
	"github.com/copilot-bridge/copilot-bridge/internal/peercred"
)

// knock sends raw bytes to the socket and returns all that comes back.
func (r *rig) knock(line string) string {
	r.t.Helper()
	c, err := peercred.Dial(r.t.Context(), r.Socket())
	if err != nil {
		r.t.Fatal(err)
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(await.Limit)); err != nil {
		r.t.Fatal(err)
	}
	_, _ = io.WriteString(c, line) // the other side may have closed already
	got, _ := bufio.NewReader(c).ReadString('\n')
	return got
}

func TestOnlyAnUnusedTokenOpensTheDoor(t *testing.T) {
	r := newRig(t, allTools)
	say := func(token, session string, version int) string {
		return fmt.Sprintf(`{"version":%d,"token":%q,"agentSession":%q,"pid":1}`+"\n", version, token, session)
	}
	good := r.token()
	if got := r.knock(say(good, "s", 1)); got != "welcome\n" {
		t.Fatalf("a good token: %q", got)
	}
	long := strings.Repeat("x", MaxSessionID+1)
	for name, line := range map[string]string{
		"used":               say(good, "s", 1),
		"wrong":              say(r.token()+"x", "s", 1),
		"none":               say("", "s", 1),
		"other version":      say(r.token(), "s", 2),
		"no session":         say(r.token(), "", 1),
		"long session":       say(r.token(), long, 1),
		"control characters": say(r.token(), "a\nb", 1),
		"token twice":        fmt.Sprintf(`{"version":1,"token":"x","token":%q,"agentSession":"s","pid":1}`+"\n", r.token()),
		"wrong case":         fmt.Sprintf(`{"version":1,"Token":%q,"agentSession":"s","pid":1}`+"\n", r.token()),
		"HTTP":               "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"MCP at once":        `{"jsonrpc":"2.0","id":1,"method":"tools/list"}` + "\n",
		"too long":           strings.Repeat("a", 2*MaxHello) + "\n",
		"empty":              "\n",
	} {
		if got := r.knock(line); got != "" {
			t.Errorf("%s: answered %q", name, got)
		}
	}
	if logs := r.logs.String(); strings.Contains(logs, good) {
		t.Error("a token is in the log")
	}
}

func TestTooManyStrangersAreTurnedAway(t *testing.T) {
	r := newRig(t, allTools)
	for range MaxStrangers {
		c, err := peercred.Dial(r.t.Context(), r.Socket())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	// The doorkeeper takes connections in their order, so this one finds all slots taken.
	if got := r.knock(""); got != "" {
		t.Errorf("answered %q", got)
	}
	if !strings.Contains(r.logs.String(), "too many connections without a token") {
		t.Errorf("log: %s", r.logs.String())
	}
}

func TestEachTokenIsTakenByOneProcess(t *testing.T) {
	r := newRig(t, allTools)
	const n = 20
	for range n {
		if err := r.Mint(); err != nil {
			t.Fatal(err)
		}
	}
	got := make(chan string, 2*n)
	for range 2 * n {
		go func() {
			secret, _ := takeToken(filepath.Dir(r.Socket()))
			got <- secret
		}()
	}
	seen := map[string]int{}
	for range 2 * n {
		seen[await.Receive(t, "a token", got)]++
	}
	for secret, times := range seen {
		if secret != "" && times != 1 {
			t.Errorf("a token was taken %d times", times)
		}
	}
	if len(seen) != n+1 || seen[""] != n {
		t.Errorf("%d tokens, %d got none", len(seen)-1, seen[""])
	}
	if left := r.tokenFiles(); len(left) != 0 {
		t.Errorf("left in the folder: %v", left)
	}
}

func TestTokensExpireAndAreLimited(t *testing.T) {
	now := time.Now()
	tk := &tokens{folder: t.TempDir(), now: func() time.Time { return now }}
	mint := func() {
		if err := tk.mint(); err != nil {
			t.Fatal(err)
		}
	}
	mint()
	old, err := takeToken(tk.folder)
	if err != nil {
		t.Fatal(err)
	}
	now = now.Add(TokenLife + time.Second)
	if tk.redeem(old) {
		t.Error("an old token opens the door")
	}
	for range MaxTokens + 10 {
		mint()
	}
	files, err := os.ReadDir(tk.folder)
	if err != nil || len(files) != MaxTokens || len(tk.all) != MaxTokens {
		t.Errorf("%d files, %d tokens, %v", len(files), len(tk.all), err)
	}
	now = now.Add(TokenLife + time.Second)
	mint()
	if files, err = os.ReadDir(tk.folder); err != nil || len(files) != 1 {
		t.Errorf("%d files after they expired, %v", len(files), err)
	}
}

func TestALongPathMovesTheSocket(t *testing.T) {
	base := filepath.Join(t.TempDir(), strings.Repeat("long", 30), strings.Repeat("long", 40))
	s, err := Listen(base, newFakeHost(), allTools, zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if strings.HasPrefix(s.Socket(), base) || len(s.Socket()) > maxSocketPath {
		t.Errorf("the socket is %s", s.Socket())
	}
}

func TestFoldersLeftByKilledBridgesAreSwept(t *testing.T) {
	base := t.TempDir()
	left, err := freshFolder(base)
	if err != nil {
		t.Fatal(err)
	}
	ln, err := peercred.Listen(filepath.Join(left, socketName))
	if err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(left, socketName)
	if err := os.Rename(socket, socket+".kept"); err != nil {
		t.Fatal(err)
	}
	if err := ln.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(socket+".kept", socket); err != nil { // as after kill -9
		t.Fatal(err)
	}
	other := filepath.Join(base, folderPrefix+"without-socket")
	if err := os.Mkdir(other, 0o700); err != nil {
		t.Fatal(err)
	}
	live, err := Listen(base, newFakeHost(), allTools, zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	defer live.Close()
	there := func(dir string) bool { _, err := os.Stat(dir); return err == nil }
	sweep(filepath.Join(base, "own"), time.Now())
	if !there(left) {
		t.Error("a folder that may just be in the making was removed")
	}
	await.Until(t, "the end of what was left", func() bool { // a pipe goes a moment after its listener
		sweep(filepath.Join(base, "own"), time.Now().Add(2*staleAfter))
		return !there(left)
	})
	if there(left) || !there(other) || !there(live.folder) {
		t.Errorf("left %v, without a socket %v, live %v", there(left), there(other), there(live.folder))
	}
}
