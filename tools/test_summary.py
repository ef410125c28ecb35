#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the test cases of one Bazel run from its build event file.

Usage: test_summary.py EVENTS.json [BAZEL_EXIT_CODE]

Each test target's test.xml is read: GoogleTest and our Python tests write
their cases there, for a shell test Bazel writes one. A target without cases
counts as one case. Prints the failed and the skipped cases with their reasons
and then, as the last line, `N passed, N failed, N skipped`. Exits with 1 if a
case failed or none ran.
"""
import json
import re
import sys
import urllib.parse
import xml.etree.ElementTree as ET

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"


def read_events(lines):
    """Returns ({label: {(run, shard): (status, xml path or None)}}, all test labels)."""
    results, labels, attempts = {}, set(), {}
    for line in lines:
        line = line.strip()
        if not line:
            continue
        event = json.loads(line)
        ident = event.get("id", {})
        if "targetConfigured" in ident:
            kind = event.get("configured", {}).get("targetKind", "")
            if kind.split(" ")[0].endswith("_test"):
                labels.add(ident["targetConfigured"]["label"])
        if "testSummary" in ident:
            labels.add(ident["testSummary"]["label"])
        if "testResult" in ident and "testResult" in event:
            where = ident["testResult"]
            label = where["label"]
            place = (where.get("run", 1), where.get("shard", 1))
            attempt = where.get("attempt", 1)
            if attempts.get((label, place), 0) > attempt:
                continue
            attempts[label, place] = attempt
            xml = None
            for output in event["testResult"].get("testActionOutput", []):
                if output.get("name") == "test.xml":
                    xml = urllib.parse.unquote(urllib.parse.urlparse(output.get("uri", "")).path)
            status = event["testResult"].get("status", "NO_STATUS")
            results.setdefault(label, {})[place] = (status, xml)
            labels.add(label)
    return results, labels


def read_cases(path):
    """Returns [(name, outcome, reason)] of one test.xml; [] if there are no cases."""
    try:
        root = ET.parse(path).getroot()
    except (OSError, ET.ParseError, TypeError):
        return []
    cases = []
    for case in root.iter("testcase"):
        name = ".".join(p for p in (case.get("classname"), case.get("name")) if p)
        bad = [c for c in case if c.tag in ("failure", "error")]
        skip = case.find("skipped")
        if bad:
            text = bad[0].get("message") or (bad[0].text or "").strip()
            cases.append((name, FAILED, text))
        elif skip is not None or case.get("result") == "skipped":
            text = ""
            if skip is not None:
                text = skip.get("message") or (skip.text or "").strip()
            cases.append((name, SKIPPED, text or "no reason given"))
        elif case.get("status") == "notrun" or case.get("result") == "suppressed":
            cases.append((name, SKIPPED, "disabled in the source"))
        else:
            cases.append((name, PASSED, ""))
    return cases


def count(lines, bazel_rc=0):
    """Returns [(label, case, outcome, reason)] of a whole run."""
    results, labels = read_events(lines)
    rows = []
    for label in sorted(labels):
        if label not in results:
            rows.append((label, "", FAILED, "was not built or not run"))
            continue
        for status, xml in results[label].values():
            ok = status in ("PASSED", "FLAKY")
            cases = read_cases(xml)
            if not cases:
                cases = [("", PASSED if ok else FAILED, "" if ok else status)]
            elif not ok and all(c[1] != FAILED for c in cases):
                cases.append(("", FAILED, "the program ended with " + status))
            rows += [(label,) + c for c in cases]
    if bazel_rc not in (0, 4) and all(r[2] != FAILED for r in rows):
        rows.append(("bazel", "", FAILED, "exit code %d" % bazel_rc))
    return rows


def main(argv):
    if len(argv) not in (2, 3):
        sys.stderr.write(__doc__)
        return 64
    try:
        with open(argv[1], encoding="utf-8") as f:
            rows = count(f, int(argv[2]) if len(argv) == 3 else 0)
    except OSError as e:
        sys.stderr.write("test_summary: %s\n" % e)
        rows = [("bazel", "", FAILED, "left no build events")]
    number = {o: sum(1 for r in rows if r[2] == o) for o in (PASSED, FAILED, SKIPPED)}
    for outcome in (SKIPPED, FAILED):
        for label, case, got, reason in rows:
            if got == outcome:
                # GoogleTest's text starts with a line that only says where.
                said = [t for t in reason.splitlines() if t.strip() and not re.fullmatch(r"\S+:\d+", t)]
                first = (said or [reason])[0]
                print("%s: %s: %s" % (outcome, " ".join(p for p in (label, case) if p), first))
    if not number[PASSED] + number[FAILED]:
        print("no test ran")
    print("%d passed, %d failed, %d skipped" % (number[PASSED], number[FAILED], number[SKIPPED]))
    return 0 if number[PASSED] and not number[FAILED] else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv))
