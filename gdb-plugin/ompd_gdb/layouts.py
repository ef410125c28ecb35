# SPDX-License-Identifier: Apache-2.0
"""Layouts of OpenMP runtimes that the OMPD library does not know, made of their files.

The command `ompd` of the same installation makes them, in a process of its own: the file may be a
stranger's, is only read there, and GDB needs no second reader of debug information.
"""

import os
import signal
import subprocess

import gdb

from ompd_common import library, messages
from ompd_common.sentence import sentence

SECONDS = 30  # as long as `ompd layout` gives itself; an honest file takes a second


def _command(lib):
    """The command `ompd` that belongs to the library; None if there is none."""
    folder = os.path.dirname(os.path.abspath(lib.path))
    for place in ("../bin", "../../bin", "../command"):  # lib, lib/x86_64-linux-gnu; a folder of the build
        path = os.path.join(folder, place, "ompd")
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    return None


def _files(path):
    """(file, debug file or None, build-id) that GDB has opened for the mapped file PATH.

    GDB names a library as the loader does, maybe by a link; the kernel names the file."""
    objfiles = [one for one in gdb.objfiles() if one.is_valid() and one.filename]
    for one in objfiles:
        names = (one.filename, one.username)
        if one.owner is None and (path in names or os.path.realpath(path) in map(os.path.realpath, names)):
            debug = [other.filename for other in objfiles if other.owner == one]
            return one.filename, debug[0] if debug else None, one.build_id or ""
    return None


def _row(command, path):
    """(layout, None), (None, why there is none), or (None, None) where GDB has no file."""
    files = _files(path)
    if files is None or not os.path.isfile(files[0]):
        return None, None
    name = "build " + files[2][:8] if files[2] else "unknown build"
    arguments = [command, "layout", "--name", name, files[0]]
    if files[1]:
        arguments[-1:-1] = ["--debug", files[1]]
    try:
        status, row, said = _answer(arguments)
    except OSError as error:
        return None, "%s: %s" % (command, error.strerror)
    if status is None:
        return None, messages.LAYOUT_TAKES_LONG % (files[0], SECONDS)
    if status < 0:
        return None, messages.LAYOUT_ENDED_BY_SIGNAL % (files[0], -status)
    if status > 0:
        why_not = said.strip().rpartition("\n")[2].partition("ompd: ")[2]
        return None, why_not or messages.LAYOUT_ENDED % (files[0], status)
    return row, None


def _answer(arguments):
    """(exit status, output, what it says of errors) of a command; the status is None if it was not done in
    time. Ctrl-C goes to GDB alone; after that, too, the command has ended, with all that it has started."""
    # Without Ctrl-C until it is known whom to end.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    try:
        with subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, start_new_session=True,
                              env={"LC_ALL": "C.UTF-8"}) as process:
            try:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
                row, said = process.communicate(timeout=SECONDS)
                return process.returncode, row, said.decode(errors="replace")
            except subprocess.TimeoutExpired:
                return None, b"", ""
            finally:
                if process.returncode is None:
                    os.killpg(process.pid, signal.SIGKILL)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


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
        row, why_not = _row(command, one[1]) if command else (None, None)
        if why_not:
            gdb.write("%s\n" % library.printable(sentence(messages.NO_LAYOUT % why_not)), gdb.STDERR)
        if row is None:
            continue
        if lib.layout_text(handle, row, len(row), os.fsencode(one[1]), ctypes.byref(why)):
            lib.take_string(why.value)
        else:
            made = True
    return made
