#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the C source of libompd's rows (ompd/providers/rows.h) from the files of ompd/rows/.

    pack_rows.py FILE.json...

A row that is not of this format ends the build.
"""

import json
import sys
from typing import Any, Dict, List, Tuple

REGISTERS = ("r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi rdi orig_rax rip cs eflags rsp ss "
             "fs_base gs_base ds es fs gs").split()
# enum ompdx_layout_kind_t
SIZE, FIELD, VARIABLE, CONSTANT, SITE, SPIN, FUNCTION, SLOT, BUILD_ID, FINGERPRINT, FRAME = range(1, 12)
BY_ADDRESS = (SITE, SPIN, FUNCTION, FRAME)

Entry = Tuple[int, str, int, int, int]


def address(text: str) -> int:
    value = int(text, 16)
    if not text.startswith("0x") or value >= 1 << 31:
        raise ValueError(f"{text} is no address in a file")
    return value


def slot(name: str, where: List[Any]) -> Entry:
    memory = len(where) == 2
    return (SLOT, name, REGISTERS.index(where[0]), int(memory), where[1] if memory else 0)


def entries(row: Dict[str, Any]) -> List[Entry]:
    found: List[Entry] = []
    found += [(SIZE, name, size, 0, 0) for name, size in row["sizes"].items()]
    found += [(FIELD, name, place[0], place[1], place[2] if len(place) > 2 else 0)
              for name, place in row["fields"].items()]
    found += [(VARIABLE, name, address(place[0]), place[1], 0) for name, place in row["variables"].items()]
    found += [(CONSTANT, name, value, 0, 0) for name, value in row["constants"].items()]
    found += [(SITE, "", address(pc), cfa, REGISTERS.index(register)) for pc, cfa, register in row["sites"]]
    found += [(SPIN, rule[0] if rule else "", address(start), address(end), REGISTERS.index(register))
              for start, end, register, *rule in row["spins"]]
    found += [(kind, name, address(ranges[i]), address(ranges[i + 1]), 0)
              for kind, part in ((FUNCTION, "functions"), (FRAME, "frames"))
              for name, ranges in row.get(part, {}).items() for i in range(0, len(ranges), 2)]
    found += [slot(name, where) for name, where in row["slots"].items()]
    found += [(BUILD_ID, build_id, 0, 0, 0) for build_id in row["build_ids"]]
    found += [(FINGERPRINT, row["fingerprint"], 0, 0, 0)] if row.get("fingerprint") else []
    return sorted(found, key=lambda e: (e[0], e[2] if e[0] in BY_ADDRESS else 0, e[1].encode()))


class Text:
    """All names, each once, one after the other."""

    def __init__(self) -> None:
        self.at: Dict[str, int] = {}
        self.length = 0

    def place(self, name: str) -> int:
        if name not in self.at:
            self.at[name] = self.length
            self.length += len(name.encode()) + 1
        return self.at[name]

    def source(self) -> str:
        return "\n".join(f'    {json.dumps(name)} "\\0"' for name in self.at)


def load(path: str) -> Dict[str, Any]:
    with open(path, encoding="utf-8") as file:
        row = json.load(file)
    if row["format"] != 1 or row["machine"] != "x86-64" or row["family"] not in ("gomp", "kmp"):
        raise ValueError(f"{path}: not a row of this format")
    return row


def main() -> None:
    text = Text()
    text.place("")
    rows: List[str] = []
    numbers: List[str] = []
    for row in sorted((load(path) for path in sys.argv[1:]), key=lambda row: row["name"]):
        first = len(numbers)
        for kind, name, a, b, c in entries(row):
            if max(a, b, c) >= 1 << 32 or min(a, b, c) < 0:
                raise ValueError(f"{row['name']}: {name} has a number that is too large")
            numbers.append(f"    {{{kind}, {text.place(name)}, {a:#x}, {b:#x}, {c:#x}}},")
        names = ", ".join(str(text.place(row[key])) for key in ("family", "name", "source"))
        rows.append(f"    {{{names}, {first}, "
                    f"{len(numbers) - first}}}, /* {row['name']} */")
    print("/* SPDX-License-Identifier: Apache-2.0 */\n/* Made by tools/pack_rows.py. */")
    print('#include "providers/rows.h"\n')
    print("const uint32_t rows_count = %d;" % len(rows))
    print("const struct rows_row rows_list[] = {\n" + "\n".join(rows) + "\n};")
    print("const struct rows_entry rows_entries[] = {\n" + "\n".join(numbers) + "\n};")
    print("const char rows_text[] =\n" + text.source() + ";")


if __name__ == "__main__":
    main()
