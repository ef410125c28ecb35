# SPDX-License-Identifier: Apache-2.0
"""Whose code a frame is in, as inspect judges (insp_code_at); and functions whose names say more."""

import re

import gdb

from ompd_common import library
from . import available, session

USER, RUNTIME, SYSTEM = "user", "runtime", "system"
# What is not known is not hidden.
_KINDS = {library.CODE_UNKNOWN: USER, library.CODE_USER: USER, library.CODE_OPENMP: RUNTIME}
# How a thread begins (glibc, all versions).
_BEGIN = ("start_thread", "clone", "clone3", "__clone", "__clone3")
# What compilers make of a construct's body. clang calls a task's from another function, and when it debugs
# makes two of a body, of which the outer one only calls the inner one.
_MADE = re.compile(r"\._omp_fn\b|omp_outlined|omp_task_entry")
_LAYERS = (re.compile(r"omp_outlined\.?_debug__"), re.compile(r"omp_outlined"), re.compile(r"omp_task_entry"))


def is_made(name):
    """Whether a function is one that a compiler has made of a construct's body."""
    return bool(_MADE.search(name))


def layer(name):
    """How far out a function is among those that clang makes of one construct, from 1; 0: it is none."""
    return next((i for i, pattern in enumerate(_LAYERS, 1) if pattern.search(name)), 0)


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
