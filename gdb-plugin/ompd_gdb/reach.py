# SPDX-License-Identifier: Apache-2.0
"""Names for what lies in the heap: pointers of variables are followed, breadth first, as far as their types
can lead to a lock. As in corefiles/reach.c; nothing is dereferenced but by reading memory.
"""

import gdb

from . import allocated, pointers

# Pointers that are read in one search from global variables, from those of a function, for one stop.
READS, LOCAL_READS, ALL_READS = 1 << 16, 1 << 12, 1 << 18
_BLOCK = 1 << 20  # read at one go
# The pointers in libstdc++'s classes that a user means by the object; with an end pointer (so always an
# array) or not.
_WRAPPERS = {True: ("._M_impl._M_start",),
             False: ("._M_t._M_t._M_head_impl", "._M_t._M_t._M_t._M_head_impl", "._M_ptr")}


class _Spot:
    """Objects of a type, one behind the other: a variable, or what a pointer leads to."""

    __slots__ = ("start", "count", "size", "kind", "text", "hops", "direct", "several", "held",
                 "bounds")

    def __init__(self, start, kind, text, hops, direct):
        self.start, self.kind, self.text, self.hops = start, kind, text, hops
        self.direct = direct  # the text is that of the object, not of a pointer to it
        self.count, self.size, self.several = 1, kind.sizeof, False
        self.held = None  # a pointer variable's value, when it has no address
        self.bounds = None  # of a Fortran array: first index and number of each dimension

    def expression(self, index, path):
        base = self.text
        if self.bounds:
            indices = []
            for low, count in self.bounds:
                indices.append(str(low + index % count))
                index //= count
            return "%s(%s)%s" % (base, ",".join(indices), path)
        if self.direct:
            return base + path
        starred = base.startswith("*")  # which binds less than what follows
        if index or self.several:
            return ("(%s)[%d]%s" if starred else "%s[%d]%s") % (base, index, path)
        if path.startswith("."):
            return ("(%s)->%s" if starred else "%s->%s") % (base, path[1:])
        return "(*%s)%s" % (base, path) if path else "*" + base


def _allocatable(kind):
    with gdb.with_parameter("language", "fortran"):
        return "allocatable" in str(kind)


def _unwrapped(text, ended):
    for suffix in _WRAPPERS[ended]:
        if text.endswith(suffix):
            return text[:-len(suffix)]
    return text


class Reach:
    """One search, from variables that add() names."""

    def __init__(self, read, end_of, fortran, limit, one_unit=True):
        self._read = read  # (address, size) -> bytes, shorter where there are none
        self._end_of = end_of  # address -> end of the memory around it, 0 where there is none
        self._types = pointers.Types(bool(fortran))
        self._fortran = fortran  # the compiler, as it calls itself; "" of another language
        self._spots = []
        self._seen = set()
        self._known = {}
        self.reads = 0
        self._limit = limit
        self._one_unit = one_unit

    def wanted(self, kind):
        return self._types.leads(kind, pointers.HOPS)

    def add(self, name, kind, address, value=None):
        """A variable at ADDRESS; one in a register has a VALUE instead."""
        spot = _Spot(address or 0, kind, name, 0, True)
        spot.held = value
        self._spots.append(spot)

    def run(self):
        """Follows the pointers of all spots, of those that this adds as well."""
        for spot in self._spots:
            if self.reads >= self._limit:
                break
            if spot.held is not None:
                kind, _ = pointers.strip(spot.kind)
                self.reads += 1
                if pointers.is_pointer(kind) or pointers.is_descriptor(kind):
                    self._follow(spot.text, kind, spot.held, spot.hops, None)
            elif self._types.leads(spot.kind, pointers.HOPS - spot.hops):
                self._expand(spot)

    def find(self, addr):
        """The expression of the lock at ADDR; None."""
        for spot in self._spots:
            offset = addr - spot.start
            if not spot.hops or offset < 0 or offset >= spot.count * spot.size:
                continue
            path = self._path(spot, offset % spot.size)
            if path is not None:
                return spot.expression(offset // spot.size, path)
        return None

    def _path(self, spot, offset):
        try:
            return pointers.path(spot.kind, offset, self._fortran)
        except (gdb.error, RuntimeError):
            return None

    def _word(self, addr):
        data = self._read(addr, 8)
        return int.from_bytes(data, "little") if len(data) == 8 else None

    def _expand(self, spot):
        size = min(spot.count, pointers.ELEMENTS) * spot.size
        block = self._read(spot.start, size) if size <= _BLOCK else b""
        slots = self._slots(spot)

        def word(offset):
            return int.from_bytes(block[offset:offset + 8],
                                  "little") if block else self._word(spot.start + offset)

        for index in range(min(spot.count, pointers.ELEMENTS)):
            base = index * spot.size
            for offset, path, kind, end in slots:
                self.reads += 1
                if self.reads > self._limit:
                    return
                value = spot.start + base + offset if pointers.is_descriptor(kind) else word(base + offset)
                stop = word(base + end) if end is not None else None
                if value and (end is None or stop):
                    self._follow(spot.expression(index, path), kind, value, spot.hops, stop)

    def _slots(self, spot):
        # In one compilation unit a name is that of one type.
        key = spot.kind.code, spot.kind.name, spot.kind.sizeof, spot.hops
        found = self._known.get(key) if spot.kind.name and self._one_unit else None
        if found is None:
            found = self._known[key] = list(self._types.pointers(spot.kind, pointers.HOPS - spot.hops))
        return found

    def _keep(self, spot):
        key = spot.start, spot.kind.code, spot.kind.name, spot.size
        if key not in self._seen:
            self._seen.add(key)
            self._spots.append(spot)

    def _follow_descriptor(self, text, kind, at, hops):
        try:
            array = gdb.Value(at).cast(kind.pointer()).dereference()
            start, of = int(array.address), array.type
        except (gdb.error, RuntimeError):
            return
        if "flang" in self._fortran and not _allocatable(kind):
            return  # it tells no strides, so what is pointed to may be every third element
        spot = _Spot(start, pointers.element(of), text, hops + 1, True)
        spot.bounds, whole = [], of.sizeof
        while of.code == gdb.TYPE_CODE_ARRAY:
            low, high = of.range()
            spot.bounds.insert(0, (low, high - low + 1))
            spot.count *= max(0, high - low + 1)
            of, _ = pointers.strip(of.target())
        # Without memory the address is still the descriptor's; with a stride the elements do not lie side by
        # side.
        if start != at and self._end_of(
            start) and spot.size and spot.count and whole == spot.count * spot.size:
            self._keep(spot)

    def _follow(self, text, kind, value, hops, end):
        if pointers.is_descriptor(kind):
            self._follow_descriptor(text, kind, value, hops)
            return
        target, lock = pointers.strip(kind.target())
        target = kind.target() if lock else target
        direct = self._fortran or kind.code != gdb.TYPE_CODE_PTR
        size, limit = target.sizeof, self._end_of(value)
        if not size or target.code in (gdb.TYPE_CODE_VOID, gdb.TYPE_CODE_FUNC) or not limit:
            return
        spot = _Spot(value, target, _unwrapped(text, end is not None), hops + 1, direct)
        if end is not None:
            if end <= value or end > limit or (end - value) % size:
                return
            spot.count, spot.several = (end - value) // size, True
        elif not direct:
            spot.count, spot.several = allocated.count(self._word, value, size)
        self._keep(spot)
