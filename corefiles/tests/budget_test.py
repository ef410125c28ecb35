# SPDX-License-Identifier: Apache-2.0
"""Work on a stranger's file has an end: files that are made to take for ever, all memory, or to vanish while
they are read. Each is made here. What is allocated is counted, what is mapped is not.
"""

import ctypes
import os
import re
import resource
import shutil
import signal
import struct
import subprocess
import time

import xmltest
from installed import FOLDER, OMPD, SECONDS, TARGETS, Case, Held, alive, run

MB = 1 << 20


def here(*parts):
    return os.path.join(FOLDER, *parts)


def wait_until(what, condition):
    until = time.monotonic() + SECONDS
    while not condition():
        if time.monotonic() > until:
            raise AssertionError("%s: not within %d s" % (what, SECONDS))
        time.sleep(0.01)


def system_call(pid):
    """The number, -1 none or unknown."""
    with open("/proc/%d/syscall" % pid) as f:
        first = f.read().split()[0]
    return int(first) if first.isdigit() else -1


def compiled(name, source, *options):
    """The file NAME, made of SOURCE, C or assembly."""
    os.makedirs(os.path.dirname(here(name)), exist_ok=True)
    language = "assembler" if source.lstrip().startswith(".") else "c"
    subprocess.run(["gcc", "-x", language, "-", "-x", "none", "-o", here(name)] + list(options), input=source,
                   check=True, universal_newlines=True, timeout=SECONDS)
    return here(name)


# A library that looks like libgomp and describes one structure, which has itself twice: as its bases (DWARF
# tag 0x1c) or as members without a name (0x0d). So there are 2^N places for a member N levels down.
TWICE_ITSELF = """
.text
.globl GOMP_parallel
.type GOMP_parallel,@function
GOMP_parallel: ret
.size GOMP_parallel,.-GOMP_parallel
.section .debug_abbrev,"",@progbits
.uleb128 1, 0x11
.byte 1
.uleb128 0x03, 0x08, 0, 0
.uleb128 2, 0x13
.byte 1
.uleb128 0x03, 0x08, 0x0b, 0x0b, 0, 0
.uleb128 3, %s
.byte 0
.uleb128 0x49, 0x13, 0x38, 0x0b, 0, 0
.byte 0
.section .debug_info,"",@progbits
unit: .long last-first
first: .short 4
.long 0
.byte 8
.uleb128 1
.asciz "twice.c"
itself: .uleb128 2
.asciz "gomp_thread"
.byte 64
.uleb128 3
.long itself-unit
.byte 0
.uleb128 3
.long itself-unit
.byte 32
.byte 0, 0
last:
"""


def sections(code_size, more=0, name=b""):
    """A library with CODE_SIZE bytes of code, all of them a hole in the file, that exports GOMP_parallel, and
    MORE functions, whose names are the ends of NAME, each a character shorter."""
    base = 1 << 20
    names = b"\0.text\0.dynsym\0.dynstr\0"
    strings = b"\0GOMP_parallel\0" + name + b"\0"
    symbols = bytes(24) + b"".join(
        struct.pack("<IBBHQQ", 14 + i if i else 1, 0x12, 0, 1, base + 16 * i, 16) for i in range(1 + more))
    at, parts = 64 + 56, {}
    for key, data in (("names", names), ("strings", strings), ("symbols", symbols)):
        parts[key] = (at, data)
        at += len(data)
    at = (at + 7) // 8 * 8

    def section(name, kind, flags, address, offset, size, link=0, entry=0):
        return struct.pack("<IIQQQQIIQQ", name, kind, flags, address, offset, size, link, 0, 8, entry)

    table = (section(0, 0, 0, 0, 0, 0)
             + section(names.index(b".text"), 1, 6, base, base, code_size)
             + section(names.index(b".dynsym"), 11, 2, 0, parts["symbols"][0], len(symbols), link=3, entry=24)
             + section(names.index(b".dynstr"), 3, 2, 0, parts["strings"][0], len(strings))
             + section(0, 3, 0, 0, parts["names"][0], len(names)))
    head = (b"\x7fELF" + bytes([2, 1, 1]) + bytes(9)
            + struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0, 64, at, 0, 64, 56, 1, 64, 5, 4)
            + struct.pack("<IIQQQQQQ", 1, 5, base, base, base, code_size, code_size, 4096))
    data = bytearray(head + b"".join(data for _, data in parts.values()))
    return bytes(data.ljust(at, b"\0") + table)


