# SPDX-License-Identifier: Apache-2.0
"""Arguments and local variables of a frame as text, as GDB prints them: with its pretty-printers and the
user's `set print` options, but bounded."""

import gdb

from ompd_common import messages
from .errors import sentence
from .language import is_compilers, is_fortran

# As inspect asks for, and one more.
_MOST = 65
# Of an array, and of a text; structures in structures; of all that one value is.
_ELEMENTS, _LETTERS, _DEPTH, _CHARACTERS = 8, 64, 2, 2000


def of_frame(frame):
    """(name, type, value or None, why not or None, whether it is an argument, depth): arguments first, then
    the innermost block's."""
    try:
        block = frame.block()
    except RuntimeError:
        return []  # no debug information
    # GDB computes lengths of arrays by the variables of the frame that is selected.
    frame.select()
    fortran = is_fortran(frame)  # in which no name begins with "_"
    found, depth = [], 0
    while block is not None:
        for symbol in block:
            if _is_local(symbol) and not is_compilers(symbol.name) \
                    and not (fortran and symbol.name.startswith("_")):
                found.append((symbol, block, depth))
        depth += 1
        block = block.superblock if block.function is None else None
    found.sort(key=lambda one: not one[0].is_argument)
    return [_row(frame, *one) for one in found[:_MOST]]


def _is_local(symbol):
    """GDB calls a variable constant that has one value everywhere, in optimised code; enumerators too."""
    return symbol.is_argument or symbol.is_variable or (symbol.is_constant and not _is_enumerator(symbol))


def _is_enumerator(symbol):
    kind = symbol.type.strip_typedefs() if symbol.type else None
    return kind is not None and kind.code == gdb.TYPE_CODE_ENUM and \
        any(field.name in (symbol.name, symbol.linkage_name) for field in kind.fields())


def _row(frame, symbol, block, depth):
    value = why = None
    try:
        held = frame.read_var(symbol, block)
        if held.is_optimized_out:
            why = messages.OUT
        else:
            value = _text(held)
    except (gdb.error, RuntimeError, ValueError, UnicodeError) as error:
        why = sentence(error).rstrip(".")
    return symbol.print_name, str(symbol.type), value, why, int(symbol.is_argument), depth


def _text(held):
    if held.type.strip_typedefs().code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
        held = held.referenced_value()
    text = held.format_string(max_elements=_ELEMENTS if _has_elements(held) else _LETTERS, max_depth=_DEPTH,
                              pretty_structs=False, pretty_arrays=False, repeat_threshold=0)
    text = " ".join(text.split("\n"))
    return text if len(text) <= _CHARACTERS else text[:_CHARACTERS] + "..."


def _has_elements(held):
    """Whether it is an array or a container, and no text."""
    kind = held.type.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_ARRAY:
        of = kind.target().strip_typedefs()
        return of.code != gdb.TYPE_CODE_INT or of.sizeof != 1
    printer = gdb.default_visualizer(held)
    return getattr(printer, "display_hint", lambda: None)() in ("array", "map")
