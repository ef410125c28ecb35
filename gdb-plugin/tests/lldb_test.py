# SPDX-License-Identifier: Apache-2.0
"""ompd_lldb.py in lldb: the targets' own truth, live and in kernel cores; each view; errors."""

import glob
import json
import os
import re
import resource
import shutil
import subprocess
import tempfile
import unittest

import compare
import damaged
import gdbrun
import xmltest

PLUGIN = os.path.join(gdbrun.ROOT, "gdb-plugin", "ompd_lldb.py")
LLDB = "lldb-19" if shutil.which("lldb-19") else "lldb"
DIR = os.path.dirname(gdbrun.find("test-targets/parallel_clang.exe"))
with open(gdbrun.find("test-targets/targets.json")) as _f:
    TARGETS = {one["name"]: one for one in json.load(_f)["targets"]}
# What the callback `reg` of each thread answers.
REGISTERS = ("script import ompd_lldb; h = ompd_lldb.Host(ompd_lldb.library.get(), lldb.process); "
             "print([h._register(t, 'rip') for t in lldb.process])")
# What the host answers of a live process, by the kernel and by lldb.
ANSWERS = """
import json, types
import lldb, ompd_lldb

def answers(_debugger, _line, context, result, _dictionary):
    process = context.process
    library = ompd_lldb.library.get()
    host = ompd_lldb.Host(library, process)
    lwp = process.GetThreadAtIndex(0).GetThreadID()

    def asked(name, *arguments, outputs=0):
        values = [[None] for _ in range(outputs)]
        return [getattr(host, name)(*arguments, *values)] + [one for one, in values]

    said = {"absent": [name for name in library.callbacks if not hasattr(host, name)]}
    said["struct"] = [name for name in library.callbacks if not getattr(host.struct, name)]
    parent = process.GetProcessInfo().GetParentProcessID()
    said["parent"] = asked("task", parent, outputs=2), parent
    said["no task"] = asked("task", 2**22 - 1, outputs=2)[0], asked("task", -1, outputs=2)[0]
    said["environment"] = []
    while not (one := asked("environment", len(said["environment"]), outputs=1))[0]:
        said["environment"].append(one[1].decode())
    said["after"] = one[0]
    row = types.SimpleNamespace()
    said["kernel"] = [host.kernel(lwp, [row]), {k: str(v) for k, v in vars(row).items()}]
    said["ended"] = [host.kernel(2**22 - 1, [row]), host.system_call(2**22 - 1, [row])]
    for module in process.GetTarget().module_iter():
        made = [one for one in module if one.IsSynthetic() and one.GetType() == lldb.eSymbolTypeCode]
        if made:
            addr = made[0].GetStartAddress().GetLoadAddress(process.GetTarget())
            rc, place = host.place(addr + 1, [row]), [row.symbol, row.offset, row.module.decode()]
            said["unnamed"] = [rc, place, module.GetFileSpec().fullpath]
    result.AppendMessage(json.dumps(said))
"""
VIEWS = ("threads", "parallel", "tasks", "waits", "icvs", "stacks", "report", "status")


