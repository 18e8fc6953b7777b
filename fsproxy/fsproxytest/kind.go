package fsproxytest

// Kind is which editor is modelled.
type Kind int

const (
	// Honest refuses an edit for another version than it has and says so.
	Honest Kind = iota
	// Neovim (0.10 to 0.12) skips an edit for an older version and answers "applied"
	// all the same. It holds changes back and sends several at once. It hides
	// carriage returns. Lines that are put in behind the last one are followed by an
	// empty one (0.10).
	Neovim
	// Kak (kakoune-lsp 21) answers at once, makes the edit later, and does not look
	// at the version: the edit lands at the lines and columns it names.
	Kak
	// Zed carries an edit over to the text it has now, and always answers "applied".
	Zed
	// Eglot (1.17 to 1.24) answers an edit for another version with an error.
	Eglot
	// Helix (25.07) refuses an edit for another version with a reason. When an edit
	// fails on the way, what was done before it stays.
	Helix
	// VSCode refuses an edit for another version without a reason.
	VSCode
)

// Kinds are all of them.
var Kinds = []Kind{Honest, Neovim, Kak, Zed, Eglot, Helix, VSCode}

// String is the kind's name.
func (k Kind) String() string {
	return [...]string{"honest", "Neovim", "kak", "Zed", "eglot", "Helix", "VS Code"}[k]
}
