# SPDX-License-Identifier: Apache-2.0
"""What a target can make `ompd` do is bounded: cores that would fill the disk, the memory or the day, threads
that do not stop, and signals in any phase. Each input is made here, so the test knows the truth about it.
"""

import ctypes
import json
import os
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

import compare
import gdbrun
import xmltest

BUILT = gdbrun.find("command/ompd")
VFORK = gdbrun.find("corefiles/tests/vfork_gcc")
SECONDS = 100
PT_LOAD, PT_NOTE = 1, 4
NT_PRSTATUS, NT_FILE = 1, 0x46494C45
MB = 1 << 20


def note(kind, desc):
    return struct.pack("<III", 5, len(desc), kind) + b"CORE\0\0\0\0" + desc + bytes(-len(desc) % 4)


def thread(lwp):
    """elf_prstatus of x86-64: pr_pid at 32, 27 registers at 112, 336 bytes."""
    return note(NT_PRSTATUS, struct.pack("<32xi76x27q8x", lwp, *[0] * 27))


def mapped(count):
    rows = b"".join(struct.pack("<QQQ", 0x100000 + i * 0x2000, 0x101000 + i * 0x2000, 0)
                    for i in range(count))
    return note(NT_FILE, struct.pack("<QQ", count, 4096) + rows
                + b"".join(b"/x/%d.so\0" % i for i in range(count)))


def core(notes, note_headers=1, load=0):
    """An ELF core with one PT_LOAD of LOAD bytes that are not in it, and the same notes named by so many
    headers."""
    count = note_headers + bool(load)
    at = 64 + 56 * count
    head = b"\x7fELF" + bytes([2, 1, 1]) + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 4, 62, 1, 0, 64, 0, 0, 64,
                                                                  56, count, 0, 0, 0)
    head += struct.pack("<IIQQQQQQ", PT_NOTE, 0, at, 0, 0, len(notes), 0, 4) * note_headers
    if load:
        head += struct.pack("<IIQQQQQQ", PT_LOAD, 6, at + len(notes), 0x400000, 0, load, load, 1)
    return head + notes


def library(name):
    return ctypes.CDLL(name)


def zstd(data):
    lib = library("libzstd.so.1")
    lib.ZSTD_compressBound.restype = lib.ZSTD_compress.restype = ctypes.c_size_t
    room = ctypes.create_string_buffer(lib.ZSTD_compressBound(ctypes.c_size_t(len(data))))
    size = lib.ZSTD_compress(room, ctypes.c_size_t(len(room)), data, ctypes.c_size_t(len(data)), 1)
    return room.raw[:size]


def lz4(data):
    lib = library("liblz4.so.1")
    lib.LZ4F_compressFrameBound.restype = lib.LZ4F_compressFrame.restype = ctypes.c_size_t
    room = ctypes.create_string_buffer(lib.LZ4F_compressFrameBound(ctypes.c_size_t(len(data)), None))
    size = lib.LZ4F_compressFrame(room, ctypes.c_size_t(len(room)), data, ctypes.c_size_t(len(data)), None)
    return room.raw[:size]


def setUpModule():
    global FOLDER, OMPD
    made = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
    unittest.addModuleCleanup(made.cleanup)
    FOLDER = made.name
    for folder in ("bin", "lib/ompcompanion", "tmp"):
        os.makedirs(os.path.join(FOLDER, folder))
    OMPD = shutil.copy(BUILT, os.path.join(FOLDER, "bin/ompd"))
    shutil.copy(os.path.realpath(gdbrun.find("ompd/libompd.so.1")), os.path.join(FOLDER, "lib/libompd.so.1"))


def environment(**more):
    return dict(os.environ, TMPDIR=os.path.join(FOLDER, "tmp"), **more)


# The peak of a process counts what it was before exec too: so it is the child of a small one.
SMALL = """
import ctypes, json, os, resource, signal, sys
limit, result, *command = sys.argv[1:]
child = os.fork()
if not child:
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    if int(limit):
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), int(limit)))
    os.execv(command[0], command)
_, status, usage = os.wait4(child, 0)
with open(result, "w") as f:
    json.dump([os.waitstatus_to_exitcode(status), usage.ru_maxrss * 1024], f)
"""


class Done:
    """A command that has ended: its status, words and peak of memory."""

    def __init__(self, arguments, file_limit=0):
        result = os.path.join(FOLDER, "result")
        done = subprocess.run([sys.executable, "-S", "-c", SMALL, str(file_limit), result, OMPD] + arguments,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                              universal_newlines=True, env=environment(), timeout=SECONDS)
        with open(result) as f:
            self.status, self.peak = json.load(f)
        self.out, self.err = done.stdout, done.stderr


class Case(unittest.TestCase):
    longMessage = True

    def write(self, data):
        fd, path = tempfile.mkstemp(dir=FOLDER)
        with open(fd, "wb") as f:
            f.write(data)
        self.addCleanup(os.remove, path)
        return path

    def ask(self, data, *more, unpacked=None, **limits):
        done = Done(["report", "--json", "--core", self.write(data)] + list(more), **limits)
        self.assertLessEqual(done.peak, 32 * (unpacked or len(data)) + 100 * MB)
        return done

    def problems(self, done):
        return " ".join(p["what"] + " " + p["why"] for p in json.loads(done.out)["problems"])


