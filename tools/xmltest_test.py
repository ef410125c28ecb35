# SPDX-License-Identifier: Apache-2.0
"""The XML that xmltest writes, from a module with one case of each kind."""

import os
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ET

import xmltest

SAMPLE = '''
import unittest
import xmltest

class Sample(unittest.TestCase):
    def test_good(self):
        pass
    def test_bad(self):
        self.assertEqual(1, 2, "control \\x01 character")
    def test_error(self):
        raise ValueError("x")
    @unittest.skip("no such machine")
    def test_skip(self):
        pass
    def test_sub(self):
        for i in range(3):
            with self.subTest(i=i, part="a.b"):
                self.assertNotEqual(i, 1)
xmltest.main()
'''


class XmlTest(unittest.TestCase):
    def run_sample(self, source, **env):
        with tempfile.TemporaryDirectory() as folder:
            xml = os.path.join(folder, "test.xml")
            path = os.path.join(folder, "sample.py")
            with open(path, "w") as f:
                f.write(source)
            clean = {k: v for k, v in os.environ.items() if k != "TESTBRIDGE_TEST_ONLY"}
            clean.update(XML_OUTPUT_FILE=xml, PYTHONPATH=os.path.dirname(os.path.abspath(xmltest.__file__)),
                         **env)
            done = subprocess.run([sys.executable, path], env=clean, capture_output=True)
            suite = ET.parse(xml).getroot().find("testsuite")
        return done.returncode, suite, {c.get("name"): c for c in suite}

    def test_each_kind(self):
        code, suite, cases = self.run_sample(SAMPLE)
        self.assertEqual(code, 1)
        self.assertEqual(suite.get("tests"), "5")
        self.assertEqual((suite.get("failures"), suite.get("errors"), suite.get("skipped")), ("2", "1", "1"))
        self.assertEqual(len(cases["test_good"]), 0)
        self.assertIn("1 != 2", cases["test_bad"].find("failure").text)
        self.assertIn("ValueError", cases["test_error"].find("error").get("message"))
        self.assertEqual(cases["test_skip"].find("skipped").get("message"), "no such machine")
        failed = [name for name in cases if name.startswith("test_sub")]
        self.assertEqual(len(failed), 1)
        self.assertIn("i=1", failed[0])

    def test_filter(self):
        code, suite, cases = self.run_sample(SAMPLE, TESTBRIDGE_TEST_ONLY="test_good")
        self.assertEqual((code, list(cases)), (0, ["test_good"]))

    def test_nothing_executed_is_a_failure(self):
        code, suite, _ = self.run_sample("import xmltest\nxmltest.main()\n")
        self.assertEqual((code, suite.get("errors")), (1, "1"))


if __name__ == "__main__":
    xmltest.main()
