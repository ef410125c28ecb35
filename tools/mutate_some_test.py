# SPDX-License-Identifier: Apache-2.0
"""Some mutants of the runtime, drawn anew each time from those that the stress sees at once: it sees them
still."""
import os
import random
import tempfile
import unittest

import mutate
import xmltest

COUNT, SECONDS = 10, 60


class Some(unittest.TestCase):
    def test_seen(self):
        seed = random.SystemRandom().randrange(1 << 32)
        print("seed %d" % seed, flush=True)
        with tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR")) as work:
            self.assertEqual(mutate.main(["--sample", str(COUNT), "--seed", str(seed), "--seconds",
                                          str(SECONDS), "--work", work]), 0)


if __name__ == "__main__":
    xmltest.main()
