package escape

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Redacted stands in the place of a secret.
const Redacted = "[redacted]"

// The patterns are those of the credentials that an agent's environment, its log and a shell's output hold
// most often. The first group of a pattern, where it has one, stays.
var patterns = sync.OnceValue(func() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`\bgh[opsur]_[A-Za-z0-9_.-]{6,}`),
		regexp.MustCompile(`\bgithub_pat_[A-Za-z0-9_]{6,}`),
		regexp.MustCompile(`\bglpat-[A-Za-z0-9_-]{16,}`),
		regexp.MustCompile(`\bsk-[A-Za-z0-9_-]{12,}`),
		regexp.MustCompile(`\bxox[abeoprs]-[A-Za-z0-9-]{10,}`),
		regexp.MustCompile(`\b(?:AKIA|ASIA)[A-Z0-9]{16}\b`),
		regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]*`),
		regexp.MustCompile(`(?i)(\bbearer\s+)[A-Za-z0-9._~+/=-]{8,}`),
		regexp.MustCompile(`(?i)(\bauthorization["']?\s*[:=]\s*["']?(?:basic|token)\s+)[A-Za-z0-9._~+/=-]{8,}`),
		regexp.MustCompile(`(?i)(\b(?:(?:x-|x-goog-)?api-key|private-token|x-auth-token)["']?\s*[:=]\s*["']?)[^\s"']{6,}`),
		regexp.MustCompile(`(://[^\s/:@"']*:)[^\s/@"']+@`),
	}
})

// hints must be in a text, in any case, for one of the patterns to match: looking for them is ten times
// cheaper than matching, and nearly every line of a log has none.
var hints = []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "sk-", "xox", "AKIA", "ASIA", "eyJ", "earer", "EARER", "uthorization", "UTHORIZATION", "://", "-key", "-Key", "-KEY", "-token", "-Token", "-TOKEN"}

// Redact replaces what looks like a credential: GitHub, GitLab, Slack, AWS and sk- keys, JSON web tokens,
// bearer and basic authorization, the password of a URL.
func Redact(s string) string {
	if !slices.ContainsFunc(hints, func(h string) bool { return strings.Contains(s, h) }) {
		return s
	}
	all := patterns()
	for i, p := range all {
		switch {
		case p.NumSubexp() == 0:
			s = p.ReplaceAllLiteralString(s, Redacted)
		case i == len(all)-1:
			s = p.ReplaceAllString(s, "${1}"+Redacted+"@")
		default:
			s = p.ReplaceAllString(s, "${1}"+Redacted)
		}
	}
	return s
}

// RedactValues replaces each of values, in all their spellings, and then what [Redact] finds. See [Secrets].
func RedactValues(s string, values []string) string {
	var known Secrets
	known.Add(values...)
	return known.Hide(s)
}

// SecretName reports whether an environment variable's name says that its value is a secret: it holds TOKEN,
// KEY, SECRET or PASS, in any case.
func SecretName(name string) bool {
	name = strings.ToUpper(name)
	for _, part := range []string{"TOKEN", "KEY", "SECRET", "PASS"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// SecretValues returns the values in env ("NAME=value" each) whose names say that they are secret, for
// [RedactValues].
func SecretValues(env []string) []string {
	var values []string
	for _, e := range env {
		if name, value, ok := strings.Cut(e, "="); ok && SecretName(name) && len(value) >= minSecret {
			values = append(values, value)
		}
	}
	return values
}
