--- Nothing of the user's is lost, and what is pending is true: deletions, buffers that are thrown away or renamed, undo and redo.

local h = require("tests.helpers")
local eq = MiniTest.expect.equality

local child
local T = h.cases(function()
  return child
end)

local function count()
  return child.lua_get("require('copilot-bridge.review').count()")
end

local function until_count(n)
  h.wait(child, ("require('copilot-bridge.review').count() == %d"):format(n))
end

--- A child whose agent has taken these steps.
local function after(files, steps, before)
  child = h.child({ files = files })
  h.answer(child, "Allow once")
  if before then
    before()
  end
  table.insert(steps, { text = "fin" })
  h.prompt(child, steps)
end

local function name()
  return vim.fs.basename(child.api.nvim_buf_get_name(0))
end

T["a deletion is visited as its old text, read-only, and undo brings the file back"] = function()
  after({ ["a.txt"] = "one\r\ntwo" }, { h.bash("rm a.txt") })
  until_count(1)
  child.cmd("CopilotBridge next")
  eq(h.lines(child), { "one", "two" })
  eq(child.bo.modifiable, false)
  eq(count(), 1)
  child.cmd("CopilotBridge changes")
  child.cmd("cclose | enew")
  child.cmd("cfirst") -- from the list
  eq(h.lines(child), { "one", "two" })
  child.cmd("enew")
  child.cmd("CopilotBridge next")
  eq(count(), 1)
  child.cmd("CopilotBridge undo")
  until_count(0)
  eq(h.read(child, "a.txt"), "one\r\ntwo")
  h.wait(child, "vim.fs.basename(vim.api.nvim_buf_get_name(0)) == 'a.txt' and vim.bo.modifiable")
  eq(h.lines(child), { "one", "two" })
end

T["a deletion that is kept closes its view"] = function()
  after({ ["a.txt"] = "one\n" }, { h.bash("rm a.txt") })
  until_count(1)
  child.cmd("CopilotBridge next")
  child.cmd("CopilotBridge keep")
  until_count(0)
  h.wait(child, "vim.api.nvim_buf_get_name(0) == ''")
  eq(vim.uv.fs_stat(child.ws .. "/a.txt"), nil)
end

for _, close in ipairs({ "bdelete!", "bwipeout!", "edit!", "enew" }) do
  T["a buffer with the name of a deleted file is not the file: " .. close] = function()
    after({ ["a.txt"] = "one\n", ["b.txt"] = "x\n" }, { h.bash("rm a.txt") })
    until_count(1)
    child.cmd("edit a.txt")
    child.cmd(close)
    child.cmd("CopilotBridge changes")
    eq(count(), 1)
    child.cmd("CopilotBridge undo all")
    until_count(0)
    eq(h.read(child, "a.txt"), "one\n")
    child.cmd("edit! a.txt")
    eq(h.lines(child), { "one" })
    eq(child.bo.modified, false)
  end
end

T["an open buffer of a deleted file gets its text back, and is not modified"] = function()
  after({ ["a.txt"] = "one\n" }, { h.bash("rm a.txt") })
  until_count(1)
  child.cmd("edit a.txt")
  child.cmd("CopilotBridge undo")
  until_count(0)
  h.wait(child, "vim.fn.getline(1) == 'one' and not vim.bo.modified")
  child.cmd("write")
  eq(h.read(child, "a.txt"), "one\n")
end

