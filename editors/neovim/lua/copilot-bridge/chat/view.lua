-- The transcript: a buffer that shows a model, and is changed only where the model has changed. Redraws are coalesced:
-- however many updates come, the buffer is written at most once in `redraw_ms`, and not at all while no window shows it.
--
-- A window that is not at the end keeps its view, line for line. How blocks get into the buffer is in items.lua.

local config = require("copilot-bridge.chat.config_of")
local follow = require("copilot-bridge.chat.follow")
local items = require("copilot-bridge.chat.items")

local M = {}

local namespace = vim.api.nvim_create_namespace("copilot-bridge-chat")
M.namespace = namespace

-- Blocks that are drawn when one scrolls up to the first that is drawn.
M.EARLIER = 100
-- A redraw may take this share of the time at most, also where a machine is slow: the next one waits accordingly.
local BUSY_SHARE = 4
-- Milliseconds without anything new after which a history that comes is drawn.
local REPLAY_PAUSE = 60

---@class copilot-bridge.View
---@field buf integer
---@field model copilot-bridge.Model
---@field items copilot-bridge.Item[]  the top, the blocks from `first` on, the tail
---@field first integer                of the model's blocks, the first that is drawn
---@field redraws integer              how often the buffer was written, for measurements
local View = {}
View.__index = View
for name, method in pairs(items) do
  View[name] = method
end

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
