package review

const (
	// MaxImage is the longest text (bytes, before or after) whose change can be
	// undone. A change of a longer one is listed without undo: its image would
	// cost more memory and journal than reviewing it by hunks is worth.
	MaxImage = 32 << 20

	// MaxJournal bounds the journal of one workspace on disk. Beyond it the
	// oldest turns lose their undo, which is said (Config.Notice).
	MaxJournal = 256 << 20

	// MaxTurns bounds how many turns back kept and undone hunks are remembered.
	// Pending hunks are never dropped for their age.
	MaxTurns = 100

	// MaxIdle bounds the text (bytes) of files that are only remembered because
	// hunks in them were kept or undone. Beyond it, the oldest turns let go of theirs
	// when a new one starts.
	MaxIdle = 64 << 20

	// MaxMarks bounds the kept and undone hunks remembered in one file; every
	// keystroke in the file has to move them.
	MaxMarks = 1000

	// maxPasts bounds the texts of one file that are known again when an editor's undo or redo brings them back: as many steps
	// of undo in which hunks went. Each costs its hunks and marks, not its text.
	maxPasts = 16

	// maxShed bounds the hunks that are looked for one by one in a text that was found: each costs a comparison of the whole
	// text. With more, what is found is compared like typing.
	maxShed = 100

	// MaxJournals bounds how many bridges can have a journal for one workspace
	// at the same time.
	MaxJournals = 16

	// maxTaken bounds the journals that are remembered as taken over. Each is there
	// only until its file is gone, which is the next thing that happens.
	maxTaken = 4 * MaxJournals

	// MaxUndoneText is the longest piece (bytes) of one undone hunk that is
	// repeated to the agent; it has written the text and can do with the start.
	MaxUndoneText = 2 << 10

	// MaxUndoneBlock bounds all that TakeUndone says at once (bytes): it stands
	// before the user's prompt and must not push it out of the model's sight.
	MaxUndoneBlock = 16 << 10

	// MaxCommentText is the longest comment (bytes): more is a document, which belongs into a prompt.
	MaxCommentText = 8 << 10

	// maxComments bounds the comments that wait in one workspace; all of them become one prompt.
	maxComments = 200

	// maxNotes bounds the undone hunks that wait for the next prompt of a session.
	maxNotes = 200

	// maxRecord is the longest record a journal can hold (bytes). JSON makes six
	// bytes of a control character; a change holds at most two images.
	maxRecord = 12*MaxImage + 1<<20
)
