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

-- The text of Neovim's query for the highlights of a language.
---@param lang string
---@return string
local function query_of(lang)
  local text = {}
  for _, file in ipairs(vim.treesitter.query.get_files(lang, "highlights")) do
    text[#text + 1] = table.concat(vim.fn.readfile(file), "\n")
  end
  return table.concat(text, "\n")
end

-- highlight starts treesitter with queries that differ from Neovim's own in two ways.
--  * None conceals whole lines. Where one does, as in Neovim 0.12, the parser is asked for every line of the screen after
--    each write: 50 ms of 2,500 lines, at 25 writes a second.
--  * Brackets without a target stay: `a[0]` outside of code is no link here, and must not be shown as a0.
---@param buf integer
function M.highlight(buf)
  local ok = pcall(function()
    local queries = { markdown = query_of("markdown"):gsub("#set! conceal_lines ", "#set! conceal ") }
    queries.markdown_inline = query_of("markdown_inline")
    for _, link in ipairs({ "shortcut_link", "collapsed_reference_link" }) do
      queries.markdown_inline = queries.markdown_inline:gsub(
        "(%(" .. link .. '%s*%[%s*"%["%s*"%]"%s*%] @markup%.link%s*)%(#set! conceal ""%)',
        "%1"
      )
    end
    local parser = assert(vim.treesitter.get_parser(buf, "markdown"))
    vim.bo[buf].syntax = ""
    vim.treesitter.highlighter.new(parser, { queries = queries })
  end)
  if not ok then
    vim.bo[buf].syntax = "copilot-bridge-chat"
  end
end

-- Lines from which on Neovim 0.10 colors by patterns: its parser keeps a key waiting, the longer the more (tests/bench_chat.lua).
local MAX_PARSED = 2000

-- relieve gives up treesitter where it would hold the keys up.
---@param buf integer
function M.relieve(buf)
  if
    vim.fn.has("nvim-0.11") == 0
    and vim.treesitter.highlighter.active[buf]
    and vim.api.nvim_buf_line_count(buf) > MAX_PARSED
  then
    vim.treesitter.stop(buf)
    vim.bo[buf].syntax = "copilot-bridge-chat"
  end
end

-- The first lines: what the conversation is, and what of it is not drawn.
---@param chat copilot-bridge.Chat
---@param v copilot-bridge.View
---@return copilot-bridge.Drawn
function M.top(chat, v)
  local cwd = vim.fn.fnamemodify(chat:cwd(), ":~")
  local d = { lines = { "" }, marks = {}, links = {}, head = 0 }
  -- Not as text: the title is in the bar above, and the buffer is Markdown.
  d.marks[1] = { 0, 0, { virt_text = { { cwd, "CopilotBridgeChatDim" } }, virt_text_pos = "overlay" } }
  if v.first > 1 then
    d.lines[2] = ""
    d.lines[3] = ("%s %d earlier: scroll up or press <CR>"):format(icons.get(config.get()).queued, v.first - 1)
    d.marks[2] = { 2, 0, { end_col = #d.lines[3], hl_group = "CopilotBridgeChatDim" } }
  end
  return d
end

return M
