# SPDX-License-Identifier: Apache-2.0
"""The settings of `set ompd`. They are not saved: a line in ~/.gdbinit applies one to every session.

Other modules read the settings here. A module that has to act on a change puts a function into the `changed`
of the setting, so that this file imports none of them.
"""

import os

import gdb

from ompd_common import library, messages
from . import cli, errors


class _Set(gdb.Command):
    """Set how the ompd commands show OpenMP."""

    def __init__(self):
        super().__init__("set ompd", gdb.COMMAND_STATUS, gdb.COMPLETE_NONE, True)


class _Show(gdb.Command):
    """Show how the ompd commands show OpenMP."""

    def __init__(self):
        super().__init__("show ompd", gdb.COMMAND_STATUS, gdb.COMPLETE_NONE, True)

    @errors.guarded
    def invoke(self, argument, from_tty):
        for name in _NAMES:
            cli.show("show ompd " + name)


class Trace(gdb.Parameter):
    """Calls of the OMPD library are written to this file, one line for each: the function,
its arguments, its return code, and how many callbacks of the debugger it used.
The file is overwritten.  Without a file name tracing stops."""

    set_doc = "Set the file that calls of the OMPD library are written to."
    show_doc = "Show the file that calls of the OMPD library are written to."

    def __init__(self):
        super().__init__("ompd trace", gdb.COMMAND_STATUS, gdb.PARAM_OPTIONAL_FILENAME)
        self.value = ""

    @errors.guarded
    def get_set_string(self):
        path, self.value = self.value, ""  # this remains when the next line fails
        library.get().start_trace(path or "")
        self.value = path or ""
        return ""

    def get_show_string(self, value):
        return messages.SHOW_TRACE % value if value else messages.SHOW_TRACE_OFF


class ThreadNames(gdb.Parameter):
    """The state is appended to the name that the program gave the thread.  It is updated
before each prompt, and "info threads" shows it.  When off, threads have their
own names again."""

    set_doc = "Set whether thread names include the OpenMP state."
    show_doc = "Show whether thread names include the OpenMP state."

    def __init__(self):
        super().__init__("ompd thread-names", gdb.COMMAND_STATUS, gdb.PARAM_BOOLEAN)
        self.value = True
        self.changed = None

    @errors.silent("")
    def get_set_string(self):
        if self.changed is not None:
            self.changed()
        return ""

    def get_show_string(self, value):
        return messages.SHOW_THREAD_NAMES % value


class RuntimeFrames(gdb.Parameter):
    """These are also the frames in which the thread library begins a thread.

count - print one line in their place, which says how many there are.
dim   - print them indented below the frame whose construct they implement.
hide  - leave them out.
show  - print them like all others."""

    set_doc = "Set how backtraces print frames of the OpenMP runtime."
    show_doc = "Show how backtraces print frames of the OpenMP runtime."

    def __init__(self):
        super().__init__("ompd runtime-frames", gdb.COMMAND_STACK, gdb.PARAM_ENUM,
                         ("count", "dim", "hide", "show"))
        self.value = "count"

    def get_set_string(self):
        return ""

    def get_show_string(self, value):
        return messages.SHOW_RUNTIME_FRAMES % value


class Addresses(gdb.Parameter):
    """These are the addresses of locks, of critical sections, and of the code of regions
and tasks."""

    set_doc = "Set whether the ompd commands print addresses beside names."
    show_doc = "Show whether the ompd commands print addresses beside names."

    def __init__(self):
        super().__init__("ompd addresses", gdb.COMMAND_DATA, gdb.PARAM_BOOLEAN)
        self.value = False

    def get_set_string(self):
        return ""

    def get_show_string(self, value):
        return messages.SHOW_ADDRESSES % value


class Width(gdb.Parameter):
    """The width is a number of columns.  "unlimited" or 0 means that tables are as wide as
GDB's own setting "width" allows."""

    set_doc = "Set the maximum width of the tables of the ompd commands."
    show_doc = "Show the maximum width of the tables of the ompd commands."

    def __init__(self):
        super().__init__("ompd width", gdb.COMMAND_SUPPORT, gdb.PARAM_UINTEGER)
        self.value = 0  # which is unlimited; GDB 10 takes no None

    def get_set_string(self):
        return ""

    def get_show_string(self, value):
        return messages.SHOW_WIDTH % self.value if self.value else messages.SHOW_WIDTH_OF_GDB


class _File(gdb.Parameter):
    """A file that may be named, and is used from then on."""

    def __init__(self):
        super().__init__(self.parameter, gdb.COMMAND_FILES, gdb.PARAM_OPTIONAL_FILENAME)
        self.value = ""
        self.changed = None

    @errors.guarded
    def get_set_string(self):
        path = self.value = os.path.expanduser(self.value or "")
        if path and not os.path.isfile(path):
            self.value = ""
            raise gdb.GdbError(self.missing % path)
        if self.changed is not None:
            self.changed()
        return ""

    def get_show_string(self, value):
        return self.named % value if value else self.own


class Library(_File):
    """Without a file name, the project's own library is used.  Only a library that is
named here is loaded, never one that the program names."""

    set_doc = "Set the OMPD library that reads the state of the OpenMP runtime."
    show_doc = "Show the OMPD library that reads the state of the OpenMP runtime."
    parameter, missing = "ompd library", messages.NO_SUCH_LIBRARY
    named, own = messages.SHOW_LIBRARY, messages.SHOW_OWN_LIBRARY


class Layout(_File):
    """A layout describes the structures of an OpenMP runtime that publishes nothing, and of
which the extension knows no such build.  "ompd layout FILE", in a shell, makes one from
the runtime's file.  Without a file name only those are used that the extension brings."""

    set_doc = "Set the file with the layout of an OpenMP runtime."
    show_doc = "Show the file with the layout of an OpenMP runtime."
    parameter, missing = "ompd layout", messages.NO_SUCH_LAYOUT
    named, own = messages.SHOW_LAYOUT, messages.SHOW_OWN_LAYOUTS


_NAMES = ("addresses", "layout", "library", "runtime-frames", "thread-names", "trace", "width")
# Created by register(), which is called once.
ADDRESSES = FRAMES = NAMES = WIDTH = LIBRARY = LAYOUT = None


def width():
    """The columns that a table may have; 0: no limit."""
    if WIDTH.value:
        return WIDTH.value
    # GDB's pagination counts a line that fills the last column as two.
    return max((gdb.parameter("width") or 0) - 1, 0)


def register():
    """Registers the settings."""
    global ADDRESSES, FRAMES, NAMES, WIDTH, LIBRARY, LAYOUT
    for one in (_Set, _Show, Trace):
        one()
    ADDRESSES, FRAMES, NAMES = Addresses(), RuntimeFrames(), ThreadNames()
    WIDTH, LIBRARY, LAYOUT = Width(), Library(), Layout()
