# SPDX-License-Identifier: Apache-2.0
"""Runs in GDB: every command that the extension has registered, with every option.

What there is, is asked of GDB itself (help, completion), so that a new command, option or setting cannot be
left out. Counted with it are GDB's own events: a query that lets the program run or writes to it is found
out. """

import contextlib
import itertools
import re
import string

import gdb

# They run the program. All others must not.
RUN_PROGRAM = ("ompd step", "ompd next", "ompd finish")
# It makes breakpoints, which are deleted again.
MAKE_BREAKPOINTS = "ompd catch"
# They go somewhere on purpose: "ompd thread 1" without a command selects that thread.
SELECT = re.compile(r"ompd (frame )?(up|down)|.* -select|ompd thread [0-9.]+$")

# What is given to each command behind its options.
ARGUMENTS = ("", "1", "2", "0", "99999", "-1", "2.1", "x", "x y", "'", "nthreads", "1 print 1", "1 bt 1",
             "bt 1",
             "2 print 1", "77 nonsense", "-", "--", "-nonsense")
SETTINGS = {"ompd width": ("40", "unlimited", "-7", "nonsense"), "ompd library": ("/nonexistent", ""),
            "ompd trace": ("/nonexistent/trace", "")}

_events = {}


def _counted(name):
    def count(_event):
        _events[name] = _events.get(name, 0) + 1
    getattr(gdb.events, name).connect(count)


for _name in ("cont", "stop", "memory_changed", "register_changed", "inferior_call", "exited",
              "breakpoint_modified"):
    _counted(_name)


def _listed(prefix):
    """The commands below a prefix, as GDB's own help has them."""
    found = re.findall(r"(?m)^(%s \S+)(?:, .*)? -- " % re.escape(prefix),
                       gdb.execute("help " + prefix, to_string=True))
    return sorted(set(found))


def _completed(text):
    """What GDB completes TEXT to. gdb.execute drops a blank at the end, so each first letter is tried."""
    found = []
    for letter in "-" + string.ascii_lowercase + string.digits:
        for line in gdb.execute("complete %s %s" % (text, letter), to_string=True).splitlines():
            if line.startswith(text + " ") and line not in found:
                found.append(line)
    return found


def _options(command):
    """Each option alone, with each of its values, and two at a time."""
    plain = gdb.execute("complete %s -" % command, to_string=True).splitlines()
    names = [line[len(command) + 1:].rstrip() for line in plain]
    found = []
    for name in names:
        values = [line[len(command) + 1:] for line in _completed("%s %s" % (command, name))
                  if not line.split()[-1].startswith("-")]
        takes = "%s %s" % (command, name) in VALUED
        found.append([name + " " + value.split()[-1] for value in values] + [name, name + " no"] if takes
                     else [name])
    VALUED_SEEN.update(name for name, texts in zip(names, found) if len(texts) > 2)
    pairs = itertools.combinations([texts[0] for texts in found], 2)
    return [""] + [text for texts in found for text in texts] + [" ".join(pair) for pair in pairs]


# Options that take a value, by command: the help says so.
VALUED = set()
VALUED_SEEN = set()


def _find_valued(commands):
    for command in commands:
        text = gdb.execute("help " + command, to_string=True)
        VALUED.update("%s %s" % (command, name) for name in re.findall(r"(?m)^  (-\w+) [A-Z]+\b", text))


def commands():
    """Every command of the extension that must leave all as it is."""
    return [one for one in _listed("ompd") + _listed("info openmp") if one not in RUN_PROGRAM]


