/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The depend clause of task and taskwait (OpenMP 5.2, 15.9.5).
 */
#include "check.h"

CASE("out, then in")
{
    for (int round = 0; round < 50; round++) {
        int x = 0, seen = -1;
#pragma omp parallel
        {
#pragma omp single
            {
#pragma omp task shared(x) depend(out : x)
                {
                    check_disturb(round);
                    x = 7;
                }
#pragma omp task shared(x, seen) depend(in : x)
                seen = x;
            }
        }
        CHECK(seen == 7);
    }
}

CASE("a chain of inout keeps the order")
{
    int next = 0, wrong = 0;
    CHECK_UNUSED int x;
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 1000; i++) {
#pragma omp task shared(x, next, wrong) depend(inout : x) firstprivate(i)
            {
                wrong += next != i;
                next++;
            }
        }
    }
    CHECK(next == 1000 && wrong == 0);
}

CASE("in, then out: the writer waits for all readers")
{
    int x = 1, readers = 0;
#pragma omp parallel
    {
#pragma omp single
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < 8; i++) {
#pragma omp task shared(x, readers) depend(in : x) firstprivate(round)
                {
                    CHECK(x == 1 + round);
                    sched_yield();
                    ADD(readers, 1);
                }
            }
#pragma omp task shared(x, readers) depend(out : x) firstprivate(round)
            {
                CHECK(LOAD(readers) == 8 * (round + 1));
                x++;
            }
        }
    }
    CHECK(x == 21);
}

CASE("readers do not depend on each other")
{
    int x = 0, inside = 0;
#pragma omp parallel num_threads(2) shared(inside)
    {
#pragma omp single nowait
        {
#pragma omp task shared(x) depend(out : x)
            x = 1;
#pragma omp task shared(x, inside) depend(in : x)
            {
                ADD(inside, 1);
                for (int i = 0; i < 200 && LOAD(inside) < 2; i++)
                    sched_yield();
            }
#pragma omp task shared(x, inside) depend(in : x)
            {
                ADD(inside, 1);
                for (int i = 0; i < 200 && LOAD(inside) < 2; i++)
                    sched_yield();
            }
        }
    }
    CHECK(inside == 2);
}

CASE("two dependences: a diamond")
{
    for (int round = 0; round < 50; round++) {
        int a = 0, b = 0, c = 0, d = 0;
#pragma omp parallel
        {
#pragma omp single
            {
#pragma omp task shared(a) depend(out : a)
                a = 1;
#pragma omp task shared(a, b) depend(in : a) depend(out : b)
                b = a + 10;
#pragma omp task shared(a, c) depend(in : a) depend(out : c)
                c = a + 100;
#pragma omp task shared(b, c, d) depend(in : b, c) depend(out : d)
                d = b + c;
            }
        }
        CHECK(d == 112);
    }
}

CASE("twenty dependences of one task")
{
    int x[20], sum = 0;
#pragma omp parallel
    {
#pragma omp single
        {
            for (int i = 0; i < 20; i++) {
#pragma omp task shared(x) depend(out : x[i]) firstprivate(i)
                {
                    check_disturb(i);
                    x[i] = i;
                }
            }
#pragma omp task shared(x, sum) depend(in                                                                   \
                                       : x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10]) \
    depend(in                                                                                               \
           : x[11], x[12], x[13], x[14], x[15], x[16], x[17], x[18], x[19])
            for (int i = 0; i < 20; i++)
                sum += x[i];
        }
    }
    CHECK(sum == 190);
}

#define M 12
static int block[M][M];

CASE("a wavefront over blocks")
{
    memset(block, 0, sizeof block);
    for (int i = 0; i < M; i++)
        block[i][0] = block[0][i] = 1;
#pragma omp parallel
    {
#pragma omp single
        for (int i = 1; i < M; i++)
            for (int j = 1; j < M; j++) {
#pragma omp task depend(in : block[i - 1][j], block[i][j - 1]) depend(out : block[i][j]) firstprivate(i, j)
                block[i][j] = (block[i - 1][j] + block[i][j - 1]) % 10007;
            }
    }
    int expected[M][M];
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++) {
            expected[i][j] = i && j ? (expected[i - 1][j] + expected[i][j - 1]) % 10007 : 1;
            CHECK(block[i][j] == expected[i][j]);
        }
}

