# SPDX-License-Identifier: Apache-2.0
"""Names of locks in the heap: each must be what the program itself wrote to reach the lock (heap.cc,
heap_f.f90, heap_waits.cc, spelled.cc, spelled_f.f90), or none where no type leads there.
"""

import json
import os
import subprocess
import tempfile
import unittest

import damage
import gdbrun
import xmltest

SHOW = gdbrun.find("corefiles/tests/show")
OMPD = gdbrun.find("command/ompd")
LIBOMPD = gdbrun.find("ompd/libompd.so.1")
HEAP = ("heap_gcc", "heap_clang", "heap_gcc_optimised", "heap_clang_optimised", "heap_gfortran",
        "heap_flang")
WAITS = ("heap_waits_gcc.exe", "heap_waits_clang.exe", "heap_waits_optimised_gcc.exe",
         "heap_waits_optimised_clang.exe")
POINTED = 2
# In GDB, of a program that knows no OpenMP: [name of the address] as the first thread sees it.
ASK = """
from ompd_common import library
from ompd_gdb import host
lib = library.get()
asked, why, one = host.Host(lib, gdb.selected_inferior()), lib.ctypes.c_void_p(), lib.Object()
session = lib.open(lib.ctypes.byref(asked.struct), None, lib.ctypes.byref(why))
viewers = (lib.Viewer * 1)((gdb.selected_inferior().threads()[0].ptid[1], 0))
def name(address):
    with asked.asking():
        return one.text.decode() if lib.name(session, address, viewers, 1, one) == 0 else None
say([name(address) for address in %s])
lib.close(session)
"""
SECONDS = 60
LLDB = "lldb-19"
LLDB_PLUGIN = os.path.join(gdbrun.ROOT, "gdb-plugin", "ompd_lldb.py")
# What the names say, by GDB; 0 for none.
VALUES = """
say([int(gdb.parse_and_eval("(long)&(%%s)" %% name)) if name else 0 for name in %s])
"""
# Names that GDB could evaluate only by calling operators of the program's.
WRAPPED = ("owner.", "common", "array", "plain")
CORES = 10


def answer(*command):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=SECONDS, universal_newlines=True)
    if done.returncode or done.stderr:
        raise AssertionError("status %d: %s" % (done.returncode, done.stderr))
    return json.loads(done.stdout)


