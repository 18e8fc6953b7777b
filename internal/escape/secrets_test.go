package escape

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"testing"
)

// TestSecretsAreHiddenInEverySpelling: what programs make of a text by themselves gives a secret away as the text does.
func TestSecretsAreHiddenInEverySpelling(t *testing.T) {
	quoted := func(s string) string {
		b, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	for _, secret := range []string{"hunter2", `pa/ss wörd"quoted+Zz\9988`, "plainvalue-1234567890abcdef", "p=q&r+s t%2F"} {
		var s Secrets
		s.Add(secret)
		units := ""
		for _, r := range secret {
			units += `\u` + strconv.FormatInt(0x10000+int64(r), 16)[1:]
		}
		for name, text := range map[string]string{
			"as it is": secret, "JSON": quoted(secret), "JSON in JSON": quoted(quoted(secret)), "three times": quoted(quoted(quoted(secret))),
			"ASCII": strconv.QuoteToASCII(secret), "ASCII in JSON": quoted(strconv.QuoteToASCII(secret)), "escapes only": units, "escapes in JSON": quoted(units),
			"query": url.QueryEscape(secret), "path": url.PathEscape(secret), "encodeURIComponent": strings.ReplaceAll(url.QueryEscape(secret), "+", "%20"),
			"hexadecimal": hex.EncodeToString([]byte(secret)), "in capitals": strings.ToUpper(hex.EncodeToString([]byte(secret))),
			"base64": base64.StdEncoding.EncodeToString([]byte(secret)), "for addresses": base64.RawURLEncoding.EncodeToString([]byte(secret)),
			"with a user": base64.StdEncoding.EncodeToString([]byte("user:" + secret)), "with more": base64.StdEncoding.EncodeToString([]byte("me:" + secret + "\n")),
		} {
			if got := s.Hide("<" + text + ">"); !strings.Contains(got, Redacted) {
				t.Errorf("%q as %s: %s", secret, name, got)
			}
		}
	}
}
