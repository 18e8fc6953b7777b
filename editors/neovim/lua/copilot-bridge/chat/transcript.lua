-- The transcript's buffer: what kind of one it is, its name, its highlighting, and the lines above the conversation.

local config = require("copilot-bridge.chat.config_of")
local icons = require("copilot-bridge.chat.icons")

local M = {}

---@param buf integer
---@param name string
function M.name(buf, name)
  vim.api.nvim_buf_set_name(buf, name)
  -- Renaming leaves an unlisted buffer behind that has the old name.
  for _, other in ipairs(vim.api.nvim_list_bufs()) do
    if
      other ~= buf
      and not vim.api.nvim_buf_is_loaded(other)
      and vim.api.nvim_buf_get_name(other):match("^copilot%-bridge://chat/new")
    then
      pcall(vim.api.nvim_buf_delete, other, { force = true })
    end
  end
end

---@param name string
---@return integer buf
function M.make(name)
  local buf = vim.api.nvim_create_buf(false, true)
  vim.bo[buf].buftype = "nofile"
  vim.bo[buf].bufhidden = "hide"
  vim.bo[buf].swapfile = false
  vim.bo[buf].undolevels = -1
  vim.bo[buf].modifiable = false
  M.name(buf, name)
  return buf
end

-- highlight starts treesitter with a query that conceals no whole lines. Neovim 0.12's own does, and asks the parser for
-- every line of the screen after each write then: 50 ms of 2,500 lines, at 25 writes a second.
---@param buf integer
function M.highlight(buf)
  local ok = pcall(function()
    local text = {}
    for _, file in ipairs(vim.treesitter.query.get_files("markdown", "highlights")) do
      text[#text + 1] = table.concat(vim.fn.readfile(file), "\n")
    end
    local query = table.concat(text, "\n"):gsub("#set! conceal_lines ", "#set! conceal ")
    local parser = assert(vim.treesitter.get_parser(buf, "markdown"))
    vim.bo[buf].syntax = ""
    vim.treesitter.highlighter.new(parser, { queries = { markdown = query } })
  end)
  if not ok then
    vim.bo[buf].syntax = "copilot-bridge-chat"
  end
end

-- The first lines: what the conversation is, and what of it is not drawn.
---@param chat copilot-bridge.Chat
---@param v copilot-bridge.View
---@return copilot-bridge.Drawn
function M.top(chat, v)
  local s = chat:session()
  local d = { lines = {}, marks = {}, links = {}, head = 0 }
  local title = s and s.title and s.title ~= "" and s.title:gsub("%s+", " ") or "New conversation"
  local room = 40
  if vim.fn.strchars(title) > room then
    title = vim.fn.strcharpart(title, 0, room - 1) .. "…"
  end
  d.lines[1] = "# " .. title
  d.marks[3] = { 0, 0, { end_col = 2, conceal = "" } }
  d.marks[1] = { 0, 0, { end_col = #d.lines[1], hl_group = "CopilotBridgeChatUser", priority = 150 } }
  local cwd = vim.fn.fnamemodify(chat:cwd(), ":t")
  d.marks[2] = { 0, 0, { virt_text = { { cwd .. " ", "CopilotBridgeChatDim" } }, virt_text_pos = "right_align" } }
  if v.first > 1 then
    d.lines[2] = ""
    d.lines[3] = ("%s %d earlier, scroll up or press <CR>"):format(icons.get(config.get()).queued, v.first - 1)
    d.marks[4] = { 2, 0, { end_col = #d.lines[3], hl_group = "CopilotBridgeChatDim" } }
  end
  return d
end

return M
