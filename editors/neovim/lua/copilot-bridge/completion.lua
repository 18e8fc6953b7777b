--- @… and /… of the chat's input for completion plugins. nvim-cmp and blink.cmp, as their documentation has it:
---
---   require("cmp").register_source("copilot-bridge", require("copilot-bridge.completion").new())
---   sources.providers["copilot-bridge"] = { name = "Copilot", module = "copilot-bridge.completion" }

local complete = require("copilot-bridge.chat.complete")

local Source = {}
Source.__index = Source

---@return table
function Source.new()
  return setmetatable({}, Source)
end

---@return copilot-bridge.Chat?
local function chat()
  return vim.bo.filetype == "copilot-bridge-input"
      and require("copilot-bridge.chat").of_buf(vim.api.nvim_get_current_buf())
    or nil
end

function Source:is_available()
  return chat() ~= nil
end
Source.enabled = Source.is_available

function Source:get_trigger_characters()
  return { "@", "/" }
end

function Source:get_keyword_pattern()
  return [[[@/]\S*]]
end

---@return {items: table[], isIncomplete: boolean} LSP CompletionList
local function list()
  complete.elsewhere = true -- no pop-up of the chat's own beside it
  local c, pos = chat(), vim.api.nvim_win_get_cursor(0)
  local line = vim.api.nvim_get_current_line():sub(1, pos[2])
  local from = c and complete.start(line, pos[1])
  if not c or not from then
    return { items = {}, isIncomplete = false }
  end
  local text = require("copilot-bridge.text")
  local buf, row = vim.api.nvim_get_current_buf(), pos[1] - 1
  local range = { start = text.position(buf, row, from), ["end"] = text.position(buf, row, pos[2]) }
  local items = vim.tbl_map(function(i)
    return {
      label = i.abbr or i.word,
      filterText = i.word,
      labelDetails = { description = i.menu },
      documentation = i.info,
      kind = i.word:sub(1, 1) == "/" and vim.lsp.protocol.CompletionItemKind.Function
        or vim.lsp.protocol.CompletionItemKind.File,
      textEdit = { newText = i.word, range = range },
    }
  end, complete.items(line:sub(from + 1), c:session(), c:cwd()))
  return { items = items, isIncomplete = true }
end

--- nvim-cmp.
function Source:complete(_, done)
  done(list())
end

--- blink.cmp.
function Source:get_completions(_, done)
  local l = list()
  done({ items = l.items, is_incomplete_forward = l.isIncomplete, is_incomplete_backward = l.isIncomplete })
end

return Source
