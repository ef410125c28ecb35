/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The numbers of ../layout.def, the contract with a debugger.
 */
#ifndef RT_CONTRACT_H
#define RT_CONTRACT_H

/** The numbers that layout.def gives as RT_CONST. */
enum {
#define RT_CONST(id, name, value, comment) name = (int)(value),
#define RT_STRUCT(id, tag, comment)
#define RT_FIELD(id, tag, member, comment)
#define RT_BITS(id, tag, member, name, mask, comment)
#define RT_VAR(id, variable, comment)
#include "../layout.def"
#undef RT_CONST
#undef RT_STRUCT
#undef RT_FIELD
#undef RT_BITS
#undef RT_VAR
};

#endif
