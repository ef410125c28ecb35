/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libomp: the records of teams, from those of the threads outward to the roots.
 */
#include "runtimes/kmp/kmp.h"

#include <string.h>

static const struct kmp_bar_ids team_bar = {LAY_F_kmp_team_bar, LAY_S_kmp_balign_team,
                                            LAY_F_kmp_balign_team_arrived};

int32_t kmp_team_at(const struct kmp *kmp, uint64_t address)
{
    uint64_t value;
    return address != 0 && index_get(&kmp->by_team, address, &value) ? (int32_t)value : WORLD_NONE;
}

static uint32_t team_bytes(const struct lay *lay)
{
    static const uint16_t fields[] = {LAY_F_kmp_team_parent,
                                      LAY_F_kmp_team_nproc,
                                      LAY_F_kmp_team_master_tid,
                                      LAY_F_kmp_team_level,
                                      LAY_F_kmp_team_active_level,
                                      LAY_F_kmp_team_serialized,
                                      LAY_F_kmp_team_threads,
                                      LAY_F_kmp_team_pkfn,
                                      LAY_F_kmp_team_ident,
                                      LAY_F_kmp_team_argv,
                                      LAY_F_kmp_team_implicit_task_taskdata,
                                      LAY_F_kmp_team_cancel_request,
                                      0};
    const uint32_t span = kmp_span(lay, fields), bars = kmp_bars_end(lay, &team_bar);
    return bars > span ? bars : span;
}

static ompd_rc_t decode(const struct kmp *kmp, const uint8_t *record, uint32_t bytes, struct kmp_team *ret)
{
    TRY(kmp_number(kmp, record, LAY_F_kmp_team_parent, &ret->parent));
    TRY(kmp_number(kmp, record, LAY_F_kmp_team_nproc, &ret->nproc));
    TRY(kmp_number(kmp, record, LAY_F_kmp_team_master_tid, &ret->master_tid));
    TRY(kmp_number(kmp, record, LAY_F_kmp_team_level, &ret->level));
    TRY(kmp_number(kmp, record, LAY_F_kmp_team_active_level, &ret->active_level));
    TRY(kmp_number(kmp, record, LAY_F_kmp_team_serialized, &ret->serialized));
    TRY(kmp_number(kmp, record, LAY_F_kmp_team_threads, &ret->threads));
    TRY(kmp_number(kmp, record, LAY_F_kmp_team_pkfn, &ret->pkfn));
    TRY(kmp_number(kmp, record, LAY_F_kmp_team_ident, &ret->ident));
    TRY(kmp_number(kmp, record, LAY_F_kmp_team_argv, &ret->argv));
    TRY(kmp_number(kmp, record, LAY_F_kmp_team_implicit_task_taskdata, &ret->taskdata));
    TRY(kmp_number(kmp, record, LAY_F_kmp_team_cancel_request, &ret->cancelled));
    return kmp_bars(kmp, record, bytes, &team_bar, ret->arrived);
}

/** The array of its members. A team whose size makes no sense has none. */
static ompd_rc_t read_members(struct kmp *kmp, struct kmp_team *team)
{
    aspace_t *aspace = kmp->aspace;
    uint64_t *member = NULL;
    if (team->nproc == 0 || team->nproc > KMP_THREADS_MAX || team->threads == 0)
        return ompd_rc_ok;
    TRY(brk_alloc(&aspace->brk, team->nproc * sizeof *member, &member));
    for (uint64_t i = 0; i < team->nproc; i++) {
        ompd_rc_t rc = pages_number(aspace, &kmp->world->pages, team->threads + i * sizeof(uint64_t),
                                    sizeof(uint64_t), &member[i]);
        if (rc == ompd_rc_nomem)
            return rc;
        if (rc != ompd_rc_ok) {
            kmp->world->incomplete = true;
            return ompd_rc_ok;
        }
    }
    team->member = member;
    team->primary = kmp_thread_at(kmp, member[0]);
    return ompd_rc_ok;
}

static ompd_rc_t grow(struct kmp *kmp)
{
    const int32_t room = kmp->team_room != 0 ? 2 * kmp->team_room : 64;
    struct kmp_team *larger = NULL;
    TRY(brk_alloc(&kmp->aspace->brk, (uint64_t)room * sizeof *larger, &larger));
    if (kmp->team_count != 0)
        memcpy(larger, kmp->teams, (size_t)kmp->team_count * sizeof *larger);
    kmp->teams = larger;
    kmp->team_room = room;
    return ompd_rc_ok;
}

