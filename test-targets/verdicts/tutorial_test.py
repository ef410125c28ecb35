# SPDX-License-Identifier: Apache-2.0
"""docs/tutorial-hang.md is true: its program is built, its commands are run, and they print what stands
there.

Numbers of processes, threads and tasks and addresses may differ, and widths of columns with them; "..."
stands for any lines. A program that is left in the background has come to rest before the next command.
"""

import difflib
import os
import re
import shutil
import subprocess
import tempfile
import time
import unittest

import gdbrun
import xmltest

DOCUMENT = os.path.join(gdbrun.ROOT, "docs", "tutorial-hang.md")
SECONDS = 60
MARK = "=== GDB has answered ==="
END = "=== the shell has answered ==="
FILES = (("command/ompd", "bin/ompd"), ("ompd/libompd.so.1", "lib/libompd.so.1"),
         ("inspect/libompdinspect.so.1", "lib/libompdinspect.so.1"),
         ("runtime/libompcompanion.so.1.0.0", "lib/libompcompanion.so.1.0.0"))
NAMES = ("libomp.so", "libomp.so.5", "libiomp5.so", "libgomp.so.1")


def blocks():
    """(language, [lines]) of each block of code."""
    with open(DOCUMENT) as f:
        return [(language, text.splitlines()) for language, text
                in re.findall(r"^```(\w+)\n(.*?)^```$", f.read(),
                                                                               re.M | re.S)]


def steps():
    """("source", lines), ("patch", lines) or (prompt, command, expected lines), in the order of the
    document."""
    for language, lines in blocks():
        if language in ("c", "diff"):
            yield {"c": "source", "diff": "patch"}[language], lines, None
            continue
        found = []
        for line in lines:
            prompt = re.match(r"(\$|\(gdb\)) (.*)", line)
            # GDB's value history begins with a dollar and a number.
            if prompt and not re.match(r"\$\d", line):
                found.append((prompt.group(1), prompt.group(2), []))
            else:
                found[-1][2].append(line)
        yield from found


def plain(line):
    if line.isdigit():
        return line  # an exit status
    line = re.sub(r"0x[0-9a-f]+", "ADDRESS", line)
    line = re.sub(r"/\S*/heat\b", "PATH/heat", line)
    line = re.sub(r"(?<![\w.:$\[])\d{2,}(?![\w.\t])(?!\s+omp)", "N", line)
    return " ".join(line.split())


def matches(expected, got):
    """Do the lines agree, "..." being any?"""
    expected, got = [plain(line) for line in expected], [plain(line) for line in got]
    pattern = "".join(r"(?:.*\n)*" if line == "..." else re.escape(line) + "\n" for line in expected)
    if re.fullmatch(pattern, "".join(line + "\n" for line in got)):
        return None
    return "\n".join(difflib.unified_diff(expected, got, "tutorial", "seen", lineterm=""))


def trim(text):
    lines = text.split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    while lines and not lines[0].strip():
        lines.pop(0)
    return lines


class Shell:
    """A bash that runs one command after the other."""

    def __init__(self, folder):
        env = {"HOME": folder, "PATH": "/usr/local/bin:/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1",
               "COLUMNS": "0", "LC_ALL": "C"}
        self.bash = subprocess.Popen(["bash", "--norc", "--noprofile"], cwd=folder, env=env,
                                     stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                     universal_newlines=True)

    def run(self, command):
        # The command's status must be there for the next one.
        self.bash.stdin.write("%s\n{ s=$?; echo; echo '%s'; (exit $s); } 2>&1\n" % (command, END))
        self.bash.stdin.flush()
        lines = []
        while True:
            line = self.bash.stdout.readline()
            if not line or line.rstrip("\n") == END:
                return trim("".join(lines))
            lines.append(line)

    def await_rest(self, threads):
        """The last process in the background has that many threads, and all sleep, look after look."""
        pid = self.run("echo $!")[0]
        until, alike = time.monotonic() + SECONDS, 0
        while alike < 5 and time.monotonic() < until:
            states = []
            for tid in os.listdir("/proc/%s/task" % pid):
                with open("/proc/%s/task/%s/stat" % (pid, tid)) as f:
                    states.append(f.read().rpartition(")")[2].split()[0])
            alike = alike + 1 if states == ["S"] * threads else 0
            time.sleep(0.02)

    def end(self):
        self.run("kill $(jobs -p)")
        self.bash.stdin.close()
        self.bash.wait(SECONDS)
        self.bash.stdout.close()


