--- `:CopilotBridge install`: only the archive that the plugin knows is unpacked.

local h = require("tests.helpers")
local eq = MiniTest.expect.equality

local child
local T = h.cases(function()
  return child
end)

--- A Neovim with the plugin of a release, and a curl that "downloads" from the folder `served`.
---@return string served
local function released()
  child = MiniTest.new_child_neovim()
  child.dir = vim.fn.tempname()
  h.start(child, { "-u", "NONE", "--cmd", "set rtp^=" .. vim.env.PLUGIN, "--cmd", "runtime plugin/copilot-bridge.lua" })
  local bin, served = child.dir .. "/bin", child.dir .. "/served"
  vim.fn.mkdir(bin, "p")
  vim.fn.mkdir(served .. "/new", "p")
  vim.fn.writefile({
    "#!/bin/sh",
    'while [ $# -gt 1 ]; do [ "$1" = --output ] && out=$2; shift; done',
    'echo "$1" > "' .. served .. '/asked"',
    'cp "' .. served .. '/$(basename "$1")" "$out"',
  }, bin .. "/curl")
  vim.fn.setfperm(bin .. "/curl", "rwxr-xr-x")
  vim.fn.writefile({ "#!/bin/sh", "echo copilot-bridge 9.9.9" }, served .. "/new/copilot-bridge")
  vim.fn.system({ "tar", "-czf", served .. "/archive", "-C", served .. "/new", "copilot-bridge" })
  child.lua(
    [[
    local bin, sum = ...
    vim.env.PATH = bin .. ":/usr/bin:/bin"
    _G.name = ("copilot-bridge_9.9.9_%s_%s.tar.gz"):format(require("copilot-bridge.install").platform())
    package.loaded["copilot-bridge.release"] = { version = "9.9.9", url = "https://example.org/v9.9.9", sha256 = { [_G.name] = sum } }
    _G.install = function()
      _G.ended = nil
      require("copilot-bridge.install").install(function(err) _G.ended = err or true end)
    end
  ]],
    { bin, vim.fn.system({ "sha256sum", served .. "/archive" }):match("^%x+") }
  )
  vim.uv.fs_rename(served .. "/archive", served .. "/" .. child.lua_get("_G.name"))
  return served
end

---@return boolean|string true, or what is wrong
local function install()
  child.lua("_G.install()")
  h.wait(child, "_G.ended ~= nil", 20000)
  return child.lua_get("_G.ended")
end

local function installed()
  return child.lua_get([[require("copilot-bridge.binary").installed_path()]])
end

local function leftovers()
  return vim.fn.glob(vim.fs.dirname(installed()) .. "/install-*")
end

T["the archive of the release is downloaded, checked and put in its place"] = function()
  local served = released()
  eq(install(), true)
  eq(vim.fn.readfile(served .. "/asked"), { "https://example.org/v9.9.9/" .. child.lua_get("_G.name") })
  eq(child.lua_get([[require("copilot-bridge.binary").command()]]), { installed(), "lsp" })
  eq(vim.trim(vim.fn.system({ installed(), "version" })), "copilot-bridge 9.9.9")
  eq(leftovers(), "")
  child.lua([[require("copilot-bridge").setup({ install = { url = "https://mirror.example.org/x/" } })]])
  eq(install(), true)
  eq(vim.fn.readfile(served .. "/asked"), { "https://mirror.example.org/x/" .. child.lua_get("_G.name") })
end

T["another archive is not unpacked, and what is there stays"] = function()
  local served = released()
  eq(install(), true)
  vim.fn.writefile({ "#!/bin/sh", "echo evil" }, served .. "/new/copilot-bridge")
  vim.fn.system({ "tar", "-czf", served .. "/" .. child.lua_get("_G.name"), "-C", served .. "/new", "copilot-bridge" })
  local why = install()
  eq(why:find("is not what was released", 1, true) ~= nil, true)
  eq(why:find("Nothing was unpacked", 1, true) ~= nil, true)
  eq(vim.trim(vim.fn.system({ installed(), "version" })), "copilot-bridge 9.9.9")
  eq(leftovers(), "")
end

T["what is missing is said, with what to do"] = function()
  local served = released()
  vim.uv.fs_unlink(served .. "/" .. child.lua_get("_G.name"))
  local why = install()
  eq(why:find("by hand, or `:CopilotBridge build`", 1, true) ~= nil, true)
  child.lua([[vim.env.PATH = "/nowhere"]])
  eq(install():find("`curl` isn't installed", 1, true) ~= nil, true)
  child.lua([[package.loaded["copilot-bridge.release"].sha256 = {}]])
  eq(install():find("there is no released program for", 1, true) ~= nil, true)
  child.lua([[package.loaded["copilot-bridge.release"] = nil]])
  eq(install():find("a checkout of the sources", 1, true) ~= nil, true)
  eq(vim.fn.executable(installed()), 0)
end

T["the platform is named as the archives are"] = function()
  released()
  for _, c in ipairs({
    { "Linux", "x86_64", "linux", "amd64" },
    { "Linux", "aarch64", "linux", "arm64" },
    { "Darwin", "arm64", "darwin", "arm64" },
    { "Darwin", "x86_64", "darwin", "amd64" },
    { "Windows_NT", "x86_64", "windows", "amd64" },
    { "Windows_NT", "ARM64", "windows", "arm64" },
    { "FreeBSD", "amd64", vim.NIL, "amd64" },
  }) do
    eq(
      child.lua_get(
        [[(function(s, m) local a, b = require("copilot-bridge.install").platform({ sysname = s, machine = m }); return { a or vim.NIL, b } end)(...)]],
        { c[1], c[2] }
      ),
      { c[3], c[4] }
    )
  end
end

T["an address that is none is told by setup()"] = function()
  released()
  child.lua([[require("copilot-bridge").setup({ install = { url = "ftp://x" } })]])
  eq(child.lua_get([[require("copilot-bridge.config").problems[1] ]]):find("install.url", 1, true) ~= nil, true)
  child.lua([[require("copilot-bridge").setup({ install = { path = "x" } })]])
  eq(child.lua_get([[require("copilot-bridge.config").problems[1] ]]), "There is no option `install.path`")
end

return T
