/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The unwinder's tables of x86-64 as they lie in a process' memory: of stripped files too, and the same in
 * every host. (Linux Standard Base, "Exception Frames"; DWARF 5, section 6.4.)
 */
#ifndef INSPECT_EH_FRAME_H
#define INSPECT_EH_FRAME_H

#include "inspect/target/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/** DWARF's numbers of registers (psABI x86-64, figure 3.36); EH_PC stands for where the call returns to. */
enum { EH_RBX = 3, EH_RBP = 6, EH_RSP = 7, EH_R12 = 12, EH_R13 = 13, EH_R14 = 14, EH_R15 = 15, EH_PC = 16 };
enum { EH_REGISTERS = 17 };

enum eh_where {
    EH_SAME,   /**< nothing was done to it */
    EH_SAVED,  /**< at `offset` from the frame's address */
    EH_LOST,   /**< of the return address: there is no caller */
    EH_COMPLEX /**< by a rule that is not followed here */
};

/** How to find the caller of the function that runs at a place. */
struct eh_rules {
    bool
        layout; /**< of a runtime's layout (frame_rules.h), which is not trusted: where it leads is checked */
    uint8_t base;   /**< register of the frame's address; EH_PC: not known */
    int64_t offset; /**< which is added to it */
    struct {
        enum eh_where where;
        int64_t offset;
    } of[EH_REGISTERS];
};

/** The description (FDE) of the code at ADDR: its address, and where that code begins. False: there is
 *  none. */
bool eh_frame_find(insp_session *s, uint64_t addr, uint64_t *fde, uint64_t *start) INSP_WARN_UNUSED;
/** The rules for code at ADDR. False: there are none, or they are of a sort that is not known. */
bool eh_frame_rules(insp_session *s, uint64_t addr, struct eh_rules *ret) INSP_WARN_UNUSED;

#ifdef __cplusplus
}
#endif
#endif
