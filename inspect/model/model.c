/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/model/model.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void mdl_problem(struct insp_snapshot *s, const char *what, const char *why, const char *remedy)
{
    struct mdl_problem *grown;

    s->complete = false;
    if (s->problem_count > MDL_PROBLEMS_MAX)
        return;
    if (s->problem_count == MDL_PROBLEMS_MAX) {
        what = "There are more problems than are listed";
        why = "only so many are kept";
        remedy = "";
    }
    for (int i = 0; i < s->problem_count; i++)
        if (s->problems[i].what && s->problems[i].why && !strcmp(s->problems[i].what, what) &&
            !strcmp(s->problems[i].why, why))
            return;
    grown = arena_grow(&s->arena, s->problems, (size_t)s->problem_count, sizeof(*grown));
    if (!grown)
        return;
    s->problems = grown;
    grown += s->problem_count++;
    grown->what = arena_str(&s->arena, what);
    grown->why = arena_str(&s->arena, why);
    grown->remedy = arena_str(&s->arena, remedy);
}

void mdl_unknown(struct insp_snapshot *s, struct mdl_unknown **list, int *count, const char *field,
                 const char *reason)
{
    struct mdl_unknown *grown;

    for (int i = 0; i < *count; i++)
        if (!strcmp((*list)[i].field, field))
            return;
    grown = arena_grow(&s->arena, *list, (size_t)*count, sizeof(*grown));
    if (!grown)
        return;
    *list = grown;
    grown[*count].field = field;
    grown[*count].reason = reason ? reason : "unknown";
    ++*count;
}

void mdl_unknown_instead(struct insp_snapshot *s, struct mdl_unknown **list, int *count, const char *field,
                         const char *reason)
{
    for (int i = 0; i < *count; i++)
        if (!strcmp((*list)[i].field, field)) {
            (*list)[i].reason = reason ? reason : "unknown";
            return;
        }
    mdl_unknown(s, list, count, field, reason);
}

const char *mdl_unknown_reason(const struct mdl_unknown *list, int count, const char *field)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(list[i].field, field))
            return list[i].reason;
    return NULL;
}

static int by_key(const void *a, const void *b)
{
    const struct mdl_key *x = a, *y = b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->thread - y->thread;
}

void mdl_index_threads(struct insp_snapshot *s)
{
    size_t n = (size_t)s->thread_count;
    struct mdl_key *lwps = arena_alloc(&s->arena, (n + 1) * sizeof(*lwps));
    struct mdl_key *pthreads = arena_alloc(&s->arena, (n + 1) * sizeof(*pthreads));

    if (!lwps || !pthreads)
        return;
    for (int i = 0; i < s->thread_count; i++) {
        lwps[i] = (struct mdl_key){(uint64_t)s->threads[i].lwp, i};
        pthreads[i] = (struct mdl_key){s->threads[i].pthread, i};
    }
    qsort(lwps, n, sizeof(*lwps), by_key);
    qsort(pthreads, n, sizeof(*pthreads), by_key);
    s->by_lwp = lwps;
    s->by_pthread = pthreads;
}

/* The first thread of that key; without an index (while the list grows) it is not found. */
static struct mdl_thread *find_thread(const struct insp_snapshot *s, const struct mdl_key *index,
                                      uint64_t key)
{
    int low = 0, high = index && key ? s->thread_count : 0;

    while (low < high) {
        int mid = low + (high - low) / 2;

        if (index[mid].key < key)
            low = mid + 1;
        else
            high = mid;
    }
    if (!index || !key || low == s->thread_count || index[low].key != key)
        return NULL;
    return &s->threads[index[low].thread];
}

struct mdl_thread *mdl_thread_by_lwp(const struct insp_snapshot *s, int64_t lwp)
{
    return find_thread(s, s->by_lwp, (uint64_t)lwp);
}

struct mdl_thread *mdl_thread_by_pthread(const struct insp_snapshot *s, uint64_t pthread)
{
    return find_thread(s, s->by_pthread, pthread);
}

/* Regions and tasks are kept in order of (runtime, id). */
#define BY_ID(type)                                       \
    static int type##_by_id(const void *a, const void *b) \
    {                                                     \
        const struct mdl_##type *x = a, *y = b;           \
                                                          \
        if (x->runtime != y->runtime)                     \
            return x->runtime < y->runtime ? -1 : 1;      \
        return x->id < y->id ? -1 : x->id > y->id;        \
    }
