--- A proposed change that the user makes different before it is allowed: the old text and the new one side by side in a tab page
--- of their own, the new one to be edited. Writing it accepts it as it is then.

local text = require("copilot-bridge.text")

local M = {}

---@param name string
---@param lines string[]
---@param filetype string
---@return integer buf
local function scratch(name, lines, filetype)
  local buf = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(buf, name)
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  vim.bo[buf].bufhidden = "wipe"
  vim.bo[buf].swapfile = false
  vim.bo[buf].filetype = filetype
  vim.bo[buf].modified = false
  return buf
end

--- The text of a buffer with the line ends that the proposal had.
---@param buf integer
---@param like string
---@return string
local function text_of(buf, like)
  local ending = like:find("\r\n", 1, true) and "\r\n" or "\n"
  local lines = vim.api.nvim_buf_get_lines(buf, 0, -1, false)
  if #lines == 1 and lines[1] == "" then
    return ""
  end
  return table.concat(lines, ending) .. ((like == "" or like:sub(-1) == "\n") and ending or "")
end

--- Opens a proposal to be edited. What is returned closes it.
---@param d copilot-bridge.wire.QuestionDiff
---@param done fun(new: string?) once: the text that was written, nil where it was closed without
---@return fun() close
function M.open(d, done)
  local loaded = text.loaded(d.uri)
  local short, lines = text.short(d.uri), text.lines(d.newText)
  local filetype = loaded and vim.bo[loaded].filetype
    or vim.filetype.match({ filename = short, contents = lines })
    or ""
  local new = scratch("copilot-bridge://proposal/" .. short, lines, filetype)
  local old = scratch("copilot-bridge://before/" .. short, text.lines(d.oldText), filetype)
  vim.bo[old].modifiable = false
  vim.bo[new].buftype = "acwrite"
  vim.cmd("tab sbuffer " .. new)
  local tab, win = vim.api.nvim_get_current_tabpage(), vim.api.nvim_get_current_win()
  vim.wo.winbar = "Proposed: edit it, then :w accepts (:q goes back)"
  vim.cmd.diffthis()
  vim.cmd("leftabove vertical sbuffer " .. old)
  vim.wo.winbar = "Now"
  vim.cmd.diffthis()
  vim.api.nvim_set_current_win(win)
  local over = false
  local function close()
    over = true
    if vim.api.nvim_tabpage_is_valid(tab) and #vim.api.nvim_list_tabpages() > 1 then
      for _, w in ipairs(vim.api.nvim_tabpage_list_wins(tab)) do
        pcall(vim.api.nvim_win_close, w, true)
      end
    end
  end
  vim.api.nvim_create_autocmd("BufWriteCmd", {
    buffer = new,
    callback = function()
      vim.bo[new].modified = false
      local written = text_of(new, d.newText)
      vim.schedule(function() -- :wq closes the window itself
        if not over then
          close()
          done(written)
        end
      end)
    end,
  })
  vim.api.nvim_create_autocmd("BufWipeout", {
    buffer = new,
    callback = vim.schedule_wrap(function()
      if not over then
        close()
        done(nil)
      end
    end),
  })
  return close
end

return M
