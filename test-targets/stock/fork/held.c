/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process that has used OpenMP forks, and the child makes threads of its own, which get the stacks of the
 * team that stayed in the parent. Then it uses OpenMP. "in" as an argument: a member of the team forks
 * instead, and the child goes on in the region.
 *
 * Words: "child PID"; of the child "thread TID" for each that it makes by itself, and "member NUMBER SIZE
 * TID" for each member that its region has, as the program itself knows it.
 */
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { TEAM = 4, OWN = 3 };

static pthread_barrier_t begun;

static long tid(void)
{
    return syscall(SYS_gettid);
}

static void *serve(void *unused)
{
    (void)unused;
    printf("thread %ld\n", tid());
    pthread_barrier_wait(&begun);
    for (;;)
        pause();
    return NULL;
}

static void work(int hold)
{
#pragma omp parallel num_threads(TEAM)
    {
        if (hold) {
            printf("member %d %d %ld\n", omp_get_thread_num(), omp_get_num_threads(), tid());
            while (omp_get_thread_num() != 0) /* who waits for them at the end of the region */
                pause();
        }
    }
}

static int child(void)
{
    const int pid = fork();

    if (pid)
        printf("child %d\n", pid);
    else
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    return pid == 0;
}

static void after_a_region(void)
{
    pthread_t own[OWN];

    work(0);
    if (!child())
        return;
    pthread_barrier_init(&begun, NULL, OWN + 1);
    for (int i = 0; i < OWN; i++)
        pthread_create(&own[i], NULL, serve, NULL);
    pthread_barrier_wait(&begun);
    work(1);
}

static void inside_a_region(void)
{
#pragma omp parallel num_threads(TEAM)
    {
        if (omp_get_thread_num() == 1) {
            if (child())
                printf("member %d %d %ld\n", omp_get_thread_num(), omp_get_num_threads(), tid());
            else
                for (;;)
                    pause();
        }
#pragma omp barrier
#pragma omp barrier
    }
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc > 1 && strcmp(argv[1], "in") == 0)
        inside_a_region();
    else
        after_a_region();
    pause();
    return 0;
}
