# SPDX-License-Identifier: Apache-2.0
"""Commands on one region, task or thread, or on all members of one team; and `ompd export`."""

import os
import re

import gdb

from ompd_common import library, messages
from . import cli, command, errors, parameters, selection, session, stack, waits
from .command import Command
from .model import (Model, gdb_thread, known_numbers, number_list, parsed_number, selected_region,
                    selected_task, wrapped)


class Region(Command):
    """Show one OpenMP region, its team, and what each member is doing.
Usage: ompd region [-json] [ID]

ID is the number of a region, as "ompd parallel" shows it.  The default is the
region of the selected thread.

Options:
  -json
    Print the region as JSON."""

    word = "region"
    options = {"-json": None}
    arguments = 1

    def run(self, options, arguments):
        identity = parsed_number(arguments[0], "region") if arguments else None
        model = Model(library.ACTIVITY)
        if arguments:
            found = model.regions_with(identity)
        else:
            found = [selected_region(model)]
        if "-json" in options:
            model.write(found, "regions", model.region_line, options)
            return
        for region in found:
            self._write(model, region)

    def _write(self, model, region):
        command.write(wrapped(model.region_line(region)))
        self._write_members(model, region)
        around = model.region(region)
        if around is not None:
            command.write(wrapped("  in " + _lower_case(model.region_line(around))))
        inside = [row["id"] for row in model.regions if model.region(row) is region]
        if inside:
            command.write(wrapped("  encloses %s %s" % (_plural("region", inside), number_list(inside))))

    def _write_members(self, model, region):
        """A line for each member; in a large team one for all members that do the same."""
        groups = {}
        for i, member in enumerate(region["members"]):
            does = doing(model, region, model.row_of(member["lwp"]))
            key = does if len(region["members"]) > command.EACH_UP_TO else i
            groups.setdefault(key, (does, []))[1].append(member)
        for does, members in groups.values():
            who = model.thread_words(members[0]["lwp"]) if len(members) == 1 else "%d threads" % len(members)
            numbers = [member["thread_num"] for member in members if member["thread_num"] is not None]
            command.write(wrapped("  %3s  %s%s" % (number_list(numbers) if numbers else "-", who, does)))

    def candidates(self, words):
        return known_numbers("r")


def _lower_case(line):
    """A line as the rest of a sentence."""
    return line[0].lower() + line[1:]


def _plural(word, numbers):
    """WORD, in the plural if there are several NUMBERS."""
    return word + "s" if len(numbers) > 1 else word


def _number(member):
    """The thread number of a member; a thread that is joining or leaving the team has none."""
    return "-" if member["thread_num"] is None else member["thread_num"]


def doing(model, region, row):
    """What a member of REGION is doing, ", waits for lock grid_lock"; ROW is its thread's."""
    if row is None:
        return ""
    if row["running"]:
        return ", running"
    if row["region"] is not None and model.region(row) is not region:
        return ", in region %s" % row["region"]
    wait = row["wait"]
    if not wait:
        return waits.does(model, row)
    text = ", waits for %s" % (wait["kind"] or "something").replace("_", " ")
    is_object = wait["kind"] in ("lock", "nest_lock", "critical")
    name = waits.name_of(wait, parameters.ADDRESSES.value or is_object)
    if name:
        text += " " + name
    if wait["owner_lwp"]:
        text += ", perhaps held by " if "wait.owner" in row["unknown"] else ", held by "
        text += model.thread_words(wait["owner_lwp"])
    return text


