--- Pending hunks in a buffer: signs, the new lines coloured, the old ones as virtual lines above them. The marks move with
--- what is typed elsewhere.

local config = require("copilot-bridge.config")
local text = require("copilot-bridge.text")

local M = {}

local ns = vim.api.nvim_create_namespace("copilot-bridge.review") -- one mark a hunk, with its lines
local ns_old = vim.api.nvim_create_namespace("copilot-bridge.review.old") -- the old text and the signs

-- A line of old text is coloured to this column at least, so that a block of them has a straight edge.
local function edge()
  return vim.o.columns
end

---@class copilot-bridge.Shown
---@field marks table<string, integer> extmark by hunk
---@field hidden boolean the old text is not shown, because a diff is open

---@type table<integer, copilot-bridge.Shown>
local shown = {}

--- The rows a hunk takes: [first, last). Nothing is between them where lines were only taken out.
---@param h copilot-bridge.Hunk
---@return integer first 0-based
---@return integer last
local function span(h)
  local first = h.range.start.line
  return first, first + #text.lines(h.newText)
end

--- Whether a buffer has the new text of the hunks where they say.
---@param buf integer
---@param hunks copilot-bridge.Hunk[]
---@return boolean
function M.fits(buf, hunks)
  for _, h in ipairs(hunks) do
    local first, last = span(h)
    if not vim.deep_equal(vim.api.nvim_buf_get_lines(buf, first, last, false), text.lines(h.newText)) then
      return false
    end
  end
  return true
end

---@param buf integer
function M.clear(buf)
  shown[buf] = nil
  if vim.api.nvim_buf_is_valid(buf) then
    vim.api.nvim_buf_clear_namespace(buf, ns, 0, -1)
    vim.api.nvim_buf_clear_namespace(buf, ns_old, 0, -1)
  end
end

