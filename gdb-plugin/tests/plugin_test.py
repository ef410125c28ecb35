# SPDX-License-Identifier: Apache-2.0
"""The extension in a real GDB, over programs without OpenMP and a libompdinspect that gives the host's
answers back."""

import glob
import os
import resource
import shutil
import signal
import subprocess
import time

import gdbrun
import xmltest
from fake_case import Case, FAKE, HELD, REPORT, THREADS

COMMANDS = ("threads", "parallel", "tasks", "waits", "icvs", "stacks", "report", "status")
LISTERS = ["ompd " + command for command in COMMANDS]


class Loading(Case):
    def test_silent_and_twice(self):
        answer = self.gdb("gdb.execute('source %s')\nsay('end')" % gdbrun.PLUGIN, THREADS)
        self.assertEqual(answer.said, ["end"])
        self.assertEqual((answer.out, answer.err), ("", ""))

    def test_through_a_link(self):
        link = os.path.join(self.folder(), "elsewhere.py")
        os.symlink(gdbrun.PLUGIN, link)
        answer = self.gdb("say(run('ompd init')[0])", plugin=link)
        self.assertIn("Nothing to initialise", answer.said[0])
        self.assertEqual(answer.err, "")

    def test_library_missing(self):
        answer = self.gdb(HELD + "say(run('ompd threads')); say(run('ompd threads'))", THREADS,
                          env={"OMPD_LIBDIR": "/nonexistent"})
        sentence = ("OMPD_LIBDIR names /nonexistent, but libompdinspect.so.1 and libompd.so.1 are not both "
                    "there.")
        self.assertEqual(answer.err.splitlines()[0], sentence)
        self.assertEqual(answer.said, [["", sentence]] * 2)

    def test_library_damaged(self):
        folder = self.folder()
        for name in ("libompdinspect.so.1", "libompd.so.1"):
            with open(os.path.join(folder, name), "w") as f:
                f.write("no library")
        answer = self.gdb(HELD + "say(run('ompd threads')[1])", THREADS, env={"OMPD_LIBDIR": folder})
        self.assertRegex(answer.said[0],
                         r"^The library .* cannot be used \(.*\): install or build the project again\.$")

    def test_auto_load(self):
        prefix = self.folder()
        share = os.path.join(prefix, "share", "ompd")
        libraries = os.path.join(prefix, "lib")
        scripts = os.path.join(prefix, "share", "gdb", "auto-load")
        there = scripts + os.path.realpath(libraries)
        for folder in (share, libraries, there):
            os.makedirs(folder)
        for package in ("ompd_common", "ompd_gdb"):
            shutil.copytree(os.path.join(gdbrun.ROOT, "gdb-plugin", package), os.path.join(share, package))
        shutil.copy(gdbrun.PLUGIN, share)
        shutil.copy(os.path.join(gdbrun.ROOT, "gdb-plugin", "autoload", "libompcompanion.so.1.0.0-gdb.py"),
                    there)
        for name in ("libompdinspect.so.1", "libompd.so.1"):
            shutil.copy(os.path.join(FAKE, name), libraries)
        runtime = os.path.join(libraries, "libompcompanion.so.1.0.0")
        shutil.copy(gdbrun.find("gdb-plugin/tests/libmissing.so"), runtime)
        before = ["add-auto-load-scripts-directory " + scripts, "add-auto-load-safe-path " + prefix]
        script = "gdb.execute('set environment LD_PRELOAD %s')\n%ssay(run('ompd threads')); say(%s)" \
            % (runtime, HELD, REPORT)
        answer = self.gdb(script, THREADS, plugin=False, fake=False, before=before)
        self.assertEqual(answer.said[0][1], None, str(answer))
        self.assertEqual(os.path.realpath(answer.said[1]["libompd"]),
                         os.path.realpath(os.path.join(libraries, "libompd.so.1")))
        self.assertEqual(answer.err, "")


