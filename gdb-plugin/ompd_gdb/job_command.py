# SPDX-License-Identifier: Apache-2.0
"""`ompd job`: what `ompd merge` and the like have written of many processes, and the way to one of them."""

import os

import gdb

from ompd_common import library, messages
from . import cli, command, parameters
from ompd_common.sentence import sentence


class _Functions:
    """insp_job_text and insp_job_process. They need no process, so they are bound apart from the others."""

    def __init__(self):
        lib = library.get()
        c = self.ctypes = lib.ctypes

        class Options(c.Structure):
            _fields_ = [("size", c.c_uint32)] + \
                [(name, c.c_int32) for name in "zoom width colour tree".split()] + [("rank", c.c_int64)]

        class Process(c.Structure):
            _fields_ = [("rank", c.c_int64), ("pid", c.c_int64), ("start", c.c_int64),
                        ("host", c.c_char * 256), ("boot_id", c.c_char * 64)]

        self.Options, self.Process, self.lib = Options, Process, lib
        dll, error = c.CDLL(lib.path), c.POINTER(c.c_void_p)
        try:
            self.text, self.process = dll.insp_job_text, dll.insp_job_process
        except AttributeError as missing:
            raise gdb.GdbError(messages.LIBRARY_UNUSABLE % (lib.path, missing)) from None
        self.text.restype = c.c_void_p
        self.text.argtypes = (c.c_char_p, c.c_size_t, c.POINTER(Options), error)
        self.process.restype = c.c_int
        self.process.argtypes = (c.c_char_p, c.c_size_t, c.c_int64, c.POINTER(Process), error)

    def screen(self, text, **more):
        """(the screen, what is wrong with TEXT or "")."""
        options = self.Options(size=self.ctypes.sizeof(self.Options), width=parameters.width(),
                               colour=int(command.coloured()), **more)
        why = self.ctypes.c_void_p()
        shown = self.text(text, len(text), self.ctypes.byref(options), self.ctypes.byref(why))
        reason = sentence(self.lib.take_string(why.value))
        if not shown:
            raise gdb.GdbError(reason or messages.NO_SNAPSHOT)
        return self.lib.take_string(shown), reason

    def find(self, text, rank):
        """The process of RANK, or of -1 the one that stands for the first row."""
        process, why = self.Process(), self.ctypes.c_void_p()
        if self.process(text, len(text), rank, self.ctypes.byref(process), self.ctypes.byref(why)) != 0:
            raise gdb.GdbError(sentence(self.lib.take_string(why.value)) or messages.NO_SNAPSHOT)
        return process


def _read(path):
    try:
        with open(path, "rb") as f:
            return f.read()
    except OSError as error:
        return _fail(messages.CANNOT_READ % (library.printable(path), error.strerror))


def _fail(text):
    raise gdb.GdbError(text)


def _line(path):
    """The first line of a file, "" if there is none."""
    try:
        with open(path, encoding="ascii", errors="replace") as f:
            return f.readline().strip()
    except OSError:
        return ""


def _started(pid):
    """When the process PID began, in ticks since the boot; None: there is none. proc(5)."""
    rest = _line("/proc/%d/stat" % pid).rpartition(")")[2].split()
    return int(rest[19]) if len(rest) > 19 and rest[19].isdigit() else None


def local(process):
    """The process id of PROCESS if it still runs on this machine; else gdb.GdbError says why not."""
    pid = process.pid
    if pid <= 0 or not process.boot_id or process.start <= 0:
        _fail(messages.NOT_LIVE)
    if process.boot_id.decode() != _line("/proc/sys/kernel/random/boot_id"):
        host = library.printable(process.host.decode(errors="replace"))
        _fail(messages.NOT_LOCAL_PROCESS % (pid, host, pid))
    if _started(pid) != process.start:
        _fail(messages.PROCESS_ENDED % pid)
    return pid


class Job(command.Command):
    """Show which of many processes differ, as "ompd merge" does.
Usage: ompd job [-tree] [-attach] FILE [RANK]

FILE is what "ompd merge --json", "ompd record" or "ompd report --json" wrote.
Processes in the same state share a row, and those few that differ come first.
With RANK, all that is known of this rank is shown, with its stacks.

Options:
  -tree
    Show the stacks of all threads as one tree, with the ranks of each branch.
  -attach
    Attach to the process of RANK, or without RANK to the one that stands for
    the first row, if it still runs on this machine."""

    word = "job"
    options = {"-tree": None, "-attach": None}
    arguments = 2

    def run(self, options, arguments):
        if not arguments:
            raise self.mistake(messages.FILE_MISSING)
        rank = -1
        if len(arguments) > 1:
            if not arguments[1].isdecimal():
                raise self.mistake(messages.NOT_A_RANK % arguments[1])
            rank = min(int(arguments[1]), 2 ** 62)
        text = _read(os.path.expanduser(arguments[0]))
        functions = _Functions()
        if "-attach" in options:
            self.attach(functions.find(text, rank))
            return
        shown, reason = functions.screen(text, tree=int("-tree" in options), rank=rank)
        command.write(shown)
        if reason:
            command.write(reason)

    def attach(self, process):
        pid = local(process)
        if gdb.selected_inferior().pid:
            raise gdb.GdbError(messages.HAS_PROCESS % pid)
        cli.show("attach %d" % pid)


def register():
    """Registers the command."""
    Job()