static ompd_rc_t add_team(struct kmp *kmp, uint64_t address)
{
    const uint32_t bytes = team_bytes(&kmp->aspace->lay);
    uint8_t record[KMP_RECORD_MAX];
    struct kmp_team team = {.address = address,
                            .parent_at = WORLD_NONE,
                            .primary = WORLD_NONE,
                            .row = WORLD_NONE,
                            .outermost = WORLD_NONE};
    if (kmp->team_count >= KMP_TEAMS_MAX)
        return ompd_rc_ok;
    if (kmp->team_count == kmp->team_room)
        TRY(grow(kmp));
    ompd_rc_t rc = kmp_record(kmp, address, bytes, record);
    if (rc == ompd_rc_nomem)
        return rc;
    if (rc != ompd_rc_ok) {
        kmp->world->incomplete = true;
        return ompd_rc_ok;
    }
    TRY(decode(kmp, record, bytes, &team));
    TRY(read_members(kmp, &team));
    kmp->teams[kmp->team_count++] = team;
    return ompd_rc_ok;
}

static ompd_rc_t index_teams(struct kmp *kmp)
{
    const size_t count = (size_t)kmp->team_count;
    TRY(brk_alloc(&kmp->aspace->brk, (count + 1) * sizeof(struct index_row), &kmp->by_team.rows));
    for (size_t i = 0; i < count; i++)
        kmp->by_team.rows[i] = (struct index_row){kmp->teams[i].address, i};
    kmp->by_team.count = count;
    index_sort(&kmp->by_team);
    return ompd_rc_ok;
}

/** Reads the teams at the addresses in WANTED that are not known yet. */
static ompd_rc_t add_teams(struct kmp *kmp, struct index *wanted)
{
    uint64_t last = 0;
    index_sort(wanted);
    for (size_t i = 0; i < wanted->count; i++) {
        const uint64_t address = wanted->rows[i].key;
        if (address == 0 || address == last || kmp_team_at(kmp, address) != WORLD_NONE)
            continue;
        TRY(add_team(kmp, address));
        last = address;
    }
    return index_teams(kmp);
}

/** Is the primary thread of TEAM in it now, or in a team inside it? */
static bool is_open(const struct kmp *kmp, const struct kmp_team *team)
{
    if (team->primary == WORLD_NONE)
        return false;
    int32_t at = kmp->threads[team->primary].team_at;
    for (int depth = 0; at != WORLD_NONE && depth < KMP_DEPTH_MAX; depth++) {
        if (&kmp->teams[at] == team)
            return true;
        if (kmp_missing(kmp, LAY_F_kmp_team_parent) !=
            NULL) /* it may be one inside, unless it is the outermost */
            return !lay_has(&kmp->aspace->lay, LAY_F_kmp_team_level) || kmp->teams[at].level != 0;
        at = kmp->teams[at].parent_at;
    }
    return false;
}

static void connect(struct kmp *kmp)
{
    for (int32_t i = 0; i < kmp->team_count; i++)
        kmp->teams[i].parent_at = kmp_team_at(kmp, kmp->teams[i].parent);
    for (int32_t i = 0; i < kmp->thread_count; i++)
        kmp->threads[i].team_at = kmp_team_at(kmp, kmp->threads[i].team);
    for (int32_t i = 0; i < kmp->team_count; i++)
        kmp->teams[i].open = is_open(kmp, &kmp->teams[i]);
}

ompd_rc_t kmp_read_teams(struct kmp *kmp)
{
    struct index wanted = {0};
    TRY(brk_alloc(&kmp->aspace->brk, ((size_t)kmp->thread_count + 1) * sizeof *wanted.rows, &wanted.rows));
    for (int32_t i = 0; i < kmp->thread_count; i++)
        wanted.rows[wanted.count++] = (struct index_row){kmp->threads[i].team, 0};
    for (int32_t done = 0, depth = 0; wanted.count != 0 && depth < KMP_DEPTH_MAX; depth++) {
        TRY(add_teams(kmp, &wanted));
        wanted.count = 0;
        TRY(brk_alloc(&kmp->aspace->brk, (size_t)(kmp->team_count - done + 1) * sizeof *wanted.rows,
                      &wanted.rows));
        for (; done < kmp->team_count; done++)
            if (kmp->teams[done].parent != 0)
                wanted.rows[wanted.count++] = (struct index_row){kmp->teams[done].parent, 0};
    }
    connect(kmp);
    return ompd_rc_ok;
}
