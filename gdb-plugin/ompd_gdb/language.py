# SPDX-License-Identifier: Apache-2.0
"""What names tell of the source: a file's, its language; a variable's, whether a compiler has made it."""

import re

_FORTRAN = re.compile(r"\.(f|for|ftn|f[0-9][0-9])$", re.IGNORECASE)


def is_fortran_file(name):
    """Whether a source file is in Fortran. NAME: None if it is not known."""
    return bool(_FORTRAN.search(name or ""))


def is_fortran(frame):
    """Whether a gdb.Frame is of a function in Fortran, where case does not matter."""
    symtab = frame.find_sal().symtab
    return symtab is not None and is_fortran_file(symtab.filename)


def is_compilers(name):
    """Whether a variable's name is one that no program can have, as of what is passed to a construct's
    body."""
    return "." in name or name.startswith("__context")
