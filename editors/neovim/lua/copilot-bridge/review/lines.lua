--- Selected lines of a hunk that get their old text back. It is an edit of the user's like any other: the bridge follows it, and
--- what is left of the hunk stays pending.

local render = require("copilot-bridge.review.render")
local text = require("copilot-bridge.text")

local M = {}

--- What lines of the new text are to be replaced by: {first, last, lines}, rows of the new text, last excluded.
---@param old string[]
---@param new string[]
---@param from integer 0-based, of the new text
---@param to integer excluded
---@return {[1]: integer, [2]: integer, [3]: string[]}[]
local function parts(old, new, from, to)
  local out = {}
  local a, b = table.concat(old, "\n") .. "\n", table.concat(new, "\n") .. "\n"
  local opts = { result_type = "indices", linematch = true }
  for _, d in
    ipairs(vim.diff(#old > 0 and a or "", #new > 0 and b or "", opts) --[[@as integer[][] ]])
  do
    local first_old = d[2] == 0 and d[1] or d[1] - 1
    local first = d[4] == 0 and d[3] or d[3] - 1
    local last = first + d[4]
    if d[4] == 0 then -- lines that were taken out: they belong to the line above and to the one below
      if from <= first and first <= to then
        out[#out + 1] = { first, first, vim.list_slice(old, first_old + 1, first_old + d[2]) }
      end
    elseif from < last and to > first then
      if d[2] == d[4] or d[2] == 0 then -- line by line
        local s, e = math.max(from, first), math.min(to, last)
        local lines = d[2] == 0 and {} or vim.list_slice(old, first_old + s - first + 1, first_old + e - first)
        out[#out + 1] = { s, e, lines }
      else
        out[#out + 1] = { first, last, vim.list_slice(old, first_old + 1, first_old + d[2]) }
      end
    end
  end
  return out
end

--- Gives rows of a hunk their old text back; false where they are all of it.
---@param buf integer
---@param h copilot-bridge.Hunk
---@param from integer 0-based
---@param to integer excluded
---@return boolean
function M.undo(buf, h, from, to)
  local first, last = render.where(buf, h)
  if from <= first and to >= last or not vim.bo[buf].modifiable then
    return false
  end
  local old, new = text.lines(h.oldText), vim.api.nvim_buf_get_lines(buf, first, last, false)
  local list = parts(old, new, math.max(0, from - first), math.min(#new, to - first))
  for i = #list, 1, -1 do
    local p = list[i]
    vim.api.nvim_buf_set_lines(buf, first + p[1], first + p[2], false, p[3])
  end
  return #list > 0
end

return M
