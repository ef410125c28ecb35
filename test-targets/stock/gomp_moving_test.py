# SPDX-License-Identifier: Apache-2.0
"""Programs on libgomp that move, stopped where a thread is about to wake others, and behind each locked
instruction of libgomp on its way from there: the others have been released and still sleep. Whether they have
is compared with the words that they sleep on, which GDB reads. Also threads of inner regions while they are
made and end; and waits at a barrier, at a lock and for a turn, whose words the test itself writes.

    SOAK=1: more stops, and the locked instructions.
"""

import os
import shutil
import subprocess
import tempfile
import unittest

import gdbrun
import xmltest

SOAK = bool(os.environ.get("SOAK"))

WORK = r"""
#include <omp.h>
#include <stdio.h>
#include <unistd.h>
static void work(int n)
{
    for (volatile int i = 0; i < n; i++)
        ;
}
"""
BARRIERS = WORK + r"""
int main(void)
{
    for (;;) {
#pragma omp parallel num_threads(3)
        {
            work(3000 * (1 + omp_get_thread_num() % 3));
#pragma omp barrier
            work(3000);
#pragma omp for
            for (int i = 0; i < 64; i++)
                work(100 * (i % 5));
        }
    }
}
"""
NESTED = WORK + r"""
int main(void)
{
    omp_set_max_active_levels(2);
    for (;;) {
#pragma omp parallel num_threads(2)
        {
#pragma omp parallel num_threads(3)
            work(3000);
            work(1000);
        }
    }
}
"""
HELD = WORK + r"""
omp_lock_t lock;
int main(int argc, char **argv)
{
    omp_init_lock(&lock);
    omp_set_lock(&lock);
#pragma omp parallel num_threads(3)
    {
        if (argc > 1 && argv[1][0] == 'l' && omp_get_thread_num() != 0)
            omp_set_lock(&lock);
        if (argc > 1 && argv[1][0] == 'o') {
#pragma omp for ordered schedule(static, 1)
            for (int i = 0; i < 3; i++) {
#pragma omp ordered
                if (i == 0)
                    pause();
            }
        }
        if (omp_get_thread_num() == 0)
            pause();
#pragma omp barrier
    }
}
"""
# A deadlock.
SKIPPED = WORK + r"""
int main(void)
{
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
#pragma omp barrier
    }
}
"""

# What each thread that sleeps in libgomp sleeps on.
SLEEPERS = r'''
import ctypes, os, signal, subprocess, threading
for s in ("pagination off", "print thread-events off", "confirm off"):
    gdb.execute("set " + s)
def value(register):
    return int(gdb.parse_and_eval("$" + register)) & 0xffffffffffffffff
def word(address):
    return int.from_bytes(bytes(gdb.selected_inferior().read_memory(address, 4)), "little")
def library():
    for line in gdb.execute("info proc mappings", to_string=True).splitlines():
        if "libgomp" in line:
            yield [int(part, 16) for part in line.split()[:2]] + [line.split()[-1]]
def sleepers():
    """[LWP, the word, what it is while the thread waits]"""
    found, current = [], gdb.selected_thread()
    ranges = list(library())
    for t in gdb.selected_inferior().threads():
        t.switch()
        if (value("orig_rax") == 202 and value("rsi") & 0x7f == 0
                and any(start <= value("rip") < end for start, end, _ in ranges)):
            found.append([t.ptid[1], word(value("rdi")), value("rdx") & 0xffffffff])
    current.switch()
    return found
def look():
    say([document("ompd report -json"), sleepers()])
'''
WAKES = SLEEPERS + r'''
gdb.execute("catch syscall futex", to_string=True)
gdb.execute("handle SIGINT stop nopass", to_string=True)
gdb.execute("run >/dev/null", to_string=True)
def enters(operation):
    return (value("rax") == 0xffffffffffffffda and value("orig_rax") == 202
            and value("rsi") & 0x7f == operation)
def behind_locked():
    start, _, path = next(library())
    code = subprocess.run(["objdump", "-d", "--no-show-raw-insn", path], stdout=subprocess.PIPE,
                          universal_newlines=True).stdout.splitlines()
    for line, after in zip(code, code[1:]):
        if re.match(r"^ +[0-9a-f]+:\t(lock|xchg .*\()", line) and re.match(r"^ +[0-9a-f]+:", after):
            yield start + int(after.split(":")[0], 16)
def go_on():
    """false: it spins for what the others do not do meanwhile, or has ended."""
    ended = []
    pid, lwp, _ = gdb.selected_thread().ptid
    def stop():
        ended.append(True)
        ctypes.CDLL(None).syscall(234, pid, lwp, int(signal.SIGINT))  # tgkill
    timer = threading.Timer(1, stop)
    timer.start()
    gdb.execute("continue", to_string=True)
    timer.cancel()
    return not ended and gdb.selected_thread() is not None and gdb.selected_thread().is_valid()
def step():
    gdb.execute("set scheduler-locking on")
    points = [gdb.Breakpoint("*%#x" % a, internal=True) for a in behind_locked()]
    for p in points: p.silent = True
    try:
        for i in range(30):
            if not go_on() or enters(0):
                break
            look()
    except (gdb.error, SystemError):  # the thread has ended
        gdb.selected_inferior().threads()[0].switch()
    for p in points: p.delete()
    gdb.execute("set scheduler-locking off")
stops, skip = STOPS, 30
while stops:
    if enters(1):
        skip -= 1
        if skip < 0:
            stops -= 1
            look()
            if STEP:
                step()
    gdb.execute("continue", to_string=True)
gdb.execute("kill")
'''

