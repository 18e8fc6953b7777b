--- The sessions that this Neovim knows, and requests to the bridge. What the bridge says of them is taken in here before
--- anyone else hears of it.

local client = require("copilot-bridge.client")
local changes = require("copilot-bridge.session_changes")
local events = require("copilot-bridge.events")
local turns = require("copilot-bridge.turns")

local M = {}

---@class copilot-bridge.Session
---@field id string
---@field root string the project whose bridge has it
---@field client_id integer? nil while that bridge is down
---@field cwd string?
---@field title string?
---@field modes table? ACP SessionModeState
---@field configOptions table[]? ACP SessionConfigOption
---@field commands table[]? ACP AvailableCommand
---@field context {used: integer, size: integer}?
---@field relaxed copilot-bridge.wire.RelaxedMode[]? because of what less is asked than usual
---@field level string? how much is asked, by its id in M.levels()
---@field changed string? the last turn that changed files
---@field usage table? of the turn that ended last
---@field busy boolean a turn runs
---@field turn string? its id
---@field queue {turnId: string, text: string}[] prompts that wait
---@field unsent {turnId: string, text: string}[]? those that waited when the bridge ended
---@field seq integer of the update seen last, 0 before the first
---@field status {kind: string, message: string}?
---@field live boolean the bridge that runs has it loaded
---@field sent table<string, table> what was prompted here, by turn

---@class copilot-bridge.PromptOptions
---@field context table[]? places whose text goes along: {uri, range?, version?}
---@field steer boolean? add to the turn that runs
---@field turnId string? replace the prompt of a turn that waits
---@field on_update fun(params: table)? each `session/update` of the turn
---@field on_end fun(turn: table)? once: the params of `turn/ended`, or the like where the bridge or the prompt failed

---@type table<string, copilot-bridge.Session>
local sessions = {}
---@type string?
local current

---@param id string
---@param root string
---@return copilot-bridge.Session
local function touch(id, root)
  local s = sessions[id]
  if not s then
    s = { id = id, root = root, busy = false, queue = {}, seq = 0, live = true, sent = {} }
    sessions[id] = s
  end
  local link = client.link(root)
  s.client_id = link and link.client and link.client.id
  return s
end

---@param id string
---@return copilot-bridge.Session?
function M.get(id)
  return sessions[id]
end

---@return copilot-bridge.Session?
function M.current()
  return current and sessions[current] or nil
end

--- The levels of asking that the bridge of a session has, the strictest first.
---@param s copilot-bridge.Session
---@return {id: string, name: string, description: string?}[]
function M.levels(s)
  local link = client.link(s.root)
  local experimental = link and link.client and (link.client.server_capabilities or {}).experimental or {}
  return (experimental.copilotBridge or {}).levels or {}
end

---@return copilot-bridge.Session[]
function M.list()
  local out = vim.tbl_values(sessions)
  table.sort(out, function(a, b)
    return a.id < b.id
  end)
  return out
end

