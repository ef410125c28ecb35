# SPDX-License-Identifier: Apache-2.0
"""`ompd print`: a value from where it can be seen, be it in the thread that created the region; one value
of a whole team.

Where a variable is, scopes.py finds. Nothing is evaluated to find out: that may have effects.
"""

import json
import re

import gdb

from ompd_common import library, messages
from . import available, cli, command, errors, older, selection
from .command import Command, one_of
from .model import Model, gdb_thread, number_list, selected_region, wrapped
from .scopes import Scopes

# Names in an expression; not members (.x, ->x, ::x) and not GDB's own ($x).
_NAME = re.compile(r"(?<![\w$.:%])(?<!->)[A-Za-z_]\w*")


def names_in(expression):
    """The names in EXPRESSION that may be those of variables."""
    return set(_NAME.findall(expression))


def _thread_words(model, thread):
    return model.thread_words(thread.ptid[1] or thread.ptid[2])


class _Found:
    """The frame at which EXPRESSION means what it means in the source; it is selected, if there is one."""

    def __init__(self, model, expression, level):
        scopes = Scopes(model, level)
        place, innermost = scopes.find(names_in(expression))
        self.place, self.is_local = place or innermost, place is not None
        # What has no local variable here may have one in a frame that is gone, or cannot be found.
        self.lost = scopes.lost if place is None else None
        self.expression = expression
        if self.place is not None:
            self.place.select()
            own = self.place.own_copies(names_in(expression))
            self.expression = _NAME.sub(lambda match: own.get(match.group(), match.group()), expression)

    def value(self):
        """The value, of a reference what it refers to; gdb.GdbError where there is none."""
        try:
            value = gdb.parse_and_eval(self.expression)
            if value.type.strip_typedefs().code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
                value = value.referenced_value()
            value.fetch_lazy()
            return value
        except gdb.error as error:
            raise gdb.GdbError(self.why(error)) from None

    def why(self, error):
        """GDB's sentence, and why no other frame was asked."""
        return " ".join(filter(None, (library.printable(errors.sentence(error)), self.lost)))


def _row(found):
    """The value as JSON has it."""
    place, row = found.place, {"value": None, "why": None, "type": None}
    try:
        value = found.value()
        row["type"] = str(value.type)
        if value.is_optimized_out:
            row["why"] = messages.OUT
        else:
            row["value"] = value.format_string()
            row["why"] = found.lost
    except gdb.GdbError as error:
        row["why"] = str(error)
    local = found.is_local and row["type"] is not None
    row["function"] = place.name if local else None
    row["frame"] = place.level if local else None
    row["in_lwp"] = (place.thread.ptid[1] or place.thread.ptid[2]) if local else None
    return row


def document(model, expression, team):
    """What -json prints: the value from the selected frame, or in each thread of the selected one's team."""
    with selection.kept():
        if not team:
            if available.newest() is None:
                raise available.no_registers(gdb.selected_thread())
            found = _Found(model, expression, older.level(gdb.selected_frame()))
            return dict({"expression": expression}, **_row(found))
        rows = [_of_member(model, member, expression) for member in selected_region(model)["members"]]
    return {"expression": expression, "team": rows}


def _of_member(model, member, expression):
    """A row with the member's numbers."""
    row = {"thread_num": member["thread_num"], "lwp": member["lwp"], "value": None, "why": None}
    try:
        thread = gdb_thread(member["lwp"])
        thread.switch()
        if thread.is_running():
            row["why"] = messages.RUNNING
        elif available.newest() is None:
            row["why"] = str(available.no_registers(thread))
        else:
            row.update(_row(_Found(model, expression, 0)))
    except (gdb.error, gdb.GdbError) as error:
        row["why"] = library.printable(errors.sentence(error))
    return row


