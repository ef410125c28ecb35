/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * How long a loop waits, as a row has it (include/ompdx.h, ompdx_layout_spin).
 */
#ifndef OMPD_SPIN_RULE_H
#define OMPD_SPIN_RULE_H

#include <stdbool.h>

#include "target.h"

struct spin_rule {
    bool greater;         /**< until the word is greater, else until it is another one */
    ompdx_register_t reg; /**< than this register's value; ompdx_registers: than NUMBER */
    uint32_t number;
};

/** Reads "rdx", "0x2" or "<=rdx". false: it is no rule. */
WARN_UNUSED bool spin_rule_parse(const char *text, struct spin_rule *ret);

#endif
