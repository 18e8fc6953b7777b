--- From one pending hunk to the next, through all files.

local notify = require("copilot-bridge.notify")
local review = require("copilot-bridge.review")
local render = require("copilot-bridge.review.render")
local text = require("copilot-bridge.text")

local M = {}

---@class copilot-bridge.Stop
---@field uri string
---@field row integer 0-based

---@return copilot-bridge.Stop[] by file, then by line
local function stops()
  local out = {}
  for _, p in ipairs(review.files()) do
    local buf = text.loaded(p.uri)
    for _, h in ipairs(p.hunks) do
      out[#out + 1] = { uri = p.uri, row = buf and render.where(buf, h) or h.range.start.line }
    end
  end
  return out
end

--- Shows a place, in the window the user is in if that has a file.
---@param stop copilot-bridge.Stop
function M.show(stop)
  vim.cmd("normal! m'")
  local p = review.of(stop.uri)
  local gone = p ~= nil and p.kind == "delete"
  local buf = not gone and text.loaded(stop.uri) or nil
  if vim.bo.buftype ~= "" then
    for _, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
      if vim.bo[vim.api.nvim_win_get_buf(win)].buftype == "" and vim.api.nvim_win_get_config(win).relative == "" then
        vim.api.nvim_set_current_win(win)
        break
      end
    end
  end
  if gone then
    require("copilot-bridge.review.deleted").open(stop.uri)
  elseif not buf then
    local ok, err = pcall(vim.cmd.edit, { vim.fn.fnameescape(text.short(stop.uri)), mods = { silent = true } })
    if not ok then
      return notify.error((tostring(err):gsub("^.-(E%d+:)", "%1")))
    end
  elseif vim.api.nvim_get_current_buf() ~= buf then
    local win = vim.fn.win_findbuf(buf)[1]
    if win and vim.api.nvim_win_get_tabpage(win) == vim.api.nvim_get_current_tabpage() then
      vim.api.nvim_set_current_win(win)
    else
      vim.cmd.buffer({ tostring(buf), mods = { hide = true } })
    end
  end
  local last = vim.api.nvim_buf_line_count(0)
  vim.api.nvim_win_set_cursor(0, { math.min(stop.row + 1, last), 0 })
  vim.cmd("normal! zv^")
end

--- Goes `count` hunks on, round the end to the beginning.
---@param by integer negative: back
function M.go(by)
  local list = stops()
  if #list == 0 then
    return notify.info("Nothing to review")
  end
  local p = review.of_buffer(vim.api.nvim_get_current_buf())
  local here = p and p.uri or vim.uri_from_bufnr(0)
  local row = vim.api.nvim_win_get_cursor(0)[1] - 1
  local lines = vim.api.nvim_buf_line_count(0)
  local before, on = 0, false -- stops before the cursor; the cursor is on the one after them
  for i, stop in ipairs(list) do
    local at = stop.uri == here and math.min(stop.row, lines - 1) or stop.row
    if stop.uri < here or (stop.uri == here and at < row) then
      before = i
    elseif stop.uri == here and at == row then
      on = true
    end
  end
  local index = by > 0 and before + (on and 1 or 0) + by or before + 1 + by
  local wrapped = (index - 1) % #list + 1
  M.show(list[wrapped])
  local where = list[wrapped].uri ~= here and " in " .. text.short(list[wrapped].uri) or ""
  notify.glance(("Change %d of %d%s"):format(wrapped, #list, where))
end

return M
