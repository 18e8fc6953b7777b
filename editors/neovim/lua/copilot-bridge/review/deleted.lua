--- Files that the agent has deleted, as read-only buffers with their old text. A buffer with the name of the file would be a
--- new, empty file.

local review = require("copilot-bridge.review")
local text = require("copilot-bridge.text")

local M = {}

local SCHEME = "copilot-bridge://deleted/"

--- The name of the buffer in which a deleted file is shown.
---@param uri string
---@return string
function M.name(uri)
  return SCHEME .. vim.uri_to_fname(uri)
end

--- The file that a buffer stands for, if it is one of these.
---@param buf integer
---@return string? uri
function M.uri(buf)
  local name = vim.api.nvim_buf_get_name(buf)
  if vim.startswith(name, SCHEME) then
    return vim.uri_from_fname(name:sub(#SCHEME + 1))
  end
end

--- The buffer that shows a deleted file, if there is one.
---@param uri string
---@return integer?
local function buffer(uri)
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    if M.uri(buf) == uri then
      return buf
    end
  end
end

--- Puts the old text into a buffer.
---@param buf integer
local function fill(buf)
  local p = review.of(M.uri(buf) --[[@as string]])
  local lines = {}
  for _, h in ipairs(p and p.kind == "delete" and p.hunks or {}) do
    vim.list_extend(lines, text.lines(h.oldText))
  end
  vim.bo[buf].buftype = "nofile"
  vim.bo[buf].bufhidden = "unload" -- the quickfix list may still know it
  vim.bo[buf].swapfile = false
  vim.bo[buf].modifiable = true
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  vim.bo[buf].modifiable = false
  vim.bo[buf].readonly = true
  vim.bo[buf].modified = false
  vim.bo[buf].filetype = vim.filetype.match({ filename = vim.api.nvim_buf_get_name(buf), contents = lines }) or ""
  for _, win in ipairs(vim.fn.win_findbuf(buf)) do
    vim.wo[win][0].winbar = p and "Deleted by Copilot (:CopilotBridge undo brings it back)" or "Resolved"
  end
end

--- Shows a deleted file in the current window.
---@param uri string
function M.open(uri)
  vim.cmd.edit({ vim.fn.fnameescape(M.name(uri)), mods = { silent = true } })
end

--- Closes the view of a file that is decided on; one that is there again takes its place.
---@param uri string
function M.decided(uri)
  local buf = buffer(uri)
  if not buf then
    return
  end
  local path = vim.uri_to_fname(uri)
  for _, win in ipairs(vim.fn.win_findbuf(buf)) do
    vim.api.nvim_win_call(win, function()
      if vim.uv.fs_stat(path) then
        vim.cmd.edit({ vim.fn.fnameescape(vim.fn.fnamemodify(path, ":~:.")), mods = { silent = true } })
      else
        vim.cmd.enew()
      end
    end)
  end
  if vim.api.nvim_buf_is_valid(buf) then
    vim.api.nvim_buf_delete(buf, { force = true })
  end
end

function M.start()
  vim.api.nvim_create_autocmd("BufReadCmd", {
    group = vim.api.nvim_create_augroup("copilot-bridge.deleted", {}),
    pattern = SCHEME .. "*",
    callback = function(ev)
      fill(ev.buf)
    end,
  })
end

return M
