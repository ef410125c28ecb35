# SPDX-License-Identifier: Apache-2.0
"""The ratios of `./dev bench micro` as SVG: for each construct a bar for each comparison.

The axis is logarithmic, with a line at 1, where Companion costs what its peer costs: left of it, it costs
less. Across each bar stand its 95 % interval (thin) and what the ratio may be (the upright mark).
"""

import math
import xml.sax.saxutils

WIDTH, LEFT, RIGHT, TOP = 960, 190, 30, 84
BAR, GAP = 7, 60  # heights: of a bar, between two panels
LOWEST, HIGHEST = 0.02, 16.0
GRID = (0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)
COLOUR = {"gcc": "#c0722a", "debian": "#2a6fb0", "release": "#2a9080"}
FADED = {"gcc": "#e8d2bd", "debian": "#b9cfe4", "release": "#b9dcd6"}  # of a row that is not judged


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


def kind(name):
    """Of a comparison."""
    return "gcc" if name == "gcc" else "release" if "release" in name else "debian"


def one_bar(y, name, judgement):
    """From the line at 1 to the ratio, its interval, its mark, and its figure at the end."""
    at, one = x_of(judgement["ratio"]), x_of(1)
    low, high, mark = (x_of(judgement[key]) for key in ("low", "high", "goal"))
    over = judgement["verdict"] == "over"
    colour = (FADED if judgement["verdict"] == "small" else COLOUR)[kind(name)]
    parts = [box(min(at, one), y, max(abs(at - one), 1), BAR, colour),
             box(low, y + BAR / 2 - 0.5, max(high - low, 0.5), 1, "#222"),
             box(mark - 1, y - 1, 2, BAR + 2, "#000")]
    figure = "%.2f%s" % (judgement["ratio"], " over" if over else "")
    end = max(at, high, one, mark) + 5
    parts.append(text(end, y + BAR, figure, 8, colour="#b00020" if over else "#555"))
    return parts


def panel(top, section):
    """The drawing of one section of the report, and where it ends."""
    compared = [c for c in section["comparisons"] if c["name"] != "A/A"]
    height = (BAR + 1) * len(compared) + 4
    rows = list(section["ns"])
    bottom = top + height * len(rows)
    parts = [text(10, top - 26, section["title"], 13, weight="bold")]
    for tick in GRID:
        parts.append(line(x_of(tick), top, bottom, "#444" if tick == 1 else "#ddd"))
        parts.append(text(x_of(tick), top - 6, "%g" % tick, 10, "middle", "#666"))
    for i, row in enumerate(rows):
        y = top + height * i
        parts.append(text(LEFT - 8, y + height / 2 + 4, row, 11, "end"))
        for j, comparison in enumerate(compared):
            for judgement in (found for found in comparison["rows"] if found["row"] == row):
                parts += one_bar(y + 2 + j * (BAR + 1), comparison["name"], judgement)
    totals = [c for c in compared if c["summary"]]
    for i, comparison in enumerate(totals):
        total = comparison["summary"]
        parts.append(text(LEFT, bottom + 14 + 13 * i, "%s: geometric mean of %d rows %.2f (goal %.2f): %s"
                          % (comparison["title"], total["judged"], total["mean"], total["mean_goal"],
                             "met" if total["met"] else "missed")))
    return parts, bottom + GAP + 30


def legend():
    parts = []
    for i, (name, meaning) in enumerate((("gcc", "gcc's code"), ("debian", "clang's, Debian's libomp"),
                                         ("release", "clang's, Release libomp"))):
        parts += [box(LEFT + 170 * i, 36, 12, 9, COLOUR[name]), text(LEFT + 16 + 170 * i, 45, meaning)]
    parts += [box(LEFT + 500, 35, 2, 11, "#000"), text(LEFT + 506, 45, "goal"),
              box(LEFT + 545, 40, 16, 1, "#222"), text(LEFT + 565, 45, "95 % interval; pale: not judged")]
    return parts


def draw(sections, machine):
    """SECTIONS as in the JSON of micro.py."""
    parts, top = legend(), TOP + 20
    for section in sections:
        more, top = panel(top, section)
        parts += more
    height = top - GAP + 20
    head = ('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" '
            'font-family="sans-serif">' % (WIDTH, height, WIDTH, height))
    title = text(10, 20, "OpenMP constructs: " + machine, 12, colour="#444")
    return "\n".join([head, box(0, 0, WIDTH, height, "#fff"), title] + parts + ["</svg>", ""])
