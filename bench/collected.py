# SPDX-License-Identifier: Apache-2.0
"""Rounds of a benchmark, kept in a file, so that a run can be made in pieces when the machine is quiet.

A file holds rounds of one build only: the contents of each contender's library and program are part of it.
"""

import hashlib
import json
import os
import sys

import common


def fingerprint(paths):
    """Of the contents of files."""
    total = hashlib.sha256()
    for path in paths:
        with open(path, "rb") as f:
            total.update(hashlib.sha256(f.read()).digest())
    return total.hexdigest()[:16]


class Rounds:
    """ABOUT: what has to be equal for rounds to be counted together. Without a PATH nothing is kept."""

    def __init__(self, path, about):
        self._path = path and common.users_path(path)
        self._about = about
        self.rounds = []
        if self._path and os.path.exists(self._path):
            with open(self._path) as f:
                document = json.load(f)
            different = sorted(key for key in set(about) | set(document["about"])
                               if about.get(key) != document["about"].get(key))
            if different:
                sys.exit("%s has rounds of another build, machine or setting (%s): give another file"
                         % (path, ", ".join(different)))
            self.rounds = document["rounds"]

    def add(self, entry):
        """Kept at once: a run that is ended early has lost nothing."""
        self.rounds.append(entry)
        self.write(None)

    def write(self, report):
        if self._path:
            common.write_json(self._path, {"about": self._about, "rounds": self.rounds, "report": report})
