/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The process around: pthreads of the program that use OpenMP, one after the other and at once; fork().
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stress.h"

#define MOST_PTHREADS 6

struct pthread_run {
    pthread_t id;
    struct run run;
    int count;
};

static void *initial_thread(void *argument)
{
    struct pthread_run *mine = argument;
    CHECK_EQ(omp_get_level(), 0);
    CHECK_EQ(omp_get_num_threads(), 1);
    run_some(&mine->run, mine->count);
    CHECK_EQ(omp_get_level(), 0);
    return NULL;
}

/** Several initial threads, each with scenarios of its own. */
static void foreign(struct run *r)
{
    int n = 1 + pick(r, MOST_PTHREADS);
    struct pthread_run list[MOST_PTHREADS];
    for (int i = 0; i < n; i++) {
        list[i].run = branch(r, i, n);
        list[i].run.top = 1;
        list[i].count = 1 + pick(r, 3);
        CHECK_EQ(pthread_create(&list[i].id, NULL, initial_thread, &list[i]), 0);
    }
    if (chance(r, 50)) {
        struct run mine = branch(r, n, n);
        run_some(&mine, 1);
    }
    for (int i = 0; i < n; i++)
        CHECK_EQ(pthread_join(list[i].id, NULL), 0);
}

static void *short_life(void *argument)
{
    int *sum = argument;
    int mine = 0;
#pragma omp parallel num_threads(2) reduction(+ : mine)
    mine++;
    ADD(*sum, mine);
    return NULL;
}

/** One after the other: what the runtime keeps for a thread must be used again. */
static void succession(struct run *r)
{
    int n = 1 + pick(r, 60), sum = 0;
    for (int i = 0; i < n; i++) {
        pthread_t id;
        CHECK_EQ(pthread_create(&id, NULL, short_life, &sum), 0);
        pthread_join(id, NULL);
        CHECK_EQ(sum, 2 * (i + 1));
    }
}

/* ---- fork ---------------------------------------------------------------------------------------------- */

static void child_and_parent(struct run *r)
{
    fflush(stdout);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        /* The watch is a thread, which the child has not. */
        alarm(60);
        r->child = 1;
        run_some(r, 1 + pick(r, 4));
        _exit(0);
    }
    int status = -1;
    while (waitpid(child, &status, 0) != child)
        ;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        stress_fail(__FILE__, __LINE__, "child's wait status", status, 0);
}

static void forks(struct run *r)
{
    child_and_parent(r);
}

/** One member of a team forks while the others work. */
static void forks_inside(struct run *r)
{
    int n = team_size(r), who = pick(r, n);
#pragma omp parallel num_threads(n)
    {
        int me = omp_get_thread_num();
        struct run mine = branch(r, me, n);
        mine.top = 0;
        if (me == who)
            child_and_parent(&mine);
        else
            run_some(&mine, 1);
    }
}

const struct scenario scenarios_process[] = {
    {"foreign", foreign, RUN_OUTER, 6},
    {"succession", succession, 0, 2},
    {"forks", forks, RUN_OUTER, 3},
    {"forks_inside", forks_inside, RUN_OUTER, 2},
    {NULL, NULL, 0, 0},
};
