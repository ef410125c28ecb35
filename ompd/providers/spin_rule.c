/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/spin_rule.h"

#include <string.h>

/** Those that a loop may compare with, in the order of ompdx_register_t. */
static const char *const names[] = {"r15", "r14", "r13", "r12", "rbp", "rbx", "r11", "r10",
                                    "r9",  "r8",  "rax", "rcx", "rdx", "rsi", "rdi"};
_Static_assert(ompdx_reg_rdi + 1 == sizeof names / sizeof names[0], "the order of ompdx_register_t");

static bool is_register(const char *text, ompdx_register_t *ret)
{
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(text, names[i]) == 0) {
            *ret = (ompdx_register_t)i;
            return true;
        }
    return false;
}

/** "0x80000000": at most eight digits, the first one not 0 where there are others. */
static bool is_number(const char *text, uint32_t *ret)
{
    uint32_t number = 0;
    const size_t length = strnlen(text, 11);
    if (length < 3 || length > 10 || text[0] != '0' || text[1] != 'x' || (text[2] == '0' && length > 3))
        return false;
    for (size_t i = 2; i < length; i++) {
        if (text[i] >= '0' && text[i] <= '9')
            number = number << 4 | (uint32_t)(text[i] - '0');
        else if (text[i] >= 'a' && text[i] <= 'f')
            number = number << 4 | (uint32_t)(text[i] - 'a' + 10);
        else
            return false;
    }
    *ret = number;
    return true;
}

bool spin_rule_parse(const char *text, struct spin_rule *ret)
{
    struct spin_rule rule = {.reg = ompdx_registers};
    if (text == NULL)
        return false;
    rule.greater = strncmp(text, "<=", 2) == 0;
    if (!is_register(text + (rule.greater ? 2 : 0), &rule.reg) &&
        (rule.greater || !is_number(text, &rule.number)))
        return false;
    *ret = rule;
    return true;
}
