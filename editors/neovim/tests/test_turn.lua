--- A turn with the real Copilot: what it reads, what it changes, what the user can take back.

local h = require("tests.helpers")
local eq = MiniTest.expect.equality

local child
local T = h.cases(function()
  return child
end)

T["an edit meets unsaved text and leaves the disk alone"] = function()
  child = h.child({ files = { ["a.txt"] = "one\ntwo\nthree\n" } })
  h.answer(child, "Allow once")
  child.cmd("edit a.txt")
  child.api.nvim_buf_set_lines(0, -1, -1, false, { "mine, unsaved" })
  local p = child.ws .. "/a.txt"
  h.prompt(child, {
    { tool = "view", args = { path = p } },
    { tool = "edit", args = { path = p, old_str = "two", new_str = "TWO" } },
    { text = "fin" },
  })
  eq(h.lines(child), { "one", "TWO", "three", "mine, unsaved" })
  eq(child.bo.modified, true)
  eq(h.read(child, "a.txt"), "one\ntwo\nthree\n")
  local results = table.concat(h.told("results"), "\n")
  eq(results:find("mine, unsaved", 1, true) ~= nil, true)
end

T["an edit of a saved buffer is saved, without a message or a prompt"] = function()
  child = h.child({ files = { ["a.txt"] = "one\ntwo\n" } })
  h.answer(child, "Allow once")
  child.cmd("edit a.txt")
  h.prompt(
    child,
    { { tool = "edit", args = { path = child.ws .. "/a.txt", old_str = "two", new_str = "TWO" } }, { text = "fin" } }
  )
  eq(h.lines(child), { "one", "TWO" })
  eq(child.bo.modified, false)
  eq(h.read(child, "a.txt"), "one\nTWO\n")
  eq(child.api.nvim_get_mode().blocking, false)
  eq(child.cmd_capture("messages"), "")
end

T["u takes an edit back in one step, however many places it has, and what was typed before stays"] = function()
  child = h.child({ files = { ["a.txt"] = "one\ntwo\nthree\nfour\nfive\n" } })
  h.answer(child, "Allow once")
  child.cmd("edit a.txt")
  child.type_keys("Gotyped<Esc>")
  h.prompt(child, {
    {
      tool = "edit",
      args = { path = child.ws .. "/a.txt", old_str = "one\ntwo\nthree\nfour\n", new_str = "ONE\ntwo\nthree\nFOUR\n" },
    },
    { text = "fin" },
  })
  eq(h.lines(child), { "ONE", "two", "three", "FOUR", "five", "typed" })
  child.cmd("undo")
  eq(h.lines(child), { "one", "two", "three", "four", "five", "typed" })
  child.cmd("undo")
  eq(h.lines(child), { "one", "two", "three", "four", "five" })
  child.cmd("redo")
  child.cmd("redo")
  eq(h.lines(child), { "ONE", "two", "three", "FOUR", "five", "typed" })
end

T["an edit while the user types does not mix with what is typed"] = function()
  child = h.child({ files = { ["a.txt"] = "one\ntwo\nthree\n" } })
  h.answer(child, "Allow once")
  child.cmd("edit a.txt")
  h.prompt(child, {
    { tool = "edit", hold = "typing", args = { path = child.ws .. "/a.txt", old_str = "two", new_str = "TWO" } },
    { text = "fin" },
  }, { wait = false })
  h.model({ ["do"] = "held", name = "typing" })
  child.type_keys("G", "o", "hel")
  h.model({ ["do"] = "release", name = "typing" })
  h.wait(child, "vim.api.nvim_buf_get_lines(0, 1, 2, false)[1] == 'TWO'")
  eq(child.fn.mode(), "i")
  eq(child.api.nvim_win_get_cursor(0), { 4, 3 })
  child.type_keys("lo", "<Esc>")
  eq(h.lines(child), { "one", "TWO", "three", "hello" })
  h.wait(child, "_G.turn")
  eq(h.lines(child), { "one", "TWO", "three", "hello" })
end

T["the cursor and the view stay where they are when lines come above"] = function()
  local long = {}
  for i = 1, 100 do
    long[i] = "line " .. i
  end
  child = h.child({ files = { ["a.txt"] = table.concat(long, "\n") .. "\n" } })
  h.answer(child, "Allow once")
  child.cmd("edit a.txt")
  child.type_keys("60G", "zz", "3l")
  local before = child.fn.getline(".")
  local row = child.fn.winline()
  h.prompt(child, {
    {
      tool = "edit",
      args = { path = child.ws .. "/a.txt", old_str = "line 3\n", new_str = "line 3\nnew\nnew\nnew\n" },
    },
    { text = "fin" },
  })
  eq(child.fn.getline("."), before)
  eq(child.fn.winline(), row)
  eq(child.fn.col("."), 4)
end

T["a prompt without the chat says what it does on the message line"] = function()
  child = h.child({ files = { ["a.txt"] = "one\n" } })
  h.prompt(child, {
    { tool = "view", args = { path = child.ws .. "/a.txt" } },
    { text = "fin", hold = "seen" },
  }, { wait = false })
  h.sees(child, "Working: Read a.txt")
  h.model({ ["do"] = "release", name = "seen" })
  h.wait(child, "_G.turn")
end

T["on_end is called for a prompt that cannot be sent"] = function()
  child = h.child({ setup = { cmd = { "/nonexistent/bridge", "lsp" } } })
  child.lua([[require("copilot-bridge").prompt("hi", { on_end = function(t) _G.turn = t end })]])
  h.wait(child, "_G.turn")
  eq(child.lua_get("_G.turn.stopReason"), "error")
  eq(child.lua_get("#_G.notified"), 1)
  eq(child.lua_get("_G.notified[1]"):find("can't be run", 1, true) ~= nil, true)
  h.stop(child)
end

return T
