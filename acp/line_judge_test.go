package acp

import (
	"bytes"
	stdjson "encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestJudge(t *testing.T) {
	deep := strings.Repeat("[", maxNesting) + strings.Repeat("]", maxNesting)
	long := strings.Repeat("1", maxNumber+1)
	tests := []struct {
		name, line string
		kind       lineKind
		code       int
		id         string // "" is null or none
	}{
		{"notification", `{"jsonrpc":"2.0","method":"m","params":{}}`, lineNotification, 0, ""},
		{"notification without params", `{"jsonrpc":"2.0","method":"m"}`, lineNotification, 0, ""},
		{"notification with null params", `{"jsonrpc":"2.0","method":"m","params":null}`, lineNotification, 0, ""},
		{"unknown members are allowed", `{"jsonrpc":"2.0","method":"m","x":1,"x":2,"iD2":3}`, lineNotification, 0, ""},
		{"request", `{"jsonrpc":"2.0","id":1,"method":"m","params":[]}`, lineRequest, 0, "1"},
		{"request with id 0", `{"jsonrpc":"2.0","id":0,"method":"m"}`, lineRequest, 0, "0"},
		{"request with a negative id", `{"jsonrpc":"2.0","id":-5,"method":"m"}`, lineRequest, 0, "-5"},
		{"request with minus zero", `{"jsonrpc":"2.0","id":-0,"method":"m"}`, lineRequest, 0, "-0"},
		{"request with 2^53+1", `{"jsonrpc":"2.0","id":9007199254740993,"method":"m"}`, lineRequest, 0, "9007199254740993"},
		{"request with the largest id", `{"jsonrpc":"2.0","id":9223372036854775807,"method":"m"}`, lineRequest, 0, "9223372036854775807"},
		{"request with a string id", `{"jsonrpc":"2.0","id":"a\u0062","method":"m"}`, lineRequest, 0, `"a\u0062"`},
		{"response", `{"jsonrpc":"2.0","id":1,"result":null}`, lineResponse, 0, "1"},
		{"error response", `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}`, lineResponse, 0, "1"},
		{"error response to nobody", `{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}`, lineResponse, 0, "null"},

		{"blank", "", lineBlank, 0, ""},
		{"white space", " \t\r", lineBlank, 0, ""},
		{"byte order mark alone", "\xef\xbb\xbf", lineBlank, 0, ""},
		{"carriage return at the end", "{\"jsonrpc\":\"2.0\",\"method\":\"m\"}\r", lineNotification, 0, ""},
		{"byte order mark before a message", "\xef\xbb\xbf{\"jsonrpc\":\"2.0\",\"method\":\"m\"}", lineNotification, 0, ""},
		{"spaces around a message", "  {\"jsonrpc\":\"2.0\",\"method\":\"m\"}\t ", lineNotification, 0, ""},

		{"text", "Starting up...", lineStray, 0, ""},
		{"text in brackets", "[info] started", lineStray, 0, ""},
		{"text in braces", "{started}", lineStray, 0, ""},
		{"scalar", "42", lineStray, 0, ""},
		{"string", `"jsonrpc"`, lineStray, 0, ""},
		{"zero bytes", "\x00\x00\x00", lineStray, 0, ""},
		{"zero bytes before a message", "\x00{\"jsonrpc\":\"2.0\",\"method\":\"m\"}", lineStray, 0, ""},
		{"colour codes around a message", "\x1b[1m{\"jsonrpc\":\"2.0\",\"method\":\"m\"}\x1b[0m", lineStray, 0, ""},
		{"text glued to a message", `log{"jsonrpc":"2.0","method":"m"}`, lineStray, 0, ""},
		{"text that is no UTF-8", "\xff\xfe", lineStray, 0, ""},
		{"JSON log in no UTF-8", "{\"msg\":\"\xff\"}", lineStray, 0, ""},
		{"JSON log", `{"level":"info","msg":"x"}`, lineStray, 0, ""},
		{"JSON log with id and method", `{"level":"info","id":7,"method":"fs/read_text_file"}`, lineStray, 0, ""},
		{"JSON log with id and result", `{"id":1,"result":{}}`, lineStray, 0, ""},
		{"empty object", `{}`, lineStray, 0, ""},
		{"id alone", `{"id":1}`, lineStray, 0, ""},

		{"batch", `[{"jsonrpc":"2.0","id":1,"method":"m"}]`, lineBroken, CodeInvalidRequest, ""},
		{"empty batch", `[]`, lineBroken, CodeInvalidRequest, ""},
		{"array", `[1,2,3]`, lineBroken, CodeInvalidRequest, ""},
		{"broken batch", `[{"jsonrpc":"2.0"`, lineBroken, CodeParse, ""},

		{"cut message", `{"jsonrpc":"2.0","id":1,"method":"m"`, lineBroken, CodeParse, ""},
		{"two messages on a line", `{"jsonrpc":"2.0","method":"m"}{"jsonrpc":"2.0","method":"m"}`, lineBroken, CodeParse, ""},
		{"colour codes behind a message", "{\"jsonrpc\":\"2.0\",\"method\":\"m\"}\x1b[0m", lineBroken, CodeParse, ""},
		{"tab in a string", "{\"jsonrpc\":\"2.0\",\"method\":\"a\tb\"}", lineBroken, CodeParse, ""},
		{"zero byte in a string", "{\"jsonrpc\":\"2.0\",\"method\":\"a\x00b\"}", lineBroken, CodeParse, ""},
		{"bad escape", `{"jsonrpc":"2.0","method":"\x"}`, lineBroken, CodeParse, ""},
		{"not a number", `{"jsonrpc":"2.0","method":"m","params":{"a":NaN}}`, lineBroken, CodeParse, ""},
		{"number with a leading zero", `{"jsonrpc":"2.0","id":01,"method":"m"}`, lineBroken, CodeParse, ""},
		{"trailing comma", `{"jsonrpc":"2.0","method":"m",}`, lineBroken, CodeParse, ""},
		{"stray byte", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":{\"a\":\"\xff\"}}", lineBroken, CodeParse, ""},
		{"overlong encoding", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xc0\xaf\"}", lineBroken, CodeParse, ""},
		{"encoded surrogate", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xed\xa0\x80\"}", lineBroken, CodeParse, ""},
		{"cut rune", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xe2\x82\"}", lineBroken, CodeParse, ""},
		{"beyond Unicode", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xf4\x90\x80\x80\"}", lineBroken, CodeParse, ""},
		{"escaped lone surrogate is JSON", `{"jsonrpc":"2.0","method":"m","params":{"a":"\ud800"}}`, lineNotification, 0, ""},

		{"fraction as id", `{"jsonrpc":"2.0","id":1.0,"method":"m"}`, lineBroken, CodeInvalidRequest, "1.0"},
		{"exponent as id", `{"jsonrpc":"2.0","id":1e400,"method":"m"}`, lineBroken, CodeInvalidRequest, "1e400"},
		{"id over 64 bits", `{"jsonrpc":"2.0","id":9223372036854775808,"method":"m"}`, lineBroken, CodeInvalidRequest, "9223372036854775808"},
		{"null as id", `{"jsonrpc":"2.0","id":null,"method":"m"}`, lineBroken, CodeInvalidRequest, ""},
		{"object as id", `{"jsonrpc":"2.0","id":{},"method":"m"}`, lineBroken, CodeInvalidRequest, ""},
		{"array as id", `{"jsonrpc":"2.0","id":[1],"method":"m"}`, lineBroken, CodeInvalidRequest, ""},
		{"boolean as id", `{"jsonrpc":"2.0","id":true,"method":"m"}`, lineBroken, CodeInvalidRequest, ""},
		{"very long id", `{"jsonrpc":"2.0","id":"` + strings.Repeat("x", maxID) + `","method":"m"}`, lineBroken, CodeInvalidRequest, ""},

		{"two methods", `{"jsonrpc":"2.0","id":1,"method":"a","method":"b"}`, lineBroken, CodeInvalidRequest, "1"},
		{"two ids", `{"jsonrpc":"2.0","id":1,"method":"a","id":2}`, lineBroken, CodeInvalidRequest, ""},
		{"two params", `{"jsonrpc":"2.0","id":1,"method":"a","params":{},"params":{}}`, lineBroken, CodeInvalidRequest, "1"},
		{"two methods in a notification", `{"jsonrpc":"2.0","method":"a","method":"b"}`, lineBroken, CodeInvalidRequest, ""},
		{"method in capitals", `{"jsonrpc":"2.0","id":1,"Method":"a"}`, lineBroken, CodeInvalidRequest, "1"},
		{"second method in capitals", `{"jsonrpc":"2.0","id":1,"method":"a","METHOD":"b"}`, lineBroken, CodeInvalidRequest, "1"},
		{"id in capitals", `{"jsonrpc":"2.0","ID":1,"method":"a"}`, lineBroken, CodeInvalidRequest, ""},
		{"params in capitals", `{"jsonrpc":"2.0","id":1,"method":"a","Params":{}}`, lineBroken, CodeInvalidRequest, "1"},
		{"params with a long s", `{"jsonrpc":"2.0","id":1,"method":"a","paramſ":{}}`, lineBroken, CodeInvalidRequest, "1"},
		{"method escaped", `{"jsonrpc":"2.0","id":1,"m\u0065thod":"a"}`, lineBroken, CodeInvalidRequest, "1"},
		{"method escaped whole", `{"jsonrpc":"2.0","id":1,"\u006d\u0065\u0074\u0068\u006f\u0064":"a"}`, lineBroken, CodeInvalidRequest, "1"},
		{"jsonrpc in capitals", `{"JSONRPC":"2.0","id":1,"method":"a"}`, lineBroken, CodeInvalidRequest, "1"},
		{"two results", `{"jsonrpc":"2.0","id":1,"result":1,"result":2}`, lineRefused, 0, "1"},
		{"result in capitals", `{"jsonrpc":"2.0","id":1,"result":1,"Result":2}`, lineRefused, 0, "1"},

		{"old version", `{"jsonrpc":"1.0","id":1,"method":"m"}`, lineBroken, CodeInvalidRequest, "1"},
		{"version as a number", `{"jsonrpc":2.0,"id":1,"method":"m"}`, lineBroken, CodeInvalidRequest, "1"},
		{"method as a number", `{"jsonrpc":"2.0","id":1,"method":1}`, lineBroken, CodeInvalidRequest, "1"},
		{"method and result", `{"jsonrpc":"2.0","id":1,"method":"m","result":{}}`, lineBroken, CodeInvalidRequest, "1"},
		{"params as a string", `{"jsonrpc":"2.0","id":1,"method":"m","params":"x"}`, lineBroken, CodeInvalidParams, "1"},
		{"notification with scalar params", `{"jsonrpc":"2.0","method":"m","params":1}`, lineRefused, 0, ""},
		{"version alone", `{"jsonrpc":"2.0"}`, lineRefused, 0, ""},
		{"version and id", `{"jsonrpc":"2.0","id":1}`, lineRefused, 0, "1"},
		{"result and error", `{"jsonrpc":"2.0","id":1,"result":{},"error":{}}`, lineRefused, 0, "1"},
		{"result and null error", `{"jsonrpc":"2.0","id":1,"result":{},"error":null}`, lineRefused, 0, "1"},
		{"response without id", `{"jsonrpc":"2.0","result":{}}`, lineRefused, 0, ""},
		{"response of an old version", `{"jsonrpc":"1.0","id":1,"result":{}}`, lineRefused, 0, "1"},

		{"deep enough", `{"jsonrpc":"2.0","id":1,"method":"m","params":` + deep[1:len(deep)-1] + `}`, lineRequest, 0, "1"},
		{"too deep", `{"jsonrpc":"2.0","id":1,"method":"m","params":` + deep + `}`, lineBroken, CodeInvalidRequest, "1"},
		{"too deep, id last", `{"jsonrpc":"2.0","method":"m","params":` + deep + `,"id":"x"}`, lineBroken, CodeInvalidRequest, `"x"`},
		{"too deep notification", `{"jsonrpc":"2.0","method":"m","params":` + deep + `}`, lineRefused, 0, ""},
		{"too deep response", `{"jsonrpc":"2.0","id":3,"result":` + deep + `}`, lineLost, 0, "3"},
		{"much too deep", `{"jsonrpc":"2.0","id":1,"method":"m","params":` + strings.Repeat("[", 1_000_000) + `}`, lineBroken, CodeInvalidRequest, "1"},
		{"deep log", strings.Repeat("[", 1000) + strings.Repeat("]", 1000), lineStray, 0, ""},
		{"too many keys", `{"jsonrpc":"2.0","id":1,"method":"m","params":{` + strings.Repeat(`"a":0,`, maxKeys) + `"b":1}}`, lineBroken, CodeInvalidRequest, "1"},
		{"too many members", `{"jsonrpc":"2.0","id":1,"method":"m",` + strings.Repeat(`"a":0,`, maxKeys) + `"b":1}`, lineBroken, CodeInvalidRequest, "1"},
		{"too long a number", `{"jsonrpc":"2.0","id":1,"method":"m","params":[` + long + `]}`, lineBroken, CodeInvalidRequest, "1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var e envelope
			v := judge([]byte(test.line), &e)
			if v.kind != test.kind || v.code != test.code || string(v.id) != test.id {
				t.Errorf("got kind %d code %d id %q (%s), want kind %d code %d id %q",
					v.kind, v.code, v.id, v.reason, test.kind, test.code, test.id)
			}
		})
	}
}

