--- Positions between the bridge, which counts UTF-16, and the language servers, each of which counts as it likes.

local text = require("copilot-bridge.text")

local M = {}

local NEW = vim.fn.has("nvim-0.11") == 1
local BRIDGE = "utf-16"

--- The byte of a column of a line.
---@param line string
---@param column integer
---@param encoding string
---@return integer
local function byte_of(line, column, encoding)
  if encoding == "utf-8" then
    return math.min(column, #line)
  elseif NEW then
    return vim.str_byteindex(line, encoding, column, false)
  end
  local ok, byte = pcall(vim.str_byteindex, line, column, encoding == "utf-16")
  return ok and byte or #line
end

--- The column of a byte of a line.
---@param line string
---@param byte integer
---@param encoding string
---@return integer
local function column_of(line, byte, encoding)
  if encoding == "utf-8" then
    return byte
  elseif NEW then
    return vim.str_utfindex(line, encoding, byte, false)
  end
  local points, units = vim.str_utfindex(line, byte)
  return encoding == "utf-16" and units or points
end

--- What gives the lines of a document: the buffer, or the file, which is read once.
---@param uri string
---@return fun(row: integer): string
local function lines_of(uri)
  local buf, lines = text.loaded(uri), nil
  if buf then
    return function(row)
      return vim.api.nvim_buf_get_lines(buf, row, row + 1, false)[1] or ""
    end
  end
  return function(row)
    if not lines then
      local ok, read = pcall(vim.fn.readfile, vim.uri_to_fname(uri))
      lines = ok and read or {}
    end
    return lines[row + 1] or ""
  end
end

---@param position table of LSP
---@param line fun(row: integer): string
---@param from string
---@param to string
---@return table
local function position(position_, line, from, to)
  if from == to then
    return position_
  end
  local s = line(position_.line)
  return { line = position_.line, character = column_of(s, byte_of(s, position_.character, from), to) }
end

---@param r table of LSP
---@param line fun(row: integer): string
---@param from string
---@param to string
---@return table
local function range(r, line, from, to)
  return { start = position(r.start, line, from, to), ["end"] = position(r["end"], line, from, to) }
end

--- The params of a request as a client wants them.
---@param params table
---@param uri string? of their document
---@param encoding string
---@return table
function M.outward(params, uri, encoding)
  local out = vim.deepcopy(params)
  if uri and encoding ~= BRIDGE then
    local line = lines_of(uri)
    out.position = params.position and position(params.position, line, BRIDGE, encoding)
    out.range = params.range and range(params.range, line, BRIDGE, encoding)
  end
  return out
end

---@param edits table[]
---@param uri string
---@param encoding string
---@return table[]
function M.edits(edits, uri, encoding)
  if encoding == BRIDGE then
    return edits
  end
  local line = lines_of(uri)
  return vim.tbl_map(function(e)
    return vim.tbl_extend("force", e, { range = range(e.range, line, encoding, BRIDGE) })
  end, edits)
end

--- A WorkspaceEdit as the bridge reads it. It cannot know what version a server means: that is checked here.
---@param edit table
---@param encoding string
---@return table? edit
---@return string? err
function M.workspace_edit(edit, encoding)
  if edit.documentChanges then
    local out = {}
    for i, c in ipairs(edit.documentChanges) do
      if c.textDocument then
        local uri, version = c.textDocument.uri, c.textDocument.version
        local buf = text.loaded(uri)
        local now = buf and vim.lsp.util.buf_versions[buf]
        if type(version) == "number" and version > 0 and now and now ~= version then
          return nil, "the text changed while the server worked; ask again"
        end
        out[i] = { textDocument = { uri = uri, version = vim.NIL }, edits = M.edits(c.edits, uri, encoding) }
      else
        out[i] = c
      end
    end
    return { documentChanges = out }
  end
  local changes = vim.empty_dict()
  for uri, edits in pairs(edit.changes or {}) do
    changes[uri] = M.edits(edits, uri, encoding)
  end
  return { changes = changes }
end

return M
