-- A chat's buffers and the windows that show them: the methods of a chat that make them, keep them together, and let go.

local fold = require("copilot-bridge.chat.fold") -- luacheck: ignore (its windows ask for it)
local input = require("copilot-bridge.chat.input")
local tail = require("copilot-bridge.chat.tail")
local transcript = require("copilot-bridge.chat.transcript")
local view = require("copilot-bridge.chat.view")
local window = require("copilot-bridge.chat.window")

---@class copilot-bridge.Chat
local Panes = {}

-- attach makes the buffers that are not there (any more).
function Panes:attach()
  if self.view and vim.api.nvim_buf_is_valid(self.view.buf) then
    if self.input and not vim.api.nvim_buf_is_valid(self.input.buf) then
      self:make_input()
    end
    return
  end
  self:detach()
  self.group = vim.api.nvim_create_augroup("copilot-bridge-chat-" .. (self.id or "new") .. "-" .. vim.uv.hrtime(), {})
  local buf = transcript.make(self:name())
  self.view = view.new(buf, {
    model = self.model,
    cwd = function()
      return self:cwd()
    end,
    agent = function()
      return self:agent()
    end,
    top = function(v)
      return transcript.top(self, v)
    end,
    tail = function(v)
      return tail.draw(self, #v.items > 0)
    end,
    drawn = function()
      transcript.relieve(buf)
      self:bars()
    end,
  })
  self:make_input()
  vim.bo[buf].filetype = "copilot-bridge-chat"
  transcript.highlight(buf)
  self:watch(buf)
end

function Panes:make_input()
  self.input = input.new(self, self.draft)
  self.draft = nil
  vim.bo[self.input.buf].filetype = "copilot-bridge-input"
  transcript.name(self.input.buf, self:name() .. "/input")
  local buf = self.input.buf
  vim.api.nvim_create_autocmd({ "WinClosed", "QuitPre" }, {
    group = self.group,
    buffer = buf,
    callback = function(ev)
      self:input_closes(ev.event == "QuitPre")
    end,
  })
  self:belongs(buf)
  vim.api.nvim_create_autocmd("BufWinEnter", {
    group = self.group,
    buffer = buf,
    callback = function()
      window.dress_input(vim.api.nvim_get_current_win())
      self:bars()
    end,
  })
end

-- belongs has the session whose chat the user goes to be the current one, and files shown elsewhere than in the chat.
function Panes:belongs(buf)
  window.send_files_away(self.group, buf)
  vim.api.nvim_create_autocmd("BufEnter", {
    group = self.group,
    buffer = buf,
    callback = function()
      require("copilot-bridge.session").set_current(self.id)
    end,
  })
end

-- watch keeps the transcript right in whatever windows show it.
function Panes:watch(buf)
  local function on(event, f)
    vim.api.nvim_create_autocmd(event, { group = self.group, buffer = buf, callback = f })
  end
  self:belongs(buf)
  on("BufWinEnter", function()
    window.dress_transcript(vim.api.nvim_get_current_win())
    vim.schedule(function()
      if self.view and self.view.buf == buf then
        self:redraw()
      end
    end)
  end)
  on("WinScrolled", function(ev)
    self:scrolled(tonumber(ev.match))
  end)
  on("WinClosed", function(ev)
    self:transcript_closes(tonumber(ev.match))
  end)
  vim.api.nvim_create_autocmd("VimResized", {
    group = self.group,
    callback = function()
      for _, win in ipairs(vim.fn.win_findbuf(buf)) do
        if window.count(vim.api.nvim_win_get_tabpage(win)) > 2 then -- beside a file
          window.fit_transcript(win)
        end
      end
      self:bars()
    end,
  })
  on({ "BufWipeout", "BufUnload" }, function()
    vim.schedule(function()
      self:detach()
    end)
  end)
end

-- detach lets go of the buffers. What is written in the input is kept for the next time.
function Panes:detach()
  local v, i = self.view, self.input
  self.view, self.input = nil, nil
  if self.group then
    pcall(vim.api.nvim_del_augroup_by_id, self.group)
    self.group = nil
  end
  if v then
    v:close()
    if vim.api.nvim_buf_is_valid(v.buf) then
      pcall(vim.api.nvim_buf_delete, v.buf, { force = true })
    end
  end
  if i and vim.api.nvim_buf_is_valid(i.buf) then
    if i:text() ~= "" then
      self.draft = i:lines()
    end
    pcall(vim.api.nvim_buf_delete, i.buf, { force = true })
  end
end

-- The input's window closes: with :q or the like the chat does; with :only, from the transcript, it comes back.
function Panes:input_closes(quit)
  if quit then
    self.quitting = true
    return
  end
  local quitting = self.quitting
  self.quitting = nil
  vim.schedule(function()
    local win = self.view and window.of(self.view.buf)
    if not win or not self.input or window.of(self.input.buf) then
      return
    end
    if window.count() > 1 then
      pcall(vim.api.nvim_win_close, win, false)
    elseif quitting then
      pcall(vim.cmd.quit)
    else
      window.open_input(win, self.input.buf)
      vim.api.nvim_set_current_win(win)
    end
  end)
end

-- The transcript's window closes, and the input's with it.
function Panes:transcript_closes(closed)
  local tab = vim.api.nvim_win_is_valid(closed) and vim.api.nvim_win_get_tabpage(closed) or nil
  vim.schedule(function()
    if not self.input or not vim.api.nvim_buf_is_valid(self.input.buf) then
      return
    end
    for _, win in ipairs(vim.fn.win_findbuf(self.input.buf)) do
      local at = vim.api.nvim_win_get_tabpage(win)
      local shown = false
      for _, other in ipairs(vim.api.nvim_tabpage_list_wins(at)) do
        shown = shown or self.view and vim.api.nvim_win_get_buf(other) == self.view.buf
      end
      if not shown and (not tab or at == tab) then
        if window.count(at) > 1 then
          pcall(vim.api.nvim_win_close, win, false)
        elseif #vim.api.nvim_list_tabpages() > 1 or closed then
          self:reopen_above(win)
        end
      end
    end
  end)
end

-- Only the input is left of a tab page: its conversation comes back above it.
function Panes:reopen_above(win)
  if not self.view or not vim.api.nvim_buf_is_valid(self.view.buf) then
    return
  end
  vim.api.nvim_win_call(win, function()
    vim.cmd("aboveleft split")
    window.put(0, self.view.buf)
    window.dress_transcript(vim.api.nvim_get_current_win())
  end)
  window.fit_input(win, self.input.buf)
  self:redraw()
end

-- open shows the chat in this tab page and goes to its input.
function Panes:open()
  self:attach()
  local win = window.of(self.view.buf) or window.open_transcript(self.view.buf)
  local below = window.of(self.input.buf) or window.open_input(win, self.input.buf)
  window.fit_input(below, self.input.buf)
  self.view:now()
  vim.api.nvim_set_current_win(below)
  self:bars()
end

---@return boolean
function Panes:is_open()
  return self.view ~= nil and window.of(self.view.buf) ~= nil
end

-- close closes the chat's windows in this tab page. The conversation goes on.
function Panes:close()
  if not self.view then
    return
  end
  self.quitting = nil
  for _, buf in ipairs({ self.input and self.input.buf or -1, self.view.buf }) do
    for _, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
      if vim.api.nvim_win_is_valid(win) and vim.api.nvim_win_get_buf(win) == buf then
        if window.count() > 1 then
          pcall(vim.api.nvim_win_close, win, true)
        elseif #vim.api.nvim_list_tabpages() > 1 then
          pcall(vim.cmd.tabclose)
        else
          window.put(win, vim.api.nvim_create_buf(true, false))
        end
      end
    end
  end
end

-- refold brings folds up to date. Neovim leaves them alone in all windows while one types.
function Panes:refold()
  if not self.view or not vim.api.nvim_buf_is_valid(self.view.buf) then
    return
  end
  for _, win in ipairs(vim.fn.win_findbuf(self.view.buf)) do
    vim.api.nvim_set_option_value("foldmethod", "expr", { win = win, scope = "local" })
    vim.api.nvim_win_call(win, function()
      vim.fn.foldlevel(1)
    end)
  end
  self.view:settle()
end

return Panes
