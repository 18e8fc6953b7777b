package tools

func shellTools() []*tool {
	return []*tool{{
		name: "bash", title: "Run a command", run: runBash,
		about: `Runs a command in Bash and returns what it wrote, standard output and error together, and its exit code.
* Changes made with edit are saved before the command runs.
* mode "sync" (default) waits for the command, at most initial_wait seconds; then the answer has the output so far and the command goes on. Use read_bash to wait on, stop_bash to end it. Give 120 or more to a build or a test run.
* mode "async" returns at once; use it for servers and watchers.
* A shellId keeps its working folder and environment from one call to the next; without one a command starts afresh in the working folder.
* There is no terminal: a command that asks for input reads its end. Use flags such as --yes and --no-pager.
* The user may refuse a command; the answer then says so.`,
		schema: `{"type":"object","properties":{
"command":{"type":"string","description":"The command line for Bash."},
"description":{"type":"string","description":"In at most 100 characters, what the command is for; the user sees it, for example \"Run the unit tests\"."},
"shellId":{"type":"string","description":"A name for this shell, for read_bash and stop_bash, and to go on in the same folder and environment. Left out: a new shell."},
"mode":{"type":"string","enum":["sync","async"],"description":"sync waits for the command (default), async leaves it in the background."},
"detach":{"type":"boolean","description":"Taken and without effect: every command ends with its session, also a detached one. Tell the user how to start what is to outlive it."},
"initial_wait":{"type":"number","description":"Only with sync: seconds to wait before the command is left to run on. Default 30, at most 600."}},
"required":["command","description"]}`,
	}, {
		name: "read_bash", title: "Read a command's output", readOnly: true, run: run1(decodeReadBash, Host.ReadBash),
		about: `Reads what a command started with bash has written so far, and whether it has ended. Waits at most delay seconds, less if the command ends.`,
		schema: `{"type":"object","properties":{
"shellId":{"type":"string","description":"The shellId that bash gave or was given."},
"delay":{"type":"number","description":"Seconds to wait at most. 120 or more to wait for the end, 5 to have a look."}},
"required":["shellId","delay"]}`,
	}, {
		name: "stop_bash", title: "Stop a command", run: run1(decodeStopBash, Host.StopBash),
		about: `Ends a command started with bash, with every process it has started.`,
		schema: `{"type":"object","properties":{
"shellId":{"type":"string","description":"The shellId that bash gave or was given."}},
"required":["shellId"]}`,
	}, {
		name: "list_bash", title: "List shells", readOnly: true, run: run0(Host.ListBash),
		about:  `Lists the shells of this session: shellId, process, mode, whether the command still runs, and whether there is output that read_bash has not returned.`,
		schema: `{"type":"object","properties":{}}`,
	}}
}
