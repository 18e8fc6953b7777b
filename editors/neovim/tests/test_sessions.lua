--- Sessions: begun, gone on with, called otherwise, deleted, open elsewhere.

local h = require("tests.helpers")
local eq = MiniTest.expect.equality

local child
local T = h.cases(function()
  return child
end)

T["new begins another session, by command, in the chat and from the picker"] = function()
  child = h.child()
  local current = [[(require("copilot-bridge.session").current() or {}).id]]
  h.prompt(child, { { text = "one" } })
  local first = child.lua_get(current)
  child.cmd("CopilotBridge new")
  eq(child.bo.filetype, "copilot-bridge-input")
  eq(child.lua_get(current), vim.NIL)
  h.prompt(child, { { text = "two" } })
  local second = child.lua_get(current)
  eq(second ~= first, true)
  child.cmd("CopilotBridge chat")
  child.cmd("CopilotBridge chat " .. first)
  eq(child.lua_get(current), first)
  child.type_keys("<Esc>", "i", "/new", "<C-s>")
  eq(child.lua_get(current), vim.NIL)
  child.lua([[vim.ui.select = function(items, opts, cb)
    _G.entries = vim.tbl_map(opts.format_item, items)
    cb(items[1])
  end]])
  child.cmd("CopilotBridge chat " .. second)
  child.cmd("CopilotBridge sessions")
  h.wait(child, "_G.entries and #_G.entries == 5")
  eq(child.lua_get("_G.entries[1]"), "+ New session")
  eq(child.lua_get(current), vim.NIL)
end

T["a session is deleted from the picker, after a question"] = function()
  child = h.child()
  h.prompt(child, { { text = "one" } })
  h.answer(child, "Delete")
  child.lua([[local select = vim.ui.select
    vim.ui.select = function(items, opts, cb)
      if opts.prompt == "Delete a session" then return cb(items[1]) end
      select(items, opts, cb)
    end]])
  child.cmd("CopilotBridge sessions")
  h.said(child, "Deleted ")
  child.lua("_G.asked = {}")
  child.cmd("CopilotBridge sessions")
  h.wait(child, "#_G.asked == 1 and #_G.asked[1].items == 1")
end

T["a session is renamed from the picker, and the agent does not call it otherwise"] = function()
  child = h.child()
  h.prompt(child, { { text = "one" } })
  child.lua([[_G.titles = {}
    vim.ui.input = function(_, cb) cb("Mine") end
    vim.ui.select = function(items, opts, cb)
      if opts.prompt == "Rename a session" then return cb(items[1]) end
      _G.titles = vim.tbl_map(opts.format_item, items)
      cb(_G.titles[3] and _G.titles[3]:find("Rename", 1, true) and not _G.renamed and items[3] or nil)
      _G.renamed = true
    end]])
  child.cmd("CopilotBridge sessions")
  h.said(child, "Renamed to Mine")
  h.prompt(child, { { text = "two" } })
  child.cmd("CopilotBridge sessions")
  h.wait(child, "_G.titles[2] and _G.titles[2]:find('* Mine ·', 1, true) == 1")
end

T["an empty chat shows the session that a prompt from elsewhere makes, and never says that it is ready where nothing runs"] = function()
  child = h.child({ setup = { cmd = { "/nowhere/copilot-bridge", "lsp" } } })
  child.cmd("CopilotBridge chat")
  h.sees(child, "✗ `/nowhere")
  eq(h.screen(child):find("Ready", 1, true), nil)
  h.stop(child)
  child = h.child()
  child.cmd("CopilotBridge chat")
  child.cmd("wincmd p")
  h.prompt(child, { { text = "hello from elsewhere" } })
  h.sees(child, "hello from elsewhere")
end

T["a session is picked the next day and its conversation is there"] = function()
  child = h.child({ files = { ["a.txt"] = "one\n" } })
  h.prompt(child, { { text = "remember the answer" } })
  h.quit(child)
  child = h.child({ dir = child.dir })
  child.lua([[
    vim.ui.select = function(items, opts, cb)
      _G.items = vim.tbl_map(opts.format_item, items)
      cb(items[2])
    end
  ]])
  child.cmd("CopilotBridge sessions")
  h.wait(child, "_G.items and #_G.items == 4")
  eq(child.lua_get("_G.items[2]"):find("1 turn", 1, true) ~= nil, true)
  h.sees(child, "remember the answer")
end

T["a session that another Neovim has open is waited for, and says so"] = function()
  child = h.child({ files = { ["a.txt"] = "one\n" } })
  h.prompt(child, { { text = "remember the answer" } })
  local first = child
  MiniTest.finally(function()
    h.stop(first)
  end)
  local id = first.lua_get([[require("copilot-bridge.session").current().id]])
  child = h.child({ dir = first.dir })
  child.cmd("CopilotBridge chat " .. id)
  h.sees(child, "Still open in another editor")
  h.quit(first)
  h.sees(child, "remember the answer")
end

return T
