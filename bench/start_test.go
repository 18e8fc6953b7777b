package bench

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

const starts = 50

// BenchmarkStart measures from the start of the process to the answer to
// initialize, be it an error.
func BenchmarkStart(b *testing.B) {
	exe := bridge(b)
	const params = `"params":{"protocolVersion":1,"clientCapabilities":{},"processId":null,"rootUri":null,"capabilities":{}}`
	initialize := `{"jsonrpc":"2.0","id":1,"method":"initialize",` + params + `}`
	faces := []struct {
		name, request string
		limit         float64 // ms; acp answers with what its agent says, so the agent's start is in it
		read          func(*bufio.Reader) error
	}{
		{"acp", initialize + "\n", 100, readLine},
		{"lsp", fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(initialize), initialize), 5, readFrame},
	}
	for _, face := range faces {
		b.Run(face.name, func(b *testing.B) {
			var times []time.Duration
			for b.Loop() {
				for range starts {
					times = append(times, startOnce(b, exe, face.name, face.request, face.read))
				}
			}
			slices.Sort(times)
			p50 := times[len(times)/2]
			report(b, fmt.Sprintf("copilot-bridge %s, start to the answer to initialize, %d times", face.name, len(times)), [][]string{
				{"", "p50", "p90", "fastest"},
				{face.name, p50.String(), times[len(times)*9/10].String(), times[0].String()},
			}, []target{{face.name + " start ms", float64(p50) / float64(time.Millisecond), face.limit, false}})
		})
	}
}

func startOnce(b *testing.B, exe, face, request string, read func(*bufio.Reader) error) time.Duration {
	b.Helper()
	cmd := exec.Command(exe, face)
	if face == "acp" {
		self, err := os.Executable()
		if err != nil {
			b.Fatal(err)
		}
		cmd = exec.Command(exe, face, "--", self)
	}
	in, out := attach(b, cmd, taskRead)
	var complaints strings.Builder
	cmd.Stderr = &complaints
	start := time.Now()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	_, writeErr := io.WriteString(in, request)
	readErr := read(bufio.NewReader(out))
	took := time.Since(start)
	_ = in.Close()
	if writeErr != nil || readErr != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		b.Fatalf("copilot-bridge %s: write: %v, read: %v\n%s", face, writeErr, readErr, complaints.String())
	}
	_ = cmd.Wait()
	return took
}

func readLine(r *bufio.Reader) error {
	_, err := r.ReadString('\n')
	return err
}

func readFrame(r *bufio.Reader) error {
	length := 0
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return err
		}
		line = strings.TrimSpace(line)
		if line == "" {
			break
		}
		if value, ok := strings.CutPrefix(line, "Content-Length:"); ok {
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil {
				return err
			}
		}
	}
	_, err := io.CopyN(io.Discard, r, int64(length))
	return err
}
