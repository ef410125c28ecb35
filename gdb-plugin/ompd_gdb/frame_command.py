# SPDX-License-Identifier: Apache-2.0
"""`ompd up`, `ompd down`, `ompd frame`: up and down the user's stack, across a region's boundary to the
creating thread and back."""

import gdb

from ompd_common import messages
from . import available, cli, command, older, session, stack
from .command import Command, one_of
from .model import Model, gdb_thread, wrapped

# For each "up" to a creating thread: (generation, its number and level, the number and level before).
_came = []
# Frames of one command.
_MOST = 100000


def parts_of(model):
    """All parts of the selected thread's stack."""
    thread = gdb.selected_thread()
    row = model.row_of(thread.ptid[1] or thread.ptid[2])
    return stack.of_thread(model, row)


def _creator_parts(model, parts, thread):
    """(thread, region, parts) of the thread that created the outermost region of THREAD's PARTS, from that
    region outwards; it is selected then. None if THREAD did that itself, or nobody is known."""
    region = next((part.construct for part in reversed(parts) if part.is_region), None)
    if region is None:
        # At the region's end its body's frame is gone, also while the thread executes a task there.
        row = model.row_of(thread.ptid[1] or thread.ptid[2])
        region = model.region(row) if row is not None else None
    lwp = model.primary(region)
    if lwp is None or lwp in thread.ptid[1:]:
        return None
    creator = gdb_thread(lwp)
    if creator.is_running():
        raise gdb.GdbError(messages.THREAD_IS_RUNNING % creator.num)
    creator.switch()
    if available.newest() is None:
        thread.switch()
        raise available.no_registers(creator)
    return creator, region, stack.outside(parts_of(model), region, model.row_of(lwp))


def _words(model, thread):
    return model.thread_words(thread.ptid[1] or thread.ptid[2])


def _up(model):
    """Selects the next frame of the program outwards; the sentence for the user when it is another thread's,
    or None."""
    thread = gdb.selected_thread()
    level = older.level(gdb.selected_frame())
    parts = parts_of(model)
    for part in parts:
        if older.level(part.own.inferior_frame()) > level and part.label != stack.RUNTIME:
            part.own.inferior_frame().select()
            return None
    around = _creator_parts(model, parts, thread)
    if around is None:
        raise gdb.GdbError(messages.NO_FRAME_ABOVE)
    creator, region, rest = around
    if not rest:
        thread.switch()
        raise gdb.GdbError(messages.CREATOR_FRAME_NOT_FOUND
                           % (region["id"], model.thread_words(model.primary(region))))
    _came.append((session.generation(), creator.global_num, older.level(rest[0].own.inferior_frame()),
                  thread.global_num, level))
    rest[0].own.inferior_frame().select()
    return messages.CAME_UP % (_words(model, creator), region["id"], thread.num)


def _down(model):
    """The same inwards, and back to the thread from which _up came."""
    thread = gdb.selected_thread()
    level = older.level(gdb.selected_frame())
    while _came and (_came[-1][0] != session.generation() or _came[-1][1] != thread.global_num):
        _came.pop()
    if _came and level <= _came[-1][2]:
        _, _, _, number, back = _came.pop()
        other = next(one for one in gdb.selected_inferior().threads() if one.global_num == number)
        other.switch()
        next(one for one in available.stack() if older.level(one) == back).select()
        return messages.CAME_DOWN % _words(model, other)
    below = [part for part in parts_of(model) if older.level(part.own.inferior_frame()) < level
             and part.label != stack.RUNTIME]
    if not below:
        raise gdb.GdbError(messages.NO_FRAME_BELOW)
    below[-1].own.inferior_frame().select()
    return None


def _go(step, count=1):
    """Takes COUNT steps, as many as there are, and prints the frame that is selected then."""
    model = Model()
    thread = gdb.selected_thread()
    if thread is None or thread.is_running():
        raise gdb.GdbError(messages.SELECTED_IS_RUNNING)
    if available.newest() is None:
        raise available.no_registers(thread)
    said = None
    for done in range(count):
        try:
            said = step(model) or said
        except gdb.GdbError:
            if not done:
                raise
            break
    if said:
        command.write(wrapped(said))
    cli.show("frame")


class Frame(Command):
    """Select the next frame of the program's own code up or down, across OpenMP regions.
Usage: ompd frame up|down

Frames of the OpenMP runtime are skipped.  From the outermost frame of a worker's
region, "up" selects the thread that created the region, and "down" from there
selects the worker again.  "ompd up" and "ompd down" are the same."""

    word = "frame"
    arguments = 1

    def run(self, options, arguments):
        word = one_of(("up", "down"), arguments[0]) if arguments else None
        if word is None:
            raise self.mistake(messages.DIRECTION_MISSING)
        _go(_up if word == "up" else _down)

    def candidates(self, words):
        return ("up", "down") if not words else ()


class _Counted(Command):
    arguments = 1
    step = None

    def run(self, options, arguments):
        text = arguments[0] if arguments else "1"
        count = int(text) if text.isascii() and text.isdigit() else 0
        if not count:
            raise self.mistake(messages.NOT_A_COUNT % text)
        _go(type(self).step, min(count, _MOST))


class Up(_Counted):
    """Select the frame of the program that called this one, across OpenMP regions.
Usage: ompd up [N]

With N, go up N frames.  Frames of the OpenMP runtime are skipped.  From the
outermost frame of a worker's region it goes on in the thread that created the
region: that thread and its frame are selected then, so that "print", "info
locals" and "list" mean the function around the region.  "ompd down" returns."""

    word = "up"
    step = _up


class Down(_Counted):
    """Select the frame of the program that this one has called, across OpenMP regions.
Usage: ompd down [N]

With N, go down N frames.  Where "ompd up" has come from another thread, that
thread and the frame in which it was are selected again."""

    word = "down"
    step = _down


def register():
    """Registers the commands."""
    Frame()
    Up()
    Down()
