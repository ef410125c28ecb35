# SPDX-License-Identifier: Apache-2.0
"""The examples of docs/tools.md: each C block is a file, named in its first line; each line that begins with
`$` is a command, and what stands below it is its output. With clang as it stands, and with gcc in clang's
place.

    examples_test.py DOCUMENT RUNTIME ABTTOOL HEADER
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest

import xmltest

DOCUMENT, RUNTIME, ABTTOOL, HEADER = (os.path.abspath(path) for path in sys.argv[1:5])
del sys.argv[1:]
HERE = tempfile.mkdtemp()
PREFIX = os.path.join(HERE, "prefix")


def blocks():
    """(language, text) of each fenced block behind the heading Examples"""
    with open(DOCUMENT) as f:
        text = f.read().split("\n## Examples\n")[1]
    return re.findall(r"^```(\w*)\n(.*?)^```$", text, flags=re.M | re.S)


class Examples(unittest.TestCase):
    maxDiff = None

    def check(self, compiler):
        folder = os.path.join(HERE, compiler)
        os.mkdir(folder)
        script, expected, files = ["set -e"], [], 0
        for language, text in blocks():
            if language == "c":
                files += 1
                with open(os.path.join(folder, re.match(r"/\* (\w+\.c) \*/\n", text).group(1)), "w") as f:
                    f.write(text)
                continue
            for line in text.splitlines():
                if line.startswith("$ "):
                    command = line[2:].replace("PREFIX", PREFIX).replace("clang", compiler)
                    script += ["echo '%s'" % line.replace("'", "'\\''"), command]
                expected.append(line)
        self.assertEqual(files, 5)
        env = {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "KMP_"))}
        done = subprocess.run(["bash", "-c", "\n".join(script)], cwd=folder, env=env, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, universal_newlines=True, timeout=120)
        self.assertEqual((done.stdout.splitlines(), done.stderr, done.returncode), (expected, "", 0))

    def test_clang(self):
        self.check("clang")

    def test_gcc(self):
        self.check("gcc")


if __name__ == "__main__":
    os.makedirs(os.path.join(PREFIX, "lib", "ompcompanion"))
    os.symlink(os.path.dirname(os.path.realpath(HEADER)), os.path.join(PREFIX, "include"))
    for name in ("libompcompanion-abttool.so", "libompcompanion-abttool.so.1"):
        os.symlink(os.path.realpath(ABTTOOL), os.path.join(PREFIX, "lib", name))
    for soname in ("libomp.so", "libomp.so.5", "libgomp.so.1", "libompcompanion.so.1"):
        os.symlink(os.path.realpath(RUNTIME), os.path.join(PREFIX, "lib", "ompcompanion", soname))
    xmltest.main()
