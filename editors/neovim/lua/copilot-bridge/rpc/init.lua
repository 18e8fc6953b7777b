--- JSON-RPC to the bridge, in the form that `vim.lsp.start()` takes as `cmd`. Unlike the one of Neovim's own it
---  * answers requests of the bridge when the user has, and closes a question that the bridge withdraws;
---  * calls every callback, also when the bridge dies, with an error then;
---  * hands the methods of our own past Neovim's handlers, which are for all servers.

local process = require("copilot-bridge.rpc.process")

local M = {}

M.PREFIX = "copilot-bridge/"

-- JSON-RPC and LSP error codes.
M.REQUEST_CANCELLED = -32800
M.INTERNAL_ERROR = -32603
M.METHOD_NOT_FOUND = -32601
-- AgentUnavailable: also what is said of a bridge that is gone.
M.UNAVAILABLE = -32051

--- Answers a request of the bridge, later or at once, exactly once: reply(result, err). What is returned is called when the
--- bridge withdraws the request.
---@alias copilot-bridge.RequestHandler fun(params: table, reply: fun(result: any, err: table?)): fun()?

---@class copilot-bridge.RpcOptions
---@field cmd string[]
---@field env table<string, string>?
---@field cwd string?
---@field notification fun(name: string, params: table) one of our own, name without the prefix
---@field request table<string, copilot-bridge.RequestHandler> by method
---@field answer table<string, fun(params: table, result: any): any> what becomes of an answer of the bridge, by method
---@field on_exit fun(exit: copilot-bridge.Exit)

---@class copilot-bridge.Exit
---@field code integer
---@field signal integer
---@field expected boolean it was told to end
---@field stderr string[] its last lines

---@param err any
---@return table
local function as_error(err)
  return { code = M.INTERNAL_ERROR, message = tostring(err) }
end

--- A function for the `cmd` of `vim.lsp.start()`.
---@param opts copilot-bridge.RpcOptions
---@return fun(dispatchers: table): table
function M.cmd(opts)
  return function(dispatchers)
    local callbacks = {} ---@type table<integer, {method: string, done: fun(err: table?, result: any), reply: fun(id: integer)?}>
    local asked = {} ---@type table<any, fun()|true> requests of the bridge that wait for the user
    local next_id, closing, expected = 0, false, false
    local proc ---@type copilot-bridge.Process

    local function send(message)
      message.jsonrpc = "2.0"
      return proc.send(vim.json.encode(message))
    end

    local function guard(what, fn, ...)
      local ok, err = xpcall(fn, debug.traceback, ...)
      if not ok then
        require("copilot-bridge.log").add("error", what .. ": " .. tostring(err))
      end
    end

    --- Takes a question of the bridge; the answer may come much later.
    local function ask(id, handler, params)
      asked[id] = true
      local function reply(result, err)
        if asked[id] == nil then
          return -- answered, or withdrawn
        end
        asked[id] = nil
        if err then
          send({ id = id, error = err })
        else
          send({ id = id, result = result == nil and vim.NIL or result })
        end
      end
      local ok, withdraw = xpcall(handler, debug.traceback, params, reply)
      if not ok then
        require("copilot-bridge.log").add("error", tostring(withdraw))
        reply(nil, as_error(withdraw))
      elseif asked[id] and withdraw then
        asked[id] = withdraw
      end
    end

    local function withdraw(id)
      local close = asked[id]
      if close == nil then
        return
      end
      asked[id] = nil
      if close ~= true then
        guard("withdraw", close)
      end
      send({ id = id, error = { code = M.REQUEST_CANCELLED, message = "withdrawn" } })
    end

    --- Hands a request to Neovim's own handlers, which may yield.
    local function pass(id, method, params)
      coroutine.wrap(function()
        local ok, result, err = pcall(dispatchers.server_request, method, params)
        if not ok then
          result, err = nil, as_error(result)
        end
        if err then
          send({ id = id, error = { code = err.code or M.INTERNAL_ERROR, message = err.message or "failed" } })
        else
          send({ id = id, result = result == nil and vim.NIL or result })
        end
      end)()
    end

    local function on_message(body)
      local ok, m = pcall(vim.json.decode, body, { luanil = { object = true } })
      if not ok or type(m) ~= "table" then
        return require("copilot-bridge.log").add("error", "a message that is no JSON: " .. body:sub(1, 200))
      end
      if m.method and m.id ~= nil then
        local handler = opts.request[m.method]
        if handler then
          ask(m.id, handler, m.params or {})
        else
          pass(m.id, m.method, m.params)
        end
      elseif m.method == "$/cancelRequest" then
        withdraw(m.params and m.params.id)
      elseif m.method then
        if vim.startswith(m.method, M.PREFIX) then
          guard(m.method, opts.notification, m.method:sub(#M.PREFIX + 1), m.params or {})
        else
          guard(m.method, dispatchers.notification, m.method, m.params)
        end
      elseif m.id ~= nil then
        local call = callbacks[m.id]
        if call then
          callbacks[m.id] = nil
          if call.reply then
            guard("reply", call.reply, m.id)
          end
          guard("answer", call.done, m.error, m.result)
        end
      end
    end

    local function on_exit(code, signal)
      closing = true
      for id, close in pairs(asked) do
        asked[id] = nil
        if close ~= true then
          guard("withdraw", close)
        end
      end
      local left = callbacks
      callbacks = {}
      local gone = { code = M.UNAVAILABLE, message = "The bridge exited", data = { retryable = true } }
      for id, call in pairs(left) do
        if call.reply then
          guard("reply", call.reply, id)
        end
        if call.method ~= "initialize" then -- Neovim's own, which would only fail at it
          guard("answer", call.done, gone)
        end
      end
      -- How it ended is our own to tell: Neovim would say it a second time.
      guard("on_exit", dispatchers.on_exit, 0, 0)
      guard("on_exit", opts.on_exit, { code = code, signal = signal, expected = expected, stderr = proc.stderr })
    end

    local err
    proc, err =
      process.start({ cmd = opts.cmd, cwd = opts.cwd, env = opts.env, on_message = on_message, on_exit = on_exit })
    if not proc then
      error(("%s does not start: %s"):format(opts.cmd[1], err), 0)
    end

    return {
      pid = proc.pid,
      request = function(method, params, callback, notify_reply)
        if closing then
          return false
        end
        expected = expected or method == "shutdown"
        next_id = next_id + 1
        local change = opts.answer[method]
        local done = change
          and function(failed, result)
            callback(failed, result ~= nil and change(params, result) or nil)
          end
        callbacks[next_id] = { method = method, done = done or callback, reply = notify_reply }
        local id = next_id
        if not send({ id = id, method = method, params = params }) then
          callbacks[id] = nil
          return false
        end
        return true, id
      end,
      notify = function(method, params)
        return not closing and send({ method = method, params = params })
      end,
      is_closing = function()
        return closing or proc.ended()
      end,
      terminate = function()
        closing, expected = true, true
        proc.stop()
      end,
      kill = proc.kill,
    }
  end
end

return M
