-- Places that a transcript names: of tool calls, and path:line as agents write it.

local window = require("copilot-bridge.chat.window")

local M = {}

-- resolve finds the file that some words name, seen from a session's folder.
---@param path string
---@param cwd string?
---@return string? path absolute, of a file or folder that is there
local function resolve(path, cwd)
  path = path:gsub("^file://", "")
  if path:sub(1, 2) == "~/" then
    path = (vim.env.HOME or "") .. path:sub(2)
  elseif path:sub(1, 1) ~= "/" then
    path = (cwd or vim.fn.getcwd()) .. "/" .. path
  end
  path = vim.fs.normalize(path)
  return vim.uv.fs_stat(path) and path or nil
end

-- words finds a place in a line of text at a column: path, path:12, path:12:3, path#L12, [text](path).
---@param line string
---@param col integer from 0
---@param cwd string?
---@return {path: string, line: integer?, col: integer?}?
function M.words(line, col, cwd)
  local at = 1
  while true do
    local from, to, word = line:find("([^%s`'\"<>()%[%]{},;|]+)", at)
    if not from then
      return nil
    end
    if col < from - 1 then
      return nil
    end
    if col < to then
      word = word:gsub("^@", ""):gsub("[.:]+$", "")
      for _, pattern in ipairs({ "^(.+):(%d+):(%d+)$", "^(.+):(%d+)%-%d+$", "^(.+):(%d+)$", "^(.+)#L(%d+)", "^(.+)$" }) do
        local path, l, c = word:match(pattern)
        local found = path and resolve(path, cwd)
        if found then
          return { path = found, line = tonumber(l), col = tonumber(c) }
        end
      end
      return nil
    end
    at = to + 1
  end
end

-- at finds the place under the cursor, else the first one that the block names in that line.
---@param view copilot-bridge.View
---@param row integer from 0
---@param col integer from 0
---@param cwd string?
function M.at(view, row, col, cwd)
  local item, offset = view:at(row)
  local first
  for _, l in ipairs(item.drawn.links) do
    if l.row == offset then
      if col >= l.from and col < l.to then
        return l
      end
      first = first or l
    end
  end
  local line = vim.api.nvim_buf_get_lines(view.buf, row, row + 1, false)[1] or ""
  return M.words(line, col, cwd) or first
end

-- open shows a place in a window for files.
---@param place {path: string, line: integer?, col: integer?}
---@param here boolean? the current window is the one
function M.open(place, here)
  if not here then
    vim.api.nvim_set_current_win(window.for_files())
  end
  local path = place.path
  local buf = vim.fn.bufadd(path)
  vim.bo[buf].buflisted = true
  local ok, err = pcall(vim.api.nvim_win_set_buf, 0, buf)
  if not ok then
    require("copilot-bridge.notify").warn(("cannot open %s: %s"):format(path, err))
    return
  end
  if place.line then
    local last = vim.api.nvim_buf_line_count(buf)
    vim.cmd("normal! m'")
    vim.api.nvim_win_set_cursor(0, { math.max(1, math.min(place.line, last)), math.max(0, (place.col or 1) - 1) })
    vim.cmd("normal! zvzz")
  end
end

return M