class Words(Case):
    def test_before_run(self):
        answer = self.gdb("for c in %r: say(run(c)); say(run(c + ' -json'))" % LISTERS, THREADS)
        self.assertEqual(answer.said, [["", gdbrun.NOT_RUN]] * (2 * len(LISTERS)))

    def test_without_program(self):
        answer = self.gdb("for c in %r: say(run(c))" % LISTERS)
        self.assertEqual(answer.said, [["", gdbrun.NOT_RUN]] * len(LISTERS))

    def test_help(self):
        answer = self.gdb("""
for c in %r + ["ompd init"]:
    say(run("help " + c))
say(run("ompd")); say(run("help ompd")); say(run("apropos OpenMP"))
""" % LISTERS)
        for command, (text, error) in zip(LISTERS + ["ompd init"], answer.said):
            lines = text.splitlines()
            self.assertIsNone(error)
            self.assertTrue(lines[0].endswith("."), command)
            self.assertIn("Usage: " + command, text)
            self.assertLessEqual(max(len(line) for line in lines), 90)
        alone, by_help, apropos = (said[0] for said in answer.said[-3:])
        self.assertEqual(alone, by_help)
        for command in LISTERS:
            self.assertIn(command + " -- ", alone)
            self.assertIn(command + " -- ", apropos)

    def test_completion(self):
        asked = {
            "ompd t": ["ompd task", "ompd tasks", "ompd team", "ompd thread", "ompd threads"],
            "ompd threads -": ["ompd threads -all", "ompd threads -json",
                               "ompd threads -verbose"],
            "ompd tasks -": ["ompd tasks -all", "ompd tasks -ancestors", "ompd tasks -json",
                             "ompd tasks -state",
                             "ompd tasks -tree"],
            "ompd tasks -json -": ["ompd tasks -json -all", "ompd tasks -json -ancestors",
                                   "ompd tasks -json -state",
                                   "ompd tasks -json -tree"],
            "info openmp par": ["info openmp parallel"],
            "set ompd runtime-frames s": ["set ompd runtime-frames show"],
            "ompd export -view t": ["ompd export -view tasks"],
            "ompd tasks -state r": ["ompd tasks -state ready", "ompd tasks -state running"],
            "ompd icvs -scope imp": ["ompd icvs -scope implicit_task"],
            "ompd icvs -s": ["ompd icvs -scope"],
            "ompd icvs n": ["ompd icvs nthreads-var"],
            "ompd icvs nthreads-v": ["ompd icvs nthreads-var"],
            "ompd icvs -json d": ["ompd icvs -json dyn-var"],
            "ompd status --s": [],
            "ompd threads x": [],
        }
        answer = self.live("for c in %r: say(run('complete ' + c)[0].split('\\n'))" % list(asked))
        for (command, expected), said in zip(asked.items(), answer.said):
            self.assertEqual([line for line in said if line], expected, command)

    def test_completion_before_run(self):
        answer = self.gdb("say(run('complete ompd icvs n')); say(run('complete ompd icvs -scope t'))",
                          THREADS)
        self.assertEqual(answer.said[0], ["", None])
        self.assertIn("ompd icvs -scope task", answer.said[1][0])

    def test_wrong_arguments(self):
        asked = {
            "ompd nonsense": 'Undefined ompd command: "nonsense".  Try "help ompd".',
            "ompd threads 3": 'ompd threads does not take "3". '
                              "Usage: ompd threads [-all] [-json] [-verbose].",
            "ompd threads -many": "ompd threads has no option -many. "
                                  "Usage: ompd threads [-all] [-json] [-verbose].",
            "ompd tasks "
            "-state": "Option -state needs one of: created, blocked, ready, running, suspended, completing, "
                                 "detached, cancelled.",
            "ompd tasks -state "
            "asleep": "Option -state cannot be \"asleep\"; it is one of: created, blocked, ready, "
                                        "running, suspended, completing, detached, cancelled.",
            "ompd tasks -state c": None,
            "ompd icvs a b": 'ompd icvs does not take "b". Usage: ompd icvs [-json] [-scope SCOPE] [NAME].',
            "ompd tasks -tree -ancestors": "-tree and -ancestors cannot be used together. Usage: ompd tasks "
                                           "[-tree | -ancestors] [-all] [-json] [-state STATE].",
            "ompd region x": '"x" is not the number of a region: "ompd parallel" lists them.',
            "ompd export": "The name of a file is missing. Usage: ompd export [-view waits|tasks|parallel] "
                           "FILE.",
            "ompd export "
            "a.xyz": 'The suffix of "a.xyz" names no format; it is one of: .json, .dot, .gv, .svg, .html, '
                     '.htm, '
                                 ".txt, .folded, .snapshot.",
            "ompd export "
            "/nonexistent/a.json": "/nonexistent/a.json cannot be written: No such file or directory.",
            "ompd icvs nowhere": 'No variable is called "nowhere".',
        }
        answer = self.live("for c in %r: say(run(c)[1])" % list(asked))
        for (command, expected), said in zip(asked.items(), answer.said):
            if expected is None:
                self.assertIn("cannot be", said, command)
            else:
                self.assertEqual(said, expected, command)

    def test_arguments_arrive(self):
        answer = self.live("""
def shown(c):
    gdb.execute(c)  # not to a string: GDB takes the width as unlimited then
gdb.execute("set width 72")  # tables leave its last column free
for c in ("ompd threads", "ompd tasks -state run", "ompd icvs -scope thread nthreads",
          "ompd icvs dyn -sc task",
          "ompd status -stats", "ompd status"):
    shown(c)
gdb.execute("set width 0"); shown("ompd parallel")
""")
        self.assertEqual([line for line in answer.out.splitlines() if line.startswith("view")], [
            "view 0 width 71 colour 0 stats 0 filter - scope -",
            "view 2 width 71 colour 0 stats 0 filter running scope -",
            "view 3 width 71 colour 0 stats 0 filter nthreads scope thread",
            "view 3 width 71 colour 0 stats 0 filter dyn scope task",
            "view 5 width 71 colour 0 stats 1 filter - scope -",
            "view 5 width 71 colour 0 stats 0 filter - scope -",
            "view 1 width 0 colour 0 stats 0 filter - scope -"])

    def test_library_refuses(self):
        answer = self.live("say(run('ompd threads'))", env={"FAKE_REFUSE": "1"})
        self.assertEqual(answer.said, [["", "Nothing can be said."]])

    def test_message_of_the_library(self):
        answer = self.live("gdb.execute('ompd threads'); say('end')", env={"FAKE_TALK": "1"})
        self.assertEqual(answer.said, ["end"])
        self.assertIn("a message of libompd\n", answer.err)


