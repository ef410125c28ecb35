# SPDX-License-Identifier: Apache-2.0
"""`ompd stacks --locals`: the values that the program has printed itself, of a process, of gcore's core and
of the kernel's; and GDB's `ompd stacks -locals`.

    values_test.py SHARED-LIBRARY
"""

import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile

import gdbrun
import installed
import ompd_schema
import xmltest

SHARED = os.path.abspath(sys.argv.pop(1))
# What has no value says why. gcc's own debug information is wrong about some of what it has inlined; what
# GDB shows is the same then.
WHY = re.compile(r"optimised out|not known: .*")


class Values(installed.Case):
    def built(self, compiler, source, *options, stock=False):
        folder = tempfile.mkdtemp(dir=installed.FOLDER)
        program = os.path.join(folder, "program")
        source = gdbrun.find("corefiles/tests/" + source)
        command = [compiler, "-g", "-fopenmp", *options, source, "-o", program]
        if not stock:
            for name in ("libomp.so", "libgomp.so.1"):
                os.symlink(os.path.realpath(SHARED), os.path.join(folder, name))
            os.symlink(os.path.realpath(SHARED), os.path.join(folder, "libompcompanion.so.1"))
            command += ["-I", os.path.join(gdbrun.ROOT, "include"), "-L", folder, "-Wl,-rpath," + folder]
        subprocess.run(command, check=True)
        return program

    def started(self, program):
        unlimited = (resource.RLIM_INFINITY,) * 2
        process = subprocess.Popen([program], stdout=subprocess.PIPE, universal_newlines=True,
                                   cwd=os.path.dirname(program),
                                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, unlimited),
                                   env=dict(os.environ, OMP_WAIT_POLICY="passive"))
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.addCleanup(process.stdout.close)
        line = process.stdout.readline()
        self.assertTrue(line.startswith("TRUTH "), line)
        return process, json.loads(line[len("TRUTH "):])

    def asked(self, *source, until=3):
        """The document, once all three threads stand in the region."""
        for _ in range(200):
            document = json.loads(self.ok("stacks", *source, "--locals", "--json", status=None).stdout)
            if sum("hold" in [f["function"].rpartition("::")[2] for f in s["frames"] if f["function"]]
                   for s in document["stacks"]) == until:
                ompd_schema.check(document)
                return document
        raise AssertionError(document)

    def ok(self, *arguments, status=0, **more):
        done = installed.run(*arguments, **more)
        self.assertIn(done.returncode, (0, 1) if status is None else (status,), done.stderr)
        return done

    def of(self, document, function):
        """The variables of the outermost frames of that function, one list for each thread that has one."""
        for stack in document["stacks"]:
            found = [f for f in stack["frames"] if (f["function"] or "").rpartition("::")[2] == function]
            if found:
                yield found[-1]["locals"]

    def judge(self, document, truth, exact=True):
        own, = [rows for rows in self.of(document, "work") if any(row["name"] == "pass" for row in rows)]
        found = {row["name"]: row for row in own}
        self.assertLessEqual(set(truth), set(found))
        values = {name: row["value"] for name, row in found.items()
                  if name in truth and (exact or row["value"] is not None)}
        self.assertEqual(values, {name: truth[name] for name in values})
        for row in own:
            if row["value"] is None:
                self.assertRegex(row["why"], WHY, row["name"])
        arguments = {"pass", "text", "grid", "label", "given", "word"}
        self.assertEqual({row["name"] for row in own if row["argument"]}, arguments & set(found))
        # No name that compilers make up.
        self.assertEqual([name for name in found if not re.match(r"[A-Za-z_]\w*$", name)], [])

    def each_way(self, program, exact=True):
        process, truth = self.started(program)
        live = self.asked("--pid", process.pid)
        self.judge(live, truth, exact)
        core = os.path.join(os.path.dirname(program), "gcore")
        subprocess.run(["gcore", "-o", core, str(process.pid)], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        self.judge(self.asked("--core", "%s.%d" % (core, process.pid)), truth, exact)
        return process, truth, live

    def test_cxx_gcc(self):
        process, truth, live = self.each_way(self.built("g++", "values.cc"))
        held = sorted(rows[0]["value"] for rows in self.of(live, "hold"))
        self.assertEqual(held, ["0", "100", "200"])
        text = self.ok("stacks", "--pid", process.pid, "--locals", "--elements", 2).stdout
        self.assertIn("          numbers = {1, 2, ... 10 more}\n", text)
        self.assertIn('          many = "%s"...\n' % ("z" * 16), text)
        # Equal stacks share their lines only if all variables are equal too.
        self.assertEqual(text.count("mine = 100"), 2)
        self.assertNotIn("mine", self.ok("stacks", "--pid", process.pid).stdout)
        answer = gdbrun.gdb("say(document('ompd stacks -locals -json')); say(run('ompd stacks')[0])",
                            ["-p", str(process.pid)])
        self.assertEqual(answer.problems(), [], str(answer))
        own, = [rows for rows in self.of(answer.said[0], "work")
                if any(row["name"] == "pass" for row in rows)]
        shown = {row["name"]: row["value"] for row in own}
        # GDB writes some otherwise.
        for name in ("pass", "small", "large", "colour", "none", "yes", "letter", "text", "label", "grid",
                     "matrix", "points", "vary", "either", "empty", "many"):
            self.assertEqual(shown[name], truth[name], name)
        self.assertNotIn("mine", answer.said[1])

    def test_cxx_optimised(self):
        self.each_way(self.built("g++", "values.cc", "-O2"), exact=False)

    def test_cxx_clang_on_a_kernel_core(self):
        process, truth = self.started(self.built("clang++", "values.cc", "-fstandalone-debug"))
        self.asked("--pid", process.pid)
        process.send_signal(signal.SIGQUIT)
        process.wait()
        core = os.path.join(os.path.dirname(process.args[0]), "core")
        found = [core] if os.path.exists(core) else [core + ".%d" % process.pid]
        if not os.path.exists(found[0]):
            self.skipTest("the kernel writes cores elsewhere")
        self.judge(self.asked("--core", found[0]), truth)

    def test_fortran_on_libgomp(self):
        self.each_way(self.built("gfortran", "values_f.f90", stock=True))

    def test_usage(self):
        for arguments, said in ((("--elements", "3", "--pid", "1"), "--elements needs --locals."),
                                (("--locals", "--snapshot", "x"), "A snapshot has no values of variables"),
                                (("--locals", "--elements", "201", "--pid", "1"), "--elements")):
            done = self.ok("stacks", *arguments, status=64)
            self.assertIn(said, done.stderr)


if __name__ == "__main__":
    xmltest.main()
