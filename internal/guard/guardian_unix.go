//go:build unix

package guard

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// The descriptors that the bridge hands to its guardian, and the words on the
// lifeline. End of file on the lifeline means that the bridge is gone.
const (
	lifelineFD = 3
	statusFD   = 4

	wordTerminate = "kill" // SIGTERM to the tree, SIGKILL after KillGrace
	wordKill      = "now"  // SIGKILL to the tree
	wordInterrupt = "int"  // SIGINT to the program's group
)

// Main is the body of the hidden subcommand: args are what follows its name,
// "--" and the program's argv. It returns the exit status for os.Exit when the
// whole tree is gone. Call it first thing in main, before anything heavy.
func Main(args []string) int {
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 || !isPipe(lifelineFD) || !isPipe(statusFD) {
		fmt.Fprintln(os.Stderr, "guard: this command is started by the bridge itself, with two pipes as descriptors 3 and 4")
		return 2
	}
	g := &guardian{self: os.Getpid(), status: os.NewFile(statusFD, "status"), groups: make(map[int]bool)}
	if err := g.start(args); err != nil {
		g.say(err.encode())
		return 1
	}
	if !g.run() {
		return 1
	}
	g.say("gone")
	return 0
}

type guardian struct {
	self   int          // our process id, which is our session as well
	status *os.File     // to the bridge
	main   int          // the program
	groups map[int]bool // process groups seen below us since the killing began
}

// start runs the program with our descriptors 0 to 2, then lets go of them.
func (g *guardian) start(argv []string) *StartError {
	// Notify, not Ignore: a child inherits what is ignored, but not a handler.
	// What arrives is dropped; this also resets what our parent had ignored.
	signal.Notify(make(chan os.Signal, 1), survived...)
	becomeReaper()
	CloseOnExec()
	// The mask of blocked signals is inherited too, and belongs to the thread.
	runtime.LockOSThread()
	clearSignalMask()
	defer runtime.UnlockOSThread()

	env := os.Environ()
	path, err := LookPath(argv[0], env, "")
	if err != nil {
		return asStartError(argv[0], err)
	}
	pid, err := syscall.ForkExec(path, argv, &syscall.ProcAttr{
		Env:   env,
		Files: []uintptr{0, 1, 2},
		Sys:   &syscall.SysProcAttr{Setpgid: true},
	})
	if err != nil {
		return execError(argv[0], path, argv, env, err)
	}
	g.main = pid
	dropStdio()
	g.say(fmt.Sprintf("pid %d", pid))
	return nil
}

// run lives until nothing is left below us; false if it had to give up.
func (g *guardian) run() bool {
	words := make(chan string)
	go readWords(words)
	ended, empty := make(chan syscall.WaitStatus, 1), make(chan struct{})
	go g.reap(ended, empty)

	var (
		grace   <-chan time.Time // until SIGKILL
		again   <-chan time.Time // next round of SIGKILL
		stop    <-chan time.Time // when to give up
		pause   = firstPause
		killing bool
		over    bool // the program itself has ended
	)
	kill := func() {
		if !killing && !over {
			g.groups[g.main] = true // the program is not reaped: its number is its own
		}
		g.kill()
		killing, grace = true, nil
		again = time.After(pause)
		pause = min(2*pause, maxPause)
	}
	for {
		select {
		case ws := <-ended:
			over = true
			g.say(exitLine(ws))
		case <-empty:
			empty = nil
			select {
			case ws := <-ended:
				g.say(exitLine(ws))
			default:
			}
			if len(g.below()) == 0 {
				return true
			}
		case word, open := <-words:
			switch {
			case !open: // the bridge is gone, or wants us gone
				words = nil
				stop = time.After(giveUp)
				kill()
			case word == wordKill:
				kill()
			case word == wordTerminate && grace == nil && !killing:
				signalEach(g.below(), syscall.SIGTERM)
				grace = time.After(KillGrace)
			case word == wordInterrupt:
				g.interrupt()
			}
		case <-grace:
			kill()
		case <-again:
			if empty == nil && len(g.below()) == 0 {
				return true
			}
			kill()
		case <-stop:
			return false
		}
	}
}

