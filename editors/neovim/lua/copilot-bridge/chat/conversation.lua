-- One session's chat: its buffers, what is drawn in them, and what can be done there.

local config = require("copilot-bridge.chat.config_of")
local fold = require("copilot-bridge.chat.fold") -- luacheck: ignore (its windows ask for it)
local icons = require("copilot-bridge.chat.icons")
local input = require("copilot-bridge.chat.input")
local links = require("copilot-bridge.chat.links")
local send = require("copilot-bridge.chat.send")
local tail = require("copilot-bridge.chat.tail")
local view = require("copilot-bridge.chat.view")
local winbar = require("copilot-bridge.chat.winbar")
local window = require("copilot-bridge.chat.window")

local M = {}

-- Blocks that are drawn when one scrolls up to the first that is drawn.
local EARLIER = 100

---@class copilot-bridge.Chat
---@field id string?     of the session; nil until it has been made
---@field model copilot-bridge.Model
---@field view copilot-bridge.View?
---@field input copilot-bridge.Input?
---@field group integer  autocommands
---@field sending {text: string, known: boolean?}[] prompts that the bridge has not taken yet
---@field editing string? turn of the waiting prompt that is in the input
---@field waiting string? the question that waits for the person
---@field rules table[]?  remembered permission rules
local Chat = {}
Chat.__index = Chat

---@param id string?
---@param model copilot-bridge.Model
---@return copilot-bridge.Chat
function M.new(id, model)
  return setmetatable({ id = id, model = model, sending = {} }, Chat)
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

local function set_name(buf, name)
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

