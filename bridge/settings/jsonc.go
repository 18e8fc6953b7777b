package settings

import "github.com/copilot-bridge/copilot-bridge/bridge/policy"

// withoutComments is JSON with comments and with commas at the end of lists as JSON: what is taken out becomes blanks, so that each
// character stays where it was.
func withoutComments(text []byte) ([]byte, error) {
	out := append([]byte(nil), text...)
	if len(out) >= 3 && string(out[:3]) == "\ufeff" {
		copy(out, "   ")
	}
	comma := -1 // a comma behind which nothing has come yet
	blank := func(i int) {
		if out[i] != '\n' && out[i] != '\r' {
			out[i] = ' '
		}
	}
	for i := 0; i < len(out); i++ {
		switch c := out[i]; {
		case c == '"':
			comma = -1
			for i++; i < len(out) && out[i] != '"'; i++ {
				if out[i] == '\\' {
					i++
				}
			}
		case c == '/' && i+1 < len(out) && out[i+1] == '/':
			for ; i < len(out) && out[i] != '\n'; i++ {
				blank(i)
			}
		case c == '/' && i+1 < len(out) && out[i+1] == '*':
			begin, ended := i, false
			for ; i < len(out) && !ended; i++ {
				ended = i > begin+2 && text[i-1] == '*' && text[i] == '/'
				blank(i)
			}
			if !ended {
				return nil, &policy.RuleError{What: "a comment does not end; write */", Offset: begin}
			}
			i--
		case c == ',':
			comma = i
		case c == '}' || c == ']':
			if comma >= 0 {
				out[comma] = ' '
			}
			comma = -1
		case c != ' ' && c != '\t' && c != '\n' && c != '\r':
			comma = -1
		}
	}
	return out, nil
}
