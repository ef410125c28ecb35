# SPDX-License-Identifier: Apache-2.0
"""OpenMP in GDB: `gdb -x ompd.py ./app`, or `source` it. Prints nothing unless something is wrong."""


def _ompd_start():
    import os
    import sys

    # Not __file__: when another script sources this one, that is the other's.
    me = _ompd_start.__code__.co_filename
    # A link to this file may stand anywhere; the package stands beside the file or beside the link.
    for folder in (os.path.dirname(os.path.abspath(me)), os.path.dirname(os.path.realpath(me))):
        if os.path.isdir(os.path.join(folder, "ompd_gdb")):
            if folder not in sys.path:
                sys.path.insert(0, folder)
            break
    import ompd_gdb
    ompd_gdb.load()


try:
    _ompd_start()
except ImportError as error:
    import gdb
    raise gdb.GdbError("The OpenMP extension cannot be loaded (%s): the folder ompd_gdb must stand beside %s."
                       % (error, _ompd_start.__code__.co_filename)) from None
