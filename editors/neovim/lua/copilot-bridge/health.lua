--- `:checkhealth copilot-bridge`: what is there, and what to do about what is not.

local M = {}

local health = vim.health

-- The first start of Copilot CLI unpacks itself; the bridge's own limit is a minute.
local DOCTOR_LIMIT = 70000

---@param exe string
---@param cmd string[]
---@return string?
local function version(exe, cmd)
  local ok, result = pcall(function()
    return vim.system({ exe, "version" }, { text = true }):wait(5000)
  end)
  if not ok or result.code ~= 0 then
    health.error(("`%s version` fails"):format(exe), {
      "is it copilot-bridge? cmd is " .. vim.inspect(cmd),
      "`:CopilotBridge build` builds it from this plugin's sources",
    })
    return nil
  end
  return vim.trim(result.stdout or "")
end

local function check_neovim()
  health.start("Neovim")
  local v = tostring(vim.version())
  if vim.fn.has("nvim-0.10") == 0 then
    health.error("Neovim " .. v .. " is too old", { "0.10 or newer is needed" })
  else
    health.ok("Neovim " .. v)
  end
  local problems = require("copilot-bridge.config").problems
  for _, p in ipairs(problems) do
    health.warn("setup(): " .. p, { "see :help copilot-bridge-options" })
  end
  if #problems == 0 then
    health.ok("the options of setup() are known")
  end
  if vim.fn.exists(":CopilotBridge") ~= 2 then
    health.error("the command :CopilotBridge is not there", {
      "the plugin is in the folder editors/neovim of the repository: that folder, not the repository, has to be in 'runtimepath'",
    })
  end
  if vim.o.autoread and vim.o.hidden == false then
    health.info("'nohidden': a file that the agent changes in another window has to be saved before you leave it")
  end
  if vim.o.swapfile == false and vim.o.undofile == false then
    health.info("'noundofile': undo of an agent's change does not survive quitting; :CopilotBridge undo does")
  end
end

---@return string? exe
local function check_program()
  health.start("copilot-bridge")
  local binary = require("copilot-bridge.binary")
  local cmd, err = binary.command()
  if not cmd then
    local advice = { "`:CopilotBridge build`: " .. binary.recipe().what }
    if require("copilot-bridge.release").version then
      table.insert(advice, 1, "`:CopilotBridge install` downloads the program of this release")
    end
    if vim.fn.executable("go") == 0 then
      advice[#advice + 1] = "that needs Go 1.26 or newer: https://go.dev/doc/install"
    end
    health.error(err --[[@as string]], advice)
    return nil
  end
  local exe = vim.fn.exepath(cmd[1])
  local v = version(exe, cmd)
  if not v then
    return nil
  end
  health.ok(("%s: %s"):format(vim.fn.fnamemodify(exe, ":~"), v:gsub("%s*\n%s*", ", ")))
  if not vim.list_contains(cmd, "lsp") then
    health.warn("the option `cmd` does not say `lsp`", { 'write it as { "copilot-bridge", "lsp" }' })
  end
  for _, link in ipairs(require("copilot-bridge.client").links()) do
    if link.ready then
      health.ok(("runs for %s, process %s"):format(vim.fn.fnamemodify(link.root, ":~"), tostring(link.client.rpc.pid)))
    elseif link.down then
      health.error(
        ("is down for %s: %s"):format(link.root, link.down),
        { "`:CopilotBridge log` says why", "`:CopilotBridge restart`" }
      )
    end
  end
  return exe
end

--- The agent's command, as the bridge would start it.
---@return string[]
local function agent_command()
  local config = require("copilot-bridge.config").get()
  local agent = config.init_options.agent or {}
  local cmd = config.cmd or {}
  for i, word in ipairs(cmd) do
    if word == "--" then
      return vim.list_slice(cmd, i + 1)
    end
  end
  return agent.command or { "copilot" }
end

local NAMES = {
  program = "Copilot CLI",
  version = "version",
  asks = "permission",
  state = "state folder",
  start = "start",
  ["sign-in"] = "sign-in",
  mcp = "MCP",
}

---@param exe string
local function check_agent(exe)
  health.start("Copilot CLI")
  local agent = agent_command()
  local cmd = vim.list_extend({ exe, "doctor", "--json", "--" }, agent)
  local ok, result = pcall(function()
    return vim.system(cmd, { text = true, env = require("copilot-bridge.config").get().env }):wait(DOCTOR_LIMIT)
  end)
  local report
  if ok then
    ok, report = pcall(vim.json.decode, result.stdout or "", { luanil = { object = true } })
  end
  if not ok or type(report) ~= "table" then
    health.error("`copilot-bridge doctor` gave no report", { vim.trim(result and result.stderr or tostring(report)) })
    return
  end
  for _, c in ipairs(report.checks or {}) do
    local line = ("%s: %s"):format(NAMES[c.name] or c.name, c.detail or "")
    if c.name == "version" then
      line = ("version: Copilot CLI %s"):format(c.detail or "")
    end
    if c.ok and c.name ~= "editors" then
      health.ok(line)
    elseif not c.ok then
      health.error(line, c.fix and { c.fix } or nil)
    end
  end
  if report.quirks and #report.quirks > 0 then
    health.info("known of this version, and dealt with: " .. table.concat(report.quirks, ", "))
  end
end

local function check_mcp()
  health.start("Editor tools (MCP)")
  local tools = require("copilot-bridge.config").get().init_options.tools or {}
  local off = {}
  for _, name in ipairs({ "files", "shell", "diagnostics" }) do
    if tools[name] == false then
      off[#off + 1] = name
    end
  end
  if #off == 0 then
    health.ok("the agent reads and changes your buffers, and its commands run in the bridge")
  else
    health.warn("switched off in init_options.tools: " .. table.concat(off, ", "), {
      "with `files` off the agent reads the disk and does not see unsaved text",
    })
  end
  local dir = vim.env.XDG_RUNTIME_DIR or vim.fn.stdpath("run")
  if
    dir and not vim.uv.fs_access(dir --[[@as string]], "W")
  then
    health.warn(("%s cannot be written: the socket of the editor tools has to be somewhere else"):format(dir))
  end
end

local function check_neighbours()
  health.start("Beside it")
  for _, name in ipairs({ "copilot_bridge", "copilot-bridge" }) do
    local others = vim.tbl_filter(function(c)
      return not (c.config and c.config.init_options and c.rpc and c.rpc.pid)
    end, vim.lsp.get_clients({ name = name }))
    if #others > 0 then
      health.warn("a client of vim.lsp.config runs the bridge as well", {
        "remove that configuration: the plugin starts the bridge itself",
      })
    end
  end
  local select = debug.getinfo(vim.ui.select, "S").source
  health.info(
    require("copilot-bridge.question.queue").plain_select() and "questions open in a window of the plugin's"
      or "questions go to vim.ui.select, from " .. select:gsub("^@", "")
  )
  if vim.env.TMUX and vim.fn.executable("tmux") == 1 then
    local shown = vim.system({ "tmux", "show", "-gv", "focus-events" }, { text = true }):wait(2000)
    if vim.trim(shown.stdout or "") == "off" then
      health.warn("tmux does not say when you are elsewhere", { "`set -g focus-events on` in ~/.tmux.conf" })
    end
  end
end

function M.check()
  check_neovim()
  local exe = check_program()
  if exe then
    check_agent(exe)
  end
  check_mcp()
  check_neighbours()
end

return M
