# SPDX-License-Identifier: Apache-2.0
"""Every target on a runtime built with ThreadSanitizer: each reaches its state, and no race is reported.

The targets are not instrumented, so what is judged is the runtime alone.
"""
import glob
import json
import os
import subprocess
import sys
import tempfile
import unittest

import xmltest

LIBRARY, TARGETS = sys.argv[1:3]
DIRECTORY = os.path.dirname(TARGETS)


def sanitizer():
    path = subprocess.run(["gcc", "-print-file-name=libtsan.so"], check=True, stdout=subprocess.PIPE, text=True).stdout
    return os.path.realpath(path.strip())


class Races(unittest.TestCase):
    pass


def check(target):
    def run(self):
        with tempfile.TemporaryDirectory() as scratch:
            # Not the runtime's: how the targets hand strings to their observer.
            with open(os.path.join(scratch, "suppressions"), "w") as out:
                out.write("race:truth.c\n")
            env = dict(os.environ, LD_PRELOAD="%s %s" % (sanitizer(), os.path.abspath(LIBRARY)),
                       TSAN_OPTIONS="log_path=%s/log:suppressions=%s/suppressions:print_suppressions=0:exitcode=66:"
                                    "handle_segv=0:handle_abort=0" % (scratch, scratch),
                       OMP_STACKSIZE="256K", TRUTH_HOLD_SECONDS="0")
            env.setdefault("OMP_WAIT_POLICY", "passive")
            env.update({name: str(value) for name, value in (target.get("env") or {}).items()})
            program = os.path.abspath(os.path.join(DIRECTORY, target["exe"]))
            with open(os.path.join(scratch, "out"), "w+") as out:
                done = subprocess.run([program] + [str(arg) for arg in target.get("args", [])], env=env, stdout=out,
                                      stderr=subprocess.PIPE, text=True, timeout=120, cwd=scratch)
                out.seek(0)
                self.assertIn("TRUTH ", out.read(), done.stderr)
            reports = "".join(open(log).read() for log in glob.glob(scratch + "/log*"))
            self.assertEqual(reports, "")
            self.assertNotEqual(done.returncode, 66)
    return run


with open(TARGETS) as file:
    known = json.load(file)
for entry in known["targets"] if isinstance(known, dict) else known:
    setattr(Races, "test_" + entry["name"], check(entry))

if __name__ == "__main__":
    del sys.argv[1:3]
    xmltest.main()
