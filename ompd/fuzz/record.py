#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Records the memory of a test target that libompd reads, as an image for the fuzzers (format: memory.h).

Usage: record.py LIBOMPD OUT PROGRAM [NAME=VALUE...]

The program is one of test-targets/: it is stopped once it has told its truth. Everything is asked, in a
bracket and outside; what the library read is what the image holds. Run by hand when Companion's structures
have changed:

  bazel build //ompd:libompd.so.1 //test-targets:all_targets
  ompd/fuzz/record.py .bazel/bin/ompd/libompd.so.1 ompd/fuzz/images/lock.img \\
    .bazel/bin/test-targets/lock_clang.exe
"""
import ctypes
import os
import re
import signal
import struct
import subprocess
import sys

GAP = 64  # smaller holes between reads are recorded too

P = ctypes.c_void_p
Q = ctypes.c_uint64
RC = ctypes.c_int


class Address(ctypes.Structure):
    _fields_ = [("segment", Q), ("address", Q)]


ALLOC = ctypes.CFUNCTYPE(RC, Q, ctypes.POINTER(P))
FREE = ctypes.CFUNCTYPE(RC, P)
PRINT = ctypes.CFUNCTYPE(RC, ctypes.c_char_p, RC)
SIZEOF = ctypes.CFUNCTYPE(RC, P, ctypes.POINTER(ctypes.c_uint8))
SYMBOL = ctypes.CFUNCTYPE(RC, P, P, ctypes.c_char_p, ctypes.POINTER(Address), ctypes.c_char_p)
READ = ctypes.CFUNCTYPE(RC, P, P, ctypes.POINTER(Address), Q, P)
HOST = ctypes.CFUNCTYPE(RC, P, P, Q, Q, P)


class Target:
    def __init__(self, program, environment):
        self.reads = []
        environment = dict(os.environ, OMP_WAIT_POLICY="passive", **environment)
        self.process = subprocess.Popen([program], env=environment,
                                        stdout=subprocess.PIPE, universal_newlines=True)
        for line in self.process.stdout:
            if line.startswith("TRUTH "):
                break
        else:
            sys.exit("%s told no truth" % program)
        self.process.send_signal(signal.SIGSTOP)
        pid = self.process.pid
        self.memory = open("/proc/%d/mem" % pid, "rb", buffering=0)
        with open("/proc/%d/maps" % pid) as maps:
            pattern = re.compile(r"(\w+)-\w+ \S+ (\w+) \S+ \S+ +(\S*libompcompanion\S*)")
            path, base = next((m.group(3), int(m.group(1), 16)) for m in map(pattern.match, maps)
                              if m and int(m.group(2), 16) == 0)
        symbols = subprocess.run(["nm", "-D", path], stdout=subprocess.PIPE, universal_newlines=True,
                                 check=True).stdout
        self.table = base + int(re.search(r"^(\w+) \w rt_layout_table", symbols, re.M).group(1), 16)

    def read(self, address, size):
        self.memory.seek(address)
        data = self.memory.read(size)
        if len(data) != size:
            raise OSError("short read")
        return data


class Asker:
    """A tool that asks a target everything whose answer needs its memory."""

    def __init__(self, library, target):
        self.api, self.target, self.blocks = ctypes.CDLL(library), target, {}
        callbacks = [ALLOC(self.alloc), FREE(lambda p: 0), PRINT(lambda text, category: 0),
                     SIZEOF(self.sizes), SYMBOL(self.symbol), READ(self.read), READ(0), READ(0),
                     HOST(self.host), HOST(0), READ(0)]
        self.callbacks = callbacks  # kept alive
        table = (P * 11)(*[ctypes.cast(c, P) for c in callbacks])
        self.call("ompd_initialize", ctypes.c_int64(202411), table)

    def alloc(self, size, ret):
        block = ctypes.create_string_buffer(size)
        self.blocks[ctypes.addressof(block)] = block
        ret[0] = ctypes.addressof(block)
        return 0

    @staticmethod
    def sizes(context, ret):
        for i, size in enumerate((1, 2, 4, 8, 8, 8)):
            ret[i] = size
        return 0

    def symbol(self, context, thread, name, ret, file):
        if name != b"rt_layout_table":
            return 4
        ret[0].segment, ret[0].address = 0, self.target.table
        return 0

    def read(self, context, thread, address, size, buffer):
        try:
            data = self.target.read(address[0].address, size)
        except (OSError, ValueError, OverflowError):
            return 4
        self.target.reads.append((address[0].address, size))
        ctypes.memmove(buffer, data, size)
        return 0

    @staticmethod
    def host(context, source, unit, count, to):
        ctypes.memmove(to, source, unit * count)
        return 0

    def call(self, name, *arguments):
        return getattr(self.api, name)(*arguments)

    def handles(self, name, process):
        array, count = ctypes.POINTER(P)(), ctypes.c_int()
        if self.call(name, process, ctypes.byref(array), ctypes.byref(count)) != 0:
            sys.exit("%s failed" % name)
        return [P(array[i]) for i in range(count.value)]

    def info(self, name, handle, answers=(0,)):
        info = (Q * 64)()
        info[0] = 512
        if self.call(name, handle, info) not in answers:
            sys.exit("%s failed" % name)

    def icvs(self, handles):
        """HANDLES: scope -> a handle of it."""
        icv, name, scope, more = Q(0), ctypes.c_char_p(), ctypes.c_int(), ctypes.c_int(1)
        outputs = [ctypes.byref(one) for one in (icv, name, scope, more)]
        while more.value and self.call("ompd_enumerate_icvs", handles[2], icv, *outputs) == 0:
            handle = handles.get(scope.value)
            if handle:
                text = ctypes.c_char_p()
                self.call("ompd_get_icv_string_from_scope", handle, scope, icv, ctypes.byref(text))

    def everything(self, process):
        out, number = ctypes.create_string_buffer(4096), ctypes.c_int()
        self.call("ompd_get_omp_version", process, out)
        self.call("ompd_get_display_control_vars", process, out)
        for thread in self.handles("ompdx_get_all_threads", process):
            self.info("ompdx_get_thread_info", thread)
            self.call("ompd_get_state", thread, out, out)
            self.call("ompdx_get_held", thread, out, ctypes.byref(number))
            self.call("ompdx_get_place", thread, ctypes.byref(number), out)
        for region in self.handles("ompdx_get_all_parallels", process):
            self.info("ompdx_get_parallel_info", region)
            self.call("ompdx_get_barrier_arrivals", region, out, ctypes.byref(number))
            for i in range(64):
                self.call("ompd_get_thread_in_parallel", region, i, out)
                self.call("ompd_get_task_in_parallel", region, i, out)
        for task in self.handles("ompdx_get_all_tasks", process):
            self.info("ompdx_get_task_info", task)
            self.info("ompdx_get_loop_info", task, (0, 1))  # 1: the task is in no loop
            self.call("ompdx_get_task_predecessors", task, out, ctypes.byref(number))
            # Scopes (ompd_scope_t): 1 global, 2 address space, 3 thread, 4 parallel, 5 implicit task, 6 task.
            self.icvs({1: process, 2: process, 4: region, 5: task, 6: task})


def joined(reads):
    """The reads as pieces [from, to] that do not touch."""
    pieces = []
    for start, size in sorted(reads):
        if pieces and start <= pieces[-1][1] + GAP:
            pieces[-1][1] = max(pieces[-1][1], start + size)
        else:
            pieces.append([start, start + size])
    return pieces


def runs(data):
    """What is not zero, as (offset, bytes)."""
    return [(m.start(), m.group()) for m in re.finditer(rb"[^\0](?:\0{0,7}[^\0])*", data, re.S)]


def main():
    library, out, program = sys.argv[1:4]
    target = Target(program, dict(v.split("=", 1) for v in sys.argv[4:]))
    try:
        asker, process = Asker(os.path.abspath(library), target), P()
        if asker.call("ompd_process_initialize", P(1), ctypes.byref(process)) != 0:
            sys.exit("ompd_process_initialize failed")
        asker.everything(process)
        asker.call("ompdx_stop_begin", process)
        asker.everything(process)
        asker.call("ompdx_stop_end", process)
        pieces = joined(target.reads)
        with open(out, "wb") as image:
            image.write(b"OMPCIMG1" + struct.pack("<BBHIQ", 8, 0, 0, len(pieces), target.table))
            for start, end in pieces:
                data = target.read(start, end - start)
                image.write(struct.pack("<QII", start, len(data), len(runs(data))))
                for offset, part in runs(data):
                    image.write(struct.pack("<II", offset, len(part)) + part)
            print("%s: %d pieces, %d bytes" % (out, len(pieces), image.tell()))
    finally:
        target.process.kill()
        target.process.wait()


main()
