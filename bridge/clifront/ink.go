package clifront

// ink colours text, or not. Each style ends with what switches it alone off, so that one can stand in another.
type ink bool

func (i ink) paint(on, off, s string) string {
	if !i || s == "" {
		return s
	}
	return "\x1b[" + on + "m" + s + "\x1b[" + off + "m"
}

func (i ink) bold(s string) string      { return i.paint("1", "22", s) }
func (i ink) dim(s string) string       { return i.paint("2", "22", s) }
func (i ink) italic(s string) string    { return i.paint("3", "23", s) }
func (i ink) underline(s string) string { return i.paint("4", "24", s) }
func (i ink) red(s string) string       { return i.paint("31", "39", s) }
func (i ink) green(s string) string     { return i.paint("32", "39", s) }
func (i ink) yellow(s string) string    { return i.paint("33", "39", s) }
func (i ink) cyan(s string) string      { return i.paint("36", "39", s) }
