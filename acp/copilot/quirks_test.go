package copilot

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"testing"
)

func TestQuirksByVersion(t *testing.T) {
	has := func(version, name string) bool {
		v, ok := ParseVersion(version)
		if version != "" && !ok {
			t.Fatalf("bad version %s", version)
		}
		return slices.ContainsFunc(List(v), func(q Quirk) bool { return q.Name == name })
	}
	for _, c := range []struct {
		name    string
		holds   []string
		doesNot []string
	}{
		{"IgnoresClientFS", []string{"1.0.60", "1.0.102", "3.0.0", ""}, nil},
		{"NoPermissionAsked", []string{"1.0.81-2", "1.0.81-5", "1.0.81-6", "1.0.81-10", "1.0.81", "1.0.82-0", "1.0.82", "1.0.83-2", "1.0.83-11"}, []string{"1.0.81-1", "1.0.81-0", "1.0.80", "1.0.83", "1.0.84-1", "1.0.85", "1.0.102", ""}},
		{"AllowAllSticks", []string{"1.0.39", "1.0.80", "1.0.81-0"}, []string{"1.0.38", "1.0.81-1", "1.0.81", ""}},
		{"NoSessionClose", []string{"1.0.77"}, []string{"1.0.78-0", "1.0.78", "1.0.102", ""}},
		{"NoOwnProvider", []string{"1.0.59", "1.0.68", "1.0.69", "1.0.75", "1.0.77", "1.0.78-1"}, []string{"1.0.78", "1.0.80", "1.0.102", ""}},
		{"TCPForEverybody", []string{"1.0.25"}, []string{"1.0.26", "1.0.102"}},
		{"TooOld", []string{"0.0.397", "1.0.59"}, []string{"1.0.60-0", "1.0.60", "1.0.102", ""}},
	} {
		for _, v := range c.holds {
			if !has(v, c.name) {
				t.Errorf("%s does not hold for %q", c.name, v)
			}
		}
		for _, v := range c.doesNot {
			if has(v, c.name) {
				t.Errorf("%s holds for %q", c.name, v)
			}
		}
	}
}

func TestEachQuirkHasARowAndAReason(t *testing.T) {
	fields := reflect.TypeFor[Quirks]()
	seen := map[string]bool{}
	set := 0
	for _, row := range table() {
		if seen[row.Name] || len(row.Reason) < 20 {
			t.Errorf("row %s: twice or without a reason", row.Name)
		}
		seen[row.Name] = true
		if row.set == nil {
			continue
		}
		set++
		var q Quirks
		row.set(&q)
		f := reflect.ValueOf(q).FieldByName(row.Name)
		if !f.IsValid() || !f.Bool() {
			t.Errorf("row %s does not set its field", row.Name)
		}
	}
	if set != fields.NumField() {
		t.Errorf("%d rows for %d fields", set, fields.NumField())
	}
}

var measuredRow = regexp.MustCompile(`(?m)^\| ([0-9.-]+) \| (\S+) \| (\S+) \|.* \| (?:\*\*whole\*\*|no) \|`)

// TestTheTableSaysWhatWasMeasured compares the quirks with docs/dev/copilot-versions.md, which make copilot-matrix writes.
func TestTheTableSaysWhatWasMeasured(t *testing.T) {
	page, err := os.ReadFile("../../docs/dev/copilot-versions.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := measuredRow.FindAllStringSubmatch(string(page), -1)
	if len(rows) < 12 {
		t.Fatalf("only %d versions were measured", len(rows))
	}
	for _, row := range rows {
		v, _ := ParseVersion(row[1])
		q := QuirksOf(v)
		if v.String() != row[1] || q.TooOld != (row[2] == "–") || !q.TooOld && q.NoOwnProvider != (row[2] == "**no**") {
			t.Errorf("%s: too old %v, no own provider %v; measured %s", row[1], q.TooOld, q.NoOwnProvider, row[2])
		}
		if row[3] != "–" && q.NoPermissionAsked != (row[3] == "**no**") {
			t.Errorf("%s: does not ask: %v; measured %s", row[1], q.NoPermissionAsked, row[3])
		}
	}
}