def lines(folder):
    """Every line to be tried: commands with options and arguments, settings, functions, and GDB's own that
    change."""
    found = commands()
    _find_valued(found)
    for command in found:
        options = _options(command) if command != MAKE_BREAKPOINTS else [""]
        arguments = list(ARGUMENTS)
        if command == MAKE_BREAKPOINTS:
            kinds = [line.split()[2] for line in _completed(command)]
            arguments += ["%s %s" % pair
                          for pair in itertools.product(kinds, ("", "begin", "end", "if 1 == 2", "when"))]
        elif command == "ompd export":
            arguments += [folder + "/a" + end for end in
                          (".json", ".dot", ".svg", ".html", ".txt", ".folded", ".snapshot", ".nothing")]
            arguments += ["/nonexistent/a.json"]
        else:
            # The numbers there are.
            arguments += [line.split()[-1] for line in _completed(command) if line.split()[-1].isdigit()][:3]
        for option, argument in itertools.product(options, dict.fromkeys(arguments)):
            if option and argument not in ("", "1", "x") and not argument.startswith("/"):
                continue  # what is wrong with an argument does not depend on the options before it
            line = " ".join((command + " " + option + " " + argument).split())
            if not SELECT.match(line):
                yield line
    for prefix in ("set ompd", "show ompd"):
        for command in _listed(prefix):
            yield command
            if prefix == "set ompd":
                values = [line.split()[-1] for line in _completed(command)]
                for value in SETTINGS.get(command[4:], values + ["nonsense"]):
                    yield (command + " " + value).strip()
            yield "help " + command
    for name in ("addresses off", "runtime-frames count", "width unlimited", "library", "trace"):
        yield "set ompd " + name
    for one in ("ompd", "info openmp", "set ompd", "show ompd"):
        yield from (one, one + " nonsense", "help " + one)
    yield from ("help " + command for command in found + list(RUN_PROGRAM))
    yield from ("apropos openmp", "bt", "bt -hide", "bt 2", "bt -3", "bt -full 1", "bt -no-filters",
                "info frame-filter",
                "info threads")
    for name in functions():
        yield "print $%s()" % name
        yield "print $%s(1)" % name


def functions():
    """The convenience functions that GDB's help lists."""
    return sorted(set(re.findall(r"(?m)^function (ompd_\w+)", gdb.execute("help function", to_string=True))))


def state():
    """All that a query must leave as it was, as GDB tells it."""
    inferior = gdb.selected_inferior()
    thread = gdb.selected_thread()
    found = {"inferior": [inferior.num, inferior.pid],
             "threads": sorted(t.global_num for t in inferior.threads()),
             "running": sorted(t.global_num for t in inferior.threads() if t.is_running()),
             "thread": thread.global_num if thread is not None else None, "frame": None,
             "breakpoints": [b.number for b in gdb.breakpoints()], "events": dict(_events),
             "settings": {name: gdb.parameter(name)
                          for name in ("language", "width", "height", "pagination", "confirm",
                                                                 "scheduler-locking",
                                       "print frame-arguments")},
             "line": None}
    with contextlib.suppress(gdb.error):
        frame = gdb.selected_frame()
        found["frame"] = [frame.level(), frame.pc(), frame.name()]
    with contextlib.suppress(gdb.error):
        place = gdb.decode_line()[1][0]
        found["line"] = [place.symtab.filename if place.symtab else None, place.line]
    return found


def _passes_on(line):
    """True for a line in which GDB commands of the user's own are run: they print, and `bt` is theirs."""
    return bool(re.match(r"(ompd (thread|team)|bt|info threads|print)\b", line))


def every(run, folder):
    """[[line, text, error, what changed]] of all lines."""
    rows = []
    for line in lines(folder):
        before = state()
        text, error = run(line)
        if line.startswith(MAKE_BREAKPOINTS):
            for one in gdb.breakpoints():
                if one.number not in before["breakpoints"]:
                    one.delete()
        after = state()
        if line.startswith(MAKE_BREAKPOINTS):
            before["events"] = after["events"] = None
        if _passes_on(line):
            before["line"] = after["line"] = None
        changed = [[key, before[key], after[key]] for key in before if before[key] != after[key]]
        rows.append([line, text, error, changed])
    return {"rows": rows, "commands": commands(), "functions": functions(), "valued": sorted(VALUED_SEEN)}
