--- One short text for a status line.

local session = require("copilot-bridge.session")

local M = {}

-- Characters of a message that a status line has room for.
local MAX_MESSAGE = 40

local WORDS = { ok = "", busy = "working", waiting = "asks", signedOut = "signed out", error = "failed" }

-- A status line runs what stands behind a per cent sign, and some of the words are the agent's.
local function esc(text)
  return (text:gsub("[%c]", " "):gsub("%%", "%%%%"))
end

--- What Copilot does, to be evaluated as a status line: empty where no bridge runs.
---@param id string? of a session; the current one
---@return string
function M.line(id)
  local client = require("copilot-bridge.client")
  local running, down = false, true
  for _, link in ipairs(client.links()) do
    running = running or link.ready
    down = down and link.down ~= nil
  end
  local asks = #require("copilot-bridge.question.queue").waiting()
  local s = id and session.get(id) or session.current()
  if not running then
    return #client.links() == 0 and "" or down and "Copilot: down" or "Copilot: starting"
  end
  local parts = {}
  local status = s and s.status
  if asks > 0 then
    parts[1] = "asks" .. (asks > 1 and " " .. asks or "")
  elseif status and status.kind ~= "ok" then
    local message = status.message and status.message:gsub("%s*\n%s*", " ") or ""
    if status.kind == "busy" and s.busy then -- that a turn runs is all that it says
      message = ""
    end
    parts[1] = message ~= "" and vim.fn.strcharpart(message, 0, MAX_MESSAGE) or WORDS[status.kind] or status.kind
  elseif s and s.busy then
    parts[1] = "working"
  end
  if s and #s.queue > 0 then
    parts[#parts + 1] = #s.queue .. " queued"
  end
  local hunks = require("copilot-bridge.review").count()
  if hunks > 0 then
    parts[#parts + 1] = hunks .. (hunks == 1 and " change" or " changes")
  end
  return "Copilot" .. (#parts > 0 and ": " .. esc(table.concat(parts, ", ")) or "")
end

local started = false

--- Draws status lines anew when there is something else to say; Neovim would wait for the next key.
function M.start()
  if started then
    return
  end
  started = true
  local soon = false
  local function redraw()
    if not soon then
      soon = true
      vim.schedule(function()
        soon = false
        vim.cmd.redrawstatus({ bang = true })
      end)
    end
  end
  local events = require("copilot-bridge.events")
  for _, name in ipairs({
    "status/didChange",
    "session/didChange",
    "session/current",
    "turn/started",
    "turn/ended",
    "review/didChange",
    "client/started",
    "client/stopped",
    "permission/shown",
    "permission/closed",
  }) do
    events.on(name, redraw)
  end
end

return M
