#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""@file What inspect/model/fields.def says of JSON, in docs/ompd-1.schema.json and docs/json.md.

  fields.py check ROOT    says which of the two is not what it would write
  fields.py write ROOT    writes them

In the schema the `properties` of each object of fields.def are made. What no member has (MADE, APART) stays
as it is, and so do each `description` and the `examples` of a text. In json.md the tables are made that
come after `<!-- OBJECT -->`.
"""
import json
import pathlib
import re
import sys

WIDTH = 120
NULL = {"type": "null"}


def ref(name):
    return {"$ref": "#/$defs/" + name}


def integer(null=False, **more):
    return {"type": ["integer", "null"] if null else "integer", **more}


# By the word before the parenthesis; the words of WORD are added.
TYPES = {
    "ID": integer(minimum=1),
    "NUMBER": integer(minimum=0),
    "POSITIVE": integer(True, minimum=1),
    "NATURAL": integer(True, minimum=0),
    "SIGNED": integer(),
    "SIGNED_OR_NULL": integer(True),
    "FACT": integer(True),
    "YES": {"type": "boolean"},
    "MAYBE": {"type": ["boolean", "null"]},
    "TEXT": {"type": "string"},
    "TEXT_OR_NULL": {"type": ["string", "null"]},
    "WORD": {"type": "string"},
    "WORD_OR_NULL": {"type": ["string", "null"]},
    "OWN_WORD": {"type": ["string", "null"]},
    "ADDRESS": {"anyOf": [ref("address"), NULL]},
    "UNKNOWN": ref("unknown"),
}


def arguments(text):
    """Of a macro's call, from behind its parenthesis: they end at the one that closes it."""
    found, depth, start = [], 0, 0
    for token in re.finditer(r'"(?:\\.|[^"\\])*"|[(),]', text):
        if depth == 0 and token[0] in ",)":
            found.append(text[start:token.start()].strip())
            start = token.end()
            if token[0] == ")":
                return found
        depth += {"(": 1, ")": -1}.get(token[0], 0)
    raise ValueError("no end: " + text[:60])


class Field:
    def __init__(self, key, how, meaning):
        self.key = key
        self.how, rest = how.split("(", 1)
        self.arguments = arguments(rest)
        parts = re.findall(r'"((?:\\.|[^"\\])*)"', meaning)
        self.meaning = re.sub(r"\\(.)", r"\1", "".join(parts))


def read_fields(root):
    """The rows of each object, by its name."""
    text = re.sub(r"/\*.*?\*/", "", (root / "inspect/model/fields.def").read_text(), flags=re.S)
    found = {}
    for call in re.finditer(r"^(OBJECT|FIELD)\(", text, flags=re.M):
        values = arguments(text[call.end():])
        if call[1] == "OBJECT":
            found[values[0]] = []
        else:
            found[values[0]].append(Field(values[1], values[2], values[4]))
    return found


def read_words(root):
    """The words of each list of words.c, by its name."""
    text = (root / "inspect/model/words.c").read_text()
    return {call[1]: re.findall(r'"([^"]*)"', call[2])
            for call in re.finditer(r"^WORDS\(\s*(\w+)_words,(.*?)\);", text, flags=re.M | re.S)}


def properties(fields, words, name, old):
    """The schema's of the object NAME; OLD: as they are."""
    new = {}
    for f in fields[name]:
        how = f.how.replace("_OR_NULL", "")
        if f.how in TYPES:
            kept = ("description",) if how == "WORD" else ("description", "examples")
            new[f.key] = {**TYPES[f.how], **{k: v for k, v in old.get(f.key, {}).items() if k in kept}}
            if how == "WORD":
                new[f.key]["examples"] = words[f.arguments[1]]
        elif f.how == "BIT":
            new[f.key] = TYPES["YES" if f.arguments[1] == "NULL" else "MAYBE"]
        elif how == "INLINE":
            new.update(properties(fields, words, f.arguments[1], old))
        elif how == "LIST":
            new[f.key] = {"type": "array", "items": ref(f.arguments[2])}
        elif how in ("SUB", "SELF", "POINTER"):
            one = ref(f.arguments[-1])
            new[f.key] = {"anyOf": [one, NULL]} if f.how != how or how == "POINTER" else one
        elif f.key in old:
            new[f.key] = old[f.key]
        else:
            raise ValueError("%s.%s: write its schema, it has no member" % (name, f.key))
    return new


def dump(value, indent=0, before=0):
    """JSON with what fits on a line on one."""
    line = json.dumps(value, ensure_ascii=False)
    if indent + before + len(line) < WIDTH or not isinstance(value, (dict, list)) or not value:
        return line
    space = "\n" + " " * (indent + 1)
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        rows = [""]
        for word in map(json.dumps, value):
            if len(rows[-1]) + len(word) + indent + 4 > WIDTH:
                rows.append("")
            rows[-1] += (" " if rows[-1] else "") + word + ","
        return "[" + space + space.join(rows)[:-1] + space[:-1] + "]"
    if isinstance(value, list):
        return "[" + space + ("," + space).join(dump(one, indent + 1) for one in value) + space[:-1] + "]"
    rows = ("%s: %s" % (json.dumps(key), dump(one, indent + 1, len(key) + 4)) for key, one in value.items())
    return "{" + space + ("," + space).join(rows) + space[:-1] + "}"


def schema(root):
    fields, words = read_fields(root), read_words(root)
    new = json.loads((root / "docs/ompd-1.schema.json").read_text())
    for name in fields:
        one = new if name == "document" else new["$defs"][name]
        one["properties"] = properties(fields, words, name, one["properties"])
    return dump(new) + "\n"


def table(fields, names):
    lines, keys = ["| key | meaning |", "|---|---|"], []
    for f in (f for name in names for f in fields[name] if f.meaning):
        keys += [one.key for one in fields[f.arguments[1]][:3]] if f.how == "INLINE" else [f.key]
        if f.meaning != "&":
            lines.append("| %s | %s |" % (", ".join("`%s`" % key for key in keys), f.meaning))
            keys = []
    return "\n".join(lines) + "\n"


def page(root):
    fields, old = read_fields(root), (root / "docs/json.md").read_text()
    return re.sub(r"(<!-- ([a-z_ ]+) -->\n)(?:\|.*\n)*",
                  lambda found: found[1] + table(fields, found[2].split()), old)


def main(what, root):
    root, stale = pathlib.Path(root), 0
    for name, make in (("docs/ompd-1.schema.json", schema), ("docs/json.md", page)):
        text = make(root)
        if what == "write":
            (root / name).write_text(text)
        elif (root / name).read_text() != text:
            print("%s is not what inspect/model/fields.def says: run tools/fields.py write ." % name)
            stale = 1
    return stale


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
