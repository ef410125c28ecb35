# SPDX-License-Identifier: Apache-2.0
"""Runs GDB with the extension, for the tests beside this file."""

import glob
import json
import os
import signal
import subprocess
import sys
import tempfile

import ompd_schema

HERE = os.path.dirname(os.path.abspath(__file__))
# A test's runfiles, else the source tree. Python resolves the links of which runfiles consist, so HERE does
# not tell.
if "TEST_SRCDIR" in os.environ:
    ROOT = os.path.join(os.environ["TEST_SRCDIR"], os.environ["TEST_WORKSPACE"])
else:
    ROOT = os.path.dirname(os.path.dirname(HERE))
PLUGIN = os.path.join(ROOT, "gdb-plugin", "ompd.py")
NOT_RUN = "The program is not being run: start it with \"run\", attach to a process, or open a core file."
# What no user may ever see.
NEVER = ("Traceback (most recent call last)", "Python Exception", "Error occurred in Python",
         "Exception ignored", "internal-error", "Aborted (core dumped)")


def find(path):
    """A built file by its path in the tree."""
    for root in (os.environ.get("BAZEL_BIN", os.path.join(ROOT, ".bazel", "bin")), ROOT):
        full = os.path.join(root, path)
        if os.path.exists(full):
            return full
    raise AssertionError("%s is not built" % path)


class Answer:
    """What GDB wrote, and what the script in it handed back with `say`."""

    def __init__(self, code, out, err, said):
        self.code, self.out, self.err = code, out, err
        self.said = [json.loads(line) for line in said.splitlines()]

    def problems(self):
        """What must not happen in any run."""
        found = ["GDB wrote \"%s\"" % text for text in NEVER if text in self.out or text in self.err]
        if self.code < 0 or self.code > 1:
            found.append("GDB ended with %d" % self.code)
        return found

    def __str__(self):
        return "exit code %d\n--- out\n%s\n--- err\n%s" % (self.code, self.out[-4000:], self.err[-4000:])


# Before each script: what a script says goes back to the test; a command is run with its output, time and
# error.
_PRELUDE = '''
import gdb, json, re, time
def say(what):
    # A file of its own: the program writes to GDB's output too.
    gdb.flush()
    with open(SAID, "a") as f:
        f.write(json.dumps(what) + "\\n")
def selection():
    thread = gdb.selected_thread()
    if thread is None:
        return None
    try:
        frame, level = gdb.selected_frame(), 0
        newer = frame.newer()
        while newer is not None: level, newer = level + 1, newer.newer()  # GDB 10 has no Frame.level
        return [thread.global_num, level, frame.name()]
    except gdb.error:
        return [thread.global_num, None, None]
def document(command):
    # GDB's warnings about a core's registers may stand before it.
    text, error = run(command)
    if error is not None:
        raise gdb.GdbError(command + ": " + error)
    return json.loads(text[text.index('{'):])
def run(command):
    """(output, error or None)"""
    try:
        text = gdb.execute(command, to_string=True)
        # What GDB 16 says when it first reads a thread of a core of a processor that it does not know.
        text = re.sub(r"(?m)^warning: Section `\\.reg-xstate/\\d+' in core file too small\\.\\n", "", text)
        if " -json" in command and "{" in text:
            with open(SAID + ".json", "a") as f:
                f.write(json.dumps([command, text[text.index("{"):]]) + "\\n")
        return text, None
    except KeyboardInterrupt:
        return "", "Quit"
    except gdb.error as error:
        return "", str(error)
'''


def gdb(script, arguments=(), plugin=True, env=None, before=(), timeout=120, cwd=None, interactive=False):
    """Runs `gdb -batch` with the extension and a Python SCRIPT; returns the Answer.

    BEFORE are GDB commands that run before the program is loaded. An INTERACTIVE GDB goes on after the
    script, until that has posted an event that ends it. """
    with tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR")) as folder:
        path = os.path.join(folder, "script.py")
        with open(path, "w") as f:
            f.write("SAID = %r\n" % os.path.join(folder, "said") + _PRELUDE + script)
        command = ["gdb", "-q", "-nx", "-iex", "set debuginfod enabled off"]
        command += ["-iex", "set confirm off"] if interactive else ["-batch"]
        for one in before:
            command += ["-iex", one]
        if plugin:
            command += ["-x", plugin if isinstance(plugin, str) else PLUGIN]
        command += ["-x", path] + list(arguments)
        # Files, not pipes: a program that GDB leaves behind would keep a pipe open.
        with open(os.path.join(folder, "out"), "w+", errors="replace") as out, \
                open(os.path.join(folder, "err"), "w+", errors="replace") as err, \
                open(os.path.join(folder, "said"), "w+") as said:
            # Bazel sets no HOME, and GDB complains of that.
            full = dict(os.environ, HOME=folder, PYTHONDONTWRITEBYTECODE="1", **(env or {}))
            process = subprocess.Popen(command, env=full, cwd=cwd, stdout=out, stderr=err,
                                       start_new_session=True,
                                       stdin=subprocess.PIPE if interactive else subprocess.DEVNULL)
            try:
                code = process.wait(timeout)
            except subprocess.TimeoutExpired:
                sys.stderr.write("GDB did not end within %d s\n%s" % (timeout, _standing(process.pid)))
                os.killpg(process.pid, signal.SIGKILL)
                code = process.wait()
            out.seek(0)
            err.seek(0)
            _check_documents(os.path.join(folder, "said.json"))
            return Answer(code, out.read(), err.read(), said.read())


def _standing(debugger):
    """Where the threads of a GDB that does not end stand, and those that it has attached to: a line for each
    with its state and what the kernel waits for."""
    lines = []
    for task in sorted(glob.glob("/proc/[0-9]*/task/[0-9]*")):
        try:
            with open(task + "/status") as f:
                status = dict(line.split(":\t", 1) for line in f.read().splitlines() if ":\t" in line)
            if str(debugger) not in (status["Tgid"], status["TracerPid"]):
                continue
            with open(task + "/wchan") as f:
                place = f.read()
            with open(task + "/syscall") as f:
                call = f.read().split()[:2]
        except (OSError, KeyError, ValueError):
            continue
        lines.append("  %s %s: %s, %s, system call %s\n" % (task, status["Name"], status["State"], place,
                                                           " ".join(call)))
    return "".join(lines)


# So many documents of a run are compared with the schema, and none that is larger: that takes seconds.
_DOCUMENTS, _BYTES = 20, 1 << 16


def _check_documents(path):
    """What -json has printed is as the schema has it; PATH: with a line for each command."""
    if not os.path.exists(path):
        return
    with open(path) as f:
        lines = f.read().splitlines()
    texts = [json.loads(line) for line in lines]
    for command, text in [one for one in texts if len(one[1]) <= _BYTES][:_DOCUMENTS]:
        document = json.loads(text)
        # `ompd region -json` and `ompd task -json` print one row of such a document.
        if "schema" in document:
            try:
                ompd_schema.check(document)
            except AssertionError as error:
                raise AssertionError("%s: %s" % (command, error)) from None
