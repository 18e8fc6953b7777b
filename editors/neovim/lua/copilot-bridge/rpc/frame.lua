--- The framing of LSP: `Content-Length: N`, an empty line, N bytes.

local M = {}

---@class copilot-bridge.Reader
---@field parts string[] what has come and is not a whole message yet
---@field size integer bytes in parts
---@field need integer bytes that parts must have before another look is worth it
local Reader = {}
Reader.__index = Reader

---@return copilot-bridge.Reader
function M.reader()
  return setmetatable({ parts = {}, size = 0, need = 1 }, Reader)
end

--- Takes bytes in and gives the bodies that are whole now. A header that cannot be read is an error: nothing after it
--- could be.
---@param chunk string
---@return string[] bodies
---@return string? err
function Reader:feed(chunk)
  self.parts[#self.parts + 1] = chunk
  self.size = self.size + #chunk
  if self.size < self.need then
    return {}
  end
  local text = table.concat(self.parts)
  local bodies, at = {}, 1
  self.need = 1
  while true do
    local stop, body = text:find("\r\n\r\n", at, true)
    if not stop then
      break
    end
    local length = text:sub(at, stop):lower():match("content%-length:%s*(%d+)")
    if not length then
      return bodies, ("a message without a length: %q"):format(text:sub(at, at + 100))
    end
    local last = body + tonumber(length)
    if last > #text then
      self.need = last - at + 1
      break
    end
    bodies[#bodies + 1] = text:sub(body + 1, last)
    at = last + 1
  end
  local rest = text:sub(at)
  self.parts, self.size = { rest }, #rest
  return bodies
end

---@param body string
---@return string
function M.write(body)
  return ("Content-Length: %d\r\n\r\n%s"):format(#body, body)
end

return M
