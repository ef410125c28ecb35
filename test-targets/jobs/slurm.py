# SPDX-License-Identifier: Apache-2.0
"""A Slurm of four nodes on this machine: four slurmd under names of their own, started by root, whose jobs
are an ordinary user's. Each has a configuration of its own, since PMIx of all nodes would use one folder."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time

NODES = ["n1", "n2", "n3", "n4"]
USER = pwd.getpwnam("nobody")
SECONDS = 60

CONFIGURATION = """ClusterName=four
SlurmctldHost={host}
AuthType=auth/none
CredType=cred/none
MpiDefault=none
PluginDir=/usr/lib/x86_64-linux-gnu/slurm-wlm
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmUser=root
SlurmdUser=root
SlurmctldPort={port}
SlurmdParameters=config_overrides
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
ReturnToService=2
SlurmdTimeout=300
DebugFlags=NO_CONF_HASH
{nodes}
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for s in sockets:
        s.bind(("", 0))
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


def wait_for(what, said):
    """Until WHAT is true; what SAID tells if that does not happen."""
    end = time.monotonic() + SECONDS
    while not what():
        if time.monotonic() > end:
            raise AssertionError(said())
        time.sleep(0.1)


class Slurm:
    def __enter__(self):
        # Readable for the user, which a test's own folder is not.
        self.folder = tempfile.mkdtemp(prefix="ompd-slurm-")
        os.chmod(self.folder, 0o755)
        self.daemons = {}
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def path(self, name):
        return os.path.join(self.folder, name)

    def start(self):
        host = socket.gethostname()
        ports = free_ports(1 + len(NODES))
        nodes = "\n".join("NodeName=%s NodeHostname=%s NodeAddr=127.0.0.1 Port=%d CPUs=4 State=UNKNOWN"
                          % (name, host, port) for name, port in zip(NODES, ports[1:]))
        os.mkdir(self.path("state"))
        for name in NODES + ["main"]:
            os.mkdir(self.path("etc-" + name))
            with open(self.path("etc-%s/slurm.conf" % name), "w") as f:
                f.write(CONFIGURATION.format(host=host, port=ports[0], folder=self.folder, nodes=nodes))
            os.mkdir(self.path("pmix-" + name))
            os.chmod(self.path("pmix-" + name), 0o1777)
            with open(self.path("etc-%s/mpi.conf" % name), "w") as f:
                f.write("PMIxCliTmpDirBase=%s\n" % self.path("pmix-" + name))
        self.env = dict(os.environ, PATH=os.environ["PATH"] + ":/usr/sbin",
                        SLURM_CONF=self.path("etc-main/slurm.conf"))
        for name in [v for v in self.env if v.startswith(("SLURM_", "SLURMD_")) and v != "SLURM_CONF"]:
            del self.env[name]
        self.daemon("slurmctld", "main", "slurmctld", "-D", "-i")
        for name in NODES:
            self.daemon(name, name, "slurmd", "-D", "-N", name)
        wait_for(lambda: self.states() == ["idle"] * len(NODES), self.tell)

    def daemon(self, key, configuration, *command):
        program = shutil.which(command[0], path=self.env["PATH"])
        assert program, "%s is not installed" % command[0]
        self.daemons[key] = subprocess.Popen(
            command, executable=program, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True,
            env=dict(self.env, SLURM_CONF=self.path("etc-%s/slurm.conf" % configuration)))

    def states(self):
        done = self.run("sinfo", "--noheader", "--Node", "--format=%t")
        return done.stdout.split()

    def tell(self):
        text = str(self.states())
        for name in sorted(os.listdir(self.folder)):
            if name.endswith(".log"):
                with open(self.path(name), errors="replace") as f:
                    text += "\n== %s\n%s" % (name, f.read()[-1500:])
        return text

    def popen(self, *command, root=False, **more):
        """Of the ordinary user."""
        env = dict(self.env, HOME=self.folder, USER=USER.pw_name, **more.pop("env", {}))
        if not root:
            command = ("setpriv", "--reuid=%d" % USER.pw_uid, "--regid=%d" % USER.pw_gid,
                       "--clear-groups") + command
        return subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, universal_newlines=True,
                                cwd=self.folder, start_new_session=True, **more)

    def run(self, *command, timeout=2 * SECONDS, **more):
        process = self.popen(*command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise
        return subprocess.CompletedProcess(command, process.returncode, out, err)

    def stop(self):
        """With what they have started: each daemon is a session, each step a session of its own below it."""
        if "slurmctld" in self.daemons:
            self.run("scancel", "--full", "--user=" + USER.pw_name)
            try:
                wait_for(lambda: not self.run("squeue", "--noheader").stdout.strip(), str)
            except AssertionError:
                pass
        for daemon in self.daemons.values():
            daemon.kill()
            daemon.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