class Task(Command):
    """Show one OpenMP task, or select the thread and frame that execute it.
Usage: ompd task [-select] [-json] [ID]

ID is the number of a task, as "ompd tasks" shows it.  The default is the task of
the selected thread.

Options:
  -select
    Select the thread that executes the task, and the frame of its code.
  -json
    Print the task as JSON."""

    word = "task"
    options = {"-select": None, "-json": None}
    arguments = 1

    def run(self, options, arguments):
        identity = parsed_number(arguments[0], "task") if arguments else None
        model = Model()
        if arguments:
            found = model.tasks_with(identity)
        else:
            found = [selected_task(model)]
        if "-json" in options:
            model.write(found, "tasks", model.task_line, options)
        else:
            for task in found:
                self._write(model, task)
        if "-select" in options:
            self._select(model, found)

    def _write(self, model, task):
        command.write(wrapped(model.task_line(task)))
        creator = model.task(task, "generator")
        if creator is not None:
            command.write(wrapped("  created by " + _lower_case(model.task_line(creator))))
        for number in task["depends_on"] or ():
            command.write("  depends on task %s" % number)
        why = (task.get("unknown") or {}).get("depends_on")
        if why:
            command.write(wrapped("  what it depends on is not known: " + why))
        children = [row["id"] for row in model.tasks if model.task(row, "generator") is task]
        if children:
            command.write(wrapped("  created %s %s" % (_plural("task", children), number_list(children))))

    def _select(self, model, found):
        task = next((row for row in found if row["lwp"] is not None), None)
        if task is None:
            raise gdb.GdbError(messages.NOT_EXECUTED % found[0]["id"])
        thread = gdb_thread(task["lwp"])
        if thread.is_running():
            raise gdb.GdbError(messages.THREAD_IS_RUNNING % thread.num)
        thread.switch()
        frame = stack.frame_of(model, task)
        if frame is not None:
            frame.select()
        cli.show("frame")

    def candidates(self, words):
        return known_numbers("t")


def _member_of(model, word):
    """(region, thread number) that "3.1", or "1" in the selected thread's region, stands for."""
    if "." in word:
        left, _, right = word.partition(".")
        return model.regions_with(parsed_number(left, "region"))[0], parsed_number(right, "thread")
    return selected_region(model), parsed_number(word, "thread")


class Thread(Command):
    """Select a thread by its OpenMP thread number, or apply a command to it.
Usage: ompd thread N [COMMAND]
       ompd thread REGION.N [COMMAND]

N is the OpenMP thread number in the selected thread's region, or in REGION.
With COMMAND, a GDB command, the selected thread and frame do not change.

Examples:
  ompd thread 0 bt
  ompd thread 17.2 print i"""

    word = "thread"
    arguments = 1
    rest = True

    def run(self, options, arguments):
        if not arguments:
            raise self.mistake(messages.THREAD_NUMBER_MISSING)
        model = Model()
        region, number = _member_of(model, arguments[0])
        member = next((one for one in region["members"] if one["thread_num"] == number), None)
        if member is None:
            raise gdb.GdbError(messages.NO_MEMBER % (region["id"], number, region["id"]))
        thread = gdb_thread(member["lwp"])
        if len(arguments) == 1:
            cli.show("thread %d.%d" % (gdb.selected_inferior().num, thread.num))
            return
        with selection.kept():
            thread.switch()
            cli.show(arguments[1])

    def candidates(self, words):
        return known_numbers("m") if not words else ()


class Team(Command):
    """Apply a command to each thread of an OpenMP team.
Usage: ompd team [ID] COMMAND

ID is the number of a region.  The default is the region of the selected thread.
If COMMAND fails in a thread, its error is printed and the next thread follows.
The selected thread and frame do not change.

Examples:
  ompd team 17 bt
  ompd team print i"""

    word = "team"
    arguments = 1
    rest = True

    def run(self, options, arguments):
        model = Model()
        if arguments and arguments[0].isdigit():
            region = model.regions_with(int(arguments[0]))[0]
            arguments = arguments[1:]
        else:
            region = selected_region(model)
        if not arguments:
            raise self.mistake(messages.COMMAND_MISSING)
        text = " ".join(arguments)
        if text.startswith("-"):
            raise self.mistake(messages.NO_OPTION % (self.name, text.split()[0]))
        with selection.kept():
            for member in region["members"]:
                self._one(model, region, member, text)

    def _one(self, model, region, member, text):
        thread = gdb_thread(member["lwp"])
        heading = "Region %d, OpenMP thread %s, %s:" % (region["id"], _number(member),
                                                        model.thread_words(member["lwp"]))
        command.write(command.style(heading, "1"))
        try:
            thread.switch()
            cli.show(text)
        except gdb.error as error:
            if re.match("(Undefined|Ambiguous) ", str(error)):
                raise  # it would fail in every thread
            command.write(library.printable(errors.sentence(error)))

    def candidates(self, words):
        return known_numbers("r") if not words else ()


