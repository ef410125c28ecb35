/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libomp: whose turn it is in an ordered loop. All threads that wait in one wait for the member that has the
 * iteration whose turn it is.
 */
#include "runtimes/kmp/kmp_turns.h"

#include <string.h>

#include "runtimes/kmp/kmp_loop_records.h"

static const char no_member[] = "no member of the team has the iteration whose turn it is";

/** The turns that were looked for: one ordered loop a team, mostly. */
struct turn {
    uint64_t shared; /**< address of the loop's record, 0 none */
    int32_t owner;   /**< index of a thread, WORLD_NONE */
};

/** Who has the iteration whose turn it is in the loop that MINE is of. */
static ompd_rc_t find_owner(struct kmp *kmp, const struct world_team *team, const struct kmp_loop *mine,
                            int32_t *ret)
{
    *ret = WORLD_NONE;
    for (int32_t i = 0; i < team->size && *ret == WORLD_NONE; i++) {
        struct kmp_loop loop;
        if (team->tasks[i] == WORLD_NONE || team->members[i] == WORLD_NONE)
            continue;
        ompd_rc_t rc = kmp_read_loop(kmp, &kmp->world->tasks[team->tasks[i]], &loop);
        if (rc == ompd_rc_nomem)
            return rc;
        if (rc == ompd_rc_ok && loop.record != 0 && loop.shared == mine->shared && loop.ordered != 0 &&
            loop.lower <= mine->turn && mine->turn <= loop.upper && loop.upper < loop.trip)
            *ret = team->members[i];
    }
    return ompd_rc_ok;
}

static ompd_rc_t name_turn(struct kmp *kmp, struct world_thread *row, struct turn *turns)
{
    const struct world_team *team = &kmp->world->teams[row->team];
    struct turn *turn = &turns[row->team];
    struct kmp_loop loop;
    const int32_t task =
        row->thread_num >= 0 && row->thread_num < team->size ? team->tasks[row->thread_num] : WORLD_NONE;
    if (task == WORLD_NONE)
        return ompd_rc_ok;
    ompd_rc_t rc = kmp_read_loop(kmp, &kmp->world->tasks[task], &loop);
    if (rc != ompd_rc_ok || loop.record == 0 || loop.ordered == 0)
        return rc == ompd_rc_nomem ? rc : ompd_rc_ok; /* it is not known, as the row says */
    /* A turn that has gone by is no iteration of this loop's any more: the record is of the next one. */
    row->wait_flags = loop.turn < loop.lower ? OMPDX_WAIT_LASTS : OMPDX_WAIT_OVER;
    if (turn->shared != loop.shared) {
        turn->shared = loop.shared;
        TRY(find_owner(kmp, team, &loop, &turn->owner));
    }
    row->unknown[ompdx_fact_owner] = turn->owner == WORLD_NONE ? no_member : NULL;
    if (turn->owner == WORLD_NONE)
        return ompd_rc_ok;
    const bool own = &kmp->world->threads[turn->owner] == row;
    row->owner_kind = own ? ompdx_owner_none : ompdx_owner_thread;
    row->owner = own ? WORLD_NONE : turn->owner;
    return ompd_rc_ok;
}

ompd_rc_t kmp_name_turns(struct kmp *kmp)
{
    struct world *world = kmp->world;
    struct turn *turns = NULL;
    for (int32_t i = 0; i < world->thread_count; i++) {
        struct world_thread *row = &world->threads[i];
        if (row->wait_kind != ompdx_wait_ordered || row->team == WORLD_NONE || row->wait_call == NULL ||
            strstr(row->wait_call, "doacross") != NULL)
            continue;
        if (turns == NULL) {
            TRY(brk_alloc(&kmp->aspace->brk, (size_t)world->team_count * sizeof *turns, &turns));
            memset(turns, 0, (size_t)world->team_count * sizeof *turns);
        }
        TRY(name_turn(kmp, row, turns));
    }
    return ompd_rc_ok;
}
