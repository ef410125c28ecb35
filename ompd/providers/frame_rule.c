/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/frame_rule.h"

#include <string.h>

/** No frame of a runtime's function is larger. */
#define FRAME_MAX 65536

/** In the order of ompdx_frame_rule_t.saved. */
static const char *const kept[OMPDX_KEPT] = {"rbx", "rbp", "r12", "r13", "r14", "r15"};

/** A word of TEXT: NAME of three letters, SIGN, a number of bytes. Returns what is behind it, or NULL. */
static const char *word(const char *text, const char **name, char sign, int32_t *ret)
{
    int32_t number = 0;
    if (strnlen(text, 5) < 5 || text[3] != sign || text[4] == '0')
        return NULL;
    *name = text;
    for (text += 4; *text >= '0' && *text <= '9' && number <= FRAME_MAX; text++)
        number = 10 * number + (*text - '0');
    *ret = number;
    return number != 0 && number <= FRAME_MAX && number % 8 == 0 && (*text == '\0' || *text == ' ') ? text
                                                                                                    : NULL;
}

static bool is_named(const char *text, const char *name)
{
    return memcmp(text, name, 3) == 0;
}

bool frame_rule_parse(const char *text, ompdx_frame_rule_t *ret)
{
    ompdx_frame_rule_t rule = {0};
    const char *name;
    int32_t number;
    text = word(text, &name, '+', &rule.offset);
    if (text == NULL || (!is_named(name, "rsp") && !is_named(name, "rbp")))
        return false;
    rule.base = is_named(name, "rsp") ? ompdx_reg_rsp : ompdx_reg_rbp;
    while (*text == ' ') {
        unsigned at = 0;
        text = word(text + 1, &name, '-', &number);
        if (text == NULL || number < 16) /* the return address is there */
            return false;
        while (at < OMPDX_KEPT && !is_named(name, kept[at]))
            at++;
        if (at == OMPDX_KEPT || rule.saved[at] != 0)
            return false;
        rule.saved[at] = -number;
    }
    *ret = rule;
    return true;
}
