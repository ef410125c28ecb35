# SPDX-License-Identifier: Apache-2.0
"""What corefiles/ tells of cores and processes, against the program's own word (names.cc) and against GDB.

TestMain makes one kernel core and one gcore core per compiler; all cases share them.
"""

import ctypes
import http.server
import json
import os
import re
import resource
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest

import gdbrun
import xmltest

SHOW = gdbrun.find("corefiles/tests/show")
COMPILERS = ("gcc", "clang", "optimised")
KINDS = ("variable", "local", "pointed", "symbol", "file", "memory")
SECONDS = 60


def without_ptrace():
    """What an exec by root gives is then without CAP_SYS_PTRACE; where it has none there is nothing to
    drop."""
    ctypes.CDLL(None).prctl(24, 19, 0, 0, 0)  # PR_CAPBSET_DROP


def dump_core():
    """As the kernel does by default (core(5)); Bazel's Java has changed the filter."""
    resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY,) * 2)
    with open("/proc/self/coredump_filter", "w") as f:
        f.write("0x33")


def program(compiler):
    return os.path.realpath(gdbrun.find("corefiles/tests/names_" + compiler))


def show(*arguments, env=None, code=0):
    """The document of `show`; with another exit code its standard error."""
    done = subprocess.run([SHOW] + [str(a) for a in arguments], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, env=dict(os.environ, **(env or {})), timeout=SECONDS,
                          universal_newlines=True)
    if done.returncode != code:
        raise AssertionError("exit code %d: %s" % (done.returncode, done.stderr))
    return json.loads(done.stdout) if code == 0 else done.stderr


def start(exe, *arguments, before=(), stdin=None):
    """A running program and its truth."""
    process = subprocess.Popen(list(before) + [exe] + list(arguments), stdin=stdin, stdout=subprocess.PIPE,
                               universal_newlines=True)
    return process, json.loads(process.stdout.readline())


def settled(pid, tid=None):
    """Waits until the first thread, or TID, of a program that has told its truth is in its read()."""
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        with open("/proc/%d/task/%d/syscall" % (pid, tid or pid)) as f:
            if f.read().startswith("0 "):
                return
        time.sleep(0.01)
    raise AssertionError("the program does not come to rest")


def end(process):
    process.kill()
    for pipe in (process.stdin, process.stdout):
        if pipe:
            pipe.close()
    process.wait()


def addresses(truth):
    return [word for row in truth["names"] for word in ("-a", hex(row[0]))]


class Made:
    """The cores."""
    folder = None
    kernel, gcore, truth, gcore_truth = {}, {}, {}, {}


def setUpModule():
    Made.folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
    for compiler in COMPILERS:
        here = os.path.join(Made.folder.name, compiler)
        os.mkdir(here)
        # A copy of the program: a test takes it away.
        exe = shutil.copy(program(compiler), os.path.join(here, "names"))
        # A short name: the kernel keeps 80 bytes of the command line.
        done = subprocess.run(["names", "abort"], executable=exe, cwd=here, stdout=subprocess.PIPE,
                              timeout=SECONDS, preexec_fn=dump_core)
        Made.truth[compiler] = json.loads(done.stdout)
        found = [name for name in os.listdir(here) if name.startswith("core")]
        assert len(found) == 1, "the kernel has written no core here (core_pattern)"
        Made.kernel[compiler] = os.path.join(here, found[0])
        process, Made.gcore_truth[compiler] = start(exe)
        settled(process.pid)
        made = os.path.join(here, "gcore")
        subprocess.run(["gcore", "-o", made, str(process.pid)], stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, timeout=SECONDS, check=True)
        Made.gcore[compiler] = "%s.%d" % (made, process.pid)
        end(process)


def tearDownModule():
    Made.folder.cleanup()


