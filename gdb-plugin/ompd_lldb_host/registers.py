# SPDX-License-Identifier: Apache-2.0
"""Registers of x86-64 by lldb's names."""

# In the order of ompdx_register_t; segments are left out, nobody asks for them.
USER = ("r15", "r14", "r13", "r12", "rbp", "rbx", "r11", "r10", "r9", "r8", "rax", "rcx", "rdx", "rsi",
         "rdi", None, "rip", None, "rflags", "rsp", None, "fs_base", None, None, None, None, None)
ORIG_RAX, RIP = 15, 16
KEPT = ("rbx", "rbp", "r12", "r13", "r14", "r15")
