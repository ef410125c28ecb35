# SPDX-License-Identifier: Apache-2.0
"""Whether two processors are near each other or far apart.

bench/distance.c measures it between the processes of a benchmark: the host of a virtual machine moves its
processors, on some machines every few seconds, and then everything that two threads do together costs several
times as much.
"""

import subprocess

import common

# One way of a line, in ns. Cores that share a last-level cache, or the mesh of one socket, take 15 to 70;
# dies of one package that share none, and sockets, 80 to 300.
FAR_NS = 75


def read(program):
    """The ns of a line's way now."""
    out = subprocess.run(common.pinned([program]), stdout=subprocess.PIPE, check=True,
                         universal_newlines=True).stdout
    return float(out)


def place(readings):
    """Of what ran between these readings."""
    far = [ns >= FAR_NS for ns in readings]
    return "far" if all(far) else "moved" if any(far) else "near"


def describe(where, readings):
    """The range of those that were taken there."""
    here = [ns for ns in readings if where in (place([ns]), "any")]
    return "a line takes %.0f to %.0f ns" % (min(here), max(here))