CASE("array sections with the same start")
{
    int a[100], wrong = 0;
    for (int i = 0; i < 100; i++)
        a[i] = 0;
#pragma omp parallel
    {
#pragma omp single
        for (int round = 0; round < 20; round++)
            for (int part = 0; part < 4; part++) {
#pragma omp task shared(a, wrong) depend(inout : a [part * 25:25]) firstprivate(round, part)
                for (int i = part * 25; i < part * 25 + 25; i++) {
                    ADD(wrong, a[i] != round);
                    a[i]++;
                }
            }
    }
    CHECK(wrong == 0);
    for (int i = 0; i < 100; i++)
        CHECK(a[i] == 20);
}

CASE("members of structures, elements by pointer")
{
    struct {
        int a, b;
    } s = {0, 0};
    int v[4] = {0}, *p = v, wrong = 0;
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 100; i++) {
#pragma omp task shared(s, wrong) depend(inout : s.b) firstprivate(i)
            wrong += s.b++ != i;
#pragma omp task shared(v) firstprivate(p, i) depend(inout : p[2])
            v[2] += i == v[2];
#pragma omp task shared(v) firstprivate(p, i) depend(inout : *p)
            p[0] += i == p[0];
        }
    }
    CHECK(wrong == 0 && s.b == 100 && v[2] == 100 && v[0] == 100);
}

CASE("an undeferred task waits for what it depends on")
{
    int x = 0;
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 20; i++) {
#pragma omp task shared(x) depend(out : x) firstprivate(i)
            {
                sched_yield();
                x = i + 1;
            }
#pragma omp task if (0) shared(x) depend(inout : x) firstprivate(i)
            {
                CHECK(x == i + 1);
                x = -x;
            }
            CHECK(x == -(i + 1));
        }
    }
}

CASE("a deferred task waits for an undeferred one's successors in turn")
{
    int x = 0, y = 0;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp task if (0) shared(x) depend(out : x)
            x = 1;
#pragma omp task shared(x, y) depend(in : x) depend(out : y)
            y = x + 1;
#pragma omp task if (0) shared(y) depend(in : y)
            CHECK(y == 2);
        }
    }
}

CASE("dependences are between siblings only")
{
    int inner = 0, outer = 0;
    CHECK_UNUSED int x;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp task shared(x, inner) depend(inout : x)
            {
                /* Its children depend on each other, not on their parent: else this would never end. */
                for (int i = 0; i < 5; i++) {
#pragma omp task shared(x, inner) depend(inout : x) firstprivate(i)
                    {
                        CHECK(inner == i);
                        inner++;
                    }
                }
#pragma omp taskwait
                CHECK(inner == 5);
            }
#pragma omp task shared(x, inner, outer) depend(inout : x)
            outer = inner;
        }
    }
    CHECK(outer == 5);
}

CASE("tasks without a depend clause are independent")
{
    int x = 0, ran = 0;
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 50; i++) {
#pragma omp task shared(x) depend(inout : x)
            x++;
#pragma omp task shared(ran)
            ADD(ran, 1);
        }
    }
    CHECK(x == 50 && ran == 50);
}

CASE("mutexinoutset: in any order, one at a time, after the out before and before the in after")
{
    for (int round = 0; round < 10; round++) {
        int x = -1, inside = 0, wrong = 0, seen = -1;
#pragma omp parallel
        {
#pragma omp single
            {
#pragma omp task shared(x) depend(out : x)
                x = 100;
                for (int i = 0; i < 10; i++) {
#pragma omp task shared(x, inside, wrong) depend(mutexinoutset : x)
                    {
                        ADD(wrong, ADD(inside, 1) != 1);
                        int old = x;
                        sched_yield();
                        x = old + 1;
                        ADD(inside, -1);
                    }
                }
#pragma omp task shared(x, seen) depend(in : x)
                seen = x;
            }
        }
        CHECK(wrong == 0 && seen == 110);
    }
}

