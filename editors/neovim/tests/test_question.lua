--- Questions: what they show, what an answer does, and what becomes of them when nobody answers.

local h = require("tests.helpers")
local eq = MiniTest.expect.equality

local child
local T = h.cases(function()
  return child
end)

T["the window shows the whole diff; y allows it"] = function()
  child = h.child({ files = { ["a.txt"] = "one\ntwo\nthree\n" }, setup = { permission = { show = "window" } } })
  child.cmd("edit a.txt")
  local screen = h.ask(child, { h.edit(child, "a.txt", "two", "TWO"), { text = "fin" } }, "Copilot: Edit a.txt")
  eq(screen:find("- two", 1, true) ~= nil and screen:find("+ TWO", 1, true) ~= nil, true)
  eq(screen:find("y Allow once", 1, true) ~= nil, true)
  eq(child.api.nvim_get_mode().blocking, false)
  child.type_keys("y")
  h.wait(child, "_G.turn")
  eq(h.lines(child), { "one", "TWO", "three" })
  eq(child.lua_get("#vim.api.nvim_list_wins()"), 1)
end

T["the proposal is shown in the file, scrolled to, and taken off with the answer"] = function()
  local text = {}
  for i = 1, 60 do
    text[i] = ("local v%d = %d"):format(i, i)
  end
  child = h.child({ files = { ["a.lua"] = table.concat(text, "\n") .. "\n" } })
  child.cmd("edit a.lua")
  local before = child.fn.winsaveview()
  h.ask(
    child,
    { h.edit(child, "a.lua", "local v50 = 50", "local v50 = { 51 }\nlocal more"), { text = "fin" } },
    "Copilot: Edit a.lua"
  )
  local screen = h.screen(child)
  eq(screen:find("local v50 = 50\nlocal v50 = { 51 }\nlocal more", 1, true) ~= nil, true)
  eq(screen:find("line 50  +2 -1", 1, true) ~= nil, true)
  eq(#child.api.nvim_buf_get_lines(child.fn.bufnr("a.lua"), 0, -1, false), 60)
  local marks = child.lua_get([[(function()
    local ns = vim.api.nvim_get_namespaces()["copilot-bridge.question.proposal"]
    local out = {}
    for _, m in ipairs(vim.api.nvim_buf_get_extmarks(vim.fn.bufnr("a.lua"), ns, 0, -1, { details = true })) do
      out[#out + 1] = m[4].line_hl_group or m[4].hl_group or vim.inspect(m[4].virt_lines)
    end
    return table.concat(out, "\n")
  end)()]])
  eq(marks:find("CopilotBridgeDelete", 1, true) ~= nil, true)
  eq(marks:find("CopilotBridgeAddWord", 1, true) ~= nil, true) -- what is new in the line
  eq(marks:find("@keyword", 1, true) ~= nil, true) -- its syntax
  child.type_keys("n")
  h.wait(child, "_G.turn")
  eq(child.lua_get("#vim.api.nvim_list_wins()"), 1)
  eq(h.screen(child):find("more", 1, true), nil)
  eq(child.fn.winsaveview().topline, before.topline)
end

T["a proposal is edited before it is allowed: :w accepts, :q goes back to the question"] = function()
  child = h.child({ files = { ["a.txt"] = "one\ntwo\nthree\n" } })
  child.cmd("edit a.txt")
  h.ask(child, { h.edit(child, "a.txt", "two", "TWO"), { text = "fin" } }, "Copilot: Edit a.txt")
  child.type_keys("e")
  h.sees(child, ":w accepts")
  eq(h.lines(child), { "one", "TWO", "three" })
  child.cmd("quit")
  h.question(child, "Copilot: Edit a.txt")
  eq(child.lua_get("#vim.api.nvim_list_tabpages()"), 1)
  child.type_keys("e")
  h.sees(child, ":w accepts")
  child.api.nvim_buf_set_lines(0, 1, 2, false, { "2!", "2?" })
  child.cmd("write")
  h.wait(child, "_G.turn")
  eq(h.lines(child), { "one", "2!", "2?", "three" })
  eq(child.lua_get("#vim.api.nvim_list_tabpages()"), 1)
  local results = h.told("results")
  eq(results[#results]:find("2!", 1, true) ~= nil, true) -- the agent is told the difference
end

T["<Esc> is a no, and the agent goes on"] = function()
  child = h.child({ files = { ["a.txt"] = "one\ntwo\nthree\n" } })
  child.cmd("edit a.txt")
  h.ask(child, { h.edit(child, "a.txt", "two", "TWO"), { text = "fin" } }, "Copilot: Edit a.txt")
  child.type_keys("<Esc>")
  local turn = h.wait(child, "_G.turn")
  eq(turn.stopReason, "end_turn")
  eq(h.lines(child), { "one", "two", "three" })
end

T["closing the window by other means is a no too"] = function()
  child = h.child({ files = { ["a.txt"] = "one\n" } })
  child.cmd("edit a.txt")
  h.ask(child, { h.edit(child, "a.txt", "one", "ONE"), { text = "fin" } }, "Copilot: Edit a.txt")
  child.cmd("close")
  h.wait(child, "_G.turn")
  eq(h.lines(child), { "one" })
end

T["a command is shown as it will run; no with words reaches the agent"] = function()
  child = h.child()
  local screen =
    h.ask(child, { h.bash("echo hello > made.txt\necho again"), { text = "fin" } }, "$ echo hello > made.txt⏎")
  eq(screen:find("  echo again", 1, true) ~= nil, true)
  eq(screen:find("by bash", 1, true) ~= nil, true)
  child.lua(
    [[local moment = ...
    vim.ui.input = function(opts, cb) vim.defer_fn(function() cb("use tee please") end, moment) end]],
    { h.A_MOMENT }
  )
  child.type_keys("w")
  h.wait(child, "_G.turn")
  eq(vim.uv.fs_stat(child.ws .. "/made.txt"), nil)
  local results = h.told("results")
  eq(results[#results]:find("use tee please", 1, true) ~= nil, true)
end

T["a command's question names what is not saved: it runs without that, or saves it"] = function()
  child = h.child({ files = { ["a.txt"] = "one\ntwo\n" } })
  child.cmd("edit a.txt")
  child.api.nvim_buf_set_lines(0, 0, 1, false, { "mine" })
  h.ask(
    child,
    { h.edit(child, "a.txt", "two", "TWO"), h.bash("cat a.txt"), h.bash("cat ./a.txt"), { text = "fin" } },
    "Copilot: Edit a.txt"
  )
  child.type_keys("y")
  local screen = h.question(child, "Not saved yet: a.txt")
  eq(screen:find("u Run without saving", 1, true) ~= nil, true)
  child.type_keys("u")
  h.question(child, "$ cat ./a.txt")
  eq(h.read(child, "a.txt"), "one\ntwo\n")
  child.type_keys("y")
  h.wait(child, "_G.turn")
  eq(h.read(child, "a.txt"), "mine\nTWO\n")
  eq(child.bo.modified, false)
end

T["a question of the agent's is answered with one of its options, or in other words"] = function()
  child = h.child()
  h.answer(child, "postgres")
  local step = { tool = "ask", args = { question = "Which database?", options = { "sqlite", "postgres" } } }
  h.prompt(child, { step, { text = "fin" } })
  eq(child.lua_get("_G.asked[1].prompt"), "Which database?")
  local results = h.told("results")
  eq(results[#results]:find("postgres", 1, true) ~= nil, true)
  h.answer(child, "In other words")
  child.lua(
    [[local moment = ...
    vim.ui.input = function(_, cb) vim.defer_fn(function() cb("neither of them") end, moment) end]],
    { h.A_MOMENT }
  )
  h.prompt(child, { step, { text = "fin" } })
  results = h.told("results")
  eq(results[#results]:find("neither of them", 1, true) ~= nil, true)
end

T["hunks are left out in the question"] = function()
  child = h.child({ files = { ["a.txt"] = "1\n2\n3\n4\n5\n6\n7\n8\n9\n" } })
  child.cmd("edit a.txt")
  local screen = h.ask(
    child,
    { h.edit(child, "a.txt", "2\n3\n4\n5\n6\n7\n8\n", "TWO\n3\n4\n5\n6\n7\nEIGHT\n"), { text = "fin" } },
    "Copilot: Edit a.txt"
  )
  eq(select(2, screen:gsub("%[x%]", "")), 2)
  child.type_keys("/EIGHT<CR>", "<Space>")
  eq(select(2, h.screen(child):gsub("%[x%]", "")), 1)
  eq(select(2, h.screen(child):gsub("%[ %]", "")), 1)
  child.type_keys("y")
  h.wait(child, "_G.turn")
  eq(h.lines(child), { "1", "TWO", "3", "4", "5", "6", "7", "8", "9" })
end

T["a picker of the user's is asked, with the diff above"] = function()
  child = h.child({
    files = { ["a.txt"] = "1\n2\n3\n4\n5\n6\n7\n8\n9\n" },
    setup = { permission = { show = "window" } },
  })
  h.answer(child, "Allow once")
  child.lua([[_G.seen = function()
    vim.cmd.redraw()
    local out = {}
    for row = 1, vim.o.lines do
      local line = {}
      for col = 1, vim.o.columns do line[col] = vim.fn.screenstring(row, col) end
      out[row] = table.concat(line)
    end
    return table.concat(out, "\n")
  end]])
  child.cmd("edit a.txt")
  h.prompt(child, { h.edit(child, "a.txt", "2\n", "TWO\n"), { text = "fin" } })
  local asked = child.lua_get("_G.asked")
  eq(#asked, 1)
  local options = { "Reject", "Allow once", "Always allow edits to a.txt", "Allow edits in this session" }
  eq(asked[1].items, options)
  eq(asked[1].screen:find("+ TWO", 1, true) ~= nil, true)
  eq(child.lua_get("#vim.api.nvim_list_wins()"), 1)
end

T["one question at a time, in order"] = function()
  child = h.child({ files = { ["a.txt"] = "one\n", ["b.txt"] = "one\n" } })
  child.cmd("edit a.txt")
  local both = {
    tools = {
      { name = "editor-edit", args = { path = child.ws .. "/a.txt", old_str = "one", new_str = "A" } },
      { name = "editor-edit", args = { path = child.ws .. "/b.txt", old_str = "one", new_str = "B" } },
    },
  }
  h.ask(child, { both, { text = "fin" } }, "Copilot: Edit")
  eq(child.lua_get("#vim.api.nvim_list_wins()"), 2)
  h.wait(child, "#require('copilot-bridge.question.queue').waiting() == 2")
  local titles = child.lua_get("require('copilot-bridge.question.queue').waiting()")
  child.type_keys("y")
  h.wait(child, "#require('copilot-bridge.question.queue').waiting() == 1 and #vim.api.nvim_list_wins() == 2")
  eq(child.lua_get("_G.turn == nil"), true)
  h.question(child, "Copilot: " .. titles[2])
  child.type_keys("y")
  h.wait(child, "_G.turn")
  eq(h.read(child, "a.txt") .. h.read(child, "b.txt"), "A\nB\n")
end

T["a cancelled turn takes its question off the screen"] = function()
  child = h.child({ files = { ["a.txt"] = "one\n" } })
  child.cmd("edit a.txt")
  h.ask(child, { h.edit(child, "a.txt", "one", "ONE"), { text = "fin" } }, "Copilot: Edit a.txt")
  child.lua([[require("copilot-bridge").cancel()]])
  local turn = h.wait(child, "_G.turn")
  eq(turn.stopReason, "cancelled")
  h.wait(child, "#vim.api.nvim_list_wins() == 1")
  eq(h.lines(child), { "one" })
end

T["nobody who types is interrupted; a message says that Copilot waits; answer shows the question"] = function()
  child = h.child({ files = { ["a.txt"] = "one\n" }, setup = { permission = { idle = 60000 } } })
  child.cmd("edit a.txt")
  child.type_keys("G", "o", "typing")
  h.prompt(child, { h.edit(child, "a.txt", "one", "ONE"), { text = "fin" } }, { wait = false })
  h.said(child, "Copilot asks: Edit a.txt")
  eq(child.lua_get("#vim.api.nvim_list_wins()"), 1)
  child.type_keys("<Esc>")
  child.cmd("CopilotBridge answer")
  h.question(child, "Copilot: Edit a.txt")
  child.type_keys("y")
  h.wait(child, "_G.turn")
  eq(h.lines(child), { "ONE", "typing" })
end

T["answer goes to the question that is shown"] = function()
  child = h.child({ files = { ["a.txt"] = "1\n2\n" } })
  child.cmd("edit a.txt")
  h.ask(child, { h.edit(child, "a.txt", "2\n", "TWO\n"), { text = "fin" } }, "Copilot: Edit a.txt")
  local win = child.api.nvim_get_current_win()
  child.cmd("wincmd p")
  eq(child.api.nvim_get_current_win() ~= win, true)
  child.cmd("CopilotBridge answer")
  h.wait(child, "vim.api.nvim_get_current_win() == " .. win)
  child.type_keys("y")
  h.wait(child, "_G.turn")
  eq(h.lines(child), { "1", "TWO" })
end

T["later puts a question off and keeps it"] = function()
  child = h.child({ files = { ["a.txt"] = "one\n" } })
  child.cmd("edit a.txt")
  h.ask(child, { h.edit(child, "a.txt", "one", "ONE"), { text = "fin" } }, "Copilot: Edit a.txt")
  child.type_keys("L")
  h.wait(child, "#vim.api.nvim_list_wins() == 1")
  eq(child.lua_get("require('copilot-bridge').statusline()"), "Copilot: asks")
  child.cmd("CopilotBridge answer")
  h.question(child, "Copilot: Edit a.txt")
  child.type_keys("n")
  h.wait(child, "_G.turn")
  eq(h.lines(child), { "one" })
end

T["on a narrow screen the answers that have no room at the foot stand below the text"] = function()
  child = require("tests.fake").child({ lines = 24, columns = 80 })
  child.lua([[
    local function option(key, label) return { keys = { key }, label = label, value = key } end
    require("copilot-bridge.question.dialog").open({
      title = "Copilot: Edit stats.py", lines = { { "line 2  +1 -4" } }, done = function(v) _G.done = v end,
      options = { option("n", "Reject"), option("y", "Allow once"), option("A", "Always allow edits to stats.py"), option("S", "Allow edits in this session") },
      extras = { { key = "L", label = "later", run = function() end } },
    })
  ]])
  local screen = h.screen(child)
  eq(screen:find("S Allow edits in this session  L later", 1, true) ~= nil, true)
  eq(screen:find("n Reject  y Allow once  A Always allow edits to stats.py", 1, true) ~= nil, true)
end

T["a long diff is whole and can be scrolled, on a small screen too"] = function()
  local old, new = {}, {}
  for i = 1, 60 do
    old[i], new[i] = "line " .. i, "LINE " .. i
  end
  child = h.child({ files = { ["a.txt"] = table.concat(old, "\n") .. "\n" }, lines = 12, columns = 50 })
  child.cmd("edit a.txt")
  h.ask(
    child,
    { h.edit(child, "a.txt", table.concat(old, "\n"), table.concat(new, "\n")), { text = "fin" } },
    "Copilot: Edit a.txt"
  )
  eq(child.api.nvim_get_mode().blocking, false)
  child.type_keys("G")
  h.sees(child, "+ LINE 60")
  child.type_keys("y")
  h.wait(child, "_G.turn")
  eq(child.fn.getline(60), "LINE 60")
end

T["a form is asked one thing after the other"] = function()
  child = h.child()
  child.lua([[
    _G.asked = {}
    local typed = { "Ada", "x", "36" }
    local now, later = vim.uv.now, 0
    vim.uv.now = function() return now() + later end
    vim.ui.input = function(opts, cb)
      table.insert(_G.asked, opts.prompt)
      later = later + 500 -- as one who types does
      cb(table.remove(typed, 1))
    end
    vim.ui.select = function(items, opts, cb)
      table.insert(_G.asked, opts.prompt)
      later = later + 500
      for _, item in ipairs(items) do
        if opts.format_item(item) == "blue" then return cb(item) end
      end
    end
    require("copilot-bridge.question.elicitation").request({ id = "1", sessionId = "s", title = "Who?", schema = {
      type = "object",
      required = { "name", "age" },
      properties = {
        name = { type = "string", title = "Name" },
        age = { type = "integer", minimum = 1 },
        colour = { type = "string", enum = { "red", "blue" } },
      },
    } }, function(result) _G.result = result end)
  ]])
  eq(h.wait(child, "_G.result"), { value = { name = "Ada", age = 36, colour = "blue" } })
  eq(child.lua_get("_G.asked"), { "Who? · Name: ", "age: ", "age: ", "colour" })
end

T["leaving a form gives it up"] = function()
  child = h.child()
  child.lua([[
    vim.ui.input = function(_, cb) cb(nil) end
    require("copilot-bridge.question.elicitation").request({ id = "1", sessionId = "s", title = "Who?", schema = {
      properties = { name = { type = "string" } } } }, function(result) _G.answered, _G.result = true, result end)
  ]])
  h.wait(child, "_G.answered")
  eq(child.lua_get("_G.result"), vim.NIL)
end

return T
