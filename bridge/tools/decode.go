package tools

func decodeView(f *fields) ViewArgs {
	f.require("path")
	return ViewArgs{Path: f.text("path"), Range: f.span("view_range"), Force: f.flag("forceReadLargeFiles")}
}

func decodeEdit(f *fields) EditArgs {
	f.require("path", "old_str", "new_str")
	return EditArgs{Path: f.text("path"), Old: f.text("old_str"), New: f.text("new_str")}
}

func decodeCreate(f *fields) CreateArgs {
	f.require("path", "file_text")
	return CreateArgs{Path: f.text("path"), Text: f.text("file_text")}
}

func decodeGrep(f *fields) GrepArgs {
	f.require("pattern")
	around := f.count("-C", 0)
	return GrepArgs{
		Pattern: f.text("pattern"),
		Paths:   f.list("paths"),
		Mode: GrepMode(f.choice("output_mode", string(GrepFiles),
			string(GrepContent), string(GrepFiles), string(GrepCount))),
		Glob:        f.text("glob"),
		Type:        f.text("type"),
		IgnoreCase:  f.flag("-i"),
		Before:      f.count("-B", around),
		After:       f.count("-A", around),
		LineNumbers: f.flag("-n"),
		HeadLimit:   f.count("head_limit", 0),
		Multiline:   f.flag("multiline"),
	}
}

func decodeGlob(f *fields) GlobArgs {
	f.require("pattern")
	return GlobArgs{Pattern: f.text("pattern"), Paths: f.list("paths")}
}

// decodeBash does not insist on the description: a command without one is still a command.
func decodeBash(f *fields) BashArgs {
	f.require("command")
	return BashArgs{
		Command:     f.text("command"),
		Description: f.text("description"),
		ShellID:     f.text("shellId"),
		Mode:        BashMode(f.choice("mode", string(BashSync), string(BashSync), string(BashAsync))),
		Detach:      f.flag("detach"),
		InitialWait: f.wait("initial_wait"),
	}
}

func decodeReadBash(f *fields) ReadBashArgs {
	f.require("shellId")
	return ReadBashArgs{ShellID: f.text("shellId"), Delay: f.wait("delay")}
}

func decodeStopBash(f *fields) StopBashArgs {
	f.require("shellId")
	return StopBashArgs{ShellID: f.text("shellId")}
}

func decodeDiagnostics(f *fields) DiagnosticsArgs { return DiagnosticsArgs{Path: f.text("path")} }
