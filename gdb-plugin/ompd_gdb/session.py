# SPDX-License-Identifier: Apache-2.0
"""One session for each inferior that has a process, one snapshot for each stop.

A session ends when its process exits, is restarted or calls exec. A snapshot ends as soon as a thread has run
or memory was written. Inferiors share nothing.
"""

import json
import os
import time

import gdb

from ompd_common import library, messages
from . import available, errors, host, layouts, older, other_files, parameters

_sessions = {}  # number of the inferior -> Session
_generation = 0  # grows whenever anything may have changed
_mapped = 0  # grows whenever files may have been mapped or unmapped
_PATIENCE = 5  # seconds, with threads that run on


def _joined(one, other):
    """The contents of a snapshot that will do for both: UNNAMED leaves something out."""
    both = one | other
    return both if one & other & library.UNNAMED else both & ~library.UNNAMED


def _serves(has, want):
    """Whether a snapshot with the contents HAS will do where WANT is asked for."""
    if has & library.STACKS:
        has |= library.ACTIVITY
    return _joined(want, has) == has


class Session:
    """The libompdinspect session of one process."""

    def __init__(self, inferior, key):
        self.key = key
        self._inferior = inferior
        self._lib = library.get()
        self._host = host.Host(self._lib, inferior)
        self._handle = None
        self._tried = set()  # files of which a layout was asked for
        self._compared = False  # what other_files says of the core was said
        self._snapshot = None
        self._taken = None  # (generation, selected thread) of the snapshot
        self._want = 0
        # (view, contents) -> (generation, answers, document); independent of the selected thread
        self._documents = {}
        self._last_answers = {}  # contents -> the host's answers from which the last such snapshot was made
        self._answers = None  # those of the current snapshot; equal answers are the same object
        self._ranges = None
        self._ranges_at = None
        self._frame_ranges = None
        self._frame_ranges_at = None
        self._others = False  # a runtime that publishes nothing is mapped
        self._others_at = None
        self._code_at = None  # the mappings when code() was last asked
        self._files_at = None
        self._generation = None
        self._stopped = None  # the generation in which all threads were found stopped
        self._declined = False
        self.busy = False

    def _ask(self, function, *arguments):
        """One call of a library function that may use the host's callbacks."""
        self._forget_old()
        self.busy = True
        self._declined = False
        try:
            with self._host.asking():
                return function(*arguments)
        finally:
            self.busy = False
            if self._declined:
                # The unwinder was called meanwhile and had to decline, and GDB has cached that.
                gdb.invalidate_cached_frames()

    def _forget_old(self):
        if _generation != self._generation:
            self._host.forget(self._files_may_differ())
            self._generation = _generation

    def _files_may_differ(self):
        """Whether to read the list of mapped files again, which takes long with hundreds of threads."""
        before, self._files_at = self._files_at, _mapped
        # GDB reports each library that it sees loaded or unloaded, unless `auto-solib-add` is off.
        known = self._ranges or self._others
        return before != _mapped or not known or not gdb.parameter("auto-solib-add")

    def _open(self):
        if self._handle:
            return
        ctypes = self._lib.ctypes
        why = ctypes.c_void_p()
        ompd = os.fsencode(parameters.LIBRARY.value or self._lib.ompd)
        handle = self._lib.open(ctypes.byref(self._host.struct), ompd, ctypes.byref(why))
        if not handle:
            raise gdb.GdbError(errors.sentence(self._lib.take_string(why.value))
                               or messages.NOT_OPENED)
        layout = parameters.LAYOUT.value
        if layout and self._lib.layout_file(handle, os.fsencode(layout), ctypes.byref(why)):
            self._lib.close(handle)
            raise gdb.GdbError(errors.sentence(self._lib.take_string(why.value)) or messages.NOT_LAYOUT)
        self._handle = handle

    def runs(self):
        """Whether a thread of the process is running."""
        if self._stopped == _generation:
            return False
        if any(thread.is_running() for thread in self._inferior.threads()):
            return True
        self._stopped = _generation
        return False

    def snapshot(self, want, again=False):
        """The snapshot of this stop with at least the contents WANT.

        AGAIN: an earlier snapshot will do if a new one would have the same contents."""
        if self.runs():
            _changed()  # a running thread may write at any time
            again = False
        thread = gdb.selected_thread()
        now = (_generation, thread.global_num if thread is not None else None)
        enough = self._snapshot and _serves(self._want, want)
        if enough and self._taken == now:
            return self._snapshot
        if self._snapshot and self._taken == now:
            want = _joined(want, self._want)
        elif again and enough:
            self._forget_old()
            # The library asks the same questions if it is given the same answers.
            if self._answers[0] == _mapped and self._host.answers_again(self._answers[1]):
                self._taken = now
                return self._snapshot
        self._free_snapshot()
        if self._taken != now:
            self._host.forget_threads()
        self._open()
        self._compare_files()
        self.frame_ranges()  # once they are known, the unwinder need not read registers of each frame
        ctypes = self._lib.ctypes
        why = ctypes.c_void_p()
        held = []

        def take():
            self._host.begin()
            held.append(self._lib.take(self._handle, want, ctypes.byref(why)))

        try:
            self._ask(take)
            # With a layout that the user has named none is made.
            if held[0] and not parameters.LAYOUT.value and layouts.make(self._lib, self._handle, self._tried):
                self._lib.free(held.pop())
                self._ask(take)
        except BaseException:
            if held and held[0]:
                self._lib.free(held[0])
            if why.value:
                self._lib.string_free(why.value)
            raise
        if not held[0]:
            raise gdb.GdbError(errors.sentence(self._lib.take_string(why.value)) or messages.NO_SNAPSHOT)
        self._snapshot, self._taken, self._want = held[0], now, want
        answers = _mapped, self._host.told
        self._answers = self._last_answers.get(want)
        if self._answers != answers:
            self._answers = self._last_answers[want] = answers
        self.has_runtime()  # once it is known, the list of mapped files need not be read at each stop
        return self._snapshot

    def _compare_files(self):
        """Says once of a core which of its files are other ones here."""
        if self._compared:
            return
        self._compared = True
        connection = older.connection(self._inferior)
        for one in other_files.find() if connection is not None and connection.type == "core" else ():
            gdb.write("%s\n" % one, gdb.STDERR)

    def document(self, want, view):
        """The JSON of a view, parsed. Within a stop it does not depend on the selected thread.

        It is rendered again only if the answers of the host differ from those of the last time."""
        known = self._documents.get((view, want))
        if known and known[0] == _generation and not self.runs():
            return known[2]
        snapshot = self.snapshot(want, again=True)
        if known and known[1] is self._answers:
            found = known[2]
        else:
            found = json.loads(self._rendered(snapshot, view, format=library.JSON))
        self._documents[view, want] = _generation, self._answers, found
        return found

    def thread_value(self, field):
        """A number of the selected thread's row, in a breakpoint condition too: there it counts as
        running."""
        thread = gdb.selected_thread()
        if thread is None:
            raise gdb.GdbError(messages.NO_THREAD_SELECTED)
        want = library.THREADS | library.UNNAMED
        if not thread.is_running():
            return self._value(want, thread, field)
        if available.newest() is None:  # in a condition the thread is stopped and has frames
            raise gdb.GdbError(messages.SELECTED_IS_RUNNING)
        # The others run on, and what they change meanwhile looks damaged: a moment later it is whole.
        until = time.monotonic() + _PATIENCE
        while True:
            self._host.stopped = thread.global_num
            try:
                value = self._value(want | library.MOVING, thread, field)
            finally:
                self._host.stopped = None
            why = self._unknown(thread, field) if value == -1 else None
            if why is None:
                return value
            if time.monotonic() > until:
                raise gdb.GdbError(messages.VALUE_NOT_KNOWN % ("$ompd_" + field, why))
            _changed()

    def _value(self, want, thread, field):
        return self._lib.thread_value(self.snapshot(want), thread.ptid[1] or thread.ptid[2], field.encode())

    def _unknown(self, thread, field):
        """Why a field of the last snapshot is not known; None: it is, or has no value while others run."""
        if field in ("region", "task"):  # a stock runtime's are numbered at each stop
            return None
        for row in self.last_rows(library.VIEW_THREADS)["threads"]:
            if row["lwp"] == (thread.ptid[1] or thread.ptid[2]):
                return row["unknown"].get("openmp") or row["unknown"].get(field)
        return None

    def last_rows(self, view):
        """The JSON of a view of the last snapshot, parsed."""
        return json.loads(self._rendered(self._snapshot, view, format=library.JSON))

    def record(self):
        """The snapshot as text that `ompd --snapshot` reads."""
        why = self._lib.ctypes.c_void_p()
        text = self._lib.record(self.snapshot(library.ALL | library.STACKS), self._lib.ctypes.byref(why))
        if not text:
            raise gdb.GdbError(errors.sentence(self._lib.take_string(why.value)) or messages.NOT_RECORDED)
        return self._lib.take_string(text)

    def render(self, want, view, **options):
        """The text of a view."""
        return self._rendered(self.snapshot(want), view, **options)

    def _rendered(self, snapshot, view, **options):
        ctypes = self._lib.ctypes
        o = self._lib.RenderOptions(ctypes.sizeof(self._lib.RenderOptions), view)
        for name, value in options.items():
            setattr(o, name, value.encode() if isinstance(value, str) else value)
        why = ctypes.c_void_p()
        text = self._lib.render(snapshot, ctypes.byref(o), ctypes.byref(why))
        if not text:
            raise gdb.GdbError(errors.sentence(self._lib.take_string(why.value)) or messages.NOT_WRITTEN)
        return self._lib.take_string(text)

    def has(self, want):
        """The contents of this stop's snapshot, WANT if there is none yet: for a view that can show any."""
        return self._want if self._snapshot and self._taken and self._taken[0] == _generation else want

    def known_ranges(self):
        """The result of frame_ranges() if it is known already, else None."""
        return self._frame_ranges if self._frame_ranges_at == _mapped else None

    def runtime_ranges(self):
        """[(start, end)] of the OpenMP runtimes mapped that publish their state; None during a call of the
        library."""
        if self._ranges is None or self._ranges_at != _mapped:
            self._ranges, self._ranges_at = self._ask_ranges("runtime_ranges"), _mapped
        return self._ranges

    def frame_ranges(self):
        """[(start, end)] of the OpenMP runtimes mapped through whose frames caller_of() leads; None as
        there."""
        if self._frame_ranges is None or self._frame_ranges_at != _mapped:
            self._frame_ranges, self._frame_ranges_at = self._ask_ranges("frame_ranges"), _mapped
        return self._frame_ranges

    def _ask_ranges(self, which):
        if self.busy:
            self._declined = True
            return None
        self._open()
        most = 16
        block = (self._lib.ctypes.c_uint64 * 2 * most)()
        found = self._ask(getattr(self._lib, which), self._handle, block, most)
        return [(block[i][0], block[i][1]) for i in range(max(0, min(found, most)))]

    def caller_of(self, newest, registers):
        """The registers {name: value} of the caller in a runtime without a file; None: not known."""
        return self._lib.caller_of(self._handle, gdb.selected_inferior().read_memory, newest, registers)

    def has_runtime(self):
        """Whether an OpenMP runtime is mapped, one that publishes its state or another."""
        if self.runtime_ranges():
            return True
        if self._others_at != _mapped and not self.busy:
            self._open()
            self._others = self._ask(self._lib.runtimes, self._handle) > 0
            self._others_at = _mapped
        return self._others

    def code(self, address):
        """Whose code is at an address: one of library.CODE_*."""
        if self.busy:
            return library.CODE_UNKNOWN
        self._open()
        # What is read here is no part of a snapshot.
        answers, self._host.told = self._host.told, []
        try:
            changed = self._code_at != _mapped
            found = self._ask(self._lib.code_at, self._handle, address, int(changed))
            self._code_at = _mapped
        finally:
            self._host.told = answers
        return found

    def _free_snapshot(self):
        if self._snapshot:
            snapshot, self._snapshot = self._snapshot, None
            self._want = 0
            self._lib.free(snapshot)

    def close(self):
        self._free_snapshot()
        if self._handle:
            handle, self._handle = self._handle, None
            self._lib.close(handle)


