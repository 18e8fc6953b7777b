std = "luajit"
read_globals = { "vim" }
globals = { "vim.bo", "vim.wo", "vim.b", "vim.w", "vim.g", "vim.o", "vim.opt", "vim.opt_local", "vim.ui", "vim.notify", "vim.env", "vim.v" }
max_line_length = 120
files["tests"] = { read_globals = { "MiniTest" } }
