# SPDX-License-Identifier: Apache-2.0
"""System calls that are refused, as a container's filter does it (seccomp(2), x86-64)."""

import ctypes
import os
import struct

OPENAT2, MEMFD_CREATE, SOCKETPAIR = 437, 319, 53


def refused(call, error):
    """For preexec_fn: CALL returns ERROR from then on, by BPF."""
    class Filter(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_char_p)]

    code = b"".join(struct.pack("=HBBI", *row) for row in (
        (0x20, 0, 0, 0),                     # the call's number
        (0x15, 0, 1, call),                  # another: the last
        (0x06, 0, 0, 0x00050000 | error),    # SECCOMP_RET_ERRNO
        (0x06, 0, 0, 0x7fff0000)))           # SECCOMP_RET_ALLOW
    filters = Filter(4, code)

    def apply():
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, ctypes.byref(filters)):
            os._exit(99)
    return apply
