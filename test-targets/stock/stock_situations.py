# SPDX-License-Identifier: Apache-2.0
"""The ways in which a stock program is looked at: each gives reports of one run, in an order in which the run
survives until the last.

    for situation, report in reports(run, situations): ...
"""

import json
import os
import signal
import subprocess

import gdbrun
from stock_programs import Missing, NoRest

SITUATIONS = ("-p", "attach", "gcore", "kernel core", "no file", "GDB core", "GDB live")
ABOUT = {
    "-p": "`ompd -p` of the living process",
    "attach": "GDB attached to it",
    "gcore": "`ompd --core` of gcore's core",
    "kernel core": "`ompd --core` of the kernel's",
    "no file": "the same, the runtime's file gone",
    "GDB core": "GDB on the kernel's core",
    "GDB live": "GDB has started it and stops at a breakpoint",
}
SECONDS = 120


def _ompd(*arguments):
    command = [gdbrun.find("command/ompd"), "report", "--json", "--ompd-library",
               gdbrun.find("ompd/libompd.so.1")] + [str(one) for one in arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=SECONDS,
                          universal_newlines=True)
    if not done.stdout.startswith("{"):
        raise AssertionError("%s: status %d %s%s" % (" ".join(command), done.returncode, done.stdout[:300],
                                                     done.stderr[-600:]))
    return json.loads(done.stdout)


def _gdb(script, arguments, run):
    answer = gdbrun.gdb(script, arguments, env={"LD_LIBRARY_PATH": ""}, timeout=SECONDS, cwd=run.folder)
    if answer.problems() or not answer.said:
        raise AssertionError("%s %s" % (answer.problems(), answer))
    return answer


def _attach(run):
    return _gdb('say(document("ompd report -json"))', [run.path, "-p", str(run.process.pid)], run).said[0]


def _gcore(run):
    name = os.path.join(run.folder, "by_gcore")
    subprocess.run(["gcore", "-o", name, str(run.process.pid)], stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, check=True, timeout=SECONDS)
    name += ".%d" % run.process.pid
    try:
        return _ompd("--core", name)
    finally:
        os.unlink(name)


LIVE = """
for name, value in %r.items():
    gdb.execute("set environment %%s %%s" %% (name, value))
gdb.execute("break held", to_string=True)
gdb.execute("run > %s", to_string=True)
if gdb.selected_inferior().pid:
    say(document("ompd report -json"))
    gdb.execute("kill")
else:
    say(None)  # it has ended, as it came to no rest
"""


def gdb_live(run):
    """(truth, report) of another process of the same program."""
    import compare
    out = os.path.join(run.folder, "out")
    env = {name: value for name, value in run.env.items()
           if name.startswith(("LD_LIBRARY_PATH", "TRUTH_", "OMP_", "KMP_", "GOMP_"))}
    for _ in range(2):  # as Run.start
        answer = _gdb(LIVE % (env, out), ["--args", run.path] + run.arguments, run)
        with open(out) as f:
            truth = compare.read_truth(f.read())
        if truth is not None and answer.said[0] is not None:
            return truth, answer.said[0]
    raise NoRest("%s in GDB came to no rest" % run.name)


def reports(run, situations):
    """Yields (situation, truth, report or the exception that came instead)."""
    def attempt(work):
        try:
            return work()
        except Missing:
            raise
        except (AssertionError, OSError, ValueError, subprocess.SubprocessError) as error:
            return error

    if run.truth["signal"] is None:
        living = {"-p": lambda: _ompd("-p", run.process.pid), "attach": lambda: _attach(run),
                  "gcore": lambda: _gcore(run)}
        for situation in ("-p", "attach", "gcore"):
            if situation in situations:
                yield situation, run.truth, attempt(living[situation])
    if not {"kernel core", "no file", "GDB core"}.isdisjoint(situations):
        core = run.core(signal.SIGABRT)
        if "kernel core" in situations:
            yield "kernel core", run.truth, attempt(lambda: _ompd("--core", core))
        if "GDB core" in situations:
            yield "GDB core", run.truth, attempt(
                lambda: _gdb('say(document("ompd report -json"))', [run.path, core], run).said[0])
        if "no file" in situations:
            run.hide_library()
            yield "no file", run.truth, attempt(lambda: _ompd("--core", core))
            os.rename(run.library + ".away", run.library)
        os.unlink(core)
    # In a stripped program GDB has no symbol to stop at.
    stops = run.truth["signal"] is None and "stripped" not in os.path.basename(run.path)
    if "GDB live" in situations and stops:
        found = attempt(lambda: gdb_live(run))
        yield ("GDB live",) + (found if isinstance(found, tuple) else (run.truth, found))
