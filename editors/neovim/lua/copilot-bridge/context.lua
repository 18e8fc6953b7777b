--- What goes along with a prompt: a selection, the file the user is in, what other servers say of it.

local project = require("copilot-bridge.project")
local text = require("copilot-bridge.text")

local M = {}

-- Diagnostics that are put into words at most; the agent has a tool for the rest.
local MAX_DIAGNOSTICS = 50

local last_file ---@type integer? the buffer of a file that was current last

vim.api.nvim_create_autocmd("BufEnter", {
  group = vim.api.nvim_create_augroup("copilot-bridge.context", {}),
  callback = function(ev)
    if project.file_of(ev.buf) then
      last_file = ev.buf
    end
  end,
})

--- The buffer of the file the user is in; from the chat, the one they came from.
---@return integer?
function M.buffer()
  local buf = vim.api.nvim_get_current_buf()
  if project.file_of(buf) then
    return buf
  end
  if last_file and vim.api.nvim_buf_is_valid(last_file) and project.file_of(last_file) then
    return last_file
  end
  for _, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    local other = vim.api.nvim_win_get_buf(win)
    if project.file_of(other) then
      return other
    end
  end
end

---@param buf integer
---@param range table?
---@return table
local function place(buf, range)
  return { uri = vim.uri_from_bufnr(buf), range = range, version = vim.lsp.util.buf_versions[buf] }
end

--- The file the user is in.
---@return table? {uri, version?}
function M.current()
  local buf = M.buffer()
  return buf and place(buf) or nil
end

--- Lines of the current buffer, as a command gets them.
---@param first integer 1-based
---@param last integer
---@return table?
function M.lines(first, last)
  local buf = M.buffer()
  return buf and place(buf, text.line_range(buf, first - 1, last - 1)) or nil
end

--- What was selected last in the file the user is in, in characters or in lines as it was selected.
---@return table? {uri, range, version?}
function M.selection()
  local buf = M.buffer()
  if not buf then
    return nil
  end
  local from, to = vim.api.nvim_buf_get_mark(buf, "<"), vim.api.nvim_buf_get_mark(buf, ">")
  if from[1] == 0 or to[1] == 0 then
    return nil
  end
  local visual = vim.api.nvim_buf_call(buf, vim.fn.visualmode)
  if visual ~= "v" then
    return place(buf, text.line_range(buf, from[1] - 1, to[1] - 1))
  end
  local line = vim.api.nvim_buf_get_lines(buf, to[1] - 1, to[1], false)[1] or ""
  local stop = math.min(to[2], #line)
  stop = stop < #line and stop + #vim.fn.strcharpart(line:sub(stop + 1), 0, 1) or stop
  return place(buf, { start = text.position(buf, from[1] - 1, from[2]), ["end"] = text.position(buf, to[1] - 1, stop) })
end

local SEVERITY = { "error", "warning", "information", "hint" }

--- What the other servers say of a file, as a Markdown list.
---@param uri string?
---@return string
---@return integer count
function M.diagnostics(uri)
  local buf = uri and text.loaded(uri) or M.buffer()
  if not buf then
    return "", 0
  end
  local list = require("copilot-bridge.diagnostics").of(buf)
  local name = text.short(vim.uri_from_bufnr(buf))
  local out = {}
  for i, d in ipairs(list) do
    if i > MAX_DIAGNOSTICS then
      out[#out + 1] = ("- and %d more"):format(#list - MAX_DIAGNOSTICS)
      break
    end
    out[#out + 1] = ("- %s:%d:%d %s: %s%s"):format(
      name,
      d.range.start.line + 1,
      d.range.start.character + 1,
      SEVERITY[d.severity] or "error",
      d.message:gsub("%s*\n%s*", " "),
      d.source and (" (" .. d.source .. ")") or ""
    )
  end
  return table.concat(out, "\n"), #list
end

--- A file named in a prompt, as an ACP resource link; the bridge sends its unsaved text along.
---@param path string absolute, or from the working folder
---@return table
function M.file(path)
  local full = vim.fs.normalize(vim.fn.fnamemodify(path, ":p"))
  return { type = "resource_link", uri = vim.uri_from_fname(full), name = vim.fn.fnamemodify(full, ":~:.") }
end

return M
