package lspfront

import (
	"context"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/protocol"

	"github.com/copilot-bridge/copilot-bridge/bridge/lspfront/plain"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// client is what the editor said of itself. It is fixed once initialize has been answered.
type client struct {
	name    string
	folders []string // absolute
	enc     text.Encoding

	plain.Abilities
	applyEdit, configuration, showDocument, codeLens, virtualDocs, documentChanges bool
}

// extension is capabilities.experimental.copilotBridge: which concerns the editor takes over (docs/dev/protocol.md).
type extension struct {
	Version     int  `json:"version"`
	Updates     bool `json:"updates"`
	Permission  bool `json:"permission"`
	Review      bool `json:"review"`
	Input       bool `json:"input"`
	Terminal    bool `json:"terminal"`
	Save        bool `json:"save"`
	Diagnostics bool `json:"diagnostics"`
	Focus       bool `json:"focus"`
	Status      bool `json:"status"`
	Language    bool `json:"language"`
}

// initialize answers with what the server can do. It starts nothing.
func initialize(_ context.Context, s *server, raw jsontext.Value) (any, error) {
	var p protocol.InitializeParams
	if err := protocol.Unmarshal(raw, &p); err != nil {
		return nil, invalid("initialize: " + err.Error())
	}
	s.client = readClient(&p)
	var ext extension
	var exp struct {
		CopilotBridge jsontext.Value `json:"copilotBridge"`
	}
	if len(p.Capabilities.Experimental) > 0 && json.Unmarshal(p.Capabilities.Experimental, &exp) == nil && len(exp.CopilotBridge) > 0 {
		_ = json.Unmarshal(exp.CopilotBridge, &ext) // a part that cannot be read stays plain
	}
	s.config.set(p.InitializationOptions, &ext)
	s.tiers.set(ext)
	if p.ProcessID != nil {
		s.watchProcess(int(*p.ProcessID))
	}
	s.phase.Store(phaseRunning)
	return s.capabilities(), nil
}

func readClient(p *protocol.InitializeParams) client {
	c := client{name: p.ClientInfo.Name, enc: text.UTF16}
	if g := p.Capabilities.General; g != nil && slices.Contains(g.PositionEncodings, protocol.PositionEncodingKindUTF8) {
		c.enc = text.UTF8
	}
	if w := p.Capabilities.Workspace; w != nil {
		c.applyEdit = isTrue(w.ApplyEdit)
		c.configuration = isTrue(w.Configuration)
		c.virtualDocs = w.TextDocumentContent != nil
		c.LensRefresh = w.CodeLens != nil && isTrue(w.CodeLens.RefreshSupport)
		if e := w.WorkspaceEdit; e != nil {
			// Neovim handles documentChanges without saying so; the resource operations give it away.
			c.documentChanges = isTrue(e.DocumentChanges) || len(e.ResourceOperations) > 0
		}
	}
	if t := p.Capabilities.TextDocument; t != nil {
		c.codeLens = t.CodeLens != nil
	}
	if w := p.Capabilities.Window; w != nil {
		c.Progress = isTrue(w.WorkDoneProgress)
		c.Messages = w.ShowMessage != nil
		c.showDocument = w.ShowDocument != nil && w.ShowDocument.Support
	}
	if folders, ok := p.WorkspaceFolders.Get(); ok {
		for _, f := range folders {
			if path, err := pathOf(string(f.URI)); err == nil {
				c.folders = append(c.folders, path)
			}
		}
	}
	if len(c.folders) == 0 && p.RootURI != nil {
		if path, err := pathOf(string(*p.RootURI)); err == nil {
			c.folders = append(c.folders, path)
		}
	}
	return c
}

func isTrue(b *bool) bool { return b != nil && *b }

// capabilities are the server's (docs/dev/protocol.md, start).
func (s *server) capabilities() *protocol.InitializeResult {
	yes, no, inc := true, false, protocol.TextDocumentSyncKindIncremental
	enc := protocol.PositionEncodingKindUTF16
	if s.client.enc == text.UTF8 {
		enc = protocol.PositionEncodingKindUTF8
	}
	caps := protocol.ServerCapabilities{
		PositionEncoding: enc,
		TextDocumentSync: &protocol.TextDocumentSyncOptions{OpenClose: &yes, Change: &inc, Save: &protocol.SaveOptions{IncludeText: &no}},
		CodeActionProvider: &protocol.CodeActionOptions{
			CodeActionKinds: []protocol.CodeActionKind{protocol.CodeActionKindQuickFix, protocol.CodeActionKindRefactorRewrite, kindSource},
		},
		ExecuteCommandProvider: protocol.ExecuteCommandOptions{Commands: []string{}},
		HoverProvider:          protocol.Boolean(true),
		Workspace: &protocol.WorkspaceOptions{WorkspaceFolders: &protocol.WorkspaceFoldersServerCapabilities{
			Supported: &yes, ChangeNotifications: protocol.Boolean(true),
		}, FileOperations: fileOperations()},
	}
	if s.config.get().RegisterCommands {
		caps.ExecuteCommandProvider.Commands = commandNames()
	}
	if s.client.codeLens {
		caps.CodeLensProvider = &protocol.CodeLensOptions{}
	}
	if s.client.virtualDocs {
		caps.Workspace.TextDocumentContent = &protocol.TextDocumentContentOptions{Schemes: []string{scheme}}
	}
	exp := map[string]any{"copilotBridge": map[string]any{"version": 1, "methods": customMethods(), "levels": wireLevels(), "notifications": s.config.get().Notifications}}
	if raw, err := json.Marshal(exp, json.Deterministic(true)); err == nil {
		caps.Experimental = raw
	}
	return &protocol.InitializeResult{Capabilities: caps, ServerInfo: protocol.ServerInfo{Name: "copilot-bridge", Version: protocol.NewOptional(s.o.Version)}}
}

// initialized is the editor's word that it is ready to be asked.
func initialized(s *server, _ jsontext.Value) error {
	s.work.Go(func() {
		s.fetchConfiguration()
		s.lendBuffers()
		s.plain.Took(plain.Review) // what a bridge before this one left to review
	})
	return nil
}

// shutdownCall ends the work; the answer tells the editor that it is done.
func shutdownCall(_ context.Context, s *server, _ jsontext.Value) (any, error) {
	s.phase.Store(phaseShutdown)
	return jsontext.Value("null"), nil
}
