/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One part of a process, compiled as PART_count and PART_hold: each part has an OpenMP runtime of its own, or
 * shares another's (static_main.c, static_test.py).
 */
#define _GNU_SOURCE
#include <omp.h>
#include <stdio.h>
#include <unistd.h>

#define JOIN2(a, b) a##b
#define JOIN(a, b)  JOIN2(a, b)
#define TEXT2(a)    #a
#define TEXT(a)     TEXT2(a)

int JOIN(PART, _count)(int n);
void JOIN(PART, _share)(omp_lock_t *lock, int *count, int n, int threads);
void JOIN(PART, _hold)(void (*inner)(void));
void JOIN(PART, _take)(omp_lock_t *lock, int *taken);

static omp_lock_t hold_lock;

/* 4 * n, if every thread and task of each region does its share, and each knows its team. */
int JOIN(PART, _count)(int n)
{
    int loop = 0, tasks = 0, teams = 0, locked = 0;
    omp_lock_t lock;

    omp_init_lock(&lock);
#pragma omp parallel for schedule(dynamic) reduction(+ : loop) num_threads(4)
    for (int i = 0; i < n; i++)
        loop++;
#pragma omp parallel num_threads(4) reduction(+ : teams)
    {
        if (omp_get_num_threads() == 4 && omp_get_level() == 1)
            teams++;
#pragma omp single
        for (int i = 0; i < n; i++) {
#pragma omp task shared(tasks)
            {
#pragma omp atomic
                tasks++;
            }
        }
#pragma omp barrier
#pragma omp for
        for (int i = 0; i < n; i++) {
            omp_set_lock(&lock);
            locked++;
            omp_unset_lock(&lock);
        }
    }
    omp_destroy_lock(&lock);
    return loop + tasks + locked + teams * n / 4;
}

/* Each thread counts n, with a lock that threads of other parts want, too. Some sleep for it. */
void JOIN(PART, _share)(omp_lock_t *lock, int *count, int n, int threads)
{
#pragma omp parallel num_threads(threads)
    for (int i = 0; i < n; i++) {
        omp_set_lock(lock);
        int before = *count;
        if (i % 4 == 0)
            usleep(100);
        *count = before + 1;
        omp_unset_lock(lock);
    }
}

/* A region of one. Takes a lock that another part's thread may have. Does not return. */
void JOIN(PART, _take)(omp_lock_t *lock, int *taken)
{
#pragma omp parallel num_threads(1)
    {
        printf("PART " TEXT(PART) " %s %d\n", *taken ? "waits" : "holds", (int)gettid());
        fflush(stdout);
        omp_set_lock(lock);
        __atomic_store_n(taken, 1, __ATOMIC_RELEASE);
        for (;;)
            pause();
    }
}

/*
 * A region of two. Thread 1 takes the lock and stays in user code. Thread 0 goes on to `inner` if there is
 * one, else it waits for the lock. Does not return.
 */
void JOIN(PART, _hold)(void (*inner)(void))
{
    static int taken;

    omp_init_lock(&hold_lock);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
            omp_set_lock(&hold_lock);
            printf("PART " TEXT(PART) " holds %d\n", (int)gettid());
            fflush(stdout);
            __atomic_store_n(&taken, 1, __ATOMIC_RELEASE);
            for (;;)
                pause();
        }
        while (!__atomic_load_n(&taken, __ATOMIC_ACQUIRE))
            usleep(1000);
        printf("PART " TEXT(PART) " %s %d\n", inner ? "calls" : "waits", (int)gettid());
        fflush(stdout);
        if (inner)
            inner();
        else
            omp_set_lock(&hold_lock);
    }
}
