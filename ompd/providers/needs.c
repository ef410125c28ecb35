/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/needs.h"

/** Abilities that a need may have. */
enum {
    NEED_TASKS = 1 << ompdx_ability_tasks,
    NEED_DEPENDENCES = 1 << ompdx_ability_dependences,
    NEED_ARRIVALS = 1 << ompdx_ability_arrivals,
    NEED_ICVS = 1 << ompdx_ability_icvs
};

#define NEED(id, abilities, fact, cost) {id, abilities, fact, cost, fact " is not known"},
static const struct need gomp[] = {
#include "providers/gomp_needs.def"
};
static const struct need kmp[] = {
#include "providers/kmp_needs.def"
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
_Static_assert(COUNT(gomp) <= NEEDS_MAX && COUNT(kmp) <= NEEDS_MAX, "a layout may lack more than that");

static const struct need *needs_of(const struct lay *lay, size_t *count)
{
    *count = lay->names == &lay_gomp ? COUNT(gomp) : COUNT(kmp);
    return lay->names == &lay_gomp ? gomp : kmp;
}

const struct need *need_unmet(const struct lay *lay, const struct need *before)
{
    size_t count;
    const struct need *list = needs_of(lay, &count);
    for (const struct need *at = before != NULL ? before + 1 : list; at < list + count; at++)
        if (!lay_has(lay, at->id))
            return at;
    return NULL;
}

bool need_is_reason(const struct lay *lay, const char *why)
{
    const struct need *need = NULL;
    do
        need = need_unmet(lay, need);
    while (need != NULL && need->reason != why);
    return need != NULL;
}

const char *need_reason(const struct lay *lay, unsigned id)
{
    size_t count;
    const struct need *list = needs_of(lay, &count);
    for (size_t i = 0; i < count && !lay_has(lay, id); i++)
        if (list[i].id == id)
            return list[i].reason;
    return NULL;
}
