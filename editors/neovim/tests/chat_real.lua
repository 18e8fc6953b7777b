--- The chat with the real bridge, the real Copilot CLI and a scripted model.

local h = require("tests.helpers")
local eq = MiniTest.expect.equality

local child
local T = h.cases(function()
  return child
end)

local function open(files, setup)
  child = h.child({ files = files, lines = 40, columns = 110, setup = setup })
  h.answer(child, "Allow once")
  child.cmd("edit a.txt")
  child.lua([[
    _G.c = require("copilot-bridge.chat").open()
    function _G.lines() c.view:now(); return vim.api.nvim_buf_get_lines(c.view.buf, 0, -1, false) end
  ]])
end

---@param steps table[]
local function send(steps, words)
  child.lua("c.input:set(...)", { (words or "please") .. " " .. h.script(steps) })
  child.lua("c:submit()")
end

-- The lines without the prompt's script.
local function lines()
  return vim.tbl_filter(function(l)
    return not l:find("SCRIPT", 1, true)
  end, child.lua_get("lines()"))
end

T["a turn is seen as it goes on, and is the same when it is loaded in another Neovim"] = function()
  open({ ["a.txt"] = "one\ntwo\nthree\n" })
  local p = child.ws .. "/a.txt"
  send({
    { text = "I look at it. ", tool = "view", args = { path = p } },
    { tool = "edit", args = { path = p, old_str = "two", new_str = "TWO" } },
    h.bash("echo hello; exit 3"),
    { text = "It is **loud** now." },
  })
  h.wait(child, "c.model.turn == nil and lines()[#lines()]:find('Changed') ~= nil")
  local live = lines()
  local text = table.concat(live, "\n")
  for _, want in ipairs({
    "✓ Read `a.txt`",
    "✓ Edit `a.txt` +1 −1",
    "-two\n+TWO",
    "✗ Run `echo hello; exit 3` exit 3",
    "hello",
    "It is **loud** now.",
    "Changed `a.txt` +1 −1",
  }) do
    eq(text:find(want, 1, true) ~= nil and want, want)
  end
  local id = child.lua_get("c.id")
  h.quit(child)
  child = h.child({ dir = child.dir, lines = 40, columns = 110 })
  child.cmd("edit a.txt")
  child.lua(
    [[
    function _G.lines() c.view:now(); return vim.api.nvim_buf_get_lines(c.view.buf, 0, -1, false) end
    require("copilot-bridge").chat(...)
    _G.c = require("copilot-bridge.chat").open(...)
    _G.opening = c.opening
  ]],
    { id }
  )
  eq(child.lua_get("_G.opening"), "Opening the session")
  h.wait(child, "c.opening == nil and #lines() > 5")
  eq(lines(), live)
end

T["a command's output is seen while it runs"] = function()
  open({ ["a.txt"] = "one\n" })
  send({
    h.bash("echo first; until [ -e go ]; do sleep 0.05; done; echo last"),
    { text = "fin" },
  })
  h.wait(child, "vim.tbl_contains(lines(), 'first')")
  h.wait(child, "vim.wo[vim.fn.win_findbuf(c.input.buf)[1]].winbar:find('Run echo first') ~= nil")
  h.write(child, "go", "")
  h.wait(child, "vim.tbl_contains(lines(), 'fin')")
end

T["the first prompt starts everything, the second waits and is seen, the first is cancelled"] = function()
  open({ ["a.txt"] = "one\n" })
  send({ h.bash("sleep 60"), { text = "never" } })
  h.wait(child, "table.concat(lines(), '\\n'):find('sleep 60`') ~= nil")
  child.lua([[c.input:set("and then this"); c:submit()]])
  h.wait(child, "lines()[#lines()]:find('1  and then this') ~= nil")
  child.lua("c:cancel()")
  h.wait(child, "vim.tbl_contains(lines(), '⊘ Stopped.') and c.model.turn == nil and lines()[#lines()] == 'never'")
end

T["what is added to a turn reaches the agent with the next result, and stands in the conversation"] = function()
  open({ ["a.txt"] = "one\n" })
  send({ h.bash("until [ -e go ]; do sleep 0.05; done"), { text = "fin" } })
  h.wait(child, "vim.wo[vim.fn.win_findbuf(c.input.buf)[1]].winbar:find('Run until') ~= nil")
  child.lua([[c.input:set("also the tests"); c:submit(true)]])
  h.wait(child, "vim.tbl_contains(lines(), 'also the tests') and #c.sending == 0")
  h.write(child, "go", "")
  h.wait(child, "vim.tbl_contains(lines(), 'fin') and c.model.turn == nil")
  local results = h.told("results")
  eq(results[#results]:find("also the tests", 1, true) ~= nil, true)
  eq(#vim.tbl_filter(function(l)
    return l == "also the tests"
  end, lines()), 1)
  eq(child.lua_get("#_G.ended"), 1)
end

T["what is added to a turn too late is a turn of its own, and is said once"] = function()
  open({ ["a.txt"] = "one\n" })
  send({ { text = "half a sentence", hold = "late" } })
  h.model({ ["do"] = "held", name = "late" })
  child.lua([[c.input:set("also the tests"); c:submit(true)]])
  h.wait(child, "table.concat(lines(), '\\n'):find('also the tests') ~= nil and #c.sending == 0")
  h.model({ ["do"] = "release", name = "late" })
  h.wait(child, "#_G.ended == 2 and c.model.turn == nil")
  local prompts = h.told("prompts")
  eq(prompts[#prompts]:find("also the tests", 1, true) ~= nil, true)
  eq(#vim.tbl_filter(function(l)
    return l == "also the tests"
  end, lines()), 1)
end

T["the bridge is killed in the middle: it is said once, and the conversation goes on"] = function()
  open({ ["a.txt"] = "one\n" })
  send({ h.bash("sleep 60"), { text = "never" } })
  h.wait(child, "table.concat(lines(), '\\n'):find('sleep 60`') ~= nil")
  local pid = h.wait(
    child,
    [[(function()
    local link = require("copilot-bridge.client").links()[1]
    return link and link.ready and link.client.rpc.pid
  end)()]]
  )
  -- Said now, and in the history that is loaded with the next prompt.
  local function said()
    return select(2, table.concat(lines(), "\n"):gsub("bridge [%a ]*e%a+ed", ""))
  end
  child.lua([[c.input:set("what waited"); c:submit()]])
  h.wait(child, "lines()[#lines()]:find('1  what waited') ~= nil and c.input:text() == ''")
  vim.uv.kill(pid, "sigkill")
  h.wait(child, "table.concat(lines(), '\\n'):find('The bridge exited') ~= nil and c.model.turn == nil")
  eq(said(), 1)
  eq(child.lua_get("c.input:text()"), "what waited")
  send({ { text = "back again" } }, "go on")
  h.wait(child, "vim.tbl_contains(lines(), 'back again') and c.model.turn == nil")
  eq(said(), 1)
end

return T
