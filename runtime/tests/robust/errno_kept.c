/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * errno behind each construct is what it was before: the program may have a call that failed in front of it,
 * and ask why behind it. One thread is late everywhere, so that the others sleep, and are woken, whatever
 * OMP_WAIT_POLICY says.
 */
#include <omp.h>

#include "robust.h"

enum { THREADS = 4, TURNS = 60, MINE = ENOENT };

static int changed[64], last;
static omp_lock_t lock;
static omp_nest_lock_t nest_lock;

static void late(int turn)
{
    if (omp_get_thread_num() == turn % THREADS)
        usleep(turn % 3 == 0 ? 1000 : 100);
    errno = MINE;
}

static void look(int construct)
{
    if (errno != MINE) {
        __atomic_store_n(&last, errno, __ATOMIC_RELAXED);
        __atomic_add_fetch(&changed[construct], 1, __ATOMIC_RELAXED);
    }
    errno = MINE;
}

enum construct {
    REGION,
    NESTED,
    BARRIER,
    CRITICAL,
    LOCK,
    NEST_LOCK,
    LOOP,
    ORDERED,
    DOACROSS,
    SECTIONS,
    SINGLE,
    COPY,
    REDUCTION,
    TASK,
    TASKYIELD,
    TASKWAIT,
    TASKGROUP,
    TASKLOOP,
    UNDEFERRED,
    DEPEND,
    DETACH,
    TARGET,
    TEAMS,
    CONSTRUCTS
};
static const char *const names[CONSTRUCTS] = {
    "region",       "nested region", "barrier",   "critical", "lock",      "nestable lock",
    "dynamic loop", "ordered",       "doacross",  "sections", "single",    "copyprivate",
    "reduction",    "task",          "taskyield", "taskwait", "taskgroup", "taskloop",
    "if(0)",        "depend",        "detach",    "target",   "teams"};

static void exclusion(int turn)
{
    late(turn);
#pragma omp critical
    usleep(turn % 8 == 0 ? 300 : 0);
    look(CRITICAL);
    errno = MINE;
    omp_set_lock(&lock);
    look(LOCK);
    usleep(turn % 8 == 1 ? 300 : 0);
    errno = MINE;
    omp_unset_lock(&lock);
    look(LOCK);
    omp_set_nest_lock(&nest_lock);
    look(NEST_LOCK);
    usleep(turn % 8 == 2 ? 300 : 0);
    errno = MINE;
    omp_unset_nest_lock(&nest_lock);
    look(NEST_LOCK);
#pragma omp barrier
    look(BARRIER);
}

static void worksharing(int turn)
{
    int value = 0;
    late(turn);
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 8; i++)
        errno = MINE;
    look(LOOP);
#pragma omp for ordered schedule(dynamic)
    for (int i = 0; i < 8; i++) {
#pragma omp ordered
        {
            look(ORDERED);
            usleep(20);
            errno = MINE;
        }
        look(ORDERED);
    }
    look(ORDERED);
#pragma omp for ordered(1) schedule(static, 1)
    for (int i = 0; i < 8; i++) {
#pragma omp ordered depend(sink : i - 1)
        look(DOACROSS);
        usleep(20);
        errno = MINE;
#pragma omp ordered depend(source)
        look(DOACROSS);
    }
    look(DOACROSS);
#pragma omp sections
    {
        errno = MINE;
#pragma omp section
        errno = MINE;
    }
    look(SECTIONS);
#pragma omp single
    {
        usleep(100);
        errno = MINE;
    }
    look(SINGLE);
#pragma omp single copyprivate(value)
    {
        value = 1;
        usleep(100);
        errno = MINE;
    }
    look(COPY);
    (void)value;
    static int reduced;
#pragma omp for reduction(+ : reduced)
    for (int i = 0; i < 8; i++)
        reduced++;
    look(REDUCTION);
}

static void tasks(int turn)
{
    static char a[THREADS];
    char *mine = &a[omp_get_thread_num()];
    late(turn);
    *mine = 0;
    for (int i = 0; i < 20; i++) {
#pragma omp task
        usleep(10);
        look(TASK);
    }
#pragma omp taskyield
    look(TASK);
    errno = MINE;
#pragma omp taskwait
    errno = MINE; /* what it has run meanwhile is the program's */
#pragma omp taskgroup
    {
#pragma omp task
        errno = MINE;
        late(turn + 1);
    }
    look(TASKGROUP);
#pragma omp taskloop
    for (int i = 0; i < 20; i++)
        errno = MINE;
    look(TASKLOOP);
#pragma omp task if (0)
    errno = MINE;
    look(UNDEFERRED);
    for (int i = 0; i < 4; i++) {
#pragma omp task depend(inout : mine[0])
        errno = MINE;
    }
    look(DEPEND);
#pragma omp taskwait depend(in : mine[0])
    look(DEPEND);
#pragma omp taskwait
    look(TASKWAIT);
    omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp task detach(event)
    errno = MINE;
    omp_fulfill_event(event);
    look(DETACH);
#pragma omp taskwait
    look(DETACH);
}

static void regions(int turn)
{
    errno = MINE;
#pragma omp parallel num_threads(2 + turn % 3)
    late(turn);
    look(REGION);
#pragma omp target map(turn)
    late(turn);
    look(TARGET);
#pragma omp teams num_teams(2)
    late(turn);
    look(TEAMS);
#pragma omp parallel num_threads(2)
    {
        late(turn);
#pragma omp parallel num_threads(2)
        late(turn);
        look(NESTED);
    }
    look(REGION);
}

static int in_child(void)
{
    omp_set_max_active_levels(2);
    errno = MINE; /* nothing has been used yet */
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest_lock);
    look(LOCK);
#pragma omp parallel num_threads(THREADS)
    late(0);
    look(REGION);
#pragma omp parallel num_threads(10 * THREADS)
    late(0);
    look(REGION);
    for (int turn = 0; turn < TURNS; turn++) {
        regions(turn);
#pragma omp parallel num_threads(THREADS)
        {
            exclusion(turn);
            worksharing(turn);
            tasks(turn);
            late(turn);
        }
        look(REGION);
    }
    int bad = 0;
    for (int i = 0; i < CONSTRUCTS; i++) {
        if (changed[i] != 0)
            printf("%s: %d times, the last one %d\n", names[i], changed[i], last);
        bad += changed[i];
    }
    return bad != 0;
}

int main(int argc, char **argv)
{
    static const char *const settings[][3] = {{NULL},
                                              {"OMP_WAIT_POLICY=passive"},
                                              {"OMP_WAIT_POLICY=active"},
                                              {"OMP_PROC_BIND=close", "OMP_PLACES=threads"},
                                              {"OMP_DISPLAY_AFFINITY=true"}};
    int at_start = errno;
    (void)argv;
    if (argc > 1)
        return in_child();
    EXPECT(at_start == 0); /* C11 7.5 */
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        struct outcome outcome = robust_again("child", 100, settings[i]);
        EXPECT(outcome.exited == 0);
        if (outcome.exited != 0)
            printf("%s: %d, signal %d\n%s", settings[i][0] != NULL ? settings[i][0] : "no setting",
                   outcome.exited, outcome.signal, outcome.words);
    }
    return robust_end();
}
