package imports

import (
	"os/exec"
	"strings"
	"testing"
)

const module = "github.com/copilot-bridge/copilot-bridge/"

// mayKnow says which rooms of the module a room may depend on, directly or not. A name ending in / covers what is
// below it. Rooms under internal are open to all and listed here because they may know nobody.
var mayKnow = map[string][]string{
	"acp":                          {"internal/outbound"},
	"acp/internal/gen":             nil,
	"bridge/lspfront/internal/gen": nil,
	"acp/agent":                    {"acp", "internal/"},
	"acp/copilot":                  {"acp", "acp/agent", "internal/"},
	"acp/acptest":                  {"acp", "acp/agent", "internal/"},
	"acp/acptest/model":            nil,
	"acp/acptest/model/serve":      {"acp", "acp/acptest", "acp/acptest/model", "acp/acptest/realcopilot", "internal/"},
	"acp/acptest/realcopilot":      {"acp/acptest/model"},
	"fsproxy":                      {"fsproxy/", "internal/"},
	"fsproxy/disk":                 {"fsproxy/text", "internal/"},
	"fsproxy/text":                 nil,
	"fsproxy/diff":                 nil,
	"fsproxy/fsproxytest":          {"fsproxy", "fsproxy/", "internal/"},
	"terminalproxy":                {"internal/"},
	"internal/await":               nil,
	"internal/durable":             nil,
	"internal/escape":              nil,
	"internal/fileuri":             nil,
	"internal/guard":               nil,
	"internal/imports":             nil,
	"internal/outbound":            nil,
	"internal/inline":              nil,
	"internal/links":               nil,
	"internal/minigo":              nil,
	"internal/peercred":            nil,
	"internal/onwindows":           nil,
	"internal/twin":                nil,
	"internal/words":               nil,
	"internal/wrap":                nil,
	"bridge/brought":               {"bridge/workspace"},
	"bridge/policy":                {"internal/"},
	"bridge/permission":            {"acp", "bridge/permission/meaning", "bridge/policy", "bridge/workspace", "fsproxy", "fsproxy/", "terminalproxy", "internal/"},
	"bridge/permission/meaning":    {"acp", "bridge/policy", "fsproxy", "fsproxy/", "internal/"},
	"bridge/host":                  {"acp", "bridge/permission", "bridge/permission/meaning", "bridge/policy", "bridge/review", "bridge/review/", "bridge/tools", "bridge/workspace", "fsproxy", "fsproxy/", "terminalproxy", "internal/"},
	"bridge/review/journal":        {"internal/"},
	"bridge/review/lines":          {"fsproxy/diff"},
	"bridge/review":                {"bridge/review/", "fsproxy/diff", "internal/"},
	"bridge/tools":                 {"internal/"},
	"bridge/lend":                  {"internal/"},
	"bridge/workspace":             {"internal/"},
	"bridge/trust":                 {"acp", "acp/agent", "acp/acptest/model", "acp/copilot", "bridge/tools", "bridge/workspace", "internal/"},
	"bridge/store":                 {"internal/"},
	"bridge/transcript/program":    {"acp", "acp/agent", "acp/copilot", "internal/"},
	"bridge/transcript":            {"acp", "acp/agent", "acp/copilot", "bridge/transcript/program", "bridge/conversation", "bridge/store", "bridge/tools", "fsproxy/diff", "internal/"}, // it reads what was said; the store and the names of tools come with that
	"bridge/conversation":          {"acp", "acp/agent", "acp/copilot", "bridge/store", "bridge/tools", "fsproxy/diff", "internal/"},
	"bridge/agents":                {"acp", "acp/agent", "acp/copilot", "bridge/conversation", "bridge/store", "bridge/tools", "bridge/transcript", "bridge/transcript/program", "fsproxy/diff", "internal/"},
	"bridge/wire":                  {"acp", "acp/copilot", "acp/agent", "bridge/conversation", "bridge/store", "bridge/tools", "fsproxy/diff", "internal/"},
	"bridge/calls":                 {"acp", "acp/copilot", "acp/agent", "bridge/permission", "bridge/permission/meaning", "bridge/policy", "bridge/tools", "bridge/workspace", "fsproxy", "fsproxy/", "terminalproxy", "internal/"},
	"bridge/prompt":                {"acp", "acp/agent", "acp/copilot", "bridge/conversation", "bridge/store", "bridge/tools", "fsproxy", "fsproxy/", "internal/"},
	"bridge/tracking":              {"acp", "bridge/host", "bridge/permission", "bridge/permission/meaning", "bridge/policy", "bridge/review", "bridge/review/", "bridge/tools", "bridge/workspace", "fsproxy", "fsproxy/", "terminalproxy", "internal/"},
	"bridge/session":               {"acp", "acp/agent", "acp/acptest/model", "acp/copilot", "fsproxy", "fsproxy/", "terminalproxy", "internal/", "bridge/agents", "bridge/brought", "bridge/calls", "bridge/prompt", "bridge/conversation", "bridge/host", "bridge/permission", "bridge/permission/", "bridge/policy", "bridge/review", "bridge/review/", "bridge/tools", "bridge/trust", "bridge/wire", "bridge/workspace", "bridge/store", "bridge/transcript", "bridge/transcript/"},
	"bridge":                       {"acp", "acp/agent", "acp/acptest/model", "acp/copilot", "fsproxy", "fsproxy/", "terminalproxy", "internal/", "bridge/agents", "bridge/brought", "bridge/calls", "bridge/prompt", "bridge/conversation", "bridge/host", "bridge/permission", "bridge/permission/", "bridge/policy", "bridge/review", "bridge/review/", "bridge/tools", "bridge/trust", "bridge/session", "bridge/tracking", "bridge/wire", "bridge/workspace", "bridge/store", "bridge/transcript", "bridge/transcript/"},
	"bridge/settings":              {"acp", "acp/agent", "acp/acptest/model", "acp/copilot", "bridge", "bridge/agents", "bridge/brought", "bridge/calls", "bridge/prompt", "bridge/lend", "bridge/conversation", "bridge/host", "bridge/permission", "bridge/permission/", "bridge/policy", "bridge/review", "bridge/review/", "bridge/tools", "bridge/trust", "bridge/session", "bridge/tracking", "bridge/wire", "bridge/workspace", "bridge/store", "bridge/transcript", "bridge/transcript/", "fsproxy", "fsproxy/", "terminalproxy", "internal/"},
	"bridge/lspfront":              {"bridge/lspfront/plain", "bridge/settings", "acp", "acp/agent", "acp/acptest/model", "acp/copilot", "bridge", "bridge/agents", "bridge/brought", "bridge/calls", "bridge/prompt", "bridge/lend", "bridge/conversation", "bridge/host", "bridge/permission", "bridge/permission/", "bridge/policy", "bridge/review", "bridge/review/", "bridge/tools", "bridge/trust", "bridge/session", "bridge/tracking", "bridge/wire", "bridge/workspace", "bridge/store", "bridge/transcript", "bridge/transcript/", "fsproxy", "fsproxy/", "terminalproxy", "internal/"},
	"bridge/lspfront/plain":        {"acp", "acp/agent", "acp/acptest/model", "acp/copilot", "bridge", "bridge/agents", "bridge/brought", "bridge/calls", "bridge/prompt", "bridge/lend", "bridge/conversation", "bridge/host", "bridge/permission", "bridge/permission/", "bridge/policy", "bridge/review", "bridge/review/", "bridge/tools", "bridge/trust", "bridge/session", "bridge/tracking", "bridge/wire", "bridge/workspace", "bridge/store", "bridge/transcript", "bridge/transcript/", "fsproxy", "fsproxy/", "terminalproxy", "internal/"},
	"bridge/acpfront":              {"acp", "acp/agent", "acp/acptest/model", "acp/copilot", "bridge", "bridge/agents", "bridge/brought", "bridge/calls", "bridge/prompt", "bridge/lend", "bridge/conversation", "bridge/host", "bridge/permission", "bridge/permission/", "bridge/policy", "bridge/review", "bridge/review/", "bridge/tools", "bridge/trust", "bridge/session", "bridge/tracking", "bridge/wire", "bridge/workspace", "bridge/store", "bridge/transcript", "bridge/transcript/", "fsproxy", "fsproxy/", "terminalproxy", "internal/"},
	"bridge/clifront":              {"acp", "acp/agent", "acp/acptest/model", "acp/acptest", "acp/copilot", "bridge", "bridge/agents", "bridge/brought", "bridge/calls", "bridge/prompt", "bridge/conversation", "bridge/host", "bridge/permission", "bridge/permission/", "bridge/policy", "bridge/review", "bridge/review/", "bridge/tools", "bridge/trust", "bridge/session", "bridge/tracking", "bridge/wire", "bridge/workspace", "bridge/store", "bridge/transcript", "bridge/transcript/", "fsproxy", "fsproxy/", "terminalproxy", "internal/"},
	"e2e":                          {"acp/acptest/model"},
	"cmd/copilot-bridge":           {"acp", "acp/", "bridge", "bridge/", "fsproxy", "fsproxy/", "terminalproxy", "internal/"},
}

// TestRoomsKnowOnlyWhatTheyMay asserts that imports point one way.
func TestRoomsKnowOnlyWhatTheyMay(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Deps " "}}`, module+"...").CombinedOutput()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, out)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		fields := strings.Fields(line)
		room := strings.TrimPrefix(fields[0], module)
		allowed, listed := mayKnow[room]
		if !listed {
			t.Errorf("%s is a new room: say here which others it may know", room)
			continue
		}
		for _, dep := range fields[1:] {
			other, ours := strings.CutPrefix(dep, module)
			if ours && other != room && !covered(other, allowed) {
				t.Errorf("%s must not know %s", room, other)
			}
		}
	}
}

func covered(room string, allowed []string) bool {
	for _, a := range allowed {
		if room == a || strings.HasSuffix(a, "/") && strings.HasPrefix(room, a) {
			return true
		}
	}
	return false
}
