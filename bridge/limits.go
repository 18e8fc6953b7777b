package bridge

import "time"

const (
	// offerAfter is how often the ACP server may fail, with no turn between, before another way is offered.
	offerAfter = 3

	// maxTurnsQueued bounds the prompts that wait in one session; more is a script gone wild.
	maxTurnsQueued = 100

	// bindWait is how long a tool call waits for its session: Copilot starts the editor tools before it has answered
	// session/new.
	bindWait = 30 * time.Second

	// matchWait is how long a tool call waits for the ACP tool call it belongs to; both come from the same process
	// on two connections.
	matchWait = 150 * time.Millisecond

	// maxGrepLines and maxGrepFiles bound what a search keeps. A result of 20 KB shows some hundred lines; what is
	// over it is counted, and a search for "." in a large tree must not hold the tree.
	maxGrepLines = 20_000
	maxGrepFiles = 20_000

	// vanishedTime and maxVanishedNames bound the search for a file with pending changes that another program moved: somebody
	// waits for the list of changes meanwhile.
	vanishedTime     = time.Second
	maxVanishedNames = 50_000

	// maxGrepAsked is for how many files with matches a search asks an editor that does not tell of its buffers.
	maxGrepAsked = 50

	// maxStarted and maxStartedSize bound what is kept of the disk for files that the agent has asked about in a turn, so that
	// its write can be merged. An agent asks about a few; a text over the limit is merged from what is known otherwise.
	maxStarted     = 64
	maxStartedSize = 1 << 20

	// maxPattern is the longest regular expression of a search, and maxMatchSteps how much of it, its instructions times the
	// bytes of a file, is done at once, some seconds; what takes more looks whether it is still wanted.
	maxPattern    = 4 << 10
	maxMatchSteps = 250_000_000

	// maxGlobFound bounds what a search for names keeps.
	maxGlobFound = 20_000

	// maxFolderNames is how many names of a folder are shown; more do not fit into a result.
	maxFolderNames = 2_000

	// cancelFirst is how long a cancel may wait for room in the agent's pipe before the turn's tools end without it. Where there
	// is room it does not wait; half a second was not always enough on a machine with ten busy programs for each processor.
	cancelFirst = 2 * time.Second

	// cancelPatience is how long a cancelled turn may go on before the person is told.
	cancelPatience = 10 * time.Second

	// toolsWait is how long the editor tools may take to connect after a session was opened. Copilot says nothing when
	// they never do, and its own tools are switched off then.
	toolsWait = 20 * time.Second

	// maxEarlySessions bounds the sessions of the agent's whose updates are kept before anybody here knows them: few are
	// opened at the same time. An agent that goes on talking of closed ones makes the oldest give way.
	maxEarlySessions = 64

	// maxEarly bounds the updates kept for a session whose session/new has not been answered yet.
	maxEarly = 1024

	// staleConfig is when a configuration for an agent that was being started cannot be needed any more.
	staleConfig = 5 * time.Minute

	// maxPlace is how long a request of the agent may keep what the agent sent after it from the editor. What is asked of
	// the editor is asked within milliseconds.
	maxPlace = time.Second

	// maxWaiting and maxWaitingBytes bound the messages that wait for an editor that does not read as fast as the agent
	// writes, where they must not be merged; the agent then waits as if it wrote to the editor itself.
	maxWaiting      = 512
	maxWaitingBytes = 256 << 10

	// maxForeign and maxForeignBytes bound what is kept of terminals that the agent runs itself.
	maxForeign      = 32
	maxForeignBytes = 256 << 10

	// reconcileAtOnce is how many changes of a command are put on record at the same time; they share the wait for the
	// disk.
	reconcileAtOnce = 32

	// maxRestFolders is how many folders one line names in which more control files have changed.
	maxRestFolders = 8

	// nameBudget is how long the folders of a session are searched for links to a file before a decision about it, and
	// maxNamedFolders how many of them; then the file asks. What was read is kept, so the next search gets further: 1,000
	// folders take 2 ms then, 10,000 some 30 ms.
	nameBudget      = 2 * time.Second
	maxNamedFolders = 200_000

	// maxPointer is the longest file that names a folder to git: a path.
	maxPointer = 4 << 10

	// maxLinkEntries and linkBudget bound the search for the hard links of a file that has several: 50,000 entries take
	// about 100 ms.
	maxLinkEntries = 50_000
	linkBudget     = 500 * time.Millisecond

	// maxProgram is the largest file of the workspace that a remembered command may run; it is read for each question.
	maxProgram = 32 << 20

	// maxPastCalls is how many ids of tool calls a session keeps after their turns; no session known here has had a tenth of it.
	maxPastCalls = 20_000

	// maxPastID is how much is kept of each. Those of real agents have up to 80 bytes.
	maxPastID = 256

	// maxNamedFiles is how much of the files that a command's words name is read for a question; with more of it the command
	// would wait.
	maxNamedFiles = 64 << 20

	// maxBlank is how many blanks in a row a command may hold before a question points it out.
	maxBlank = 8

	// maxSchemaText and maxSchemas bound the search for addresses in a new text.
	maxSchemaText = 1 << 20
	maxSchemas    = 20

	// maxReloads is how often a session is opened anew for one prompt because what the workspace brings along has changed
	// meanwhile.
	maxReloads = 3

	// maxHunks is how many parts of a change can be chosen one by one; nobody picks among more, and each is sent with
	// its text beside the whole. A change of more is a yes or a no.
	maxHunks = 1_000

	// maxLeftOut is how much text of what the person left out is told to the model: what fits into a tool's result.
	maxLeftOut = 12 << 10

	// maxInputDepth is how deep the input of an agent's tool is searched for the files it names; real ones have three levels.
	maxInputDepth = 16

	// maxCallPaths bounds the files that one tool call names: its locations, its changes, the paths in its input, those of a
	// search. A question about more is refused, of anything else the first ones count. The length of each is
	// [fsproxy.MaxPath].
	maxCallPaths = 1_000

	// callPathsBudget is how long the files of one question may be looked at, their other names included; then it is refused.
	callPathsBudget = 5 * time.Second

	// maxGlobs is how many alternatives the braces of one glob may have. They multiply, so a short glob can have millions.
	maxGlobs = 200

	// maxShownInput is how much of an input that is not understood a question shows, its beginning and its end: some screens.
	maxShownInput = 4 << 10

	// maxAskedTexts bounds the texts of files that a question of the agent's compares with what it shows; real ones show a
	// few files.
	maxAskedTexts = 32 << 20

	// maxAskedRead is how long a question of the agent's waits for what the editor has of a file of which the agent shows
	// another picture than the disk; editors answer within milliseconds.
	maxAskedRead = time.Second

	// maxAskedAgain is how often something is asked about that keeps becoming another thing while it is.
	maxAskedAgain = 3

	// maxContextBytes is how much unsaved text of one file goes into a prompt; more is cut with a note, the view tool
	// has the rest.
	maxContextBytes = 64 << 10
)
