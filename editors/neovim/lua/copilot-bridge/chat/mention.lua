-- @file, @selection and the like in a prompt: what is sent along for them. The words stay in the text, made definite,
-- so that the agent and anyone who reads the conversation later know what was meant.

local M = {}

---@class copilot-bridge.Mention
---@field word string
---@field info string

---@type copilot-bridge.Mention[]
M.words = {
  { word = "@selection", info = "what was selected last in the file" },
  { word = "@buffer", info = "the file in the last window" },
  { word = "@diagnostics", info = "what other language servers say of the file" },
  { word = "@quickfix", info = "the quickfix list" },
  { word = "@file", info = "the file; @path/to/file for any other" },
}

local function context()
  return require("copilot-bridge.context")
end

---@param uri string
---@param cwd string?
local function name_of(uri, cwd)
  local blocks = require("copilot-bridge.chat.blocks")
  return blocks.relative(blocks.path(uri), cwd)
end

-- lines says which lines a range covers, from 1: "3-5" or "3".
local function lines(range)
  local first, last = range.start.line + 1, range["end"].line + 1
  if range["end"].character == 0 and last > first then
    last = last - 1
  end
  return first == last and tostring(first) or ("%d-%d"):format(first, last)
end

-- label says in a few words what place goes along: store.py:33-36.
---@param place table
---@param cwd string?
---@return string
function M.label(place, cwd)
  return name_of(place.uri, cwd) .. (place.range and ":" .. lines(place.range) or "")
end

-- Bytes of an image that is sent at most; a model takes no larger one.
local MAX_IMAGE = 5 * 1024 * 1024
local IMAGES = { png = "image/png", jpg = "image/jpeg", jpeg = "image/jpeg", gif = "image/gif", webp = "image/webp" }

