# SPDX-License-Identifier: Apache-2.0
"""The truth that a program of this folder prints, and what a report must say to be right about it.

read(text) gives the Truth once the program has come to rest; Truth.differences(report) one line for each
thing that a report of schema 1 gets wrong.
"""

import json
import re
import signal

import compare

_WORDS = {"VERDICT": "verdict", "THREAD": "threads", "TASK": "tasks", "LINE": "lines"}


# A process that a signal has ended computes no more.
_PAST = (("waits", "waited"), ("wait", "waited"), ("can", "could"), ("sleeps", "slept"), ("sleep", "slept"),
         ("computes", "computed"), ("compute", "computed"))


def _waits_only(choice):
    """Of "{waits in pause,|is in pause(),}" what is said of a wait."""
    found = [one for one in choice.group(1).split("|") if not one.startswith("is in ")]
    return found[0] if len(found) == 1 else "{%s}" % "|".join(found)


def _after(sentence, number):
    """What may be said instead of SENTENCE, of a program at work, when signal NUMBER has ended it."""
    begins, when = "No deadlock: ", " when %s ended the process" % signal.Signals(number).name
    if sentence.startswith(begins):
        rest = sentence[len(begins):]
        for now, then in _PAST:
            rest = re.sub(r"\b%s\b" % now, then, rest)
        return [begins[:-2] + when + ": " + rest]
    was = re.sub(r"\b(computes|is) in\b", "was in", sentence)
    if was == sentence:
        return [sentence]
    others = re.sub(r"\{([^{}]*\|[^{}]*)\}", _waits_only, sentence)
    return [was[:-1] + when + "."] + [others] * ("computes in" not in sentence and "{}" not in others)


class Truth:
    def __init__(self, lines, truth):
        self.verdict = lines["verdict"][0]
        self.tasks = {row["name"]: row["line"] for row in lines["tasks"]}
        self.pid = truth["pid"]
        self.tids, self.lines = {}, {row["name"]: row["line"] for row in lines["lines"]}
        for row in lines["threads"]:
            self.tids.setdefault(row["name"], set()).add(row["tid"])
            self.lines[row["name"]] = row["line"]
        self.observer = truth["not_openmp"][0]
        self.tids["observer"] = {self.observer}

    def _place(self, line):
        return re.escape(self.verdict["file"]) + (":%d" % line if line else r":\d+")

    def _word(self, word):
        """A regular expression for what stands in braces; "A|B": the one or the other, as the instant is."""
        if "|" in word:
            return "(?:%s)" % "|".join(map(re.escape, word.split("|")))
        if word == "descriptor":  # a core says only its number
            return r"descriptor \d+(?: \(pipe:\[\d+\]\))?"
        if word.startswith("task "):
            return r"task \d+ \(%s\)" % self._place(self.tasks[word[5:]])
        if word.endswith(".at"):
            return self._place(self.lines[word[:-3]])
        # "thread 2 (LWP 4243)", later "thread 2", where GDB numbers the threads.
        return r"(?:(?:thread \d+ \()?LWP (?P<%s>%s)\)?|thread \d+)" % (
            "n%d" % self._groups(), "|".join(str(tid) for tid in sorted(self.tids[word])))

    def _groups(self):
        self._count += 1
        return self._count

    def pattern(self, sentence):
        """SENTENCE as a regular expression; ~ is any number or name."""
        self._count = 0
        parts = re.split(r"(\{[^}]*\}|~)", sentence)
        return "".join(r"[\w:.<>]+" if part == "~" else self._word(part[1:-1]) if part.startswith("{") else
                       re.escape(part) for part in parts)

    def differences(self, report):
        verdict, found = report["verdict"], []
        if verdict["kind"] != self.verdict["kind"]:
            found.append("kind %r, truth %r: %s"
                         % (verdict["kind"], self.verdict["kind"], verdict["sentence"]))
        number = report["process"]["signal"]
        may = _after(self.verdict["sentence"], number) if number else [self.verdict["sentence"]]
        if self.verdict["sentence"] and not any(re.fullmatch(self.pattern(one), verdict["sentence"])
                                                for one in may):
            found.append("says  %s\ntruth %s\nlines %s" % (verdict["sentence"], self.verdict["sentence"],
                                                           self.lines))
        return found + self._circle(report)

    def _circle(self, report):
        edges = {edge["id"]: edge for edge in report["edges"]}
        told = [edges[i] for i in report["verdict"]["edges"]]
        if self.verdict["kind"] == "deadlock" and not all(edge["proved"] for edge in told):
            return ["an edge of a proved deadlock is not proved"]
        words = self.verdict["circle"].split()
        if not words:
            return []
        if len(told) != len(words):
            return ["%d edges, truth %s: %s" % (len(told), words, told)]
        found = []
        for i, edge in enumerate(told):
            for end, word in (("from", words[i]), ("to", words[(i + 1) % len(words)])):
                if word == "task" and not edge[end].get("task"):
                    found.append("edge %d: %s is no task: %s" % (i, end, edge))
                elif word != "task" and edge[end].get("lwp") not in self.tids[word]:
                    found.append("edge %d: %s is not %s: %s" % (i, end, word, edge))
        return found


def read(text):
    """The Truth that TEXT, a program's output, tells; None as long as it has not come to rest."""
    truth = compare.read_truth(text)
    if truth is None:
        return None
    lines = {name: [] for name in _WORDS.values()}
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        if word in _WORDS:
            lines[_WORDS[word]].append(json.loads(rest))
    return Truth(lines, truth)
