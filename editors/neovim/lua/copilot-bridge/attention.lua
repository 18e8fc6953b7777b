--- Whether the user is at this Neovim, as far as its terminal tells, and the bell that calls them back.

local M = {}

local focused = true
local started = false

--- Begins to note whether the terminal has the focus. One that does not tell counts as having it.
function M.start()
  if started then
    return
  end
  started = true
  vim.api.nvim_create_autocmd({ "FocusLost", "FocusGained" }, {
    group = vim.api.nvim_create_augroup("copilot-bridge.attention", {}),
    callback = function(ev)
      focused = ev.event == "FocusGained"
    end,
  })
end

---@return boolean
function M.here()
  return focused
end

---@param bytes string
local function send(bytes)
  if vim.api.nvim_ui_send then -- Neovim 0.12: also where the terminal is that of another process
    pcall(vim.api.nvim_ui_send, bytes)
  else
    pcall(vim.api.nvim_chan_send, vim.v.stderr, bytes)
  end
end

--- Rings the terminal's bell.
function M.ring()
  send("\a")
end

--- Has the terminal show a notification on the desktop, if it can: OSC 9 (iTerm2, WezTerm, kitty, ghostty, foot) or OSC 777 (what
--- is made of VTE). tmux lets it through with `allow-passthrough`.
---@param message string
function M.show(message)
  local how = require("copilot-bridge.config").get().desktop
  if how == "off" then
    return
  elseif how == "auto" then
    how = vim.env.VTE_VERSION and "osc777" or "osc9"
  end
  local words = message:gsub("[%c;]", " ")
  local sequence = how == "osc777" and "\27]777;notify;Copilot;" .. words .. "\7" or "\27]9;Copilot: " .. words .. "\7"
  if vim.env.TMUX then
    sequence = "\27Ptmux;" .. sequence:gsub("\27", "\27\27") .. "\27\\"
  end
  send(sequence)
end

return M
