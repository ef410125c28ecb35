# SPDX-License-Identifier: Apache-2.0
"""What a thread waits for, in the words of `bt`, and the function that the program has called for it."""

import re

import gdb

from ompd_common import library
from . import available, older, parameters, parse, session

# Companion's interface: what programs call, by themselves or by the compiler's doing.
_INTERFACE = re.compile(r"(?:omp|ompx|kmp|__kmpc|GOMP)_\w+$")
# What glibc calls its exported functions inside: ___pthread_mutex_lock, __GI___lll_lock_wait.
_INTERNAL = re.compile(r"^(?:__GI_)?_*(?:new_|libc_)?")
_VERSION = re.compile(r"@.*")
# Where the frame of a call of libc may lie below, of those inside of libc.
_DEEPEST = 16
_FUTEX = 202  # the system call, on x86-64

_KINDS = {
    "mutex": "mutex", "rwlock": "rwlock", "spinlock": "spinlock", "condition": "condition variable",
    "barrier": "barrier", "semaphore": "semaphore", "join": "the end of", "once": "a first call",
    "atomic": "atomic variable", "future": "future", "loader": "a lock of the dynamic linker",
    "malloc": "a lock of malloc", "futex": "futex"}


def _held(model, text, owner, perhaps):
    """TEXT with who holds it."""
    if owner is None:
        return text
    row = model.row_of(owner)
    who = "thread %d" % row["gdb_num"] if row is not None and row["gdb_num"] else "LWP %d" % owner
    return "%s, %sheld by %s" % (text, "perhaps " if perhaps else "", who)


def name_of(wait, address):
    """The object of a wait, by its name or ADDRESS; None."""
    if wait["name"]:
        return "'%s'" % wait["name"] if wait["kind"] == "critical" else wait["name"]
    return wait["id"] if address else None


def of_openmp(model, row):
    """"waits for lock grid_lock, held by thread 3"; ROW is a thread's that waits in OpenMP."""
    wait = row["wait"]
    text = "waits for %s" % (wait["kind"] or "something").replace("_", " ")
    if wait["kind"] == "barrier":
        at = " at the end of" if wait["barrier"] == "implicit_parallel" else " of"
        return "%s%s region %s" % (text, at, wait["object"]) if wait["object"] else text
    # An object without a name is told by its address, as in the tables.
    shown = wait["kind"] in ("lock", "nest_lock", "critical") or parameters.ADDRESSES.value
    if name_of(wait, shown):
        text += " " + name_of(wait, shown)
    if wait["owner_ended"]:
        return text + ", held by a thread that has ended"
    if wait["owner_lwp"] == row["lwp"]:
        return text + ", which it already holds"
    return _held(model, text, wait["owner_lwp"], "wait.owner" in row["unknown"])


class Call:
    """A call of libc's in which a thread sleeps: its name, and what it waits for."""
    __slots__ = ("name", "words")

    def __init__(self, name, words):
        self.name, self.words = name, words

    def is_of(self, name):
        """Whether a frame of libc's with that NAME is the call's."""
        return _INTERNAL.sub("", _VERSION.sub("", name)) == _INTERNAL.sub("", self.name)

    def split(self, decorated):
        """([frames below the call's], the call's or None, those that follow) of DECORATED frames."""
        below = []
        for one in decorated:
            if self.is_of(one.code.name):
                return below, one, decorated
            below.append(one)
            if len(below) == _DEEPEST:
                break
        return below, None, decorated


def of_libc(model, lwp):
    """The Call in which the selected thread sleeps, None where it is in none that waits for an object.

    What all threads do is asked only then: each has to be selected for that."""
    newest = available.newest()
    if available.register(newest, "orig_rax") != _FUTEX:
        return None
    found = session.current().document(library.THREADS | library.ACTIVITY, library.VIEW_THREADS)
    row = next((one for one in found["threads"] if one["lwp"] == lwp), None)
    activity = row.get("activity") if row is not None else None
    if not activity or activity["kind"] not in _KINDS or not activity.get("call"):
        return None
    return Call(activity["call"], _activity(model, activity))


# Of threads that wait in no call: what is said of them.
_WORDS = {"computes": "computes", "sleep": "sleeps", "stopped": "is stopped", "zombie": "has ended",
          "traced": "is stopped by another debugger", "kernel": "waits in the kernel",
          "unknown": "what it does is not known"}
_STATES = {"work_serial": "serial", "work_parallel": "parallel", "work_reduction": "reduction"}


def does(model, row):
    """What a row's thread does that does not wait in OpenMP: ", computes", ", is in read"; "" if unknown."""
    activity, state = row.get("activity"), row["state"]
    if state == "idle" or not activity or activity["kind"] == "openmp":
        return ", " + _STATES.get(state, state.replace("_", " ")) if state else ""
    kind = activity["kind"]
    if kind in _KINDS:
        return ", " + _activity(model, activity)
    if kind in _WORDS:
        return ", " + _WORDS[kind]
    return ", is in " + (activity.get("call") or "a system call")


def _activity(model, activity):
    text = "waits for " + _KINDS[activity["kind"]]
    owner = activity.get("owner_lwp")
    if activity["kind"] == "join":
        return "%s %s" % (text, model.thread_words(owner) if owner else "a thread")
    name = activity.get("name") or activity.get("object")
    if name and activity["kind"] not in ("once", "loader", "malloc"):
        text += " " + name
    if activity.get("owner") == "ended":
        text += ", held by a thread that has ended"
    else:
        text = _held(model, text, owner, activity.get("owner_doubt"))
    limit = activity.get("timeout")
    if isinstance(limit, int):
        text += ", for at most %g s" % (limit / 1e9)
    return text + ", for a limited time" if limit == "some" else text


def entered(frame):
    """The function of the runtime's interface by which the program came to FRAME, the outermost of the
    runtime's; None: it is FRAME's own. At -O2 `omp_set_lock` jumps on, and has no frame of its own."""
    if _INTERFACE.match(frame.name() or ""):
        return None
    caller = available.older(frame)
    while caller is not None and caller.type() == gdb.INLINE_FRAME:
        caller = available.older(caller)
    pc = available.pc(caller) if caller is not None else None
    name = _target(pc) if pc is not None else None
    if name is None or not _INTERFACE.match(name):
        return None
    return name[:-1] if name.startswith("omp_") and name.endswith("_") else name


def _target(pc):
    """The name of the function that the call before PC calls; None."""
    try:
        inferior = gdb.selected_inferior()
        if "x86-64" not in inferior.architecture().name():
            return None
        code = inferior.read_memory(pc - 6, 6).tobytes()
        to = pc + int.from_bytes(code[2:], "little", signed=True)
        if code[:2] == b"\xff\x15":  # call *offset(%rip): -fno-plt
            to = int.from_bytes(inferior.read_memory(to, 8).tobytes(), "little")
        elif code[1] != 0xe8:  # call offset
            return None
        found = parse.raw_symbol(older.format_address(to & (2**64 - 1)))
    except (gdb.error, gdb.MemoryError, OverflowError, UnicodeError):
        return None
    if found is None or found[1]:
        return None
    name = found[0][:-4] if found[0].endswith("@plt") else found[0]
    return _VERSION.sub("", name)
