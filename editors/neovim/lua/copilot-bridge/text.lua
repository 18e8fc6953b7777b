--- Positions and texts: columns in UTF-16 as LSP counts them, texts as lists of lines as Neovim has them.

local M = {}

local NEW = vim.fn.has("nvim-0.11") == 1

--- The UTF-16 column of a byte column of a line.
---@param line string
---@param byte integer 0-based; past the end counts as the end
---@return integer
function M.utf16(line, byte)
  byte = math.min(byte, #line)
  if NEW then
    return vim.str_utfindex(line, "utf-16", byte, false)
  end
  local _, units = vim.str_utfindex(line, byte)
  return units
end

---@param buf integer
---@param row integer 0-based
---@param byte integer
---@return {line: integer, character: integer}
function M.position(buf, row, byte)
  local line = vim.api.nvim_buf_get_lines(buf, row, row + 1, false)[1] or ""
  return { line = row, character = M.utf16(line, byte) }
end

--- Whole lines as an LSP range, from the start of `first` to the start of the line after `last` or the end of the text.
---@param buf integer
---@param first integer 0-based
---@param last integer 0-based, inclusive
---@return table
function M.line_range(buf, first, last)
  local count = vim.api.nvim_buf_line_count(buf)
  local stop = { line = last + 1, character = 0 }
  if last + 1 >= count then
    local line = vim.api.nvim_buf_get_lines(buf, count - 1, count, false)[1] or ""
    stop = { line = count - 1, character = M.utf16(line, #line) }
  end
  return { start = { line = first, character = 0 }, ["end"] = stop }
end

--- The lines of a text that is whole lines; without those ends of lines that are CR LF.
---@param text string
---@return string[]
function M.lines(text)
  if text == "" then
    return {}
  end
  local lines = vim.split((text:gsub("\r\n", "\n")), "\n", { plain = true })
  if lines[#lines] == "" then
    lines[#lines] = nil
  end
  return lines
end

--- The buffer of a URI, if it is loaded; none is made. One that only the language servers have is none.
---@param uri string
---@return integer? buf
function M.loaded(uri)
  local name = vim.uri_to_fname(uri)
  local buf = vim.fn.bufnr("^" .. vim.fn.escape(name, "^$.*[]~\\{}?,") .. "$")
  if buf == -1 then
    local want = vim.uv.fs_realpath(name) or name
    for _, other in ipairs(vim.api.nvim_list_bufs()) do
      local theirs = vim.api.nvim_buf_get_name(other)
      if theirs ~= "" and (theirs == name or (vim.uv.fs_realpath(theirs) or theirs) == want) then
        buf = other
        break
      end
    end
  end
  if buf ~= -1 and vim.api.nvim_buf_is_loaded(buf) and not require("copilot-bridge.language.hidden").is(buf) then
    return buf
  end
end

--- A path as the user wants to read it: from the working folder if it is in there.
---@param uri string
---@return string
function M.short(uri)
  return vim.fn.fnamemodify(vim.uri_to_fname(uri), ":~:.")
end

--- Shortens a text to so many columns, with … at its end where anything is missing.
---@param words string
---@param columns integer
---@return string
function M.cut(words, columns)
  if vim.fn.strdisplaywidth(words) <= columns then
    return words
  end
  local n = vim.fn.strchars(words)
  while n > 0 and vim.fn.strdisplaywidth(vim.fn.strcharpart(words, 0, n)) >= columns do
    n = n - 1
  end
  return vim.fn.strcharpart(words, 0, n) .. "…"
end

--- How long ago something was.
---@param iso string RFC 3339
---@return string
function M.age(iso)
  local y, mo, d, h, mi, s = iso:match("^(%d+)-(%d+)-(%d+)T(%d+):(%d+):(%d+)")
  if not y then
    return iso
  end
  local utc = os.time({ year = y, month = mo, day = d, hour = h, min = mi, sec = s, isdst = false })
  local now = os.time(os.date("!*t") --[[@as osdateparam]])
  local seconds = math.max(0, now - utc)
  if seconds < 90 then
    return "now"
  elseif seconds < 90 * 60 then
    return ("%d min ago"):format(seconds / 60 + 0.5)
  elseif seconds < 36 * 3600 then
    return ("%d h ago"):format(seconds / 3600 + 0.5)
  end
  return ("%d days ago"):format(seconds / 86400 + 0.5)
end

return M
