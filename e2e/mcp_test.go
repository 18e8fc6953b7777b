//go:build e2e

package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"testing"
)

func testBinary(t *testing.T) string {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return exe
}

// serveMCP is an MCP server with one tool, which tells a secret of its environment.
func serveMCP(in io.Reader, out io.Writer) {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct{ ProtocolVersion string }
		}
		if json.Unmarshal(lines.Bytes(), &m) != nil || len(m.ID) == 0 {
			continue
		}
		var result any
		switch m.Method {
		case "initialize":
			result = obj{"protocolVersion": m.Params.ProtocolVersion, "capabilities": obj{"tools": obj{}}, "serverInfo": obj{"name": "mine", "version": "1"}}
		case "tools/list":
			result = obj{"tools": []obj{{"name": "tell", "description": "tells", "inputSchema": obj{"type": "object", "properties": obj{}}}}}
		case "tools/call":
			result = obj{"content": []obj{{"type": "text", "text": os.Getenv("E2E_SECRET")}}}
		}
		answer := obj{"jsonrpc": "2.0", "id": m.ID, "result": result}
		if result == nil {
			answer = obj{"jsonrpc": "2.0", "id": m.ID, "error": obj{"code": -32601, "message": m.Method}}
		}
		b, err := json.Marshal(answer)
		if err != nil {
			return
		}
		fmt.Fprintf(out, "%s\n", b)
	}
}
