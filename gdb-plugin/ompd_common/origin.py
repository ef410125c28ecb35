# SPDX-License-Identifier: Apache-2.0
"""Where a living process comes from, by what the kernel says of it (proc(5))."""

import os

_FORKED = 0x40  # PF_FORKNOEXEC: it was forked, and has begun no program since


def _stem(pid):
    """The parent, the flags, and where its program's stack begins, which the kernel chooses at random."""
    with open("/proc/%d/stat" % pid, "rb") as f:
        # The name of the program, in parentheses, may contain any character.
        words = f.read().rpartition(b")")[2].split()
    return int(words[1]), int(words[6]), int(words[25])


def origin(pid):
    """(Whether it was forked, the process that did it or 0); None where that is not known. Whoever adopts an
    orphan is its parent too; only the one that has forked it runs the same program on the same stack."""
    try:
        parent, flags, stack = _stem(pid)
    except (OSError, IndexError, ValueError):
        return None
    forked = bool(flags & _FORKED)
    try:
        same = forked and stack and _stem(parent)[2] == stack and \
            os.readlink("/proc/%d/exe" % pid) == os.readlink("/proc/%d/exe" % parent)
    except (OSError, IndexError, ValueError):
        same = False
    return forked, parent if same else 0
