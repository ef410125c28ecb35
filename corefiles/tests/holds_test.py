#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What each thread holds, and its place: on Companion with its list and without, and on the system's libgomp.
The truth is the program's source, and what its threads have said of their places."""
import json
import os
import subprocess
import tempfile
import unittest

import gdbrun
import xmltest

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "holds.c")
HELD = {("lock", "wanted", 1), ("lock", "unwanted", 0), ("nest_lock", "nest", 0), ("critical", "quiet", 0),
        ("critical", "(unnamed)", 0)}


def line_of(text):
    with open(SOURCE, encoding="utf-8") as source:
        return next(i for i, line in enumerate(source, 1) if text in line)


class Holds(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.companion = os.path.join(cls.folder.name, "companion")
        os.mkdir(cls.companion)
        for name in ("libgomp.so.1", "libomp.so", "libompcompanion.so.1"):
            os.symlink(gdbrun.find("runtime/libompcompanion.so.1.0.0"), os.path.join(cls.companion, name))
        cls.programs = {}
        for compiler in ("gcc", "clang"):
            cls.programs[compiler] = os.path.join(cls.folder.name, compiler)
            subprocess.run([compiler, "-g", "-fopenmp", SOURCE, "-L" + cls.companion, "-o",
                            cls.programs[compiler]], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def look(self, compiler, library, **variables):
        """The threads of `ompd threads -v` by their numbers, its text, and the places as they said them."""
        environment = dict(os.environ, LD_LIBRARY_PATH=library, OMP_WAIT_POLICY="passive", **variables)
        with subprocess.Popen([self.programs[compiler]], env=environment, stdout=subprocess.PIPE,
                              universal_newlines=True) as process:
            try:
                said = [process.stdout.readline().split() for _ in range(2)]
                command = [gdbrun.find("command/ompd"), "threads", "-v", "-p", str(process.pid),
                           "--ompd-library", gdbrun.find("ompd/libompd.so.1")]
                for _ in range(200):  # they are on their way to where they stay
                    done = subprocess.run(command + ["--json"], stdout=subprocess.PIPE,
                                          stderr=subprocess.PIPE, universal_newlines=True, timeout=300,
                                          check=False)
                    threads = {t["thread_num"]: t for t in json.loads(done.stdout)["threads"]}
                    if threads[1]["wait"] and threads[1]["wait"]["kind"] == "lock":
                        break
                text = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                      universal_newlines=True, timeout=300, check=False).stdout
            finally:
                process.kill()
        places = {int(words[1]): [int(word) for word in words[3:]] for words in said}
        return threads, " ".join(text.split()), places

    def check_places(self, threads, places):
        for number, (place, *processors) in places.items():
            self.assertGreaterEqual(place, 0)
            self.assertEqual(threads[number]["place"], {
                "number": place, "processors": "{%s}" % ",".join(str(p) for p in processors)})
            self.assertEqual(threads[number]["bind"], "close")

    def check_all(self, compiler):
        threads, text, places = self.look(compiler, self.companion, OMP_DEBUG="enabled", OMP_PLACES="threads",
                                          OMP_PROC_BIND="close")
        self.assertEqual({(h["kind"], h["name"], h["waiters"]) for h in threads[0]["holds"]}, HELD)
        self.assertTrue(all(h["certain"] for h in threads[0]["holds"]))
        taken = {h["name"]: h["taken_at"]["line"] for h in threads[0]["holds"]}
        self.assertEqual(taken["unwanted"], line_of("omp_set_lock(&unwanted)"))
        self.assertEqual(taken["wanted"], line_of("omp_set_lock(&wanted)"))
        self.assertEqual(threads[1]["holds"], [])
        self.assertIn("lock wanted (1 thread waits), lock unwanted (taken at holds.c:%d)" % taken["unwanted"],
                      text)
        self.assertIn("Listed as held are all locks, critical and ordered regions of OpenMP.", text)
        self.check_places(threads, places)

    def test_all_that_gcc_holds(self):
        self.check_all("gcc")

    def test_all_that_clang_holds(self):
        self.check_all("clang")

    def check_some(self, library, certain):
        """No list of what is held, and nothing is bound to a place: no variable asks for it."""
        threads, text, places = self.look("gcc", library)
        self.assertEqual([(h["kind"], h["name"], h["waiters"], h["certain"]) for h in threads[0]["holds"]],
                         [("lock", "wanted", 1, certain)])
        self.assertIn("holds", [u["field"] for u in threads[0]["unknown"]]
                      if isinstance(threads[0]["unknown"], list) else threads[0]["unknown"])
        self.assertIn("Not all that threads hold is listed: only what others wait for is known", text)
        self.assertEqual([threads[number]["place"] for number in places], [None, None])

    def test_without_a_list(self):
        self.check_some(self.companion, True)

    def test_libgomp(self):
        self.check_some("", False)

    def test_places_of_libgomp(self):
        """By the row of the build, which is there for Debian's."""
        for asked in ("threads", "{0}", "{0,1},{1}"):
            threads, text, places = self.look("gcc", "", OMP_PLACES=asked, OMP_PROC_BIND="close")
            self.assertEqual(len(places), 2)
            self.check_places(threads, places)
            self.assertIn(" %d %s close" % (places[0][0], threads[0]["place"]["processors"]), text)


if __name__ == "__main__":
    xmltest.main()
