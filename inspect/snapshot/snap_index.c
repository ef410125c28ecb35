/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sorted lists of the threads: how many threads, regions and barriers there are is the target's choice, so
 * none of them is searched for each of the others.
 */
#include "inspect/snapshot/snap_index.h"

#include <stdlib.h>
#include <string.h>

static int by_keys(const void *a, const void *b)
{
    const struct snap_key *x = a, *y = b;

    if (x->major != y->major)
        return x->major < y->major ? -1 : 1;
    if (x->minor != y->minor)
        return x->minor < y->minor ? -1 : 1;
    return x->row - y->row;
}

const struct snap_key *snap_key_first(const struct snap_index *index, uint64_t major, uint64_t minor)
{
    int low = 0, high = index->count;

    while (low < high) {
        int mid = low + (high - low) / 2;
        const struct snap_key *k = &index->key[mid];

        if (k->major < major || (k->major == major && k->minor < minor))
            low = mid + 1;
        else
            high = mid;
    }
    return low < index->count && index->key[low].major == major ? &index->key[low] : NULL;
}

struct snap_key *snap_index_room(struct arena *a, struct snap_index *index, int rows)
{
    *index = (struct snap_index){.key = arena_alloc(a, ((size_t)rows + 1) * sizeof(*index->key))};
    return index->key;
}

void snap_index_sort(struct snap_index *index)
{
    if (index->key)
        qsort(index->key, (size_t)index->count, sizeof(*index->key), by_keys);
}

void snap_index_tids(insp_snapshot *snap)
{
    struct snap_index index;

    if (!snap_index_room(&snap->arena, &index, snap->thread_count))
        return;
    for (int i = 0; i < snap->thread_count; i++)
        if (snap->threads[i].target_tid)
            index.key[index.count++] =
                (struct snap_key){(uint64_t)snap->threads[i].target_tid, snap->threads[i].pthread != 0, i};
    snap_index_sort(&index);
    snap->by_tid = index;
}

void snap_index_members(struct snap_run *run)
{
    const insp_snapshot *snap = run->snap;
    struct snap_index index;

    if (!snap_index_room(&run->snap->arena, &index, snap->thread_count))
        return;
    for (int i = 0; i < snap->thread_count; i++) {
        const struct mdl_thread *t = &snap->threads[i];

        if (t->runtime == run->id && t->region && t->thread_num >= 0)
            index.key[index.count++] = (struct snap_key){t->region, (uint64_t)t->thread_num, i};
    }
    snap_index_sort(&index);
    run->members = index;
}

void snap_index_serials(struct snap_run *run, struct snap_index *ret)
{
    const insp_snapshot *snap = run->snap;

    if (!snap_index_room(&run->snap->arena, ret, snap->thread_count))
        return;
    for (int i = 0; i < snap->thread_count; i++)
        if (snap->threads[i].runtime == run->id)
            ret->key[ret->count++] = (struct snap_key){snap->threads[i].serial, 0, i};
    snap_index_sort(ret);
}

void snap_index_waits(insp_snapshot *snap, struct snap_index *ret)
{
    if (!snap_index_room(&snap->arena, ret, snap->thread_count))
        return;
    for (int i = 0; i < snap->thread_count; i++) {
        const struct mdl_wait *w = &snap->threads[i].wait;

        if (w->kind)
            ret->key[ret->count++] = (struct snap_key){w->id, w->kind, i};
    }
    snap_index_sort(ret);
}
