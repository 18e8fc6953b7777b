package agent

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"syscall"
)

// dial connects to an agent that listens on loopback. Nothing in the protocol
// says who is at the other end, so the address must be a loopback literal, which
// no resolver and no kernel option can bend, and on Linux the listener must
// belong to our own user: anyone who owns the port gets files and terminals.
func dial(ctx context.Context, address string) (net.Conn, error) {
	target, err := loopback(address)
	if err != nil {
		return nil, &StartError{Kind: NotOurs, Name: address, Reason: err.Error(), Hint: "use 127.0.0.1:PORT or [::1]:PORT"}
	}
	// Before, so that a stranger gets no byte; and after, so that it was not
	// somebody else's turn in between.
	if err := checkListener(target); err != nil {
		return nil, err
	}
	d := net.Dialer{Timeout: dialLimit}
	nc, err := d.DialContext(ctx, "tcp", target.String())
	if err != nil {
		return nil, unreachable(ctx, address, err)
	}
	if err := checkListener(target); err != nil {
		_ = nc.Close()
		return nil, err
	}
	return nc, nil
}

func unreachable(ctx context.Context, address string, err error) *StartError {
	switch {
	case ctx.Err() != nil:
		return &StartError{Kind: Cancelled, Name: address, Reason: "the start was given up", Err: ctx.Err()}
	case errors.Is(err, syscall.ECONNREFUSED):
		return nobody(address, err)
	}
	return &StartError{Kind: Unreachable, Name: address, Reason: err.Error(), Err: err}
}

func nobody(address string, err error) *StartError {
	return &StartError{Kind: Unreachable, Name: address, Reason: "nothing listens there", Hint: "start the agent first, or check the port", Err: err}
}

// loopback accepts 127.0.0.1 and ::1 and nothing that only means them: a name
// goes through a resolver that others may control, and unusual spellings are how
// checks are got around.
func loopback(address string) (netip.AddrPort, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return netip.AddrPort{}, errors.New("it is not of the form host:port")
	}
	if host != "127.0.0.1" && host != "::1" {
		return netip.AddrPort{}, fmt.Errorf("%q is not an acceptable host, because an agent's connection has no authentication", host)
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil || n == 0 || strconv.FormatUint(n, 10) != port {
		return netip.AddrPort{}, fmt.Errorf("%q is not a port", port)
	}
	return netip.AddrPortFrom(netip.MustParseAddr(host), uint16(n)), nil
}