---@param bytes string
---@param mime string
---@return table? block ACP ContentBlock
---@return string? err
function M.image_of(bytes, mime)
  if #bytes > MAX_IMAGE then
    return nil, ("The image is too large: %.1f MB, and %d MB can be sent"):format(#bytes / 2 ^ 20, MAX_IMAGE / 2 ^ 20)
  end
  return { type = "image", mimeType = mime, data = vim.base64.encode(bytes) }
end

-- The image that a place is, if it is one.
---@param place table
---@return table? block
---@return string? err
local function image(place)
  local path = vim.uri_to_fname(place.uri)
  local mime = IMAGES[(path:match("%.(%w+)$") or ""):lower()]
  local f = mime and io.open(path, "rb")
  if not f then
    return nil
  end
  local bytes = f:read(MAX_IMAGE + 1)
  f:close()
  return M.image_of(bytes or "", mime)
end

local function range_of(first, last)
  return { start = { line = first - 1, character = 0 }, ["end"] = { line = last, character = 0 } }
end

-- The buffer of the window that was current before the chat, where it is no file: its text goes along as it is.
local function scratch()
  local win = vim.fn.win_getid(vim.fn.winnr("#"))
  if win == 0 then
    return nil
  end
  local buf = vim.api.nvim_win_get_buf(win)
  if require("copilot-bridge.chat.window").is_chat(buf) then
    return nil
  end
  local name = vim.api.nvim_buf_get_name(buf)
  local text = table.concat(vim.api.nvim_buf_get_lines(buf, 0, -1, false), "\n") .. "\n"
  local uri = name ~= "" and name or "untitled:" .. buf
  return { type = "resource", resource = { uri = uri, text = text } }, uri
end

-- quoted gives a path as it stands behind an @: in quotes if it has spaces.
local function quoted(path)
  return path:find("%s") and '"' .. path .. '"' or path
end

---@type table<string, fun(out: table, cwd: string?): string?>
local special = {}

function special.selection(out, cwd)
  local at = context().selection()
  if not at then
    out.missing[#out.missing + 1] = "@selection: nothing is selected"
    return nil
  end
  out.context[#out.context + 1] = at
  return ("@selection (%s:%s)"):format(name_of(at.uri, cwd), lines(at.range))
end

function special.buffer(out, cwd)
  local at = context().current()
  if at then
    out.context[#out.context + 1] = { uri = at.uri }
    return "@" .. quoted(name_of(at.uri, cwd))
  end
  local block, name = scratch()
  if not block then
    out.missing[#out.missing + 1] = "@buffer: no file is open"
    return nil
  end
  out.blocks[#out.blocks + 1] = block
  out.names[#out.names + 1] = name
  return ("@buffer (%s)"):format(name)
end
special.file = special.buffer

function special.diagnostics(out, cwd)
  local at = context().current()
  local text, count = context().diagnostics(at and at.uri)
  if not at then
    out.missing[#out.missing + 1] = "@diagnostics: no file is open"
    return nil
  end
  local name = name_of(at.uri, cwd)
  if count == 0 then
    return ("@diagnostics (%s: none)"):format(name)
  end
  out.blocks[#out.blocks + 1] = { type = "text", text = ("Diagnostics of %s:\n%s"):format(name, text) }
  out.names[#out.names + 1] = ("%d diagnostics"):format(count)
  return ("@diagnostics (%s: %d)"):format(name, count)
end

function special.quickfix(out, cwd)
  local items = {}
  for _, q in ipairs(vim.fn.getqflist()) do
    local file = q.bufnr > 0 and name_of(vim.uri_from_bufnr(q.bufnr), cwd) or ""
    items[#items + 1] = ("- %s:%d:%d %s"):format(file, q.lnum, q.col, (q.text:gsub("%s+", " ")))
  end
  if #items == 0 then
    out.missing[#out.missing + 1] = "@quickfix: the quickfix list is empty"
    return nil
  end
  out.blocks[#out.blocks + 1] = { type = "text", text = "Quickfix list:\n" .. table.concat(items, "\n") }
  out.names[#out.names + 1] = "quickfix list"
  return ("@quickfix (%d entries)"):format(#items)
end

-- place finds the file of @path, @path:12 or @path:12-20.
---@return table? context
local function place(word, cwd)
  local path, first, last = word:match("^(.-):(%d+)%-(%d+)$")
  if not path then
    path, first = word:match("^(.-):(%d+)$")
  end
  path = path or word
  local full = path:sub(1, 1) == "/" and path
    or path:sub(1, 2) == "~/" and (vim.env.HOME or "") .. path:sub(2)
    or (cwd or vim.fn.getcwd()) .. "/" .. path
  full = vim.fs.normalize(full)
  if not vim.uv.fs_stat(full) and vim.fn.bufloaded(full) == 0 then
    return nil
  end
  local out = { uri = vim.uri_from_fname(full) }
  if first then
    out.range = range_of(tonumber(first), math.max(tonumber(first), tonumber(last or first)))
  end
  return out
end

---@class copilot-bridge.Expanded
---@field prompt table[]   ACP ContentBlock[]
---@field context table[]  as in session/prompt
---@field names string[]   what the blocks behind the text are, for the user
---@field missing string[] what was mentioned and is not there, in words
---@field unknown string[] what stands behind an @ and is no file: it is sent as it is written

---@param text string
---@param cwd string?
---@return copilot-bridge.Expanded
function M.expand(text, cwd)
  local out = { blocks = {}, context = {}, names = {}, missing = {}, unknown = {} }
  local seen = {}
  local function one(before, word, after)
    local full = special[word]
    if full then
      if seen[word] == nil then
        seen[word] = full(out, cwd) or false
      end
      return before .. (seen[word] or "@" .. word) .. after
    end
    local at = not seen[word] and place(word, cwd)
    if at then
      seen[word] = "@" .. quoted(word)
      local block, err = image(at)
      if block then
        out.blocks[#out.blocks + 1] = block
        out.names[#out.names + 1] = M.label(at, cwd)
      elseif err then
        out.missing[#out.missing + 1] = "@" .. word .. ": " .. err
      else
        out.context[#out.context + 1] = at
      end
    elseif seen[word] == nil and word ~= "" then
      seen[word] = "@" .. word
      out.unknown[#out.unknown + 1] = word
    end
    return nil
  end
  local said = (" " .. text):gsub('(%s)@"([^"\n]+)"', function(before, word)
    one(before, word, "") -- the text stays as it is
  end)
  said = said:gsub('(%s)@([^%s@"]+)', function(before, word)
    local bare, after = word:match("^(.-)([.,;:!?)%]}'\"]*)$")
    return one(before, bare, after)
  end)
  local prompt = { { type = "text", text = said:sub(2) } }
  vim.list_extend(prompt, out.blocks)
  return { prompt = prompt, context = out.context, names = out.names, missing = out.missing, unknown = out.unknown }
end

return M
