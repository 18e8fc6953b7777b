-- Runs the cases in a Neovim without windows: nvim --clean --headless -u NONE -l tests/run.lua [file…]
-- Needs mini.test in 'runtimepath' and the variables BRIDGE and MODEL (see run.sh). With CASE only the cases with these words.
local here = vim.fs.dirname(vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p"))
package.path = vim.fs.dirname(here) .. "/?.lua;" .. package.path
local test = require("mini.test")
test.setup()

local files = {}
for i = 1, #arg do
  files[i] = here .. "/" .. arg[i] .. ".lua"
end
if #files == 0 then
  files = vim.fn.sort(
    vim.list_extend(vim.fn.globpath(here, "test_*.lua", true, true), vim.fn.globpath(here, "chat_*.lua", true, true))
  )
end
test.run({
  collect = {
    find_files = function()
      return files
    end,
    filter_cases = function(case)
      return not vim.env.CASE or table.concat(case.desc, " "):find(vim.env.CASE, 1, true) ~= nil
    end,
  },
  execute = { reporter = test.gen_reporter.stdout({ group_depth = 1, quit_on_finish = true }) },
})
-- -l would leave before the cases have run. The limit is for all of them together (milliseconds).
local LIMIT = 1800000
if not vim.wait(LIMIT, function()
  return not test.is_executing()
end, 20) then
  io.stderr:write(("\nnot all cases have run within %d minutes\n"):format(LIMIT / 60000))
  os.exit(1)
end
