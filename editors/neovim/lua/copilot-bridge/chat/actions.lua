-- What can be done in a chat, with the cursor where it is: the methods of a chat that keys call.

local links = require("copilot-bridge.chat.links")
local send = require("copilot-bridge.chat.send")
local view = require("copilot-bridge.chat.view")

---@class copilot-bridge.Chat
local Actions = {}

-- What the cursor is on in the transcript.
function Actions:here()
  local pos = vim.api.nvim_win_get_cursor(0)
  local item, offset = self.view:at(pos[1] - 1)
  local action = item.drawn.actions and item.drawn.actions[offset]
  return item, offset, action, pos
end

function Actions:open_link()
  local pos = vim.api.nvim_win_get_cursor(0)
  local place = links.at(self.view, pos[1] - 1, pos[2], self:cwd())
  if place then
    links.open(place)
  else
    require("copilot-bridge.notify").info("No file under the cursor")
  end
end

function Actions:fold()
  if vim.fn.foldlevel(".") > 0 then
    pcall(vim.cmd, "normal! za")
  end
end

-- act does what is at hand: sends a cut-off prompt again, edits a waiting one, opens a file, else the fold.
function Actions:act()
  local item, offset, action, pos = self:here()
  if action and action.kind == "interrupted" then
    return send.again(self)
  elseif action and action.kind == "queued" then
    return self:edit_queued()
  elseif item.block.kind == "top" and offset == 2 then
    return self.view:earlier(view.EARLIER)
  end
  if vim.fn.foldclosed(pos[1]) ~= -1 then
    return self:fold()
  end
  local place = links.at(self.view, pos[1] - 1, pos[2], self:cwd())
  if place then
    links.open(place)
  else
    self:fold()
  end
end

-- jump goes to the next or the previous prompt.
---@param step integer
function Actions:jump(step)
  local v = self.view
  local row = vim.api.nvim_win_get_cursor(0)[1] - 1
  local at = v:index_of(row)
  local from = step > 0 and at + 1 or at
  local to = step > 0 and #v.items or 1
  for i = from, to, step do
    local item = v.items[i]
    if item.drawn.user and item.n > 0 and (step > 0 or item.row + item.drawn.head < row) then
      vim.api.nvim_win_set_cursor(0, { item.row + item.drawn.head + 1, 0 })
      return
    end
  end
  if step > 0 then
    vim.api.nvim_win_set_cursor(0, { vim.api.nvim_buf_line_count(v.buf), 0 })
  end
end

-- write goes to the input, in insert mode.
function Actions:write()
  self:open()
  vim.cmd("startinsert!")
end

function Actions:edit_queued()
  local _, _, action = self:here()
  if not action or action.kind ~= "queued" then
    return
  end
  self.editing, self.kept = action.turn, self.input:lines()
  self:open()
  self.input:set(action.text)
  self:bars()
end

function Actions:leave_editing()
  self.editing = nil
  self.input:set(self.kept or { "" })
  self.kept = nil
  self:bars()
end

-- remove takes a waiting prompt out, or a cut-off one out of sight.
function Actions:remove()
  local _, _, action = self:here()
  if action and action.kind == "queued" then
    send.cancel(self, action.turn)
  elseif action and action.kind == "interrupted" then
    self.model.interrupted = nil
    self:redraw()
  end
end

-- undo_turn takes back what the turn under the cursor has changed.
function Actions:undo_turn()
  local item = self:here()
  require("copilot-bridge.review").undo_turn(item.block.turn, self:session())
end

-- take_off removes what was attached to the next prompt.
function Actions:take_off()
  require("copilot-bridge.chat.attach").take_off(self)
end

function Actions:level()
  require("copilot-bridge.pick").level("next")
end

function Actions:mode()
  require("copilot-bridge.pick").mode()
end

-- option picks a value of the option of a category.
---@param category string
function Actions:option(category)
  local s = self:session()
  for _, o in ipairs(s and s.configOptions or {}) do
    if o.category == category then
      return require("copilot-bridge.pick").option(o.id)
    end
  end
  require("copilot-bridge.notify").info("This agent has no " .. category .. " to pick")
end

function Actions:cancel()
  if self.editing then
    return self:leave_editing()
  end
  send.cancel(self)
end

---@param steer boolean?
function Actions:submit(steer)
  send.submit(self, steer)
end

function Actions:older(step)
  self.input:history(step)
end

function Actions:help()
  local lines = require("copilot-bridge.chat.keys").help()
  local buf = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  vim.bo[buf].modifiable, vim.bo[buf].bufhidden = false, "wipe"
  local width = 0
  for _, l in ipairs(lines) do
    width = math.max(width, vim.fn.strdisplaywidth(l))
  end
  local height = math.min(#lines, vim.o.lines - 4)
  local win = vim.api.nvim_open_win(buf, true, {
    relative = "editor",
    row = math.max(0, math.floor((vim.o.lines - height) / 2) - 1),
    col = math.max(0, math.floor((vim.o.columns - width) / 2) - 2),
    width = math.min(width + 2, vim.o.columns - 4),
    height = height,
    style = "minimal",
    border = "rounded",
    title = " Chat ",
  })
  for _, key in ipairs({ "q", "<Esc>", "g?", "<CR>" }) do
    vim.keymap.set("n", key, function()
      pcall(vim.api.nvim_win_close, win, true)
    end, { buffer = buf, nowait = true })
  end
end

return Actions
