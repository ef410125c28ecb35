/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What one thread writes is there for another one behind each construct that orders the two. All of it is in
 * plain variables, nothing is atomic: under ThreadSanitizer an order that is missing is a race, also where
 * the value is right.
 */
#include <pthread.h>

#include "stress.h"

#define MOST  8  /**< threads of a team */
#define TASKS 24 /**< of one thread in a round */

struct field {
    int n, round;
    long cells[MOST];
    long tasks[MOST][TASKS];
    long below[MOST][TASKS]; /**< of tasks inside of these */
    long common;
};

static void see_cells(const struct field *f, long value)
{
    for (int i = 0; i < f->n; i++)
        CHECK_EQ(f->cells[i], value + i);
}

static void see_tasks(const struct field *f, int who, int count, long value)
{
    for (int i = 0; i < count; i++) {
        CHECK_EQ(f->tasks[who][i], value + i);
        CHECK_EQ(f->below[who][i], i % 3 == 0 ? value - i : 0);
    }
}

/** Each makes tasks, some with a task inside; `waits`: until that one is over. */
static void make_tasks(struct field *f, int who, int count, long value, int waits, struct run *mine)
{
    for (int i = 0; i < count; i++) {
        struct run inside = branch(mine, i, 1);
        f->below[who][i] = 0;
#pragma omp task firstprivate(inside, i) if (i % 7 != 6)
        {
            disturb(&inside);
            if (i % 3 == 0) {
#pragma omp task firstprivate(i)
                f->below[who][i] = value - i;
                if (waits) {
#pragma omp taskwait
                    CHECK_EQ(f->below[who][i], value - i);
                }
            }
            f->tasks[who][i] = value + i;
        }
    }
}

static void by_barrier(struct field *f, int me, long value, struct run *mine)
{
    f->cells[me] = value + me;
    disturb(mine);
#pragma omp barrier
    see_cells(f, value);
}

/** Tasks of some, waited for by all; a second barrier with tasks that were made behind the first. */
static void by_barrier_with_tasks(struct field *f, int me, long value, struct run *mine)
{
    int count = 1 + f->round % TASKS, makers = 1 + f->round % f->n;
    for (int twice = 0; twice < 2; twice++, value++) {
        if (me < makers)
            make_tasks(f, me, count, value, 0, mine);
        f->cells[me] = value + me;
#pragma omp barrier
        see_cells(f, value);
        for (int who = 0; who < makers; who++)
            see_tasks(f, who, count, value);
#pragma omp barrier
    }
}

static void by_taskwait(struct field *f, int me, long value, struct run *mine)
{
    int count = 1 + f->round % TASKS;
    make_tasks(f, me, count, value, 1, mine);
#pragma omp taskwait
    see_tasks(f, me, count, value);
}

static void by_taskgroup(struct field *f, int me, long value, struct run *mine)
{
    int count = 1 + f->round % TASKS;
#pragma omp taskgroup
    make_tasks(f, me, count, value, 0, mine);
    see_tasks(f, me, count, value);
}

/** Writers one after the other, readers between them; the last one read by its creator. */
static void by_dependences(struct field *f, int me, long value, struct run *mine)
{
    long *cell = &f->tasks[me][0], *other = &f->tasks[me][1];
    *cell = *other = value;
    for (int i = 0; i < TASKS; i++) {
        struct run inside = branch(mine, i, 1);
#pragma omp task depend(inout : cell[0]) depend(inout : other[0]) firstprivate(inside, i)
        {
            CHECK_EQ(*cell, value + i);
            disturb(&inside);
            *cell = *other = value + i + 1;
        }
#pragma omp task depend(in : cell[0]) firstprivate(i) if (i % 5)
        CHECK_EQ(*cell, value + i + 1);
#pragma omp task depend(in : other[0]) firstprivate(i)
        CHECK_EQ(*other, value + i + 1);
    }
#pragma omp taskwait depend(in : cell[0])
    CHECK_EQ(*cell, value + TASKS);
#pragma omp taskwait
}

static void by_single(struct field *f, int me, long value, struct run *mine)
{
    long mine_too = 0;
#pragma omp single copyprivate(mine_too)
    {
        disturb(mine);
        f->common = value;
        mine_too = value + 1;
    }
    CHECK_EQ(f->common, value);
    CHECK_EQ(mine_too, value + 1);
    (void)me;
#pragma omp barrier
#pragma omp single
    f->common = value + 2;
    CHECK_EQ(f->common, value + 2);
}

static void by_turns(struct field *f, int me, long value, struct run *mine)
{
    int trip = 1 + f->round % 40;
#pragma omp single
    f->common = value;
#pragma omp for ordered schedule(dynamic)
    for (int i = 0; i < trip; i++) {
        disturb(mine);
#pragma omp ordered
        {
            CHECK_EQ(f->common, value + i);
            f->common++;
        }
    }
    CHECK_EQ(f->common, value + trip);
    (void)me;
}

/** A doacross loop: each iteration takes what the one before has left. */
static void by_sinks(struct field *f, int me, long value, struct run *mine)
{
    int trip = TASKS;
    long *left = f->tasks[0];
#pragma omp for ordered(1) schedule(static, 1)
    for (int i = 0; i < trip; i++) {
        disturb(mine);
#pragma omp ordered depend(sink : i - 1)
        if (i > 0)
            CHECK_EQ(left[i - 1], value + i - 1);
        left[i] = value + i;
#pragma omp ordered depend(source)
    }
    CHECK_EQ(left[trip - 1], value + trip - 1);
    (void)me;
}

