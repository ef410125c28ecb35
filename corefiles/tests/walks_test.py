# SPDX-License-Identifier: Apache-2.0
"""Debug information that makes a walk long: what is done with it grows with its size, not with its square.

Instructions, counted by callgrind, in programs of n and 4n things: what is quadratic has 16 times as many.
What starting takes is the same in both and is taken off first.
"""

import json
import os
import re
import subprocess
import tempfile
import unittest

import gdbrun
import xmltest

SHOW = gdbrun.find("corefiles/tests/show")
TIMES, LIMIT = 4, 6.5
MAIN = "int main(void) { printf(\"%%lu\\n\", (unsigned long)(%s)); fflush(stdout); %s; return 0; }\n"


def dimensions(n):
    """n arrays of one type, which has n dimensions."""
    arrays = "".join("T v%d;\n" % i for i in range(n))
    return "typedef int T%s;\n%s" % ("[1]" * n, arrays) + MAIN % ("&v0", "pause()")


def recursion(n):
    """n frames of a function with n labels, and a variable in the outermost one. It runs: the frames of libc
    could not be unwound."""
    labels = "".join("l%d: sink++;\n" % i for i in range(n))
    return ("volatile int sink;\n"
            "int f(int depth) {\n%s if (depth) return f(depth - 1) + 1; for (;;) sink++; }\n"
            "int outer(void) { struct { int x, y; } mine = {1, 2};\n"
            "printf(\"%%lu\\n\", (unsigned long)&mine.y); fflush(stdout); return f(%d) + mine.x; }\n"
            "int main(void) { return outer(); }\n" % (labels, n))


def namespaces(n):
    """400 variables in n namespaces with long names within each other, all listed for an address in the
    heap."""
    inner = "".join("static int *v%d __attribute__((used)); " % i for i in range(400))
    scopes = "".join("namespace n%d%s { " % (i, "x" * 90) for i in range(n)) + inner + "} " * n
    return ("#include <stdlib.h>\nvolatile int sink;\n" + scopes + "\n"
            + MAIN % ("malloc(64)", "for (;;) sink++"))


class Walks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def instructions(self, make, n):
        """(instructions, name of the program's object)"""
        source, program = os.path.join(self.folder, "p.cc"), os.path.join(self.folder, "p%d" % n)
        with open(source, "w") as f:
            f.write("#include <stdio.h>\n#include <unistd.h>\n" + make(n))
        subprocess.run(["g++", "-g", "-O0", "-w", source, "-o", program], check=True)
        process = subprocess.Popen([program], stdout=subprocess.PIPE, universal_newlines=True)
        try:
            address = int(process.stdout.readline())
            made = os.path.join(self.folder, "core")
            subprocess.run(["gcore", "-o", made, str(process.pid)], stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, check=True)
        finally:
            process.kill()
            process.wait()
            process.stdout.close()
        # valgrind knows no openat2, so the program is named.
        done = subprocess.run(["valgrind", "--tool=callgrind", "-q",
                               "--callgrind-out-file=" + os.path.join(self.folder, "callgrind"), SHOW,
                               "-v", "-a", hex(address), "-e", program, "%s.%d" % (made, process.pid)],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(os.path.join(self.folder, "callgrind")) as f:
            count = int(re.search(r"^(?:totals|summary): (\d+)", f.read(), re.MULTILINE).group(1))
        return count, json.loads(done.stdout)["names"][hex(address)]

    def grows(self, make, n, text):
        start, _ = self.instructions(make, 1)
        few, one = self.instructions(make, n)
        many, other = self.instructions(make, TIMES * n)
        self.assertEqual([one["text"], other["text"]], [text(n), text(TIMES * n)])
        self.assertLess((many - start) / (few - start), LIMIT, (start, few, many))

    def test_dimensions_of_an_array(self):
        self.grows(dimensions, 200, lambda n: "v0")

    def test_blocks_of_a_recursion(self):
        self.grows(recursion, 200, lambda n: "mine.y")

    def test_scopes_of_a_variable(self):
        self.grows(namespaces, 50, lambda n: "(in allocated memory)")


if __name__ == "__main__":
    xmltest.main()
