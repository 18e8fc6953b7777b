--- Pending hunks: what is shown, how one gets around, keep and undo.

local h = require("tests.helpers")
local eq = MiniTest.expect.equality

local child
local T = h.cases(function()
  return child
end)

local TEN = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"

local function edit(name, old, new)
  return h.edit(child, name, old, new)
end

--- A child with three hunks in a.txt: line 2 changed, line 5 taken out, a line put in after 8.
local function three(opts)
  child = h.child(vim.tbl_extend("force", { files = { ["a.txt"] = TEN, ["b.txt"] = "x\ny\nz\n" } }, opts or {}))
  h.answer(child, "Allow once")
  child.cmd("edit a.txt")
  h.prompt(child, { edit("a.txt", "2\n3\n4\n5\n6\n7\n8\n", "TWO\n3\n4\n6\n7\n8\nnew\n"), { text = "fin" } })
  h.wait(child, "require('copilot-bridge.review').count() == 3")
end

local function count()
  return child.lua_get("require('copilot-bridge.review').count()")
end

T["a change is shown with a sign, the old text above the new"] = function()
  three()
  local screen = h.sees(child, "Copilot 3/3")
  local lines = vim.split(screen, "\n")
  eq(vim.trim(lines[1]), "1")
  eq(vim.trim(lines[2]), "2") -- the old line, virtual
  eq(lines[3]:find("TWO") ~= nil and lines[3]:find("┃") ~= nil, true)
  eq(vim.trim(lines[6]), "5") -- taken out
  eq(screen:find("new", 1, true) ~= nil, true)
  eq(h.lines(child), { "1", "TWO", "3", "4", "6", "7", "8", "new", "9", "10" })
end

T["old text above the first line can be seen"] = function()
  child = h.child({ files = { ["a.txt"] = "1\n2\n3\n" } })
  h.answer(child, "Allow once")
  child.cmd("edit a.txt")
  h.prompt(child, { edit("a.txt", "1\n2\n", "ONE\n2\n"), { text = "fin" } })
  local screen = h.sees(child, "Copilot 1/1")
  eq(vim.trim(vim.split(screen, "\n")[1]), "1")
  eq(vim.split(screen, "\n")[2]:find("ONE") ~= nil, true)
end

T["next and prev go round, with a count, and into files that are not open"] = function()
  child = h.child({ files = { ["a.txt"] = TEN, ["b.txt"] = "x\ny\nz\n" } })
  h.answer(child, "Allow once")
  child.cmd("edit a.txt")
  h.prompt(
    child,
    { edit("a.txt", "2\n", "TWO\n"), edit("a.txt", "8\n", "EIGHT\n"), edit("b.txt", "y", "Y"), { text = "fin" } }
  )
  h.wait(child, "require('copilot-bridge.review').count() == 3")
  local function at()
    h.wait(child, "true")
    return vim.fs.basename(child.api.nvim_buf_get_name(0)) .. ":" .. child.fn.line(".")
  end
  child.type_keys("gg")
  child.cmd("CopilotBridge next")
  eq(at(), "a.txt:2")
  child.cmd("CopilotBridge next")
  eq(at(), "a.txt:8")
  child.cmd("CopilotBridge next")
  eq(at(), "b.txt:2")
  child.cmd("CopilotBridge next")
  eq(at(), "a.txt:2")
  child.cmd("CopilotBridge prev")
  eq(at(), "b.txt:2")
  child.lua([[vim.keymap.set("n", "]h", "<Plug>(copilot-bridge-next)")]])
  child.type_keys("2]h")
  eq(at(), "a.txt:8")
  child.type_keys("<C-o>")
  eq(at(), "b.txt:2")
end

