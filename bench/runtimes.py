# SPDX-License-Identifier: Apache-2.0
"""The runtimes that a benchmark runs one program on: Companion, libgomp, and libomp in two builds.

A program is built once by each compiler. Which runtime it gets is a matter of LD_LIBRARY_PATH: a directory in
which the name that the program asks for is a link to that runtime. So a compiler's figures are all of the
same instructions.
"""

import argparse
import os
import re
import shutil
import subprocess

import common
import debian
import pypi

# The name in the program's NEEDED entry. clang's programs are linked to Companion, whose nodes are libomp's,
# so that a build needs no package of libomp; gcc's are linked to libgomp, as users have them.
LINK_NAME = {"clang": "libompcompanion.so.1", "gcc": "libgomp.so.1"}
SECONDS = 300  # a process that takes longer hangs
# Debian builds libomp with assertions. This is the same runtime, built by Intel without them.
RELEASE = ("intel-openmp", "2026.2.0", "libiomp5.so")
Unusable = debian.Unusable


def debian_libomp(version):
    """The path of Debian's libomp: an installed one, or the package's, unpacked in the cache and not
    installed."""
    inside = "usr/lib/llvm-%s/lib/libomp.so.5" % version
    return "/" + inside if os.path.exists("/" + inside) else debian.unpacked("libomp5-%s" % version, inside)


def system_libgomp():
    """The path of the one that gcc's programs get."""
    return subprocess.run(["gcc", "-print-file-name=libgomp.so.1"], stdout=subprocess.PIPE, check=True,
                          universal_newlines=True).stdout.strip()


class Contender:
    """A program on a runtime. NAME is the runtime's and, where both compilers' code runs on it, the
    compiler's."""

    def __init__(self, name, compiler, library=None, copied=False):
        self.name, self.compiler, self.library, self.copied = name, compiler, library, copied
        self.bind = {"OMP_PROC_BIND": "true"}
        self._path = None

    def prepare(self, folder):
        """The directory for LD_LIBRARY_PATH. Without a library of its own the program gets the system's
        libgomp."""
        if self.library and not self._path:
            self._path = os.path.join(folder, self.name)
            os.mkdir(self._path)
            place = shutil.copy if self.copied else os.symlink
            place(os.path.realpath(self.library), os.path.join(self._path, LINK_NAME[self.compiler]))

    def environment(self, **variables):
        if self._path:
            variables["LD_LIBRARY_PATH"] = self._path
        return common.environment(**variables)

    def run(self, command, **variables):
        """What it prints, on the first two processors. Unusable when it fails."""
        try:
            done = subprocess.run(common.pinned(command), env=self.environment(**variables),
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  universal_newlines=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            raise Unusable("%s: no end after %d seconds" % (self.name, SECONDS)) from None
        if done.returncode != 0:
            # The loader's lines start with the path of a file of this machine, which helps nobody.
            why = re.sub(r"^\S*/(\S+: )", r"\1", debian.last_line(done.stderr))
            raise Unusable("%s: ended with %d: %s" % (self.name, done.returncode, why))
        return done.stdout

    def takes_its_library(self, program):
        """Whether the loader gives the program the library that is meant."""
        out = subprocess.run(["ldd", program], env=self.environment(), stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, universal_newlines=True).stdout
        return self._path in out if self._path else LINK_NAME[self.compiler] in out


def arguments(parser):
    """Bazel gives the library; the rest is the user's choice."""
    parser.add_argument("--companion-library", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--libomp", metavar="VERSIONS", default="19",
                        help="Debian's versions of libomp to run, or none (19)")
    parser.add_argument("--no-release", dest="release", action="store_false",
                        help="without the Release build of libomp, from the Python registry")


def libomps(options, notes):
    """(name, path) of those that can be had."""
    found = []
    for version in options.libomp.split(",") if options.libomp != "none" else []:
        try:
            found.append(("libomp" + version, debian_libomp(version)))
        except Unusable as error:
            notes.append("libomp %s is absent: %s" % (version, error))
    if options.release:
        try:
            found.append(("libomp-release", pypi.unpacked(*RELEASE)))
        except Unusable as error:
            notes.append("the Release build of libomp is absent: %s" % error)
    return found


def contenders(options, notes, twice=False):
    """All that can be had; of what cannot, NOTES tells why. TWICE: a copy of libgomp stands in Companion's
    place too, which shows how far two equal runtimes are apart."""
    found = [Contender("companion-clang", "clang", options.companion_library),
             Contender("companion-gcc", "gcc", options.companion_library),
             Contender("libgomp", "gcc")]
    if twice:
        found.append(Contender("libgomp-again", "gcc", system_libgomp(), copied=True))
    for name, library in libomps(options, notes):
        found.append(Contender(name, "clang", library))
    return found


def pairs(names):
    """(title, contender, its peer): Companion beside each peer, with the same compiler's code; "A/A": a copy
    of libgomp beside libgomp, which shows what the machine alone does to a ratio."""
    found = [("libgomp", "companion-gcc", "libgomp")]
    found += [(name, "companion-clang", name) for name in names if name.startswith("libomp")]
    found.append(("A/A", "libgomp-again", "libgomp"))
    return [pair for pair in found if {pair[1], pair[2]} <= set(names)]


def in_order(contenders, i):
    """Of round I: another one goes first each time, and every second round is backwards."""
    shift = i // 2 % len(contenders)
    order = contenders[shift:] + contenders[:shift]
    return order[::-1] if i % 2 else order