def by_lldb(*source):
    """What `ompd threads -all -json` answers in lldb."""
    done = subprocess.run([LLDB, "-x", "-b", "-o", "settings set use-color false", "-o",
                           "command script import " + LLDB_PLUGIN, *source, "-o",
                           "ompd threads -all -json"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, timeout=SECONDS, universal_newlines=True,
                          env=dict(os.environ, HOME=os.environ.get("TEST_TMPDIR", "/tmp")))
    return json.loads(done.stdout.partition("(lldb) ompd threads -all -json\n")[2])


class _Case(unittest.TestCase):
    longMessage = True
    maxDiff = None

    def start(self, name):
        """A running program, its truth, and a core of it."""
        process = subprocess.Popen([os.path.realpath(gdbrun.find("corefiles/tests/" + name))],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, universal_newlines=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stdin.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        truth = json.loads(process.stdout.readline())
        folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(folder.cleanup)
        made = os.path.join(folder.name, "gcore")
        subprocess.run(["gcore", "-o", made, str(process.pid)], stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, timeout=SECONDS, check=True)
        return process.pid, truth, "%s.%d" % (made, process.pid)


class Variables(_Case):
    """From global variables."""

    def check(self, name):
        pid, truth, core = self.start(name)
        words = [word for address, _ in truth["names"] for word in ("-a", hex(address))]
        wanted = [text for _, text in truth["names"]]
        if name == "heap_flang":  # which describes no derived types
            wanted = ["" if "%" in text else text for text in wanted]
        for source in (pid, core):
            names = answer(SHOW, "-v", *words, source)["names"]
            found = [names[hex(address)] for address, _ in truth["names"]]
            self.assertEqual([n["text"] if n["kind"] == POINTED else "" for n in found], wanted)
        exe = os.path.realpath(gdbrun.find("corefiles/tests/" + name))
        said = gdbrun.gdb(ASK % [address for address, _ in truth["names"]], [exe, core])
        self.assertEqual(said.problems(), [], str(said))
        found = ["" if text in ("(in the heap)", "(in allocated memory)") else text for text in said.said[0]]
        self.assertEqual(found, wanted, str(said))


class Damaged(_Case):
    """Pointers that lead anywhere: what is named is what the expression says, and GDB says the same."""

    def test_names(self):
        exe = os.path.realpath(gdbrun.find("corefiles/tests/heap_gcc"))
        _, truth, core = self.start("heap_gcc")
        addresses = [address for address, _ in truth["names"]]
        words = [word for address in addresses for word in ("-a", hex(address))]
        brk = [address for address, text in truth["names"] if text != "several[99999]"]
        script, named = "", []
        for seed in range(CORES):
            copy = "%s.%d" % (core, seed)
            damage.damaged(core, copy, min(brk) & ~0xfff, max(brk) + 0x1000, seed)
            names = answer(SHOW, "-v", *words, copy)["names"]
            found = [names[hex(address)] for address in addresses]
            named.append([n["text"] if n and n["kind"] == POINTED else "" for n in found])
            script += "gdb.execute('core-file %s', to_string=True)\n" % copy + ASK % addresses + VALUES % [
                n if not n.lstrip("(*").startswith(WRAPPED) else "" for n in named[-1]]
        said = gdbrun.gdb(script, [exe], timeout=SECONDS)
        self.assertEqual(said.problems(), [], str(said))
        self.assertEqual(len(said.said), 2 * CORES, str(said))
        for seed in range(CORES):
            names, values = said.said[2 * seed], said.said[2 * seed + 1]
            self.assertEqual(["" if text is None or text.startswith("(") and text.endswith("memory)") or
                              text == "(in the heap)" else text for text in names], named[seed], seed)
            self.assertEqual([value or address for address, value in zip(addresses, values)], addresses, seed)
        # The damage is neither nothing nor all.
        count = sum(name != "" for one in named for name in one)
        self.assertTrue(CORES * len(addresses) // 10 < count < CORES * len(addresses) * 9 // 10, count)


class Waits(_Case):
    """From variables of the functions that wait, by the command, GDB and lldb."""

    def check(self, name):
        pid, truth, core = self.start(name)
        for option, source in (("--pid", pid), ("--core", core)):
            document = answer(OMPD, "report", "--json", "--ompd-library", LIBOMPD, option, source)
            rows = {row["lwp"]: row["wait"] for row in document["threads"]}
            for tid, address, text in truth["waits"]:
                self.assertEqual(int(rows[tid]["id"], 16), address)
                self.assertEqual(rows[tid]["name"], text or "(in the heap)")
            self.assertIn("grid->locks[17]", " ".join(edge["because"] for edge in document["edges"]))
            text = subprocess.run([OMPD, "waits", "--ompd-library", LIBOMPD, option, str(source)], check=True,
                                  stdout=subprocess.PIPE, timeout=SECONDS, universal_newlines=True).stdout
            for _, _, words in truth["waits"]:
                self.assertIn(words or "(in the heap)", text)
        exe = os.path.realpath(gdbrun.find("corefiles/tests/" + name))
        for arguments in ([exe, "-p", str(pid)], [exe, core]):
            said = gdbrun.gdb('before = selection()\nsay(document("ompd report -json"))\n'
                              'say([before, selection(), run("ompd waits")])', arguments)
            self.assertEqual(said.problems(), [], str(said))
            other, (before, after, (text, error)) = said.said
            self.assertEqual((before, error), (after, None))
            for _, _, words in truth["waits"]:
                self.assertIn(words or "(in the heap)", text)
            self.assertEqual({row["lwp"]: row["wait"] and row["wait"]["name"] for row in other["threads"]},
                             {row["lwp"]: row["wait"] and row["wait"]["name"] for row in document["threads"]})

        for source in (["-o", "process attach -p %d" % pid],
                       ["-o", "target create %s -c %s" % (exe, core)]):
            names = {row["lwp"]: row["wait"]["name"] for row in by_lldb(*source)["threads"] if row["wait"]}
            self.assertEqual(names, {tid: text or "(in the heap)" for tid, _, text in truth["waits"]})

    def test_moving(self):
        """A process that goes on has no stacks: only global variables lead somewhere."""
        pid, truth, _ = self.start("heap_waits_gcc.exe")
        document = answer(OMPD, "report", "--json", "--no-stop", "--ompd-library", LIBOMPD, "--pid", pid)
        names = {row["lwp"]: row["wait"]["name"] for row in document["threads"] if row["wait"]}
        self.assertEqual([names[tid] for tid, _, _ in truth["waits"]],
                         [text if text.startswith(("grid", "store")) else "(in the heap)"
                          for _, _, text in truth["waits"]])


class Spelled(_Case):
    """Locks in all sorts of objects: in `ompd`, in GDB and in lldb what the source calls them."""

    def check(self, name):
        pid, truth, core = self.start(name)
        exe = os.path.realpath(gdbrun.find("corefiles/tests/" + name))
        wanted = {tid: text for tid, _, text in truth["waits"]}
        for option, source, arguments in (("--pid", pid, [exe, "-p", str(pid)]),
                                          ("--core", core, [exe, core])):
            ours = answer(OMPD, "threads", "--all", "--json", "--ompd-library", LIBOMPD, option, source)
            said = gdbrun.gdb('say(document("ompd threads -all -json"))', arguments)
            self.assertEqual(said.problems(), [], str(said))
            documents = [ours, said.said[0]]
            if "gfortran" not in name:  # of which lldb has no types
                documents.append(by_lldb("-o", "process attach -p %d" % pid if option == "--pid" else
                                         "target create %s -c %s" % (exe, core)))
            for document in documents:
                waiting = [row for row in document["threads"] if row["wait"]]
                self.assertEqual({row["lwp"]: row["wait"]["name"] for row in waiting}, wanted)


def _add(kind, name):
    setattr(kind, "test_" + name.split(".")[0], lambda self: self.check(name))


for _name in HEAP:
    _add(Variables, _name)
for _name in WAITS:
    _add(Waits, _name)
for _name in ("spelled_gcc.exe", "spelled_clang.exe", "spelled_f_gfortran.exe"):
    _add(Spelled, _name)

if __name__ == "__main__":
    xmltest.main()
