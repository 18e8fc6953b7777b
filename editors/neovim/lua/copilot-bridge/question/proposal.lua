--- A change that is asked about, in the buffers that it is about: the old lines marked, the new ones as virtual lines below
--- them, with the syntax of the file and the words that differ. The buffer itself is not touched.

local text = require("copilot-bridge.text")

local M = {}

local ns = vim.api.nvim_create_namespace("copilot-bridge.question.proposal")

-- Bytes of a text that is parsed for its syntax at most: it happens while the question opens.
local MAX_PARSED = 300 * 1024
-- Bytes of a line that is compared word by word at most.
local MAX_COMPARED = 1000
-- Lines that are kept above the first change.
local ABOVE = 3

--- The window of this tab page that shows a file.
---@param buf integer
---@return integer?
local function window_of(buf)
  return vim.iter(vim.api.nvim_tabpage_list_wins(0)):find(function(win)
    return vim.api.nvim_win_get_buf(win) == buf and vim.api.nvim_win_get_config(win).relative == ""
  end)
end

--- What differs between two lines, as byte ranges in each; nothing where little of them is the same.
---@param old string
---@param new string
---@return integer[][] in_old {from, to}, from 0, to excluded
---@return integer[][] in_new
local function words(old, new)
  local in_old, in_new, same = {}, {}, #old
  if #old == 0 or #new == 0 or #old > MAX_COMPARED or #new > MAX_COMPARED then
    return in_old, in_new
  end
  local function split(line)
    local out, starts, at = {}, {}, 1
    while at <= #line do
      local word = line:match("^[%w_\128-\255]+", at) or line:sub(at, at)
      out[#out + 1], starts[#starts + 1] = word, at - 1
      at = at + #word
    end
    starts[#starts + 1] = #line
    return table.concat(out, "\n") .. "\n", starts
  end
  local a, from_a = split(old)
  local b, from_b = split(new)
  for _, d in
    ipairs(vim.diff(a, b, { result_type = "indices" }) --[[@as integer[][] ]])
  do
    if d[2] > 0 then
      in_old[#in_old + 1] = { from_a[d[1]], from_a[d[1] + d[2]] }
      same = same - (from_a[d[1] + d[2]] - from_a[d[1]])
    end
    if d[4] > 0 then
      in_new[#in_new + 1] = { from_b[d[3]], from_b[d[3] + d[4]] }
    end
  end
  if same * 3 < #old then
    return {}, {}
  end
  return in_old, in_new
end

--- The highlights of a text's syntax, by row: lists of {from, to, group}.
---@param whole string
---@param buf integer whose language it is
---@return table<integer, table[]>
local function syntax(whole, buf)
  local out = {}
  local lang = vim.treesitter.language.get_lang(vim.bo[buf].filetype)
  if not lang or #whole > MAX_PARSED then
    return out
  end
  pcall(function()
    local query = assert(vim.treesitter.query.get(lang, "highlights"))
    local root = vim.treesitter.get_string_parser(whole, lang):parse()[1]:root()
    for id, node in query:iter_captures(root, whole) do
      local name = query.captures[id]
      local sr, sc, er, ec = node:range()
      if sr == er and not vim.startswith(name, "_") and name ~= "spell" then
        out[sr] = out[sr] or {}
        table.insert(out[sr], { sc, ec, "@" .. name .. "." .. lang })
      end
    end
  end)
  return out
end

--- A line as chunks of virtual text, filled up to the edge.
---@param line string
---@param colours table[]
---@param changed integer[][]
---@param tabstop integer
---@return table[]
local function chunks(line, colours, changed, tabstop)
  local groups = {} ---@type table<integer, string[]> by byte
  for byte = 0, #line - 1 do
    groups[byte] = { "CopilotBridgeAdd" }
  end
  for _, c in ipairs(colours) do
    for byte = c[1], math.min(c[2], #line) - 1 do
      table.insert(groups[byte], c[3])
    end
  end
  for _, c in ipairs(changed) do
    for byte = c[1], math.min(c[2], #line) - 1 do
      table.insert(groups[byte], "CopilotBridgeAddWord")
    end
  end
  local out, from, col = {}, 0, 0
  local function add(to)
    local part = line:sub(from + 1, to):gsub("\t", (" "):rep(tabstop))
    out[#out + 1] = { part, groups[from] }
    col, from = col + vim.fn.strdisplaywidth(part), to
  end
  for byte = 1, #line - 1 do
    if not vim.deep_equal(groups[byte], groups[byte - 1]) then
      add(byte)
    end
  end
  if from < #line then
    add(#line)
  end
  out[#out + 1] = { (" "):rep(math.max(1, vim.o.columns - col)), "CopilotBridgeAdd" }
  return out
end

---@param buf integer
---@param d copilot-bridge.wire.QuestionDiff
local function draw(buf, d)
  local colours, shift = syntax(d.newText, buf), 0
  local count = vim.api.nvim_buf_line_count(buf)
  for _, h in ipairs(d.hunks) do
    local first, old, new = h.range.start.line, text.lines(h.oldText), text.lines(h.newText)
    local virtual = {}
    for i = 1, math.max(#old, #new) do
      local in_old, in_new = words(old[i] or "", new[i] or "")
      if old[i] then
        local row = first + i - 1
        vim.api.nvim_buf_set_extmark(buf, ns, row, 0, { line_hl_group = "CopilotBridgeDelete", priority = 30 })
        for _, w in ipairs(in_old) do
          local mark = { end_col = w[2], hl_group = "CopilotBridgeDeleteWord", priority = 210, strict = false }
          vim.api.nvim_buf_set_extmark(buf, ns, row, w[1], mark)
        end
      end
      if new[i] then
        virtual[#virtual + 1] = chunks(new[i], colours[first + shift + i - 1] or {}, in_new, vim.bo[buf].tabstop)
      end
    end
    if #virtual > 0 then
      local above = #old == 0 and first < count
      local row = above and first or math.min(first + #old, count) - 1
      vim.api.nvim_buf_set_extmark(buf, ns, math.max(row, 0), 0, { virt_lines = virtual, virt_lines_above = above })
      if above and first == 0 then
        require("copilot-bridge.review.render").reveal_top(buf, #virtual)
      end
    end
    shift = shift + #new - #old
  end
end

--- The rows of a window that the question leaves free.
---@param win integer
---@param covered integer
---@return integer
local function free_rows(win, covered)
  return math.min(vim.o.lines - covered - vim.fn.win_screenpos(win)[1], vim.api.nvim_win_get_height(win))
end

--- Whether each of the changes can be seen whole: who is asked cannot scroll the file without leaving the question.
---@param d copilot-bridge.wire.QuestionDiff
---@param rows integer
---@return boolean
local function fits(d, rows)
  return vim.iter(d.hunks):all(function(h)
    return #text.lines(h.oldText) + #text.lines(h.newText) <= rows
  end)
end

--- Shows a question's changes where they would be made. Nothing is shown where one of the files is in no window of this tab page,
--- or has another text than the question speaks of, or where a change has more lines than can be seen.
---@param p copilot-bridge.wire.Question
---@param covered integer lines at the bottom of the screen that the question itself takes
---@return fun()? clear takes it off again
function M.show(p, covered)
  if require("copilot-bridge.config").get().permission.show ~= "buffer" or #(p.diff or {}) == 0 then
    return nil
  end
  local shown = {} ---@type {buf: integer, win: integer, d: table}[]
  for _, d in ipairs(p.diff) do
    local buf = d.hunks and #d.hunks > 0 and text.loaded(d.uri)
    local win = buf and window_of(buf)
    if not win or not vim.deep_equal(vim.api.nvim_buf_get_lines(buf, 0, -1, false), text.lines(d.oldText)) then
      return nil
    end
    if not fits(d, free_rows(win, covered)) then
      return nil
    end
    shown[#shown + 1] = { buf = buf, win = win, d = d }
  end
  local views = {}
  for _, s in ipairs(shown) do
    draw(s.buf, s.d)
    local first = s.d.hunks[1].range.start.line + 1
    vim.api.nvim_win_call(s.win, function()
      local view = vim.fn.winsaveview()
      local free = free_rows(s.win, covered)
      if first < vim.fn.line("w0") or first > vim.fn.line("w0") + free - ABOVE or first > vim.fn.line("w$") then
        local top = math.max(1, first - ABOVE)
        vim.fn.winrestview({ topline = top, lnum = first, col = 0 })
        views[s.win] = { before = view, top = top }
      end
    end)
  end
  return function()
    for _, s in ipairs(shown) do
      if vim.api.nvim_buf_is_valid(s.buf) then
        vim.api.nvim_buf_clear_namespace(s.buf, ns, 0, -1)
      end
      local v = views[s.win]
      if v and vim.api.nvim_win_is_valid(s.win) and vim.api.nvim_win_get_buf(s.win) == s.buf then
        vim.api.nvim_win_call(s.win, function()
          if vim.fn.line("w0") == v.top then -- nobody has scrolled since
            vim.fn.winrestview(v.before)
          end
        end)
      end
    end
  end
end

return M
