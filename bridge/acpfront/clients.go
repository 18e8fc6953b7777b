package acpfront

import (
	"slices"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// diskReaders are the clients that are known to answer fs/read_text_file from the disk and to carry fs/write_text_file out
// in a buffer, over whatever was typed there. Their fs counts as the disk. Others of the kind are found out, see
// fsproxy.Remote.
//
// CodeCompanion.nvim to 19.22, all of which call themselves 1.0.0: in lua/codecompanion/interactions/chat/acp/fs.lua read_text_file
// opens the file, and write_text_file writes to its buffer.
var diskReaders = []string{"CodeCompanion.nvim"} // by clientInfo.name

func readsDisk(p *acp.InitializeRequest) bool {
	return p.ClientInfo != nil && slices.ContainsFunc(diskReaders, func(name string) bool { return strings.EqualFold(name, p.ClientInfo.Name) })
}

// missingWords are what clients say of a file that is not there, with codes that may mean anything else as well; see
// TestFilesAreCreatedInEveryClient for who says what. They are believed where the disk has no such file either.
var missingWords = []string{"enoent", "no such file", "file not found", "resource not found", "does not exist", "nosuchfile"}

func saysMissing(e *acp.Error) bool {
	said := strings.ToLower(e.Message + " " + string(e.Data))
	return slices.ContainsFunc(missingWords, func(words string) bool { return strings.Contains(said, words) })
}
