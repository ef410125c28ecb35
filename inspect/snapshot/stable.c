/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A snapshot without anything that differs from one run of a program to the next: threads have the names that
 * OpenMP gives them and come in the order of these, regions and tasks are numbered by where they are in the
 * program, and numbers of the system are gone. What cannot be told apart then comes in the order it had.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "inspect/graph/verdict.h"
#include "inspect/model/phrases.h"

/* Nested regions of which the numbers are part of a name. */
enum { NEST_MAX = 32 };

static int by_text(const char *a, const char *b)
{
    return strverscmp(a ? a : "", b ? b : "");
}

static int by_int(int64_t a, int64_t b)
{
    return a < b ? -1 : a > b;
}

static int by_place(const struct mdl_place *a, const struct mdl_place *b)
{
    int order = by_text(a->file, b->file);

    order = order ? order : by_int(a->line, b->line);
    return order ? order : by_text(a->function, b->function);
}

/* ---- names of threads -------------------------------------------------------------------------------- */

/* "2.1": thread 1 of the team that thread 2 of the outer one has made. */
static const char *path(struct insp_snapshot *s, int runtime, uint64_t region, int number)
{
    const char *text = arena_printf(&s->arena, "%d", number);
    const struct mdl_region *r = mdl_region_by_id(s, runtime, region);

    for (int i = 0; i < NEST_MAX && r && r->level > 1; i++) {
        const struct mdl_task *parent = mdl_task_by_id(s, runtime, r->parent_task);

        if (!parent || parent->thread_num < 0)
            return arena_printf(&s->arena, "?.%s", text);
        text = arena_printf(&s->arena, "%d.%s", parent->thread_num, text);
        r = mdl_region_by_id(s, runtime, parent->region);
    }
    return text;
}

/* Has a thread a number that says something? An idle one has none. */
static bool has_number(const struct mdl_thread *t)
{
    return t->openmp && t->thread_num >= 0 && t->state != MDL_STATE_IDLE;
}

static int by_frames(const struct mdl_thread *a, const struct mdl_thread *b)
{
    int order = by_int(a->frame_count, b->frame_count);

    for (int i = 0; !order && i < a->frame_count && i < b->frame_count; i++) {
        order = by_place(&a->frames[i].place, &b->frames[i].place);
        order = order ? order : by_text(a->frames[i].symbol, b->frames[i].symbol);
    }
    return order;
}

/* OpenMP threads by their names, idle ones, then the others by what they do. */
static int by_name(const void *left, const void *right)
{
    const struct mdl_thread *a = left, *b = right;
    int order = by_int(!a->openmp, !b->openmp);

    order = order ? order : by_int(a->runtime, b->runtime);
    order = order ? order : by_int(!has_number(a), !has_number(b));
    order = order ? order : by_text(a->stable, b->stable);
    order = order ? order : by_int((int64_t)a->state, (int64_t)b->state);
    order = order ? order : by_int((int64_t)a->wait.kind, (int64_t)b->wait.kind);
    order = order ? order : by_text(a->wait.name, b->wait.name);
    order = order ? order : by_place(&a->wait.at, &b->wait.at);
    order = order ? order : by_int((int64_t)a->activity.kind, (int64_t)b->activity.kind);
    order = order ? order : by_text(a->activity.call, b->activity.call);
    order = order ? order : by_frames(a, b);
    return order ? order : by_int(a->lwp, b->lwp);
}

static const char *full_name(struct insp_snapshot *s, const struct mdl_thread *t, int same, int number)
{
    const char *name = t->stable;
    const char *letter = "";

    if (same > 1)
        letter = number < 26 ? arena_printf(&s->arena, "%c", 'a' + number)
                             : arena_printf(&s->arena, "-%d", number + 1);
    if (!t->openmp)
        return arena_printf(&s->arena, "thread %s%soutside of OpenMP", letter, same > 1 ? " " : "");
    return has_number(t) ? arena_printf(&s->arena, "OpenMP thread %s%s", name, letter)
                         : "an idle OpenMP thread";
}

/* Threads that would have one name, such as the first ones of several teams, are told apart by letters. */
static void name_threads(struct insp_snapshot *s)
{
    for (int i = 0; i < s->thread_count; i++) {
        struct mdl_thread *t = &s->threads[i];

        t->stable = has_number(t) ? path(s, t->runtime, t->region, t->thread_num) : "";
        t->gdb_num = 0;
    }
    if (s->arena.oom)
        return;
    qsort(s->threads, (size_t)s->thread_count, sizeof(*s->threads), by_name);
    for (int i = 0; i < s->thread_count;) {
        int end = i;

        while (end < s->thread_count && s->threads[end].openmp == s->threads[i].openmp &&
               s->threads[end].runtime == s->threads[i].runtime &&
               mdl_same(s->threads[end].stable, s->threads[i].stable))
            end++;
        for (int first = i; i < end; i++)
            s->threads[i].stable = full_name(s, &s->threads[i], end - first, i - first);
    }
    s->current = -1;
    for (int i = 0; i < s->thread_count; i++)
        if (s->threads[i].current)
            s->current = i;
    mdl_index_threads(s);
}