BY_ID(region)
BY_ID(task)

void mdl_sort_rows(struct insp_snapshot *s)
{
    if (s->region_count) /* else there is no array */
        qsort(s->regions, (size_t)s->region_count, sizeof(*s->regions), region_by_id);
    if (s->task_count)
        qsort(s->tasks, (size_t)s->task_count, sizeof(*s->tasks), task_by_id);
}

struct mdl_region *mdl_region_by_id(const struct insp_snapshot *s, int runtime, uint64_t id)
{
    int low = 0, high = s->region_count;

    while (id && low < high) {
        int mid = low + (high - low) / 2;
        struct mdl_region *r = &s->regions[mid];

        if (r->runtime == runtime && r->id == id)
            return r;
        if (r->runtime < runtime || (r->runtime == runtime && r->id < id))
            low = mid + 1;
        else
            high = mid;
    }
    return NULL;
}

struct mdl_task *mdl_task_by_id(const struct insp_snapshot *s, int runtime, uint64_t id)
{
    int low = 0, high = s->task_count;

    while (id && low < high) {
        int mid = low + (high - low) / 2;
        struct mdl_task *t = &s->tasks[mid];

        if (t->runtime == runtime && t->id == id)
            return t;
        if (t->runtime < runtime || (t->runtime == runtime && t->id < id))
            low = mid + 1;
        else
            high = mid;
    }
    return NULL;
}

int64_t mdl_probable_owner(const struct mdl_thread *t)
{
    const struct mdl_wait *w = &t->wait;
    bool unknown = w->owner == MDL_OWNER_UNKNOWN || w->owner == MDL_OWNER_SOMEBODY;

    return mdl_is_mutex(w->kind) && unknown && w->candidate_count == 1 ? w->candidates[0] : 0;
}

bool mdl_is_mutex(enum mdl_wait_kind kind)
{
    return kind >= MDL_WAIT_LOCK && kind <= MDL_WAIT_REDUCTION;
}

bool mdl_same_state(const struct mdl_thread *a, const struct mdl_thread *b)
{
    return a->state == b->state && (a->state != MDL_STATE_OTHER || mdl_same(a->other_state, b->other_state));
}

bool mdl_state_waits(enum mdl_state state)
{
    return state >= MDL_STATE_WAIT_BARRIER && state <= MDL_STATE_WAIT_TARGET_UPDATE;
}

bool mdl_misses_itself(const struct mdl_thread *t)
{
    const struct mdl_wait *w = &t->wait;
    int low = 0, high = w->missing_count;

    while (low < high) {
        int mid = low + (high - low) / 2;

        if (w->missing[mid] < t->thread_num)
            low = mid + 1;
        else
            high = mid;
    }
    return low < w->missing_count && w->missing[low] == t->thread_num && w->missing_lwp[low] == t->lwp;
}

bool mdl_ends_region(const struct mdl_thread *t)
{
    return t->wait.barrier == MDL_BARRIER_REGION_END;
}

bool mdl_has_arrived(const struct mdl_thread *t)
{
    return t->wait.barrier && t->wait.arrivals_known && !t->released && !mdl_misses_itself(t);
}

uint64_t mdl_barrier_region(const struct mdl_thread *t)
{
    return t->wait.object ? t->wait.object : t->region;
}

static int by_region(const void *a, const void *b)
{
    const struct mdl_split *x = a, *y = b;

    if (x->runtime != y->runtime)
        return x->runtime < y->runtime ? -1 : 1;
    if (x->region != y->region)
        return x->region < y->region ? -1 : 1;
    return (x->end < 0 ? x->other : x->end) - (y->end < 0 ? y->other : y->end);
}

/* Of two threads at one barrier, -1 none: rather one that is known to wait there still, then the first. */
static int better(const struct insp_snapshot *s, int a, int b)
{
    if (a < 0 || b < 0)
        return a < 0 ? b : a;
    return s->threads[b].wait.lasts && !s->threads[a].wait.lasts ? b : a;
}

