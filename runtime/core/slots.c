/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Slots of threads, teams and implicit tasks.
 */
#include <string.h>

#include "slab.h"
#include "slots.h"

struct rt_thread *rt_slot_thread(void)
{
    return rt_slot_shared(&rt_root.thread_slab, &rt_root.free_threads, RT_KIND_THREAD,
                          sizeof(struct rt_thread), 128, RT_LINE_THREAD);
}

struct rt_team *rt_slot_hot_team(void)
{
    struct rt_team *team = (struct rt_team *)rt_root.free_hot_teams;
    if (team == NULL) {
        team = rt_slot_team();
        team->next_hot = rt_root.hot_teams;
        rt_root.hot_teams = team;
        return team;
    }
    rt_root.free_hot_teams = ((struct rt_slot *)team)->next;
    struct rt_team kept = {.members = team->members,
                           .members_size = team->members_size,
                           .workshares = team->workshares,
                           .ring_threads = team->ring_threads,
                           .counters = team->counters,
                           .counters_room = team->counters_room,
                           .next_hot = team->next_hot};
    memcpy((void *)team, (const void *)&kept, offsetof(struct rt_team, bar_gen));
    rt_store(team->meets, 2 * (uint64_t)rt_load(team->bar_gen));
    rt_store(team->tasks_used, 0);
    rt_store(team->cancel, 0);
    return team;
}

struct rt_team *rt_slot_team(void)
{
    return rt_slot_shared(&rt_root.team_slab, &rt_root.free_teams, RT_KIND_TEAM, sizeof(struct rt_team), 32,
                          RT_LINE_TEAM);
}

void rt_slot_implicit_free(struct rt_task *task)
{
    struct rt_slot *slot = (struct rt_slot *)task;
    rt_store(slot->serial, 0);
    slot->next = rt_root.shared.free[RT_CLASS_TASK];
    rt_root.shared.free[RT_CLASS_TASK] = slot;
}

struct rt_task *rt_slot_implicit(void)
{
    struct rt_heap *heap = &rt_root.shared;
    struct rt_task *task = rt_slot_shared(&heap->carve[RT_CLASS_TASK], &heap->free[RT_CLASS_TASK],
                                          RT_KIND_TASK, RT_TASK_BYTES, 128, RT_LINE_IMPLICIT);
    task->heap = heap;
    task->class = RT_CLASS_TASK;
    return task;
}
