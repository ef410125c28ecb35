# SPDX-License-Identifier: Apache-2.0
"""Layouts of OpenMP runtimes that the OMPD library does not know, made of their files.

The command `ompd` of the same installation makes them, in a process of its own: the file may be a
stranger's, is only read there, and GDB needs no second reader of debug information.
"""

import os
import subprocess

import gdb

SECONDS = 60


def _command(lib):
    """The command `ompd` that belongs to the library; None if there is none."""
    folder = os.path.dirname(os.path.abspath(lib.path))
    for place in ("../bin", "../../bin", "../corefiles"):  # lib, lib/x86_64-linux-gnu; a folder of the build
        path = os.path.join(folder, place, "ompd")
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    return None


def _files(path):
    """(file, debug file or None, build-id) that GDB has opened for the mapped file PATH."""
    objfiles = [one for one in gdb.objfiles() if one.is_valid() and one.filename]
    for one in objfiles:
        if one.owner is None and path in (one.filename, one.username):
            debug = [other.filename for other in objfiles if other.owner == one]
            return one.filename, debug[0] if debug else None, one.build_id or ""
    return None


def _row(command, path):
    files = _files(path)
    if files is None or not os.path.isfile(files[0]):
        return None
    name = "build " + files[2][:8] if files[2] else "unknown build"
    arguments = [command, "layout", "--name", name, files[0]]
    if files[1]:
        arguments[-1:-1] = ["--debug", files[1]]
    try:
        done = subprocess.run(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, timeout=SECONDS, check=False,
                              env={"LC_ALL": "C.UTF-8"})
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def make(lib, handle, tried):
    """Hands the session layouts of the runtimes that were not known in its last snapshot.

    TRIED: the files for which that was done, which grows. True: there is a new one."""
    ctypes = lib.ctypes
    base, path, why = ctypes.c_uint64(), ctypes.c_char_p(), ctypes.c_void_p()
    wanted = []
    while not lib.layout_wanted(handle, len(wanted), ctypes.byref(base), ctypes.byref(path)):
        wanted.append((base.value, os.fsdecode(path.value or b"")))
    made = False
    for one in wanted:
        if one in tried:
            continue
        tried.add(one)
        command = _command(lib)
        row = _row(command, one[1]) if command else None
        if row is None:
            continue
        if lib.layout_text(handle, row, len(row), os.fsencode(one[1]), ctypes.byref(why)):
            lib.take_string(why.value)
        else:
            made = True
    return made
