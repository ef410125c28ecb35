# SPDX-License-Identifier: Apache-2.0
"""Tests of test_summary.py: what counts as a case, and what as a failure."""
import contextlib
import io
import json
import os
import tempfile
import unittest
import xml.etree.ElementTree as ET

from tools import test_summary as ts


def result(label, status, xml, attempt=1, log=None):
    outputs = [{"name": name, "uri": "file://" + path} for name,
               path in (("test.xml", xml), ("test.log", log)) if path]
    return json.dumps({"id": {"testResult": {"label": label, "run": 1, "shard": 1, "attempt": attempt}},
                       "testResult": {"status": status, "testActionOutput": outputs}})


def configured(label, kind, *tags):
    return json.dumps({"id": {"targetConfigured": {"label": label}},
                       "configured": {"targetKind": kind + " rule", "tag": tags}})


class Count(unittest.TestCase):
    def xml(self, text):
        f = tempfile.NamedTemporaryFile("w", suffix=".xml", delete=False)
        self.addCleanup(os.unlink, f.name)
        with f:
            f.write(text)
        return f.name

    def outcomes(self, *lines, rc=0):
        return [row[2] for row in ts.count(lines, rc)]

    def test_each_case_counts(self):
        x = self.xml(
            '<testsuites><testsuite><testcase name="a" status="run"/><testcase name="b" status="run">'
                     '<failure message="m"/></testcase><testcase name="c" result="skipped">'
                     '<skipped message="why"/></testcase></testsuite></testsuites>')
        rows = ts.count([result("//x:t", "FAILED", x)])
        self.assertEqual([(r[1], r[2], r[3]) for r in rows],
                         [("a", "passed", ""), ("b", "failed", "m"), ("c", "skipped", "why")])

    def test_target_without_cases_counts_as_one(self):
        self.assertEqual(self.outcomes(result("//x:t", "PASSED", None)), ["passed"])
        self.assertEqual(self.outcomes(result("//x:t", "TIMEOUT", None)), ["failed"])
        self.assertEqual(self.outcomes(result("//x:t", "PASSED", self.xml("not xml"))), ["passed"])

    def test_a_crash_after_passed_cases_is_a_failure(self):
        x = self.xml('<testsuites><testcase name="a"/></testsuites>')
        self.assertEqual(self.outcomes(result("//x:t", "FAILED", x)), ["passed", "failed"])

    def test_target_that_did_not_build_is_a_failure(self):
        self.assertEqual(self.outcomes(configured("//x:t", "cc_test"), configured("//x:l", "cc_library"),
                                       rc=1),
                         ["failed"])

    def test_what_was_left_out_by_its_tags_does_not_count(self):
        lines = [configured("//x:t", "cc_test", "gdb"), configured("//x:s", "cc_test", "gdb", "soak")]
        for wanted, labels in (("", ["//x:s", "//x:t"]), ("-soak", ["//x:t"]), ("soak", ["//x:s"]),
                               ("-gdb", [])):
            self.assertEqual([row[0] for row in ts.count(lines, wanted=wanted)], labels, wanted)

    def test_bazel_failure_without_failed_test_is_a_failure(self):
        self.assertEqual(self.outcomes(result("//x:t", "PASSED", None), rc=1), ["passed", "failed"])

    def test_only_the_last_attempt_counts(self):
        self.assertEqual(self.outcomes(result("//x:t", "FAILED", None), result("//x:t", "PASSED", None, 2)),
                         ["passed"])


class Retry(unittest.TestCase):
    """A target that fails is run again, alone: here by the same main() that `./dev test --retry` calls."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.log = self.write("test.log", "what went wrong\n")

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return path

    def main(self, *arguments):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            code = ts.main(["test_summary.py", *arguments])
        return code, out.getvalue().splitlines()

    def summary(self, second):
        """(a passes; f fails, and the second time has the status SECOND)"""
        events = self.write("events", "\n".join([result("//x:a", "PASSED", None),
                                                 result("//x:f", "FAILED", None, log=self.log)]) + "\n")
        self.assertEqual(self.main("--failed", events), (0, ["//x:f"]))
        self.assertEqual(self.main("--keep-logs", events), (0, []))
        self.write("test.log", "the second time's\n")
        again = self.write("again", result("//x:f", second, None, log=self.log) + "\n")
        return self.main("--again", again, events, "3")

    def test_what_passes_then_is_flaky(self):
        self.assertEqual(self.summary("PASSED"),
                         (0, ["FLAKY: //x:f", "    what went wrong", "2 passed, 0 failed, 0 skipped"]))

    def test_what_fails_again_has_failed(self):
        self.assertEqual(self.summary("FAILED"),
                         (1, ["failed: //x:f: FAILED", "1 passed, 1 failed, 0 skipped"]))


class Xml(unittest.TextTestResult):
    """Writes the cases where Bazel wants them."""

    def stopTestRun(self):
        super().stopTestRun()
        path = os.environ.get("XML_OUTPUT_FILE")
        if not path:
            return
        bad = {t.id(): text for t, text in self.failures + self.errors}
        suite = ET.Element("testsuite", name="test_summary_test", tests=str(self.testsRun),
                           failures=str(len(bad)))
        for name in self.names:
            case = ET.SubElement(suite, "testcase", name=name)
            if name in bad:
                ET.SubElement(case, "failure", message=bad[name].strip().splitlines()[-1]).text = bad[name]
        ET.ElementTree(suite).write(path)

    def startTest(self, test):
        super().startTest(test)
        self.names = getattr(self, "names", []) + [test.id()]


if __name__ == "__main__":
    unittest.main(testRunner=unittest.TextTestRunner(resultclass=Xml))
