# SPDX-License-Identifier: Apache-2.0
"""Types on the way to a lock: what of an object stands at an offset, and which of its pointers can lead to a
lock.

The same rules as in corefiles/pointers.c and typepath.c, so that `ompd` and GDB give a lock the same name.
"""

import re

import gdb

# What a user locks is named down to the lock.
LOCK = re.compile(r"omp_(nest_)?lock_t$")
# Pointers in a chain, and elements of an array of which the pointers are followed.
HOPS, ELEMENTS = 4, 8192
_NESTING, _EMPTY = 96, 8
_TYPES = 1 << 16  # that are looked at in all
_REFERENCES = (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF)
_POINTERS = _REFERENCES + (gdb.TYPE_CODE_PTR,)


def strip(kind):
    """(type without typedefs, whether it is a lock); a lock's typedef stays."""
    while not LOCK.search(kind.name or ""):
        if kind.code != gdb.TYPE_CODE_TYPEDEF:
            return kind, False
        kind = kind.target()
    return kind, True


def is_pointer(kind):
    return kind.code in _POINTERS


def can_be_lock(kind):
    """gfortran's locks are integers of 4 bytes, its nest locks of 8, and nothing says that they are locks."""
    return kind.code == gdb.TYPE_CODE_INT and kind.sizeof in (4, 8)


def is_descriptor(kind):
    """A Fortran array that its variable only describes. GDB finds no size for one before it has read the
    bounds (since 12)."""
    return kind.code == gdb.TYPE_CODE_ARRAY and getattr(kind, "dynamic", False) and not kind.sizeof


def element(kind):
    """Of an array of any dimensions: its type."""
    while kind.code == gdb.TYPE_CODE_ARRAY:
        kind, _ = strip(kind.target())
    return kind


def _count(kind):
    low, high = kind.range()
    return max(0, high - low + 1)


def _members(kind):
    """(offset, field) of what lies in an object, bases too."""
    for field in kind.fields():
        offset = getattr(field, "bitpos", None)
        if type(offset) is int and offset >= 0 and offset % 8 == 0:
            yield offset // 8, field


def _is_empty(kind, depth=0):
    """A class without data takes no room where it is a base."""
    kind, lock = strip(kind)
    if lock or kind.code != gdb.TYPE_CODE_STRUCT or depth > _EMPTY:
        return False
    return all(_is_empty(field.type, depth + 1) for _, field in _members(kind))


def _name(field, fortran):
    return ("%" if fortran else ".") + field.name if field.name and not field.is_base_class else ""


def path(kind, offset, fortran):
    """".member[index]..." of the lock that begins OFFSET bytes into an object; None when none does."""
    text = ""
    for _ in range(_NESTING):
        kind, lock = strip(kind)
        if lock:
            return None if offset else text
        if kind.code == gdb.TYPE_CODE_ARRAY:
            indices = []
            while kind.code == gdb.TYPE_CODE_ARRAY and (fortran or not indices):
                of = kind.target()
                if not of.sizeof:
                    return None
                indices.append(kind.range()[0] + offset // of.sizeof)
                offset %= of.sizeof
                kind = of
            text += "(%s)" % ",".join(map(str, reversed(indices))) if fortran else "[%d]" % indices[0]
        elif kind.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
            at, field = next(((at, field) for at, field in _members(kind)
                              if at <= offset < at + field.type.sizeof and not _is_empty(field.type)),
                             (0, None))
            if field is None:
                return None
            text += _name(field, fortran)
            offset -= at
            kind = field.type
        else:
            return text if not offset and fortran and can_be_lock(kind) else None
    return None


class Types:
    """What is known of types: does a lock stand where so many pointers lead to?"""

    def __init__(self, fortran):
        self._fortran = fortran
        self._known = {}
        self._looked = 0

    def leads(self, kind, hops, far=True, depth=0):
        """Is there a lock in an object or within HOPS pointers of it; FAR: behind one pointer at least?"""
        kind, lock = strip(kind)
        if lock or self._fortran and can_be_lock(kind):
            return not far
        if not is_pointer(kind) and kind.code not in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_ARRAY):
            return False
        self._looked += 1
        if depth > _NESTING or self._looked > _TYPES:
            return False
        key = (kind.code, kind.name, kind.sizeof, hops, far) if kind.name else None
        if key in self._known:
            return self._known[key]
        if key:
            self._known[key] = False  # a type that holds itself ends here
        if is_descriptor(kind):
            result = hops > 0 and self.leads(element(kind), hops - 1, False, depth + 1)
        elif is_pointer(kind):
            result = hops > 0 and self.leads(kind.target(), hops - 1, False, depth + 1)
        elif kind.code == gdb.TYPE_CODE_ARRAY:
            result = self.leads(kind.target(), hops, far, depth + 1)
        else:
            result = any(self.leads(field.type, hops, far, depth + 1) for _, field in _members(kind))
        if key:
            self._known[key] = result
        return result

    def pointers(self, kind, hops, offset=0, text="", end=None, depth=0):
        """(offset, ".member[index]...", type, offset of the pointer to its end) of each pointer that leads
        on.

        END: libstdc++'s std::vector tells by its second pointer where the objects of the first end.
        """
        kind, lock = strip(kind)
        if depth > _NESTING or lock or not self.leads(kind, hops):
            return
        if is_pointer(kind) or is_descriptor(kind):
            yield offset, text, kind, end
        elif kind.code == gdb.TYPE_CODE_ARRAY:
            yield from self._of_array(kind, hops, offset, text, depth)
        elif kind.code == gdb.TYPE_CODE_STRUCT:
            members = list(_members(kind))
            finish = next((at for at, field in members if field.name == "_M_finish"), None)
            for at, field in members:
                start = field.name == "_M_start" and finish
                if finish and field.name in ("_M_finish", "_M_end_of_storage"):
                    continue
                yield from self.pointers(field.type, hops, offset + at, text + _name(field, self._fortran),
                                         offset + finish if start else None, depth + 1)

    def _of_array(self, kind, hops, offset, text, depth):
        of = kind.target()
        if not of.sizeof:
            return
        first = kind.range()[0]
        for i in range(min(_count(kind), ELEMENTS)):
            yield from self.pointers(of, hops, offset + i * of.sizeof, "%s[%d]" % (text, first + i), None,
                                     depth + 1)
