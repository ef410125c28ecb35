/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Random graphs of dependences. A model of the sequential program says for each task which ones must be over
 * before it starts (OpenMP 5.2 section 15.9.5); each task checks that when it runs.
 */
#include "stress.h"

#define TASKS     64 /**< one bit each */
#define ADDRESSES 6

#define HAS_INOUTSET (GCC_AT_LEAST(13) || (CLANG_AT_LEAST(16) && _OPENMP >= 202011))

enum type { IN, OUT, INOUT, MUTEX, SET, TYPES };

struct node {
    enum type type[ADDRESSES]; /**< TYPES: does not depend on that address */
    uint64_t before;           /**< tasks that must be over */
    int form, done;
};

/** What the sequential program has done with an address so far. */
struct history {
    uint64_t last, before_last; /**< tasks that may run together, and those before them */
    enum type type;
};

struct graph {
    struct node nodes[TASKS];
    char addresses[ADDRESSES];
    int inside[ADDRESSES]; /**< tasks with mutexinoutset that are running */
    int n;
    uint64_t state;
};

/** Those that a task with such a dependence has to wait for; it becomes part of the history. */
static uint64_t follow(struct history *history, enum type type, int number)
{
    enum type kind = type == INOUT ? OUT : type;
    if (kind == OUT || kind != history->type) {
        history->before_last = history->last;
        history->last = 0;
        history->type = kind;
    }
    history->last |= 1ull << number;
    return history->before_last;
}

enum form { BY_LIST, ONE, DEPOBJ, UNDEFERRED, WAIT, FORMS };

static void plan(struct graph *graph, struct run *r)
{
    struct history history[ADDRESSES] = {{0, 0, OUT}};
    *graph = (struct graph){.n = 1 + pick(r, TASKS - 1), .state = r->state};
    int addresses = 1 + pick(r, ADDRESSES);
    for (int i = 0; i < ADDRESSES; i++)
        history[i].type = OUT;
    for (int i = 0; i < graph->n; i++) {
        struct node *node = &graph->nodes[i];
        node->form = pick(r, 3) ? BY_LIST : pick(r, FORMS);
        int most = node->form == ONE || node->form == DEPOBJ ? 1 : 1 + pick(r, 3);
        for (int k = 0; k < ADDRESSES; k++)
            node->type[k] = TYPES;
        for (int k = 0; k < most; k++) {
            int at = pick(r, addresses);
            enum type type = (enum type)pick(r, HAS_INOUTSET ? TYPES : SET);
            /*
             * taskwait takes no mutexinoutset; on no more than one address, as mutual exclusion of several
             * says nothing of the order.
             */
            if (node->form == WAIT && type == MUTEX)
                type = INOUT;
            node->type[at] = type;
        }
        /* A taskwait is over when what it waits for is: it is no task in the history of others. */
        for (int k = 0; k < ADDRESSES; k++)
            if (node->type[k] != TYPES) {
                struct history unchanged = history[k];
                node->before |= follow(&history[k], node->type[k], i);
                if (node->form == WAIT)
                    history[k] = unchanged;
            }
    }
}

/** The code of each task. */
static void work(struct graph *graph, int i)
{
    struct node *node = &graph->nodes[i];
    struct run mine = {.state = stress_mix(graph->state, (uint64_t)i)};
    for (int k = 0; k < graph->n; k++)
        if (node->before >> k & 1 && !LOAD(graph->nodes[k].done)) {
            CHECK_EQ(k, -1); /* that task should have been over */
        }
    for (int k = 0; k < ADDRESSES; k++)
        if (node->type[k] == MUTEX)
            CHECK_EQ(ADD(graph->inside[k], 1), 1);
    disturb(&mine);
    if (chance(&mine, 20)) {
        int inner = 0;
#pragma omp task shared(inner) depend(out : inner)
        inner++;
#pragma omp task shared(inner) depend(inout : inner)
        inner *= 2;
#pragma omp taskwait
        CHECK_EQ(inner, 2);
    }
    for (int k = 0; k < ADDRESSES; k++)
        if (node->type[k] == MUTEX)
            ADD(graph->inside[k], -1);
    CHECK_EQ(ADD(node->done, 1), 1);
}

