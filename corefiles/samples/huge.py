# SPDX-License-Identifier: Apache-2.0
"""A core as large as one likes: THREADS OpenMP threads in one region and TASKS ready tasks, made by hand.

The library's pages, its published table and its globals come from a sample core; the table says where each
field of runtime/layout.def lies. Slabs, threads and their registers are new. Only what libompd reads is
filled in.
"""

import re
import struct

# Places where a sample has nothing.
SLABS, PTHREADS = 0x100000000000, 0x200000000000
TASKS_PER_SLAB = 1 << 16
EHDR, PHDR = 64, 56
PT_LOAD, PT_NOTE, NT_PRSTATUS, NT_FILE = 1, 4, 1, 0x46494C45
FS_BASE = 21  # in user_regs_struct
PRSTATUS_PID, PRSTATUS_REGS, PRSTATUS_SIZE = 32, 112, 336
WORK_PARALLEL = 1  # ompt_state_work_parallel


class Sample:
    """An ELF core: its segments, its notes."""

    def __init__(self, data):
        self.data, self.loads, self.notes = data, [], []
        phoff, = struct.unpack_from("<Q", data, 32)
        count, = struct.unpack_from("<H", data, 56)
        for i in range(count):
            kind, flags, offset, address, _, filesz, memsz, _ = struct.unpack_from("<IIQQQQQQ", data,
                                                                                   phoff + PHDR * i)
            if kind == PT_LOAD:
                self.loads.append((address, flags, memsz, offset, filesz))
            elif kind == PT_NOTE:
                self._read_notes(offset, offset + filesz)

    def _read_notes(self, at, end):
        while at < end:
            name, size, kind = struct.unpack_from("<III", self.data, at)
            desc = at + 12 + (name + 3) // 4 * 4
            self.notes.append((kind, self.data[desc:desc + size]))
            at = desc + (size + 3) // 4 * 4

    def place(self, address):
        """The file's offset of an address."""
        for start, _, _, offset, filesz in self.loads:
            if start <= address < start + filesz:
                return offset + address - start
        raise KeyError(address)


class Layout:
    """The published table (docs/core-note.md) with the names of layout.def."""

    def __init__(self, sample, definitions):
        at = sample.data.index(b"OMPCLAYT")
        while struct.unpack_from("<I", sample.data, at + 16)[0] != 24:  # a string constant, not the table
            at = sample.data.index(b"OMPCLAYT", at + 1)
        count, step, header, self.address = struct.unpack_from("<IIIQ", sample.data, at + 12)
        names = {}
        for kind, number, *words in re.findall(r"RT_(\w+)\((\d+),\s*(\w+)(?:, (\w+))?(?:, (\w+))?",
                                               definitions):
            name = {"VAR": "variable " + words[0], "FIELD": words[0] + "." + words[1],
                    "BITS": words[0] + "." + words[2]}.get(kind, words[0])
            names[int(number)] = name
        self.offset, self.size, self.count, self.value = {}, {}, {}, {}
        for i in range(count):
            number, _, offset, size, elements, value = struct.unpack_from("<HHiIIQ", sample.data,
                                                                          at + header + step * i)
            name = names.get(number)
            self.offset[name], self.size[name] = offset, size
            self.count[name], self.value[name] = elements, value

    def slot(self, tag):
        return (self.size[tag] + 63) // 64 * 64

    def record(self, tag, **values):
        """One structure's bytes, as long as its slot."""
        record = bytearray(self.slot(tag))
        for name, value in values.items():
            self.put(record, 0, tag, name, value)
        return record

    def put(self, record, base, tag, name, value):
        field = tag + "." + name
        width = {1: "B", 2: "H", 4: "I", 8: "Q"}[self.size[field]]
        struct.pack_into("<" + width, record, base + self.offset[field], value)


def _note(kind, desc):
    return struct.pack("<III", 5, len(desc), kind) + b"CORE\0\0\0\0" + desc + bytes(-len(desc) % 4)


def _copies(record, count, offset, serial):
    """COUNT of the RECORD, the serials at OFFSET numbered from SERIAL."""
    records = bytearray(record * count)
    for i in range(count):
        struct.pack_into("<Q", records, offset + len(record) * i, serial + i)
    return records


