/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/target/mapped.h"

#include <stdlib.h>

#include "inspect/target/discover.h"

static int by_base(const void *a, const void *b)
{
    const struct insp_module_base *x = a, *y = b;

    return x->base < y->base ? -1 : x->base > y->base;
}

static bool sort_modules(insp_session *s)
{
    struct insp_module_base *list;
    int count = 0;

    if (s->by_base_scan == s->scan)
        return true;
    list = realloc(s->by_base, ((size_t)s->module_count + 1) * sizeof(*list));
    if (!list)
        return false;
    for (int i = 0; i < s->module_count; i++)
        if (s->modules[i].seen == s->scan)
            list[count++] = (struct insp_module_base){s->modules[i].base, i};
    qsort(list, (size_t)count, sizeof(*list), by_base);
    s->by_base = list;
    s->by_base_count = count;
    s->by_base_scan = s->scan;
    return true;
}

struct insp_known_module *mapped_at(insp_session *s, uint64_t addr)
{
    int low = 0, high = sort_modules(s) ? s->by_base_count : 0;
    struct insp_known_module *m;

    while (low < high) {
        int mid = low + (high - low) / 2;

        if (s->by_base[mid].base <= addr)
            low = mid + 1;
        else
            high = mid;
    }
    if (!low)
        return NULL;
    m = &s->modules[s->by_base[low - 1].index];
    discover_look(s, m);
    return addr < m->end ? m : NULL;
}
