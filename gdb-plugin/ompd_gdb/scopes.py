# SPDX-License-Identifier: Apache-2.0
"""Where a name of the source is found: the frames outwards from the selected one, across constructs.

A compiler makes a function of a construct's body, whose frame knows only what the body uses. The rest of what
the source has in scope there is in the frame around it: of the thread that created the region, or of the task
that created the task. What lies behind a task's frames on its own thread is whatever that thread has left for
it, so the search does not go there.
"""

import gdb

from ompd_common import library, messages
from . import available, language, older, stack, types
from .classify import SYSTEM
from .frame_command import parts_of
from .lines import table_of
from .model import gdb_thread

# Bases of a class, and regions and tasks around a frame; more is damage.
_BASES, _CONSTRUCTS = 64, 256


class Place:
    """A frame of the program's own code, and the thread that it belongs to."""

    def __init__(self, thread, part):
        self.thread, self.frame = thread, part.own.inferior_frame()
        self.construct, self.is_region = part.construct, part.is_region
        self.level = older.level(self.frame)
        self.name = (self.construct or {}).get("function") or part.own.function()

    def select(self):
        """Selects the frame; switching threads makes GDB's earlier frame objects invalid."""
        if gdb.selected_thread().global_num != self.thread.global_num:
            self.thread.switch()
        if not self.frame.is_valid():
            self.frame = next(one for one in available.stack() if older.level(one) == self.level)
        self.frame.select()

    def has(self, names):
        """Whether one of NAMES is a variable of the frame's function, or a member of its `this`."""
        self.select()
        try:
            block = self.frame.block()
        except RuntimeError:  # no debug information
            return False
        names = _as_in(self.frame, names)
        while block is not None:
            if any(symbol.name in names and _copied_in(block, symbol) is None
                   or symbol.name == "this" and _has_member(symbol.type, names) for symbol in block):
                return True
            if block.function is not None:
                return False  # gcc puts the enclosing function around, which another thread executes
            block = block.superblock
        return False

    def own_copies(self, names):
        """{name: an expression for the thread's own variable} of those NAMES that the body of a construct
        has as parameters for copyin's sake. The frame is selected."""
        try:
            block = self.frame.block()
        except RuntimeError:
            return {}
        while block is not None and block.function is None:
            block = block.superblock
        found = {symbol.name: _copied_in(block, symbol) for symbol in block or () if symbol.name in names}
        return {name: "'%s'::%s" % (one.symtab.filename, name) for name, one in found.items() if one}

    def words(self):
        """"in work"."""
        return "in " + library.printable(self.name) if isinstance(self.name, str) else ""


class Left:
    """The body of a region that the thread has left, so that its variables are gone."""

    def __init__(self, region, thread_words):
        self.region, self.construct, self.is_region = region, region, True
        self._words = thread_words

    def has(self, names):
        """Whether one of NAMES is a variable of the body: what lies further out is another one then."""
        try:
            entry = int(self.region["entry"], 16)
            return any(symbol.name in names for block in _blocks(entry) for symbol in block)
        except (TypeError, *types.ERRORS):
            return False

    def select(self):
        """There is no frame to select."""
        raise gdb.GdbError(messages.BODY_LEFT % (self._words, self.region["id"]))


def _copied_in(block, symbol):
    """clang hands a construct's body a reference to the primary thread's copy of what copyin names, under the
    name and line of the thread-local variable: that one's symbol, None if SYMBOL is something else."""
    if not symbol.is_argument:
        return None
    own = gdb.lookup_symbol(symbol.name, block.static_block)[0]
    same = own is not None and own.addr_class == gdb.SYMBOL_LOC_COMPUTED and own.line == symbol.line
    return own if same and own.symtab.filename == symbol.symtab.filename else None


def _as_in(frame, names):
    return {name.lower() for name in names} if language.is_fortran(frame) else names


def _has_member(pointer, names):
    kinds = [pointer.strip_typedefs().target().strip_typedefs()]
    for kind in kinds:
        for field in kind.fields():
            if field.name in names:
                return True
            if field.is_base_class and len(kinds) < _BASES:
                kinds.append(field.type.strip_typedefs())
    return False


def _blocks(entry):
    """The blocks of the function that begins at ENTRY."""
    outer = gdb.block_for_pc(entry)
    while outer is not None and outer.function is None:
        outer = outer.superblock
    if outer is None:
        return
    seen = set()
    for pc in {outer.start, *(line.pc for line in table_of(outer.function.symtab)
                              if outer.start <= line.pc < outer.end)}:
        block = gdb.block_for_pc(pc)
        while block is not None and (block.start, block.end) not in seen:
            seen.add((block.start, block.end))
            yield block
            block = block.superblock if block.function is None else None


def _plain(name):
    """The name of a function without its parameters."""
    return name.partition("(")[0] if isinstance(name, str) else None


