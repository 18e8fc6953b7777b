package bench

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
)

// peakMemory returns the largest resident memory of this process so far, in KiB.
func peakMemory() int64 { return peakOf(os.Getpid()) }

// peakOf is the same of another process.
func peakOf(pid int) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := bytes.Cut(status, []byte("VmHWM:"))
	fields := bytes.Fields(rest[:min(len(rest), 40)])
	if len(fields) == 0 {
		return 0
	}
	n, _ := strconv.ParseInt(string(fields[0]), 10, 64)
	return n
}
