# SPDX-License-Identifier: Apache-2.0
"""A thread's stack as the program's author thinks of it: which frames are the runtime's, which construct begins where.

Between two frames of the user's stand those of the runtime that called the inner one: the inner one is then the body of a
construct. Which, is told by the address of its code: OMPD gives it for each region and task (`entry`).
"""

import os
import re

import gdb

from . import session

USER, RUNTIME, SYSTEM = "user", "runtime", "system"
_SYSTEM = re.compile(r"(libc|libpthread|libm|libdl|librt|ld-linux[^.]*|linux-vdso|ld)[-.0-9]*\.so")
# How a thread begins (glibc, all versions).
BEGIN = ("start_thread", "clone", "clone3", "__clone", "__clone3")
_FORTRAN = re.compile(r"\.(f|for|ftn|f[0-9][0-9])$", re.IGNORECASE)
# clang makes two functions of a construct when it debugs: the outer one only calls the inner one.
_OUTLINED = re.compile(r"(omp_outlined|omp_task_entry)")
_INNER = re.compile(r"omp_outlined\.?_debug__")
_STATIC = re.compile(r"(^|/)runtime/(core|abi)/[^/]+$")
_STATIC_NAMES = ("__kmpc_", "GOMP_", "rt_")


def is_inner(name):
    """Whether a function is the one inside the wrapper that clang makes of a construct when it debugs."""
    return bool(_INNER.search(name))


_kinds = (None, {}, [])  # (program space, mappings, ranges), pc -> kind, ranges in the program's own file


class Classifier:
    """Frames of the selected process by kind; what is asked of GDB once for an address is remembered."""

    def __init__(self, ranges):
        global _kinds
        self._ranges = ranges
        self._space = gdb.current_progspace()
        key = self._space, session.mapped(), ranges
        if _kinds[0] != key:
            # Linked statically, the program's own file holds the runtime.
            _kinds = key, {}, [pair for pair in ranges if self._space.solib_name(pair[0]) is None and self._own(pair)]
        _, self._known, self._static = _kinds

    def _own(self, pair):
        try:
            return pair[0] <= int(gdb.parse_and_eval("(long)&main")) < pair[1]
        except gdb.error:
            return False  # also a runtime whose file GDB lacks belongs to no library

    def kind(self, frame):
        """USER, RUNTIME or SYSTEM."""
        pc = frame.pc()
        found = self._known.get(pc)
        if found is None:
            found = self._known[pc] = self._kind(frame, pc)
        return found

    def _kind(self, frame, pc):
        for pair in self._ranges:
            if pair[0] <= pc < pair[1]:
                if pair not in self._static or self._static_runtime(frame):
                    return RUNTIME
                break
        name = self._space.solib_name(pc)
        return SYSTEM if name and _SYSTEM.match(os.path.basename(name)) else USER

    def _static_runtime(self, frame):
        symtab = frame.find_sal().symtab
        if symtab is not None:
            return bool(_STATIC.search(symtab.filename))
        return (frame.name() or "").startswith(_STATIC_NAMES)


class Part:
    """A frame of the user's with those of the runtime that called it, and the construct whose body it is.

    `own` is a decorator of GDB's, `inner` those that stand between it and the next part."""

    def __init__(self, own, named=False):
        self.own, self.inner = own, []
        self.named = named  # GDB has a name for its function
        self.construct = None  # the region's or task's row
        self.is_region = False
        self.label = None


def pragma(row, is_region):
    """"#pragma omp parallel at nested.c:9" of a region's or task's row."""
    if is_region:
        word = "teams" if row["kind"] == "teams" else "parallel"
    else:
        word = {"taskloop": "taskloop", "target": "target"}.get(row["kind"], "task")
    text = ("!$omp " if _FORTRAN.search(row["file"] or "") else "#pragma omp ") + word
    if row["file"] and row["line"]:
        text += " at %s:%d" % (os.path.basename(row["file"]), row["line"])
    return text


class Constructs:
    """What a thread is in, innermost first: (entry address, row, whether it is a region)."""

    def __init__(self, model, thread):
        self._left = []
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

    def take(self, frames):
        """The construct whose body one of the gdb.Frames is, and not an inner one again; (None, False)."""
        starts = [start(frame) for frame in frames]
        for i, (entry, row, is_region) in enumerate(self._left):
            if entry is not None and int(entry, 16) in starts:
                del self._left[:i + 1]
                return row, is_region
        if starts and all(one is None for one in starts) and self._left:
            return self._left.pop(0)[1:]  # stripped: the order is all there is
        return None, False


