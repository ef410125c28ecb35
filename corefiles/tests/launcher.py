#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Stands for programs that start something on nodes. Each node is this machine under another name. What a
node does wrong is told by FAULTS ("n2=hang n3=down"), and what was done is written to LOG, a line of JSON
each."""

import json
import os
import signal
import subprocess
import sys
import time

FAULTS = dict(word.split("=") for word in os.environ.get("FAULTS", "").split())


def log(what, **more):
    with open(os.environ["LOG"], "a") as f:
        f.write(json.dumps(dict(more, what=what, pid=os.getpid())) + "\n")


def command_for(node, words):
    fault = FAULTS.get(node)
    if fault == "hang":
        return ["sleep", "1000"]
    if fault in ("killed", "cuts"):
        return ["sh", "-c", "kill -9 $$"]
    if fault == "late":
        return ["sh", "-c", 'sleep 1000; exec "$@"', "sh"] + words
    if fault == "silent":
        return ["true"]
    return words


def start(node, words):
    agent = subprocess.Popen(command_for(node, words), env=dict(os.environ, SLURMD_NODENAME=node),
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    log("agent", node=node, agent=agent.pid, words=words)
    return agent


def damaged(node, lines):
    """As they come through a program that does not keep lines whole."""
    fault = FAULTS.get(node)
    if fault == "cut":
        lines[0] = lines[0][:len(lines[0]) // 2] + b"\n"
    elif fault == "doubled":
        lines = lines[::-1] + [b"something else\n"] + lines
    return lines


def launch(nodes, words, label=False):
    """On all NODES at once, as srun does; status 1 when one of them has failed."""
    broken = [node for node in nodes if FAULTS.get(node) == "breaks"]
    log("launch", nodes=nodes)
    if FAULTS.get("all") == "refused":
        sys.stderr.write("launcher: error: n[1-2,4]: not today\n")
        return 1
    if broken:
        sys.stderr.write("launcher: error: Task launch failed on node %s: no connection\n" % broken[0])
        sys.stderr.flush()
        time.sleep(0.5)
        return 1
    agents = [(node, start(node, words)) for node in nodes]
    # A node that is killed may take the answers of the others with it: the first comes through, of the second
    # a part, and nothing of the rest.
    cuts = [node for node in nodes if FAULTS.get(node) == "cuts"]
    others = [node for node in nodes if node not in cuts] if cuts else []
    failed = 0
    for hangs in (False, True):
        for node, agent in agents:
            if (FAULTS.get(node) in ("hang", "late")) != hangs:
                continue
            out, err = agent.communicate()
            failed |= agent.returncode
            lines = damaged(node, out.splitlines(True))
            if node in others[2:]:
                lines = []
            elif node in others[1:]:
                lines = lines[:-1] + [lines[-1][:len(lines[-1]) // 2] + b"\n"]
            for line in lines:
                sys.stdout.buffer.write(b"%s: %s" % (node.encode(), line) if label else line)
            sys.stdout.flush()
            for line in err.splitlines():
                sys.stderr.buffer.write(b"%s: %s\n" % (node.encode(), line))
            if node in cuts:
                sys.stderr.write("launcher: error: %s: task 1: Killed\n" % node)
        log("settled")
    return 1 if failed else 0


def one(node, words):
    if FAULTS.get(node) == "down":
        sys.stderr.write("connect to host %s: No route to host\n" % node)
        return 255
    return launch([node], words)


def after(words, option):
    return words[words.index(option) + 1]


def main(name, words):
    log(name, words=words)
    if name == "tell":
        if "tell" in FAULTS:
            sys.stderr.write("tell: error: Invalid job id specified\n")
            return 1
        print(os.environ["NODES"])
        return 0
    if name == "up":
        print(",".join(n for n in words[0].split(",") if FAULTS.get(n) != "down"))
        return 0
    if name == "all":
        return launch(words[0].split(","), words[1:])
    if name == "labels":
        return launch(words[0].split(","), words[1:], label=True)
    if name == "one":
        return one(words[0], words[1:])
    if name in ("clush", "pdsh"):
        # The command is one word, for the shell of the node.
        return launch(after(words, "-w").split(","), ["sh", "-c", words[-1]], label=True)
    if name == "ssh":
        return one(words[-2], ["sh", "-c", words[-1]])
    if name == "kubectl" and words[0] == "get":
        print("\n".join(os.environ["NODES"].split(",")))
        return 0
    if name == "kubectl":
        return one(words[1], words[words.index("--") + 1:])
    if name == "flux" and words[0] == "jobs":
        print(os.environ["NODES"])
        return 0
    if name == "flux":
        return launch(os.environ["NODES"].split(","), words[3:])
    if name == "pbsdsh":
        return launch(open(os.environ["PBS_NODEFILE"]).read().split(), words[words.index("--") + 1:])
    if name == "blaunch":
        return one(words[1], words[2:])
    return 64


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    sys.exit(main(os.path.basename(sys.argv[0]), sys.argv[1:]))
