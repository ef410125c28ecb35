/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The flush construct with atomics (OpenMP 5.2, 15.8.5 and 1.4.4).
 */
#include "check.h"

static int data, flag, ring_token;
static int values[64];

CASE("a flush before and after the flag passes the data")
{
#pragma omp parallel num_threads(2)
    for (int round = 1; round <= 100; round++) {
        if (omp_get_thread_num() == 0) {
            data = round * 3;
#pragma omp flush
#pragma omp atomic write
            flag = round;
        } else {
            int seen = 0;
            for (;;) {
#pragma omp atomic read
                seen = flag;
                if (seen == round)
                    break;
                sched_yield();
            }
#pragma omp flush
            CHECK(data == round * 3);
        }
#pragma omp barrier
    }
}

CASE("flush with a memory order")
{
    flag = 0;
#pragma omp parallel num_threads(2)
    for (int round = 1; round <= 100; round++) {
        if (omp_get_thread_num() == 0) {
            for (int i = 0; i < 64; i++)
                values[i] = round + i;
#pragma omp flush release
#pragma omp atomic write relaxed
            flag = round;
        } else {
            int seen = 0;
            for (;;) {
#pragma omp atomic read relaxed
                seen = flag;
                if (seen == round)
                    break;
                sched_yield();
            }
#pragma omp flush acquire
            for (int i = 0; i < 64; i++)
                CHECK(values[i] == round + i);
        }
#pragma omp barrier
    }
#pragma omp flush acq_rel
}

CASE("flush with a list")
{
    flag = data = 0;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            data = 55;
#pragma omp flush(data)
#pragma omp atomic write
            flag = 1;
#pragma omp flush(flag)
        } else {
            int seen = 0;
            while (!seen) {
#pragma omp flush(flag)
#pragma omp atomic read
                seen = flag;
                if (!seen)
                    sched_yield();
            }
#pragma omp flush(data, flag)
            CHECK(data == 55);
        }
    }
}

CASE("a token round a ring of all threads")
{
    ring_token = 0;
    static int notes[MAX_THREADS * 10];
#pragma omp parallel
    {
        int n = omp_get_num_threads(), me = omp_get_thread_num();
        for (int lap = 0; lap < 5; lap++) {
            int turn = lap * n + me, seen;
            for (;;) {
#pragma omp atomic read
                seen = ring_token;
                if (seen == turn)
                    break;
                sched_yield();
            }
#pragma omp flush
            CHECK(turn == 0 || notes[turn - 1] == turn - 1);
            notes[turn] = turn;
#pragma omp flush
#pragma omp atomic write
            ring_token = turn + 1;
        }
    }
}

CASE("two flags, one each way: not both threads miss the other's")
{
    static int a, b;
    for (int round = 0; round < 100; round++) {
        int saw_a = -1, saw_b = -1;
        a = b = 0;
#pragma omp parallel num_threads(2) shared(saw_a, saw_b)
        {
            if (omp_get_thread_num() == 0) {
#pragma omp atomic write seq_cst
                a = 1;
#pragma omp atomic read seq_cst
                saw_b = b;
            } else {
#pragma omp atomic write seq_cst
                b = 1;
#pragma omp atomic read seq_cst
                saw_a = a;
            }
        }
        CHECK(saw_a == 1 || saw_b == 1);
    }
}

CASE("flush outside of a parallel region")
{
    int x = 1;
#pragma omp flush
    x++;
#pragma omp flush(x)
    CHECK(x == 2);
}
