-- Lines of Markdown in the making, with their highlights and links: what the kinds of blocks are drawn with.

local M = {}

---@class copilot-bridge.Drawn
---@field lines string[]
---@field marks table[]    {row, col, opts}: extmarks, row from 0 in lines
---@field links table[]    {row, from, to, path, line?}: columns in bytes, to excluded
---@field head integer     the row where the block begins, after what parts it from the one before
---@field fold_at integer?  the row where the fold begins, where that is not head
---@field fold "open"|"closed"|nil
---@field user boolean?
---@field title (string|table)[]? the parts of the line at head; what is concealed in one has `plain` beside it

local Draw = {}
Draw.__index = Draw

---@return copilot-bridge.Drawn
function M.new()
  return setmetatable({ lines = {}, marks = {}, links = {}, head = 0 }, Draw)
end

-- line adds one line made of parts: a string, or {string, group, link?}.
function Draw:line(parts)
  local row, col, text = #self.lines, 0, {}
  if row == (self.fold_at or self.head) then
    self.title = parts
  end
  for _, part in ipairs(parts) do
    local s = type(part) == "table" and part[1] or part
    s = s:gsub("[\n\r%z]", " ")
    if type(part) == "table" and s ~= "" then
      if part[2] then
        self.marks[#self.marks + 1] = { row, col, { end_col = col + #s, hl_group = part[2], priority = 150 } }
      end
      if part[3] then
        self.links[#self.links + 1] = { row = row, from = col, to = col + #s, path = part[3].path, line = part[3].line }
      end
    end
    text[#text + 1] = s
    col = col + #s
  end
  self.lines[row + 1] = table.concat(text)
  return row
end

-- whole highlights a line to the window's edge.
function Draw:whole(row, group)
  self.marks[#self.marks + 1] =
    { row, 0, { end_row = row + 1, end_col = 0, hl_group = group, hl_eol = true, priority = 140 } }
end

-- A fence that no line of the text can end.
local function fence(lines)
  local longest = 2
  for _, l in ipairs(lines) do
    local ticks = l:match("^%s*(`+)")
    if ticks and #ticks > longest then
      longest = #ticks
    end
  end
  return ("`"):rep(longest + 1)
end

-- code adds lines as a code block; group is one for all or a function of a line.
function Draw:code(lines, lang, group, max, tail)
  if max and #lines > max then
    local left = #lines - max
    if tail then
      lines = vim.list_slice(lines, left + 1)
      table.insert(lines, 1, ("… %d lines before"):format(left))
    else
      lines = vim.list_slice(lines, 1, max)
      lines[#lines + 1] = ("… %d lines more"):format(left)
    end
  end
  local f = fence(lines)
  self:line({ f .. (lang or "") })
  for _, l in ipairs(lines) do
    local row = self:line({ l })
    local g = group
    if type(group) == "function" then
      g = group(l)
    end
    if g then
      self:whole(row, g)
    end
  end
  self:line({ f })
end

-- heading begins a part of somebody. The words stay in the buffer as Markdown; what is seen is a quieter line.
function Draw:heading(name, group, ctx, rule, chips)
  local row = self:line({ "## " .. name })
  local text = { { name .. " ", group } }
  for _, chip in ipairs(chips or {}) do
    vim.list_extend(text, { { " " .. chip .. " ", "CopilotBridgeChatChip" }, { " " } })
  end
  if rule then
    text[#text + 1] = { ctx.icons.rule:rep(400), "CopilotBridgeChatRule" }
  else
    text[#text + 1] = { "   " } -- over the rest of the words
  end
  self.marks[#self.marks + 1] = { row, 0, { virt_text = text, virt_text_pos = "overlay", priority = 200 } }
end

-- unclosed says with what a text that has ended must be closed, so that its last code block does not go on below it.
function M.unclosed(lines)
  local open
  for _, l in ipairs(lines) do
    local indent, ticks, rest = l:match("^( ? ? ?)([`~][`~][`~]+)(.*)$")
    if ticks and indent and (ticks:match("^`+$") or ticks:match("^~+$")) then
      if not open then
        if not (ticks:sub(1, 1) == "`" and rest:find("`", 1, true)) then
          open = ticks
        end
      elseif ticks:sub(1, 1) == open:sub(1, 1) and #ticks >= #open and rest:match("^%s*$") then
        open = nil
      end
    end
  end
  return open
end

-- The lines of a text that are shown: without the empty ones at its end.
---@param block copilot-bridge.Block
---@return integer
function M.shown(block)
  local n = #block.lines
  while n > 0 and block.lines[n]:match("^%s*$") do
    n = n - 1
  end
  return n
end

-- Inline code, so that nothing in it is taken for Markdown.
function M.inline(text)
  text = vim.trim((text:gsub("%s+", " ")))
  if text == "" then
    return ""
  end
  local ticks = "`"
  while text:find(ticks, 1, true) do
    ticks = ticks .. "`"
  end
  if #ticks > 1 then
    return ticks .. " " .. text .. " " .. ticks
  end
  return ticks .. text .. ticks
end

return M
