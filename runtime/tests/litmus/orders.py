# SPDX-License-Identifier: Apache-2.0
"""What the litmus tests say of the code, and what the code says.

In front of each access of a test that orders something stand the calls of the runtime that it is made of, one
in each line: `// code: FILE FUNCTION: CALL`, the call without its further arguments. Behind it may stand how
many such calls the function has, ` xN`, or which of them it is, ` #N`. Several lines are several ways to the
same place.
"""
import functools
import glob
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
RUNTIME = os.path.normpath(os.path.join(HERE, "..", ".."))
sys.path.insert(0, os.path.join(HERE, ".."))

import accesses  # noqa: E402

FILES = sorted(glob.glob(os.path.join(HERE, "*.litmus")))
CODE = re.compile(r"\s*// code: (\S+) (\w+): (.*)$")
STATEMENT = re.compile(r"\b((?:atomic)_\w+)\((.*)\);")
KINDS = (("fence", r"fence|full_after_rmw|membarrier"), ("load", r"load|rt_acquire"),
         ("store", r"store|rt_publish"), ("read-modify-write", ""))


def kind(name):
    return next(kind for kind, pattern in KINDS if re.search(pattern, name))


class Access:
    """An access of a test, and where it is in the code: [(file, function, call)]."""

    def __init__(self, test, line, name, order, places):
        self.test, self.line, self.name, self.order, self.places = test, line, name, order, places

    def orders_something(self):
        return self.order != "relaxed" or kind(self.name) == "fence"


def name(path):
    return os.path.basename(path)[:-len(".litmus")]


def read_test(path):
    """Its accesses, as the code is."""
    found, places = [], []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            code, statement = CODE.match(line), STATEMENT.search(line.split("//")[0])
            if code:
                places.append(code.groups())
            elif statement:
                order = accesses.ORDER.search(statement.group(2))
                found.append(Access(name(path), number, statement.group(1), order.group(1), places))
                places = []
    return found


@functools.lru_cache(maxsize=None)
def calls_in(text):
    """{(function, call): [Call...]}"""
    found = {}
    for call in accesses.calls(text):
        found.setdefault((call.function, str(call)), []).append(call)
    return found


def calls_at(place, root=RUNTIME):
    """Those that a line names; [] if they are not as it says."""
    file, function, text = place
    text, which, number = re.fullmatch(r"(.*?)(?: ([x#])(\d+))?", text).groups()
    with open(os.path.join(root, file), encoding="utf-8") as source:
        found = calls_in(source.read()).get((function, text), [])
    if which == "#":
        return found[int(number) - 1:int(number)]
    return found if len(found) == int(number or 1) else []


def stands_for(call, access):
    """Whether the code's call is of the same order. A read-modify-write is a load and a store."""
    return call.order() == access.order and kind(call.name) in (kind(access.name), "read-modify-write")


def where():
    """{test: [(file, call)]}"""
    return {name(path): [(place[0], call) for access in read_test(path) for place in access.places
                         for call in calls_at(place)] for path in FILES}


def disagreements(root=RUNTIME):
    """Sentences."""
    found = []
    for path in FILES:
        for access in read_test(path):
            at = "%s.litmus:%d" % (access.test, access.line)
            if access.orders_something() and not access.places:
                found.append("%s: nothing says where this access is in the code" % at)
            for place in access.places:
                calls = calls_at(place, root)
                if not calls:
                    found.append("%s: %s %s has no %s" % ((at,) + place))
                found += ["%s: here a %s, %s; %s:%d is a %s, %s"
                          % (at, kind(access.name), access.order, place[0], call.line, kind(call.name),
                             call.order())
                          for call in calls if not stands_for(call, access)]
    return found
