# SPDX-License-Identifier: Apache-2.0
"""docs/ompd-1.schema.json describes what is printed, finds what is wrong, and has the words that docs/json.md
has."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import fields
import ompd_schema
import xmltest

ROOT = os.path.join(os.environ["TEST_SRCDIR"], os.environ["TEST_WORKSPACE"])


def documents():
    done = subprocess.run([os.path.join(ROOT, "inspect/tests/documents")], stdout=subprocess.PIPE, check=True,
                          universal_newlines=True, timeout=60)
    return [json.loads(text) for text in done.stdout.split("=\n") if text.strip()]


@unittest.skipIf(ompd_schema.WHY_NOT, ompd_schema.WHY_NOT)
class Schema(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.all = documents()

    def test_is_a_schema(self):
        ompd_schema.jsonschema.Draft202012Validator.check_schema(ompd_schema.published())

    def test_describes_what_is_printed(self):
        self.assertGreater(len(self.all), 20)
        for document in self.all:
            self.assertEqual(ompd_schema.problems(document), [])

    def test_every_word_of_activities_is_printed(self):
        schema = ompd_schema.published()["$defs"]["activity"]["properties"]
        kinds = {one["activity"]["kind"] for document in self.all for one in document.get("threads", ())
                 if one["activity"]}
        self.assertEqual(kinds, set(schema["kind"]["examples"]))
        owners = {one["activity"]["owner"] for document in self.all for one in document.get("threads", ())
                  if one["activity"]}
        # `somebody` is a word of `wait` only, which has the same list.
        self.assertEqual(owners, set(schema["owner"]["examples"]) - {"somebody"})

    def test_finds_what_is_wrong(self):
        document = next(one for one in self.all if "snapshot" in one)

        def wrong(change):
            copy = json.loads(json.dumps(document))
            change(copy)
            return ompd_schema.problems(copy)

        for change in (
                lambda d: d.update(news=1),
                lambda d: d.pop("complete"),
                lambda d: d["threads"][0].update(news=1),
                lambda d: d["threads"][0].update(lwp="7"),
                lambda d: d["threads"][0].pop("activity"),
                lambda d: d["threads"][0]["activity"].update(kind="ponders"),
                lambda d: d["threads"][0]["activity"].update(timeout="5 s"),
                lambda d: d["threads"][0]["activity"].update(object="7"),
                lambda d: d["verdict"].update(kind="fine"),
                lambda d: d["process"].update(rank=-1),
        ):
            self.assertNotEqual(wrong(change), [])

    def test_leaves_room_for_later_versions(self):
        published = ompd_schema.jsonschema.Draft202012Validator(ompd_schema.published())
        for document in self.all:
            document["news"] = 1
            for thread in document.get("threads", ()):
                thread["news"] = 1
                if thread["activity"]:
                    thread["activity"]["kind"] = "ponders"
            self.assertEqual([error.message for error in published.iter_errors(document)], [])

    def test_documentation_has_the_same_words(self):
        with open(os.path.join(ROOT, "docs/json.md"), encoding="utf-8") as f:
            known = set(re.findall(r"`([\w.+ ]+)`", f.read()))
        todo, missing = [ompd_schema.published()], set()
        while todo:
            one = todo.pop()
            if isinstance(one, list):
                todo += one
            elif isinstance(one, dict):
                todo += list(one.values())
                if isinstance(one.get("properties"), dict):
                    missing |= set(one["properties"]) - known
                missing |= {word for word in one.get("examples", ()) if isinstance(word, str)} - known
        self.assertEqual(missing, set())


class Fields(unittest.TestCase):
    """The generated parts of the two documents."""

    def test_are_what_fields_def_says(self):
        self.assertEqual(fields.main("check", ROOT), 0)

    def test_a_new_row_comes_into_both(self):
        with tempfile.TemporaryDirectory() as scratch:
            for name in ("inspect/model/fields.def", "inspect/model/words.c", "docs/json.md",
                         "docs/ompd-1.schema.json"):
                os.makedirs(os.path.join(scratch, os.path.dirname(name)), exist_ok=True)
                shutil.copy(os.path.join(ROOT, name), os.path.join(scratch, name))
            rows = pathlib.Path(scratch, "inspect/model/fields.def")
            object_row = "OBJECT(thread, mdl_thread)\n"
            new = r'FIELD(thread, mood, POSITIVE(mood), KEPT, "how " "it \"feels\"")'
            rows.write_text(rows.read_text().replace(object_row, object_row + new + "\n"))
            self.assertEqual(fields.main("check", scratch), 1)
            self.assertEqual(fields.main("write", scratch), 0)
            self.assertEqual(fields.main("check", scratch), 0)
            schema = json.loads(pathlib.Path(scratch, "docs/ompd-1.schema.json").read_text())
            self.assertEqual(schema["$defs"]["thread"]["properties"]["mood"],
                             {"type": ["integer", "null"], "minimum": 1})
            page = pathlib.Path(scratch, "docs/json.md").read_text()
            self.assertIn('\n| `mood` | how it "feels" |\n| `lwp` |', page)


if __name__ == "__main__":
    xmltest.main()
