# SPDX-License-Identifier: Apache-2.0
"""What a runtime that tells a debugger of nothing exports: functions that compilers call, in place of events.

Companion has functions for events (ompd_bp_...). GNU's libgomp and LLVM's libomp have none, so that a
region's begin is seen where the program calls them, and its end not at all.
"""

import functools

import gdb

from . import available, session

# A function that begins a region -> where its argument with the region's code is: a register, and None or the
# offset in what that points to.
_REGION = {"GOMP_parallel" + end: ("rdi", None) for end in (
    "", "_start", "_reductions", "_sections", "_sections_start", "_loop_static", "_loop_static_start",
    "_loop_dynamic", "_loop_dynamic_start", "_loop_guided", "_loop_guided_start", "_loop_runtime",
    "_loop_runtime_start", "_loop_nonmonotonic_dynamic", "_loop_nonmonotonic_guided",
    "_loop_nonmonotonic_runtime", "_loop_maybe_nonmonotonic_runtime")}
_REGION.update({"GOMP_teams_reg": ("rdi", None), "__kmpc_fork_call": ("rdx", None),
                "__kmpc_fork_teams": ("rdx", None)})
# The same of those that create a task. clang's are given a structure that has the code.
_TASK = {"GOMP_task": ("rdi", None), "GOMP_taskloop": ("rdi", None), "GOMP_taskloop_ull": ("rdi", None),
         "__kmpc_omp_task": ("rdx", 8), "__kmpc_omp_task_with_deps": ("rdx", 8),
         "__kmpc_taskloop": ("rdx", 8)}
_BODIES = dict(_REGION, **_TASK)
# Functions of libomp that call another one of these or of their kind (catch.py): __kmpc_critical is one with
# the hint "none", and those for gcc's programs call those for clang's.
_CALLERS = ("__kmpc_critical", "GOMP_critical_start", "GOMP_critical_name_start", "GOMP_critical_end",
            "GOMP_critical_name_end", "GOMP_barrier", "GOMP_barrier_cancel")


def used():
    """Whether the selected process has only runtimes that tell of nothing but by these functions."""
    return session.has_runtime() and not session.ranges()


def address(name):
    """Where an exported function is, or None. In the program it may be an entry of the linkage table, so only
    a function in a library counts."""
    try:
        found = int(gdb.parse_and_eval("(unsigned long) &'%s'" % name))
    except (gdb.error, ValueError):
        return None
    return found if _library(found) is not None else None


def _library(at):
    return gdb.current_progspace().solib_name(at)


def is_caller(name):
    """Whether the function calls another one that is caught with it, so that one event would stop twice."""
    if name not in _CALLERS:
        return False
    library, inner = address(name), address("__kmpc_critical_with_hint")
    return library is not None and inner is not None and _library(library) == _library(inner)


def region_functions():
    """The names of the functions at which a region begins; one of several for the same address."""
    found = {}
    for name in _REGION:
        at = address(name)
        if at is not None:
            found.setdefault(at, name)
    return list(found.values())


@functools.lru_cache(maxsize=1)
def _addresses(_key):
    return {at: _BODIES[name] for name, at in ((name, address(name)) for name in _BODIES) if at is not None}


def _known():
    return _addresses((gdb.current_progspace().filename, gdb.selected_inferior().pid, session.mapped()))


def addresses():
    """Where the functions are that begin a region or create a task."""
    return list(_known())


def body():
    """The address of the code that the function is given at whose first instruction the selected thread is;
    None: it is at none."""
    frame = available.newest()
    register, offset = _known().get(available.pc(frame) if frame is not None else None, (None, None))
    value = available.register(frame, register) if register else None
    if value is None or offset is None:
        return value
    try:
        return int.from_bytes(gdb.selected_inferior().read_memory(value + offset, 8), "little")
    except gdb.MemoryError:
        return None
