--- Edits of the agent's in buffers. Each is one step of the user's undo, is made only in the text it was made for, and
--- is told to the bridge at once.

local text = require("copilot-bridge.text")

local M = {}

--- Ends the step of undo that is under way in a buffer, so that an agent's edit is never mixed with what was typed.
---@param buf integer
local function break_undo(buf)
  vim.api.nvim_buf_call(buf, function()
    vim.cmd("let &l:undolevels = &l:undolevels")
  end)
end

--- Whether edits leave a text without its last line end. Neovim's text has one wherever 'eol' is set, and it does not look at
--- what edits do to it.
---@param buf integer
---@param edits table[] TextEdits
---@return boolean
local function takes_last_end(buf, edits)
  local count = vim.api.nvim_buf_line_count(buf)
  for _, e in ipairs(edits) do
    if e.range["end"].line >= count then
      return e.newText == "" and e.range.start.character > 0 or e.newText:find("[^\n]$") ~= nil
    end
  end
  return false
end

---@param change table TextDocumentEdit
---@return integer? buf
---@return string? err
local function check(change)
  local uri = change.textDocument.uri
  local buf = text.loaded(uri)
  if not buf then
    return nil, text.short(uri) .. " is not open"
  end
  if not vim.bo[buf].modifiable then
    return nil, text.short(uri) .. " is not modifiable"
  end
  local version = change.textDocument.version
  local now = vim.lsp.util.buf_versions[buf]
  if version and now and now ~= version then
    return nil, ("%s has changed since (version %d, now %d)"):format(text.short(uri), version, now)
  end
  return buf
end

---@param params table ApplyWorkspaceEditParams
---@param reply fun(result: any, err: table?)
---@param client_id integer?
function M.request(params, reply, client_id)
  local changes = {}
  for _, change in ipairs(params.edit.documentChanges or {}) do
    if not change.kind then
      changes[#changes + 1] = change
    end
  end
  for uri, edits in pairs(params.edit.changes or {}) do
    changes[#changes + 1] = { textDocument = { uri = uri }, edits = edits }
  end
  local bufs = {}
  for i, change in ipairs(changes) do
    local buf, err = check(change)
    if not buf then
      return reply({ applied = false, failureReason = err, failedChange = i - 1 })
    end
    bufs[i] = buf
  end
  local client = client_id and vim.lsp.get_client_by_id(client_id)
  for i, change in ipairs(changes) do
    local buf = bufs[i]
    if vim.bo[buf].eol and takes_last_end(buf, change.edits) then
      vim.bo[buf].eol = false
    end
    if not vim.bo[buf].eol then
      -- Neovim tells the bridge of a text without a last line end. 'fixeol' would write one all the same, and have an edit that
      -- brings one lose it: what is told, shown and written would be three texts.
      vim.bo[buf].fixeol = false
    end
    break_undo(buf)
    local ok, err = pcall(vim.lsp.util.apply_text_edits, change.edits, buf, "utf-16")
    break_undo(buf)
    if not ok then
      return reply({ applied = false, failureReason = tostring(err), failedChange = i - 1 })
    end
  end
  reply({ applied = true })
  if client then
    require("copilot-bridge.buffers").flush(client)
  end
end

return M
