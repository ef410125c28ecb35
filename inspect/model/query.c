/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "inspect/model/model.h"

int insp_ids(const insp_snapshot *snap, int kind, uint64_t *ids, int n)
{
    int count = !snap ? 0 : kind == 'r' ? snap->region_count : kind == 't' ? snap->task_count : 0;

    for (int i = 0; ids && i < count && i < n; i++)
        ids[i] = kind == 'r' ? snap->regions[i].id : snap->tasks[i].id;
    return count;
}

int64_t insp_thread_value(const insp_snapshot *snap, int64_t lwp, const char *field)
{
    const struct mdl_thread *t = snap ? mdl_thread_by_lwp(snap, lwp) : NULL;

    if (!t || !t->openmp || !field)
        return -1;
    if (!strcmp(field, "thread_num"))
        return t->thread_num;
    if (!strcmp(field, "team_size"))
        return t->team_size;
    if (!strcmp(field, "level"))
        return t->level;
    if (!strcmp(field, "active_level"))
        return t->active_level;
    if (!strcmp(field, "region"))
        return t->region ? (int64_t)t->region : -1;
    if (!strcmp(field, "task"))
        return t->task ? (int64_t)t->task : -1;
    return -1;
}

void insp_add_problem(insp_snapshot *snap, const char *what, const char *why, const char *remedy)
{
    mdl_problem(snap, what, why, remedy ? remedy : "");
}

/* What threads do is known without any OpenMP. */
static bool has_activities(const insp_snapshot *snap)
{
    for (int i = 0; i < snap->thread_count; i++)
        if (snap->threads[i].activity.kind != MDL_ACTIVITY_UNKNOWN)
            return true;
    return false;
}

int insp_shown(const insp_snapshot *snap)
{
    if (!snap || (!snap->runtime_count && !has_activities(snap)))
        return 2;
    return snap->complete ? 0 : 1;
}

void insp_process(const insp_snapshot *s, struct insp_process *ret)
{
    *ret = (struct insp_process){
        .pid = s->process.pid,
        .host = s->process.host,
        .rank = s->process.rank,
        .job = s->process.job,
        .step = s->process.step,
    };
}

void insp_set_rank(insp_snapshot *s, int64_t rank)
{
    s->process.rank = rank < 0 ? -1 : rank;
    if (s->process.size >= 0 && s->process.rank >= s->process.size)
        s->process.size = -1;
}
