/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/snapshot/snap_ids.h"

#include <stdlib.h>

#include "inspect/base/hash.h"

/** A region or task, and what it is sorted by. */
struct row {
    uint64_t id,
        around;     /**< of a region: the one around, of a task: its region; a number once that is known */
    uint64_t task;  /**< of a region: the task that has created it */
    int rank;       /**< of a region: its level; of a task: 0 implicit or initial, 1 explicit */
    int thread_num; /**< of the creator, or of the implicit task */
};

/** Ids of one sort and their numbers. */
struct numbers {
    struct hash of;
    uint64_t count;
};

/** What is numbered, each for itself. */
struct sorts {
    struct numbers regions, tasks, groups;
};

static uint64_t number_of(const struct numbers *numbers, uint64_t id)
{
    const uint64_t *at = id ? hash_find(&numbers->of, id, NULL) : NULL;

    return at ? *at : 0;
}

/* The number of ID; the next one if it has none yet. */
static uint64_t number(struct numbers *numbers, uint64_t id)
{
    uint64_t *at = id ? hash_add(&numbers->of, id, NULL) : NULL;

    if (at && !*at)
        *at = ++numbers->count;
    return at ? *at : 0;
}

static int by_rank(const void *a, const void *b)
{
    const struct row *x = a, *y = b;

    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* The order within what has been sorted already. */
static int by_place(const void *a, const void *b)
{
    const struct row *x = a, *y = b;

    if (x->around != y->around)
        return x->around < y->around ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank - y->rank;
    if (x->thread_num != y->thread_num)
        return x->thread_num < y->thread_num ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

/* Asks for all tasks; *threads: the thread number of each. */
static struct row *look_at_tasks(struct snap_run *run, struct hash *threads)
{
    struct row *rows = calloc((size_t)run->tasks.count + 1, sizeof(*rows));

    for (int i = 0; rows && i < run->tasks.count; i++) {
        ompdx_task_info_t info = {.size = sizeof(info), .thread_num = -1, .creator_thread_num = -1};
        const bool known = run->lib->ompdx_get_task_info(run->tasks.handle[i], &info) == ompd_rc_ok;
        const bool explicit_one = known && !(info.flags & (ompt_task_initial | ompt_task_implicit));
        uint64_t *at = hash_add(threads, run->tasks.id[i], NULL);

        rows[i] = (struct row){.id = run->tasks.id[i],
                               .around = known ? info.region : 0,
                               .rank = explicit_one,
                               .thread_num = explicit_one ? info.creator_thread_num : info.thread_num};
        if (at)
            *at = info.thread_num < 0 ? 0 : (uint64_t)info.thread_num + 1;
    }
    return rows;
}

static struct row *look_at_regions(struct snap_run *run, const struct hash *threads)
{
    struct row *rows = calloc((size_t)run->regions.count + 1, sizeof(*rows));

    for (int i = 0; rows && i < run->regions.count; i++) {
        ompdx_parallel_info_t info = {.size = sizeof(info)};
        const uint64_t *creator;

        rows[i] = (struct row){.id = run->regions.id[i], .thread_num = -1};
        if (run->lib->ompdx_get_parallel_info(run->regions.handle[i], &info) != ompd_rc_ok)
            continue;
        rows[i].rank = info.level;
        rows[i].around = info.parent;
        creator = info.parent_task ? hash_find(threads, info.parent_task, NULL) : NULL;
        rows[i].thread_num = creator ? (int)*creator - 1 : -1;
    }
    return rows;
}

/* Level by level: the regions around have their numbers then. */
static void number_regions(struct numbers *numbers, struct row *rows, int count)
{
    if (count)
        qsort(rows, (size_t)count, sizeof(*rows), by_rank);
    for (int first = 0, end = 0; first < count; first = end) {
        for (end = first; end < count && rows[end].rank == rows[first].rank; end++)
            rows[end].around = number_of(numbers, rows[end].around);
        qsort(rows + first, (size_t)(end - first), sizeof(*rows), by_place);
        for (int i = first; i < end; i++)
            (void)number(numbers, rows[i].id);
    }
}

static void number_tasks(struct sorts *sorts, struct row *rows, int count)
{
    for (int i = 0; i < count; i++)
        rows[i].around = number_of(&sorts->regions, rows[i].around);
    if (count)
        qsort(rows, (size_t)count, sizeof(*rows), by_place);
    for (int i = 0; i < count; i++)
        (void)number(&sorts->tasks, rows[i].id);
}

static int by_region(const void *a, const void *b)
{
    const struct mdl_region *x = a, *y = b;

    return (x->id > y->id) - (x->id < y->id);
}

static int by_task(const void *a, const void *b)
{
    const struct mdl_task *x = a, *y = b;

    return (x->id > y->id) - (x->id < y->id);
}

/* Rows stay in the order of their ids. */
static void apply_to_regions(struct snap_run *run, const struct sorts *sorts)
{
    insp_snapshot *snap = run->snap;
    const int count = snap->region_count - run->first_region;

    for (int i = run->first_region; i < snap->region_count; i++) {
        struct mdl_region *r = &snap->regions[i];

        r->serial = r->id;
        r->id = number_of(&sorts->regions, r->id);
        r->parent = number_of(&sorts->regions, r->parent);
        r->parent_task = number_of(&sorts->tasks, r->parent_task);
    }
    if (count > 0)
        qsort(snap->regions + run->first_region, (size_t)count, sizeof(*snap->regions), by_region);
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static void apply_to_dependences(struct snap_run *run, const struct numbers *tasks, struct mdl_task *t)
{
    uint64_t *list = t->depends_count > 0
                         ? arena_alloc(&run->snap->arena, (size_t)t->depends_count * sizeof(*list))
                         : NULL;
    int count = 0;

    for (int i = 0; list && i < t->depends_count; i++) {
        list[count] = number_of(tasks, t->depends_on[i]);
        count += list[count] != 0;
    }
    if (count < t->depends_count)
        mdl_unknown(run->snap, &t->unknown, &t->unknown_count, "depends_on",
                    "not all tasks that it depends on could be listed");
    if (list)
        qsort(list, (size_t)count, sizeof(*list), by_number);
    t->depends_on = list;
    t->depends_count = count;
}

static void apply_to_tasks(struct snap_run *run, struct sorts *sorts)
{
    insp_snapshot *snap = run->snap;
    const int count = snap->task_count - run->first_task;

    for (int i = run->first_task; i < snap->task_count; i++) {
        struct mdl_task *t = &snap->tasks[i];

        t->serial = t->id;
        t->id = number_of(&sorts->tasks, t->id);
        t->region = number_of(&sorts->regions, t->region);
        t->generator = number_of(&sorts->tasks, t->generator);
        t->scheduled_over = number_of(&sorts->tasks, t->scheduled_over);
        apply_to_dependences(run, &sorts->tasks, t);
    }
    if (count > 0)
        qsort(snap->tasks + run->first_task, (size_t)count, sizeof(*snap->tasks), by_task);
    /* In the order of the tasks, which is the same in each snapshot of a stop. */
    for (int i = run->first_task; i < snap->task_count; i++)
        snap->tasks[i].taskgroup = number(&sorts->groups, snap->tasks[i].taskgroup);
}

static uint64_t waited_for(struct sorts *sorts, const struct mdl_wait *w)
{
    switch (w->kind) {
    case MDL_WAIT_BARRIER:
        return number_of(&sorts->regions, w->object);
    case MDL_WAIT_TASKGROUP:
        return number(&sorts->groups, w->object);
    case MDL_WAIT_TASKWAIT:
    case MDL_WAIT_DEPEND:
    case MDL_WAIT_EVENT:
        return number_of(&sorts->tasks, w->object);
    default:
        return 0;
    }
}

/* The number of ID, or 0 with the reason. */
static uint64_t of_thread(struct snap_run *run, const struct numbers *numbers, uint64_t id,
                          struct mdl_thread *t, const char *field)
{
    const uint64_t found = number_of(numbers, id);

    if (id && !found)
        mdl_unknown(run->snap, &t->unknown, &t->unknown_count, field,
                    run->bracket
                        ? "it is not among those that could be listed"
                        : "this runtime gives no numbers, and those of a view are made while it stands "
                          "still");
    return found;
}

static void apply_to_threads(struct snap_run *run, struct sorts *sorts)
{
    for (int i = 0; i < run->snap->thread_count; i++) {
        struct mdl_thread *t = &run->snap->threads[i];

        if (t->runtime != run->id)
            continue;
        t->region = of_thread(run, &sorts->regions, t->region, t, "region");
        t->task = of_thread(run, &sorts->tasks, t->task, t, "task");
        t->wait.object = waited_for(sorts, &t->wait);
    }
}

static void apply_to_loops(struct snap_run *run, const struct sorts *sorts)
{
    for (int i = 0; i < run->snap->loop_count; i++) {
        struct mdl_loop *loop = &run->snap->loops[i];

        if (loop->runtime != run->id)
            continue;
        loop->region = number_of(&sorts->regions, loop->region);
        loop->task = number_of(&sorts->tasks, loop->task);
    }
}

static void apply_to_icvs(struct snap_run *run, const struct sorts *sorts)
{
    for (int i = run->first_icv; i < run->snap->icv_count; i++) {
        struct mdl_icv *icv = &run->snap->icvs[i];

        if (icv->of == MDL_ICV_OF_REGION)
            icv->of_id = (int64_t)number_of(&sorts->regions, (uint64_t)icv->of_id);
        else if (icv->of == MDL_ICV_OF_TASK)
            icv->of_id = (int64_t)number_of(&sorts->tasks, (uint64_t)icv->of_id);
    }
}

void snap_number(struct snap_run *run)
{
    struct arena *arena = &run->snap->arena;
    struct sorts sorts = {{{.arena = arena}, 0}, {{.arena = arena}, 0}, {{.arena = arena}, 0}};
    struct hash threads = {.arena = arena};
    struct row *tasks = look_at_tasks(run, &threads), *regions = look_at_regions(run, &threads);

    if (tasks && regions) {
        number_regions(&sorts.regions, regions, run->regions.count);
        number_tasks(&sorts, tasks, run->tasks.count);
        apply_to_regions(run, &sorts);
        apply_to_tasks(run, &sorts);
        apply_to_threads(run, &sorts);
        apply_to_loops(run, &sorts);
        apply_to_icvs(run, &sorts);
    } else {
        arena->oom = true;
    }
    free(tasks);
    free(regions);
}
