-- ACP content blocks as text: what the user said, and what a tool answered.

local M = {}

-- JSON's null and an absent member mean the same here.
---@generic T
---@param value T
---@return T|nil
local function given(value)
  if value == vim.NIL then
    return nil
  end
  return value
end
M.given = given

---@param uri string
---@return string
function M.path(uri)
  if uri:match("^file:") then
    local ok, path = pcall(vim.uri_to_fname, uri)
    if ok then
      return path
    end
  end
  return uri
end

-- A path as it is said in a session that works in cwd.
---@param path string
---@param cwd string?
---@return string
function M.relative(path, cwd)
  if cwd and cwd ~= "" and cwd ~= "/" then
    local prefix = cwd:sub(-1) == "/" and cwd or cwd .. "/"
    if path:sub(1, #prefix) == prefix then
      return path:sub(#prefix + 1)
    end
  end
  local home = vim.env.HOME
  if home and home ~= "" and home ~= "/" and path:sub(1, #home + 1) == home .. "/" then
    return "~" .. path:sub(#home + 1)
  end
  return path
end

-- The text of one content block; attachments are named, never fetched.
---@param block table ACP ContentBlock
---@return string text, boolean attachment
function M.text(block)
  local kind = block.type
  if kind == "text" then
    return given(block.text) or "", false
  elseif kind == "resource_link" then
    return M.path(block.uri or block.name or ""), true
  elseif kind == "resource" then
    local r = given(block.resource) or {}
    return M.path(given(r.uri) or ""), true
  elseif kind == "image" or kind == "audio" then
    return ("(%s, %s)"):format(kind == "image" and "an image" or "a sound", given(block.mimeType) or "?"), true
  end
  return "", false
end

-- What the bridge knows of an update, from its _meta.
---@param u table ACP SessionUpdate
---@return copilot-bridge.wire.Remarks
function M.remarks(u)
  local meta = given(u._meta)
  local remarks = type(meta) == "table" and given(meta["copilot-bridge"])
  return type(remarks) == "table" and remarks or {}
end

-- A prompt as the user wrote it, and what went with it.
---@param prompt table[] ACP ContentBlock[]
---@return string text, string[] attachments
function M.prompt(prompt)
  local text, attached = {}, {}
  for _, block in ipairs(prompt) do
    local t, attachment = M.text(block)
    if attachment then
      attached[#attached + 1] = t
    elseif t ~= "" then
      text[#text + 1] = t
    end
  end
  return table.concat(text, "\n"), attached
end

-- What a tool call says: the texts of its content, else of its raw output.
---@param content table[]?
---@param raw any
---@return string
function M.result(content, raw)
  local out = {}
  for _, c in ipairs(content or {}) do
    if c.type == "content" and type(c.content) == "table" then
      local t = M.text(c.content)
      if t ~= "" then
        out[#out + 1] = t
      end
    end
  end
  if #out > 0 then
    return table.concat(out, "\n")
  end
  raw = given(raw)
  if type(raw) == "string" then
    return raw
  elseif type(raw) == "table" then
    for _, key in ipairs({ "message", "error", "content", "output", "stdout", "text" }) do
      local v = given(raw[key])
      if type(v) == "string" and v ~= "" then
        return v
      elseif type(v) == "table" and type(v.message) == "string" then
        return v.message
      end
    end
  end
  return ""
end

return M
