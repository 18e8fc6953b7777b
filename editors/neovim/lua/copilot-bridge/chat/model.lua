-- A conversation as a list of blocks, made of what the bridge says of a session. It knows no buffer and no window, so
-- that it can be kept for every session from its first update on, and be tested by itself.
--
-- Blocks are only ever added at the end and changed in place. Each change marks the block in `dirty`, for the view.

local blocks = require("copilot-bridge.chat.blocks")
local events = require("copilot-bridge.events")
local terminal = require("copilot-bridge.chat.terminal")
local updates = require("copilot-bridge.chat.updates")
local given = blocks.given

local M = {}

---@class copilot-bridge.Block
---@field id integer        its place in the list
---@field kind "user"|"agent"|"thought"|"tool"|"plan"|"notice"|"end"
---@field turn string?
---@field gone boolean?     it is not shown any more
---@field lines string[]?   of a text: its lines so far
---@field chunks string[]?  of a text: what has come since
---@field changed integer?  of a text: the first line that changed since it was drawn
---@field open boolean?     of a text: more may come

---@class copilot-bridge.Model
---@field session string?
---@field blocks copilot-bridge.Block[]
---@field dirty table<integer, boolean>
---@field seq integer       of the last update taken
---@field turn string?      the turn that runs
---@field began integer?    when it began, in milliseconds (vim.uv.now)
---@field generation integer  counts the histories
---@field replayed integer?    when the last of a history came, while it comes
---@field interrupted {turn: string?, prompt: string, blocks: table[]?, text: string}? a prompt that was cut off and can be sent again
local Model = {}
Model.__index = Model

---@param session string?
---@return copilot-bridge.Model
function M.new(session)
  local m = setmetatable({ session = session, generation = 0, chips = {} }, Model)
  m:reset()
  return m
end

-- reset begins anew: a history comes, and it is the whole of it.
function Model:reset()
  self.blocks, self.dirty = {}, {}
  self.calls = {} -- tool call id → block
  self.unended = {} -- those of them without an end
  self.terminals = {}
  self.bound = {} -- terminal id → its blocks
  self.plan, self.steering, self.last_turn = nil, nil, nil
  self.seq = 0
  self.generation = self.generation + 1
end

function Model:touch(block)
  self.dirty[block.id] = true
end

---@param block table
---@return copilot-bridge.Block
function Model:add(block)
  self:close()
  block.id = #self.blocks + 1
  self.blocks[block.id] = block
  self:touch(block)
  return block
end

