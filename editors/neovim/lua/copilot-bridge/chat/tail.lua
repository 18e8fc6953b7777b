-- What stands below a conversation: prompts that are on their way or wait, and a prompt that was cut off and can be sent
-- again. Each line knows what can be done with it.

local config = require("copilot-bridge.chat.config_of")
local icons = require("copilot-bridge.chat.icons")

local M = {}

---@class copilot-bridge.TailAction
---@field kind "queued"|"interrupted"|"sending"
---@field turn string?
---@field text string

local function first_line(text)
  local line = vim.trim(text):match("^[^\n]*") or ""
  return #vim.trim(text) > #line and line .. " …" or line
end

---@param chat copilot-bridge.Chat
---@param previous boolean whether anything stands above
---@return copilot-bridge.Drawn
function M.draw(chat, previous)
  local d = { lines = {}, marks = {}, links = {}, actions = {}, head = 0 }
  local signs = icons.get(config.get())
  local function line(text, group, action, keys)
    local row = #d.lines
    d.lines[row + 1] = text
    if #text > 0 then
      d.marks[#d.marks + 1] = { row, 0, { end_col = #text, hl_group = group, priority = 150 } }
    end
    if keys then
      d.marks[#d.marks + 1] =
        { row, 0, { virt_text = { { "  " .. keys, "CopilotBridgeChatHint" } }, virt_text_pos = "eol" } }
    end
    d.actions[row] = action
  end
  local m, s = chat.model, chat:session()
  local queue = s and s.queue or {}
  local steering = m.steering and m.turn and not m.steering.told and m.steering
  if previous and (m.interrupted or #chat.sending > 0 or #queue > 0 or steering) then
    line("", "Normal")
  end
  local cut = m.interrupted
  if cut and not m.turn then
    local action = { kind = "interrupted", text = cut.prompt, turn = cut.turn }
    line(signs.warn .. " " .. cut.text:gsub("\n", " "), "CopilotBridgeChatWarn", action)
    line("  " .. first_line(cut.prompt), "CopilotBridgeChatQueued", action, "<CR> send again · x dismiss")
  end
  if steering then
    line(
      signs.queued .. " Will be passed on after the current tool: " .. first_line(table.concat(steering.lines, "\n")),
      "CopilotBridgeChatQueued"
    )
  end
  if #queue > 0 then
    line(("%s %d queued"):format(signs.queued, #queue), "CopilotBridgeChatQueued", nil, "<CR> edit · x remove")
    for i, q in ipairs(queue) do
      line(
        ("  %d  %s"):format(i, first_line(q.text)),
        "CopilotBridgeChatQueued",
        { kind = "queued", turn = q.turnId, text = q.text }
      )
    end
  end
  for _, p in ipairs(chat.sending) do
    if not p.known then
      line(
        signs.queued .. " " .. first_line(p.text),
        "CopilotBridgeChatQueued",
        { kind = "sending", text = p.text },
        "sending"
      )
    end
  end
  return d
end

return M
