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

    from . import commands, frames, library, one, parameters, session, unwind

    parameters.register()
    commands.register()
    one.register()
    session.register()
    unwind.register()
    frames.register()
    try:
        library.locate()
    except gdb.GdbError as error:
        # The commands say it too, but a broken installation is to be known at the start.
        gdb.write("%s\n" % error, gdb.STDERR)