class Host(Case):
    def check(self, report, count=3, names=True, current=1, threads=None):
        self.assertEqual(report["end"], 0)
        self.assertEqual([t["gdb_num"] for t in report["threads"]], list(range(1, count + 2)))
        self.assertEqual([t["is_current"] for t in report["threads"]],
                         [int(n == current) for n in range(1, count + 2)])
        self.assertEqual(len({t["lwp"] for t in report["threads"]}), count + 1)
        handles = {int(t["pthread"], 16) for t in report["threads"]}
        self.assertEqual(len(handles), count + 1)
        self.assertNotIn(0, handles)
        for base, path, magic in report["modules"]:
            self.assertEqual((int(base, 16) % 4096, magic), (0, "ELF"), path)
        self.assertEqual(report["no_such_symbol"], 1)
        self.assertEqual(report["no_identifier"], 1)
        self.assertEqual(report["place_of_nothing"], 1)
        self.assertEqual(report["read_of_nothing"], -1)
        self.assertEqual(report["read_of_far"], -1)
        self.assertEqual((report["reg"], report["no_reg"], report["no_thread"]), (0, 1, 1))
        if names:
            self.assertIn("threads", {os.path.basename(path) for _, path, _ in report["modules"]})
            self.assertTrue(report["place_of_held"]["file"].endswith("threads.c"))
            self.assertEqual(report["place_of_held"]["offset"], 0)
            self.assertEqual(report["place_of_global"]["offset"], 4)
            self.assertEqual(report["global"], 42)

    def test_live(self):
        answer = self.live("say(%s); say(selection())" % REPORT)
        report = answer.said[0]
        self.check(report)
        self.assertEqual(os.path.realpath(report["process"]["exe"]), os.path.realpath(THREADS))
        self.assertEqual((report["process"]["core"], report["process"]["signal"]), ("", 0))
        self.assertEqual(report["of_thread"], 102)
        self.assertNotEqual(report["process"]["host"], "")

    def test_system_calls(self):
        """Live against what procfs says of the same stop; a core says the same, but for what is not in it."""
        folder = self.folder()
        core = os.path.join(folder, "g.core")
        answer = self.live("""
import os
report = %s; say(report)
pid = report["process"]["pid"]
say({t["lwp"]: [open("/proc/%%d/task/%%d/%%s" %% (pid, t["lwp"], what)).read().split()
                for what in ("syscall", "stat")] for t in report["threads"]})
say(os.readlink("/proc/%%d/fd/1" %% pid))
gdb.execute("gcore %s", to_string=True)
""" % (REPORT, core))
        report, procfs, output = answer.said
        self.assertEqual((report["output"], report["no_descriptor"], report["no_call"]), (output, 1, -1))
        self.assertEqual(len(report["calls"]), 4)
        inside = 0
        for row in report["calls"]:
            words, stat = procfs[str(row["lwp"])]
            # The main thread stands at a breakpoint, which is no system call: the kernel has -1 for that.
            self.assertEqual(row["told"], int(words[0] == "-1"), row)
            self.assertEqual((row["known"], row["state"]), (0, 0))
            self.assertEqual(row["cpu_ns"], (int(stat[13]) + int(stat[14])) * 10**7)
            self.assertEqual(row["processor"], int(stat[38]))
            if not row["told"]:
                inside += 1
                self.assertEqual([row["number"], *row["arg"]],
                                 [int(words[0])] + [int(word, 16) for word in words[1:7]])
                self.assertEqual((row["machine"], row["result"]), (62, -514))  # ERESTARTNOHAND: pause
        self.assertEqual(inside, 3)
        dead = self.gdb("say(%s)" % REPORT, THREADS, core).said[0]
        self.assertEqual((dead["no_descriptor"], dead.get("output")), (1, None))
        for live, row in zip(report["calls"], dead["calls"]):
            self.assertEqual(row["known"], 1)
            for key in ("lwp", "told", "number", "arg", "result"):
                self.assertEqual(row[key], live[key], key)

    def test_selection_stays(self):
        answer = self.live("""
gdb.execute("thread 3", to_string=True)
while selection()[2] != "work": gdb.execute("up", to_string=True)
say(selection())
for c in %r: run(c + " -json")
say(selection())
gdb.execute("thread 1", to_string=True)
say(%s)
""" % (LISTERS, REPORT))
        self.assertEqual((answer.said[0][0], answer.said[0][1] > 0), (3, True))
        self.assertEqual(answer.said[1], answer.said[0])
        self.check(answer.said[2])

    def test_without_libthread_db(self):
        script = "say(%s); say([hex(int.from_bytes(t.handle(), 'little')) for t in %s])"
        with_it = self.live(script
                            % (REPORT, "sorted(gdb.selected_inferior().threads(), key=lambda t: t.num)"))
        self.assertEqual([t["pthread"] for t in with_it.said[0]["threads"]], with_it.said[1])
        without = self.live("gdb.execute('thread 2', to_string=True)\nsay(%s); say(selection())" % REPORT,
                            before=["set libthread-db-search-path /nonexistent"])
        self.check(without.said[0], current=2)
        self.assertEqual(without.said[1][0], 2)
        # No address space randomisation under GDB: the same program has the same handles.
        self.assertEqual([t["pthread"] for t in without.said[0]["threads"]], with_it.said[1])

    def test_one_snapshot_a_stop(self):
        answer = self.live("""
def takes(c="ompd threads -json"): return json.loads(run(c)[0])["takes"]
say([takes(), takes(), takes("ompd status -json")])
say([takes("ompd tasks -json"), takes("ompd parallel -json"), takes(), takes("ompd report -json"), takes()])
gdb.execute("frame 0", to_string=True); say(takes())
gdb.execute("thread 2", to_string=True); say(takes()); gdb.execute("thread 1", to_string=True); say(takes())
gdb.execute("set var global[0] = 1"); say([takes(), %s["global"]])
gdb.execute("stepi", to_string=True); say([takes(), takes()])
gdb.execute("call (void)usleep(1)", to_string=True); say(takes())
gdb.selected_inferior().write_memory(int(gdb.parse_and_eval("(long)&global")), b"\\x07")
say([takes(), %s["global"]])
""" % (REPORT, REPORT))
        self.assertEqual(answer.said[0], [1, 1, 1])
        # Only the report needs more than the first question.
        self.assertEqual(answer.said[1], [1, 1, 1, 2, 2])
        self.assertEqual(answer.said[2], 2)
        self.assertEqual(answer.said[3:5], [3, 4])
        self.assertEqual(answer.said[5], [5, 1])
        self.assertEqual(answer.said[6][0], answer.said[6][1])
        takes = [answer.said[6][0], answer.said[7], answer.said[8][0]]
        self.assertEqual(takes, sorted(set(takes)))
        self.assertGreater(takes[0], 5)
        self.assertEqual(answer.said[8][1], 7)

    def test_run_again_and_end(self):
        answer = self.live("""
first = %s; say(first)
gdb.execute("run", to_string=True)
second = %s; say(second)
gdb.execute("kill", to_string=True); say(run("ompd threads"))
gdb.execute("run", to_string=True); gdb.execute("thread 2", to_string=True)
third = %s; say(third)
gdb.execute("detach", to_string=True); say(run("ompd threads"))
import os; os.kill(third["process"]["pid"], 9)
""" % (REPORT, REPORT, REPORT))
        first, second, killed, third, detached = answer.said
        self.assertEqual((first["takes"], second["takes"], third["takes"]), (1, 1, 1))
        self.assertEqual(len({r["process"]["pid"] for r in (first, second, third)}), 3)
        self.check(third, current=2)
        self.assertEqual(killed, ["", gdbrun.NOT_RUN])
        self.assertEqual(detached, killed)

    def test_user_breakpoint_is_hit(self):
        answer = self.live("""
b = gdb.Breakpoint("usleep"); hits = []
for i in range(2):
    gdb.execute("run", to_string=True); run("ompd threads"); say([gdb.selected_frame().name(), b.hit_count])
    gdb.execute("continue", to_string=True); run("ompd threads")
    say([gdb.selected_frame().name(), b.hit_count])
""")
        self.assertEqual([name for name, _ in answer.said], [answer.said[0][0], "held"] * 2)
        self.assertIn("usleep", answer.said[0][0])
        self.assertEqual(answer.said[0][1], 1)

    def test_two_inferiors(self):
        answer = self.live("""
one = %s
gdb.execute("add-inferior -exec %s", to_string=True); gdb.execute("inferior 2", to_string=True)
say(run("ompd threads"))
gdb.execute("run 5", to_string=True)
two = %s
gdb.execute("inferior 1", to_string=True)
again = %s
gdb.execute("inferior 2", to_string=True); gdb.execute("thread 2.3", to_string=True)
say([one, two, again, %s, selection()])
gdb.execute("kill inferiors 1", to_string=True)
say(%s)
gdb.execute("inferior 1", to_string=True); say(run("ompd threads"))
""" % (REPORT, THREADS, REPORT, REPORT, REPORT, REPORT))
        self.assertEqual(answer.said[0], ["", gdbrun.NOT_RUN])
        one, two, again, third, selected = answer.said[1]
        self.check(one)
        self.check(two, 5)
        self.check(again)
        self.check(third, 5, current=3)
        self.check(answer.said[2], 5, current=3)
        self.assertEqual(one["process"]["pid"], again["process"]["pid"])
        self.assertNotEqual(one["process"]["pid"], two["process"]["pid"])
        self.assertEqual(third["process"]["pid"], two["process"]["pid"])
        self.assertFalse({t["lwp"] for t in one["threads"]} & {t["lwp"] for t in two["threads"]})
        self.assertEqual(answer.said[3], ["", gdbrun.NOT_RUN])

    def test_non_stop(self):
        answer = self.gdb("""
gdb.execute("set non-stop on"); gdb.execute("break held", to_string=True); gdb.execute("run", to_string=True)
time.sleep(0.5)
say(%s); say(%s); say(selection())
""" % (REPORT, REPORT), "--args", THREADS, "3")
        for report in answer.said[:2]:
            running = [t["running"] for t in report["threads"]]
            self.assertEqual(running, [0, 1, 1, 1])
            self.assertEqual(report["end"], 0)
        self.assertEqual(answer.said[0]["takes"] + 1,
                         answer.said[1]["takes"])  # nothing is kept while threads run

    def test_256_threads(self):
        answer = self.live('run("ompd threads"); say(%s)' % REPORT, 256)
        self.check(answer.said[0], 256)


