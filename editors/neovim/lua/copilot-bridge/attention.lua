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

--- Rings the terminal's bell.
function M.ring()
  if vim.api.nvim_ui_send then -- Neovim 0.12: also where the terminal is that of another process
    pcall(vim.api.nvim_ui_send, "\a")
  else
    pcall(vim.api.nvim_chan_send, vim.v.stderr, "\a")
  end
end

return M
