/* SPDX-License-Identifier: Apache-2.0 */
#include "runtimes/world/world.h"

#include <string.h>

/* ---- rows by their address ----------------------------------------------------------------------------- */

static uint64_t address_of(const void *memory, size_t bytes, int32_t index)
{
    uint64_t address; /* every row begins with it */
    memcpy(&address, (const char *)memory + (size_t)index * bytes, sizeof address);
    return address;
}

static uint32_t first_slot(const struct world_table *table, uint64_t address)
{
    return (uint32_t)(address * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (table->room - 1);
}

static int32_t find(const void *memory, size_t bytes, const struct world_table *table, uint64_t address)
{
    if (table->room == 0)
        return WORLD_NONE;
    for (uint32_t at = first_slot(table, address); table->slots[at] != WORLD_NONE;
         at = (at + 1) & (table->room - 1))
        if (address_of(memory, bytes, table->slots[at]) == address)
            return table->slots[at];
    return WORLD_NONE;
}

static void enter(struct world_table *table, uint64_t address, int32_t index)
{
    uint32_t at = first_slot(table, address);
    while (table->slots[at] != WORLD_NONE)
        at = (at + 1) & (table->room - 1);
    table->slots[at] = index;
}

/** Twice the room for rows, and four slots for each. POINTER is the address of the pointer to the rows. */
static ompd_rc_t grow(aspace_t *aspace, size_t bytes, int32_t count, int32_t *room, struct world_table *ret,
                      void *pointer)
{
    const int32_t twice = *room != 0 ? 2 * *room : 64;
    struct world_table table = {.room = 4 * (uint32_t)twice};
    void *larger = NULL, *memory;
    memcpy(&memory, pointer, sizeof memory);
    TRY(brk_alloc(&aspace->brk, (uint64_t)twice * bytes, &larger));
    TRY(brk_alloc(&aspace->brk, table.room * sizeof *table.slots, &table.slots));
    memset(table.slots, 0xff, table.room * sizeof *table.slots);
    if (count != 0)
        memcpy(larger, memory, (size_t)count * bytes);
    for (int32_t i = 0; i < count; i++)
        enter(&table, address_of(larger, bytes, i), i);
    memcpy(pointer, &larger, sizeof larger);
    *room = twice;
    *ret = table;
    return ompd_rc_ok;
}

/** Makes room for one more row and counts it. Codes: ok, nomem. */
static ompd_rc_t make_room(aspace_t *aspace, size_t bytes, int32_t *count, int32_t *room,
                           struct world_table *table, void *pointer, uint64_t address)
{
    if (*count >= WORLD_ROWS_MAX)
        return ompd_rc_nomem;
    if (*count == *room)
        TRY(grow(aspace, bytes, *count, room, table, pointer));
    enter(table, address, *count);
    ++*count;
    return ompd_rc_ok;
}

struct world_thread *world_add_thread(aspace_t *aspace, struct world *world, uint64_t address)
{
    if (make_room(aspace, sizeof *world->threads, &world->thread_count, &world->thread_room,
                  &world->thread_table, &world->threads, address) != ompd_rc_ok)
        return NULL;
    struct world_thread *row = &world->threads[world->thread_count - 1];
    *row = (struct world_thread){.address = address,
                                 .serial = 1,
                                 .team = WORLD_NONE,
                                 .task = WORLD_NONE,
                                 .thread_num = WORLD_NONE,
                                 .team_size = WORLD_NONE,
                                 .level = WORLD_NONE,
                                 .active_level = WORLD_NONE,
                                 .state = ompt_state_undefined,
                                 .wait_team = WORLD_NONE,
                                 .wait_task = WORLD_NONE,
                                 .owner = WORLD_NONE};
    return row;
}

struct world_team *world_add_team(aspace_t *aspace, struct world *world, uint64_t address)
{
    if (make_room(aspace, sizeof *world->teams, &world->team_count, &world->team_room, &world->team_table,
                  &world->teams, address) != ompd_rc_ok)
        return NULL;
    struct world_team *row = &world->teams[world->team_count - 1];
    *row = (struct world_team){.address = address,
                               .serial = 1,
                               .kind = ompd_generator_parallel,
                               .parent = WORLD_NONE,
                               .parent_task = WORLD_NONE,
                               .league_size = WORLD_NONE,
                               .team_num = WORLD_NONE};
    return row;
}

struct world_task *world_add_task(aspace_t *aspace, struct world *world, uint64_t address)
{
    if (make_room(aspace, sizeof *world->tasks, &world->task_count, &world->task_room, &world->task_table,
                  &world->tasks, address) != ompd_rc_ok)
        return NULL;
    struct world_task *row = &world->tasks[world->task_count - 1];
    *row = (struct world_task){.address = address,
                               .serial = 1,
                               .team = WORLD_NONE,
                               .generator = WORLD_NONE,
                               .scheduled_over = WORLD_NONE,
                               .thread = WORLD_NONE,
                               .thread_num = WORLD_NONE,
                               .creator_thread_num = WORLD_NONE,
                               .priority = WORLD_NONE};
    return row;
}

int32_t world_thread_at(const struct world *world, uint64_t address)
{
    return find(world->threads, sizeof *world->threads, &world->thread_table, address);
}

int32_t world_team_at(const struct world *world, uint64_t address)
{
    return find(world->teams, sizeof *world->teams, &world->team_table, address);
}

int32_t world_task_at(const struct world *world, uint64_t address)
{
    return find(world->tasks, sizeof *world->tasks, &world->task_table, address);
}

/* ---- the world ----------------------------------------------------------------------------------------- */

ompd_rc_t world_alloc_indices(aspace_t *aspace, int32_t count, int32_t **ret)
{
    int32_t *list = NULL;
    TRY(brk_alloc(&aspace->brk, ((uint64_t)count + 1) * sizeof *list, &list));
    for (int32_t i = 0; i < count; i++)
        list[i] = WORLD_NONE;
    *ret = list;
    return ompd_rc_ok;
}

ompd_rc_t world_get(aspace_t *aspace, struct world **ret)
{
    struct world *world = aspace->brk.world;
    if (world == NULL) {
        TRY(brk_alloc(&aspace->brk, sizeof *world, &world));
        memset(world, 0, sizeof *world);
        TRY(aspace->rt->family->build(aspace, world));
        aspace->brk.world = world;
    }
    *ret = world;
    return ompd_rc_ok;
}
