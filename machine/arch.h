/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What a machine's kernel and psABI lay down: registers in a core, DWARF numbers, the thread pointer.
 */
#ifndef COREFILES_ARCH_H
#define COREFILES_ARCH_H

#include <stdbool.h>
#include <stdint.h>

enum { CF_REGISTERS = 33, CF_X86_64_USER = 27 };

struct cf_arch {
    uint16_t machine; /**< e_machine */
    const char *name;
    uint32_t prstatus_size, prstatus_regs; /**< of struct elf_prstatus: its size, where pr_reg starts */
    uint32_t greg_count;                   /**< 8-byte registers in user_regs */
    uint32_t dwarf_count;                  /**< DWARF registers 0..dwarf_count-1 are known */
    const uint8_t *greg_of_dwarf;          /**< DWARF number -> index in user_regs */
    uint32_t pc, sp, fp;                   /**< DWARF numbers */
    bool pc_apart;                         /**< the pc has no column in the CFI */
    int32_t tp_greg;                       /**< thread pointer in user_regs; -1: in NT_ARM_TLS */
    bool tcb_at_tp;                        /**< pthread_t is the thread pointer; else its block ends there */
    int32_t call_greg;                     /**< number of the system call in user_regs */
    uint8_t call_args[6], call_result;     /**< its arguments and result there */
    bool call_stays; /**< the number stays when the call is over; else it is negative then */
    /** The instruction that makes one, and its bytes. A thread whose next one it is, is in a call that the
     *  kernel is about to begin anew: it has moved the thread back to it. */
    uint32_t call_instruction, call_size;
};

/** NULL: a machine that is not supported. */
const struct cf_arch *cf_arch_of(uint16_t machine);

#endif
