# SPDX-License-Identifier: Apache-2.0
"""What GDB says of frames, asked once for each address of code.

GDB's own decorator looks up function, file and arguments for each frame anew, which costs a third of what
`bt` takes by itself. All of that hangs on the address alone, but for the values of arguments: those GDB reads
from the frame when it prints it. Nothing here holds a frame or a value.
"""

import gdb
from gdb.FrameDecorator import FrameDecorator

from ompd_common import library
from . import available, classify, older

_known = (None, {})  # what it hangs on, key -> Code


class _Variable:
    """An argument or a local variable by its symbol; GDB reads the value."""
    __slots__ = ("_symbol",)

    def __init__(self, symbol):
        self._symbol = symbol

    def symbol(self):
        return self._symbol

    def value(self):
        return None


class Code:
    """What all frames at one address of code have in common."""
    __slots__ = ("pc", "kind", "name", "begins", "layer", "function", "filename", "line",
                 "arguments")

    def __init__(self, decorator, frame, classifier):
        self.pc, self.kind = available.pc(frame), classifier.kind(frame)
        self.name = name = frame.name() or ""
        self.begins = classifier.begins_thread(frame)
        self.layer = classify.layer(name)
        # A frame that is no function of the program's ("<signal handler called>") has a name of GDB's; one
        # without any is "??", as in GDB without filters.
        self.function = _spelled(name) or "??" if frame.type() in _FUNCTIONS else decorator.function()
        self.filename, self.line = decorator.filename(), decorator.line()
        self.function, self.filename = _printable(self.function), _printable(self.filename)
        arguments = decorator.frame_args()
        self.arguments = None if arguments is None else [_Variable(one.symbol()) for one in arguments]


def _spelled(name):
    """The user's function for one that a compiler has made of a construct's body."""
    return library.get().spelled(name) or name if classify.is_made(name) else name


def _printable(name):
    # A frame that is no function's may have its address in place of a name.
    return library.printable(name) if isinstance(name, str) else name


class _Single:
    """What a frame has of stack.Part where it is a part by itself; that most are makes an object less for
    each."""
    __slots__ = ()
    inner, begin, construct, label, name, is_region, is_last = (), (), None, None, None, False, False

    @property
    def own(self):
        return self


class Decorator(_Single):
    """A frame as GDB prints it: what GDB's manual calls a frame decorator."""
    __slots__ = ("_frame", "code")

    def __init__(self, frame, code):
        self._frame, self.code = frame, code

    def inferior_frame(self):
        return self._frame

    def function(self):
        return self.code.function

    def address(self):
        return self.code.pc

    def filename(self):
        return self.code.filename

    def line(self):
        return self.code.line

    def frame_args(self):
        return self.code.arguments

    def frame_locals(self):
        # GDB's decorator goes on into the function that this one is inlined in.
        found, block = [], self._block()
        while block is not None and not block.is_global and not block.is_static:
            found += [_Variable(symbol) for symbol in block if symbol.is_variable]
            block = block.superblock if block.function is None else None
        return found

    def _block(self):
        try:
            return self._frame.block() if self.code.line is not None else None
        except RuntimeError:
            return None  # no debug information

    def elided(self):
        return None


class Foreign(_Single, FrameDecorator):
    """A frame that another filter has something to say of."""

    def __init__(self, decorator, code):
        super().__init__(decorator)
        self.code = code

    def function(self):
        name = super().function()
        return _printable(name) if isinstance(name,
                                              str) or older.format_address(name or 0).find("<") >= 0 else "??"


class Forwarding:
    """Says the same as another decorator of these two kinds."""
    __slots__ = ("_own",)

    def __init__(self, own):
        self._own = own

    def inferior_frame(self):
        return self._own.inferior_frame()

    def function(self):
        return self._own.function()

    def address(self):
        return self._own.address()

    def filename(self):
        return self._own.filename()

    def line(self):
        return self._own.line()

    def frame_args(self):
        return self._own.frame_args()

    def frame_locals(self):
        return self._own.frame_locals()

    def elided(self):
        return self._own.elided()


_FUNCTIONS = (gdb.NORMAL_FRAME, gdb.INLINE_FRAME, gdb.TAILCALL_FRAME)


def _codes(classifier):
    """The codes that are known."""
    global _known
    # The names of files may hang on more settings when they are not as the compiler wrote them.
    files = gdb.parameter("filename-display")
    at = classifier.key, gdb.parameter("print demangle"), files if files in ("relative",
                                                                             "basename") else object()
    if _known[0] != at:
        _known = at, {}
    return _known[1]


def decorate(frames, classifier):
    """Frames of GDB's, or decorators of such, as decorators of this file with their code.

    GDB takes the line of a caller from the address before the one that it returns to, and that of the newest
    frame, or of one that a signal has interrupted, from the address itself. So what a plain frame was called
    by is remembered by the address; functions that are inlined there have the same one, and are told apart by
    their order. At the newest frame GDB may hide inlined functions, so it is remembered only without debug
    information."""
    codes = _codes(classifier)
    bare, normal, inline = gdb.Frame, gdb.NORMAL_FRAME, gdb.INLINE_FRAME
    called, depth = False, 0
    for one in frames:
        frame = one if type(one) is bare else one.inferior_frame()
        key = available.pc(frame)
        code = codes.get(key) if called and not depth else None
        if code is None:
            kind = frame.type()
            if not called or depth or kind != normal:
                key = key, kind, called, depth
            code = codes.get(key)
            if code is None:
                code = Code(FrameDecorator(frame), frame, classifier)
                if (kind == normal or kind == inline) and (called or code.line is None):
                    codes[key] = code
            if kind == inline:
                depth += 1
            else:
                called, depth = kind == normal, 0
        yield Decorator(frame,
                        code) if type(one) is bare or type(one) is FrameDecorator else Foreign(one, code)


def walk():
    """The selected thread's frames, from the newest."""
    beyond_main = gdb.parameter("backtrace past-main")
    for frame in available.stack():
        yield frame
        # GDB knows a Fortran program's main by another name, and then does not stop at C's.
        if not beyond_main and frame.name() == "main":
            return
