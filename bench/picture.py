# SPDX-License-Identifier: Apache-2.0
"""The ratios of `./dev bench micro` as SVG: for each construct a bar for clang's code and one for gcc's.

The axis is logarithmic, with a line at 1, where Companion costs what its peer costs: left of it, it costs
less. Across each bar stand its 95 % interval (thin) and what the ratio may be (the upright mark).
"""

import math
import xml.sax.saxutils

WIDTH, LEFT, RIGHT, TOP = 960, 190, 30, 84
BAR, ROW, GAP = 7, 20, 60  # heights: of a bar, of a row with its two bars, between two panels
LOWEST, HIGHEST = 0.02, 16.0
GRID = (0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)
COLOUR = {"clang": "#2a6fb0", "gcc": "#c0722a"}
FADED = {"clang": "#b9cfe4", "gcc": "#e8d2bd"}  # of a row that is not judged


def x_of(ratio):
    ratio = min(max(ratio, LOWEST), HIGHEST)
    share = math.log(ratio / LOWEST) / math.log(HIGHEST / LOWEST)
    return LEFT + share * (WIDTH - LEFT - RIGHT)


def text(x, y, what, size=11, anchor="start", colour="#222", weight="normal"):
    return ('<text x="%.1f" y="%.1f" font-size="%d" text-anchor="%s" fill="%s" font-weight="%s">%s</text>'
            % (x, y, size, anchor, colour, weight, xml.sax.saxutils.escape(what)))


def box(x, y, width, height, colour):
    return '<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>' % (x, y, width, height, colour)


def line(x, top, bottom, colour, width=1.0):
    return ('<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s" stroke-width="%.1f"/>'
            % (x, top, x, bottom, colour, width))


def one_bar(y, judgement):
    """From the line at 1 to the ratio, its interval, its mark, and its figure at the end."""
    colours = COLOUR if judgement["judged"] else FADED
    at, one = x_of(judgement["ratio"]), x_of(1)
    low, high = x_of(judgement["ratio_low"]), x_of(judgement["ratio_high"])
    mark = x_of(judgement["bar"])
    missed = judgement["verdict"] == "missed"
    parts = [box(min(at, one), y, max(abs(at - one), 1), BAR, colours[judgement["compiler"]]),
             box(low, y + BAR / 2 - 0.5, max(high - low, 0.5), 1, "#222"),
             box(mark - 1, y - 1, 2, BAR + 2, "#000")]
    figure = "%.2f%s" % (judgement["ratio"], " missed" if missed else "")
    end = max(at, high, one, mark) + 5
    parts.append(text(end, y + BAR, figure, 8, colour="#b00020" if missed else "#555"))
    return parts


def panel(top, setting):
    """The drawing of one setting, and where it ends."""
    rows = setting["rows"]
    bottom = top + ROW * len(rows)
    peer = "libgomp" if setting["pinned"] else "the better of libgomp and libomp"
    parts = [text(10, top - 26, "%s: Companion / %s" % (setting["title"], peer), 13, weight="bold")]
    for tick in GRID:
        parts.append(line(x_of(tick), top, bottom, "#444" if tick == 1 else "#ddd"))
        parts.append(text(x_of(tick), top - 6, "%g" % tick, 10, "middle", "#666"))
    for i, row in enumerate(rows):
        y = top + ROW * i
        parts.append(text(LEFT - 8, y + 13, row["row"], 11, "end"))
        for j, judgement in enumerate(row["judgements"]):
            parts += one_bar(y + 2 + j * (BAR + 1), judgement)
    for i, total in enumerate(setting["summaries"]):
        parts.append(text(LEFT, bottom + 14 + 13 * i,
                          "%s: geometric mean of %d quotients %.2f (goal %.2f), highest %.2f, %s (goal %.2f)"
                          % (total["compiler"], total["judged"], total["mean"], total["mean_goal"],
                             total["highest"], total["highest_row"], total["highest_goal"])))
    return parts, bottom + GAP + 20


def legend():
    parts = []
    for i, compiler in enumerate(("clang", "gcc")):
        parts += [box(LEFT + 130 * i, 36, 12, 9, COLOUR[compiler]),
                  text(LEFT + 16 + 130 * i, 45, compiler + "'s code")]
    parts += [box(LEFT + 260, 35, 2, 11, "#000"), text(LEFT + 268, 45, "what the ratio may be"),
              box(LEFT + 420, 40, 16, 1, "#222"), text(LEFT + 442, 45, "95 % interval; pale: not judged")]
    return parts


def draw(settings, machine):
    """SETTINGS as in the JSON of micro.py."""
    parts, top = legend(), TOP + 20
    for setting in settings:
        more, top = panel(top, setting)
        parts += more
    height = top - GAP + 20
    head = ('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" '
            'font-family="sans-serif">' % (WIDTH, height, WIDTH, height))
    title = text(10, 20, "OpenMP constructs: " + machine, 12, colour="#444")
    return "\n".join([head, box(0, 0, WIDTH, height, "#fff"), title] + parts + ["</svg>", ""])
