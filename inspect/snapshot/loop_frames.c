/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clang and flang divide a static loop by code of their own, and keep the bounds of the chunk in hand and the
 * iteration in variables .omp.lb, .omp.ub and .omp.iv of the construct's function, which debug information
 * describes where the program is not optimised. Dynamic loops have them too: they say which iteration of its
 * chunk a thread executes.
 */
#include <string.h>

#include "inspect/frames/code.h"
#include "inspect/frames/function.h"
#include "inspect/target/hostcall.h"
#include "inspect/snapshot/snap_loops.h"

enum { MOST_FRAMES = 64, MOST_VARIABLES = 4096, MOST_ALIASES = 16 };

/** The three variables of one frame. */
struct bounds {
    int64_t lower, upper, at;
    unsigned found; /* bit N: of `names` */
    int depth[3];
};

static const char *const names[] = {".omp.lb", ".omp.ub", ".omp.iv"};

/* The number in a variable of an integer type. False: it cannot be read. */
static bool read_number(insp_session *s, const struct insp_variable *v, int64_t *ret)
{
    struct insp_type type = {.target = v->type};
    uint8_t bytes[8];
    uint64_t value = 0;

    if (v->is_value)
        return false;
    for (int i = 0; i < MOST_ALIASES && type.target; i++)
        if (host_type(s, type.target, &type) || type.kind != INSP_TYPE_ALIAS)
            break;
    if ((type.size != 4 && type.size != 8) || host_read(s, v->address, bytes, type.size))
        return false;
    for (size_t i = (size_t)type.size; i > 0; i--)
        value = value << 8 | bytes[i - 1];
    *ret = type.size == 4 && type.kind == INSP_TYPE_INTEGER ? (int32_t)(uint32_t)value : (int64_t)value;
    return true;
}

/* Two loops of a function have variables of the same names; those of the innermost block are visible. */
static void look_at(insp_session *s, const struct insp_variable *v, struct bounds *b)
{
    int64_t *const values[] = {&b->lower, &b->upper, &b->at};

    for (unsigned i = 0; v->name && i < 3; i++) {
        if (strcmp(v->name, names[i]) || (b->found >> i & 1 && b->depth[i] <= v->depth))
            continue;
        if (!read_number(s, v, values[i]))
            continue;
        b->found |= 1u << i;
        b->depth[i] = v->depth;
    }
}

static bool bounds_of_frame(insp_session *s, int64_t lwp, uint32_t frame, struct bounds *b)
{
    struct insp_variable v;

    *b = (struct bounds){0};
    for (uint32_t i = 0;
         i < MOST_VARIABLES && !host_variable(s, INSP_SCOPE_FRAME, (uint64_t)lwp, frame, i, &v); i++)
        look_at(s, &v, b);
    /* What the variables hold before the loop has begun is no part of it. */
    return b->found == 7 && b->depth[0] == b->depth[1] && b->lower <= b->at && b->upper < INT64_MAX &&
           b->at <= b->upper + 1;
}

/* Of the user's frames that are the thread's task, the innermost with a loop. */
static bool bounds_of_thread(insp_session *s, const struct mdl_thread *t, struct bounds *b)
{
    bool inside = false;

    for (uint32_t i = 0; i < MOST_FRAMES; i++) {
        struct insp_frame frame;
        enum insp_code code;

        if (host_frame(s, t->lwp, i, &frame))
            return false;
        code = code_of_frame(s, i ? frame.pc - 1 : frame.pc, &frame);
        if (code == INSP_CODE_OPENMP && inside)
            return false;
        inside |= code == INSP_CODE_USER;
        if (code == INSP_CODE_USER && bounds_of_frame(s, t->lwp, i, b))
            return true;
    }
    return false;
}

/* Whose loop it is: that of the task of a taskloop, else of the implicit task. */
static const struct mdl_task *task_of(const insp_snapshot *snap, const struct mdl_thread *t)
{
    const struct mdl_task *task = mdl_task_by_id(snap, t->runtime, t->task);

    if (!task || task->kind == MDL_TASK_IMPLICIT || task->kind == MDL_TASK_TASKLOOP)
        return task;
    for (int i = 0; i < snap->task_count; i++)
        if (snap->tasks[i].kind == MDL_TASK_IMPLICIT && snap->tasks[i].runtime == t->runtime &&
            snap->tasks[i].region == t->region && snap->tasks[i].lwp == t->lwp)
            return &snap->tasks[i];
    return NULL;
}

static struct mdl_loop *row_of(insp_snapshot *snap, const struct mdl_task *task)
{
    static const char own[] = "the compiler's own code divides the loop";
    static const char *const facts[] = {"iterations", "chunk", "left", "share", "step"};
    struct mdl_loop *rows;

    for (int i = 0; i < snap->loop_count; i++)
        if (snap->loops[i].runtime == task->runtime && snap->loops[i].task == task->id)
            return &snap->loops[i];
    rows = arena_grow(&snap->arena, snap->loops, (size_t)snap->loop_count, sizeof(*rows));
    if (!rows)
        return NULL;
    snap->loops = rows;
    rows += snap->loop_count++;
    *rows = (struct mdl_loop){.runtime = task->runtime,
                              .region = task->region,
                              .task = task->id,
                              .lwp = task->lwp,
                              .thread_num = task->thread_num,
                              .schedule = snap->loops_untold ? MDL_SCHEDULE_UNKNOWN : MDL_SCHEDULE_STATIC};
    for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
        mdl_unknown(snap, &rows->unknown, &rows->unknown_count, facts[i],
                    snap->loops_untold ? "it is not known where this runtime records loops" : own);
    if (snap->loops_untold)
        mdl_unknown(snap, &rows->unknown, &rows->unknown_count, "schedule",
                    "it is not known where this runtime records loops");
    return rows;
}

/* A fact that is known by now. */
static void forget_reason(struct mdl_loop *loop, const char *field)
{
    for (int i = 0; i < loop->unknown_count; i++)
        if (!strcmp(loop->unknown[i].field, field))
            loop->unknown[i--] = loop->unknown[--loop->unknown_count];
}

/* The step of clang's numbers is 1. */
static void take_over(struct mdl_loop *loop, const struct bounds *b)
{
    const bool known = !mdl_unknown_reason(loop->unknown, loop->unknown_count, "has");

    /* The runtime has handed out another chunk by now, or it is of another loop. */
    if (loop->source == MDL_LOOP_OF_RUNTIME && loop->id && known &&
        (!loop->has_count || b->lower != loop->has_first || b->upper != loop->has_last))
        return;
    loop->source = MDL_LOOP_OF_FRAME;
    forget_reason(loop, "has");
    forget_reason(loop, "at");
    forget_reason(loop, "step");
    loop->step = 1;
    loop->has_first = b->lower;
    loop->has_last = b->upper;
    loop->has_count = b->at <= b->upper ? (uint64_t)b->upper - (uint64_t)b->lower + 1 : 0;
    loop->at = b->at;
}

void snap_loop_frames(insp_session *s, insp_snapshot *snap)
{
    for (int i = 0; i < snap->thread_count; i++) {
        const struct mdl_thread *t = &snap->threads[i];
        const struct mdl_task *task = t->openmp && !t->running && t->task ? task_of(snap, t) : NULL;
        struct mdl_loop *loop;
        struct bounds b;

        if (!task || !bounds_of_thread(s, t, &b))
            continue;
        loop = row_of(snap, task);
        if (loop)
            take_over(loop, &b);
    }
}