static void by_list(struct graph *graph, int i)
{
    struct node *node = &graph->nodes[i];
    char *at __attribute__((unused)) = graph->addresses;
    int lists[TYPES][ADDRESSES], count[TYPES] = {0};
    for (int k = 0; k < ADDRESSES; k++)
        if (node->type[k] != TYPES)
            lists[node->type[k]][count[node->type[k]]++] = k;
    int deferred = node->form != UNDEFERRED;
#define THOSE(type, kind) depend(iterator(int k = 0 : count[kind]), type : at[lists[kind][k]])
#if HAS_INOUTSET
#define SETS THOSE(inoutset, SET)
#else
#define SETS
#endif
    if (node->form == WAIT) {
        /* No task, but bound by the same rules. */
#pragma omp taskwait THOSE(in, IN) THOSE(out, OUT) THOSE(inout, INOUT) SETS
        for (int k = 0; k < graph->n; k++)
            if (node->before >> k & 1)
                CHECK_EQ(LOAD(graph->nodes[k].done), 1);
        STORE(node->done, 1);
        return;
    }
#pragma omp task if (deferred) priority(i) THOSE(in, IN) THOSE(out, OUT) THOSE(inout, INOUT) \
    THOSE(mutexinoutset, MUTEX) SETS
    work(graph, i);
}

/** A task that depends on one address, and so on nothing besides. */
static void by_one(struct graph *graph, int i)
{
    struct node *node = &graph->nodes[i];
    int k = 0;
    while (node->type[k] == TYPES)
        k++;
    char *at = &graph->addresses[k];
    if (node->form == DEPOBJ) {
        omp_depend_t object;
        if (node->type[k] == IN) {
#pragma omp depobj(object) depend(in : *at)
        } else if (node->type[k] == MUTEX) {
#pragma omp depobj(object) depend(mutexinoutset : *at)
        } else if (node->type[k] == SET) {
#if HAS_INOUTSET
#pragma omp depobj(object) depend(inoutset : *at)
#endif
        } else {
#pragma omp depobj(object) depend(in : *at)
#pragma omp depobj(object) update(inout)
        }
#pragma omp task depend(depobj : object)
        work(graph, i);
#pragma omp depobj(object) destroy
        return;
    }
    switch (node->type[k]) {
    case IN:
#pragma omp task depend(in : *at)
        work(graph, i);
        break;
    case OUT:
#pragma omp task depend(out : *at)
        work(graph, i);
        break;
    case INOUT:
#pragma omp task depend(inout : *at) untied
        work(graph, i);
        break;
    case MUTEX:
#pragma omp task depend(mutexinoutset : *at)
        work(graph, i);
        break;
    default:
#if HAS_INOUTSET
#pragma omp task depend(inoutset : *at)
        work(graph, i);
#endif
        break;
    }
}

static void create(struct graph *graph)
{
    struct run mine = {.state = stress_mix(graph->state, 99)};
    for (int i = 0; i < graph->n; i++) {
        if (graph->nodes[i].form == ONE || graph->nodes[i].form == DEPOBJ)
            by_one(graph, i);
        else
            by_list(graph, i);
        if (i % 8 == 0)
            disturb(&mine);
    }
}

static void check(struct graph *graph)
{
    for (int i = 0; i < graph->n; i++)
        CHECK_EQ(graph->nodes[i].done, 1);
}

