--- The input: sending, history, prompts that wait, what is sent along, completion.

local fake = require("tests.fake")
local h = require("tests.helpers")
local eq = MiniTest.expect.equality

local child
local T = h.cases(function()
  return child
end)

-- The last request of a kind.
local function asked(method)
  return child.lua_get(
    ([[(function() for i = #asked, 1, -1 do if asked[i].method == %q then return asked[i].params end end return false end)()]]):format(
      method
    )
  )
end

local function input()
  return child.lua_get("c.input:lines()")
end

T["several lines are sent with one key, shown at once, and undo gives them back"] = function()
  child = fake.child()
  child.lua("open()")
  child.type_keys("i", "first", "<CR>", "second", "<Esc>")
  child.type_keys("<CR>")
  fake.wait(child, "#vim.tbl_filter(function(a) return a.method == 'prompt' end, asked) == 1")
  eq(asked("prompt").prompt, { { type = "text", text = "first\nsecond" } })
  eq(input(), { "" })
  child.type_keys("u")
  eq(input(), { "first", "second" })
  child.type_keys("<C-r>", "i", "third", "<C-s>")
  fake.wait(child, "#vim.tbl_filter(function(a) return a.method == 'prompt' end, asked) == 2")
  eq(child.api.nvim_get_mode().mode, "n")
end

T["folds are right after something came while one typed"] = function()
  child = fake.child()
  child.lua([[open(); began("t1", "go")]])
  child.type_keys("i", "x")
  child.lua([[
    called("c1", { title = "editor-view", _meta = { ["copilot-bridge"] = { tool = "view" } }, rawInput = { path = "/x/a.txt" } })
    updated("c1", { status = "completed", content = { { type = "content", content = { type = "text", text = "1\n2\n3\n" } } } })
    say("And so."); lines()
  ]])
  child.type_keys("<Esc>")
  local closed = [[vim.api.nvim_win_call(win(), function() return vim.fn.foldclosed(vim.fn.search("Read", "cnw")) end)]]
  fake.wait(child, closed .. " > 0")
end

T["the first prompt of an empty chat makes the session"] = function()
  child = fake.child({ none = true })
  child.lua("open()")
  eq(child.lua_get("vim.api.nvim_buf_get_name(c.view.buf)"), "copilot-bridge://chat/new")
  child.type_keys("i", "hello", "<C-s>")
  fake.wait(child, "c.id == 's1'")
  fake.wait(child, "asked[#asked].method == 'prompt' or asked[#asked - 1].method == 'prompt'")
  eq(child.lua_get("vim.api.nvim_buf_get_name(c.view.buf)"), "copilot-bridge://chat/s1")
  child.lua([[began("t1", "hello"); say("Hi.")]])
  eq(fake.screen(child):find("Hi.", 1, true) ~= nil or fake.wait(child, "lines()[#lines()] == 'Hi.'"), true)
end

T["a prompt that is refused is given back, with the reason"] = function()
  child = fake.child()
  child.lua(
    [[open(); answer.prompt = { err = { code = -32050, message = "not signed in", data = { hint = "run `copilot login`" } } }]]
  )
  child.type_keys("i", "hello", "<C-s>")
  fake.wait(child, "c.input:text() == 'hello'")
  eq(child.lua_get("lines()[#lines()]"), "✗ Not sent: not signed in; run `copilot login`")
end

T["typing is not disturbed by what comes meanwhile, and is one step of undo"] = function()
  child = fake.child()
  child.lua([[
    open(); began("t1", "go")
    _G.timer = vim.uv.new_timer()
    timer:start(1, 1, vim.schedule_wrap(function() for _ = 1, 10 do say("word\n") end end))
  ]])
  child.type_keys("i")
  for _, key in ipairs(vim.split("a sentence while it runs", "")) do
    child.type_keys(2, key)
  end
  child.type_keys("<Esc>")
  child.lua("timer:stop()")
  eq(input(), { "a sentence while it runs" })
  child.type_keys("u")
  eq(input(), { "" })
end

T["the history is gone through at the edges, and comes back to what was being written"] = function()
  child = fake.child()
  child.lua([[open(); began("t1", "one"); ended("t1"); began("t2", "two\nlines"); ended("t2")]])
  child.type_keys("i", "draft")
  child.type_keys("<Up>")
  eq(input(), { "two", "lines" })
  child.type_keys("<Up>")
  child.type_keys("<Up>")
  eq(input(), { "one" })
  child.type_keys("<Down>")
  eq(input(), { "two", "lines" })
  child.type_keys("<Down>")
  eq(input(), { "draft" })
end

T["prompts that wait are seen, edited and taken out"] = function()
  child = fake.child()
  child.lua(
    [[open(); began("t1", "go"); S.queue = { { turnId = "q1", text = "then this" }, { turnId = "q2", text = "and that\nthere" } }
    events.emit("session/didChange", { sessionId = "s1", queue = S.queue }); lines()]]
  )
  local screen = fake.screen(child)
  eq(screen:find("1  then this", 1, true) ~= nil and screen:find("2  and that …", 1, true) ~= nil, true)
  child.lua("vim.api.nvim_set_current_win(win()); vim.fn.search('then this')")
  child.type_keys("x")
  eq(asked("cancel"), { id = "s1", turn = "q1" })
  child.lua("vim.fn.search('and that')")
  child.type_keys("e")
  eq(input(), { "and that", "there" })
  child.type_keys("o", "too", "<Esc>", "<CR>")
  fake.wait(child, "asked[#asked].method == 'session/editQueued'")
  eq(
    asked("session/editQueued"),
    { sessionId = "s1", turnId = "q2", prompt = { { type = "text", text = "and that\nthere\ntoo" } } }
  )
  fake.wait(child, "c.editing == nil")
  eq(input(), { "" })
end

T["what is added to a turn stands in the conversation, once"] = function()
  child = fake.child()
  child.lua(
    [[open(); began("t1", "go"); say("Working."); answer.prompt = { turnId = "t1", queued = 0, steered = true }]]
  )
  child.type_keys("i", "also the tests", "<Esc>", "g<CR>")
  fake.wait(child, "lines()[#lines()] == 'also the tests' or lines()[#lines()]:find('passed on') ~= nil")
  eq(asked("prompt").opts.steer, true)
  eq(fake.screen(child):find("Will be passed on after the current", 1, true) ~= nil, true)
  -- It is told with the result of a tool, and said no more; before that it may come too late and be a turn of its own.
  child.lua([[called("k1"); updated("k1", { status = "completed" }); lines()]])
  eq(fake.screen(child):find("Will be passed on", 1, true), nil)
  child.lua([[ended("t1"); began("t2", "also the tests")]])
  eq(child.lua_get("#vim.tbl_filter(function(l) return l == 'also the tests' end, lines())"), 1)
end

T["a prompt that was cut off can be sent again"] = function()
  child = fake.child()
  child.lua(
    [[open(); events.emit("session/didChange", { sessionId = "s1", event = { type = "turn_interrupted", message = "It was cut off.", turnId = "t0", prompt = "do it" } }); lines()]]
  )
  eq(fake.screen(child):find("send again", 1, true) ~= nil, true)
  child.lua("vim.api.nvim_set_current_win(win()); vim.fn.search('cut off')")
  child.type_keys("<CR>")
  eq(asked("prompt").prompt[1].text, "do it")
  eq(child.lua_get("c.model.interrupted == nil"), true)
end

T["@selection, @buffer, @diagnostics and paths are sent along"] = function()
  child = fake.child()
  child.lua([[
    _G.dir = vim.fn.tempname(); vim.fn.mkdir(dir, "p"); S.cwd = dir
    vim.fn.writefile({ "one", "two", "three" }, dir .. "/a.txt")
    vim.fn.writefile({ "x" }, dir .. "/b c.txt")
    vim.cmd.edit(dir .. "/a.txt")
    vim.cmd("normal! jVj\27")
    vim.diagnostic.set(vim.api.nvim_create_namespace("t"), 0, { { lnum = 1, col = 0, end_lnum = 1, end_col = 3, severity = 1, message = "two is wrong", source = "lint" } })
    open()
  ]])
  child.api.nvim_buf_set_lines(
    child.api.nvim_get_current_buf(),
    0,
    -1,
    false,
    { 'explain @selection of @buffer, see @diagnostics and @"b c.txt" and @a.txt:1-2, not me@home or @nobody' }
  )
  child.type_keys("<CR>")
  local p = asked("prompt")
  local uri = function(name)
    return child.lua_get(("vim.uri_from_fname(dir .. %q)"):format("/" .. name))
  end
  eq(
    p.prompt[1].text,
    'explain @selection (a.txt:2-3) of @a.txt, see @diagnostics (a.txt: 1) and @"b c.txt" and @a.txt:1-2, not me@home or @nobody'
  )
  eq(p.prompt[2].text:find("two is wrong", 1, true) ~= nil, true)
  local got = {}
  for _, c in ipairs(p.opts.context) do
    got[#got + 1] = { c.uri, c.range and c.range.start.line, c.range and c.range["end"].line }
  end
  table.sort(got, function(a, b)
    return vim.inspect(a) < vim.inspect(b)
  end)
  local want = { { uri("a.txt") }, { uri("a.txt"), 0, 2 }, { uri("a.txt"), 1, 2 }, { uri("b c.txt") } }
  table.sort(want, function(a, b)
    return vim.inspect(a) < vim.inspect(b)
  end)
  eq(got, want)
end

T["what stands behind an @ and is no file is sent as it is, and that is said"] = function()
  child = fake.child()
  child.lua("open()")
  child.type_keys("i", "look at @nofile, then @nofile", "<C-s>")
  h.wait(child, "#_G.asked == 1")
  eq(child.lua_get("_G.asked[1].params.prompt[1].text"), "look at @nofile, then @nofile")
  eq(
    child.lua_get([[vim.tbl_filter(function(l) return l:find("No file ", 1, true) end, lines())]]),
    { "▲ No file @nofile: sent as text" }
  )
end

T["@selection without a selection sends nothing and says so"] = function()
  child = fake.child()
  child.lua("open()")
  child.type_keys("i", "explain @selection ", "<C-s>")
  eq(asked("prompt"), false)
  eq(input(), { "explain @selection" })
  eq(child.lua_get("notified[#notified]:find('nothing is selected') ~= nil"), true)
end

T["@ and / are completed as one types"] = function()
  child = fake.child()
  child.lua([[
    _G.dir = vim.fn.tempname(); vim.fn.mkdir(dir .. "/src", "p"); S.cwd = dir
    for _, n in ipairs({ "src/main.go", "src/other.go", "readme.md" }) do vim.fn.writefile({ "x" }, dir .. "/" .. n) end
    require("copilot-bridge.chat.complete").refresh(dir)
    vim.wait(2000, function() return #require("copilot-bridge.chat.complete").items("@main", S, dir) > 0 end)
    open()
  ]])
  local words = "vim.tbl_map(function(i) return i.word end, vim.fn.complete_info({ 'items' }).items)"
  child.type_keys("i", "/")
  eq(child.lua_get(words), { "/new", "/compact", "/plan" })
  eq(input(), { "/" }) -- nothing is inserted unasked
  child.type_keys("p")
  child.type_keys("<Tab>", "<C-y>")
  eq(input(), { "/plan" })
  child.type_keys("<C-u>", "look at @")
  eq(child.lua_get(words .. "[1]"), "@selection")
  child.type_keys("main")
  fake.wait(child, "vim.fn.pumvisible() == 1")
  eq(child.lua_get(words), { "@src/main.go" })
  child.type_keys("<Tab>", "<C-y>")
  eq(input(), { "look at @src/main.go" })
  child.type_keys("<Esc>")
  eq(child.o.completeopt, child.lua_get("vim.api.nvim_get_option_info2('completeopt', {}).default"))
end

T["by hand it is the omnifunc, with the pop-up as one types switched off"] = function()
  child = fake.child({ setup = { chat = { complete = false } } })
  child.lua("open()")
  child.type_keys("i", "@sel")
  eq(child.fn.pumvisible(), 0)
  child.type_keys("<C-x><C-o>", "<C-y>")
  eq(input(), { "@selection" })
end

T["an empty input says what it is for"] = function()
  child = fake.child()
  child.lua("open()")
  eq(fake.screen(child):find("Ask Copilot", 1, true) ~= nil, true)
  child.type_keys("i", "x")
  eq(fake.screen(child):find("Ask Copilot", 1, true), nil)
end

return T
