# SPDX-License-Identifier: Apache-2.0
"""Four nodes on this machine that are containers: each has a host name, processes, mounts and shared memory
of its own. A program called ssh enters them as an ordinary user, so whatever uses ssh comes to a node by its
name.

Shared memory that reached beyond a node would be used by MPICH (UCX), which then asks for the other rank's
process id, finds none in its own container, and gives up in MPI_Init."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile

NODES = ["n1", "n2", "n3", "n4"]
USER = pwd.getpwnam("nobody")
SECONDS = 60
# Names of hosts are not known to the resolver; a name that is none of ours has no route.
SSH = """#!/bin/sh
while :; do case $1 in -[oplFi]) shift 2 ;; -*) shift ;; *) break ;; esac; done
host=$1
shift
[ -f {folder}/$host ] || {{ echo "ssh: connect to host $host port 22: No route to host" >&2; exit 255; }}
exec nsenter --target $(cat {folder}/$host) --pid --uts --ipc --mount \
setpriv --reuid={uid} --regid={gid} --clear-groups env HOME={folder} sh -c "$*"
"""
START = "mount -t tmpfs tmpfs /dev/shm && hostname %s && echo ready && exec sleep infinity"


class Spaces:
    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="ompd-nodes-")
        os.chmod(self.folder, 0o755)
        self.inits = []
        try:
            for name in NODES:
                self.start(name)
        except BaseException:
            self.stop()
            raise
        os.mkdir(self.path("bin"))
        with open(self.path("bin/ssh"), "w") as f:
            f.write(SSH.format(folder=self.folder, uid=USER.pw_uid, gid=USER.pw_gid))
        os.chmod(self.path("bin/ssh"), 0o755)
        self.env = dict(os.environ, PATH=self.path("bin") + ":" + os.environ["PATH"], PDSH_RCMD_TYPE="ssh")
        return self

    def __exit__(self, *_):
        self.stop()

    def path(self, name):
        return os.path.join(self.folder, name)

    def start(self, name):
        outer = subprocess.Popen(["unshare", "--pid", "--uts", "--ipc", "--mount-proc", "--fork",
                                  "--kill-child", "sh", "-c", START % name],
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, universal_newlines=True)
        self.inits.append(outer)
        assert outer.stdout.readline() == "ready\n"
        with open("/proc/%d/task/%d/children" % (outer.pid, outer.pid)) as f:
            inner = f.read().split()[0]
        with open(self.path(name), "w") as f:
            f.write(inner)

    def run(self, *command, timeout=2 * SECONDS, env=None):
        return subprocess.run(command, env=dict(self.env, **(env or {})), stdin=subprocess.DEVNULL,
                              timeout=timeout, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, universal_newlines=True,
                              cwd=self.folder)

    def popen(self, *command, env=None, log=subprocess.DEVNULL):
        return subprocess.Popen(command, env=dict(self.env, **(env or {})), stdin=subprocess.DEVNULL,
                                stdout=log, stderr=log, cwd=self.folder, start_new_session=True)

    def stop(self):
        for init in self.inits:
            init.send_signal(signal.SIGTERM)
            try:
                init.wait(1)
            except subprocess.TimeoutExpired:
                init.kill()  # and the kernel ends all of its namespace
                init.wait()
            init.stdout.close()
        shutil.rmtree(self.folder, ignore_errors=True)
