# SPDX-License-Identifier: Apache-2.0
"""A thread's stack as the program's author thinks of it: which frames are the runtime's, which construct
begins where.

Between two frames of the user's stand those of the runtime that called the inner one: the inner one is then
the body of a construct. Which, is told by the address of its code: OMPD gives it for each region and task
(`entry`).
"""

import os

import gdb

from . import available, decorators, older
from .classify import Classifier, RUNTIME, SYSTEM, USER
from .language import is_fortran_file



class Part:
    """A frame of the user's with those of the runtime that called it, and the construct whose body it is.

    `own` is one of decorators.py's decorators, which stands for a part itself where there is no more to
    say."""
    __slots__ = ("own", "inner", "construct", "is_region", "label", "is_last", "name", "begin")

    def __init__(self, own):
        self.own = own
        self.inner = ()  # the frames that stand between it and the next part
        self.construct = None  # the region's or task's row
        self.is_region = self.is_last = False
        self.label = None
        self.begin = ()  # the frames around it in which a thread without a construct begins
        self.name = None  # of the function that the program has called, if that is not own's


def pragma(row, is_region):
    """"#pragma omp parallel at nested.c:9" of a region's or task's row."""
    if is_region:
        word = "teams" if row["kind"] == "teams" else "parallel"
    else:
        word = {"taskloop": "taskloop", "target": "target"}.get(row["kind"], "task")
    text = ("!$omp " if is_fortran_file(row["file"]) else "#pragma omp ") + word
    if row["file"] and row["line"]:
        text += " at %s:%d" % (os.path.basename(row["file"]), row["line"])
    return text


class Constructs:
    """What a thread is in, innermost first: (entry address, row, whether it is a region)."""

    def __init__(self, model, thread):
        self._left, self._taken = [], False
        task = model.task(thread) if thread is not None else None
        seen = []
        while task is not None and task not in seen:
            seen.append(task)
            region = model.region(task)
            if task["kind"] in ("implicit", "initial"):
                if region is not None and region["kind"] in ("parallel", "teams"):
                    self._left.append((region["entry"] or task["entry"], region, True))
                # A thread that created the region had another task before.
                older = model.task(region, "parent_task") if region is not None else None
                task = older if older is not None and older["lwp"] == thread["lwp"] else None
            else:
                self._left.append((task["entry"], task, False))
                task = model.task(task, "scheduled_over")

    def outermost(self):
        """The region that the thread entered first, or None."""
        return next((row for _, row, is_region in reversed(self._left) if is_region), None)

    def take(self, frames):
        """The construct whose body one of the gdb.Frames is, and not an inner one again; (None, False)."""
        self._leave(frames)
        starts = [start(frame) for frame in frames]
        for i, (entry, row, is_region) in enumerate(self._left):
            if entry is not None and int(entry, 16) in starts:
                del self._left[:i + 1]
                return row, is_region
        # A stripped program, or a runtime that does not record a region's code: the order is all there is.
        unnamed = bool(starts) and all(one is None for one in starts)
        if self._left and (unnamed or starts and self._left[0][0] is None):
            return self._left.pop(0)[1:]
        return None, False

    def _leave(self, frames):
        """If the innermost FRAMES are where the innermost region was called, its body is not on the stack: it
        has returned, or left by a jump."""
        if not self._taken and self._left and self._left[0][2]:
            call = self._left[0][1]["codeptr"]
            if call is not None and int(call, 16) in [available.pc(frame) for frame in frames]:
                self._left.pop(0)
        self._taken = True


def start(frame):
    """Where the code of a frame's function begins, or None."""
    function = frame.function()
    if function is not None:
        return int(function.value().address)
    pc = available.pc(frame)
    try:
        words = older.format_address(pc).split("<")[1]
        return pc - int(words.split("+")[1].rstrip(">")) if "+" in words else pc
    except (IndexError, TypeError, ValueError, gdb.error):
        return None


