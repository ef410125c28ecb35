# SPDX-License-Identifier: Apache-2.0
"""`ompd loops` on libomp, against what each member of the team has written of itself before it stopped
(loops/gomp_loops.c) and what the source says: what is told is right, the rest has a reason.
"""

import loop_programs
import xmltest

# The first iteration's number and the step, as the source has them; what stop() writes of them.
FIRST = {"monotonic": (10, 2), "down": (50, -3), "static": (3, 1)}
NO_CHUNKS = "libomp does not record which chunk a member has"


class Loops(loop_programs.Held):
    """The tests of one runtime."""

    waiting = ("ordered", "ordered_static", "doacross")

    def look(self, what):
        """({member: iteration from 0}, rows by member)."""
        words, rows = super().look(what)
        first, step = FIRST.get(what, (0, 1))
        for row in rows.values() if what not in ("doacross", "unsigned") else ():
            # clang counts all loops from 0.
            self.assertEqual((row["first"], row["step"]), (first, step) if self.gcc else (0, 1))
        sign = -1 if what == "down" else 1
        return {member: (sign * number - first) // step for member, number in words.items()}, rows

    @staticmethod
    def has(row):
        """The iterations in hand, counted from 0."""
        return range((row["has"]["first"] - row["first"]) // row["step"],
                     (row["has"]["last"] - row["first"]) // row["step"] + 1)

    def facts(self, rows, **facts):
        for row in rows.values():
            self.assertEqual({key: row[key] for key in facts}, facts)

    def check_shares(self, what, chunk, iterations):
        """What clang and libomp make of a dynamic loop: shares, of which members take from one another."""
        words, rows = self.look(what)
        self.assertEqual(sorted(rows), list(range(4)))
        self.facts(rows, schedule="dynamic", chunk=chunk, iterations=iterations, shares=True)
        for member, row in rows.items():
            self.assertIn(words[member], self.has(row))
            self.assertEqual(self.has(row)[0] % chunk, 0)
        self.assertEqual({row["left"] for row in rows.values()}, {sum(row["share"] for row in rows.values())})
        return words, rows

    def check_counter(self, what, chunk, iterations):
        words, rows = self.look(what)
        after = min((max(words.values()) // chunk + 1) * chunk, iterations)
        self.assertEqual(sorted(rows), sorted(words))
        self.facts(rows, schedule="dynamic", chunk=chunk, iterations=iterations, shares=False,
                   left=iterations - after, has=None)
        for row in rows.values():
            self.assertEqual(row["unknown"]["has"], NO_CHUNKS)
            if row["left"]:
                self.assertEqual(row["next"], row["first"] + after * row["step"])

    def test_dynamic(self):
        if self.gcc:  # its loops are monotonic
            self.check_counter("dynamic", 3, 100)
            self.check_counter("down", 2, 34)
            return
        words, rows = self.check_shares("dynamic", 3, 100)
        # Of its share the first member had three chunks, each other one.
        self.assertEqual(rows[0]["left"], 100 - 3 * (words[0] // 3 + 1) - 9)
        self.check_shares("unsigned", 4, 80)
        # The first member takes from others until it comes to iteration 24 or a later one.
        self.check_shares("down", 2, 34)

    def test_one_counter(self):
        self.check_counter("monotonic", 3, 45)
        self.check_counter("exhausted", 5, 15)

    def test_guided(self):
        words, rows = self.look("guided")
        self.assertEqual(sorted(rows), list(range(4)))
        # A chunk is what was left, divided by twice the number of members.
        after = max(words.values()) + (100 - max(words.values())) // 8
        self.facts(rows, schedule="guided", chunk=1, iterations=100, left=100 - after, next=after)

    def check_static(self, what, parts, chunk, iterations):
        """PARTS: by member, the chunks that it gets."""
        words, rows = self.look(what)
        self.assertEqual(sorted(rows), sorted(words))
        self.facts(rows, schedule="static", chunk=chunk, iterations=iterations)
        for member, row in rows.items():
            begun = [part for part in parts[member] if part[0] <= words[member]]
            self.assertEqual(self.has(row), begun[-1])
            share = sum(len(part) for part in parts[member]) - sum(len(part) for part in begun)
            self.assertEqual(row["share"], share)
            one = len(begun[-1]) == 1
            self.assertEqual(row["at"], row["has"]["first"] if one else None)

    def test_static_by_the_runtime(self):
        parts = [[range(0, 26)], [range(26, 52)], [range(52, 77)], [range(77, 102)]]
        self.check_static("static", parts, None, 102)
        self.check_static("few", [[range(i, i + 1)] for i in range(3)], None, 3)
        parts = [[range(i, min(i + 4, 99)) for i in range(4 * member, 99, 16)] for member in range(4)]
        self.check_static("static4", parts, 4, 99)

    def test_ordered(self):
        for what in ("ordered", "ordered_static"):
            words, rows = self.look(what)
            (member, number), = words.items()
            self.facts(rows, ordered=True, turn=number, iterations=100)
            # In gcc's programs libomp passes over the chunk of an ordered static loop.
            parts = [range(0, 25), range(25, 50), range(50, 75), range(75, 100)]
            if what == "ordered" or not self.gcc:
                parts = [range(8, 10), range(10, 12), range(12, 14), range(14, 16)]
            self.assertEqual(sorted((self.has(row) for row in rows.values()), key=list), parts)
            self.assertIn(number, self.has(rows[member]))

    def test_doacross(self):
        words, rows = self.look("doacross")
        self.assertEqual(sorted(rows), list(range(4)))
        self.facts(rows, doacross=True, waits_for=None)
        for member, row in rows.items():
            self.assertEqual("waits_for" in row["unknown"], member not in words)

    def test_sections(self):
        for what in ("sections", "inner_sections") if self.gcc else ():  # clang divides them itself
            words, rows = self.look(what)
            self.facts(rows, schedule="sections", iterations=3, left=1, next=2)

    def test_what_is_no_loop(self):
        for what in ("region", "single", "inlined"):
            with self.subTest(what=what):
                self.assertEqual(self.look(what)[1], {})

    def test_around_another_region(self):
        words, rows = self.look("outer")
        self.assertEqual({member: self.has(row) for member, row in rows.items()},
                         {0: range(0, 5), 1: range(5, 10)})
        self.assertEqual(set(words), set(rows))

    def test_the_last_one_in_a_loop(self):
        words, rows = self.look("nowait")
        self.assertEqual({member: row["left"] for member, row in rows.items()}, {min(words): 0})


globals().update(loop_programs.cases(Loops, ["libomp-14", "libomp-19", "libomp-19-as-libgomp"]))

if __name__ == "__main__":
    xmltest.main()
