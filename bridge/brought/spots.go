package brought

// judge says what a file starts, for the question, and whether it starts anything.
type judge func(b []byte) (lines []string, counts bool)

// spot is where Copilot looks in each folder, by slashes, and which names it takes there. Without a judge it is a text for the
// model.
type spot struct {
	path  string
	deep  bool
	take  func(name string) bool
	judge judge
}

// spots are all those places. Texts are whole files, or of skills and agents the description; what an @import in one of them
// takes from elsewhere is not sent (1.0.102).
func spots() []spot {
	return []spot{
		{".github/hooks", true, ending(".json"), hooks},
		{".github/agents", true, ending(".md"), agent},
		{".claude/agents", true, ending(".md"), agent},
		{".github/copilot", false, ending(".json"), settings},
		{".claude", false, named("settings.json", "settings.local.json"), settings},
		{".github", false, named("mcp.json", "lsp.json"), servers},
		{"", false, named(".mcp.json"), servers},

		{"", false, named("AGENTS.md", "CLAUDE.md", "GEMINI.md"), nil},
		{".github", false, named("copilot-instructions.md"), nil},
		{".github/instructions", true, ending(".md"), nil},
		{".claude", false, named("CLAUDE.md"), nil},
		{".claude/rules", true, ending(".md"), nil},
		{".claude/commands", true, ending(".md"), nil},
		{".github/agents", true, ending(".md"), nil},
		{".claude/agents", true, ending(".md"), nil},
		{".github/skills", true, named("SKILL.md"), nil},
		{".claude/skills", true, named("SKILL.md"), nil},
		{".agents/skills", true, named("SKILL.md"), nil},
	}
}