/** One or several graphs at once, by implicit or explicit tasks. */
static void graphs(struct run *r)
{
    int n = team_size(r), count = 1 + pick(r, 4), in_task = pick(r, 2);
    struct graph *list = take((size_t)count, sizeof *list);
    for (int i = 0; i < count; i++)
        plan(&list[i], r);
#pragma omp parallel num_threads(n)
    {
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < count; i++) {
            if (in_task) {
#pragma omp task firstprivate(i)
                create(&list[i]);
            } else {
                create(&list[i]);
                if (i % 2) {
#pragma omp taskwait
                    check(&list[i]);
                }
            }
        }
    }
    for (int i = 0; i < count; i++)
        check(&list[i]);
    free(list);
}

/**
 * Blocks that depend on their neighbours to the left and above: a wave of tasks with plain data between them.
 */
static void wave(struct run *r)
{
    enum { SIDE = 12 };
    int n = team_size(r), side = 2 + pick(r, SIDE - 2);
    long grid[SIDE + 1][SIDE + 1] = {{0}}, truth[SIDE + 1][SIDE + 1] = {{0}};
    uint64_t salt = r->state;
    for (int i = 1; i <= side; i++)
        for (int j = 1; j <= side; j++)
            truth[i][j] =
                truth[i - 1][j] + truth[i][j - 1] + (long)(stress_mix(salt, (uint64_t)(i * SIDE + j)) % 100);
#pragma omp parallel num_threads(n)
#pragma omp single
    for (int i = 1; i <= side; i++)
        for (int j = 1; j <= side; j++) {
            struct run mine = branch(r, i * SIDE + j, 1);
#pragma omp task depend(in : grid[i - 1][j], grid[i][j - 1]) depend(out : grid[i][j]) firstprivate(mine, i, j)
            {
                disturb(&mine);
                grid[i][j] = grid[i - 1][j] + grid[i][j - 1] +
                             (long)(stress_mix(salt, (uint64_t)(i * SIDE + j)) % 100);
            }
        }
    for (int i = 1; i <= side; i++)
        for (int j = 1; j <= side; j++)
            CHECK_EQ(grid[i][j], truth[i][j]);
}

/* ---- only the one that is waited for ------------------------------------------------------------------- */

static void until(const int *flag, struct run *mine)
{
    while (!LOAD(*flag))
        disturb(mine);
}

/** A task that begins elsewhere before this goes on, and soon sets *x. */
static void make_one(long *x, struct run *mine)
{
    int runs = 0;
    struct run inside = branch(mine, 1, 1);
#pragma omp task depend(out : x[0]) firstprivate(inside, x) shared(runs)
    {
        STORE(runs, 1);
        for (int i = 0; i < 20; i++)
            disturb(&inside);
        *x = 1;
    }
    until(&runs, mine);
}

/**
 * A thread waits for one of two tasks, which run elsewhere; the other one goes on until that thread has gone
 * on. So nothing but the end of the first can wake it.
 */
static void wait_for_one(struct run *r)
{
    int how = pick(r, 3), runs = 0, over = 0;
    long x = 0;
    if (3 * r->threads > STRESS_THREADS)
        return;
#pragma omp parallel num_threads(3)
#pragma omp single
    if (omp_get_num_threads() == 3) {
        struct run mine = branch(r, 1, 3), others = branch(r, 2, 3);
#pragma omp task shared(over, runs) firstprivate(others)
        {
            STORE(runs, 1);
            until(&over, &others);
        }
        until(&runs, &mine);
        if (how == 0) {
            make_one(&x, &mine);
#pragma omp taskwait depend(in : x)
        } else if (how == 1) {
            make_one(&x, &mine);
#pragma omp task depend(in : x) shared(x) if (0)
            CHECK_EQ(x, 1);
        } else {
#pragma omp taskgroup
            make_one(&x, &mine);
        }
        CHECK_EQ(x, 1);
        STORE(over, 1);
    }
}

const struct scenario scenarios_depend[] = {{"graphs", graphs, 0, 10},
                                            {"wave", wave, 0, 3},
                                            {"wait_for_one", wait_for_one, 0, 3},
                                            {NULL, NULL, 0, 0}};
