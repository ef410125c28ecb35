/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/snapshot/snap_regions.h"

#include <stdlib.h>
#include <string.h>

#include "inspect/snapshot/snap_bodies.h"
#include "inspect/snapshot/snap_entry.h"
#include "inspect/snapshot/snap_handles.h"
#include "inspect/snapshot/snap_icvs.h"
#include "inspect/snapshot/snap_index.h"
#include "inspect/snapshot/snap_threads.h"

/* All regions by the extension. */
static ompd_rc_t collect_all(struct snap_run *run)
{
    ompd_parallel_handle_t **all = NULL;
    int count = 0, bad = 0;
    ompd_rc_t rc;

    if (!run->lib->ompdx_get_all_parallels)
        return ompd_rc_unsupported;
    rc = run->lib->ompdx_get_all_parallels(run->context->aspace, &all, &count);
    if (rc != ompd_rc_ok && rc != ompd_rc_incomplete)
        return rc;
    for (int i = 0; i < count; i++)
        bad += handle_set_add(run, HANDLE_REGION, all[i]) < 0;
    free(all);
    return bad ? ompd_rc_error : rc; /* incomplete: what could be read is here */
}

/* The regions that threads are in, and those around them. */
static ompd_rc_t collect_chains(struct snap_run *run)
{
    ompd_rc_t worst = ompd_rc_ok;

    for (int i = 0; i < run->snap->thread_count; i++) {
        ompd_parallel_handle_t *handle = NULL;
        ompd_rc_t rc;

        if (!run->threads[i])
            continue;
        if (snap_step(run, "regions", i, run->snap->thread_count))
            break;
        rc = run->lib->ompd_get_curr_parallel_handle(run->threads[i], &handle);
        while (rc == ompd_rc_ok) {
            ompd_parallel_handle_t *outer = NULL;
            int added;

            /* Asked first: once in the set, the handle may be released as the second of its kind. */
            rc = run->lib->ompd_get_enclosing_parallel_handle(handle, &outer);
            added = handle_set_add(run, HANDLE_REGION, handle);
            /* A known region's chain is known too; this also ends a chain that bites its own tail. */
            if (added <= 0 && rc == ompd_rc_ok)
                run->lib->ompd_rel_parallel_handle(outer);
            if (added < 0)
                rc = ompd_rc_error;
            if (added <= 0)
                break;
            handle = outer;
        }
        if (rc != ompd_rc_ok && rc != ompd_rc_unavailable)
            worst = rc;
    }
    return worst;
}

void snap_collect_regions(struct snap_run *run)
{
    ompd_rc_t rc = collect_all(run);

    if (rc != ompd_rc_ok && rc != ompd_rc_unsupported)
        snap_problem(run, "not all regions are known", rc);
    if (rc != ompd_rc_ok) {
        rc = collect_chains(run);
        if (rc != ompd_rc_ok)
            snap_problem(run, "not all regions are known", rc);
    }
    handle_set_number(run, HANDLE_REGION);
}

static int or_none(int32_t n)
{
    return n < 0 ? -1 : n;
}

static enum mdl_region_kind region_kind(int64_t kind)
{
    /* ompd_generator_target is the implicit parallel region of a target construct. */
    return kind == ompd_generator_program ? MDL_REGION_INITIAL
           : kind == ompd_generator_teams ? MDL_REGION_TEAMS
                                          : MDL_REGION_PARALLEL;
}

/* What the library keeps to itself, under the names that the facts have in JSON. */
static void copy_reasons(struct snap_run *run, struct mdl_region *r, const ompdx_parallel_info_t *info)
{
    static const char *const fields[] = {
        [ompdx_parallel_fact_parent_task] = "parent_task",
        [ompdx_parallel_fact_team_num] = "team_num",
        [ompdx_parallel_fact_members] = "members",
    };

    for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
        if (info->unknown[i])
            mdl_unknown(run->snap, &r->unknown, &r->unknown_count, fields[i],
                        arena_str(&run->snap->arena, info->unknown[i]));
}

static ompd_rc_t fill_from_info(struct snap_run *run, struct mdl_region *r, ompd_parallel_handle_t *handle)
{
    ompdx_parallel_info_t info = {.size = sizeof(info)};
    ompd_rc_t rc = run->lib->ompdx_get_parallel_info(handle, &info);

    if (rc != ompd_rc_ok)
        return rc;
    r->kind = region_kind(info.kind);
    r->parent = info.parent;
    r->parent_task = info.parent_task;
    copy_reasons(run, r, &info);
    r->level = or_none(info.level);
    r->active_level = or_none(info.active_level);
    r->team_size = or_none(info.team_size);
    r->league_size = or_none(info.league_size);
    r->team_num = or_none(info.team_num);
    r->entry = info.function;
    r->codeptr = info.codeptr;
    construct_place(run->places, info.function, info.codeptr, info.source, &r->place);
    return rc;
}