-- close ends the text that goes on: what comes next is another block.
function Model:close()
  local last = self.blocks[#self.blocks]
  if last and last.open then
    last.open = false
    self:touch(last)
  end
end

-- say adds text to the block at the end if it goes on the same message, else to a new one.
function Model:say(kind, text, turn, message, extra)
  local last = self.blocks[#self.blocks]
  if not (last and last.open and last.kind == kind and last.turn == turn and last.message == message) then
    last = self:add(vim.tbl_extend("force", extra or {}, {
      kind = kind,
      turn = turn,
      message = message,
      lines = { "" },
      chunks = {},
      changed = 1,
      open = true,
      began = self.turn and vim.uv.now() or nil,
    }))
  end
  last.chunks[#last.chunks + 1] = text
  self:touch(last)
  return last
end

-- settle puts what has come into a text's lines. It is left until somebody looks, so that a chunk costs nothing.
---@param block copilot-bridge.Block
function M.settle(block)
  local chunks = block.chunks
  if not chunks or #chunks == 0 then
    return
  end
  local text = table.concat(chunks):gsub("\r\n?", "\n")
  block.chunks = {}
  local lines = block.lines
  local at = #lines
  local new = vim.split(text, "\n", { plain = true })
  if at == 1 and lines[1] == "" then -- a text does not begin with empty lines
    while #new > 1 and new[1]:match("^%s*$") do
      table.remove(new, 1)
    end
  end
  block.changed = math.min(block.changed or at, at)
  lines[at] = lines[at] .. new[1]
  for i = 2, #new do
    lines[at + i - 1] = new[i]
  end
end

---@param block copilot-bridge.Block
---@return string
function M.text_of(block)
  M.settle(block)
  return vim.trim(table.concat(block.lines or {}, "\n"))
end

---@param text string
---@param level "info"|"warn"|"error"
function Model:note(level, text, turn, event)
  for i = #self.blocks, math.max(1, #self.blocks - 4), -1 do -- Copilot's remarks come as a message and as an event
    local b = self.blocks[i]
    if b.kind == "notice" and vim.trim(M.text_of(b)) == vim.trim(text) then
      b.level = (b.level == "error" or level == "error") and "error" or b.level
      self:touch(b)
      return b
    end
  end
  local b = self:add({ kind = "notice", level = level, turn = turn, event = event, lines = vim.split(text, "\n") })
  return b
end

-- prompt adds what the user said.
---@param prompt table[] ACP ContentBlock[]
function Model:prompt(prompt, turn, steered)
  local text, attached = blocks.prompt(prompt)
  self.last_turn = turn
  local last = self.blocks[#self.blocks]
  if last and last.kind == "user" and last.turn == turn and self.replayed and not steered then
    vim.list_extend(last.attached, attached)
    if text ~= "" then
      vim.list_extend(last.lines, vim.split(text, "\n"))
    end
    self:touch(last)
    return last
  end
  return self:add({
    kind = "user",
    turn = turn,
    lines = vim.split(text, "\n"),
    attached = attached,
    steered = steered,
    chips = turn and self.chips[turn],
    prompt = not self.replayed and prompt or nil,
  })
end

-- carries notes what went with the prompt of a turn, which may have begun already.
---@param turn string?
---@param labels string[]
function Model:carries(turn, labels)
  if not turn or #labels == 0 then
    return
  end
  self.chips[turn] = labels
  for _, b in ipairs(self.blocks) do
    if b.kind == "user" and b.turn == turn then
      b.chips = labels
      self:touch(b)
    end
  end
end

-- call merges a tool call and its updates: what is given replaces what was there (ACP v1).
function Model:call(update, turn)
  local id = update.toolCallId
  local block = self.calls[id]
  if not block then
    block = self:add({ kind = "tool", turn = turn, call = id, title = "", tool = "other", status = "pending" })
    self.calls[id] = block
  end
  block.title = given(update.title) or block.title
  block.tool = given(update.kind) or block.tool
  block.status = given(update.status) or block.status
  block.locations = given(update.locations) or block.locations
  block.content = given(update.content) or block.content
  block.input = given(update.rawInput) or block.input
  block.output = given(update.rawOutput) or block.output
  local remarks = blocks.remarks(update)
  block.cancelled = block.cancelled or given(remarks.cancelled) == true
  block.editor_tool = given(remarks.tool) or block.editor_tool
  block.exit = given(remarks.exitStatus) or block.exit
  block.message = given(remarks.message) or block.message
  if given(remarks.terminalId) then
    self:bind(remarks.terminalId, block)
  end
  for _, c in ipairs(block.content or {}) do
    if c.type == "terminal" and given(c.terminalId) then
      self:bind(c.terminalId, block)
    end
  end
  if self.terminals[id] then -- an agent's own terminal without an id has its call's
    self:bind(id, block)
  end
  local ended = block.status == "completed" or block.status == "failed"
  if self.steering and ended and block.editor_tool then -- it came with this result
    self.steering.told = true
  end
  self.unended[id] = (block.status == "pending" or block.status == "in_progress") and block or nil
  self:touch(block)
  return block
end

function Model:bind(id, block)
  self.terminals[id] = self.terminals[id] or terminal.new()
  block.terminal = self.terminals[id]
  self.bound[id] = self.bound[id] or {}
  self.bound[id][block.id] = block
end

---@param params table terminal/output
function Model:terminal_output(params)
  local id = params.terminalId
  local t = self.terminals[id]
  if not t then
    t = terminal.new()
    self.terminals[id] = t
  end
  t:output(params)
  if self.calls[id] then
    self:bind(id, self.calls[id])
  end
  for _, block in pairs(self.bound[id] or {}) do
    self:touch(block)
  end
end

-- update takes a session/update. It returns the number after which some are missing, if some are: the update is not
-- taken then. A history begins with number 1 and replaces what is here.
---@param params table
---@return integer? gap
function Model:update(params)
  local u, seq = params.update, params.seq
  if params.replay then
    if seq == 1 and self.seq > 0 then
      self:reset()
    end
    self.replayed = vim.uv.now()
  else
    self.replayed = nil
  end
  if seq <= self.seq then
    return
  elseif seq > self.seq + 1 and self.seq > 0 and not params.repaired then
    return self.seq
  end
  self.seq = seq
  local take = updates[u.sessionUpdate]
  if take then
    take(self, u, given(params.turnId))
  end
end

-- started takes a turn/started.
---@param params table
function Model:started(params)
  self.replayed = nil
  self.turn, self.began = params.turnId, vim.uv.now()
  self.interrupted = nil
  local prompt = given(params.prompt)
  if prompt then
    local text = blocks.prompt(prompt)
    local late = self.steering -- it came too late for its turn and is one of its own now
    if late and text == table.concat(late.lines, "\n") then
      late.gone = true
      self:touch(late)
    end
    self:prompt(prompt, params.turnId)
  end
  self.steering = nil
end

-- finish takes a turn/ended. Only what the user would miss is said.
---@param params table
---@param whatever boolean? also of a turn that was not the last to be prompted
function Model:finish(params, whatever)
  self:close()
  if self.turn == params.turnId then
    self.turn, self.began = nil, nil
  end
  local err = given(params.error)
  local files = given(params.files) or {}
  for id, b in pairs(self.unended) do -- a call that the agent never ended
    if b.turn == params.turnId then
      b.status, b.cancelled = "failed", true
      self.unended[id] = nil
      self:touch(b)
    end
  end
  if params.turnId ~= self.last_turn and self.last_turn and not whatever then
    return -- of a prompt that was taken out before it began
  end
  local reason = params.stopReason
  if reason == "end_turn" and not err and #files == 0 then
    return
  end
  self:add({
    kind = "end",
    turn = params.turnId,
    reason = reason,
    message = err and (err.data and given(err.data.reason) or err.message),
    hint = err and err.data and given(err.data.hint),
    files = files,
  })
end

-- event takes what happened to the session.
---@param e table
---@param past boolean? it is history
function Model:event(e, turn, past)
  local text = given(e.message) or e.type or ""
  if e.type == "turn_interrupted" and not past then
    if given(e.prompt) and e.prompt ~= "" then
      self.interrupted = { turn = given(e.turnId), prompt = e.prompt, blocks = given(e.blocks), text = text }
    end
    return
  elseif e.type == "compaction_completed" then
    local last = self.blocks[#self.blocks]
    if last and last.event == "compaction_started" then
      last.lines, last.event = vim.split(text, "\n"), e.type
      self:touch(last)
      return
    end
  elseif e.type == "shutdown" then
    return -- the end of the agent itself is told by its status
  end
  self:note(events.LEVELS[e.type] or "info", text, turn, e.type)
end

-- lost says that the bridge itself has ended, and with it the turn that ran.
---@param text string
function Model:lost(text)
  if self.turn then
    for i = #self.blocks, 1, -1 do
      local b = self.blocks[i]
      if b.kind == "user" and b.turn == self.turn and not b.steered then
        self.interrupted = {
          turn = self.turn,
          prompt = table.concat(b.lines, "\n"),
          blocks = b.prompt,
          text = "Interrupted. Send again? " .. text,
        }
        break
      end
    end
    self:finish({
      turnId = self.turn,
      stopReason = self.interrupted and "end_turn" or "error",
      error = not self.interrupted and { message = text } or nil,
    }, true)
  else
    self:note("warn", text)
  end
  self.steering = nil
end

-- What the user has said in this session, oldest first.
---@return string[]
function Model:said()
  local out = {}
  for _, b in ipairs(self.blocks) do
    if b.kind == "user" and not b.gone then
      out[#out + 1] = table.concat(b.lines, "\n")
    end
  end
  return out
end

return M
