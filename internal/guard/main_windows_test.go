package guard

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

// The test binary is also the programs that tests start: with actVar set it plays one of these.
const actVar = "GUARD_ACT"

func TestMain(m *testing.M) {
	switch act := os.Getenv(actVar); act {
	case "":
		os.Exit(await.Watch(m).Run())
	case "args": // says what its arguments are
		if err := json.NewEncoder(os.Stdout).Encode(os.Args[1:]); err != nil {
			panic(err)
		}
	case "exit":
		os.Exit(7)
	case "bridge": // guards a tree, until it is killed
		self, err := os.Executable()
		if err != nil {
			panic(err)
		}
		if _, err := Start(Config{Argv: []string{self}, Env: append(os.Environ(), actVar+"=child"), Stdout: os.Stdout}); err != nil {
			panic(err)
		}
		<-time.After(time.Hour) // it is killed long before
	case "child": // has a child of its own
		cmd := exec.Command(os.Args[0])
		cmd.Env, cmd.Stdout = append(os.Environ(), actVar+"=grandchild"), os.Stdout
		if err := cmd.Start(); err != nil {
			panic(err)
		}
		fmt.Println(os.Getpid())
		<-time.After(time.Hour) // it is killed long before
	case "grandchild":
		fmt.Println(os.Getpid())
		<-time.After(time.Hour) // it is killed long before
	}
}
