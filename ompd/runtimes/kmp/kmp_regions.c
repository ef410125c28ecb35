/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libomp: which regions its teams stand for, and where in them each thread is.
 *
 * One team of libomp may stand for several regions: parallel regions that run on one thread use the thread's
 * one "serial team" together, and the team of an initial thread of a teams region is also that of the
 * parallel region in it. Then the outer ones are rows of their own, named by the addresses behind the team's.
 */
#include "runtimes/kmp/kmp.h"

static const char no_team[] = "its team could not be read";
static const char not_member[] = "its record and that of its team contradict each other";
static const char bad_level[] =
    "the nesting levels of its team and of the one around it contradict each other";
static const char wrong_task[] = "its current task is not one of its team's";
static const char between[] = "it is on its way into a teams region";

void kmp_unknown_place(struct world_thread *row, const char *why)
{
    static const ompdx_thread_fact_t facts[] = {
        ompdx_fact_thread_num, ompdx_fact_team_size, ompdx_fact_level,      ompdx_fact_active_level,
        ompdx_fact_region,     ompdx_fact_task,      ompdx_fact_state,      ompdx_fact_wait_kind,
        ompdx_fact_wait_id,    ompdx_fact_owner,     ompdx_fact_wait_object};
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
        row->unknown[facts[i]] = why;
    row->thread_num = row->team_size = row->level = row->active_level = -1;
    row->team = row->task = WORLD_NONE;
    row->state = ompt_state_undefined;
}

/** How many regions an ordinary team stands for; 0: its numbers contradict those around it, or do not
 *  tell. */
static int32_t ordinary_regions(const struct kmp *kmp, const struct kmp_team *team,
                                const struct kmp_team *parent)
{
    const struct lay *lay = &kmp->aspace->lay;
    const uint64_t want = team->serialized != 0 ? team->serialized : 1;
    const bool is_counted = lay_has(lay, LAY_F_kmp_team_serialized) || team->nproc > 1;
    const uint64_t regions = lay_has(lay, LAY_F_kmp_team_level) ? team->level - parent->level
                             : is_counted                       ? want
                                                                : 0;
    if (regions == 0 || regions > KMP_DEPTH_MAX)
        return 0;
    if (lay_has(lay, LAY_F_kmp_team_serialized) && regions != want)
        return 0;
    return (int32_t)regions;
}

/** In a teams construct: TEAM is the league, or that of one of its initial threads, or both. */
static void classify_teams(struct kmp_team *team, const struct kmp_team *parent, uint64_t level)
{
    if (!parent->league && team->serialized < 2) {
        team->league = true;
        return;
    }
    const uint64_t inside = team->level - level;
    team->teams = true;
    team->regions = inside < KMP_DEPTH_MAX ? (int32_t)inside + 1 : 0;
}

/** Needs the team around it to be classified. */
static void classify(const struct kmp *kmp, struct kmp_team *team)
{
    const struct lay *lay = &kmp->aspace->lay;
    if (team->parent_at == WORLD_NONE) {
        const bool is_known = lay_has(lay, LAY_F_kmp_team_parent) || lay_has(lay, LAY_F_kmp_team_level);
        team->regions = is_known && team->parent == 0 && team->level == 0 ? 1 : 0;
        return;
    }
    const struct kmp_team *parent = &kmp->teams[team->parent_at];
    const struct kmp_thread *primary = &kmp->threads[team->primary];
    if (primary->teams_microtask != 0 && !lay_has(lay, LAY_F_kmp_team_level))
        team->regions = 0;
    else if (primary->teams_microtask != 0 && parent->level == primary->teams_level)
        classify_teams(team, parent, primary->teams_level);
    else
        team->regions = ordinary_regions(kmp, team, parent);
}

/** The outlined function of the innermost region of TEAM, 0 not known. */
static ompd_rc_t outlined(struct kmp *kmp, const struct kmp_team *team, uint64_t *ret)
{
    *ret = team->serialized == 0 ? team->pkfn : 0;
    if (!stock_inside(kmp->stock, *ret))
        return ompd_rc_ok;
    /* A region of gcc's: its function is the first argument of the runtime's own. */
    *ret = 0;
    if (team->argv == 0)
        return ompd_rc_ok;
    ompd_rc_t rc = pages_number(kmp->aspace, &kmp->world->pages, team->argv, sizeof(uint64_t), ret);
    if (rc != ompd_rc_ok || stock_inside(kmp->stock, *ret))
        *ret = 0;
    return rc == ompd_rc_nomem ? rc : ompd_rc_ok;
}

