rockspec_format = "3.0"
package = "copilot-bridge.nvim"
version = "<< .Version >>-1"
source = {
  url = "git+https://github.com/copilot-bridge/copilot-bridge.nvim",
  tag = "v<< .Version >>",
}
description = {
  summary = "GitHub Copilot CLI that sees your unsaved text and asks before it acts",
  homepage = "https://github.com/copilot-bridge/copilot-bridge",
  license = "Apache-2.0",
  labels = { "neovim" },
}
dependencies = { "lua == 5.1" }
build = {
  type = "builtin",
  copy_directories = { "doc", "ftplugin", "plugin", "syntax" },
}
