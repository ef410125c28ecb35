# SPDX-License-Identifier: Apache-2.0
"""No message of Companion's has a character in it that steers a terminal or turns a line round, whoever chose
the text.

    messages_test.py LIBRARY

Each variable that the runtime knows (taken from its tables), each routine that takes a text, the tool's log
and file. Which characters are meant comes from Python's copy of the Unicode Character Database.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unicodedata
import unittest

import xmltest

LIBRARY = os.path.abspath(sys.argv[1])
del sys.argv[1]
HERE = os.path.dirname(os.path.abspath(__file__))
CORE = os.path.join(HERE, "..", "..", "core")
SETTING = re.compile(r'^    \{"((?:G?OMP|KMP)_\w+)", ', re.M)

DIRECTIONS = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
MARKS = "\u061c\u200e\u200f"


def steers(char):
    return (unicodedata.category(char) in ("Cc", "Zl", "Zp") or unicodedata.bidirectional(char) in DIRECTIONS
            or char in MARKS)


# Every such character (NUL ends a string), in texts that are short enough to be shown whole; then what is not
# UTF-8.
BAD = [chr(c) for c in range(1, 0x10000) if steers(chr(c))]
TEXTS = ["".join("a" + c for c in BAD[at:at + 16]).encode() for at in range(0, len(BAD), 16)]
TEXTS += [b"\xff\xfe \x9b31m \xc0\x80 \xc1\xbf \xe0\x80\x80",
          b"\xed\xa0\x80 \xf4\x90\x80\x80 \xf8\x88\x80\x80\x80", b"\xe2\x80", b"\xf0\x9f\x98", b"\xc3(",
          b"\xe2\x82( \xe2(\xa1"]
GOOD = "gr\u00fcn \u6f22\u5b57 \U0001f600 \u00a0 \u05d0"


def variables():
    found = []
    for name in ("env_read.c", "env_kmp.c"):
        with open(os.path.join(CORE, name)) as file:
            found += SETTING.findall(file.read())
    return found


class Messages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        cls.program = os.path.join(cls.folder, "program")
        done = subprocess.run(["gcc", "-O1", os.path.join(HERE, "messages.c"), LIBRARY, "-rdynamic",
                               "-pthread", "-o", cls.program], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, universal_newlines=True)
        if done.returncode:
            raise AssertionError(done.stdout)
        os.symlink(LIBRARY, os.path.join(cls.folder, "libompcompanion.so.1"))

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder, ignore_errors=True)

    def say(self, text, status=0, **more):
        """All that the program says, files included."""
        made = tempfile.mkdtemp(dir=self.folder)
        env = {name.encode(): text for name in variables()}
        env.update({b"LD_LIBRARY_PATH": self.folder.encode(), b"KMP_SETTINGS": b"1", b"KMP_VERSION": b"1",
                    b"OMP_DISPLAY_ENV": b"verbose", b"OMP_DISPLAY_AFFINITY": b"true", b"OMP_TOOL": b"enabled",
                    b"OMP_TOOL_VERBOSE_INIT": b"stderr", b"KMP_STATS_FILE": b"/none/" + text})
        env.update((name.encode(), value) for name, value in more.items())
        done = subprocess.run([self.program.encode(), text], env=env, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=60, cwd=made)
        self.assertEqual(done.returncode, status, done.stderr)
        said = done.stdout + done.stderr
        for name in os.listdir(made.encode()):
            with open(os.path.join(made.encode(), name), "rb") as file:
                said += file.read()
        return said

    def check(self, said, text):
        try:
            decoded = said.decode("utf-8")
        except UnicodeDecodeError as error:
            self.fail("%r: %s in %r" % (text, error, said[max(0, error.start - 60):error.end + 20]))
        for at, char in enumerate(decoded):
            if char not in "\n\t" and steers(char):
                self.fail("%r: U+%04X in %r" % (text, ord(char), decoded[max(0, at - 60):at + 20]))

    def test_what_is_meant(self):
        # ISO 6429's 65 controls without NUL; Unicode's UAX 9: nine controls and three marks; two separators
        self.assertEqual(len(BAD), 64 + 12 + 2)
        self.assertGreater(len(variables()), 30)

    def test_every_variable_and_routine(self):
        for text in TEXTS:
            said = self.say(text)
            self.check(said, text)
            for name in variables():
                self.assertIn(name.encode(), said)
            self.assertIn(b"error directive", said)
            self.assertIn(b"was not loaded", said)

    def test_a_value_does_not_make_lines(self):
        said = self.say(b"x\nOMP_FORGED = 'y").decode()
        # The affinity format and an error directive are the program's own lines.
        lines = [line for line in said.splitlines() if line.startswith("OMP_FORGED")
                 and not line.endswith("= 'y")]
        self.assertEqual(lines, [])
        self.assertRegex(said, r"OMP_SCHEDULE='x\?OMP_FORGED = 'y' has no effect")

    def test_the_log_of_the_tool_in_a_file(self):
        for text in TEXTS:
            self.check(self.say(text, OMP_TOOL_VERBOSE_INIT=b"log"), text)

    def test_what_ends_the_program(self):
        for text in TEXTS:
            said = self.say(text, status=1, OMP_TOOL=text)
            self.check(said, text)
            self.assertIn(b"is neither enabled nor disabled", said)

    def test_other_characters_stay(self):
        said = self.say(GOOD.encode()).decode()
        for before in ("OMP_SCHEDULE='", "error directive: ", "OMP_AFFINITY_FORMAT = '", "ompcompanion: "):
            self.assertIn(before + GOOD, said)


if __name__ == "__main__":
    xmltest.main()
