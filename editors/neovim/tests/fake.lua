--- A chat without a bridge: a child Neovim in which the tests say what the bridge says, and see what it is asked.

local h = require("tests.helpers")

local M = {}

--- The child's session is "s1". opts: setup = options, lines, columns, none = without a session.
---@param opts table?
---@return table child of mini.test
function M.child(opts)
  opts = opts or {}
  local child = MiniTest.new_child_neovim()
  local plugin = vim.env.PLUGIN
    or vim.fs.dirname(vim.fs.dirname(vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p")))
  child.dir = vim.fn.tempname()
  h.start(child, { "-n", "-u", "NONE", "--cmd", "set rtp^=" .. plugin })
  child.o.lines, child.o.columns = opts.lines or 30, opts.columns or 100
  child.lua(
    [[
    local opts = ...
    _G.notified, _G.asked, _G.seq = {}, {}, 0
    vim.notify = function(message) table.insert(_G.notified, message) end
    _G.S = { id = "s1", cwd = vim.fn.getcwd(), title = "A title", queue = {}, busy = false, seq = 0,
      commands = { { name = "compact", description = "Sum it up" }, { name = "plan", description = "Plan first", input = { hint = "what" } } } }
    _G.answer = {}
    local function reply(method, params, cb)
      table.insert(_G.asked, { method = method, params = params })
      local a = _G.answer[method]
      vim.schedule(function()
        if type(a) == "table" and a.err then cb(a.err) else cb(nil, a or {}) end
      end)
    end
    package.loaded["copilot-bridge.session"] = {
      get = function(id) return id == "s1" and not _G.none and S or nil end,
      current = function() return not _G.none and S or nil end,
      request = reply,
      set_current = function(id) _G.current = id end,
      levels = function() return _G.levels or {} end,
      ensure = function(cb) cb(nil, S) end,
      prompt = function(id, prompt, o, cb) reply("prompt", { id = id, prompt = prompt, opts = o }, cb) end,
      cancel = function(id, turn, cb) reply("cancel", { id = id, turn = turn }, cb) end,
      new = function(o, cb)
        table.insert(_G.asked, { method = "new", params = o })
        vim.schedule(function() _G.none = nil; cb(nil, S) end)
      end,
    }
    _G.none = opts.none
    require("copilot-bridge.config").setup(opts.setup)
    _G.events, _G.chat = require("copilot-bridge.events"), require("copilot-bridge.chat")
    chat.listen()
    function _G.up(update, turn, more)
      seq = seq + 1
      events.emit("session/update", vim.tbl_extend("force", { sessionId = "s1", turnId = turn or "t1", seq = seq, update = update }, more or {}))
    end
    function _G.say(text, turn) up({ sessionUpdate = "agent_message_chunk", content = { type = "text", text = text } }, turn) end
    function _G.began(turn, text) events.emit("turn/started", { sessionId = "s1", turnId = turn, prompt = { { type = "text", text = text } } }) end
    function _G.ended(turn, more) events.emit("turn/ended", vim.tbl_extend("force", { sessionId = "s1", turnId = turn, stopReason = "end_turn", files = {} }, more or {})) end
    function _G.called(id, more)
      local u = vim.tbl_extend("force", { sessionUpdate = "tool_call", toolCallId = id, title = "editor-view", kind = "read", status = "pending" }, more or {})
      local tool = u.title:match("^editor%-(.+)$") -- as the bridge says it
      u._meta = u._meta or tool and { ["copilot-bridge"] = { tool = tool } }
      up(u)
    end
    function _G.updated(id, more) up(vim.tbl_extend("force", { sessionUpdate = "tool_call_update", toolCallId = id }, more or {})) end
    function _G.open() _G.c = chat.open() end
    function _G.win(buf) return vim.fn.win_findbuf(buf or c.view.buf)[1] end
    function _G.lines() c.view:now(); return vim.api.nvim_buf_get_lines(c.view.buf, 0, -1, false) end
    -- A buffer's highlights in order, as text.
    function _G.marks(buf)
      local out = {}
      for _, m in ipairs(vim.api.nvim_buf_get_extmarks(buf or c.view.buf, require("copilot-bridge.chat.view").namespace, 0, -1, { details = true })) do
        local d = m[4]
        out[#out + 1] = ("%5d:%d to %s:%s %s %s"):format(m[2], m[3], d.end_row, d.end_col, d.hl_group, d.virt_text and d.virt_text[1][1])
      end
      table.sort(out)
      return out
    end
    -- The lines and the highlights of the buffer as it would be if it were drawn from nothing.
    function _G.fresh()
      local buf = vim.api.nvim_create_buf(false, true)
      local view = require("copilot-bridge.chat.view")
      local v = view.new(buf, c.view.opts)
      v.model, v.closed = c.model, false
      local recent = require("copilot-bridge.config").get().chat.recent
      require("copilot-bridge.config").get().chat.recent = #c.model.blocks - c.view.first + 1
      v:rebuild()
      require("copilot-bridge.config").get().chat.recent = recent
      local out, highlights = vim.api.nvim_buf_get_lines(buf, 0, -1, false), marks(buf)
      v:close()
      vim.api.nvim_buf_delete(buf, { force = true })
      return out, highlights
    end
  ]],
    { opts }
  )
  return child
end

M.screen, M.wait = h.screen, h.wait

-- Rounds of what is scheduled: a window that closes has others closed in the next one, which may have more.
local ROUNDS = 5

--- Waits until what was put off for "later in the main loop" has been done, and what that put off.
---@param child table
function M.settle(child)
  child.lua(
    [[
    local left = ...
    _G.settled = false
    local function round()
      left = left - 1
      if left < 0 then
        _G.settled = true
      else
        vim.schedule(round)
      end
    end
    round()
  ]],
    { ROUNDS }
  )
  h.wait(child, "_G.settled")
end

return M
