#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`./dev matrix`: build, demo and tests in other releases of Debian, and the table of docs/platforms.md.

usage: releases.py [--page FILE] [--tests TARGET,…] [--no-tests] [--bazel] [--keep FOLDER] [RELEASE…]

RELEASE: 11, 12, 13, unstable; without one, all. Each is tried in a root that tools/release_root.sh makes,
with that release's compilers, Python, GDB and lldb; 12 is this machine. Three parts:

    build    packaging/Makefile, from the tarball of the last commit, by the release's compiler
    demo     what that has built: `make check`, and the demo's program by gcc and by clang
    tests    what Debian 12's Bazel has built, run there by the debuggers and Python of the release. Debian 11
             has an older glibc: there the tests run that make their programs themselves, on what the Makefile
             has built.

--bazel: only a build by the release's own Bazel, and a test of it; no table. Not in 11, which has none.

Prints the table, and why something failed; exit 1 if something did. --page: puts the rows of these releases
into the page. --keep: logs and what was built stay in FOLDER.
"""

import argparse
import collections
import datetime
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

import debian

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT_SCRIPT = os.path.join(ROOT, "tools/release_root.sh")
HOME = "/root"  # in a root
INSIDE = "/mnt/ompd"  # where a release's scratch folder is in its root
# name in the table and on the command line -> (suite, is this machine)
RELEASES = {"11": ("bullseye", False), "12": ("bookworm", True), "13": ("trixie", False),
            "unstable": ("sid", False)}
COLUMNS = ("glibc", "gcc", "clang", "flang", "GDB", "lldb", "Python")
PARTS = ("build", "demo", "passed", "failed", "skipped")
# By the release's Bazel; what it needs besides .bazelrc.
BAZEL_TARGETS = ["//command:ompd", "//ompd:libompd.so.1", "//inspect:libompdinspect.so.1",
                 "//runtime:libompcompanion.so.1.0.0"]
BAZEL_TESTS = ["//inspect/tests:verdict_test", "//tools:releases_test"]
BAZEL_OPTIONS = {"12": [], "13": [], "unstable": ["--config=unstable"]}
# What prints a version, the first that there is; the number is the first with a dot in its first lines.
PROGRAMS = {"glibc": ("ldd",), "gcc": ("gcc",), "clang": ("clang",), "flang": ("flang", "flang-new-19"),
            "GDB": ("gdb",), "lldb": ("lldb-19", "lldb"), "Python": ("python3",)}
# The debuggers' front ends on all that a later glibc runs.
TESTS = ["//gdb-plugin/tests:%s_test" % name for name in (
    "api", "unit", "plugin", "everything", "again", "catch", "frames", "lines", "print", "stock_gdb",
    "wait_reads", "unwinder", "lldb", "mi", "thread_apply", "layouts")]
# What Debian 12's GDB and Emacs lack.
LATER_TESTS = ["//gdb-plugin/tests:dap_test", "//gdb-plugin/tests:emacs_test"]
# Those that make their programs themselves, with what they get as arguments: the Makefile's build is enough.
MAKEFILE_TESTS = {"api_test": (), "unit_test": (), "lines_test": ("runtime/libompcompanion.so.1.0.0",),
                  "print_test": ("runtime/libompcompanion.so.1.0.0",), "stock_gdb_test": ()}
# TREE OUTPUT VERB ...: the server must not outlive the root's mounts.
BAZEL_RUN = 'cd "$1" && b="bazel --output_base=$2"; $b "${@:3}"; rc=$?; $b shutdown; exit $rc'
BEGIN, END = "<!-- ./dev matrix writes this table -->", "<!-- its end -->"


class Release:
    """One release: its root, and the folder FOLDER that is INSIDE there."""

    def __init__(self, name, folder):
        self.name, self.folder = name, folder
        self.suite, self.here = RELEASES[name]
        self.cache = debian.cache()
        self.root = os.path.join(self.cache, "roots", self.suite + "-build")
        self.inside = folder if self.here else INSIDE
        self.row, self.failures = {}, []

    def make(self):
        """Makes the root, or completes it."""
        if not self.here:
            subprocess.run([ROOT_SCRIPT, "--build", self.suite], check=True, stdin=subprocess.DEVNULL)

    def entering(self, *binds):
        """The words before a command that is to run there; BINDS: folders with the same path there."""
        if self.here:
            return []
        wheels = os.path.join(self.cache, "pypi")  # what a test imports
        os.makedirs(wheels, exist_ok=True)
        words = [ROOT_SCRIPT, "--run", self.root, "--bind", self.folder, INSIDE,
                 "--bind", wheels, HOME + "/.cache/ompd-tools/pypi"]
        for path in binds:
            words += ["--bind", path, path]
        return words

    def run(self, what, *command, env=None):
        """Runs it there; (whether it succeeded, its output, which is in WHAT.log too)."""
        words = ["env"] + ["%s=%s" % pair for pair in (env or {}).items()]
        log = os.path.join(self.folder, what + ".log")
        with open(log, "w") as f:
            done = subprocess.run(self.entering() + words + list(command), stdin=subprocess.DEVNULL, stdout=f,
                                  stderr=subprocess.STDOUT)
        with open(log, errors="replace") as f:
            text = f.read()
        if done.returncode:
            self.failures.append("%s: %s" % (what, " / ".join(text.strip().splitlines()[-6:])[-900:]))
        return done.returncode == 0, text


def version(text):
    """The first number with a dot in it."""
    found = re.search(r"\b(\d+(?:\.\d+)+)", "\n".join(line.rpartition(")")[2] or line
                                                      for line in text.splitlines()[:2]))
    return found[1] if found else "?"


def versions(release):
    for column, programs in PROGRAMS.items():
        release.row[column] = "none"
        for program in programs:
            done = subprocess.run(release.entering() + ["env", program, "--version"], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, universal_newlines=True,
                                  stdin=subprocess.DEVNULL)
            if done.returncode == 0:
                release.row[column] = version(done.stdout)
                break


def unpack(release):
    """What is committed."""
    tree = os.path.join(release.folder, "tree")
    os.mkdir(tree)
    archive = subprocess.Popen(["git", "-C", ROOT, "archive", "HEAD"], stdout=subprocess.PIPE)
    subprocess.run(["tar", "x", "-C", tree], stdin=archive.stdout, check=True)
    if archive.wait():
        raise SystemExit("releases: git archive failed")


def build(release):
    """By the Makefile, without a warning."""
    unpack(release)
    made, text = release.run("build", "make", "-j2", "-C", release.inside + "/tree/packaging",
                             "O=" + release.inside + "/built")
    warnings = text.count("warning:")
    if warnings:
        release.failures.append("build: %d warnings, the first: %s" %
                                (warnings, re.search(r".*warning:.*", text)[0]))
    release.row["build"] = "failed" if not made else "%d warnings" % warnings if warnings else "yes"
    return made


def bazel(release):
    """By the release's own Bazel, in a root of its own; the Makefile's one has nothing of Bazel's."""
    release.root = release.root.replace("-build", "-bazel")
    if not release.here:
        subprocess.run([ROOT_SCRIPT, "--bazel", release.suite], check=True, stdin=subprocess.DEVNULL)
    unpack(release)
    _, version = release.run("bazel-version", "dpkg-query", "-W", "-f", "${Version}\n", "bazel-bootstrap")
    right = [release.run("bazel-" + verb, "bash", "-c", BAZEL_RUN, "bash", release.inside + "/tree",
                         release.inside + "/bazel", verb, *BAZEL_OPTIONS[release.name], *targets)[0]
             for verb, targets in (("build", BAZEL_TARGETS), ("test", BAZEL_TESTS))]
    return "Debian %s, Bazel %s: build %s, test %s" % (
        release.name, version.strip(), *("yes" if one else "failed" for one in right))


