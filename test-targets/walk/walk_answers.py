# SPDX-License-Identifier: Apache-2.0
"""What the command `ompd` and GDB say of one process or core, in the same form:

    answers.documents["loops"]     JSON; threads (-v), loops, tasks, stacks (with locals), team (of `mine`)
    answers.texts["loops"]         for people
    answers.of_member              GDB only: "print", "outer", "up" from member 3
"""

import json
import re

import gdbrun
import walk_programs

# View -> the options of `ompd`, and of GDB's command.
VIEWS = {"threads": ("threads -v", "threads -verbose"), "loops": ("loops", "loops"),
         "tasks": ("tasks", "tasks"), "stacks": ("stacks --locals", "stacks -locals"),
         "team": ("print mine", "print -team mine")}
# Of the function around the region: in the member's own frames there is none of them.
OUTER = ("pass", "unused")
SCRIPT = """
said = {"documents": {}, "texts": {}}
for view, command in %r.items():
    name, _, options = command.partition(" ")
    said["documents"][view] = document("ompd %%s -json %%s" %% (name, options))
    said["texts"][view] = run("ompd " + command)[0]
next(one for one in gdb.selected_inferior().threads() if one.ptid[1] == %d).switch()
said["print"] = {name: run("ompd print " + name) for name in %r}
run("set language c")
said["outer"] = {name: run('output $ompd_outer("%%s")' %% name) for name in %r}
run("set language auto")
run("ompd thread 3")
walked = [run("ompd up")]
while walked[-1][1] is None and gdb.selected_thread().ptid[1] == %d and len(walked) < 20:
    walked.append(run("ompd up"))
said["up"] = {"said": walked[-1], "lwp": gdb.selected_thread().ptid[1],
              "function": gdb.selected_frame().name(), "values": {name: run("output " + name) for name in %r}}
say(said)
"""


def words(text):
    return re.sub(r"\s+", " ", text)


class Answers:
    def __init__(self, documents, texts, of_core, of_member=None):
        self.documents, self.of_core, self.of_member = documents, of_core, of_member
        self.texts = {view: words(text) for view, text in texts.items()}


def of_ompd(*source):
    documents, texts = {}, {}
    for view, (command, _) in VIEWS.items():
        name, *options = command.split()
        arguments = [name, *walk_programs.library(), *source]
        text, document = (walk_programs.ompd(*arguments, *form, *options, status=(0, 1, 2)).stdout
                          for form in ((), ("--json",)))
        texts[view], documents[view] = text, json.loads(document)
    return Answers(documents, texts, "--core" in source)


def of_gdb(held, *arguments):
    """ARGUMENTS: what GDB looks at."""
    lwp = held.members[3]["lwp"]
    names = OUTER + ("mine", "shade")
    script = SCRIPT % ({view: command for view, (_, command) in VIEWS.items()}, lwp, names, OUTER, lwp, OUTER)
    answer = gdbrun.gdb(script, arguments, cwd=held.folder)
    if answer.problems() or not answer.said:
        raise AssertionError("%s: %s" % (answer.problems(), answer))
    said = answer.said[0]
    return Answers(said["documents"], said["texts"], "-p" not in arguments, said)
