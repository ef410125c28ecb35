# SPDX-License-Identifier: Apache-2.0
"""A case that starts a command at a pseudo-terminal of its own, presses keys and sees what is written."""

import fcntl
import os
import pty
import select
import struct
import termios
import time

from installed import Case, SECONDS


class Terminal(Case):
    def start(self, *command, size=None):
        pid, self.fd = pty.fork()
        if not pid:
            os.environ["TERM"] = "xterm"
            os.execv(command[0], [str(c) for c in command])
        self.addCleanup(os.close, self.fd)
        if size:
            self.resize(*size)
        self.seen = ""
        return pid

    def resize(self, columns, lines):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def wait_for(self, text):
        until = time.monotonic() + SECONDS
        while text not in self.seen:
            self.assertLess(time.monotonic(), until, "%r is not in %r" % (text, self.seen))
            if select.select([self.fd], [], [], .1)[0]:
                try:
                    self.seen += os.read(self.fd, 65536).decode(errors="replace")
                except OSError:  # the other end is closed
                    self.assertIn(text, self.seen)

    def press(self, keys):
        self.seen = ""
        os.write(self.fd, keys.encode())

    def status(self, pid):
        self.wait_for("")
        while select.select([self.fd], [], [], SECONDS)[0]:
            try:
                self.seen += os.read(self.fd, 65536).decode(errors="replace")
            except OSError:
                break
        status = os.waitpid(pid, 0)[1]
        return os.WEXITSTATUS(status) if os.WIFEXITED(status) else -os.WTERMSIG(status)
