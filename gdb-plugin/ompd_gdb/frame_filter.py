# SPDX-License-Identifier: Apache-2.0
"""The frame filter: `bt` shows the user's stack, the runtime's frames folded into the construct that they
carry out, and a worker's stack goes on in that of the thread that created its region.

A gdb.Frame of another thread becomes invalid as soon as the selection goes back, so such frames are plain
data, and the decorator's own frame is one of the selected thread's. Frames of a deep stack are unwound as GDB
asks for them (see _ahead).
"""

import itertools

import gdb
from gdb.FrameDecorator import FrameDecorator

from ompd_common import library, messages
from . import (available, classify, command, decorators, errors, language, older, parameters, selection,
               session, stack, waits)
from .model import current_model, gdb_thread

NAME = "ompd"
# Threads that a stack may go on in; more is damage.
_CREATORS = 64
# A stack of more frames is printed before another thread's is looked at.
_SHORT = 64


class _Dim(decorators.Forwarding):
    """A frame of the runtime below the one that it belongs to; dim where GDB uses colours."""
    __slots__ = ("_coloured",)

    def __init__(self, own, coloured):
        super().__init__(own)
        self._coloured = coloured

    def function(self):
        name = super().function()
        return command.styled(name, "2") if self._coloured and isinstance(name, str) else name


def _whose(frames):
    """The words for frames that are shown as one line."""
    runtime = any(one.code.kind == classify.RUNTIME for one in frames)
    # Where libc has no names, its outermost frames begin the thread.
    start = frames[-1].code.begins or (frames[-1].code.kind == classify.SYSTEM and not frames[-1].code.name)
    if runtime:
        return messages.OF_RUNTIME_AND_START if start else messages.OF_RUNTIME
    return messages.OF_START if start else messages.OF_LIBRARIES


class _Bare:
    """What GDB asks of a decorator, answered with nothing."""
    __slots__ = ("_frame",)

    def inferior_frame(self):
        return self._frame

    def filename(self):
        return None

    line = address = elided = frame_args = frame_locals = filename


class _Counted(_Bare):
    """One line in place of frames of the runtime, or of those in which a thread begins."""
    __slots__ = ("_text", "last")

    def __init__(self, frames):
        levels = {older.level(one.inferior_frame()): one.inferior_frame() for one in frames}
        self._frame, self.last = levels[min(levels)], max(levels)
        self._text = messages.FRAMES_COUNTED % (len(frames), _whose(frames))

    def function(self):
        return command.styled(self._text, "2") if command.coloured() else self._text


def _below(frames):
    """What is printed of frames that are folded: decorators, or None."""
    if not frames or parameters.FRAMES.value == "hide":
        return None
    if parameters.FRAMES.value == "count" and len(frames) > 1:
        return [_Counted(frames)]
    return map(_Dim, frames, itertools.repeat(command.coloured()))


class _Folded(decorators.Forwarding):
    """A frame of the selected thread, with the construct in its name and the runtime's frames below it."""
    __slots__ = ("_part", "_label")

    def __init__(self, part, label):
        super().__init__(part.own)
        self._part, self._label = part, label

    def function(self):
        name = super().function()
        return named(name, self._part, self._label) if isinstance(name, str) else name

    def filename(self):
        # The program has called a function that has jumped into this one.
        return None if self._part.label == stack.RUNTIME and self._part.name else super().filename()

    def line(self):
        return None if self._part.label == stack.RUNTIME and self._part.name else super().line()

    def elided(self):
        return _below(self._part.inner or self._part.begin)

    def frame_args(self):
        if self._part.label == stack.RUNTIME:
            return None
        arguments = super().frame_args()
        # What compilers pass to the body of a construct has names that no program can have.
        return arguments and [one for one in arguments if not language.is_compilers(str(one.symbol()))]


class _Elsewhere(_Bare):
    """A frame of another thread: plain data, and a frame of this one's because GDB asks for one."""
    __slots__ = ("_row",)

    def __init__(self, frame, row):
        self._frame, self._row = frame, row

    def function(self):
        return self._row["function"]

    def filename(self):
        return self._row["file"]

    def line(self):
        return self._row["line"]

    def address(self):
        return self._row["pc"]