HOLD = r'''
def waiting():
    return [row for row in document("ompd report -json")["threads"] if row["wait"]]
for i in range(600):
    if len(waiting()) == 2:
        break
    gdb.execute("detach", to_string=True)
    time.sleep(0.05)
    gdb.execute("attach PID", to_string=True)
def peek(address):
    return word(address)
def poke(address, number):
    gdb.selected_inferior().write_memory(address, (number & 0xffffffff).to_bytes(4, "little"))
    gdb.execute("maintenance flush register-cache", to_string=True)
def with_word(address, number, ask):
    kept = peek(address)
    poke(address, number)
    answer = ask()
    poke(address, kept)
    return answer
def flags():
    return [[row["released"], row["wait"]["lasts"]] for row in waiting()]
def team_address():
    return int(waiting()[0]["wait"]["id"], 16)
def sleeping():
    "The words that these threads sleep on."
    found, lwps = [], [row["lwp"] for row in waiting()]
    for t in gdb.selected_inferior().threads():
        t.switch()
        if t.ptid[1] in lwps:
            found.append(value("rdi"))
    return found
'''


class Moving(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def build(self, source):
        path = os.path.join(self.folder, "program")
        subprocess.run(["gcc", "-g", "-O2", "-fopenmp", "-x", "c", "-", "-o", path], input=source, check=True,
                       universal_newlines=True)
        return path

    def gdb(self, script, arguments, **env):
        answer = gdbrun.gdb(script, arguments, env=dict(env, LD_LIBRARY_PATH=""), timeout=600)
        self.assertEqual(answer.problems(), [], str(answer))
        self.assertTrue(answer.said, str(answer))
        return answer.said

    def check(self, report, sleepers):
        """Returns how many threads were released and still slept."""
        threads = {row["lwp"]: row for row in report["threads"]}
        released = 0
        for row in report["threads"]:
            self.assertFalse(row["openmp"] and row["state"] is None, row)
        for region in report["regions"]:
            self.assertEqual([one for one in region["members"] if one["lwp"] is None], [], region)
        for lwp, word, expected in sleepers:
            row = threads[lwp]
            if not row["openmp"]:
                continue
            over = word // 8 != expected // 8
            released += over
            # Those that start a region wait for the library's own threads only: they are released too.
            if over or row["wait"]:
                self.assertEqual(row["released"], over, (row, hex(word), hex(expected)))
            if row["wait"]:
                self.assertEqual(row["wait"]["lasts"], not over, row)
        for row in report["threads"]:
            if row["wait"] and row["wait"]["arrived"] is not None:
                come = [one["lwp"] for region in report["regions"] if region["id"] == row["region"]
                        for one in region["members"] if one["thread_num"] in row["wait"]["arrived"]]
                self.assertEqual([lwp for lwp in come if threads[lwp]["released"]], [])
        return released

    def wakes(self, source, stops, step):
        script = WAKES.replace("STOPS", str(stops)).replace("STEP", str(step))
        said = self.gdb(script, ["--args", self.build(source)], OMP_WAIT_POLICY="passive")
        return sum(self.check(report, sleepers) for report, sleepers in said), len(said)

    def test_released_from_barriers(self):
        released, looks = self.wakes(BARRIERS, 100 if SOAK else 40, SOAK)
        print("%d released in %d looks" % (released, looks))
        self.assertGreater(released, 20)

    def test_inner_regions(self):
        released, looks = self.wakes(NESTED, 100 if SOAK else 40, SOAK)
        print("%d released in %d looks" % (released, looks))
        self.assertGreater(released, 10)

    def held(self, what, policy, script, source=HELD):
        """SCRIPT in GDB, which has stopped the program when two of its threads wait."""
        env = dict(os.environ, OMP_WAIT_POLICY=policy, LD_LIBRARY_PATH="")
        if policy == "active":
            env["GOMP_SPINCOUNT"] = "infinite"
        process = subprocess.Popen([self.build(source), what], env=env)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return self.gdb(SLEEPERS + HOLD.replace("PID", str(process.pid)) + script, ["-p", str(process.pid)])

    def test_flags_of_a_barrier_end_no_wait(self):
        """The generation of the barrier is written: the one before, only its flags, the next."""
        script = r"""
at = team_address() + OFFSET if OFFSET else sleeping()[0]
for more in (0, 2, 3, 8, -8):
    say([more, with_word(at, peek(at) + more, flags)])
say(["offset", at - team_address()])
"""
        offset, lasts, over = 0, [[False, True]] * 2, [[True, False]] * 2
        for policy in "passive", "active":
            with self.subTest(policy=policy):
                said = self.held("barrier", policy, script.replace("OFFSET", str(offset)))
                offset = said.pop()[1]
                self.assertEqual(said, [[0, lasts], [2, lasts], [3, lasts], [8, over], [-8, over]])

    def test_who_holds_a_lock_is_somebody(self):
        """As long as its word is not 0, whether one spins or sleeps, and whether it was woken."""
        script = r"""
at = int(gdb.parse_and_eval("(unsigned long)&lock"))
for number in (peek(at), 1, 0xffffffff, 0):
    say([with_word(at, number, flags),
         with_word(at, number, lambda: document("ompd waits -json")["verdict"])])
"""
        for policy in "passive", "active":
            with self.subTest(policy=policy):
                for number, (rows, verdict) in enumerate(self.held("lock", policy, script)):
                    self.assertEqual(rows, [[False, number < 3]] * 2)
                    self.assertNotIn("owner of what a thread waits for is not known", str(verdict))

    def test_a_barrier_that_was_skipped(self):
        """A worker that spins at a region's end has been called by nobody either."""
        script = r"""
say([[row["thread_num"], row["wait"]["barrier"] == "implicit_parallel"] for row in waiting()])
say(document("ompd waits -json")["verdict"]["kind"])
"""
        for policy in "passive", "active":
            with self.subTest(policy=policy):
                rows, verdict = self.held("-", policy, script, SKIPPED)
                self.assertEqual(sorted(rows), [[0, False], [1, True]])
                self.assertIn(verdict, ("deadlock", "suspected"))

    def test_a_turn_that_was_posted(self):
        script = r"""
at = sleeping()
say(with_word(at[0], peek(at[0]), flags))
say(sorted(with_word(at[0], 0x80000001, flags)))
say(with_word(at[1], 0x80000001, lambda: [row["wait"]["owner_lwp"] for row in waiting()]))
"""
        before, posted, owners = self.held("ordered", "passive", script)
        self.assertEqual(before, [[False, True]] * 2)
        self.assertEqual(posted, [[False, True], [True, False]])
        self.assertEqual(len(set(owners)), 1)


if __name__ == "__main__":
    xmltest.main()
