--- The bridge as a child process: every message and then its end, whatever holds its pipes open and however busy Neovim is.

local h = require("tests.helpers")
local eq = MiniTest.expect.equality

local child
local T = h.cases(function()
  return child
end)

-- Starts a Neovim in which _G.run(script, on_message?) runs a shell script for the bridge and notes what comes of it: bodies
-- in _G.got, then { code, signal } in _G.exits. In the script `say BODY` writes a message.
local function start()
  child = MiniTest.new_child_neovim()
  child.dir = vim.fn.tempname()
  h.start(child, { "-u", "NONE", "--cmd", "set rtp^=" .. vim.env.PLUGIN })
  child.lua([[
    _G.got, _G.exits, _G.notified = {}, {}, {}
    function _G.run(script, on_message)
      script = 'say() { printf "Content-Length: %s\\r\\n\\r\\n%s" "${#1}" "$1"; }\n' .. script
      _G.proc = assert(require("copilot-bridge.rpc.process").start({
        cmd = { "/bin/sh", "-c", script },
        on_message = function(body)
          table.insert(_G.got, body)
          if on_message then
            on_message(body)
          end
        end,
        on_exit = function(...)
          table.insert(_G.exits, { ... })
          _G.got_before = #_G.got
        end,
      }))
    end
    -- Longer than the main loop is held at a time.
    function _G.slow()
      local from = vim.uv.hrtime()
      while vim.uv.hrtime() - from < 20 * 1000 * 1000 do
      end
    end
  ]])
end

-- A process that holds the pipes open after its parent, for as long as the test lasts; its id is in the first message.
local HOLDER = "sleep 600 & say $!\n"

local function end_holder()
  local pid = tonumber(h.wait(child, "_G.got[1]"))
  MiniTest.finally(function()
    vim.uv.kill(pid, "sigkill")
  end)
end

T["an end behind messages that wait comes after them, with the pipe held open"] = function()
  start()
  child.lua([[run(... .. 'i=0; while [ $i -lt 50 ]; do say $i; i=$((i+1)); done; exit 3', slow)]], { HOLDER })
  end_holder()
  h.wait(child, "#_G.exits > 0")
  eq(child.lua_get("_G.exits"), { { 3, 0 } })
  eq(child.lua_get("_G.got_before"), 51)
end

T["what is still in the pipe when reading has stopped is read, with the pipe held open"] = function()
  start()
  -- More than Neovim takes in before it stops reading; the rest waits in the pipe when the bridge ends.
  child.lua(
    [[run(... .. 'body=$(head -c 20000 /dev/zero | tr "\\0" x); i=0; while [ $i -lt 60 ]; do say "$body"; i=$((i+1)); done', slow)]],
    { HOLDER }
  )
  end_holder()
  h.wait(child, "#_G.exits > 0")
  eq(child.lua_get("_G.exits"), { { 0, 0 } })
  eq(child.lua_get("_G.got_before"), 61)
end

T["an error in what takes a message loses none of those behind it, nor the end"] = function()
  start()
  child.lua([[
    require("copilot-bridge.log").add = function(_, message) _G.logged = message end
    run("say one; say two; say three", function(body) if body == "one" then error("no good") end end)
  ]])
  h.wait(child, "#_G.exits > 0")
  eq(child.lua_get("_G.got"), { "one", "two", "three" })
  eq(child.lua_get("_G.logged"):find("no good", 1, true) ~= nil, true)
end

T["the last words on stderr are there when the end is told, the unfinished line too"] = function()
  start()
  child.lua([[run("say hi; echo first >&2; printf last >&2; exit 1")]])
  h.wait(child, "#_G.exits > 0")
  eq(child.lua_get("_G.proc.stderr"), { "first", "last" })
end

T["a bridge that closes its output is ended"] = function()
  start()
  child.lua([[run("trap '' TERM; exec >&-; while :; do sleep 1; done")]])
  h.wait(child, "#_G.exits > 0")
  eq(child.lua_get("_G.exits"), { { 0, 9 } })
end

T["what is no message ends it, with a word of what it was"] = function()
  start()
  child.lua([[run("say hi; printf 'Usage: something\\r\\n\\r\\n'; exec sleep 600")]])
  h.wait(child, "#_G.exits > 0")
  eq(child.lua_get("_G.got"), { "hi" })
  eq(child.lua_get("_G.proc.stderr[1]"):find("Usage: something", 1, true) ~= nil, true)
end

T["stop ends its input, and itself where that is not enough"] = function()
  start()
  child.lua([[run("say up; read line; exit 4")]])
  h.wait(child, "#_G.got > 0")
  child.lua("_G.proc.stop(); _G.proc.stop()")
  h.wait(child, "#_G.exits > 0")
  eq(child.lua_get("_G.exits"), { { 4, 0 } })
  eq(child.lua_get("_G.proc.send('x')"), false)
  child.lua([[_G.exits = {}; run("say up; exec sleep 600")]])
  h.wait(child, "#_G.got > 1")
  child.lua("_G.proc.stop()")
  h.wait(child, "#_G.exits > 0")
  eq(child.lua_get("_G.exits"), { { 0, 9 } })
end

return T
