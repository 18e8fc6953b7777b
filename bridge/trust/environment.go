package trust

import (
	"runtime"
	"slices"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/acp/acptest/model"
)

// kept are the variables that a program needs to be found and to run at all. Everything else stays away from the trial:
// credentials, settings of Copilot, proxies, the user's own provider.
var kept = []string{
	"PATH", "HOME", "USER", "LOGNAME", "LANG", "TMPDIR", "TERM", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR",
	"NVM_DIR", "FNM_DIR", "VOLTA_HOME", "ASDF_DIR", "ASDF_DATA_DIR", "MISE_DATA_DIR", "N_PREFIX", // where node is
	"SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "LOCALAPPDATA", "APPDATA", "PROGRAMFILES",
}

// environment is that of the agent in a trial: its settings are in the empty folder home, its model is the scripted one,
// and it goes nowhere else. The user's home stays, because Copilot unpacks itself into the cache there.
func environment(env []string, home, modelURL string) []string {
	var out []string
	for _, kv := range env {
		name, _, _ := strings.Cut(kv, "=")
		if runtime.GOOS == "windows" {
			name = strings.ToUpper(name)
		}
		if slices.Contains(kept, name) || strings.HasPrefix(name, "LC_") {
			out = append(out, kv)
		}
	}
	return append(out, "COPILOT_HOME="+home, "COPILOT_OFFLINE=true", "COPILOT_PROVIDER_BASE_URL="+modelURL, "COPILOT_MODEL="+model.Name,
		"COPILOT_AUTO_UPDATE=false", "NO_PROXY=127.0.0.1")
}
