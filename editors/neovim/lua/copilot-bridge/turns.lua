--- Who follows a turn: on_update and on_end of those who sent its prompt.

local M = {}

---@class copilot-bridge.Follower
---@field session string
---@field on_update fun(params: table)?
---@field on_end fun(turn: table)?

---@type table<string, copilot-bridge.Follower[]> by turn
local followers = {}

-- What is said of turns that nobody follows yet, while the answer to a `session/prompt` is on its way: it may come after
-- the turn's first updates, and even after its end.
---@type {turn: string, fn: fun(params: table), params: table}[]
local early = {}
local expected = 0

---@param what string
---@param fn fun(params: table)?
---@param params copilot-bridge.wire.SessionUpdate|copilot-bridge.wire.TurnEnded
local function call(what, fn, params)
  if not fn then
    return
  end
  local ok, err = xpcall(fn, debug.traceback, params)
  if not ok then
    local message = what .. ": " .. tostring(err)
    if what == "on_end" then
      require("copilot-bridge.notify").error(message)
    else
      require("copilot-bridge.log").add("error", message)
    end
  end
end

---@param fn fun(params: table)
---@param params copilot-bridge.wire.SessionUpdate
---@return boolean kept for later
local function keep(fn, params)
  if followers[params.turnId] or expected == 0 then
    return false
  end
  early[#early + 1] = { turn = params.turnId, fn = fn, params = params }
  return true
end

--- Takes an update of a turn in.
---@param params copilot-bridge.wire.SessionUpdate
function M.updated(params)
  if params.replay or keep(M.updated, params) then
    return
  end
  for _, f in ipairs(followers[params.turnId] or {}) do
    call("on_update", f.on_update, params)
  end
end

--- Takes the end of a turn in.
---@param params copilot-bridge.wire.TurnEnded
function M.ended(params)
  if keep(M.ended, params) then
    return
  end
  local list = followers[params.turnId] or {}
  followers[params.turnId] = nil
  for _, f in ipairs(list) do
    call("on_end", f.on_end, params)
  end
end

--- Announces a follower of a turn whose id is not known yet. What is returned is called with the id once it is, or with
--- nil where there will be no such turn.
---@param f copilot-bridge.Follower
---@return fun(turn: string?)
function M.expect(f)
  expected = expected + 1
  return function(turn)
    expected = expected - 1
    if turn then
      followers[turn] = followers[turn] or {}
      table.insert(followers[turn], f)
    end
    local list = early
    early = {}
    for _, e in ipairs(list) do
      if e.turn == turn then
        e.fn(e.params)
      elseif expected > 0 then
        early[#early + 1] = e
      end
    end
  end
end

--- The bridge is gone, and with it the turns of a session.
---@param session string
function M.lost(session)
  for _, turn in ipairs(vim.tbl_keys(followers)) do
    local list = followers[turn]
    if list and list[1] and list[1].session == session then
      M.ended({
        sessionId = session,
        turnId = turn,
        stopReason = "error",
        error = { code = -32051, message = "Interrupted: the bridge exited" },
        files = {},
      })
    end
  end
end

return M
