# SPDX-License-Identifier: Apache-2.0
"""Rules for the runtime's sources that no compiler checks: each place of a kind is listed here with its answer, and a new
one fails until it has one.
"""
import glob
import os
import re
import unittest

import xmltest

RUNTIME = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')

# What reads the environment. getenv() may not be called elsewhere: rt_env_secure() would not be asked.
ENVIRONMENT = {
    "core/env.c": "value_of(), which asks rt_env_secure()",
    "core/display_env.c": "KMP_SETTINGS lists the variables, without those of rt_env_ignores()",
}
# What opens a file or a library, and where the name comes from.
OPENS = {
    "core/topology.c": "fixed names below /sys and /proc",
    "core/resident.c": "the name of the library that the runtime is in, from the loader",
    "tools/ompt_start.c": "OMP_TOOL_VERBOSE_INIT, OMP_TOOL_LIBRARIES: RT_SETTING_FILE",
    "tools/stats_print.c": "KMP_STATS_FILE: RT_SETTING_FILE",
}
# What writes to the terminal, and why nothing that steers one is in it.
SAYS = {
    "core/message.c": "rt_printable()",
    "core/env.c": "KMP_VERSION: the runtime's own text",
    "core/display.c": "rt_printable()",
    "core/display_env.c": "rt_put_printable() for each value",
    "core/places.c": "numbers, and a variable's name from a table",
    "abi/omp_affinity.c": "by core/display.c",
    "abi/omp_misc.c": "rt_printable()",
    "tools/ompt_start.c": "rt_printable()",
    "tools/stats_print.c": "numbers and names from a table",
    "abttool/load.c": "one fixed sentence",
}


def sources():
    """Path below runtime/ -> text without comments, texts of strings and layout."""
    found = {}
    for folder in ("core", "abi", "tools", "abttool"):
        for path in sorted(glob.glob(os.path.join(RUNTIME, folder, "*.[ch]"))):
            with open(path) as file:
                text = COMMENT.sub(lambda m: "\n" * m.group().count("\n"), file.read())
            found[os.path.relpath(path, RUNTIME)] = STRING.sub('""', text)
    return found


class Sources(unittest.TestCase):
    longMessage = True

    @classmethod
    def setUpClass(cls):
        cls.sources = sources()

    def files_with(self, pattern):
        return sorted(path for path, text in self.sources.items() if re.search(pattern, text))

    def test_there_are_sources(self):
        self.assertGreater(len(self.sources), 100)

    def test_the_environment_has_one_reader(self):
        self.assertEqual(self.files_with(r"\b(?:secure_)?getenv\s*\(|\benviron\b"), sorted(ENVIRONMENT))

    def test_what_is_opened(self):
        self.assertEqual(self.files_with(r"\b(?:f|fd|fre)?open(?:at2?|64)?\s*\(|\bdlm?open\b"), sorted(OPENS))

    def test_what_is_said(self):
        self.assertEqual(self.files_with(r"\bstd(?:err|out)\b|\bSTD(?:ERR|OUT)_FILENO\b|\bv?printf\s*\(|\bputs\s*\("),
                         sorted(SAYS))


if __name__ == "__main__":
    xmltest.main()
