# SPDX-License-Identifier: Apache-2.0
"""Compares JSON answers with docs/ompd-1.schema.json, those of `ompd merge` with docs/ompd-job*.schema.json.

The published schema lets a later version add keys and words, as docs/json.md promises. Here it is taken by
the letter: an answer of this version has no key and no word that the schema does not name.
"""

import copy
import importlib
import json
import os
import sys


def _import_jsonschema():
    """The module, None where it is not installed, or too old for our schemas (Debian 11's). Among a test's
    files is our folder inspect/, which bazel makes a package: it must not stand in for Python's own module of
    that name."""
    path, ours = sys.path, sys.modules.get("inspect")
    if ours is not None and not hasattr(ours, "signature"):
        del sys.modules["inspect"]
    sys.path = [one for one in path if not os.path.isdir(os.path.join(one, "inspect"))]
    try:
        found = importlib.import_module("jsonschema")
        return found if hasattr(found, "Draft202012Validator") else None
    except ImportError:
        return None
    finally:
        sys.path = path


jsonschema = _import_jsonschema()

WHY_NOT = "python3-jsonschema 4 is not installed" if jsonschema is None else None
DOCS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "docs")


def published(name="ompd-1"):
    with open(os.path.join(DOCS, name + ".schema.json"), encoding="utf-8") as f:
        return json.load(f)


def by_the_letter(schema):
    """SCHEMA without the freedom that it leaves to later versions."""
    schema = copy.deepcopy(schema)
    todo = [schema]
    while todo:
        one = todo.pop()
        if isinstance(one, list):
            todo += one
            continue
        if not isinstance(one, dict):
            continue
        todo += list(one.values())
        if "examples" in one and "type" in one:
            one["enum"] = one.pop("examples") + ([None] if "null" in one["type"] else [])
        if isinstance(one.get("properties"), dict):
            one.setdefault("additionalProperties", False)
    return schema


# By the word of `kind`, which the others do not have.
SCHEMAS = {"job": "ompd-job-1", "job_diff": "ompd-job-diff-1"}
_strict = {}


def problems(document):
    """What is wrong with an answer, a sentence for each; [] is right."""
    name = SCHEMAS.get(document.get("kind"), "ompd-1")
    if name not in _strict:
        _strict[name] = jsonschema.Draft202012Validator(by_the_letter(published(name)))
    return ["%s: %s" % ("/".join(str(step) for step in error.absolute_path) or "document",
                        error.message[:200]) for error in _strict[name].iter_errors(document)]


def check(document):
    """Raises AssertionError for an answer that is not as the schema says; does nothing without jsonschema."""
    found = problems(document) if jsonschema else []
    if found:
        raise AssertionError("not as the schema in docs/ has it:\n" + "\n".join(found[:20]))
