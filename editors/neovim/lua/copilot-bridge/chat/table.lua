-- Tables of Markdown with their columns aligned, and the languages of code blocks. Pure.

local M = {}

---@param line string
---@return string[]? cells
local function cells(line)
  local inner = line:match("^%s*|(.*)|%s*$")
  if not inner then
    return nil
  end
  local out = {}
  for _, cell in ipairs(vim.split(inner:gsub("\\|", "\1"), "|", { plain = true })) do
    out[#out + 1] = vim.trim((cell:gsub("\1", "\\|")))
  end
  return out
end

---@param line string?
---@return boolean
local function rule(line)
  return line ~= nil and line:match("^%s*|[%s:|-]+|%s*$") ~= nil and line:find("-", 1, true) ~= nil
end

-- What a cell looks like: code and emphasis are shown without their marks.
---@param cell string
---@return integer
local function width(cell)
  return vim.fn.strdisplaywidth((cell:gsub("[`*]", ""):gsub("\\|", "|")))
end

---@param rows string[][] the second one is the rule
---@return string[]
local function aligned(rows)
  local widths, out = {}, {}
  for i, row in ipairs(rows) do
    for c, cell in ipairs(row) do
      widths[c] = math.max(widths[c] or 3, i == 2 and 3 or width(cell))
    end
  end
  for i, row in ipairs(rows) do
    local parts = {}
    for c, cell in ipairs(row) do
      local right = (rows[2][c] or ""):match("^%-+:$") ~= nil
      if i == 2 then
        local left = cell:sub(1, 1) == ":" and ":" or "-"
        parts[c] = left .. ("-"):rep(widths[c] - 2) .. (cell:sub(-1) == ":" and ":" or "-")
      else
        local pad = (" "):rep(widths[c] - width(cell))
        parts[c] = right and pad .. cell or cell .. pad
      end
    end
    out[i] = "| " .. table.concat(parts, " | ") .. " |"
  end
  return out
end

-- align gives the lines of a text with its tables aligned, as many as there were, and the language of each code block by the row
-- of its fence, from 0.
---@param lines string[]
---@return string[] lines
---@return table<integer, string> languages
function M.align(lines)
  local out, languages, fence, i = {}, {}, nil, 1
  while i <= #lines do
    local line = lines[i]
    local ticks, lang = line:match("^%s*([`~][`~][`~]+)%s*([%w+#._-]*)")
    if ticks and not fence then
      fence = ticks
      languages[i - 1] = lang ~= "" and lang or nil
    elseif ticks and ticks:sub(1, #fence) == fence and lang == "" then
      fence = nil
    end
    local rows = {}
    if not fence and rule(lines[i + 1]) then
      for at = i, #lines do
        local row = cells(lines[at])
        if not row then
          break
        end
        rows[#rows + 1] = row
      end
    end
    if #rows > 1 then
      vim.list_extend(out, aligned(rows))
      i = i + #rows
    else
      out[#out + 1] = line
      i = i + 1
    end
  end
  return out, languages
end

return M
