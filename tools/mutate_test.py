# SPDX-License-Identifier: Apache-2.0
"""The list of mutants is whole, and what mutate.py makes of a source is what it says."""
import os
import tempfile
import unittest

import mutate
import xmltest

SOURCE = """/* rt_acquire(comment) */
static int ready(struct rt_team *team, struct rt_thread *th)
{
    while (rt_acquire(team->word) != 1) {
        rt_pause();
    }
    return rt_load(team->other) && rt_acquire(team->word) == 1;
}

void go(struct rt_team *team)
{
    uint64_t before =
        atomic_fetch_add_explicit(&team->count, 1,
                                  memory_order_acq_rel);
    __atomic_store_n(&team->size, 1, __ATOMIC_RELEASE);
    atomic_thread_fence(memory_order_seq_cst);
    rt_publish(team->word, 1);
    rt_notify(team, 1, "rt_notify(no)");
    rt_team_wait(team, ready);
    rt_enter_wait(th, team);
    atomic_fetch_add_explicit(&team->count, 1, memory_order_relaxed);
}
"""
MUTANTS = [
    ("ready no-wait while (rt_acquire(team->word) != 1)", "while (0 && (rt_acquire(team->word) != 1))"),
    ("ready relaxed rt_acquire(team->word)", "rt_load(team->word)"),
    ("ready relaxed rt_acquire(team->word)", "rt_load(team->word)"),
    ("go relaxed atomic_fetch_add_explicit(&team->count)",
     "atomic_fetch_add_explicit(&team->count, 1,\n                                  memory_order_relaxed)"),
    ("go relaxed __atomic_store_n(&team->size)", "__atomic_store_n(&team->size, 1, __ATOMIC_RELAXED)"),
    ("go no-fence atomic_thread_fence(memory_order_seq_cst)", "0"),
    ("go relaxed rt_publish(team->word)", "rt_store(team->word, 1)"),
    ("go no-wake rt_notify(team)", "0"),
    ("go no-wait rt_team_wait(team)", "0"),
]


class Mutants(unittest.TestCase):
    maxDiff = None

    def of(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "source.c")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            return mutate.mutants_of(path)

    def test_what_is_made(self):
        found = self.of(SOURCE)
        self.assertEqual([(m.name.split(" ", 1)[1], m.instead) for m in found], MUTANTS)
        for mutant in found:
            changed = mutant.apply(SOURCE)
            self.assertEqual(changed.count("\n"), SOURCE.count("\n"), mutant.name)
            self.assertNotEqual(changed, SOURCE)

    def test_names_stay_when_other_code_changes(self):
        more = "int other(void)\n{\n    return rt_acquire(x);\n}\n\n" + SOURCE
        names = [m.name.split(" ", 1)[1] for m in self.of(more)]
        self.assertEqual(names[1:], [name for name, _ in MUTANTS])

    def test_all_files_have_some(self):
        self.assertGreater(len(mutate.all_mutants()), 300)

    def test_the_list_is_whole(self):
        """Run ./dev mutate, and give a reason for what no test sees."""
        names = [mutant.name for mutant in mutate.all_mutants()]
        self.assertEqual(len(names), len(set(names)))
        self.assertEqual(mutate.complaints(names, mutate.read_list()), [])


if __name__ == "__main__":
    xmltest.main()
