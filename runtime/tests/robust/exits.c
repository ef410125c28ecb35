/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The ways to end a process: exit, _exit, quick_exit, return, a signal; from the serial part, from each
 * thread of a region, from a task, while others wait; and OpenMP in functions that exit calls. Each ends
 * at once, with the status or signal that was asked for.
 */
#include <pthread.h>

#include "robust.h"
#include "work.h"

static void at_end(void)
{
    if (work(3) != 0)
        _exit(99);
}

__attribute__((destructor)) static void destructor(void)
{
    if (getenv("ROBUST_DESTRUCTOR") != NULL && work(2) != 0)
        _exit(98);
}

static void *ends_process(void *unused)
{
    (void)unused;
    if (work(2) != 0)
        _exit(97);
    exit(33);
}

static int mode(const char *name)
{
    if (strcmp(name, "return") == 0)
        return 20 + work(4);
    if (strcmp(name, "exit-after") == 0) {
        int wrong = work(4);
        exit(21 + wrong);
    }
    if (strcmp(name, "exit-primary") == 0) {
#pragma omp parallel num_threads(4)
        if (omp_get_thread_num() == 0)
            exit(22);
    }
    if (strcmp(name, "exit-worker") == 0) {
#pragma omp parallel num_threads(4)
        {
            if (omp_get_thread_num() == omp_get_num_threads() - 1)
                exit(23);
#pragma omp barrier
        }
    }
    if (strcmp(name, "exit-single") == 0) {
#pragma omp parallel num_threads(4)
        {
#pragma omp single
            exit(24);
        }
    }
    if (strcmp(name, "exit-critical") == 0) {
#pragma omp parallel num_threads(4)
        {
#pragma omp critical
            exit(25);
        }
    }
    if (strcmp(name, "exit-task") == 0) {
#pragma omp parallel num_threads(4)
#pragma omp single
        {
#pragma omp task
            exit(26);
#pragma omp taskwait
        }
    }
    if (strcmp(name, "_exit-worker") == 0) {
#pragma omp parallel num_threads(4)
        {
            if (omp_get_thread_num() == omp_get_num_threads() - 1)
                _exit(27);
#pragma omp barrier
        }
    }
    if (strcmp(name, "quick_exit") == 0) {
#pragma omp parallel num_threads(4)
        if (omp_get_thread_num() == 0)
            quick_exit(28);
    }
    if (strcmp(name, "atexit") == 0) {
        atexit(at_end);
        if (work(4) != 0)
            return 1;
        exit(29);
    }
    if (strcmp(name, "atexit-first-use") == 0) {
        atexit(at_end);
        exit(30);
    }
    if (strcmp(name, "destructor") == 0)
        return 31 + work(4);
    if (strcmp(name, "nested-exit") == 0) {
        omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
        {
            if (omp_get_thread_num() == 1 || omp_get_num_threads() == 1)
                exit(32);
#pragma omp barrier
        }
    }
    if (strcmp(name, "foreign-exit") == 0) {
        pthread_t handle;
        if (work(3) != 0 || pthread_create(&handle, NULL, ends_process, NULL) != 0)
            return 1;
        for (;;)
            pause();
    }
    if (strcmp(name, "abort-worker") == 0) {
#pragma omp parallel num_threads(4)
        {
            if (omp_get_thread_num() == omp_get_num_threads() - 1)
                abort();
#pragma omp barrier
        }
    }
    if (strcmp(name, "segv-worker") == 0) {
#pragma omp parallel num_threads(4)
        {
            if (omp_get_thread_num() == omp_get_num_threads() - 1)
                raise(SIGSEGV);
#pragma omp barrier
        }
    }
    if (strcmp(name, "kill-waiting") == 0) {
#pragma omp parallel num_threads(4)
        {
            if (omp_get_thread_num() == 0)
                kill(getpid(), SIGTERM);
#pragma omp barrier
            for (;;)
                pause();
        }
    }
    return 1;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int exited, signal;
    } modes[] = {
        {"return", 20, 0},
        {"exit-after", 21, 0},
        {"exit-primary", 22, 0},
        {"exit-worker", 23, 0},
        {"exit-single", 24, 0},
        {"exit-critical", 25, 0},
        {"exit-task", 26, 0},
        {"_exit-worker", 27, 0},
        {"quick_exit", 28, 0},
        {"atexit", 29, 0},
        {"atexit-first-use", 30, 0},
        {"nested-exit", 32, 0},
        {"foreign-exit", 33, 0},
        {"abort-worker", -1, SIGABRT},
        {"segv-worker", -1, SIGSEGV},
        {"kill-waiting", -1, SIGTERM},
    };
    static const char *const with_destructor[] = {"ROBUST_DESTRUCTOR=1", NULL};
    if (argc > 1)
        return mode(argv[1]);
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        struct outcome end = robust_again(modes[i].name, 15, NULL);
        if (end.exited != modes[i].exited || end.signal != modes[i].signal || end.late || end.words[0] != 0)
            printf("%s: status %d, signal %d, late %d, said: %s\n", modes[i].name, end.exited, end.signal,
                   end.late, end.words);
        EXPECT(!end.late);
        EXPECT(end.exited == modes[i].exited);
        EXPECT(end.signal == modes[i].signal);
        EXPECT(end.words[0] == 0);
    }
    struct outcome end = robust_again("destructor", 15, with_destructor);
    EXPECT(end.exited == 31 && end.signal == 0 && !end.late);
    return robust_end();
}
