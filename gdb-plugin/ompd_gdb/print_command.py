# SPDX-License-Identifier: Apache-2.0
"""`ompd print`: a value from where it can be seen, be it in the thread that created the region; one value
of a whole team.

A compiler makes a function of a region's body, whose frame knows only what the body uses. The rest of what
the source has in scope there is in the enclosing function's frame, in the thread that created the region.
"""

import re

import gdb

from . import available, command, errors, library, messages, stack
from .command import Command
from .frame_command import creator_parts, parts_of
from .host import kept_selection
from .model import Model, gdb_thread, number_list, selected_region, wrapped

# Names in an expression; not members (.x, ->x, ::x) and not GDB's own ($x).
_NAME = re.compile(r"(?<![\w$.:>%])[A-Za-z_]\w*")


class _Place:
    """A frame of the program's own code, and the thread that it belongs to."""

    def __init__(self, thread, part):
        self.thread, self.frame, self.name = thread, part.own.inferior_frame(), part.own.function()
        self.level = self.frame.level()

    def select(self):
        """The frame; switching threads makes GDB's earlier frame objects invalid."""
        if gdb.selected_thread().global_num != self.thread.global_num:
            self.thread.switch()
        if not self.frame.is_valid():
            self.frame = next(one for one in available.stack() if one.level() == self.level)
        self.frame.select()

    def has_local(self, names):
        """Whether one of NAMES is a variable of the frame's function."""
        self.select()
        try:
            block = self.frame.block()
        except RuntimeError:  # no debug information
            return False
        if stack.is_fortran(self.frame):
            names = {name.lower() for name in names}
        while block is not None:
            if any(symbol.name in names for symbol in block):
                return True
            if block.function is not None:
                return False  # gcc puts the enclosing function around, which another thread executes
            block = block.superblock
        return False


def _places(model, level):
    """The frames of the program from LEVEL of the selected thread outwards, across regions."""
    thread = gdb.selected_thread()
    found = [part for part in parts_of(model) if part.own.inferior_frame().level() >= level]
    seen = set()
    while True:
        for part in found:
            if part.label != stack.RUNTIME:
                yield _Place(thread, part)
        if thread.global_num in seen:
            return
        seen.add(thread.global_num)
        thread.switch()
        around = creator_parts(model, parts_of(model), thread)
        if around is None:
            return
        thread, _, found = around


def _where(model, expression, level):
    """The place at which EXPRESSION means what it means in the source; None: no frame is the program's."""
    names = set(_NAME.findall(expression))
    places = list(_places(model, level))
    # Nothing is evaluated to find out: that may have effects.
    return next((place for place in places if place.has_local(names)), places[0] if places else None)


def _in_words(place):
    return "in " + library.printable(place.name) if place and isinstance(place.name, str) else ""


class Print(Command):
    """Print the value of an expression, also of the function around a parallel region.
Usage: ompd print [/FORMAT] EXPRESSION
       ompd print -team EXPRESSION

The value is that of the innermost frame of the program, from the selected one
outwards, in which a variable of the expression is local.  From a worker's region the
search goes on in the thread that created the region.  If it is another frame than
the selected one, a line says which.

Options:
  -team
    Print the value in each thread of the selected thread's team.  Threads with
    equal values share a row."""

    word = "print"
    options = {"-team": None}
    rest = True

    def run(self, options, arguments):
        expression = arguments[0] if arguments else ""
        word, _, rest = expression.partition(" ")
        team = len(word) > 1 and "-team".startswith(word)
        if team:
            expression = rest.strip()
        elif re.match(r"-[A-Za-z]+$", word):
            raise self.mistake(messages.NO_OPTION % (self.name, word))
        if not expression:
            raise self.mistake(messages.EXPRESSION_MISSING)
        model = Model()
        thread = gdb.selected_thread()
        if thread is None or thread.is_running():
            raise gdb.GdbError(messages.SELECTED_IS_RUNNING)
        with kept_selection():
            if team:
                self._team(model, selected_region(model), expression)
            else:
                self._one(model, thread, expression)

    def _one(self, model, thread, expression):
        if available.newest() is None:
            raise available.no_registers(thread)
        level = gdb.selected_frame().level()
        given, _, name = expression.partition(" ") if expression.startswith("/") else ("", "", expression)
        place = _where(model, name, level)
        if place is not None:
            place.select()
        gdb.execute("print %s %s" % (given, name) if given else "print " + name)
        if place is not None and (place.level != level or place.thread.global_num != thread.global_num):
            row = "  %s, frame %d of %s" % (_in_words(place), place.level,
                                            model.thread_words(place.thread.ptid[1] or place.thread.ptid[2]))
            command.write(wrapped(row))

    def _team(self, model, region, expression):
        rows = {}
        for member in region["members"]:
            number = member["thread_num"]
            numbers = rows.setdefault(self._value(model, member, expression), [])
            numbers.append(-1 if number is None else number)
        column = max(len(self._numbers(numbers)) for numbers in rows.values())
        for (value, where), numbers in rows.items():
            text = "%*s  %s" % (column, self._numbers(numbers), library.printable(value))
            command.write(text + ("  " + where if where else ""))

    def _numbers(self, numbers):
        known = [number for number in numbers if number >= 0]
        return number_list(known) if known else "-"

    def _value(self, model, member, expression):
        """(value or why there is none, place in words)"""
        try:
            thread = gdb_thread(member["lwp"])
            thread.switch()
            if thread.is_running():
                return "<running>", ""
            if available.newest() is None:
                return str(available.no_registers(thread)), ""
            place = _where(model, expression, 0)
            if place is not None:
                place.select()
            return gdb.parse_and_eval(expression).format_string(), _in_words(place)
        except gdb.error as error:
            return library.printable(errors.sentence(error)), ""
        except gdb.GdbError as error:
            return str(error), ""

    @errors.silent([])
    def complete(self, text, word):
        if text.startswith("-") and " " not in text:
            return super().complete(text, word)
        return gdb.COMPLETE_EXPRESSION


def register():
    """Registers the command."""
    Print()
