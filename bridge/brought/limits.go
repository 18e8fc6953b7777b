package brought

const (
	// maxFile is the largest file that is read; hooks and agents have some KB. Copilot reads larger ones too, so they ask.
	maxFile = 1 << 20

	// maxBytes bounds what is read for one list, which is made for each prompt.
	maxBytes = 16 << 20

	// maxEntries bounds the entries of folders that are looked at for one list: some 100 ms.
	maxEntries = 50_000

	// maxWide is the same for the session's folder and those above it, which may hold anything: some 300 ms.
	maxWide = 1_000_000

	// maxDepth is how many folders deep a tree is followed. Copilot goes on to 150 and more; nobody nests so deep.
	maxDepth = 64

	// maxFiles is how many files are listed by name. More cannot be judged by a reader.
	maxFiles = 100

	// maxShown and maxLine bound what is shown of one file: its lines, and the characters of each.
	maxShown = 50
	maxLine  = 2_000
)
