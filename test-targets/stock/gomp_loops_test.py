# SPDX-License-Identifier: Apache-2.0
"""`ompd loops` on libgomp, against what each member of the team has written of itself before it stopped
(loops/gomp_loops.c) and what the source says: what is told is right, the rest has a reason.
"""

import loop_programs
import xmltest

NO_CHUNKS = "libgomp does not record which chunk a member has"
NO_BEGINNING = "libgomp records only where the rest of such a loop begins"


class Loops(loop_programs.Held):
    """The tests of one runtime."""

    waiting = ("doacross",)

    def check_counter(self, what, chunk, next_number, left, **more):
        """A loop with one counter; NEXT_NUMBER and LEFT are of what the members have written."""
        words, rows = self.look(what)
        self.assertEqual(sorted(rows), list(range(4)))
        for member, row in rows.items():
            facts = {"schedule": "dynamic", "chunk": chunk, "step": 1, **more}
            self.assertEqual({key: row[key] for key in facts}, facts)
            after = next_number(words)
            self.assertEqual(row["left"], left(after))
            if row["left"]:
                self.assertEqual(row["next"], after)
            self.assertEqual(row["iterations"], None)
            self.assertEqual(row["unknown"]["iterations"], NO_BEGINNING)
            self.assertEqual((row["has"], row["unknown"].get("has")),
                             (None, NO_CHUNKS if member in words else None), row)
        return words, rows

    def test_dynamic(self):
        self.check_counter("dynamic", 3, lambda words: max(words.values()) // 3 * 3 + 3,
                           lambda after: 100 - after)

    def test_numbers_are_the_program_s(self):
        self.check_counter("monotonic", 3, lambda words: (max(words.values()) - 10) // 6 * 6 + 16,
                           lambda after: len(range(after, 100, 2)), step=2)

    def test_downwards(self):
        self.check_counter("down", 2, lambda words: 50 - (50 + max(words.values())) // 6 * 6 - 6,
                           lambda after: len(range(after, -51, -3)), step=-3)

    def test_without_a_sign(self):
        # Numbers from half of their range on are shown as negative ones.
        self.check_counter("unsigned", 4, lambda words: max(words.values()) // 4 * 4 + 4 - 0x10 - 2 ** 63,
                           lambda after: 0x40 + 2 ** 63 - (after + 2 ** 64))

    def test_all_handed_out(self):
        self.check_counter("exhausted", 5, lambda words: 15, lambda after: 0)

    def test_guided(self):
        words, rows = self.look("guided")
        self.assertEqual(sorted(rows), list(range(4)))
        for row in rows.values():
            self.assertEqual((row["schedule"], row["chunk"], row["step"]), ("guided", 1, 1))
            self.assertGreater(row["next"], max(words.values()))
            self.assertEqual(row["left"], 100 - row["next"])
            # The last chunk was as large as the team's share of what was left then, rounded up.
            begun = max(words.values())
            self.assertEqual(row["next"], begun + -(-(100 - begun) // 4))

    def check_static(self, what, parts, chunk, **more):
        """PARTS: by member, the chunks that it gets."""
        words, rows = self.look(what)
        self.assertEqual(sorted(rows), list(range(4)))
        for member, row in rows.items():
            facts = {"schedule": "static", "chunk": chunk, "step": 1, **more}
            self.assertEqual({key: row[key] for key in facts}, facts)
            begun = [part for part in parts[member] if member in words and part[0] <= words[member]]
            share = sum(len(part) for part in parts[member]) - sum(len(part) for part in begun)
            if member in words:
                has = {"first": begun[-1][0], "last": begun[-1][-1], "count": len(begun[-1])}
                self.assertEqual((row["has"], row["share"]), (has, share))
                self.assertEqual(row["at"], words[member] if has["count"] == 1 else None)
            self.assertIsNone(row["unknown"].get("has"))
        return words, rows

    def test_static_in_parts(self):
        parts = [[range(3, 29)], [range(29, 55)], [range(55, 80)], [range(80, 105)]]
        self.check_static("static", parts, None, iterations=102, first=3)
        _, rows = self.check_static("few", [[range(0, 1)], [range(1, 2)], [range(2, 3)], []], None,
                                    iterations=3)
        self.assertEqual((rows[3]["has"], rows[3]["share"]), (None, 0))

    def test_static_in_chunks(self):
        parts = [[range(i, min(i + 4, 99)) for i in range(4 * member, 99, 16)] for member in range(4)]
        self.check_static("static4", parts, 4, iterations=99, first=0)

    def test_ordered(self):
        for what in ("ordered", "ordered_static"):
            words, rows = self.look(what)
            (member, number), = words.items()
            self.assertEqual({row["ordered"] for row in rows.values()}, {True})
            self.assertIn("turn", rows[member]["unknown"])
            if what == "ordered":
                self.assertEqual({(row["left"], row["next"]) for row in rows.values()}, {(84, 16)})
            else:
                self.assertEqual(rows[member]["has"], {"first": 8, "last": number, "count": 2})
                self.assertEqual(sorted(row["has"]["first"] for row in rows.values()), [8, 10, 12, 14])

    def test_doacross(self):
        words, rows = self.look("doacross")
        (member, number), = words.items()
        self.assertEqual({row["doacross"] for row in rows.values()}, {True})
        self.assertEqual(rows[member]["at"], number)
        self.assertEqual(sorted(row["at"] for row in rows.values()), [9, 10, 11, 12])
        for other, row in rows.items():
            self.assertIsNone(row["waits_for"])
            self.assertEqual("waits_for" in row["unknown"], True, (other, row))

    def test_sections(self):
        for what in ("sections", "inner_sections"):
            _, rows = self.look(what)
            self.assertEqual({(row["schedule"], row["iterations"], row["left"], row["next"])
                              for row in rows.values()}, {("sections", 3, 1, 2)})

    def test_what_is_no_loop(self):
        """Records of earlier loops lie where these constructs have theirs."""
        for what in ("region", "single", "inlined", "conditional"):
            with self.subTest(what=what):
                self.assertEqual(self.look(what)[1], {})

    def test_what_cannot_be_told_apart(self):
        for what, members in (("single_alone", [0]), ("task_reduction", [0, 1, 2, 3])):
            with self.subTest(what=what):
                _, rows = self.look(what)
                self.assertEqual(sorted(rows), members)
                for row in rows.values():
                    self.assertIsNone(row["schedule"])
                    self.assertIn("it may as well be another construct", row["unknown"]["schedule"])
                    self.assertEqual([row[key] for key in ("iterations", "left", "next", "has", "share")],
                                     [None] * 5)

    def test_around_another_region(self):
        words, rows = self.look("outer")
        self.assertEqual({member: row["has"]["first"] for member, row in rows.items()}, words)
        self.assertEqual({member: row["has"]["last"] for member, row in rows.items()}, {0: 4, 1: 9})

    def test_the_last_one_in_a_loop(self):
        words, rows = self.look("nowait")
        (member, _), = words.items()
        self.assertEqual({row: (rows[row]["schedule"], rows[row]["left"]) for row in rows},
                         {member: ("dynamic", 0)})


globals().update(loop_programs.cases(Loops, ["libgomp-12"]))

if __name__ == "__main__":
    xmltest.main()
