package lspfront

import (
	"go.lsp.dev/protocol"

	"github.com/copilot-bridge/copilot-bridge/bridge"
)

// What the user does to files and folders in the editor (LSP 3.18, workspace/did*Files), by the editor's explorer or a plugin for
// it. URIs are read as the editor writes them; what is no file is of no interest.

// fileOperations asks to be told of all files and folders.
func fileOperations() *protocol.FileOperationOptions {
	all := protocol.FileOperationRegistrationOptions{Filters: []protocol.FileOperationFilter{
		{Scheme: new("file"), Pattern: protocol.FileOperationPattern{Glob: "**"}},
	}}
	return &protocol.FileOperationOptions{DidCreate: all, DidRename: all, DidDelete: all}
}

// filesParams are those of all three notifications.
type filesParams struct {
	Files []struct {
		URI    string `json:"uri"`
		OldURI string `json:"oldUri"`
		NewURI string `json:"newUri"`
	} `json:"files"`
}

func didCreateFiles(s *server, p filesParams) error {
	return s.eachFile(p, func(b *bridge.Bridge, path, _, _ string) { b.FileCreated(path) })
}

func didDeleteFiles(s *server, p filesParams) error {
	return s.eachFile(p, func(b *bridge.Bridge, path, _, _ string) { b.FileDeleted(path) })
}

func didRenameFiles(s *server, p filesParams) error {
	return s.eachFile(p, func(b *bridge.Bridge, _, from, to string) {
		if from != "" && to != "" {
			b.FileRenamed(from, to)
		}
	})
}

// eachFile runs do with the canonical paths of each file that a notification names, "" for none.
func (s *server) eachFile(p filesParams, do func(b *bridge.Bridge, path, from, to string)) error {
	b, err := s.Bridge()
	if err != nil {
		return err
	}
	path := func(uri string) string {
		p, err := s.docs.path(uri)
		if err != nil {
			return ""
		}
		return p
	}
	for _, f := range p.Files {
		do(b, path(f.URI), path(f.OldURI), path(f.NewURI))
	}
	return nil
}
