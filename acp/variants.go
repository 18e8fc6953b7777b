package acp

import "github.com/go-json-experiment/json/jsontext"

// Other spellings that agents, clients and documents are known to use for members of the protocol. Each is read only
// where the real one is not there, never in strict decoding, and never written.
//
// A respelt method is asked for members that its type does not know; it consumes those that it understands. respeltHas says
// whether a required member came in another spelling.

var _ jsontext.Value

func (v *AgentCapabilities) respelt(d *decoder) bool { return false }
func (v *AgentCapabilities) respeltHas(string) bool  { return false }

func (v *AuthMethodAgent) respelt(d *decoder) bool { return false }
func (v *AuthMethodAgent) respeltHas(string) bool  { return false }

func (v *AuthMethodTerminal) respelt(d *decoder) bool { return false }
func (v *AuthMethodTerminal) respeltHas(string) bool  { return false }

func (v *CurrentModeUpdate) respelt(d *decoder) bool { return false }
func (v *CurrentModeUpdate) respeltHas(string) bool  { return false }

func (v *InitializeRequest) respelt(d *decoder) bool { return false }
func (v *InitializeRequest) respeltHas(string) bool  { return false }

func (v *InitializeResponse) respelt(d *decoder) bool { return false }
func (v *InitializeResponse) respeltHas(string) bool  { return false }

func (v *Plan) respelt(d *decoder) bool { return false }
func (v *Plan) respeltHas(string) bool  { return false }

func (v *PlanEntry) respelt(d *decoder) bool { return false }
func (v *PlanEntry) respeltHas(string) bool  { return false }

func (v *PromptCapabilities) respelt(d *decoder) bool { return false }
func (v *PromptCapabilities) respeltHas(string) bool  { return false }

func (v *RequestPermissionRequest) respelt(d *decoder) bool { return false }
func (v *RequestPermissionRequest) respeltHas(string) bool  { return false }

func (v *RequestPermissionResponse) respelt(d *decoder) bool { return false }
func (v *RequestPermissionResponse) respeltHas(string) bool  { return false }

func (v *SessionConfigSelectGroup) respelt(d *decoder) bool { return false }
func (v *SessionConfigSelectGroup) respeltHas(string) bool  { return false }

func (v *SessionConfigSelectOption) respelt(d *decoder) bool { return false }
func (v *SessionConfigSelectOption) respeltHas(string) bool  { return false }

func (v *SetSessionModeResponse) respelt(d *decoder) bool { return false }
func (v *SetSessionModeResponse) respeltHas(string) bool  { return false }

func (v *TerminalOutputResponse) respelt(d *decoder) bool { return false }
func (v *TerminalOutputResponse) respeltHas(string) bool  { return false }

func (v *ToolCall) respelt(d *decoder) bool { return false }
func (v *ToolCall) respeltHas(string) bool  { return false }

func (v *ToolCallUpdate) respelt(d *decoder) bool { return false }
func (v *ToolCallUpdate) respeltHas(string) bool  { return false }

func (v *WaitForTerminalExitResponse) respelt(d *decoder) bool { return false }
func (v *WaitForTerminalExitResponse) respeltHas(string) bool  { return false }

func respeltToolCallContent(d *decoder, kind string, to *ToolCallContent) bool { return false }

func (v *SessionConfigSelectOption) decodeLoose(d *decoder) { v.decode(d) }
