# SPDX-License-Identifier: Apache-2.0
"""How much glibc's malloc has given out at an address, by the sizes that it notes itself: corefiles/malloc.c
says how."""

_WORD, _HEADER, _FLAGS, _BEFORE_IN_USE, _MAPPED, _SMALLEST, _ROUNDING, _PAGE = 8, 16, 7, 1, 2, 32, 24, 4096


def size(word, addr):
    """Bytes from ADDR on; 0 when it is not known to come from malloc. WORD: reads 8 bytes, None where there
    are none."""
    if addr % _HEADER or addr < _HEADER:
        return 0
    before, noted = word(addr - _HEADER), word(addr - _WORD)
    if before is None or noted is None:
        return 0
    chunk = noted & ~_FLAGS
    if chunk < _SMALLEST or chunk % _HEADER:
        return 0
    if noted & _MAPPED:
        if (addr - _HEADER
            - before) % _PAGE or (before + chunk) % _PAGE or word(addr + chunk - _HEADER - _WORD) is None:
            return 0
        return chunk - _HEADER
    after = word(addr - _HEADER + chunk + _WORD)
    if after is None or not after & _BEFORE_IN_USE or after & ~_FLAGS < _HEADER or (after
                                                                                    & ~_FLAGS) % _HEADER:
        return 0
    return chunk - _WORD


def count(word, addr, each):
    """(objects of EACH bytes that lie at ADDR for certain, whether there is room for more than rounding
    explains)."""
    there = size(word, addr)
    if not there and addr % _HEADER == _WORD:
        # C++'s new[] of objects with a destructor puts their number before them (Itanium C++ ABI 2.7).
        there, number = size(word, addr - _WORD), word(addr - _WORD)
        if there and number and number <= (there
                                           - _WORD) // each and there - _WORD - number * each < _ROUNDING:
            return number, True
        return 1, False
    if there < each:
        return 1, False
    return there // each, there - each >= _ROUNDING
