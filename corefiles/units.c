/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The compilation unit at an address. libdwfl finds it by .debug_aranges, which clang does not write; the units' own
 * ranges are always there.
 */
#include "internal.h"

#include <stdlib.h>

struct range {
    Dwarf_Addr start, end; /**< as in the file */
    Dwarf_Off unit;
};

/** The ranges of one module, sorted by start. */
struct cf_units {
    Dwarf *dwarf;
    Dwarf_Addr bias;
    struct range *ranges;
    uint32_t count;
};

Dwarf *cf_module_dwarf(struct cf_target *t, struct cf_mod *m, Dwarf_Addr *bias)
{
    Dwarf *dwarf = cf_dwarf(m, bias);

    if (dwarf && t->options.no_memory)
        dwarf_new_oom_handler(dwarf, t->options.no_memory);
    return dwarf;
}

static int by_start(const void *a, const void *b)
{
    const struct range *x = a, *y = b;

    return x->start < y->start ? -1 : x->start > y->start;
}

static struct cf_units *units_of(struct cf_target *t, struct cf_mod *m)
{
    Dwarf_Die *cu = NULL;
    Dwarf_Addr bias;

    if (m->units || !m->dwfl)
        return m->units;
    m->units = calloc(1, sizeof(*m->units));
    if (!m->units)
        return NULL;
    m->units->dwarf = cf_module_dwarf(t, m, &m->units->bias);
    while (m->units->dwarf && (cu = dwfl_module_nextcu(m->dwfl, cu, &bias)) != NULL) {
        struct range range = {0, 0, dwarf_dieoffset(cu)};
        Dwarf_Addr base;
        ptrdiff_t at = 0;

        while ((at = dwarf_ranges(cu, at, &base, &range.start, &range.end)) > 0) {
            if (!cf_grow(&m->units->ranges, m->units->count, sizeof(*m->units->ranges)))
                break;
            m->units->ranges[m->units->count++] = range;
        }
    }
    if (m->units->count)
        qsort(m->units->ranges, m->units->count, sizeof(*m->units->ranges), by_start);
    return m->units;
}

void cf_units_free(struct cf_units *units)
{
    if (units)
        free(units->ranges);
    free(units);
}

int cf_unit_at(struct cf_target *t, uint64_t addr, Dwarf_Die *ret, Dwarf_Addr *bias)
{
    struct cf_mod *m = cf_dwfl(t) ? cf_module_at(t, addr) : NULL;
    struct cf_units *units = m ? units_of(t, m) : NULL;
    uint32_t low = 0, high = units ? units->count : 0;
    Dwarf_Addr at = units ? addr - units->bias : 0;

    while (low < high) {
        uint32_t mid = low + (high - low) / 2;

        if (units->ranges[mid].start <= at)
            low = mid + 1;
        else
            high = mid;
    }
    if (!low || at >= units->ranges[low - 1].end ||
        !dwarf_offdie(units->dwarf, units->ranges[low - 1].unit, ret))
        return 1;
    *bias = units->bias;
    return 0;
}
