/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A timer's signals arrive during regions, barriers, locks, tasks and while threads wait, with and without
 * SA_RESTART: system calls of the runtime are interrupted, results stay right and errno is the program's.
 */
#include <pthread.h>
#include <sys/time.h>

#include "robust.h"
#include "work.h"

static volatile sig_atomic_t arrived;

static void handler(int number)
{
    int saved = errno;
    (void)number;
    arrived++;
    errno = saved;
}

static void timer(int microseconds)
{
    struct itimerval every = {{0, microseconds}, {0, microseconds}};
    setitimer(ITIMER_REAL, &every, NULL);
}

static int locks(void)
{
    omp_lock_t lock;
    omp_nest_lock_t nest;
    int n = 0, team = 0;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(4)
    {
        for (int i = 0; i < 300; i++) {
            omp_set_lock(&lock);
            omp_set_nest_lock(&nest);
            n++;
            omp_unset_nest_lock(&nest);
            omp_unset_lock(&lock);
        }
#pragma omp single
        team = omp_get_num_threads();
    }
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest);
    return n != 300 * team;
}

static int waiting(void)
{
    /* The others wait at the barrier, in the kernel for most of it, while signals arrive. */
    int wrong = 0;
    for (int round = 0; round < 4; round++) {
        int shared = 0;
#pragma omp parallel num_threads(4) reduction(+ : wrong)
        {
            if (omp_get_thread_num() == round % omp_get_num_threads()) {
                struct timespec moment = {0, 30000000};
                while (nanosleep(&moment, &moment) != 0 && errno == EINTR)
                    continue;
                shared = 1;
            }
#pragma omp barrier
            wrong += shared != 1;
        }
    }
    return wrong;
}

int main(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    for (int restart = 0; restart < 2; restart++) {
        action.sa_flags = restart ? SA_RESTART : 0;
        sigaction(SIGALRM, &action, NULL);
        timer(700);
        int before = arrived;
        double end = robust_seconds() + 0.5;
        while (robust_seconds() < end) {
            EXPECT(work(2) == 0);
            EXPECT(work(4) == 0);
            EXPECT(locks() == 0);
        }
        EXPECT(waiting() == 0);
        timer(0);
        EXPECT(arrived > before + 20);
    }

    /* A signal to each thread of a team, by itself. */
    int wrong = 0, sent = 0, got = arrived;
#pragma omp parallel num_threads(4) reduction(+ : wrong, sent)
    for (int i = 0; i < 50; i++) {
        wrong += pthread_kill(pthread_self(), SIGALRM) != 0;
        sent++;
        if (i % 10 == 0) {
#pragma omp barrier
        }
    }
    EXPECT(wrong == 0);
    EXPECT(arrived > got && arrived - got <= sent);

    /* Threads of the runtime keep the mask of the thread that made them: a blocked signal stays blocked. */
    errno = 0;
    EXPECT(work(3) == 0);
    return robust_end();
}
