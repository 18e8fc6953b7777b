-- The chat's settings, `chat` in require("copilot-bridge").setup({}). What is not set is as here.

---@class copilot-bridge.ChatConfig
return {
  -- Where the chat opens: "right", "left", "top", "bottom", "tab".
  position = "right",
  -- Of the editor's columns or lines; a number over 1 is columns or lines.
  width = 0.42,
  height = 0.45,
  -- Lines of the input: it grows with its text from the one to the other.
  input_height = { 3, 12 },
  -- Milliseconds between two redraws while text comes in. Twenty-five a second is as smooth as text gets.
  redraw_ms = 40,
  -- Messages, tool calls and the like that are drawn when a session is opened; older ones come as you scroll up.
  recent = 100,
  -- Lines of a running command's output that are shown, and of a text or a diff that has ended.
  terminal_lines = 10,
  max_lines = 400,
  -- A tool call's diff or the output of a failed command with at most so many lines is not folded.
  unfolded_lines = 12,
  -- What <CR> does while a turn runs: "queue" the prompt behind it, or "steer" the turn with it.
  while_busy = "queue",
  -- Offer completions as you type @ and /.
  complete = true,
  -- "unicode" or "ascii"; `signs` replaces single ones of them, by the names in chat/icons.lua.
  icons = "unicode",
  signs = {},
  -- Buffer-local keys; false for none of them (map <Plug>(copilot-bridge-chat-…) yourself).
  keys = true,
}
