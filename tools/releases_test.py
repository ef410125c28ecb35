# SPDX-License-Identifier: Apache-2.0
"""tools/releases.py: versions, counts and the table; nothing here needs a root."""

import os
import tempfile
import unittest

import releases
import xmltest

# First lines as the programs print them.
SAID = {"ldd (Debian GLIBC 2.41-12+deb13u4) 2.41\nCopyright": "2.41",
        "gcc (Debian 16.2.0-4) 16.2.0": "16.2.0",
        "GNU gdb (Debian 10.1-1.7) 10.1.90.20210103-git": "10.1.90.20210103",
        "Debian clang version 19.1.7 (3+b1)\nTarget: x86_64": "19.1.7",
        "flang version 23.1.0": "23.1.0", "lldb version 11.0.1": "11.0.1", "Python 3.14.10": "3.14.10",
        "no number": "?"}
ROWS = "| old |\n| Debian 13 | kept |\n| Debian 12 | gone |"
PAGE = "before\n\n%s\n\n%s\n\n%s\n\nafter | Debian 11 |\n" % (releases.BEGIN, ROWS, releases.END)
XML = """<testsuites><testsuite><testcase classname="a" name="right"/>
<testcase classname="a" name="wrong"><failure/></testcase>
<testcase classname="a" name="broken"><error/></testcase>
<testcase classname="a" name="left"><skipped/></testcase></testsuite></testsuites>"""


class Releases(unittest.TestCase):
    def test_versions(self):
        self.assertEqual({text: releases.version(text) for text in SAID}, SAID)

    def test_rows_of_other_releases_stay(self):
        page = releases.merged(PAGE, {"12": "| Debian 12 | new |"})
        lines = [line for line in page.splitlines() if line.startswith("| Debian")]
        self.assertEqual(lines, ["| Debian 12 | new |", "| Debian 13 | kept |"])
        self.assertTrue(page.startswith("before\n\n"))
        self.assertTrue(page.endswith("\n\nafter | Debian 11 |\n"))
        self.assertEqual(releases.merged(page, {}), page)
        with self.assertRaises(SystemExit):
            releases.merged("no place", {})

    def test_a_row_has_all_columns(self):
        release = releases.Release("13", "/nowhere")
        release.row.update({"glibc": "2.41", "failed": 0})
        header = releases.merged(PAGE, {}).partition(releases.BEGIN)[2].strip().splitlines()[0]
        self.assertEqual(releases.line(release, "abc").count("|"), header.count("|"))

    def test_cases(self):
        with tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR")) as folder:
            path = os.path.join(folder, "test.xml")
            with open(path, "w") as f:
                f.write(XML)
            counts, failed = releases.cases(path)
        self.assertEqual(dict(counts), {"passed": 1, "failed": 2, "skipped": 1})
        self.assertEqual(failed, ["a.wrong", "a.broken"])

    def test_every_release_can_be_made(self):
        with open(releases.ROOT_SCRIPT) as f:
            script = f.read()
        for suite, here in releases.RELEASES.values():
            if not here:
                self.assertIn("    %s) PACKAGES=(\"${BUILDING[@]}\"" % suite, script)


if __name__ == "__main__":
    xmltest.main()
