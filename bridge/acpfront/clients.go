package acpfront

import (
	"strings"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// diskReaders are the clients that are known to answer fs/read_text_file from the disk and to carry fs/write_text_file out
// in a buffer, over whatever was typed there. Their fs counts as the disk. Others of the kind are found out, see
// fsproxy.Remote.
var diskReaders = []struct {
	name     string // clientInfo.name
	versions string // for which it holds; what they say of themselves tells nothing apart
	source   string // where that is seen
}{
	{"CodeCompanion.nvim", "to 19.22, all of which call themselves 1.0.0", "lua/codecompanion/interactions/chat/acp/fs.lua: read_text_file opens the file, write_text_file writes to its buffer"},
}

func readsDisk(p *acp.InitializeRequest) bool {
	if p.ClientInfo == nil {
		return false
	}
	for _, c := range diskReaders {
		if strings.EqualFold(c.name, p.ClientInfo.Name) {
			return true
		}
	}
	return false
}

// missingWords are what clients say of a file that is not there, with codes that may mean anything else as well; see
// TestFilesAreCreatedInEveryClient for who says what. They are believed where the disk has no such file either.
var missingWords = []string{"enoent", "no such file", "file not found", "resource not found", "does not exist", "nosuchfile"}

func saysMissing(e *acp.Error) bool {
	said := strings.ToLower(e.Message + " " + string(e.Data))
	for _, w := range missingWords {
		if strings.Contains(said, w) {
			return true
		}
	}
	return false
}
