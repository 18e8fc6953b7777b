--- `:CopilotBridge`, its completion, the pickers of modes, options and answers, health.

local fake = require("tests.fake")
local h = require("tests.helpers")
local eq = MiniTest.expect.equality

local child
local T = h.cases(function()
  return child
end)

local function complete(line)
  return child.fn.getcompletion("CopilotBridge " .. line, "cmdline")
end

T["nothing is loaded before it is used"] = function()
  child = MiniTest.new_child_neovim()
  child.dir = vim.fn.tempname()
  h.start(child, { "-u", "NONE", "--cmd", "set rtp^=" .. vim.env.PLUGIN, "--cmd", "runtime plugin/copilot-bridge.lua" })
  eq(
    child.lua_get(
      [[vim.tbl_filter(function(m) return vim.startswith(m, "copilot-bridge") end, vim.tbl_keys(package.loaded))]]
    ),
    {}
  )
  eq(child.lua_get([[require("copilot-bridge").statusline()]]), "")
  eq(child.fn.exists(":CopilotBridge"), 2)
  eq(child.lua_get([[vim.fn.maparg("<Plug>(copilot-bridge-keep)", "x") ~= ""]]), true)
end

T["a status line runs nothing that the agent says"] = function()
  child = MiniTest.new_child_neovim()
  child.dir = vim.fn.tempname()
  h.start(child, { "-u", "NONE", "--cmd", "set rtp^=" .. vim.env.PLUGIN })
  child.lua([[
    package.loaded["copilot-bridge.client"] = { links = function() return { { ready = true } } end }
    package.loaded["copilot-bridge.question.queue"] = { waiting = function() return {} end }
    package.loaded["copilot-bridge.review"] = { count = function() return 0 end }
    package.loaded["copilot-bridge.session"] = {
      current = function()
        return { queue = {}, status = { kind = "error", message = "%{execute('let g:ran = 1')}100%\27[1m" } }
      end,
    }
  ]])
  local shown =
    child.lua_get([[vim.api.nvim_eval_statusline(require("copilot-bridge").statusline(), { maxwidth = 200 }).str]])
  eq(shown, "Copilot: %{execute('let g:ran = 1')}100% [1m")
  eq(child.lua_get("vim.g.ran == nil"), true)
end

T["a message is one line, and what to do stays where it is too long"] = function()
  child = MiniTest.new_child_neovim()
  child.dir = vim.fn.tempname()
  h.start(child, { "-u", "NONE", "--cmd", "set rtp^=" .. vim.env.PLUGIN, "--cmd", "set columns=70" })
  child.lua(
    [[require("copilot-bridge.notify").warn("Copilot waits: " .. ("long\n"):rep(30), " (:CopilotBridge answer)")]]
  )
  local said = vim.trim(child.cmd_capture("messages"))
  eq(said, "copilot-bridge: Copilot waits: lo… (:CopilotBridge answer)")
  eq(child.api.nvim_get_mode().blocking, false)
end

