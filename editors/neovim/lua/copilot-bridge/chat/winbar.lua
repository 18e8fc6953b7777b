-- The bars above the chat's windows: what the session is set to and how full its context is; what goes on and which
-- keys there are. They are plain strings that are set when something has changed, so they cost nothing to redraw.

local config = require("copilot-bridge.chat.config_of")
local icons = require("copilot-bridge.chat.icons")
local tool = require("copilot-bridge.chat.tool")

local M = {}

local function esc(text)
  return (tostring(text):gsub("[%c]", " "):gsub("%%", "%%%%"))
end

local function group(name, text)
  return ("%%#%s#%s%%*"):format(name, esc(text))
end

---@param n integer tokens
local function tokens(n)
  if n >= 1000000 then
    return ("%.1fM"):format(n / 1000000)
  elseif n >= 10000 then
    return ("%dk"):format(math.floor(n / 1000 + 0.5))
  elseif n >= 1000 then
    return ("%.1fk"):format(n / 1000)
  end
  return tostring(n)
end

-- chosen is the name of what an option is set to.
local function chosen(option)
  if type(option.currentValue) == "boolean" then
    return option.currentValue and "on" or "off"
  end
  local function search(list)
    for _, o in ipairs(list or {}) do
      if o.options then
        local found = search(o.options)
        if found then
          return found
        end
      elseif o.value == option.currentValue then
        return o.name
      end
    end
  end
  return search(option.options) or tostring(option.currentValue)
end

---@param s copilot-bridge.Session
---@return string? mode
function M.mode(s)
  local modes = s.modes
  if type(modes) == "table" then
    for _, m in ipairs(modes.availableModes or {}) do
      if m.id == modes.currentModeId then
        return m.name
      end
    end
  end
end

-- What is allowed without a question, in a word; nil where the usual rules hold.
---@param chat copilot-bridge.Chat
---@return string?
function M.open_door(chat)
  local s = chat:session()
  for _, o in ipairs(s and s.configOptions or {}) do
    if o.id == "allow_all" and (o.currentValue == "on" or o.currentValue == true) then
      return "ALLOW ALL"
    end
  end
  local ok, cfg = pcall(require, "copilot-bridge.config")
  local rules = ok and vim.tbl_get(cfg.get(), "init_options", "permission", "rules") or {}
  for _, list in ipairs({ rules, chat.rules or {} }) do
    for _, r in ipairs(list) do
      if r.decision == "allow" and (r.tool == "shell" or r.tool == "*") and type(r.argv) == "table" and r.argv[1] == "*" then
        return "ALL COMMANDS ALLOWED"
      end
    end
  end
end

---@param chat copilot-bridge.Chat
---@return string
function M.transcript(chat)
  local s = chat:session()
  local left = { group("CopilotBridgeChatBarText", " " .. (s and s.title and s.title ~= "" and s.title or chat:agent())) }
  local right = {}
  if s then
    local mode = M.mode(s)
    if mode then
      right[#right + 1] = group("CopilotBridgeChatBarDim", mode)
    end
    for _, o in ipairs(s.configOptions or {}) do
      if o.category == "model" then
        right[#right + 1] = group("CopilotBridgeChatBarDim", chosen(o))
      end
    end
    if s.context and s.context.size and s.context.size > 0 then
      local part = s.context.used / s.context.size
      local name = part > 0.9 and "CopilotBridgeChatWarn" or "CopilotBridgeChatBarDim"
      right[#right + 1] = group(name, ("%d%% of %s"):format(math.floor(part * 100 + 0.5), tokens(s.context.size)))
    end
  end
  local door = M.open_door(chat)
  if door then
    table.insert(right, 1, group("CopilotBridgeChatAllowAll", door))
  end
  return left[1] .. "%<%=" .. table.concat(right, " · ") .. " "
end

local function seconds(ms)
  local s = math.floor(ms / 1000)
  return s < 60 and ("%ds"):format(s) or ("%dm%02ds"):format(math.floor(s / 60), s % 60)
end

-- What runs: the newest tool call without an end, else what the agent does.
local function doing(chat)
  local list = chat.model.blocks
  for i = #list, math.max(1, #list - 20), -1 do
    local b = list[i]
    if b.kind == "tool" and tool.running(b) then
      local w = tool.words(b, chat:cwd())
      return vim.trim(w.verb .. " " .. w.target:gsub("\n.*", " …"))
    end
  end
  local last = list[#list]
  return last and last.kind == "thought" and last.open and "thinking" or last and last.kind == "agent" and "writing" or "working"
end

---@param chat copilot-bridge.Chat
---@return string
function M.input(chat)
  local signs = icons.get(config.get())
  local s, m = chat:session(), chat.model
  local state, keys
  if chat.editing then
    state, keys = group("CopilotBridgeChatInfo", " editing a prompt that waits"), "<CR> put it back · <C-c> leave it"
  elseif chat.waiting then
    state = group("CopilotBridgeChatWarn", " " .. signs.warn .. " asks: " .. chat.waiting)
    keys = ":CopilotBridge permissions"
  elseif m.turn then
    local since = m.began and seconds(vim.uv.now() - m.began) or ""
    state = group("CopilotBridgeChatRunning", " " .. signs.running .. " " .. since) .. group("CopilotBridgeChatBarDim", " " .. doing(chat))
    keys = config.get().while_busy == "steer" and "<CR> steer · <C-c> stop" or "<CR> queue · g<CR> steer · <C-c> stop"
  elseif #chat.sending > 0 then
    state, keys = group("CopilotBridgeChatRunning", " " .. signs.running .. " starting the agent"), ""
  elseif s and s.status and (s.status.kind == "error" or s.status.kind == "signedOut") then
    state, keys = group("CopilotBridgeChatError", " " .. signs.failed .. " " .. s.status.message), ""
  else
    state, keys = group("CopilotBridgeChatBarDim", " " .. signs.done .. " ready"), "<CR> send · @ context · / commands"
  end
  return state .. "%<%=" .. group("CopilotBridgeChatHint", keys) .. " "
end

return M
