package realcopilot

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/copilot-bridge/copilot-bridge/acp/acptest/model"
	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(await.Watch(m)) }

func server(t *testing.T) *model.Server {
	t.Helper()
	s, err := model.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func TestEnvIsCutOffFromTheUser(t *testing.T) {
	t.Setenv("GITHUB_TOKEN", "secret")
	t.Setenv("COPILOT_HOME", "/elsewhere")
	t.Setenv("XDG_STATE_HOME", "/elsewhere")
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	s, home := server(t), t.TempDir()
	env, err := Env(s, home)
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Join(env, "\n")
	for _, want := range []string{"HOME=" + home, "COPILOT_OFFLINE=true", "COPILOT_PROVIDER_BASE_URL=" + s.URL(), "COPILOT_MODEL=mock", "COPILOT_AUTO_UPDATE=false"} {
		if !slices.Contains(env, want) {
			t.Errorf("no %s", want)
		}
	}
	if strings.Contains(all, "secret") || strings.Contains(all, "/elsewhere") {
		t.Error("the user's settings are in it")
	}
	if _, err := os.Lstat(filepath.Join(home, ".cache")); err != nil {
		t.Error(err)
	}
}
