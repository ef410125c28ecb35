#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Asks programs drawn by lot, at instants drawn by lot, whether they can go on, and compares with their own
count. By hand (the tests are motion_test and motion_soak):

    motion_looks.py [--seconds N] [--first N] [--sessions N] [--seed N] [--plants] [--log FILE]
                    [--runtimes A,B] [--hosts A,B] [--kinds A,B] [--together N] [--times N]
                    [--keep DIR] [--prefix DIR]
    motion_looks.py --log FILE --table

A session is one program: a runtime, a kind (with --plants a mistake), a number of threads, a way of waiting
and a seed, all of them drawn from the number of the session, so that each pass over the sessions has each
runtime with each kind once. Each host looks at it as often as it is named, and that --times. A line of JSON
for each look is added to the log; the sessions that are in it whole are not run again, and its seed is used
again. --together so many programs run at a time, each the others' load. --keep: snapshots of what was not
right, of cores and by the host `snapshot`.

What a look may say:

    of a program that has moved                      of one that is dead
    alarm   Deadlock, Stuck, Suspected; status 3     lie      No deadlock; it runs
    open    it is not known                          open     it is not known, or only suspected
    fine    it can go on                             proved   Deadlock, Stuck

and error, if there is no answer. A look at a program that moved before it and has made its mistake behind it
counts as none of these (between). A program that has crashed is lost: its runtime's defect, or ours.
"""

import argparse
import collections
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

if __name__ == "__main__" and "TEST_SRCDIR" not in os.environ:
    _ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    sys.path += [os.path.join(_ROOT, folder) for folder in ("tools", "test-targets", "test-targets/stock",
                                                            "gdb-plugin/tests")]
import motion_hosts
import motion_programs
from motion_hosts import HOSTS
from motion_programs import KINDS, MISTAKES, POLICIES

PROVED = ("deadlock", "stuck")
EXAMPLE = ("host", "kind", "mistake", "threads", "policy", "compiler", "kept")


def judge(truth, answer):
    """The word for an answer; TRUTH: moves or dead. The sentence counts, as a person reads only that."""
    alarm = (answer.kind in PROVED + ("suspected",) or
             answer.sentence.startswith(("Deadlock", "Stuck", "Suspected")))
    runs = answer.kind == "none" or answer.sentence.startswith(("No deadlock", "It runs"))
    if truth == "moves":
        return "alarm" if alarm or answer.status == 3 else "fine" if runs else "open"
    return "lie" if runs else "proved" if answer.kind in PROVED else "open"


def told(line):
    """A look in a line of text."""
    return "session %d: %s: %s, %s: %s" % (line["number"], line["word"], line["runtime"], ", ".join(
        "%s %s" % (key, line[key]) for key in EXAMPLE if line.get(key) not in (None, "-")), line["sentence"])


def plain(sentence):
    """Without numbers, names and places, and who else waits, so that sentences of one form are equal."""
    text = re.sub(r"thread [0-9/]+ \(LWP [0-9]+\)|LWPs? [0-9]+", "LWP N", sentence)
    text = re.sub(r"LWP N((, | and |, and )(LWP N|[0-9]+))+", "LWP N", text)
    text = re.sub(r" \([\w.]+:\d+\)| (in|at) [\w:.]+(\(\)|:\d+)|:\d+\b|called from [\w:.]+", "", text)
    text = re.sub(r"0x[0-9a-f]+|\b[0-9]+\b", "N", text).replace(" ,", ",").replace(",,", ",")
    text = re.sub(r",? and N more threads? waits?\b", "", text)
    return " ".join(text.split(". ", maxsplit=1)[0].replace(",;", ";").split()).rstrip(".")[:300]


Session = collections.namedtuple("Session", "number seed runtime kind mistake threads policy")


def session(number, seed, runtimes, kinds, plants):
    """What is drawn for a number. KINDS: of programs, or with PLANTS the mistakes."""
    lots = random.Random("%d %d" % (seed, number))
    cells = [(runtime, kind) for kind in kinds for runtime in runtimes]
    random.Random("%d pass %d" % (seed, number // len(cells))).shuffle(cells)
    runtime, kind = cells[number % len(cells)]
    return Session(number, lots.randrange(1 << 48), runtime, lots.choice(KINDS) if plants else kind,
                   kind if plants else "-", lots.randint(2, 8), lots.choice(list(POLICIES)))


class Looks:
    """OPTIONS: as of the command line. Each look, and each end of a session, goes to TAKE."""

    def __init__(self, options, folder, take):
        self.options, self.folder, self.take = options, folder, take
        self.until = time.monotonic() + options.seconds if options.seconds else None
        self.stopped = False
        self.lock = threading.Lock()
        self.building = threading.Lock()
        if options.prefix:
            plugin = os.path.join(options.prefix, "share/ompd/ompd.py")
            self.hosts = motion_hosts.Hosts(options.prefix, plugin)
        else:
            prefix = os.path.join(folder, "prefix")
            if not os.path.exists(prefix):
                motion_hosts.install(prefix)
            self.hosts = motion_hosts.Hosts(prefix)

    def over(self):
        return self.stopped or self.until is not None and time.monotonic() > self.until

    def run(self, one):
        """All looks of a session, and its end unless the time is over before."""
        lots = random.Random(one.seed)
        compiler = lots.choice(motion_programs.compilers(one.runtime))
        with self.building:
            path = motion_programs.build(compiler, one.runtime, self.folder)
        hosts = list(self.options.hosts)
        about = dict(one._asdict(), compiler=compiler, all=self.options.seed)
        if "run" in hosts:
            with self.program(path, one, "run") as program:
                self.look(program, "run", about)
        hosts = [host for host in hosts if host != "run"]
        if hosts:
            with self.program(path, one, "looks") as program:
                program.start()
                self.looks(program, hosts, about, lots)
        if not self.over():
            self.say(dict(about, host=None, session_ends=True))

    def program(self, path, one, name):
        folder = os.path.join(self.folder, "%d_%s" % (one.number, name))
        return motion_programs.Program(path, one.runtime, folder, one.seed, one.threads, one.kind,
                                       one.mistake, one.policy)

    def looks(self, program, hosts, about, lots):
        """The kernel's core is the last, as the program ends."""
        if not program.wait_until(lambda: program.word.steps):
            self.error(about, None, "the program does not begin", program)
            return
        living = [host for host in hosts if host != "kernel"] * self.options.times
        lots.shuffle(living)
        if program.mistake != "-":
            # It moves as any other until then.
            if living:
                self.look(program, living[0], about)
            if not program.wait_until_dead():
                word = program.word
                self.error(about, None, "%d of %d are in the mistake by round %d, and it is not dead" % (
                    word.sprung, word.doomed, word.rounds), program)
                return
            time.sleep(1)
        for host in living + ["kernel"] * ("kernel" in hosts):
            time.sleep(lots.uniform(0, .2))
            if self.over() or not self.look(program, host, about):
                return

    def look(self, program, host, about):
        """False: there is no sense in further ones."""
        if host != "run" and program.mistake == "-" and not program.moves():
            self.error(about, host, "the program has stopped by itself", program)
            return False
        before, dead, ends = program.word, program.dead, host in ("run", "kernel")
        began = time.monotonic()
        try:
            answer = getattr(self.hosts, host)(program)
        except (motion_hosts.Failed, OSError, ValueError, AssertionError,
                subprocess.SubprocessError) as error:
            self.error(about, host, "%s: %s" % (type(error).__name__, error), program)
            return not ends and program.alive()
        seconds = time.monotonic() - began
        try:
            truth = self.truth(program, before, dead, ends)
        except motion_hosts.Failed as error:
            self.error(about, host, str(error), program)
            return False
        word = "between" if truth == "between" else judge(truth, answer)
        after = program.word
        line = dict(about, host=host, truth=truth, word=word, verdict=answer.kind, status=answer.status,
                    sentence=answer.sentence, seconds=round(seconds, 2), before=before.steps,
                    after=after.steps, proof=after.proof, withdrawn=answer.withdrawn,
                    program=after.words[:80])
        if word in ("alarm", "lie", "open") and answer.core and self.options.keep:
            line["kept"] = self.keep(answer, line)
        self.say(line)
        return True

    @staticmethod
    def truth(program, before, dead, ends):
        """What it was all the time that the look took. What ends with the look has moved until then, unless a
        mistake has been made in it."""
        if dead and program.word.steps != before.steps:
            raise motion_hosts.Failed("a program that was taken for dead has moved")
        if program.dead:
            return "dead"
        if program.word.sprung:
            return "between"
        if not ends and program.mistake == "-" and not program.moves():
            raise motion_hosts.Failed("the program has stopped by itself")
        return "between" if program.word.sprung else "moves"

    def keep(self, answer, line):
        """The snapshot that was asked, or one of the core: the core's program and runtime are soon gone."""
        os.makedirs(self.options.keep, exist_ok=True)
        name = "%s_%s_%d_%s_%d.json" % (line["word"], line["runtime"], line["number"], line["host"],
                                        line["after"])
        path = os.path.join(self.options.keep, name)
        try:
            if answer.core.endswith(".json"):
                shutil.copy(answer.core, path)
            else:
                self.hosts.record(path, "--core", answer.core)
        except (motion_hosts.Failed, OSError, subprocess.SubprocessError):
            return None  # the look itself counts all the same
        return name

    def error(self, about, host, text, program):
        word, ended = program.word, program.process.poll()
        crashed = ended is not None and ended < 0 or "Assertion failure" in text
        self.say(dict(about, host=host, truth=None, word="lost" if crashed else "error", before=word.steps,
                      sentence=text[:1500], ended=ended, program=word.words[:80], sprung=word.sprung))

    def say(self, line):
        with self.lock:
            self.take(dict(line, at=round(time.time())))