def _key(inferior):
    return inferior.pid, older.connection_num(inferior)


def current():
    """The session of the selected inferior; gdb.GdbError if it has no process."""
    inferior = gdb.selected_inferior()
    if not inferior.pid:
        raise gdb.GdbError(messages.NOT_RUN)
    key = _key(inferior)
    session = _sessions.get(inferior.num)
    if session is not None and session.key != key and not session.busy:
        _drop(inferior.num)
        session = None
    if session is None:
        session = _sessions[inferior.num] = Session(inferior, key)
    return session


def existing():
    """The session of the selected inferior if it exists already, else None."""
    inferior = gdb.selected_inferior()
    session = _sessions.get(inferior.num)
    return session if session is not None and session.key == _key(inferior) else None


def generation():
    """A number that differs from an earlier one if anything may have changed since."""
    return _generation


def mapped():
    """A number that differs from an earlier one if files may have been mapped or unmapped since."""
    return _mapped


def known_ranges():
    """The frame_ranges() of the selected inferior if they are known already, else None."""
    session = existing()
    return session.known_ranges() if session is not None else None


@errors.silent(())
def ranges():
    """The runtime_ranges() of the selected inferior, of runtimes that publish their state and tell a debugger
    of events; empty if it has no process. Never fails."""
    return current().runtime_ranges() or () if gdb.selected_inferior().pid else ()


