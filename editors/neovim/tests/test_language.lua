--- The language servers of Neovim for the real Copilot, with a real gopls (GOPLS, see .ci/neovim).

local h = require("tests.helpers")
local eq = MiniTest.expect.equality

local child
local T = h.cases(function()
  return child
end)

local PROJECT = {
  ["go.mod"] = "module example.com/shop\n\ngo 1.21\n",
  ["lib.go"] = "package main\n\n// Total adds up.\nfunc Total(n int) int { return n }\n",
  ["main.go"] = "package main\n\nfunc main() { println(Total(1)) }\n",
  ["far.go"] = "package main\n\nfunc far() int { return Total(2) }\n",
}

--- A child whose Go files gopls looks after.
---@param files table<string, string>
---@return table
local function with_gopls(files)
  assert(vim.env.GOPLS, "GOPLS names the gopls to test with, see .ci/neovim")
  child = h.child({ files = files })
  h.answer(child, "Allow once")
  child.lua(
    [[
    vim.cmd("filetype on")
    local gopls, root = ...
    vim.api.nvim_create_autocmd("FileType", { pattern = "go", callback = function(ev)
      vim.lsp.start({ name = "gopls", cmd = { gopls }, root_dir = root }, { bufnr = ev.buf })
    end })
  ]],
    { vim.env.GOPLS, child.ws }
  )
  return child
end

--- A step of the model's at a place.
local function at(tool, name, line, symbol, more)
  local args = { path = child.ws .. "/" .. name, line = line, symbol = symbol }
  return { tool = tool, args = vim.tbl_extend("force", args, more or {}) }
end

---@return string
local function results()
  return table.concat(h.told("results"), "\n----\n")
end

---@param text string
---@param words string
local function has(text, words)
  if not text:find(words, 1, true) then
    error(("no %q in:\n%s"):format(words, text), 2)
  end
end

local function buffer(name)
  return table.concat(
    child.lua_get("vim.api.nvim_buf_get_lines(vim.fn.bufnr(...), 0, -1, false)", { child.ws .. "/" .. name }),
    "\n"
  ) .. "\n"
end

T["what exists only in an unsaved buffer is found, and its uses in two files"] = function()
  with_gopls(PROJECT)
  child.cmd("edit lib.go")
  child.api.nvim_buf_set_lines(0, -1, -1, false, { "", "func Fresh() int { return Total(3) }" })
  child.cmd("edit main.go")
  child.api.nvim_buf_set_lines(0, -1, -1, false, { "", "func mine() int { return Fresh() }" })
  h.prompt(child, {
    at("definition", "main.go", 5, "Fresh"),
    { tool = "symbols", args = { path = child.ws .. "/lib.go" } },
    at("references", "lib.go", 4, "Total"),
    at("hover", "main.go", 3, "Total"),
    { text = "fin" },
  })
  local told = h.told("results")
  eq(told[1], "lib.go:6: func Fresh() int { return Total(3) }")
  has(told[2], "lib.go:6: func Fresh()")
  has(told[2], "lib.go:4: func Total(n int) int")
  has(told[3], "lib.go:6: func Fresh() int { return Total(3) }") -- not saved
  has(told[3], "far.go:3: func far() int { return Total(2) }") -- not open
  has(told[4], "Total adds up.")
  eq(#vim.tbl_filter(function(b)
    return b.loaded == 1 and b.name:find("far.go", 1, true) ~= nil
  end, child.fn.getbufinfo()), 0)
end

T["a file that is opened for the servers is closed again, and read as usual by a user who goes there"] = function()
  with_gopls(PROJECT)
  child.cmd("edit main.go")
  local loaded = ("vim.fn.bufloaded(%q) == %%d"):format(child.ws .. "/far.go")
  h.prompt(child, { at("hover", "far.go", 3, "Total"), { text = "fin" } })
  has(h.told("results")[1], "Total adds up.")
  h.wait(child, loaded:format(0))
  h.prompt(child, { at("hover", "far.go", 3, "Total"), { text = "fin" } })
  eq(child.lua_get(loaded:format(1)), true)
  child.cmd("edit far.go")
  eq({ child.bo.buflisted, child.bo.filetype, h.lines(child)[1] }, { true, "go", "package main" })
