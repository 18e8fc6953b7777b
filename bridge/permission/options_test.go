package permission

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

const (
	allowOnce    = acp.PermissionOptionKindAllowOnce
	allowAlways  = acp.PermissionOptionKindAllowAlways
	rejectOnce   = acp.PermissionOptionKindRejectOnce
	rejectAlways = acp.PermissionOptionKindRejectAlways
)

// TestANameSaysItsKindOrGivesWay: of all four kinds a name may agree with one, and most names agree with none.
func TestANameSaysItsKindOrGivesWay(t *testing.T) {
	for name, want := range map[string]acp.PermissionOptionKind{
		// as agents name them
		"Allow": allowOnce, "Allow once": allowOnce, "Yes": allowOnce, "Approve": allowOnce, "Allow this change": allowOnce, "Once": allowOnce,
		"Always allow": allowAlways, "Always Allow": allowAlways, "Always": allowAlways, "Allow All Edits": allowAlways, "Yes, and don't ask again": allowAlways,
		"Always Allow in project: touch *": allowAlways, "Allow for this session": allowAlways,
		"Reject": rejectOnce, "Deny": rejectOnce, "No": rejectOnce, "Skip this change": rejectOnce, "No, thanks": rejectOnce, "Cancel": rejectOnce,
		"Never": rejectAlways, "Always reject": rejectAlways, "Reject all": rejectAlways,
		// nothing that is clear
		"": "", " ": "", " Allow": "", "Allow ": "", "Allow  once": "", "Allow\nonce": "", "Allow\tonce": "", "Allow\u00a0once": "",
		"Al\u200blow": "", "All\u043ew": "", "\u0410llow": "", "\uff21llow": "", "Re\u0441ect": "", "Reject\u202e": "", "Allow\u0000": "", "Allow \U0001f44d": "",
		"erlauben": "", "允许": "", "Ablehnen": "", "Run": "", "Y": "", "n": "", "1": "", "Open": "",
		"Allow no": "", "Yes, reject it": "", "Never allow": "", "Do not allow": "", "Don't allow": "", "Allow nothing": "", "Not once": "", "Always allow once": "",
		"Reject or allow": "", "Allow: no": "", "Allow: do not": "", "Always Allow in project: reject this": "", "Allow: rejected": "", "Allow;reject": "", "Al-low": "",
		"Allow " + strings.Repeat("this ", 30): "",
	} {
		for kind := range ownNames {
			if got := saysKind(name, kind); got != (kind == want) {
				t.Errorf("%q says %s: %v", name, kind, got)
			}
		}
	}
	for kind, name := range ownNames {
		if !saysKind(name, kind) {
			t.Errorf("our own %q does not say %s", name, kind)
		}
	}
}

// TestOptionsAreNamedByTheirKind: what agrees keeps every byte, and no two names are alike.
func TestOptionsAreNamedByTheirKind(t *testing.T) {
	option := func(id, name, kind string) string {
		return `{"optionId":"` + id + `" ,"x":1.0,"name":"` + name + `","kind":"` + kind + `"}`
	}
	for name, c := range map[string]struct{ in, want, told string }{
		"agreeing":     {option("a", "Allow", "allow_once") + " , " + option("b", "D\\u0065ny", "reject_once"), "", ""},
		"lying":        {option("a", "Reject", "allow_once") + "," + option("b", "Allow", "reject_once"), option("a", "Allow once", "allow_once") + "," + option("b", "Reject", "reject_once"), `"Allow once" is called "Reject" by the agent`},
		"always":       {option("a", "Reject", "allow_always"), option("a", "Always allow", "allow_always"), `"Reject"`},
		"more":         {option("a", "Allow", "allow_always"), option("a", "Always allow", "allow_always"), `"Allow"`},
		"alike":        {option("a", "Allow", "allow_once") + "," + option("b", "ALLOW", "allow_once"), option("a", "Allow", "allow_once") + "," + option("b", "Allow once", "allow_once"), `"ALLOW"`},
		"two of ours":  {option("a", "x", "allow_once") + "," + option("b", "y", "allow_once"), option("a", "Allow once", "allow_once") + "," + option("b", "Allow once (2)", "allow_once"), `"y"`},
		"taken":        {option("a", "Allow once", "allow_once") + "," + option("b", "", "allow_once"), option("a", "Allow once", "allow_once") + "," + option("b", "Allow once (2)", "allow_once"), `""`},
		"unknown kind": {option("a", "Allow", "allow_later") + "," + option("b", "No", "reject_once"), option("b", "No", "reject_once"), `left out: its kind "allow_later"`},
		"hidden":       {option("a", "Al\\u202elow", "allow_once"), option("a", "Allow once", "allow_once"), `<U+202E>`},
	} {
		params := jsontext.Value(`{"z" : 1e3,"options":[` + c.in + `],"toolCall":{"toolCallId":"c"}}`)
		want := string(params)
		if c.want != "" {
			want = `{"z" : 1e3,"options":[` + c.want + `],"toolCall":{"toolCallId":"c"}}`
		}
		got, notes := namedByKind(params)
		if string(got) != want && !sameJSON(t, string(got), want) || c.want == "" && string(got) != want {
			t.Errorf("%s: have\n%s, want\n%s", name, got, want)
		}
		if told := strings.Join(notes, "\n"); !strings.Contains(told, c.told) || c.told == "" && told != "" {
			t.Errorf("%s: told %q", name, told)
		}
	}
}

func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	x, y := jsontext.Value(a), jsontext.Value(b)
	if x.Compact() != nil || y.Compact() != nil {
		t.Fatalf("no JSON: %s %s", a, b)
	}
	return string(x) == string(y)
}

// TestAQuestionThatNobodyCanSayYesToIsRefused: the agent is only ever told "once".
func TestAQuestionThatNobodyCanSayYesToIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		kinds []acp.PermissionOptionKind
		can   bool
	}{
		"none":           {nil, false},
		"always only":    {[]acp.PermissionOptionKind{allowAlways}, false},
		"always or no":   {[]acp.PermissionOptionKind{allowAlways, rejectOnce, rejectAlways}, false},
		"another kind":   {[]acp.PermissionOptionKind{"allow_forever", "Allow_Once", rejectOnce}, false},
		"once":           {[]acp.PermissionOptionKind{allowOnce}, true},
		"once among all": {[]acp.PermissionOptionKind{allowAlways, rejectOnce, allowOnce}, true},
	} {
		var list []acp.PermissionOption
		for i, kind := range c.kinds {
			list = append(list, acp.PermissionOption{OptionID: acp.PermissionOptionID(rune('a' + i)), Name: "x", Kind: kind})
		}
		id, refused := gateOf(t, t.TempDir()).RefuseWithoutYes(list)
		if refused == c.can {
			t.Errorf("%s: refused %v", name, refused)
		}
		if hasNo := slices.Contains(c.kinds, rejectOnce); refused && (id != "") != hasNo {
			t.Errorf("%s: the agent hears %q", name, id)
		}
	}
}
