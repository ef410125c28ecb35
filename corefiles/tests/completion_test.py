# SPDX-License-Identifier: Apache-2.0
"""What shells offer while a command line of `ompd` is typed: bash, fish and zsh themselves are asked."""

import os
import subprocess

import gdbrun
import xmltest
from installed import Case, FOLDER, SECONDS, options, subcommands


class Shells(Case):
    @classmethod
    def setUpClass(cls):
        cls.core = os.path.join(FOLDER, "core.4711")
        with open(cls.core, "w"):
            pass

    def script(self, shell):
        path = os.path.join(FOLDER, "completion." + shell)
        with open(path, "w") as f:
            f.write(self.ok("completion", shell).stdout)
        return path

    def answers(self, program, *arguments):
        done = subprocess.run([program] + list(arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              universal_newlines=True, timeout=SECONDS,
                              env=dict(os.environ, HOME=FOLDER, XDG_CONFIG_HOME=FOLDER, XDG_DATA_HOME=FOLDER))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def bash(self, *words):
        # compopt works while the shell completes, and this calls the function itself.
        script = ("compopt() { :; }; source %s; COMP_WORDS=(%s); COMP_CWORD=%d; _ompd; "
                  "printf '%%s\\n' \"${COMPREPLY[@]}\""
                  % (self.script("bash"), " ".join("'%s'" % w for w in words), len(words) - 1))
        return sorted(self.answers("bash", "--norc", "-c", script).split())

    def test_bash(self):
        self.assertEqual(self.bash("ompd", ""), sorted(subcommands()))
        for name, known in options().items():
            if name != "run":
                self.assertEqual(self.bash("ompd", name, "--"), sorted("--" + option for option in known))
        self.assertEqual(self.bash("ompd", "tasks", "--state", "r"), ["ready", "running"])
        self.assertEqual(self.bash("ompd", "report", "--format", "=", "h"), ["html"])
        self.assertEqual(self.bash("ompd", "completion", ""), ["bash", "fish", "zsh"])
        self.assertIn(str(os.getpid()), self.bash("ompd", "threads", "-p", ""))
        self.assertEqual(self.bash("ompd", "threads", self.core[:-1]), [self.core])

    def fish(self, line):
        text = self.answers("fish", "-N", "-c", "source %s; complete -C'%s'" % (self.script("fish"), line))
        return sorted(row.split("\t")[0] for row in text.splitlines())

    def test_fish(self):
        self.assertEqual(self.fish("ompd "), sorted(subcommands()))
        for name in ("threads", "report", "run"):
            self.assertEqual([w for w in self.fish("ompd %s --" % name) if w.startswith("--")],
                             sorted("--" + option for option in options()[name]))
        self.assertEqual(self.fish("ompd tasks --state r"), ["ready", "running"])
        self.assertEqual(self.fish("ompd completion "), ["bash", "fish", "zsh"])
        self.assertEqual(self.fish("ompd threads " + self.core[:-1]), [self.core])

    def zsh(self, line):
        offers = os.path.join(gdbrun.ROOT, "corefiles/tests/offers.zsh")
        return sorted(self.answers("zsh", "-f", offers, self.script("zsh"), line).split())

    def test_zsh(self):
        self.assertEqual(self.zsh("ompd "), sorted(subcommands()))
        for name in ("threads", "report", "run"):
            self.assertEqual(self.zsh("ompd %s --" % name),
                             sorted("--" + option for option in options()[name]))
        for line in ("ompd tasks --state r", "ompd tasks --state=r"):
            self.assertEqual(self.zsh(line), ["ready", "running"])
        self.assertEqual(self.zsh("ompd completion "), ["bash", "fish", "zsh"])
        self.assertEqual(self.zsh("ompd help sta"), ["stacks", "status"])
        self.assertEqual(self.zsh("ompd threads " + self.core[:-1]), [os.path.basename(self.core)])
        for line in ("ompd run ls --a", "ompd run -- ls --a", "ompd run --timeout 3 ls --a"):
            self.assertIn("--almost-all", self.zsh(line), line)

    def test_zsh_knows_all_options(self):
        with open(self.script("zsh")) as f:
            text = f.read()
        for name, known in options().items():
            self.assertIn("        '%s:" % name, text)
            for option in known:
                self.assertRegex(text, r"--%s=?\[" % option)


if __name__ == "__main__":
    xmltest.main()