// FuzzJudge compares with a reference that knows nothing of spans and tricks.
func FuzzJudge(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":[1,-2.5e+3,"x\n\u00e9",true,false,null]}}`,
		`{"jsonrpc":"2.0","id":"a","result":{}}`, `{"jsonrpc":"2.0","id":1,"id":2,"method":"m"}`,
		`{"JSONRPC":"2.0","\u0069d":1}`, `[1]`, `{"a":1}`, "{\"jsonrpc\":\"2.0\xff\"}", `{"jsonrpc":"2.0","method":"m"} x`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if bytes.IndexByte(line, '\n') >= 0 {
			return
		}
		var e envelope
		v := judge(line, &e)
		if v.reason == faultDepth.String() || v.reason == faultKeys.String() || v.reason == faultNumber.String() ||
			strings.HasPrefix(v.reason, "message refused: ") {
			return // the limits have a table
		}
		if want := referenceKind(line); v.kind != want {
			t.Errorf("%q: got %d (%s), want %d", line, v.kind, v.reason, want)
		}
		if v.kind == lineRequest && !stdjson.Valid(v.id) {
			t.Errorf("%q: id %q", line, v.id)
		}
	})
}

func referenceKind(line []byte) lineKind {
	text := strings.Trim(strings.TrimPrefix(string(line), "\ufeff"), " \t\r\n")
	claims := strings.Contains(text, `"jsonrpc"`)
	switch {
	case text == "":
		return lineBlank
	case text[0] != '{' && text[0] != '[':
		return lineStray
	case !utf8.ValidString(text) || !stdjson.Valid([]byte(text)):
		if claims {
			return lineBroken
		}
		return lineStray
	case text[0] == '[':
		return lineBroken
	}
	return referenceObject(text)
}

