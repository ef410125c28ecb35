/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Random programs for a team: a list of constructs that all its threads walk through, as far as nowait lets
 * them each at its own pace.
 */
#include "stress.h"

#ifdef __clang__
#pragma clang diagnostic ignored "-Wsign-compare" /* of what it makes itself of a taskloop */
#endif

enum kind {
    LOOP,
    SECTIONS,
    SINGLE,
    SINGLE_WAIT,
    COPYPRIVATE,
    BARRIER,
    CRITICAL,
    MASTER,
    REDUCE,
    TASKS,
    TASKWAIT,
    GROUP,
    TASKLOOP,
    SCOPE,
    KINDS
};

/** One construct of a program. */
struct op {
    int kind, size, value;
    struct loop loop;
    int *hits; /**< what each item of this construct did: size of them, or size for each thread */
    long sum;
};

/** What one thread knows of its own tasks. */
struct own {
    int created;
    int done;
    char padding[56];
};

static void item(int *hit, struct run *mine)
{
    ADD(*hit, 1);
    disturb(mine);
}

#define SECTION(i)      \
    PRAGMA(omp section) \
    item(&op->hits[i], mine);

static void sections(struct op *op, struct run *mine)
{
    switch (op->size) {
    case 1:
#pragma omp sections nowait
    {
        SECTION(0)
    } break;
    case 2:
#pragma omp sections
    {
        SECTION(0)
        SECTION(1)
    } break;
    default:
#pragma omp sections nowait
    {
        SECTION(0)
        SECTION(1)
        SECTION(2)
        SECTION(3)
        SECTION(4)
        SECTION(5)
        SECTION(6)
        SECTION(7)
        SECTION(8)
    }
    }
}

static void copyprivate(struct op *op, struct run *mine)
{
    int value = -1;
    double more[12] = {0};
#pragma omp single copyprivate(value, more)
    {
        value = op->value;
        more[11] = op->value + 0.5;
        item(&op->hits[0], mine);
    }
    CHECK_EQ(value, op->value);
    CHECK_EQ(more[11] * 2, op->value * 2 + 1);
}

static void tasks(struct op *op, struct own *own, struct run *mine)
{
    int first = omp_get_thread_num() * op->size;
    for (int i = 0; i < op->size; i++) {
        struct run in_task = branch(mine, i, 1);
        own->created++;
#pragma omp task firstprivate(in_task) if (in_task.state % 5 != 0) priority((int)(in_task.state >> 8 & 3))
        {
            item(&op->hits[first + i], &in_task);
            ADD(own->done, 1);
        }
    }
}

static void group(struct op *op, struct run *mine)
{
    int first = omp_get_thread_num() * op->size;
#pragma omp taskgroup
    {
        for (int i = 0; i < op->size; i += 2) {
            struct run in_task = branch(mine, i, 1);
#pragma omp task firstprivate(in_task)
            {
                if (i + 1 < op->size) {
#pragma omp task firstprivate(in_task)
                    item(&op->hits[first + i + 1], &in_task);
                }
                item(&op->hits[first + i], &in_task);
            }
        }
    }
    for (int i = 0; i < op->size; i++)
        CHECK_EQ(LOAD(op->hits[first + i]), 1);
}

static void taskloop(struct op *op, struct run *mine)
{
    int first = omp_get_thread_num() * op->size, grain = op->value % 4 + 1;
    uint64_t state = mine->state;
#pragma omp taskloop grainsize(grain) firstprivate(state)
    for (int i = 0; i < op->size; i++) {
        struct run in_task = {.state = stress_mix(state, (uint64_t)i)};
        item(&op->hits[first + i], &in_task);
    }
    for (int i = 0; i < op->size; i++)
        CHECK_EQ(LOAD(op->hits[first + i]), 1);
}