def named(name, part, label):
    """The function's name with the construct: "main [#pragma omp parallel at nested.c:9]"."""
    if part.construct is not None and part.construct["function"]:
        name = part.construct["function"]
    name = part.name or name
    return library.printable("%s [%s]" % (name, label) if label else name)


def _waits(model, row):
    """What the frames of the runtime at the top of a stack do."""
    if row is None or not row["openmp"]:
        return "OpenMP runtime"
    if row["wait"]:
        return waits.of_openmp(model, row)
    return "idle" if row["state"] == "idle" else "OpenMP runtime"


def label(model, part, row):
    """What stands in brackets behind a function's name; None."""
    if part.label != stack.RUNTIME:
        return part.label
    part.name = waits.entered(part.own.inferior_frame())
    return _waits(model, row)


class _Creators:
    """The stacks of threads that have created regions, each taken once a stop."""

    def __init__(self):
        self._at = None
        self._rows = {}

    def known(self, lwp):
        """Whether that thread's is taken in this stop."""
        return self._at == session.generation() and lwp in self._rows

    def rows(self, model, lwp):
        """(parts, plain frames) of a thread's own stack, innermost first."""
        if self._at != session.generation():
            self._at, self._rows = session.generation(), {}
        if lwp not in self._rows:
            self._rows[lwp] = self._take(model, lwp)
        return self._rows[lwp]

    def _take(self, model, lwp):
        row = model.row_of(lwp)
        if row is None or row["running"]:
            return [], []
        with selection.kept():
            gdb_thread(lwp).switch()
            found = stack.of_thread(model, row)
            return found, [_plain(part, row, model) for part in found]


def _plain(part, row, model):
    code = part.own.code
    # The label first: it finds the name.
    words = label(model, part, row)
    return {"function": "%s [%s]" % (named(code.function, part, words), model.thread_words(row["lwp"])),
            "pc": part.own.address(), "file": code.filename if code.line is not None else None,
            "line": code.line or None}


_creators = _Creators()


def _continued(model, last, region):
    """The frames of the threads that created a region and those around it, as decorators beside the frame
    LAST."""
    for _ in range(_CREATORS):
        if region is None:
            return
        primary = model.primary(region)
        if primary is None:
            return
        found, plain = _creators.rows(model, primary)
        rest = stack.outside(found, region, model.row_of(primary))
        for row in plain[len(found) - len(rest):] if rest else ():
            yield _Elsewhere(last, row)
        # That thread may be a worker of a region further out.
        outer = next((part.construct for part in reversed(rest) if part.is_region), None)
        mine = model.member(outer, primary) if outer else None
        region = outer if mine is not None and mine["thread_num"] != 0 else None


@errors.silent(())
def _continuation(model, last, region):
    """The same as a list; what goes wrong on another thread's stack is no reason to lose this one's."""
    return list(_continued(model, last, region))


@errors.silent(None)
def _ahead(model, row, constructs):
    """Takes the creators' stacks before a frame is printed.

    GDB knows the frames that it has numbered by where they lie in its memory. When another thread is selected
    all frames are made anew, and one may then lie where a printed one has lain: it gets no number. So this is
    done first; but `bt 5` of a deep stack is to unwind no other thread, so not there."""
    region = constructs.outermost()
    primary = model.primary(region)
    if row is not None and primary not in (None, row["lwp"]) and not _creators.known(primary):
        frames = itertools.islice(available.callers(available.newest()), _SHORT + 1)
        if sum(1 for _ in frames) <= _SHORT:
            _continuation(model, None, region)


@errors.silent(None)
def _call(model, row):
    """The waits.Call of the selected thread, if it does not wait in OpenMP."""
    if row is None or row["wait"] or row["state"] == "idle":
        return None
    return waits.of_libc(model, row["lwp"])


