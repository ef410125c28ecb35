# SPDX-License-Identifier: Apache-2.0
"""Types of the program as inspect/host.h wants them."""

import lldb

(_OTHER, _INTEGER, _ALIAS, POINTER, REFERENCE, _ARRAY, _STRUCT, _UNION) = range(8)
_KINDS = {lldb.eTypeClassTypedef: _ALIAS, lldb.eTypeClassPointer: POINTER,
          lldb.eTypeClassReference: REFERENCE, lldb.eTypeClassArray: _ARRAY, lldb.eTypeClassStruct: _STRUCT,
          lldb.eTypeClassClass: _STRUCT, lldb.eTypeClassUnion: _UNION}
_TARGET = {_ALIAS: "GetTypedefedType", POINTER: "GetPointeeType", REFERENCE: "GetDereferencedType",
           _ARRAY: "GetArrayElementType"}


def kind_of(kind):
    what = _KINDS.get(kind.GetTypeClass(), _OTHER)
    return _INTEGER if what == _OTHER and kind.GetTypeFlags() & lldb.eTypeIsInteger else what


class Types:
    """Types of the program by numbers that are good for one snapshot."""

    def __init__(self):
        self._list = [None]
        self._numbers = {}
        self._members = None, ()

    def number(self, kind):
        key = self._key(kind)
        if key not in self._numbers:
            self._numbers[key] = len(self._list)
            self._list.append(kind)
        return self._numbers[key]

    def _outline(self, member):
        kind = member.GetType()
        return member.GetName(), member.GetOffsetInBits(), kind.GetName(), kind.GetByteSize()

    def _key(self, kind):
        """What tells types apart: lldb does not say whether two of its objects are one type."""
        what = kind_of(kind)
        if what in (_STRUCT, _UNION):
            return what, kind.GetName(), kind.GetByteSize(), tuple(map(self._outline, kind.fields))
        if what in _TARGET:
            name = kind.GetName() if what == _ALIAS else None
            return what, name, kind.GetByteSize(), self._key(getattr(kind, _TARGET[what])())
        return what, kind.GetName(), kind.GetByteSize()

    def type(self, number, ret, text):
        kind = self._list[number]
        ret.kind = what = kind_of(kind)
        # What lldb writes for the others is no name.
        named = what not in (POINTER, REFERENCE, _ARRAY) and not kind.IsAnonymousType()
        ret.name = text(kind.GetUnqualifiedType().GetName() if named else None)
        ret.size = kind.GetByteSize()
        if what in _TARGET:
            target = getattr(kind, _TARGET[what])()
            ret.target = self.number(target)
            if what == _ARRAY:
                ret.dimensions = 1
                ret.dimension[0].lower = 0
                ret.dimension[0].count = ret.size // target.GetByteSize() if target.GetByteSize() else 0

    def field(self, number, index, ret, text):
        """Whether there is one."""
        if self._members[0] != number:
            kind = self._list[number]
            if kind.GetTypeClass() == lldb.eTypeClassTypedef:
                kind = kind.GetCanonicalType()
            # Virtual bases have no place that is fixed.
            virtual = {member.GetName() for member in kind.vbases}
            self._members = number, [(member, 1) for member in kind.bases
                                     if member.GetName() not in virtual] + [(m, 0) for m in kind.fields]
        if index >= len(self._members[1]):
            return False
        member, base = self._members[1][index]
        ret.name = text(member.GetName() or None)
        ret.type = self.number(member.GetType())
        ret.offset = member.GetOffsetInBits() // 8
        ret.bit_size = member.GetBitfieldSizeInBits() if member.IsBitfield() else 0
        ret.base = base
        return True