def with_code(name, size, *names):
    with open(here(name), "wb") as f:
        f.write(sections(size, *names))
        f.truncate((1 << 20) + size)
    return here(name)


def section_of(data, name):
    """(address, offset, size) in the bytes of a 64-bit file."""
    at, = struct.unpack_from("<Q", data, 40)
    count, names = struct.unpack_from("<HH", data, 60)
    heads = [struct.unpack_from("<IIQQQQIIQQ", data, at + 64 * i) for i in range(count)]
    return next(head[3:6] for head in heads if data.startswith(name + b"\0", heads[names][4] + head[0]))


def unwind_entries(address, size, program):
    """The contents of .eh_frame: one entry of SIZE bytes of code, and what its rules are."""
    def padded(record):
        record += bytes(-(len(record) + 4) % 8)
        return struct.pack("<I", len(record)) + record

    # Version 1, "zR", factors 1 and -8, return address in 16, pointers of 8 bytes; the frame is at rsp + 8.
    common = padded(struct.pack("<I", 0) + b"\x01zR\0\x01\x78\x10\x01\0\x0c\x07\x08\x90\x01")
    entry = padded(struct.pack("<IQQB", len(common) + 4, address, size, 0) + program)
    return common + entry + bytes(4)


def calls_behind_long_rules(name):
    """libgomp, 4,096 system calls at its code's end, and 16 MB of rules that come before that of each."""
    whole = subprocess.run(["gcc", "-print-file-name=libgomp.so.1"], check=True, stdout=subprocess.PIPE,
                           universal_newlines=True).stdout.strip()
    with open(whole, "rb") as f:
        address, _, size = section_of(f.read(), b".text")
    with open(here("rules"), "wb") as f:
        f.write(unwind_entries(address, size, bytes(16 << 20) + b"\x41" * 10))
    subprocess.run(["objcopy", "--remove-section=.note.gnu.build-id", "--rename-section=.eh_frame=.old",
                    "--rename-section=.eh_frame_hdr=.old_hdr", "--add-section=.eh_frame=" + here("rules"),
                    "--set-section-flags=.eh_frame=alloc,readonly", whole, here(name)], check=True,
                   stderr=subprocess.DEVNULL)
    with open(here(name), "r+b") as f:
        data = bytearray(f.read())
        _, offset, size = section_of(data, b".text")
        data[offset + size - 8192:offset + size] = b"\x0f\x05" * 4096
        heads, count = struct.unpack_from("<Q", data, 32)[0], struct.unpack_from("<H", data, 56)[0]
        for at in range(heads, heads + 56 * count, 56):
            if struct.unpack_from("<I", data, at) == (0x6474e550,):  # PT_GNU_EH_FRAME: the old ones
                struct.pack_into("<I", data, at, 0)
        f.seek(0)
        f.write(data)
    return here(name)


