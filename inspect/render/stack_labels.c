/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A construct's body is a function that the compiler has made and the runtime, or in place of it the program
 * itself, calls. Which construct's, its code tells: the thread's tasks and regions say where that begins. A
 * frame has no beginning of its function, so the nearest one before its pc has to be the construct's.
 */
#include "inspect/render/stack_labels.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "inspect/base/hash.h"
#include "inspect/frames/code.h"
#include "inspect/frames/function.h"

/* A region or a task in which the thread is. */
struct construct {
    uint64_t entry;
    const char *word;
    const struct mdl_place *place;
};
/* Deeper nests are damage. */
enum { CONSTRUCTS = 256 };

static const char *task_word(const struct mdl_task *t)
{
    return t->kind == MDL_TASK_TASKLOOP ? "taskloop" : t->kind == MDL_TASK_TARGET ? "target" : "task";
}

/* Innermost first; returns how many. */
static int constructs_of(const insp_snapshot *s, const struct mdl_thread *t, struct construct *ret)
{
    const struct mdl_task *task = mdl_task_by_id(s, t->runtime, t->task);
    int count = 0;

    for (int steps = 0; task && count < CONSTRUCTS && steps < 2 * CONSTRUCTS; steps++) {
        const struct mdl_region *r = mdl_region_by_id(s, task->runtime, task->region);

        if (task->kind != MDL_TASK_IMPLICIT && task->kind != MDL_TASK_INITIAL) {
            ret[count++] = (struct construct){task->entry, task_word(task), &task->place};
            task = mdl_task_by_id(s, task->runtime, task->scheduled_over);
            continue;
        }
        if (r && (r->kind == MDL_REGION_PARALLEL || r->kind == MDL_REGION_TEAMS))
            ret[count++] = (struct construct){r->entry ? r->entry : task->entry,
                                              r->kind == MDL_REGION_TEAMS ? "teams" : "parallel", &r->place};
        /* A thread that created the region had another task before. */
        task = r ? mdl_task_by_id(s, r->runtime, r->parent_task) : NULL;
        task = task && task->lwp == t->lwp ? task : NULL;
    }
    return count;
}

static int by_address(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

static bool add_entry(struct hash *seen, struct stack_entries *e, struct arena *a, uint64_t entry)
{
    uint64_t *at = entry ? hash_add(seen, entry, NULL) : NULL, *grown;

    if (!entry || (at && *at))
        return true;
    grown = at ? arena_grow(a, e->entry, (size_t)e->count, sizeof(*grown)) : NULL;
    if (!grown)
        return false;
    e->entry = grown;
    e->entry[e->count++] = entry;
    *at = 1;
    return true;
}

bool stack_entries(const struct text_view *v, struct stack_entries *ret)
{
    const insp_snapshot *s = v->snap;
    struct hash seen = {.arena = v->arena};
    struct stack_entries e = {0};

    for (int i = 0; i < s->region_count; i++)
        if (!add_entry(&seen, &e, v->arena, s->regions[i].entry))
            return false;
    for (int i = 0; i < s->task_count; i++)
        if (!add_entry(&seen, &e, v->arena, s->tasks[i].entry))
            return false;
    if (e.count)
        qsort(e.entry, (size_t)e.count, sizeof(*e.entry), by_address);
    *ret = e;
    return true;
}

/* The nearest one before PC; 0 none. */
static uint64_t entry_before(const struct stack_entries *e, uint64_t pc)
{
    int low = 0, high = e->count;

    while (low < high) {
        int mid = low + (high - low) / 2;

        if (e->entry[mid] <= pc)
            low = mid + 1;
        else
            high = mid;
    }
    return low ? e->entry[low - 1] : 0;
}

static bool has(const struct mdl_frame *f, const char *part)
{
    const char *name = f->symbol ? f->symbol : f->place.function;

    return name && strstr(name, part);
}

/* clang's names, of any version. */
static bool is_inner(const struct mdl_frame *f)
{
    return has(f, "omp_outlined_debug__") || has(f, "omp_outlined._debug__");
}

static bool is_wrapper(const struct mdl_frame *f)
{
    return (has(f, "omp_outlined") || has(f, "omp_task_entry")) && !is_inner(f);
}

/*
 * Could the function of frame I be one where a construct's code begins? The runtime has called it, and not
 * another one that the body has left by a jump to; or it is the compiler's, and the program has called it
 * itself, as where a construct is not parallel or not deferred.
 */
static bool may_be_body(const struct mdl_thread *t, int i)
{
    const struct mdl_frame *f = &t->frames[i], *by = i + 1 < t->frame_count ? f + 1 : NULL;

    if (!code_is_users(f->code) || f->inlined)
        return false;
    if (by && by->code == INSP_CODE_OPENMP)
        return !f->symbol || function_is_outlined(f->symbol);
    return has(f, "._omp_fn") || (is_wrapper(f) && !(by && has(by, "omp_task_entry")));
}

static bool is_fortran(const char *file)
{
    const char *dot = file ? strrchr(file, '.') : NULL;
    char c = dot ? (char)tolower((unsigned char)dot[1]) : '\0';

    return c == 'f' && (!dot[2] || isdigit((unsigned char)dot[2]) || !strcasecmp(dot, ".for") ||
                        !strcasecmp(dot, ".ftn"));
}

static const char *pragma(const struct text_view *v, const struct construct *c)
{
    const char *text =
        arena_printf(v->arena, is_fortran(c->place->file) ? "!$omp %s" : "#pragma omp %s", c->word);

    return text_construct(v, text ? text : "construct", c->place);
}

const char *stack_construct(const struct text_view *v, const struct mdl_thread *t)
{
    struct construct list[CONSTRUCTS];

    return constructs_of(v->snap, t, list) ? pragma(v, &list[0]) : NULL;
}

const struct stack_label *stack_labels(const struct text_view *v, const struct stack_entries *e,
                                       const struct mdl_thread *t)
{
    struct stack_label *labels = arena_alloc(v->arena, ((size_t)t->frame_count + 1) * sizeof(*labels));
    struct construct list[CONSTRUCTS];
    int count = constructs_of(v->snap, t, list), next = 0;

    for (int i = 0; labels && i < t->frame_count && next < count; i++) {
        const struct mdl_frame *f = &t->frames[i];
        uint64_t entry = !may_be_body(t, i) ? 0 : f->entry ? f->entry : entry_before(e, f->pc);
        int at = i, c = next;

        while (entry && c < count && list[c].entry != entry)
            c++;
        if (!entry || c == count)
            continue;
        /* What the user has written is in the inner one of clang's two. */
        if (is_wrapper(f) && !f->entry && i > 0 && code_is_users(t->frames[i - 1].code) &&
            (is_inner(&t->frames[i - 1]) || has(&t->frames[i - 1], "omp_outlined"))) {
            labels[i].wrapper = true;
            at = i - 1;
        }
        labels[at].construct = pragma(v, &list[c]);
        labels[at].function = list[c].place->function;
        next = c + 1;
    }
    return labels;
}