def demo(release):
    """`make check` and the demo, each a word of the cell."""
    make = ("make", "-C", release.inside + "/tree/packaging", "O=" + release.inside + "/built")
    right = [release.run("check", *make, "check")[0]]
    prefix = release.inside + "/prefix"
    right.append(release.run("install", *make, "PREFIX=" + prefix, "install")[0])
    for compiler in ("gcc", "clang") if right[1] else ():
        right.append(release.run("demo-" + compiler, release.inside + "/tree/tools/demo.sh", prefix,
                                 compiler)[0])
    release.row["demo"] = "yes" if all(right) else "failed"


def cases(path):
    """{passed, failed, skipped: count}, and the failed ones of a file of JUnit's."""
    counts, failed = collections.Counter(), []
    for case in ET.parse(path).iter("testcase"):
        kinds = {child.tag for child in case}
        kind = "failed" if kinds & {"failure", "error"} else "skipped" if "skipped" in kinds else "passed"
        counts[kind] += 1
        if kind == "failed":
            failed.append("%s.%s" % (case.get("classname"), case.get("name")))
    return counts, failed


def makefile_tests(release):
    """MAKEFILE_TESTS with what the Makefile has built."""
    tree, built = release.inside + "/tree", release.inside + "/built"
    paths = ":".join("%s/%s" % (tree, one) for one in ("gdb-plugin/tests", "tools", "test-targets"))
    counts = collections.Counter()
    for name, arguments in MAKEFILE_TESTS.items():
        result = os.path.join(release.folder, name + ".xml")
        release.run(name, "python3", "%s/gdb-plugin/tests/%s.py" % (tree, name),
                    *["%s/%s" % (built, one) for one in arguments],
                    env={"PYTHONPATH": paths, "BAZEL_BIN": built, "OMPD_LIBDIR": built + "/lib",
                         "PYTHONDONTWRITEBYTECODE": "1",
                         "XML_OUTPUT_FILE": release.inside + "/" + name + ".xml"})
        if os.path.exists(result):
            more, failed = cases(result)
            counts += more
            release.failures += ["%s: %s" % (name, one) for one in failed]
        else:
            counts["failed"] += 1
    release.row.update({kind: counts[kind] for kind in ("passed", "failed", "skipped")})


