package tools

func editorTools() []*tool {
	return []*tool{{
		name: "diagnostics", title: "Errors and warnings in the editor", readOnly: true, run: run1(decodeDiagnostics, Host.Diagnostics),
		about: `Lists the errors and warnings that the editor shows, from its language servers: file, line, message. Cheaper than running a compiler, and it knows of changes that are not saved.`,
		schema: `{"type":"object","properties":{
"path":{"type":"string","description":"Absolute path of one file. Left out: every file the editor has something to say about."}}}`,
	}, {
		name: "selection", title: "What the user is looking at", readOnly: true, run: run0(Host.Selection),
		about:  `Tells which file the user has in front of them, where the cursor is, and what text is selected. Use it when the user says "this", "here" or "the selected code".`,
		schema: `{"type":"object","properties":{}}`,
	}}
}