T["undo under the cursor takes one hunk back, keep leaves it, and the agent hears of the undone one"] = function()
  three()
  child.type_keys("2G")
  child.cmd("CopilotBridge undo")
  h.wait(child, "require('copilot-bridge.review').count() == 2")
  eq(child.fn.getline(2), "2")
  child.type_keys("8G")
  child.cmd("CopilotBridge keep")
  h.wait(child, "require('copilot-bridge.review').count() == 1")
  eq(child.fn.getline(8), "new")
  child.type_keys("5G") -- beside the gap
  child.cmd("CopilotBridge undo")
  h.wait(child, "require('copilot-bridge.review').count() == 0")
  eq(h.lines(child), { "1", "2", "3", "4", "5", "6", "7", "8", "new", "9", "10" })
  h.prompt(child, { { text = "fin" } })
  local prompts = h.told("prompts")
  eq(prompts[#prompts]:find("undone") ~= nil, true)
end

T["a visual range keeps what is in it, `file` and `all` the rest"] = function()
  three()
  child.type_keys("1GV5G", ":CopilotBridge keep<CR>")
  h.wait(child, "require('copilot-bridge.review').count() == 1")
  child.cmd("CopilotBridge undo file")
  h.wait(child, "require('copilot-bridge.review').count() == 0")
  eq(h.lines(child), { "1", "TWO", "3", "4", "6", "7", "8", "9", "10" })
end

T["the user's u takes the hunks back, and they are no longer pending"] = function()
  three()
  child.type_keys("u")
  eq(table.concat(h.lines(child), "\n") .. "\n", TEN)
  h.wait(child, "require('copilot-bridge.review').count() == 0")
  eq(h.screen(child):find("Copilot 1", 1, true), nil)
end

T["typing elsewhere moves the marks and loses none"] = function()
  three()
  child.type_keys("gg", "O", "above", "<Esc>")
  h.wait(child, "vim.lsp.util.buf_versions[1] ~= nil")
  child.type_keys("gg")
  child.cmd("CopilotBridge next")
  eq(child.fn.line("."), 3)
  child.cmd("CopilotBridge undo")
  h.wait(child, "require('copilot-bridge.review').count() == 2")
  eq(child.fn.getline(1), "above")
  eq(child.fn.getline(3), "2")
end

T["the diff shows both sides, and one hunk can be taken back in it"] = function()
  three()
  child.cmd("CopilotBridge diff")
  h.wait(child, "#vim.api.nvim_tabpage_list_wins(0) == 2")
  local screen = h.screen(child)
  eq(screen:find("Before Copilot", 1, true) ~= nil, true)
  eq(screen:find("Copilot 1/3", 1, true), nil) -- the old text is on the left now
  eq(child.wo.diff, true)
  child.type_keys("2G", "do")
  h.wait(child, "require('copilot-bridge.review').count() == 2")
  eq(child.fn.getline(2), "2")
  child.cmd("CopilotBridge diff")
  h.wait(child, "#vim.api.nvim_tabpage_list_wins(0) == 1")
  eq(child.wo.diff, false)
  h.sees(child, "Copilot 2/2")
end

T["all changes go into the quickfix list"] = function()
  child = h.child({ files = { ["a.txt"] = TEN, ["b.txt"] = "x\ny\nz\n" } })
  h.answer(child, "Allow once")
  child.cmd("edit a.txt")
  h.prompt(child, { edit("a.txt", "2\n", "TWO\n"), edit("b.txt", "y", "Y"), { text = "fin" } })
  child.cmd("CopilotBridge changes")
  h.wait(child, "#vim.fn.getqflist() == 2")
  eq(child.lua_get("vim.tbl_map(function(i) return i.lnum end, vim.fn.getqflist())"), { 2, 2 })
  eq(child.bo.buftype, "quickfix")
  child.cmd("cclose")
  child.cmd("CopilotBridge keep all")
  h.wait(child, "require('copilot-bridge.review').count() == 0")
  h.wait(child, "#vim.fn.getqflist() == 0") -- it tells of nothing that is decided
end

T["a new file that the agent made can be undone"] = function()
  child = h.child()
  h.answer(child, "Allow once")
  h.prompt(child, {
    { tool = "create", args = { path = child.ws .. "/new.txt", file_text = "hello\nworld\n" } },
    { text = "fin" },
  })
  h.wait(child, "require('copilot-bridge.review').count() == 1")
  eq(h.read(child, "new.txt"), "hello\nworld\n")
  child.cmd("CopilotBridge next")
  eq(vim.fs.basename(child.api.nvim_buf_get_name(0)), "new.txt")
  h.sees(child, "Copilot 1/1")
  child.cmd("CopilotBridge undo all")
  h.wait(child, "require('copilot-bridge.review').count() == 0")
  h.wait(child, ("vim.uv.fs_stat(%q) == nil"):format(child.ws .. "/new.txt"))
  -- Its buffer goes too: writing it would make the file again.
  h.wait(child, "vim.fn.bufnr('new.txt') == -1")
  eq(child.api.nvim_buf_get_name(0), "")
end

T["undo takes back two selected lines of a change, and the rest of it stays pending"] = function()
  child = h.child({ files = { ["a.txt"] = TEN } })
  h.answer(child, "Allow once")
  child.cmd("edit a.txt")
  h.prompt(child, { edit("a.txt", "2\n3\n4\n5\n", "II\nIII\nIV\nV\n"), { text = "fin" } })
  h.wait(child, "require('copilot-bridge.review').count() == 1")
  child.cmd("3,4CopilotBridge undo")
  h.wait(child, "require('copilot-bridge.review').count() == 2")
  eq(h.lines(child), { "1", "II", "3", "4", "V", "6", "7", "8", "9", "10" })
  child.cmd("CopilotBridge undo file")
  h.wait(child, "require('copilot-bridge.review').count() == 0")
  eq(table.concat(h.lines(child), "\n") .. "\n", TEN)
end

T["keep takes two selected lines of a change, and the rest of it stays pending"] = function()
  child = h.child({ files = { ["a.txt"] = TEN } })
  h.answer(child, "Allow once")
  child.cmd("edit a.txt")
  h.prompt(child, { edit("a.txt", "2\n3\n4\n5\n", "II\nIII\nIV\nV\n"), { text = "fin" } })
  h.wait(child, "require('copilot-bridge.review').count() == 1")
  child.cmd("3,4CopilotBridge keep")
  h.wait(child, "require('copilot-bridge.review').count() == 2")
  child.cmd("CopilotBridge undo file")
  h.wait(child, "require('copilot-bridge.review').count() == 0")
  eq(h.lines(child), { "1", "2", "III", "IV", "5", "6", "7", "8", "9", "10" })
end

T["everything is reviewed in one buffer: kept, undone, gone to"] = function()
  three()
  h.prompt(child, { edit("b.txt", "y", "Y"), { text = "fin" } })
  h.wait(child, "require('copilot-bridge.review').count() == 4")
  child.cmd("CopilotBridge review")
  local screen = h.sees(child, "b.txt  +1 -1")
  eq(screen:find("a.txt  +2 -2", 1, true) ~= nil and screen:find("-2\n+TWO", 1, true) ~= nil, true)
  child.cmd("write")
  h.said(child, "Nothing to write")
  child.type_keys("/+TWO<CR>", "K")
  h.wait(child, "require('copilot-bridge.review').count() == 3")
  h.wait(child, "vim.fn.search('+TWO', 'n') == 0") -- it follows
  child.type_keys("gg", "U") -- the file's heading: all of it
  h.wait(child, "require('copilot-bridge.review').count() == 1")
  eq(h.read(child, "a.txt"), "1\nTWO\n3\n4\n5\n6\n7\n8\n9\n10\n")
  child.type_keys("/+Y<CR>", "<CR>")
  eq(vim.fs.basename(child.api.nvim_buf_get_name(0)), "b.txt")
  eq(child.api.nvim_win_get_cursor(0)[1], 2)
end

T["the last turn is undone as a whole, with what was kept of it"] = function()
  three()
  child.cmd("CopilotBridge keep")
  child.cmd("CopilotBridge keep all")
  h.wait(child, "require('copilot-bridge.review').count() == 0")
  child.cmd("CopilotBridge undo turn")
  h.wait(child, ("table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\\n') .. '\\n' == %q"):format(TEN))
end

T["a file that was moved says from where"] = function()
  child = h.child({ files = { ["old.txt"] = "same\n" } })
  h.answer(child, "Allow once")
  h.prompt(child, { h.bash("mv old.txt new.txt"), { text = "fin" } })
  h.wait(child, "require('copilot-bridge.review').count() == 1")
  child.cmd("CopilotBridge changes")
  eq(child.lua_get("vim.fn.getqflist()[1].text"), "moved from old.txt")
  child.cmd("CopilotBridge next")
  h.sees(child, "moved from old.txt")
end

T["the marks of what an earlier Neovim left are there with the file, without a command"] = function()
  three()
  h.quit(child)
  child = h.child({ dir = child.dir })
  child.lua("vim.api.nvim_exec_autocmds('VimEnter', {})") -- the plugin was loaded later than a user's
  child.cmd("edit a.txt")
  h.sees(child, "Copilot 1/3")
  child.cmd("CopilotBridge keep all")
  h.wait(child, "require('copilot-bridge.review').count() == 0")
  eq(vim.fn.glob(child.dir .. "/x/nvim/copilot-bridge/pending/*"), "")
end

T["what is pending is there again in another Neovim"] = function()
  three()
  eq(count(), 3)
  h.quit(child)
  child = h.child({ dir = child.dir })
  child.cmd("edit a.txt")
  child.cmd("CopilotBridge next")
  h.wait(child, "require('copilot-bridge.review').count() == 3")
  h.sees(child, "Copilot 3/3")
  child.type_keys("2G")
  child.cmd("CopilotBridge undo")
  h.wait(child, "require('copilot-bridge.review').count() == 2")
  eq(child.fn.getline(2), "2")
end

T["undo and keep find what an earlier Neovim left, before anything else was done"] = function()
  three()
  local pid = child.lua_get("require('copilot-bridge.client').links()[1].client.rpc.pid")
  h.quit(child)
  h.until_true(function() -- while it is there it is the one who knows
    return vim.uv.kill(pid, 0) ~= 0
  end, "the bridge stays")
  child = h.child({ dir = child.dir })
  child.cmd("edit a.txt")
  child.type_keys("2G")
  child.cmd("CopilotBridge undo")
  h.wait(child, "require('copilot-bridge.review').count() == 2")
  eq(child.fn.getline(2), "2")
  child.cmd("CopilotBridge keep all")
  h.wait(child, "require('copilot-bridge.review').count() == 0")
end

T["DOS line ends and tabs are shown as they are and kept"] = function()
  child = h.child({ files = { ["a.txt"] = "one\r\n\ttwo\r\nthree\r\n" } })
  h.answer(child, "Allow once")
  child.cmd("edit a.txt")
  eq(child.bo.fileformat, "dos")
  h.prompt(child, { edit("a.txt", "\ttwo", "\tTWO"), { text = "fin" } })
  h.sees(child, "Copilot 1/1")
  eq(h.screen(child):find("^M", 1, true), nil)
  eq(h.read(child, "a.txt"), "one\r\n\tTWO\r\nthree\r\n")
  child.type_keys("2G")
  child.cmd("CopilotBridge undo")
  h.wait(child, "require('copilot-bridge.review').count() == 0")
  eq(h.lines(child), { "one", "\ttwo", "three" })
end

return T
