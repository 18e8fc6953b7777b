--- Run in a Neovim that has the plugin from its mirror: `:CopilotBridge install` from the server INSTALL_URL must do what EXPECT
--- says, "installed" or what its error has in it. Ends Neovim with 0 or 1.
local function finish(ok, text)
  io.stdout:write(text .. "\n")
  vim.cmd(ok and "qall!" or "cquit!")
end

require("copilot-bridge").setup({ install = { url = vim.env.INSTALL_URL } })
local binary = require("copilot-bridge.binary")
local want = vim.env.EXPECT
local ended, problem = false, nil
require("copilot-bridge").install(function(err)
  ended, problem = true, err
end)
if not vim.wait(60000, function()
  return ended
end, 20) then
  return finish(false, "install does not end")
end
local there = vim.fn.executable(binary.installed_path()) == 1
if want ~= "installed" then
  local ok = not there and problem ~= nil and problem:find(want, 1, true) ~= nil
  return finish(ok, ("refused: %s"):format(tostring(problem)))
end
if problem or not there then
  return finish(false, ("not installed: %s"):format(tostring(problem)))
end
local cmd = assert(binary.command())
local said = vim.trim(vim.fn.system({ cmd[1], "version" }))
local demo = vim.fn.system({ cmd[1], "demo", "--no-color" })
local leftover = vim.fn.glob(vim.fs.dirname(binary.installed_path()) .. "/install-*")
local ok = cmd[1] == binary.installed_path()
  and said == "copilot-bridge " .. require("copilot-bridge.release").version
  and demo:find("That was a whole turn", 1, true) ~= nil
  and leftover == ""
finish(ok, ("installed %s: %s"):format(cmd[1], said))