// referenceObject reads the members one by one with the standard library.
func referenceObject(text string) lineKind {
	dec := stdjson.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	_, _ = dec.Token()
	exact := map[string]stdjson.RawMessage{}
	doubt := map[string]bool{}
	for dec.More() {
		before := dec.InputOffset()
		token, _ := dec.Token()
		spelling := strings.Trim(text[before:dec.InputOffset()], " \t\r\n,")
		name := token.(string)
		var value stdjson.RawMessage
		_ = dec.Decode(&value)
		for _, known := range []string{"jsonrpc", "id", "method", "params", "result", "error"} {
			if !strings.EqualFold(name, known) {
				continue
			}
			if _, twice := exact[known]; twice || spelling != `"`+known+`"` {
				doubt[known] = true
			} else {
				exact[known] = value
			}
		}
	}
	has := func(name string) bool { _, ok := exact[name]; return ok }
	starts := func(name, with string) bool {
		return has(name) && strings.ContainsAny(string(exact[name][:1]), with)
	}
	switch {
	case !has("jsonrpc") && !doubt["jsonrpc"]:
		return lineStray
	case !has("method") && !doubt["method"]:
		switch {
		case len(doubt) > 0 && !has("result") && !has("error"):
			return lineBroken
		case len(doubt) > 0, string(exact["jsonrpc"]) != `"2.0"`, has("result") == has("error"), !has("id"):
			return lineRefused
		}
		return lineResponse
	case len(doubt) > 0, string(exact["jsonrpc"]) != `"2.0"`, has("result"), has("error"), !starts("method", `"`):
		return lineBroken
	case !has("id"):
		if has("params") && !starts("params", "{[n") {
			return lineRefused
		}
		return lineNotification
	}
	var number int64
	integer := stdjson.Unmarshal(exact["id"], &number) == nil && !starts("id", "n")
	if len(exact["id"]) > maxID || !starts("id", `"`) && !integer || has("params") && !starts("params", "{[n") {
		return lineBroken
	}
	return lineRequest
}

// TestRealTrafficIsLetThrough: nothing that real agents and clients have sent is
// taken for noise.
func TestRealTrafficIsLetThrough(t *testing.T) {
	files, err := filepath.Glob("../testdata/recordings/*.ndjson")
	if err != nil || len(files) == 0 {
		t.Fatal("no recordings", err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
			var record struct{ Msg stdjson.RawMessage }
			if err := stdjson.Unmarshal(line, &record); err != nil {
				t.Fatalf("%s:%d: %v", name, i+1, err)
			}
			var e envelope
			if v := judge(record.Msg, &e); v.kind > lineResponse {
				t.Errorf("%s:%d: %s: %.200s", name, i+1, v.reason, record.Msg)
			}
		}
	}
}
