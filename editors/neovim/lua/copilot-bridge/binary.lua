--- The bridge's program: where it is, and how it is built.

local M = {}

local MODULE = "github.com/copilot-bridge/copilot-bridge"

---@return string
local function suffix()
  return vim.fn.has("win32") == 1 and ".exe" or ""
end

--- Where `:CopilotBridge build` puts the program.
---@return string
function M.built_path()
  return vim.fs.joinpath(vim.fn.stdpath("data") --[[@as string]], "copilot-bridge", "bin", "copilot-bridge" .. suffix())
end

--- Where `:CopilotBridge install` puts the program: one for each version, so that a plugin that is newer asks for its own.
---@return string
function M.installed_path()
  local version = require("copilot-bridge.release").version or "none"
  local data = vim.fn.stdpath("data") --[[@as string]]
  return vim.fs.joinpath(data, "copilot-bridge", "release-" .. version, "copilot-bridge" .. suffix())
end

--- The command line of the bridge, or what to do where there is none: the option `cmd`, then what was installed for this
--- version of the plugin, then PATH, then what was built.
---@return string[]?
---@return string? err
function M.command()
  local cmd = require("copilot-bridge.config").get().cmd
  if cmd then
    if vim.fn.executable(cmd[1]) == 1 then
      return cmd
    end
    return nil, ("`%s` (option `cmd`) can't be run"):format(cmd[1])
  end
  if vim.fn.executable(M.installed_path()) == 1 then
    return { M.installed_path(), "lsp" }
  end
  local path = vim.fn.exepath("copilot-bridge")
  if path ~= "" then
    return { path, "lsp" }
  end
  if vim.fn.executable(M.built_path()) == 1 then
    return { M.built_path(), "lsp" }
  end
  local how = require("copilot-bridge.release").version and "run `:CopilotBridge install`"
    or "run `:CopilotBridge build`"
  return nil, ("copilot-bridge isn't installed: %s"):format(how)
end

--- The folder of the repository that this plugin is a part of, if it is the whole of it.
---@return string?
local function checkout()
  local here = debug.getinfo(1, "S").source:sub(2)
  local root = vim.fs.normalize(vim.fn.fnamemodify(here, ":p:h:h:h:h:h"))
  local mod = vim.fs.joinpath(root, "go.mod")
  if vim.uv.fs_stat(mod) and (vim.fn.readfile(mod, "", 5)[1] or ""):find(MODULE, 1, true) then
    return root
  end
end

--- How the program would be built: from the checkout the plugin is in, else from the newest release.
---@return {cmd: string[], cwd: string?, env: table<string, string>?, what: string}
function M.recipe()
  local out = M.built_path()
  local root = checkout()
  if root then
    return {
      cmd = { "go", "build", "-trimpath", "-o", out, "./cmd/copilot-bridge" },
      cwd = root,
      env = { CGO_ENABLED = "0" },
      what = ("go build ./cmd/copilot-bridge in %s, to %s"):format(
        vim.fn.fnamemodify(root, ":~"),
        vim.fn.fnamemodify(out, ":~")
      ),
    }
  end
  return {
    cmd = { "go", "install", "-trimpath", MODULE .. "/cmd/copilot-bridge@latest" },
    env = { GOBIN = vim.fs.dirname(out), CGO_ENABLED = "0" },
    what = ("go install %s/cmd/copilot-bridge@latest, to %s"):format(MODULE, vim.fn.fnamemodify(out, ":~")),
  }
end

--- Builds the program and the help tags. done(err) is called once.
---@param done fun(err: string?)?
function M.build(done)
  local notify = require("copilot-bridge.notify")
  done = done or function() end
  local doc = vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p:h:h:h") .. "/doc"
  pcall(vim.cmd.helptags, { doc, mods = { silent = true } })
  if vim.fn.executable("go") == 0 then
    local err = "Building needs Go 1.26 or newer: https://go.dev/doc/install"
    notify.error(err)
    return done(err)
  end
  local recipe = M.recipe()
  vim.fn.mkdir(vim.fs.dirname(M.built_path()), "p")
  notify.info(recipe.what .. " …")
  local began = vim.uv.hrtime()
  vim.system(recipe.cmd, { cwd = recipe.cwd, env = recipe.env, text = true }, function(result)
    vim.schedule(function()
      if result.code ~= 0 then
        local err = vim.trim((result.stderr or "") .. (result.stdout or ""))
        notify.error("Build failed: " .. err)
        return done(err)
      end
      notify.info(
        ("Built %s in %.0f s"):format(vim.fn.fnamemodify(M.built_path(), ":~"), (vim.uv.hrtime() - began) / 1e9)
      )
      done()
    end)
  end)
end

return M
