# SPDX-License-Identifier: Apache-2.0
"""Checks of what people read, beyond the eye.

wide(text, width) gives the lines that are wider; loose(report) gives each number of a thread, region or task
that some part of a report names and no table has. The report must be that of `ompd report --all` in unlimited
width.
"""

import re


def wide(text, width):
    """A path that alone fills a line stays whole, so that it can be copied."""
    return [line for line in text.splitlines() if len(line) > width and not re.match(r" *\S*/\S*$", line)]


def _section(report, title):
    lines = report.splitlines()
    if title not in lines:
        return []
    found = []
    for line in lines[lines.index(title) + 1:]:
        if not line:
            break
        found.append(line)
    return found


def _column(lines, name):
    """The cells of a right-aligned column: they end where its head ends."""
    head = next((i for i, line in enumerate(lines) if re.search(r" State ", line)
                 and re.search(r"\b%s\b" % name, line)),
                None)
    if head is None:
        return []
    end = re.search(r"\b%s\b" % name, lines[head]).end()
    return [line[:end].split()[-1] if line[end - 1:end].strip() else "" for line in lines[head + 1:] if
            re.match(r"[* ] +\d", line)]


def _numbers(words):
    """{3, 7, 8, 9} of "3, 7-9" or "7..9"."""
    found = set()
    for first, last in re.findall(r"(\d+)(?:(?:-|\.\.)(\d+))?", words):
        found |= set(range(int(first), int(last or first) + 1))
    return found


def loose(report):
    threads, tasks = _section(report, "Threads"), _section(report, "Tasks")
    lwps = _numbers(", ".join(_column(threads, "LWP")))
    for line in threads:
        others = re.search(r"not (?:an )?OpenMP threads?: LWPs? ([\d, -]+)", line)
        lwps |= _numbers(others.group(1)) if others else set()
    regions = {int(number) for number in re.findall(r"^[* ] *Region (\d+): ", report, re.M)}
    known = set()
    for line in tasks:
        row = re.match(r"[* ] +(\d+(?:\.\.\d+)?) ", line)
        known |= _numbers(row.group(1)) if row else set()
    if "There is no parallel region." in report:
        regions, known = regions | {1}, known | {1}  # the initial ones are not shown when there are no others
    found = []
    numbered = [row for row in threads if re.match(r"[* ] +\d", row)]
    if len(numbered) != len([cell for cell in _column(threads, "LWP") if cell]):
        found.append("a row of the threads has no number")
    for what, named, table in (
            ("LWP", re.findall(r"\bLWPs? (\d[\d, -]*)", report), lwps),
            # Behind one region's number a count may follow: "barrier of region 2, where 3 of 4 have not
            # arrived".
            ("region", re.findall(r"\bregion (\d+)", report) + re.findall(r"\bregions (\d[\d, -]*)", report) +
             _column(threads, "Region") + _column(tasks, "Region"), regions),
            ("task", re.findall(r"\btasks? (\d[\d, -]*)", report) + _column(threads, "Task"), known)):
        for number in sorted(_numbers(", ".join(named)) - table):
            found.append("%s %d is in no table" % (what, number))
    return found
