--- A question in a floating window: text above, the answers with their keys below. Where a picker has taken vim.ui.select
--- over, the window only shows the text and the picker asks.

local M = {}

local answer_timing = require("copilot-bridge.answer_timing")
local look = require("copilot-bridge.question.window")

---@class copilot-bridge.Line
---@field [1] string
---@field hl string? for the whole line
---@field group integer? lines of one group are switched on and off together

---@class copilot-bridge.Answer
---@field label string
---@field value any
---@field keys string[]? beside its number

---@class copilot-bridge.Extra
---@field key string
---@field label string
---@field run fun(window: copilot-bridge.DialogWindow)

---@class copilot-bridge.DialogOptions
---@field title string
---@field lines copilot-bridge.Line[]
---@field options copilot-bridge.Answer[]
---@field kind string of vim.ui.select
---@field prompt string? of vim.ui.select; the title without it
---@field filetype string?
---@field groups integer how many groups of lines there are to choose from, nil or 1: none
---@field extras copilot-bridge.Extra[]? other keys
---@field done fun(value: any?, chosen: table<integer, boolean>) once: the answer, nil for none, and the groups that are on

---@class copilot-bridge.DialogWindow
---@field buf integer
---@field win integer
---@field answer fun(value: any?)
---@field open fun(): boolean neither answered nor closed nor withdrawn
---@field put_off fun() closes it; it is asked again later

---@param win integer
local function close_window(win)
  if vim.api.nvim_win_is_valid(win) then
    pcall(vim.api.nvim_win_close, win, true)
  end
end

--- Marks what is switched off.
---@param buf integer
---@param lines copilot-bridge.Line[]
---@param chosen table<integer, boolean>
local function mark_groups(buf, lines, chosen)
  local marks = vim.api.nvim_create_namespace("copilot-bridge.question.dialog.groups")
  vim.api.nvim_buf_clear_namespace(buf, marks, 0, -1)
  local last = 0
  for i, line in ipairs(lines) do
    if line.group and line.group > last then
      last = line.group
      local on = chosen[line.group]
      vim.api.nvim_buf_set_extmark(buf, marks, i - 1, 0, {
        virt_text = { { on and "[x] " or "[ ] ", "CopilotBridgeKey" } },
        virt_text_pos = "inline",
      })
    end
    if line.group and not chosen[line.group] then
      vim.api.nvim_buf_set_extmark(buf, marks, i - 1, 0, {
        end_row = i,
        hl_group = "CopilotBridgeLeftOut",
        hl_eol = true,
        priority = 5000,
      })
    end
  end
end

--- The group a line belongs to; between groups the next one, after the last that one.
---@param lines copilot-bridge.Line[]
---@param row integer
---@return integer
local function group_at(lines, row)
  for i = row, #lines do
    if lines[i].group then
      return lines[i].group
    end
  end
  for i = row, 1, -1 do
    if lines[i].group then
      return lines[i].group
    end
  end
  return 1
end

