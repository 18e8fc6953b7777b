-- The output of a command as a list of lines: what it wrote, without escape sequences, with carriage returns and
-- backspaces done as a terminal does them. Pure: no window, no buffer.

local M = {}

-- Lines that are kept of a command. The rest is counted; the whole output is in the model's hands anyway.
local MAX_LINES = 2000
-- Bytes of one line. Programs that draw progress bars without newlines would grow it for ever.
local MAX_LINE = 4000

---@class copilot-bridge.Terminal
---@field lines string[]  ended lines
---@field dropped integer lines before the first one
---@field partial string  the line that goes on
---@field esc string      the beginning of an escape sequence or of a line end that is not whole yet
---@field truncated boolean
---@field exit table?     ACP TerminalExitStatus
local Terminal = {}
Terminal.__index = Terminal

---@return copilot-bridge.Terminal
function M.new()
  return setmetatable({ lines = {}, dropped = 0, partial = "", esc = "", truncated = false }, Terminal)
end

-- strip takes out CSI, OSC and other escape sequences; the second value is one that has not ended.
local function strip(data)
  if not data:find("\27", 1, true) then
    return data, ""
  end
  data = data:gsub("\27%[[%d;:<=>?]*[ -/]*[@-~]", "") -- CSI
  data = data:gsub("\27%][^\7\27]*\7", ""):gsub("\27%][^\7\27]*\27\\", "") -- OSC
  data = data:gsub("\27[PX^_][^\27]*\27\\", "") -- DCS, SOS, PM, APC
  data = data:gsub("\27[()*+][%w]", ""):gsub("\27[=>78cDEHMNOZ]", "")
  local at = data:find("\27", 1, true)
  if at and #data - at < 256 then
    return data:sub(1, at - 1), data:sub(at)
  end
  return (data:gsub("\27", "")), ""
end

-- overwrite does what \r and \b mean in one line.
local function overwrite(line)
  if line:find("\r", 1, true) then
    local parts = vim.split(line, "\r", { plain = true })
    local out = ""
    for _, part in ipairs(parts) do
      if #part >= #out then
        out = part
      elseif part ~= "" then
        out = part .. out:sub(#part + 1)
      end
    end
    line = out
  end
  while line:find("[^\b]\b") do
    line = line:gsub("[^\b]\b", "")
  end
  return (line:gsub("[%z\1-\8\11-\31\127]", ""))
end

---@param data string
function Terminal:write(data)
  local text
  text, self.esc = strip(self.esc .. data)
  text = text:gsub("\r+\n", "\n")
  if text:sub(-1) == "\r" then -- a newline may follow
    text, self.esc = text:sub(1, -2), "\r" .. self.esc
  end
  local lines = vim.split(self.partial .. text, "\n", { plain = true })
  self.partial = lines[#lines]
  if #self.partial > MAX_LINE then
    self.partial = self.partial:sub(-MAX_LINE)
  end
  for i = 1, #lines - 1 do
    self.lines[#self.lines + 1] = overwrite(lines[i]:sub(1, MAX_LINE))
  end
  if #self.lines > 2 * MAX_LINES then -- rarely, so that it costs little a line
    local over = #self.lines - MAX_LINES
    self.lines = vim.list_slice(self.lines, over + 1)
    self.dropped = self.dropped + over
  end
end

---@param params table terminal/output
function Terminal:output(params)
  if params.data and params.data ~= "" then
    self:write(params.data)
  end
  self.truncated = self.truncated or params.truncated == true
  if type(params.exitStatus) == "table" then
    self.exit = params.exitStatus
  end
end

-- The last n lines, and how many are before them.
---@param n integer
---@return string[] lines, integer before
function Terminal:tail(n)
  local all = #self.lines
  local last = overwrite(self.partial)
  local out = {}
  local take = last ~= "" and n - 1 or n
  for i = math.max(1, all - take + 1), all do
    out[#out + 1] = self.lines[i]
  end
  local before = self.dropped + math.max(0, all - take)
  if last ~= "" then
    out[#out + 1] = last
  end
  return out, before
end

-- A text as a terminal would show it.
---@param text string
---@return string[]
function M.plain(text)
  local t = M.new()
  t:write(text)
  local lines, before = t:tail(MAX_LINES)
  if before > 0 then
    table.insert(lines, 1, ("… %d lines before"):format(before))
  end
  return lines
end

return M
