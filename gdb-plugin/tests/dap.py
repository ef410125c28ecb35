# SPDX-License-Identifier: Apache-2.0
"""A client of the Debug Adapter Protocol, as an editor is one: GDB 14 and later, by `gdb -i=dap`."""

import json
import os
import re
import subprocess
import tempfile
import threading

import gdbrun

SECONDS = 120  # then GDB hangs


class Failed(AssertionError):
    """GDB has refused a request, or has not answered."""


def missing():
    """Why GDB has no DAP here; None: it has."""
    said = subprocess.run(["gdb", "--version"], stdout=subprocess.PIPE, universal_newlines=True).stdout
    version = int(re.search(r"(\d+)\.\d", said.splitlines()[0].rpartition(")")[2])[1])
    return "GDB %d has no DAP, 14 and later have" % version if version < 14 else None


class Client:
    """One GDB with the extension. Use as a context manager."""

    def __init__(self, env=None):
        self._folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self._err = open(os.path.join(self._folder.name, "err"), "w+", errors="replace")
        self._gdb = subprocess.Popen(
            ["gdb", "-q", "-nx", "-iex", "set debuginfod enabled off", "-i=dap", "-x", gdbrun.PLUGIN],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._err,
            env=dict(os.environ, HOME=self._folder.name, PYTHONDONTWRITEBYTECODE="1", **(env or {})))
        self._news, self._number = threading.Condition(), 0
        self._answers, self._events, self.output, self._over = {}, [], "", False
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self):
        self.ask("initialize", clientID="test", adapterID="gdb", linesStartAt1=True, columnsStartAt1=True)
        return self

    def __exit__(self, *_):
        try:
            if self._gdb.poll() is None and not self._over:
                self.wait(self.send("disconnect", terminateDebuggee=True))
            self._gdb.stdin.close()
            self._gdb.wait(SECONDS)
        except (Failed, OSError, subprocess.TimeoutExpired):
            self._gdb.kill()
            self._gdb.wait()
        finally:
            self._reader.join()
            self._gdb.stdout.close()
            self._err.close()
            self._folder.cleanup()

    def errors(self):
        """What GDB wrote beside the protocol."""
        self._err.seek(0)
        return self._err.read()

    def _message(self):
        """The next message; None at the end."""
        size = None
        while True:
            line = self._gdb.stdout.readline()
            if not line:
                return None
            if line == b"\r\n":
                return json.loads(self._gdb.stdout.read(size))
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                size = int(value)

    def _read(self):
        while True:
            message = self._message()
            with self._news:
                if message is None:
                    self._over = True
                elif message["type"] == "response":
                    self._answers[message["request_seq"]] = message
                elif message["event"] == "output":
                    self.output += message["body"]["output"]
                else:
                    self._events.append(message)
                self._news.notify_all()
            if message is None:
                return

    def send(self, command, **arguments):
        """Sends a request; its number."""
        self._number += 1
        text = json.dumps({"seq": self._number, "type": "request", "command": command,
                           "arguments": arguments}).encode()
        self._gdb.stdin.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        self._gdb.stdin.flush()
        return self._number

    def _until(self, found, what):
        with self._news:
            self._news.wait_for(lambda: found() or self._over, SECONDS)
            if not found():
                raise Failed("%s: %s\n%s" % (what, "GDB has ended" if self._over else "no answer",
                                             self.errors()[-2000:]))

    def wait(self, number):
        """The body of the answer to request NUMBER."""
        self._until(lambda: number in self._answers, "request %d" % number)
        answer = self._answers[number]
        if not answer["success"]:
            raise Failed(answer.get("message", "refused"))
        return answer.get("body", {})

    def ask(self, command, **arguments):
        return self.wait(self.send(command, **arguments))

    def event(self, name):
        """The body of the next event of that name; earlier events are gone then."""
        def at():
            return next((i for i, one in enumerate(self._events) if one["event"] == name), None)
        self._until(lambda: at() is not None, "event " + name)
        with self._news:
            i = at()
            body = self._events[i].get("body", {})
            del self._events[:i + 1]
        return body

    def wait_for_output(self, pattern):
        """The program's and GDB's output, as soon as PATTERN is in it."""
        self._until(lambda: re.search(pattern, self.output), "output " + pattern)
        return self.output

    def run_to(self, program, function, arguments=(), env=None):
        """Starts PROGRAM; the body of the event of its stop in FUNCTION."""
        launch = self.send("launch", program=program, args=list(arguments), env=env or {})
        self.event("initialized")
        self.ask("setFunctionBreakpoints", breakpoints=[{"name": function}])
        self.ask("configurationDone")
        self.wait(launch)
        return self.event("stopped")

    def frames(self, thread):
        return self.ask("stackTrace", threadId=thread)["stackFrames"]

    def console(self, command):
        """What a command prints in the debug console."""
        return self.ask("evaluate", expression=command, context="repl")["result"]

    def watch(self, expression, frame):
        return self.ask("evaluate", expression=expression, context="watch", frameId=frame)["result"]
