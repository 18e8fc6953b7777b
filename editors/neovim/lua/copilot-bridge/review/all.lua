--- Everything pending as one diff in one buffer, a fold for each file: read, kept, undone and commented on line by line. It follows
--- what is decided elsewhere.

local events = require("copilot-bridge.events")
local notify = require("copilot-bridge.notify")
local review = require("copilot-bridge.review")
local text = require("copilot-bridge.text")

local M = {}

local NAME = "copilot-bridge://review"
-- Lines around a hunk.
local CONTEXT = 2

local ns = vim.api.nvim_create_namespace("copilot-bridge.review.all")

---@class copilot-bridge.ReviewLine what a line of the buffer is
---@field p copilot-bridge.Pending
---@field h copilot-bridge.Hunk? nil: the file's heading
---@field row integer? the line of the file, 0-based

---@type copilot-bridge.ReviewLine[]
local lines = {}

---@return integer?
local function buffer()
  local buf = vim.fn.bufnr("^" .. NAME .. "$")
  return buf ~= -1 and vim.api.nvim_buf_is_loaded(buf) and buf or nil
end

---@param p copilot-bridge.Pending
---@return string[]
local function now(p)
  local buf = text.loaded(p.uri)
  if buf then
    return vim.api.nvim_buf_get_lines(buf, 0, -1, false)
  end
  local ok, list = pcall(vim.fn.readfile, vim.uri_to_fname(p.uri))
  return ok and list or {}
end

