--- The user who is elsewhere is called back: a Neovim in a terminal that says whether it has the focus.

local h = require("tests.helpers")
local eq = MiniTest.expect.equality

local child
local T = h.cases(function()
  return child
end)

-- What a terminal sends when it loses and when it gets the focus (xterm, DEC mode 1004).
local LOST, GAINED = "\27[O", "\27[I"

---@param away boolean
local function focus(away)
  h.key_codes(child, away and LOST or GAINED)
  h.wait(child, ("require('copilot-bridge.attention').here() == %s"):format(not away))
end

-- A command to the terminal (OSC) that none knows.
local MARK = "\27]7777;here\27\\"

--- How many bells have been rung so far. What is written to the terminal by the same way after them has come then.
---@return integer
local function bells()
  child.lua(
    [[
    local send = vim.api.nvim_ui_send or function(text) vim.api.nvim_chan_send(vim.v.stderr, text) end
    send(...)
  ]],
    { MARK }
  )
  h.until_true(function()
    return child.output:find(MARK, 1, true) ~= nil
  end, "nothing comes to the terminal")
  return h.bells(child)
end

local function open(setup)
  child = h.child({ files = { ["a.txt"] = "one\n" }, terminal = true, setup = setup })
  child.cmd("edit a.txt")
  h.prompt(child, { { text = "up" } })
end

T["a question rings when the terminal is not in focus, and says what waits"] = function()
  open()
  focus(true)
  h.prompt(child, { h.edit(child, "a.txt", "one", "ONE"), { text = "fin" } }, { wait = false })
  h.said(child, "Copilot asks: Edit a.txt")
  h.sees(child, "Copilot: Edit a.txt") -- it is there when they come back
  eq(bells(), 1)
  focus(false)
  h.pass(child, 1000)
  h.key_codes(child, "y")
  h.wait(child, "_G.turn")
  eq(h.lines(child), { "ONE" })
end

T["nobody is called who is there"] = function()
  open()
  h.prompt(child, { h.edit(child, "a.txt", "one", "ONE"), { text = "fin" } }, { wait = false })
  h.sees(child, "Copilot: Edit a.txt")
  h.pass(child, 1000)
  h.key_codes(child, "y")
  h.wait(child, "_G.turn")
  eq(bells(), 0)
  eq(child.lua_get("vim.iter(_G.notified):any(function(m) return m:find('Copilot asks', 1, true) end)"), false)
end

T["the last of the turns that end while the user is away rings"] = function()
  open()
  focus(true)
  h.prompt(child, { { text = "half a sentence", hold = "away" } }, { wait = false })
  h.model({ ["do"] = "held", name = "away" })
  child.lua([[require("copilot-bridge").prompt(...)]], { "x " .. h.script({ { text = "the last" } }) })
  h.wait(child, [[#require("copilot-bridge.session").current().queue == 1]])
  h.model({ ["do"] = "release", name = "away" })
  h.said(child, "the last")
  eq(bells(), 1)
end

T["the terminal is asked for a notification on the desktop when nobody is there, once a question and once an end"] = function()
  open({ desktop = "osc777" })
  focus(true)
  h.prompt(child, { h.edit(child, "a.txt", "one", "ONE"), { text = "fin" } }, { wait = false })
  h.sees(child, "Copilot: Edit a.txt")
  h.pass(child, 1000)
  h.key_codes(child, "y")
  h.wait(child, "_G.turn")
  bells() -- all that was sent before has come
  local shown = {}
  for words in child.output:gmatch("\27%]777;notify;Copilot;([^\7]*)\7") do
    shown[#shown + 1] = words
  end
  eq(#shown, 2)
  eq(shown[1], "Edit a.txt?")
end

T["no bell rings where it is switched off"] = function()
  open({ end_bell = false, permission = { bell = false } })
  focus(true)
  h.prompt(child, { h.edit(child, "a.txt", "one", "ONE"), { text = "fin" } }, { wait = false })
  h.said(child, "Copilot asks: Edit a.txt")
  h.sees(child, "Copilot: Edit a.txt")
  h.pass(child, 1000)
  h.key_codes(child, "y")
  h.wait(child, "_G.turn")
  eq(bells(), 0)
end

return T
