--- `:CopilotBridge login`: the agent's own sign-in, in a terminal below.

local notify = require("copilot-bridge.notify")
local session = require("copilot-bridge.session")

local M = {}

--- Runs a command in a terminal window, and calls done with its status.
---@param command string
---@param done fun(status: integer)
local function terminal(command, done)
  vim.cmd("botright new")
  local env = require("copilot-bridge.config").get().env
  local opts = {
    env = next(env) and env or nil, -- an empty table is a list to Vim's functions
    on_exit = function(_, status)
      done(status)
    end,
  }
  if vim.fn.has("nvim-0.11") == 1 then
    vim.fn.jobstart({ vim.o.shell, vim.o.shellcmdflag, command }, vim.tbl_extend("force", opts, { term = true }))
  else
    vim.fn.termopen({ vim.o.shell, vim.o.shellcmdflag, command }, opts)
  end
  vim.cmd.startinsert()
end

function M.run()
  session.request("auth/signIn", {}, function(err, result)
    if err then
      return notify.failed(err, "Could not sign in")
    elseif not result.command then
      return notify.info(result.message)
    end
    terminal(result.command, function(status)
      if status ~= 0 then
        return notify.error("Sign-in failed", ": see the terminal, then :CopilotBridge login again")
      end
      notify.info("Signed in")
      session.request("agent/restart", {}) -- it reads who is signed in when it starts
    end)
  end)
end

return M
