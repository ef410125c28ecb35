# SPDX-License-Identifier: Apache-2.0
"""What libompd.so.1 promises stays: abidiff against the description of the last release."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest

import gdbrun
import xmltest

KEPT = os.path.join(gdbrun.ROOT, "packaging/abi/libompd.abi")
SUMMARY = re.compile(r"summary: (\d+) Removed, (\d+) Changed")


def compare(old):
    """(removed, changed) functions and variables, and what abidiff says."""
    done = subprocess.run(["abidiff", old, gdbrun.find("ompd/libompd.so.1")], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, universal_newlines=True)
    if done.returncode & 3:
        raise AssertionError("abidiff: " + done.stdout)
    counts = [[int(n) for n in found] for found in SUMMARY.findall(done.stdout)]
    return [sum(column) for column in zip(*counts)] or [0, 0], done.stdout


class Abi(unittest.TestCase):
    def test_nothing_that_was_there_has_changed(self):
        counts, said = compare(KEPT)
        self.assertEqual(counts, [0, 0], said)

    def test_a_change_would_be_seen(self):
        folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(shutil.rmtree, folder)
        with open(KEPT) as f:
            text = f.read()
        thread = text.index("<class-decl name='ompdx_thread_info_t'")
        for what, changed in (("removed", text.replace("ompd_get_state", "ompd_get_stated")),
                              ("changed", text[:thread] + text[thread:].replace("offset-in-bits='64'",
                                                                               "offset-in-bits='96'", 1))):
            with self.subTest(what):
                self.assertNotEqual(changed, text)
                path = os.path.join(folder, what)
                with open(path, "w") as f:
                    f.write(changed)
                self.assertNotEqual(compare(path)[0], [0, 0])


if __name__ == "__main__":
    xmltest.main()
