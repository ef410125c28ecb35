# SPDX-License-Identifier: Apache-2.0
"""`ompd frame`: up and down the user's stack, across a region's boundary to the creating thread and back."""

import gdb

from . import available, messages, session, stack
from .command import Command, one_of
from .model import Model, gdb_thread

# For each "up" to a creating thread: (generation, its number and level, the number and level before).
_came = []


def parts_of(model):
    """All parts of the selected thread's stack."""
    thread = gdb.selected_thread()
    row = model.row_of(thread.ptid[1] or thread.ptid[2])
    return stack.of_thread(model, row)


def creator_parts(model, parts, thread):
    """(thread, region, parts) of the thread that created the outermost region of THREAD's PARTS, from that
    region outwards; it is selected then. None if THREAD did that itself, or nobody is known."""
    region = next((part.construct for part in reversed(parts) if part.is_region), None)
    lwp = model.primary(region)
    if lwp is None or lwp in thread.ptid[1:]:
        return None
    creator = gdb_thread(lwp)
    creator.switch()
    return creator, region, stack.outside(parts_of(model), region, model.row_of(lwp))


def _select(part):
    part.own.inferior_frame().select()
    gdb.execute("frame")


class Frame(Command):
    """Select the next frame of the program's own code up or down, across OpenMP regions.
Usage: ompd frame up|down

Frames of the OpenMP runtime are skipped.  From the outermost frame of a worker's
region, "up" selects the thread that created the region, and "down" from there
selects the worker again."""

    word = "frame"
    arguments = 1

    def run(self, options, arguments):
        word = one_of(("up", "down"), arguments[0]) if arguments else None
        if word is None:
            raise self.mistake(messages.DIRECTION_MISSING)
        model = Model()
        thread = gdb.selected_thread()
        if thread is None or thread.is_running():
            raise gdb.GdbError(messages.SELECTED_IS_RUNNING)
        if available.newest() is None:
            raise available.no_registers(thread)
        if word == "up":
            self._up(model, thread)
        else:
            self._down(model, thread)

    def _up(self, model, thread):
        level = gdb.selected_frame().level()
        parts = parts_of(model)
        for part in parts:
            if part.own.inferior_frame().level() > level and part.label != stack.RUNTIME:
                _select(part)
                return
        around = creator_parts(model, parts, thread)
        if around is None:
            raise gdb.GdbError(messages.NO_FRAME_ABOVE)
        creator, region, rest = around
        if rest:
            _came.append((session.generation(), creator.global_num, rest[0].own.inferior_frame().level(),
                          thread.global_num, level))
            _select(rest[0])
            return
        thread.switch()
        raise gdb.GdbError(messages.CREATOR_FRAME_NOT_FOUND
                           % (region["id"], model.thread_words(model.primary(region))))

    def _down(self, model, thread):
        level = gdb.selected_frame().level()
        while _came and (_came[-1][0] != session.generation() or _came[-1][1] != thread.global_num):
            _came.pop()
        below = [part for part in parts_of(model) if part.own.inferior_frame().level() < level
                 and part.label != stack.RUNTIME]
        if _came and level <= _came[-1][2]:
            _, _, _, number, back = _came.pop()
            other = next(one for one in gdb.selected_inferior().threads() if one.global_num == number)
            other.switch()
            gdb.execute("frame %d" % back)
            return
        if below:
            _select(below[-1])
            return
        raise gdb.GdbError(messages.NO_FRAME_BELOW)

    def candidates(self, words):
        return ("up", "down") if not words else ()


def register():
    """Registers the command."""
    Frame()
