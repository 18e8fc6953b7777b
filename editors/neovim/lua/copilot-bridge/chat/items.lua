-- The blocks as they stand in a transcript's buffer: the methods of a view that write them and find them. What is known of
-- rows is brought up to date before the buffer is written, because Neovim asks for fold levels while it writes.

local config = require("copilot-bridge.chat.config_of")
local draw = require("copilot-bridge.chat.draw")
local icons = require("copilot-bridge.chat.icons")
local model = require("copilot-bridge.chat.model")
local render = require("copilot-bridge.chat.render")

local namespace = vim.api.nvim_create_namespace("copilot-bridge-chat")

---@class copilot-bridge.Item one block as it stands in the buffer
---@field block table
---@field row integer from 0
---@field n integer   lines
---@field drawn copilot-bridge.Drawn
---@field shown integer? of a text: its lines that are in the buffer
---@field marks integer[]? its extmarks

---@class copilot-bridge.View
local Items = {}

function Items:context(previous)
  local cfg = config.get()
  return { icons = icons.get(cfg), config = cfg, cwd = self.opts.cwd(), agent = self.opts.agent(), previous = previous }
end

-- The block that is drawn before another one.
function Items:before(id)
  for i = id - 1, self.first, -1 do
    local b = self.model.blocks[i]
    if not render.blank(b) then
      return b
    end
  end
end

function Items:draw(block)
  return render.block(block, self:context(self:before(block.id)))
end

-- lines_of reads what stands in the buffer.
function Items:lines_of(row, n)
  return vim.api.nvim_buf_get_lines(self.buf, row, row + n, false)
end

-- write replaces lines; what is known of rows must be right for afterwards already.
function Items:write(row, old, lines)
  if old == 0 and #lines == 0 then
    return
  end
  vim.api.nvim_buf_set_lines(self.buf, row, row + old, false, lines)
  self.keeper:edited(row, old, #lines)
end

-- shift moves all items behind one.
function Items:shift(index, delta)
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
function Items:unmark(item)
  for _, id in ipairs(item.marks or {}) do
    vim.api.nvim_buf_del_extmark(self.buf, namespace, id)
  end
  item.marks = nil
end

function Items:mark(item)
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
function Items:put(index, drawn)
  local item = self.items[index]
  local closes = item.drawn and item.drawn.fold == "open" and drawn.fold == "closed"
  local old, lines = self:lines_of(item.row, item.n), drawn.lines
  local head, tail = 0, 0
  if
    item.drawn
    and item.drawn.fold == drawn.fold
    and item.drawn.head == drawn.head
    and item.drawn.fold_at == drawn.fold_at
  then
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
function Items:fold(item)
  local line = item.row + (item.drawn.fold_at or item.drawn.head) + 1
  for _, win in ipairs(vim.fn.win_findbuf(self.buf)) do
    vim.api.nvim_win_call(win, function()
      if vim.fn.foldclosed(line) == -1 and vim.fn.foldlevel(line) > 1 then
        pcall(vim.cmd, line .. "foldclose")
      end
    end)
  end
end

-- grow brings a text that goes on up to date: only from the first line that changed on.
function Items:grow(index)
  local item = self.items[index]
  local b = item.block
  model.settle(b)
  local shown = draw.shown(b)
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

function Items:item(block, drawn)
  local item = { block = block, row = 0, n = #drawn.lines, drawn = drawn }
  if block.kind == "agent" and block.open then
    item.shown = draw.shown(block)
    drawn.lines = nil -- they grow; the block has them
  end
  block.changed = nil
  return item
end

-- insert adds drawn blocks before items[index], all in one write.
function Items:insert(index, list)
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
function Items:index_of(row)
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
function Items:at(row)
  local item = self.items[self:index_of(row)]
  return item, row - item.row
end

return Items
