#!/usr/bin/env python3
"""Turns a terminal's screen into an SVG:  tmux capture-pane -e -p | screen_svg.py COLUMNS LABEL > out.svg

Knows what Neovim sends to a terminal with true colour: SGR colours, bold, italic, underline, reverse."""
import html
import re
import sys
import unicodedata

CELL, LINE, SIZE, PAD = 7.8, 17, 13, 12
FG, BG = "#e0e2ea", "#14161b"
BASE = ["#000000", "#cd3131", "#0dbc79", "#e5e510", "#2472c8", "#bc3fbc", "#11a8cd", "#e5e5e5",
        "#666666", "#f14c4c", "#23d18b", "#f5f543", "#3b8eea", "#d670d6", "#29b8db", "#ffffff"]


def indexed(n):
    if n < 16:
        return BASE[n]
    if n < 232:
        n -= 16
        return "#%02x%02x%02x" % tuple(0 if c == 0 else 55 + 40 * c for c in (n // 36, n // 6 % 6, n % 6))
    return "#%02x%02x%02x" % ((8 + 10 * (n - 232),) * 3)


def sgr(style, codes):
    codes = [int(c or 0) for c in re.split("[;:]", codes)] or [0]
    i = 0
    while i < len(codes):
        c = codes[i]
        if c == 0:
            style = {}
        elif c in (38, 48):
            key = "fg" if c == 38 else "bg"
            if codes[i + 1:i + 2] == [2]:
                rgb = codes[i + 2:i + 5]
                style = {**style, key: "#%02x%02x%02x" % tuple(rgb)}
                i += 4
            else:
                style = {**style, key: indexed(codes[i + 2])}
                i += 2
        elif 30 <= c < 38 or 90 <= c < 98:
            style = {**style, "fg": BASE[c - 30 if c < 38 else c - 82]}
        elif 40 <= c < 48 or 100 <= c < 108:
            style = {**style, "bg": BASE[c - 40 if c < 48 else c - 92]}
        elif c in (39, 49):
            style = {k: v for k, v in style.items() if k != ("fg" if c == 39 else "bg")}
        elif c in (1, 3, 4, 7):
            style = {**style, {1: "bold", 3: "italic", 4: "line", 7: "reverse"}[c]: True}
        elif c in (22, 23, 24, 27):
            style = {k: v for k, v in style.items() if k != {22: "bold", 23: "italic", 24: "line", 27: "reverse"}[c]}
        i += 1
    return style


def width(ch):
    return 0 if unicodedata.combining(ch) else 2 if unicodedata.east_asian_width(ch) in "WF" else 1


def head(columns, rows, label):
    w, h = columns * CELL + 2 * PAD, rows * LINE + 2 * PAD
    return ['<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-size="%d" role="img" '
            'font-family="DejaVu Sans Mono,Menlo,Consolas,ui-monospace,monospace" aria-label="%s">' % (w, h, w, h, SIZE, html.escape(label)),
            '<rect width="100%%" height="100%%" rx="8" fill="%s"/>' % BG]


def body(rows):
    out, style = [], {}
    for y, row in enumerate(rows):
        x = 0
        for part in re.split(r"(\x1b\[[0-9;:]*m)", row):
            m = re.fullmatch(r"\x1b\[([0-9;:]*)m", part)
            if m:
                style = sgr(style, m[1])
                continue
            part = re.sub(r"\x1b[^m]*m|[\x00-\x1f]", "", part)
            if not part:
                continue
            n = sum(map(width, part))
            fg, bg = style.get("fg", FG), style.get("bg", BG)
            if style.get("reverse"):
                fg, bg = bg, fg
            px, py = PAD + x * CELL, PAD + y * LINE
            if bg != BG:
                out.append('<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>' % (px, py, n * CELL + .3, LINE, bg))
            if part.strip():
                extra = "".join(' %s="%s"' % kv for key, kv in (("bold", ("font-weight", "bold")), ("italic", ("font-style", "italic")),
                                                                ("line", ("text-decoration", "underline"))) if style.get(key))
                out.append('<text x="%.1f" y="%.1f" fill="%s"%s xml:space="preserve" textLength="%.1f">%s</text>'
                           % (px, py + LINE - 4.5, fg, extra, n * CELL, html.escape(part)))
            x += n
    return out


def main():
    rows = sys.stdin.read().rstrip("\n").split("\n")
    print("\n".join(head(int(sys.argv[1]), len(rows), sys.argv[2]) + body(rows) + ["</svg>"]))


if __name__ == "__main__":
    main()