class Lldb(unittest.TestCase):
    maxDiff = None

    def folder(self):
        made = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(made.cleanup)
        return made.name

    def lldb(self, commands, *arguments, env=None, timeout=120):
        """What lldb prints for each of the commands, in order, and the rest."""
        command = [LLDB, "-x", "-b"]
        for one in ["settings set use-color false", "settings set stop-line-count-before 0",
                    "command script import " + PLUGIN] + list(commands):
            command += ["-o", one]
        env = dict(os.environ, HOME=self.folder(), **(env or {}))
        done = subprocess.run(command + list(arguments), env=env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, universal_newlines=True, timeout=timeout)
        self.assertNotIn("Traceback", done.stdout)
        self.assertEqual(done.returncode in (0, 1), True, done.stdout)
        return done.stdout

    def answers(self, text):
        """{command: what lldb has printed for it}; the program's own word may come in between."""
        text = re.sub(r"^TRUTH .*\n", "", text, flags=re.MULTILINE)
        return dict(re.findall(r"^\(lldb\) (.*)\n((?:(?!\(lldb\) ).*\n?)*)", text, re.MULTILINE))

    def env(self, target, **more):
        return dict(target["env"], TRUTH_HOLD_SECONDS="60", TRUTH_TIMEOUT="30", **more)

    def live(self, name, *commands):
        """(truth, answers) of a target held under lldb."""
        target = TARGETS[name]
        text = self.lldb(["breakpoint set -n held", "run"] + list(commands) + ["process kill"], "--",
                         os.path.join(DIR, target["exe"]), *target["args"], env=self.env(target))
        return compare.read_truth(text), self.answers(text)

    def test_frames_of_the_runtime_are_hidden(self):
        """By lldb 20 and later; the others show them. `bt -u` shows them in each."""
        said = subprocess.run([LLDB, "--version"], stdout=subprocess.PIPE, universal_newlines=True).stdout
        hides = int(re.search(r"version (\d+)", said)[1]) >= 20
        commands = ("thread backtrace all", "thread backtrace all -u") if hides else ("thread backtrace all",)
        truth, found = self.live("deadlock_gcc", *commands)
        whole = re.sub(r"0x[0-9a-f]+", "", found[commands[-1]])
        self.assertIn("libompcompanion.so", whole)
        if not hides:
            return
        self.assertNotIn("libompcompanion.so", found[commands[0]])
        kept = [line.split("`")[1] for line in whole.splitlines() if "`" in line and "libompc" not in line]
        shown = re.sub(r"0x[0-9a-f]+", "", found[commands[0]])
        shown = [line.split("`")[1] for line in shown.splitlines() if "`" in line]
        self.assertEqual(shown, kept)

    def report(self, found):
        """lldb may print what has stopped at any time, also before or behind the answer."""
        text = found["ompd report -json"]
        begin = re.search(r"^\{", text, re.MULTILINE)
        self.assertIsNotNone(begin, text)
        return json.JSONDecoder().raw_decode(text[begin.start():])[0]

    def test_live(self):
        for name in ("deadlock", "deadlock_gcc", "nested_gcc", "task_lock", "depend", "barrier", "idle",
                     "f_nested",
                     "foreign"):
            with self.subTest(name):
                truth, found = self.live(name, "ompd report -json")
                self.assertIsNotNone(truth)
                self.assertEqual(compare.compare(truth, self.report(found), names=True), [])

    def core(self, name):
        """(truth, program, core) of a target that has ended with a kernel core."""
        target, folder = TARGETS[name], self.folder()
        for one in [target["exe"], "libompcompanion.so.1"]:
            shutil.copy(os.path.realpath(os.path.join(DIR, one)), os.path.join(folder, one))
        limit = resource.getrlimit(resource.RLIMIT_CORE)[1]
        resource.setrlimit(resource.RLIMIT_CORE, (limit, limit))
        # As Linux has it without a setting: pages of files that were not written are left out.
        with open("/proc/self/coredump_filter", "w") as f:
            f.write("0x33")
        program = os.path.join(folder, target["exe"])
        os.chmod(program, 0o755)
        env = dict(os.environ, **self.env(target, TRUTH_CORE="1"))
        done = subprocess.run([program] + target["args"], cwd=folder, env=env, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, universal_newlines=True, timeout=90)
        cores = glob.glob(os.path.join(folder, "core*"))
        self.assertEqual(len(cores), 1, "no core; core_pattern must be a plain file name")
        return compare.read_truth(done.stdout), program, cores[0]

    def test_core(self):
        for name in ("deadlock", "task_lock_gcc", "crash_segv"):
            with self.subTest(name):
                truth, program, core = self.core(name)
                commands = ["ompd report -json", "ompd threads", "ompd icvs"]
                found = self.answers(self.lldb(commands, program, "-c", core))
                report = self.report(found)
                self.assertEqual(compare.compare(truth, report, names=True), [])
                self.assertTrue(report["process"]["core"])
                self.assertIn("Region", found["ompd threads"])
                # A constant of the runtime's: the core has it in its file only.
                self.assertRegex(found["ompd icvs"], r"affinity-format-var +address_space +OMP: pid")

    def test_another_file(self):
        """Of a library that is another one by now nothing is read."""
        _, program, core = self.core("deadlock")
        path = os.path.join(os.path.dirname(program), "libompcompanion.so.1")
        with open(path, "rb") as f:
            data = f.read()
        at = data.index(b"GNU\0") + 4  # the build-id, in the first note
        with open(path + ".new", "wb") as f:
            f.write(data[:at] + bytes([data[at] ^ 255]) + data[at + 1:])
        # lldb looks for a file with the core's build-id itself; the first page of this one is in the core.
        os.rename(path + ".new", path)
        text = self.lldb(["ompd icvs", "ompd waits"], program, "-c", core)
        self.assertNotIn("OMP: pid", text)
        self.assertNotIn("itself failed", text)

    def test_damaged_cores(self):
        """Impossible registers and stacks, or none: each view answers, and the rest is still right."""
        truth, program, path = self.core("nested_gcc")
        with open(path, "rb") as f:
            data = f.read()
        core = damaged.Core(data)
        damages = damaged.damages(core) + damaged.short_notes(core)
        commands, registers = [], "script print([t.frame[0].FindRegister('rip').value for t in lldb.process])"
        for i, (what, edits) in enumerate(damages):
            one = "%s.%d" % (path, i)
            with open(one, "wb") as f:
                f.write(damaged.edited(data, edits))
            commands += ["script print(%r)" % ("== " + what), "target create %s -c %s" % (program, one),
                         registers,
                         REGISTERS, *("ompd %s -all" % view for view in VIEWS), "ompd report -json",
                         "target delete --all"]
        text = self.lldb(commands, timeout=400)
        self.assertNotIn("itself failed", text)
        parts = dict(part.split("\n", 1) for part in text.split("\n== ")[1:])
        self.assertEqual(list(parts), [what for what, _ in damages])
        for what, part in parts.items():
            with self.subTest(what):
                found = self.answers(part)
                self.assertNotIn("error:", part)
                for view in VIEWS:
                    self.assertTrue(found["ompd %s -all" % view].strip(), view)
                theirs, ours = json.loads(found[registers].replace("None", "null").replace("'", '"')), \
                    json.loads(found[REGISTERS].replace("None", "null"))
                # A register that lldb does not have is not 0.
                self.assertEqual([one and int(one, 16) for one in theirs], ours)
                if what.startswith(("rip", "rsp", "rbp", "short", "the stack", "each", "words")):
                    # The pthread_t of a thread is in its registers.
                    wrong = [one for one in compare.compare(truth, self.report(found), names=True)
                             if not (what.startswith("short") and "pthread is None" in one)]
                    self.assertEqual(wrong, [])
        self.assertTrue(any("[None" in self.answers(part)[REGISTERS] for part in parts.values()))

    def test_views(self):
        _, found = self.live("deadlock", *["ompd %s%s" % (view, option) for view in VIEWS
                                           for option in ("", " -json")])
        for view in VIEWS:
            self.assertEqual(json.loads(found["ompd %s -json" % view])["schema"], 1)
            text = found["ompd " + view]
            self.assertTrue(text.strip(), view)
            # Paths are not cut.
            self.assertLessEqual(max(len(one) for one in text.splitlines() if "/" not in one), 80, text)
        self.assertIn("lock right, held by thread", found["ompd threads"])
        self.assertIn("parallel at deadlock.c:13", found["ompd parallel"])
        self.assertTrue(found["ompd waits"].startswith("Deadlock: "))
        # lldb's own numbers and selection are those of the list.
        self.assertIn("region created by thread 1", found["ompd stacks"])

    def test_what_threads_do(self):
        """Each list says what a thread does, and names functions as the user has written them."""
        _, found = self.live("nested_gcc", *("ompd " + view for view in VIEWS))
        self.assertRegex(found["ompd threads"], r"\n[* ] +1 +\d+ +0/3 .* in pause +a signal\b")
        self.assertRegex(found["ompd parallel"], r"thread 1 \(LWP \d+\) +in pause for a signal")
        self.assertRegex(found["ompd tasks"], r"implicit +in pause +\d+ +1 +main +nested.c:\d+")
        self.assertRegex(found["ompd stacks"], r"thread 1 \(LWP \d+\): in pause for a signal")
        for view in VIEWS:
            self.assertNotRegex(found["ompd " + view], "omp_fn|outlined|unnamed_symbol")
        # The body of clang's construct has a name that does not tell whose it is.
        _, found = self.live("deadlock", "ompd threads", "ompd waits")
        self.assertRegex(found["ompd threads"], r"at deadlock.c:\d+\s+in main")
        self.assertNotRegex("".join(found.values()), "ompd.*outlined")

    def test_host(self):
        path = os.path.join(self.folder(), "answers.py")
        with open(path, "w") as f:
            f.write(ANSWERS)
        # libgfortran is stripped: lldb makes names up for its functions.
        commands = ["command script import " + path, "command script add -o -f answers.answers answers"]
        _, found = self.live("f_nested", *commands, "answers")
        said = json.loads(found["answers"])
        # docs/lldb.md says so. A new member of struct insp_host is looked at here first.
        absent = ["lookup_tls", "mapping", "signal", "allowed", "local", "own_line"]
        self.assertEqual(said["absent"], absent)
        self.assertEqual(said["struct"], absent)
        (rc, pid, parent), expected = said["parent"]
        self.assertEqual([rc, pid, parent], [0, expected, 1])
        self.assertEqual(said["no task"], [1, 1])
        self.assertIn("TRUTH_HOLD_SECONDS=60", said["environment"])
        self.assertEqual(said["after"], 1)
        rc, kernel = said["kernel"]
        self.assertEqual([rc, kernel["state"], kernel["target_tid"]], [0, str(b"\0"), "0"])
        self.assertEqual(said["ended"], [1, -1])
        rc, (symbol, offset, module), file = said["unnamed"]
        self.assertEqual([rc, symbol, offset, module], [0, None, 0, file])

    def test_the_selection_stays(self):
        _, found = self.live("nested", "thread select 3", "frame select 1", "ompd report", "frame info",
                             "ompd threads")
        self.assertRegex(found["frame info"], "frame #1")
        self.assertRegex(found["ompd threads"], r"\n\* +3 ")

    def test_errors(self):
        for command, sentence in (("ompd threads", "The program is not being run"),
                                  ("ompd nonsense", 'does not take "nonsense"'),
                                  ("ompd threads -x", 'does not take "-x"'), ("ompd", "Usage: ompd threads")):
            text = self.lldb([command], os.path.join(DIR, TARGETS["serial"]["exe"]))
            self.assertRegex(text, "error: .*" + re.escape(sentence))
        self.assertIn("-json", self.lldb(["help ompd"]))

    def test_without_openmp(self):
        text = self.lldb(["breakpoint set -n held", "run", "ompd threads", "process kill"], "--",
                         gdbrun.find("gdb-plugin/tests/threads"), "2")
        self.assertRegex(self.answers(text)["ompd threads"], "No|no")


if __name__ == "__main__":
    xmltest.main()