class _Case(unittest.TestCase):
    longMessage = True

    def file(self, name):
        folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(folder.cleanup)
        return os.path.join(folder.name, name)

    def names(self, truth, document):
        for address, kind, text in truth["names"]:
            name = document["names"][hex(address)]
            self.assertEqual(KINDS[name["kind"]], kind, name)
            if text:
                self.assertEqual(name["text"], text)
            if kind == "local":
                self.assertEqual((name["function"], name["lwp"]), ("go", truth["threads"][0][0]))

    def stacks(self, truth, document):
        rows = {row["lwp"]: row for row in document["threads"]}
        for number, (tid, _, _) in enumerate(truth["threads"]):
            row = rows[tid]
            self.assertEqual((row["stack_rc"], row["why"]), (0, None), row)
            functions = [frame["function"] for frame in row["stack"]]
            wanted = ["go", "main"] if number == 0 else ["wait_here", "inlined_caller", "work"]
            for function in wanted:
                self.assertIn(function, functions)
            for frame in row["stack"]:
                self.assertEqual(frame["inlined"] == 1, bool(re.match(r"inlined_caller|__GI___libc_read",
                                                                      frame["function"] or "")), frame)


    def until_main(self, stack):
        """As GDB shows it, which does not go beyond main."""
        rows = []
        for frame in stack:
            rows.append([frame["pc"], frame["line"]])
            if frame["function"] == "main":
                break
        return rows