def _decorated(frames, model, row):
    """The frames that `bt` is to show."""
    constructs = stack.Constructs(model, row)
    _ahead(model, row, constructs)
    call = _call(model, row)
    decorated = decorators.decorate(frames, classify.Classifier())
    if call is not None and parameters.FRAMES.value != "show":
        below, own, decorated = call.split(decorated)
        if own is None:
            decorated = itertools.chain(below, decorated)
        else:
            part = stack.Part(own)
            part.name, part.inner = call.name, tuple(below)
            yield _Folded(part, call.words)
    region = None
    show = parameters.FRAMES.value == "show"
    found = stack.parts(decorated, constructs)
    more = ()
    for part in found:
        if part.is_region:
            region = part.construct
        if part.is_last:
            # Before this frame is handed out, see _ahead.
            member = model.member(region, row["lwp"]) if region and row else None
            if member and member["thread_num"] != 0:
                more = _continuation(model, part.own.inferior_frame(), region)
        if not part.label and not part.inner and not part.begin:
            yield part.own
            continue
        text = label(model, part, row)
        if not show:
            yield _Folded(part, text)
        else:
            below, part.inner, part.begin = part.inner or part.begin, (), ()
            if part.label == stack.RUNTIME:
                yield from below
                yield _Folded(part, text)
            else:
                yield _Folded(part, text)
                yield from below
    yield from more


def _until_main(frames):
    """GDB knows a Fortran program's main by another name, and then does not stop at C's."""
    beyond = gdb.parameter("backtrace past-main")
    for one in frames:
        yield one
        frame = one if type(one) is gdb.Frame else one.inferior_frame()
        if not beyond and frame.name() == "main":
            return


def _kept(made):
    """The decorators MADE; where one cannot be made, the rest of the stack as GDB has it."""
    last = None
    try:
        for last in made:
            yield last
        return
    except Exception:  # whatever it is: it must neither be shown nor cost the backtrace
        pass
    # What is folded below the last one has been handed out with it.
    level = max(_levels(last)) if last is not None else -1
    yield from (FrameDecorator(frame) for frame in available.stack() if older.level(frame) > level)


def _levels(one):
    every = [one, *(one.elided() or ())]
    return [each.last if type(each) is _Counted else older.level(each.inferior_frame()) for each in every]


class Filter:
    """What GDB knows as the frame filter "ompd"."""

    def __init__(self):
        self.name = NAME
        self.priority = 100
        self._on = True
        gdb.frame_filters[NAME] = self

    @property
    def enabled(self):
        """Off as well where there is no OpenMP, so that `bt` is GDB's own there; and in a thread without
        registers, for which GDB prints "<unavailable>", what no decorator can."""
        return self._on and session.has_runtime() and available.newest() is not None

    @enabled.setter
    def enabled(self, value):
        self._on = bool(value)

    def _is_first(self):
        """Whether no other filter has had the frames before: GDB asks them by priority."""
        space = gdb.current_progspace()
        for owner in (gdb, space, *space.objfiles()):
            for other in owner.frame_filters.values():
                if other is not self and getattr(other, "priority",
                                                 0) >= self.priority and getattr(other, "enabled", False):
                    return False
        return True

    def filter(self, frames):
        """GDB's frames as the user's; GDB's own when that fails."""
        return _kept(self._filtered(frames))

    def _filtered(self, frames):
        first = next(frames, None)
        if first is None:
            return
        if type(first) is FrameDecorator and self._is_first():
            # what GDB hands over, without a decorator for each
            frames = available.callers(first.inferior_frame())
        else:
            frames = itertools.chain([first], frames)
        frames = _until_main(frames)
        found = _model()
        if found is None:
            yield from decorators.decorate(frames, classify.Classifier())
        else:
            yield from _decorated(frames, *found)


@errors.silent(None)
def _model():
    """(model, the selected thread's row), or None."""
    model = current_model()
    thread = gdb.selected_thread()
    if thread is None or not model.runtimes:
        return None
    return model, model.row_of(thread.ptid[1] or thread.ptid[2])


def register():
    """Registers the filter for all programs."""
    Filter()
