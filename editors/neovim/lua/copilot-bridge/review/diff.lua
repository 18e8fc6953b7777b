--- A file before what is pending and as it is, side by side.

local client = require("copilot-bridge.client")
local notify = require("copilot-bridge.notify")
local review = require("copilot-bridge.review")
local render = require("copilot-bridge.review.render")
local text = require("copilot-bridge.text")

local M = {}

---@class copilot-bridge.Diff
---@field base integer buffer of the text before
---@field tab integer tab page of its own: the user's windows stay as they are

---@type table<integer, copilot-bridge.Diff> by the buffer of the file
local open = {}

---@param buf integer of the file
local function close(buf)
  local diff = open[buf]
  if not diff then
    return
  end
  open[buf] = nil
  if vim.api.nvim_tabpage_is_valid(diff.tab) and #vim.api.nvim_list_tabpages() > 1 then
    for _, win in ipairs(vim.api.nvim_tabpage_list_wins(diff.tab)) do
      pcall(vim.api.nvim_win_close, win, true)
    end
  end
  if vim.api.nvim_buf_is_valid(diff.base) then
    pcall(vim.api.nvim_buf_delete, diff.base, { force = true })
  end
  if vim.api.nvim_buf_is_valid(buf) then
    render.set_hidden(buf, false, review.of_buffer(buf))
  end
end

---@param buf integer
---@param uri string
---@param base string
local function show(buf, uri, base)
  local scratch = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(scratch, "copilot-bridge://base/" .. text.short(uri))
  vim.api.nvim_buf_set_lines(scratch, 0, -1, false, text.lines(base))
  vim.bo[scratch].bufhidden = "wipe"
  vim.bo[scratch].modifiable = false
  vim.bo[scratch].filetype = vim.bo[buf].filetype
  vim.cmd("tab sbuffer " .. buf)
  open[buf] = { base = scratch, tab = vim.api.nvim_get_current_tabpage() }
  render.set_hidden(buf, true, review.of_buffer(buf))
  local win = vim.api.nvim_get_current_win()
  vim.wo.winbar = "Now (do undoes the change)"
  vim.cmd.diffthis()
  vim.cmd("leftabove vertical sbuffer " .. scratch)
  vim.wo.winbar = "Before Copilot"
  vim.cmd.diffthis()
  vim.api.nvim_set_current_win(win)
  vim.api.nvim_create_autocmd("BufWipeout", {
    buffer = scratch,
    once = true,
    callback = function()
      vim.schedule(function()
        close(buf)
      end)
    end,
  })
end

--- Opens the diff of the current file, or closes it.
function M.toggle()
  local buf = vim.api.nvim_get_current_buf()
  for file, diff in pairs(open) do
    if file == buf or diff.base == buf then
      return close(file)
    end
  end
  local p = review.of_buffer(buf)
  if not p then
    return notify.info(
      "No changes in this file" .. (review.count() > 0 and ": :CopilotBridge next goes to the next one" or "")
    )
  end
  client.with(p.root, function(err, link)
    if not link then
      return notify.failed(err)
    end
    client.request(link, "copilot-bridge/review/base", { uri = p.uri }, function(failed, result)
      if failed then
        return notify.failed(failed)
      end
      if vim.api.nvim_buf_is_valid(buf) then
        show(buf, p.uri, result.text)
      end
    end)
  end)
end

return M
