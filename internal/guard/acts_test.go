//go:build linux

package guard

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// acts are the programs the tests start; args are their arguments.
var acts = map[string]func(args []string){
	"exit":    func(args []string) { code, _ := strconv.Atoi(args[0]); os.Exit(code) },
	"die":     func(args []string) { sig, _ := strconv.Atoi(args[0]); die(syscall.Signal(sig)) },
	"cat":     func([]string) { _, _ = io.Copy(os.Stdout, os.Stdin) },
	"env":     func([]string) { fmt.Print(strings.Join(os.Environ(), "\n")) },
	"argv":    func(args []string) { fmt.Printf("%q", args) },
	"pwd":     func([]string) { wd, _ := os.Getwd(); fmt.Print(wd) },
	"signals": func([]string) { fmt.Print(inherits("SigBlk"), " ", inherits("SigIgn")) },
	"wait":    func([]string) { fmt.Println("ready"); forever() },
	"stubborn": func([]string) {
		deaf()
		fmt.Println("ready")
		forever()
	},
	"polite": func([]string) { // says which signals it got, and ends
		ch := make(chan os.Signal, 8)
		signal.Notify(ch, syscall.SIGTERM, syscall.SIGINT)
		fmt.Println("ready")
		fmt.Println(unix.SignalName((<-ch).(syscall.Signal)))
	},
	"tree":   grow,
	"branch": branch,
	"parent": parent,
	"leave":  leave,
	"life":   life,
}

// grow starts, below a process that ignores all it can: a child in its group, a
// child in a session of its own, and a daemon that lost its parent. Each prints
// its id; all of them ignore TERM. Then it waits for ever.
func grow([]string) {
	deaf()
	fmt.Println(os.Getpid())
	spawn("branch", nil, "stay")
	spawn("branch", &syscall.SysProcAttr{Setsid: true}, "stay")
	cmd := spawn("branch", &syscall.SysProcAttr{Setsid: true}, "fork")
	_ = cmd.Wait()
	fmt.Println("ready")
	forever()
}

// branch is one of them; "fork" makes it leave an orphan and end.
func branch(args []string) {
	deaf()
	if args[0] == "fork" {
		spawn("branch", &syscall.SysProcAttr{Setsid: true}, "stay")
		return
	}
	fmt.Println(os.Getpid())
	forever()
}

// leave ends at once and leaves children that hold its output open.
func leave(args []string) {
	spawn("branch", nil, "stay")
	spawn("branch", &syscall.SysProcAttr{Setsid: true}, "stay")
	code, _ := strconv.Atoi(args[0])
	os.Exit(code)
}

// parent plays the bridge: it starts the act named in args under a guardian,
// passes its output on and waits to be killed.
func parent(args []string) {
	os.Setenv(actVar, args[0])
	p, err := Start(Config{Self: []string{self(), "guard"}, Argv: []string{self()}, Stdout: os.Stdout})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	guardianPID := p.tree.(*guarded).cmd.Process.Pid
	fmt.Printf("guardian %d\n", guardianPID)
	forever()
}

func spawn(act string, attr *syscall.SysProcAttr, args ...string) *exec.Cmd {
	cmd := exec.Command(self(), args...)
	cmd.Env = append(os.Environ(), actVar+"="+act)
	cmd.Stdout, cmd.SysProcAttr = os.Stdout, attr
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	return cmd
}

func self() string { exe, _ := os.Executable(); return exe }

func deaf() { signal.Ignore(syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT) }

func forever() { time.Sleep(time.Hour) }

func die(sig syscall.Signal) {
	signal.Reset(sig)
	_ = syscall.Kill(os.Getpid(), sig)
	forever()
}

// inherits is a line of our status: a set of signals that exec passes on.
func inherits(name string) string {
	status, _ := os.ReadFile("/proc/self/status")
	_, rest, _ := strings.Cut(string(status), name+":\t")
	set, _, _ := strings.Cut(rest, "\n")
	// The C library's own signals, 32 and 33, do not count: a posix_spawn of glibc leaves them ignored in its
	// child, so that whatever make starts has them so.
	n, err := strconv.ParseUint(set, 16, 64)
	if err != nil {
		return set
	}
	return fmt.Sprintf("%016x", n&^(1<<31|1<<32))
}
