# SPDX-License-Identifier: Apache-2.0
"""`ompd print` and GDB's `ompd print -team` of variables that each thread has for itself, of those that
another file defines, and of a Fortran module's, against what each thread has written. Programs of g++, clang
and gfortran, living and in a core."""
import json
import os
import subprocess

import compare
import gdbrun
import xmltest
from installed import Case, FOLDER

HERE = os.path.dirname(os.path.abspath(__file__))
LIBRARIES = os.path.join(FOLDER, "prefix/lib/ompcompanion")


class ThreadLocal(Case):
    def build(self, compiler, *sources):
        program = os.path.join(FOLDER, compiler)
        paths = [os.path.join(HERE, source) for source in sources]
        subprocess.run([compiler, "-g", "-O0", "-fopenmp", *paths, "-L" + LIBRARIES,
                        "-Wl,-rpath," + LIBRARIES, "-o", program], check=True)
        return program

    def values(self, names, *source):
        """{name: {thread number: value, or why there is none}}"""
        found = {}
        for name in names:
            rows = json.loads(self.ok("print", "--json", name, *source).stdout)["team"]
            found[name] = {row["thread_num"]: row["value"] or row["why"] for row in rows
                           if row["thread_num"] is not None}
        return found

    def values_in_gdb(self, names, arguments):
        script = "".join('say(document("ompd print -team -json %s"))\n' % name for name in names)
        answer = gdbrun.gdb('gdb.execute("thread 1")\n' + script, arguments)
        self.assertEqual(answer.problems(), [], str(answer))
        return {name: {row["thread_num"]: row["value"] or row["why"] for row in one["team"]}
                for name, one in zip(names, answer.said)}

    def check(self, program, columns, constants):
        """COLUMNS: names of what each thread writes behind its number."""
        names = [*columns, *constants]
        with subprocess.Popen([program], stdout=subprocess.PIPE, universal_newlines=True,
                              env=dict(os.environ, OMP_WAIT_POLICY="passive")) as process:
            try:
                rows = [process.stdout.readline().split() for _ in range(3)]
                truth = {name: {int(row[0]): row[i + 1] for row in rows} for i, name in enumerate(columns)}
                truth.update((name, dict.fromkeys(range(3), value)) for name, value in constants.items())
                self.assertEqual(sorted(truth[names[0]]), [0, 1, 2])
                compare.until_all_sleep(process.pid)
                self.assertEqual(self.values(names, "-p", str(process.pid)), truth)
                self.assertEqual(self.values_in_gdb(names, ["-p", str(process.pid)]), truth)
                path = os.path.join(FOLDER, "core")
                subprocess.run(["gcore", "-o", path, str(process.pid)], check=True,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            finally:
                process.kill()
        self.assertEqual(self.values(names, "--core", "%s.%d" % (path, process.pid)), truth)

    CXX = ("seed", "settings::Store::level")
    CONSTANTS = {"hidden": "7", "settings::steps": "12"}

    def test_gcc(self):
        self.check(self.build("g++", "thread_local.cc", "thread_local_far.cc"), (*self.CXX, "far_own"),
                   {**self.CONSTANTS, "far_away": "77"})

    def test_clang(self):
        """clang does not describe what is only declared."""
        self.check(self.build("clang++", "thread_local.cc", "thread_local_far.cc"), self.CXX, self.CONSTANTS)

    def test_fortran(self):
        program = self.build("gfortran", "thread_local_f.f90")
        self.check(program, ("seed",), {"steps": "12", "params::twice": "1", "other::twice": "2"})


if __name__ == "__main__":
    xmltest.main()
