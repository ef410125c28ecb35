# SPDX-License-Identifier: Apache-2.0
"""Which files corefiles/ opens, by strace: what a target names only by openat2 within a root, and of that
only regular files. In each place that a target can name there is a FIFO, a device, and a link out of the
sysroot; the answer comes all the same and says what was not used. And where openat2 is refused (an old
kernel, a container's filter), it says so.
"""

import errno
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import unittest

import gdbrun
import xmltest
from seccomp import OPENAT2, refused

SHOW = gdbrun.find("corefiles/tests/show")
OMPD = gdbrun.find("command/ompd")
LIBOMPD = gdbrun.find("ompd/libompd.so.1")
SOURCES = [os.path.realpath(os.path.join(gdbrun.ROOT, "corefiles/tests", name))
           for name in ("opens.c", "opens_alt.s")]
SECONDS = 60
ALT_ID = bytes(range(20))
REFUSED = "The files that the process names are not opened."
# Of the system: the loader and libc, what the kernel tells.
SYSTEM = (r"/etc/ld\.so\.cache", r"(/usr)?/lib(64)?/(?!debug/).*\.so[.0-9]*", r"/dev/urandom",
          r"/usr/lib/locale/.*", r"/proc/self/fd/\d+",
          r"/proc/\d+/(task(/\d+/.*)?|stat|status|maps|auxv|cmdline|mem|exe|root|environ|"
          r"map_files/.*)",
          r"/proc/sys/kernel/(yama/ptrace_scope|random/boot_id)", r"/sys/devices/system/cpu.*")


def run(*command):
    subprocess.run([str(word) for word in command], check=True, timeout=SECONDS)


def dump_core():
    resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY,) * 2)
    with open("/proc/self/coredump_filter", "w") as f:
        f.write("0x33")


class Made:
    """Programs and cores in a directory each, with their names as in the core."""

    def __init__(self, folder, name, *flags, alt=None, strip=False):
        self.folder = os.path.join(folder, name)
        os.mkdir(self.folder)
        self.exe, self.debug = os.path.join(self.folder, "app"), os.path.join(self.folder, "app.debug")
        for source in SOURCES:
            shutil.copy(source, self.folder)
        subprocess.run(["gcc", "-g", "-no-pie", *flags, "opens.c"] + (["opens_alt.s"] if alt else [])
                       + ["-o", "app"], cwd=self.folder, check=True, timeout=SECONDS)
        if alt:
            self.section(alt)
        if strip:
            self.strip()
        done = subprocess.run([self.exe], cwd=self.folder, stdout=subprocess.PIPE, timeout=SECONDS,
                              preexec_fn=dump_core)
        self.grid, self.shared = [hex(int(word)) for word in done.stdout.split()]
        cores = [f for f in os.listdir(self.folder) if f.startswith("core")]
        assert len(cores) == 1, "the kernel has written no core here (core_pattern)"
        self.core = os.path.join(self.folder, cores[0])
        note = subprocess.run(["readelf", "-n", self.exe], stdout=subprocess.PIPE, check=True).stdout.decode()
        found = re.search("Build ID: ([0-9a-f]+)", note)
        self.id = found.group(1) if found else None

    def section(self, alt):
        """The name of the alternate file, and its build-id."""
        path = os.path.join(self.folder, "link")
        with open(path, "wb") as f:
            f.write(alt.encode() + b"\0" + ALT_ID)
        run("objcopy", "--remove-section=.gnu_debugaltlink", "--add-section", ".gnu_debugaltlink=" + path,
            self.exe)

    def strip(self):
        """The debug information goes into a file of its own."""
        run("objcopy", "--only-keep-debug", self.exe, self.debug)
        run("objcopy", "--strip-debug", "--strip-unneeded", "--add-gnu-debuglink=" + self.debug, self.exe)