/* ---- numbers of regions and tasks ------------------------------------------------------------------- */

/* A region or a task, and what it is sorted by. */
struct item {
    int index;
    int runtime;
    const char *path; /**< of its creator */
    const struct mdl_place *place;
    int64_t number[6];
};

static int by_item(const void *left, const void *right)
{
    const struct item *a = left, *b = right;
    int order = by_int(a->runtime, b->runtime);

    for (int i = 0; !order && i < 6; i++)
        order = by_int(a->number[i], b->number[i]);
    order = order ? order : by_text(a->path, b->path);
    order = order ? order : by_place(a->place, b->place);
    return order ? order : by_int(a->index, b->index);
}

/* New numbers by the old index, from 1 on in each runtime; NULL out of memory. */
static uint64_t *number_items(struct insp_snapshot *s, struct item *items, int count)
{
    uint64_t *numbers = arena_alloc(&s->arena, ((size_t)count + 1) * sizeof(*numbers)), next = 0;

    if (!numbers)
        return NULL;
    qsort(items, (size_t)count, sizeof(*items), by_item);
    for (int i = 0; i < count; i++) {
        next = i && items[i].runtime != items[i - 1].runtime ? 1 : next + 1;
        numbers[items[i].index] = next;
    }
    return numbers;
}

static uint64_t *number_regions(struct insp_snapshot *s)
{
    struct item *items = arena_alloc(&s->arena, ((size_t)s->region_count + 1) * sizeof(*items));

    for (int i = 0; items && i < s->region_count; i++) {
        const struct mdl_region *r = &s->regions[i];
        const struct mdl_task *parent = mdl_task_by_id(s, r->runtime, r->parent_task);

        items[i] = (struct item){
            .index = i,
            .runtime = r->runtime,
            .path = parent ? path(s, r->runtime, parent->region, parent->thread_num) : "",
            .place = &r->place,
            .number = {r->level, r->kind, r->team_num, r->team_size},
        };
    }
    return items && !s->arena.oom ? number_items(s, items, s->region_count) : NULL;
}

/* REGIONS: their new numbers. */
static uint64_t *number_tasks(struct insp_snapshot *s, const uint64_t *regions)
{
    struct item *items = arena_alloc(&s->arena, ((size_t)s->task_count + 1) * sizeof(*items));

    for (int i = 0; items && i < s->task_count; i++) {
        const struct mdl_task *t = &s->tasks[i];
        const struct mdl_region *r = mdl_region_by_id(s, t->runtime, t->region);

        items[i] = (struct item){
            .index = i,
            .runtime = t->runtime,
            .place = &t->place,
            .number = {r ? (int64_t)regions[r - s->regions] : 0, t->kind, t->thread_num,
                       t->creator_thread_num, t->state, t->depends_count},
        };
    }
    return items ? number_items(s, items, s->task_count) : NULL;
}

/** Both kinds of new numbers. */
struct numbers {
    const struct insp_snapshot *s;
    const uint64_t *regions, *tasks;
};

static uint64_t region_of(const struct numbers *n, int runtime, uint64_t id)
{
    const struct mdl_region *r = mdl_region_by_id(n->s, runtime, id);

    return r ? n->regions[r - n->s->regions] : 0;
}

static uint64_t task_of(const struct numbers *n, int runtime, uint64_t id)
{
    const struct mdl_task *t = mdl_task_by_id(n->s, runtime, id);

    return t ? n->tasks[t - n->s->tasks] : 0;
}

static void renumber_thread(const struct numbers *n, struct mdl_thread *t)
{
    if (t->wait.kind == MDL_WAIT_BARRIER)
        t->wait.object = region_of(n, t->runtime, t->wait.object);
    else if (t->wait.kind != MDL_WAIT_TASKGROUP)
        t->wait.object = task_of(n, t->runtime, t->wait.object);
    t->region = region_of(n, t->runtime, t->region);
    t->task = task_of(n, t->runtime, t->task);
}

