-- For `vim.lsp.enable("copilot-bridge")` of Neovim 0.11: the bridge starts with the first file of a project, as with the option
-- `autostart`. The plugin starts it itself, with what Neovim's own client would not answer; so no root is ever given here.
return {
  cmd = function()
    error("the plugin copilot-bridge starts its server itself")
  end,
  root_dir = function(buf)
    require("copilot-bridge.client").consider(buf)
  end,
}