end

T["a rename changes an unsaved buffer, a saved one and a closed file, and one file can be undone"] = function()
  with_gopls(PROJECT)
  child.cmd("edit main.go")
  child.cmd("edit lib.go")
  child.api.nvim_buf_set_lines(0, -1, -1, false, { "", "// mine" })
  h.prompt(child, { at("rename", "lib.go", 4, "Total", { newName = "Sum" }), { text = "fin" } })
  has(results(), "done in 3 files")
  eq(#child.lua_get("_G.asked"), 1)
  eq(buffer("lib.go"), "package main\n\n// Sum adds up.\nfunc Sum(n int) int { return n }\n\n// mine\n")
  eq(h.read(child, "lib.go"), PROJECT["lib.go"])
  eq(h.read(child, "main.go"), "package main\n\nfunc main() { println(Sum(1)) }\n")
  eq(h.read(child, "far.go"), "package main\n\nfunc far() int { return Sum(2) }\n")
  eq(child.lua_get("vim.bo[vim.fn.bufnr('main.go')].modified"), false)
  child.cmd("write")
  local built = vim.system({ "go", "vet", "./..." }, { cwd = child.ws, text = true }):wait()
  eq(built.code, 0)
  child.lua([[
    local client = require("copilot-bridge.client")
    local link = client.links()[1]
    client.request(link, "copilot-bridge/review/list", {}, function(_, r)
      _G.files = {}
      for _, f in ipairs(r.files) do
        _G.files[vim.fs.basename(f.uri)] = #f.hunks
      end
      local uri = vim.uri_from_fname(vim.fn.getcwd() .. "/far.go")
      client.request(link, "copilot-bridge/review/resolve", { action = "undo", uri = uri }, function(_, done)
        _G.undone = done.resolved
      end)
    end)
  ]])
  eq(h.wait(child, "_G.undone"), 1)
  eq(child.lua_get("_G.files"), { ["lib.go"] = 1, ["main.go"] = 1, ["far.go"] = 1 })
  eq(h.read(child, "far.go"), PROJECT["far.go"])
  has(h.read(child, "main.go"), "Sum(1)")
  has(buffer("lib.go"), "func Sum")
end

T["an edit that breaks a caller in another file tells that, and nothing else"] = function()
  with_gopls(vim.tbl_extend("force", PROJECT, { ["old.go"] = "package main\n\nvar old = missing\n" }))
  child.cmd("edit old.go")
  h.wait(child, "#vim.diagnostic.get(0) > 0")
  h.prompt(child, {
    h.edit(child, "lib.go", "Total(n int) int", "Total(n string) int"),
    { text = "fin" },
  })
  local told = results()
  has(told, "new error")
  has(told, "main.go:3: ")
  has(told, "far.go:3: ")
  has(told, "lib.go:4: ")
  eq(told:find("missing", 1, true), nil)
end

T["without a server the tools say so, and what a quick fix changes is asked about"] = function()
  with_gopls(vim.tbl_extend("force", PROJECT, {
    ["notes.txt"] = "Total\n",
    ["fix.go"] = 'package main\n\nfunc fix() { fmt.Println("x") }\n',
  }))
  child.cmd("edit fix.go")
  h.wait(child, "#vim.diagnostic.get(0) > 0")
  h.prompt(child, {
    at("definition", "notes.txt", 1, "Total"),
    at("codeActions", "fix.go", 3),
    at("codeActions", "fix.go", 3, nil, { apply = 'Add import:  "fmt"' }),
    { text = "fin" },
  })
  local told = h.told("results")
  has(told[1], "no language server of the editor looks after notes.txt")
  has(told[1], "grep")
  has(told[2], 'Add import:  "fmt"')
  has(told[3], "done in 1 file: fix.go")
  has(h.read(child, "fix.go"), 'import "fmt"')
end

return T