--- The buffer's text, with what each line is, and its colours.
---@return string[] out
---@return copilot-bridge.ReviewLine[] what
---@return table<integer, string> colours by line
local function draw()
  local out, what, colours = {}, {}, {}
  local function add(line, of, colour)
    out[#out + 1], what[#out + 1] = line, of
    colours[#out] = colour
  end
  for _, p in ipairs(review.files()) do
    local whole, added, removed = now(p), 0, 0
    for _, h in ipairs(p.hunks) do
      added, removed = added + #text.lines(h.newText), removed + #text.lines(h.oldText)
    end
    local counts = added + removed > 0 and ("+%d -%d"):format(added, removed) or review.summary(p, p.hunks[1])
    local kind = p.kind ~= "edit" and added + removed > 0 and ", " .. p.kind or ""
    add(("%s  %s%s"):format(text.short(p.uri), counts, kind), { p = p }, "CopilotBridgeTitle")
    for _, h in ipairs(p.hunks) do
      local first, new = h.range.start.line, text.lines(h.newText)
      add(("@@ line %d @@"):format(first + 1), { p = p, h = h, row = first }, "CopilotBridgeHint")
      for row = math.max(0, first - CONTEXT), first - 1 do
        add(" " .. (whole[row + 1] or ""), { p = p, h = h, row = row })
      end
      for _, line in ipairs(text.lines(h.oldText)) do
        add("-" .. line, { p = p, h = h, row = first }, "CopilotBridgeDelete")
      end
      for i, line in ipairs(new) do
        add("+" .. line, { p = p, h = h, row = first + i - 1 }, "CopilotBridgeAdd")
      end
      for row = first + #new, math.min(#whole, first + #new + CONTEXT) - 1 do
        add(" " .. whole[row + 1], { p = p, h = h, row = row })
      end
    end
  end
  if #out == 0 then
    out[1] = "Nothing is left to review."
  end
  return out, what, colours
end

local function refresh()
  local buf = buffer()
  if not buf then
    return
  end
  local out, what, colours = draw()
  lines = what
  vim.bo[buf].modifiable = true
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, out)
  vim.bo[buf].modifiable, vim.bo[buf].modified = false, false
  vim.api.nvim_buf_clear_namespace(buf, ns, 0, -1)
  for i, group in pairs(colours) do
    vim.api.nvim_buf_set_extmark(buf, ns, i - 1, 0, { line_hl_group = group })
  end
end

--- 'foldexpr' of the buffer: a file is a fold.
---@return string
function M.fold()
  local line = lines[vim.v.lnum]
  return line and not line.h and ">1" or "="
end

---@param action "keep"|"undo"
---@param first integer
---@param last integer
local function resolve(action, first, last)
  local by_root, seen = {}, {}
  for i = first, last do
    local line = lines[i]
    for _, h in ipairs(line and (line.h and { line.h } or line.p.hunks) or {}) do
      if not seen[h.id] then
        seen[h.id] = true
        by_root[line.p.root] = by_root[line.p.root] or {}
        table.insert(by_root[line.p.root], h.id)
      end
    end
  end
  for root, ids in pairs(by_root) do
    review.decide(action, root, { hunks = ids })
  end
end

---@param step integer
local function jump(step)
  local row = vim.api.nvim_win_get_cursor(0)[1] + step
  while lines[row] do
    if lines[row].h and (not lines[row - 1] or lines[row - 1].h ~= lines[row].h) then
      return vim.api.nvim_win_set_cursor(0, { row, 0 })
    end
    row = row + step
  end
end

local function go()
  local line = lines[vim.api.nvim_win_get_cursor(0)[1]]
  if not line then
    return
  end
  vim.api.nvim_set_current_win(require("copilot-bridge.chat.window").for_files())
  require("copilot-bridge.review.motion").show({ uri = line.p.uri, row = line.row or line.p.hunks[1].range.start.line })
end

local function comment()
  local line = lines[vim.api.nvim_win_get_cursor(0)[1]]
  if line and line.row then
    local range = { start = { line = line.row, character = 0 }, ["end"] = { line = line.row + 1, character = 0 } }
    require("copilot-bridge.review.comments").on(line.p.uri, range, true, "")
  end
end

---@param buf integer
local function keys(buf)
  local function map(modes, key, desc, fn)
    vim.keymap.set(modes, key, fn, { buffer = buf, nowait = true, desc = "Copilot review: " .. desc })
  end
  for key, action in pairs({ K = "keep", U = "undo" }) do
    map("n", key, action, function()
      local row = vim.api.nvim_win_get_cursor(0)[1]
      resolve(action, row, row)
    end)
    map("x", key, action, function()
      local from, to = vim.fn.line("v"), vim.fn.line(".")
      vim.cmd.normal({ "\27", bang = true })
      resolve(action, math.min(from, to), math.max(from, to))
    end)
  end
  map("n", "c", "comment on the line", comment)
  map("n", "S", "send the comments", function()
    require("copilot-bridge.review.comments").send("")
  end)
  map("n", "<CR>", "go to the line", go)
  map("n", "<Tab>", "open or close the file", "za")
  map("n", "]c", "next change", function()
    jump(1)
  end)
  map("n", "[c", "previous change", function()
    jump(-1)
  end)
  map("n", "q", "close", "<Cmd>close<CR>")
end

local listening = false

--- Opens the buffer in a tab page of its own, or goes to it.
function M.open()
  if review.count() == 0 then
    return notify.info("Nothing to review")
  end
  if not listening then
    listening = true
    events.on("review/didChange", vim.schedule_wrap(refresh))
  end
  local buf = buffer()
  local win = buf and vim.fn.win_findbuf(buf)[1]
  if win then
    vim.api.nvim_set_current_win(win)
    return refresh()
  end
  if not buf then
    buf = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_buf_set_name(buf, NAME)
    vim.bo[buf].buftype = "acwrite"
    vim.bo[buf].bufhidden = "wipe"
    vim.bo[buf].swapfile = false
    vim.bo[buf].filetype = "copilot-bridge-review"
    keys(buf)
    vim.api.nvim_create_autocmd("BufWriteCmd", {
      buffer = buf,
      callback = function()
        notify.info("Nothing to write: K keeps, U undoes, c comments")
      end,
    })
  end
  vim.cmd("tab sbuffer " .. buf)
  refresh()
  for name, value in pairs({
    foldmethod = "expr",
    foldexpr = "v:lua.require'copilot-bridge.review.all'.fold()",
    foldlevel = 1,
    foldtext = "",
    number = false,
    signcolumn = "no",
    winbar = " Review  K keep  U undo  c comment  S send comments  <CR> go there  q close",
  }) do
    vim.api.nvim_set_option_value(name, value, { scope = "local" })
  end
end

return M
