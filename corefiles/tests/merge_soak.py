# SPDX-License-Identifier: Apache-2.0
"""`ompd merge` of 10,000 ranks and more: time, memory and the length of what is shown."""

import base64
import json
import os
import random
import resource
import zlib

import ranks
import xmltest
from installed import Case
from ranks import KINDS, here, rank, write

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


def framed(packed, host, piece=600):
    """The lines of `ompd node --framed`, as command/jobs/framed_lines.h says."""
    count, lines = -(-len(packed) // piece), []
    for i in range(count):
        data = base64.b64encode(packed[i * piece:(i + 1) * piece]).decode()
        head = "%s %x-%08x %d/%d" % (host, len(packed), zlib.crc32(packed), i + 1, count)
        lines.append("ompd1 %s %08x %s\n" % (head, zlib.crc32((head + data).encode()), data))
    return "".join(lines)


class Unpacked(Case):  # behind Many: the peak of memory there is that of all children
    def test_a_node_does_not_take_the_time_of_all(self):
        """Its answers are 60 documents that unpack to 250 MB each: what there is no time for is a row. That
        of the other node comes behind them, and is read."""
        packer = zlib.compressobj(9)
        body = packer.compress(b"[" + b" " * (250 << 20))
        with open(here("bombs"), "w") as f:
            for i in range(60):
                end = packer.copy()
                f.write(framed(body + end.compress(b"%d]" % i) + end.flush(), "n2"))
            document = self.ok("merge", "--json", write("good", rank(KINDS[4], 0, 1))).stdout
            f.write(framed(zlib.compress(document.encode()), "n1"))
        with open(here("launch"), "w") as f:
            f.write("#!/bin/sh\ncat %s\n" % here("bombs"))
        os.chmod(here("launch"), 0o755)
        document = json.loads(self.ok("job", "--json", "--timeout", "10", "--hosts", "n[1-2]", "--launch",
                                      here("launch") + " %N %A", status=1, timeout=300).stdout)
        self.assertEqual([s["ranks"] for s in document["jobs"][0]["states"]], [[[0, 0]]])
        late = [f["host"] for f in document["failed"] if "time was over" in f["why"]]
        self.assertEqual(set(late), {"n2"})


if __name__ == "__main__":
    xmltest.main()
