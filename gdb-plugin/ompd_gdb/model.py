# SPDX-License-Identifier: Apache-2.0
"""The regions, tasks and threads of the selected process, and how commands find and print them."""

import json
import os
import textwrap

import gdb

from ompd_common import library, messages
from . import command, errors, parameters, session


def parsed_number(text, what):
    """TEXT as the number of a WHAT: "region", "task" or "thread"."""
    try:
        found = int(text, 0)
    except ValueError:
        found = -1
    if found < 0:
        raise gdb.GdbError(messages.NOT_A_NUMBER
                           % (text, what, {"region": "parallel", "task": "tasks"}.get(what, "threads")))
    return found


def place(row):
    """", main at nested.c:9" of a region's or task's row, or the part of it that is known."""
    text = ""
    if row["function"]:
        text += ", " + shortened(row["function"])
    if row["file"] and row["line"]:
        text += " at %s:%d" % (os.path.basename(row["file"]), row["line"])
    if parameters.ADDRESSES.value and row["entry"]:
        text += ", code at " + row["entry"]
    return text


class Model:
    """The threads, regions and tasks of the selected process, as rows of the JSON."""

    def __init__(self, more=0):
        """MORE: contents of the snapshot besides."""
        current = session.current()
        want = library.THREADS | library.REGIONS | library.TASKS | more
        # The tasks first: their snapshot has the regions and threads too.
        tasks = current.document(want, library.VIEW_TASKS)
        self.runtimes, self.problems = tasks["runtimes"], tasks["problems"]
        self._head = {key: value for key, value in tasks.items() if key != "tasks"}
        self.tasks = tasks["tasks"]
        self.regions = current.document(want, library.VIEW_PARALLEL)["regions"]
        self.threads = current.document(want, library.VIEW_THREADS)["threads"]
        self._region = {(row["runtime"], row["id"]): row for row in self.regions}
        self._task = {(row["runtime"], row["id"]): row for row in self.tasks}
        self._by_lwp = {row["lwp"]: row for row in self.threads}
        self._members = {}  # (runtime, region) -> {LWP: member}

    def row_of(self, lwp):
        """The row of the thread with that LWP, or None."""
        return self._by_lwp.get(lwp)

    def member(self, region, lwp):
        """The thread's entry in the member list of a region, or None."""
        key = region["runtime"], region["id"]
        if key not in self._members:
            self._members[key] = {one["lwp"]: one for one in region["members"]}
        return self._members[key].get(lwp)

    def primary(self, region):
        """The LWP of the primary thread of REGION; None if that is not known, or if REGION is None."""
        members = region["members"] if region else ()
        return next((one["lwp"] for one in members if one["thread_num"] == 0), None)

    def region(self, row):
        """The region of a thread or task; of a region, the one that encloses it."""
        return self._region.get((row["runtime"], row.get("region", row.get("parent"))))

    def task(self, row, key="task"):
        """The task that a row names."""
        return self._task.get((row["runtime"], row[key]))

    def regions_with(self, identity):
        """The regions with that number: one for each runtime in the process that has one."""
        return self._with(self.regions, identity, "region", "parallel")

    def tasks_with(self, identity):
        """The tasks with that number."""
        return self._with(self.tasks, identity, "task", "tasks")

    def _with(self, rows, identity, what, lister):
        found = [row for row in rows if row["id"] == identity]
        if not found and self.problems and not self.runtimes:
            why = errors.sentence(self.problems[0]["what"]).replace("This", "this", 1)
            raise gdb.GdbError(messages.NONE_BECAUSE % (what, identity, why))
        if not found:
            raise gdb.GdbError(messages.NONE_WITH_NUMBER % (what, identity, lister))
        return found

    def ancestors(self, region):
        """A region and those that enclose it, innermost first."""
        return self._chain(region, self.region)

    def creators(self, task):
        """A task, the task that created it, and so on."""
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
        """Writes the rows as JSON, or as lines each indented below the one before."""
        if "-json" in options:
            command.write(json.dumps(dict(self._head, **{key: rows}), indent=1))
            return
        for depth, row in enumerate(rows):
            command.write(wrapped("  " * depth + line(row)))
        if not rows:
            command.write(messages.NONE_FOUND)


_last = (None, None, None)  # (session, generation, Model)


def current_model():
    """The Model of this stop, which `thread apply all bt` uses in each thread."""
    global _last
    current = session.current()
    if _last[:2] != (current, session.generation()) or current.runs():
        made = Model()
        _last = current, session.generation(), made
    return _last[2]


def wrapped(text):
    """TEXT, which may contain names of the program, wrapped to the width of tables with a hanging indent."""
    text = library.printable(text)
    width = parameters.width()
    left = len(text) - len(text.lstrip())
    if not width or len(text) <= width or width < left + 24:
        return text
    return "\n".join(textwrap.wrap(text, width, subsequent_indent=" " * (left + 4), break_on_hyphens=False))


def shortened(name):
    """The name of a function; if it is longer than half a line, without its middle."""
    most = max((parameters.width() or 1000) // 2, 24)
    if len(name) <= most:
        return name
    return name[:most // 2] + "\u2026" + name[len(name) - (most - most // 2 - 1):]


def number_list(numbers):
    """Numbers as "0, 2, 5-9", or as "0, 2, 4, ... (20)" if these are many."""
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
    """The row of the selected thread; gdb.GdbError if that is not an OpenMP thread."""
    thread = gdb.selected_thread()
    row = model.row_of(thread.ptid[1] or thread.ptid[2]) if thread is not None else None
    if row is not None and row["running"]:
        raise gdb.GdbError(messages.SELECTED_IS_RUNNING)
    if row is None or not row["openmp"]:
        if not any(one["openmp"] for one in model.threads):
            raise gdb.GdbError(messages.NO_OPENMP_THREADS)
        raise gdb.GdbError(messages.NOT_OPENMP_THREAD)
    return row


def selected_region(model):
    """The region of the selected thread; gdb.GdbError if it has none."""
    return _of_selected(model, model.region, "region")


def selected_task(model):
    """The task of the selected thread; gdb.GdbError if it has none."""
    return _of_selected(model, model.task, "task")


def _of_selected(model, find, what):
    row = selected_row(model)
    found = find(row)
    if found is None and row["state"] == "idle":
        raise gdb.GdbError(messages.SELECTED_IS_IDLE % what)
    if found is None:
        raise gdb.GdbError(messages.SELECTED_UNKNOWN % what)
    return found


def gdb_thread(lwp):
    """GDB's thread with that LWP in the selected process."""
    for thread in gdb.selected_inferior().threads():
        if lwp is not None and lwp in (thread.ptid[1], thread.ptid[2]):
            return thread
    raise gdb.GdbError(messages.NO_LWP % lwp)


def known_numbers(kind):
    """Numbers for completion, as strings. KIND: 'r' regions, 't' tasks, 'm' members of the selected team."""
    model = Model()
    if kind == "m":
        region = model.region(selected_row(model))
        found = [member["thread_num"] for member in region["members"]]
    else:
        found = [row["id"] for row in (model.regions if kind == "r" else model.tasks)]
    return [str(one) for one in found]