/* An ident_t of the runtime's own says nothing of the program. */
ompd_rc_t kmp_source(struct kmp *kmp, uint64_t ident, uint64_t *ret)
{
    uint64_t text;
    uint8_t first = 0;
    *ret = 0;
    if (ident == 0 || stock_inside(kmp->stock, ident))
        return ompd_rc_ok;
    ompd_rc_t rc = kmp_field(kmp, ident, LAY_F_ident_psource, &text);
    if (rc == ompd_rc_ok)
        rc = pages_read(kmp->aspace, &kmp->world->pages, text, 1, &first);
    if (rc == ompd_rc_ok && first == ';')
        *ret = text;
    return rc == ompd_rc_nomem ? rc : ompd_rc_ok;
}

/** The rows of the members of TEAM. */
static ompd_rc_t set_members(struct kmp *kmp, const struct kmp_team *team, struct world_team *row)
{
    TRY(world_alloc_indices(kmp->aspace, row->size, &row->members));
    TRY(world_alloc_indices(kmp->aspace, row->size, &row->tasks));
    if (team->member == NULL)
        return ompd_rc_ok;
    for (int32_t i = 0; i < row->size && (uint64_t)i < team->nproc; i++) {
        const int32_t at = kmp_thread_at(kmp, team->member[i]);
        row->members[i] = at != WORLD_NONE ? kmp->threads[at].row : WORLD_NONE;
    }
    return ompd_rc_ok;
}

/** The innermost region around TEAM, WORLD_NONE. */
static int32_t around(const struct kmp *kmp, const struct kmp_team *team)
{
    int32_t at = team->parent_at;
    for (int depth = 0; at != WORLD_NONE && depth < KMP_DEPTH_MAX; depth++) {
        if (kmp->teams[at].row != WORLD_NONE)
            return kmp->teams[at].row;
        at = kmp->teams[at].parent_at;
    }
    return WORLD_NONE;
}

/** What is the same for a region of a teams construct and all those in it. */
static void set_league(const struct kmp *kmp, const struct kmp_team *team, bool is_teams,
                       struct world_team *row)
{
    row->league_size = row->team_num = -1;
    if (row->parent != WORLD_NONE) {
        row->league_size = kmp->world->teams[row->parent].league_size;
        row->team_num = kmp->world->teams[row->parent].team_num;
    }
    if (!is_teams)
        return;
    const struct kmp_team *parent = &kmp->teams[team->parent_at];
    row->league_size = parent->league ? (int32_t)parent->nproc : 1;
    row->team_num = parent->league ? (int32_t)team->master_tid : 0;
    if (parent->league && kmp_missing(kmp, LAY_F_kmp_team_master_tid) != NULL)
        row->team_num = -1;
}

/** What the team's own numbers do not tell follows from the region around this one. */
static void set_levels(const struct kmp *kmp, const struct kmp_team *team, int32_t inner,
                       struct world_team *row)
{
    const struct lay *lay = &kmp->aspace->lay;
    const struct world_team *parent = row->parent != WORLD_NONE ? &kmp->world->teams[row->parent] : NULL;
    row->level = (int32_t)team->level - inner;
    row->active_level = (int32_t)team->active_level - (inner > 0 && team->nproc > 1 ? 1 : 0);
    if (!lay_has(lay, LAY_F_kmp_team_level))
        row->level = parent != NULL ? parent->level + 1 : 0;
    if (!lay_has(lay, LAY_F_kmp_team_active_level))
        row->active_level = parent != NULL ? parent->active_level + (row->size > 1 ? 1 : 0) : 0;
}

/** The row of region NUMBER, counted from the outermost one, of TEAM. */
static ompd_rc_t add_region(struct kmp *kmp, struct kmp_team *team, int32_t number)
{
    const int32_t inner = team->regions - 1 - number;
    const bool is_teams = team->teams && number == 0;
    struct world_team *row = world_add_team(kmp->aspace, kmp->world, team->address + (uint64_t)inner);
    if (row == NULL)
        return ompd_rc_nomem;
    const int32_t at = kmp->world->team_count - 1;
    row->kind = is_teams                        ? ompd_generator_teams
                : team->parent_at == WORLD_NONE ? ompd_generator_program
                                                : ompd_generator_parallel;
    row->parent = number == 0 ? around(kmp, team) : at - 1;
    row->size = inner == 0 && !is_teams ? (int32_t)team->nproc : 1;
    set_levels(kmp, team, inner, row);
    row->arrived_why = "libomp does not record who has arrived at this barrier";
    set_league(kmp, team, is_teams, row);
    if (row->league_size > 1)
        row->unknown[ompdx_parallel_fact_team_num] = kmp_missing(kmp, LAY_F_kmp_team_master_tid);
    if (inner == 0)
        TRY(outlined(kmp, team, &row->function));
    else if (is_teams)
        row->function = kmp->threads[team->primary].teams_microtask;
    if (team->regions == 1)
        TRY(kmp_source(kmp, team->ident, &row->source));
    if (inner == 0)
        team->row = at;
    if (number == 0)
        team->outermost = at;
    return set_members(kmp, team, row);
}