class Tutorial(unittest.TestCase):
    maxDiff = None

    def prepare(self):
        folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(shutil.rmtree, folder)
        prefix = os.path.join(folder, "ompd")
        for part in ("bin", "lib/ompcompanion", "share/ompd"):
            os.makedirs(os.path.join(prefix, part))
        for path, to in FILES:
            shutil.copy(os.path.realpath(gdbrun.find(path)), os.path.join(prefix, to))
        os.symlink("libompcompanion.so.1.0.0", os.path.join(prefix, "lib/libompcompanion.so.1"))
        for name in NAMES:
            os.symlink("../libompcompanion.so.1.0.0", os.path.join(prefix, "lib/ompcompanion", name))
        shutil.copy(gdbrun.PLUGIN, os.path.join(prefix, "share/ompd/ompd.py"))
        for package in ("ompd_common", "ompd_gdb"):
            shutil.copytree(os.path.join(os.path.dirname(gdbrun.PLUGIN), package),
                            os.path.join(prefix, "share/ompd", package))
        return folder

    def patch(self, path, lines):
        with open(path) as f:
            text = f.read()
        old = "".join(line[1:] + "\n" for line in lines if line[0] in " -")
        new = "".join(line[1:] + "\n" for line in lines if line[0] in " +")
        self.assertEqual(text.count(old), 1, "the patch fits nowhere")
        with open(path, "w") as f:
            f.write(text.replace(old, new))

    def gdb(self, shell, command, session):
        """One GDB for all commands of a session; each one's output."""
        mark = "-ex 'echo \\n%s\\n'" % MARK
        asked = " ".join("-ex %s %s" % (shell_word(one), mark) for one, _ in session)
        lines = shell.run("%s -nx -batch -iex 'set debuginfod enabled off' %s %s 2>gdb.log </dev/null"
                          % (command, mark, asked))
        return [trim(part) for part in "\n".join(lines).split(MARK)[1:]]

    def test_every_command(self):
        folder = self.prepare()
        source = os.path.join(folder, "heat.c")
        shell, wrong, session, opened = Shell(folder), [], [], None
        self.addCleanup(shell.end)

        def seen(command, expected, got):
            difference = matches(expected, got)
            if difference:
                wrong.append("%s\n%s" % (command, difference))

        def end_session():
            if opened:
                parts = self.gdb(shell, opened, session)
                for (command, expected), got in zip(session, parts):
                    seen(command, expected, got)
                self.assertGreater(len(parts), len(session) - 1)

        count = 0
        for what, command, expected in list(steps()) + [("end", None, None)]:
            if what == "(gdb)":
                session.append((command, expected))
                continue
            end_session()
            session, opened = [], None
            if what == "source":
                with open(source, "w") as f:
                    f.write("\n".join(command) + "\n")
            elif what == "patch":
                self.patch(source, command)
            elif what == "$" and command.startswith("gdb "):
                opened = command
            elif what == "$":
                seen(command, expected, shell.run(command))
                count += 1
                if command.endswith("&"):
                    shell.await_rest(3)
        self.assertEqual(wrong, [], "\n\n".join(wrong))
        self.assertGreater(count, 8)


def shell_word(text):
    return "'%s'" % text.replace("'", "'\\''")


if __name__ == "__main__":
    xmltest.main()
