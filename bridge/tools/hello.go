package tools

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"

	"github.com/copilot-bridge/copilot-bridge/internal/peercred"
)

// hello is the first line on a connection; welcome answers it when the token was good. Anything else closes the
// connection without a word.
type hello struct {
	Version      int    `json:"version"`
	Token        string `json:"token"`
	AgentSession string `json:"agentSession"`
	PID          int    `json:"pid"`
}

const (
	helloVersion = 1
	welcome      = "welcome"
)

// parseHello reads a hello; the json package it uses takes exact names and each only once.
func parseHello(line []byte) (h hello, err error) {
	if err := json.Unmarshal(line, &h); err != nil {
		return hello{}, errors.New("its first line is not a hello")
	}
	if h.Version != helloVersion {
		return hello{}, fmt.Errorf("it speaks version %d, this bridge %d: both must be the same build", h.Version, helloVersion)
	}
	return h, checkSessionID(h.AgentSession)
}

func checkSessionID(id string) error {
	switch {
	case id == "":
		return errors.New("it does not say for which session it is")
	case len(id) > MaxSessionID || !utf8.ValidString(id) || strings.ContainsFunc(id, unicode.IsControl):
		return errors.New("its session id is not one")
	}
	return nil
}

// greet checks who is there: the same user, with a token nobody has used, for a session.
func (s *Server) greet(c net.Conn, in *bufio.Reader) (Caller, error) {
	pid, err := peercred.SameUser(c)
	if err != nil {
		return Caller{}, err
	}
	if err := c.SetDeadline(time.Now().Add(HelloTimeout)); err != nil {
		return Caller{}, err
	}
	line, err := readLine(in, MaxHello)
	if err != nil {
		return Caller{}, fmt.Errorf("it did not say hello: %w", err)
	}
	h, err := parseHello(line)
	if err != nil {
		return Caller{}, err
	}
	if !s.tokens.redeem(h.Token) {
		return Caller{}, errors.New("its token is not one that is waiting to be used")
	}
	if _, err := c.Write([]byte(welcome + "\n")); err != nil {
		return Caller{}, err
	}
	s.mu.Lock()
	s.serial++
	serial := s.serial
	s.mu.Unlock()
	return Caller{AgentSession: h.AgentSession, PID: pid, Connection: serial}, c.SetDeadline(time.Time{})
}
