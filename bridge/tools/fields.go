package tools

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// fields are the arguments of one call, read strictly: a name that comes twice, or in another spelling than the
// schema's, is an error and never one of the two values; a name that the schema does not have is left alone.
// Wrong values are collected, so that the model learns all of them at once.
type fields struct {
	values map[string]jsontext.Value
	wrong  []string
}

// invalid is what is wrong with arguments, worded as Copilot's own tools word it.
type invalid string

func (e invalid) Error() string { return "Invalid input: " + string(e) }

// readFields reads a call's arguments. known are the names in the schema. Absent arguments are an empty object.
func readFields(raw []byte, known []string) (*fields, error) {
	f := &fields{values: map[string]jsontext.Value{}}
	if len(bytes.TrimSpace(raw)) == 0 || string(bytes.TrimSpace(raw)) == "null" {
		return f, nil
	}
	d := jsontext.NewDecoder(bytes.NewReader(raw)) // rejects a name that comes twice, at any depth, and invalid UTF-8
	if k := d.PeekKind(); k != '{' && k != 0 {
		return nil, invalid("Expected object, received " + kindName(jsontext.Value{byte(k)}))
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, notJSON(err)
	}
	for d.PeekKind() != '}' {
		t, err := d.ReadToken()
		if err != nil {
			return nil, notJSON(err)
		}
		name := t.String()
		v, err := d.ReadValue()
		if err != nil {
			return nil, notJSON(err)
		}
		if right := misspelt(name, known); right != "" {
			return nil, invalid(fmt.Sprintf("%q: write this argument as %q", name, right))
		}
		f.values[name] = bytes.Clone(v)
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, notJSON(err)
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, invalid("something follows the arguments' object")
	}
	return f, nil
}

func notJSON(err error) error {
	if errors.Is(err, jsontext.ErrDuplicateName) {
		return invalid(fmt.Sprintf("an argument is given twice (%v)", err))
	}
	return invalid(fmt.Sprintf("the arguments are not JSON (%v)", err))
}

// misspelt returns the known name that name differs from only by case, in any alphabet, or "".
func misspelt(name string, known []string) string {
	for _, k := range known {
		if name == k {
			return ""
		}
		if strings.EqualFold(name, k) {
			return k
		}
	}
	return ""
}

// err is what is wrong with the fields asked for so far, as Copilot's own tools say it.
func (f *fields) err() error {
	switch len(f.wrong) {
	case 0:
		return nil
	case 1:
		return invalid(f.wrong[0])
	default:
		return invalid("Multiple validation errors:\n- " + strings.Join(f.wrong, "\n- "))
	}
}

func (f *fields) fail(name, format string, args ...any) {
	f.wrong = append(f.wrong, fmt.Sprintf("%q: ", name)+fmt.Sprintf(format, args...))
}

// get returns an argument; null counts as absent, as many models write it for "no value".
func (f *fields) get(name string) (jsontext.Value, bool) {
	v, ok := f.values[name]
	return v, ok && v.Kind() != 'n'
}

func (f *fields) require(names ...string) {
	for _, name := range names {
		if _, ok := f.get(name); !ok {
			f.fail(name, "Required")
		}
	}
}

func (f *fields) text(name string) (s string) {
	if v, ok := f.get(name); ok && (v.Kind() != '"' || json.Unmarshal(v, &s) != nil) {
		f.fail(name, "Expected string, received %s", kindName(v))
	}
	return s
}

func (f *fields) flag(name string) (b bool) {
	if v, ok := f.get(name); ok && json.Unmarshal(v, &b) != nil {
		f.fail(name, "Expected boolean, received %s", kindName(v))
	}
	return b
}

// number returns def when the argument is absent.
func (f *fields) number(name string, def float64) float64 {
	v, ok := f.get(name)
	if !ok {
		return def
	}
	n, ok := parseNumber(v)
	if !ok {
		f.fail(name, "Expected number, received %s", kindName(v))
	} else if n < 0 {
		f.fail(name, "Expected a number of 0 or more, received %s", v)
	}
	return n
}

// count is a whole number of 0 or more.
func (f *fields) count(name string, def int) int {
	n := f.number(name, float64(def))
	return int(math.Min(math.Ceil(n), MaxCount))
}

// wait is a number of seconds, at most MaxWait.
func (f *fields) wait(name string) time.Duration {
	s := math.Min(f.number(name, 0), MaxWait.Seconds())
	return time.Duration(s * float64(time.Second))
}

// choice returns def when the argument is absent.
func (f *fields) choice(name, def string, allowed ...string) string {
	if _, ok := f.get(name); !ok {
		return def
	}
	before := len(f.wrong)
	s := f.text(name)
	if len(f.wrong) > before {
		return def
	}
	if slices.Contains(allowed, s) {
		return s
	}
	f.fail(name, "Invalid enum value. Expected '%s', received '%s'", strings.Join(allowed, "' | '"), s)
	return def
}

// list is one string or an array of strings; empty strings are dropped.
func (f *fields) list(name string) []string {
	v, ok := f.get(name)
	if !ok {
		return nil
	}
	var many []string
	switch v.Kind() {
	case '"':
		many = []string{f.text(name)}
	case '[':
		var items []jsontext.Value
		_ = json.Unmarshal(v, &items) // it has been read as JSON before
		for i, it := range items {
			var s string
			if it.Kind() != '"' || json.Unmarshal(it, &s) != nil {
				f.fail(name+"."+strconv.Itoa(i), "Expected string, received %s", kindName(it))
			}
			many = append(many, s)
		}
	default:
		f.fail(name, "Expected string or array, received %s", kindName(v))
	}
	return slices.DeleteFunc(many, func(s string) bool { return s == "" })
}

// span is a line range. Copilot's own view reads [] as no range and [n] as from n to the end; so does this.
func (f *fields) span(name string) *Range {
	v, ok := f.get(name)
	if !ok {
		return nil
	}
	if v.Kind() != '[' {
		f.fail(name, "Expected array, received %s", kindName(v))
		return nil
	}
	var items []jsontext.Value
	_ = json.Unmarshal(v, &items)
	ends := [2]int{1, -1}
	for i, it := range items {
		n, ok := parseNumber(it)
		switch {
		case !ok:
			f.fail(name+"."+strconv.Itoa(i), "Expected number, received %s", kindName(it))
		case n != math.Trunc(n):
			f.fail(name+"."+strconv.Itoa(i), "Expected integer, received float")
		case i < 2:
			ends[i] = int(math.Max(-MaxCount, math.Min(n, MaxCount)))
		}
	}
	if len(items) == 0 {
		return nil
	}
	return &Range{Start: ends[0], End: ends[1]}
}

func parseNumber(v jsontext.Value) (float64, bool) {
	if v.Kind() != '0' || len(v) > MaxNumber {
		return 0, false
	}
	n, err := strconv.ParseFloat(string(v), 64)
	return n, err == nil
}

func kindName(v jsontext.Value) string {
	switch v.Kind() {
	case '"':
		return "string"
	case '0':
		return "number"
	case 't', 'f':
		return "boolean"
	case '[':
		return "array"
	case '{':
		return "object"
	case 'n':
		return "null"
	}
	return "something that is not JSON"
}
