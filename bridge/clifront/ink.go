package clifront

// ink colours text, or not.
type ink bool

func (i ink) paint(code, s string) string {
	if !i || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func (i ink) bold(s string) string   { return i.paint("1", s) }
func (i ink) dim(s string) string    { return i.paint("2", s) }
func (i ink) red(s string) string    { return i.paint("31", s) }
func (i ink) green(s string) string  { return i.paint("32", s) }
func (i ink) yellow(s string) string { return i.paint("33", s) }
func (i ink) cyan(s string) string   { return i.paint("36", s) }
