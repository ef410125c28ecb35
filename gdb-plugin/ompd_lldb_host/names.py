# SPDX-License-Identifier: Apache-2.0
"""Names of files and symbols as lldb has them."""


def encoded(text):
    return None if text is None else text.encode(errors="surrogateescape")


def path(spec):
    return spec.fullpath if spec.IsValid() else None


def source(spec):
    """A source file. lldb leaves out each ".." with the folder before it, a link like /bin too: of clang's
    "/bin/../lib/gcc/x86_64-linux-gnu/12/../../../../include" "/include" is left."""
    found = path(spec)
    return "/usr" + found if found and found.startswith("/include/") else found


def symbol_name(symbol):
    """A symbol as the linker has it; None also for one that lldb has made up of a stripped file's unwind
    table ("___lldb_unnamed_symbol42")."""
    if not symbol.IsValid() or symbol.IsSynthetic():
        return None
    return symbol.GetMangledName() or symbol.GetName()
