-- What a tool call changed, as the lines of a unified diff. Pure.

local blocks = require("copilot-bridge.chat.blocks")

local M = {}

-- Bytes of both texts together. A diff of more could take the editor's time for long, and nobody reads it in a chat.
local MAX_BYTES = 4 * 1024 * 1024

local unified = vim.text and vim.text.diff or vim.diff

local function count(text)
  local _, n = text:gsub("\n", "")
  return text ~= "" and text:sub(-1) ~= "\n" and n + 1 or n
end

---@class copilot-bridge.Diff
---@field path string
---@field lines string[] "@@ …", " same", "-old", "+new"
---@field added integer
---@field removed integer
---@field created boolean
---@field first integer? the first line that changed, from 1, in the new text

---@param content table ACP diff content
---@return copilot-bridge.Diff
function M.of(content)
  local old, new = blocks.given(content.oldText), blocks.given(content.newText) or ""
  local d = { path = content.path or "", lines = {}, added = 0, removed = 0, created = old == nil }
  old = old or ""
  if #old + #new > MAX_BYTES then
    d.added, d.removed = count(new), count(old)
    d.lines = { "(too large to be shown here)" }
    return d
  end
  local text = unified(old, new, { result_type = "unified", ctxlen = 3, algorithm = "histogram" })
  for line in (text or ""):gmatch("([^\n]*)\n") do
    local mark = line:sub(1, 1)
    if mark == "+" then
      d.added = d.added + 1
    elseif mark == "-" then
      d.removed = d.removed + 1
    elseif mark == "@" and not d.first then
      local start, n = line:match("^@@ %-%d+,?%d* %+(%d+),?(%d*)")
      d.first = tonumber(start)
      if n == "0" then
        d.first = d.first + 1
      end
    end
    if mark ~= "\\" then
      d.lines[#d.lines + 1] = (line:gsub("\r$", ""))
    end
  end
  -- The first changed line, not the context before it.
  if d.first then
    for i = 2, #d.lines do
      if d.lines[i]:sub(1, 1) ~= " " then
        d.first = d.first + i - 2
        break
      end
    end
  end
  return d
end

return M
