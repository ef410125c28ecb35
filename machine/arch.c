/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Machines: struct elf_prstatus and user_regs of the kernel (<sys/procfs.h>, <sys/user.h>), numbers of the
 * psABIs.
 */
#include "machine/arch.h"

#include <elf.h>
#include <stddef.h>

/* x86-64 psABI, figure 3.36; the order of struct user_regs_struct. */
static const uint8_t x86_64_gregs[] = {10, 12, 11, 5, 13, 14, 4, 19, 9, 8, 7, 6, 3, 2, 1, 0, 16};
/* AArch64 DWARF: x0-x30, 31 is sp, 32 the pc. */
static const uint8_t aarch64_gregs[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16,
                                        17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32};

static const struct cf_arch arches[] = {
    {
        .machine = EM_X86_64,
        .name = "x86-64",
        .prstatus_size = 336,
        .prstatus_regs = 112,
        .greg_count = 27,
        .dwarf_count = sizeof(x86_64_gregs),
        .greg_of_dwarf = x86_64_gregs,
        .pc = 16,
        .sp = 7,
        .fp = 6,
        .tp_greg = 21,
        .tcb_at_tp = true,
        .call_greg = 15,
        .call_args = {14, 13, 12, 7, 9, 8},
        .call_result = 10,
        .call_instruction = 0x050f, /* syscall */
        .call_size = 2,
    },
    {
        .machine = EM_AARCH64,
        .name = "aarch64",
        .prstatus_size = 392,
        .prstatus_regs = 112,
        .greg_count = 34,
        .dwarf_count = sizeof(aarch64_gregs),
        .greg_of_dwarf = aarch64_gregs,
        .pc = 32,
        .sp = 31,
        .fp = 29,
        .pc_apart = true,
        .tp_greg = -1,
        .call_greg = 8,
        .call_args = {0, 1, 2, 3, 4, 5},
        .call_stays = true,
        .call_instruction = 0xd4000001, /* svc #0 */
        .call_size = 4,
    },
};

const struct cf_arch *cf_arch_of(uint16_t machine)
{
    for (size_t i = 0; i < sizeof(arches) / sizeof(*arches); i++)
        if (arches[i].machine == machine)
            return &arches[i];
    return NULL;
}
