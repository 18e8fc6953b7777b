package policy

import (
	"slices"
	"strings"
	"unicode"
)

// harmlessFlag says whether a flag may stand where a rule has a *: its name is made of words that no known program takes for a file,
// code, a program or a change, and a value that is written with it is a bare word. All others are for the user to write into the
// rule: what each program makes of its flags is not known here.
func harmlessFlag(w string, command []string) bool {
	name, value, has := strings.Cut(w, "=")
	if has && (value == "" || strings.ContainsAny(value[:1], "-+@") || strings.ContainsAny(value, "./:=@") || telling(value)) {
		return false
	}
	long := strings.HasPrefix(name, "--")
	name = strings.TrimLeft(name, "-")
	if name == "" { // standard input, and the end of the flags
		return len(w) <= 2
	}
	goTest := len(command) > 1 && programName(command[0]) == "go" && command[1] == "test"
	if goTest {
		name = strings.TrimPrefix(name, "test.")
	}
	switch {
	case name == "run", name == "json": // there they name tests, and how they are told
		return goTest
	case slices.Contains(harmlessFlags, name):
		return true
	case long:
		parts := flagParts(name)
		return len(parts) > 0 && !slices.ContainsFunc(parts, func(p string) bool { return !slices.Contains(harmlessParts, p) && !digits(p) })
	}
	letters := harmlessLetters
	switch programName(command[0]) {
	case "ls":
		letters += "a" // with others it is a change: rubocop -a
	case "dotnet":
		letters = "vh" // with it -l and -t take the names of code
	}
	return !has && strings.Trim(name, letters+"0123456789") == ""
}

// flagParts are the words that a flag's name is made of: --max-warnings, --maxWarnings, --max.warnings.
func flagParts(name string) (parts []string) {
	part := ""
	end := func() {
		if part != "" {
			parts = append(parts, strings.ToLower(part))
		}
		part = ""
	}
	was := rune(0)
	for _, r := range name {
		switch {
		case strings.ContainsRune("-._:", r):
			end()
			was = r
			continue
		case unicode.IsUpper(r) && unicode.IsLower(was):
			end()
		}
		part += string(r)
		was = r
	}
	end()
	return parts
}

func digits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// harmlessLetters are flags of one letter that count, sort, name or say less or more. They may stand together: -la.
const harmlessLetters = "lhvqnktj"

// harmlessFlags are harmless with one dash and with two.
var harmlessFlags = strings.Fields(`v vv vvv q qq h verbose quiet short count timeout race cover bench benchmem benchtime failfast list parallel cpu shuffle skip tags
	fullpath noEmit help version maxfail`)

// harmlessParts are the words that harmless flags with two dashes are made of.
var harmlessParts = strings.Fields(`no all max min count color colour colors verbose quiet silent help version short fast fail failfast bail strict warnings errors exact
	ignored nocapture capture test tests threads jobs timeout seed release lib bin bins example examples benches doc features default workspace locked frozen offline keep going
	lines bytes number numbers line width level case insensitive sensitive ignore fixed strings word regexp invert match context before after stats summary progress ci check diff
	list only name names pattern pretty skip parallel race cpu shuffle retries durations`)