void mdl_index_barriers(struct insp_snapshot *s)
{
    /* First a row for each thread that has arrived, then one for each region, then the split ones alone. */
    struct mdl_split *rows = arena_alloc(&s->arena, ((size_t)s->thread_count + 1) * sizeof(*rows));
    int count = 0, regions = 0;

    s->splits = rows;
    s->split_count = 0;
    for (int i = 0; rows && i < s->thread_count; i++) {
        const struct mdl_thread *t = &s->threads[i];
        bool end = mdl_ends_region(t);

        if (mdl_has_arrived(t))
            rows[count++] =
                (struct mdl_split){mdl_barrier_region(t), t->runtime, end ? i : -1, end ? -1 : i, end, !end};
    }
    if (count)
        qsort(rows, (size_t)count, sizeof(*rows), by_region);
    for (int i = 0; i < count; i++) {
        struct mdl_split *to = &rows[regions - (regions > 0)], from = rows[i];

        if (!regions || to->runtime != from.runtime || to->region != from.region) {
            rows[regions++] = from;
            continue;
        }
        to->end = better(s, to->end, from.end);
        to->other = better(s, to->other, from.other);
        to->end_count += from.end_count;
        to->other_count += from.other_count;
    }
    for (int i = 0; i < regions; i++)
        if (rows[i].end >= 0 && rows[i].other >= 0)
            rows[s->split_count++] = rows[i];
}

const struct mdl_split *mdl_split_of(const struct insp_snapshot *s, const struct mdl_thread *t)
{
    int low = 0, high = mdl_has_arrived(t) ? s->split_count : 0;

    while (low < high) {
        int mid = low + (high - low) / 2;
        const struct mdl_split *b = &s->splits[mid];

        if (b->runtime == t->runtime && b->region == mdl_barrier_region(t))
            return b;
        if (b->runtime < t->runtime || (b->runtime == t->runtime && b->region < mdl_barrier_region(t)))
            low = mid + 1;
        else
            high = mid;
    }
    return NULL;
}

/** The place of an implicit task. */
struct come {
    uint64_t region;
    int runtime, number;
};

static int by_place(const void *a, const void *b)
{
    const struct come *x = a, *y = b;

    if (x->region != y->region)
        return x->region < y->region ? -1 : 1;
    if (x->runtime != y->runtime)
        return x->runtime < y->runtime ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* The implicit tasks that have begun, sorted; NULL out of memory. */
static struct come *all_come(const struct insp_snapshot *s, size_t *count)
{
    struct come *list = malloc(((size_t)s->task_count + 1) * sizeof(*list));

    *count = 0;
    for (int i = 0; list && i < s->task_count; i++) {
        const struct mdl_task *t = &s->tasks[i];

        if (t->kind == MDL_TASK_IMPLICIT && t->state != MDL_TASK_CREATED)
            list[(*count)++] = (struct come){t->region, t->runtime, t->thread_num};
    }
    if (list)
        qsort(list, *count, sizeof(*list), by_place);
    return list;
}

static bool has_come(const struct come *list, size_t count, const struct mdl_region *r, int member)
{
    const struct come one = {r->id, r->runtime, r->members[member].thread_num};

    return bsearch(&one, list, count, sizeof(one), by_place);
}

void mdl_find_called(struct insp_snapshot *s)
{
    size_t count;
    struct come *come = all_come(s, &count);

    if (!come)
        s->arena.oom = true;
    for (int i = 0; come && i < s->region_count; i++) {
        const struct mdl_region *r = &s->regions[i];
        bool may_be_parallel = r->kind == MDL_REGION_PARALLEL || r->kind == MDL_REGION_UNKNOWN;

        for (int m = 0; may_be_parallel && m < r->member_count; m++) {
            struct mdl_thread *t = mdl_thread_by_lwp(s, r->members[m].lwp);

            if (!t || t->runtime != r->runtime || t->called || t->state != MDL_STATE_IDLE)
                continue;
            t->called = !has_come(come, count, r, m);
            /* Thread 0 lets the others go, and begins its own part then. */
            if (t->called && m > 0 && !t->released && !has_come(come, count, r, 0))
                t->called_by = r->members[0].lwp;
        }
    }
    free(come);
}

bool mdl_is_gone(const struct mdl_region *r, int num)
{
    return num >= 0 && num < r->member_count && r->members[num].gone;
}

bool mdl_same(const char *a, const char *b)
{
    return (!a && !b) || (a && b && !strcmp(a, b));
}

const char *mdl_base_name(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;

    return slash && slash[1] ? slash + 1 : path;
}

int mdl_icv_thread(const struct insp_snapshot *s)
{
    for (int i = 0; s->current < 0 && i < s->thread_count; i++)
        if (s->threads[i].openmp)
            return i;
    return s->current;
}
