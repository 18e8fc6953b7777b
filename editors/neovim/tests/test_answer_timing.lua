--- Answers that come too early for their question, or too late.

local h = require("tests.helpers")
local eq = MiniTest.expect.equality

local child
local T = h.cases(function()
  return child
end)

T["a key that comes with the window was meant for what was there before"] = function()
  child = h.child({ files = { ["a.txt"] = "one\n" }, setup = { permission = { idle = 0 } } })
  child.cmd("edit a.txt")
  child.lua("_G.at = vim.uv.now(); vim.uv.now = function() return _G.at end")
  h.prompt(child, { h.edit(child, "a.txt", "one", "ONE"), { text = "fin" } }, { wait = false })
  h.sees(child, "Copilot: Edit a.txt")
  child.type_keys("y", "n", "<Esc>")
  child.lua("_G.at = _G.at + 499")
  child.type_keys("y", "n", "<Esc>")
  eq(child.lua_get("#vim.api.nvim_list_wins()"), 2)
  eq(child.lua_get("#require('copilot-bridge.question.queue').waiting()"), 1)
  child.lua("_G.at = _G.at + 1")
  child.type_keys("y")
  h.wait(child, "_G.turn")
  eq(h.lines(child), { "ONE" })
end

-- A picker of a plugin's, like those of telescope and dressing: it does not block. What it is asked stays in _G.pickers.
local PICKER = [[
  _G.pickers = {}
  vim.ui.select = function(items, opts, cb) table.insert(_G.pickers, { items = items, cb = cb }) end
  _G.pick = function(which, label)
    local picker = _G.pickers[which]
    for _, item in ipairs(picker.items) do
      if item.label == label then return picker.cb(item) end
    end
    picker.cb(nil)
  end
  _G.at = vim.uv.now()
  vim.uv.now = function() return _G.at end
]]

T["what is picked as the picker comes was meant for what was there before: it asks once more"] = function()
  child = h.child({ files = { ["a.txt"] = "one\n" }, setup = { permission = { idle = 0 } } })
  child.cmd("edit a.txt")
  child.lua(PICKER)
  h.prompt(child, { h.edit(child, "a.txt", "one", "ONE"), { text = "fin" } }, { wait = false })
  h.wait(child, "#_G.pickers == 1")
  child.lua("_G.at = _G.at + 499; _G.pick(1, 'Allow once')")
  h.wait(child, "#_G.pickers == 2")
  child.lua("_G.pick(1, 'Allow once'); _G.at = _G.at + 499; _G.pick(2, 'none')")
  h.wait(child, "#_G.pickers == 3")
  eq(child.lua_get("#require('copilot-bridge.question.queue').waiting()"), 1)
  child.lua("_G.at = _G.at + 500; _G.pick(2, 'Reject'); _G.pick(3, 'Allow once')")
  h.wait(child, "_G.turn")
  eq(h.lines(child), { "ONE" })
  eq(child.lua_get("#vim.api.nvim_list_wins()"), 1)
end

T["a function that answers in the place of a picker is heard"] = function()
  child = h.child({ files = { ["a.txt"] = "one\n" } })
  child.cmd("edit a.txt")
  child.lua([[_G.asked = 0
    vim.ui.select = function(items, opts, cb)
      _G.asked = _G.asked + 1
      for _, item in ipairs(items) do
        if opts.format_item(item) == "Allow once" then return cb(item) end
      end
    end]])
  h.prompt(child, { h.edit(child, "a.txt", "one", "ONE"), { text = "fin" } })
  eq(h.lines(child), { "ONE" })
  eq(child.lua_get("_G.asked"), 1)
end

T["a picker that answers too soon is replaced by the window"] = function()
  child = h.child({ files = { ["a.txt"] = "one\n" } })
  child.cmd("edit a.txt")
  child.lua([[_G.asked = 0
    vim.ui.select = function(items, opts, cb)
      _G.asked = _G.asked + 1
      vim.defer_fn(function() cb(items[2], 2) end, 30)
    end]])
  h.prompt(child, { h.edit(child, "a.txt", "one", "ONE"), { text = "fin" } }, { wait = false })
  h.wait(child, "_G.asked == 3 and vim.api.nvim_win_get_config(0).relative ~= ''")
  h.question(child, "Copilot: Edit a.txt")
  child.type_keys("n")
  h.wait(child, "_G.turn")
  eq(h.lines(child), { "one" })
end

T["what is picked for a question that was withdrawn does not answer the next"] = function()
  child = h.child({ files = { ["a.txt"] = "one\n" }, setup = { permission = { idle = 0 } } })
  child.cmd("edit a.txt")
  child.lua(PICKER)
  h.prompt(child, { h.edit(child, "a.txt", "one", "ONE"), { text = "fin" } }, { wait = false })
  h.wait(child, "#_G.pickers == 1")
  child.lua([[require("copilot-bridge").cancel()]])
  eq(h.wait(child, "_G.turn").stopReason, "cancelled")
  child.lua("_G.turn = nil")
  h.prompt(child, { h.edit(child, "a.txt", "one", "TWO"), { text = "fin" } }, { wait = false })
  h.wait(child, "#_G.pickers == 2")
  child.lua("_G.at = _G.at + 1000; _G.pick(1, 'Allow once')")
  eq(child.lua_get("#require('copilot-bridge.question.queue').waiting()"), 1)
  child.lua("_G.pick(2, 'Reject')")
  h.wait(child, "_G.turn")
  eq(h.lines(child), { "one" })
end

T["words with a no that come too late are nobody's"] = function()
  child = h.child({ files = { ["a.txt"] = "one\n" } })
  child.cmd("edit a.txt")
  child.lua("vim.ui.input = function(_, cb) _G.words = cb end")
  h.ask(child, { h.edit(child, "a.txt", "one", "ONE"), { text = "fin" } }, "Copilot: Edit a.txt")
  child.type_keys("w")
  child.lua([[require("copilot-bridge").cancel()]])
  eq(h.wait(child, "_G.turn").stopReason, "cancelled")
  child.lua([[
    _G.closed = 0
    vim.api.nvim_create_autocmd("User", { pattern = "CopilotBridge*", callback = function(a)
      if vim.inspect(a):find("permission/closed", 1, true) then _G.closed = _G.closed + 1 end
    end })]])
  h.pass(child, h.A_MOMENT)
  child.lua("_G.words('do something else')")
  eq(child.lua_get("_G.closed"), 0)
end

return T
