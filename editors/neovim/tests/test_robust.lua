--- The bridge dies, Neovim quits, other servers are there, files change on disk.

local h = require("tests.helpers")
local eq = MiniTest.expect.equality

local child
local T = h.cases(function()
  return child
end)

local function edit(name, old, new)
  return h.edit(child, name, old, new)
end

---@return integer pid of the child's bridge
local function bridge()
  return h.wait(
    child,
    [[(function()
    local link = require("copilot-bridge.client").links()[1]
    return link and link.ready and link.client.rpc.pid
  end)()]]
  )
end

--- The processes below one, and itself.
---@param pid integer
---@return integer[]
local function tree(pid)
  local all, out = {}, {}
  for line in vim.fn.system("ps -e -o pid=,ppid="):gmatch("[^\n]+") do
    local p, parent = line:match("(%d+)%s+(%d+)")
    all[tonumber(p)] = tonumber(parent)
  end
  local function below(p)
    out[#out + 1] = p
    for other, parent in pairs(all) do
      if parent == p then
        below(other)
      end
    end
  end
  below(pid)
  return out
end

-- After so long a process that should be gone counts as left behind (milliseconds).
local GONE = 10000

---@param pids integer[]
local function wait_gone(pids)
  local left
  h.until_true(function()
    left = vim.tbl_filter(function(p)
      return vim.uv.kill(p, 0) == 0
    end, pids)
    return #left == 0
  end, function()
    return "still there: " .. vim.fn.system("ps -o pid,args -p " .. table.concat(left, ","))
  end, GONE)
end

T["the bridge killed: one message, it comes back, and the session goes on"] = function()
  child = h.child({ files = { ["a.txt"] = "one\n" } })
  h.answer(child, "Allow once")
  child.cmd("edit a.txt")
  h.prompt(child, { { text = "fin" } })
  local first = bridge()
  local id = child.lua_get([[require("copilot-bridge.session").current().id]])
  child.lua("_G.notified = {}")
  vim.uv.kill(first, "sigkill")
  h.wait(
    child,
    ([[(function()
    local link = require("copilot-bridge.client").links()[1]
    return link.ready and link.client.rpc.pid ~= %d
  end)()]]):format(first)
  )
  eq(child.lua_get("#_G.notified"), 1)
  eq(child.lua_get("_G.notified[1]"):find("is restarting", 1, true) ~= nil, true)
  child.api.nvim_buf_set_lines(0, -1, -1, false, { "typed since" })
  h.prompt(
    child,
    { { tool = "view", args = { path = child.ws .. "/a.txt" } }, edit("a.txt", "one", "ONE"), { text = "fin" } }
  )
  eq(child.lua_get([[require("copilot-bridge.session").current().id]]), id)
  eq(h.lines(child), { "ONE", "typed since" })
  local results = table.concat(h.told("results"), "\n")
  eq(results:find("typed since", 1, true) ~= nil, true)
end

T["the bridge killed in a turn: on_end is called, and the prompt is offered again"] = function()
  child = h.child({ files = { ["a.txt"] = "one\n" } })
  h.answer(child, "Send again")
  child.cmd("edit a.txt")
  h.prompt(child, { { text = "half a sentence", hold = "killed" } }, { wait = false })
  h.model({ ["do"] = "held", name = "killed" })
  vim.uv.kill(bridge(), "sigkill")
  local turn = h.wait(child, "_G.turn")
  eq(turn.stopReason, "error")
  h.wait(child, "_G.asked and #_G.asked == 1")
  eq(child.lua_get("_G.asked[1].prompt"):find("Interrupted", 1, true) ~= nil, true)
  h.model({ ["do"] = "release", name = "killed" })
  h.said(child, "half a sentence")
  eq(child.lua_get("#_G.asked"), 1)
end

T["a bridge that always dies is left alone after a while, with a word of what to do"] = function()
  child = h.child({
    files = { ["a.txt"] = "one\n" },
    setup = { restart = { max = 2, delay = 10 } },
  })
  child.cmd("edit a.txt")
  child.cmd("CopilotBridge restart bridge")
  local seen = {}
  for _ = 1, 3 do
    local pid = h.wait(
      child,
      ([[(function()
      local link = require("copilot-bridge.client").links()[1]
      local pid = link and link.ready and link.client.rpc.pid
      return pid and not vim.list_contains(%s, pid) and pid
    end)()]]):format(vim.inspect(seen))
    )
    seen[#seen + 1] = pid
    vim.uv.kill(pid, "sigkill")
  end
  local message = h.said(child, "is down")
  eq(message:find("CopilotBridge restart", 1, true) ~= nil, true)
  eq(child.lua_get("#vim.tbl_filter(function(m) return m:find('is down', 1, true) end, _G.notified)"), 1)
  child.cmd("CopilotBridge restart")
  bridge()
end

T["a program that is no bridge is told of once, with the way out"] = function()
  child = h.child({ setup = { cmd = { "false" } } })
  child.lua([[require("copilot-bridge").prompt("hi", { on_end = function(t) _G.turn = t end })]])
  h.wait(child, "_G.turn")
  eq(child.lua_get("#_G.notified"), 1)
  eq(child.lua_get("_G.notified[1]"):find("checkhealth", 1, true) ~= nil, true)
  h.stop(child)
end

T["quitting in the middle of a turn takes at most a moment and leaves no process"] = function()
  child = h.child({ files = { ["a.txt"] = "one\n" } })
  h.answer(child, "Allow once")
  h.prompt(child, {
    h.bash("sleep 300"),
  }, { wait = false })
  local pids = tree(bridge())
  h.until_true(function()
    pids = tree(pids[1])
    return vim.fn.system("ps -o args= -p " .. table.concat(pids, ",")):find("sleep 300", 1, true) ~= nil
  end, "the command does not run")
  local began = vim.uv.hrtime()
  eq(h.quit(child), 0)
  eq((vim.uv.hrtime() - began) / 1e9 < 2, true)
  wait_gone(pids)
end

T["Neovim killed: nothing of it stays"] = function()
  child = h.child({ files = { ["a.txt"] = "one\n" } })
  h.prompt(child, { { text = "fin" } })
  local pids = tree(bridge())
  eq(#pids > 2, true)
  vim.uv.kill(child.fn.getpid(), "sigkill")
  wait_gone(pids)
end

--- What the bridge is told that asks for the current buffer to be saved.
local function save()
  child.lua([[
    require("copilot-bridge.documents").start()
    require("copilot-bridge.documents").request({ uris = { vim.uri_from_bufnr(0) } }, function(r) _G.result = r end)
  ]])
  return h.wait(child, "_G.result")
end

T["a file that somebody else changed is not written over"] = function()
  child = h.child({ files = { ["a.txt"] = "one\ntwo\n" } })
  child.cmd("edit a.txt")
  child.api.nvim_buf_set_lines(0, 0, 1, false, { "mine" })
  h.write(child, "a.txt", "theirs\ntwo\n")
  vim.uv.fs_utime(child.ws .. "/a.txt", os.time() + 5, os.time() + 5)
  local result = save()
  eq(#result.saved, 0)
  eq(result.failed[1].reason:find("changed on disk", 1, true) ~= nil, true)
  eq(h.read(child, "a.txt"), "theirs\ntwo\n")
  eq(h.lines(child), { "mine", "two" })
  eq(child.bo.modified, true)
  eq(child.api.nvim_get_mode().blocking, false)
end

T["a file that has the buffer's text already is written without a question"] = function()
  child = h.child({ files = { ["a.txt"] = "one\ntwo\n" } })
  child.cmd("edit a.txt")
  child.api.nvim_buf_set_lines(0, 0, 1, false, { "ONE" })
  h.write(child, "a.txt", "ONE\ntwo\n")
  vim.uv.fs_utime(child.ws .. "/a.txt", os.time() + 5, os.time() + 5)
  eq(#save().saved, 1)
  eq(child.bo.modified, false)
end

T["a command that changes an open file changes the buffer, without a question of Neovim's"] = function()
  child = h.child({ files = { ["a.txt"] = "one\ntwo\n" } })
  h.answer(child, "Allow once")
  child.cmd("edit a.txt")
  h.prompt(child, {
    h.bash("sed -i s/two/TWO/ a.txt"),
    { text = "fin" },
  })
  h.wait(child, "vim.api.nvim_buf_get_lines(0, 1, 2, false)[1] == 'TWO'")
  h.wait(child, "not vim.bo.modified")
  child.cmd("checktime")
  eq(child.api.nvim_get_mode().blocking, false)
  h.wait(child, "require('copilot-bridge.review').count() == 1")
  child.cmd("write")
end

T["other servers on the buffer keep their hover, formatting, code actions and diagnostics"] = function()
  child = h.child({ files = { ["a.txt"] = "one\ntwo\nthree\n" } })
  h.answer(child, "Allow once")
  child.lua([[
    -- A server of its own that answers what is asked here.
    local seen = {}
    local answers = {
      initialize = { capabilities = { hoverProvider = true, documentFormattingProvider = true, codeActionProvider = true,
        textDocumentSync = 2 } },
      ["textDocument/hover"] = { contents = "theirs" },
      ["textDocument/formatting"] = { { range = { start = { line = 0, character = 0 }, ["end"] = { line = 0, character = 0 } },
        newText = "formatted " } },
      ["textDocument/codeAction"] = { { title = "their action" } },
    }
    vim.cmd.edit("a.txt")
    vim.lsp.start({ name = "other", root_dir = vim.fn.getcwd(), cmd = function(dispatchers)
      local id = 0
      return {
        request = function(method, params, cb)
          id = id + 1
          seen[#seen + 1] = method
          vim.schedule(function() cb(nil, answers[method]) end)
          return true, id
        end,
        notify = function(method) seen[#seen + 1] = method return true end,
        is_closing = function() return false end,
        terminate = function() end,
      }
    end })
    local ns = vim.api.nvim_create_namespace("other")
    vim.diagnostic.set(ns, 0, { { lnum = 1, col = 0, end_col = 3, message = "theirs", severity = 1 } })
  ]])
  h.prompt(child, {
    { tool = "diagnostics", args = { path = child.ws .. "/a.txt" } },
    edit("a.txt", "three", "THREE"),
    { text = "fin" },
  })
  local results = table.concat(h.told("results"), "\n")
  eq(results:find("theirs", 1, true) ~= nil, true)
  h.wait(child, "require('copilot-bridge.review').count() == 1")
  eq(child.lua_get("#vim.diagnostic.get(0)"), 1)
  eq(child.lua_get("#vim.lsp.get_clients({ bufnr = 0 })"), 2)
  child.lua("_G.notified = {}")
  child.lua("vim.lsp.buf.hover()")
  h.wait(child, "#vim.api.nvim_list_wins() == 2")
  eq(child.lua_get("#_G.notified"), 0)
  child.cmd("fclose")
  child.lua("vim.lsp.buf.format()")
  eq(child.fn.getline(1), "formatted one")
  -- Elsewhere only the other server offers something; on the hunk both do.
  local titles = [[(function()
    local out = {}
    local params = vim.lsp.util.make_range_params(0, "utf-16")
    params.context = { diagnostics = {}, triggerKind = 1 }
    for _, r in pairs(vim.lsp.buf_request_sync(0, "textDocument/codeAction", params, 120000)) do
      for _, a in ipairs(r.result or {}) do out[#out + 1] = a.title end
    end
    table.sort(out)
    return out
  end)()]]
  child.type_keys("1G")
  eq(child.lua_get(titles), { "their action" })
  child.type_keys("3G")
  local there = child.lua_get(titles)
  eq(
    vim.list_contains(there, "Keep") and vim.list_contains(there, "Undo") and vim.list_contains(there, "their action"),
    true
  )
end

T["our own code action can be run"] = function()
  child = h.child({ files = { ["a.txt"] = "one\ntwo\n" } })
  h.answer(child, "Allow once")
  child.cmd("edit a.txt")
  h.prompt(child, { edit("a.txt", "two", "TWO"), { text = "fin" } })
  h.wait(child, "require('copilot-bridge.review').count() == 1")
  child.type_keys("2G")
  h.answer(child, "Keep")
  child.lua("vim.lsp.buf.code_action()")
  h.wait(child, "require('copilot-bridge.review').count() == 0")
  eq(h.lines(child), { "one", "TWO" })
  eq(child.lua_get("vim.iter(_G.notified):any(function(m) return m:find('does not support', 1, true) end)"), false)
end

return T
