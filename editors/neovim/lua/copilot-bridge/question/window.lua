--- How a question looks: its window, its text, the line of answers at its foot. It asks nothing and remembers nothing.

local M = {}

local ns = vim.api.nvim_create_namespace("copilot-bridge.question.dialog")

-- Lines that stay free around the window.
local MARGIN = 4
local MIN_WIDTH = 50

---@param text string
---@return string
local function one_line(text)
  return (text:gsub("[\r\n]", "␤"))
end

---@param lines copilot-bridge.Line[]
---@return integer buf
function M.fill(lines)
  local buf = vim.api.nvim_create_buf(false, true)
  vim.bo[buf].bufhidden = "wipe"
  local plain = {}
  for i, line in ipairs(lines) do
    plain[i] = " " .. one_line(line[1])
  end
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, plain)
  for i, line in ipairs(lines) do
    if line.hl then
      vim.api.nvim_buf_set_extmark(buf, ns, i - 1, 0, { end_row = i, hl_group = line.hl, hl_eol = true })
    end
  end
  vim.bo[buf].modifiable = false
  vim.bo[buf].filetype = "copilot-bridge-question"
  return buf
end

---@param lines copilot-bridge.Line[]
---@param footer [string, string][]?
---@return integer width
---@return integer height
local function size(lines, footer)
  local width = MIN_WIDTH
  for _, line in ipairs(lines) do
    width = math.max(width, vim.fn.strdisplaywidth(line[1]) + 2)
  end
  local foot = 2
  for _, part in ipairs(footer or {}) do
    foot = foot + vim.fn.strdisplaywidth(part[1])
  end
  width = math.min(math.max(width, foot), vim.o.columns - 4)
  local height = 0
  for _, line in ipairs(lines) do
    height = height + math.max(1, math.ceil((vim.fn.strdisplaywidth(line[1]) + 1) / width))
  end
  return width, math.max(1, math.min(height, vim.o.lines - vim.o.cmdheight - MARGIN - 2))
end

---@param title string
---@param lines copilot-bridge.Line[]
---@param footer [string, string][]?
---@param at "top"|"bottom"
function M.layout(title, lines, footer, at)
  local width, height = size(lines, footer)
  return {
    relative = "editor",
    width = width,
    height = height,
    row = at == "top" and 1 or math.max(0, vim.o.lines - vim.o.cmdheight - height - 3),
    col = math.max(0, math.floor((vim.o.columns - width) / 2) - 1),
    style = "minimal",
    border = "rounded",
    title = { { " " .. one_line(title) .. " ", "CopilotBridgeTitle" } },
    footer = footer,
    zindex = 60,
  }
end

---@param win integer
function M.dress(win)
  vim.wo[win].wrap = true
  vim.wo[win].linebreak = true
  vim.wo[win].cursorline = false
  vim.wo[win].winhighlight = "NormalFloat:Normal"
end

---@param options copilot-bridge.Answer[]
---@param extras copilot-bridge.Extra[]
---@return [string, string][]
---@return copilot-bridge.Line[] more the answers that have no room there; they belong below the text
function M.footer_of(options, extras)
  local out, more = { { " ", "FloatBorder" } }, {}
  local left = vim.o.columns - 8
  -- What does not fit is cut off by Neovim at the wrong end.
  local function add(key, label)
    left = left - vim.fn.strdisplaywidth(key .. " " .. label .. "  ")
    if left >= 0 then
      vim.list_extend(out, { { key, "CopilotBridgeKey" }, { " " .. label .. "  ", "FloatBorder" } })
    else
      left = 0 -- what comes after it stays behind it
      more[#more + 1] = key .. " " .. label
    end
  end
  for i, o in ipairs(options) do
    add(o.keys and o.keys[1] or tostring(i), o.label)
  end
  for _, e in ipairs(extras) do
    add(e.key, e.label)
  end
  return out, #more > 0 and { { table.concat(more, "  "), hl = "CopilotBridgeHint" } } or {}
end

return M
