// Package brought lists what a workspace brings along that Copilot CLI starts or sends by itself, without a question: hooks, MCP
// and language servers, those of custom agents, settings that have such in them, and texts for the model that a symbolic link
// takes from somewhere else.
//
// [Find] is the only way to that list. It looks at more than one version of Copilot does rather than less: in every folder from
// the session's up to the top of the file system, by the names and by the real paths, through links and at any depth, whatever
// .git stands in between. Nothing is left out in silence: what cannot be read or understood is on the list, as is the bound that
// was hit.
//
// What Copilot looks at was measured with 1.0.102 (TestE2ECopilotStartsNothingUnasked has each place).
package brought
