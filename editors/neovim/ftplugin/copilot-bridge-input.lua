if vim.b.did_ftplugin then
  return
end
vim.b.did_ftplugin = 1
vim.bo.omnifunc = "v:lua.require'copilot-bridge.chat.complete'.omnifunc"
vim.bo.completefunc = "v:lua.require'copilot-bridge.chat.complete'.omnifunc"
vim.bo.commentstring = ""
vim.bo.textwidth = 0
vim.bo.expandtab = true
require("copilot-bridge.chat.keys").attach(vim.api.nvim_get_current_buf(), "input")
