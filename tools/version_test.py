# SPDX-License-Identifier: Apache-2.0
"""The runtime, libompd and the command say the version that ./dev installs."""
import re
import unittest

import xmltest

PLACES = {
    "runtime/core/start.c": r'"Companion (\S+) \(OpenMP runtime\)"',
    "ompd/api/version.c": r'"libompd (\S+) of ',
    "corefiles/command/cmd.h": r'#define CMD_VERSION "([^"]+)"',
}


def found(path, pattern):
    with open(path, encoding="utf-8") as file:
        return re.findall(pattern, file.read(), re.M)


class Version(unittest.TestCase):
    def test_one(self):
        versions = found("dev", r"^VERSION=(\S+)")
        self.assertEqual(len(versions), 1)
        for path, pattern in PLACES.items():
            with self.subTest(path):
                self.assertEqual(found(path, pattern), versions)


if __name__ == "__main__":
    xmltest.main()
