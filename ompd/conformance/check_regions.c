/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Parallel regions: chains outwards, members, order. OpenMP 6.0 section 41.5.
 */
#include <stdlib.h>
#include <string.h>

#include "conf.h"

static void rel_parallel(ompd_parallel_handle_t *handle)
{
    check_rc(CALL(ompd_rel_parallel_handle, handle), ompd_rc_ok, "ompd_rel_parallel_handle");
}

static bool same_region(ompd_parallel_handle_t *one, ompd_parallel_handle_t *two)
{
    int order = 99, back = 99;
    check_rc(CALL(ompd_parallel_handle_compare, one, two, &order), ompd_rc_ok,
             "ompd_parallel_handle_compare");
    check_rc(CALL(ompd_parallel_handle_compare, two, one, &back), ompd_rc_ok, "ompd_parallel_handle_compare");
    check((order < 0) == (back > 0) && (order == 0) == (back == 0), "regions compare as %d and %d", order,
          back);
    return order == 0;
}

/** Member NUM of a region: its thread, and its implicit task, which belongs to the region. */
static void check_member(const struct scene *scene, ompd_parallel_handle_t *region, int num, int64_t tid)
{
    ompd_thread_handle_t *thread = NULL;
    ompd_task_handle_t *task = NULL;
    ompd_parallel_handle_t *home = NULL;
    int64_t value;
    if (check_rc(CALL(ompd_get_thread_in_parallel, region, num, &thread), ompd_rc_ok,
                 "ompd_get_thread_in_parallel")) {
        int32_t lwp = 0;
        if (tid && HAS(ompd_get_thread_id)) {
            check_rc(CALL(ompd_get_thread_id, thread, OMPD_THREAD_ID_LWP, sizeof lwp, &lwp), ompd_rc_ok,
                     "ompd_get_thread_id");
            check(lwp == tid, "member %d is thread %d, truth %ld", num, lwp, (long)tid);
        }
        check_rc(CALL(ompd_rel_thread_handle, thread), ompd_rc_ok, "ompd_rel_thread_handle");
    }
    if (!HAS(ompd_get_task_in_parallel) || !check_rc(CALL(ompd_get_task_in_parallel, region, num, &task),
                                                     ompd_rc_ok, "ompd_get_task_in_parallel"))
        return;
    if (check_rc(CALL(ompd_get_task_parallel_handle, task, &home), ompd_rc_ok,
                 "ompd_get_task_parallel_handle")) {
        check(same_region(home, region), "an implicit task belongs to another region");
        rel_parallel(home);
    }
    if (icv_by_name(scene, "thread-num-var", NULL, task, NULL, &value))
        check(value == num, "implicit task %d has thread-num-var %ld", num, (long)value);
    check_rc(CALL(ompd_rel_task_handle, task), ompd_rc_ok, "ompd_rel_task_handle");
}

static void check_outside(ompd_parallel_handle_t *region, int size)
{
    ompd_thread_handle_t *thread = NULL;
    ompd_task_handle_t *task = NULL;
    const int wrong[] = {-1, size, size + 1000000};
    for (int i = 0; i < 3; i++) {
        check_rc(CALL(ompd_get_thread_in_parallel, region, wrong[i], &thread), ompd_rc_bad_input,
                 "ompd_get_thread_in_parallel outside the team");
        if (HAS(ompd_get_task_in_parallel))
            check_rc(CALL(ompd_get_task_in_parallel, region, wrong[i], &task), ompd_rc_bad_input,
                     "ompd_get_task_in_parallel outside the team");
    }
    check(!thread && !task, "a refused question changed its output");
}

/** The truth's region at LEVEL around a thread; NULL: it is not listed. */
static const struct truth_region *region_at(const struct truth *truth, const struct truth_thread *thread,
                                            int level)
{
    const int num = thread->ancestors[level][0];
    for (int i = 0; i < truth->region_count; i++) {
        const struct truth_region *region = &truth->regions[i];
        if (region->level == level && i == thread->region)
            return region;
        /* An outer one: our place in it is a member's, as seen by whoever went in from there. */
        if (region->level == level && level < thread->level && num < region->member_count &&
            region->members[num] == thread->tid)
            return region;
    }
    return NULL;
}

