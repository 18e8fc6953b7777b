-- The chat's two windows: the transcript, and the input below it. Nothing is remembered of them: which windows show
-- which buffer is asked each time, so that :only, <C-w>T, :tabclose and the like leave nothing wrong behind.

local config = require("copilot-bridge.chat.config_of")

local M = {}

---@param buf integer?
---@return integer? window of the current tab page that shows a buffer
function M.of(buf)
  if not buf or not vim.api.nvim_buf_is_valid(buf) then
    return nil
  end
  for _, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    if vim.api.nvim_win_get_buf(win) == buf then
      return win
    end
  end
end

-- set makes options local to what the window shows now: another buffer in it is not touched by them.
local function set(win, options)
  for name, value in pairs(options) do
    vim.api.nvim_set_option_value(name, value, { win = win, scope = "local" })
  end
end

local plain = {
  number = false,
  relativenumber = false,
  signcolumn = "no",
  foldcolumn = "0",
  colorcolumn = "",
  spell = false,
  list = false,
  cursorline = false,
  cursorcolumn = false,
  wrap = true,
  linebreak = true,
}

-- The bars have one background, whatever the groups of their words have.
local bars = "WinBar:CopilotBridgeChatBar,WinBarNC:CopilotBridgeChatBar"

---@param win integer
function M.dress_transcript(win)
  set(win, plain)
  set(win, {
    breakindent = true,
    smoothscroll = true, -- else what is below a line that is taller than the window leaves the rest of it empty
    conceallevel = 2,
    concealcursor = "nc",
    foldmethod = "expr",
    foldexpr = "v:lua.require'copilot-bridge.chat.fold'.expr()",
    foldtext = "v:lua.require'copilot-bridge.chat.fold'.text()",
    foldlevel = 1,
    foldenable = true,
    foldminlines = 1,
    fillchars = "fold: ,eob: ",
    statuscolumn = "%{%v:lua.require'copilot-bridge.chat.fold'.column()%}",
    winfixwidth = true,
    winfixbuf = true,
    winhighlight = bars .. ",Folded:CopilotBridgeChatFolded",
    scrolloff = 0,
    statusline = " Copilot%=%P ",
  })
end

---@param win integer
function M.dress_input(win)
  set(win, plain)
  set(win, {
    statuscolumn = "  ",
    statusline = " Prompt ",
    foldenable = false,
    fillchars = "eob: ",
    winfixheight = true,
    winhighlight = bars,
    winfixwidth = true,
    winfixbuf = true,
    conceallevel = 0,
  })
end

-- put shows a buffer in a window that keeps the one it has, or was split off from such a window.
---@param win integer
---@param buf integer
function M.put(win, buf)
  set(win, { winfixbuf = false })
  vim.api.nvim_win_set_buf(win, buf)
end

local function size(wanted, all)
  return math.max(10, math.floor(wanted <= 1 and all * wanted or wanted))
end

-- fit_transcript gives a transcript's window the part of the screen that it opens with.
---@param win integer
function M.fit_transcript(win)
  local cfg = config.get()
  if cfg.position == "left" or cfg.position == "right" then
    pcall(vim.api.nvim_win_set_width, win, size(cfg.width, vim.o.columns))
  elseif cfg.position == "top" or cfg.position == "bottom" then
    pcall(vim.api.nvim_win_set_height, win, size(cfg.height, vim.o.lines))
  end
end

-- A window for the transcript, current. The window that was current before keeps what it shows.
---@param buf integer
---@return integer win
function M.open_transcript(buf)
  local cfg = config.get()
  local side = cfg.position
  if side == "tab" then
    vim.cmd("tabnew")
    local scratch = vim.api.nvim_get_current_buf()
    M.put(0, buf)
    if vim.api.nvim_buf_get_name(scratch) == "" and not vim.bo[scratch].modified then
      pcall(vim.api.nvim_buf_delete, scratch, {})
    end
  elseif side == "top" or side == "bottom" then
    vim.cmd((side == "top" and "topleft " or "botright ") .. size(cfg.height, vim.o.lines) .. "split")
    M.put(0, buf)
  else
    vim.cmd((side == "left" and "topleft " or "botright ") .. size(cfg.width, vim.o.columns) .. "vsplit")
    M.put(0, buf)
  end
  local win = vim.api.nvim_get_current_win()
  M.dress_transcript(win)
  return win
end

-- A window for the input below the transcript's, current.
---@param transcript integer window
---@param buf integer
---@return integer win
function M.open_input(transcript, buf)
  vim.api.nvim_set_current_win(transcript)
  vim.cmd("belowright " .. M.input_height(buf) .. "split")
  M.put(0, buf)
  local win = vim.api.nvim_get_current_win()
  M.dress_input(win)
  return win
end

-- Lines that the input's text takes, between the least and the most.
---@param buf integer
---@return integer
function M.input_height(buf)
  local range = config.get().input_height
  return math.max(range[1], math.min(range[2], vim.api.nvim_buf_line_count(buf)))
end

---@param win integer
---@param buf integer
function M.fit_input(win, buf)
  local height = M.input_height(buf) + 1 -- the bar above it
  if vim.api.nvim_win_get_height(win) ~= height then
    pcall(vim.api.nvim_win_set_height, win, height)
  end
end

---@param win integer
---@return boolean
local function ordinary(win)
  return vim.api.nvim_win_get_config(win).relative == ""
end

-- How many windows a tab page has that do not float.
---@param tab integer?
---@return integer
function M.count(tab)
  return #vim.tbl_filter(ordinary, vim.api.nvim_tabpage_list_wins(tab or 0))
end

---@param buf integer
local function is_chat(buf)
  return vim.bo[buf].filetype:match("^copilot%-bridge") ~= nil
end
M.is_chat = is_chat

-- A window of this tab page for files: the one the user was in last, else any, else a new one.
---@return integer
function M.for_files()
  local tried = { vim.fn.win_getid(vim.fn.winnr("#")) }
  vim.list_extend(tried, vim.api.nvim_tabpage_list_wins(0))
  for _, win in ipairs(tried) do
    if win ~= 0 and vim.api.nvim_win_is_valid(win) and ordinary(win) then
      local buf = vim.api.nvim_win_get_buf(win)
      if not is_chat(buf) and vim.bo[buf].buftype == "" then
        return win
      end
    end
  end
  vim.cmd(config.get().position == "left" and "botright vsplit" or "topleft vsplit")
  M.put(0, vim.api.nvim_create_buf(true, false))
  return vim.api.nvim_get_current_win()
end

-- Commands that show another buffer in the current window.
local SHOWS = {}
for name in
  ([[edit enew find view visual ex buffer bnext bNext bprevious bfirst blast brewind bmodified drop next Next previous
  first last rewind argument tag tnext tprevious tfirst tlast pop cc cnext cprevious cfirst clast cnfile cpfile ll lnext
  lprevious lfirst llast]]):gmatch("%S+")
do
  SHOWS[name] = true
end

-- The chat keeps its windows: a command typed there that shows a file goes to the window for files before it runs.
---@param group integer of autocommands
---@param buf integer
function M.send_files_away(group, buf)
  vim.api.nvim_create_autocmd("CmdlineLeave", {
    group = group,
    buffer = buf,
    callback = function()
      if vim.fn.getcmdtype() ~= ":" or vim.v.event.abort then
        return
      end
      local ok, parsed = pcall(vim.api.nvim_parse_cmd, vim.fn.getcmdline(), {})
      if ok and SHOWS[parsed.cmd] and parsed.mods.tab < 0 then
        vim.api.nvim_set_current_win(M.for_files())
      end
    end,
  })
end

return M
