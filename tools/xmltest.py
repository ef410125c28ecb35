# SPDX-License-Identifier: Apache-2.0
"""unittest's runner, with the cases' results as JUnit XML for Bazel.

A py_test ends with `xmltest.main()`. Bazel names the file in XML_OUTPUT_FILE;
without it nothing is written. Each case, also each failed subTest, is a
testcase; a skip keeps its reason. A run that executed no case is a failure.
A case that passes prints a dot and no line: of a long log CI shows only the beginning.
TESTBRIDGE_TEST_ONLY (bazel --test_filter) selects cases by a substring or a
shell pattern. SHARE selects a part of a list that a test makes its cases from.
"""

import fnmatch
import os
import sys
import time
import unittest
import xml.etree.ElementTree as ET


def share(rows):
    """Those of ROWS that SHARE chooses ("0/4" the first of each four, "1,2,3/4" the others), or all."""
    chosen, of = os.environ.get("SHARE", "0/1").split("/")
    return [row for i, row in enumerate(rows) if i % int(of) in [int(n) for n in chosen.split(",")]]


def _clean(text):
    """XML 1.0 allows no control characters but tab and line ends."""
    return "".join(c if c in "\t\n\r" or " " <= c <= "\ud7ff" or "\ue000" <= c <= "\ufffd" or c > "\uffff"
                   else "?"
                   for c in text)


class _Result(unittest.TextTestResult):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.cases = []  # (test's id, seconds, kind, text)
        self._started = time.monotonic()
        self._subtest_failed = False

    def startTest(self, test):
        self._started = time.monotonic()
        self._subtest_failed = False
        super().startTest(test)

    def _add(self, test, kind, text=""):
        self.cases.append((test.id(), time.monotonic() - self._started, kind, text))

    def addSuccess(self, test):
        super().addSuccess(test)
        if not self._subtest_failed:
            self._add(test, "passed")

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self._add(test, "failure", self._exc_info_to_string(err, test))

    def addError(self, test, err):
        super().addError(test, err)
        self._add(test, "error", self._exc_info_to_string(err, test))

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self._add(test, "skipped", reason)

    def addExpectedFailure(self, test, err):
        super().addExpectedFailure(test, err)
        self._add(test, "passed")

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self._add(test, "failure", "unexpected success")

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self._subtest_failed = True
            kind = "failure" if issubclass(err[0], test.failureException) else "error"
            self._add(subtest, kind, self._exc_info_to_string(err, test))


def write_xml(path, name, cases):
    """Writes (id, seconds, kind, text) rows; kind: passed, failure, error or skipped."""
    suite = ET.Element("testsuite", name=name, tests=str(len(cases)))
    for kind, attribute in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
        suite.set(attribute, str(sum(1 for c in cases if c[2] == kind)))
    suite.set("time", "%.3f" % sum(c[1] for c in cases))
    for ident, seconds, kind, text in cases:
        # A subTest's id has the parameters, which may hold dots, behind a blank.
        head, blank, rest = ident.partition(" ")
        group, _, case = head.rpartition(".")
        node = ET.SubElement(suite, "testcase", classname=_clean(group), name=_clean(case + blank + rest),
                             time="%.3f" % seconds)
        if kind != "passed":
            lines = text.strip().splitlines()
            message = "" if not lines else lines[0] if kind == "skipped" else lines[-1]
            ET.SubElement(node, kind, message=_clean(message)).text = _clean(text)
    root = ET.Element("testsuites")
    root.append(suite)
    ET.ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)


def _cases(suite):
    for item in suite:
        if isinstance(item, unittest.TestSuite):
            yield from _cases(item)
        else:
            yield item


def main(module="__main__"):
    """Runs the module's tests, writes the XML, and exits."""
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules[module])
    pattern = os.environ.get("TESTBRIDGE_TEST_ONLY")
    if pattern:
        suite = unittest.TestSuite(t for t in _cases(suite)
                                   if pattern in t.id() or fnmatch.fnmatchcase(t.id(), pattern))
    result = unittest.TextTestRunner(resultclass=_Result).run(suite)
    cases = list(result.cases)
    if not cases:
        cases.append(("xmltest.no_tests", 0.0, "error", "no test was executed"))
    path = os.environ.get("XML_OUTPUT_FILE")
    if path:
        write_xml(path, os.environ.get("TEST_TARGET", os.path.basename(sys.argv[0])), cases)
    sys.exit(0 if result.wasSuccessful() and result.cases else 1)
