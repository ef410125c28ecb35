# SPDX-License-Identifier: Apache-2.0
"""Types of the program as inspect/host.h wants them, by numbers that are good for one stop."""

import contextlib

import gdb

from . import older

(OTHER, INTEGER, ALIAS, POINTER, REFERENCE, ARRAY, STRUCT, UNION) = range(8)
_KINDS = {gdb.TYPE_CODE_INT: INTEGER, gdb.TYPE_CODE_TYPEDEF: ALIAS, gdb.TYPE_CODE_PTR: POINTER,
          gdb.TYPE_CODE_REF: REFERENCE, gdb.TYPE_CODE_RVALUE_REF: REFERENCE, gdb.TYPE_CODE_ARRAY: ARRAY,
          gdb.TYPE_CODE_STRUCT: STRUCT, gdb.TYPE_CODE_UNION: UNION}
_WITH_TARGET = (ALIAS, POINTER, REFERENCE, ARRAY)
_WITHOUT_SIZE = (gdb.TYPE_CODE_VOID, gdb.TYPE_CODE_FUNC, gdb.TYPE_CODE_METHOD)
_DIMENSIONS = 16
_MASK = 2**64 - 1
ERRORS = (gdb.error, gdb.MemoryError, RuntimeError, ValueError, OverflowError)


def kind_of(kind):
    return _KINDS.get(kind.code, OTHER)


def is_described(kind):
    """Is it a Fortran array whose objects are descriptors? GDB (since 12) knows its size only once it has
    read the bounds."""
    return kind.code == gdb.TYPE_CODE_ARRAY and getattr(kind, "dynamic", False) and not kind.sizeof


def _is_allocatable(kind):
    with older.with_parameter("language", "fortran"):
        return "allocatable" in str(kind)


def _outline(field):
    """A member as far as types that look alike differ in it; not its type, which may lead back here."""
    kind, pointers = field.type, []
    while kind_of(kind) in _WITH_TARGET and not kind.name and len(pointers) < _DIMENSIONS:
        pointers.append(kind.code)
        kind = kind.target()
    return (field.name, getattr(field, "bitpos", None), field.bitsize, tuple(pointers),
            kind.code, kind.name, kind.sizeof)


class Types:
    """Numbers of types, and what they are."""

    def __init__(self):
        self._list = [None]  # number -> (gdb.Type, unit)
        self._numbers = {}
        self._texts = {}
        self._fields = None, ()  # the last that were asked for: they are asked for one after the other

    def text(self, text):
        """TEXT as C sees it, kept for the stop."""
        if not text:
            return None
        data = self._texts.get(text)
        if data is None:
            data = self._texts[text] = text.encode(errors="surrogateescape")
        return data

    def number(self, kind, unit):
        """The number of a type that was found in UNIT. GDB itself does not say whether two of its objects are
        one type."""
        key = self._key(kind, unit)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._list)
            self._list.append((kind, unit))
        return number

    def _key(self, kind, unit):
        code = kind.code
        if code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
            # Within a unit these tell types apart: two functions can each have a type of the same name.
            return (unit, code, kind.name, kind.sizeof,
                    tuple(_outline(field) for field in kind.fields())) if kind.name else object()
        if is_described(kind):
            return object()
        if code == gdb.TYPE_CODE_ARRAY:
            return code, kind.range(), self._key(kind.target(), unit)
        if kind_of(kind) in _WITH_TARGET:
            return code, kind.name, self._key(kind.target(), unit)
        return unit.fortran != "", code, kind.name, kind.sizeof

    def type(self, number, ret):
        """Whether GDB can say what it is."""
        with contextlib.suppress(*ERRORS):
            self._describe(number, ret)
            return True
        return False

    def _describe(self, number, ret):
        kind, unit = self._list[number]
        what = kind_of(kind)
        ret.fortran = int(unit.fortran != "")
        ret.kind = REFERENCE if what == POINTER and unit.fortran else what
        ret.name = self.text(kind.name)
        ret.described = int(is_described(kind))
        ret.size = 0 if kind.code in _WITHOUT_SIZE or ret.described else kind.sizeof
        if what == ARRAY and not ret.described:
            self._dimensions(kind, unit, ret)
        elif what in _WITH_TARGET:
            ret.target = self.number(kind.target(), unit)

    def _dimensions(self, kind, unit, ret):
        """Of a C array of arrays only the outermost: its elements are arrays. A Fortran array has all at
        once; GDB nests them with the last one outside."""
        bounds = []
        while kind.code == gdb.TYPE_CODE_ARRAY and (unit.fortran or not bounds) and len(bounds) < _DIMENSIONS:
            bounds.insert(0, kind.range())
            kind = kind.target()
        ret.dimensions = len(bounds)
        for i, (low, high) in enumerate(bounds):
            ret.dimension[i].lower, ret.dimension[i].count = low, max(0, high - low + 1)
        ret.target = self.number(kind, unit)

    def field(self, number, index, ret):
        """Whether there is one."""
        with contextlib.suppress(*ERRORS):
            return self._field(number, index, ret)
        return False

    def _field(self, number, index, ret):
        if self._fields[0] != number:
            kind, _ = self._list[number]
            found = kind.fields() if kind_of(kind) in (STRUCT, UNION) else ()
            # Static members have no place, virtual bases none that is fixed.
            self._fields = number, [field for field in found
                                    if type(getattr(field, "bitpos", None)) is int and field.bitpos >= 0]
        if index >= len(self._fields[1]):
            return False
        field = self._fields[1][index]
        ret.name = self.text(field.name)
        ret.type = self.number(field.type, self._list[number][1])
        ret.offset, ret.bit_size, ret.base = field.bitpos // 8, field.bitsize, int(field.is_base_class)
        return True

    def array(self, number, addr, ret):
        """Where the elements of the array begin whose descriptor is at ADDR; None when there is no such array
        now."""
        kind, unit = self._list[number]
        with contextlib.suppress(*ERRORS):
            array = gdb.Value(addr).cast(kind.pointer()).dereference()
            start = int(array.address) & _MASK
            # Without memory that is still the descriptor's.
            if start != addr and self._side_by_side(kind, array.type, unit, ret):
                return start
        return None

    def resolved(self, declared, value, unit):
        """The number of the type of an array whose descriptor GDB has read; 0 when its elements do not lie
        side by side."""
        from ompd_common import library
        ret = library.get().Type()
        return self.number(value.type, unit) if self._side_by_side(declared, value.type, unit, ret) else 0

    def _side_by_side(self, declared, kind, unit, ret):
        # flang tells no strides, so what is pointed to may be every third element.
        if kind.code != gdb.TYPE_CODE_ARRAY or "flang" in unit.fortran and not _is_allocatable(declared):
            return False
        self._dimensions(kind, unit, ret)
        ret.kind, ret.fortran = ARRAY, 1
        size = self._list[ret.target][0].sizeof
        for i in range(ret.dimensions):
            size *= ret.dimension[i].count
        return size > 0 and size == kind.sizeof
