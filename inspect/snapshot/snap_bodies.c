/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/snapshot/snap_bodies.h"

#include <string.h>

#include "inspect/frames/code.h"
#include "inspect/frames/construct.h"
#include "inspect/frames/function.h"
#include "inspect/target/hostcall.h"

/* Constructs within constructs; more is damage, or a recursion whose bodies are all one function's. */
enum { NESTING_MAX = 64, STEPS_MAX = 4096 };

/* ---- regions and tasks ------------------------------------------------------------- */

/* Has it no function because the symbol of its body is none? */
static bool lacks_function(struct snap_run *run, const struct mdl_place *place, uint64_t entry)
{
    return !place->function && construct_is_nameless(run->places, entry);
}

/*
 * A call in a body that makes a construct is in the body's own function: that of the region around, or of
 * the task that makes it. Where that one's is not known for another reason, nothing is.
 */
static const char *of_region(struct snap_run *run, const struct mdl_region *r)
{
    for (int i = 0; r && i < NESTING_MAX && lacks_function(run, &r->place, r->entry); i++)
        r = mdl_region_by_id(run->snap, r->runtime, r->parent);
    return r ? r->place.function : NULL;
}

static const char *of_task(struct snap_run *run, const struct mdl_task *task)
{
    for (int i = 0; task && i < NESTING_MAX; i++) {
        const struct mdl_region *own = mdl_region_by_id(run->snap, task->runtime, task->region);

        if (task->kind == MDL_TASK_IMPLICIT && own)
            return of_region(run, own);
        if (!lacks_function(run, &task->place, task->entry))
            return task->place.function;
        task = mdl_task_by_id(run->snap, task->runtime, task->generator);
    }
    return NULL;
}

void snap_construct_functions(struct snap_run *run)
{
    insp_snapshot *snap = run->snap;

    for (int i = 0; i < snap->region_count; i++) {
        struct mdl_region *r = &snap->regions[i];

        if (r->runtime == run->id && lacks_function(run, &r->place, r->entry))
            r->place.function = of_region(run, r);
    }
    for (int i = 0; i < snap->task_count; i++) {
        struct mdl_task *task = &snap->tasks[i];

        if (task->runtime == run->id && lacks_function(run, &task->place, task->entry))
            task->place.function = of_task(run, task);
    }
}

/* ---- frames ------------------------------------------------------------- */

/** A thread's tasks, from the one that it runs to those below it on its stack, and the regions of each. */
struct chain {
    const insp_snapshot *snap;
    int runtime;
    const struct mdl_task *task;
    const struct mdl_region *region;
    int steps;
};

static void chain_start(struct chain *c, const insp_snapshot *snap, const struct mdl_thread *t)
{
    *c = (struct chain){.snap = snap, .runtime = t->runtime};
    c->task = mdl_task_by_id(snap, t->runtime, t->task);
    c->region = mdl_region_by_id(snap, t->runtime, c->task ? c->task->region : t->region);
}

/* The next construct outwards; false after the last. */
static bool chain_next(struct chain *c)
{
    if (!c->region || ++c->steps > STEPS_MAX)
        return false;
    if (c->task)
        c->task = mdl_task_by_id(c->snap, c->runtime, c->task->scheduled_over);
    c->region = mdl_region_by_id(c->snap, c->runtime, c->task ? c->task->region : c->region->parent);
    return c->region;
}

/* The function of the construct whose body begins at START. What lies inside of it on the stack is behind the
   chain then; where there is none the chain stays where it is. */
static const char *function_of(struct chain *c, uint64_t start)
{
    struct chain at = *c;

    do {
        const struct mdl_place *found = at.task && at.task->entry == start       ? &at.task->place
                                        : at.region && at.region->entry == start ? &at.region->place
                                                                                 : NULL;

        if (found && found->function) {
            *c = at;
            return found->function;
        }
    } while (chain_next(&at));
    c->steps = at.steps;
    return NULL;
}

static void list_function(struct snap_functions *known, uint64_t entry, const struct mdl_place *place)
{
    uint64_t *at = entry && place->function ? hash_add(&known->by_entry, entry, NULL) : NULL;

    if (at && !*at)
        *at = (uintptr_t)place->function;
}

/* The function of the body that begins at START, by any region or task that has it: all of one body are in
   the same function. For a body that no known chain leads to: not every runtime records what a task has
   suspended. */
static const char *function_of_any(const insp_snapshot *snap, struct snap_functions *known, uint64_t start)
{
    const uint64_t *at;

    for (int i = 0; !known->listed && i < snap->region_count; i++)
        list_function(known, snap->regions[i].entry, &snap->regions[i].place);
    for (int i = 0; !known->listed && i < snap->task_count; i++)
        list_function(known, snap->tasks[i].entry, &snap->tasks[i].place);
    known->listed = true;
    at = hash_find(&known->by_entry, start, NULL);
    return at ? (const char *)(uintptr_t)*at : NULL;
}

