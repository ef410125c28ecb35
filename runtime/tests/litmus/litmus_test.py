# SPDX-License-Identifier: Apache-2.0
"""Memory order: each hand-off of the runtime as a litmus test, by herd7 with the model RC11 of C11.

A file is run twice. As the code is, the outcome behind `exists` never occurs. Then each statement with
`// weak: OTHER` becomes OTHER, and the outcome occurs: the test can fail, and that statement is needed.
That the accesses are those of the code, with its orders, is read from the code (orders.py).
"""

import glob
import os
import re
import shutil
import subprocess
import tempfile
import unittest

import debian
import herd
import orders
import xmltest

WEAK = re.compile(r"^(\s*)(.*?)\s*// weak: ?(.*)$", re.M)


def variants(text):
    """(as the code is, weakened)"""
    return WEAK.sub(r"\1\2", text), WEAK.sub(r"\1\3", text)


class Litmus(unittest.TestCase):
    longMessage = True

    @classmethod
    def setUpClass(cls):
        try:
            cls.herd = herd.command()
        except debian.Unusable as error:
            raise unittest.SkipTest(str(error)) from None

    def occurs(self, text):
        """Whether the outcome occurs: "Never", "Sometimes" or "Always" of herd7."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "test.litmus")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            done = subprocess.run([*self.herd, "-model", "rc11.cat", path], stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, universal_newlines=True, check=False)
        found = re.search(r"^Observation \S+ (\w+) ", done.stdout, re.M)
        self.assertIsNotNone(found, done.stdout)
        return found.group(1)

    def test_each(self):
        for path in orders.FILES:
            with self.subTest(orders.name(path)), open(path, encoding="utf-8") as file:
                strong, weak = variants(file.read())
                self.assertEqual(self.occurs(strong), "Never")
                self.assertEqual(self.occurs(weak), "Sometimes")


class Sources(unittest.TestCase):
    """Each file belongs to a place in the code, which names it beside its argument, and is as the code is."""

    def test_named(self):
        named = set()
        for path in glob.glob(os.path.join(orders.RUNTIME, "core", "*.[ch]")):
            with open(path, encoding="utf-8") as file:
                named.update(re.findall(r"litmus:[\s*]+(\w+)", file.read()))
        self.assertEqual(named, {orders.name(path) for path in orders.FILES})

    def test_each_can_be_weakened(self):
        self.assertNotEqual(orders.FILES, [])
        for path in orders.FILES:
            with open(path, encoding="utf-8") as file:
                strong, weak = variants(file.read())
            self.assertNotEqual(strong, weak, orders.name(path))
            self.assertNotIn("// weak", strong, orders.name(path))

    def test_orders_are_those_of_the_code(self):
        self.assertEqual(orders.disagreements(), [])


class Changed(unittest.TestCase):
    """Each place that a test names: another order there is seen, and so is a fence that has gone."""

    def test_each_place(self):
        places = sorted({(file, call.start, call.end) for calls in orders.where().values()
                         for file, call in calls})
        self.assertGreater(len(places), 60)
        with tempfile.TemporaryDirectory() as root:
            shutil.copytree(os.path.join(orders.RUNTIME, "core"), os.path.join(root, "core"))
            for file, start, end in places:
                path = os.path.join(root, file)
                with open(path, encoding="utf-8") as source:
                    text = source.read()
                with self.subTest("%s:%d" % (file, text.count("\n", 0, start) + 1)):
                    with open(path, "w", encoding="utf-8") as source:
                        source.write(text[:start] + other_order(text[start:end]) + text[end:])
                    self.assertNotEqual(orders.disagreements(root), [])
                with open(path, "w", encoding="utf-8") as source:
                    source.write(text)


def other_order(call):
    for strong, weak in (("rt_acquire", "rt_load"), ("rt_publish", "rt_store"),
                         ("rt_arch_full_after_rmw", "rt_pause"), ("rt_membarrier", "rt_pause")):
        if call.startswith(strong + "("):
            return weak + call[len(strong):]
    return re.sub(r"(memory_order_)\w+|(__ATOMIC_)\w+",
                  lambda found: "memory_order_relaxed" if found.group(1) else "__ATOMIC_RELAXED", call)


if __name__ == "__main__":
    xmltest.main()