class Record:
    """What was said, in the order of the log."""

    def __init__(self, path=None):
        self.lines, self.ended, self.seed, self.file = [], set(), None, None
        if path:
            self.file = open(path, "a+", encoding="utf-8", buffering=1)
            self.file.seek(0)
            text = self.file.read()
            whole = text[:text.rfind("\n") + 1]  # the last line of a run that was killed may be half
            self.file.truncate(len(whole.encode()))
            for line in whole.splitlines():
                self.add(json.loads(line))

    def add(self, line):
        self.seed = line.get("all", self.seed)
        if line.get("session_ends"):
            self.ended.add(line["number"])
        elif "word" in line:
            self.lines.append(line)

    def take(self, line):
        self.add(line)
        if self.file:
            self.file.write(json.dumps(line) + "\n")

    def count(self, *words, **about):
        return sum(1 for line in self.lines if line["word"] in words and
                   all(line.get(key) == value for key, value in about.items()))

    def of_truth(self, truth):
        return [line for line in self.lines if line["truth"] == truth]


def _cells(lines, words, row, column):
    counts = collections.defaultdict(collections.Counter)
    for line in lines:
        counts[line[row], line[column]][line["word"]] += 1
    rows = sorted({key[0] for key in counts})
    columns = [name for name in HOSTS + ("snapshot",) if any(key[1] == name for key in counts)]
    yield "%-16s" % row + "".join("%17s" % name for name in columns)
    for name in rows:
        yield "%-16s" % (name,) + "".join(
            "%17s" % ("%d: " % sum(counts[name, other].values()) +
                      ", ".join(str(counts[name, other][word]) for word in words)) for other in columns)


