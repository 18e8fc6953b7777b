--- What the tests share: a child Neovim with the plugin, the real bridge, the real Copilot CLI and a scripted model.

local M = {}

-- What answers a question sooner is taken for something else (milliseconds).
M.A_MOMENT = 1000

local model = require("tests.model")
local PATIENCE = model.PATIENCE
M.model, M.told, M.script = model.ask, model.told, model.script

---@class copilot-bridge.Child
---@field dir string home, state and project are below it
---@field ws string the project, current folder of the child
---@field exited integer? the exit status, once it has ended

--- The cases of a file, each of which leaves one child to be stopped.
---@param current fun(): table
---@return table set of mini.test
function M.cases(current)
  return MiniTest.new_set({
    hooks = {
      post_case = function()
        local child = current()
        if child then -- else it could not be started, which has been said
          M.stop(child)
        end
      end,
    },
  })
end

--- A step of the model's: an edit of a file in the child's project.
---@param child table
---@param name string
---@param old string
---@param new string
---@return table
function M.edit(child, name, old, new)
  return { tool = "edit", args = { path = child.ws .. "/" .. name, old_str = old, new_str = new } }
end

--- Waits until a question is on the child's screen and takes answers.
---@param child table
---@param title string
---@return string screen
function M.question(child, title)
  local screen = M.sees(child, title)
  M.pass(child, M.A_MOMENT)
  return screen
end

--- Sends a prompt and waits until its question is on the screen.
---@param child table
---@param steps table[]
---@param title string
---@return string screen
function M.ask(child, steps, title)
  M.prompt(child, steps, { wait = false })
  return M.question(child, title)
end

--- A step of the model's: a command.
---@param command string
---@return table
function M.bash(command)
  return { tool = "bash", args = { command = command, description = "run it" } }
end

--- Starts a child of mini.test with a home of its own in child.dir, and keeps its exit status, which jobwait() does not know
--- of a job that ended before.
---@param child table
---@param args string[]
---@param opts {env: table<string, string>?, cwd: string?, terminal: boolean?}? terminal: in one, see M.child
function M.start(child, args, opts)
  opts = opts or {}
  local jobstart = vim.fn.jobstart
  child.exited, child.output = nil, ""
  vim.fn.mkdir(child.dir .. "/x", "p")
  local env = vim.tbl_extend("force", opts.env or {}, {
    XDG_CONFIG_HOME = child.dir .. "/x",
    XDG_DATA_HOME = child.dir .. "/x",
    XDG_STATE_HOME = child.dir .. "/x",
    XDG_RUNTIME_DIR = child.dir .. "/x",
  })
  vim.fn.jobstart = function(cmd)
    local job = {
      env = env,
      cwd = opts.cwd,
      on_exit = function(_, code)
        child.exited = code
      end,
    }
    if opts.terminal then
      cmd = vim.tbl_filter(function(word)
        return word ~= "--headless"
      end, cmd)
      job.pty, job.width, job.height = true, 90, 24
      env.TERM = "xterm-256color"
      job.on_stdout = function(_, data)
        child.output = child.output .. table.concat(data, "\n")
      end
    end
    return jobstart(cmd, job)
  end
  local ok, err = pcall(child.start, args, { connection_timeout = PATIENCE })
  vim.fn.jobstart = jobstart
  if not ok then
    error(err, 0)
  end
  M.wait(child, "vim.v.vim_did_enter == 1") -- it may take calls before it has read its arguments
end

--- A Neovim in a folder of its own. opts: files = {name = text}, setup = table for setup(), lines, columns, dir = of an earlier
--- child, whose home and project are used again, terminal = true: not headless but in a terminal of 90 × 24, to which
--- M.key_codes() sends and whose bell is in M.bells().
---@param opts table?
---@return table child of mini.test, with dir, ws
function M.child(opts)
  opts = opts or {}
  local child = MiniTest.new_child_neovim()
  child.dir = opts.dir or vim.fn.tempname()
  child.ws = child.dir .. "/project"
  for _, name in ipairs({ "home", "project/.git" }) do
    vim.fn.mkdir(child.dir .. "/" .. name, "p")
  end
  for name, text in pairs(opts.files or {}) do
    M.write(child, name, text)
  end
  if not opts.dir then
    model.begin()
  end
  local there = M.model({ ["do"] = "env", home = child.dir .. "/home" })
  M.start(child, { "-n", "-u", "NONE", "--cmd", "set rtp^=" .. vim.env.PLUGIN }, {
    env = there.env,
    cwd = child.ws,
    terminal = opts.terminal,
  })
  if not opts.terminal then
    child.o.lines, child.o.columns = opts.lines or 24, opts.columns or 90
  end
  child.cmd("runtime plugin/copilot-bridge.lua")
  child.lua(
    [[
    local bridge, copilot, opts = ...
    _G.notified, _G.ended = {}, {} -- messages, and the turns that have ended
    vim.notify = function(message, level, ...)
      table.insert(_G.notified, message)
    end
    vim.api.nvim_create_autocmd("User", { pattern = "CopilotBridge", callback = function(ev)
      if ev.data.event == "turn/ended" then
        table.insert(_G.ended, ev.data.params)
      end
    end })
    require("copilot-bridge").setup(vim.tbl_deep_extend("force", {
      cmd = { bridge, "lsp" },
      init_options = { agent = { command = { copilot } } },
    }, opts))
  ]],
    { vim.env.BRIDGE, there.copilot, opts.setup or vim.empty_dict() }
  )
  return child
end

--- Sends what a terminal would.
---@param child table
---@param bytes string
function M.key_codes(child, bytes)
  vim.fn.chansend(child.job.id, bytes)
