# SPDX-License-Identifier: Apache-2.0
"""What `set ompd` sets."""

import gdb

from . import errors, library


class _Set(gdb.Command):
    """Set how the ompd commands work."""

    def __init__(self):
        super().__init__("set ompd", gdb.COMMAND_STATUS, gdb.COMPLETE_NONE, True)


class _Show(gdb.Command):
    """Show how the ompd commands work."""

    def __init__(self):
        super().__init__("show ompd", gdb.COMMAND_STATUS, gdb.COMPLETE_NONE, True)


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


def register():
    """Registers the parameters."""
    for one in (_Set, _Show, Trace):
        one()