static void step(struct op *op, struct own *own, struct run *mine)
{
    switch (op->kind) {
    case LOOP:
        loop_run(&op->loop, mine);
        break;
    case SECTIONS:
        sections(op, mine);
        break;
    case SINGLE:
#pragma omp single nowait
        item(&op->hits[0], mine);
        break;
    case SINGLE_WAIT:
#pragma omp single
        item(&op->hits[0], mine);
        CHECK_EQ(LOAD(op->hits[0]), 1);
        break;
    case COPYPRIVATE:
        copyprivate(op, mine);
        break;
    case BARRIER: {
        ADD(op->sum, 1);
#pragma omp barrier
        CHECK_EQ(LOAD(op->sum), omp_get_num_threads());
        CHECK_EQ(LOAD(own->done), own->created);
        break;
    }
    case CRITICAL:
#pragma omp critical(stress_program)
        op->sum += 1;
        break;
    case MASTER:
#pragma omp master
        item(&op->hits[0], mine);
        break;
    case TASKS:
        tasks(op, own, mine);
        break;
    case TASKWAIT: {
#pragma omp taskwait
        CHECK_EQ(LOAD(own->done), own->created);
        break;
    }
    case GROUP:
        group(op, mine);
        break;
    case TASKLOOP:
        taskloop(op, mine);
        break;
    case SCOPE:
#if GCC_AT_LEAST(12) || CLANG_AT_LEAST(20)
#pragma omp scope nowait
#endif
        ADD(op->sum, 1);
        break;
    default:
        break;
    }
}

static void plan(struct op *op, struct run *r, int n)
{
    *op = (struct op){.kind = pick(r, 4) ? pick(r, KINDS) : LOOP, .value = pick(r, 10000)};
    static const int sections_of[] = {1, 2, 9};
    op->size = op->kind == SECTIONS ? sections_of[pick(r, 3)] : pick(r, 12);
    if (op->kind == LOOP)
        loop_plan(&op->loop, r);
    else
        op->hits = take((size_t)(op->size + 1) * (size_t)n, sizeof *op->hits);
}

/** Returns what the operation added to the reduction variable of the region. */
static long check(struct op *op, int n)
{
    long reduced = 0;
    switch (op->kind) {
    case LOOP:
        loop_check(&op->loop);
        return 0;
    case SECTIONS:
        CHECK_ONCE(op->hits, op->size);
        break;
    case SINGLE:
    case SINGLE_WAIT:
    case COPYPRIVATE:
    case MASTER:
        CHECK_EQ(op->hits[0], 1);
        break;
    case BARRIER:
    case CRITICAL:
    case SCOPE:
        CHECK_EQ(op->sum, n);
        break;
    case TASKS:
    case GROUP:
    case TASKLOOP:
        CHECK_ONCE(op->hits, (long)op->size * n);
        break;
    case REDUCE:
        reduced = (long)op->size * op->value;
        break;
    default:
        break;
    }
    free(op->hits);
    return reduced;
}

static void program(struct run *r)
{
    int n = team_size(r), count = 1 + pick(r, 60), rounds = 1 + pick(r, 3);
    struct op *ops = take((size_t)count, sizeof *ops);
    struct own *owns = take((size_t)n, sizeof *owns);
    for (int round = 0; round < rounds; round++) {
        long sum = 0, true_sum = 0;
        for (int i = 0; i < n; i++)
            owns[i] = (struct own){0};
        for (int i = 0; i < count; i++)
            plan(&ops[i], r, n);
#pragma omp parallel num_threads(n)
        {
            struct run mine = branch(r, omp_get_thread_num(), n);
            struct own *own = &owns[omp_get_thread_num()];
            CHECK_EQ(omp_get_num_threads(), n);
            for (int i = 0; i < count; i++) {
                disturb(&mine);
                if (ops[i].kind != REDUCE) {
                    step(&ops[i], own, &mine);
                } else if (ops[i].value % 2) {
#pragma omp for reduction(+ : sum) nowait
                    for (int k = 0; k < ops[i].size; k++)
                        sum += ops[i].value;
                        /*
                         * The value is the region's only behind a barrier, which the next such loop needs
                         * too.
                         */
#pragma omp barrier
                } else {
#pragma omp for reduction(+ : sum) schedule(dynamic)
                    for (int k = 0; k < ops[i].size; k++)
                        sum += ops[i].value;
                }
            }
        }
        for (int i = 0; i < n; i++)
            CHECK_EQ(owns[i].done, owns[i].created);
        for (int i = 0; i < count; i++)
            true_sum += check(&ops[i], n);
        CHECK_EQ(sum, true_sum);
    }
    free(owns);
    free(ops);
}

const struct scenario scenarios_program[] = {{"program", program, RUN_NAMES, 12}, {NULL, NULL, 0, 0}};
