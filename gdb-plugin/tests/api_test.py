# SPDX-License-Identifier: Apache-2.0
"""The extension uses only names of GDB's Python API that GDB's manual documents, chapter "Python API", and
GDB has them."""

import ast
import glob
import os
import unittest

import gdbrun
import xmltest

# By the manual of GDB 13; what is younger than GDB 9 has its version (NEWS).
DOCUMENTED = set("""
    Breakpoint BreakpointEvent BP_BREAKPOINT COMMAND_DATA COMMAND_FILES COMMAND_STACK COMMAND_STATUS
    COMMAND_SUPPORT COMPLETE_COMMAND COMPLETE_EXPRESSION COMPLETE_FILENAME COMPLETE_NONE Command Frame
    Function GdbError INLINE_FRAME NORMAL_FRAME MemoryError PARAM_BOOLEAN PARAM_ENUM
    PARAM_OPTIONAL_FILENAME PARAM_UINTEGER Parameter SIGTRAMP_FRAME STDERR STDOUT SYMBOL_LOC_COMPUTED
    SYMBOL_LOC_STATIC SYMBOL_LOC_UNRESOLVED SignalEvent TAILCALL_FRAME TYPE_CODE_ARRAY TYPE_CODE_ENUM
    TYPE_CODE_FUNC TYPE_CODE_INT TYPE_CODE_METHOD TYPE_CODE_PTR TYPE_CODE_REF TYPE_CODE_RVALUE_REF
    TYPE_CODE_STRING TYPE_CODE_STRUCT TYPE_CODE_TYPEDEF TYPE_CODE_UNION TYPE_CODE_VOID Value
    block_for_pc breakpoints inferiors convenience_variable current_progspace current_recording
    default_visualizer error events execute find_pc_line frame_filters invalidate_cached_frames
    lookup_global_symbol lookup_static_symbol lookup_static_symbols lookup_symbol newest_frame objfiles
    parameter parse_and_eval post_event selected_frame selected_inferior selected_thread string_to_argv
    unwinder write events.before_prompt events.clear_objfiles events.cont events.exited
    events.inferior_call events.inferior_deleted events.memory_changed events.new_objfile
    events.new_inferior events.register_changed events.stop unwinder.Unwinder unwinder.register_unwinder
    FrameDecorator.FrameDecorator""".split())
# Younger than GDB 10, with the version: only the file that does without names them.
YOUNGER = {"with_parameter": "older.py",  # 12
           "MICommand": "mi_commands.py", "current_language": "older.py", "format_address": "older.py"}  # 13
MEMBERS = {"level()", "connection", "connection_num"}  # 11, 12, 11


_HAS = """
import gdb.unwinder, gdb.FrameDecorator, functools
missing = []
for name in %r:
    try: functools.reduce(getattr, name.split("."), gdb)
    except AttributeError: missing.append(name)
say([int(gdb.VERSION.split(".")[0]), missing])
"""


def _names(tree):
    """Names after "gdb." that a file uses, and the private attributes of what is not its own."""
    used, private = set(), set()
    for node in ast.walk(tree):
        if (isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "gdb"
                and node.level == 0):
            prefix = node.module.partition(".")[2]
            used |= {".".join(filter(None, (prefix, one.name))) for one in node.names}
        if not isinstance(node, ast.Attribute):
            continue
        chain, base = [node.attr], node.value
        while isinstance(base, ast.Attribute):
            chain.insert(0, base.attr)
            base = base.value
        root = base.id if isinstance(base, ast.Name) else None
        if root == "gdb":
            depth = 2 if chain[0] in ("events", "unwinder") else 1
            used.add(".".join(chain[:depth]))
        if node.attr.startswith("_") and not node.attr.startswith("__") and root != "self":
            private.add("%s.%s" % (root, ".".join(chain)))
        elif any(one.startswith("_") for one in chain[1:]) and not node.attr.startswith("__"):
            private.add("%s.%s" % (root, ".".join(chain)))
    return used, private


class Api(unittest.TestCase):
    def test_only_documented_names(self):
        packages = os.path.join(os.path.dirname(gdbrun.PLUGIN), "ompd_[cg]*")
        files = [gdbrun.PLUGIN] + glob.glob(os.path.join(packages, "*.py"))
        self.assertGreater(len(files), 20)
        everything = set()
        for path in files:
            with open(path) as f:
                used, private = _names(ast.parse(f.read()))
            everything |= used
            self.assertEqual(used - DOCUMENTED - set(YOUNGER), set(), path)
            where = {YOUNGER[name] for name in used & set(YOUNGER)}
            self.assertLessEqual(where, {os.path.basename(path)}, path)
            self.assertEqual(private, set(), path)
        self.assertIn("events.before_prompt", everything)
        # And this GDB has each: a list that nobody has checked would prove nothing.
        answer = gdbrun.gdb(_HAS % sorted(everything), plugin=False)
        (major, missing), = answer.said
        self.assertLessEqual(set(missing), set(YOUNGER) if major < 13 else set(), str(answer))

    def test_what_may_be_unavailable_is_asked_in_one_place(self):
        for path in glob.glob(os.path.join(os.path.dirname(gdbrun.PLUGIN), "ompd_[cg]*", "*.py")):
            with open(path) as f:
                called = {node.func.attr for node in ast.walk(ast.parse(f.read()))
                          if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
                          and not (isinstance(node.func.value, ast.Name)
                                   and node.func.value.id in ("available", "pending_frame"))}
            found = called & {"pc", "older", "newest_frame", "read_register"}
            if os.path.basename(path) == "available.py":
                self.assertEqual(len(found), 4)
            else:
                self.assertEqual(found, set(), path)

    def test_what_is_younger_than_gdb_10_is_asked_in_one_place(self):
        for path in glob.glob(os.path.join(os.path.dirname(gdbrun.PLUGIN), "ompd_[cg]*", "*.py")):
            with open(path) as f:
                tree = ast.parse(f.read())
            calls = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
            asked = {node.attr + "()" * (node.attr == "level" and id(node) in calls)
                     for node in ast.walk(tree) if isinstance(node, ast.Attribute)
                     and not (isinstance(node.value, ast.Name) and node.value.id in ("self", "older"))}
            self.assertEqual(bool(asked & MEMBERS), os.path.basename(path) == "older.py", path)

    def test_commands_are_executed_in_one_place(self):
        """cli.py says why."""
        found = set()
        package = os.path.join(os.path.dirname(gdbrun.PLUGIN), "ompd_[cg]*")
        for path in [gdbrun.PLUGIN] + glob.glob(os.path.join(package, "*.py")):
            with open(path) as f:
                if "execute" in _names(ast.parse(f.read()))[0]:
                    found.add(os.path.basename(path))
        self.assertEqual(found, {"cli.py"})

    def test_the_scanner_sees(self):
        used, private = _names(ast.parse("import gdb\ngdb._private()\nx = "
                                         "gdb.events._other\nframe._frame\nself._mine\n"))
        self.assertEqual(used, {"_private", "events", "events._other"})
        self.assertEqual(private, {"gdb._private", "gdb.events._other", "frame._frame"})


if __name__ == "__main__":
    xmltest.main()
