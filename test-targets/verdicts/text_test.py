# SPDX-License-Identifier: Apache-2.0
"""What the command writes of every target: no line is wider than asked for, what one table names stands in
another, and each row of a thread has its number (textcheck.py). One process each; all texts are made of one
recorded snapshot.
"""

import json
import os
import subprocess
import tempfile
import unittest

import compare
import gdbrun
import textcheck
import xmltest

OMPD = gdbrun.find("command/ompd")
LIBOMPD = gdbrun.find("ompd/libompd.so.1")
WIDTHS = (80, 120)
SECONDS = 60
MANIFEST = gdbrun.find("test-targets/targets.json")
with open(MANIFEST) as _f:
    TARGETS = [target for target in json.load(_f)["targets"] if target["stop"] == "held"]


def ompd(*arguments, width=0):
    done = subprocess.run([OMPD] + list(arguments), env=dict(os.environ, COLUMNS=str(width or 1000000)),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=SECONDS,
                          universal_newlines=True)
    if done.returncode != 0:
        raise AssertionError("status %d\n%s%s" % (done.returncode, done.stdout, done.stderr))
    return done.stdout


class Text(unittest.TestCase):
    maxDiff = None

    def check(self, target):
        env = dict(os.environ, **target["env"], TRUTH_HOLD_SECONDS="300", TRUTH_TIMEOUT=str(SECONDS))
        process = subprocess.Popen([os.path.join(os.path.dirname(MANIFEST), target["exe"])] + target["args"],
                                   env=env, cwd=os.environ.get("TEST_TMPDIR"), stdout=subprocess.PIPE,
                                   universal_newlines=True)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.addCleanup(process.stdout.close)
        text = ""
        while compare.read_truth(text) is None:
            line = process.stdout.readline()
            self.assertNotEqual(line, "", "%s came to no rest" % target["name"])
            text += line
        with tempfile.NamedTemporaryFile(dir=os.environ.get("TEST_TMPDIR")) as snapshot:
            ompd("record", "-p", str(process.pid), "-o", snapshot.name, "--force", "--ompd-library",
             LIBOMPD)
            whole = ompd("report", "--all", "--snapshot", snapshot.name)
            self.assertEqual(textcheck.loose(whole)[:5], [], whole[:10000])
            for width in WIDTHS:
                for more in ([], ["--all"]):
                    for view in ("report", "waits"):
                        seen = ompd(view, "--snapshot", snapshot.name, *more, width=width)
                        if not more and target["name"].startswith("many_threads"):
                            # 256 threads in three states fit a screen or two.
                            self.assertLess(len(seen.splitlines()), 70, seen)
                        self.assertEqual("\n".join(textcheck.wide(seen, width)[:5]), "",
                                         "%s, width %d" % (view, width))


def _add(target):
    setattr(Text, "test_" + target["name"], lambda self: self.check(target))


for _target in TARGETS:
    if not os.environ.get("TARGETS") or _target["name"] in os.environ["TARGETS"].split(","):
        _add(_target)

if __name__ == "__main__":
    xmltest.main()
