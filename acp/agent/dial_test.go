//go:build linux

package agent

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/netip"
	"strings"
	"testing"
)

func TestOnlyLoopbackLiteralsAreDialled(t *testing.T) {
	for _, address := range []string{
		"localhost:3000", "0.0.0.0:3000", "127.1:3000", "127.0.0.2:3000", "0x7f000001:3000", "2130706433:3000", "127.000.000.001:3000",
		"[::ffff:127.0.0.1]:3000", "[::]:3000", "[::1%lo]:3000", "[0:0:0:0:0:0:0:1]:3000", ":3000", "192.168.1.1:3000", "example.org:3000",
		"127.0.0.1", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:http", "127.0.0.1:03000", "127.0.0.1:+80", "", "http://127.0.0.1:3000",
	} {
		_, err := Start(context.Background(), Config{Dial: address, Command: []string{"true"}, Handler: new(recorder)})
		if address == "" {
			continue // no address: the command
		}
		var e *StartError
		if !errors.As(err, &e) || e.Kind != NotOurs || !strings.Contains(err.Error(), "use 127.0.0.1:PORT") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// The tables are as /proc/net/tcp and tcp6 print them on a little-endian machine.
const (
	header = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
	ours4  = "   0: 0100007F:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1 1 0 100 0 0 10 0\n"
	other4 = "   1: 0100007F:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1001        0 2 1 0 100 0 0 10 0\n"
	every4 = "   2: 00000000:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 3 1 0 100 0 0 10 0\n"
	port4  = "   3: 0100007F:0BB9 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1001        0 4 1 0 100 0 0 10 0\n"
	conn4  = "   4: 0100007F:0BB8 0100007F:9999 01 00000000:00000000 00:00000000 00000000  1001        0 5 1 0 100 0 0 10 0\n"
	lan4   = "   5: 0101A8C0:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1001        0 6 1 0 100 0 0 10 0\n"
	every6 = "   0: 00000000000000000000000000000000:0BB8 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000  1001        0 7 1 0 100 0 0 10 0\n"
	map6   = "   1: 0000000000000000FFFF00000100007F:0BB8 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000  1001        0 8 1 0 100 0 0 10 0\n"
	ours6  = "   2: 00000000000000000000000001000000:0BB8 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 9 1 0 100 0 0 10 0\n"
	junk   = "what\n   9: zz:0BB8 0:0 0A 0 0 0 x\n   9: 0100007F:0BB8\n   9: 01007F:0BB8 0:0 0A 0 0 0 1000\n"
)

func TestTheListenerMustBeOurs(t *testing.T) {
	v4, v6 := "127.0.0.1:3000", "[::1]:3000"
	for name, c := range map[string]struct {
		target, table string
		kind          StartKind // "" if it is accepted
	}{
		"ours":                     {v4, ours4, ""},
		"nobody":                   {v4, "", Unreachable},
		"only other ports":         {v4, port4 + lan4 + conn4 + junk, Unreachable},
		"ours, others elsewhere":   {v4, ours4 + port4 + lan4 + conn4 + junk + ours6, ""},
		"another user":             {v4, other4, NotOurs},
		"root":                     {v4, every4, NotOurs},
		"ours, and root on all":    {v4, ours4 + every4, NotOurs},
		"ours, another on all v6":  {v4, ours4 + every6, NotOurs},
		"another, mapped":          {v4, ours4 + map6, NotOurs},
		"v6 ours":                  {v6, ours6 + ours4, ""},
		"v6 nobody":                {v6, ours4, Unreachable},
		"v6 another on all":        {v6, every6, NotOurs},
		"v6, v4 is another's port": {v6, ours6 + other4, ""},
	} {
		target := netip.MustParseAddrPort(c.target)
		err := judge(target, listeners(strings.NewReader(header+c.table), target), 1000)
		var e *StartError
		if c.kind == "" && err != nil || c.kind != "" && (!errors.As(err, &e) || e.Kind != c.kind) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDialledAgentsSpeakAndEnd(t *testing.T) {
	for _, host := range []string{"127.0.0.1:0", "[::1]:0"} {
		l, err := net.Listen("tcp", host)
		if err != nil {
			t.Fatal(err)
		}
		served := make(chan struct{})
		go func() {
			defer close(served)
			c, err := l.Accept()
			if err != nil {
				return
			}
			defer c.Close()
			f := &stub{in: bufio.NewReader(c), rw: c}
			f.answer(usual)
			id := f.id()
			f.write(update("hi") + "\n" + `{"jsonrpc":"2.0","id":` + id + `,"result":{"stopReason":"end_turn"}}` + "\n")
			_, _ = io.Copy(io.Discard, f.in)
		}()
		r := new(recorder)
		a, err := Start(context.Background(), Config{Dial: l.Addr().String(), Handler: r})
		if err != nil {
			t.Fatal(err)
		}
		if err := say(context.Background(), a, "x"); err != nil || a.Info().PID != 0 {
			t.Error(err)
		}
		if err := a.Close(context.Background()); err != nil {
			t.Error(err)
		}
		if texts, e := r.got(t, a); len(texts) != 1 || !e.Asked || e.Code != -1 {
			t.Errorf("%q %+v", texts, e)
		}
		<-served
		address := l.Addr().String()
		l.Close()

		_, err = Start(context.Background(), Config{Dial: address, Handler: new(recorder)})
		var e *StartError
		if !errors.As(err, &e) || e.Kind != Unreachable || !strings.Contains(err.Error(), "nothing listens there") {
			t.Error(err)
		}
	}
}

func TestADialledAgentThatGoesIsACrash(t *testing.T) {
	a, r := speak(t, func(f *stub) { _ = f.id() })
	_ = a.Notify(context.Background(), "session/cancel", nil)
	if _, e := r.got(t, a); e.Asked || a.State() != Crashed || e.Error() != "the connection to the agent was closed" {
		t.Errorf("%+v, %v", e, a.State())
	}
}