def write(path, sample, definitions, threads, tasks):
    """Writes the core to PATH; returns its size. SAMPLE: the bytes of an unpacked sample core."""
    sample = Sample(sample)
    layout = Layout(sample, definitions)
    slabs, parts, address = [], [], SLABS

    def add(data):
        nonlocal address
        parts.append((address, bytes(data)))
        address += (len(data) + 0xffff) // 0x10000 * 0x10000
        return parts[-1][0]

    def slab(kind, tag, count):
        """Reserves the place: records refer to each other."""
        nonlocal address
        slabs.append((address, layout.slot(tag), count, kind))
        address += (layout.slot(tag) * count + 0xffff) // 0x10000 * 0x10000
        return slabs[-1][0]

    def fill(base, records):
        parts.append((base, bytes(records)))

    thread_at, thread_step = slab("RT_KIND_THREAD", "rt_thread", threads), layout.slot("rt_thread")
    team_at, team_step = slab("RT_KIND_TEAM", "rt_team", 2), layout.slot("rt_team")
    implicit_at, task_step = slab("RT_KIND_TASK", "rt_task", threads + 1), layout.slot("rt_task")
    region = team_at + team_step
    member = layout.size["rt_member"]
    members = bytearray(member * (threads + 1))
    started, ready = layout.value["RT_TS_STARTED"], layout.value["RT_TS_READY"]
    records, implicit = bytearray(), bytearray(layout.record(
        "rt_task", serial=1, team=team_at, team_serial=1, flags=layout.value["RT_TASK_INITIAL"],
        state=started, thread=thread_at))
    for i in range(threads):
        task, thread = implicit_at + task_step * (i + 1), thread_at + thread_step * i
        records += layout.record("rt_thread", serial=i + 1, pthread=PTHREADS + 0x1000 * i, tid=100000 + i,
                                 cur_task=task, state=WORK_PARALLEL, gtid=i, kind=1 if i == 0 else 2)
        implicit += layout.record("rt_task", serial=i + 2, team=region, team_serial=2, parent=implicit_at,
                                  flags=layout.value["RT_TASK_IMPLICIT"], state=started, thread_num=i,
                                  thread=thread, children=tasks if i == 0 else 0)
        layout.put(members, member * i, "rt_member", "task", task)
        layout.put(members, member * i, "rt_member", "thread", thread)
    layout.put(members, member * threads, "rt_member", "task", implicit_at)
    layout.put(members, member * threads, "rt_member", "thread", thread_at)
    fill(thread_at, records)
    fill(implicit_at, implicit)
    places = add(members)
    fill(team_at, layout.record("rt_team", serial=1, kind=layout.value["RT_TEAM_INITIAL"], nthreads=1,
                                num_teams=1, members=places + member * threads)
         + layout.record("rt_team", serial=2, kind=layout.value["RT_TEAM_PARALLEL"], nthreads=threads,
                         level=1, active_level=1, parent_task=implicit_at, parent_serial=1, members=places,
                         num_teams=1))
    one = bytes(layout.record("rt_task", team=region, team_serial=2, parent=implicit_at + task_step,
                              flags=layout.value["RT_TASK_EXPLICIT"], state=ready))
    serial = layout.offset["rt_task.serial"]
    for first in range(0, tasks, TASKS_PER_SLAB):
        count = min(TASKS_PER_SLAB, tasks - first)
        fill(slab("RT_KIND_TASK", "rt_task", count), _copies(one, count, serial, threads + 2 + first))
    data = bytearray(sample.data)
    _directory(data, sample, layout, slabs)
    return _save(path, sample, data, parts, threads)


def _directory(data, sample, layout, slabs):
    root = sample.place(layout.address + layout.offset["variable rt_root"])
    at, step = root + layout.offset["rt_root.slabs"], layout.size["rt_slab"]
    if len(slabs) > layout.count["rt_root.slabs"]:
        raise ValueError("%d slabs: the root has room for %d" % (len(slabs), layout.count["rt_root.slabs"]))
    for i, (base, slot, count, kind) in enumerate(slabs):
        for name, value in (("base", base), ("slot_size", slot), ("capacity", count), ("used", count),
                            ("kind", layout.value[kind])):
            layout.put(data, at + step * i, "rt_slab", name, value)
    layout.put(data, root, "rt_root", "slab_count", len(slabs))
    layout.put(data, root, "rt_root", "more_slabs", 0)


def _save(path, sample, data, parts, threads):
    notes = bytearray()
    for i in range(threads):
        status = bytearray(PRSTATUS_SIZE)
        struct.pack_into("<i", status, PRSTATUS_PID, 100000 + i)
        struct.pack_into("<Q", status, PRSTATUS_REGS + 8 * FS_BASE, PTHREADS + 0x1000 * i)
        notes += _note(NT_PRSTATUS, bytes(status))
    for kind, desc in sample.notes:
        if kind == NT_FILE:
            notes += _note(NT_FILE, bytes(desc))
    loads = [(start, flags, memsz, data[offset:offset + filesz]) for start, flags, memsz, offset,
             filesz in sample.loads]
    loads += [(start, 6, len(part), part) for start, part in parts]
    header = bytearray(sample.data[:EHDR])
    struct.pack_into("<Q", header, 32, EHDR)
    struct.pack_into("<H", header, 56, len(loads) + 1)
    struct.pack_into("<QHHH", header, 40, 0, 0, EHDR, PHDR)
    header[52:64] = struct.pack("<HHHHHH", EHDR, PHDR, len(loads) + 1, 0, 0, 0)
    offset = EHDR + PHDR * (len(loads) + 1)
    header += struct.pack("<IIQQQQQQ", PT_NOTE, 0, offset, 0, 0, len(notes), 0, 4)
    offset += len(notes)
    for start, flags, memsz, part in loads:
        header += struct.pack("<IIQQQQQQ", PT_LOAD, flags, offset, start, 0, len(part), memsz, 4096)
        offset += len(part)
    with open(path, "wb") as f:
        f.write(header)
        f.write(notes)
        for _, _, _, part in loads:
            f.write(part)
    return offset