static int32_t depth_of(const struct kmp *kmp, const struct kmp_team *team)
{
    int32_t depth = 0;
    while (team->parent_at != WORLD_NONE && depth < KMP_DEPTH_MAX) {
        team = &kmp->teams[team->parent_at];
        depth++;
    }
    return depth;
}

/** Rows of all open teams, outer ones first. */
static ompd_rc_t add_regions(struct kmp *kmp)
{
    struct index order = {0};
    TRY(brk_alloc(&kmp->aspace->brk, ((size_t)kmp->team_count + 1) * sizeof *order.rows, &order.rows));
    for (int32_t i = 0; i < kmp->team_count; i++)
        if (kmp->teams[i].open)
            order.rows[order.count++] =
                (struct index_row){(uint64_t)depth_of(kmp, &kmp->teams[i]), (uint64_t)i};
    index_sort(&order);
    for (size_t i = 0; i < order.count; i++) {
        struct kmp_team *team = &kmp->teams[order.rows[i].value];
        if (order.rows[i].key >= KMP_DEPTH_MAX || team->member == NULL)
            continue; /* a ring, or no team */
        classify(kmp, team);
        for (int32_t number = 0; number < team->regions; number++)
            TRY(add_region(kmp, team, number));
    }
    return ompd_rc_ok;
}

/** Is the thread's task one of TEAM's? */
static ompd_rc_t has_task(struct kmp *kmp, const struct kmp_thread *thread, const struct kmp_team *team,
                          bool *ret)
{
    uint64_t address = 0;
    *ret = true;
    if (!lay_has(&kmp->aspace->lay, LAY_F_kmp_taskdata_team))
        return ompd_rc_ok;
    ompd_rc_t rc = kmp_field(kmp, thread->task, LAY_F_kmp_taskdata_team, &address);
    *ret = rc == ompd_rc_ok && address == team->address;
    return rc == ompd_rc_nomem ? rc : ompd_rc_ok;
}

/** Why a thread that is in a team is not where its records say; NULL: it is. */
static const char *contradiction(const struct kmp *kmp, const struct kmp_thread *thread,
                                 const struct kmp_team *team)
{
    const char *no_parent = kmp_missing(kmp, LAY_F_kmp_team_parent);
    const char *no_level = kmp_missing(kmp, LAY_F_kmp_team_level);
    if (team->member == NULL)
        return no_team;
    if (thread->tid >= team->nproc || team->member[thread->tid] != thread->address)
        return not_member;
    if (team->league)
        return between;
    return team->row != WORLD_NONE ? NULL
           : no_parent != NULL     ? no_parent
           : no_level != NULL      ? no_level
                                   : bad_level;
}

static bool has_helper_number(const struct kmp *kmp, const struct kmp_thread *thread)
{
    return thread->gtid != 0 && thread->gtid <= lay_constant(&kmp->aspace->lay, LAY_C_kmp_hidden_helpers);
}

/** Does TEAM run a function of the runtime's own? Only that of the helpers does. */
static ompd_rc_t runs_own(struct kmp *kmp, const struct kmp_team *team, bool *ret)
{
    uint64_t function = 0;
    *ret = !lay_has(&kmp->aspace->lay, LAY_F_kmp_team_pkfn);
    if (*ret || team->serialized != 0 || !stock_inside(kmp->stock, team->pkfn))
        return ompd_rc_ok;
    TRY(outlined(kmp, team, &function));
    *ret = function == 0;
    return ompd_rc_ok;
}

/**
 * Threads that libomp starts for target tasks have the first numbers. The environment may ask for fewer, or
 * for none, and libiomp5 has none: then these are threads of the program.
 */
