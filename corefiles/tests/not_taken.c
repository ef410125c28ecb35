/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two threads, and tasks that are ready and that nobody takes: "busy", both threads are in a task's body;
 * "constraint", thread 0 waits in a tied task for its child, whose event nobody fulfils, and may not take the
 * tasks that are no children of it.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* As gcc's omp.h has it. */
typedef enum omp_event_handle_t { event_none = 0, event_last = 0x7fffffffffffffff } omp_event_handle_t;

int omp_get_thread_num(void);

static int begun;

static void stay(const char *who)
{
    printf("%s %d\n", who, omp_get_thread_num());
    fflush(stdout);
    for (;;)
        pause();
}

static void constrained(void)
{
    omp_event_handle_t event;
#pragma omp task if (0)
    {
#pragma omp task detach(event)
        {
            printf("child %d\n", omp_get_thread_num());
            fflush(stdout);
        }
#pragma omp taskwait
    }
}

int main(int argc, char **argv)
{
    const int constraint = argc > 1 && !strcmp(argv[1], "constraint");
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task
        {
            __atomic_store_n(&begun, 1, __ATOMIC_SEQ_CST);
            stay("first");
        }
        while (!__atomic_load_n(&begun, __ATOMIC_SEQ_CST))
            usleep(1000);
        for (int i = 0; i < 3; i++) {
#pragma omp task
            stay("ready");
        }
        if (constraint)
            constrained();
        stay("creator");
    }
    return 0;
}
