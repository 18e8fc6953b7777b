package lspfront

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/lspfront/plain"
)

// sentByLSP are the methods of LSP that the server sends, by their names in the protocol package. A new one in the
// source has to be named here, and so on the page.
var sentByLSP = map[string]string{
	"MethodProgress":                       protocol.MethodProgress,
	"MethodTextDocumentPublishDiagnostics": protocol.MethodTextDocumentPublishDiagnostics,
	"MethodWindowLogMessage":               protocol.MethodWindowLogMessage,
	"MethodWindowShowDocument":             protocol.MethodWindowShowDocument,
	"MethodWindowShowMessage":              protocol.MethodWindowShowMessage,
	"MethodWindowShowMessageRequest":       protocol.MethodWindowShowMessageRequest,
	"MethodWindowWorkDoneProgressCreate":   protocol.MethodWindowWorkDoneProgressCreate,
	"MethodWorkspaceApplyEdit":             protocol.MethodWorkspaceApplyEdit,
	"MethodWorkspaceCodeLensRefresh":       protocol.MethodWorkspaceCodeLensRefresh,
	"MethodWorkspaceConfiguration":         protocol.MethodWorkspaceConfiguration,
}

// TestEverythingIsDocumented guards docs/dev/protocol.md: what is sent, answered, read as a setting or returned as an
// error is on the page.
func TestEverythingIsDocumented(t *testing.T) {
	page := protocolPage(t)
	var want []string
	want = append(want, slices.Collect(maps.Keys(allCalls()))...)
	want = append(want, slices.Collect(maps.Keys(allNotifications()))...)
	want = append(want, commandNames()...)
	want = append(want, slices.Collect(maps.Keys(fields))...)
	want = append(want, concernNames[:]...)
	want = append(want, plain.CodePending, plain.CodeFailed, plain.CodeConflict, plain.CodePermission)
	ours := regexp.MustCompile(`prefix ?\+ ?"([a-zA-Z/]+)"`)
	theirs := regexp.MustCompile(`protocol\.(Method[A-Za-z]+)`)
	handled := slices.Concat(slices.Collect(maps.Keys(allCalls())), slices.Collect(maps.Keys(allNotifications())))
	for name, source := range sources(t) {
		for _, m := range ours.FindAllStringSubmatch(source, -1) {
			want = append(want, prefix+m[1])
		}
		if name == "methods.go" || name == "server.go" {
			continue // what the server answers, which is asked of the tables themselves
		}
		for _, m := range theirs.FindAllStringSubmatch(source, -1) {
			method, ok := sentByLSP[m[1]]
			if !ok {
				t.Errorf("%s sends protocol.%s, which this test does not know: name it here and on the page", name, m[1])
			}
			want = append(want, method)
		}
	}
	if len(handled) == 0 || len(want) < 80 {
		t.Errorf("only %d names were found", len(want))
	}
	for _, name := range want {
		if !strings.Contains(page, "`"+name+"`") {
			t.Errorf("docs/dev/protocol.md does not say what %s is", name)
		}
	}
	for _, code := range []int{
		bridge.CodeNotSignedIn, bridge.CodeAgentUnavailable, bridge.CodeSessionNotFound, bridge.CodeTurnInProgress, bridge.CodeStaleHunk, bridge.CodeDenied,
	} {
		if !strings.Contains(page, "| "+strconv.Itoa(code)+" | `") {
			t.Errorf("docs/dev/protocol.md does not have the error %d", code)
		}
	}
}

// TestExamplesAreJSON guards the page against examples that nobody could send.
func TestExamplesAreJSON(t *testing.T) {
	n := 0
	for _, part := range strings.Split(protocolPage(t), "```json\n")[1:] {
		text, _, _ := strings.Cut(part, "\n```")
		if n++; !json.Valid([]byte(text)) {
			t.Errorf("no JSON: %s", text)
		}
	}
	if n < 20 {
		t.Errorf("only %d examples", n)
	}
}

func protocolPage(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/dev/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// sources are the files of the package but its tests.
func sources(t *testing.T) map[string]string {
	t.Helper()
	var names []string
	for _, pattern := range []string{"*.go", "plain/*.go"} {
		found, err := filepath.Glob(pattern)
		if err != nil || found == nil {
			t.Fatal(pattern, err)
		}
		names = append(names, found...)
	}
	out := map[string]string{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = string(data)
	}
	return out
}
