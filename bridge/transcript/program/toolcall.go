package program

import (
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
)

// kinds are the ACP kinds of the tools that Copilot CLI has, by their names there.
var kinds = map[string]acp.ToolKind{
	"view": acp.ToolKindRead, "read_agent": acp.ToolKindRead, "read_bash": acp.ToolKindRead, "list_bash": acp.ToolKindRead, "diagnostics": acp.ToolKindRead, "selection": acp.ToolKindRead,
	"grep": acp.ToolKindSearch, "rg": acp.ToolKindSearch, "glob": acp.ToolKindSearch,
	"edit": acp.ToolKindEdit, "create": acp.ToolKindEdit, "str_replace_editor": acp.ToolKindEdit, "apply_patch": acp.ToolKindEdit,
	"bash": acp.ToolKindExecute, "powershell": acp.ToolKindExecute, "stop_bash": acp.ToolKindExecute,
	"web_fetch": acp.ToolKindFetch, "fetch": acp.ToolKindFetch,
}

func kindOf(name string) acp.ToolKind {
	if k, ok := kinds[strings.TrimPrefix(name, copilot.ServerName+"-")]; ok {
		return k
	}
	return acp.ToolKindOther
}

// locations is the file that a tool's arguments name.
func locations(args jsontext.Value) []acp.ToolCallLocation {
	var a struct {
		Path string `json:"path"`
	}
	if len(args) == 0 || json.Unmarshal(args, &a) != nil || !filepath.IsAbs(a.Path) {
		return nil
	}
	return []acp.ToolCallLocation{{Path: a.Path}}
}
