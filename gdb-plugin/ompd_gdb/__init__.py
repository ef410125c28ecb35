# SPDX-License-Identifier: Apache-2.0
"""OpenMP in GDB: commands over libompdinspect. load() registers everything, once."""

_loaded = False


def load():
    """Registers commands, events and the unwinder; again: does nothing."""
    global _loaded
    if _loaded:
        return
    _loaded = True
    import gdb

    from . import (catch, commands, frames, functions, library, mi, names, one, parameters, session, step, unwind,
                   walk)

    parameters.register()
    commands.register()
    for module in (one, catch, step, walk):
        module.register()
    session.register()
    unwind.register()
    frames.register()
    functions.register()
    mi.register()
    names.register()
    try:
        library.locate()
    except gdb.GdbError as error:
        # The commands say it too, but a broken installation is to be known at the start.
        gdb.write("%s\n" % error, gdb.STDERR)
