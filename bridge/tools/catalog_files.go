package tools

func fileTools() []*tool {
	return []*tool{{
		name: "view", title: "View a file or folder", readOnly: true, run: run1(decodeView, Host.View),
		about: `Shows a text file or lists a folder.
* A file that is open in the editor is shown as it is there, with changes the user has not saved yet.
* The text comes as it is, without line numbers. A file of more than 20 KB needs view_range.
* A folder is answered with the names in it, one a line.
* path is absolute.`,
		schema: `{"type":"object","properties":{
"path":{"type":"string","description":"Absolute path of an existing file or folder."},
"view_range":{"type":"array","items":{"type":"integer"},"description":"First and last line to show, counted from 1, both included, for example [11, 40]. [11, -1] shows from line 11 to the end."},
"forceReadLargeFiles":{"type":"boolean","description":"Show the beginning of a file that is too large instead of refusing it. Default false."}},
"required":["path"]}`,
	}, {
		name: "edit", title: "Edit a file", run: run1(decodeEdit, Host.Edit),
		about: `Replaces one piece of text in a file by another.
* old_str must be in the file exactly once, with every blank and line break as it is there; add lines around it until it is unique.
* The change goes into the editor's buffer if the file is open there, so it is safe while the user is typing.
* Several edits may be made in one response, also in one file, if none of them depends on another: they are done in no particular order.
* path is absolute and the file exists. The user may refuse an edit; the answer then says so.`,
		schema: `{"type":"object","properties":{
"path":{"type":"string","description":"Absolute path of the file to change. It must exist."},
"old_str":{"type":"string","description":"The text to replace, exactly as it is in the file, white space included."},
"new_str":{"type":"string","description":"The text to put there instead. Empty takes old_str out."}},
"required":["path","old_str","new_str"]}`,
	}, {
		name: "create", title: "Create a file", run: run1(decodeCreate, Host.Create),
		about: `Makes a new file with the given text.
* It is an error if the path exists already; use edit to change a file.
* path is absolute.`,
		schema: `{"type":"object","properties":{
"path":{"type":"string","description":"Absolute path of the file to make. It must not exist."},
"file_text":{"type":"string","description":"The whole text of the new file."}},
"required":["path","file_text"]}`,
	}, {
		name: "grep", title: "Search in files", readOnly: true, run: run1(decodeGrep, Host.Grep),
		about: `Searches the text of files for a regular expression, as ripgrep does. Files that are open in the editor are searched with the changes the user has not saved yet; files that git ignores are left out.`,
		schema: `{"type":"object","properties":{
"pattern":{"type":"string","description":"The regular expression to look for."},
"paths":{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}],"description":"A file or folder to search, or an array of them. Left out: the working folder."},
"output_mode":{"type":"string","enum":["content","files_with_matches","count"],"description":"content: the matching lines. files_with_matches: only the files' names (default). count: how many matches each file has."},
"glob":{"type":"string","description":"Only files whose name fits, for example \"*.js\" or \"*.{ts,tsx}\"."},
"type":{"type":"string","description":"Only files of this type, for example js, py, rust, go, java."},
"-i":{"type":"boolean","description":"Ignore case."},
"-A":{"type":"number","description":"Lines to show after each match. Only with content."},
"-B":{"type":"number","description":"Lines to show before each match. Only with content."},
"-C":{"type":"number","description":"Lines to show before and after each match. Only with content."},
"-n":{"type":"boolean","description":"Show line numbers. Only with content."},
"head_limit":{"type":"number","description":"Stop after this many results."},
"multiline":{"type":"boolean","description":"Let the pattern match across lines. Default false."}},
"required":["pattern"]}`,
	}, {
		name: "glob", title: "Find files by name", readOnly: true, run: run1(decodeGlob, Host.Glob),
		about: `Finds files by a glob. A pattern without a slash is for the name, at any depth. New files that are only open in the editor are found too; files that git ignores are left out.`,
		schema: `{"type":"object","properties":{
"pattern":{"type":"string","description":"The glob, for example \"**/*.js\", \"src/**/*.ts\" or \"*.{ts,tsx}\"."},
"paths":{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}],"description":"A folder to look in, or an array of them. Left out: the working folder."}},
"required":["pattern"]}`,
	}}
}
