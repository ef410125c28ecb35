# SPDX-License-Identifier: Apache-2.0
"""GDB runs this by itself when a program loads Companion: PREFIX/share/gdb/auto-load/LIBDIR/<this file>.

It loads the extension of the same installation, PREFIX/share/ompd.
"""


def _ompd_start():
    import os
    import sys

    marker = os.path.join("share", "gdb", "auto-load")
    # Not __file__: when the program is started by a Python script, that is the script's.
    me = _ompd_start.__code__.co_filename
    for path in (os.path.abspath(me), os.path.realpath(me)):
        folder = os.path.dirname(path)
        # LIBDIR repeats the prefix and has any depth, so the way up has to be searched.
        while os.path.dirname(folder) != folder:
            if folder.endswith(os.sep + marker):
                package = os.path.join(os.path.dirname(os.path.dirname(folder)), "ompd")
                if os.path.isdir(os.path.join(package, "ompd_gdb")):
                    if package not in sys.path:
                        sys.path.insert(0, package)
                    import ompd_gdb
                    ompd_gdb.load()
                    return
            folder = os.path.dirname(folder)


_ompd_start()