static ompd_rc_t is_helper(struct kmp *kmp, const struct kmp_thread *thread, bool *ret)
{
    int32_t at = thread->team_at;
    *ret = false;
    if (!lay_has(&kmp->aspace->lay, LAY_C_kmp_hidden_helpers) || !has_helper_number(kmp, thread))
        return ompd_rc_ok;
    *ret = at == WORLD_NONE;
    for (int depth = 0; !*ret && at != WORLD_NONE && depth < KMP_DEPTH_MAX; depth++) {
        const struct kmp_team *team = &kmp->teams[at];
        if (team->primary != WORLD_NONE && has_helper_number(kmp, &kmp->threads[team->primary]))
            TRY(runs_own(kmp, team, ret));
        at = team->parent_at;
    }
    return ompd_rc_ok;
}

/** Is the helper THREAD in a task of `target nowait`? Else it waits for one. */
static ompd_rc_t has_target(struct kmp *kmp, const struct kmp_thread *thread, bool *ret)
{
    uint64_t is_explicit = 0;
    *ret = false;
    if (!thread->helper || thread->team == 0 || !lay_has(&kmp->aspace->lay, LAY_F_kmp_taskdata_tasktype))
        return ompd_rc_ok;
    ompd_rc_t rc = kmp_field(kmp, thread->task, LAY_F_kmp_taskdata_tasktype, &is_explicit);
    *ret = rc == ompd_rc_ok && is_explicit != 0;
    return rc == ompd_rc_nomem ? rc : ompd_rc_ok;
}

static ompd_rc_t place(struct kmp *kmp, struct kmp_thread *thread)
{
    bool fits = true, helps = false;
    struct world_thread *row = &kmp->world->threads[thread->row];
    const struct kmp_team *team = thread->team_at != WORLD_NONE ? &kmp->teams[thread->team_at] : NULL;
    TRY(is_helper(kmp, thread, &thread->helper));
    TRY(has_target(kmp, thread, &helps));
    row->kind = thread->helper ? ompt_thread_other : ompt_thread_worker;
    row->thread_num = row->team_size = row->level = row->active_level = -1;
    row->state = ompt_state_idle;
    row->idle = true;
    if (thread->team == 0 || (thread->helper && !helps) ||
        (team != NULL && team->primary != WORLD_NONE && !team->open))
        return ompd_rc_ok;
    row->idle = false;
    thread->contradiction = team == NULL ? no_team : contradiction(kmp, thread, team);
    if (thread->contradiction == NULL)
        TRY(has_task(kmp, thread, team, &fits));
    if (!fits)
        thread->contradiction = wrong_task;
    if (thread->contradiction != NULL) {
        kmp->world->incomplete |= need_is_reason(&kmp->aspace->lay, thread->contradiction);
        kmp_unknown_place(row, thread->contradiction);
        return ompd_rc_ok;
    }
    const struct world_team *region = &kmp->world->teams[team->row];
    row->team = team->row;
    row->thread_num = (int32_t)thread->tid;
    row->team_size = region->size;
    row->level = region->level;
    row->active_level = region->active_level;
    row->state = ompt_state_overhead;
    return ompd_rc_ok;
}

/** The thread that a root began with. */
static void name_initial(struct kmp *kmp, const struct kmp_thread *thread)
{
    int32_t at = thread->team_at;
    for (int depth = 0; at != WORLD_NONE && depth < KMP_DEPTH_MAX; depth++) {
        const struct kmp_team *team = &kmp->teams[at];
        if (team->parent == 0 && team->primary != WORLD_NONE && &kmp->threads[team->primary] == thread)
            kmp->world->threads[thread->row].kind = ompt_thread_initial;
        at = team->parent_at;
    }
}

ompd_rc_t kmp_place(struct kmp *kmp)
{
    for (int32_t i = 0; i < kmp->thread_count; i++) {
        struct kmp_thread *thread = &kmp->threads[i];
        struct world_thread *row = world_add_thread(kmp->aspace, kmp->world, thread->address);
        if (row == NULL)
            return ompd_rc_nomem;
        thread->row = kmp->world->thread_count - 1;
        row->pthread = thread->pthread;
        row->lwp = thread->native != NULL ? thread->native->lwp : 0;
        row->owner = WORLD_NONE;
    }
    TRY(add_regions(kmp));
    for (int32_t i = 0; i < kmp->thread_count; i++) {
        TRY(place(kmp, &kmp->threads[i]));
        if (!kmp->threads[i].helper)
            name_initial(kmp, &kmp->threads[i]);
    }
    return ompd_rc_ok;
}
