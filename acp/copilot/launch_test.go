package copilot

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	filesOff = "view,edit,create,grep,rg,glob,apply_patch,str_replace_editor,lsp"
	shellOff = "bash,read_bash,stop_bash,list_bash,powershell,read_powershell,stop_powershell,list_powershell"
	config   = `{"mcpServers":{"editor":{"type":"local","command":"/b/cb","args":["mcp","--socket","/run/s"],"tools":["*"]}}}`
)

func TestArgvAddsWhatTheUserHasNotGiven(t *testing.T) {
	all := ToolSet{Files: true, Shell: true, Diagnostics: true}
	for name, c := range map[string]struct {
		command string
		set     ToolSet
		want    string
	}{
		"plain":                {"copilot", all, "copilot --acp --stdio --excluded-tools=" + filesOff + "," + shellOff + " --allow-tool=editor --additional-mcp-config CONFIG"},
		"no tools":             {"copilot", ToolSet{}, "copilot --acp --stdio"},
		"files":                {"copilot", ToolSet{Files: true}, "copilot --acp --stdio --excluded-tools=" + filesOff + " --allow-tool=editor --additional-mcp-config CONFIG"},
		"shell":                {"copilot", ToolSet{Shell: true}, "copilot --acp --stdio --excluded-tools=" + shellOff + ",lsp --allow-tool=editor --additional-mcp-config CONFIG"},
		"diagnostics":          {"copilot", ToolSet{Diagnostics: true}, "copilot --acp --stdio --allow-tool=editor --additional-mcp-config CONFIG"},
		"acp given":            {"copilot --stdio --acp --model x", ToolSet{}, "copilot --stdio --acp --model x"},
		"port given":           {"copilot --acp --port 3000", ToolSet{}, "copilot --acp --port 3000"},
		"own exclusions":       {"copilot --excluded-tools=view,edit --excluded-tools bash grep,create", ToolSet{Files: true}, "copilot --excluded-tools=view,edit --excluded-tools bash grep,create --acp --stdio --excluded-tools=rg,glob,apply_patch,str_replace_editor,lsp --allow-tool=editor --additional-mcp-config CONFIG"},
		"everything excluded":  {"copilot --excluded-tools=" + filesOff, ToolSet{Files: true}, "copilot --excluded-tools=" + filesOff + " --acp --stdio --allow-tool=editor --additional-mcp-config CONFIG"},
		"own list of tools":    {"copilot --available-tools=view,task", ToolSet{Files: true}, "copilot --available-tools=view,task --acp --stdio --excluded-tools=" + filesOff + " --available-tools=editor --allow-tool=editor --additional-mcp-config CONFIG"},
		"editor in the list":   {"copilot --available-tools editor", ToolSet{Diagnostics: true}, "copilot --available-tools editor --acp --stdio --allow-tool=editor --additional-mcp-config CONFIG"},
		"allowed already":      {"copilot --allow-tool=editor", ToolSet{Diagnostics: true}, "copilot --allow-tool=editor --acp --stdio --additional-mcp-config CONFIG"},
		"everything allowed":   {"copilot --yolo", ToolSet{Diagnostics: true}, "copilot --yolo --acp --stdio --additional-mcp-config CONFIG"},
		"own configuration":    {"copilot --additional-mcp-config @/x.json", ToolSet{Diagnostics: true}, "copilot --additional-mcp-config @/x.json --acp --stdio --allow-tool=editor --additional-mcp-config CONFIG"},
		"through npx":          {"npx -y @github/copilot --model x", ToolSet{}, "npx -y @github/copilot --model x --acp --stdio"},
		"npm with dashes":      {"npm exec -- @github/copilot", ToolSet{}, "npm exec -- @github/copilot --acp --stdio"},
		"end of the flags":     {"copilot --model x -- rest", ToolSet{}, "copilot --model x --acp --stdio -- rest"},
		"a file name that has": {"copilot --log-dir=/x--acp", ToolSet{}, "copilot --log-dir=/x--acp --acp --stdio"},
	} {
		command := strings.Fields(c.command)
		before := slices.Clone(command)
		got := Launch{Command: command, Self: []string{"/b/cb"}, Socket: "/run/s", Tools: c.set}.Argv()
		want := strings.Fields(c.want)
		for i, w := range want {
			if w == "CONFIG" {
				want[i] = config
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if !slices.Equal(before, command) {
			t.Errorf("%s: the user's command line was changed", name)
		}
	}
	if got := (Launch{Command: []string{"copilot"}, Self: []string{"/b/cb"}, Tools: all}).Argv(); len(got) != 3 {
		t.Errorf("without a socket: %q", got)
	}
}

func TestSecretsOfServersGoIntoAFile(t *testing.T) {
	l := Launch{Command: []string{"copilot"}, Extra: []MCPServer{
		{Name: "db", Command: "db-mcp", Args: []string{"--ro"}, Env: map[string]string{"DB_PASSWORD": "canary-1"}},
	}}
	var got map[string]map[string]map[string]any
	if err := json.Unmarshal(l.MCPConfig(), &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]map[string]map[string]any{"mcpServers": {
		"db": {"type": "local", "command": "db-mcp", "args": []any{"--ro"}, "env": map[string]any{"DB_PASSWORD": "canary-1"}, "tools": []any{"*"}},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	l.ConfigFile = "/run/x/mcp.json"
	argv := strings.Join(l.Argv(), " ")
	if argv != "copilot --acp --stdio --additional-mcp-config @/run/x/mcp.json" {
		t.Errorf("argv %s", argv)
	}
	l = Launch{Command: []string{"copilot"}, Self: []string{"/b/cb"}, Socket: "/run/s", Tools: ToolSet{Files: true}, Extra: []MCPServer{{Name: ServerName, Command: "evil"}}}
	if strings.Contains(string(l.MCPConfig()), "evil") {
		t.Error("another server takes the name of the editor tools")
	}
}
