#!/usr/bin/env python3
"""Plays the plugin in a real Neovim with the real Copilot CLI and a scripted model, and writes what the screen shows as an animated
SVG, the picture of docs/neovim.md:

    BRIDGE=copilot-bridge MODEL=acp/acptest/model/serve demo.py NVIM OUT.svg [COLUMNSxROWS [dark|light]]

Each frame is also written as plain text to OUT.svg.N.txt where KEEP is set. Needs tmux."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import screen_svg

LIMIT = 180  # seconds until a text is on the screen: Copilot's first start unpacks itself
STORE = """import json


def load(path):
    with open(path) as f:
        return json.load(f)


def save(path, data):
    f = open(path, "w")
    json.dump(data, f)


def total(items):
    sum = 0
    for item in items:
        sum += item["price"]
    return sum
"""


class Play:
    def __init__(self, nvim, columns, rows, background):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="demo-"))
        self.project = self.home / "home" / "shop"  # shown as ~/shop
        self.project.mkdir(parents=True)
        (self.project / "store.py").write_text(STORE)
        subprocess.run(["git", "init", "-q"], cwd=self.project, check=True)
        self.model = subprocess.Popen([os.environ["MODEL"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        there = self.ask({"do": "env", "home": str(self.home / "home")})
        plugin = pathlib.Path(__file__).resolve().parent.parent
        init = self.home / "init.lua"
        init.write_text("""
vim.opt.runtimepath:prepend(%s)
vim.o.background, vim.o.termguicolors, vim.o.swapfile, vim.o.ruler = %s, true, false, false
require("copilot-bridge").setup({ cmd = { %s, "lsp" }, init_options = { agent = { command = { %s } } } })
""" % tuple(json.dumps(x) for x in (str(plugin), background, os.environ["BRIDGE"], there["copilot"])))
        self.env = {**os.environ, **there["env"], "COLORTERM": "truecolor"}
        for name in ("CONFIG", "DATA", "STATE"):
            self.env["XDG_%s_HOME" % name] = str(self.home / "x")
        self.socket = "demo-%d" % os.getpid()
        self.frames = []
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(rows), "-c", str(self.project),
                  nvim, "-u", str(init), "store.py")
        self.tmux("set", "-g", "status", "off")
        self.tmux("set", "-g", "escape-time", "0")

    def ask(self, request):
        self.model.stdin.write(json.dumps(request) + "\n")
        self.model.stdin.flush()
        return json.loads(self.model.stdout.readline())

    def tmux(self, *args):
        return subprocess.run(["tmux", "-L", self.socket, *args], env=self.env, check=True, capture_output=True, text=True).stdout

    def keys(self, *keys):
        self.tmux("send-keys", *keys)

    def type(self, text):
        self.tmux("send-keys", "-l", text)

    def sees(self, text):
        end = time.time() + LIMIT
        while text not in self.tmux("capture-pane", "-p"):
            if time.time() > end:
                sys.exit("the screen never shows %r:\n%s" % (text, self.tmux("capture-pane", "-p")))
            time.sleep(0.2)

    def frame(self, seconds):
        """What is on the screen now is shown so long."""
        time.sleep(0.4)
        self.frames.append((self.tmux("capture-pane", "-e", "-p").rstrip("\n").split("\n"), seconds))

    def close(self):
        self.tmux("kill-server")
        self.model.kill()


def script(steps):
    """What the model reads. It is in a file that is attached, so that the prompt is as a user would write it."""
    return "SCRIPT " + json.dumps(steps) + " ENDSCRIPT\n"


def edit(play, old, new):
    return {"tools": [{"name": "editor-edit", "args": {"path": str(play.project / "store.py"), "old_str": old, "new_str": new}}]}


def story(play):
    play.sees("import json")
    play.frame(1.5)
    play.keys("9GVj")
    play.type(":CopilotBridge attach")
    play.keys("Enter")
    play.sees("store.py:9-10")
    play.frame(1.5)
    steps = [edit(play, '    f = open(path, "w")\n    json.dump(data, f)\n', '    with open(path, "w") as f:\n        json.dump(data, f)\n'),
             edit(play, "    sum = 0\n    for item in items:\n        sum += item[\"price\"]\n    return sum\n",
                  "    return sum(item[\"price\"] for item in items)\n"),
             {"text": "Both are done:\n\n| function | change |\n|--|--|\n| `save` | closes its file |\n| `total` | no longer hides `sum` |\n"}]
    (play.project / "notes.md").write_text(script(steps))
    place = "{ uri = vim.uri_from_fname('%s'), range = { start = { line = 0, character = 0 }, ['end'] = { line = 1, character = 0 } } }"
    play.keys("Escape")
    play.type(":lua require('copilot-bridge').attach(nil, { %s })" % (place % (play.project / "notes.md")))
    play.keys("Enter")
    play.sees("notes.md:1")
    play.type("iClose the file in save(), and tidy total()")
    play.frame(2)
    play.keys("C-s")
    play.sees("Copilot: Edit")
    play.frame(3)
    time.sleep(1)
    play.keys("y")
    play.sees("line 15")
    play.frame(3)
    time.sleep(1)
    play.keys("y")
    play.sees("no longer hides")
    play.frame(3)
    play.keys("Escape")
    play.type(":CopilotBridge review")
    play.keys("Enter")
    play.sees("K keep")
    play.frame(3)
    play.type("jjK")
    play.frame(2)


def main():
    nvim, out = sys.argv[1:3]
    columns, rows = map(int, (sys.argv[3] if len(sys.argv) > 3 else "120x32").split("x"))
    play = Play(nvim, columns, rows, sys.argv[4] if len(sys.argv) > 4 else "dark")
    try:
        story(play)
    finally:
        play.close()
    whole, at = sum(s for _, s in play.frames), 0.0
    svg = screen_svg.head(columns, rows, "Neovim with Copilot: lines are attached, two changes asked about in the file, and reviewed")
    svg.append("<style>g{visibility:hidden;animation:%.1fs steps(1) infinite}" % whole)
    for i, (_, seconds) in enumerate(play.frames):
        start, end = 100 * at / whole, 100 * (at + seconds) / whole
        svg.append("#f%d{animation-name:k%d}@keyframes k%d{0%%{visibility:hidden}%.2f%%{visibility:visible}%.2f%%{visibility:hidden}}"
                   % (i, i, i, start, end))
        at += seconds
    svg.append("</style>")
    for i, (lines, _) in enumerate(play.frames):
        svg += ['<g id="f%d">' % i] + screen_svg.body(lines) + ["</g>"]
        if os.environ.get("KEEP"):
            pathlib.Path("%s.%d.txt" % (out, i)).write_text("\n".join(lines))
            pathlib.Path("%s.%d.svg" % (out, i)).write_text(
                "\n".join(screen_svg.head(columns, rows, "") + screen_svg.body(lines) + ["</svg>"]))
    pathlib.Path(out).write_text("\n".join(svg + ["</svg>"]) + "\n")


main()
