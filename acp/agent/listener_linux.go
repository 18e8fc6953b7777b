package agent

import (
	"fmt"
	"net/netip"
	"os"
)

// checkListener refuses a port that somebody else listens on.
func checkListener(target netip.AddrPort) error {
	var found []listener
	for _, name := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		f, err := os.Open(name)
		if err != nil {
			continue // no IPv6, or no /proc: then nothing is found, and refused
		}
		found = append(found, listeners(f, target)...)
		_ = f.Close()
	}
	return judge(target, found, os.Geteuid())
}

// judge wants a listener, and every possible one to be ours.
func judge(target netip.AddrPort, found []listener, uid int) error {
	if len(found) == 0 {
		return nobody(target.String(), nil)
	}
	for _, l := range found {
		if l.uid != uid {
			return &StartError{
				Kind: NotOurs, Name: target.String(),
				Reason: fmt.Sprintf("the port belongs to another user (uid %d listens on %v, we are uid %d)", l.uid, l.addr, uid),
				Hint:   "start your own agent on another port",
			}
		}
	}
	return nil
}