class Unpacking(Case):
    def test_no_more_than_is_announced(self):
        # A file may have 8 MB: whoever writes all 64 fails.
        honest = core(thread(7), load=2 * MB)
        for pack in (zstd, lz4):
            done = self.ask(pack(honest + b"\xff" * 64 * MB), unpacked=3 * MB, file_limit=8 * MB)
            self.assertEqual([t["lwp"] for t in json.loads(done.out)["threads"]], [7], done.err)
            self.assertIn("Its headers account for" .lower(), self.problems(done).lower())

    def test_what_is_no_core_is_not_unpacked(self):
        for pack in (zstd, lz4):
            done = self.ask(pack(b"\xff" * 64 * MB), unpacked=MB, file_limit=8 * MB)
            self.assertEqual(done.status, 2)
            self.assertIn("is not a core file", done.err)

    def test_an_honest_core_has_no_problem(self):
        whole = core(thread(7), load=3 * MB) + b"\xff" * 3 * MB
        for pack in (zstd, lz4):
            self.assertNotIn("unpacked", self.problems(self.ask(pack(whole), unpacked=4 * MB)))


class Notes(Case):
    def test_bytes_count_once(self):
        done = self.ask(core(b"".join(thread(i + 1) for i in range(500)), note_headers=20000))
        self.assertEqual([t["lwp"] for t in json.loads(done.out)["threads"]], list(range(1, 501)))
        self.assertIn("19999 of 20000", self.problems(done))

    def test_a_thread_is_there_once(self):
        done = self.ask(core(b"".join(thread(i % 3 + 1) for i in range(300))))
        self.assertEqual([t["lwp"] for t in json.loads(done.out)["threads"]], [1, 2, 3])
        self.assertIn("297", self.problems(done))

    def test_numbers_that_no_thread_has(self):
        done = self.ask(core(thread(5) + thread(1 << 22) + thread(-1) + thread((1 << 22) - 1)))
        self.assertEqual([t["lwp"] for t in json.loads(done.out)["threads"]], [5, (1 << 22) - 1])
        self.assertIn("4194304", self.problems(done))

    def test_mapped_files(self):
        # In proportion to the square it would not end within the time of this test.
        done = self.ask(core(thread(5) + mapped(400000)))
        self.assertIn("65536", self.problems(done))
        self.assertLess(done.peak, 500 * MB)


class Memory(Case):
    def test_the_limit_is_named_and_kept(self):
        data = core(b"".join(thread(i + 1) for i in range(100000)))
        for limit, amount in (("16M", 16), ("40M", 40), ("64M", 64)):
            done = Done(["report", "--core", self.write(data), "--memory-limit", limit])
            self.assertEqual(done.status, 2)
            self.assertEqual(done.out, "")
            self.assertRegex(done.err, r"^ompd: [^\n]*\b%d MB\b[^\n]*--memory-limit[^\n]*\n$" % amount)
            # The program itself and its libraries are files.
            self.assertLess(done.peak, (amount + 20) * MB)
        self.assertEqual(json.loads(self.ask(data).out)["threads"][-1]["lwp"], 100000)

    def test_each_size_ends_with_a_sentence(self):
        data = core(b"".join(thread(i + 1) for i in range(10000)) + mapped(2000))
        path, seen = self.write(data), set()
        for kilobytes in range(16384, 65536, 2113):
            done = Done(["report", "--core", path, "--memory-limit", "%dK" % kilobytes])
            self.assertIn(done.status, (1, 2), "%d: %s" % (kilobytes, done.err))
            self.assertTrue(done.out or "--memory-limit" in done.err, "%d: %s" % (kilobytes, done.err))
            seen.add(bool(done.out))
        self.assertEqual(seen, {True, False})

    def test_sizes(self):
        path = self.write(core(thread(5)))
        for good in ("16M", "512M", "2g", "4G", "1T", "4GB", "4GiB", "20000000"):
            self.assertEqual(Done(["report", "--core", path, "--memory-limit", good]).err, "", good)
        for bad in ("", "0", "-1", "1", "15M", "M", "4X", "4GG", "4.5G", "99999999999T"):
            done = Done(["report", "--core", path, "--memory-limit", bad])
            self.assertEqual(done.status, 64, bad)
            self.assertIn("--memory-limit", done.err)


def state(pid):
    """State and tracer of each task."""
    found = []
    for tid in os.listdir("/proc/%d/task" % pid):
        with open("/proc/%d/task/%s/status" % (pid, tid)) as f:
            lines = dict(line.split(":", 1) for line in f)
        found.append((lines["State"].split()[0], int(lines["TracerPid"])))
    return found