-- The first lines: what the conversation is, and what of it is not drawn.
function Chat:top(v)
  local s = self:session()
  local d = { lines = {}, marks = {}, links = {}, head = 0 }
  local title = s and s.title and s.title ~= "" and s.title:gsub("%s+", " ") or "New conversation"
  local room = 40
  if vim.fn.strchars(title) > room then
    title = vim.fn.strcharpart(title, 0, room - 1) .. "…"
  end
  d.lines[1] = "# " .. title
  d.marks[3] = { 0, 0, { end_col = 2, conceal = "" } }
  d.marks[1] = { 0, 0, { end_col = #d.lines[1], hl_group = "CopilotBridgeChatUser", priority = 150 } }
  local cwd = vim.fn.fnamemodify(self:cwd(), ":t")
  d.marks[2] = { 0, 0, { virt_text = { { cwd .. " ", "CopilotBridgeChatDim" } }, virt_text_pos = "right_align" } }
  if v.first > 1 then
    d.lines[2] = ""
    d.lines[3] = ("%s %d earlier, scroll up or press <CR>"):format(icons.get(config.get()).queued, v.first - 1)
    d.marks[4] = { 2, 0, { end_col = #d.lines[3], hl_group = "CopilotBridgeChatDim" } }
  end
  return d
end

local function make_transcript(chat)
  local buf = vim.api.nvim_create_buf(false, true)
  vim.bo[buf].buftype = "nofile"
  vim.bo[buf].bufhidden = "hide"
  vim.bo[buf].swapfile = false
  vim.bo[buf].undolevels = -1
  vim.bo[buf].modifiable = false
  set_name(buf, chat:name())
  return buf
end

-- highlight starts treesitter with a query that conceals no whole lines. Neovim 0.12's own does, and asks the parser for
-- every line of the screen after each write then: 50 ms of 2,500 lines, at 25 writes a second.
local function highlight(buf)
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

-- attach makes the buffers that are not there (any more).
function Chat:attach()
  if self.view and vim.api.nvim_buf_is_valid(self.view.buf) then
    if self.input and not vim.api.nvim_buf_is_valid(self.input.buf) then
      self:make_input()
    end
    return
  end
  self:detach()
  self.group = vim.api.nvim_create_augroup("copilot-bridge-chat-" .. (self.id or "new") .. "-" .. vim.uv.hrtime(), {})
  local buf = make_transcript(self)
  self.view = view.new(buf, {
    model = self.model,
    cwd = function()
      return self:cwd()
    end,
    agent = function()
      return self:agent()
    end,
    top = function(v)
      return self:top(v)
    end,
    tail = function(v)
      return tail.draw(self, #v.items > 0)
    end,
    drawn = function()
      self:bars()
    end,
  })
  self:make_input()
  vim.bo[buf].filetype = "copilot-bridge-chat"
  highlight(buf)
  self:watch(buf)
end

function Chat:make_input()
  self.input = input.new(self, self.draft)
  self.draft = nil
  vim.bo[self.input.buf].filetype = "copilot-bridge-input"
  set_name(self.input.buf, self:name() .. "/input")
  local buf = self.input.buf
  vim.api.nvim_create_autocmd({ "WinClosed", "QuitPre" }, {
    group = self.group,
    buffer = buf,
    callback = function(ev)
      self:input_closes(ev.event == "QuitPre")
    end,
  })
  vim.api.nvim_create_autocmd("BufWinEnter", {
    group = self.group,
    buffer = buf,
    callback = function()
      window.dress_input(vim.api.nvim_get_current_win())
      self:bars()
    end,
  })
end

-- watch keeps the transcript right in whatever windows show it.
function Chat:watch(buf)
  local function on(event, f)
    vim.api.nvim_create_autocmd(event, { group = self.group, buffer = buf, callback = f })
  end
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
  on({ "BufWipeout", "BufUnload" }, function()
    vim.schedule(function()
      self:detach()
    end)
  end)
end

-- detach lets go of the buffers. What is written in the input is kept for the next time.
function Chat:detach()
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
function Chat:input_closes(quit)
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
function Chat:transcript_closes(closed)
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
function Chat:reopen_above(win)
  if not self.view or not vim.api.nvim_buf_is_valid(self.view.buf) then
    return
  end
  vim.api.nvim_win_call(win, function()
    vim.cmd("aboveleft split")
    vim.api.nvim_win_set_buf(0, self.view.buf)
    window.dress_transcript(vim.api.nvim_get_current_win())
  end)
  window.fit_input(win, self.input.buf)
  self:redraw()
end

-- open shows the chat in this tab page and goes to its input.
function Chat:open()
  self:attach()
  local win = window.of(self.view.buf) or window.open_transcript(self.view.buf)
  local below = window.of(self.input.buf) or window.open_input(win, self.input.buf)
  window.fit_input(below, self.input.buf)
  self.view:now()
  vim.api.nvim_set_current_win(below)
  self:bars()
  self:ask_rules()
end

---@return boolean
function Chat:is_open()
  return self.view ~= nil and window.of(self.view.buf) ~= nil
end

-- close closes the chat's windows in this tab page. The conversation goes on.
function Chat:close()
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
          vim.cmd("enew")
        end
      end
    end
  end
end

-- refold brings folds up to date. Neovim leaves them alone in all windows while one types.
function Chat:refold()
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

-- show takes over the session that was made for this chat.
---@param id string
---@param model copilot-bridge.Model
function Chat:adopt(id, model)
  self.id, self.model = id, model
  if self.view then
    set_name(self.view.buf, self:name())
    set_name(self.input.buf, self:name() .. "/input")
    self.view:show(model)
  end
end

-- ask_rules learns which answers are remembered: one that allows every command is shown.
function Chat:ask_rules()
  if not self.id then
    return
  end
  require("copilot-bridge.session").request("permissions/list", { sessionId = self.id }, function(err, result)
    if not err and type(result) == "table" then
      self.rules = result.rules
      self:bars()
    end
  end)
end

function Chat:scrolled(win)
  if not win or not vim.api.nvim_win_is_valid(win) or self.view.first <= 1 or #self.view.items == 0 then
    return
  end
  if
    vim.fn.line("w0", win) <= self.view.items[1].n
    and vim.fn.line("w$", win) < vim.api.nvim_buf_line_count(self.view.buf)
  then
    self.view:earlier(EARLIER)
  end
end

-- all draws everything, in slices so that the editor stays usable.
function Chat:all()
  local function slice()
    if self.view and self.view.first > 1 then
      self.view:earlier(EARLIER)
      vim.defer_fn(slice, 5)
    end
  end
  slice()
end

-- What the cursor is on in the transcript.
function Chat:here()
  local pos = vim.api.nvim_win_get_cursor(0)
  local item, offset = self.view:at(pos[1] - 1)
  local action = item.drawn.actions and item.drawn.actions[offset]
  return item, offset, action, pos
end

function Chat:open_link()
  local pos = vim.api.nvim_win_get_cursor(0)
  local place = links.at(self.view, pos[1] - 1, pos[2], self:cwd())
  if place then
    links.open(place)
  else
    require("copilot-bridge.notify").info("no file is named here")
  end
end

function Chat:fold()
  if vim.fn.foldlevel(".") > 0 then
    pcall(vim.cmd, "normal! za")
  end
end

-- act does what is at hand: sends a cut-off prompt again, edits a waiting one, opens a file, else the fold.
function Chat:act()
  local item, offset, action, pos = self:here()
  if action and action.kind == "interrupted" then
    return send.again(self)
  elseif action and action.kind == "queued" then
    return self:edit_queued()
  elseif item.block.kind == "top" and offset == 2 then
    return self.view:earlier(EARLIER)
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
function Chat:jump(step)
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
function Chat:write()
  self:open()
  vim.cmd("startinsert!")
end

function Chat:edit_queued()
  local _, _, action = self:here()
  if not action or action.kind ~= "queued" then
    return
  end
  self.editing, self.kept = action.turn, self.input:lines()
  self:open()
  self.input:set(action.text)
  self:bars()
end

function Chat:leave_editing()
  self.editing = nil
  self.input:set(self.kept or { "" })
  self.kept = nil
  self:bars()
end

-- remove takes a waiting prompt out, or a cut-off one out of sight.
function Chat:remove()
  local _, _, action = self:here()
  if action and action.kind == "queued" then
    send.cancel(self, action.turn)
  elseif action and action.kind == "interrupted" then
    self.model.interrupted = nil
    self:redraw()
  end
end

function Chat:cancel()
  if self.editing then
    return self:leave_editing()
  end
  send.cancel(self)
end

---@param steer boolean?
function Chat:submit(steer)
  send.submit(self, steer)
end

function Chat:older(step)
  self.input:history(step)
end

function Chat:help()
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

return M
