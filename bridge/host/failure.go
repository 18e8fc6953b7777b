package host

import (
	"context"
	"errors"
	"io/fs"

	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
	"github.com/copilot-bridge/copilot-bridge/fsproxy"
)

// failure is a tool that did nothing, for two readers: the error's text is the model's.
type failure struct{ model, user string }

func (f *failure) Error() string { return f.model }

// noSuchPath is the failure of a tool that names what is not there.
func noSuchPath(path string) error { return &failure{tools.NoSuchPath(path), "There is no such file"} }

// ForUser is why a tool did not do what the agent wanted, one sentence for the user. What the model reads of it is the error's text,
// which may say more, and says what to do. It is safe to be shown.
func ForUser(err error) string {
	var refused *permission.Refusal
	var failed *failure
	var edit *fsproxy.EditError
	switch {
	case errors.As(err, &refused) && refused.User != "":
		return refused.User
	case errors.As(err, &refused):
		return "Refused"
	case errors.As(err, &failed):
		return failed.user
	case errors.As(err, &edit) && edit.Outcome == fsproxy.Conflict:
		return "It conflicts with your change in the same lines; yours is kept"
	case errors.Is(err, fsproxy.ErrChanged), errors.Is(err, permission.ErrShownOtherwise):
		return "The file has changed since Copilot read it; it reads again"
	case errors.Is(err, context.Canceled):
		return "Cancelled"
	case errors.Is(err, fs.ErrNotExist):
		return "There is no such file"
	}
	return "It did not work"
}
