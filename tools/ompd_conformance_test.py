# SPDX-License-Identifier: Apache-2.0
"""The conformance document is up to date; and the script notices when it is not, or when a source contradicts
the data."""
import contextlib
import io
import pathlib
import shutil
import tempfile
import unittest

import xmltest
from tools import ompd_conformance

FILES = ["docs/ompd-conformance.json", "docs/ompd-conformance.md", "include/omp-tools.h", "ompd/exports.txt",
         "ompd/api/icv_table.c", "runtime/layout.def"]


def complaints(root):
    """What the script prints, line by line."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        code = ompd_conformance.main(["check", str(root)])
    assert (code != 0) == (out.getvalue() != "")
    return out.getvalue().splitlines()


class Conformance(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)
        for name in FILES:
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(name, self.root / name)

    def change(self, name, old, new):
        """Replaces a text that must be there."""
        path = self.root / name
        text = path.read_text(encoding="utf-8")
        self.assertIn(old, text)
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    def test_up_to_date(self):
        self.assertEqual(complaints(self.root), [])

    def test_stale(self):
        for name, old, new in (
                ("docs/ompd-conformance.md", "| cancel-var |", "| cancel-vat |"),
                ("include/omp-tools.h", " *   ok: *version is set.\n",
                 " *   ok: *version is set.\n *   nomem: never.\n"),
                ("ompd/api/icv_table.c", "RTM_ICV_CANCEL, ompd_scope_global",
                 "RTM_ICV_CANCEL, ompd_scope_task"),
                ("ompd/api/icv_table.c", "[RTM_ICV_BIND] = ICV_FIRST,", "")):
            with self.subTest(name=name, old=old):
                self.setUp()
                self.change(name, old, new)
                self.assertEqual(complaints(self.root),
                                 ["docs/ompd-conformance.md is stale: run tools/ompd_conformance.py write ."])

    def test_contradictions(self):
        for name, old, new, complaint in (
                ("ompd/api/icv_table.c", "RTM_ICV_NTEAMS, ompd_scope_address_space, FROM_51",
                 "RTM_ICV_NTEAMS, ompd_scope_address_space, FROM_52", "nteams-var: listed in"),
                ("ompd/api/icv_table.c", '    {"dyn-var", RTM_ICV_DYN, ompd_scope_task, ALWAYS},\n', "",
                 "dyn-var is only in the data"),
                ("runtime/layout.def", "rt_root, nteams,", "rt_root, n_teams,",
                 "nteams-var: rt_root.nteams is not in layout.def"),
                ("ompd/exports.txt", "ompd_get_state\n", "", "ompd_get_state is not exported"),
                ("docs/ompd-conformance.json", '"ompd_get_state"', '"ompd_get_stat"',
                 "ompd_get_stat is only in the data"),
                ("docs/ompd-conformance.json", '"team-num-var", "spec": {"6.0"',
                 '"team-num-var", "spec": {"5.2"',
                 "5.2 has 29 ICVs, not 30")):
            with self.subTest(complaint=complaint):
                self.setUp()
                self.change(name, old, new)
                self.assertTrue(any(line.startswith(complaint) for line in complaints(self.root)),
                                complaints(self.root))

    def test_listed_twice(self):
        self.change("ompd/api/icv_table.c", "RTM_ICV_LEVELS, ompd_scope_task, FROM_51",
                    "RTM_ICV_LEVELS, ompd_scope_task, ALWAYS")
        with self.assertRaisesRegex(ValueError, "levels-var is listed twice in 5.0"):
            complaints(self.root)


if __name__ == "__main__":
    xmltest.main()
