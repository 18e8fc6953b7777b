package escape

import (
	"slices"
	"testing"
)

func TestRedactTakesCredentialsOut(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"nothing here, task-force disk-space", "nothing here, task-force disk-space"},
		{"token ghp_16C7e42F292c6912E7710c838347Ae178B4a.", "token [redacted]"},
		{"gho_abcdefghij gh_pages", "[redacted] gh_pages"},
		{"github_pat_11ABCDEFG0abcdefghijkl_mnop", "[redacted]"},
		{"key sk-proj-abcdefghijkl1234567890, next", "key [redacted], next"},
		{"Authorization: Bearer abc.def-ghi_jkl", "Authorization: Bearer [redacted]"},
		{`{"authorization":"Basic dXNlcjpwYXNz"}`, `{"authorization":"Basic [redacted]"}`},
		{"-H X-Api-Key: abcdef123456 -d 'x'", "-H X-Api-Key: [redacted] -d 'x'"},
		{"PRIVATE-TOKEN=abcdef123456", "PRIVATE-TOKEN=[redacted]"},
		{"the api-key is needed; --api-key: no", "the api-key is needed; --api-key: no"},
		{"bearer of bad news", "bearer of bad news"},
		{"git clone https://me:s3cret@host/x.git", "git clone https://me:[redacted]@host/x.git"},
		{"https://host/a:b@c", "https://host/a:b@c"},
		{"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc_def", "[redacted]"},
		{"AKIAIOSFODNN7EXAMPLE and AKIA", "[redacted] and AKIA"},
		{"xoxb-123456789012-abcdef", "[redacted]"},
		{"glpat-abcdefghijklmnopqrst", "[redacted]"},
	} {
		if got := Redact(c.in); got != c.want {
			t.Errorf("Redact(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestRedactValuesTakesTheGivenSecretsOut(t *testing.T) {
	values := []string{"hunter2", "hunter2-long", `quote"and\slash`, "1", ""}
	in := `a hunter2-long b hunter2 c quote\"and\\slash d quote"and\slash 1 ghp_16C7e42F292c6912E7710c83`
	want := `a [redacted] b [redacted] c [redacted] d [redacted] 1 [redacted]`
	if got := RedactValues(in, values); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if values[0] != "hunter2" {
		t.Error("the caller's slice was reordered")
	}
}

func TestSecretValuesGoByTheName(t *testing.T) {
	got := SecretValues([]string{"PATH=/usr/bin:/bin", "GH_TOKEN=abcdefgh", "my_api_key=12345678", "DB_PASSWORD=p=q=r=s", "CLIENT_SECRET=1", "broken"})
	if want := []string{"abcdefgh", "12345678", "p=q=r=s"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