def peak_of(*arguments):
    """The command's status, words and peak of memory, its own children's too."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    done = run(*arguments)
    return done, max(before, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss) * 1024


class Layout(Case):
    def test_a_structure_that_has_itself_twice(self):
        for kind, tag in (("bases", "0x1c"), ("members", "0x0d")):
            path = compiled(kind + "/libgomp.so.1", TWICE_ITSELF % tag, "-shared", "-nostdlib")
            done = self.ok("layout", path, status=2)
            self.assertRegex(done.stderr, r"^ompd: .*libgomp\.so\.1: its debug information is damaged: .*end")

    def test_a_program_on_such_a_runtime(self):
        path = compiled("twice/libgomp.so.1", TWICE_ITSELF % "0x1c", "-shared", "-nostdlib",
                        "-Wl,-soname=libgomp.so.1")
        program = compiled("on_twice", "#include <unistd.h>\nint main(void) { for (;;) pause(); }\n",
                           "-Wl,--no-as-needed", path, "-Wl,-rpath," + os.path.dirname(path))
        target = subprocess.Popen([program])
        self.addCleanup(target.wait)
        self.addCleanup(target.kill)
        wait_until("pause", lambda: system_call(target.pid) == 34)
        done = self.ok("waits", "-p", target.pid, status=1)
        self.assertIn("no end", done.stdout + done.stderr)
        done = self.ok("run", "-q", "--runtime=own", "--timeout", "1", "--", program, status=124)
        self.assertIn("no end", done.stdout + done.stderr)

    def test_more_than_any_runtime(self):
        for size, what in ((100 * MB, "more code"), (4 << 30, "more to be loaded")):
            done, peak = peak_of("layout", with_code("holes.so", size))
            self.assertEqual(done.returncode, 2)
            self.assertIn("holes.so: it has %s than any runtime" % what, done.stderr)
            self.assertLess(peak, 300 * MB)

    def test_long_names(self):
        """16,000 in one text of 600 KB: of no runtime, so they are not compared with each other."""
        path = with_code("names.so", MB, 16000, b"a" * (600 << 10))
        self.assertIn("its code alone", self.ok("layout", path, "--cpu-limit", "10", status=2).stderr)

    def test_calls_behind_long_unwind_rules(self):
        """The rules are of no runtime; the rest is, and is told."""
        path = calls_behind_long_rules("libgomp.so.1")
        self.assertIn('"family": "gomp"', self.ok("layout", path, "--cpu-limit", "10").stdout)

    def test_memory_and_time_are_options_of_it(self):
        path = with_code("large.so", 48 * MB)  # zeros: an instruction has two of them
        done, peak = peak_of("layout", path, "--memory-limit", "100M")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"no memory|100 MB that --memory-limit")
        self.assertLess(peak, 250 * MB)


THREADS = """
#include <pthread.h>
#include <unistd.h>
%s
int main(void)
{
    static void *(*const all[])(void *) = {%s};
    pthread_t t;
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        pthread_create(&t, 0, all[i], 0);
    for (;;)
        pause();
}
"""
# A unit (tag 0x11) with so many base types (0x24) without attributes, which take a byte each, and then
# functions that each have one inlined (0x1d), whose name is nowhere else.
LARGE_UNIT = """
.section .debug_abbrev,"",@progbits
.uleb128 1, 0x11
.byte 1
.uleb128 0x03, 0x08, 0x11, 0x01, 0x12, 0x01, 0, 0
.uleb128 2, 0x24
.byte 0
.uleb128 0, 0
.uleb128 3, 0x2e
.byte 1
.uleb128 0x11, 0x01, 0x12, 0x01, 0, 0
.uleb128 4, 0x1d
.byte 0
.uleb128 0x03, 0x08, 0x11, 0x01, 0x12, 0x01, 0, 0
.byte 0
.section .debug_info,"",@progbits
.long last-first
first: .short 4
.long 0
.byte 8
.uleb128 1
.asciz "large.c"
.quad wait_0, main_end
.fill %d, 1, 2
%s
.byte 0
last:
"""


class Names(Case):
    def test_a_unit_of_many_entries(self):
        """It is looked through once, not for each of 24 frames."""
        names = ["wait_%d" % i for i in range(24)]
        code = here("large.c")
        with open(code, "w") as f:
            functions = ("void *%s(void *x) { for (;;) pause(); return x; }" % name for name in names)
            f.write(THREADS % ("\n".join(functions), ", ".join(names))
                    + '__asm__(".globl main_end\\nmain_end:");\n')
        entries = "".join('.uleb128 3\n.quad {0}, {1}\n.uleb128 4\n.asciz "inlined_{2}"\n.quad {0}, {1}\n'
                          ".byte 0\n".format(names[i], (names + ["main"])[i + 1], i) for i in range(24))
        program = compiled("large", LARGE_UNIT % (16 << 20, entries), "-x", "c", "-fno-toplevel-reorder",
                           "-O1",
                           "-Wl,-z,noexecstack",
                           "-pthread", code)
        target = subprocess.Popen([program])
        self.addCleanup(target.wait)
        self.addCleanup(target.kill)
        tasks = "/proc/%d/task" % target.pid
        wait_until("their rest", lambda: [system_call(int(t)) for t in os.listdir(tasks)] == [34] * 25)
        done = self.ok("stacks", "--all", "-p", target.pid, "--cpu-limit", "20", status=1)
        for i in range(24):
            self.assertRegex(done.stdout, r"inlined_%d\b" % i)


class Processor(Case):
    def test_the_limit_is_named_and_kept(self):
        """Documents are added up; a hundred of ten thousand threads take longer than a second."""
        with Held("many_threads_gcc.exe", FOLDER) as target:
            self.ok("report", "--json", "-p", target.pid, "-o", here("many.json"))
        files = [here("many.json")] * 2000
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = self.ok("merge", "--cpu-limit", "1", *files, status=2)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertEqual(done.stderr, "ompd: Given up: this takes more than the 1 s of processor time that "
                                      "--cpu-limit allows it.\n")
        self.assertEqual(done.stdout, "")
        self.assertLess(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 4)

    def test_it_is_of_one_look(self):
        """Many together take more: as many as it needs for that."""
        count, spent = 100, 0
        with Held("many_threads_gcc.exe", FOLDER) as target:
            while spent < 3:
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                self.ok("top", "--json", "--cpu-limit", "1", "--every", "0.01", "--count", count, "-p",
                        target.pid, timeout=5 * SECONDS)
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
                count *= 2

    def test_each_subcommand_that_reads_has_both(self):
        listed = self.ok("help").stdout
        names = re.findall(r"^  ([a-z]+)  ", listed, re.MULTILINE)
        self.assertIn("layout", names)
        for name in set(names) - {"help", "completion", "version"}:
            text = self.ok("help", name).stdout
            for option in ("--memory-limit", "--cpu-limit"):
                self.assertIn(option, text, name)

    def test_sizes(self):
        for bad in ("0", "-1", "x", "1.5", ""):
            done = self.ok("layout", "/nonexistent", "--cpu-limit", bad, status=64)
            self.assertIn("--cpu-limit", done.stderr)


class Shorter(Case):
    """strace holds the command behind its mapping of the file, which is cut meanwhile."""

    def cut_while_mapped(self, path, left, *arguments):
        command = subprocess.Popen(
            ["strace", "-f", "-qq", "-o", "/dev/null", "-P", path, "-e", "trace=mmap", "-e",
             "inject=mmap:delay_exit=2000000:when=1", OMPD] + [str(a) for a in arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, universal_newlines=True)

        def is_mapped():
            for pid in self.ours(command.pid):
                try:
                    with open("/proc/%d/maps" % pid) as f:
                        if path in f.read():
                            return True
                except OSError:
                    pass
            return command.poll() is not None

        wait_until("the mapping", is_mapped)
        os.truncate(path, left)
        out, err = command.communicate(timeout=SECONDS)
        return command.returncode, out, err

    def ours(self, pid):
        """PID and what descends from it."""
        found, rest = [], [pid]
        while rest:
            one = rest.pop()
            found.append(one)
            try:
                for task in os.listdir("/proc/%d/task" % one):
                    with open("/proc/%d/task/%s/children" % (one, task)) as f:
                        rest += [int(n) for n in f.read().split()]
            except OSError:
                pass
        return found

    def test_of_layout(self):
        path = with_code("shrinks.so", 8 * MB)
        status, out, err = self.cut_while_mapped(path, MB, "layout", path)
        self.assertEqual((status, out), (2, ""))
        self.assertRegex(err, r"^ompd: %s cannot be read any more: it has become shorter[^\n]*\n$"
                         % re.escape(path))

    def test_of_a_debug_file(self):
        program = compiled("plain", "#include <unistd.h>\nint main(void) { for (;;) pause(); }\n", "-g",
                           "-Wl,--build-id")
        debug = here("plain.debug")
        subprocess.run(["objcopy", "--only-keep-debug", program, debug], check=True)
        subprocess.run(["objcopy", "--strip-debug", "--add-gnu-debuglink=" + debug, program], check=True)
        target = subprocess.Popen([program])
        self.addCleanup(target.wait)
        self.addCleanup(target.kill)
        with open(debug, "ab") as f:
            f.write(bytes(64 << 10))  # more pages than are left
        status, out, err = self.cut_while_mapped(debug, 512, "stacks", "-p", target.pid, "--all")
        self.assertEqual(status, 2, err)
        self.assertRegex(err, r"plain\.debug cannot be read any more")
        self.assertTrue(alive(target.pid))
        with open("/proc/%d/status" % target.pid) as f:
            self.assertIn("TracerPid:\t0\n", f.read())


class Report(Case):
    """`ompd run` ends its program whatever becomes of the report."""

    PROGRAM = "deadlock_gcc.exe"

    def start(self, *options):
        self.fifo = here("fifo")
        if not os.path.exists(self.fifo):
            os.mkfifo(self.fifo)
        process = subprocess.Popen(
            [OMPD, "run", "-q", "--force", "-o", self.fifo] + list(options)
            + ["--", os.path.join(TARGETS, self.PROGRAM)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, universal_newlines=True,
            env=dict(os.environ, TRUTH_HOLD_SECONDS="300", TRUTH_TIMEOUT="60"))
        self.addCleanup(process.kill)
        return process

    def parts(self, process):
        """What makes the reports, and the program: both children of `ompd run`."""
        found = []

        def look():
            with open("/proc/%d/task/%d/children" % (process.pid, process.pid)) as f:
                found[:] = [int(n) for n in f.read().split()]
            return len(found) == 2 and os.readlink("/proc/%d/exe" % found[0]).endswith(self.PROGRAM)

        wait_until("the start", look)
        return found[1], [found[0]]

    def test_a_report_that_hangs(self):
        process = self.start("--timeout", "1", "--cpu-limit", "2")
        _, program = self.parts(process)
        out, err = process.communicate(timeout=SECONDS)
        self.assertEqual(process.returncode, 124, err)
        self.assertIn("ompd: The report is given up: it was not made within 2 seconds.\n", err)
        for pid in program:
            self.assertFalse(alive(pid))

    def test_where_only_ancestors_may_trace(self):
        """As with Yama's ptrace_scope 1: what makes the reports is the program's parent."""
        yama = "/proc/sys/kernel/yama"
        process = subprocess.Popen(
            ["unshare", "--mount", "sh", "-c",
             "mount -t tmpfs none /proc/sys/kernel && mkdir %s && echo 1 >%s/ptrace_scope && exec setpriv "
             "--bounding-set=-sys_ptrace --inh-caps=-sys_ptrace \"$@\"" % (yama, yama), "-",
             OMPD, "run", "-q", "--timeout", "60", "--", "sh", "-c",
             "grep PPid /proc/$$/status; read line </proc/$PPID/status; echo $line; kill -USR1 $PPID; "
             "exec sleep 60"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
        self.addCleanup(process.kill)
        parent = int(process.stdout.readline().split()[1])
        self.assertEqual(process.stdout.readline(), "Name:\tompd\n".replace("\t", " "))
        self.assertNotEqual(parent, process.pid)
        self.assertTrue(os.readlink("/proc/%d/exe" % parent).endswith("/ompd"))
        self.assertIn("Process ", process.stdout.readline())  # the report has come
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=SECONDS)

    def test_a_report_that_crashes(self):
        for signo in (signal.SIGSEGV, signal.SIGKILL, signal.SIGBUS):
            process = self.start("--timeout", "1")
            keeper, program = self.parts(process)
            wait_until("openat, for a reader of the FIFO", lambda: system_call(keeper) == 257)
            os.kill(keeper, signo)
            out, err = process.communicate(timeout=SECONDS)
            self.assertEqual(process.returncode, 124, err)
            self.assertIn("the process that made it was ended by signal %d" % signo, err)
            for pid in program:
                self.assertFalse(alive(pid))

    def test_a_report_on_the_way_that_crashes(self):
        """The program goes on, and its status is still told."""
        process = self.start("--cpu-limit", "20")
        keeper, program = self.parts(process)
        wait_until("the program", lambda: os.readlink("/proc/%d/exe" % program[0]).endswith(self.PROGRAM))
        process.send_signal(signal.SIGUSR1)
        wait_until("openat, for a reader of the FIFO", lambda: system_call(keeper) == 257)
        os.kill(keeper, signal.SIGSEGV)
        wait_until("its end", lambda: not alive(keeper))
        self.assertTrue(alive(program[0]))
        process.send_signal(signal.SIGUSR1)
        self.assertIn("The report is given up", process.stderr.readline())
        self.assertIn("There is no report", process.stderr.readline())
        os.kill(program[0], signal.SIGTERM)
        process.communicate(timeout=SECONDS)
        self.assertEqual(process.returncode, 128 + signal.SIGTERM)


class Two(Case):
    """Two that look at one process."""

    def test_the_second_waits_a_moment(self):
        with Held("deadlock_gcc.exe", FOLDER) as target:
            several = [subprocess.Popen([OMPD, "waits", "-p", str(target.pid)], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, universal_newlines=True) for _ in range(8)]
            for process in several:
                out, err = process.communicate(timeout=SECONDS)
                self.assertEqual((process.returncode, err), (0, ""))
                self.assertIn("Deadlock", out)

    def test_the_first_does_not_let_go(self):
        with Held("deadlock_gcc.exe", FOLDER) as target:
            # A tracer that is called so, and holds it.
            first = os.fork()
            if not first:
                libc = ctypes.CDLL(None)
                with open("/proc/self/comm", "w") as f:
                    f.write("ompd")
                libc.prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
                if libc.ptrace(0x4206, target.pid, None, None):  # PTRACE_SEIZE
                    os._exit(1)
                while True:
                    time.sleep(1)

            def is_held():
                with open("/proc/%d/status" % target.pid) as f:
                    return "TracerPid:\t%d\n" % first in f.read()

            try:
                wait_until("the tracer", is_held)
                done = self.ok("waits", "-p", target.pid, status=2)
            finally:
                os.kill(first, signal.SIGKILL)
                os.waitpid(first, 0)
            self.assertEqual(done.stderr, "ompd: Another ompd, process %d, is looking at process %d. Try "
                                          "again when that has ended, or use --no-stop.\n"
                             % (first, target.pid))


SLEEPER = """
#include <pthread.h>
#include <unistd.h>
static void *sleeper(void *x) { for (;;) pause(); return x; }
__attribute__((constructor)) static void begin(void) { pthread_t t; pthread_create(&t, 0, sleeper, 0); }
"""
HELD = """
#include <omp.h>
int main(void)
{
    omp_lock_t lock;
    omp_init_lock(&lock);
    omp_set_lock(&lock);
#pragma omp parallel num_threads(4)
    omp_set_lock(&lock);
}
"""


class Mapped(Case):
    def test_libraries_are_not_memory(self):
        """Libraries with 4 GB of holes, and a thread in each. Taken in the order of their addresses, each is
        half of what the ones before have left of the first 2 GB."""
        first = compiled("big/libsleeper.so", SLEEPER, "-shared", "-fPIC", "-pthread", "-Wl,--build-id=none")
        paths = []
        for megabytes in (1, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2040):
            paths.append(shutil.copy(first, here("big", "lib%d.so" % len(paths))))
            os.truncate(paths[-1], megabytes * MB)
        program = compiled("mapped", HELD, "-g", "-fopenmp")
        target = subprocess.Popen([program], env=dict(os.environ, LD_PRELOAD=":".join(paths)))
        self.addCleanup(target.wait)
        self.addCleanup(target.kill)
        wait_until("the threads", lambda: len(os.listdir("/proc/%d/task" % target.pid)) == len(paths) + 4)
        tasks = "/proc/%d/task" % target.pid
        wait_until("their rest", lambda: sorted(system_call(int(t)) for t in os.listdir(tasks))
                   == [34] * len(paths) + [202] * 4)
        done = self.ok("stacks", "--all", "-p", target.pid)
        self.assertEqual(done.stdout.count("sleeper"), len(paths), done.stdout)
        self.assertEqual(done.stderr, "")


if __name__ == "__main__":
    xmltest.main()
