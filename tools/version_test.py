# SPDX-License-Identifier: Apache-2.0
"""The runtime, libompd, the command and its page say the version that is installed."""
import re
import unittest

import xmltest

PLACES = {
    "runtime/core/start.c": r'"Companion (\S+) \(OpenMP runtime\)"',
    "ompd/api/version.c": r'"libompd (\S+) of ',
    "command/cmd.h": r'#define CMD_VERSION "([^"]+)"',
    "docs/man/ompd.1": r'^\.TH OMPD 1 \S+ "ompd (\S+)"',
    "packaging/debian/changelog": r"\Aompd \(([^)-]+)-",
}


def found(path, pattern):
    with open(path, encoding="utf-8") as file:
        return re.findall(pattern, file.read(), re.M)


class Version(unittest.TestCase):
    def test_one(self):
        versions = found("VERSION", r"\A(\S+)\n\Z")
        self.assertEqual(len(versions), 1)
        for path, pattern in PLACES.items():
            with self.subTest(path):
                self.assertEqual(found(path, pattern), versions)


if __name__ == "__main__":
    xmltest.main()
