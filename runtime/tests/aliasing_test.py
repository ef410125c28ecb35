# SPDX-License-Identifier: Apache-2.0
"""No load on the short way of a task looks like a recent store to somewhere else: the low 12 bits of the two
addresses differ (slab.h, enum rt_first_line). Valgrind says which addresses are loaded and stored.

Arguments: the library, the directory of omp.h.
"""
import os
import subprocess
import sys
import tempfile
import unittest

import xmltest

LIBRARY, HEADERS = (os.path.abspath(path) for path in sys.argv[1:3])
del sys.argv[1:3]
# Each round ends with a store that the trace shows.
PROGRAM = r"""
#include <stdio.h>
volatile long rounds;
static void serial(void)
{
    for (long i = 0; i < 100; i++) {
#pragma omp task
        __asm__ volatile("" ::: "memory");
        rounds = i;
    }
}
static void undeferred(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    for (long i = 0; i < 100; i++) {
#pragma omp task if (0)
        __asm__ volatile("" ::: "memory");
        rounds = i;
    }
}
int main(void)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    for (int c; (c = getc(maps)) != EOF;)
        putchar(c);
    fclose(maps);
    WAY();
}
"""
PAGE = 4096
STACK = 0x1000000000  # Valgrind's is above
BSS = 1 << 18  # bytes, at most, of what a file has zeroed behind its last page
RECENT = 150  # instructions: a round or so


class Aliasing(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = scratch.name
        for name in ("libgomp.so.1", "libomp.so", "libompcompanion.so.1"):
            os.symlink(LIBRARY, os.path.join(cls.folder, name))
        cls.source = os.path.join(cls.folder, "rounds.c")
        with open(cls.source, "w") as file:
            file.write(PROGRAM)

    def trace(self, way, *compiler):
        """(what, address, bytes) of the accesses of two rounds in the middle, with "I" for instructions:
        those to memory of the runtime's own, none to stacks and to what the linker has placed."""
        program = os.path.join(self.folder, way + "-" + compiler[0])
        subprocess.run([*compiler, "-O2", "-no-pie", "-fopenmp", "-I", HEADERS, "-DWAY=" + way, self.source,
                        "-o", program], check=True)
        symbols = subprocess.check_output(["nm", program], universal_newlines=True)
        mark = next(int(line.split()[0], 16) for line in symbols.splitlines() if line.endswith(" rounds"))
        done = subprocess.run(["valgrind", "--tool=lackey", "--trace-mem=yes", program], check=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
                              env=dict(os.environ, LD_LIBRARY_PATH=self.folder, OMP_NUM_THREADS="2",
                                       OMP_WAIT_POLICY="passive"))
        others, end = [], None
        for line in done.stdout.splitlines():
            words = line.split(maxsplit=5)
            first, last = (int(at, 16) for at in words[0].split("-"))
            if len(words) == 6 or first == end and last - first < BSS:
                others.append((first, last))
                end = last
        rows, rounds = [], []
        for line in done.stderr.splitlines():
            kind, _, place = line.strip().partition(" ")
            if kind not in ("I", "L", "S", "M") or "," not in place:
                continue
            address, size = place.split(",")
            if int(address, 16) == mark and kind == "S":
                rounds.append(len(rows))
            rows.append((kind, int(address, 16), int(size)))
        self.assertEqual(len(rounds), 100)
        return [row for row in rows[rounds[50]:rounds[52]]
                if row[0] == "I" or row[1] < STACK and not any(a <= row[1] < b for a, b in others)]

    def check(self, way, *compiler):
        stores, now, loads = {}, 0, 0
        for kind, address, size in self.trace(way, *compiler):
            if kind == "I":
                now += 1
                continue
            for at in range(address, address + size):
                loads += kind != "S"
                when, other = stores.get(at % PAGE, (-RECENT, at))
                if kind != "S" and now - when < RECENT:
                    self.assertEqual(hex(other), hex(at),
                                     "the load looks like the store %d instructions before" % (now - when))
                if kind != "L":
                    stores[at % PAGE] = now, at
        self.assertGreater(loads, 150)  # bytes, in two rounds
        self.assertGreater(len(stores), 100)

    def test_serial_gcc(self):
        self.check("serial", "gcc")

    def test_serial_clang(self):
        self.check("serial", "clang-19", "-L" + self.folder)

    def test_undeferred_gcc(self):
        self.check("undeferred", "gcc")

    def test_undeferred_clang(self):
        self.check("undeferred", "clang-19", "-L" + self.folder)


if __name__ == "__main__":
    xmltest.main()
