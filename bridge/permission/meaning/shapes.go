package meaning

// role is what a member of a tool's input says. What a role takes is decided by [inputReader.take].
type role int

const (
	isNote    role = iota + 1 // changes nothing that is judged: a description, a mode
	isCount                   // likewise, and is a number, a yes or no, or some numbers: a time limit, lines to read
	isCommand                 // a line for the shell, or the words of a command
	isSame                    // a list that holds the command once more, and nothing else
	isDir                     // the folder of the command
	isPath                    // a file
	isText                    // the whole new text of it
	isOld                     // the text that is replaced
	isNew                     // and what by
	isEvery                   // whether every occurrence is
	isPatch                   // a patch, whose headers name files
	isPattern                 // a pattern that is looked for below a folder
	isParsed                  // what the agent makes of the command; nothing is judged by it
)

type fields map[string]role

// shape is one form that the input of an agent's tool has. Names are compared letter by letter.
type shape struct {
	from string // who sends it, and where that was seen
	must fields
	may  fields
}

// shapes are the inputs that are wholly understood, each with its source: the recordings of real agents (testdata/recordings
// has them), or the declarations of the tools in the package of that version. What is in no shape always asks.
var shapes = []shape{
	{"Copilot CLI 1.0.102, question about a command (copilot.ndjson)", fields{"command": isCommand}, fields{"commands": isSame}},
	{"Copilot CLI 1.0.102, bash (copilot.ndjson, the tool's declaration)", fields{"command": isCommand}, fields{
		"description": isNote, "mode": isNote, "initial_wait": isCount, "sessionId": isNote, "shellId": isNote, "detach": isCount}},
	{"Copilot CLI 1.0.102, question about a change (copilot.ndjson)", fields{"fileName": isPath}, fields{"diff": isPatch}},
	{"Copilot CLI 1.0.102, edit (copilot.ndjson)", fields{"path": isPath}, fields{"old_str": isOld, "new_str": isNew}},
	{"Copilot CLI 1.0.102, create (copilot.ndjson)", fields{"path": isPath, "file_text": isText}, nil},
	{"Copilot CLI 1.0.102, view (the tool's declaration)", fields{"path": isPath}, fields{"view_range": isCount, "forceReadLargeFiles": isCount}},
	{"Copilot CLI with hosted models, apply_patch", fields{"patch": isPatch}, nil},
	{"codex apply_patch", fields{"input": isPatch}, nil},

	{"opencode 1.18.33, bash and its question (opencode.ndjson)", fields{"command": isCommand}, fields{
		"description": isNote, "timeout": isCount, "cwd": isDir, "workdir": isDir}},
	{"opencode 1.18.33, bash before its input is known (opencode.ndjson)", fields{"cwd": isDir}, nil},
	{"opencode 1.18.33, question about a change (opencode.ndjson)", fields{"filepath": isPath}, fields{"diff": isPatch}},
	{"opencode 1.18.33, edit (opencode.ndjson)", fields{"filePath": isPath, "oldString": isOld, "newString": isNew}, fields{"replaceAll": isEvery}},
	{"opencode 1.18.33, write (opencode.ndjson)", fields{"filePath": isPath, "content": isText}, nil},
	{"opencode 1.18.33, read (opencode.ndjson)", fields{"filePath": isPath}, fields{"offset": isCount, "limit": isCount}},

	{"qwen-code 0.24.4 and gemini-cli 0.61.0, shell (qwen-code.ndjson)", fields{"command": isCommand}, fields{
		"description": isNote, "is_background": isCount, "timeout": isCount, "directory": isDir, "dir_path": isDir}},
	{"qwen-code 0.24.4, gemini-cli 0.61.0 and Claude Code, edit (qwen-code.ndjson, claude-code-acp-0.16.ndjson)",
		fields{"file_path": isPath, "old_string": isOld, "new_string": isNew},
		fields{"replace_all": isEvery, "allow_multiple": isEvery, "expected_replacements": isCount, "instruction": isNote}},
	{"the same, write (qwen-code.ndjson, claude-code-acp-0.16.ndjson)", fields{"file_path": isPath, "content": isText}, nil},
	{"the same, read (qwen-code.ndjson, claude-code-acp-0.16.ndjson)", fields{"file_path": isPath}, fields{"offset": isCount, "limit": isCount, "pages": isNote}},
	{"Claude Code, Bash (claude-code-acp-0.16.ndjson, claude-agent-acp 0.100.0)", fields{"command": isCommand}, fields{
		"description": isNote, "timeout": isCount, "run_in_background": isCount}},
	{"Claude Code, qwen-code and gemini-cli, searches", fields{"pattern": isPattern}, fields{
		"path": isPath, "dir_path": isPath, "glob": isPattern, "include": isPattern, "type": isNote, "output_mode": isNote, "head_limit": isCount, "limit": isCount,
		"multiline": isCount, "case_sensitive": isCount, "-i": isCount, "-n": isCount, "-A": isCount, "-B": isCount, "-C": isCount}},

	{"codex-acp 2.6.0, question about a command (CommandReporter)", fields{"command": isCommand}, fields{"cwd": isDir}},
	{"codex-acp 0.16.0 of Zed, question about a command (ExecApprovalRequestEvent)", fields{"command": isCommand, "parsed_cmd": isParsed}, fields{
		"cwd": isDir, "call_id": isNote, "turn_id": isNote, "approval_id": isNote, "reason": isNote}},

	{"kimi-code 2.1.0, Bash (BashInputSchema)", fields{"command": isCommand}, fields{
		"cwd": isDir, "timeout": isCount, "description": isNote, "run_in_background": isCount, "disable_timeout": isCount}},
	{"kimi-code 2.1.0, Edit (EditInputSchema)", fields{"path": isPath, "old_string": isOld, "new_string": isNew}, fields{"replace_all": isEvery}},
	{"kimi-code 2.1.0, Read (ReadInputSchema)", fields{"path": isPath}, fields{"line_offset": isCount, "column_offset": isCount, "n_lines": isCount, "max_chars": isCount}},

	{"the example agent of the ACP SDK 0.28.1, write (sdk-example.ndjson)", fields{"path": isPath, "content": isText}, nil},
}