class Scopes:
    """The frames outwards from frame LEVEL of the selected thread. The selection changes on the way."""

    def __init__(self, model, level):
        self._model, self._level = model, level
        self.lost = None  # the sentence why the search could not go on, once it has ended
        self.constructs = 0  # how many it has left

    def find(self, names, outer=False):
        """(the first place that has one of NAMES, the innermost place), None for what there is not. OUTER:
        only the frames that directly contain a construct in which the selected frame is."""
        innermost = None
        for place, contains in self._all():
            innermost = innermost or place
            if (contains or not outer) and place.has(names):
                return place, innermost
        return None, innermost

    def _all(self):
        """(place, whether it contains the construct of the one before), innermost first."""
        places, contains = self._start()
        for _ in range(_CONSTRUCTS):
            for place in places:
                yield place, contains
                contains = False
            inner = places[-1] if places else None
            if inner is None or inner.construct is None:
                return
            self.constructs += 1
            places = (self._around_region if inner.is_region else self._around_task)(inner.construct)
            contains = True

    def _start(self):
        """The places up to the first construct's, and whether the first of them contains one."""
        thread = gdb.selected_thread()
        parts = parts_of(self._model)
        places = _until_construct(thread, [part for part in parts
                                           if older.level(part.own.inferior_frame()) >= self._level])
        row = self._model.row_of(thread.ptid[1] or thread.ptid[2])
        region = self._model.region(row) if row is not None else None
        # At a region's end there is no frame of its body any more, only the runtime's.
        if (region is None or region["kind"] not in ("parallel", "teams") or not parts
                or parts[0].label != stack.RUNTIME or self._level > older.level(parts[0].own.inferior_frame())
                or any(part.construct is not None and part.construct is region for part in parts)):
            return places, False
        if any(place.construct is not None and not place.is_region for place in places):
            return places, False
        self.constructs += 1
        return self._around_region(region), True

    def _parts_of(self, lwp):
        """(GDB's thread, its parts); None, and self.lost says why."""
        thread = gdb_thread(lwp)
        if thread.is_running():
            self.lost = messages.THREAD_IS_RUNNING % thread.num
            return None
        if gdb.selected_thread().global_num != thread.global_num:
            thread.switch()
        if available.newest() is None:
            self.lost = str(available.no_registers(thread))
            return None
        return thread, parts_of(self._model)

    def _around_region(self, region):
        lwp = self._model.primary(region)
        if lwp is None:
            self.lost = messages.CREATOR_UNKNOWN % ("region", region["id"])
            return []
        found = self._parts_of(lwp)
        if found is None:
            return []
        thread, parts = found
        places = _until_construct(thread, stack.outside(parts, region, self._model.row_of(lwp)))
        if not places:
            self.lost = messages.CREATOR_FRAME_NOT_FOUND % (region["id"], self._model.thread_words(lwp))
        return places

    def _around_task(self, task):
        creator = self._model.task(task, "generator")
        if creator is None:
            text = messages.CREATOR_UNKNOWN if task["generator"] is None else messages.CREATOR_ENDED
            self.lost = text % ("task", task["id"])
            return []
        if creator["lwp"] is None:
            self.lost = messages.CREATOR_ON_NO_THREAD % (task["id"], creator["id"])
            return []
        found = self._parts_of(creator["lwp"])
        if found is None:
            return []
        thread, parts = found
        region = self._model.region(creator)
        own = _own_parts(parts, creator, region)
        if not own and creator["kind"] == "implicit" and region is not None \
                and region["function"] is not None and region["function"] == task["function"]:
            return [Left(region, self._model.thread_words(creator["lwp"]))]
        places = [Place(thread, part) for part in own]
        named = [place for place in places if _plain(place.name) == _plain(task["function"])]
        if task["function"] is None:
            self.lost = messages.CREATOR_UNNAMED % task["id"]
            return []
        if not named:
            self.lost = messages.CREATOR_RETURNED % (library.printable(task["function"]), task["id"],
                                                     self._model.thread_words(creator["lwp"]))
            return []
        if len(named) > 1:
            self.lost = messages.CREATORS_MANY % (len(named), library.printable(task["function"]),
                                                  creator["id"], task["id"])
            return []
        return _until_construct(thread, parts, named[0].level)


def _until_construct(thread, parts, level=0):
    """The places among PARTS from LEVEL up to the first that is a construct's body."""
    places = []
    for part in parts:
        if part.label != stack.RUNTIME and part.own.code.kind != SYSTEM \
                and older.level(part.own.inferior_frame()) >= level:
            places.append(Place(thread, part))
            if part.construct is not None:
                break
    return places


def _own_parts(parts, task, region):
    """Those of a thread's parts that are a task's own code, with what this has called; [] none."""
    own = []
    for part in parts:
        if part.label != stack.RUNTIME:
            own.append(part)
        if part.construct is None:
            continue
        if part.construct is task or task["kind"] == "implicit" and part.construct is region:
            return own
        own = []
    return own if task["kind"] == "initial" else []