def sleeps(pid):
    """Whether the process is there, runs `sleep`, and is no zombie."""
    try:
        with open("/proc/%d/comm" % pid) as comm, open("/proc/%d/stat" % pid) as stat:
            return "sleep" in comm.read() and " Z " not in stat.read()
    except OSError:  # it has ended, perhaps between two of the calls
        return False


def wait_until(what, condition):
    end = time.monotonic() + SECONDS
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("%s: not within %d s" % (what, SECONDS))
        time.sleep(0.005)


class Guards(Case):
    def test_reads_that_fail_take_no_memory(self):
        target = subprocess.Popen([gdbrun.find("corefiles/tests/guards_gcc")], stdout=subprocess.PIPE)
        self.addCleanup(target.stdout.close)
        self.addCleanup(target.wait)
        self.addCleanup(target.kill)
        if target.stdout.read(1) == b"-":
            self.skipTest("this kernel has no MADV_GUARD_INSTALL (Linux 6.13)")
        compare.until_all_sleep(target.pid)
        done = subprocess.run([OMPD, "report", "--json", "-p", str(target.pid), "--memory-limit", "300M"],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(),
                              timeout=SECONDS)
        self.assertNotIn(b"memory", done.stderr)
        threads = json.loads(done.stdout)["threads"]
        self.assertEqual([row["activity"]["call"] for row in threads], ["pause"] * 9)


class Signals(Case):
    def setUp(self):
        self.target = subprocess.Popen([VFORK], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.assertEqual(self.target.stdout.read(1), b"!")
        self.addCleanup(self.target.stdout.close)
        self.addCleanup(self.target.wait)
        self.addCleanup(self.target.kill)
        self.addCleanup(self.target.stdin.close)

    def start(self, *arguments, **env):
        process = subprocess.Popen([OMPD] + list(arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env=environment(**env))
        self.addCleanup(process.kill)
        return process

    def ended(self, process, *signals):
        for signo in signals:
            process.send_signal(signo)
        process.communicate(timeout=SECONDS)
        self.assertIn(-process.returncode, signals)
        self.assertEqual(os.listdir(os.path.join(FOLDER, "tmp")), [])

    def nobody_is_held(self):
        wait_until("the release",
                   lambda: all(s not in "tT" and not tracer for s, tracer in state(self.target.pid)))

    def test_while_it_stands_still(self):
        # One thread cannot be stopped, which is waited for, and the others stand still meanwhile.
        for signo in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            process = self.start("threads", "-p", str(self.target.pid))
            wait_until("the stop", lambda: any(tracer == process.pid for _, tracer in state(self.target.pid)))
            self.ended(process, signo)
            self.nobody_is_held()

    def test_between_two_samples(self):
        process = self.start("threads", "-p", str(self.target.pid), "--watch", "1000")
        # Of the stopped ones: that which does not stop stays seized until it does.
        wait_until("the stop", lambda: any(tracer == process.pid for _, tracer in state(self.target.pid)))
        wait_until("the end of the stop", lambda: all(s not in "tT" for s, _ in state(self.target.pid)))
        self.ended(process, signal.SIGINT)
        self.nobody_is_held()

    def test_a_phase_that_does_not_look(self):
        # It waits for Graphviz, which here does nothing for ever.
        folder = os.path.join(FOLDER, "fake")
        mark = os.path.join(FOLDER, "mark")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "dot"), "w") as f:
            f.write("#!/bin/sh\necho $$ >%s.new; mv %s.new %s\nexec sleep 1000\n" % (mark, mark, mark))
        os.chmod(os.path.join(folder, "dot"), 0o755)
        for signals in ([signal.SIGTERM], [signal.SIGINT, signal.SIGTERM]):
            process = self.start("waits", "--format=svg", "-p", str(self.target.pid),
                                 PATH=folder + ":" + os.environ["PATH"])
            wait_until("dot", lambda: os.path.exists(mark))
            with open(mark) as f:
                child = int(f.read())
            os.remove(mark)
            self.ended(process, *signals)
            wait_until("the end of dot", lambda: not sleeps(child))
            self.nobody_is_held()

    def test_watch_gives_all_samples(self):
        process = self.start("threads", "-p", str(self.target.pid), "--watch", "0.2", "--samples", "3",
                             "--json")
        out, err = process.communicate(timeout=SECONDS)
        self.assertEqual(err, b"")
        self.assertEqual(len(json.loads(out)["watch"]), 2)
        # Now the thread can stop, and is let go, though nobody is left who could.
        self.target.stdin.close()
        self.nobody_is_held()

    def test_watch_keeps_what_it_has(self):
        process = self.start("threads", "-p", str(self.target.pid), "--watch", "2", "--json", "-v")
        while b"stood still" not in process.stderr.readline():  # once it has a sample
            self.assertIsNone(process.poll())
        self.target.kill()
        self.target.wait()
        out, err = process.communicate(timeout=SECONDS)
        self.assertIn(b"no process", err)
        self.assertEqual(json.loads(out)["watch"], [])
        self.assertNotEqual(process.returncode, 0)


if __name__ == "__main__":
    xmltest.main()
