# SPDX-License-Identifier: Apache-2.0
"""`ompd merge` of 10,000 ranks and more: time, memory and the length of what is shown."""

import json
import os
import random
import resource

import ranks
import xmltest
from installed import Case
from ranks import KINDS, here, rank

setUpModule = ranks.make_records


class Many(Case):
    """Memory and the length of the answer are those of the different states, not of the ranks."""
    RANKS, NODE = 10000, 64

    @classmethod
    def setUpClass(cls):
        cls.texts = {kind: json.dumps(rank(kind, 777777, cls.RANKS)) for kind in KINDS}

    def quick(self, name, kind, number):
        """The same as `write` of a rank, of whose numbers only those that tell it from others are its own."""
        text = self.texts[kind].replace("777777", str(number)).replace("778777", str(1000 + number))
        with open(here(name), "w") as f:
            f.write(text)
        return here(name)

    def test_ranks_in_the_same_state(self):
        folder, nodes = here("many"), []
        os.mkdir(folder)
        bad = {37: KINDS[0], 471: KINDS[1], 9002: KINDS[0]}
        kinds = [bad.get(i, KINDS[2 + i % 3]) for i in range(self.RANKS)]
        for first in range(0, self.RANKS, self.NODE):
            some = range(first, min(first + self.NODE, self.RANKS))
            files = [self.quick("many/r%d" % i, kinds[i], i) for i in some]
            nodes.append(here("many/node%d" % first))
            self.ok("merge", "--json", "-o", nodes[-1], *files, status=1)
        raw = [here("many/r%d" % i) for i in range(self.RANKS)]
        # Each of them is read by one process, which is the largest of ours.
        flat = self.ok("merge", "--json", *raw, timeout=600).stdout
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, 300 << 10)
        self.assertEqual(self.ok("merge", "--json", *nodes).stdout, flat)
        states = [state["ranks"] for state in json.loads(flat)["jobs"][0]["states"]]
        self.assertEqual(len(states), 5)
        self.assertIn([[37, 37], [9002, 9002]], states)
        text = self.ok("merge", *nodes).stdout.splitlines()
        self.assertLessEqual(len(text), 40)
        self.assertIn("Deadlock in 2 ranks: 37,9002.", text[:3])
        self.assertIn("471", " ".join(text[:10]))
        self.check_other_forms(nodes, flat)

    def check_other_forms(self, nodes, flat):
        """In another order, twice, by a tree of three levels; and what is shown of it stays small."""
        chance = random.Random(4)
        some = nodes + nodes[:20]
        chance.shuffle(some)
        self.assertEqual(self.ok("merge", "--json", *some).stdout, flat)
        racks = [here("many/rack%d" % i) for i in range(5)]
        for i, rack in enumerate(racks):
            self.ok("merge", "--json", "-o", rack, *some[i::5], status=1)
        self.assertEqual(self.ok("merge", "--json", *racks).stdout, flat)
        for options, most in (("--tree", 20), ("--format=dot", 40), ("--format=html", 200)):
            self.assertLess(len(self.ok("merge", options, *racks).stdout), most << 10, options)


if __name__ == "__main__":
    xmltest.main()