class Cores(_Case):
    def check(self, core, truth, exe, *arguments):
        document = show("-k", "-l", "tls_number", "-a", hex(truth["text"]), *addresses(truth), *arguments,
                        core)
        self.names(truth, document)
        self.stacks(truth, document)
        self.assertEqual(sorted([t["lwp"], t["pthread"], t["tls"]] for t in document["threads"]),
                         sorted(truth["threads"]))
        self.assertEqual(document["problems"], [])
        self.assertEqual(document["pid"], truth["threads"][0][0])
        with open(exe, "rb") as f:
            self.assertIn(bytes.fromhex(document["bytes"][hex(truth["text"])]), f.read())
        return document

    def test_kernel(self):
        for compiler in COMPILERS:
            core, truth = Made.kernel[compiler], Made.truth[compiler]
            document = self.check(core, truth, program(compiler))
            self.assertEqual((document["signal"], document["crashed"], document["truncated"]),
                             (signal.SIGABRT, truth["threads"][0][0], 0))
            self.assertEqual(os.path.basename(document["exe"]), "names")
            self.assertEqual(document["command"], "names abort")

    def test_gcore(self):
        for compiler in COMPILERS:
            document = self.check(Made.gcore[compiler], Made.gcore_truth[compiler], program(compiler))
            self.assertEqual((document["signal"], document["crashed"]), (0, 0))

    def test_as_gdb_sees_it(self):
        for compiler in COMPILERS:
            for core in (Made.kernel[compiler], Made.gcore[compiler]):
                exe = os.path.join(os.path.dirname(core), "names")
                document = show("-k", "-y", "grid", "-y", "main", core)
                answer = gdbrun.gdb("""
for thread in gdb.selected_inferior().threads():
    thread.switch()
    frame, rows = gdb.newest_frame(), []
    registers = [int(frame.read_register(r)) & (2**64 - 1) for r in ("rip", "rsp", "rbp", "rbx", "r12")]
    while frame is not None:
        sal = frame.find_sal()
        if frame.type() != gdb.TAILCALL_FRAME:  # which is none, but GDB's guess at a jump
            rows.append([frame.pc(), sal.line if sal.symtab else 0])
        frame = frame.older()
    say([thread.ptid[1], registers, rows])
say([int(gdb.parse_and_eval("(long)&grid")), int(gdb.parse_and_eval("(long)&main"))])
""", [exe, core], plugin=False)
                self.assertEqual(answer.said[-1], [document["symbols"]["grid"], document["symbols"]["main"]])
                rows = {row["lwp"]: row for row in document["threads"]}
                self.assertEqual(len(rows), len(answer.said) - 1)
                for lwp, registers, frames in answer.said[:-1]:
                    row = rows[lwp]
                    self.assertEqual([row[r] % 2**64 for r in ("r16", "r7", "r6", "r3", "r12")], registers)
                    self.assertEqual(self.until_main(row["stack"]), frames)

    def test_compressed(self):
        truth, core = Made.truth["gcc"], Made.kernel["gcc"]
        for tool in ("zstd", "lz4"):
            packed = self.file("core." + tool)
            with open(core, "rb") as plain, open(packed, "wb") as out:
                subprocess.run([tool, "-q", "-c"], stdin=plain, stdout=out, check=True, timeout=SECONDS)
            self.check(packed, truth, program("gcc"))
            # Half of it: what was there is shown, and that it is not all.
            with open(packed, "r+b") as f:
                f.truncate(os.path.getsize(packed) // 2)
            document = show(packed)
            self.assertEqual(document["truncated"], 1)
            self.assertEqual(document["problems"][0][0], "The core file is not complete.")

    def test_other_compression(self):
        packed = self.file("core.xz")
        with open(packed, "wb") as f:
            f.write(b"\xfd7zXZ\0" + b"x" * 100)
        self.assertRegex(show(packed, code=2), "compressed by xz: unpack it first")

    def test_truncated(self):
        truth, core = Made.truth["gcc"], Made.kernel["gcc"]
        size = os.path.getsize(core)
        cut = self.file("core")
        shutil.copy(core, cut)
        lost = 0
        for part in (99, 60, 30, 10, 5):
            os.truncate(cut, size * part // 100)
            address = hex(next(row[0] for row in truth["names"] if row[1] == "local"))
            document = show("-k", "-a", address, cut)
            self.assertEqual(document["truncated"], 1)
            self.assertEqual(len(document["threads"]), 4)
            # The variable is zero, but zeros must not stand for a page that is gone.
            self.assertIn(document["bytes"][address], (None, "00" * 16))
            lost += document["bytes"][address] is None
        self.assertGreater(lost, 0)
        os.truncate(cut, 2000)
        self.assertRegex(show(cut, code=2), "it ends before them")
        os.truncate(cut, 10)
        self.assertRegex(show(cut, code=2), "is not a core file")

    def test_sparse(self):
        copy = self.file("core")
        subprocess.run(["cp", "--sparse=always", Made.gcore["gcc"], copy], check=True)
        with open(copy, "rb+") as core:
            # else the file system may find blocks for it, and its own records, while it is read
            os.fsync(core)
        before = os.stat(copy).st_blocks
        self.check(copy, Made.gcore_truth["gcc"], program("gcc"))
        self.assertEqual(os.stat(copy).st_blocks, before)

    def test_program_missing(self):
        truth, core = Made.truth["clang"], Made.kernel["clang"]
        exe = os.path.join(os.path.dirname(core), "names")
        os.rename(exe, exe + ".away")
        self.addCleanup(lambda: os.path.exists(exe) or os.rename(exe + ".away", exe))
        document = show("-k", "-a", hex(truth["text"]), "-a", hex(truth["names"][0][0]), core)
        self.assertIsNone(document["bytes"][hex(truth["text"])])
        self.assertEqual([p[0] for p in document["problems"]], ["The file %s is missing." % exe])
        self.assertEqual(len(document["threads"]), 4)
        self.assertTrue(all("whose file is missing" in t["why"] for t in document["threads"]))
        # Where it is, by four ways of saying so.
        folder = os.path.dirname(exe)
        identity = next(m["build_id"] for m in document["modules"] if m["path"] == exe)
        root, debug = os.path.join(folder, "root"), os.path.join(folder, "debug")
        os.makedirs(root + folder)
        shutil.copy(exe + ".away", root + exe)
        os.makedirs(os.path.join(debug, ".build-id", identity[:2]))
        shutil.copy(exe + ".away", os.path.join(debug, ".build-id", identity[:2], identity[2:]))
        for option, value in (("-e", exe + ".away"), ("-d", debug), ("-d", "/nonexistent:" + root)):
            self.check(core, truth, exe + ".away", option, value)
        # No libc below the sysroot: no stacks, so no locals.
        document = show("-s", root, *addresses(truth), core)
        self.names(dict(truth, names=[n for n in truth["names"] if n[1] == "variable"]), document)

    def test_debuginfod(self):
        """A server of the user's choice has the program, or what was stripped from it, by its build-id."""
        truth, core = Made.truth["gcc"], Made.kernel["gcc"]
        exe = os.path.join(os.path.dirname(core), "names")
        os.rename(exe, exe + ".away")
        self.addCleanup(os.rename, exe + ".away", exe)
        identity = next(m["build_id"] for m in show(core)["modules"] if m["path"] == exe)
        asked = []

        class Server(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                asked.append(self.path)
                found = self.path.startswith("/buildid/%s/" % identity)
                self.send_response(200 if found else 404)
                self.end_headers()
                if found:
                    with open(exe + ".away", "rb") as f:
                        self.wfile.write(f.read())

            def log_message(self, *_):
                pass

        server = http.server.HTTPServer(("127.0.0.1", 0), Server)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            url = "http://127.0.0.1:%d" % server.server_port
            variables = {"DEBUGINFOD_URLS": url, "DEBUGINFOD_CACHE_PATH": self.file("cache"),
                         "PATH": "/usr/bin:/bin"}
            document = show("-k", *addresses(truth), core, env=variables)
            bare = self.file("names")
            subprocess.run(["strip", "-o", bare, exe + ".away"], check=True)
            stripped = show("-e", bare, *addresses(truth), core, env=variables)
        finally:
            server.shutdown()
            thread.join()
            server.server_close()
        self.assertIn("/buildid/%s/executable" % identity, asked)
        self.names(truth, document)
        self.stacks(truth, document)
        self.assertIn("/buildid/%s/debuginfo" % identity, asked)
        self.names(truth, stripped)
        # Nobody is asked who was not named.
        del asked[:]
        document = show("-k", *addresses(truth), core, env={"PATH": "/usr/bin:/bin"})
        self.assertNotIn("variable", [KINDS[name["kind"]] for name in document["names"].values()])
        self.assertEqual(asked, [])

    def test_debuginfod_that_does_not_answer(self):
        """It is asked once, and that it is silent is said."""
        exe = os.path.join(os.path.dirname(Made.kernel["gcc"]), "names")
        os.rename(exe, exe + ".away")
        self.addCleanup(os.rename, exe + ".away", exe)
        with socket.create_server(("127.0.0.1", 0)) as server:
            variables = {"DEBUGINFOD_URLS": "http://127.0.0.1:%d" % server.getsockname()[1],
                         "DEBUGINFOD_TIMEOUT": "1", "DEBUGINFOD_CACHE_PATH": self.file("cache"),
                         "PATH": "/usr/bin:/bin"}
            document = show("-k", *addresses(Made.truth["gcc"]), Made.kernel["gcc"], env=variables)
            server.setblocking(False)
            asked = []
            while select.select([server], [], [], 0)[0]:
                asked.append(server.accept()[0])
            for one in asked:
                one.close()
        self.assertEqual([row for row in document["problems"] if "debuginfod" in row[0]],
                         [["Files that are not here could not be had from debuginfod.",
                           "None of the servers in DEBUGINFOD_URLS has answered within "
                           "DEBUGINFOD_TIMEOUT, 1 s.",
                           "Set DEBUGINFOD_URLS to one that does, or to nothing."]])
        self.assertEqual(len(asked), 1)
        self.stacks_of_libc(document)

    def stacks_of_libc(self, document):
        """What is here is shown nevertheless."""
        for row in document["threads"]:
            self.assertTrue(any(re.match(r"(__GI___libc_)?read|.*raise|.*pthread_kill",
                                         frame["function"] or "")
                                for frame in row["stack"]), row["stack"])

    def test_other_program(self):
        truth, core = Made.truth["gcc"], Made.kernel["gcc"]
        document = show("-e", program("clang"), "-a", hex(truth["text"]), "-a", hex(truth["names"][0][0]),
                        core)
        what, why, _ = document["problems"][0]
        self.assertRegex(what, r"The file for .*/names is another one, and is not used\.")
        self.assertRegex(why, r"has the build-id [0-9a-f]{40}, in memory it is [0-9a-f]{40}\.")
        self.assertIsNone(document["bytes"][hex(truth["text"])])
        self.assertNotEqual(KINDS[document["names"][hex(truth["names"][0][0])]["kind"]], "variable")

    def test_no_regular_file(self):
        fifo = self.file("fifo")
        os.mkfifo(fifo)
        for path in (fifo, "/dev/zero", "/proc/kmsg", "/tmp"):
            document = show("-k", "-e", path, Made.kernel["gcc"])
            self.assertRegex(document["problems"][0][0], "is missing")
            self.assertRegex(show(path, code=2), "is not a regular file")

    def test_sysroot_is_a_wall(self):
        core = Made.kernel["gcc"]
        exe = os.path.join(os.path.dirname(core), "names")
        root = os.path.dirname(self.file("x"))
        os.makedirs(root + os.path.dirname(exe))
        os.symlink(exe, root + exe)  # leads out of the sysroot, so it leads to itself
        document = show("-k", "-s", root, core)
        self.assertIn("The file %s is missing." % exe, [p[0] for p in document["problems"]])

    def test_stripped_with_debug_file(self):
        truth, core = Made.truth["gcc"], Made.kernel["gcc"]
        bare, debug = self.file("names"), self.file("names.debug")
        exe = program("gcc")
        subprocess.run(["objcopy", "--only-keep-debug", exe, debug], check=True)
        subprocess.run(["strip", "-o", bare, exe], check=True)
        document = show("-k", "-e", bare, *addresses(truth), core)
        self.assertEqual(document["problems"], [])
        self.assertNotIn("variable", [KINDS[n["kind"]] for n in document["names"].values()])
        self.assertTrue(all(t["why"] is None for t in document["threads"]), "the stacks need no symbols")
        subprocess.run(["objcopy", "--add-gnu-debuglink=" + debug, bare], check=True)
        shutil.copy(debug, os.path.dirname(bare))
        self.names(truth, show("-e", bare, *addresses(truth), core))

    def test_coredumpctl(self):
        folder = os.path.dirname(self.file("x"))
        fake = os.path.join(folder, "coredumpctl")
        with open(fake, "w") as f:
            f.write("#!/bin/sh\n[ \"$1\" = dump ] && [ \"$4\" = 77 ] && cat '%s'\n" % Made.kernel["gcc"])
        os.chmod(fake, 0o755)
        path = {"PATH": folder + ":/usr/bin:/bin"}
        self.assertEqual(show("coredumpctl:77", env=path)["pid"], Made.truth["gcc"]["threads"][0][0])
        self.assertRegex(show("coredumpctl:78", env=path, code=2), "has no core of process 78")
        self.assertRegex(show("coredumpctl:7;id", env=path, code=2), "names no process")
        self.assertRegex(show("coredumpctl:77", env={"PATH": "/nonexistent"}, code=2), "no coredumpctl here")


class Live(_Case):
    def live(self, compiler="gcc", *arguments, **more):
        process, truth = start(program(compiler), *arguments, **more)
        self.addCleanup(end, process)
        if not more:
            settled(process.pid)
        return process, truth

    def test_stopped(self):
        for compiler in COMPILERS:
            process, truth = self.live(compiler)
            document = show("-k", *addresses(truth), process.pid)
            self.names(dict(truth, names=[n for n in truth["names"] if n[1] != "memory"]), document)
            self.stacks(truth, document)
            self.assertEqual(sorted([t["lwp"], t["pthread"]] for t in document["threads"]),
                             sorted(t[:2] for t in truth["threads"]))
            self.assertEqual(KINDS[document["names"][hex(truth["names"][-1][0])]["kind"]], "memory")
            self.assertEqual(document["names"][hex(truth["names"][-1][0])]["text"], "(in the heap)")
            self.assertGreater(document["stopped_ns"], 0)
            document = show("-l", "tls_number", process.pid)
            self.assertEqual(sorted([t["lwp"], t["pthread"], t["tls"]] for t in document["threads"]),
                             sorted(truth["threads"]))
            self.untouched(process)

    def untouched(self, process):
        """Every thread of it sleeps in its read as before, and nobody traces it."""
        self.assertIsNone(process.poll())
        for tid in os.listdir("/proc/%d/task" % process.pid):
            try:
                with open("/proc/%d/task/%s/status" % (process.pid, tid)) as f:
                    status = f.read()
            except OSError:
                continue  # a brief thread that has ended
            self.assertRegex(status, r"TracerPid:\t0\n")
            self.assertRegex(status, r"State:\t[SR]")

    def test_not_stopped(self):
        process, truth = self.live()
        document = show("-n", *addresses(truth), process.pid)
        self.assertEqual((document["moving"], document["stopped_ns"]), (1, 0))
        # Without registers: the handles come from libc's own lists.
        self.assertEqual(sorted([t["lwp"], t["pthread"]] for t in document["threads"]),
                         sorted(t[:2] for t in truth["threads"]))
        self.assertEqual(document["names"][hex(truth["names"][0][0])]["text"], "grid.locks[17]")
        document = show("-n", "-k", process.pid)
        self.assertEqual({t["why"] for t in document["threads"]}, {"the thread was not stopped"})

    def test_static_program(self):
        """No dynamic linker lists its modules: its thread-local storage is the first there is."""
        for compiler in ("plain_static", "static_pie"):
            process, truth = self.live(compiler)
            self.names(dict(truth, names=[n for n in truth["names"] if n[1] == "variable"]),
                       show(*addresses(truth), process.pid))
            document = show("-l", "tls_number", process.pid)
            self.assertEqual(sorted([t["lwp"], t["pthread"], t["tls"]] for t in document["threads"]),
                             sorted(truth["threads"]))

    def test_fortran(self):
        process, truth = start(program("gfortran"), stdin=subprocess.PIPE)
        self.addCleanup(end, process)
        self.names(truth, show(*addresses(truth), process.pid))

    def test_body_of_a_construct(self):
        """gcc's outlined functions stand within the one that has the construct: inlined frames and variables
        all the same."""
        process, truth = start(os.path.realpath(gdbrun.find("corefiles/tests/outlined_gcc")))
        self.addCleanup(end, process)
        threads = truth["threads"][:-1]
        for tid, _ in threads:
            settled(process.pid, tid)
        document = show("-k", *[word for row in threads for word in ("-a", hex(row[1]))], process.pid)
        rows = {row["lwp"]: row["stack"] for row in document["threads"]}
        for tid, address in threads:
            name = document["names"][hex(address)]
            self.assertEqual((KINDS[name["kind"]], name["text"], name["function"], name["lwp"]),
                             ("local", "mine[1]", "main", tid))
            frames = [(f["function"], f["line"], f["inlined"]) for f in rows[tid]]
            at = [function for function, _, _ in frames].index("inlined_into_the_body")
            self.assertEqual(frames[at:at + 2], [("inlined_into_the_body", truth["inlined"], 1),
                                                 ("main", truth["call"], 0)])

    def test_stays_stopped(self):
        process, _ = self.live()
        process.send_signal(signal.SIGSTOP)
        os.waitpid(process.pid, os.WUNTRACED)
        self.assertEqual(len(show(process.pid)["threads"]), 4)
        # A thread that is let go runs for the moment that it takes to stop again by itself.
        until = time.monotonic() + SECONDS
        states = {None}
        while states != {"T"} and time.monotonic() < until:
            states = set()
            for task in os.listdir("/proc/%d/task" % process.pid):
                with open("/proc/%d/task/%s/stat" % (process.pid, task)) as f:
                    states.add(f.read().split()[2])
        self.assertEqual(states, {"T"})

    def test_threads_that_come_and_go(self):
        process, truth = self.live("gcc", "threads")
        wanted = {t[0] for t in truth["threads"]}
        while len(os.listdir("/proc/%d/task" % process.pid)) < 8:
            time.sleep(0.01)
        for _ in range(20):
            document = show(process.pid)
            found = [t["lwp"] for t in document["threads"]]
            self.assertEqual(len(found), len(set(found)))
            self.assertLessEqual(wanted, set(found))
            self.assertGreaterEqual(len(found), len(wanted) + 4)
        self.untouched(process)

    def test_refused(self):
        process, _ = start(program("gcc"), "private")
        self.addCleanup(end, process)
        self.assertRegex(show(process.pid + 4000000, code=2), "There is no process")
        done = subprocess.run([SHOW, str(process.pid)], preexec_fn=without_ptrace, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, universal_newlines=True, timeout=SECONDS)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertRegex(done.stderr, "may not be read.*CAP_SYS_PTRACE")

    def test_already_debugged(self):
        process, _ = self.live()
        gdb = subprocess.Popen(["gdb", "-q", "-nx", "-batch", "-p", str(process.pid), "-ex",
                                "shell sleep 30"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            until = time.monotonic() + SECONDS
            while "TracerPid:\t%d\n" % gdb.pid not in self.status(process.pid):
                self.assertLess(time.monotonic(), until)
                time.sleep(0.05)
            self.assertRegex(show(process.pid, code=2), "is being debugged by process %d" % gdb.pid)
        finally:
            gdb.terminate()
            gdb.wait()

    def status(self, pid):
        with open("/proc/%d/status" % pid) as f:
            return f.read()

    def test_in_a_container(self):
        # Its own numbers differ from the host's; the truth has its own.
        process, truth = self.live("gcc", before=["unshare", "--pid", "--fork", "--kill-child"])
        with open("/proc/%d/task/%d/children" % (process.pid, process.pid)) as f:
            pid = int(f.read())
        self.assertNotEqual(pid, truth["threads"][0][0])
        settled(pid)
        for option in ("-k", "-n"):
            document = show(option, *addresses(truth), pid)
            self.assertEqual({t["pthread"] for t in document["threads"]}, {t[1] for t in truth["threads"]})
            self.assertIn(pid, [t["lwp"] for t in document["threads"]])


if __name__ == "__main__":
    xmltest.main()
