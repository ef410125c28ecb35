/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Which general registers an instruction may change. In doubt it changes them.
 */
#ifndef X86_WRITES_H
#define X86_WRITES_H

#include "machine/x86_64/x86.h"

/** Of a decoded instruction but for `writes`. REX_B: 8 or 0, extends the register in the opcode. VVVV: the
 * third operand of VEX. */
uint16_t x86_writes(const struct x86_instruction *i, uint8_t rex_b, uint8_t vvvv);

#endif