/** What an iteration wrote, whoever had it; the loops follow each other through all of the ring's entries. */
static void by_loops(struct field *f, int me, long value, struct run *mine)
{
    for (int again = 0; again < 2 * MOST; again++) {
        long *row = &f->below[again % MOST][again / MOST * TASKS / 2];
#pragma omp for schedule(dynamic, 2) nowait
        for (int i = 0; i < TASKS / 2; i++)
            row[i] = value + again;
    }
#pragma omp for schedule(guided)
    for (int i = 0; i < TASKS; i++) {
        disturb(mine);
        f->tasks[0][i] = value + i;
    }
    for (int i = 0; i < TASKS; i++) {
        CHECK_EQ(f->tasks[0][i], value + i);
        CHECK_EQ(f->below[me][i], value + me + (i < TASKS / 2 ? 0 : MOST));
    }
}

typedef void way(struct field *f, int me, long value, struct run *mine);
static way *const ways[] = {
    by_barrier,  by_barrier,   by_barrier_with_tasks,
    by_taskwait, by_taskgroup, by_dependences,
    by_single,   by_turns,     by_sinks,
    by_loops,
};
#define WAYS (sizeof ways / sizeof ways[0])

/** A region's beginning and end order too: its primary alone writes before and reads behind it. */
static void orders(struct run *r)
{
    struct field *f = take(1, sizeof *f);
    int regions = 1 + pick(r, 6);
    for (int region = 0; region < regions; region++) {
        int n = f->n = team_size(r), rounds = pick(r, 12);
        struct run base = branch(r, region, n);
        long value = 1000 * (region + 1);
        for (int i = 0; i < n; i++)
            f->cells[i] = value + i;
#pragma omp parallel num_threads(n)
        {
            int me = omp_get_thread_num();
            struct run mine = branch(&base, me, 1), same = base;
            CHECK_EQ(f->cells[me], value + me);
            for (int round = 0; round < rounds; round++) {
                if (me == 0)
                    f->round = pick(&same, 1000);
                else
                    pick(&same, 1000);
                way *next = ways[(unsigned)pick(&same, WAYS)];
#pragma omp barrier
                next(f, me, value + 100 * round, &mine);
#pragma omp barrier
            }
            f->cells[me] = value - me;
            if (me % 2)
                make_tasks(f, me, 3, value, 0, &mine);
        }
        for (int i = 0; i < n; i++)
            CHECK_EQ(f->cells[i], value - i);
        for (int i = 1; i < n; i += 2)
            see_tasks(f, i, 3, value);
    }
    free(f);
}

/* ---- events -------------------------------------------------------------------------------------------- */

struct letter {
    omp_event_handle_t events[TASKS];
    int count;
    long *cells;
    long value;
};

static void *fulfil_all(void *argument)
{
    struct letter *letter = argument;
    for (int i = 0; i < letter->count; i++) {
        letter->cells[i] = letter->value + i;
        omp_fulfill_event(letter->events[i]);
    }
    return NULL;
}

static void check_letter(const struct letter *letter, const long *bodies)
{
    for (int i = 0; i < letter->count; i++)
        CHECK_EQ(letter->cells[i] + bodies[i], letter->value + 2 * i);
}

/** How the tasks are waited for: by others that depend on them, a taskwait, a taskgroup, a barrier. */
enum waited_by { DEPENDENCES, TASKWAIT, TASKGROUP, BARRIER, WAITED_BY };

/** Returns whether a thread of its own, *thread, fulfils the events. */
static int send_letter(struct letter *letter, long *bodies, enum waited_by how, int outside,
                       pthread_t *thread)
{
    int started = 0;
    for (int i = 0; i < letter->count; i++) {
        omp_event_handle_t event;
#pragma omp task detach(event) firstprivate(i, bodies) depend(out : bodies[i])
        bodies[i] = i;
        letter->events[i] = event;
        if (how == DEPENDENCES) {
#pragma omp task firstprivate(i, letter, bodies) depend(in : bodies[i])
            CHECK_EQ(letter->cells[i] + bodies[i], letter->value + 2 * i);
        }
    }
    if (outside)
        started = pthread_create(thread, NULL, fulfil_all, letter) == 0;
    if (!started)
        fulfil_all(letter);
    if (how == TASKWAIT) {
#pragma omp taskwait
        check_letter(letter, bodies);
    }
    return started;
}

/** What a thread outside of the team, or one of it, writes before it fulfils a task's event. */
static void event_orders(struct run *r)
{
    int n = team_size(r), outside = chance(r, 60);
    enum waited_by how = (enum waited_by)pick(r, WAITED_BY);
    long cells[TASKS] = {0}, bodies[TASKS] = {0};
    struct letter letter = {.count = 1 + pick(r, TASKS), .cells = cells, .value = pick(r, 1000)};
    pthread_t thread;
    int started = 0;
#pragma omp parallel num_threads(n)
    {
#pragma omp single
        if (how == TASKGROUP) {
#pragma omp taskgroup
            started = send_letter(&letter, bodies, how, outside, &thread);
            check_letter(&letter, bodies);
        } else {
            started = send_letter(&letter, bodies, how, outside, &thread);
        }
        check_letter(&letter, bodies);
    }
    if (started)
        pthread_join(thread, NULL);
}

const struct scenario scenarios_order[] = {
    {"orders", orders, 0, 10},
    {"event_orders", event_orders, 0, 4},
    {NULL, NULL, 0, 0},
};
