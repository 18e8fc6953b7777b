-- The input below the transcript: an ordinary buffer, so that everything one knows of editing works in it, undo too. It
-- belongs to one chat and keeps what is written in it while it is hidden.

local complete = require("copilot-bridge.chat.complete")
local config = require("copilot-bridge.chat.config_of")
local window = require("copilot-bridge.chat.window")

local M = {}

local namespace = vim.api.nvim_create_namespace("copilot-bridge-chat-input")

---@class copilot-bridge.Input
---@field buf integer
---@field chat copilot-bridge.Chat
---@field at integer? place in the history, from the newest
---@field draft string[]? what was written before one looked into the history
local Input = {}
Input.__index = Input

---@param chat copilot-bridge.Chat
---@param text string[]? what it begins with
---@return copilot-bridge.Input
function M.new(chat, text)
  local buf = vim.api.nvim_create_buf(false, true)
  vim.bo[buf].bufhidden = "hide"
  vim.bo[buf].swapfile = false
  local input = setmetatable({ buf = buf, chat = chat }, Input)
  if text then
    vim.api.nvim_buf_set_lines(buf, 0, -1, false, text)
  end
  local group = chat.group
  vim.api.nvim_create_autocmd({ "TextChanged", "TextChangedI", "TextChangedP" }, {
    group = group,
    buffer = buf,
    callback = function(ev)
      input:changed()
      if ev.event == "TextChangedI" then
        complete.offer(chat)
      end
    end,
  })
  vim.api.nvim_create_autocmd("InsertEnter", {
    group = group,
    buffer = buf,
    callback = function()
      complete.enter()
      complete.refresh(chat:cwd())
    end,
  })
  vim.api.nvim_create_autocmd("InsertLeave", {
    group = group,
    buffer = buf,
    callback = vim.schedule_wrap(function()
      chat:refold()
    end),
  })
  vim.api.nvim_create_autocmd({ "InsertEnter", "InsertLeave" }, {
    group = group,
    buffer = buf,
    callback = vim.schedule_wrap(function() -- the mode is the other one then
      chat:bars()
    end),
  })
  vim.api.nvim_create_autocmd(
    { "InsertLeave", "BufLeave", "BufWipeout" },
    { group = group, buffer = buf, callback = complete.leave }
  )
  input:hint()
  return input
end

---@return string[]
function Input:lines()
  return vim.api.nvim_buf_get_lines(self.buf, 0, -1, false)
end

---@return string
function Input:text()
  return vim.trim(table.concat(self:lines(), "\n"))
end

-- set replaces the text, as one step of undo, and puts the cursor at its end.
---@param text string|string[]
function Input:set(text)
  local lines = type(text) == "table" and text or vim.split(text, "\n")
  vim.api.nvim_buf_set_lines(self.buf, 0, -1, false, lines)
  for _, win in ipairs(vim.fn.win_findbuf(self.buf)) do
    vim.api.nvim_win_set_cursor(win, { #lines, #lines[#lines] })
  end
  self:changed()
end

function Input:changed()
  self:hint()
  local win = window.of(self.buf)
  if win then
    window.fit_input(win, self.buf)
  end
end

-- hint says what the empty input is for.
function Input:hint()
  vim.api.nvim_buf_clear_namespace(self.buf, namespace, 0, -1)
  local lines = vim.api.nvim_buf_get_lines(self.buf, 0, 2, false)
  if #lines > 1 or lines[1] ~= "" then
    return
  end
  local words = self.chat.editing and "Send it empty to remove the prompt"
    or self.chat.model.turn and (config.get().while_busy == "steer" and "Add to the running turn" or "What next?")
    or ("Ask %s anything"):format(self.chat:agent())
  vim.api.nvim_buf_set_extmark(
    self.buf,
    namespace,
    0,
    0,
    { virt_text = { { words, "CopilotBridgeChatHint" } }, virt_text_pos = "overlay" }
  )
end

-- Prompts of this session and of this Neovim, the newest last.
local said = {}
-- Prompts that are remembered beyond their session.
local MAX_SAID = 200

---@param text string
function M.remember(text)
  if said[#said] ~= text then
    said[#said + 1] = text
    if #said > MAX_SAID then
      table.remove(said, 1)
    end
  end
end

-- history goes one prompt back (1) or forth (-1).
---@param step integer
---@return boolean moved
function Input:history(step)
  local list, have = {}, {}
  for _, text in ipairs(said) do
    list[#list + 1], have[text] = text, true
  end
  local own = vim.tbl_filter(function(text)
    return not have[text] and text ~= ""
  end, self.chat.model:said())
  list = vim.list_extend(own, list)
  local at = (self.at or 0) + step
  if at < 0 or at > #list then
    return false
  end
  if not self.at or self.at == 0 then
    self.draft = self:lines()
  end
  self.at = at
  self:set(at == 0 and (self.draft or { "" }) or list[#list - at + 1])
  self.at = at
  return true
end

-- edge goes through the history with <Up> and <Down> where the cursor can go no further.
---@param step integer
---@return boolean
function Input:edge(step)
  if vim.fn.pumvisible() == 1 then
    return false
  end
  local line = vim.api.nvim_win_get_cursor(0)[1]
  if step > 0 and line > 1 or step < 0 and line < vim.api.nvim_buf_line_count(self.buf) then
    return false
  end
  return self:history(step)
end

-- take empties the input and gives what was in it. Undo brings it back.
---@return string
function Input:take()
  local text = self:text()
  if text ~= "" then
    M.remember(text)
  end
  self.at, self.draft = nil, nil
  self:set({ "" })
  return text
end

return M
