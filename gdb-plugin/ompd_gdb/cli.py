# SPDX-License-Identifier: Apache-2.0
"""GDB's own commands, executed by the extension. No other file calls gdb.execute; api_test.py checks that.

GDB has a second printer for what gdb.execute executes. It makes it at the first call, and the output of that
moment is the printer's for good. Inside of `thread apply` and `frame apply` that is a text, freed soon after:
when the first call is made there, as by the frame filter in `thread apply all bt`, GDB 13 and 16 end by a
segmentation fault as soon as a later call prints a frame or a table. (18 does not.) So the first call is made
here, when the extension is loaded.
"""

import gdb

gdb.execute("echo", to_string=True)


def text(line):
    """What the command LINE prints, as a text."""
    return gdb.execute(line, to_string=True)


def show(line, from_tty=False):
    """Executes LINE; what it prints is for the user."""
    gdb.execute(line, from_tty)