CASE("mutexinoutset of two variables at once")
{
    int x = 0, y = 0, wrong = 0, inx = 0, iny = 0;
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 30; i++) {
#pragma omp task shared(x, inx, wrong) depend(mutexinoutset : x)
            {
                ADD(wrong, ADD(inx, 1) != 1);
                x++;
                ADD(inx, -1);
            }
#pragma omp task shared(y, iny, wrong) depend(mutexinoutset : y)
            {
                ADD(wrong, ADD(iny, 1) != 1);
                y++;
                ADD(iny, -1);
            }
#pragma omp task shared(x, y, inx, iny, wrong) depend(mutexinoutset : x, y)
            {
                ADD(wrong, ADD(inx, 1) != 1 || ADD(iny, 1) != 1);
                x++, y++;
                ADD(inx, -1);
                ADD(iny, -1);
            }
        }
    }
    CHECK(wrong == 0 && x == 60 && y == 60);
}

CASE("taskwait with depend waits for the named ones only")
{
    int x = 0, y = 0;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp task shared(x) depend(out : x)
            {
                sched_yield();
                x = 1;
            }
#pragma omp task shared(y) depend(out : y)
            y = 1;
#pragma omp taskwait depend(in : x)
            CHECK(x == 1);
#pragma omp taskwait depend(inout : x, y)
            CHECK(x == 1 && y == 1);
        }
    }
}

CASE("taskwait with depend need not wait for the others")
{
    int x = 0, gate = 0, late = 0;
#pragma omp parallel num_threads(2) shared(gate, late)
    {
        int n = omp_get_num_threads();
#pragma omp single
        {
#pragma omp task shared(gate, late)
            {
                /* If one thread does all, this may run before the taskwait below ends: it gives up then. */
                for (int i = 0; i < 500 && !LOAD(gate); i++)
                    sched_yield();
                STORE(late, n);
            }
#pragma omp task shared(x) depend(out : x)
            x = 1;
#pragma omp taskwait depend(in : x)
            CHECK(x == 1);
            STORE(gate, 1);
        }
    }
    CHECK(late > 0);
}

CASE("dependences outside of a parallel region")
{
    int x = 0;
    for (int i = 0; i < 10; i++) {
#pragma omp task shared(x) depend(inout : x) firstprivate(i)
        {
            CHECK(x == i);
            x++;
        }
    }
#pragma omp taskwait
    CHECK(x == 10);
}

CASE("each thread's implicit task has its own dependences")
{
    int wrong = 0;
#pragma omp parallel shared(wrong)
    {
        int x = 0;
        for (int i = 0; i < 50; i++) {
#pragma omp task shared(x, wrong) depend(inout : x) firstprivate(i)
            {
                ADD(wrong, x != i);
                x++;
            }
        }
#pragma omp taskwait
        CHECK(x == 50);
    }
    CHECK(wrong == 0);
}

CASE("the same variable twice in a clause, and in and out of it")
{
    int x = 0;
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 30; i++) {
#pragma omp task shared(x) depend(in : x) depend(out : x) firstprivate(i)
            {
                CHECK(x == i);
                x++;
            }
        }
    }
    CHECK(x == 30);
}

CASE("a large random graph against serial execution")
{
    enum { V = 40, T = 1500 };
    static unsigned parallel_value[V], serial_value[V];
    unsigned seed = 12345;
    int from[T], to[T];
    for (int i = 0; i < V; i++)
        parallel_value[i] = serial_value[i] = (unsigned)i;
    for (int t = 0; t < T; t++) {
        seed = seed * 1103515245 + 12345;
        from[t] = (int)(seed >> 16) % V;
        seed = seed * 1103515245 + 12345;
        to[t] = (int)(seed >> 16) % V;
        serial_value[to[t]] = serial_value[to[t]] * 31 + serial_value[from[t]] + (unsigned)t;
    }
#pragma omp parallel
    {
#pragma omp single
        for (int t = 0; t < T; t++) {
            unsigned *f = &parallel_value[from[t]], *o = &parallel_value[to[t]];
#pragma omp task firstprivate(f, o, t) depend(in : *f) depend(inout : *o)
            *o = *o * 31 + *f + (unsigned)t;
        }
    }
    for (int i = 0; i < V; i++)
        CHECK(parallel_value[i] == serial_value[i]);
}