---@param line string
---@param tabstop integer
---@return string
local function expand(line, tabstop)
  local out, col = {}, 0
  for part, tab in line:gmatch("([^\t]*)(\t?)") do
    out[#out + 1] = part
    col = col + vim.fn.strdisplaywidth(part)
    if tab ~= "" then
      local n = tabstop - col % tabstop
      out[#out + 1] = (" "):rep(n)
      col = col + n
    end
  end
  return table.concat(out)
end

---@param buf integer
---@param h copilot-bridge.Hunk
---@return table[] virt_lines
local function old_lines(buf, h)
  local lines = text.lines(h.oldText)
  local max = config.get().review.max_old_lines
  local out = {}
  for i, line in ipairs(lines) do
    if i > max then
      out[#out + 1] = { { ("… %d more lines: :CopilotBridge diff"):format(#lines - max), "CopilotBridgeHint" } }
      break
    end
    local wide = expand(line, vim.bo[buf].tabstop)
    local pad = math.max(1, edge() - vim.fn.strdisplaywidth(wide))
    out[#out + 1] = { { wide .. (" "):rep(pad), "CopilotBridgeDelete" } }
  end
  return out
end

--- Neovim hides virtual lines above the first line of a buffer until the window is scrolled; this scrolls it.
---@param buf integer
---@param count integer
function M.reveal_top(buf, count)
  for _, win in ipairs(vim.fn.win_findbuf(buf)) do
    vim.api.nvim_win_call(win, function()
      local view = vim.fn.winsaveview()
      if view.topline == 1 and view.topfill < count then
        vim.fn.winrestview({ topline = 1, topfill = math.min(count, vim.api.nvim_win_get_height(win) - 2) })
      end
    end)
  end
end

---@param buf integer
---@param h copilot-bridge.Hunk
---@param hint string
---@param with_old boolean
---@return integer mark
local function draw(buf, h, hint, with_old)
  local options = config.get().review
  local count = vim.api.nvim_buf_line_count(buf)
  local first, last = span(h)
  first, last = math.min(first, count), math.min(last, count)
  local mark = vim.api.nvim_buf_set_extmark(buf, ns, math.min(first, count - 1), 0, {
    end_row = last > first and last or nil,
    end_col = last > first and 0 or nil,
    right_gravity = last == first,
    end_right_gravity = last > first and false or nil,
    invalidate = last > first,
    undo_restore = true,
    strict = false,
  })
  for row = first, last - 1 do
    vim.api.nvim_buf_set_extmark(buf, ns_old, row, 0, {
      sign_text = options.sign,
      sign_hl_group = "CopilotBridgeSign",
      line_hl_group = "CopilotBridgeAdd",
      priority = 20,
    })
  end
  local old = with_old and old_lines(buf, h) or {}
  local at, above = first, true
  if first >= count then
    at, above = count - 1, false
  end
  local hinted = options.hint and with_old
  vim.api.nvim_buf_set_extmark(buf, ns_old, at, 0, {
    virt_lines = #old > 0 and old or nil,
    virt_lines_above = above,
    virt_text = hinted and { { "  " .. hint, "CopilotBridgeHint" } } or nil,
    virt_text_pos = hinted and "eol" or nil,
    sign_text = last == first and options.sign_delete or nil,
    sign_hl_group = last == first and "CopilotBridgeSignDelete" or nil,
    priority = 21,
  })
  if at == 0 and above and #old > 0 then
    M.reveal_top(buf, #old)
  end
  return mark
end

--- Draws the pending hunks of a buffer anew.
---@param buf integer
---@param p copilot-bridge.Pending
function M.show(buf, p)
  local hidden = shown[buf] and shown[buf].hidden or false
  M.clear(buf)
  local state = { marks = {}, hidden = hidden }
  shown[buf] = state
  local with_old = config.get().review.old_text and not hidden
  for i, h in ipairs(p.hunks) do
    local moved = h.oldText == h.newText and p.from and ", moved from " .. text.short(p.from) or ""
    state.marks[h.id] = draw(buf, h, ("Copilot %d/%d%s"):format(i, #p.hunks, moved), with_old)
  end
end

--- Shows the old text of a buffer, or hides it while a diff shows it.
---@param buf integer
---@param hidden boolean
---@param p copilot-bridge.Pending?
function M.set_hidden(buf, hidden, p)
  if p then
    shown[buf] = shown[buf] or { marks = {}, hidden = hidden }
    shown[buf].hidden = hidden
    M.show(buf, p)
  end
end

--- Where a hunk is now.
---@param buf integer
---@param h copilot-bridge.Hunk
---@return integer first 0-based
---@return integer last exclusive
function M.where(buf, h)
  local mark = shown[buf] and shown[buf].marks[h.id]
  local first, last = span(h)
  if mark then
    local pos = vim.api.nvim_buf_get_extmark_by_id(buf, ns, mark, { details = true })
    if pos[1] then
      local stop = pos[3].end_row or pos[1]
      local lost = first == last and first > pos[1] -- at the end of the text the mark is on the last line
      return lost and first or pos[1], math.max(stop, lost and first or pos[1])
    end
  end
  return first, last
end

--- The first rows of all hunks now.
---@param buf integer
---@param p copilot-bridge.Pending
---@return integer[]
function M.rows(buf, p)
  return vim.tbl_map(function(h)
    return (M.where(buf, h))
  end, p.hunks)
end

--- The ids of the hunks that touch rows. Where lines were only taken out, both lines beside the place count.
---@param buf integer
---@param p copilot-bridge.Pending
---@param from integer 0-based
---@param to integer inclusive
---@return string[]
function M.hunks_in(buf, p, from, to)
  local exact, near = {}, {}
  for _, h in ipairs(p.hunks) do
    local first, last = M.where(buf, h)
    if first < last then
      if first <= to and last > from then
        exact[#exact + 1] = h.id
      end
    elseif first <= to and first >= from then
      exact[#exact + 1] = h.id
    elseif first - 1 <= to and first - 1 >= from then
      near[#near + 1] = h.id
    end
  end
  -- The line above a gap means the gap only if nothing else is meant.
  return #exact > 0 and from == to and exact or vim.list_extend(exact, near)
end

return M
