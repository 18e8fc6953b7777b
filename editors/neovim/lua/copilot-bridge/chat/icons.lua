-- Signs for states. No special font is needed: the Unicode ones are in every terminal's, each one column wide.

local M = {}

---@class copilot-bridge.ChatIcons
M.unicode = {
  pending = "○",
  running = "●",
  done = "✓",
  failed = "✗",
  cancelled = "⊘",
  open = "▾",
  closed = "▸",
  bar = "▎",
  thought = "∴",
  plan = "≡",
  warn = "▲",
  info = "•",
  queued = "…",
  minus = "−",
  rule = "─",
}

---@type copilot-bridge.ChatIcons
M.ascii = {
  pending = "o",
  running = "*",
  done = "+",
  failed = "x",
  cancelled = "-",
  open = "v",
  closed = ">",
  bar = "|",
  thought = "~",
  plan = "=",
  warn = "!",
  info = "i",
  queued = ".",
  minus = "-",
  rule = "-",
}

---@param config copilot-bridge.ChatConfig
---@return copilot-bridge.ChatIcons
function M.get(config)
  return setmetatable(config.signs or {}, { __index = config.icons == "ascii" and M.ascii or M.unicode })
end

return M
