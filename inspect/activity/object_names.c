/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/activity/object_names.h"

#include <stdlib.h>

#include "inspect/activity/libc_call.h"
#include "inspect/names/names.h"

/* So many waiters of one object are asked for a variable that leads to it. */
enum { WAITERS = 4 };

/* Locks of malloc's and of the loader's are no objects of the program's. */
static bool has_name(const struct mdl_activity *a)
{
    switch (a->kind) {
    case MDL_ACTIVITY_MUTEX:
    case MDL_ACTIVITY_RWLOCK:
    case MDL_ACTIVITY_SPINLOCK:
    case MDL_ACTIVITY_CONDITION:
    case MDL_ACTIVITY_BARRIER:
    case MDL_ACTIVITY_SEMAPHORE:
    case MDL_ACTIVITY_ONCE:
    case MDL_ACTIVITY_ATOMIC:
    case MDL_ACTIVITY_FUTURE:
    case MDL_ACTIVITY_FUTEX:
        return a->object != 0;
    default:
        return false;
    }
}

static int by_object(const void *a, const void *b)
{
    const struct mdl_thread *x = *(const struct mdl_thread *const *)a,
                            *y = *(const struct mdl_thread *const *)b;

    if (x->activity.object != y->activity.object)
        return x->activity.object < y->activity.object ? -1 : 1;
    return x->lwp < y->lwp ? -1 : x->lwp > y->lwp;
}

static void add_viewer(struct insp_viewer viewers[], uint32_t *count, int64_t lwp, uint64_t pc)
{
    for (uint32_t i = 0; i < *count; i++)
        if (viewers[i].lwp == lwp)
            return;
    viewers[(*count)++] = (struct insp_viewer){lwp, pc};
}

/* Those who wait, the lowest numbers first, then who holds it. */
static const char *name_of(insp_snapshot *snap, struct places *places, struct mdl_thread **waiters, int count)
{
    struct insp_viewer viewers[WAITERS + 1];
    const struct mdl_activity *a = &waiters[0]->activity;
    const struct mdl_thread *owner;
    uint32_t viewer_count = 0;

    for (int i = 0; i < count && i < WAITERS; i++) {
        int user = frame_of_user(waiters[i], 0);

        add_viewer(viewers, &viewer_count, waiters[i]->lwp, user > 0 ? waiters[i]->frames[user].pc : 0);
    }
    owner = a->owner == MDL_OWNER_THREAD ? mdl_thread_by_lwp(snap, a->owner_lwp) : NULL;
    if (owner && !owner->running)
        add_viewer(viewers, &viewer_count, owner->lwp, 0);
    return names_object(places, "sync", a->object, viewers, viewer_count);
}

void object_names(insp_snapshot *snap, struct places *places)
{
    struct mdl_thread **list = arena_alloc(&snap->arena, ((size_t)snap->thread_count + 1) * sizeof(*list));
    int count = 0, next;

    for (int i = 0; list && i < snap->thread_count; i++)
        if (has_name(&snap->threads[i].activity) && !snap->threads[i].running)
            list[count++] = &snap->threads[i];
    if (!count)
        return;
    qsort(list, (size_t)count, sizeof(*list), by_object);
    for (int i = 0; i < count; i = next) {
        const char *name;

        for (next = i + 1; next < count && list[next]->activity.object == list[i]->activity.object;)
            next++;
        name = name_of(snap, places, list + i, next - i);
        for (int k = i; k < next; k++)
            list[k]->activity.name = name;
    }
}
