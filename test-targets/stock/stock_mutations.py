# SPDX-License-Identifier: Apache-2.0
"""Layouts that are wrong in one place, and what a report by way of one may say: the truth, or that it is not
known.

    for name, row in mutations(row): ...
    with Asker(core) as asker: report = asker.ask(row)     # one core, many layouts; Refused
    wrong(truth, right, report, ...)                       # sentences
"""

import collections
import copy
import json
import re
import subprocess

import gdbrun
import stock_score

REGISTERS = ("rbx", "rbp", "r12", "r13", "rdi", "rsp")
STEPS = (-8, -4, 4, 8)


class Refused(Exception):
    """The layout as such is refused; the text says why."""


def _number(value):
    return int(value, 16) if isinstance(value, str) else value


def _like(value, number):
    return "0x%x" % number if isinstance(value, str) else number


def _stepped(values, index):
    """VALUES with the number at INDEX changed, for each step that leaves it positive or 0."""
    for step in STEPS:
        number = _number(values[index]) + step
        if number >= 0:
            yield "%+d" % step, values[:index] + [_like(values[index], number)] + values[index + 1:]


def _registers(values, index):
    for name in REGISTERS:
        if name != values[index]:
            yield name, values[:index] + [name] + values[index + 1:]


def _of_entry(part, values):
    """The changes of one entry of a part of a row, as (what, new value)."""
    if part in ("sizes", "constants"):
        for what, changed in _stepped([values], 0):
            yield what, changed[0]
        return
    numbers = {"fields": (0,), "variables": (0,), "functions": (0, 1), "sites": (0, 1), "spins": (0, 1),
               "slots": (1,)}[part]
    for index in numbers:
        if index < len(values):
            for what, changed in _stepped(values, index):
                yield ("" if index == 0 or part == "slots" else "[%d]" % index) + what, changed
    if part == "fields":  # the width of a number
        for bytes_ in (1, 4, 8):
            if values[1] in (1, 2, 4, 8) and values[1] != bytes_:
                yield "%d bytes" % bytes_, [values[0], bytes_] + values[2:]
    if part in ("sites", "spins"):
        yield from _registers(values, 2)
    if part == "slots":
        yield from _registers(values, 0)
        yield ("[0]", values[:1] + [0]) if len(values) == 1 else ("direct", values[:1])


def mutations(row, parts=("sizes", "fields", "variables", "constants", "sites", "spins", "slots")):
    """Yields (name, row)."""
    for part in parts:
        entries = row[part]
        for key, values in list(entries.items() if isinstance(entries, dict) else enumerate(entries)):
            for what, value in _of_entry(part, values):
                changed = copy.copy(row)
                changed[part] = copy.copy(entries)
                changed[part][key] = value
                where = key if isinstance(entries, dict) else "%s[%s]" % (part, values[0])
                yield "%s %s" % (where, what), changed


def frame_mutations(row, step_of_rules=1):
    """The same of the rules for frames: each number of one rule, its base, and where its code lies. Of so
    many rules one is changed."""
    for rule, places in list(row["frames"].items())[::step_of_rules]:
        others = ["rbp" + rule[3:] if rule.startswith("rsp") else "rsp" + rule[3:]]
        for number in re.finditer(r"\d+", re.sub(r"\br1\d", "r__", rule)):
            others += ["%s%d%s" % (rule[:number.start()], int(number.group()) + step, rule[number.end():])
                       for step in (-8, 8) if int(number.group()) + step > 0]
        rest = {name: value for name, value in row["frames"].items() if name != rule}
        for other in others:
            yield "%s for %s" % (other, rule), dict(row, frames=dict(
                rest, **{other: places + rest.get(other, [])}))
        for step in (-8, 8):
            moved = ["0x%x" % (int(place, 16) + step) for place in places]
            yield "%s %+d" % (rule, step), dict(row, frames=dict(rest, **{rule: moved}))


class Asker:
    """test-targets/stock/ask_rows on one core."""

    def __init__(self, core):
        self.process = subprocess.Popen(
            [gdbrun.find("test-targets/stock/ask_rows"), gdbrun.find("ompd/libompd.so.1"), core],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()

    def ask_text(self, row):
        self.process.stdin.write(json.dumps(row).encode() + b"\n")
        self.process.stdin.flush()
        length = self.process.stdout.readline()
        if not length:
            raise AssertionError("ask_rows ended with status %d" % self.process.wait())
        return self.process.stdout.read(int(length)).decode()

    def ask(self, row):
        text = self.ask_text(row)
        if not text.startswith("{"):
            raise Refused(text)
        return json.loads(text)


def _icvs(report):
    found = collections.defaultdict(set)
    for icv in report.get("icvs") or []:
        found[icv["name"], icv["scope"]].add(icv["value"])
    return found


def _tasks(report):
    return {(task["kind"], task.get("function"), task.get("line")) for task in report.get("tasks") or []}


def _strange_loops(right, report):
    """Numbers of loops that the right layout does not give. A row that it does not have is of no loop."""
    expected = {(loop["lwp"], loop["region"]): loop for loop in right.get("loops") or []}
    for loop in report.get("loops") or []:
        other = expected.get((loop["lwp"], loop["region"]), {})
        for key in ("schedule", "iterations", "first", "step", "chunk", "left", "next", "has", "at", "share",
                    "turn", "waits_for"):
            if loop[key] is not None and loop[key] != other.get(key):
                yield "the loop of LWP %s has %s %s, truth %s" % (loop["lwp"], key, loop[key], other.get(key))


VERDICTS = {"deadlock": ("unknown", "suspected"), "stuck": ("unknown", "suspected"),
            "suspected": ("unknown",), "none": ("unknown",), "unknown": ()}


def wrong(truth, right, report, **how):
    """Sentences about cells of REPORT that neither TRUTH allows nor RIGHT, the report by the right layout."""
    found = list(stock_score.score(truth, report, **how).wrong)
    expected = _icvs(right)
    for key, values in _icvs(report).items():
        strange = values - expected[key] - {None}
        if strange:
            found.append("%s of a %s is %s, truth %s" % (key + (sorted(strange), sorted(expected[key]))))
    strange = _tasks(report) - _tasks(right)
    known = {task[1] for task in _tasks(right)}
    for kind, function, line in sorted(strange, key=str):
        if function is not None or function not in known:
            found.append("a task is %s, %s, line %s: there is none" % (kind, function, line))
    found += _strange_loops(right, report)
    verdict, other = right["verdict"]["kind"], report["verdict"]["kind"]
    if other != verdict and other not in VERDICTS[verdict]:
        found.append("the verdict is %s, truth %s" % (other, verdict))
    return found
