# SPDX-License-Identifier: Apache-2.0
"""GDB in a real terminal: tmux with a screen of a given size, keys sent as a person sends them."""

import os
import re
import subprocess
import tempfile
import time

import gdbrun

PROMPT = re.compile(r"\(gdb\) $")
# Seconds until something must have appeared on the screen.
PATIENCE = 60


class Terminal:
    """A GDB with the extension in a terminal of WIDTH x HEIGHT."""

    def __init__(self, arguments, width=80, height=24, env=None):
        self._folder = tempfile.TemporaryDirectory(dir="/tmp")  # the path of a socket is short
        self._tmux("-f", "/dev/null", "new-session", "-d", "-x", str(width), "-y", str(height), "-s", "t",
                   "env", "HOME=" + self._folder.name, "INPUTRC=/dev/null", "OMP_WAIT_POLICY=passive",
                   "TRUTH_HOLD_SECONDS=200", *("%s=%s" % pair for pair in (env or {}).items()),
                   "gdb", "-q", "-nx", "-iex", "set debuginfod enabled off", "-iex", "set confirm off",
                   "-x", gdbrun.PLUGIN, *arguments)
        self.pid = int(self._tmux("list-panes", "-t", "t", "-F", "#{pane_pid}"))
        self.wait(PROMPT)

    def _tmux(self, *arguments):
        env = dict(os.environ, LC_ALL="C.UTF-8", TERM="xterm-256color")
        env.pop("TMUX", None)
        return subprocess.run(["tmux", "-S", os.path.join(self._folder.name, "s"), *arguments], env=env,
                              check=True,
                              stdout=subprocess.PIPE, universal_newlines=True, timeout=PATIENCE).stdout

    def keys(self, *names):
        """Keys by tmux's names ("Enter", "C-c", "Tab") or text."""
        self._tmux("send-keys", "-t", "t", *names)

    def screen(self, colours=False):
        """The lines of the screen; with COLOURS as the terminal would have to be told."""
        return self._tmux("capture-pane", "-p", "-t", "t", *(["-e"] if colours else []))

    def wait(self, what):
        """The screen once the pattern WHAT is at its end; blanks at ends of lines are those of a prompt
        alone."""
        what = re.compile(what) if isinstance(what, str) else what
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            text = self.screen().rstrip("\n")
            # The prompt's blank is not captured.
            if what.search(text + " " if text.endswith("(gdb)") else text):
                return text
            time.sleep(0.02)
        raise AssertionError("no %r on the screen:\n%s" % (what.pattern, self.screen()))

    def run(self, line, until=PROMPT):
        """The screen after the command LINE, which is cleared before it."""
        self.keys("C-l")
        self.wait(r"\A\s*\(gdb\) $")
        self.keys("-l", line) if line else None
        self.keys("Enter")
        # The prompt that stands there already is not the one waited for.
        return self.wait(re.compile(r"(?s)\(gdb\) %s.*%s" % (re.escape(line[:20]), until.pattern)))

    def close(self):
        subprocess.run(["tmux", "-S", os.path.join(self._folder.name, "s"), "kill-server"], check=False,
                       stderr=subprocess.DEVNULL)
        self._folder.cleanup()
