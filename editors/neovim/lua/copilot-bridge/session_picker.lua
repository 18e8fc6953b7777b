--- The picker of sessions: go on with one, begin, rename or delete one.

local notify = require("copilot-bridge.notify")
local session = require("copilot-bridge.session")
local text = require("copilot-bridge.text")

local M = {}

-- Sessions that are listed at most; older ones are found by `copilot-bridge sessions`.
local MAX_SESSIONS = 200

local failed = notify.failed

-- A title that is a whole prompt would take the screen (cells).
local MAX_TITLE = 60

---@param title string?
---@return string
local function short_title(title)
  local line = vim.trim((title or ""):gsub("%s+", " "))
  return line ~= "" and text.cut(line, MAX_TITLE) or "(no title)"
end

---@param done fun(list: table[])
---@param cursor string?
---@param got table[]?
local function all_sessions(done, cursor, got)
  got = got or {}
  session.request("session/list", { cursor = cursor }, function(err, result)
    if err then
      return failed(err)
    end
    vim.list_extend(got, result.sessions or {})
    if result.nextCursor and #got < MAX_SESSIONS then
      return all_sessions(done, result.nextCursor, got)
    end
    done(got)
  end)
end

-- The first entry of the sessions, and the last ones.
local NEW, RENAME, DELETE = {}, {}, {}

---@param s table one of session/list
---@return string
local function session_line(s)
  local parts = { short_title(s.title), text.age(s.updatedAt or "") }
  if s.turns and s.turns > 0 then
    parts[#parts + 1] = s.turns .. (s.turns == 1 and " turn" or " turns")
  end
  parts[#parts + 1] = vim.fn.fnamemodify(s.cwd or "", ":~")
  return table.concat(parts, " · ")
end

--- Picks a session for what is to be done with it.
---@param list table[]
---@param prompt string
---@param done fun(s: table, title: string)
local function pick_one(list, prompt, done)
  vim.ui.select(list, {
    prompt = prompt,
    kind = "copilot-bridge-session",
    format_item = session_line,
  }, function(s)
    if s then
      vim.schedule(function()
        done(s, short_title(s.title))
      end)
    end
  end)
end

--- Picks a session to delete, and asks whether it is meant.
---@param list table[]
local function delete_session(list)
  pick_one(list, "Delete a session", function(s, title)
    vim.ui.select({ "Delete it", "Keep it" }, { prompt = "Delete " .. title .. "?" }, function(answer)
      if answer ~= "Delete it" then
        return
      end
      session.request("session/delete", { sessionId = s.sessionId }, function(err)
        if err then
          return failed(err, "Could not delete " .. title)
        end
        session.forget(s.sessionId)
        require("copilot-bridge.chat").forget(s.sessionId)
        notify.info("Deleted " .. title)
      end)
    end)
  end)
end

--- Picks a session and asks what it is to be called.
---@param list table[]
local function rename_session(list)
  pick_one(list, "Rename a session", function(s, was)
    vim.ui.input({ prompt = "Title: ", default = s.title }, function(title)
      if not title or vim.trim(title) == "" then
        return
      end
      session.request("session/setTitle", { sessionId = s.sessionId, title = title }, function(err)
        if err then
          return failed(err, "Could not rename " .. was)
        end
        notify.info("Renamed to " .. short_title(title))
      end)
    end)
  end)
end

--- Lists the sessions, newest first, after an entry for a new one and before those to rename and to delete one; the one that is picked is
--- loaded and opened in the chat.
function M.pick()
  all_sessions(function(list)
    local current = session.current()
    local entries = vim.list_extend({ NEW }, list)
    if #list > 0 then
      vim.list_extend(entries, { RENAME, DELETE })
    end
    vim.ui.select(entries, {
      prompt = "Copilot sessions",
      kind = "copilot-bridge-session",
      format_item = function(s)
        if s == NEW then
          return "+ New session"
        end
        if s == RENAME or s == DELETE then
          return s == RENAME and "= Rename a session…" or "- Delete a session…"
        end
        return (current and current.id == s.sessionId and "* " or "  ") .. session_line(s)
      end,
    }, function(choice)
      if choice == NEW then
        require("copilot-bridge").new()
      elseif choice == RENAME or choice == DELETE then
        vim.schedule(function()
          (choice == RENAME and rename_session or delete_session)(list)
        end)
      elseif choice then
        require("copilot-bridge").chat(choice.sessionId)
      end
    end)
  end)
end

return M