def outer_value(model, expression):
    """The value of $ompd_outer. The selection changes."""
    if available.newest() is None:
        raise available.no_registers(gdb.selected_thread())
    scopes = Scopes(model, older.level(gdb.selected_frame()))
    place, _ = scopes.find(names_in(expression), outer=True)
    if place is None and not scopes.constructs:
        raise gdb.GdbError(messages.IN_NO_CONSTRUCT)
    if place is None:
        raise gdb.GdbError(scopes.lost or messages.NOT_AROUND % library.printable(expression))
    place.select()
    value = gdb.parse_and_eval(expression)
    value.fetch_lazy()
    if value.is_optimized_out:
        raise gdb.GdbError(messages.OPTIMISED_OUT % (library.printable(expression), place.words(),
                                                     place.level, _thread_words(model, place.thread)))
    return value


def needs_stopped():
    """The model; gdb.GdbError unless the selected thread is stopped."""
    model = Model()
    thread = gdb.selected_thread()
    if thread is None or thread.is_running():
        raise gdb.GdbError(messages.SELECTED_IS_RUNNING)
    return model


class Print(Command):
    """Print the value of an expression, also of the function around a construct.
Usage: ompd print [-json] [/FORMAT] EXPRESSION
       ompd print -team [-json] EXPRESSION

The value is that of the innermost frame of the program, from the selected one
outwards, in which a variable of the expression is local.  From a region the search
goes on in the thread that created it, from a task in the task that created it.  If
it is another frame than the selected one, a line says which.

Options:
  -team
    Print the value in each thread of the selected thread's team.  Threads with
    equal values share a row.
  -json
    Print the value as JSON, without a format."""

    word = "print"
    options = {"-team": None, "-json": None}
    rest = True

    def run(self, options, arguments):
        options, expression = self._split(arguments[0] if arguments else "")
        if not expression:
            raise self.mistake(messages.EXPRESSION_MISSING)
        model = needs_stopped()
        if "-json" in options:
            command.write(json.dumps(document(model, expression, "-team" in options), indent=1))
            return
        with selection.kept():
            if "-team" in options:
                self._team(model, expression)
            else:
                self._one(model, expression)

    def _split(self, text):
        """({option: True}, the expression)"""
        options = {}
        while re.match(r"-[A-Za-z]+( |$)", text):
            word, _, rest = text.partition(" ")
            name = one_of(list(self.options), word)
            if name is None and not options and rest:
                break  # "-x + 1" begins with a minus
            if name is None:
                raise self.mistake(messages.NO_OPTION % (self.name, word))
            options[name], text = True, rest.strip()
        return options, text

    def _one(self, model, expression):
        thread = gdb.selected_thread()
        if available.newest() is None:
            raise available.no_registers(thread)
        level = older.level(gdb.selected_frame())
        given, _, name = expression.partition(" ") if expression.startswith("/") else ("", "", expression)
        found = _Found(model, name, level)
        place = found.place
        try:
            cli.show("print %s %s" % (given, found.expression) if given else "print " + found.expression)
        except gdb.error as error:
            raise gdb.GdbError(found.why(error)) from None
        if found.is_local and (place.level != level or place.thread.global_num != thread.global_num):
            row = "  %s, frame %d of %s" % (place.words(), place.level, _thread_words(model, place.thread))
            command.write(wrapped(row))
        if found.lost:
            command.write(wrapped("  " + messages.NOT_LOCAL % found.lost))

    def _team(self, model, expression):
        rows = {}
        for row in document(model, expression, True)["team"]:
            value = row["why"] if row["value"] is None else row["value"]
            where = "in " + row["function"] if row["value"] is not None and row["function"] else ""
            numbers = rows.setdefault((value, where), [])
            numbers.append(-1 if row["thread_num"] is None else row["thread_num"])
        column = max((len(self._numbers(numbers)) for numbers in rows.values()), default=0)
        for (value, where), numbers in rows.items():
            text = "%*s  %s" % (column, self._numbers(numbers), library.printable(value))
            command.write(text + ("  " + library.printable(where) if where else ""))

    def _numbers(self, numbers):
        known = [number for number in numbers if number >= 0]
        return number_list(known) if known else "-"

    @errors.silent([])
    def complete(self, text, word):
        if text.startswith("-") and " " not in text:
            return super().complete(text, word)
        return gdb.COMPLETE_EXPRESSION


def register():
    """Registers the command."""
    Print()
