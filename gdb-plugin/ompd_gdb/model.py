# SPDX-License-Identifier: Apache-2.0
"""Regions, tasks and threads by their numbers: what the commands that name one share."""

import json
import os
import textwrap

import gdb

from . import command, errors, library, parameters, session


def parsed_number(text, what):
    """TEXT as a number of a WHAT."""
    try:
        found = int(text, 0)
    except ValueError:
        found = -1
    if found < 0:
        raise gdb.GdbError("\"%s\" is no number of a %s: \"ompd %s\" lists them."
                           % (text, what, {"region": "parallel", "task": "tasks"}.get(what, "threads")))
    return found


def place(row, construct=False):
    """", main at nested.c:9" of a region or task, or what of it is known."""
    text = ""
    if row["function"]:
        text += ", " + shortened(row["function"])
    if row["file"] and row["line"]:
        text += " at %s:%d" % (os.path.basename(row["file"]), row["line"])
    if parameters.ADDRESSES.value and row["entry"]:
        text += ", code at " + row["entry"]
    return text


class Model:
    """The threads, regions and tasks of the selected process, as the JSON has them."""

    def __init__(self):
        current = session.current()
        want = library.THREADS | library.REGIONS | library.TASKS
        # The tasks first: what is taken for them holds the others too.
        tasks = current.document(want, library.VIEW_TASKS)
        self.runtimes, self.problems = tasks["runtimes"], tasks["problems"]
        self.tasks = tasks["tasks"]
        self.regions = current.document(want, library.VIEW_PARALLEL)["regions"]
        self.threads = current.document(want, library.VIEW_THREADS)["threads"]
        self._region = {(row["runtime"], row["id"]): row for row in self.regions}
        self._task = {(row["runtime"], row["id"]): row for row in self.tasks}
        self._by_lwp = {row["lwp"]: row for row in self.threads}
        self._members = {}  # (runtime, region) -> {LWP: member}

    def row_of(self, lwp):
        """The thread's row, or None."""
        return self._by_lwp.get(lwp)

    def member(self, region, lwp):
        """The thread's entry in the members of a region, or None."""
        key = region["runtime"], region["id"]
        if key not in self._members:
            self._members[key] = {one["lwp"]: one for one in region["members"]}
        return self._members[key].get(lwp)

    def primary(self, region):
        """The LWP of the primary thread of a region (None: of none), or None."""
        return next((one["lwp"] for one in region["members"] if one["thread_num"] == 0), None) if region else None

    def region(self, row):
        """The region of a thread, task or (its parent) region."""
        return self._region.get((row["runtime"], row.get("region", row.get("parent"))))

    def task(self, row, key="task"):
        """The task that a row names."""
        return self._task.get((row["runtime"], row[key]))

    def regions_with(self, identity):
        """The regions of that number; with several runtimes there may be some."""
        return self._with(self.regions, identity, "region", "parallel")

    def tasks_with(self, identity):
        """The tasks of that number."""
        return self._with(self.tasks, identity, "task", "tasks")

    def _with(self, rows, identity, what, lister):
        found = [row for row in rows if row["id"] == identity]
        if not found and self.problems and not self.runtimes:
            raise gdb.GdbError("There is no %s %d: %s"
                               % (what, identity, errors.sentence(self.problems[0]["what"]).replace("This", "this", 1)))
        if not found:
            raise gdb.GdbError("There is no %s %d now: \"ompd %s\" lists those there are." % (what, identity, lister))
        return found

    def ancestors(self, region):
        """A region and those around it."""
        return self._chain(region, self.region)

    def creators(self, task):
        """A task and those that created it."""
        return self._chain(task, lambda row: self.task(row, "generator"))

    def _chain(self, row, older):
        found = []
        while row is not None and row not in found:
            found.append(row)
            row = older(row)
        return found

    def thread_words(self, lwp):
        """"thread 3 (LWP 4242)"."""
        if lwp is None:
            return "no thread yet"
        row = self.row_of(lwp)
        if row is None:
            return "LWP %d" % lwp
        return "thread %d (LWP %d)" % (row["gdb_num"], lwp) if row["gdb_num"] else "LWP %d" % lwp

    def region_line(self, row):
        """A region in one line."""
        size = row["team_size"]
        text = "Region %d: %s%s, level %s" % (row["id"], row["kind"], place(row), row["level"])
        return text if size is None else "%s, %d thread%s" % (text, size, "" if size == 1 else "s")

    def task_line(self, row):
        """A task in one line."""
        text = "Task %d: %s, %s%s" % (row["id"], row["kind"], row["state"], place(row))
        if row["region"] is not None:
            text += ", in region %d" % row["region"]
        return text if row["lwp"] is None else "%s, on %s" % (text, self.thread_words(row["lwp"]))

    def write(self, rows, key, line, options):
        """Writes the rows, as JSON or as lines each below the one it belongs to."""
        if "-json" in options:
            command.write(json.dumps({"schema": 1, "runtimes": self.runtimes, key: rows}, indent=1))
            return
        for depth, row in enumerate(rows):
            command.write(wrapped("  " * depth + line(row)))
        if not rows:
            command.write("There is none.")