def parts(frames, constructs):
    """Part after Part of a stack, from the innermost; takes only as many frames as the next one needs."""
    current = None  # the part whose callers are awaited
    wrappers = []
    loose = []  # frames of the system, and whose they are is not known yet
    for own in frames:
        code = own.code
        kind = code.kind
        if kind == USER and not loose:
            # By far the most: called by another function of the user's.
            if current is None or (not current.inner and not code.begins and not code.layer):
                if current is not None:
                    yield current
                current = own
                continue
        if current is not None and type(current) is not Part:
            current = Part(current)
        begins = code.begins and current is not None and (current.inner or current.label)
        if begins:
            kind = RUNTIME
        if kind == SYSTEM:
            loose.append(own)
            continue
        if kind == USER and current is not None and not loose and len(current.inner) == len(wrappers) \
                and code.layer > (wrappers[-1] if wrappers else current.own).code.layer > 0:
            wrappers.append(own)
            current.inner += (own,)
            continue
        if kind == USER:
            if current is not None:
                yield _finished(current, wrappers, constructs)
            yield from loose
            current, loose, wrappers = own, [], []
            continue
        if current is None:
            # The runtime at the top: all its frames fold below the outermost, which is what the user has
            # called.
            current = Part(own)
            current.inner = tuple(loose)
            current.label = RUNTIME
        elif current.label == RUNTIME and begins:
            current.inner += (own,)
        elif current.label == RUNTIME:
            current.inner += (current.own, *loose)
            current.own = own
        else:
            current.inner += (*loose, own)
        loose = []
    yield from _left(current, loose, wrappers, constructs)


def _left(current, loose, wrappers, constructs):
    """The last parts of a stack."""
    begin = _begin(loose)
    if begin and current is not None and (current.inner or current.label):
        current.inner += tuple(loose)
        begin, loose = [], []
    left = ([] if current is None else [_finished(current, wrappers, constructs)]) + loose
    if begin and len(left) > len(begin):
        left = left[:-len(begin)]
    else:
        begin = ()
    if left:
        if type(left[-1]) is not Part:
            left[-1] = Part(left[-1])
        left[-1].begin, left[-1].is_last = tuple(begin), True
    return left


def _begin(loose):
    """Those of the system's frames at the outer end of a stack in which its thread begins. libc's may have no
    names there."""
    for i, one in enumerate(loose):
        if one.code.begins or not any(each.code.name for each in loose[i:]):
            return loose[i:]
    return []


def _finished(part, wrappers, constructs):
    if part.label is None and part.inner:
        frames = [one.inferior_frame() for one in [part.own] + wrappers]
        part.construct, part.is_region = constructs.take(frames)
        if part.construct is not None:
            part.label = pragma(part.construct, part.is_region)
    return part


def outside(found, region, row):
    """What of a stack's parts is around a region, [] when it does not begin there; ROW is the thread's.

    A thread that waits at the region's end has left its code: only the runtime's frames at the top are the
    region's. So it is before it has entered that code and after the end, when its own region is the one
    around."""
    for i, part in enumerate(found):
        if part.is_region and part.construct["id"] == region["id"]:
            return found[i + 1:]
    waits = found and found[0].label == RUNTIME and row is not None and row["region"] in (region["id"],
                                                                                          region["parent"])
    return found[1:] if waits else []


def of_selected(model, row):
    """Part after Part of the selected thread's stack; ROW is the thread's."""
    return parts(decorators.decorate(decorators.walk(), Classifier()), Constructs(model, row))


def of_thread(model, row):
    """All parts of the selected thread's stack; those before the point at which GDB cannot go on."""
    return list(of_selected(model, row))


def frame_of(model, task):
    """The frame of the selected thread in which a task's own code stands; None."""
    thread = gdb.selected_thread()
    row = model.row_of(thread.ptid[1] or thread.ptid[2])
    region = model.region(task)
    last = None
    for part in of_selected(model, row):
        if part.label == RUNTIME:
            continue
        last = part.own.inferior_frame()
        if part.construct is task or (part.is_region and part.construct is region and task["kind"]
                                      == "implicit"):
            return last
    return last if task["kind"] == "initial" else None