--- The ids of the sessions of a project.
---@param root string
---@return string[]
function M.of_root(root)
  local out = {}
  for _, s in ipairs(M.list()) do
    if s.root == root then
      out[#out + 1] = s.id
    end
  end
  return out
end

--- Forgets a session that was deleted.
---@param id string
function M.forget(id)
  sessions[id] = nil
  if current == id then
    M.set_current(nil)
  end
end

---@param id string?
function M.set_current(id)
  if current ~= id then
    current = id
    events.emit("session/current", { sessionId = id })
  end
end

--- Takes a notification of the bridge in.
---@param name string without the prefix
---@param params table
---@param link copilot-bridge.Link
function M.take(name, params, link)
  local change = changes[name]
  if change and params.sessionId then
    change(touch(params.sessionId, link.root), params)
  elseif name == "status/didChange" then
    link.status = { kind = params.kind, message = params.message }
  end
end

---@param id string
---@param root string
---@param result copilot-bridge.wire.SessionInfo
---@param cwd string?
---@return copilot-bridge.Session
local function opened(id, root, result, cwd)
  local s = touch(id, root)
  s.modes = result.modes or s.modes
  s.configOptions = result.configOptions or s.configOptions
  s.commands = result.commands or s.commands
  s.relaxed = result.relaxed or s.relaxed
  s.level = result.level or s.level
  s.cwd = result.cwd or cwd or s.cwd
  s.live = true
  return s
end

-- Requests that speak of a session and do not need it loaded.
local WITHOUT_SESSION = { ["session/load"] = true, ["session/delete"] = true, ["session/close"] = true }

---@param params table
---@return string
local function root_for(params)
  local s = params.sessionId and sessions[params.sessionId]
  return s and s.root or client.root()
end

---@param link copilot-bridge.Link
---@param method string
---@param params table
---@param cb fun(err: table?, result: any)
local function send(link, method, params, cb)
  client.request(link, "copilot-bridge/" .. method, params, cb)
end

-- A session that another bridge has open may be that of a Neovim which has just been left: that bridge ends in 4 s at most,
-- on a busy machine in many more. So long is tried again, so often, and after so long the user is told (milliseconds).
local HELD = 30000
local HELD_AGAIN = 200
local HELD_TOLD = 1000

---@param err table
---@return boolean
local function in_use(err)
  return err.data ~= nil and err.data.heldBy ~= nil
end

---@param link copilot-bridge.Link
---@param id string
---@param cb fun(err: table?, result: table?)
---@param waits fun()? called once where another bridge has it for longer than a moment
local function load(link, id, cb, waits)
  local began = vim.uv.now()
  local function try()
    send(link, "session/load", { sessionId = id }, function(err, result)
      local passed = vim.uv.now() - began
      if not err or not in_use(err) or passed > HELD then
        return cb(err, result)
      end
      if waits and passed > HELD_TOLD then
        waits()
        waits = nil
      end
      vim.defer_fn(try, HELD_AGAIN)
    end)
  end
  try()
end

--- A request to the bridge; it is started if it does not run, and a session is loaded again if the bridge that had it
--- is gone. cb is called exactly once and never before this returns.
---@param method string without the prefix
---@param params table?
---@param cb fun(err: table?, result: any)?
function M.request(method, params, cb)
  params, cb = params or {}, cb or function() end
  client.with(root_for(params), function(err, link)
    if not link then
      return cb(err)
    end
    local s = params.sessionId and sessions[params.sessionId]
    if not s or s.live or WITHOUT_SESSION[method] then
      return send(link, method, params, cb)
    end
    load(link, s.id, function(failed, result)
      if failed then
        return cb(failed)
      end
      opened(s.id, link.root, result)
      send(link, method, params, cb)
    end)
  end)
end

--- A new session, in the project of the current file; it becomes the current one.
---@param opts {cwd: string?, title: string?, mcpServers: table[]?}?
---@param cb fun(err: table?, session: copilot-bridge.Session?)?
function M.new(opts, cb)
  opts, cb = opts or {}, cb or function() end
  local root = client.root()
  client.with(root, function(err, link)
    if not link then
      return cb(err)
    end
    local params = { cwd = opts.cwd or root, title = opts.title, mcpServers = opts.mcpServers }
    send(link, "session/new", params, function(failed, result)
      if failed then
        return cb(failed)
      end
      local s = opened(result.sessionId, root, result, params.cwd)
      s.title = opts.title
      M.set_current(s.id)
      cb(nil, s)
    end)
  end)
end

--- Loads a session; what was said in it comes as updates with `replay` before cb. It becomes the current one.
---@param id string
---@param cb fun(err: table?, session: copilot-bridge.Session?)?
---@param waits fun()? called once where another bridge has it for longer than a moment; it is waited for then
function M.load(id, cb, waits)
  cb = cb or function() end
  local root = root_for({ sessionId = id })
  client.with(root, function(err, link)
    if not link then
      return cb(err)
    end
    load(link, id, function(failed, result)
      if failed then
        return cb(failed)
      end
      local s = opened(id, root, result)
      M.set_current(id)
      cb(nil, s)
    end, waits)
  end)
end

-- Callers that wait for the one session that is being made.
---@type fun(err: table?, session: copilot-bridge.Session?)[]?
local making

--- The current session, else a new one.
---@param cb fun(err: table?, session: copilot-bridge.Session?)
function M.ensure(cb)
  local s = M.current()
  if s then
    return vim.schedule(function()
      cb(nil, s)
    end)
  end
  if making then
    table.insert(making, cb)
    return
  end
  making = { cb }
  M.new({}, function(err, made)
    local list = making or {}
    making = nil
    for _, fn in ipairs(list) do
      fn(err, made)
    end
  end)
end

--- Sends a prompt. It runs when the turns before it have ended.
---@param id string
---@param prompt string|table[] text, or ACP ContentBlocks
---@param opts copilot-bridge.PromptOptions?
---@param cb fun(err: table?, result: {turnId: string, queued: integer, steered: boolean?}?)?
function M.prompt(id, prompt, opts, cb)
  opts, cb = opts or {}, cb or function() end
  local blocks = type(prompt) == "table" and prompt or { { type = "text", text = prompt } }
  local params = {
    sessionId = id,
    prompt = blocks,
    context = opts.context,
    steer = opts.steer,
    turnId = opts.turnId,
  }
  local follow = turns.expect({ session = id, on_update = opts.on_update, on_end = opts.on_end })
  M.request("session/prompt", params, function(err, result)
    local s = sessions[id]
    if s and not err then
      s.sent[result.turnId] = blocks
    end
    cb(err, result)
    follow(not err and result.turnId or nil)
    if err and opts.on_end then
      opts.on_end({ sessionId = id, stopReason = "error", error = err, files = {} })
    end
  end)
end

--- Stops a turn, or takes a prompt that waits out of the queue; without a turn the one that runs.
---@param id string
---@param turn string?
---@param cb fun(err: table?)?
function M.cancel(id, turn, cb)
  M.request("session/cancel", { sessionId = id, turnId = turn }, cb)
end

-- The bridge is gone: its turns have ended, its sessions have to be loaded again.
events.on("client/stopped", function(params)
  for _, s in pairs(sessions) do
    if s.root == params.root then
      s.unsent = s.queue
      s.client_id, s.live, s.busy, s.turn, s.queue, s.status = nil, false, false, nil, {}, nil
      turns.lost(s.id)
    end
  end
end)

return M
