--- What a chat shows and sets beside the conversation: permission levels, what goes along with a prompt, what became of a call.

local fake = require("tests.fake")
local h = require("tests.helpers")
local eq = MiniTest.expect.equality

local child
local T = h.cases(function()
  return child
end)

local LEVELS = [[
  _G.levels = {
    { id = "read-only", name = "Read only" }, { id = "ask", name = "Ask" },
    { id = "edits", name = "Allow edits" }, { id = "all", name = "Allow everything" },
  }
  S.level = "ask"
]]

local function asked(method)
  return child.lua_get(([[(function()
    for i = #_G.asked, 1, -1 do
      if _G.asked[i].method == %q then
        return _G.asked[i].params
      end
    end
  end)()]]):format(method))
end

T["one key goes to the next level, the bar shows it, and the last one is only picked"] = function()
  child = fake.child()
  child.lua(LEVELS .. [[open(); answer["session/setLevel"] = {}]])
  fake.wait(child, "c.view.redraws > 0")
  eq(fake.screen(child):find("Ask", 1, true) ~= nil, true)
  child.type_keys("<S-Tab>")
  fake.wait(child, "S.level == 'edits'")
  eq(asked("session/setLevel"), { sessionId = "s1", level = "edits" })
  eq(h.sees(child, "Allow edits"):find("Allow everything", 1, true), nil)
  child.type_keys("i", "<S-Tab>", "<Esc>")
  fake.wait(child, "S.level == 'read-only'")
  child.lua([[require("copilot-bridge").level("all")]])
  fake.wait(child, "S.level == 'all'")
  h.sees(child, "Allow everything")
  child.lua([[require("copilot-bridge").level("nonsense")]])
  h.said(child, "try read-only, ask, edits, all")
end

T["what became of a call is said in the user's words, and the model's are folded"] = function()
  child = fake.child()
  child.lua([[open(); began("t1", "go")
    called("k1", { title = "editor-edit", kind = "edit", rawInput = { path = "/x/a.ts" } })
    updated("k1", { status = "failed",
      content = { { type = "content", content = { type = "text", text = "The user said no. Do not try again." } } },
      _meta = { ["copilot-bridge"] = { message = "You declined this: use the helper" } } })
    say("I see."); lines()]])
  local screen = h.sees(child, "You declined this: use the helper")
  eq(screen:find("Do not try again", 1, true), nil)
  child.lua("vim.api.nvim_set_current_win(win()); vim.fn.search('Details')")
  child.type_keys("<Tab>")
  h.sees(child, "Do not try again")
end

T["a fold whose first line is too long ends with …, and nothing else"] = function()
  child = fake.child({ columns = 80 })
  local command = "for name in " .. ("file "):rep(20) .. "last; do true; done"
  child.lua(
    [[local command = ...
    open(); began("t1", "go"); called("k1", { title = "editor-bash", kind = "execute", rawInput = { command = command } })
    updated("k1", { status = "completed",
      content = { { type = "content", content = { type = "text", text = ("out\n"):rep(20) } } } }); say("Done"); lines()]],
    { command }
  )
  local line = h.sees(child, "Run for name"):match("[^\n]*Run for name[^\n]*")
  eq(line:match("…$") ~= nil, true)
  eq(vim.fn.strdisplaywidth(line), 80)
end

