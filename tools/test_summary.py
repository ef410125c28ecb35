#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the test cases of one Bazel run from its build event file.

Usage: test_summary.py [--filter=TAGS] [--again AGAIN.json] EVENTS.json [BAZEL_EXIT_CODE]
       test_summary.py --failed EVENTS.json      prints the targets that failed
       test_summary.py --keep-logs EVENTS.json   copies their logs, for --again

Each test target's test.xml is read: GoogleTest and our Python tests write
their cases there, for a shell test Bazel writes one. A target without cases
counts as one case. Prints the failed and the skipped cases with their reasons
and then, as the last line, `N passed, N failed, N skipped`. Exits with 1 if a
case failed or none ran.

--filter: what --test_tag_filters was, so that targets which were left out on
purpose do not count as not run.

--again: the failed targets ran once more, alone, and AGAIN.json has the events
of that. What passed then counts as passed; it is printed as FLAKY, with the
log of its failure.
"""
import json
import os
import re
import shutil
import sys
import urllib.parse
import xml.etree.ElementTree as ET

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"
OK = ("PASSED", "FLAKY")  # Bazel's words
KEPT = ".first"  # ends the name of a kept log


def is_chosen(tags, wanted):
    """Whether Bazel's --test_tag_filters=WANTED takes a target with these tags."""
    words = [word for word in wanted.split(",") if word]
    needed = [word.lstrip("+") for word in words if not word.startswith("-")]
    return not any(word[1:] in tags for word in words if word.startswith("-")) and (
        not needed or any(word in tags for word in needed))


def read_events(lines, wanted=""):
    """Returns ({label: {(run, shard): (status, path of test.xml or None, of test.log or None)}}, all test
    labels)."""
    results, labels, attempts = {}, set(), {}
    for line in lines:
        line = line.strip()
        if not line:
            continue
        event = json.loads(line)
        ident = event.get("id", {})
        if "targetConfigured" in ident:
            target = event.get("configured", {})
            kind = target.get("targetKind", "")
            if kind.split(" ")[0].endswith("_test") and is_chosen(target.get("tag", []), wanted):
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
            files = {output.get("name"): urllib.parse.unquote(
                urllib.parse.urlparse(output.get("uri", "")).path)
                     for output in event["testResult"].get("testActionOutput", [])}
            status = event["testResult"].get("status", "NO_STATUS")
            results.setdefault(label, {})[place] = (status, files.get("test.xml"), files.get("test.log"))
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


def count(lines, bazel_rc=0, retried=False, wanted=""):
    """Returns [(label, case, outcome, reason)] of a whole run. RETRIED: that some tests failed has been put
    right. WANTED: the filter of tags."""
    results, labels = read_events(lines, wanted)
    rows = []
    for label in sorted(labels):
        if label not in results:
            rows.append((label, "", FAILED, "was not built or not run"))
            continue
        for status, xml, _log in results[label].values():
            ok = status in OK
            cases = read_cases(xml)
            if not cases:
                cases = [("", PASSED if ok else FAILED, "" if ok else status)]
            elif not ok and all(c[1] != FAILED for c in cases):
                cases.append(("", FAILED, "the program ended with " + status))
            rows += [(label,) + c for c in cases]
    if bazel_rc not in (0, 4) and not (bazel_rc == 3 and retried) and all(r[2] != FAILED for r in rows):
        rows.append(("bazel", "", FAILED, "exit code %d" % bazel_rc))
    return rows


def failed_logs(lines):
    """{label: [paths of the logs]} of the targets that ran and failed."""
    results, _labels = read_events(lines)
    return {label: [log for status, _xml, log in shards.values() if status not in OK and log]
            for label, shards in sorted(results.items()) if any(row[0] not in OK for row in shards.values())}


def replace_failed(lines, again):
    """Returns (the events, with those of what passed the second time instead of its first; the flaky {label:
    [logs]})."""
    passed, _labels = read_events(again)
    flaky = {label: logs for label, logs in failed_logs(lines).items()
             if label in passed and all(row[0] in OK for row in passed[label].values())}

    def of_flaky(line):
        return json.loads(line).get("id", {}).get("testResult", {}).get("label") in flaky

    return ([line for line in lines if line.strip() and not of_flaky(line)] +
            [line for line in again if line.strip() and of_flaky(line)]), flaky


def print_flaky(flaky):
    for label, logs in flaky.items():
        print("FLAKY: " + label)
        for log in logs:
            try:
                with open(log + KEPT, encoding="utf-8", errors="replace") as f:
                    print("".join("    " + line for line in f), end="")
            except OSError as e:
                print("    its log cannot be read: %s" % e)


def read_lines(path):
    with open(path, encoding="utf-8") as f:
        return f.readlines()


def keep_logs(lines):
    for log in sum(failed_logs(lines).values(), []):
        try:
            shutil.copyfile(os.path.realpath(log), log + KEPT)
        except OSError as e:
            sys.stderr.write("test_summary: %s\n" % e)


def main(argv):
    options = argv[1:]
    if len(options) == 2 and options[0] == "--failed":
        print("\n".join(failed_logs(read_lines(options[1]))))
        return 0
    if len(options) == 2 and options[0] == "--keep-logs":
        keep_logs(read_lines(options[1]))
        return 0
    again, wanted = None, ""
    if options and options[0].startswith("--filter="):
        wanted, options = options[0].partition("=")[2], options[1:]
    if len(options) > 2 and options[0] == "--again":
        again, options = options[1], options[2:]
    if len(options) not in (1, 2):
        sys.stderr.write(__doc__)
        return 64
    flaky = {}
    try:
        lines = read_lines(options[0])
        if again is not None:
            lines, flaky = replace_failed(lines, read_lines(again))
        rows = count(lines, int(options[1]) if len(options) == 2 else 0, bool(flaky), wanted)
    except OSError as e:
        sys.stderr.write("test_summary: %s\n" % e)
        rows = [("bazel", "", FAILED, "left no build events")]
    print_flaky(flaky)
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
