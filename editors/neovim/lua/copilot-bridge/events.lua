--- What happens, for anyone who wants to know: the notifications of the bridge by their names in docs/dev/protocol.md (without the
--- prefix `copilot-bridge/`), and `client/started`, `client/stopped`, `session/current`, `permission/shown`,
--- `permission/closed`. Every event is also a `User` autocommand `CopilotBridge` with the name in `data.event`, but for
--- `session/update` and `terminal/output`, which come too often.

local M = {}

-- How bad it is what happened to a session: the events in its `session/didChange` (docs/dev/protocol.md) that the user has to know of.
M.LEVELS = {
  error = "error",
  conflict = "warn",
  history_lost = "warn",
  tools_lost = "warn",
  not_saved = "warn",
  unasked_change = "warn",
  turn_interrupted = "warn",
  truncation = "warn",
}

---@alias copilot-bridge.Subscriber fun(params: table, client_id: integer?)

-- The lists are replaced, never changed: one that is being gone through stays as it is.
---@type table<string, copilot-bridge.Subscriber[]>
local subscribers = {}

-- Events that come many times a second and are no autocommands.
local QUIET = { ["session/update"] = true, ["terminal/output"] = true }

--- Calls fn with every event of that name, in the order of subscription, on the main loop.
---@param name string
---@param fn copilot-bridge.Subscriber
---@return fun() cancel
function M.on(name, fn)
  local function call(params, client_id)
    fn(params, client_id)
  end
  subscribers[name] = vim.list_extend({ unpack(subscribers[name] or {}) }, { call })
  return function()
    subscribers[name] = vim.tbl_filter(function(other)
      return other ~= call
    end, subscribers[name])
  end
end

--- Tells all subscribers. An error of one is logged and does not reach the others.
---@param name string
---@param params table
---@param client_id integer?
function M.emit(name, params, client_id)
  for _, fn in ipairs(subscribers[name] or {}) do
    local ok, err = xpcall(fn, debug.traceback, params, client_id)
    if not ok then
      require("copilot-bridge.log").add("error", name .. ": " .. tostring(err))
    end
  end
  if not QUIET[name] and not vim.in_fast_event() then
    vim.api.nvim_exec_autocmds("User", {
      pattern = "CopilotBridge",
      modeline = false,
      data = { event = name, params = params, client_id = client_id },
    })
  end
end

return M
