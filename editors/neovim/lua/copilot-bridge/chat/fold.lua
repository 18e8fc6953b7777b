-- Folds of the transcript, and the column that shows them. Neovim's own: what is long is a fold of level 2, and the
-- windows open with 'foldlevel' 1, so that it is closed; what should be seen at once is one of level 1.

local config = require("copilot-bridge.chat.config_of")
local icons = require("copilot-bridge.chat.icons")
local text = require("copilot-bridge.text")
local view = require("copilot-bridge.chat.view")

local M = {}

-- 'foldexpr'. It is asked for every line that changes, so it does no more than look up the line's block.
---@return string|integer
function M.expr()
  local v = view.by_buf[vim.api.nvim_get_current_buf()]
  if not v or #v.items == 0 then
    return 0
  end
  local item, offset = v:at(vim.v.lnum - 1)
  local drawn = item.drawn
  local from = drawn.fold_at or drawn.head
  if not drawn.fold or offset < from or offset >= item.n then
    return 0
  end
  local level = drawn.fold == "closed" and 2 or 1
  if offset == from then
    return ">" .. level
  end
  return level
end

-- 'foldtext': the first line, cut to the window. Neovim would break it where it wraps, and show what is concealed in it wrongly.
---@return [string, string?][]
function M.text()
  local v = view.by_buf[vim.api.nvim_get_current_buf()]
  local item = v and #v.items > 0 and v:at(vim.v.foldstart - 1)
  local out = {}
  local left = vim.api.nvim_win_get_width(0) - vim.fn.getwininfo(vim.api.nvim_get_current_win())[1].textoff
  for _, part in ipairs(item and item.drawn.title or {}) do
    local words = type(part) == "table" and (part.plain or part[1]) or part
    words = text.cut(words:gsub("%c", " "), math.max(left, 1))
    left = left - vim.fn.strdisplaywidth(words)
    out[#out + 1] = { words, type(part) == "table" and part[2] or nil }
    if left <= 0 then
      break
    end
  end
  return out
end

-- 'statuscolumn': a bar beside what the user said, and whether a fold is open.
---@return string
function M.column()
  local v = view.by_buf[vim.api.nvim_get_current_buf()]
  if not v or #v.items == 0 then
    return "  "
  end
  local item, offset = v:at(vim.v.lnum - 1)
  local drawn = item.drawn
  if drawn.user and offset > drawn.head then
    return "%#CopilotBridgeChatSpoken#" .. icons.get(config.get()).bar .. " "
  elseif drawn.fold and offset == (drawn.fold_at or drawn.head) and vim.v.virtnum == 0 then
    local signs = icons.get(config.get())
    local closed = vim.fn.foldclosed(vim.v.lnum) ~= -1
    return "%#CopilotBridgeChatFold#" .. (closed and signs.closed or signs.open) .. " "
  end
  return "  "
end

return M
