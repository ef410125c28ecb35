# SPDX-License-Identifier: Apache-2.0
"""Runs in GDB: overwrites the runtime's memory word by word and asks everything after each; says what went
wrong.

The identifiers are those of runtime/layout.def, which never change.
"""

import struct
import time

import gdb

from ompd_gdb import session

ROOT, SLAB_COUNT, SLABS = 1, 13, 14
SLAB, SLAB_BASE, SLOT_SIZE, CAPACITY, USED, KIND = 30, 31, 32, 33, 34, 35
THREAD, THREAD_TASK = 1, 64
TEAM, TEAM_PARENT, TEAM_MEMBERS, TEAM_SIZE = 2, 106, 111, 103
TASK, TASK_PARENT, TASK_TEAM, TASK_SET_ASIDE = 3, 144, 142, 153
SECONDS = 20  # for one command over damaged memory
LARGEST = 4 << 20  # bytes of an answer


def _read(address, size):
    return gdb.selected_inferior().read_memory(address, size).tobytes()


def _write(address, data):
    gdb.selected_inferior().write_memory(address, data)


def _number(address, size):
    return int.from_bytes(_read(address, size), "little")


class Layout:
    """The runtime's table, read without libompd."""

    def __init__(self):
        self.address = int(gdb.parse_and_eval("(long)&'rt_layout_table'")) & (2**64 - 1)
        count, step, head = struct.unpack("<III", _read(self.address + 12, 12))
        self.size = head + count * step
        self.entries = {}
        for i in range(count):
            number, _, offset, size, many = struct.unpack("<HHiII", _read(self.address + head + i * step, 16))
            self.entries[number] = (offset, size, many)
        self.root = self.address + self.entries[ROOT][0]

    def slots(self):
        """(kind, address, size) of the slots in use."""
        root, found = self.root, []
        for i in range(min(self.field(root, SLAB_COUNT), self.entries[SLABS][2])):
            slab = root + self.entries[SLABS][0] + i * self.entries[SLAB][1]
            base, size, used = (self.field(slab, f) for f in (SLAB_BASE, SLOT_SIZE, USED))
            found += [(self.field(slab, KIND), base + n * size, size) for n in range(used)]
        return found

    def field(self, structure, number):
        offset, size, _ = self.entries[number]
        return _number(structure + offset, size)


def _ask(run, what, wrong, commands=("ompd report -json",)):
    for command in commands:
        begin = time.time()
        text, error = run(command)
        if time.time() - begin > SECONDS:
            wrong.append("%s: %s took %.0f s" % (what, command, time.time() - begin))
        if len(text) > LARGEST:
            wrong.append("%s: %s wrote %d bytes" % (what, command, len(text)))
        if error is not None and ("\n" in error or "itself failed" in error):
            wrong.append("%s: %s: %s" % (what, command, error))


def _damage(run, address, data, what, wrong, anew=False, commands=("ompd report -json",)):
    before = _read(address, len(data))
    if before == data:
        return 0
    _write(address, data)
    if anew:
        session._drop(gdb.selected_inferior().num)
    _ask(run, what, wrong, commands)
    _write(address, before)
    if anew:
        session._drop(gdb.selected_inferior().num)
    return 1


