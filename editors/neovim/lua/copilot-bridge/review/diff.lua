--- A file before what is pending and as it is, side by side.

local client = require("copilot-bridge.client")
local notify = require("copilot-bridge.notify")
local review = require("copilot-bridge.review")
local render = require("copilot-bridge.review.render")
local text = require("copilot-bridge.text")

local M = {}

---@type table<integer, integer> buffer of the base by buffer of the file
local open = {}

---@param buf integer of the file
local function close(buf)
  local base = open[buf]
  open[buf] = nil
  if base and vim.api.nvim_buf_is_valid(base) then
    pcall(vim.api.nvim_buf_delete, base, { force = true })
  end
  if vim.api.nvim_buf_is_valid(buf) then
    for _, win in ipairs(vim.fn.win_findbuf(buf)) do
      vim.api.nvim_win_call(win, function()
        vim.cmd.diffoff()
      end)
    end
    render.set_hidden(buf, false, review.of_buffer(buf))
  end
end

---@param buf integer
---@param uri string
---@param base string
local function show(buf, uri, base)
  local win = vim.fn.win_findbuf(buf)[1]
  if not win then
    return
  end
  vim.api.nvim_set_current_win(win)
  local scratch = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(scratch, "copilot-bridge://base/" .. text.short(uri))
  vim.api.nvim_buf_set_lines(scratch, 0, -1, false, text.lines(base))
  vim.bo[scratch].bufhidden = "wipe"
  vim.bo[scratch].modifiable = false
  vim.bo[scratch].filetype = vim.bo[buf].filetype
  open[buf] = scratch
  render.set_hidden(buf, true, review.of_buffer(buf))
  vim.cmd("leftabove vertical sbuffer " .. scratch)
  vim.cmd.diffthis()
  vim.wo.winbar = "before Copilot (`do` takes back)"
  vim.api.nvim_set_current_win(win)
  vim.cmd.diffthis()
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
  for file, base in pairs(open) do
    if file == buf or base == buf then
      return close(file)
    end
  end
  local p = review.of_buffer(buf)
  if not p then
    return notify.info(
      "nothing is pending in this file" .. (review.count() > 0 and "; next: :CopilotBridge next" or "")
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