--- The question in a window of its own, answered by keys.
---@param o copilot-bridge.DialogOptions
---@param chosen table<integer, boolean>
---@return fun() close
---@return fun() focus puts the cursor into it
local function ask_in_window(o, chosen)
  local extras = vim.list_extend({}, o.extras or {})
  local back = vim.api.nvim_get_current_win()
  local inserting = vim.api.nvim_get_mode().mode:find("^[iR]") ~= nil
  if o.groups and o.groups > 1 then
    table.insert(extras, 1, {
      key = "<Space>",
      label = "hunk on/off",
      run = function(w)
        local group = group_at(o.lines, vim.api.nvim_win_get_cursor(w.win)[1])
        chosen[group] = not chosen[group]
        mark_groups(w.buf, o.lines, chosen)
      end,
    })
  end
  vim.cmd.stopinsert()
  local footer, more = look.footer_of(o.options, extras)
  local lines = vim.list_extend(vim.list_extend({}, o.lines), more)
  local buf = look.fill(lines)
  local function config()
    return look.layout(o.title, lines, footer, "bottom")
  end
  local win = vim.api.nvim_open_win(buf, true, config())
  look.dress(win)
  local opened, over = answer_timing.now(), false
  local resize

  local function leave()
    pcall(vim.api.nvim_del_autocmd, resize)
    close_window(win)
    if vim.api.nvim_win_is_valid(back) then
      vim.api.nvim_set_current_win(back)
      if inserting then
        vim.cmd.startinsert({ bang = vim.fn.col(".") >= vim.fn.col("$") - 1 })
      end
    end
  end
  local function answer(value)
    if not over then
      over = true
      leave()
      o.done(value, chosen)
    end
  end
  local window = {
    buf = buf,
    win = win,
    answer = answer,
    open = function()
      return not over
    end,
    put_off = function()
      over = true
      leave()
    end,
  }

  local function map(key, fn)
    vim.keymap.set("n", key, function()
      if answer_timing.counts(opened) then
        fn()
      end
    end, { buffer = buf, nowait = true })
  end
  for i, option in ipairs(o.options) do
    for _, key in ipairs(vim.list_extend({ i < 10 and tostring(i) or nil }, option.keys or {})) do
      map(key, function()
        answer(option.value)
      end)
    end
  end
  for _, extra in ipairs(extras) do
    map(extra.key, function()
      extra.run(window)
    end)
  end
  for _, key in ipairs({ "<Esc>", "q", "<C-c>" }) do
    map(key, function()
      answer(nil)
    end)
  end
  if o.groups and o.groups > 1 then
    mark_groups(buf, o.lines, chosen)
  end
  vim.api.nvim_create_autocmd({ "BufWinLeave", "BufWipeout" }, {
    buffer = buf,
    once = true,
    callback = function() -- closed by other means: no answer
      if not over then
        over = true
        pcall(vim.api.nvim_del_autocmd, resize)
        vim.schedule(function()
          o.done(nil, chosen)
        end)
      end
    end,
  })
  resize = vim.api.nvim_create_autocmd("VimResized", {
    callback = function()
      if vim.api.nvim_win_is_valid(win) then
        vim.api.nvim_win_set_config(win, config())
      end
    end,
  })
  return function()
    over = true
    leave()
  end, function()
    if vim.api.nvim_win_is_valid(win) then
      vim.cmd.stopinsert()
      vim.api.nvim_set_current_win(win)
    end
  end
end

--- The text in a window above, the question in the user's own picker.
---@param o copilot-bridge.DialogOptions
---@param chosen table<integer, boolean>
---@return fun() close
---@return fun() focus
local function ask_in_picker(o, chosen)
  local buf = look.fill(o.lines)
  local config = vim.tbl_extend("force", look.layout(o.title, o.lines, nil, "top"), { focusable = false, zindex = 40 })
  config.height = math.min(config.height, math.max(3, math.floor(vim.o.lines / 2)))
  local win = vim.api.nvim_open_win(buf, false, config)
  look.dress(win)
  local before = {}
  for _, w in ipairs(vim.api.nvim_list_wins()) do
    before[w] = true
  end
  local items = vim.list_extend({}, o.options)
  if o.groups and o.groups > 1 then
    items[#items + 1] = { label = "Choose hunks…", pick = true }
  end
  local over, inner, focus_inner = false, nil, nil
  local function picked(item)
    if over or inner then
      return
    end
    close_window(win)
    if item and item.pick then
      inner, focus_inner = ask_in_window(o, chosen)
      return
    end
    over = true
    o.done(item and item.value, chosen)
  end
  local function instead(why)
    require("copilot-bridge.notify").warn("The picker " .. why .. ": asking here instead")
    picked({ pick = true })
  end
  vim.cmd.redraw()
  answer_timing.ask({
    show = function(answer)
      local ok, err = pcall(vim.ui.select, items, {
        prompt = o.prompt or o.title,
        kind = o.kind,
        format_item = function(item)
          return item.label
        end,
      }, answer)
      if not ok then
        instead("failed: " .. tostring(err))
      end
    end,
    done = picked,
    tired = function()
      instead("answers sooner than anyone can read")
    end,
    wanted = function()
      return not over and not inner
    end,
  })
  return function()
    if inner then
      return inner()
    end
    if over then
      return
    end
    over = true
    close_window(win)
    -- The picker knows nothing of a question that is withdrawn: its windows are closed.
    local current = vim.api.nvim_get_current_win()
    if not before[current] and vim.api.nvim_win_get_config(current).relative ~= "" then
      close_window(current)
    end
  end, function()
    if focus_inner then -- a picker keeps the cursor by itself
      focus_inner()
    end
  end
end

--- Opens a question. What is returned closes it without an answer.
---@param o copilot-bridge.DialogOptions
---@return fun() close
---@return fun() focus puts the cursor into it, wherever it is
function M.open(o)
  require("copilot-bridge.highlight").start()
  local chosen = {}
  for i = 1, o.groups or 0 do
    chosen[i] = true
  end
  if require("copilot-bridge.question.queue").plain_select() then
    return ask_in_window(o, chosen)
  end
  return ask_in_picker(o, chosen)
end

return M
