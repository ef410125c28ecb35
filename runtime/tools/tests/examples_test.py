# SPDX-License-Identifier: Apache-2.0
"""The examples of docs/tools.md work as they stand there.

    examples_test.py DOCUMENT RUNTIME HEADER...

A block ```c that begins with the comment of a file's name is that file. A block ```console has commands, which begin
with "$ ", each followed by what it prints; PREFIX is a directory laid out as an installation.
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest

import xmltest

DOCUMENT, RUNTIME = (os.path.abspath(path) for path in sys.argv[1:3])
HEADERS = [os.path.abspath(path) for path in sys.argv[3:]]
del sys.argv[1:]
NAMES = "libompcompanion.so.1 libomp.so libomp.so.5 libiomp5.so libgomp.so.1".split()


def blocks(language):
    with open(DOCUMENT) as f:
        return re.findall(r"^```%s\n(.*?)^```$" % language, f.read(), re.M | re.S)


class Examples(unittest.TestCase):
    maxDiff = None

    def prefix(self, there):
        prefix = os.path.join(there, "prefix")
        library = os.path.join(prefix, "lib", "ompcompanion")
        os.makedirs(library)
        os.makedirs(os.path.join(prefix, "include"))
        for name in NAMES:
            os.symlink(os.path.realpath(RUNTIME), os.path.join(library, name))
        for header in HEADERS:
            os.symlink(os.path.realpath(header), os.path.join(prefix, "include", os.path.basename(header)))
        return prefix

    def test_all(self):
        with tempfile.TemporaryDirectory() as there:
            prefix = self.prefix(there)
            for block in blocks("c"):
                name = re.match(r"/\* (\w+\.c)[ :*]", block)
                self.assertTrue(name, block)
                with open(os.path.join(there, name.group(1)), "w") as out:
                    out.write(block)
            sessions = blocks("console")
            self.assertGreaterEqual(len(sessions), 2)
            for session in sessions:
                for command, wanted in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", session, re.M):
                    with self.subTest(command):
                        done = subprocess.run(command.replace("PREFIX", prefix), shell=True, cwd=there, timeout=60,
                                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                              universal_newlines=True)
                        self.assertEqual((done.stdout, done.returncode), (wanted, 0))


if __name__ == "__main__":
    xmltest.main()