def table(record):
    """Lines of text."""
    for truth, words, by in (("moves", ("alarm", "open"), "kind"),
                             ("dead", ("lie", "open", "proved"), "mistake")):
        lines = record.of_truth(truth)
        if not lines:
            continue
        yield ""
        yield "Programs that %s: looks: %s" % ({"moves": "move", "dead": "are dead"}[truth], ", ".join(words))
        for row in ("runtime", by, "threads", "policy"):
            yield from _cells(lines, words, row, "host")
        cells = collections.Counter((line["runtime"], line["host"], line[by]) for line in lines)
        yield "%d looks in %d cells of runtime, host and %s, at least %d in each" % (
            len(lines), len(cells), by, min(cells.values()))
        yield "%d proofs withdrawn" % sum(line.get("withdrawn", False) for line in lines)
    for word in ("alarm", "lie", "error", "lost", "open"):
        found = collections.defaultdict(list)
        for line in record.lines:
            if line["word"] == word:
                found[line["truth"] or "", line["runtime"], plain(line["sentence"])].append(line)
        if found:
            yield ""
            yield "%s: %d" % (word, sum(len(lines) for lines in found.values()))
        for (truth, runtime, sentence), lines in sorted(found.items(), key=lambda one: -len(one[1]))[:40]:
            one = ([line for line in lines if line.get("kept")] or lines)[-1]
            yield "%5d  %s %s: %s" % (len(lines), runtime, truth, sentence)
            yield "       " + told(one)


