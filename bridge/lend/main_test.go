package lend

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if socket := os.Getenv("LEND_AS_ANOTHER"); socket != "" {
		asAnother(socket, os.Getenv("LEND_PATH"))
		return
	}
	goleak.VerifyTestMain(m)
}
