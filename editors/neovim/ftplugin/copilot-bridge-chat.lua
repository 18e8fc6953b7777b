if vim.b.did_ftplugin then
  return
end
vim.b.did_ftplugin = 1
vim.bo.commentstring = "<!-- %s -->"
require("copilot-bridge.chat.keys").attach(vim.api.nvim_get_current_buf(), "transcript")