def work(options, folder, record):
    """Runs sessions until the time is over or the number is reached."""
    looks = Looks(options, folder, record.take)
    numbers = iter(range(options.first, options.first + (options.sessions or 1 << 30)))
    take_number = threading.Lock()
    failed = []

    def worker():
        while not looks.over():
            with take_number:
                number = next(numbers, None)
            if number is None:
                return
            if number in record.ended:
                continue
            try:
                looks.run(session(number, options.seed, options.runtimes,
                                  MISTAKES if options.plants else options.kinds, options.plants))
            except Exception as error:  # the other workers end too
                failed.append(error)
                looks.stopped = True

    threads = [threading.Thread(target=worker) for _ in range(options.together)]
    for one in threads:
        one.start()
    try:
        for one in threads:
            one.join()
    finally:
        looks.stopped = True
        for one in threads:  # after Ctrl-C each ends its look
            one.join()
    if failed:
        raise failed[0]


def parse(arguments):
    def names(allowed):
        def read(text):
            chosen = text.split(",")
            if not set(chosen) <= set(allowed):
                raise argparse.ArgumentTypeError("there are: " + ", ".join(allowed))
            return chosen
        return read

    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--seconds", type=int, default=0)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--sessions", type=int, default=0)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--plants", action="store_true")
    parser.add_argument("--log")
    parser.add_argument("--runtimes", type=names(motion_programs.RUNTIMES), default=None)
    parser.add_argument("--hosts", type=names(HOSTS + ("snapshot",)), default=list(HOSTS))
    parser.add_argument("--kinds", type=names(KINDS), default=list(KINDS))
    parser.add_argument("--together", type=int, default=2)
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--keep")
    parser.add_argument("--prefix")
    parser.add_argument("--table", action="store_true")
    return parser.parse_args(arguments)


def main(arguments):
    options = parse(arguments)
    record = Record(options.log)
    if not options.table:
        if options.runtimes is None:
            options.runtimes, without = motion_programs.available()
            for name, why in without.items():
                print("without %s: %s" % (name, why), flush=True)
        if options.seed is None:
            options.seed = random.SystemRandom().randrange(1 << 32) if record.seed is None else record.seed
        print("seed %d" % options.seed, flush=True)
        with tempfile.TemporaryDirectory() as folder:
            work(options, folder, record)
    print("\n".join(table(record)))
    return 1 if record.count("alarm", "lie", "error") else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
