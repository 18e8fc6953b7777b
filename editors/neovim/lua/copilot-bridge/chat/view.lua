-- The transcript: a buffer that shows a model, and is changed only where the model has changed. Redraws are coalesced:
-- however many updates come, the buffer is written at most once in `redraw_ms`, and not at all while no window shows it.
--
-- Two rules keep it right. What is known of rows (items) is brought up to date before the buffer is written, because
-- Neovim asks for fold levels while it writes. And a window that is not at the end keeps its view, line for line.

local config = require("copilot-bridge.chat.config_of")
local follow = require("copilot-bridge.chat.follow")
local icons = require("copilot-bridge.chat.icons")
local model = require("copilot-bridge.chat.model")
local render = require("copilot-bridge.chat.render")

local M = {}

local namespace = vim.api.nvim_create_namespace("copilot-bridge-chat")
M.namespace = namespace

-- A redraw may take this share of the time at most, also where a machine is slow: the next one waits accordingly.
local BUSY_SHARE = 4
-- Milliseconds without anything new after which a history that comes is drawn.
local REPLAY_PAUSE = 60

---@class copilot-bridge.Item one block as it stands in the buffer
---@field block table
---@field row integer from 0
---@field n integer   lines
---@field drawn copilot-bridge.Drawn
---@field shown integer? of a text: its lines that are in the buffer
---@field marks integer[]? its extmarks

---@class copilot-bridge.View
---@field buf integer
---@field model copilot-bridge.Model
---@field items copilot-bridge.Item[]  the top, the blocks from `first` on, the tail
---@field first integer                of the model's blocks, the first that is drawn
---@field redraws integer              how often the buffer was written, for measurements
local View = {}
View.__index = View

---@type table<integer, copilot-bridge.View>
M.by_buf = {}

---@param buf integer
---@param opts {model: copilot-bridge.Model, cwd: (fun(): string?), agent: (fun(): string), top: (fun(view: copilot-bridge.View): copilot-bridge.Drawn), tail: (fun(view: copilot-bridge.View): copilot-bridge.Drawn), drawn: fun()?}
---@return copilot-bridge.View
function M.new(buf, opts)
  local view = setmetatable({
    buf = buf,
    model = opts.model,
    opts = opts,
    items = {},
    by_block = {},
    first = 1,
    redraws = 0,
    last = 0,
    took = 0,
    timer = nil,
    armed = false,
  }, View)
  M.by_buf[buf] = view
  return view
end

function View:context(previous)
  local cfg = config.get()
  return { icons = icons.get(cfg), config = cfg, cwd = self.opts.cwd(), agent = self.opts.agent(), previous = previous }
end

-- The block that is drawn before another one.
function View:before(id)
  for i = id - 1, self.first, -1 do
    local b = self.model.blocks[i]
    if not b.gone then
      return b
    end
  end
end

function View:draw(block)
  return render.block(block, self:context(self:before(block.id)))
end

-- show uses another model, for a chat whose session has just been made.
function View:show(m)
  self.model, self.items = m, {}
  self:rebuild()
end

---@return boolean
function View:visible()
  return #vim.fn.win_findbuf(self.buf) > 0
end

-- schedule has what changed drawn soon.
function View:schedule()
  if self.armed or self.closed or not self:visible() then
    return
  end
  self.armed = true
  self.timer = self.timer or assert(vim.uv.new_timer())
  local since = vim.uv.now() - self.last
  local wait = math.max(config.get().redraw_ms, BUSY_SHARE * self.took) - since
  self.timer:start(
    math.max(1, math.ceil(wait)),
    0,
    vim.schedule_wrap(function()
      self.armed = false
      if self.closed or not vim.api.nvim_buf_is_valid(self.buf) or not self:visible() then
        return
      elseif self.model.replayed and vim.uv.now() - self.model.replayed < REPLAY_PAUSE then
        self.last = vim.uv.now()
        self:schedule() -- more of the history comes
      else
        self:flush()
      end
    end)
  )
end

-- lines_of reads what stands in the buffer.
function View:lines_of(row, n)
  return vim.api.nvim_buf_get_lines(self.buf, row, row + n, false)
end