end

--- How often the child's terminal has been told to ring. The same byte ends commands to the terminal (OSC): those are none.
---@param child table
---@return integer
function M.bells(child)
  local text = child.output:gsub("\27%][^\7\27]*[\7\27]", "")
  return select(2, text:gsub("\7", ""))
end

--- The child's user answers every picker with the entry that has these words in it, nothing for nil.
---@param child table
---@param words string?
function M.answer(child, words)
  child.lua(
    [[
    local words, moment = ...
    _G.asked = _G.asked or {}
    vim.ui.select = function(items, opts, cb)
      local labels = vim.tbl_map(function(i) return opts.format_item and opts.format_item(i) or tostring(i) end, items)
      table.insert(_G.asked, { prompt = opts.prompt, items = labels, screen = _G.seen and _G.seen() })
      for i, label in ipairs(labels) do
        if words ~= vim.NIL and label:find(words, 1, true) then
          return vim.defer_fn(function() cb(items[i], i) end, moment)
        end
      end
      vim.defer_fn(cb, moment)
    end
  ]],
    { words == nil and vim.NIL or words, M.A_MOMENT }
  )
end

--- Waits until something is so.
---@param condition fun(): boolean
---@param otherwise string|fun(): string what is wrong if it never is
---@param limit integer?
function M.until_true(condition, otherwise, limit)
  if not vim.wait(limit or PATIENCE, condition, 10) then
    error(type(otherwise) == "function" and otherwise() or otherwise, 2)
  end
end

--- Waits until an expression is true in the child, and gives its value.
---@param child table
---@param expr string Lua
---@param limit integer?
---@return any
function M.wait(child, expr, limit)
  local value
  local ok = vim.wait(limit or PATIENCE, function()
    value = child.lua_get(expr)
    return value ~= nil and value ~= false and value ~= vim.NIL
  end, 10)
  if not ok then
    local notified = child.lua_get("_G.notified")
    error(("never true: %s\nmessages: %s\nscreen:\n%s"):format(expr, vim.inspect(notified), M.screen(child)), 2)
  end
  return value
end

--- Waits until the child has said a message with these words in it, before or after whatever else it says.
---@param child table
---@param words string
---@return string message
function M.said(child, words)
  return M.wait(
    child,
    ([[vim.iter(_G.notified):find(function(m) return m:find(%q, 1, true) ~= nil end)]]):format(words)
  )
end

--- Lets time pass for the child's Lua without waiting for it.
---@param child table
---@param ms integer
function M.pass(child, ms)
  child.lua(
    [[
    if not _G.ahead then
      local now = vim.uv.now
      vim.uv.now = function() return now() + _G.ahead end
    end
    _G.ahead = (_G.ahead or 0) + ...
  ]],
    { ms }
  )
end

--- Sends a prompt and waits for the turn's end.
---@param child table
---@param steps table[]
---@param opts {wait: boolean?, fails: boolean?}?
---@return table? turn params of turn/ended
function M.prompt(child, steps, opts)
  child.lua(
    [[
    _G.turn = nil
    require("copilot-bridge").prompt(..., { on_end = function(t) _G.turn = t end })
  ]],
    { "x " .. M.script(steps) }
  )
  if opts and opts.wait == false then
    return nil
  end
  local turn = M.wait(child, "_G.turn")
  if turn.stopReason ~= "end_turn" and not (opts and opts.fails) then
    error("the turn ended with " .. vim.inspect(turn), 2)
  end
  return turn
end

---@param child table
---@return string
function M.screen(child)
  child.cmd("redraw")
  local lines = {}
  for _, row in ipairs(child.get_screenshot().text) do
    lines[#lines + 1] = (table.concat(row):gsub("%s+$", ""))
  end
  return table.concat(lines, "\n")
end

--- Waits until the screen shows a text.
---@param child table
---@param text string
---@return string screen
function M.sees(child, text)
  local screen = ""
  if
    not vim.wait(PATIENCE, function()
      screen = M.screen(child)
      return screen:find(text, 1, true) ~= nil
    end, 20)
  then
    error(("the screen never shows %q:\n%s"):format(text, screen), 2)
  end
  return screen
end

---@param child table
---@param name string in the project
---@return string
function M.read(child, name)
  local f = assert(io.open(child.ws .. "/" .. name, "rb"))
  local text = f:read("*a")
  f:close()
  return text
end

---@param child table
---@param name string in the project
---@param text string
function M.write(child, name, text)
  local path = child.ws .. "/" .. name
  vim.fn.mkdir(vim.fs.dirname(path), "p")
  local f = assert(io.open(path, "wb"))
  f:write(text)
  f:close()
end

---@param child table
---@return string[]
function M.lines(child)
  return child.api.nvim_buf_get_lines(0, 0, -1, false)
end

--- Quits a child as the user would, and waits until it is gone.
---@param child table
---@param command string?
---@return integer status
function M.quit(child, command)
  pcall(child.cmd, command or "qall!") -- the answer never comes
  M.until_true(function()
    return child.exited ~= nil
  end, "it does not quit")
  child.stop() -- of mini.test: closes its channels
  return child.exited
end

--- Ends a child, if it still runs. An error of the plugin's code in its log is a failure.
---@param child table
function M.stop(child)
  child.stop()
  local f = io.open(child.dir .. "/x/nvim/copilot-bridge.log")
  if not f then
    return
  end
  local log = f:read("*a")
  f:close()
  if log:find("stack traceback", 1, true) then
    error("the log has an error:\n" .. log, 0)
  end
end

return M
