--- Saving on behalf of the bridge: with the user's own autocommands, without a question, and never over a file that
--- somebody else has changed.

local text = require("copilot-bridge.text")

local M = {}

-- Files of which Neovim knows that they were changed outside and that the buffer was not read again. Writing them would
-- stop at a question.
---@type table<integer, boolean>
local changed_outside = {}

local group ---@type integer?

function M.start()
  if group then
    return
  end
  group = vim.api.nvim_create_augroup("copilot-bridge.documents", {})
  vim.api.nvim_create_autocmd("FileChangedShellPost", {
    group = group,
    callback = function(ev)
      changed_outside[ev.buf] = true
    end,
  })
  vim.api.nvim_create_autocmd("BufNewFile", {
    group = group,
    callback = function(ev)
      vim.b[ev.buf].copilot_bridge_gone = 1
    end,
  })
  vim.api.nvim_create_autocmd({ "BufReadPost", "BufWritePost", "BufDelete" }, {
    group = group,
    callback = function(ev)
      changed_outside[ev.buf] = nil
      if ev.event ~= "BufDelete" then
        vim.b[ev.buf].copilot_bridge_gone = nil
      end
    end,
  })
end

--- True if the file was changed on disk since the buffer was read or written. Asks Neovim, without letting it ask.
---@param buf integer
---@return boolean
local function stale(buf)
  if changed_outside[buf] then
    return true
  end
  local hit = false
  local probe = vim.api.nvim_create_autocmd("FileChangedShell", {
    group = group,
    buffer = buf,
    callback = function()
      hit = true
      vim.v.fcs_choice = ""
    end,
  })
  pcall(vim.cmd.checktime, { args = { tostring(buf) }, mods = { silent = true } })
  pcall(vim.api.nvim_del_autocmd, probe)
  return hit
end

--- True if the file has the text of the buffer already.
---@param buf integer
---@return boolean
local function same_on_disk(buf)
  local ok, lines = pcall(vim.fn.readfile, vim.api.nvim_buf_get_name(buf), "b")
  if not ok then
    return false
  end
  if lines[#lines] == "" then
    lines[#lines] = nil
  end
  if vim.bo[buf].fileformat == "dos" then
    for i, line in ipairs(lines) do
      lines[i] = line:gsub("\r$", "")
    end
  end
  local mine = vim.api.nvim_buf_get_lines(buf, 0, -1, false)
  return vim.deep_equal(lines, mine)
end

--- Reads a buffer again whose file has another last line end, or other ones, than Neovim wrote there: an undo of the bridge's
--- gives the bytes back that were there. Also one with the text of a file that has just come back.
---@param uri string
function M.settle(uri)
  local buf = text.loaded(uri)
  if not buf or vim.bo[buf].buftype ~= "" or not vim.uv.fs_stat(vim.api.nvim_buf_get_name(buf)) then
    return
  end
  local back = vim.bo[buf].modified and vim.fn.getbufvar(buf, "copilot_bridge_gone", 0) == 1
  if (back or not vim.bo[buf].modified and stale(buf)) and same_on_disk(buf) then
    vim.api.nvim_buf_call(buf, function()
      local view = vim.fn.winsaveview()
      pcall(vim.cmd.edit, { bang = true, mods = { silent = true, keepalt = true } })
      vim.fn.winrestview(view)
    end)
    vim.b[buf].copilot_bridge_gone = nil
  end
end

--- Closes the buffer of a file that an undo has taken away, for writing it would make the file again. What the user typed into
--- it stays.
---@param uri string
function M.close_vanished(uri)
  local buf = text.loaded(uri)
  if not buf or vim.bo[buf].buftype ~= "" or vim.bo[buf].modified or vim.uv.fs_stat(vim.api.nvim_buf_get_name(buf)) then
    return
  end
  for _, win in ipairs(vim.fn.win_findbuf(buf)) do
    vim.api.nvim_win_call(win, function()
      local other = vim.fn.bufnr("#")
      if other == -1 or other == buf or vim.fn.buflisted(other) == 0 then
        vim.cmd.enew()
      else
        vim.api.nvim_win_set_buf(win, other)
      end
    end)
  end
  vim.api.nvim_buf_delete(buf, { force = true })
end

---@param uri string
---@return string? err
local function save(uri)
  local buf = text.loaded(uri)
  if not buf then
    return "it is not open"
  end
  if vim.bo[buf].buftype ~= "" then
    return "it is not the buffer of a file"
  end
  if not vim.bo[buf].modified then
    return nil
  end
  if vim.bo[buf].readonly then
    return "the buffer is read-only"
  end
  local force = false
  if stale(buf) then
    if not same_on_disk(buf) then
      return "the file was changed on disk since it was read: reload or write it yourself"
    end
    force = true -- the same text: only the time of the file is news
  end
  local ok, err = pcall(vim.api.nvim_buf_call, buf, function()
    vim.cmd.write({ bang = force, mods = { silent = true, keepalt = true, lockmarks = true } })
  end)
  if not ok then
    return (tostring(err):gsub("^.-(E%d+:)", "%1"))
  end
  if vim.bo[buf].modified then
    return "it was not written; an autocommand may have kept it"
  end
end

---@param params {uris: string[]}
---@param reply fun(result: any, err: table?)
function M.request(params, reply)
  local saved, failed = {}, {}
  for _, uri in ipairs(params.uris or {}) do
    local err = save(uri)
    if err then
      failed[#failed + 1] = { uri = uri, reason = err }
    else
      saved[#saved + 1] = uri
    end
  end
  reply({ saved = saved, failed = failed })
end

return M
