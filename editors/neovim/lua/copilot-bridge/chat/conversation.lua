-- One session's chat: what belongs to it, and what of it is shown. Its buffers and windows are in panes.lua, what can be
-- done there in actions.lua.

local actions = require("copilot-bridge.chat.actions")
local panes = require("copilot-bridge.chat.panes")
local transcript = require("copilot-bridge.chat.transcript")
local view = require("copilot-bridge.chat.view")
local winbar = require("copilot-bridge.chat.winbar")

local M = {}

---@class copilot-bridge.Chat
---@field id string?     of the session; nil until it has been made
---@field model copilot-bridge.Model
---@field view copilot-bridge.View?
---@field input copilot-bridge.Input?
---@field group integer  autocommands
---@field sending {text: string, known: boolean?}[] prompts that the bridge has not taken yet
---@field chips copilot-bridge.Chip[] what goes with the next prompt
---@field editing string? turn of the waiting prompt that is in the input
---@field waiting string? the question that waits for the user
---@field opening string? how far the opening of the session is
local Chat = {}
Chat.__index = Chat
for _, methods in ipairs({ panes, actions }) do
  for name, method in pairs(methods) do
    Chat[name] = method
  end
end

---@param id string?
---@param model copilot-bridge.Model
---@return copilot-bridge.Chat
function M.new(id, model)
  return setmetatable({ id = id, model = model, sending = {}, chips = {} }, Chat)
end

---@return copilot-bridge.Session?
function Chat:session()
  return self.id and require("copilot-bridge.session").get(self.id) or nil
end

---@return string
function Chat:cwd()
  local s = self:session()
  return s and s.cwd or vim.fn.getcwd()
end

---@return string
function Chat:agent()
  return "Copilot"
end

function Chat:name()
  return "copilot-bridge://chat/" .. (self.id or "new")
end

function Chat:redraw()
  if self.view then
    self.view:schedule()
  end
end

-- bars brings the bars of all windows up to date.
function Chat:bars()
  if not self.view then
    return
  end
  for buf, bar in pairs({ [self.view.buf] = winbar.transcript, [self.input.buf] = winbar.input }) do
    for _, win in ipairs(vim.fn.win_findbuf(buf)) do
      local text = bar(self, vim.api.nvim_win_get_width(win))
      if vim.wo[win].winbar ~= text then
        vim.api.nvim_set_option_value("winbar", text, { win = win, scope = "local" })
      end
    end
  end
  if self.input and vim.api.nvim_buf_is_valid(self.input.buf) then
    self.input:hint()
  end
end

-- opens says that the session is being opened, and how that went.
---@param how string? nil: it is open, or err says why not
---@param err table?
function Chat:opens(how, err)
  self.opening = how
  if err then
    self.model:note("error", "Could not open the session: " .. (err.message or "unknown error"))
  end
  self:redraw()
  self:bars()
end

-- show takes over the session that was made for this chat.
---@param id string
---@param model copilot-bridge.Model
function Chat:adopt(id, model)
  self.id, self.model = id, model
  if self.view then
    transcript.name(self.view.buf, self:name())
    transcript.name(self.input.buf, self:name() .. "/input")
    self.view:show(model)
  end
end

function Chat:scrolled(win)
  if not win or not vim.api.nvim_win_is_valid(win) or self.view.first <= 1 or #self.view.items == 0 then
    return
  end
  if
    vim.fn.line("w0", win) <= self.view.items[1].n
    and vim.fn.line("w$", win) < vim.api.nvim_buf_line_count(self.view.buf)
  then
    self.view:earlier(view.EARLIER)
  end
end

-- all draws everything, in slices so that the editor stays usable.
function Chat:all()
  local function slice()
    if self.view and self.view.first > 1 then
      self.view:earlier(view.EARLIER)
      vim.defer_fn(slice, 5)
    end
  end
  slice()
end

return M