class _Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(folder.cleanup)
        self.folder = os.path.realpath(folder.name)
        self.outside = os.path.join(self.folder, "outside")

    def made(self, name, *flags, **how):
        return Made(self.folder, name, *flags, **how)

    def trap(self, kind, path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if kind == "fifo":
            os.mkfifo(path)
        elif kind == "device":
            os.symlink("/dev/zero", path)
        else:
            os.symlink(self.outside, path)

    def traced(self, *command, own=(), sysroot=None, before=None, trace=True, status=0):
        """The document, having looked at every file that was opened."""
        log = os.path.join(self.folder, "log")
        words = ["strace", "-f", "-qq", "-y", "-s", "4096", "-e", "trace=open,openat,openat2,creat", "-o",
                 log] \
            if trace else []
        done = subprocess.run(words + [str(word) for word in command], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=SECONDS, preexec_fn=before,
                              universal_newlines=True)
        self.assertEqual(done.returncode, status, done.stderr)
        if trace:
            self.judge(log, [str(path) for path in own], sysroot)
        return json.loads(done.stdout)

    def show(self, *arguments, sysroot=None, **how):
        return self.traced(SHOW, *(("-s", sysroot) if sysroot else ()), *arguments, sysroot=sysroot, **how)

    def judge(self, log, own, sysroot):
        """Each call is understood, and one of these."""
        guarded = 0
        with open(log) as f:
            lines = f.read().splitlines()
        for line in lines:
            call = re.match(
                r'\d+ +(open|openat|openat2|creat)\((?:[^"]*, )?"([^"]*)"(.*) = '
                r'(-?\d+)(?:<(.*)>(\(deleted\))?)?', line)
            if not call:
                self.assertRegex(line, r"^\d+ +(---|\+\+\+)", "not understood")
                continue
            name, path, rest, _, opened, deleted = call.groups()
            if name == "openat2":
                guarded += 1
                self.assertIn("RESOLVE_IN_ROOT", rest)
                self.assertIn("O_PATH", rest)
                if sysroot and path != ".":
                    self.assertTrue(not opened or opened.startswith(sysroot), line)
            elif path in ("/", sysroot):
                self.assertIn("O_PATH|O_DIRECTORY", rest)
            elif path not in own:
                self.assertRegex(path, "^(%s)$" % "|".join(SYSTEM), line)
            if opened and "O_PATH" not in rest and not opened.startswith("/dev/urandom"):
                self.assertTrue(deleted or os.path.isfile(opened) or opened.startswith("/proc/"), line)
                self.assertNotEqual(opened, self.outside, line)
        self.assertGreater(guarded, 0)

    def problem(self, document, *words):
        texts = [" ".join(p) for p in document["problems"]]
        self.assertTrue(any(all(word in text for word in words) for text in texts), (words, texts))

    def name(self, document, address):
        return document["names"][address]["text"]

    def below(self, root, *made):
        """A sysroot with the files of MADE at their names."""
        for m in made:
            shutil.copytree(m.folder, root + m.folder, ignore=lambda *_: ["core"])


class Traps(_Case):
    """Each place by each trap."""

    def each(self):
        for kind in ("fifo", "device", "link"):
            yield kind, os.path.join(self.folder, "root-" + kind)

    def trapped(self, kind, root, m, path, *arguments, own=(), address=None):
        """PATH, as a target names it, is a trap: for a link only the sysroot ROOT makes it one."""
        self.trap(kind, (root if kind == "link" else "") + path)
        if kind == "link":
            document = self.show("-a", address or m.grid, *arguments, m.core, own=[m.core, *own],
                                 sysroot=root)
        else:
            document = self.show("-a", address or m.grid, *arguments, m.core, own=[m.core, *own])
            os.unlink(path)
        self.assertEqual(len(document["threads"]), 1)
        return document

    def test_debug_link(self):
        m = self.made("linked", strip=True)
        shutil.move(m.debug, self.outside)
        for kind, root in self.each():
            for at in ("", ".debug/"):
                here = root + at.strip("./")
                self.below(here, m)
                path = os.path.join(m.folder, at + "app.debug")
                document = self.trapped(kind, here, m, path)
                self.problem(document, path, "is not used")
                self.assertNotEqual(self.name(document, m.grid), "grid.locks[2]")
        # It is a debug file, and where it may lie it is used.
        shutil.copy(self.outside, m.debug)
        self.assertEqual(self.name(self.show("-a", m.grid, m.core, own=[m.core]), m.grid), "grid.locks[2]")

    def test_debug_directory(self):
        m = self.made("linked", strip=True)
        shutil.move(m.debug, self.outside)
        for kind, root in self.each():
            for at in (m.folder + "/app.debug", "/.build-id/%s/%s.debug" % (m.id[:2], m.id[2:])):
                here, debug = root + at[1:3], os.path.join(root + at[1:3], "dbg")
                self.below(here, m)
                self.trap(kind, debug + at)
                document = self.show("-a", m.grid, "-d", debug, m.core, own=[m.core, debug],
                                     sysroot=here if kind == "link" else None)
                self.problem(document, debug + at, "is not used")
                self.assertNotEqual(self.name(document, m.grid), "grid.locks[2]")
                os.unlink(debug + at)
                shutil.copy(self.outside, debug + at)
                document = self.show("-a", m.grid, "-d", debug, m.core, own=[m.core, debug],
                                     sysroot=here if kind == "link" else None)
                self.assertEqual(self.name(document, m.grid), "grid.locks[2]")

    def alternate(self, path):
        source = os.path.join(self.folder, "common.s")
        with open(source, "w") as f:
            f.write('.section .debug_str,"",@progbits\n.string ""\n.string "unit"\n.string "shared_name"\n'
                    '.section .debug_info,"",@progbits\n.long 0\n')
        run("gcc", "-shared", "-nostdlib", "-Wl,--build-id=0x" + ALT_ID.hex(), source, "-o", path)

    def test_alternate_file(self):
        self.alternate(self.outside)
        for number, name in enumerate(("common", "../common", os.path.join(self.folder, "absolute"),
                                       ".debug/x/common")):
            m = self.made("alt%d" % number, alt=name)
            path = os.path.normpath(os.path.join(m.folder, name))
            for kind, root in self.each():
                here = root + str(number)
                self.below(here, m)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                document = self.trapped(kind, here, m, path, address=m.shared)
                self.problem(document, name, "is missing")
                self.problem(document, name, "is not used")
                self.assertNotEqual(self.name(document, m.shared), "shared_name")
            shutil.copy(self.outside, path)
            document = self.show("-a", m.shared, m.core, own=[m.core])
            self.assertEqual((self.name(document, m.shared), document["problems"]), ("shared_name", []))

    def test_split(self):
        """Nothing opens a .dwo (docs/limits.md), and the answer says that it is not read."""
        for flags in (("-gsplit-dwarf",), ("-gsplit-dwarf", "-gdwarf-4")):
            m = self.made("split" + flags[-1], *flags)
            names = [n for n in os.listdir(m.folder) if n.endswith(".dwo")]
            self.assertEqual(len(names), 1)
            path = os.path.join(m.folder, names[0])
            shutil.move(path, self.outside)
            # The lines are in the program's own file.
            frames = json.dumps(self.show("-k", m.core, own=[m.core])["threads"][0]["stack"])
            self.assertIn('"main"', frames)
            self.assertIn('"opens.c"', frames)
            for kind, root in self.each():
                here = root + flags[-1]
                self.below(here, m)
                document = self.trapped(kind, here, m, path)
                if kind != "link":
                    self.assertEqual([why for _, why, _ in document["problems"]],
                                     ["It is in .dwo or .dwp files (-gsplit-dwarf)."])

    def test_program(self):
        """Named by the core."""
        m = self.made("program")
        shutil.move(m.exe, self.outside)
        for kind, root in self.each():
            document = self.trapped(kind, root, m, m.exe)
            self.problem(document, "The file %s is missing." % m.exe,
                         "leads to nothing in " + root if kind == "link" else "It is no regular file")

    def test_named_by_the_user(self):
        """A FIFO there does not make it wait either."""
        m = self.made("own")
        for kind in ("fifo", "device"):
            path = os.path.join(self.folder, kind)
            self.trap(kind, path)
            document = self.show("-a", m.grid, "-e", path, m.core, own=[m.core, path])
            self.problem(document, "The file %s is missing." % m.exe, "It is no regular file")


class Checks(_Case):
    def test_crc(self):
        """objcopy has computed it: without a build-id only that tells whether a debug file is the right
        one."""
        m = self.made("crc", "-Wl,--build-id=none", strip=True)
        self.assertIsNone(m.id)
        self.assertEqual(self.name(self.show("-a", m.grid, m.core, own=[m.core]), m.grid), "grid.locks[2]")
        with open(m.debug, "ab") as f:
            f.write(b"x")
        self.assertNotEqual(self.name(self.show("-a", m.grid, m.core, own=[m.core]), m.grid), "grid.locks[2]")
        # So large that its sum would take a minute: it is not the one.
        os.truncate(m.debug, 1 << 42)
        document = self.show("-a", m.grid, m.core, own=[m.core])
        self.problem(document, m.debug, "too large to be checked")
        self.assertNotEqual(self.name(document, m.grid), "grid.locks[2]")

    def test_another_build(self):
        m, other = self.made("one", strip=True), self.made("other", "-DOTHER=1", "-Wl,--build-id=0x1234",
                                                           strip=True)
        shutil.copy(other.debug, m.debug)
        self.assertNotEqual(self.name(self.show("-a", m.grid, m.core, own=[m.core]), m.grid), "grid.locks[2]")

    def test_links_inside_the_sysroot(self):
        """An absolute one is meant from the sysroot on, as the process saw it."""
        m = self.made("inside", strip=True)
        root = os.path.join(self.folder, "root")
        self.below(root, m)
        os.rename(root + m.debug, os.path.join(root, "elsewhere"))
        os.symlink("/elsewhere", root + m.debug)
        os.rename(root + m.exe, os.path.join(root, "moved"))
        os.symlink("/moved", root + m.exe)
        document = self.show("-a", m.grid, m.core, own=[m.core], sysroot=root)
        self.assertEqual(self.name(document, m.grid), "grid.locks[2]")
        # And beside what a link leads to.
        os.unlink(root + m.debug)
        os.rename(os.path.join(root, "elsewhere"), os.path.join(root, "app.debug"))
        document = self.show("-a", m.grid, m.core, own=[m.core], sysroot=root)
        self.assertEqual(self.name(document, m.grid), "grid.locks[2]")

    def test_process(self):
        """Its own root, its program also without a name."""
        m = self.made("live", strip=True)
        shutil.copy(m.debug, self.outside)
        process = subprocess.Popen([m.exe, "wait"], stdout=subprocess.PIPE, universal_newlines=True)
        try:
            address = hex(int(process.stdout.readline().split()[0]))
            document = self.show("-a", address, process.pid)
            self.assertEqual(self.name(document, address), "grid.locks[2]")
            os.unlink(m.debug)
            os.mkfifo(m.debug)
            document = self.show("-a", address, process.pid)
            self.problem(document, m.debug, "is not used")
            self.assertEqual(document["modules"][0]["file"], "/proc/%d/root%s" % (process.pid, m.exe))
            os.unlink(m.exe)
            os.mkfifo(m.exe)
            document = self.show("-a", address, process.pid)
            self.assertEqual(document["modules"][0]["file"], "/proc/%d/exe" % process.pid)
            for error in (errno.ENOSYS, errno.EPERM):
                document = self.show("-a", address, process.pid, before=refused(OPENAT2, error), trace=False)
                self.problem(document, REFUSED, os.strerror(error), "5.6", "seccomp")
                self.assertEqual(document["modules"][0]["file"], "/proc/%d/exe" % process.pid)
        finally:
            process.kill()
            process.wait()
            process.stdout.close()


class Refused(_Case):
    def test_core(self):
        m = self.made("refused")
        for error in (errno.ENOSYS, errno.EPERM, errno.EACCES):
            document = self.show("-a", m.grid, m.core, before=refused(OPENAT2, error), trace=False)
            self.problem(document, REFUSED, os.strerror(error), "5.6", "seccomp")
            # The kernel's own library has none, and is read from memory.
            self.assertEqual([m["path"] for m in document["modules"] if m["file"]], ["[vdso]"])
            self.assertEqual(len(document["problems"]), 1, "nothing is called missing")
            self.assertEqual(len(document["threads"]), 1)
            # What the user names is opened.
            document = self.show("-a", m.grid, "-e", m.exe, m.core, before=refused(OPENAT2, error),
                                 trace=False)
            self.problem(document, REFUSED)
            self.assertEqual(self.name(document, m.grid), "grid.locks[2]")


class Command(_Case):
    """A whole report, in which all names are looked for."""

    def test_report(self):
        folder = os.path.join(self.folder, "app")
        os.mkdir(folder)
        exe, debug = os.path.join(folder, "waits"), os.path.join(folder, "waits.debug")
        shutil.copy(os.path.realpath(gdbrun.find("corefiles/tests/heap_waits_gcc.exe")), exe)
        run("objcopy", "--only-keep-debug", exe, debug)
        run("objcopy", "--strip-debug", "--strip-unneeded", "--add-gnu-debuglink=" + debug, exe)
        os.rename(debug, self.outside)
        os.mkfifo(debug)
        libraries = os.path.dirname(gdbrun.find("corefiles/tests/libompcompanion.so.1"))
        process = subprocess.Popen([exe], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   preexec_fn=dump_core, env=dict(os.environ, LD_LIBRARY_PATH=libraries))
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stdin.close)
        try:
            self.assertTrue(process.stdout.readline())
            command = (OMPD, "report", "--json", "--ompd-library", LIBOMPD)
            document = self.traced(*command, "-p", process.pid, own=[LIBOMPD], status=1)
            self.report(document, debug)
        finally:
            process.send_signal(signal.SIGABRT)
            process.wait(SECONDS)
        core, = [os.path.join(folder, name) for name in os.listdir(folder) if name.startswith("core")]
        self.report(self.traced(*command, "--core", core, own=[LIBOMPD, core], status=1), debug)
        os.unlink(debug)
        os.rename(self.outside, debug)
        document = self.traced(*command, "--core", core, own=[LIBOMPD, core])
        self.assertIn("grid->locks[17]", [t["wait"]["name"] for t in document["threads"] if t["wait"]])

    def test_run(self):
        path = os.path.join(self.folder, "fifo")
        os.mkfifo(path)
        done = subprocess.run([OMPD, "run", "--", path], stderr=subprocess.PIPE, timeout=SECONDS)
        self.assertNotEqual(done.returncode, 0)
        done = subprocess.run([OMPD, "report", "--ompd-library", path, "-p", str(os.getppid())],
                              stderr=subprocess.PIPE, timeout=SECONDS)
        self.assertRegex(done.stderr, b"The OMPD library .* is not a regular file")
        self.assertEqual(done.returncode, 2)

    def report(self, document, debug):
        self.assertEqual([p["what"] for p in document["problems"]],
                         ["The debug file %s is not used for %s" % (debug, debug[:-len(".debug")])])
        self.assertGreater(len([t for t in document["threads"] if t["wait"]]), 5)


if __name__ == "__main__":
    xmltest.main()
