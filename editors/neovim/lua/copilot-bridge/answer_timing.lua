--- An answer that comes as the question does was meant for what was there before, such as a question that was withdrawn.

local M = {}

-- So soon (milliseconds).
local TOO_SOON = 500
-- No hand is as quick as this (milliseconds): a picker that has answered by then, before it let go and with no key waiting, is a
-- function of the user's configuration that answers by itself, and what it says counts.
local BY_ITSELF = 20
-- After so many such answers of a picker something else is done than to ask with it once more.
local HURRIED = 3

--- The time (milliseconds), also where the loop has stood still in a picker that blocks.
---@return integer
function M.now()
  vim.uv.update_time()
  return vim.uv.now()
end

--- Whether an answer that comes now can have been meant for a question.
---@param opened integer when the question came on the screen, by now()
---@return boolean
function M.counts(opened)
  return M.now() - opened >= TOO_SOON
end

---@class copilot-bridge.TimedQuestion
---@field show fun(answer: fun(value: any?)) asks; of each time the first answer counts
---@field done fun(value: any?) once: the answer
---@field tired fun() once, in its place: it has been asked often enough
---@field wanted fun(): boolean the question is still open

--- Asks with vim.ui.select or vim.ui.input, and once more when the answer came too soon to be one.
---@param o copilot-bridge.TimedQuestion
function M.ask(o)
  local times = 0
  local function again()
    if not o.wanted() then
      return
    end
    times = times + 1
    local typed = vim.fn.getchar(1) ~= 0
    local answered, shown, opened = false, false, M.now()
    o.show(function(value)
      if answered then
        return
      end
      answered = true
      if M.counts(opened) or not (shown or typed) and M.now() - opened < BY_ITSELF then
        return o.done(value)
      end
      vim.schedule(times < HURRIED and again or function()
        if o.wanted() then
          o.tired()
        end
      end)
    end)
    shown = true
    if not answered then
      opened = M.now() -- one that does not block is on the screen by now
    end
  end
  again()
end

return M
