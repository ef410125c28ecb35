# SPDX-License-Identifier: Apache-2.0
"""Whose code a frame is in, as inspect judges (insp_code_at); and functions whose names say more."""

import re

import gdb

from . import available, library, session

USER, RUNTIME, SYSTEM = "user", "runtime", "system"
# What is not known is not hidden.
_KINDS = {library.CODE_UNKNOWN: USER, library.CODE_USER: USER, library.CODE_OPENMP: RUNTIME}
# How a thread begins (glibc, all versions).
_BEGIN = ("start_thread", "clone", "clone3", "__clone", "__clone3")
# clang makes two functions of a construct when it debugs: the outer one only calls the inner one.
_OUTLINED = re.compile(r"(omp_outlined|omp_task_entry)")
_INNER = re.compile(r"omp_outlined\.?_debug__")


def is_inner(name):
    """Whether a function is the one inside the wrapper that clang makes of a construct when it debugs."""
    return bool(_INNER.search(name))


def is_wrapper(name):
    """Whether a function is such a wrapper, or the only one."""
    return bool(_OUTLINED.search(name)) and not is_inner(name)


_known = (None, {})  # (program space, mappings), (pc, whether it is a return address) -> code


class Classifier:
    """Frames of the selected process by kind. The library is asked once for each
    address, until the next change of mappings."""

    def __init__(self):
        global _known
        self.key = gdb.current_progspace(), session.mapped()
        if _known[0] != self.key:
            _known = self.key, {}
        self._known = _known[1]

    def kind(self, frame):
        """USER, RUNTIME or SYSTEM."""
        return _KINDS.get(self._code(frame), SYSTEM)

    def is_nameless(self, frame):
        """Whether nothing is known of a frame's function: part of a stripped static program, perhaps libc."""
        return self._code(frame) == library.CODE_UNKNOWN and frame.name() is None

    def begins_thread(self, frame):
        """Whether a frame is libc's in which a thread begins."""
        return frame.name() in _BEGIN and self.kind(frame) == SYSTEM

    def _code(self, frame):
        pc = available.pc(frame)
        if pc is None:
            return library.CODE_UNKNOWN
        key = pc, available.is_return_address(frame)
        code = self._known.get(key, library.CODE_UNKNOWN)
        if code == library.CODE_UNKNOWN:  # a runtime that has started since is known now
            code = self._known[key] = session.current().code(pc - key[1])
        return code
