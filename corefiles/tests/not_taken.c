/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two threads, and tasks that are ready and that nobody takes: "busy", one thread computes and one is in a
 * system call; "system_call", both are in one; "constraint", a thread waits in a tied task for its child,
 * whose event nobody fulfils, and may not take the tasks that are no children of it; "priority", two of the
 * ready tasks have one; "full", so many are created that the creator has to execute one, which says its
 * number.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* As gcc's omp.h has it. */
typedef enum omp_event_handle_t { event_none = 0, event_last = 0x7fffffffffffffff } omp_event_handle_t;

int omp_get_thread_num(void);

static int begun;
static volatile unsigned long computed;

static void stay(const char *who)
{
    printf("%s %d\n", who, omp_get_thread_num());
    fflush(stdout);
    for (;;)
        pause();
}

static void compute(const char *who)
{
    printf("%s %d\n", who, omp_get_thread_num());
    fflush(stdout);
    for (;;)
        computed++;
}

static void fill(void)
{
    for (int i = 0; i < 100000; i++) {
#pragma omp task firstprivate(i)
        {
            printf("executed %d\n", i);
            fflush(stdout);
            for (;;)
                pause();
        }
    }
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
    const char *wanted = argc > 1 ? argv[1] : "";
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task
        {
            __atomic_store_n(&begun, 1, __ATOMIC_SEQ_CST);
            if (!strcmp(wanted, "busy"))
                compute("first");
            stay("first");
        }
        while (!__atomic_load_n(&begun, __ATOMIC_SEQ_CST))
            usleep(1000);
        if (!strcmp(wanted, "full"))
            fill();
        for (int i = 0; i < 3; i++) {
#pragma omp task
            stay("ready");
        }
        for (int i = 0; i < 2 && !strcmp(wanted, "priority"); i++) {
#pragma omp task priority(5)
            stay("urgent");
        }
        if (!strcmp(wanted, "constraint"))
            constrained();
        stay("creator");
    }
    return 0;
}
