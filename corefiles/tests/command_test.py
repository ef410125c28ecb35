# SPDX-License-Identifier: Apache-2.0
"""The command `ompd` beyond what its report says: sources, formats, statuses, usage, `record`, and that the
man page and the documentation name what the program knows. Cores are made once."""

import html.parser
import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import xml.etree.ElementTree as ET

import compare
import gdbrun
import ompd_schema
import xmltest
from installed import Case, FOLDER, Held, NEVER, OMPD, SECONDS, TARGETS, options, subcommands

VIEWS = ("threads", "parallel", "tasks", "waits", "icvs", "stacks", "report", "status")


def source(path):
    return os.path.join(gdbrun.ROOT, path)


def setUpModule():
    global CORE, CRASH
    cores = []
    for name, how in (("deadlock_clang.exe", signal.SIGABRT), ("crash_segv_gcc.exe", None)):
        folder = os.path.join(FOLDER, name)
        os.mkdir(folder)
        with Held(name, folder, OMP_DEBUG="enabled") as target:
            if how:
                target.process.send_signal(how)
            target.process.wait(SECONDS)
        cores += [os.path.join(folder, core) for core in os.listdir(folder)]
    CORE, CRASH = cores


class Statuses(Case):
    def test_all_is_shown(self):
        for view in VIEWS:
            done = self.ok(view, "--core", CORE)
            self.assertEqual(done.stderr, "")
            self.assertNotEqual(done.stdout, "")

    def test_without_a_subcommand_it_is_the_report(self):
        self.assertEqual(self.ok("--core", CORE).stdout, self.ok("report", "--core", CORE).stdout)

    def test_a_part_is_shown_and_said(self):
        bare = os.path.join(FOLDER, "bare")
        subprocess.run(["strip", "-R", ".note.gnu.build-id", os.path.join(TARGETS, "idle_clang.exe"), "-o",
                        bare],
                       check=True)
        done = self.ok("report", "--json", "--core", CORE, "-e", bare, status=1)
        document = json.loads(done.stdout)
        self.assertFalse(document["complete"])
        self.assertTrue(any("bare" in p["what"] + p["why"] for p in document["problems"]),
                        document["problems"])
        self.assertIn("bare", self.ok("threads", "--core", CORE, "-e", bare, status=1).stdout)

    def test_a_core_cut_off_before_the_runtime(self):
        """Nothing is claimed of files that could not be looked at."""
        cut = os.path.join(FOLDER, "core.cut")
        shutil.copy(CORE, cut)
        os.truncate(cut, os.path.getsize(CORE) // 10)
        done = self.ok("report", "--core", cut, status=1).stdout
        self.assertRegex(done,
                         r"It is not known whether this process has loaded an OpenMP runtime: the first "
                         r"page of "
                               r"\S*/libompcompanion\.so\S* is missing\.")
        self.assertIn("The core file is not complete", done)
        self.assertNotIn("has not loaded", done)
        # Its registers are there, and the futex is the lock.
        self.assertRegex(done, r"(?m)^Ended by SIGABRT in LWP \d+, which waits for futex right\.$")

    def test_a_process_without_openmp(self):
        """What its threads do is a part of what could be shown; of regions and tasks there is nothing."""
        with subprocess.Popen(["sleep", "100"]) as process:
            try:
                report = self.ok("report", "-p", process.pid, status=1).stdout
                threads = self.ok("threads", "-p", process.pid, status=1).stdout
                self.ok("waits", "-p", process.pid, "--check", status=1)
                for view in ("parallel", "tasks", "icvs"):
                    self.ok(view, "-p", process.pid, status=2)
            finally:
                process.kill()
        self.assertIn("has not loaded an OpenMP runtime", report)
        self.assertRegex(threads, r"(?m)^ +%d +sleeps$" % process.pid)

    def test_nothing_is_shown(self):
        def other(name, offset=0, patch=b""):
            """A core with some bytes of its ELF header changed; without a patch an empty file."""
            path = os.path.join(FOLDER, "core." + name)
            with open(CORE, "rb") as core, open(path, "wb") as f:
                head = core.read(4096) if patch else b""
                f.write(head[:offset] + patch + head[offset + len(patch):])
            return path
        zombie = subprocess.Popen(["true"])
        self.addCleanup(zombie.wait)
        os.waitid(os.P_PID, zombie.pid, os.WEXITED | os.WNOWAIT)
        for arguments, sentence in (
                (("--core", "/nonexistent"), "No such file"),
                (("--core", "/etc/passwd"), "not a core file"),
                (("--core", "/dev/shm"), "not a regular file"),
                (("--core", OMPD), "it is a program"),
                (("--core", other("empty")), "it is empty"),
                (("--core", other("32", 4, b"\x01")), "32-bit little-endian"),
                (("--core", other("big", 5, b"\x02")), "big-endian"),
                (("--core", other("ppc", 18, b"\x15")), "ELF machine 21"),
                (("--pid", zombie.pid), "a zombie"),
                (("--core", CORE, "--sysroot", "/nosuch"), "--sysroot /nosuch"),
                (("--core", CORE, "--debug-dir", "/etc:/nosuch"), "--debug-dir /nosuch"),
                (("--core", CORE, "--debug-dir", "/etc/passwd"), "no directory"),
                (("--core", CORE, "-e", "/nosuch"), "--executable /nosuch"),
                (("--core", FOLDER), ""),
                (("-p", "999999999"), "no process"),
                (("--core", "/x\x1b[31m\ny"), "/x?[31m?y"),
                (("--core", "/x\x9b31m\u202e\u2028\u2069\u061cy\xe9"), "/x?31m????y\xe9"),
                (("--core", os.fsdecode(b"/x\xc0\x9b\xed\xa0\x80\xffy")), "/x??????y"),
                (("--snapshot", "/nonexistent"), "No such file"),
                (("--snapshot", "/etc/passwd"), "no snapshot"),
                (("--core", CORE, "--ompd-library", "/nonexistent"), "cannot be read"),
                (("--core", CORE, "--trace", "/nonexistent/x"), "/nonexistent/x"),
                (("--core", CORE, "-o", "/nonexistent/x"), "/nonexistent/x"),
                (("--core", CORE, "-o", "/dev/full"), "No space left")):
            done = self.ok("report", *arguments, status=2)
            self.assertEqual(done.stdout, "")
            self.assertRegex(done.stderr, r"\Aompd: .*\n\Z")
            self.assertIn(sentence, done.stderr)
        done = self.ok("icvs", "--core", CORE, "nosuch", status=2)
        self.assertIn("nosuch", done.stderr)

    def test_the_library_is_only_looked_for_beside_the_command(self):
        alone = os.path.join(FOLDER, "alone", "bin")
        os.makedirs(alone)
        shutil.copy(OMPD, alone)
        command = os.path.join(alone, "ompd")
        library = os.path.join(FOLDER, "prefix", "lib")
        done = self.ok("threads", "--core", CORE, command=command, status=2, env={"LD_LIBRARY_PATH": library})
        self.assertIn(os.path.join(FOLDER, "alone", "lib", "libompd.so.1"), done.stderr)
        self.assertIn("--ompd-library", done.stderr)
        self.ok("threads", "--core", CORE, "--ompd-library", os.path.join(library, "libompd.so.1"),
                command=command)

    def test_standard_output_that_is_full(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([OMPD, "report", "--core", CORE], stdout=full, stderr=subprocess.PIPE,
                                  timeout=SECONDS, universal_newlines=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("No space left", done.stderr)

    def test_check(self):
        self.ok("waits", "--core", CORE, "--check", status=3)
        self.ok("report", "--core", CORE, "--check", status=3)
        self.ok("report", "--core", CRASH, "--check", status=0)
        with Held("deadlock_gcc.exe", FOLDER) as target:
            self.ok("waits", "-p", target.pid, "--check", status=3)
            # Nothing is proved of a picture that moved.
            done = self.ok("waits", "-p", target.pid, "--check", "--no-stop", "--json", status=0)
            self.assertNotIn(json.loads(done.stdout)["verdict"]["kind"], ("deadlock", "stuck"))
            self.assertIs(json.loads(done.stdout)["moving"], True)
            self.assertIs(json.loads(self.ok("threads", "-p", target.pid, "--json").stdout)["moving"], False)
            for view in ("waits", "threads", "parallel", "tasks", "report"):
                done = self.ok(view, "-p", target.pid, "--no-stop")
                self.assertIn("the process kept running while it was read",
                              " ".join(done.stdout.split()).lower())


class Obvious(Case):
    """What to look at, without an option."""

    def same(self, words, options):
        self.assertEqual(json.loads(self.ok(*words, "--json").stdout),
                         json.loads(self.ok(*options, "--json").stdout))

    def test_a_core(self):
        program = os.path.join(TARGETS, "deadlock_clang.exe")
        self.same([CORE], ["report", "--core", CORE])
        self.same(["threads", CORE], ["threads", "--core", CORE])
        # As coredumpctl calls a debugger.
        self.same([program, "-c", CORE], ["report", "--core", CORE, "--executable", program])

    def test_a_packed_core_and_a_snapshot(self):
        packed, snapshot = os.path.join(FOLDER, "packed"), os.path.join(FOLDER, "state")
        subprocess.run(["zstd", "-q", CORE, "-o", packed], check=True, timeout=SECONDS)
        self.ok("record", CORE, "-o", snapshot)
        self.assertEqual(json.loads(self.ok(packed, "waits", "--json").stdout)["verdict"]["kind"], "deadlock")
        self.same([snapshot], ["report", "--snapshot", snapshot])

    def test_a_process(self):
        with Held("deadlock_gcc.exe", FOLDER) as target:
            document = json.loads(self.ok(target.pid, "--json").stdout)
        self.assertEqual((document["process"]["pid"], document["process"]["core"]), (target.pid, None))

    def test_what_is_none_of_these(self):
        program, text = os.path.join(TARGETS, "deadlock_clang.exe"), os.path.join(FOLDER, "text")
        with open(text, "w") as f:
            f.write("no core\n")
        os.mkfifo(text + ".fifo")
        for words, sentence in (
                ([program], "is a program: `ompd run -- "),
                ([text], "is no core file, no snapshot and no program"),
                ([text + ".fifo"], "is no core file, no snapshot and no program"),
                (["./nothing"], "./nothing: No such file or directory."),
                (["thread"], 'Did you mean "threads"?'),
                ([CORE, CRASH], "is a second --core"),
                (["1", CORE], "Only one of --pid, --core and --snapshot"),
                (["layout"], "needs the file")):
            done = self.ok(*words, status=64)
            self.assertIn(sentence, done.stderr)


class Usage(Case):
    def wrong(self, sentence, *arguments):
        done = self.ok(*arguments, status=64)
        self.assertEqual(done.stdout, "")
        self.assertRegex(done.stderr, r"\Aompd: .*\n\Z")
        self.assertIn(sentence, done.stderr)

    def test_wrong_words(self):
        self.wrong("--pid PID, --core FILE or --snapshot FILE")
        self.wrong("Did you mean \"threads\"", "thraeds", "-p", 1)
        self.wrong("`ompd help` lists them", "frobnicate")
        self.wrong("Did you mean --format", "threads", "--formt=json", "-p", 1)
        self.wrong("needs a value", "threads", "-p")
        self.wrong("needs a value", "threads", "--core")
        self.wrong("does not take \"more\"", "threads", "more", "-p", 1)
        self.wrong("does not take \"b\"", "icvs", "a", "b", "-p", 1)
        for pid in ("x", "0", "-4", "12x", "99999999999999999999", ""):
            self.wrong("process id", "threads", "--pid=" + pid)
        for seconds in ("x", "0", "-1", "nan", "inf", "1e300", ""):
            self.wrong("positive number", "threads", "-p", 1, "--watch=" + seconds)
            self.wrong("positive number", "run", "--timeout=" + seconds, "--", "true")
        self.wrong("one of: text, json, dot", "report", "-p", 1, "--format=xml")
        self.wrong("one of: auto", "report", "-p", 1, "--color=red")

    def test_what_does_not_go_together(self):
        self.wrong("Only one of", "threads", "-p", 1, "--core", "x")
        self.wrong("Say what to look at", "threads")
        self.wrong("needs -o", "record", "-p", 1)
        self.wrong("needs the program", "run")
        self.wrong("needs a shell", "completion")
        self.wrong("bash, zsh or fish", "completion", "csh")
        self.wrong("needs --pid", "threads", "--core", "x", "--no-stop")
        self.wrong("needs --pid", "threads", "--core", "x", "--watch", 1)
        self.wrong("cannot do with --no-stop", "stacks", "-p", 1, "--no-stop")
        self.wrong("needs --watch", "threads", "-p", 1, "--samples", 3)
        self.wrong("contradict", "threads", "-p", 1, "--json", "--format=text")
        self.wrong("contradict", "threads", "-p", 1, "-q", "-v")
        self.wrong("no option --timeout", "threads", "-p", 1, "--timeout", 3)
        self.wrong("no option --state", "threads", "-p", 1, "--state", "ready")
        self.wrong("ompd report --format=html", "threads", "-p", 1, "--format=html")
        self.wrong("ompd stacks --format=folded", "report", "-p", 1, "--format=folded")
        self.wrong("needs nothing else", "threads", "--snapshot", "x", "--sysroot", "/")
        self.wrong("as text or JSON only", "waits", "-p", 1, "--watch", 1, "--format=dot")

    def test_one_dash_as_in_gdb(self):
        self.assertEqual(self.ok("threads", "-json", "-core", CORE).stdout,
                         self.ok("--core=" + CORE, "--json", "threads").stdout)
        self.assertEqual(self.ok("threads", "-all", "-c", CORE).stdout,
                         self.ok("threads", "-ac", CORE).stdout)

    def test_help(self):
        whole = self.ok("help").stdout
        self.assertEqual(whole, self.ok("--help").stdout)
        for name in subcommands():
            text = self.ok("help", name).stdout
            self.assertIn("ompd " + name, text)
            self.assertEqual(text, self.ok(name, "--help").stdout)
            self.assertIn("\n  %-12s" % name, whole)
            for line in text.splitlines():
                self.assertLessEqual(len(line), 80)
        self.wrong("no subcommand \"nosuch\"", "help", "nosuch")

    def test_version_is_that_of_the_packages(self):
        with open(source("VERSION")) as f:
            version = f.read().strip()
        for arguments in (("version",), ("--version",), ("-V",)):
            self.assertEqual(self.ok(*arguments).stdout, "ompd %s\n" % version)


class Page(html.parser.HTMLParser):
    VOID = ("meta", "br", "hr", "img", "link", "input", "col")

    def __init__(self):
        super().__init__()
        self.open, self.seen, self.loads = [], set(), []

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        self.loads += [v for k, v in attrs if k in ("src", "href", "xlink:href") and v
                       and not v.startswith("#")]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen.add(tag)

    def handle_endtag(self, tag):
        if tag not in self.VOID and (not self.open or self.open.pop() != tag):
            raise AssertionError("</%s> closes nothing" % tag)


class Formats(Case):
    def test_json(self):
        keys = {"threads": "threads", "parallel": "regions", "tasks": "tasks", "waits": "edges",
                "icvs": "icvs", "stacks": "stacks", "report": "verdict", "status": "ompd"}
        for view in VIEWS:
            document = json.loads(self.ok(view, "--core", CORE, "--json").stdout)
            self.assertEqual(document["schema"], 1)
            self.assertTrue(document[keys[view]])

    def test_dot_and_svg(self):
        for view in ("parallel", "tasks", "waits", "report"):
            dot = self.ok(view, "--core", CORE, "--format=dot").stdout
            drawn = subprocess.run(["dot", "-Tsvg"], input=dot, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, universal_newlines=True, timeout=SECONDS,
                                   # else fontconfig may complain
                                   env=dict(os.environ, XDG_CACHE_HOME=FOLDER))
            self.assertEqual((drawn.returncode, drawn.stderr), (0, ""))
            svg = self.ok(view, "--core", CORE, "--format=svg").stdout
            self.assertEqual(ET.fromstring(svg).tag, "{http://www.w3.org/2000/svg}svg")
        # The graph of who waits has the two locks.
        self.assertIn("left", dot)
        self.assertIn("right", dot)

    def test_svg_without_graphviz(self):
        done = self.ok("waits", "--core", CORE, "--format=svg", status=2, env={"PATH": "/nonexistent"})
        self.assertIn("graphviz", done.stderr)

    def test_html(self):
        path = os.path.join(FOLDER, "page.html")
        self.assertEqual(self.ok("report", "--core", CORE, "--format=html", "-o", path).stdout, "")
        with open(path) as f:
            text = f.read()
        page = Page()
        page.feed(text)
        page.close()
        self.assertEqual((page.open, page.loads), ([], []))
        self.assertTrue({"html", "svg", "table"} <= page.seen)
        self.assertNotIn("script", page.seen)
        self.assertIn("deadlock.c:21", text)
        # Without Graphviz it has no pictures, and says so.
        done = self.ok("report", "--core", CORE, "--format=html", env={"PATH": "/nonexistent"})
        self.assertIn("graphviz", done.stderr)
        self.assertNotIn("<svg", done.stdout)

    def test_folded(self):
        lines = self.ok("stacks", "--core", CORE, "--format=folded").stdout.splitlines()
        self.assertEqual(len(lines), 4)
        own = [line.rsplit(" ", 1)[0].split(";") for line in lines if ";[waits for " not in line]
        self.assertEqual(len(own), 1)  # truth.c's thread
        self.assertIn("observe", own[0])
        for line in lines:
            stack, count = line.rsplit(" ", 1)
            self.assertEqual(count, "1")
            self.assertIn("observe" if stack.split(";") == own[0] else "main", stack.split(";"))

    def test_frames(self):
        few = self.ok("stacks", "--core", CORE).stdout
        self.assertNotIn("rt_futex_wait", few)
        self.assertIn("rt_futex_wait", self.ok("stacks", "--core", CORE, "--frames=all").stdout)

    def test_stacks_go_on_in_the_creator_of_the_region(self):
        rows = json.loads(self.ok("stacks", "--core", CORE, "--json").stdout)["stacks"]
        pid = json.loads(self.ok("report", "--core", CORE, "--json").stdout)["process"]["pid"]
        workers = [row for row in rows if row["joined"]]
        self.assertEqual(len(workers), 2)
        for row in workers:
            self.assertEqual([part["lwp"] for part in row["joined"]], [pid])

    def test_the_crash_comes_first(self):
        lines = self.ok("report", "--core", CRASH).stdout.splitlines()
        self.assertRegex(lines[1],
                         r"SIGSEGV.*crash_segv\.c:\d+.*explicit task \d+ .*created by implicit task")

    def test_filters(self):
        tasks = json.loads(self.ok("tasks", "--core", CORE, "--json", "--state", "suspended").stdout)["tasks"]
        self.assertEqual([task["state"] for task in tasks], ["suspended"])
        icvs = json.loads(self.ok("icvs", "--core", CORE, "--json", "nthreads").stdout)["icvs"]
        self.assertEqual({icv["name"] for icv in icvs}, {"nthreads-var"})
        icvs = json.loads(self.ok("icvs", "--core", CORE, "--json", "--scope", "global").stdout)["icvs"]
        self.assertEqual({icv["scope"] for icv in icvs}, {"global"})

    def test_width(self):
        for columns in (80, 100, 132):
            for view in VIEWS:
                for line in self.ok(view, "--core", CORE, env={"COLUMNS": str(columns)}).stdout.splitlines():
                    # A word that is longer than a line is not cut.
                    if len(line) > columns:
                        self.assertGreater(max(len(word) for word in line.split()), columns - 25, line)

    def test_trace(self):
        path = os.path.join(FOLDER, "trace")
        self.ok("threads", "--core", CORE, "--trace", path)
        with open(path) as f:
            self.assertIn("ompd_get_thread_handle", f.read())

    def test_quiet_and_verbose(self):
        path = os.path.join(TARGETS, "deadlock_clang.exe")
        said = self.ok("threads", "--core", CORE, "-v").stderr
        self.assertIn(os.path.realpath(path), said)
        self.assertIn("build-id", said)


class Terminal(Case):
    def coloured(self, *arguments, **env):
        return "\x1b[" in self.ok("waits", "--core", CORE, *arguments, env=env).stdout

    def test_order(self):
        self.assertFalse(self.coloured())
        self.assertTrue(self.coloured("--color=always"))
        self.assertTrue(self.coloured("--color=always", NO_COLOR="1"))
        self.assertTrue(self.coloured(CLICOLOR_FORCE="1"))
        self.assertFalse(self.coloured(CLICOLOR_FORCE="0"))
        self.assertFalse(self.coloured(CLICOLOR_FORCE="1", NO_COLOR="1"))
        self.assertFalse(self.coloured("--color=never", CLICOLOR_FORCE="1"))
        self.assertFalse(self.coloured("--json", CLICOLOR_FORCE="1"))

    def terminal(self, *arguments, **env):
        """What is written to a terminal."""
        master, slave = pty.openpty()
        clean = {k: v for k, v in os.environ.items() if k not in NEVER}
        with subprocess.Popen([OMPD] + list(arguments), stdin=subprocess.DEVNULL, stdout=slave, stderr=slave,
                              env=dict(clean, TERM="xterm", **env)) as process:
            os.close(slave)
            text = b""
            while select.select([master], [], [], SECONDS)[0]:
                try:
                    part = os.read(master, 65536)
                except OSError:
                    break
                if not part:
                    break
                text += part
            os.close(master)
            process.wait(SECONDS)
        return text.decode()

    def test_terminal(self):
        self.assertIn("\x1b[", self.terminal("waits", "--core", CORE))
        self.assertNotIn("\x1b[", self.terminal("waits", "--core", CORE, NO_COLOR="1"))
        self.assertNotIn("\x1b[", self.terminal("waits", "--core", CORE, CLICOLOR="0"))


    def test_progress(self):
        """Only on a terminal, and only after a second: a second of a clock that runs ten thousand times as
        fast."""
        code, fast = os.path.join(FOLDER, "fast.c"), os.path.join(FOLDER, "fast.so")
        with open(code, "w") as f:
            f.write("#define _GNU_SOURCE\n#include <sys/syscall.h>\n#include <time.h>\n#include <unistd.h>\n"
                    "int clock_gettime(clockid_t clock, struct timespec *t) {\n"
                    "  long rc = syscall(SYS_clock_gettime, clock, t);\n"
                    "  if (clock == CLOCK_MONOTONIC) { double s = (t->tv_sec % 100000 + t->tv_nsec / 1e9) * "
                    "1e4;\n"
                    "    t->tv_sec = s; t->tv_nsec = (s - t->tv_sec) * 1e9; }\n  return rc;\n}\n")
        subprocess.run(["gcc", "-shared", "-fPIC", code, "-o", fast], check=True, timeout=SECONDS)
        arguments = ("stacks", "--core", CORE)
        plain = self.ok(*arguments).stdout
        self.assertNotIn("\r\x1b[K", self.terminal(*arguments))
        shown = self.terminal(*arguments, "--color=never", LD_PRELOAD=fast)
        self.assertRegex(shown, "\r\x1b\\[K\\w+")
        # It is wiped before the answer.
        self.assertEqual(shown[shown.rindex("\r\x1b[K") + 4:].replace("\r\n", "\n"), plain)
        self.assertEqual(self.terminal(*arguments, "-q", "--color=never",
                                       LD_PRELOAD=fast).replace("\r\n", "\n"), plain)
        done = self.ok(*arguments, env={"LD_PRELOAD": fast})
        self.assertEqual((done.stdout, done.stderr), (plain, ""))


class Recorded(Case):
    def test_a_snapshot_says_the_same(self):
        for number, arguments in enumerate((("--core", CORE), ("--core", CRASH))):
            path = os.path.join(FOLDER, "snapshot%d" % number)
            self.assertEqual(self.ok("record", *arguments, "-o", path).stdout, "")
            for view in VIEWS:
                for more in (("--json",), ()):
                    self.assertEqual(self.ok(view, "--snapshot", path, *more).stdout,
                                     self.ok(view, *arguments, *more).stdout)
        with open(path) as f:
            self.assertEqual(self.ok("report", "--snapshot", "-", stdin=f).stdout,
                             self.ok("report", "--snapshot", path).stdout)
        self.assertEqual(json.loads(self.ok("record", "--core", CRASH, "-o", "-").stdout)["schema"], 1)

    def test_of_a_living_process(self):
        with Held("depend_clang.exe", FOLDER) as target:
            path = os.path.join(FOLDER, "living")
            self.ok("record", "-p", target.pid, "-o", path)
            # A thread at rest is in a loop of short sleeps and looks: its stack is another at another time.
            document, later = (json.loads(self.ok("report", *source, "--json").stdout)
                               for source in (("--snapshot", path), ("-p", target.pid)))
            for one in (document, later):
                self.assertGreater(one["process"].pop("taken"), 0)
            self.assertEqual({**document, "stacks": []}, {**later, "stacks": []})
            self.assertEqual(compare.compare(target.truth, document, names=True), [])


class Documents(Case):
    def test_man_page_renders(self):
        page = source("docs/man/ompd.1")
        done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z", page], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, universal_newlines=True, timeout=SECONDS)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_man_page_names_all(self):
        with open(source("docs/man/ompd.1")) as f:
            text = f.read().replace("\\-", "-")
        for name, known in options().items():
            self.assertRegex(text, r"(?m)^\.B[RI]? \"?%s\b" % name)
            for option in known:
                self.assertIn("--" + option, text, "of " + name)
        for option in re.findall(r"--[a-z][a-z-]+", text):
            self.assertIn(option[2:], {o for known in options().values() for o in known},
                          "there is no " + option)

    def test_schema_names_all_keys(self):
        """docs/json.md has each key that a report uses, by the path to it."""
        with open(source("docs/json.md")) as f:
            text = f.read()
        known = set(re.findall(r"`([\w.]+)`", text))

        def walk(value, path):
            if isinstance(value, list):
                for one in value:
                    walk(one, path)
            elif isinstance(value, dict) and not path.endswith("unknown"):
                for key, one in value.items():
                    self.assertIn(key, known, path + "." + key)
                    walk(one, path + "." + key)

        def document(view, *arguments):
            value = json.loads(self.ok(view, *arguments).stdout)
            ompd_schema.check(value)
            walk(value, view)

        for core in (CORE, CRASH):
            for view in VIEWS:
                document(view, "--core", core, "--json")
        document("status", "--core", CORE, "--json", "--stats")
        document("record", "--core", CORE, "-o", "-")
        with Held("taskwait_clang.exe", FOLDER) as target:
            document("report", "-p", target.pid, "--json", "--watch", "0.05")


if __name__ == "__main__":
    if sys.flags.optimize:
        sys.exit("asserts are needed")
    xmltest.main()
