-- How much of the editor's time the chat takes. Not a test: it says what it measured and asserts nothing.
--
--   NVIM --clean --headless -u NONE -l tests/bench_chat.lua
--
-- A Neovim in a terminal of 120 × 40 is told what a bridge would say, and looks at its own main loop every
-- millisecond: the longest time between two looks is the longest time that a key would have waited.
local here = vim.fs.dirname(vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p"))
local plugin = vim.fs.dirname(here)

local socket = vim.fn.tempname()
local drawn = function(_) end -- is told what the terminal is sent
local terminal = vim.fn.jobstart(
  { vim.v.progpath, "--clean", "-n", "--listen", socket, "--cmd", "set termguicolors" },
  {
    pty = true,
    width = 120,
    height = 40,
    env = { TERM = "xterm-256color" },
    on_stdout = function(_, data)
      drawn(table.concat(data))
    end,
  }
)
local child
vim.wait(5000, function()
  local ok, channel = pcall(vim.fn.sockconnect, "pipe", socket, { rpc = true })
  child = ok and channel > 0 and channel or nil
  return child ~= nil
end, 10)
local function lua(code, ...)
  return vim.rpcrequest(child, "nvim_exec_lua", code, { ... })
end

lua("vim.opt.rtp:prepend(...)", plugin)
lua([[
  _G.S = { id = "s1", cwd = vim.fn.getcwd(), title = "A title", queue = {}, seq = 0, context = { used = 1, size = 100 } }
  package.loaded["copilot-bridge.session"] = {
    get = function() return S end, current = function() return S end,
    request = function(_, _, cb) vim.schedule(function() cb(nil, {}) end) end,
    levels = function() return {} end,
    set_current = function() end,
  }
  _G.events, _G.chat = require("copilot-bridge.events"), require("copilot-bridge.chat")
  chat.listen()
  _G.seq = 0
  function _G.up(update, turn, replay)
    seq = seq + 1
    events.emit("session/update", { sessionId = "s1", turnId = turn, seq = seq, replay = replay, update = update })
  end
  local function cpu()
    local u = vim.uv.getrusage()
    return (u.utime.sec + u.stime.sec) * 1000 + (u.utime.usec + u.stime.usec) / 1000
  end
  -- On a machine that does other things too the processor time says more than the clock: it is what the editor did
  -- between two looks, without what it waited for its turn.
  function _G.watch()
    local t = vim.uv.new_timer()
    _G.longest, _G.longest_cpu, _G.busy = 0, 0, 0
    local last, last_cpu = vim.uv.hrtime(), cpu()
    t:start(1, 1, vim.schedule_wrap(function()
      local now, now_cpu = vim.uv.hrtime(), cpu()
      local gap, gap_cpu = (now - last) / 1e6, now_cpu - last_cpu
      longest, longest_cpu = math.max(longest, gap), math.max(longest_cpu, gap_cpu)
      last, last_cpu = now, now_cpu
      if gap_cpu > 16 then busy = busy + 1 end
    end))
    return t
  end
]])

local text = {}
for i = 1, 10000 do
  text[i] = i % 400 == 0 and "\n\n```lua\nlocal x = 1\n```\n\n"
    or i % 40 == 0 and "\n\n"
    or i % 97 == 0 and "**bold** `code` "
    or "word "
end

-- stream sends chunks at a rate, in portions as the transport would, and says what it cost.
local function stream(name, rate, chunks)
  local r = lua(
    [[
    local rate, chunks, text, name = ...
    local c = chat.open("s1")
    events.emit("turn/started", { sessionId = "s1", turnId = name, prompt = { { type = "text", text = name } } })
    c.view:now()
    vim.cmd.redraw()
    local redraws, sent, start = c.view.redraws, 0, vim.uv.hrtime()
    local t, feed, took = watch(), vim.uv.new_timer(), 0
    feed:start(0, 2, vim.schedule_wrap(function()
      local due = math.min(chunks, math.floor((vim.uv.hrtime() - start) / 1e9 * rate))
      local began = vim.uv.hrtime()
      while sent < due and (vim.uv.hrtime() - began) < 8e6 do
        sent = sent + 1
        up({ sessionUpdate = "agent_message_chunk", content = { type = "text", text = text[(sent - 1) % #text + 1] } }, name)
      end
      took = took + (vim.uv.hrtime() - began) / 1e6
    end))
    vim.wait(120000, function() return sent >= chunks end, 1)
    local seconds = (vim.uv.hrtime() - start) / 1e9
    vim.wait(200)
    feed:stop() feed:close() t:stop() t:close()
    events.emit("turn/ended", { sessionId = "s1", turnId = name, stopReason = "end_turn", files = {} })
    c.view:now()
    return { seconds = seconds, redraws = c.view.redraws - redraws, longest = longest, cpu = longest_cpu, over = busy, took = took,
      lines = vim.api.nvim_buf_line_count(c.view.buf) }
  ]],
    rate,
    chunks,
    text,
    name
  )
  print(
    ("%-34s %6.1f s  %5d redraws  longest stall %5.1f ms (cpu %5.1f)  %4d over 16 ms cpu  model %5.2f µs/chunk  %6d lines"):format(
      name,
      r.seconds,
      r.redraws,
      r.longest,
      r.cpu,
      r.over,
      r.took * 1000 / chunks,
      r.lines
    )
  )
end

-- load sends a history of so many messages, and says how long it takes until its end is on the screen.
local function load(messages)
  local r = lua(
    [[
    local messages = ...
    chat.close()
    chat.forget("s1")
    seq = 0
    local t, start = watch(), vim.uv.hrtime()
    local slice = vim.uv.new_timer()
    local i = 0
    local answer = ("An answer of some length. "):rep(20) .. "\n\n- one\n- two\n\n```go\nfunc main() {}\n```\n"
    local old, new = ("line\n"):rep(200), ("line\n"):rep(100) .. "changed\n" .. ("line\n"):rep(99)
    slice:start(0, 1, vim.schedule_wrap(function()
      local began = vim.uv.hrtime()
      while i < messages and vim.uv.hrtime() - began < 8e6 do
        i = i + 1
        local turn = "t" .. i
        up({ sessionUpdate = "user_message_chunk", content = { type = "text", text = "prompt " .. i } }, turn, true)
        up({ sessionUpdate = "tool_call", toolCallId = "c" .. i, title = "editor-edit", _meta = { ["copilot-bridge"] = { tool = "edit" } }, kind = "edit", status = "completed",
          rawInput = { path = "/x/a.txt" }, content = { { type = "diff", path = "/x/a.txt", oldText = old, newText = new } } }, turn, true)
        up({ sessionUpdate = "agent_message_chunk", content = { type = "text", text = answer } }, turn, true)
        i = i + 1
      end
    end))
    vim.wait(60000, function() return i >= messages end, 1)
    local fed = (vim.uv.hrtime() - start) / 1e6
    local at = vim.uv.hrtime()
    local c = chat.open("s1")
    vim.cmd.redraw()
    local opened = (vim.uv.hrtime() - at) / 1e6
    local l1 = longest_cpu
    longest_cpu = 0
    at = vim.uv.hrtime()
    c:all()
    vim.wait(60000, function() return c.view.first == 1 end, 1)
    vim.cmd.redraw()
    local all = (vim.uv.hrtime() - at) / 1e6
    slice:stop() slice:close() t:stop() t:close()
    collectgarbage() collectgarbage()
    return { fed = fed, opened = opened, all = all, stall = l1, stall_all = longest_cpu, lines = vim.api.nvim_buf_line_count(c.view.buf), kb = collectgarbage("count") }
  ]],
    messages
  )
  print(
    ("%-34s taken in %6.0f ms (stall cpu %4.1f)  opened in %5.1f ms  all of it drawn in %6.0f ms (stall cpu %5.1f)  %d lines  %.0f MB"):format(
      messages .. " messages",
      r.fed,
      r.stall,
      r.opened,
      r.all,
      r.stall_all,
      r.lines,
      r.kb / 1024
    )
  )
end

-- keys types into the input, one key every 40 ms, while so many lines a second come, and says how long each took from the
-- terminal to the screen. With none it is the editor alone, which the figures are held against.
---@param paragraph integer lines between two empty ones
local function keys(name, rate, paragraph)
  lua(
    [[
    local rate, paragraph = ...
    chat.close()
    chat.forget("s1")
    seq = 0
    local c = chat.open("s1")
    events.emit("turn/started", { sessionId = "s1", turnId = "keys", prompt = { { type = "text", text = "go" } } })
    c.view:now()
    vim.cmd.startinsert()
    _G.sent = 0
    local start = vim.uv.hrtime()
    _G.lines_timer = vim.uv.new_timer()
    lines_timer:start(0, 2, vim.schedule_wrap(function()
      local due = math.floor((vim.uv.hrtime() - start) / 1e9 * rate)
      while sent < due do
        sent = sent + 1
        local wire = vim.json.encode({ sessionUpdate = "agent_message_chunk", content = { type = "text", text = "line " .. sent .. " of many\n" .. (sent % paragraph == 0 and "\n" or "") } })
        up(vim.json.decode(wire), "keys")
      end
    end))
  ]],
    rate,
    paragraph
  )
  local took, at = {}, nil
  drawn = function(out)
    if at and out:find("€", 1, true) then -- nothing else has one, and in normal mode it is no command
      took[#took + 1] = (vim.uv.hrtime() - at) / 1e6
      at = nil
    end
  end
  vim.wait(5000, function()
    return lua("return vim.fn.mode()") == "i"
  end, 10)
  for _ = 1, 250 do
    at = vim.uv.hrtime()
    vim.fn.chansend(terminal, "€")
    vim.wait(5000, function()
      return at == nil
    end, 1)
    vim.wait(40)
    if #took % 60 == 59 then -- not a line that wraps for ever
      vim.fn.chansend(terminal, "\21")
      vim.wait(40)
    end
  end
  drawn = function(_) end
  local lines = lua([[
    lines_timer:stop() lines_timer:close()
    events.emit("turn/ended", { sessionId = "s1", turnId = "keys", stopReason = "end_turn", files = {} })
    vim.cmd.stopinsert()
    chat.close()
    return sent
  ]])
  table.sort(took)
  local function p(n)
    return took[math.max(1, math.ceil(#took * n / 100))] or -1
  end
  print(
    ("%-34s %d keys: p50 %4.1f  p90 %4.1f  p99 %4.1f ms to the screen, while %d lines came"):format(
      name,
      #took,
      p(50),
      p(90),
      p(99),
      lines
    )
  )
end

print(vim.fn.execute("version"):match("NVIM [^\n]+"))
stream("1,000 chunks/s", 1000, 3000)
stream("10,000 chunks/s", 10000, 50000)
stream("as fast as it goes", 1e9, 50000)
load(1000)
load(10000)
keys("keys, nothing else", 0, 1)
keys("keys, 1,000 lines/s", 1000, 5)
keys("keys, 1,000 lines/s in one paragraph", 1000, 1e9)
vim.fn.chanclose(child)
vim.fn.jobstop(terminal)