class Situations(Case):
    """The host elsewhere than in a program that GDB has started."""

    check = Host.check

    def start(self, *arguments, cwd=None, env=None):
        process = subprocess.Popen(list(arguments), cwd=cwd, env=env, stdout=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        time.sleep(0.6)
        return process

    def core(self, folder, program=THREADS, *arguments):
        resource.setrlimit(resource.RLIMIT_CORE, (resource.getrlimit(resource.RLIMIT_CORE)[1],) * 2)
        process = subprocess.Popen([program] + list(arguments), cwd=folder, stdout=subprocess.DEVNULL)
        time.sleep(0.6)
        if process.poll() is None:
            process.send_signal(signal.SIGABRT)
        process.wait()
        found = glob.glob(os.path.join(folder, "core*"))
        self.assertEqual(len(found), 1, "no core in %s; core_pattern must be a file name" % folder)
        return found[0], process.pid

    def test_attach(self):
        process = self.start(THREADS, "3")
        answer = self.gdb("say(%s)" % REPORT, "-p", str(process.pid))
        self.check(answer.said[0])
        self.assertEqual(answer.said[0]["process"]["pid"], process.pid)
        self.assertIsNone(process.poll())

    def test_kernel_core(self):
        core, pid = self.core(self.folder(), THREADS, "3")
        answer = self.gdb("say(%s); say(run('info threads')[0])" % REPORT, THREADS, core)
        report = answer.said[0]
        self.check(report)
        process = report["process"]
        self.assertEqual((process["pid"], process["signal"], process["crashed_lwp"],
                          process["host"]), (pid, 6, pid, ""))
        self.assertEqual(os.path.realpath(process["core"]), os.path.realpath(core))

    def test_gcore(self):
        folder = self.folder()
        core = os.path.join(folder, "g.core")
        live = self.live("gdb.execute('gcore %s', to_string=True); say(%s)" % (core, REPORT))
        answer = self.gdb("say(%s)" % REPORT, THREADS, core)
        self.check(answer.said[0])
        self.assertEqual(answer.said[0]["process"]["signal"], 0)
        for key in ("threads", "of_thread", "held", "global"):
            self.assertEqual(answer.said[0][key], live.said[0][key])
        self.assertLessEqual({m[1] for m in live.said[0]["modules"]}, {m[1]
                                                                       for m in answer.said[0]["modules"]})

    def test_core_without_program(self):
        folder = self.folder()
        program = os.path.join(folder, "gone")
        shutil.copy(THREADS, program)
        core, pid = self.core(folder, program, "3")
        os.remove(program)
        answer = self.gdb("say(%s)" % REPORT, "-c", core)
        report = answer.said[0]
        self.assertEqual(report["process"]["pid"], pid)
        self.assertEqual(os.path.realpath(report["process"]["exe"]), os.path.realpath(program))
        self.assertEqual(len({t["lwp"] for t in report["threads"]}), 4)
        # No libc for GDB, so no libthread_db: the handles come from registers.
        self.assertEqual(len({t["pthread"] for t in report["threads"]}), 4)
        self.assertEqual([row["told"] for row in report["calls"]], [0] * 4)
        self.assertNotIn("0x0", {t["pthread"] for t in report["threads"]})
        self.assertIn(os.path.realpath(program), {os.path.realpath(m[1]) for m in report["modules"]})

    def test_gdbserver(self):
        folder = self.folder()
        server = subprocess.Popen(["gdbserver", "--once", "localhost:0", THREADS, "3"], cwd=folder,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, universal_newlines=True)
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        self.addCleanup(server.stderr.close)
        port = None
        for line in server.stderr:
            if line.startswith("Listening on port"):
                port = line.split()[-1]
                break
        answer = self.gdb("""
gdb.execute("target remote localhost:%s", to_string=True)
gdb.execute("break held", to_string=True); gdb.execute("continue", to_string=True)
say(%s); gdb.execute("kill", to_string=True)
""" % (port, REPORT), THREADS)
        self.check(answer.said[0])

    def test_pid_namespace(self):
        if subprocess.run(["unshare", "-pf", "true"], stderr=subprocess.DEVNULL).returncode:
            self.skipTest("this user may not make PID namespaces")
        process = self.start("unshare", "-pf", "--kill-child", THREADS, "3")
        with open("/proc/%d/task/%d/children" % (process.pid, process.pid)) as f:
            child = int(f.read().split()[0])
        answer = self.gdb("say(%s)" % REPORT, "-p", str(child))
        self.check(answer.said[0])

    def test_missing_file(self):
        folder = self.folder()
        for name in ("libmissing.so", "missing_user"):
            shutil.copy(gdbrun.find("gdb-plugin/tests/" + name), folder)
        program = os.path.join(folder, "missing_user")
        live = self.start(program, env=dict(os.environ, MISSING_HOLD="1"))
        core, _ = self.core(folder, program)
        script = ("run('thread apply %d bt'); say([run('thread apply %d bt')[0] for _ in range(2)]); "
                  "say(selection())")
        with_file = self.gdb((script % (1, 1)) + "\n" + (script % (2, 2)), program, core)
        os.remove(os.path.join(folder, "libmissing.so"))
        for arguments in ([program, core], ["-p", str(live.pid)]):
            answer = self.gdb((script % (1, 1)) + "\n" + (script % (2, 2)), *arguments)
            for first, second in (answer.said[0], answer.said[2]):
                self.assertEqual(first, second)
            self.assertRegex(answer.said[0][0], r"(?s)user_region.*\?\?.*\?\?.*\?\?.*main \(\)")
            self.assertRegex(answer.said[2][0], r"(?s)\?\?.*user_waiter")
            self.assertEqual(answer.said[1], answer.said[3])
        # With the file GDB's own unwinders know better.
        self.assertRegex(with_file.said[0][0],
                         r"(?s)user_region.*missing_call.*missing_call.*missing_call.*main \(\)")


if __name__ == "__main__":
    xmltest.main()