static void renumber_task(struct insp_snapshot *s, const struct numbers *n, struct mdl_task *t)
{
    uint64_t *depends = arena_alloc(&s->arena, ((size_t)t->depends_count + 1) * sizeof(*depends));

    for (int i = 0; depends && i < t->depends_count; i++)
        depends[i] = task_of(n, t->runtime, t->depends_on[i]);
    t->depends_on = depends;
    t->region = region_of(n, t->runtime, t->region);
    t->generator = task_of(n, t->runtime, t->generator);
    t->scheduled_over = task_of(n, t->runtime, t->scheduled_over);
}

/* All references are found by the old numbers, so the rows themselves come last. */
static void renumber(struct insp_snapshot *s)
{
    struct numbers n = {.s = s, .regions = number_regions(s)};

    n.tasks = n.regions ? number_tasks(s, n.regions) : NULL;
    if (!n.tasks)
        return;
    for (int i = 0; i < s->thread_count; i++)
        renumber_thread(&n, &s->threads[i]);
    for (int i = 0; i < s->icv_count; i++)
        if (s->icvs[i].of == MDL_ICV_OF_REGION)
            s->icvs[i].of_id = (int64_t)region_of(&n, s->icvs[i].runtime, (uint64_t)s->icvs[i].of_id);
        else if (s->icvs[i].of == MDL_ICV_OF_TASK)
            s->icvs[i].of_id = (int64_t)task_of(&n, s->icvs[i].runtime, (uint64_t)s->icvs[i].of_id);
    for (int i = 0; i < s->region_count; i++)
        s->regions[i].parent_task = task_of(&n, s->regions[i].runtime, s->regions[i].parent_task);
    for (int i = 0; i < s->task_count; i++)
        renumber_task(s, &n, &s->tasks[i]);
    for (int i = 0; i < s->region_count; i++)
        s->regions[i].parent = region_of(&n, s->regions[i].runtime, s->regions[i].parent);
    for (int i = 0; i < s->region_count; i++)
        s->regions[i].id = n.regions[i];
    for (int i = 0; i < s->task_count; i++)
        s->tasks[i].id = n.tasks[i];
    mdl_sort_rows(s);
}

/* ---- what the system has numbered ------------------------------------------------------------------- */

/* The kernel's names of what has no name: "pipe:[4711]". */
static const char *stable_file(const char *file)
{
    const char *bracket = file ? strstr(file, ":[") : NULL;

    if (file && !strncmp(file, "/dev/pts/", 9))
        return "a terminal";
    if (!bracket)
        return file;
    return !strncmp(file, "pipe:", 5) ? "a pipe" : !strncmp(file, "socket:", 7) ? "a socket" : NULL;
}

/* TEXT, which was made when the snapshot was taken, with names of the threads that it has as "LWP 4711". */
static const char *stable_text(struct insp_snapshot *s, const char *text)
{
    static const char lwp[] = "LWP ";
    const char *at, *result;
    struct sbuf out = {0};

    if (!text || !strstr(text, lwp))
        return text;
    for (; (at = strstr(text, lwp)); text = at) {
        sbuf_add_n(&out, text, (size_t)(at - text));
        at += sizeof(lwp) - 1;
        sbuf_add(&out, mdl_thread_name(&s->arena, s, strtoll(at, NULL, 10)));
        at += strspn(at, "0123456789");
    }
    sbuf_add(&out, text);
    result = out.oom ? NULL : arena_str(&s->arena, out.text);
    s->arena.oom |= out.oom;
    sbuf_free(&out);
    return result;
}

static void forget_numbers(struct insp_snapshot *s)
{
    for (int i = 0; i < s->problem_count; i++) {
        s->problems[i].what = stable_text(s, s->problems[i].what);
        s->problems[i].why = stable_text(s, s->problems[i].why);
    }
    for (int i = 0; i < s->thread_count; i++) {
        struct mdl_thread *t = &s->threads[i];

        t->wait.stable = t->activity.stable = true;
        t->activity.file = stable_file(t->activity.file);
        t->wait.name = stable_text(s, t->wait.name);
        t->wait.owner_doubt = stable_text(s, t->wait.owner_doubt);
        for (int k = 0; k < t->unknown_count; k++)
            t->unknown[k].reason = stable_text(s, t->unknown[k].reason);
        t->activity.name = stable_text(s, t->activity.name);
        t->activity.owner_doubt = stable_text(s, t->activity.owner_doubt);
        t->activity.why = stable_text(s, t->activity.why);
        t->activity.owner_pid = 0;
        t->activity.child = t->activity.child > 0 ? 0 : t->activity.child;
        if (t->activity.timeout_ns >= 0)
            t->activity.timeout_ns = MDL_TIMEOUT_SOME;
    }
}

void insp_stable(insp_snapshot *s)
{
    if (s->stable)
        return;
    s->stable = true;
    name_threads(s);
    renumber(s);
    forget_numbers(s);
    if (!s->arena.oom)
        verdict_make(s);
}