_last = (None, None, None)  # session, generation, Model


def current_model():
    """The Model of this stop: `thread apply all bt` asks for it in each thread."""
    global _last
    current = session.current()
    if _last[:2] != (current, session.generation()) or current.runs():
        made = Model()
        _last = current, session.generation(), made
    return _last[2]


def wrapped(text):
    """TEXT in lines of the screen, those after the first indented below it. It may hold names of the target's."""
    text = library.printable(text)
    width = parameters.width()
    left = len(text) - len(text.lstrip())
    if not width or len(text) <= width or width < left + 24:
        return text
    return "\n".join(textwrap.wrap(text, width, subsequent_indent=" " * (left + 4), break_on_hyphens=False))


def shortened(name):
    """The name of a function, its middle left out when it takes more than half of the screen."""
    most = max((parameters.width() or 1000) // 2, 24)
    if len(name) <= most:
        return name
    return name[:most // 2] + "\u2026" + name[len(name) - (most - most // 2 - 1):]


def number_list(numbers):
    """"0, 2, 5-9" of numbers, "0, 2, 4, ... (20)" when there are many."""
    numbers = sorted(numbers)
    found = []
    for number in numbers:
        if found and number == found[-1][1] + 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    words = [str(low) if low == high else "%d-%d" % (low, high) for low, high in found]
    return ", ".join(words) if len(words) <= 8 else "%s, ... (%d)" % (", ".join(words[:3]), len(numbers))


def selected_row(model):
    """The selected thread's row; an error with the remedy when it is no OpenMP thread."""
    thread = gdb.selected_thread()
    row = model.row_of(thread.ptid[1] or thread.ptid[2]) if thread is not None else None
    if row is not None and row["running"]:
        raise gdb.GdbError("The selected thread runs: interrupt it first.")
    if row is None or not row["openmp"]:
        if not any(one["openmp"] for one in model.threads):
            raise gdb.GdbError("No thread of this program is an OpenMP thread now: \"ompd status\" says why.")
        raise gdb.GdbError("The selected thread is not an OpenMP thread: select one that \"ompd threads\" lists.")
    return row


def selected_region(model):
    """The selected thread's region."""
    return _of_selected(model, model.region, "region")


def selected_task(model):
    """The selected thread's task."""
    return _of_selected(model, model.task, "task")


def _of_selected(model, find, what):
    row = selected_row(model)
    found = find(row)
    if found is None and row["state"] == "idle":
        raise gdb.GdbError("The selected thread is idle: it is in no %s." % what)
    if found is None:
        raise gdb.GdbError("The selected thread's %s cannot be told now: \"ompd status\" says what is known." % what)
    return found


def gdb_thread(lwp):
    """GDB's thread of an LWP of the selected process."""
    for thread in gdb.selected_inferior().threads():
        if lwp is not None and lwp in (thread.ptid[1], thread.ptid[2]):
            return thread
    raise gdb.GdbError("GDB knows no thread with LWP %s." % lwp)


def known_numbers(kind):
    """The numbers there are, for completion: 'r' regions, 't' tasks, 'm' thread numbers of the selected team."""
    model = Model()
    if kind == "m":
        region = model.region(selected_row(model))
        found = [member["thread_num"] for member in region["members"]]
    else:
        found = [row["id"] for row in (model.regions if kind == "r" else model.tasks)]
    return [str(one) for one in found]
