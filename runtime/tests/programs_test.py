# SPDX-License-Identifier: Apache-2.0
"""Runs self-checking programs on Companion: as they are, bound to places, and with cancellation on.

Arguments: the programs. Each checks itself with several team sizes and exits with 0, or names the check that
failed.
"""

import os
import subprocess
import sys
import unittest

import xmltest

PROGRAMS = sys.argv[1:]
del sys.argv[1:]
SECONDS = 120
SETTINGS = {
    "plain": {},
    "cancellation": {"OMP_CANCELLATION": "true"},
    "bound": {"OMP_PROC_BIND": "spread,close", "OMP_PLACES": "threads"},
    "passive": {"OMP_WAIT_POLICY": "passive"},
}


class Programs(unittest.TestCase):
    def check(self, program, settings):
        env = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "GOMP_", "KMP_"))}
        env.update(settings)
        done = subprocess.run([os.path.abspath(program)], env=env, timeout=SECONDS, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, universal_newlines=True)
        self.assertEqual(done.returncode, 0, done.stdout)


for path in PROGRAMS:
    name = os.path.basename(path).rpartition(".")[0]
    for setting, variables in SETTINGS.items():
        if setting == "cancellation" and name.startswith("fortran"):
            continue  # these check the initial values of all ICVs
        setattr(Programs, "test_%s_%s" % (name, setting),
                lambda self, p=path, v=variables: self.check(p, v))

if __name__ == "__main__":
    xmltest.main()