// reap collects every process that ends below us. When there is no child left
// there is no descendant either, because orphans become our children (Linux).
func (g *guardian) reap(ended chan<- syscall.WaitStatus, empty chan<- struct{}) {
	for {
		var ws syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &ws, 0, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
		case err != nil:
			close(empty)
			return
		case pid == g.main:
			ended <- ws
		}
	}
}

// below is every process that this guardian answers for.
func (g *guardian) below() []process {
	return descendants(processes(), func(p process) bool { return p.ppid == g.self || p.sid == g.self }, g.self)
}

// kill is one round of SIGKILL. It goes to whole groups as well, also to those
// of earlier rounds: only that is atomic against a process that forks without
// end, and is gone wherever one looks. A group's number stays taken as long as
// it has members, and rounds are milliseconds apart.
func (g *guardian) kill() {
	below := g.below()
	for _, p := range below {
		if p.pgid != g.self && p.pgid > 1 {
			g.groups[p.pgid] = true
		}
	}
	for group := range g.groups {
		_ = syscall.Kill(-group, syscall.SIGKILL)
	}
	signalEach(below, syscall.SIGKILL)
}

// interrupt signals the program's group, if it still has members: its number
// may have passed to somebody else's group when the last one went.
func (g *guardian) interrupt() {
	for _, p := range g.below() {
		if p.pgid == g.main {
			_ = syscall.Kill(-g.main, syscall.SIGINT)
			return
		}
	}
}

// say writes one line to the bridge; if that is gone the lifeline tells.
func (g *guardian) say(line string) { _, _ = g.status.WriteString(line + "\n") }

// readWords reads the lifeline until the bridge closes it or dies.
func readWords(words chan<- string) {
	defer close(words)
	for lines := bufio.NewScanner(os.NewFile(lifelineFD, "lifeline")); lines.Scan(); {
		words <- lines.Text()
	}
}

func exitLine(ws syscall.WaitStatus) string {
	if ws.Signaled() {
		return "signal " + signalName(ws.Signal())
	}
	return fmt.Sprintf("exit %d", ws.ExitStatus())
}

func signalName(sig syscall.Signal) string {
	if name := unix.SignalName(sig); name != "" {
		return name
	}
	return fmt.Sprintf("SIG%d", int(sig))
}

// signalEach signals each process once: a second SIGTERM means "at once" to
// many programs. A stopped process must run again to notice anything milder
// than SIGKILL.
func signalEach(ps []process, sig syscall.Signal) {
	for _, p := range ps {
		_ = syscall.Kill(p.pid, sig)
		if sig == syscall.SIGTERM {
			_ = syscall.Kill(p.pid, syscall.SIGCONT)
		}
	}
}

// dropStdio replaces descriptors 0, 1 and 2, so that the other ends of these
// pipes see end of file when the program closes them, not when we do.
func dropStdio() {
	null, err := syscall.Open(os.DevNull, syscall.O_RDWR|syscall.O_CLOEXEC, 0)
	if err != nil { // no /dev: anything that is not the program's will do
		null = lifelineFD
	}
	for fd := range 3 {
		_ = dup(null, fd)
	}
	if err == nil {
		_ = syscall.Close(null)
	}
}

func isPipe(fd int) bool {
	var st syscall.Stat_t
	return syscall.Fstat(fd, &st) == nil && st.Mode&syscall.S_IFMT == syscall.S_IFIFO
}

// survived are the signals that must not end the guardian before its tree.
var survived = []os.Signal{
	syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGPIPE, syscall.SIGALRM,
	syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGTSTP, syscall.SIGTTIN, syscall.SIGTTOU, syscall.SIGWINCH,
}
