# SPDX-License-Identifier: Apache-2.0
"""Whose code a frame is in: the user's, the runtime's or the system's; and names of functions that say
more."""

import os
import re

import gdb

from . import available, session

USER, RUNTIME, SYSTEM = "user", "runtime", "system"
_SYSTEM = re.compile(r"(libc|libpthread|libm|libdl|librt|ld-linux[^.]*|linux-vdso|ld)[-.0-9]*\.so")
# How a thread begins (glibc, all versions).
BEGIN = ("start_thread", "clone", "clone3", "__clone", "__clone3")
# clang makes two functions of a construct when it debugs: the outer one only calls the inner one.
_OUTLINED = re.compile(r"(omp_outlined|omp_task_entry)")
_INNER = re.compile(r"omp_outlined\.?_debug__")
_STATIC = re.compile(r"(^|/)runtime/(core|abi)/[^/]+$")
_STATIC_NAMES = ("__kmpc_", "GOMP_", "rt_")


def is_inner(name):
    """Whether a function is the one inside the wrapper that clang makes of a construct when it debugs."""
    return bool(_INNER.search(name))


def is_wrapper(name):
    """Whether a function is such a wrapper, or the only one."""
    return bool(_OUTLINED.search(name)) and not is_inner(name)


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
            _kinds = key, {}, [pair for pair in ranges if self._space.solib_name(pair[0]) is None
                               and self._own(pair)]
        self.key, self._known, self._static = _kinds

    def _own(self, pair):
        try:
            return pair[0] <= int(gdb.parse_and_eval("(long)&main")) < pair[1]
        except gdb.error:
            return False  # also a runtime whose file GDB lacks belongs to no library

    def kind(self, frame):
        """USER, RUNTIME or SYSTEM."""
        pc = available.pc(frame)
        if pc is None:
            return USER  # what cannot be told is not hidden
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
