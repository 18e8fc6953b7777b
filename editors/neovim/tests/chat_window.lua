--- The chat's windows: what people do to windows does not break it, and nothing of it is left when it is gone.

local fake = require("tests.fake")
local h = require("tests.helpers")
local eq = MiniTest.expect.equality

local child
local T = h.cases(function()
  return child
end)

-- What the windows of the tab page show: "t" the transcript, "i" the input, "f" anything else.
local function layout()
  fake.settle(child)
  return child.lua_get([[(function()
    local out = {}
    for _, w in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
      local b = vim.api.nvim_win_get_buf(w)
      out[#out + 1] = c.view and b == c.view.buf and "t" or c.input and b == c.input.buf and "i" or "f"
    end
    table.sort(out)
    return table.concat(out)
  end)()]])
end

T["it opens beside the file, closes, and opens again with what was written"] = function()
  child = fake.child()
  child.lua("open()")
  eq(layout(), "fit")
  child.type_keys("i", "a draft", "<Esc>")
  child.lua("chat.toggle()")
  eq(layout(), "f")
  child.lua("chat.toggle()")
  eq(layout(), "fit")
  eq(child.lua_get("c.input:text()"), "a draft")
  -- Twice is once.
  child.lua("open(); open()")
  eq(layout(), "fit")
end

for _, side in ipairs({ "left", "right", "top", "bottom", "tab" }) do
  T["it opens at the " .. side] = function()
    child = fake.child({ setup = { chat = { position = side } } })
    child.lua("open()")
    eq(layout(), side == "tab" and "it" or "fit")
    child.lua("chat.close()")
    eq(layout(), "f")
    eq(child.lua_get("#vim.api.nvim_list_tabpages()"), 1)
  end
end

T["options of the chat's windows are not left in a window that shows a file again"] = function()
  child = fake.child()
  child.lua("vim.o.number = true; open(); vim.api.nvim_set_current_win(win())")
  eq(child.wo.number, false)
  child.cmd("setlocal nowinfixbuf")
  child.cmd("enew")
  eq(
    child.lua_get("{ vim.wo.number, vim.wo.conceallevel, vim.wo.foldmethod, vim.wo.winbar, vim.wo.statuscolumn }"),
    { true, 0, "manual", "", "" }
  )
end

T["a file never takes a window of the chat: what is typed there opens it beside, as the quickfix list does"] = function()
  child = fake.child()
  local one, two = child.dir .. "/one.txt", child.dir .. "/two.txt"
  vim.fn.writefile({ "one" }, one)
  vim.fn.writefile({ "two", "lines" }, two)
  local function file()
    return child.lua_get([[vim.fs.basename(vim.api.nvim_buf_get_name(0))]])
  end
  child.lua("open()")
  eq({ child.wo.winfixbuf, child.lua_get("vim.wo[win()].winfixbuf") }, { true, true })
  child.type_keys(":e " .. one .. "<CR>")
  eq({ file(), layout() }, { "one.txt", "fit" })
  child.lua("open()")
  child.lua([[vim.fn.setqflist({ { filename = ..., lnum = 2 } })]], { two })
  child.cmd("copen")
  child.type_keys("<CR>")
  eq({ file(), child.lua_get("vim.fn.line('.')") }, { "two.txt", 2 })
  child.cmd("cclose")
  eq(layout(), "fit")
  -- The conversation alone in its tab page: the file gets a window of its own.
  child.lua("vim.api.nvim_set_current_win(win())")
  child.cmd("only")
  child.type_keys(":buffer one.txt<CR>")
  eq({ file(), layout() }, { "one.txt", "fit" })
end

T["the chat that the user goes to is the current one"] = function()
  child = fake.child()
  child.lua("open(); _G.current = nil")
  child.type_keys("<C-w>p")
  child.type_keys("<C-w>p")
  eq(child.lua_get("_G.current"), "s1")
end

T[":q in the input or in the conversation closes both"] = function()
  child = fake.child()
  child.lua("open()")
  child.cmd("quit")
  eq(layout(), "f")
  child.lua("open(); vim.api.nvim_set_current_win(win())")
  child.cmd("quit")
  eq(layout(), "f")
  child.lua("open()")
  child.type_keys("<C-w>c")
  eq(layout(), "f")
end

T[":only in the conversation keeps its input, in the file it closes the chat, in the input it brings the conversation back"] = function()
  child = fake.child()
  child.lua("open(); vim.api.nvim_set_current_win(win())")
  child.cmd("only")
  eq(layout(), "it")
  child.cmd("vsplit | enew")
  eq(layout(), "fit")
  child.cmd("only")
  eq(layout(), "f")
  child.lua("open()")
  child.cmd("only")
  eq(layout(), "it")
  eq(child.lua_get("vim.wo[win()].foldmethod"), "expr")
end

T["the conversation can go to a tab page of its own"] = function()
  child = fake.child()
  child.lua("open(); vim.api.nvim_set_current_win(win())")
  child.type_keys("<C-w>T")
  eq(layout():find("t") ~= nil, true)
  child.type_keys("i")
  eq(layout(), "it")
  child.cmd("tabclose")
  child.lua("open()")
  eq(layout():find("it") ~= nil, true)
end

T["two windows and two tab pages show the same conversation"] = function()
  child = fake.child()
  child.lua("open()")
  child.cmd("tabnew")
  child.lua("open()")
  eq(layout(), "fit")
  child.lua([[began("t1", "go"); say("hello"); lines()]])
  eq(child.lua_get("#vim.fn.win_findbuf(c.view.buf)"), 2)
  child.lua("chat.close()")
  eq(layout(), "f")
  child.cmd("tabnext")
  eq(layout(), "fit")
end

T["a wiped buffer takes the rest with it, leaves nothing behind, and comes back whole"] = function()
  child = fake.child()
  local count =
    [[#vim.tbl_filter(function(a) return (a.group_name or ""):find("copilot%-bridge%-chat") ~= nil end, vim.api.nvim_get_autocmds({}))]]
  child.lua([[open(); began("t1", "go"); say("hello"); lines()]])
  child.type_keys("i", "a draft", "<Esc>")
  eq(child.lua_get(count .. " > 0"), true)
  child.lua([[vim.cmd("bwipeout! " .. c.view.buf)]])
  fake.settle(child)
  eq(child.lua_get(count), 0)
  eq(
    child.lua_get(
      "#vim.tbl_filter(function(b) return vim.api.nvim_buf_get_name(b):find('copilot%-bridge') ~= nil end, vim.api.nvim_list_bufs())"
    ),
    0
  )
  child.lua([[say(" you"); open()]])
  eq(child.lua_get("lines()[#lines()]"), "hello you")
  eq(child.lua_get("c.input:text()"), "a draft")
  child.lua([[vim.cmd("bwipeout! " .. c.input.buf)]])
  fake.settle(child)
  child.lua("open()")
  eq(layout(), "fit")
end

T["timers end with what they are for"] = function()
  child = fake.child()
  child.lua([[
    local made, new = {}, vim.uv.new_timer
    vim.uv.new_timer = function()
      local t = new()
      made[#made + 1] = t
      return t
    end
    function _G.left()
      return #vim.tbl_filter(function(t) return not t:is_closing() end, made)
    end
    open(); began("t1", "go")
    _G.drawn = c.view.redraws
    say("x")
  ]])
  eq(child.lua_get("left()"), 2) -- the clock of the turn, and the redraw that is due
  fake.wait(child, "c.view.redraws > drawn")
  child.lua([[ended("t1")]])
  fake.wait(child, "left() == 1")
  child.lua("c:detach()")
  eq(child.lua_get("left()"), 0)
end

T["quitting Neovim needs no force and leaves no prompt"] = function()
  child = fake.child()
  child.lua([[open(); began("t1", "go"); say("x")]])
  child.type_keys("i", "a draft", "<Esc>")
  eq(child.lua_get("vim.bo[c.input.buf].modified and vim.bo[c.input.buf].buftype == ''"), false)
  eq(child.lua_get("vim.bo[c.view.buf].modified"), false)
  eq(h.quit(child, "qall"), 0)
end

T["a link opens its file beside the chat, at its line"] = function()
  child = fake.child()
  child.lua([[
    _G.dir = vim.fn.tempname(); vim.fn.mkdir(dir, "p"); S.cwd = dir
    vim.fn.writefile({ "one", "two", "three" }, dir .. "/a.txt")
    open(); began("t1", "go")
    called("c1", { title = "editor-edit", _meta = { ["copilot-bridge"] = { tool = "edit" } }, kind = "edit", rawInput = { path = dir .. "/a.txt" }, locations = { { path = dir .. "/a.txt" } } })
    updated("c1", { status = "completed", content = { { type = "diff", path = dir .. "/a.txt", oldText = "one\ntwo\nthree\n", newText = "one\nTWO\nthree\n" } } })
    say("See `a.txt:3` for it.")
    lines()
    vim.api.nvim_set_current_win(win())
    vim.fn.search("Edit")
  ]])
  child.type_keys("<CR>")
  eq(child.lua_get("{ vim.fn.expand('%:t'), vim.fn.line('.') }"), { "a.txt", 2 })
  eq(layout(), "fit")
  child.lua([[vim.api.nvim_set_current_win(win()); vim.fn.search("a.txt:3")]])
  child.type_keys("gf")
  eq(child.lua_get("{ vim.fn.expand('%:t'), vim.fn.line('.') }"), { "a.txt", 3 })
end

T["another session's chat takes the place"] = function()
  child = fake.child()
  child.lua([[open(); _G.d = chat.open("s2")]])
  eq(child.lua_get("#vim.api.nvim_tabpage_list_wins(0)"), 3)
  eq(child.lua_get("vim.api.nvim_buf_get_name(d.view.buf)"), "copilot-bridge://chat/s2")
end

T["the bar says first what is dangerous, and the title has the room that is left"] = function()
  child = fake.child()
  child.lua([[
    S.title = "Make the greeting loud, 大声に"
    S.modes = { currentModeId = "agent", availableModes = { { id = "agent", name = "Agent" } } }
    S.configOptions = { { id = "model", category = "model", currentValue = "m", options = { { value = "m", name = "Claude Sonnet" } } } }
    S.relaxed = { { code = "allow_all", label = "allows all", message = "allow_all is on" } }
    S.context = { used = 95000, size = 100000 }
    open()
    function _G.bar(width)
      return vim.api.nvim_eval_statusline(require("copilot-bridge.chat.winbar").transcript(c, width), { maxwidth = width }).str
    end
  ]])
  eq(
    child.lua_get("bar(90)"),
    " Make the greeting loud, 大声に" .. (" "):rep(8) .. "▲ ALLOWS ALL · 95% of 100k · Agent · Claude Sonnet "
  )
  eq(child.lua_get("bar(50)"), " Make the gre… ▲ ALLOWS ALL · 95% of 100k · Agent ")
  eq(child.lua_get("bar(24)"), " Make the… ▲ ALLOWS ALL ")
  child.lua("S.relaxed, S.context.used = {}, 1000")
  eq(child.lua_get("bar(64)"), " Make the greeting loud, 大… Agent · Claude Sonnet · 1% of 100k ")
end

T["the input's bar names the keys of the mode that it is in"] = function()
  child = fake.child({ columns = 160 })
  child.lua("open()")
  local bar = "vim.wo[win(c.input.buf)].winbar"
  child.lua([[began("t1", "go")]])
  child.type_keys("<Esc>")
  h.wait(child, bar .. ":find('<CR> queue', 1, true) ~= nil")
  child.type_keys("i", "a", "<CR>", "b") -- a line break
  h.wait(child, bar .. ":find('<C-s> queue', 1, true) ~= nil")
  eq(child.lua_get("c.input:text()"), "a\nb")
  child.type_keys("<Esc>")
  h.wait(child, bar .. ":find('<CR> queue', 1, true) ~= nil")
end

return T
