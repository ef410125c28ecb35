# SPDX-License-Identifier: Apache-2.0
"""Thread names with the OpenMP state, "omp 1/4 wait barrier", in `info threads`, MI and editors.

They are set before each prompt, not at each stop, so that a loop of steps in a script costs nothing. With MI
and DAP there is no event for that, so there they are set by an event that is posted at a stop. It is not
posted elsewhere, because GDB 13 crashes if it exits with a posted event in its queue.
"""

import gdb

from ompd_common import library
from . import command, errors, parameters, session

_given = {}  # (inferior number, global thread number) -> (name set here, name that the user had set or None)
_stale = True
_posted = False


def _bare(thread):
    """Removes GDB's name of the thread; (the program's name for it, the name the user had set or None)."""
    known, name = _given.get(_key(thread)), thread.name
    thread.name = None
    own = thread.name
    if known is not None and name == known[0]:
        return own, known[1]
    return own, name if name != own else None


def _key(thread):
    return thread.inferior.num, thread.global_num


def openmp_part(row):
    """The part of the name that says the OpenMP state, "omp 1/4 wait barrier"; None if there is none."""
    if not row["openmp"] or row["running"] or row["state"] is None:
        return None
    if row["state"] == "idle":
        return "omp idle"
    text = "omp"
    if row["thread_num"] is not None:
        text += " %d/%s" % (row["thread_num"], row["team_size"])
    if row["wait"]:
        return "%s wait %s" % (text, row["wait"]["kind"].replace("_", " "))
    return text + (" work" if row["state"].startswith("work_") else " " + row["state"].replace("_", " "))


def _take_back(thread):
    known = _given.pop(_key(thread), None)
    # A name that was set by someone else since then stays.
    if known is not None and thread.is_valid() and thread.name == known[0]:
        thread.name = known[1]


def _name_all(inferior):
    # A thread's name has none of a lock. To find one takes other threads' frames, which at each stop may have
    # changed, so that nothing could stay from the last stop.
    found = session.current().document(library.THREADS | library.UNNAMED, library.VIEW_THREADS)
    rows = {row["lwp"]: row for row in found["threads"]}
    default = (inferior.progspace.filename or "").rpartition("/")[2][:15]
    for thread in inferior.threads():
        row = rows.get(thread.ptid[1] or thread.ptid[2])
        text = openmp_part(row) if row is not None and not thread.is_running() else None
        if text is None:
            _take_back(thread)
            continue
        # Read each time: a thread may have renamed itself, of which GDB has no event.
        own, users = _bare(thread)
        own = users or own
        # At first every thread has the name of the program, which says nothing.
        full = text if not own or own == default else library.printable("%s: %s" % (own, text))
        thread.name = full
        _given[_key(thread)] = full, users


@errors.silent(None)
def refresh():
    """Sets the names again if anything may have changed."""
    global _stale
    if not _stale or not parameters.NAMES.value:
        return
    _stale = False
    inferior = gdb.selected_inferior()
    if session.has_runtime():
        _name_all(inferior)


def _switched():
    """`set ompd thread-names` was used."""
    global _stale
    _stale = True
    if parameters.NAMES.value:
        refresh()
        return
    for inferior in gdb.inferiors():
        for thread in inferior.threads():
            _take_back(thread)
    _given.clear()


def _changed(_event=None):
    global _stale
    _stale = True


def _posted_refresh():
    global _posted
    _posted = False
    refresh()


def _stopped(_event=None):
    global _posted
    _changed()
    if not _posted and parameters.NAMES.value:
        _posted = True
        gdb.post_event(_posted_refresh)


@errors.silent(None)
def _ended(event):
    for key in [key for key in _given if key[0] == event.inferior.num]:
        del _given[key]


def register():
    """Connects the events, and the setting."""
    parameters.NAMES.changed = _switched
    if command.for_an_editor():
        gdb.events.stop.connect(_stopped)
        _stopped()  # `gdb -i=mi -p PID` attaches before it loads the extension
    else:
        gdb.events.stop.connect(_changed)
    gdb.events.cont.connect(_changed)
    gdb.events.exited.connect(_ended)
    gdb.events.before_prompt.connect(refresh)
