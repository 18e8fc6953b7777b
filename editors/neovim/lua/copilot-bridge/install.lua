--- `:CopilotBridge install`: the program of the release that the plugin belongs to, downloaded, checked and unpacked.
---
--- Nothing is unpacked, and nothing that is there is touched, before the archive has the checksum that the plugin came with.

local M = {}

-- How long one of the tools may take: an archive has 7 MB.
local DOWNLOAD_LIMIT, TOOL_LIMIT = 300000, 60000

---@class copilot-bridge.Release
---@field version string?
---@field url string? the folder of the archives
---@field sha256 table<string, string> by the archive's name

---@return copilot-bridge.Release
function M.release()
  return require("copilot-bridge.release")
end

--- The system and the processor as the archives are named.
---@param uname {sysname: string, machine: string}?
---@return string? system
---@return string arch
function M.platform(uname)
  uname = uname or vim.uv.os_uname()
  local system = ({ Linux = "linux", Darwin = "darwin" })[uname.sysname]
  if uname.sysname:find("Windows", 1, true) or uname.sysname:find("MINGW", 1, true) then
    system = "windows"
  end
  local arch = ({ x86_64 = "amd64", AMD64 = "amd64", aarch64 = "arm64", arm64 = "arm64", ARM64 = "arm64" })[uname.machine]
  return system, arch or uname.machine
end

--- The archive for this machine.
---@param release copilot-bridge.Release
---@return string?
---@return string? err
function M.archive(release)
  if not release.version then
    return nil,
      "this plugin is a checkout of the sources, which has no checksums: `:CopilotBridge build` builds the program, or install the plugin from copilot-bridge/copilot-bridge.nvim"
  end
  local system, arch = M.platform()
  local name = ("copilot-bridge_%s_%s_%s.%s"):format(
    release.version,
    system or "?",
    arch,
    system == "windows" and "zip" or "tar.gz"
  )
  if not system or not release.sha256[name] then
    local uname = vim.uv.os_uname()
    return nil,
      ("there is no released program for %s on %s: `:CopilotBridge build` builds it with Go"):format(
        uname.sysname,
        uname.machine
      )
  end
  return name
end

--- What prints the SHA-256 of a file, first of the line or on a line of its own; each system has one of them.
---@param file string
---@return string[]? cmd
local function summer(file)
  for _, cmd in ipairs({
    { "sha256sum", file },
    { "shasum", "-a", "256", file },
    { "certutil", "-hashfile", file, "SHA256" },
  }) do
    if vim.fn.executable(cmd[1]) == 1 then
      return cmd
    end
  end
end

--- Runs a tool. done(stdout, err) is called once, where everything may be called.
---@param cmd string[]
---@param limit integer
---@param done fun(out: string?, err: string?)
local function run(cmd, limit, done)
  if vim.fn.executable(cmd[1]) == 0 then
    return done(nil, ("`%s` isn't installed"):format(cmd[1]))
  end
  local ok, problem = pcall(vim.system, cmd, { text = true, timeout = limit }, function(result)
    vim.schedule(function()
      if result.code == 0 then
        return done(result.stdout or "")
      end
      local said = vim.trim((result.stderr or "") .. (result.stdout or ""))
      done(nil, ("`%s` failed: %s"):format(cmd[1], said ~= "" and said or "status " .. result.code))
    end)
  end)
  if not ok then
    done(nil, tostring(problem))
  end
end

--- Puts the unpacked program in its place, in one step: one that runs goes on with the old file.
---@param from string
---@param to string
---@return string? err
local function put(from, to)
  vim.fn.mkdir(vim.fs.dirname(to), "p")
  local ok, err = vim.uv.fs_chmod(from, tonumber("755", 8))
  if not ok then
    return err
  end
  local old = to .. ".old"
  vim.uv.fs_unlink(old)
  if vim.fn.has("win32") == 1 then
    vim.uv.fs_rename(to, old) -- a program that runs can be renamed there, not replaced
  end
  ok, err = vim.uv.fs_rename(from, to)
  if not ok then
    return err
  end
end

--- Installs the program of the release. done(err) is called once.
---@param done fun(err: string?)?
function M.install(done)
  local notify = require("copilot-bridge.notify")
  local release = M.release()
  local to = require("copilot-bridge.binary").installed_path()
  local work
  local function finish(err)
    if work then
      vim.fn.delete(work, "rf")
    end
    if err then
      notify.error("Could not install: " .. err)
    end
    if done then
      done(err)
    end
  end

  local name, err = M.archive(release)
  if not name then
    return finish(err)
  end
  local base = require("copilot-bridge.config").get().install.url or release.url --[[@as string]]
  local url = base:gsub("/+$", "") .. "/" .. name
  -- Beside where the program goes: the last step is a rename.
  vim.fn.mkdir(vim.fs.dirname(to), "p")
  work = vim.uv.fs_mkdtemp(vim.fs.joinpath(vim.fs.dirname(to), "install-XXXXXX"))
  if not work then
    return finish(("%s cannot be written"):format(vim.fs.dirname(to)))
  end
  local file = vim.fs.joinpath(work, name)

  local function unpacked(_, failed)
    if failed then
      return finish(failed .. "; the archive is whole, so unpack " .. url .. " by hand and set `cmd`")
    end
    local problem = put(vim.fs.joinpath(work, vim.fs.basename(to)), to)
    if problem then
      return finish(("%s cannot be put in its place: %s"):format(to, problem))
    end
    run({ to, "version" }, TOOL_LIMIT, function(out, broken)
      if broken then
        return finish(("%s does not run here: %s"):format(to, broken))
      end
      notify.info(("Installed %s: %s"):format(vim.fn.fnamemodify(to, ":~"), vim.trim(out)))
      finish()
    end)
  end

  local function summed(out, failed)
    if failed then
      return finish(failed)
    end
    local got = out:lower():match("%f[%x]" .. ("%x"):rep(64) .. "%f[^%x]")
    if got ~= release.sha256[name] then
      return finish(
        ("%s is not what was released: its SHA-256 is %s, and should be %s. Nothing was unpacked. Try again; if it stays so, do not use what is there, and tell the maintainers"):format(
          url,
          got or "unknown",
          release.sha256[name]
        )
      )
    end
    run(
      { "tar", name:match("%.zip$") and "-xf" or "-xzf", file, "-C", work, vim.fs.basename(to) },
      TOOL_LIMIT,
      unpacked
    )
  end

  local function downloaded(_, failed)
    if failed then
      return finish(
        failed
          .. ("; download %s by hand, or `:CopilotBridge build`. Behind a proxy set HTTPS_PROXY, for a mirror `install.url` in setup()"):format(
            url
          )
      )
    end
    local cmd = summer(file)
    if not cmd then
      return finish("it needs `sha256sum`, `shasum` or `certutil` to check what it downloaded")
    end
    run(cmd, TOOL_LIMIT, summed)
  end

  notify.info(("Downloading %s…"):format(url))
  run({ "curl", "--fail", "--silent", "--show-error", "--location", "--output", file, url }, DOWNLOAD_LIMIT, downloaded)
end

return M