/* Where the function of frame I begins; 0: not known. A debugger may name what is inlined there instead. */
static uint64_t function_start(insp_session *s, const struct mdl_thread *t, int i)
{
    const uint64_t pc = t->frames[i].pc, addr = i && pc ? pc - 1 : pc;
    struct insp_place place;

    if (host_place(s, addr, &place) || !place.symbol || place.offset > addr)
        return 0;
    return function_is_nameless(place.symbol) || !t->frames[i].inlined ? addr - place.offset : 0;
}

/* The thread that meets a construct calls the region's body from the function that has it, by the runtime. A
   task's may be run from anywhere. */
static const char *function_around(const struct mdl_thread *t, int i)
{
    if (!function_same_body(t->frames[i].symbol, ".omp_task_entry."))
        return NULL;
    for (i++; i < t->frame_count && t->frames[i].code == INSP_CODE_OPENMP;)
        i++;
    return i < t->frame_count && code_is_users(t->frames[i].code) ? t->frames[i].place.function : NULL;
}

/* Leaves of the frames FROM to TO the innermost one, which is where the thread is in the body. */
static void keep_innermost(struct mdl_thread *t, int from, int to)
{
    t->frames[from].symbol = t->frames[to].symbol;
    t->frames[from].inlined = t->frames[to].inlined;
    for (int i = to + 1; i < t->frame_count; i++)
        t->frames[from + 1 + i - (to + 1)] = t->frames[i];
    t->frame_count -= to - from;
}

/* ---- wrappers ------------------------------------------------------------- */

/* "Guard::Guard", "Guard<int>::~Guard": a constructor or destructor, by its name as a person reads it. */
static bool is_structor(const char *function)
{
    const char *name = function, *class = NULL, *end;
    int depth = 0;
    size_t length;

    for (const char *c = function; c && *c; c++) {
        depth += *c == '<' || *c == '(' || *c == '{' ? 1 : *c == '>' || *c == ')' || *c == '}' ? -1 : 0;
        if (depth == 0 && c[0] == ':' && c[1] == ':') {
            class = name;
            name = c + 2;
        }
    }
    if (!class)
        return false;
    end = class + strcspn(class, "<:");
    length = (size_t)(end - class);
    name += *name == '~';
    return length && strcspn(name, "<") == length && !memcmp(class, name, length);
}

bool snap_is_wrapper(const struct mdl_frame *f)
{
    return f->code == INSP_CODE_CXX || is_structor(f->place.function);
}

/* The frame of the wrapper in which T waits, -1 none. */
static int wrapper_of(const struct mdl_thread *t)
{
    int at = 0;

    while (at < t->frame_count && t->frames[at].pc != t->wait.codeptr)
        at++;
    if (!t->wait.kind || !t->wait.codeptr || at >= t->frame_count)
        return -1;
    if (is_structor(t->frames[at].place.function))
        return at;
    return at + 1 < t->frame_count && t->frames[at + 1].code == INSP_CODE_CXX ? at : -1;
}

bool snap_waits_in_wrapper(const struct mdl_thread *t)
{
    return wrapper_of(t) >= 0;
}

/* Where the program has called what waits, if that is a wrapper: what holds a lock as long as it lives, also
   through std::lock_guard. */
static void find_caller(struct mdl_thread *t)
{
    int at = wrapper_of(t);

    if (at < 0)
        return;
    for (at++; at < t->frame_count && snap_is_wrapper(&t->frames[at]);)
        at++;
    if (at < t->frame_count && code_is_users(t->frames[at].code))
        t->wait.caller = t->frames[at].place;
}

void snap_bodies(insp_session *s, insp_snapshot *snap, struct snap_functions *known, struct mdl_thread *t)
{
    struct chain chain;

    chain_start(&chain, snap, t);
    for (int i = 0; i < t->frame_count; i++) {
        int last = i;

        while (last + 1 < t->frame_count &&
               function_same_body(t->frames[last].symbol, t->frames[last + 1].symbol))
            last++;
        if (function_is_nameless(t->frames[last].symbol)) {
            const uint64_t start = function_start(s, t, last);

            t->frames[i].place.function = start ? function_of(&chain, start) : NULL;
            if (start && !t->frames[i].place.function)
                t->frames[i].place.function = function_of_any(snap, known, start);
        }
        if (last > i) {
            t->frames[i].entry = function_start(s, t, last);
            keep_innermost(t, i, last);
        }
    }
    /* From outside: a body may be called by another one. */
    for (int i = t->frame_count - 1; i >= 0; i--)
        if (!t->frames[i].place.function && function_is_nameless(t->frames[i].symbol))
            t->frames[i].place.function = function_around(t, i);
    find_caller(t);
}
