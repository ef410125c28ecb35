# SPDX-License-Identifier: Apache-2.0
"""Rules for the runtime's sources that no compiler checks: each place of a kind is listed here with its
answer, and a new one fails until it has one.
"""
import glob
import os
import re
import unittest

import xmltest

RUNTIME = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')

# What reads the environment. getenv() may not be called elsewhere: rt_env_secure() would not be asked.
ENVIRONMENT = {
    "core/env_read.c": "value_of(), which asks rt_env_secure()",
    "core/display_env.c": "KMP_SETTINGS lists the variables, without those of rt_env_ignores()",
}
# What opens a file or a library, and where the name comes from.
OPENS = {
    "core/cgroup.c": "fixed names below /sys and /proc",
    "core/offload.c": "libomptarget's name, from the loader: it is loaded already (RTLD_NOLOAD)",
    "core/resident.c": "the name of the library that the runtime is in, from the loader",
    "core/soname.c": "two fixed names, of what is loaded already (RTLD_NOLOAD)",
    "tools/ompt_start.c": "OMP_TOOL_VERBOSE_INIT, OMP_TOOL_LIBRARIES: RT_SETTING_FILE",
    "tools/stats_print.c": "KMP_STATS_FILE: RT_SETTING_FILE",
}
# What writes to the terminal, and why nothing that steers one is in it.
SAYS = {
    "core/message.c": "rt_printable()",
    "core/start.c": "KMP_VERSION: the runtime's own text",
    "core/display.c": "rt_printable()",
    "core/display_env.c": "rt_put_printable() for each value",
    "core/places.c": "numbers, and a variable's name from a table",
    "abi/omp_affinity.c": "by core/display.c",
    "abi/omp_misc.c": "rt_printable()",
    "tools/ompt_start.c": "rt_printable()",
    "tools/stats_print.c": "numbers and names from a table",
    "abttool/load.c": "one fixed sentence",
}

# What becomes of each lock in the child of fork(). HELD: the thread that forks holds it, so the data are
# whole.
HELD = "held over the fork"
LOCKS = {
    ("core/root.h", "struct rt_root", "lock"): HELD,
    ("core/env.h", "struct rt_env", "format_lock"): HELD,
    ("core/deque.h", "struct rt_deque",
     "lock"): "held of all queues of the regions that the forking thread is in; nobody "
                                                 "asks for others",
    ("core/task.h", "struct rt_task",
     "lock"): "one store makes an edge one of the list, and one takes the list away",
    ("tools/stats.h", "struct rt_stats",
     "lock"): "the child has no statistics of others, and begins its own anew",
    ("tools/stats_gather.c", "", "threads_lock"): "as before: the list is emptied",
    ("tools/ompt_start.c", "",
     "phase_lock"): "`phase` is stored last; a tool runs under it, so that it cannot be held",
    ("tools/draft_start.c", "",
     "phase_lock"): "`phase` is stored last; a tool runs under it, so that it cannot be held",
    ("core/lock.c", "", "rt_allocators_lock"): HELD,
    ("core/lock.c", "", "rt_threadprivate_lock"): HELD,
    ("core/lock.c", "", "rt_allocatables_lock"): HELD,
    ("core/lock.c", "", "rt_kept_lists_lock"): HELD,
    ("core/lock.c", "", "rt_listeners_lock"): HELD,
    ("core/lock.c", "", "rt_units_lock"): HELD,
    ("core/lock.c", "", "rt_collector_lock"): HELD,
}
# Everything else that a thread may wait for another one's leave with.
OTHER_LOCKS = {
    ("core/workshare.h", "exclusive"): "guards nothing; whoever is gone does not pass the turn on either",
    ("core/root.h", "lock_numbers_reused"): "no lock: a fact of the process, true in the child too",
    ("core/reduction.h", "mutex"): "core/mutex.c: an owner that is gone",
    ("abi/atomic_region.c", "kmpc_atomic_mutex"): "core/mutex.c: an owner that is gone",
    ("abi/gomp_sync.c", "unnamed"): "the program's own critical, as a lock of its own",
    ("abi/nest_lock.h", "mutex"): "the program's own lock",
    ("abttool/keys.c", "lock"): "held over the fork by abttool/load.c",
    ("abttool/tool.c", "writer"): "made anew by abttool/load.c",
    ("core/start.c", "started"): "the constructor has called it, in the only thread",
    ("core/arrivals.c", "once"): "glibc lets the child begin anew what another thread had begun",
    ("core/attach.c", "attached"): "glibc lets the child begin anew what another thread had begun",
}
# Arrays on the stack whose length is not written there: no number that a program computes.
STACK_ARRAYS = {
    ("abi/gomp_doacross.c", "vector"): "the dimensions of a loop nest, which stand in the source",
    ("abi/kmpc_doacross.c", "extents"): "the same",
    ("abi/kmpc_doacross.c", "lows"): "the same",
    ("abi/kmpc_doacross.c", "steps"): "the same",
    ("abi/kmpc_parallel.c",
     "argv"): "the variables that a region shares, as many words as the caller has pushed",
    ("abi/kmpc_teams.c", "argv"): "the same",
}
LOCK_TYPE = r"rt_(?:lock|spin)_t"
DECLARATION = re.compile(
    r"^([ \t]*)(?:extern |static |RT_ALIGNED |RT_HIDDEN )*%s (\w+)[^;(]*;" % LOCK_TYPE, re.M)