-- write replaces lines; what is known of rows must be right for afterwards already.
function View:write(row, old, lines)
  if old == 0 and #lines == 0 then
    return
  end
  vim.api.nvim_buf_set_lines(self.buf, row, row + old, false, lines)
  self.keeper:edited(row, old, #lines)
end

-- shift moves all items behind one.
function View:shift(index, delta)
  if delta == 0 then
    return
  end
  local items = self.items
  for i = index + 1, #items do
    items[i].row = items[i].row + delta
  end
end

-- unmark takes an item's own highlights away. By range would not do: Neovim then also removes what only ends there, such
-- as the highlight of the whole line above.
function View:unmark(item)
  for _, id in ipairs(item.marks or {}) do
    vim.api.nvim_buf_del_extmark(self.buf, namespace, id)
  end
  item.marks = nil
end

function View:mark(item)
  item.marks = {}
  for i, m in ipairs(item.drawn.marks) do
    local opts = m[3]
    if opts.end_row then
      opts = vim.tbl_extend("force", opts, { end_row = item.row + opts.end_row })
    end
    opts.strict = false
    item.marks[i] = vim.api.nvim_buf_set_extmark(self.buf, namespace, item.row + m[1], m[2], opts)
  end
end

-- put brings an item to what is drawn of it now, writing only the lines that differ.
function View:put(index, drawn)
  local item = self.items[index]
  local closes = item.drawn and item.drawn.fold == "open" and drawn.fold == "closed"
  local old, lines = self:lines_of(item.row, item.n), drawn.lines
  local head, tail = 0, 0
  if item.drawn and item.drawn.fold == drawn.fold and item.drawn.head == drawn.head then
    local most = math.min(#old, #lines)
    while head < most and old[head + 1] == lines[head + 1] do
      head = head + 1
    end
    while tail < most - head and old[#old - tail] == lines[#lines - tail] do
      tail = tail + 1
    end
  end
  -- Before the lines go: marks of a line that is replaced move to the one below.
  self:unmark(item)
  item.drawn, item.n = drawn, #lines
  self:shift(index, #lines - #old)
  local mid = vim.list_slice(lines, head + 1, #lines - tail)
  if #mid > 0 or #old > #lines or head + tail < #old then
    self:write(item.row + head, #old - head - tail, mid)
  end
  self:mark(item)
  if closes then
    self:fold(item)
  end
end

-- fold closes what was open. Where as many lines come as go, Neovim keeps the fold that is there, open as it is.
function View:fold(item)
  local line = item.row + item.drawn.head + 1
  for _, win in ipairs(vim.fn.win_findbuf(self.buf)) do
    vim.api.nvim_win_call(win, function()
      if vim.fn.foldclosed(line) == -1 and vim.fn.foldlevel(line) > 1 then
        pcall(vim.cmd, line .. "foldclose")
      end
    end)
  end
end

-- grow brings a text that goes on up to date: only from the first line that changed on.
function View:grow(index)
  local item = self.items[index]
  local b = item.block
  model.settle(b)
  local shown = render.shown(b)
  local from = math.min(b.changed or shown + 1, item.shown + 1)
  b.changed = nil
  if from > shown and shown == item.shown then
    return
  end
  local prefix = item.drawn.head
  local lines = vim.list_slice(b.lines, from, shown)
  local row, old = item.row + prefix + from - 1, item.shown - from + 1
  item.n, item.shown = prefix + shown, shown
  self:shift(index, #lines - old)
  self:write(row, old, lines)
end

function View:item(block, drawn)
  local item = { block = block, row = 0, n = #drawn.lines, drawn = drawn }
  if block.kind == "agent" and block.open then
    item.shown = render.shown(block)
    drawn.lines = nil -- they grow; the block has them
  end
  block.changed = nil
  return item
end

-- insert adds drawn blocks before items[index], all in one write.
function View:insert(index, list)
  local row = self.items[index].row
  local lines, at = {}, row
  for i, block in ipairs(list) do
    local drawn = self:draw(block)
    local text = drawn.lines
    local item = self:item(block, drawn)
    item.row = at
    at = at + item.n
    vim.list_extend(lines, text)
    list[i] = item
    self.by_block[block.id] = item
  end
  local rest = vim.list_slice(self.items, index)
  for i, item in ipairs(list) do
    self.items[index + i - 1] = item
  end
  for i, item in ipairs(rest) do
    item.row = item.row + #lines
    self.items[index + #list + i - 1] = item
  end
  self:write(row, 0, lines)
  for _, item in ipairs(list) do
    self:mark(item)
  end
end

-- index_of finds an item by its row: the last one that begins there or before.
---@param row integer from 0
---@return integer
function View:index_of(row)
  local lo, hi = 1, #self.items
  while lo < hi do
    local mid = math.floor((lo + hi + 1) / 2)
    if self.items[mid].row <= row then
      lo = mid
    else
      hi = mid - 1
    end
  end
  while lo > 1 and self.items[lo].n == 0 do
    lo = lo - 1
  end
  return lo
end

---@param row integer from 0
---@return copilot-bridge.Item item, integer offset
function View:at(row)
  local item = self.items[self:index_of(row)]
  return item, row - item.row
end

function View:changing(f)
  local bo = vim.bo[self.buf]
  local ei = vim.o.eventignore
  vim.o.eventignore = "OptionSet,TextChanged,TextChangedI,TextChangedP"
  self.keeper = follow.keep(self.buf)
  bo.modifiable = true
  local ok, err = xpcall(f, debug.traceback)
  bo.modifiable, bo.modified = false, false
  vim.o.eventignore = ei
  self.keeper:restore()
  self.redraws = self.redraws + 1
  if not ok then
    error(err, 0)
  end
end

-- rebuild draws everything anew: the newest blocks, and older ones when they are asked for.
function View:rebuild()
  local cfg = config.get()
  local again = #self.items > 0 -- the same conversation, loaded once more: windows stay where they are
  self.items, self.by_block = {}, {}
  self.generation = self.model.generation
  self.first = math.max(1, math.min(again and self.first or math.huge, #self.model.blocks - cfg.recent + 1))
  self:changing(function()
    vim.api.nvim_buf_clear_namespace(self.buf, namespace, 0, -1)
    local empty = { lines = {}, marks = {}, links = {}, head = 0 }
    self.items = {
      { block = { kind = "top" }, row = 0, n = 0, drawn = empty },
      { block = { kind = "tail" }, row = 0, n = 0, drawn = empty },
    }
    vim.api.nvim_buf_set_lines(self.buf, 0, -1, false, {})
    if again then
      self.keeper:same()
    else
      self.keeper:all()
    end
    self:put(1, self.opts.top(self))
    self.model.dirty = {}
    self:insert(2, vim.list_slice(self.model.blocks, self.first))
    self:put(#self.items, self.opts.tail(self))
    -- The one line that an empty buffer has.
    local all = vim.api.nvim_buf_line_count(self.buf)
    local last = self.items[#self.items]
    if all > last.row + last.n then
      vim.api.nvim_buf_set_lines(self.buf, last.row + last.n, -1, false, {})
    end
  end)
  if self.opts.drawn then
    self.opts.drawn()
  end
end

-- flush draws what has changed.
function View:flush()
  if #self.items == 0 or self.generation ~= self.model.generation then
    return self:rebuild()
  end
  local start = vim.uv.hrtime()
  local m = self.model
  local dirty = m.dirty
  m.dirty = {}
  local new, changed = {}, {}
  local known = self.items[#self.items - 1].block.id or self.first - 1
  for id in pairs(dirty) do
    if id > known then
      new[#new + 1] = id
    elseif id >= self.first then
      changed[#changed + 1] = id
    end
  end
  table.sort(new)
  table.sort(changed)
  self:changing(function()
    local top = self.opts.top(self)
    if not vim.deep_equal(top.lines, self.items[1].drawn.lines) then
      self:put(1, top)
    end
    for _, id in ipairs(changed) do
      local item = self.by_block[id]
      local index = id - self.first + 2 -- behind the top, one item a block
      if item.shown and item.block.open then
        self:grow(index)
      else
        item.shown = nil
        self:put(index, self:draw(item.block))
      end
    end
    if #new > 0 then
      local list = {}
      for i, id in ipairs(new) do
        list[i] = m.blocks[id]
      end
      self:insert(#self.items, list)
    end
    local tail = self.opts.tail(self)
    if #tail.lines > 0 or self.items[#self.items].n > 0 then
      self:put(#self.items, tail)
    end
  end)
  self.last = vim.uv.now()
  self.took = (vim.uv.hrtime() - start) / 1e6
  if self.opts.drawn then
    self.opts.drawn()
  end
end

-- settle shows the end again where a window is at it, after folds have closed above.
function View:settle()
  follow.keep(self.buf):restore()
end

-- now draws at once what waits to be drawn.
function View:now()
  if not self.closed and vim.api.nvim_buf_is_valid(self.buf) then
    self:flush()
  end
end

-- earlier draws some of the blocks before those that are drawn. The view of every window stays.
---@param count integer
function View:earlier(count)
  if self.first <= 1 then
    return
  end
  local to = self.first - 1
  self.first = math.max(1, to - count + 1)
  self:changing(function()
    self.keeper:still()
    self:put(1, self.opts.top(self))
    self:insert(2, vim.list_slice(self.model.blocks, self.first, to))
    local next_item = self.items[2 + to - self.first + 1]
    if next_item and next_item.block.id and not next_item.shown then -- it follows something now
      self:put(2 + to - self.first + 1, self:draw(next_item.block))
    end
  end)
end

-- close lets go of everything. The buffer may be gone already.
function View:close()
  self.closed = true
  M.by_buf[self.buf] = nil
  if self.timer then
    self.timer:stop()
    if not self.timer:is_closing() then
      self.timer:close()
    end
    self.timer = nil
  end
end

return M
