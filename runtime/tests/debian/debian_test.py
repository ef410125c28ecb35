# SPDX-License-Identifier: Apache-2.0
"""Three programs and libraries of Debian give on Companion what they give on libgomp (debian_programs.py has
more)."""

import sys
import unittest

import debian_programs
import xmltest

LIBRARY = sys.argv.pop(1)


class Debian(unittest.TestCase):
    def check(self, program):
        lines = []
        problems = debian_programs.check_all(LIBRARY, [program()], tell=lines.append)
        print("\n" + "\n".join(lines))
        self.assertEqual(problems, [])

    def test_graphicsmagick(self):
        self.check(debian_programs.GraphicsMagick)

    def test_fftw(self):
        self.check(debian_programs.FFTW)

    def test_openblas(self):
        self.check(debian_programs.OpenBLAS)


if __name__ == "__main__":
    xmltest.main()
