/* SPDX-License-Identifier: Apache-2.0 */
#include "ancestry.h"

#include <stdlib.h>

#include "processes.h"

/* While it is made: of each process its first child and its next sister, as index + 1; 0 none. */
struct links {
    uint32_t *child, *sister;
    uint32_t roots;
};

struct by_pid {
    pid_t pid;
    uint32_t index;
};

static int compare(const void *a, const void *b)
{
    const struct by_pid *x = a, *y = b;

    return x->pid < y->pid ? -1 : x->pid > y->pid;
}

static void link_all(const struct process_stat *all, size_t count, struct by_pid *sorted, struct links *l)
{
    for (size_t i = 0; i < count; i++)
        sorted[i] = (struct by_pid){all[i].pid, (uint32_t)i};
    qsort(sorted, count, sizeof(*sorted), compare);
    for (size_t i = count; i-- > 0;) {
        const struct by_pid key = {.pid = all[i].parent};
        const struct by_pid *parent = bsearch(&key, sorted, count, sizeof(*sorted), compare);
        uint32_t *head = parent ? &l->child[parent->index] : &l->roots;

        l->sister[i] = *head;
        *head = (uint32_t)i + 1;
    }
}

/* Depth first. PATH has room for all: who is on the way from a root to the place that comes next. */
static void set_places(struct links *l, uint32_t *path, struct ancestry *a)
{
    uint32_t next = l->roots;
    size_t depth = 0;

    while (next || depth) {
        if (next) {
            const uint32_t i = next - 1;

            a->place[i] = (uint32_t)a->count;
            a->order[a->count++] = i;
            path[depth++] = i;
            next = l->child[i];
        } else {
            const uint32_t done = path[--depth];

            a->end[a->place[done]] = (uint32_t)a->count;
            next = l->sister[done];
        }
    }
}

bool ancestry_make(const struct process_stat *all, size_t count, struct ancestry *ret)
{
    const size_t n = count ? count : 1;
    struct by_pid *sorted = calloc(n, sizeof(*sorted));
    uint32_t *path = calloc(n, sizeof(*path));
    struct links l = {.child = calloc(n, sizeof(*l.child)), .sister = calloc(n, sizeof(*l.sister))};
    struct ancestry a = {.order = calloc(n, sizeof(*a.order)),
                         .end = calloc(n, sizeof(*a.end)),
                         .place = calloc(n, sizeof(*a.place))};
    const bool good = sorted && path && l.child && l.sister && a.order && a.end && a.place;

    if (good) {
        for (size_t i = 0; i < count; i++)
            a.place[i] = ANCESTRY_NONE;
        link_all(all, count, sorted, &l);
        set_places(&l, path, &a);
        *ret = a;
    } else {
        ancestry_free(&a);
    }
    free(sorted);
    free(path);
    free(l.child);
    free(l.sister);
    return good;
}

void ancestry_free(struct ancestry *a)
{
    free(a->order);
    free(a->end);
    free(a->place);
    *a = (struct ancestry){0};
}
