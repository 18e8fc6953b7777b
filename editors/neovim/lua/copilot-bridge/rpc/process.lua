--- The bridge as a child process: bytes in, messages out. It stops reading while Neovim is behind, so that the bridge merges
--- what waits instead of Neovim piling it up.

local frame = require("copilot-bridge.rpc.frame")

local M = {}

-- Bytes that may wait to be handled before reading stops, and where it goes on.
local HIGH = 1024 * 1024
local LOW = 64 * 1024
-- How long the main loop is held at a time, and how long it then gets for the person (nanoseconds, milliseconds).
local SLICE = 8 * 1000 * 1000
local PAUSE = 4
-- What a bridge gets to end by itself once its input has ended, and once it has been asked to (milliseconds).
local GRACE = 2000
-- Lines of stderr that are kept for the message when it ends.
local LAST_LINES = 20

---@class copilot-bridge.Process
---@field pid integer
---@field send fun(body: string): boolean
---@field stop fun() ends its input, and itself if it does not end then
---@field kill fun() ends it at once
---@field ended fun(): boolean
---@field stderr string[] its last lines

---@class copilot-bridge.ProcessOptions
---@field cmd string[]
---@field cwd string?
---@field env table<string, string>?
---@field on_message fun(body: string) on the main loop, one at a time, in order
---@field on_exit fun(code: integer, signal: integer) on the main loop, after the last message

---@param extra table<string, string>?
---@return string[]
local function environment(extra)
  local env = vim.fn.environ()
  env.NVIM = nil -- the agent's commands are not meant to reach into this Neovim
  for name, value in pairs(extra or {}) do
    env[name] = value
  end
  local out = {}
  for name, value in pairs(env) do
    out[#out + 1] = name .. "=" .. value
  end
  return out
end

---@param opts copilot-bridge.ProcessOptions
---@return copilot-bridge.Process?
---@return string? err
function M.start(opts)
  local uv = vim.uv
  local stdin, stdout, stderr = assert(uv.new_pipe()), assert(uv.new_pipe()), assert(uv.new_pipe())
  local timer = assert(uv.new_timer())
  local self = { stderr = {} } ---@type table
  local queue, first, last, bytes = {}, 1, 0, 0
  local reading, eof, dead, finished, waiting = true, false, nil, false, false
  local reader = frame.reader()
  local handle, pid

  local pump ---@type fun()
  local on_read ---@type fun(err: string?, chunk: string?)

  local function close(h)
    if h and not h:is_closing() then
      h:close()
    end
  end

  local function wake()
    if not waiting then
      waiting = true
      vim.schedule(pump)
    end
  end

  local function finish()
    if finished or not dead or not eof or last >= first then
      return
    end
    finished = true
    close(timer)
    opts.on_exit(dead.code, dead.signal)
  end

  pump = function()
    waiting = false
    local stop = uv.hrtime() + SLICE
    while last >= first do
      local body = queue[first]
      queue[first] = nil
      first, bytes = first + 1, bytes - #body
      opts.on_message(body)
      if uv.hrtime() > stop and last >= first then
        waiting = true
        if not timer:is_closing() then
          timer:start(PAUSE, 0, vim.schedule_wrap(pump))
        end
        break
      end
    end
    if not reading and not eof and bytes < LOW and not stdout:is_closing() then
      reading = true
      stdout:read_start(on_read)
    end
    finish()
  end

  on_read = function(err, chunk)
    if err or not chunk then
      eof = true
      close(stdout)
      return wake()
    end
    local bodies, bad = reader:feed(chunk)
    for _, body in ipairs(bodies) do
      last, bytes = last + 1, bytes + #body
      queue[last] = body
    end
    if bad then
      self.stderr[#self.stderr + 1] = bad
      eof = true
      close(stdout)
      self.kill()
    elseif bytes > HIGH then
      reading = false
      stdout:read_stop()
    end
    if #bodies > 0 or bad then
      wake()
    end
  end

  local err
  handle, pid, err = uv.spawn(opts.cmd[1], {
    args = vim.list_slice(opts.cmd, 2),
    cwd = opts.cwd,
    env = environment(opts.env),
    stdio = { stdin, stdout, stderr },
    detached = vim.fn.has("win32") == 0, -- a session of its own: no agent writes on the terminal behind Neovim's back
    hide = true,
  }, function(code, signal)
    dead = { code = code, signal = signal }
    close(handle)
    close(stdin)
    -- A grandchild may hold the pipe open.
    if not timer:is_closing() then
      timer:start(200, 0, function()
        eof = true
        close(stdout)
        close(stderr)
        wake()
      end)
    end
    wake()
  end)
  if not handle then
    for _, h in ipairs({ stdin, stdout, stderr, timer }) do
      close(h)
    end
    return nil, tostring(pid or err)
  end

  stdout:read_start(on_read)
  local tail = ""
  stderr:read_start(function(_, chunk)
    if not chunk then
      return close(stderr)
    end
    tail = tail .. chunk
    for line in tail:gmatch("([^\n]*)\n") do
      table.insert(self.stderr, line)
      if #self.stderr > LAST_LINES then
        table.remove(self.stderr, 1)
      end
      vim.schedule(function()
        require("copilot-bridge.log").add("bridge", line)
      end)
    end
    tail = tail:match("[^\n]*$")
  end)

  self.pid = pid
  function self.ended()
    return dead ~= nil
  end
  function self.send(body)
    if dead or stdin:is_closing() then
      return false
    end
    stdin:write(frame.write(body))
    return true
  end
  function self.kill()
    if not dead and handle and not handle:is_closing() then
      handle:kill("sigkill")
    end
  end
  function self.stop()
    if dead or stdin:is_closing() then
      return
    end
    stdin:shutdown(function()
      close(stdin)
    end)
    local killer = assert(uv.new_timer())
    killer:start(GRACE, 0, function()
      close(killer)
      self.kill()
    end)
    killer:unref()
  end
  return self
end

return M
