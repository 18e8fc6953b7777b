package lspfront

import "github.com/copilot-bridge/copilot-bridge/internal/fileuri"

// errNotFile is a URI of something that is no file: an untitled buffer, a notebook cell, a remote document.
var errNotFile = fileuri.ErrNotFile

func pathOf(uri string) (string, error) { return fileuri.Path(uri) }

func uriOf(path string) string { return fileuri.Of(path) }
