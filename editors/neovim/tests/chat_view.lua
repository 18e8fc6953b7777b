--- The transcript's buffer: what is drawn, how little of it is drawn again, and what windows show meanwhile.

local fake = require("tests.fake")
local h = require("tests.helpers")
local eq = MiniTest.expect.equality

local child
local T = h.cases(function()
  return child
end)

T["what says nothing is not drawn: an empty plan, a thought without a word"] = function()
  child = fake.child()
  child.lua([[
    open()
    began("t1", "go")
    up({ sessionUpdate = "plan", entries = {} })
    up({ sessionUpdate = "agent_thought_chunk", content = { type = "text", text = " " } })
    say("hello")
    ended("t1")
  ]])
  local drawn = table.concat(child.lua_get("lines()"), "\n")
  eq(drawn:find("Plan", 1, true), nil)
  eq(drawn:find("Thought", 1, true), nil)
  eq(drawn:find("hello", 1, true) ~= nil, true)
  eq(child.lua_get("{ lines(), marks() }"), child.lua_get("{ fresh() }"))
end

T["whatever comes in whatever order, what was drawn piece by piece is what would be drawn at once"] = function()
  child = fake.child()
  local bad = child.lua([[
    open()
    local rnd = 1
    local function random(n)
      rnd = (rnd * 1103515245 + 12345) % 2147483648
      return math.floor(rnd / 65536) % n + 1
    end
    local texts = { "word ", "line\n", "\n\n", "```lua\nlocal x\n", "```\n", "  ", "- item\n", "long " .. ("x"):rep(300) .. "\n", "", "ä€😀" }
    local turn, calls = 0, 0
    local acts = {
      function() say(texts[random(#texts)], "t" .. turn) end,
      function() say(texts[random(#texts)], "t" .. turn) end,
      function() up({ sessionUpdate = "agent_thought_chunk", content = { type = "text", text = texts[random(#texts)] } }, "t" .. turn) end,
      function() calls = calls + 1; called("c" .. calls, { title = random(2) == 1 and "editor-bash" or "Look", kind = random(2) == 1 and "execute" or "read", rawInput = { command = "make\nall" } }) end,
      function() if calls > 0 then updated("c" .. random(calls), { status = random(2) == 1 and "completed" or "failed", content = { { type = "content", content = { type = "text", text = ("out\n"):rep(random(30)) } } } }) end end,
      function() if calls > 0 then updated("c" .. random(calls), { content = { { type = "diff", path = vim.fn.getcwd() .. "/a.txt", oldText = "a\nb\nc\n", newText = ("a\nB\n"):rep(random(9)) } } }) end end,
      function() if calls > 0 then updated("c" .. random(calls), { _meta = { ["copilot-bridge"] = { terminalId = "x" .. random(3) } } }) end end,
      function() events.emit("terminal/output", { sessionId = "s1", terminalId = "x" .. random(3), data = ("line\r\n"):rep(random(20)) }) end,
      function() up({ sessionUpdate = "plan", entries = { { content = "one", status = "completed" }, { content = "two " .. random(9), status = "pending" } } }, "t" .. turn) end,
      function() events.emit("session/didChange", { sessionId = "s1", event = { type = "notice", message = "note " .. random(1000) } }) end,
      function() ended("t" .. turn, { files = random(2) == 1 and { { uri = "file:///x/a.txt", added = 1, removed = 0 } } or {} }); turn = turn + 1; began("t" .. turn, "prompt\nnumber " .. turn) end,
      function() S.queue = random(2) == 1 and { { turnId = "q1", text = "wait\nfor it" } } or {}; events.emit("session/didChange", { sessionId = "s1" }) end,
    }
    began("t0", "go")
    for step = 1, 1500 do
      acts[random(#acts)]()
      if random(4) == 1 then
        local got = lines()
        local want, highlights = fresh()
        if not vim.deep_equal(got, want) then
          for i = 1, math.max(#got, #want) do
            if got[i] ~= want[i] then
              local item = c.view:at(i - 1)
              return ("step %d, line %d: %q, not %q\n%s"):format(step, i, tostring(got[i]), tostring(want[i]), vim.inspect(item))
            end
          end
        end
        local drawn = marks()
        for i = 1, math.max(#drawn, #highlights) do
          if drawn[i] ~= highlights[i] then
            return ("step %d: highlight %s, not %s"):format(step, drawn[i], highlights[i])
          end
        end
        local row = 0
        for i, item in ipairs(c.view.items) do
          if item.row ~= row then return ("step %d: item %d is said to be at %d and is at %d"):format(step, i, item.row, row) end
          row = row + item.n
        end
      end
    end
    return ""
  ]])
  eq(bad, "")
end

T["folds are where they belong after every redraw"] = function()
  child = fake.child()
  child.lua([[
    open()
    began("t1", "go")
    up({ sessionUpdate = "agent_thought_chunk", content = { type = "text", text = "hm\nhm\nhm" } })
    say("Text.\n")
    called("c1", { title = "editor-view", _meta = { ["copilot-bridge"] = { tool = "view" } }, rawInput = { path = "/x/a.txt" } })
    lines()
    updated("c1", { status = "completed", content = { { type = "content", content = { type = "text", text = "1\n2\n3\n" } } } })
    called("c2", { title = "editor-bash", _meta = { ["copilot-bridge"] = { tool = "bash" } }, kind = "execute", rawInput = { command = "make" } })
    updated("c2", { _meta = { ["copilot-bridge"] = { terminalId = "x" } } })
    events.emit("terminal/output", { sessionId = "s1", terminalId = "x", data = "building\n" })
    lines()
  ]])
  local folded = [[(function()
    local out = {}
    for i, l in ipairs(lines()) do
      local from = vim.api.nvim_win_call(win(), function() return vim.fn.foldclosed(i) end)
      if from == i then out[#out + 1] = l end
    end
    return out
  end)()]]
  eq(child.lua_get(folded), { "∴ Thought (3 lines)", "✓ Read `/x/a.txt`" })
  -- A command that runs is open, one that has ended well is not.
  child.lua([[
    events.emit("terminal/output", { sessionId = "s1", terminalId = "x", data = "done\n", exitStatus = { exitCode = 0 } })
    updated("c2", { status = "completed", _meta = { ["copilot-bridge"] = { exitStatus = { exitCode = 0 } } }, content = { { type = "content", content = { type = "text", text = "building\ndone\n<shellId: 0 completed with exit code 0>" } } } })
    say("And more.")
  ]])
  eq(child.lua_get(folded), { "∴ Thought (3 lines)", "✓ Read `/x/a.txt`", "✓ Run `make`" })
  -- Also where it takes as many lines as before.
  child.lua([[
    called("c3", { title = "wait", kind = "execute", rawInput = { command = "true" } })
    updated("c3", { _meta = { ["copilot-bridge"] = { terminalId = "y" } } })
    events.emit("terminal/output", { sessionId = "s1", terminalId = "y", data = "one\n" })
    lines()
    updated("c3", { status = "completed", _meta = { ["copilot-bridge"] = { exitStatus = { exitCode = 0 } } }, content = { { type = "content", content = { type = "text", text = "one\n<shellId: 0 completed with exit code 0>" } } } })
  ]])
  eq(
    child.lua_get(folded),
    { "∴ Thought (3 lines)", "✓ Read `/x/a.txt`", "✓ Run `make`", "✓ Run `true`  wait" }
  )
  -- What the user has opened stays open while more comes.
  child.lua([[
    vim.api.nvim_set_current_win(win())
    vim.fn.search("Read")
    vim.cmd("normal! zo")
    for i = 1, 50 do say("line\n"); c.view:now() end
  ]])
  eq(child.lua_get(folded), { "∴ Thought (3 lines)", "✓ Run `make`", "✓ Run `true`  wait" })
end

T["a window at the end follows, also where lines wrap; one that is not stays"] = function()
  child = fake.child()
  child.lua([[
    open()
    began("t1", "go")
    for i = 1, 60 do say(("line %d " .. ("wide "):rep(i % 40)):format(i) .. "\n") end
    lines()
  ]])
  local bottom =
    [[(function() vim.cmd.redraw(); return vim.fn.line("w$", win()) == vim.api.nvim_buf_line_count(c.view.buf) end)()]]
  eq(child.lua_get(bottom), true)
  child.lua([[
    vim.api.nvim_set_current_win(win())
    vim.cmd("normal! 20Gzt")
    vim.cmd("wincmd w")
    for i = 1, 300 do say("more\n") end
    lines()
  ]])
  eq(child.lua_get([[{ vim.fn.line("w0", win()), vim.api.nvim_win_get_cursor(win())[1] }]]), { 20, 20 })
end

T["below a line that is taller than the window nothing is left empty"] = function()
  child = fake.child()
  child.lua([[
    open()
    began("t1", ("tall "):rep(400))
    say("the end")
    lines()
    vim.cmd.redraw()
    local last = vim.api.nvim_buf_line_count(c.view.buf)
    local bottom = vim.api.nvim_win_get_position(win())[1] + vim.api.nvim_win_get_height(win())
    _G.rows = { vim.fn.screenpos(win(), last, 1).row, bottom }
  ]])
  local row, bottom = unpack(child.lua_get("rows"))
  eq(bottom - row <= 1, true)
end

T["a long conversation does not hold the keys up: Neovim 0.10 colors it by patterns"] = function()
  child = fake.child()
  child.lua([[open(); began("t1", "go"); say("- **one**\n"); lines()]])
  local parsed = "vim.treesitter.highlighter.active[c.view.buf] ~= nil"
  eq(child.lua_get(parsed), true)
  child.lua([[say(("- one\n"):rep(2500)); lines()]])
  local newer = child.fn.has("nvim-0.11") == 1
  eq(child.lua_get(parsed), newer)
  eq(child.lua_get("vim.bo[c.view.buf].syntax"), newer and "" or "copilot-bridge-chat")
end

T["what changes above a window does not move what it shows"] = function()
  child = fake.child()
  child.lua([[
    open()
    began("t1", "go")
    called("c1", { title = "editor-bash", _meta = { ["copilot-bridge"] = { tool = "bash" } }, kind = "execute", rawInput = { command = "make" } })
    for i = 1, 100 do say("line " .. i .. "\n") end
    lines()
    vim.api.nvim_set_current_win(win())
    vim.fn.search("line 50$")
    vim.cmd("normal! zt")
    vim.cmd("vsplit | normal! Gzb")
    vim.cmd("wincmd p | wincmd p")
    _G.wins = vim.fn.win_findbuf(c.view.buf)
  ]])
  local shown = [[(function()
    local out = {}
    for _, w in ipairs(wins) do
      out[#out + 1] = vim.fn.getbufoneline(c.view.buf, vim.fn.line("w0", w))
      out[#out + 1] = vim.fn.getbufoneline(c.view.buf, vim.api.nvim_win_get_cursor(w)[1])
    end
    return out
  end)()]]
  local before = child.lua_get(shown)
  child.lua([[updated("c1", { _meta = { ["copilot-bridge"] = { terminalId = "x" } } })
    events.emit("terminal/output", { sessionId = "s1", terminalId = "x", data = ("out\n"):rep(8) })
    lines()]])
  eq(child.lua_get(shown), before)
end

T["the buffer is not written while no window shows it, and is right when one does"] = function()
  child = fake.child()
  child.lua([[open(); began("t1", "go"); lines(); chat.close()]])
  fake.wait(child, "not c.view.armed")
  child.lua([[_G.n = c.view.redraws; say("unseen")]])
  fake.settle(child)
  eq(child.lua_get("{ c.view.armed, c.view.redraws - n }"), { false, 0 }) -- and none is due
  child.lua("open()")
  eq(fake.screen(child):find("unseen", 1, true) ~= nil, true)
end

T["the title is said once, in the bar, and the folder below it"] = function()
  child = fake.child({ columns = 70 })
  child.lua([[S.title = ("Make it loud 大声に "):rep(5); S.cwd = "/somewhere/project"; open(); lines()]])
  local lines = vim.tbl_map(function(line)
    return line:match("│%s*(.-)%s*$") or ""
  end, vim.split(fake.screen(child), "\n"))
  eq({ lines[1]:sub(1, 12), lines[2] }, { "Make it loud", "/somewhere/project" })
  eq(#vim.tbl_filter(function(line)
    return line:find("Make it loud", 1, true) ~= nil
  end, lines), 1)
end

T["what is in brackets is shown as it is written, links without their targets"] = function()
  child = fake.child()
  child.lua(
    [[open(); began("t1", "set a[0] to b[i][]"); say("Was `x` in c[1], see [the page](https://example.org/x)."); lines()]]
  )
  local screen = fake.screen(child)
  for _, want in ipairs({ "set a[0] to b[i][]", "Was x in c[1], see the page" }) do
    eq(screen:find(want, 1, true) ~= nil and want or screen, want)
  end
  eq(screen:find("example.org", 1, true), nil)
end

T["nothing is left of a line that is drawn anew"] = function()
  child = fake.child()
  child.lua(
    [[open(); began("t1", "go"); lines(); S.title = "Another"; events.emit("session/didChange", { sessionId = "s1", title = "Another" }); lines()]]
  )
  eq(
    child.lua_get(
      [[#vim.api.nvim_buf_get_extmarks(c.view.buf, require("copilot-bridge.chat.view").namespace, 0, { 0, -1 }, {})]]
    ),
    1
  )
end

T["ten thousand chunks are a few redraws"] = function()
  child = fake.child()
  child.lua([[
    open(); began("t1", "go"); lines()
    _G.n = c.view.redraws
    for i = 1, 10000 do say(i % 12 == 0 and "word\n" or "word ") end
  ]])
  fake.wait(child, "not c.view.armed")
  local redraws = child.lua_get("c.view.redraws - n")
  eq(redraws >= 1 and redraws <= 8, true)
  eq(child.lua_get("#lines() > 800"), true)
end

T["the transcript cannot be edited and keeps no undo"] = function()
  child = fake.child()
  child.lua([[open(); began("t1", "go"); say("text"); lines(); vim.api.nvim_set_current_win(win())]])
  eq(child.lua_get("vim.bo.modifiable"), false)
  eq(child.lua_get("#vim.fn.undotree().entries"), 0)
  eq(child.lua_get("pcall(vim.cmd, 'normal! dd')"), false)
end

T["a long conversation opens with its end; what was before comes as one scrolls"] = function()
  child = fake.child({ setup = { chat = { recent = 50 } } })
  child.lua([[
    for i = 1, 500 do began("t" .. i, "prompt " .. i); say("answer " .. i, "t" .. i); ended("t" .. i) end
    open()
    lines()
  ]])
  eq(child.lua_get("#c.view.items"), 52)
  eq(fake.screen(child):find("answer 500", 1, true) ~= nil, true)
  child.lua([[vim.api.nvim_set_current_win(win()); vim.cmd("normal! 6Gzt")]])
  local under = child.lua_get("{ vim.api.nvim_get_current_line(), vim.fn.winline() }")
  child.type_keys("3<C-y>")
  fake.wait(child, "c.view.first < 900")
  eq(child.lua_get("{ vim.api.nvim_get_current_line(), vim.fn.winline() }"), { under[1], under[2] + 3 })
  child.lua("c:all()")
  fake.wait(child, "c.view.first == 1")
  eq(child.lua_get("lines()"), child.lua_get("fresh()"))
  eq(child.lua_get("vim.fn.getbufoneline(c.view.buf, 4)"), "prompt 1")
end

T["a history that comes again replaces what is there, and is the same"] = function()
  child = fake.child()
  child.lua([[
    open()
    began("t1", "make it loud"); say("I'll see.\n\n"); called("c1", { title = "editor-view", _meta = { ["copilot-bridge"] = { tool = "view" } }, rawInput = { path = "/x/a.txt" } })
    updated("c1", { status = "completed", content = { { type = "content", content = { type = "text", text = "1\n2\n" } } } })
    say("Done."); ended("t1", { files = { { uri = "file:///x/a.txt", added = 1, removed = 2 } } })
    began("t2", "again"); say("half an ans", "t2"); ended("t2", { stopReason = "cancelled" })
    _G.live = lines()
    seq = 0
    local r = { replay = true }
    up({ sessionUpdate = "user_message_chunk", content = { type = "text", text = "make it loud" } }, "t1", r)
    up({ sessionUpdate = "agent_message_chunk", content = { type = "text", text = "I'll see.\n\n" } }, "t1", r)
    up({ sessionUpdate = "tool_call", toolCallId = "c1", title = "editor-view", _meta = { ["copilot-bridge"] = { tool = "view" } }, kind = "read", status = "pending", rawInput = { path = "/x/a.txt" } }, "t1", r)
    up({ sessionUpdate = "tool_call_update", toolCallId = "c1", status = "completed", content = { { type = "content", content = { type = "text", text = "1\n2\n" } } } }, "t1", r)
    up({ sessionUpdate = "agent_message_chunk", content = { type = "text", text = "Done." } }, "t1", r)
    up({ sessionUpdate = "_copilot-bridge/turn_ended", stopReason = "end_turn", files = { { uri = "file:///x/a.txt", added = 1, removed = 2 } } }, "t1", r)
    up({ sessionUpdate = "user_message_chunk", content = { type = "text", text = "again" } }, "t2", r)
    up({ sessionUpdate = "agent_message_chunk", content = { type = "text", text = "half an ans" } }, "t2", r)
    up({ sessionUpdate = "_copilot-bridge/turn_ended", stopReason = "cancelled" }, "t2", r)
  ]])
  eq(child.lua_get("lines()"), child.lua_get("live"))
end

T["a gap is asked for, and what comes meanwhile waits"] = function()
  child = fake.child()
  child.lua([[
    open(); began("t1", "go"); say("one ")
    answer["transcript/get"] = { seq = 3, updates = {
      { sessionId = "s1", turnId = "t1", seq = 2, update = { sessionUpdate = "agent_message_chunk", content = { type = "text", text = "two " } } },
      { sessionId = "s1", turnId = "t1", seq = 3, update = { sessionUpdate = "agent_message_chunk", content = { type = "text", text = "three " } } } } }
    seq = 2
    say("three ")
    say("four")
  ]])
  fake.wait(child, "lines()[#lines()] == 'one two three four'")
  eq(child.lua_get("asked[#asked].params.since"), 1)
end

return T