for _, close in ipairs({ "bdelete!", "bwipeout!", "edit!", "enew! | bdelete! a.txt" }) do
  T["an unsaved buffer that is thrown away takes its change along: " .. close] = function()
    child = h.child({ files = { ["a.txt"] = "one\ntwo\n" } })
    h.answer(child, "Allow once")
    child.cmd("edit a.txt")
    child.type_keys("O", "mine", "<Esc>")
    h.prompt(child, { h.edit(child, "a.txt", "two", "TWO"), { text = "fin" } })
    until_count(1)
    eq(h.lines(child), { "mine", "one", "TWO" })
    child.cmd(close)
    until_count(0)
    eq(h.read(child, "a.txt"), "one\ntwo\n")
  end
  T["a change that was saved stays pending without its buffer: " .. close] = function()
    child = h.child({ files = { ["a.txt"] = "one\ntwo\n" } })
    h.answer(child, "Allow once")
    child.cmd("edit a.txt")
    h.prompt(child, { h.edit(child, "a.txt", "two", "TWO"), { text = "fin" } })
    until_count(1)
    child.type_keys("O", "mine", "<Esc>")
    child.cmd(close)
    child.cmd("CopilotBridge changes")
    eq(count(), 1)
    child.cmd("CopilotBridge undo all")
    until_count(0)
    h.until_true(function()
      return h.read(child, "a.txt") == "one\ntwo\n"
    end, "not undone on disk")
  end
end

for _, rename in ipairs({ "file c.txt", "saveas c.txt" }) do
  T["a buffer under another name leaves what is pending with the file: " .. rename] = function()
    child = h.child({ files = { ["a.txt"] = "one\ntwo\n" } })
    h.answer(child, "Allow once")
    child.cmd("edit a.txt")
    h.prompt(child, { h.edit(child, "a.txt", "two", "TWO"), { text = "fin" } })
    until_count(1)
    child.cmd(rename)
    child.type_keys("O", "mine", "<Esc>")
    h.prompt(child, { { tool = "view", args = { path = child.ws .. "/c.txt" } }, { text = "fin" } })
    eq(count(), 1)
    eq(name(), "c.txt")
    child.cmd("CopilotBridge undo all")
    until_count(0)
    eq(h.read(child, "a.txt"), "one\ntwo\n")
    eq(h.lines(child), { "mine", "one", "TWO" })
  end
end

for how, rename in pairs({
  ["by a plugin that tells of it"] = [[
    vim.lsp.util.rename("a.txt", "c.txt")
    local client = vim.lsp.get_clients({ name = "copilot-bridge" })[1]
    assert(client.server_capabilities.workspace.fileOperations.didRename)
    local function uri(name) return vim.uri_from_fname(vim.fn.fnamemodify(name, ":p")) end
    client.rpc.notify("workspace/didRenameFiles", { files = { { oldUri = uri("a.txt"), newUri = uri("c.txt") } } })
  ]],
  ["and the buffer after it"] = [[vim.fn.rename("a.txt", "c.txt"); vim.cmd("file c.txt"); vim.cmd("edit!")]],
  ["after the buffer"] = [[vim.cmd("saveas c.txt"); vim.fn.delete("a.txt")]],
}) do
  T["a file that is renamed takes what is pending along: " .. how] = function()
    child = h.child({ files = { ["a.txt"] = "one\ntwo\n" } })
    h.answer(child, "Allow once")
    child.cmd("edit a.txt")
    h.prompt(child, { h.edit(child, "a.txt", "two", "TWO"), { text = "fin" } })
    until_count(1)
    child.lua(rename)
    h.wait(
      child,
      "#vim.tbl_filter(function(p) return vim.endswith(p.uri, '/c.txt') end, require('copilot-bridge.review').files()) == 1"
    )
    until_count(1)
    eq(name(), "c.txt")
    child.cmd("CopilotBridge undo file")
    until_count(0)
    h.until_true(function()
      return h.read(child, "c.txt") == "one\ntwo\n"
    end, "not undone on disk")
    eq(h.lines(child), { "one", "two" })
    eq(vim.uv.fs_stat(child.ws .. "/a.txt"), nil)
  end
end

T["what u and redo bring back after a partial keep is pending"] = function()
  child = h.child({ files = { ["a.txt"] = "1\n2\n3\n4\n5\n" } })
  h.answer(child, "Allow once")
  child.cmd("edit a.txt")
  h.prompt(child, { h.edit(child, "a.txt", "2\n3\n4\n", "TWO\n3\nFOUR\n"), { text = "fin" } })
  until_count(2)
  child.type_keys("2G")
  child.cmd("CopilotBridge keep")
  until_count(1)
  child.type_keys("u")
  until_count(0)
  eq(h.lines(child), { "1", "2", "3", "4", "5" })
  child.type_keys("<C-r>")
  until_count(1)
  child.type_keys("4G")
  child.cmd("CopilotBridge undo")
  until_count(0)
  eq(h.lines(child), { "1", "TWO", "3", "4", "5" })