OTHER_DECLARATION = re.compile(r"(?:pthread_(?:mutex|rwlock|spinlock|cond|once)_t|sem_t|atomic_flag|"
                               r"_Atomic uint32_t)\s+(\w+)[^;(]*;")
OTHER_NAME = re.compile(r"lock|mutex|exclusive|unnamed|owner")
STRUCTURE = re.compile(r"^struct (\w+) \{.*?^\}", re.M | re.S)


def read(path):
    with open(os.path.join(RUNTIME, path)) as file:
        return file.read()


def sources():
    """Path below runtime/ -> text without comments, texts of strings and layout."""
    found = {}
    for folder in ("core", "abi", "tools", "abttool"):
        for path in sorted(glob.glob(os.path.join(RUNTIME, folder, "*.[ch]"))):
            name = os.path.relpath(path, RUNTIME)
            text = COMMENT.sub(lambda m: "\n" * m.group().count("\n"), read(name))
            found[name] = STRING.sub('""', text)
    return found


class Sources(unittest.TestCase):
    longMessage = True

    @classmethod
    def setUpClass(cls):
        cls.sources = sources()

    def files_with(self, pattern):
        return sorted(path for path, text in self.sources.items() if re.search(pattern, text))

    def test_there_are_sources(self):
        self.assertGreater(len(self.sources), 100)

    def test_one_file_chooses_the_processor(self):
        """On another one, what is named besides core/arch.h would promise what only x86-64 keeps."""
        found = [path for path in self.sources
                 if re.search(r'#\s*include\s.*\barch_\w+\.h', read(path))]
        self.assertEqual(found, ["core/arch.h"])

    def test_the_environment_has_one_reader(self):
        self.assertEqual(self.files_with(r"\b(?:secure_)?getenv\s*\(|\benviron\b"), sorted(ENVIRONMENT))

    def test_what_is_opened(self):
        self.assertEqual(self.files_with(r"\b(?:f|fd|fre)?open(?:at2?|64)?\s*\(|\bdlm?open\b"), sorted(OPENS))

    def test_what_is_said(self):
        self.assertEqual(
            self.files_with(r"\bstd(?:err|out)\b|\bSTD(?:ERR|OUT)_FILENO\b|\bv?printf\s*\(|\bputs\s*\("),
                         sorted(SAYS))

    def test_nothing_on_the_stack_that_a_program_can_make_long(self):
        self.assertEqual(self.files_with(r"\balloca\b"), [])
        found = set()
        for path, text in self.sources.items():
            for names in re.findall(r"^ +(?!return\b|else\b)(?:const |struct )*\w+ ([^;={}()]*\[[^;={}()]*);",
                                    text, re.M):
                # A constant begins with a capital letter or a digit, or is a sizeof.
                found |= {(path, name) for name in re.findall(r"(\w+)\[(?!sizeof\b)[a-z][^\]]*\]", names)}
        self.assertEqual(sorted(found), sorted(STACK_ARRAYS))

    def locks(self):
        """(file, structure or nothing, name) of each lock that is declared, `extern` apart."""
        found = []
        for path, text in self.sources.items():
            for match in DECLARATION.finditer(text):
                if "extern" in match.group():
                    continue
                inside = [s.group(1) for s in STRUCTURE.finditer(text) if s.start() < match.start() < s.end()]
                self.assertEqual(bool(match.group(1)), bool(inside), "%s: %s" % (path, match.group()))
                found.append((path, "struct " + inside[0] if inside else "", match.group(2)))
        return sorted(found)

    def test_each_lock_has_an_answer_for_fork(self):
        self.assertEqual(self.locks(), sorted(LOCKS))
        # Whoever declares one in a way that is not understood here: each mention of a type is one of these,
        # or its typedef.
        mentions = sum(
            len(re.findall(r"\b%s\b(?!\s*\*)" % LOCK_TYPE, text)) for text in self.sources.values())
        externs = sum(len(re.findall(r"^extern [^;]*\b%s\b" % LOCK_TYPE, text, re.M))
                      for text in self.sources.values())
        self.assertEqual(mentions, len(LOCKS) + externs + 2)

    def test_locks_that_are_held_over_a_fork_are_those_of_the_table(self):
        table = re.search(r"\bheld\[\] = \{(.*?)\}", self.sources["core/fork.c"], re.S).group(1)
        names = [re.sub(r"&|rt_root\.|rt_env\.", "", name.strip()) for name in table.split(",")
                 if name.strip()]
        self.assertEqual(sorted(names),
                         sorted(name for (_, _, name), answer in LOCKS.items() if answer == HELD))

    def test_each_other_lock_has_an_answer_for_fork(self):
        found = []
        for path, text in self.sources.items():
            for match in OTHER_DECLARATION.finditer(text):
                if match.group().startswith("_Atomic") and not OTHER_NAME.search(match.group(1)):
                    continue
                if "extern" not in text[text.rfind("\n", 0, match.start()):match.start()]:
                    found.append((path, match.group(1)))
        self.assertEqual(sorted(set(found)), sorted(OTHER_LOCKS))

    def test_fork_has_one_place(self):
        self.assertEqual(self.files_with(r"\bpthread_atfork\s*\("), ["abttool/load.c", "core/fork.c"])


if __name__ == "__main__":
    xmltest.main()
