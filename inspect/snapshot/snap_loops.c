/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/snapshot/snap_loops.h"

_Static_assert((int)MDL_SCHEDULE_TASKLOOP == (int)ompdx_schedule_taskloop &&
                   (int)MDL_SCHEDULE_STATIC == (int)ompdx_schedule_static &&
                   (int)MDL_LOOP_OR_SECTIONS == (int)ompdx_loop_or_sections &&
                   (int)MDL_LOOP_ORDERED == (int)ompdx_loop_ordered,
               "ompdx_schedule_t and ompdx_loop_flags_t have the same numbers");

static void add_unknown(insp_snapshot *snap, struct mdl_loop *loop, const ompdx_loop_info_t *info)
{
    static const char *const names[] = {
        [ompdx_loop_fact_schedule] = "schedule", [ompdx_loop_fact_iterations] = "iterations",
        [ompdx_loop_fact_step] = "step",         [ompdx_loop_fact_chunk] = "chunk",
        [ompdx_loop_fact_left] = "left",         [ompdx_loop_fact_hand] = "has",
        [ompdx_loop_fact_share] = "share",       [ompdx_loop_fact_turn] = "turn",
        [ompdx_loop_fact_sink] = "waits_for",    [ompdx_loop_fact_at] = "at"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (info->unknown[i])
            mdl_unknown(snap, &loop->unknown, &loop->unknown_count, names[i],
                        arena_str(&snap->arena, info->unknown[i]));
}

static void add_row(struct snap_run *run, const struct mdl_task *task, const ompdx_loop_info_t *info)
{
    insp_snapshot *snap = run->snap;
    struct mdl_loop *rows = arena_grow(&snap->arena, snap->loops, (size_t)snap->loop_count, sizeof(*rows));

    if (!rows)
        return;
    snap->loops = rows;
    rows += snap->loop_count++;
    *rows = (struct mdl_loop){
        .runtime = run->id,
        .region = task->region,
        .task = task->id,
        .lwp = task->lwp,
        .thread_num = task->thread_num,
        .id = info->id,
        .sequence = info->sequence,
        .schedule = info->schedule > 0 && info->schedule < MDL_SCHEDULES ? (enum mdl_schedule)info->schedule
                                                                         : MDL_SCHEDULE_UNKNOWN,
        .flags = info->flags,
        .iterations = info->iterations,
        .chunk = info->chunk,
        .left = info->left,
        .share = info->share,
        .first = info->first,
        .step = info->step,
        .next = info->next,
        .has_count = info->hand_count,
        .has_first = info->hand_first,
        .has_last = info->hand_last,
        .at = info->at,
        .turn = info->turn,
        .waits_for = info->sink,
        .waits = info->waits,
    };
    add_unknown(snap, rows, info);
}

void snap_loop(struct snap_run *run, const struct mdl_task *task, ompd_task_handle_t *handle)
{
    ompdx_loop_info_t info = {.size = sizeof(info)};
    ompd_rc_t rc;

    if (!(run->snap->want & INSP_LOOPS) || !run->lib->ompdx_get_loop_info)
        return;
    rc = run->lib->ompdx_get_loop_info(handle, &info);
    if (rc == ompd_rc_ok)
        add_row(run, task, &info);
    else if (rc == ompd_rc_unsupported)
        run->snap->loops_untold = true;
    else if (rc != ompd_rc_unavailable)
        snap_problem(run, "not all loops are known", rc);
}
