/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The memory through which pointers lead to an object in the heap, copied while the process stands still.
 * Which words these are is told by types, and to read those takes longer than to copy all that is likely.
 */
#include "corefiles/keep.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "machine/arch.h"
#include "corefiles/memory.h"
#include "corefiles/modules.h"
#include "corefiles/pages.h"
#include "corefiles/target.h"
#include "corefiles/threads.h"

/** KEEP_MAX: to copy so much takes some 15 ms (56 MB took 50). PIECE: one that cannot be read does not take
 *  more with it. AROUND: of a mapping that is too large, what lies around the object: what belongs to it was
 *  allocated with it. */
enum { KEEP_MAX = 16 << 20, PIECE = 1 << 20, AROUND = 8 << 20 };
/** The same for what is not OpenMP's: threads that wait in a pool are in every program, stopped or not. */
enum { WAIT_MAX = 2 << 20, WAIT_AROUND = 1 << 20 };

static bool has_stack(struct cf_target *t, const struct cf_map *map)
{
    return cf_stack_owner(t, map->end - 1, map->start) != NULL;
}

static bool allocated(struct cf_target *t, uint64_t addr)
{
    const struct cf_map *map = cf_map_at(t, addr);

    return map && !cf_module_at(t, addr) && !has_stack(t, map);
}

void cf_heap_note(struct cf_target *t, uint64_t addr)
{
    if (allocated(t, addr))
        t->heap_asked = addr;
}

void cf_wait_note(struct cf_target *t, uint64_t addr)
{
    if (!t->wait_asked && allocated(t, addr))
        t->wait_asked = addr;
}

/* Memory that the program writes and nobody else: variables and heaps. Stacks are kept in any case. */
static bool is_candidate(struct cf_target *t, const struct cf_map *map)
{
    bool heap = !*map->path || !strcmp(map->path, "[heap]") || !strncmp(map->path, "[anon", 5);

    return (map->flags & PF_W) && (map->flags & PF_R) && (heap || cf_module_at(t, map->start)) &&
           !has_stack(t, map);
}

static void keep(struct cf_target *t, uint64_t start, uint64_t end, uint64_t *left)
{
    for (uint64_t at = start; at < end && *left; at += PIECE) {
        uint64_t size = end - at < PIECE ? end - at : PIECE;

        if (size > *left || cf_pages_keep(t, at, size))
            return;
        *left -= size;
    }
}

static int by_size(const void *a, const void *b)
{
    const struct cf_map *x = *(const struct cf_map *const *)a, *y = *(const struct cf_map *const *)b;
    uint64_t left = x->end - x->start, right = y->end - y->start;

    return left < right ? -1 : left > right;
}

void cf_heap_keep(struct cf_target *t)
{
    const uint64_t asked = t->heap_asked ? t->heap_asked : t->wait_asked, page = asked - asked % CF_PAGE,
                   near = (t->heap_asked ? AROUND : WAIT_AROUND) / 2;
    const struct cf_map **list, *map = asked ? cf_map_at(t, asked) : NULL;
    uint64_t left = t->heap_asked ? KEEP_MAX : WAIT_MAX;
    uint32_t count = 0;

    if (!map || !t->stopped)
        return;
    keep(t, page - map->start > near ? page - near : map->start,
         map->end - page > near ? page + near : map->end, &left);
    list = calloc(t->map_count, sizeof(*list));
    for (uint32_t i = 0; list && i < t->map_count; i++)
        if (is_candidate(t, &t->maps[i]))
            list[count++] = &t->maps[i];
    if (count)
        qsort(list, count, sizeof(*list), by_size);
    for (uint32_t i = 0; i < count; i++)
        if (list[i]->end - list[i]->start <= left)
            keep(t, list[i]->start, list[i]->end, &left);
    free(list);
}