T["what is attached is seen before it is sent, can be taken off, and stands beside what was said"] = function()
  child = fake.child()
  child.lua([[
    dir = vim.fn.tempname(); vim.fn.mkdir(dir); S.cwd = vim.uv.fs_realpath(dir)
    vim.fn.writefile({ "1", "2", "3", "4" }, S.cwd .. "/store.py")
    vim.fn.writefile({ "x" }, S.cwd .. "/other.py")
    vim.cmd.edit(S.cwd .. "/store.py")
    answer.prompt = { turnId = "t1", queued = 0 }
  ]])
  child.cmd("runtime plugin/copilot-bridge.lua")
  child.cmd("2,3CopilotBridge attach")
  child.lua("c = chat.of_buf(vim.api.nvim_get_current_buf())")
  h.sees(child, "store.py:2-3")
  child.cmd("CopilotBridge attach other.py")
  h.sees(child, "other.py")
  child.lua("vim.ui.select = function(items, _, cb) cb(items[2], 2) end")
  child.type_keys("<Esc>", "gx")
  eq(child.lua_get("#c.chips"), 1)
  child.type_keys("i", "why?", "<C-s>")
  fake.wait(child, "asked[#asked].method == 'prompt'")
  local sent = asked("prompt")
  eq(#sent.opts.context, 1)
  eq(sent.opts.context[1].range.start.line, 1)
  eq(child.lua_get("#c.chips"), 0)
  child.lua([[began("t1", "why?"); lines()]])
  local screen = h.sees(child, "You  store.py:2-3")
  eq(screen:find("why?", 1, true) ~= nil, true)
end

T["an image and the quickfix list go along"] = function()
  child = fake.child()
  child.lua([[
    dir = vim.fn.tempname(); vim.fn.mkdir(dir); S.cwd = vim.uv.fs_realpath(dir)
    local f = io.open(S.cwd .. "/shot.png", "wb"); f:write("\137PNG"); f:close()
    vim.fn.setqflist({ { filename = S.cwd .. "/a.py", lnum = 3, col = 2, text = "wrong" } })
    answer.prompt = { turnId = "t1", queued = 0 }
    open()
  ]])
  child.type_keys("i", "see @shot.png and @quickfix", "<C-s>")
  fake.wait(child, "#asked > 0 and asked[#asked].method == 'prompt'")
  local prompt = asked("prompt").prompt
  eq(prompt[1].text, "see @shot.png and @quickfix (1 entries)")
  eq({ prompt[2].type, prompt[2].mimeType, vim.base64.decode(prompt[2].data) }, { "image", "image/png", "\137PNG" })
  eq(prompt[3].text, "Quickfix list:\n- a.py:3:2 wrong")
end

T["the chat keeps its part of the screen when that gets another size"] = function()
  child = fake.child({ columns = 160 })
  child.lua("open()")
  eq(child.lua_get("vim.api.nvim_win_get_width(win())"), 67)
  child.o.columns = 80
  eq(child.lua_get("vim.api.nvim_win_get_width(win())"), 33)
  child.o.columns = 160
  eq(child.lua_get("vim.api.nvim_win_get_width(win())"), 67)
end

T["a table is aligned when it is whole, and a code block says its language"] = function()
  child = fake.child()
  child.lua(
    [[open(); began("t1", "go"); say("| a | long |\n|--|--:|\n| `code` | 1 |\n\n```lua\nlocal x = 1\n```\n"); ended("t1"); lines()]]
  )
  local list = child.lua_get("lines()")
  local at = vim.iter(ipairs(list)):find(function(_, line)
    return line:find("long", 1, true)
  end)
  eq({ list[at], list[at + 1], list[at + 2] }, { "| a    | long |", "| ---- | ---: |", "| `code` |    1 |" })
  eq(h.screen(child):find("lua%s*\n") ~= nil, true)
end

T["completion plugins are served, and the chat's own list stays away then"] = function()
  child = fake.child()
  child.lua([[open()]])
  child.type_keys("i", "/com")
  child.lua([[
    local source = require("copilot-bridge.completion").new()
    _G.available = source:is_available()
    source:complete({}, function(l) _G.cmp = l end)
    source:get_completions({}, function(l) _G.blink = l end)
  ]])
  eq(child.lua_get("_G.available"), true)
  eq(child.lua_get("_G.cmp.items[1].textEdit.newText"), "/compact")
  eq(child.lua_get("_G.cmp.items[1].textEdit.range"), {
    start = { line = 0, character = 0 },
    ["end"] = { line = 0, character = 4 },
  })
  eq(child.lua_get("#_G.blink.items"), 1)
  child.type_keys("<Esc>", "cc", "/com")
  eq(child.fn.pumvisible(), 0)
end

T["a turn that the agent starts by itself is shown and can be stopped"] = function()
  child = fake.child()
  child.lua(
    [[open(); events.emit("turn/started", { sessionId = "s1", turnId = "t9", origin = "agent" }); say("The build is done.", "t9"); lines()]]
  )
  h.sees(child, "The build is done.")
  child.type_keys("<C-c>")
  eq(asked("cancel"), { id = "s1", turn = "t9" })
end

T["the command opens the chat ready to type"] = function()
  child = fake.child()
  child.cmd("runtime plugin/copilot-bridge.lua")
  child.cmd("CopilotBridge chat")
  fake.wait(child, "vim.api.nvim_get_mode().mode == 'i'")
  eq(child.bo.filetype, "copilot-bridge-input")
end

return T
