# SPDX-License-Identifier: Apache-2.0
"""A terminal's screen, as `tmux capture-pane -e` gives it, as a small SVG."""

import html
import re

_COLOURS = ("#000000", "#cc3333", "#2e9f3e", "#b58900", "#4477dd", "#aa44aa", "#2aa198", "#dddddd")
_WIDE, _HIGH, _EDGE = 8.43, 18, 10  # of a character of 14 px, and the border
_CODE = re.compile(r"\x1b\[([0-9;]*)m")


def _state(state, codes):
    for code in [int(one or 0) for one in codes.split(";")]:
        if code == 0:
            state = {}
        elif code in (1, 2, 7):
            state = dict(state, **{{1: "bold", 2: "dim", 7: "reverse"}[code]: True})
        elif code == 22:
            state = {key: value for key, value in state.items() if key not in ("bold", "dim")}
        elif 30 <= code <= 37 or 90 <= code <= 97:
            state = dict(state, colour=_COLOURS[code % 10])
        elif code == 39:
            state = {key: value for key, value in state.items() if key != "colour"}
    return state


def _spans(line, state):
    found, at = [], 0
    for match in list(_CODE.finditer(line)) + [None]:
        text = line[at:match.start() if match else len(line)]
        if text:
            found.append((text, state))
        if match:
            state, at = _state(state, match.group(1)), match.end()
    return found, state


def picture(capture, columns):
    """The SVG of a capture, without the empty lines at its end."""
    lines, state = capture.rstrip("\n").split("\n"), {}
    wide, high = columns * _WIDE + 2 * _EDGE, len(lines) * _HIGH + 2 * _EDGE
    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" font-family="monospace" '
           'font-size="14">'
           % (wide, high),
           '<!-- SPDX-License-Identifier: Apache-2.0; made by gdb-plugin/tests/terminal_test.py -->',
           '<rect width="100%" height="100%" rx="6" fill="#1d1f21"/>',
           '<g fill="#dddddd" xml:space="preserve">']
    for number, line in enumerate(lines):
        spans, state = _spans(line, state)
        if not spans:
            continue
        text = "".join(_span(one, style) for one, style in spans)
        count = sum(len(one) for one, _ in spans)
        # The length is given, so that columns stand under each other with any font.
        out.append('<text x="%d" y="%d" textLength="%.0f">%s</text>'
                   % (_EDGE, _EDGE + 14 + number * _HIGH, count * _WIDE, text))
    return "\n".join(out + ["</g>", "</svg>", ""])


def _span(text, style):
    text = html.escape(text, quote=False)
    given = ""
    if style.get("colour"):
        given += ' fill="%s"' % style["colour"]
    if style.get("bold"):
        given += ' font-weight="bold"'
    if style.get("dim"):
        given += ' fill-opacity=".6"'
    if style.get("reverse"):
        given += ' text-decoration="underline"'
    return "<tspan%s>%s</tspan>" % (given, text) if given else text
