--- The scripted model behind the real Copilot CLI: a process of its own that all cases of a file share.

local M = {}

-- How long something may take before it counts as never (milliseconds). The longest is a real Copilot's start: seconds on an
-- idle machine, a multiple of that where many tests share two cores. Only a case that fails waits that long.
M.PATIENCE = 120000

---@type integer? channel of the model's process
local model
local answers = {}

--- Asks the model's process.
---@param request table
---@return table
function M.ask(request)
  if not model then
    local partial = ""
    model = vim.fn.jobstart({ vim.env.MODEL }, {
      on_stdout = function(_, data)
        partial = partial .. data[1]
        for i = 2, #data do
          table.insert(answers, vim.json.decode(partial))
          partial = data[i]
        end
      end,
    })
  end
  vim.fn.chansend(model, vim.json.encode(request) .. "\n")
  if not vim.wait(M.PATIENCE, function()
    return #answers > 0
  end, 5) then
    error("the model did not answer " .. vim.inspect(request))
  end
  local a = table.remove(answers, 1)
  if a.error then
    error(a.error)
  end
  return a
end

-- How many messages the model had been sent before the case began.
local sent_before = 0

--- What the model has been told: with "prompts" the messages of the user's in its requests since the case began, with
--- "results" those of tools in its last request.
---@param kind "prompts"|"results"
---@return string[]
function M.told(kind)
  local texts = M.ask({ ["do"] = kind }).texts or {}
  return kind == "prompts" and vim.list_slice(texts, sent_before + 1) or texts
end

--- What it has been told so far is not the case's that begins now.
function M.begin()
  sent_before = #(M.ask({ ["do"] = "prompts" }).texts or {})
end

--- A prompt that makes the model say these steps. A step is {text = …}, {tool = "view", args = {…}} of the editor's tools, or
--- as the model has it.
---@param steps table[]
---@return string
function M.script(steps)
  local out = {}
  for i, step in ipairs(steps) do
    if step.tool then
      step = vim.tbl_extend(
        "force",
        step,
        { tools = { { name = "editor-" .. step.tool, args = step.args or vim.empty_dict() } } }
      )
      step.tool, step.args = nil, nil
    end
    out[i] = step
  end
  return "SCRIPT " .. vim.json.encode(out) .. " ENDSCRIPT"
end

return M
