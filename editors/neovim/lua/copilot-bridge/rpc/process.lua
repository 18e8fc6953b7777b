--- The bridge as a child process: bytes in, messages out. It stops reading while Neovim is behind, so that the bridge merges
--- what waits instead of Neovim piling it up.

local frame = require("copilot-bridge.rpc.frame")

local M = {}

-- Bytes that may wait to be handled before reading stops, and where it goes on.
local HIGH = 1024 * 1024
local LOW = 64 * 1024
-- How long the main loop is held at a time, and how long it then gets for the user (nanoseconds, milliseconds).
local SLICE = 8 * 1000 * 1000
local PAUSE = 4
-- What a bridge gets to end by itself once its input has ended, and once it has been asked to (milliseconds).
local GRACE = 2000
-- Once it has ended, its children may hold its pipes open. Every LOOK milliseconds it is looked whether anything came;
-- so many looks in a row without a byte are the end of the pipes, and so are so many in all while Neovim reads: what the
-- bridge itself had left in them was read by the first. Looks are counted, not time: a Neovim that is busy looks seldom.
local LOOK = 20
local QUIET_LOOKS = 10
local MAX_LOOKS = 500
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
---@field on_exit fun(code: integer, signal: integer) on the main loop, once, after the last message

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
  local next_slice, looking, killer = assert(uv.new_timer()), assert(uv.new_timer()), assert(uv.new_timer())
  local self = { stderr = {} } ---@type table
  local queue, first, last, bytes = {}, 1, 0, 0
  local reading, heard, dead, finished, waiting = true, false, nil, false, false
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
    if finished or not dead or last >= first or not (stdout:is_closing() and stderr:is_closing()) then
      return
    end
    finished = true
    close(next_slice)
    close(looking)
    opts.on_exit(dead.code, dead.signal)
  end

  --- Hands the next message over. An error in what takes it is logged, and the ones behind it still come.
  local function hand_over()
    local body = queue[first]
    queue[first] = nil
    first, bytes = first + 1, bytes - #body
    local ok, err = xpcall(opts.on_message, debug.traceback, body)
    if not ok then
      require("copilot-bridge.log").add("error", tostring(err))
    end
  end

  pump = function()
    waiting = false
    local stop = uv.hrtime() + SLICE
    while last >= first do
      hand_over()
      if uv.hrtime() > stop and last >= first then
        waiting = true
        if not next_slice:is_closing() then
          next_slice:start(PAUSE, 0, vim.schedule_wrap(pump))
        end
        break
      end
    end
    if not reading and bytes < LOW and not stdout:is_closing() then
      reading = true
      stdout:read_start(on_read)
    end
    finish()
  end

  --- Nothing more comes.
  local function ended()
    close(stdout)
    wake()
    if not dead then -- it is of no use without an output
      self.stop()
    end
  end

  on_read = function(err, chunk)
    heard = true
    if err or not chunk then
      return ended()
    end
    local bodies, bad = reader:feed(chunk)
    for _, body in ipairs(bodies) do
      last, bytes = last + 1, bytes + #body
      queue[last] = body
    end
    if bad then
      self.stderr[#self.stderr + 1] = bad
      ended()
      self.kill()
    elseif bytes > HIGH then
      reading = false
      stdout:read_stop()
    end
    if #bodies > 0 then
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
    close(killer)
    local looks, quiet = 0, 0
    looking:start(LOOK, LOOK, function()
      if reading then
        looks, quiet = looks + 1, heard and 0 or quiet + 1
      end
      heard = false
      if quiet >= QUIET_LOOKS or looks >= MAX_LOOKS then
        close(looking)
        close(stdout)
        close(stderr)
        wake()
      end
    end)
    wake()
  end)
  if not handle then
    for _, h in ipairs({ stdin, stdout, stderr, next_slice, looking, killer }) do
      close(h)
    end
    return nil, tostring(pid or err)
  end

  stdout:read_start(on_read)
  local tail = ""
  local function said(line)
    table.insert(self.stderr, line)
    if #self.stderr > LAST_LINES then
      table.remove(self.stderr, 1)
    end
    vim.schedule(function()
      require("copilot-bridge.log").add("bridge", line)
    end)
  end
  stderr:read_start(function(_, chunk)
    heard = true
    if not chunk then
      if tail ~= "" then
        said(tail)
      end
      close(stderr)
      return wake()
    end
    tail = tail .. chunk
    for line in tail:gmatch("([^\n]*)\n") do
      said(line)
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
    killer:start(GRACE, 0, self.kill)
    killer:unref()
  end
  return self
end

return M
