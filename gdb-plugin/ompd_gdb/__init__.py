# SPDX-License-Identifier: Apache-2.0
"""OpenMP in GDB: commands over libompdinspect. load() registers everything, once."""

_loaded = False


def load():
    """Registers commands, events and the unwinder; a second call does nothing."""
    global _loaded
    if _loaded:
        return
    _loaded = True
    import gdb

    from ompd_common import library
    from . import (catch, convenience_functions, frame_command, frame_filter, job_command, list_commands,
                   mi_commands, parameters, print_command, region_task_commands, session, step, thread_names,
                   unwinder)

    # The settings first: others act on their changes.
    for module in (parameters, list_commands, region_task_commands, catch, step, frame_command,
                   print_command, job_command, session, unwinder, frame_filter, convenience_functions,
                   mi_commands, thread_names):
        module.register()
    try:
        library.locate()
    except gdb.GdbError as error:
        # The commands say it too, but a broken installation should be noticed at once.
        gdb.write("%s\n" % error, gdb.STDERR)