T["subcommands and their arguments are completed"] = function()
  child = h.child()
  local all = complete("")
  for _, name in ipairs({
    "prompt",
    "chat",
    "cancel",
    "keep",
    "undo",
    "next",
    "prev",
    "diff",
    "sessions",
    "mode",
    "option",
    "permissions",
    "restart",
    "log",
    "info",
    "build",
    "install",
  }) do
    eq({ name, vim.list_contains(all, name) }, { name, true })
  end
  eq(complete("ke"), { "keep" })
  eq(complete("keep "), { "file", "all" })
  eq(complete("restart a"), { "agent" })
  eq(complete("mode "), {})
  h.prompt(child, { { text = "fin" } })
  eq(vim.list_contains(complete("mode "), "plan"), true)
  eq(#complete("option ") > 0, true)
end

T["an unknown subcommand says which there are"] = function()
  child = h.child()
  child.cmd("CopilotBridge nonsense")
  eq(child.lua_get("_G.notified[1]"):find("try answer", 1, true) ~= nil, true)
  eq(child.api.nvim_get_mode().blocking, false)
end

T["the mode is set by its name"] = function()
  child = h.child()
  h.prompt(child, { { text = "fin" } })
  child.cmd("CopilotBridge mode plan")
  h.wait(child, [[require("copilot-bridge.session").current().modes.currentModeId:find("plan", 1, true)]])
  child.cmd("CopilotBridge mode nowhere")
  h.said(child, "Mode: Plan")
  h.said(child, "There is no mode")
end

T["an option is picked, and its value"] = function()
  child = h.child()
  h.prompt(child, { { text = "fin" } })
  child.lua([[
    _G.picked = {}
    vim.ui.select = function(items, opts, cb)
      table.insert(_G.picked, opts.prompt)
      cb(items[1])
    end
  ]])
  child.cmd("CopilotBridge option")
  h.wait(child, "#_G.picked == 2")
  local picked = child.lua_get("_G.picked[2]")
  h.said(child, picked .. ": ")
end

T["a range goes along with the prompt"] = function()
  child = h.child({ files = { ["a.txt"] = "one\ntwo\nthree\nfour\n" } })
  child.cmd("edit a.txt")
  child.api.nvim_buf_set_lines(0, 1, 2, false, { "two, unsaved" })
  child.cmd("2,3CopilotBridge prompt look " .. h.script({ { text = "fin" } }))
  h.wait(child, "#_G.ended == 1")
  local prompts = table.concat(h.told("prompts"), "\n")
  eq(prompts:find("two, unsaved\nthree", 1, true) ~= nil, true)
  eq(prompts:find("four", 1, true), nil)
end

T["a part of a line can be selected"] = function()
  child = h.child({ files = { ["a.txt"] = "the quick brown fox\n" } })
  child.cmd("edit a.txt")
  child.lua([[vim.ui.input = function(opts, cb) _G.input = opts.prompt cb("what is this") end]])
  child.type_keys("wve", ":CopilotBridge prompt<CR>")
  h.wait(child, "#_G.ended == 1")
  eq(child.lua_get("_G.input"), "Copilot, about the selection: ")
  local prompts = h.told("prompts")
  eq(prompts[#prompts]:find("quick", 1, true) ~= nil, true)
  eq(child.lua_get([[require("copilot-bridge.context").selection().range]]), {
    start = { line = 0, character = 4 },
    ["end"] = { line = 0, character = 9 },
  })
end

T["prompts go one after the other, and cancel ends all of them"] = function()
  child = h.child()
  h.prompt(child, { { text = "half a sentence", hold = "first" } }, { wait = false })
  h.model({ ["do"] = "held", name = "first" })
  child.lua([[require("copilot-bridge").prompt("second", { on_end = function(t) _G.second = t end })]])
  h.wait(child, [[#require("copilot-bridge.session").current().queue == 1]])
  eq(child.lua_get([[require("copilot-bridge").statusline()]]):find("1 queued", 1, true) ~= nil, true)
  child.cmd("CopilotBridge cancel")
  eq(h.wait(child, "_G.turn").stopReason, "cancelled")
  eq(h.wait(child, "_G.second").stopReason, "cancelled")
  h.model({ ["do"] = "release", name = "first" })
end

T["on_update gets the turn's updates, and no other's"] = function()
  child = h.child()
  child.lua(
    [[
    _G.text = ""
    require("copilot-bridge").prompt(..., {
      on_update = function(p)
        if p.update.sessionUpdate == "agent_message_chunk" and not p.update._meta then _G.text = _G.text .. p.update.content.text end
      end,
      on_end = function(t) _G.turn = t end,
    })
  ]],
    { "x " .. h.script({ { text = "a whole answer", chunks = 5 } }) }
  )
  h.wait(child, "_G.turn")
  eq(child.lua_get("_G.text"), "a whole answer")
end

T["answers that were remembered are listed and taken back"] = function()
  child = h.child({ files = { ["a.txt"] = "one\n" } })
  h.answer(child, "Always allow")
  child.cmd("edit a.txt")
  h.prompt(child, {
    { tool = "edit", args = { path = child.ws .. "/a.txt", old_str = "one", new_str = "two" } },
    { text = "fin" },
  })
  child.lua([[
    _G.seen = {}
    vim.ui.select = function(items, opts, cb)
      table.insert(_G.seen, opts.format_item and opts.format_item(items[1]) or items[1])
      cb(items[1])
    end
  ]])
  child.cmd("CopilotBridge permissions")
  h.wait(child, "#_G.seen == 2")
  eq(child.lua_get("_G.seen[1]"):find("^allow edit") ~= nil, true)
  h.said(child, "Forgotten")
  child.cmd("CopilotBridge permissions")
  h.said(child, "No remembered")
end

T["info and log open, and close with what is usual"] = function()
  child = h.child()
  h.prompt(child, { { text = "fin" } })
  child.cmd("CopilotBridge info")
  h.sees(child, "- agent: ")
  eq(h.screen(child):find("- bridge: ", 1, true) ~= nil, true)
  child.type_keys("q")
  eq(child.lua_get("#vim.api.nvim_list_wins()"), 1)
  child.cmd("CopilotBridge log")
  eq(vim.fs.basename(child.api.nvim_buf_get_name(0)), "copilot-bridge.log")
end

T["wrong options are named once, and the rest counts"] = function()
  child = h.child({ setup = { review = { sign = 3, hint = false }, nonsense = true } })
  local said = child.lua_get("_G.notified[1]")
  eq(said:find("`review.sign` must be a string", 1, true) ~= nil, true)
  eq(said:find("There is no option `nonsense`", 1, true) ~= nil, true)
  eq(child.lua_get([[require("copilot-bridge.config").get().review.hint]]), false)
  eq(child.lua_get([[require("copilot-bridge.config").get().review.sign]]), "┃")
end

T["vim.g.copilot_bridge is taken, setup() goes over it, and a slip is told with what was meant"] = function()
  child = MiniTest.new_child_neovim()
  child.dir = vim.fn.tempname()
  h.start(child, { "-u", "NONE", "--cmd", "set rtp^=" .. vim.env.PLUGIN })
  child.lua([[
    vim.notify = function(message) _G.said = message end
    vim.g.copilot_bridge = { end_bell = false, review = { hint = false }, chat = { positon = "left" } }
    require("copilot-bridge").setup({ review = { hint = true }, autostarts = true })
  ]])
  eq(child.lua_get([[require("copilot-bridge.config").get().end_bell]]), false)
  eq(child.lua_get([[require("copilot-bridge.config").get().review.hint]]), true)
  local said = child.lua_get("_G.said")
  eq(said:find("There is no option `chat.positon`; did you mean `position`?", 1, true) ~= nil, true)
  eq(said:find("There is no option `autostarts`; did you mean `autostart`?", 1, true) ~= nil, true)
end

if vim.fn.has("nvim-0.11") == 1 then -- older ones have no vim.lsp.enable()
  T["vim.lsp.enable starts the bridge with the first file of a project, once"] = function()
    child = h.child({ files = { ["a.txt"] = "one\n" } })
    child.cmd("filetype on")
    child.lua([[vim.lsp.enable("copilot-bridge")]])
    eq(child.lua_get([[#require("copilot-bridge.client").links()]]), 0)
    child.cmd("edit a.txt")
    h.wait(child, [[(require("copilot-bridge.client").links()[1] or {}).ready]])
    h.wait(child, "#vim.lsp.get_clients({ bufnr = 0 }) == 1")
    eq(child.lua_get("#vim.lsp.get_clients()"), 1)
    eq(child.lua_get("_G.notified"), {})
  end
end

T["login runs the agent's own sign-in in a terminal, and has the agent start anew"] = function()
  child = fake.child()
  child.cmd("runtime plugin/copilot-bridge.lua")
  child.lua([[answer["auth/signIn"] = { command = "echo the code is 1234; exit 3" }]])
  child.cmd("CopilotBridge login")
  h.sees(child, "the code is 1234")
  h.said(child, "Sign-in failed")
  eq(child.lua_get("#asked"), 1)
  child.lua([[answer["auth/signIn"] = { command = "echo welcome" }]])
  child.cmd("stopinsert | CopilotBridge login")
  h.said(child, "Signed in")
  eq(child.lua_get("asked[#asked].method"), "agent/restart")
  child.lua([[answer["auth/signIn"] = { message = "Run this at home" }]])
  child.cmd("CopilotBridge login")
  h.said(child, "Run this at home")
end

T["checkhealth names the bridge, Copilot and its version, and what is wrong with the fix"] = function()
  child = h.child({ setup = { nonsense = true } })
  child.cmd("checkhealth copilot-bridge")
  local text = table.concat(h.lines(child), "\n")
  eq(text:find("Copilot CLI 1.0.102", 1, true) ~= nil, true)
  eq(text:find("There is no option `nonsense`", 1, true) ~= nil, true)
  eq(text:find("Neovim 0.1", 1, true) ~= nil, true)
  eq(text:find("sign-in", 1, true) ~= nil, true)
  eq(text:find("MCP", 1, true) ~= nil, true)
  child.lua([[require("copilot-bridge").setup({ cmd = { "/nonexistent" } })]])
  child.cmd("checkhealth copilot-bridge")
  text = table.concat(h.lines(child), "\n")
  eq(text:find("CopilotBridge build", 1, true) ~= nil, true)
end

T["build builds the bridge where it is found"] = function()
  child = h.child()
  child.lua(
    [[
    require("copilot-bridge").setup({})
    vim.env.PATH, vim.env.GOCACHE = ...
    require("copilot-bridge").build(function(err) _G.built = err or true end)
  ]],
    { vim.fs.dirname(vim.fn.exepath("go")) .. ":/usr/bin:/bin", vim.trim(vim.fn.system("go env GOCACHE")) }
  )
  eq(child.lua_get("_G.notified[1]"):find("go build ./cmd/copilot-bridge", 1, true) ~= nil, true)
  eq(h.wait(child, "_G.built", 240000), true)
  eq(
    child.lua_get([[require("copilot-bridge.binary").command()[1] ]]),
    child.lua_get([[require("copilot-bridge.binary").built_path()]])
  )
end

return T
