-- What windows show while a buffer is written below, in and above what they show: one that was at the end stays at the
-- end, every other one stays where it is.

local M = {}

---@class copilot-bridge.Keeper
local Keeper = {}
Keeper.__index = Keeper

-- at_end says whether a window's cursor is on the buffer's last line, or on a closed fold that reaches to it.
local function at_end(win, last)
  local line = vim.api.nvim_win_get_cursor(win)[1]
  if line >= last then
    return true
  end
  local fold = vim.api.nvim_win_call(win, function()
    return vim.fn.foldclosedend(line)
  end)
  return fold >= last
end

---@param buf integer
---@return copilot-bridge.Keeper
function M.keep(buf)
  local last = vim.api.nvim_buf_line_count(buf)
  local wins = {}
  for _, win in ipairs(vim.fn.win_findbuf(buf)) do
    local w = { win = win, follow = at_end(win, last) }
    if not w.follow then
      w.view = vim.api.nvim_win_call(win, vim.fn.winsaveview)
      w.bottom = vim.fn.line("w$", win)
    end
    wins[#wins + 1] = w
  end
  return setmetatable({ buf = buf, wins = wins, edits = {}, last = last }, Keeper)
end

-- edited notes that lines were replaced: from row on (from 0), old of them by new ones.
function Keeper:edited(row, old, new)
  self.edits[#self.edits + 1] = { row, old, new }
end

-- all says that everything is new: every window goes to the end.
function Keeper:all()
  for _, w in ipairs(self.wins) do
    w.follow = true
  end
  self.edits = {}
end

-- same says that all was written anew and is the same as before: views are by line number.
function Keeper:same()
  self.again = true
end

-- still says that no window is to follow, also one that is at the end.
function Keeper:still()
  self.anchored = true
  for _, w in ipairs(self.wins) do
    if w.follow then
      w.follow = false
      w.view = vim.api.nvim_win_call(w.win, vim.fn.winsaveview)
      w.bottom = self.last
    end
  end
end

-- moved is where a line is after the edits.
local function moved(edits, line)
  for _, e in ipairs(edits) do
    local row, old, new = e[1], e[2], e[3]
    if line - 1 >= row + old then
      line = line + new - old
    elseif line - 1 >= row then
      line = math.min(line, row + math.max(new, 1))
    end
  end
  return line
end

-- to_end puts a window's cursor on the last line and that line at its bottom. No command is run for it: this happens
-- while the user types in another window.
local function to_end(win, buf)
  local last = vim.api.nvim_buf_line_count(buf)
  local height = vim.api.nvim_win_get_height(win)
  local top = math.max(1, last - height + 1)
  for _ = 1, 20 do -- closed folds leave room for more
    local used = vim.api.nvim_win_text_height(win, { start_row = top - 1, end_row = last - 1 }).all
    if top == 1 or used >= height then
      break
    end
    top = math.max(1, top - (height - used))
  end
  vim.api.nvim_win_call(win, function()
    vim.fn.winrestview({ lnum = last, col = 0, curswant = 0, topline = top, topfill = 0, skipcol = 0, leftcol = 0 })
  end)
  -- Where lines wrap the last one is still below the bottom. This scrolls on until it is seen, also in another window.
  vim.api.nvim_win_set_cursor(win, { last, 0 })
end
M.to_end = to_end

function Keeper:restore()
  for _, w in ipairs(self.wins) do
    if vim.api.nvim_win_is_valid(w.win) and vim.api.nvim_win_get_buf(w.win) == self.buf then
      if w.follow then
        to_end(w.win, self.buf)
      else
        local above = self.again
        for _, e in ipairs(self.again and {} or self.edits) do
          above = above or e[1] < w.bottom
        end
        if above then
          local v = w.view
          if not self.again then
            local top, line = moved(self.edits, v.topline), moved(self.edits, v.lnum)
            if self.anchored and line - top ~= v.lnum - v.topline then -- lines came in between: the cursor's line stays
              top = math.max(1, line - (v.lnum - v.topline))
            end
            v.topline, v.lnum = top, line
          end
          vim.api.nvim_win_call(w.win, function()
            vim.fn.winrestview(v)
          end)
        end
      end
    end
  end
end

return M