def bazel_tests(release, targets):
    """Bazel's tests, each started in the root with the folders in which it and its files are."""
    bazel = ["bazel", "test", "--keep_going", "--local_test_jobs=1"]
    if not release.here:
        base = subprocess.run(["bazel", "info", "output_base"], cwd=ROOT, check=True, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, universal_newlines=True).stdout.strip()
        # In Bazel's sandbox nothing can be mounted.
        bazel += ["--strategy=TestRunner=local", "--nocache_test_results",
                  "--run_under=" + " ".join(release.entering(base, ROOT))]
    events = os.path.join(release.folder, "events.json")
    log = os.path.join(release.folder, "tests.log")
    with open(log, "w") as f:
        rc = subprocess.run(bazel + ["--build_event_json_file=" + events] + targets, cwd=ROOT, stdout=f,
                            stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL).returncode
    done = subprocess.run(["/usr/bin/python3", os.path.join(ROOT, "tools/test_summary.py"), events, str(rc)],
                          stdout=subprocess.PIPE, universal_newlines=True)
    lines = done.stdout.strip().splitlines()
    counts = re.fullmatch(r"(\d+) passed, (\d+) failed, (\d+) skipped", lines[-1] if lines else "")
    if counts is None:
        raise SystemExit("releases: no count of the tests in " + log)
    release.row.update(zip(("passed", "failed", "skipped"), map(int, counts.groups())))
    release.failures += ["tests: " + line for line in lines[:-1]]


def begun(name, folder):
    """A Release with an empty folder."""
    release = Release(name, os.path.join(os.path.abspath(folder), name))
    shutil.rmtree(release.folder, ignore_errors=True)
    os.makedirs(release.folder)
    return release


def one(name, arguments, folder):
    """The Release, tried."""
    release = begun(name, folder)
    try:
        release.make()
    except subprocess.CalledProcessError:
        release.failures.append("its root could not be made")
        release.row["build"] = "no root"
        return release
    versions(release)
    if build(release):
        demo(release)
        if name == "11" and not arguments.no_tests:
            makefile_tests(release)
    if name != "11" and not arguments.no_tests:
        bazel_tests(release, arguments.tests or TESTS + ([] if release.here else LATER_TESTS))
    return release


def line(release, commit):
    cells = ["Debian " + release.name] + [str(release.row.get(column, "")) for column in COLUMNS + PARTS]
    return "| %s | %s, %s |" % (" | ".join(cells), datetime.date.today().isoformat(), commit)


def merged(page, rows):
    """PAGE with ROWS, {name: line}, in the place of those releases' rows; rows of other releases stay."""
    before, begin, rest = page.partition(BEGIN)
    table, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit("releases: the page has no place for the table")
    kept = {found[1]: found[0] for found in re.finditer(r"^\| Debian (\S+) .*$", table, re.MULTILINE)}
    kept.update(rows)
    header = "| release | %s | at |" % " | ".join(COLUMNS + PARTS)
    lines = [header, "|---" * (len(COLUMNS + PARTS) + 2) + "|"] + [kept[n] for n in RELEASES if n in kept]
    return "%s%s\n\n%s\n\n%s%s" % (before, begin, "\n".join(lines), end, after)


def all_by_bazel(names, folder):
    """The number of failures."""
    failed = 0
    for name in names or BAZEL_OPTIONS:
        release = begun(name, folder)
        print(bazel(release), *release.failures, sep="\n", flush=True)
        failed += len(release.failures)
    return failed


def main(argv):
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    parser.add_argument("--page")
    parser.add_argument("--tests", type=lambda text: text.split(","))
    parser.add_argument("--no-tests", action="store_true")
    parser.add_argument("--bazel", action="store_true")
    parser.add_argument("--keep")
    parser.add_argument("releases", nargs="*", metavar="RELEASE")
    arguments = parser.parse_args(argv)
    unknown = [name for name in arguments.releases
               if name not in (BAZEL_OPTIONS if arguments.bazel else RELEASES)]
    if unknown:
        parser.error("there is no release '%s'; there are: %s" % (
            unknown[0], ", ".join(BAZEL_OPTIONS if arguments.bazel else RELEASES)))
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], stdout=subprocess.PIPE,
                            check=True, universal_newlines=True).stdout.strip()
    folder = arguments.keep or tempfile.mkdtemp(prefix="ompd-matrix-", dir="/var/tmp")
    failed, rows = 0, {}
    try:
        if arguments.bazel:
            return 1 if all_by_bazel(arguments.releases, folder) else 0
        for name in arguments.releases or RELEASES:
            print("== Debian %s" % name, flush=True)
            release = one(name, arguments, folder)
            rows[name] = line(release, commit)
            failed += len(release.failures)
            print("\n".join(release.failures + [json.dumps(release.row)]), flush=True)
            if arguments.page:
                with open(arguments.page) as f:
                    page = merged(f.read(), rows)
                with open(arguments.page, "w") as f:
                    f.write(page)
    finally:
        if not arguments.keep:
            shutil.rmtree(folder, ignore_errors=True)
    print("\n".join(rows.values()))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