@errors.silent(False)
def has_runtime():
    """Whether the selected inferior has mapped an OpenMP runtime, of whatever kind. Never fails."""
    return bool(gdb.selected_inferior().pid) and current().has_runtime()


def drop_all():
    """Ends all sessions: another OMPD library or layout was chosen."""
    for number in list(_sessions):
        _drop(number)
    _files_changed()


def _drop(number):
    session = _sessions.get(number)
    if session is None or session.busy:
        return
    del _sessions[number]
    session.close()


def _changed(_event=None):
    global _generation
    _generation += 1


def _files_changed(_event=None):
    global _mapped
    _mapped += 1


@errors.silent(None)
def _ended(event):
    _changed()
    _files_changed()
    _drop(event.inferior.num)


@errors.silent(None)
def _cleared(event):
    """A program space has another program: exec, or `file`."""
    _changed()
    _files_changed()
    for inferior in gdb.inferiors():
        if inferior.progspace == event.progspace:
            _drop(inferior.num)


def register():
    """Connects the events, and the settings of the library."""
    parameters.LIBRARY.changed = parameters.LAYOUT.changed = drop_all
    events = gdb.events
    for registry in (events.cont, events.stop, events.memory_changed, events.register_changed,
                     events.inferior_call):
        registry.connect(_changed)
    events.new_objfile.connect(_files_changed)
    older.connect_if_there("free_objfile", _files_changed)
    events.exited.connect(_ended)
    events.inferior_deleted.connect(_ended)
    events.clear_objfiles.connect(_cleared)
