# SPDX-License-Identifier: Apache-2.0
"""One session for each running program, one snapshot for each stop.

A session is dropped when its process ends, starts again or becomes another program; a snapshot as soon as anything ran
or memory was written. Inferiors have nothing in common.
"""

import json
import os

import gdb

from . import available, errors, host, library, parameters

NOT_RUN = "The program is not being run: start it with \"run\", attach to a process, or open a core file."

_sessions = {}  # number of the inferior -> Session
_generation = 0  # one more whenever anything may have changed
_mapped = 0  # one more whenever files may have been mapped or unmapped


class Session:
    """A process as inspect knows it."""

    def __init__(self, inferior, key):
        self.key = key
        self._inferior = inferior
        self._lib = library.get()
        self._host = host.Host(self._lib, inferior)
        self._handle = None
        self._snapshot = None
        self._taken = None  # (generation, selected thread) of the snapshot
        self._want = 0
        self._documents = {}  # view -> (generation, answers, what the list holds), whoever is selected
        self._told = {}  # what is wanted -> the answers of which the last such snapshot was made
        self._answers = None  # those of this snapshot: the same object for the same ones
        self._ranges = None
        self._ranges_at = None
        self._files_at = None
        self._generation = None
        self._still = None  # the generation at which no thread ran
        self._declined = False
        self.busy = False

    def _ask(self, function, *arguments):
        """One call of the library that may call back."""
        self._forget_old()
        self.busy = True
        self._declined = False
        try:
            with self._host.asking():
                return function(*arguments)
        finally:
            self.busy = False
            if self._declined:
                # The unwinder was asked while the library was at work, and GDB has remembered its silence.
                gdb.invalidate_cached_frames()

    def _forget_old(self):
        if _generation != self._generation:
            self._host.forget(self._files_may_differ())
            self._generation = _generation

    def _files_may_differ(self):
        """Whether the list of mapped files is to be made anew: for hundreds of threads that is long."""
        before, self._files_at = self._files_at, _mapped
        # GDB tells of each library that it has seen come or go, unless it is told not to look.
        return before != _mapped or not self._ranges or not gdb.parameter("auto-solib-add")

    def _open(self):
        if self._handle:
            return
        ctypes = self._lib.ctypes
        why = ctypes.c_void_p()
        handle = self._lib.open(ctypes.byref(self._host.struct), os.fsencode(parameters.LIBRARY.value or self._lib.ompd),
                                ctypes.byref(why))
        if not handle:
            raise gdb.GdbError(errors.sentence(self._lib.take_string(why.value))
                               or "The OpenMP library could not be opened.")
        self._handle = handle

    def runs(self):
        """True when a thread of the process runs."""
        if self._still == _generation:
            return False
        if any(thread.is_running() for thread in self._inferior.threads()):
            return True
        self._still = _generation
        return False

    def snapshot(self, want, again=False):
        """The snapshot of this stop with at least WANT in it; AGAIN: the one before will do if it would be the same."""
        if self.runs():
            _changed()  # what runs may write at any time
            again = False
        thread = gdb.selected_thread()
        now = (_generation, thread.global_num if thread is not None else None)
        if self._snapshot and self._taken == now and want & ~self._want == 0:
            return self._snapshot
        if self._taken == now:
            want |= self._want
        elif again and self._snapshot and want & ~self._want == 0:
            self._forget_old()
            # To the same answers the library asks the same questions.
            if self._answers[0] == _mapped and self._host.answers_again(self._answers[1]):
                self._taken = now
                return self._snapshot
        self._free_snapshot()
        if self._taken != now:
            self._host.forget_threads()
        self._open()
        self.runtime_ranges()  # where they are known, GDB need not ask the unwinder for each frame
        ctypes = self._lib.ctypes
        why = ctypes.c_void_p()
        held = []

        def take():
            self._host.begin()
            held.append(self._lib.take(self._handle, want, ctypes.byref(why)))

        try:
            self._ask(take)
        except BaseException:
            if held and held[0]:
                self._lib.free(held[0])
            if why.value:
                self._lib.string_free(why.value)
            raise
        if not held[0]:
            raise gdb.GdbError(errors.sentence(self._lib.take_string(why.value)) or "No snapshot could be taken.")
        self._snapshot, self._taken, self._want = held[0], now, want
        answers = _mapped, self._host.told
        self._answers = self._told.get(want)
        if self._answers != answers:
            self._answers = self._told[want] = answers
        return self._snapshot

    def document(self, want, view):
        """The JSON of a view as Python has it. Which thread is selected is of no account in a stop.

        It is made anew when the answers that it rests on are others than the last time."""
        known = self._documents.get(view)
        if known and known[0] == _generation and not self.runs():
            return known[2]
        snapshot = self.snapshot(want, again=True)
        if known and known[1] is self._answers:
            found = known[2]
        else:
            found = json.loads(self._rendered(snapshot, view, format=library.JSON))
        self._documents[view] = _generation, self._answers, found
        return found

    def thread_value(self, field):
        """A number of the selected thread's row. Also asked in a breakpoint's condition, where GDB says that all run."""
        thread = gdb.selected_thread()
        if thread is None:
            raise gdb.GdbError("No thread is selected.")
        want = library.THREADS
        if thread.is_running():
            if available.newest() is None:  # in a condition the thread stands still all the same
                raise gdb.GdbError("The selected thread runs: interrupt it first.")
            self._host.stopped = thread.global_num
            want |= library.MOVING
        try:
            snapshot = self.snapshot(want)
        finally:
            self._host.stopped = None
        return self._lib.thread_value(snapshot, thread.ptid[1] or thread.ptid[2], field.encode())

    def last_rows(self, view):
        """The JSON of a view of the snapshot that was taken last."""
        return json.loads(self._rendered(self._snapshot, view, format=library.JSON))

    def record(self):
        """The snapshot as text that `ompd --snapshot` reads."""
        why = self._lib.ctypes.c_void_p()
        text = self._lib.record(self.snapshot(library.ALL | library.STACKS), self._lib.ctypes.byref(why))
        if not text:
            raise gdb.GdbError(errors.sentence(self._lib.take_string(why.value)) or "No snapshot could be written.")
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
            raise gdb.GdbError(errors.sentence(self._lib.take_string(why.value)) or "The answer could not be written.")
        return self._lib.take_string(text)

    def has(self, want):
        """WANT, or what the snapshot of this stop holds already: for a view that is content with any."""
        return self._want if self._snapshot and self._taken and self._taken[0] == _generation else want

    def known_ranges(self):
        """What runtime_ranges() would give, if it need not ask; None."""
        return self._ranges if self._ranges_at == _mapped else None

    def runtime_ranges(self):
        """[(start, end)] of the runtimes mapped in the process; None while the library is at work."""
        if self._ranges is not None and self._ranges_at == _mapped:
            return self._ranges
        if self.busy:
            self._declined = True
            return None
        self._open()
        most = 16
        block = (self._lib.ctypes.c_uint64 * 2 * most)()
        found = self._ask(self._lib.runtime_ranges, self._handle, block, most)
        self._ranges = [(block[i][0], block[i][1]) for i in range(max(0, min(found, most)))]
        self._ranges_at = _mapped
        return self._ranges

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
    return inferior.pid, inferior.connection_num


