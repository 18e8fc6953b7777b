package tracking

import (
	"context"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

func TestMain(m *testing.M) { os.Exit(await.Watch(m).Run()) }

func TestABridgeThatStaysIsWaitedForOnlySoLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for lives, want := range map[time.Duration]bool{0: false, time.Second: false, adoptGrace - adoptEvery: false, time.Hour: true} {
			began := time.Now()
			if got := untilFree(t.Context(), func() bool { return time.Since(began) < lives }); got != want {
				t.Errorf("one that lives for %v is still there: %v", lives, got)
			}
			if took := time.Since(began); took > min(lives+adoptEvery, adoptGrace) {
				t.Errorf("one that lives for %v was noticed after %v", lives, took)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		if untilFree(ctx, func() bool { return true }) {
			t.Error("a bridge that ends itself tells of another one")
		}
	})
}