static void check_arrivals(const struct truth_thread *thread, ompd_parallel_handle_t *region)
{
    int *arrived = NULL, count = -1;
    if (!HAS(ompdx_get_barrier_arrivals) || !thread->wait_kind || strcmp(thread->wait_kind, "barrier") != 0 ||
        !check_rc(CALL(ompdx_get_barrier_arrivals, region, &arrived, &count), ompd_rc_ok,
                  "ompdx_get_barrier_arrivals"))
        return;
    check(count == thread->arrived_count, "%d have arrived, truth %d", count, thread->arrived_count);
    for (int i = 0; i < count && i < thread->arrived_count; i++)
        check(arrived[i] == thread->arrived[i], "%d has arrived, truth %ld", arrived[i],
              (long)thread->arrived[i]);
    if (arrived)
        give_back(arrived);
}

/** From the innermost region to the initial one. */
static void check_chain(const struct scene *scene, const struct truth_thread *thread,
                        ompd_parallel_handle_t *region)
{
    int64_t value;
    for (int level = thread->level;; level--) {
        if (icv_by_name(scene, "team-size-var", region, NULL, NULL, &value))
            check(value == thread->ancestors[level][1], "a team at level %d has %ld threads, truth %d", level,
                  (long)value, thread->ancestors[level][1]);
        const struct truth_region *known = level > 0 ? region_at(scene->truth, thread, level) : NULL;
        for (int num = 0; known && num < known->member_count; num++)
            check_member(scene, region, num, known->members[num]);
        if (!known)
            check_member(scene, region, thread->ancestors[level][0], 0);
        check_outside(region, thread->ancestors[level][1]);
        if (HAS(ompdx_get_parallel_info)) {
            ompdx_parallel_info_t info = {.size = sizeof info};
            if (check_rc(CALL(ompdx_get_parallel_info, region, &info), ompd_rc_ok, "ompdx_get_parallel_info"))
                check(info.level == level && info.team_size == thread->ancestors[level][1],
                      "region of level %d and size %d, truth %d and %d", info.level, info.team_size, level,
                      thread->ancestors[level][1]);
        }
        ompd_parallel_handle_t *outer = NULL;
        const ompd_rc_t rc = CALL(ompd_get_enclosing_parallel_handle, region, &outer);
        check_rc(rc, level > 0 ? ompd_rc_ok : ompd_rc_unavailable, "ompd_get_enclosing_parallel_handle");
        if (rc == ompd_rc_ok)
            check(!same_region(region, outer), "a region encloses itself");
        rel_parallel(region);
        if (rc != ompd_rc_ok || level == 0) {
            if (rc == ompd_rc_ok)
                rel_parallel(outer);
            return;
        }
        region = outer;
    }
}

static void check_all(const struct scene *scene)
{
    ompd_parallel_handle_t **all = NULL;
    int count = -1, parallel = 0;
    if (!HAS(ompdx_get_all_parallels) || !HAS(ompdx_get_parallel_info) ||
        !check_rc(CALL(ompdx_get_all_parallels, scene->space, &all, &count), ompd_rc_ok,
                  "ompdx_get_all_parallels"))
        return;
    for (int i = 0; i < count; i++) {
        ompdx_parallel_info_t info = {.size = sizeof info};
        check_rc(CALL(ompdx_get_parallel_info, all[i], &info), ompd_rc_ok, "ompdx_get_parallel_info");
        parallel += info.kind == ompd_generator_parallel;
        if (i > 0)
            check(!same_region(all[i - 1], all[i]), "a region is listed twice");
    }
    check(parallel == scene->truth->region_count, "%d parallel regions, truth %d", parallel,
          scene->truth->region_count);
    for (int i = 0; i < count; i++)
        rel_parallel(all[i]);
    give_back(all);
}

void check_regions(const struct scene *scene)
{
    const struct truth *truth = scene->truth;
    for (int i = 0; i < truth->thread_count; i++) {
        const struct truth_thread *thread = &truth->threads[i];
        ompd_parallel_handle_t *region = NULL;
        ompd_thread_handle_t *handle = thread_of(scene, thread);
        if (!handle)
            continue;
        const ompd_rc_t rc = CALL(ompd_get_curr_parallel_handle, handle, &region);
        check_rc(rc, thread->idle ? ompd_rc_unavailable : ompd_rc_ok, "ompd_get_curr_parallel_handle");
        if (rc == ompd_rc_ok && thread->idle) {
            rel_parallel(region);
        } else if (rc == ompd_rc_ok) {
            check_arrivals(thread, region);
            /* The team of 256 is looked at whole by its first three members. */
            if (i < 3 || truth->thread_count < 64)
                check_chain(scene, thread, region);
            else
                rel_parallel(region);
        }
        check_rc(CALL(ompd_rel_thread_handle, handle), ompd_rc_ok, "ompd_rel_thread_handle");
    }
    check_all(scene);
}
