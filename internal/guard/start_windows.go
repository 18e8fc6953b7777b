package guard

import (
	"fmt"
	"os"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Main has nothing to do on Windows, where a job object is the guardian.
func Main([]string) int {
	fmt.Fprintln(os.Stderr, "guard: not used on Windows")
	return 2
}

// CloseOnExec is not needed on Windows, where a child inherits only the handles
// it is given.
func CloseOnExec() {}

// job is a tree in a job object. The bridge holds its only handle: when the
// bridge ends in any way, the kernel closes it and kills all that is inside.
type job struct {
	mu     sync.Mutex
	handle windows.Handle // 0 once released
}

// killedCode is the exit code of what we have ended, which no program is likely to have of its own ("ended").
const killedCode = 0x656e6465

func start(cfg Config) (*Process, error) {
	name := cfg.Argv[0]
	path, err := LookPath(name, cfg.Env, cfg.Dir)
	if err != nil {
		return nil, err
	}
	failed := func(step string, err error) (*Process, error) {
		return nil, &StartError{Kind: Failed, Name: name, Reason: step + ": " + err.Error(), Err: err}
	}
	handle, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return failed("create its job object", err)
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	if _, err := windows.SetInformationJobObject(handle, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits))); err != nil {
		_ = windows.CloseHandle(handle)
		return failed("set up its job object", err)
	}
	program, line, err := commandLine(path, cfg.Argv, cfg.Env)
	if err != nil {
		_ = windows.CloseHandle(handle)
		return nil, &StartError{Kind: Invalid, Name: name, Reason: err.Error(), Err: err}
	}
	// Suspended, so that it can start nothing before it is inside the job.
	cmd := command(cfg, program, cfg.Argv, &syscall.SysProcAttr{
		CmdLine:       line,
		HideWindow:    true,
		CreationFlags: windows.CREATE_SUSPENDED | windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_NO_WINDOW,
	})
	if err := cmd.Start(); err != nil {
		_ = windows.CloseHandle(handle)
		return nil, execError(name, path, cfg.Argv, cmd.Environ(), err)
	}
	if err := enter(handle, uint32(cmd.Process.Pid)); err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = windows.CloseHandle(handle)
		return failed("put it into its job object", err)
	}
	j := &job{handle: handle}
	p := newProcess(cmd.Process.Pid, j)
	go func() {
		defer close(p.gone)
		_ = cmd.Wait()
		exit := Exit{Code: cmd.ProcessState.ExitCode()}
		if exit.Code == killedCode {
			exit = Exit{Code: -1, Signal: "SIGKILL"} // as elsewhere
		}
		p.end(exit, nil)
	}()
	return p, nil
}

// enter puts a suspended process into the job and lets it run.
func enter(job windows.Handle, pid uint32) error {
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, pid)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(process)
	if err := windows.AssignProcessToJobObject(job, process); err != nil {
		return err
	}
	return resume(pid)
}

// resume lets the only thread of a process that was created suspended run.
func resume(pid uint32) error {
	snapshot, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPTHREAD, 0)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(snapshot)
	entry := windows.ThreadEntry32{Size: uint32(unsafe.Sizeof(windows.ThreadEntry32{}))}
	for err = windows.Thread32First(snapshot, &entry); err == nil; err = windows.Thread32Next(snapshot, &entry) {
		if entry.OwnerProcessID != pid {
			continue
		}
		thread, err := windows.OpenThread(windows.THREAD_SUSPEND_RESUME, false, entry.ThreadID)
		if err != nil {
			return err
		}
		_, err = windows.ResumeThread(thread)
		_ = windows.CloseHandle(thread)
		return err
	}
	return fmt.Errorf("no thread of process %d found: %w", pid, err)
}

func (j *job) end() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.handle != 0 {
		_ = windows.TerminateJobObject(j.handle, killedCode)
	}
}

// A process without a window has no way to be asked: both end it at once.
func (j *job) interrupt() {}
func (j *job) terminate() { j.end() }
func (j *job) kill()      { j.end() }
func (j *job) abandon()   { j.end() }

func (j *job) release() {
	j.end()
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.handle != 0 {
		_ = windows.CloseHandle(j.handle)
		j.handle = 0
	}
}