def sweep(run, say, every=1):
    """Damages each EVERY-th word of the slots, the root and the layout table."""
    layout = Layout()
    slots = layout.slots()
    wrong = []
    good = run("ompd report -json")
    done = 0
    number = 0
    for kind, address, size in slots:
        for at in range(0, size, 8):
            for value in (address, 0x10, 2**64 - 1, address + 8, 0x7fffffff):
                number += 1
                if number % every == 0:
                    done += _damage(run, address + at, struct.pack("<Q", value),
                                    "kind %d slot 0x%x word %d = 0x%x" % (kind, address, at, value), wrong)
    root_size = layout.entries[10][1]
    # The directory is long and mostly empty: its first entries and what stands around it.
    first, behind = layout.entries[SLABS][0] + 6 * layout.entries[SLAB][1], \
        layout.entries[SLABS][0] + layout.entries[SLABS][1] * layout.entries[SLABS][2]
    for at in range(0, root_size, 4):
        if first <= at < behind:
            continue
        for value in (0, 0x10, 0xffffffff):
            number += 1
            if number % every == 0:
                done += _damage(run, layout.root + at, struct.pack("<I", value),
                                "root word %d = 0x%x" % (at, value), wrong)
    for at in range(0, layout.size, 4):
        for value in (0, 0x10000, 0x7fffffff, 0xffffffff):
            number += 1
            if number % every == 0:
                done += _damage(run, layout.address + at, struct.pack("<I", value),
                                "layout byte %d = 0x%x" % (at, value), wrong, anew=True)
    again = run("ompd report -json")
    if good != again:
        wrong.append("after all was put back the report differs")
    say({"damages": done, "slots": len(slots), "wrong": wrong})


def loops(run, say, commands):
    """A team whose parent is itself, a task that generates itself, and two that generate each other."""
    layout = Layout()
    wrong = []
    done = 0
    slots = layout.slots()
    for kind, field in ((TEAM, TEAM_PARENT), (TASK, TASK_PARENT)):
        offset = layout.entries[field][0]
        mine = [address for k, address, _ in slots if k == kind]
        tasks = [address for k, address, _ in slots if k == TASK]
        for address in mine:
            for other in [address] + tasks:
                done += _damage(run, address + offset, struct.pack("<Q", other),
                                "kind %d slot 0x%x parent 0x%x" % (kind, address, other), wrong,
                                commands=commands)
    say({"damages": done, "slots": len(slots), "wrong": wrong})


def wholesale():
    """{what: [(address, bytes)]}: damages each as large as one may be and the rest still be there."""
    layout = Layout()
    slots = layout.slots()
    of = {kind: [(address, size) for k, address, size in slots if k == kind] for kind in (THREAD, TEAM, TASK)}

    def pointers(kind, field, targets):
        """Each slot's pointer FIELD to the TARGETS in turn."""
        offset = layout.entries[field][0]
        return [(address + offset, struct.pack("<Q", targets[i % len(targets)]))
                for i, (address, _) in enumerate(of[kind])]

    def filled(kind, byte):
        return [(address, byte * size) for address, size in of[kind]]

    teams, tasks = ([address for address, _ in of[kind]] for kind in (TEAM, TASK))
    around = tasks[1:] + tasks[:1]
    first = layout.root + layout.entries[SLABS][0]
    return {
        "the table's header": [(layout.address, b"\xa5" * 24)],
        "the table's rows": [(layout.address + 24, b"\xa5" * (layout.size - 24))],
        "the table's size": [(layout.address + 12, b"\xff\xff\xff\x7f")],
        "the list of slabs": [(first, b"\xa5" * (4 * layout.entries[SLAB][1]))],
        "threads": filled(THREAD, b"\xa5"), "threads zeroed": filled(THREAD, b"\0"),
        "teams": filled(TEAM, b"\xff"), "tasks": filled(TASK, b"\x5a"),
        "tasks of no team": pointers(TASK, TASK_TEAM, [0x10]),
        "tasks of a task": pointers(TASK, TASK_TEAM, tasks),
        "threads in teams": pointers(THREAD, THREAD_TASK, teams),
        "all threads in one task": pointers(THREAD, THREAD_TASK, tasks[:1]),
        "tasks in a circle": pointers(TASK, TASK_PARENT, around) + pointers(TEAM, TEAM_PARENT, around),
        "tasks set aside in a circle": pointers(TASK, TASK_SET_ASIDE, around),
        "members far away": pointers(TEAM, TEAM_MEMBERS, [2**64 - 4096]),
        "huge teams": [(address + layout.entries[TEAM_SIZE][0], b"\xff\xff\xff\x7f") for address in teams],
    }


def put(damage):
    """Makes a damage; what was there, as another one."""
    before = [(address, _read(address, len(data))) for address, data in damage]
    for address, data in damage:
        _write(address, data)
    return before
