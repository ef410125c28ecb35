# SPDX-License-Identifier: Apache-2.0
"""The rows of ompd/rows/ against what others say of the runtime of this machine.

    rows_test.py OMPD ROW...

The row of the system's libgomp has the addresses that readelf and objdump find, and `ompd layout` makes its
part that is of the code again. All rows: each field is inside its structure, ranges do not overlap.
"""

import json
import os
import re
import subprocess
import sys
import unittest
from typing import Any, Dict, List, Set, Tuple

LIBRARY = "/usr/lib/x86_64-linux-gnu/libgomp.so.1"
OF_CODE = ("build_ids", "fingerprint", "variables", "sites", "spins", "functions", "slots")
OMPD = sys.argv[1]
ROWS = [json.load(open(path, encoding="utf-8")) for path in sys.argv[2:]]


def output(*command: str) -> str:
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout


def ranges(row: Dict[str, Any]) -> List[Tuple[int, int]]:
    found = [(int(addresses[i], 16), int(addresses[i + 1], 16))
             for addresses in row["functions"].values() for i in range(0, len(addresses), 2)]
    return sorted(found)


class Rows(unittest.TestCase):
    def test_all(self) -> None:
        self.assertTrue(ROWS)
        ids: Set[str] = set()
        for row in ROWS:
            for name, place in row["fields"].items():
                size = row["sizes"][name.split(".")[0]]
                self.assertLessEqual(place[0] + place[1], size, f"{row['name']}: {name}")
            all_ranges = ranges(row)
            for (_, end), (start, _) in zip(all_ranges, all_ranges[1:]):
                self.assertLessEqual(end, start, row["name"])
            self.assertFalse(ids & set(row["build_ids"]), row["name"])
            ids |= set(row["build_ids"])

    def row(self) -> Dict[str, Any]:
        found = re.search(r"Build ID: (\w+)", output("readelf", "-n", LIBRARY))
        self.assertTrue(found)
        for row in ROWS:
            if found and found.group(1) in row["build_ids"]:
                return row
        self.skipTest("no row has the build-id of this machine's libgomp")
        return {}

    def test_sites(self) -> None:
        """The instructions behind objdump's syscalls."""
        row = self.row()
        following: Set[int] = set()
        waits = False
        for line in output("objdump", "-d", "--no-show-raw-insn", LIBRARY).splitlines():
            found = re.match(r"\s*([0-9a-f]+):\s+(\S+)", line)
            if not found:
                continue
            if waits:
                following.add(int(found.group(1), 16))
            waits = found.group(2) == "syscall"
        self.assertEqual({int(site[0], 16) for site in row["sites"]}, following)

    def test_functions(self) -> None:
        """Each exported function of readelf's list is in the ranges, and each range is one of them."""
        exported = set()
        for line in output("readelf", "--dyn-syms", "-W", LIBRARY).splitlines():
            word = line.split()
            if len(word) >= 8 and word[3] == "FUNC" and word[6] != "UND" and int(word[2], 0):
                exported.add((int(word[1], 16), int(word[1], 16) + int(word[2], 0)))
        self.assertEqual(set(ranges(self.row())), exported)

    def test_again(self) -> None:
        row = self.row()
        again = json.loads(output(OMPD, "layout", os.path.realpath(LIBRARY)))
        for part in OF_CODE:
            self.assertEqual(again[part], row[part], part)
        for name, place in again["fields"].items():
            self.assertEqual(place[0], row["fields"][name][0], name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