_FORMATS = {".json": "json", ".dot": "dot", ".gv": "dot", ".svg": "svg", ".html": "html", ".htm": "html",
            ".txt": "text", ".folded": "folded", ".snapshot": "snapshot"}


class Export(Command):
    """Save the OpenMP state of the program to a file.
Usage: ompd export [-view waits|tasks|parallel] FILE

The suffix of FILE selects the format:
  .json         the report (schema 1)
  .html         one page with everything
  .dot, .svg    a picture; .svg needs Graphviz (the program "dot")
  .txt          the report as text
  .folded       the stacks, for flame graphs
  .snapshot     a snapshot that "ompd --snapshot FILE" can read on any machine

Options:
  -view VIEW
    What a picture shows: waits, the threads and what they wait for (the
    default); tasks, the tree of tasks; or parallel, the tree of regions."""

    word = "export"
    options = {"-view": ("waits", "tasks", "parallel")}
    arguments = 1

    def run(self, options, arguments):
        if not arguments:
            raise self.mistake(messages.FILE_MISSING)
        path = os.path.expanduser(arguments[0])
        kind = _FORMATS.get(os.path.splitext(path)[1].lower())
        if kind is None:
            raise gdb.GdbError(messages.UNKNOWN_FORMAT % (path, ", ".join(_FORMATS)))
        view = {"tasks": library.VIEW_TASKS, "parallel": library.VIEW_PARALLEL}.get(options.get("-view"),
                                                                                   library.VIEW_WAITS)
        text = self._text(session.current(), kind, view)
        # An existing file is only replaced by a complete one.
        try:
            with open(path + ".part", "w", encoding="utf-8", errors="surrogateescape") as f:
                f.write(text)
            os.replace(path + ".part", path)
        except OSError as error:
            raise gdb.GdbError(messages.CANNOT_WRITE % (path, error.strerror)) from None
        command.write(messages.SAVED % path)

    def _text(self, current, kind, view):
        want = library.ALL | library.STACKS
        if kind == "snapshot":
            return current.record()
        if kind in ("json", "text"):
            return current.render(want, library.VIEW_REPORT, expand=1,
                                  format=library.JSON if kind == "json" else library.TEXT,
                                  addresses=int(parameters.ADDRESSES.value))
        if kind == "folded":
            return current.render(want, library.VIEW_STACKS, format=library.FOLDED)
        if kind == "dot":
            return current.render(want, view, format=library.DOT)
        lib = library.get()
        if kind == "svg":
            return lib.picture(current.render(want, view, format=library.DOT))
        pictures = {}
        for name, of in (("svg_tree", library.VIEW_TASKS), ("svg_waits", library.VIEW_WAITS)):
            try:
                pictures[name] = lib.picture(current.render(want, of, format=library.DOT))
            except gdb.GdbError:
                break  # the page says how to get pictures
        return current.render(want, library.VIEW_REPORT, format=library.HTML, expand=1, **pictures)

    @errors.silent([])
    def complete(self, text, word):
        before, _, token = text.rpartition(" ")
        if token.startswith("-") or before.split()[-1:] == ["-view"]:
            return super().complete(text, word)
        return gdb.COMPLETE_FILENAME


def register():
    """Registers the commands."""
    for one in (Region, Task, Thread, Team, Export):
        one()