end

-- What is on disk before a turn, and after one that puts "three" and a blank line behind "two". Neovim itself writes a last line
-- end wherever the text has none.
local BYTES = {
  ["no last line end"] = { "one\ntwo", "one\ntwo\nthree\n" },
  ["a last line end"] = { "one\ntwo\n", "one\ntwo\nthree\n\n" },
  ["a byte order mark and CRLF"] = { "\239\187\191one\r\ntwo\r\n", "\239\187\191one\r\ntwo\r\nthree\r\n\r\n" },
  ["CRLF without a last line end"] = { "one\r\ntwo", "one\r\ntwo\r\nthree\r\n" },
}

--- Waits until a file has these bytes.
local function until_bytes(file, text)
  h.until_true(function()
    return h.read(child, file) == text
  end, function()
    return file .. ": " .. vim.inspect(h.read(child, file))
  end)
end

--- A buffer of a file that has these bytes shows two lines and nothing unsaved, and writing it changes nothing.
local function shows_two_lines(file, text)
  child.cmd("buffer " .. file)
  h.wait(child, "not vim.bo.modified")
  eq(h.lines(child), { "one", "two" })
  eq(
    child.lua([[
    local changed = false
    local id = vim.api.nvim_create_autocmd("FileChangedShell", { buffer = 0, callback = function()
      changed, vim.v.fcs_choice = true, ""
    end })
    vim.cmd.checktime()
    vim.api.nvim_del_autocmd(id)
    return changed
  ]]),
    false
  )
  child.cmd("write")
  eq(h.read(child, file), text)
end

for what, bytes in pairs(BYTES) do
  T["undo gives the bytes back that were there: " .. what] = function()
    child = h.child({ files = { ["a.txt"] = bytes[1] } })
    h.answer(child, "Allow once")
    child.cmd("edit a.txt")
    h.prompt(child, { h.edit(child, "a.txt", "two", "two\nthree\n"), { text = "fin" } })
    until_count(1)
    eq(h.read(child, "a.txt"), bytes[2])
    child.cmd("CopilotBridge undo all")
    until_count(0)
    until_bytes("a.txt", bytes[1])
    shows_two_lines("a.txt", bytes[1])
  end
end

for what, bytes in pairs(BYTES) do
  T["undo gives the bytes back of a file that was opened after the change: " .. what] = function()
    child = h.child({ files = { ["a.txt"] = bytes[1] } })
    h.answer(child, "Allow once")
    h.prompt(child, { h.edit(child, "a.txt", "two", "two\nthree\n"), { text = "fin" } })
    until_count(1)
    eq(h.read(child, "a.txt"), bytes[2])
    child.cmd("edit a.txt")
    child.cmd("CopilotBridge undo all")
    until_count(0)
    until_bytes("a.txt", bytes[1])
    shows_two_lines("a.txt", bytes[1])
  end
end

T["undo gives the bytes of several open files back"] = function()
  local files, steps = {}, {}
  for _, bytes in pairs(BYTES) do
    for _ = 1, 2 do
      files[("%s.txt"):format(string.char(97 + #steps))] = bytes[1]
      steps[#steps + 1] = true
    end
  end
  child = h.child({ files = files })
  h.answer(child, "Allow once")
  steps = {}
  for file in pairs(files) do
    child.cmd("edit " .. file)
    table.insert(steps, h.edit(child, file, "two", "two\nthree\n"))
  end
  table.insert(steps, { text = "fin" })
  h.prompt(child, steps)
  until_count(8)
  child.cmd("CopilotBridge undo all")
  until_count(0)
  for file, text in pairs(files) do
    until_bytes(file, text)
  end
  for file, text in pairs(files) do
    shows_two_lines(file, text)
  end
end

return T
