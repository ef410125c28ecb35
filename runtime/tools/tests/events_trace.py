# SPDX-License-Identifier: Apache-2.0
"""A trace of trace_tool.c as text that is the same in every run: by section, then by thread.

Regions and tasks get numbers by their first appearance in the section, a worker's own ones by that worker;
code addresses become <the source line that they return into>, or, since gcc's line numbers of outlined code
are none to rely on, <the function around it>. Of a worker a section has what comes between the beginnings of
two of its outermost implicit tasks: the end of its last one may come late (docs/tools.md).
"""
import itertools
import re
import subprocess

CODE = re.compile(r"@[0-9a-f]+")
SOMETHING = re.compile(r"<[^>]*>")


def places(program, source, offsets, by_line):
    """Where each call is whose return address is given."""
    with open(source) as f:
        lines = f.read().splitlines()
    out = subprocess.run(["addr2line", "-f", "-e", program] + ["%x" % (int(o[1:], 16) - 1) for o in offsets],
                         check=True, stdout=subprocess.PIPE, universal_newlines=True).stdout.splitlines()
    found = {}
    for offset, function, where in zip(offsets, out[::2], out[1::2]):
        number = re.search(r":(\d+)", where)
        text = lines[int(number.group(1)) - 1].strip() if number and int(number.group(1)) else "?"
        found[offset] = "<%s>" % (text.replace("#pragma omp ", "") if by_line else function.split(".")[0])
    return found


def by_section(text):
    """[(name, [line])], in the order of the program, the primary thread's lines first."""
    sections, of_worker, depth = [("start", {})], {}, {}
    for line in text.splitlines():
        if line.startswith("== "):
            sections.append((line[3:].strip(), {}))
            continue
        thread = line.split()[0]
        section = sections[-1][1]
        if thread not in ("T1", "answer"):
            if " implicit_task begin" in line:
                if depth.get(thread, 0) == 0:
                    of_worker[thread] = section
                depth[thread] = depth.get(thread, 0) + 1
            elif " implicit_task end" in line:
                depth[thread] -= 1
            if " thread_" not in line:
                section = of_worker[thread]
        section.setdefault(thread, []).append(line.rstrip())
    return [(name, [line for thread in sorted(threads) for line in threads[thread]])
            for name, threads in sections]


def in_order(lines):
    """Which of several dependences of one task is told first depends on addresses."""
    result = []
    for same, group in itertools.groupby(lines, lambda line: line.split()[1] == "task_dependence"):
        result += sorted(group) if same else group
    return result


def canonical(text, program, source, by_line):
    """{section: [line]}"""
    places_of = places(program, source, sorted(set(CODE.findall(text))), by_line)
    result = {}
    for name, section in by_section(text):
        numbers = {}

        texts = []
        for line in section:
            thread = line.split()[0]
            kind_of = "%s" if thread == "T1" else "%%s%s." % thread[1:]

            def number(match, numbers=numbers, kind_of=kind_of):
                if match.group() not in numbers:
                    kind = kind_of % match.group(1)
                    numbers[kind] = numbers.get(kind, 0) + 1
                    numbers[match.group()] = kind + str(numbers[kind])
                return numbers[match.group()]
            # The objects of criticals and ordered loops have no name in the program.
            line = re.sub(r"(mutex_\w+ \w+ (?:hint \d+ impl \d+ )?)(@[0-9a-f]+|somewhere) ",
                          lambda match: match.group(1) + "W" + match.group(2) + " ", line)
            line = re.sub(r"\b(W)(?:@[0-9a-f]+|somewhere)|\b([PK])\d+\b",
                          lambda match: number(re.match("([WPK]).*", match.group())), line)
            texts.append(CODE.sub(lambda match: places_of[match.group()], line))
        assert name not in result, name
        result[name] = in_order(texts)
    return result
