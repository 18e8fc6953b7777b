std = "luajit"
globals = { "vim" }
self = false -- a method need not use it
max_line_length = false -- stylua has the say
files["tests"] = { read_globals = { "MiniTest" } }
