package copilot

// Quirks are those ways of a version of Copilot CLI that are asked for by name. See the table for what each means.
type Quirks struct {
	DropsEmbeddedText bool
	NoPermissionAsked bool
	NoOwnProvider     bool
	TooOld            bool
}

// Quirk is one row of the table: what holds from a version (included) to another (not included; zero: it still does).
type Quirk struct {
	Name   string
	From   Version
	Until  Version
	Reason string
	set    func(*Quirks) // nil for what is only told
}

func release(major, minor, patch int) Version {
	return Version{Major: major, Minor: minor, Patch: patch}
}

func build(major, minor, patch int, pre string) Version { return Version{major, minor, patch, pre} }

// table is every quirk there is. Where no beginning is given, none is known; what has no end was seen in 1.0.102.
func table() []Quirk {
	return []Quirk{
		{Name: "IgnoresClientFS", Reason: "it reads and writes the disk itself and never calls fs/* or terminal/*, so it needs the editor tools to see unsaved text"},
		{Name: "DropsEmbeddedText", Reason: "the text of a resource block in a prompt is dropped and the file is read from disk; only a text block carries unsaved text",
			set: func(q *Quirks) { q.DropsEmbeddedText = true }},
		{Name: "StdioMCPDropped", Reason: "a stdio MCP server in session/new is dropped with a line in its log; --additional-mcp-config is the way"},
		{Name: "PlanDoesNotStopMCP", Reason: "plan mode stops its own tools but not those of MCP servers, so the bridge refuses edits and commands there itself"},
		{Name: "FinalUpdateReplacesContent", Reason: "the last update of an MCP call has content of its own, which replaces what was sent before: a diff must be in that one"},
		{Name: "PromptAborts", Reason: "a second session/prompt aborts the first, so prompts are queued"},
		{Name: "RejectEndsTurn", Reason: "reject_once ends the turn before the model learns of it; a refusal inside an editor tool lets it go on"},
		{Name: "CancelLeavesOwnTurns", Reason: "session/cancel does not end a turn that it has begun by itself (/after, /every); a prompt does, so it is sent one that asks no model"},
		{Name: "OwnTurnsEndSilently", Reason: "over ACP nothing says that a turn is over that it has begun by itself; its log of the session, events.jsonl, does"},
		{Name: "CancelLeavesCallsOpen", Reason: "after session/cancel the open tool calls get no last update, and a later load replays them as pending"},
		{Name: "AllowAlwaysIsWide", Reason: "allow_always for one edit allows every later write of the session, hooks and the temp folder included, so it is never sent"},
		{Name: "StaleAuth", Reason: "a running process does not notice a login: it has to be started again"},
		{Name: "NoPermissionAsked", From: build(1, 0, 81, "2"), Until: release(1, 0, 83), // 1.0.81, 1.0.82 and 1.0.83-2 were tried
			Reason: "from 1.0.81-2 until 1.0.83 it writes files and runs commands without asking (github/copilot-cli#4537)",
			set:    func(q *Quirks) { q.NoPermissionAsked = true }},
		{Name: "AllowAllSticks", From: release(1, 0, 39), Until: build(1, 0, 81, "1"),
			Reason: "turning allow_all off reports success and may leave everything allowed (its changelog, 1.0.81)"},
		{Name: "NoSessionClose", Until: build(1, 0, 78, "0"), Reason: "it has no session/close, so a session that lost its editor tools needs a new process"},
		{Name: "NoOwnProvider", Until: release(1, 0, 78), // 1.0.75 refuses, 1.0.78 takes it; of 1.0.77 there is none for Linux
			Reason: "before 1.0.78 it takes no model of your own (COPILOT_PROVIDER_BASE_URL) in ACP mode, and wants a login (github/copilot-cli#4016)",
			set:    func(q *Quirks) { q.NoOwnProvider = true }},
		{Name: "TCPForEverybody", Until: build(1, 0, 26, "0"), Reason: "--acp --port listens on every address, without a password"},
		{Name: "TooOld", Until: build(1, 0, 60, "0"), Reason: "in ACP mode it ignores --excluded-tools, so it would go on writing past the editor tools; update it",
			set: func(q *Quirks) { q.TooOld = true }},
	}
}

// QuirksOf says what holds for a version. An unknown version is taken for a new one.
func QuirksOf(v Version) Quirks {
	var q Quirks
	for _, row := range List(v) {
		if row.set != nil {
			row.set(&q)
		}
	}
	return q
}

// List are the rows of the table that hold for a version, in its order.
func List(v Version) []Quirk {
	var rows []Quirk
	for _, row := range table() {
		if row.holds(v) {
			rows = append(rows, row)
		}
	}
	return rows
}

func (row Quirk) holds(v Version) bool {
	if !v.Known() {
		return !row.Until.Known()
	}
	return v.Compare(row.From) >= 0 && (!row.Until.Known() || v.Compare(row.Until) < 0)
}
