--- What the user hears who does not have the chat before their eyes: how a turn ended and what Copilot said last, and what
--- went wrong on the way. One line each.

local attention = require("copilot-bridge.attention")
local blocks = require("copilot-bridge.chat.blocks")
local config = require("copilot-bridge.config")
local events = require("copilot-bridge.events")
local notify = require("copilot-bridge.notify")

local M = {}

-- Of the answer so much is kept, in bytes: its end is said in one line.
local MAX_TEXT = 4000

-- Events of a session that are left to the chat, or to a question of their own.
local UNTOLD = { turn_interrupted = true, truncation = true }

local started = false
---@type table<string, string> what was said last, by turn
local said = {}

--- Whether this tab page shows the chat of a session.
---@param id string
---@return boolean
function M.in_view(id)
  local chat = package.loaded["copilot-bridge.chat"]
  if not chat then
    return false
  end
  for _, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    local shown = chat.of_buf(vim.api.nvim_win_get_buf(win))
    if shown and shown.id == id then
      return true
    end
  end
  return false
end

--- The last words of an answer, as one line.
---@param text string
---@return string?
local function last_words(text)
  local paragraphs = vim.split(vim.trim(text), "\n%s*\n")
  local last = vim.trim(paragraphs[#paragraphs] or "")
  return last ~= "" and last:gsub("%s+", " ") or nil
end

---@return string?
local function pending()
  local hunks, files = require("copilot-bridge.review").count()
  if hunks == 0 then
    return nil
  end
  local changes = hunks == 1 and "1 change" or hunks .. " changes"
  return changes .. (files > 1 and (" in %d files"):format(files) or "") .. " to review"
end

--- Calls the user back who has gone elsewhere while it ran. Who has stopped it knows.
---@param params copilot-bridge.wire.TurnEnded
local function call_back(params)
  local s = require("copilot-bridge.session").get(params.sessionId)
  if attention.here() or params.stopReason == "cancelled" or s and #s.queue > 0 then
    return
  end
  if config.get().end_bell then
    attention.ring()
  end
  attention.show(params.error and (notify.reason(params.error)) or s and s.title or "Done")
end

---@param params copilot-bridge.wire.TurnEnded
local function ended(params)
  local text = said[params.turnId]
  said[params.turnId] = nil
  call_back(params)
  if M.in_view(params.sessionId) then
    return
  end
  if params.stopReason == "error" or params.error then
    return notify.failed(params.error)
  end
  if params.stopReason == "cancelled" then
    return notify.info("Stopped")
  end
  local parts = {}
  if #(params.files or {}) > 0 then
    parts[1] = pending()
  end
  parts[#parts + 1] = text and last_words(text)
  notify.info(#parts > 0 and table.concat(parts, " · ") or "Done")
end

--- Says what a turn does at the moment, to whoever has no chat in view.
---@param id string
---@param u table ACP tool call
local function progress(id, u)
  if M.in_view(id) or vim.api.nvim_get_mode().mode:find("^[cr]") then
    return
  end
  local s = require("copilot-bridge.session").get(id)
  local call = { title = u.title, tool = u.kind, input = u.rawInput, locations = u.locations }
  call.editor_tool = blocks.remarks(u).tool
  local words = require("copilot-bridge.chat.tool").words(call, s and s.cwd)
  notify.glance(vim.trim("Working: " .. words.verb .. " " .. words.target:gsub("\n.*", " …")))
end

function M.start()
  if started then
    return
  end
  started = true
  attention.start()
  events.on("session/update", function(params)
    local u = params.update
    if params.replay or not params.turnId or not u then
      return
    end
    if
      u.sessionUpdate == "agent_message_chunk"
      and u.content
      and u.content.type == "text"
      and not blocks.remarks(u).notice
    then
      said[params.turnId] = ((said[params.turnId] or "") .. u.content.text):sub(-MAX_TEXT)
    elseif u.sessionUpdate == "tool_call" then
      said[params.turnId] = nil
      progress(params.sessionId, u)
    end
  end)
  events.on("turn/ended", ended)
  events.on("session/didChange", function(params)
    local e = params.event
    local level = e and not UNTOLD[e.type] and events.LEVELS[e.type]
    local s = require("copilot-bridge.session").get(params.sessionId)
    if e and e.type == "error" and s and s.busy then
      return -- the end of the turn says it
    end
    if level and e.message and not M.in_view(params.sessionId) then
      notify[level](e.message)
    end
  end)
end

return M
