-- The bars above the chat's windows: what the session is set to and how full its context is; what goes on and which
-- keys there are. They are plain strings that are set when something has changed, so they cost nothing to redraw.

local config = require("copilot-bridge.chat.config_of")
local icons = require("copilot-bridge.chat.icons")
local tool = require("copilot-bridge.chat.tool")

local M = {}

local BETWEEN = " · "
-- Columns that are left of a title at least.
local LEAST_TITLE = 8
-- The part of the context from which on it is a warning, shown before the mode and the model.
local NEARLY_FULL = 0.9

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

-- How much is asked, as the bar has it: what asks less than the usual stands out.
---@param s copilot-bridge.Session
---@return {[1]: string, [2]: string}?
function M.level(s)
  local levels = s.level and require("copilot-bridge.session").levels(s) or {}
  for i, level in ipairs(levels) do
    if level.id == s.level then
      local colour = i == #levels and "CopilotBridgeChatAllowAll"
        or i > 2 and "CopilotBridgeChatWarn"
        or "CopilotBridgeChatBarDim"
      return { colour, level.name }
    end
  end
end

-- Because of what less is asked than usual, in a word; nil where the usual rules hold.
---@param chat copilot-bridge.Chat
---@return string?
function M.relaxed(chat)
  local s = chat:session()
  local first = s and s.relaxed and s.relaxed[1]
  return first and first.label:upper()
end

-- fit puts as many of the words at the right as there is room for; the last ones go first.
---@param left string[][] {group, text}
---@param right string[][]
---@param between string
---@param width integer
---@return string
local function fit(left, right, between, width)
  local used, out, some = 2, {}, false
  for _, part in ipairs(left) do
    used = used + vim.fn.strdisplaywidth(part[2])
    out[#out + 1] = group(part[1], part[2])
  end
  out[#out + 1] = "%<%="
  for _, part in ipairs(right) do
    local needs = vim.fn.strdisplaywidth(part[2]) + (some and vim.fn.strdisplaywidth(between) or 0)
    if used + needs > width then
      break
    end
    out[#out + 1] = (some and group("CopilotBridgeChatBarDim", between) or "") .. group(part[1], part[2])
    used, some = used + needs, true
  end
  return table.concat(out) .. " "
end

---@param chat copilot-bridge.Chat
---@param width integer of the window
---@return string
function M.transcript(chat, width)
  local s = chat:session()
  local title = s and s.title and s.title ~= "" and s.title or chat:agent()
  local right = {}
  if s then
    local level = M.level(s)
    if level then
      right[#right + 1] = level
    end
    local mode = M.mode(s)
    if mode then
      right[#right + 1] = { "CopilotBridgeChatBarDim", mode }
    end
    for _, o in ipairs(s.configOptions or {}) do
      if o.category == "model" then
        right[#right + 1] = { "CopilotBridgeChatBarDim", chosen(o) }
      end
    end
    if s.context and s.context.size and s.context.size > 0 then
      local part = s.context.used / s.context.size
      local words = ("%d%% of %s"):format(math.floor(part * 100 + 0.5), tokens(s.context.size))
      if part > NEARLY_FULL then
        table.insert(right, 1, { "CopilotBridgeChatWarn", words })
      else
        right[#right + 1] = { "CopilotBridgeChatBarDim", words }
      end
    end
  end
  local relaxed = M.relaxed(chat)
  if relaxed then
    table.insert(right, 1, { "CopilotBridgeChatAllowAll", icons.get(config.get()).warn .. " " .. relaxed })
  end
  -- What is set matters more than the title, which has the room that is left.
  local room = width - 3 -- a space at either end and one between
  local least = math.min(LEAST_TITLE, vim.fn.strdisplaywidth(title))
  for i, part in ipairs(right) do
    local needs = vim.fn.strdisplaywidth(part[2]) + (i > 1 and vim.fn.strdisplaywidth(BETWEEN) or 0)
    if room - needs < least then
      break
    end
    room = room - needs
  end
  return fit(
    { { "CopilotBridgeChatBarText", " " .. require("copilot-bridge.text").cut(title, math.max(room, least)) } },
    right,
    BETWEEN,
    width
  )
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
  return last and last.kind == "thought" and last.open and "Thinking"
    or last and last.kind == "agent" and "Writing"
    or "Working"
end

-- Why a prompt would not get to the agent, as far as it is known.
---@param chat copilot-bridge.Chat
---@return string?
local function trouble(chat)
  local s, client = chat:session(), require("copilot-bridge.client")
  local link = client.link(s and s.root or client.root())
  if link and link.down then
    return "The bridge is down: " .. link.down
  end
  for _, status in ipairs({ s and s.status or {}, link and link.status or {} }) do
    if status.kind == "error" or status.kind == "signedOut" then
      return status.message
    end
  end
  if not link then
    local _, err = require("copilot-bridge.binary").command()
    return err
  end
end

-- Whether the user writes in the input, where <CR> begins a line and not every key is there.
---@param chat copilot-bridge.Chat
---@return boolean
local function inserting(chat)
  return vim.api.nvim_get_current_buf() == chat.input.buf and vim.fn.mode():sub(1, 1) == "i"
end

---@param chat copilot-bridge.Chat
---@param width integer of the window
---@return string
function M.input(chat, width)
  local signs = icons.get(config.get())
  local m, wrong = chat.model, nil
  local left, keys
  local insert = inserting(chat)
  local send = insert and "<C-s>" or "<CR>"
  local leave = insert and "<Esc> <C-c>" or "<C-c>"
  if chat.editing then
    left, keys = { { "CopilotBridgeChatInfo", " Editing a queued prompt" } }, { send .. " save", leave .. " cancel" }
  elseif chat.waiting then
    left, keys =
      { { "CopilotBridgeChatWarn", " " .. signs.warn .. " asks: " .. chat.waiting } }, { ":CopilotBridge answer" }
  elseif m.turn then
    local since = m.began and seconds(vim.uv.now() - m.began) or ""
    left = {
      { "CopilotBridgeChatRunning", " " .. signs.running .. " " .. since },
      { "CopilotBridgeChatBarDim", " " .. doing(chat) },
    }
    keys = config.get().while_busy == "steer" and { leave .. " stop", send .. " steer" }
      or { leave .. " stop", send .. " queue", (insert and "<M-CR>" or "g<CR>") .. " steer" }
  elseif chat.opening then
    left, keys = { { "CopilotBridgeChatRunning", " " .. signs.running .. " " .. chat.opening } }, {}
  elseif #chat.sending > 0 then
    left, keys = { { "CopilotBridgeChatRunning", " " .. signs.running .. " Starting the agent" } }, {}
  else
    wrong = trouble(chat)
  end
  if wrong then
    left, keys = { { "CopilotBridgeChatError", " " .. signs.failed .. " " .. wrong } }, {}
  elseif not left then
    left, keys =
      { { "CopilotBridgeChatBarDim", " " .. signs.done .. " Ready" } },
      { send .. " send", "@ context", "/ commands", (insert and "<Esc> " or "") .. "g? keys" }
  end
  for i, chip in ipairs(chat.chips) do
    table.insert(left, i, { "CopilotBridgeChatChip", " " .. chip.label .. " " })
  end
  if #chat.chips > 0 and not insert then
    table.insert(keys, 1, "gx remove")
  end
  local right = vim.tbl_map(function(key)
    return { "CopilotBridgeChatBarDim", key }
  end, keys)
  return fit(left, right, BETWEEN, width)
end

return M
