/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/snapshot/snap_handles.h"

#include <stdlib.h>
#include <string.h>

/* More is a library that never comes to an end. */
enum { MAX_HANDLES = 1 << 22 };

static struct handle_set *set_of(struct snap_run *run, enum handle_sort sort)
{
    return sort == HANDLE_REGION ? &run->regions : &run->tasks;
}

static bool has_ids(const struct snap_run *run, enum handle_sort sort)
{
    return sort == HANDLE_REGION ? run->region_ext : run->task_ext;
}

static void release(struct snap_run *run, enum handle_sort sort, void *handle)
{
    if (sort == HANDLE_REGION)
        run->lib->ompd_rel_parallel_handle(handle);
    else
        run->lib->ompd_rel_task_handle(handle);
}

/* The library's id of the thing, 0 on failure. */
static uint64_t id_of(struct snap_run *run, enum handle_sort sort, void *handle)
{
    if (sort == HANDLE_REGION) {
        ompdx_parallel_info_t info = {.size = sizeof(info)};

        return run->lib->ompdx_get_parallel_info(handle, &info) == ompd_rc_ok ? info.id : 0;
    }
    ompdx_task_info_t info = {.size = sizeof(info)};

    return run->lib->ompdx_get_task_info(handle, &info) == ompd_rc_ok ? info.id : 0;
}

/* Place of (handle, id) in the set: *at is where it is or belongs. 1 found, 0 not, negative: not comparable.
   */
static int locate(struct snap_run *run, enum handle_sort sort, void *handle, uint64_t id, int *at)
{
    const struct handle_set *set = set_of(run, sort);
    int low = 0, high = set->count;

    while (low < high) {
        int mid = low + (high - low) / 2, order = 0;

        if (has_ids(run, sort)) {
            order = id < set->id[mid] ? -1 : id > set->id[mid];
        } else {
            ompd_rc_t rc = sort == HANDLE_REGION
                               ? run->lib->ompd_parallel_handle_compare(handle, set->handle[mid], &order)
                               : run->lib->ompd_task_handle_compare(handle, set->handle[mid], &order);
            if (rc != ompd_rc_ok)
                return -1;
        }
        if (order == 0) {
            *at = mid;
            return 1;
        }
        if (order < 0)
            high = mid;
        else
            low = mid + 1;
    }
    *at = low;
    return 0;
}

static bool make_room(struct handle_set *set)
{
    size_t n = (size_t)set->count;
    void **handles = set->count < MAX_HANDLES ? array_grow(set->handle, n, sizeof(*handles)) : NULL;
    uint64_t *ids = NULL;

    if (handles) {
        set->handle = handles;
        ids = array_grow(set->id, n, sizeof(*ids));
    }
    if (ids)
        set->id = ids;
    set->oom |= !ids;
    return ids;
}

int handle_set_add(struct snap_run *run, enum handle_sort sort, void *handle)
{
    struct handle_set *set = set_of(run, sort);
    uint64_t id = has_ids(run, sort) ? id_of(run, sort, handle) : 0;
    int at = 0, rc;

    rc = has_ids(run, sort) && !id ? -1 : locate(run, sort, handle, id, &at);
    if (rc == 0 && !make_room(set))
        rc = -1;
    if (rc != 0) {
        release(run, sort, handle);
        return rc > 0 ? 0 : rc;
    }
    memmove(set->handle + at + 1, set->handle + at, (size_t)(set->count - at) * sizeof(*set->handle));
    memmove(set->id + at + 1, set->id + at, (size_t)(set->count - at) * sizeof(*set->id));
    set->handle[at] = handle;
    set->id[at] = id;
    set->count++;
    return 1;
}

int handle_set_find(struct snap_run *run, enum handle_sort sort, void *handle)
{
    uint64_t id = has_ids(run, sort) ? id_of(run, sort, handle) : 0;
    int at = 0;

    if (has_ids(run, sort) && !id)
        return -1;
    return locate(run, sort, handle, id, &at) == 1 ? at : -1;
}

uint64_t handle_set_id(struct snap_run *run, enum handle_sort sort, void *handle)
{
    int at = handle ? handle_set_find(run, sort, handle) : -1;

    if (handle)
        release(run, sort, handle);
    return at < 0 ? 0 : set_of(run, sort)->id[at];
}

void handle_set_number(struct snap_run *run, enum handle_sort sort)
{
    struct handle_set *set = set_of(run, sort);

    for (int i = 0; !has_ids(run, sort) && i < set->count; i++)
        set->id[i] = (uint64_t)i + 1;
}

void handle_set_free(struct snap_run *run, enum handle_sort sort)
{
    struct handle_set *set = set_of(run, sort);

    for (int i = 0; i < set->count; i++)
        release(run, sort, set->handle[i]);
    free(set->handle);
    free(set->id);
    *set = (struct handle_set){0};
}
