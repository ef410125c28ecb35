# SPDX-License-Identifier: Apache-2.0
"""What `set ompd` sets. Nothing of it is saved: a line in ~/.gdbinit sets it for all sessions."""

import os

import gdb

from . import errors, library


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
            gdb.execute("show ompd " + name)


class Trace(gdb.Parameter):
    """The file that the calls of the OMPD library are written to.

One line for each call: the function, its arguments, its return code and how
many of the debugger's callbacks it used.  The file is written anew; without a
name the trace ends."""

    set_doc = "Set the file that the calls of the OMPD library are written to."
    show_doc = "Show the file that the calls of the OMPD library are written to."

    def __init__(self):
        super().__init__("ompd trace", gdb.COMMAND_STATUS, gdb.PARAM_OPTIONAL_FILENAME)
        self.value = ""

    @errors.guarded
    def get_set_string(self):
        path, self.value = self.value, ""  # stays so when it fails
        library.get().start_trace(path or "")
        self.value = path or ""
        return ""

    def get_show_string(self, value):
        if not value:
            return "The calls of the OMPD library are not traced."
        return "The calls of the OMPD library are written to %s." % value


class ThreadNames(gdb.Parameter):
    """Whether `info threads` tells the OpenMP state of each thread.

The state is added to the name that the program gave the thread, each time
before GDB's prompt; off takes it away."""

    set_doc = "Set whether the names of threads tell their OpenMP state."
    show_doc = "Show whether the names of threads tell their OpenMP state."

    def __init__(self):
        super().__init__("ompd thread-names", gdb.COMMAND_STATUS, gdb.PARAM_BOOLEAN)
        self.value = True

    @errors.silent("")
    def get_set_string(self):
        from . import thread_names
        thread_names.switched()
        return ""

    def get_show_string(self, value):
        return "OpenMP states in the names of threads are %s." % value


class RuntimeFrames(gdb.Parameter):
    """What `bt` does with the frames of the OpenMP runtime.

hide leaves them out, dim folds them below the frame that they belong to,
show leaves them where they are."""

    set_doc = "Set what backtraces do with the frames of the OpenMP runtime."
    show_doc = "Show what backtraces do with the frames of the OpenMP runtime."

    def __init__(self):
        super().__init__("ompd runtime-frames", gdb.COMMAND_STACK, gdb.PARAM_ENUM, ("hide", "dim", "show"))
        self.value = "dim"

    def get_set_string(self):
        return ""

    def get_show_string(self, value):
        return "Frames of the OpenMP runtime: %s." % value


class Addresses(gdb.Parameter):
    """Whether addresses stand beside names.

Of OpenMP locks, of critical sections, of the code of regions and tasks."""

    set_doc = "Set whether the ompd commands show addresses beside names."
    show_doc = "Show whether the ompd commands show addresses beside names."

    def __init__(self):
        super().__init__("ompd addresses", gdb.COMMAND_DATA, gdb.PARAM_BOOLEAN)
        self.value = False

    def get_set_string(self):
        return ""

    def get_show_string(self, value):
        return "Addresses beside names are %s." % value


class Width(gdb.Parameter):
    """How many columns the tables of the ompd commands may have.

"unlimited" or 0 means as wide as GDB's own `width`."""

    set_doc = "Set the width of the ompd commands' tables."
    show_doc = "Show the width of the ompd commands' tables."

    def __init__(self):
        super().__init__("ompd width", gdb.COMMAND_SUPPORT, gdb.PARAM_UINTEGER)
        self.value = None

    def get_set_string(self):
        return ""

    def get_show_string(self, value):
        return "Tables have up to %s columns." % self.value if self.value else "Tables are as wide as \"show width\" says."


class Library(gdb.Parameter):
    """The OMPD library that explains the program's OpenMP runtime.

Without a name it is the project's own.  Only a file that is named here is
ever loaded, never one that the program names."""

    set_doc = "Set the OMPD library to use in place of the project's own."
    show_doc = "Show the OMPD library that is used."

    def __init__(self):
        super().__init__("ompd library", gdb.COMMAND_FILES, gdb.PARAM_OPTIONAL_FILENAME)
        self.value = ""

    @errors.guarded
    def get_set_string(self):
        path = self.value = os.path.expanduser(self.value or "")
        if path and not os.path.isfile(path):
            self.value = ""
            raise gdb.GdbError("There is no file %s; the project's own OMPD library stays in use." % path)
        from . import session
        session.drop_all()
        return ""

    def get_show_string(self, value):
        return "The OMPD library is %s." % (value or "the project's own")


_NAMES = ("addresses", "library", "runtime-frames", "thread-names", "trace", "width")
# Made by register(), which is called once.
ADDRESSES = FRAMES = NAMES = WIDTH = LIBRARY = None


def width():
    """Columns that a table may have; 0: no limit."""
    if WIDTH.value:
        return WIDTH.value
    # A line that fills the last column counts as two for GDB's pages.
    return max((gdb.parameter("width") or 0) - 1, 0)


def register():
    """Registers the parameters."""
    global ADDRESSES, FRAMES, NAMES, WIDTH, LIBRARY
    for one in (_Set, _Show, Trace):
        one()
    ADDRESSES, FRAMES, NAMES = Addresses(), RuntimeFrames(), ThreadNames()
    WIDTH, LIBRARY = Width(), Library()
