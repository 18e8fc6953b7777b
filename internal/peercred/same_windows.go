package peercred

import (
	"errors"
	"fmt"
	"net"

	"golang.org/x/sys/windows"
)

// SameUser is an error unless the other end belongs to the user of this process. pid is its process.
func SameUser(c net.Conn) (pid int, err error) {
	p, ok := c.(*pipe)
	if !ok {
		return 0, errors.New("the system does not say whose the other end is: it is no named pipe")
	}
	var id uint32
	if err := p.other(windows.Handle(p.Fd()), &id); err != nil {
		return 0, fmt.Errorf("the system does not say whose the other end is: %w", err)
	}
	theirs, err := sidOf(id)
	if err != nil {
		return 0, fmt.Errorf("the other end, process %d, is not ours to look at: %w", id, err)
	}
	ours, err := ourSID()
	if err != nil {
		return 0, err
	}
	if theirs != ours {
		return 0, fmt.Errorf("the other end belongs to user %s", theirs)
	}
	return int(id), nil
}

// sidOf is the user of a process.
func sidOf(pid uint32) (string, error) {
	process, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, pid)
	if err != nil {
		return "", err
	}
	defer windows.CloseHandle(process)
	var token windows.Token
	if err := windows.OpenProcessToken(process, windows.TOKEN_QUERY, &token); err != nil {
		return "", err
	}
	defer token.Close()
	return userOf(token)
}

// ourSID is the user of this process.
func ourSID() (string, error) { return userOf(windows.GetCurrentProcessToken()) }

func userOf(token windows.Token) (string, error) {
	user, err := token.GetTokenUser()
	if err != nil {
		return "", err
	}
	return user.User.Sid.String(), nil
}
