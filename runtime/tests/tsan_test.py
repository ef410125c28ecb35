# SPDX-License-Identifier: Apache-2.0
"""Every target on a runtime built with ThreadSanitizer: each reaches its state, and no race is reported."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

import tsan
import xmltest

LIBRARY, TARGETS = sys.argv[1:3]
DIRECTORY = os.path.dirname(TARGETS)


class Races(unittest.TestCase):
    pass


def check(target):
    def run(self):
        with tempfile.TemporaryDirectory() as scratch:
            # Not the runtime's: how the targets hand strings to their observer.
            env = dict(os.environ, TRUTH_HOLD_SECONDS="0",
                       **tsan.environment(LIBRARY, scratch, "race:truth.c\n"))
            env.update({name: str(value) for name, value in (target.get("env") or {}).items()})
            program = os.path.abspath(os.path.join(DIRECTORY, target["exe"]))
            with open(os.path.join(scratch, "out"), "w+") as out:
                done = subprocess.run([program] + [str(arg) for arg in target.get("args", [])], env=env,
                                      stdout=out, stderr=subprocess.PIPE, text=True, timeout=120, cwd=scratch)
                out.seek(0)
                self.assertIn("TRUTH ", out.read(), done.stderr)
            self.assertEqual(tsan.reports(scratch), "")
            self.assertNotEqual(done.returncode, 66)
    return run


with open(TARGETS) as file:
    known = json.load(file)
for entry in known["targets"] if isinstance(known, dict) else known:
    setattr(Races, "test_" + entry["name"], check(entry))

if __name__ == "__main__":
    del sys.argv[1:3]
    xmltest.main()
