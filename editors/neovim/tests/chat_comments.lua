--- Comments on lines: made, shown where the bridge says they are, changed, and sent together.

local fake = require("tests.fake")
local h = require("tests.helpers")
local eq = MiniTest.expect.equality

local child
local T = h.cases(function()
  return child
end)

local function last()
  return child.lua_get("_G.asked[#_G.asked]")
end

local function tell(list)
  child.lua(
    [[events.emit("comments/didChange", { uri = uri, comments = vim.tbl_map(function(c)
      return { id = c[1], uri = uri, text = c[3], quoted = "",
        range = { start = { line = c[2], character = 0 }, ["end"] = { line = c[2] + 1, character = 0 } } }
    end, ...) })]],
    { list }
  )
end

T["a comment is made, shown below its line, changed, taken out, listed and sent"] = function()
  child = fake.child()
  child.cmd("runtime plugin/copilot-bridge.lua")
  child.lua([[
    require("copilot-bridge.review.comments").start()
    file = vim.fn.tempname() .. ".txt"
    vim.fn.writefile({ "one", "two", "three" }, file)
    vim.cmd.edit(file)
    uri = vim.uri_from_bufnr(0)
  ]])
  child.cmd("2CopilotBridge comment why so loud?")
  local asked = last()
  eq({ asked.method, asked.params.text, asked.params.range.start.line }, { "comments/add", "why so loud?", 1 })
  tell({ { "c1", 1, "why so loud?" } })
  eq(h.screen(child):find("two%s*[│%s]*\n▎ why so loud%?") ~= nil, true)
  -- On its line the command changes it; without words it goes.
  child.lua("vim.ui.input = function(o, cb) _G.default = o.default; cb(_G.typed) end; _G.typed = 'quieter'")
  child.api.nvim_win_set_cursor(0, { 2, 0 })
  child.cmd("CopilotBridge comment")
  eq(child.lua_get("_G.default"), "why so loud?")
  eq(last(), { method = "comments/edit", params = { id = "c1", text = "quieter" } })
  child.lua("_G.typed = ''")
  child.cmd("CopilotBridge comment")
  eq(last(), { method = "comments/remove", params = { id = "c1" } })
  child.cmd("CopilotBridge comments")
  eq(child.lua_get("vim.fn.getqflist()[1].text"), "why so loud?")
  child.cmd("cclose")
  child.lua([[answer["comments/send"] = { sessionId = "s1", turnId = "t1", queued = 0 }]])
  child.cmd("CopilotBridge send please")
  eq(last(), { method = "comments/send", params = { sessionId = "s1", text = "please" } })
  h.said(child, "Comments sent")
  tell({})
  eq(h.screen(child):find("quieter", 1, true), nil)
  eq(h.screen(child):find("why so loud", 1, true), nil)
end

return T