def start(frame):
    """Where the code of a frame's function begins, or None."""
    function = frame.function()
    if function is not None:
        return int(function.value().address)
    try:
        words = gdb.format_address(frame.pc()).split("<")[1]
        return frame.pc() - int(words.split("+")[1].rstrip(">")) if "+" in words else frame.pc()
    except (IndexError, ValueError, gdb.error):
        return None


def parts(decorators, classifier, constructs):
    """Part after Part of a stack, from the innermost; takes only as many decorators as the next one needs."""
    current = None  # the part whose callers are awaited
    wrappers = []
    loose = []  # frames of the system, and whose they are is not known yet
    for decorator in decorators:
        frame = decorator.inferior_frame()
        kind = classifier.kind(frame)
        name = frame.name() or ""
        begins = name in BEGIN and current is not None and (current.inner or current.label)
        if begins:
            kind = RUNTIME  # the program's own file has these too when it is linked statically
        if kind == SYSTEM:
            loose.append(decorator)
            continue
        if kind == USER and "omp" in name and current is not None and not loose and not wrappers \
                and is_inner(current.own.inferior_frame().name() or "") and _OUTLINED.search(name) and not is_inner(name):
            wrappers.append(decorator)
            current.inner.append(decorator)
            continue
        if kind == USER:
            if current is not None:
                yield _finished(current, wrappers, constructs)
            for one in loose:
                yield Part(one)
            current, loose, wrappers = Part(decorator, bool(name)), [], []
            continue
        if current is None:
            # The runtime at the top: all its frames fold below the outermost, which is what the user has called.
            current = Part(decorator)
            current.inner = loose
            current.label = RUNTIME
        elif current.label == RUNTIME and begins:
            current.inner = current.inner + [decorator]
        elif current.label == RUNTIME:
            current.inner = current.inner + [current.own] + loose
            current.own = decorator
        else:
            current.inner += loose + [decorator]
        loose = []
    if current is not None:
        yield _finished(current, wrappers, constructs)
    for one in loose:
        yield Part(one)


def _finished(part, wrappers, constructs):
    if part.label is None and part.inner:
        frames = [one.inferior_frame() for one in [part.own] + wrappers]
        part.construct, part.is_region = constructs.take(frames)
        if part.construct is not None:
            part.label = pragma(part.construct, part.is_region)
    return part


def outside(found, region, row):
    """What of a stack's parts is around a region, [] when it does not begin there; ROW is the thread's.

    A thread that waits at the region's end has left its code: only the runtime's frames at the top are the region's. So it
    is before it has entered that code and after the end, when its own region is the one around."""
    for i, part in enumerate(found):
        if part.is_region and part.construct["id"] == region["id"]:
            return found[i + 1:]
    waits = found and found[0].label == RUNTIME and row is not None and row["region"] in (region["id"], region["parent"])
    return found[1:] if waits else []


def of_thread(model, row):
    """All parts of the selected thread's stack; those before the point at which GDB cannot go on."""
    found = []
    try:
        for part in parts(walk(), Classifier(session.ranges()), Constructs(model, row)):
            found.append(part)
    except gdb.error:
        pass
    return found


class _Bare:
    """A decorator that only has a frame."""

    def __init__(self, frame):
        self._frame = frame

    def inferior_frame(self):
        return self._frame


def walk():
    """The selected thread's frames as decorators, from the newest."""
    frame = gdb.newest_frame()
    beyond_main = gdb.parameter("backtrace past-main")
    while frame is not None:
        yield _Bare(frame)
        # GDB knows a Fortran program's main by another name, and then does not stop at C's.
        frame = frame.older() if beyond_main or frame.name() != "main" else None


def frame_of(model, task):
    """The frame of the selected thread in which a task's own code stands; None."""
    thread = gdb.selected_thread()
    row = model.row_of(thread.ptid[1] or thread.ptid[2])
    region = model.region(task)
    last = None
    for part in parts(walk(), Classifier(session.ranges()), Constructs(model, row)):
        if part.label == RUNTIME:
            continue
        last = part.own.inferior_frame()
        if part.construct is task or (part.is_region and part.construct is region and task["kind"] == "implicit"):
            return last
    return last if task["kind"] == "initial" else None