static void fill_from_standard(struct snap_run *run, struct mdl_region *r, ompd_parallel_handle_t *handle)
{
    static const char reason[] = "this OMPD library does not provide it";
    struct icv_handles handles = {.region = handle};
    ompd_parallel_handle_t *outer = NULL;
    ompd_address_t entry = {0};
    int64_t n;

    if (run->lib->ompd_get_enclosing_parallel_handle(handle, &outer) == ompd_rc_ok)
        r->parent = handle_set_id(run, HANDLE_REGION, outer);
    if (run->lib->ompd_get_task_in_parallel &&
        run->lib->ompd_get_task_in_parallel(handle, 0, &handles.task) == ompd_rc_ok) {
        if (run->lib->ompd_get_task_function &&
            run->lib->ompd_get_task_function(handles.task, &entry) == ompd_rc_ok)
            r->entry = entry.address;
    } else {
        handles.task = NULL;
    }
    r->level = icv_number(run, "levels-var", &handles, &n) ? (int)n : -1;
    r->active_level = icv_number(run, "active-levels-var", &handles, &n) ? (int)n : -1;
    r->team_size = icv_number(run, "team-size-var", &handles, &n) ? (int)n : -1;
    if (icv_number(run, "team-generator-var", &handles, &n))
        r->kind = region_kind(n);
    else
        r->kind = r->parent || r->level > 0 ? MDL_REGION_PARALLEL : MDL_REGION_INITIAL;
    r->league_size = r->team_num = -1;
    if (handles.task)
        run->lib->ompd_rel_task_handle(handles.task);
    construct_place(run->places, r->entry, 0, 0, &r->place);
    if (!r->place.file)
        mdl_unknown(run->snap, &r->unknown, &r->unknown_count, "file", reason);
}

static void fill_members(struct snap_run *run, struct mdl_region *r, ompd_parallel_handle_t *handle)
{
    int size = r->team_size;

    if (size <= 0)
        return;
    if (size > SNAP_MAX_TEAM) {
        r->team_size = -1;
        mdl_unknown(run->snap, &r->unknown, &r->unknown_count, "team_size",
                    "the number in memory is impossible");
        return;
    }
    r->members = arena_alloc(&run->snap->arena, (size_t)size * sizeof(*r->members));
    if (!r->members)
        return;
    for (int i = 0; i < size; i++)
        r->members[i].thread_num = i;
    r->member_count = size;
    /* Threads whose innermost region this is are known already. */
    for (const struct snap_key *k = snap_key_first(&run->members, r->id, 0),
                               *end = run->members.key + run->members.count;
         k && k < end && k->major == r->id && k->minor < (uint64_t)size; k++)
        r->members[k->minor].lwp = run->snap->threads[k->row].lwp;
    for (int i = 0; i < size; i++) {
        ompd_thread_handle_t *thread = NULL;
        ompd_rc_t rc;

        if (r->members[i].lwp)
            continue;
        rc = run->lib->ompd_get_thread_in_parallel(handle, i, &thread);
        r->members[i].gone = rc == ompd_rc_unavailable;
        if (rc == ompd_rc_ok) {
            r->members[i].lwp = snap_handle_lwp(run, thread);
            r->members[i].gone = !r->members[i].lwp;
        } else {
            mdl_unknown(run->snap, &r->unknown, &r->unknown_count, "members", ompdlib_rc(rc));
            if (rc == ompd_rc_bad_input)
                break;
        }
    }
}

void snap_regions(struct snap_run *run)
{
    insp_snapshot *snap = run->snap;

    for (int i = 0; i < run->regions.count; i++) {
        struct mdl_region *rows =
            arena_grow(&snap->arena, snap->regions, (size_t)snap->region_count, sizeof(*rows));
        ompd_rc_t rc = ompd_rc_ok;

        if (!rows || snap_step(run, "regions", i, run->regions.count))
            return;
        snap->regions = rows;
        rows += snap->region_count;
        *rows = (struct mdl_region){.id = run->regions.id[i], .runtime = run->id, .team_size = -1};
        if (run->region_ext)
            rc = fill_from_info(run, rows, run->regions.handle[i]);
        else
            fill_from_standard(run, rows, run->regions.handle[i]);
        if (rc != ompd_rc_ok) {
            snap_problem(run, "not all regions are known", rc);
            continue;
        }
        snap->region_count++;
        fill_members(run, rows, run->regions.handle[i]);
    }
    for (int i = 0; run->ids_of_stop && i < snap->region_count; i++) {
        struct mdl_region *r = &snap->regions[i];

        if (r->runtime == run->id && !r->entry && r->kind == MDL_REGION_PARALLEL)
            snap_entry(run, r);
    }
    snap_construct_functions(run);
}