def current():
    """The session of the selected inferior; gdb.GdbError when its program does not run."""
    inferior = gdb.selected_inferior()
    if not inferior.pid:
        raise gdb.GdbError(NOT_RUN)
    key = _key(inferior)
    session = _sessions.get(inferior.num)
    if session is not None and session.key != key and not session.busy:
        _drop(inferior.num)
        session = None
    if session is None:
        session = _sessions[inferior.num] = Session(inferior, key)
    return session


def existing():
    """The session of the selected inferior if there is one already, else None."""
    inferior = gdb.selected_inferior()
    session = _sessions.get(inferior.num)
    return session if session is not None and session.key == _key(inferior) else None


def generation():
    """A number that is another one whenever anything may have changed."""
    return _generation


def mapped():
    """A number that is another one whenever files may have been mapped or unmapped."""
    return _mapped


def known_ranges():
    """The mapped runtimes of the selected inferior if they are known already, else None."""
    session = existing()
    return session.known_ranges() if session is not None else None


@errors.silent(())
def ranges():
    """The mapped runtimes of the selected inferior; none when there is none or it does not run. Never fails."""
    return current().runtime_ranges() or () if gdb.selected_inferior().pid else ()


def drop_all():
    """Another OMPD library is to be used."""
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
    """Another program in a program space: exec, or `file`."""
    _changed()
    _files_changed()
    for inferior in gdb.inferiors():
        if inferior.progspace == event.progspace:
            _drop(inferior.num)


def register():
    """Connects the events."""
    events = gdb.events
    for registry in (events.cont, events.stop, events.memory_changed, events.register_changed, events.inferior_call):
        registry.connect(_changed)
    for registry in (events.new_objfile, events.free_objfile):
        registry.connect(_files_changed)
    events.exited.connect(_ended)
    events.inferior_deleted.connect(_ended)
    events.clear_objfiles.connect(_cleared)
