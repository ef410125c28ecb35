/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the machine code of a runtime says: where it waits, and where it keeps what.
 */
#ifndef COREFILES_LAYOUT_CODE_H
#define COREFILES_LAYOUT_CODE_H

#include "corefiles/layout/image.h"
#include "machine/x86_64/x86.h"

struct ly_instruction {
    uint64_t pc;
    struct x86_instruction x86;
};

/** All instructions of a file, by address. */
struct ly_code {
    struct ly_instruction *list;
    size_t count;
};

/** 0, -1 without memory, or 1: it says that it has more code than any runtime. Bytes that are no
 *  instruction are passed over. */
int ly_decode(const struct ly_image *image, struct ly_code *ret) LY_WARN_UNUSED;
void ly_code_free(struct ly_code *code);
/** The first instruction that is not before ADDRESS. */
size_t ly_at(const struct ly_code *code, uint64_t address);

/** From and to of a loop around a pause, and the one register (enum x86_register) through which it looks. */
struct ly_spin {
    uint64_t start, end;
    uint8_t base;
    /** How long it goes on: as long as the word equals, or is not greater than, register WITH, or NUMBER if
     * that is X86_NONE. */
    enum { LY_SPIN_UNKNOWN, LY_SPIN_EQUAL, LY_SPIN_AT_MOST } how;
    uint8_t with;
    uint32_t number;
};

/** Returns how many there are, and as many as MAX in ret. */
size_t ly_spins(const struct ly_code *code, struct ly_spin *ret, size_t max);

/** The address of the variable that the NTH load (0, 1, ...) of FUNCTION takes relative to its own; loads of
 * BUT do not count. 0: there is none. */
uint64_t ly_address(const struct ly_code *code, const struct ly_function *function, unsigned nth,
                    uint64_t but);

#endif
