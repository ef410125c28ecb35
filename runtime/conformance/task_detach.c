/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The detach clause and omp_fulfill_event (OpenMP 5.2, 12.5.2, 18.11.1).
 */
#include "check.h"

/* Given to other tasks. The clause itself names a local variable, because gcc 12 crashes on a static one. */
static omp_event_handle_t event;
static int bodies; /* gcc 12 creates no task for an empty block */

CASE("fulfilled in the task itself")
{
    int count = 0;
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 50; i++) {
            omp_event_handle_t mine = (omp_event_handle_t)0;
#pragma omp task detach(mine) shared(count)
            {
                ADD(count, 1);
                omp_fulfill_event(mine);
            }
        }
    }
    CHECK(count == 50);
}

CASE("taskwait waits for the event, not only for the code")
{
    int fulfilled = 0, ran = 0;
#pragma omp parallel num_threads(2) shared(fulfilled, ran)
    {
#pragma omp single
        {
            omp_event_handle_t mine = (omp_event_handle_t)0;
#pragma omp task detach(mine) shared(ran)
            ADD(ran, 1);
            event = mine;
#pragma omp task shared(fulfilled)
            {
                for (int i = 0; i < 50; i++)
                    sched_yield();
                STORE(fulfilled, 1);
                omp_fulfill_event(event);
            }
#pragma omp taskwait
            CHECK(LOAD(fulfilled) == 1 && LOAD(ran) == 1);
        }
    }
}

CASE("fulfilled before the task starts")
{
    int ran = 0;
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 20; i++) {
            int gate = 0;
            omp_event_handle_t mine = (omp_event_handle_t)0;
#pragma omp task shared(gate) depend(out : gate)
            STORE(gate, 1);
#pragma omp task detach(mine) shared(ran, gate) depend(in : gate)
            ADD(ran, 1);
            omp_fulfill_event(mine);
#pragma omp taskwait
            CHECK(LOAD(ran) == i + 1);
        }
    }
}

CASE("dependent tasks wait for the event")
{
    for (int round = 0; round < 20; round++) {
        int x = 0, fulfilled = 0, seen = -1;
#pragma omp parallel num_threads(2) shared(x, fulfilled, seen)
        {
#pragma omp single
            {
                omp_event_handle_t mine = (omp_event_handle_t)0;
#pragma omp task detach(mine) depend(out : x) shared(x)
                x = 1;
                event = mine;
#pragma omp task depend(in : x) shared(fulfilled, seen)
                seen = LOAD(fulfilled);
#pragma omp task shared(fulfilled)
                {
                    sched_yield();
                    STORE(fulfilled, 1);
                    omp_fulfill_event(event);
                }
            }
        }
        CHECK(seen == 1);
    }
}

CASE("a barrier waits for the event")
{
    int fulfilled = 0;
#pragma omp parallel num_threads(2) shared(fulfilled)
    {
        if (omp_get_thread_num() == 0) {
            omp_event_handle_t mine = (omp_event_handle_t)0;
#pragma omp task detach(mine)
            ADD(bodies, 1);
            event = mine;
#pragma omp task shared(fulfilled)
            {
                for (int i = 0; i < 20; i++)
                    sched_yield();
                STORE(fulfilled, 1);
                omp_fulfill_event(event);
            }
        }
#pragma omp barrier
        CHECK(LOAD(fulfilled) == 1);
    }
}

CASE("a taskgroup waits for the event")
{
    int fulfilled = 0;
#pragma omp parallel num_threads(2) shared(fulfilled)
    {
#pragma omp single
        {
#pragma omp taskgroup
            {
                omp_event_handle_t mine = (omp_event_handle_t)0;
#pragma omp task detach(mine)
                ADD(bodies, 1);
                event = mine;
#pragma omp task shared(fulfilled)
                {
                    for (int i = 0; i < 20; i++)
                        sched_yield();
                    STORE(fulfilled, 1);
                    omp_fulfill_event(event);
                }
            }
            CHECK(LOAD(fulfilled) == 1);
        }
    }
}

CASE("the thread that executed the task is free: many detached tasks at once")
{
    enum { N = 40 };
    static omp_event_handle_t events[N];
    static int ran[N];
    int fulfilled = 0;
    memset(ran, 0, sizeof ran);
#pragma omp parallel shared(fulfilled)
    {
#pragma omp single
        {
            for (int i = 0; i < N; i++) {
                omp_event_handle_t mine = (omp_event_handle_t)0;
#pragma omp task detach(mine) firstprivate(i)
                ADD(ran[i], 1);
                events[i] = mine;
            }
#pragma omp task shared(fulfilled)
            for (int i = N - 1; i >= 0; i--) {
                omp_fulfill_event(events[i]);
                ADD(fulfilled, 1);
            }
#pragma omp taskwait
            CHECK(LOAD(fulfilled) == N);
        }
    }
    for (int i = 0; i < N; i++)
        CHECK(ran[i] == 1);
}

CASE("an undeferred task: its generating task goes on at the end of the block")
{
    for (int round = 0; round < 20; round++) {
        int fulfilled = 0, ran = 0;
#pragma omp parallel num_threads(2) shared(fulfilled, ran)
        {
#pragma omp single
            {
                omp_event_handle_t mine = (omp_event_handle_t)0;
#pragma omp task detach(mine) shared(ran) if (0)
                ADD(ran, 1);
                CHECK(LOAD(ran) == 1);
                event = mine;
#pragma omp task shared(fulfilled)
                {
                    sched_yield();
                    STORE(fulfilled, 1);
                    omp_fulfill_event(event);
                }
#pragma omp taskwait
                CHECK(LOAD(fulfilled) == 1);
            }
        }
    }
}

CASE("an undeferred task: the barrier waits for its event")
{
    int fulfilled = 0;
#pragma omp parallel num_threads(2) shared(fulfilled)
    {
        if (omp_get_thread_num() == 0) {
            omp_event_handle_t mine = (omp_event_handle_t)0;
#pragma omp task detach(mine) if (0)
            ADD(bodies, 1);
            event = mine;
#pragma omp task shared(fulfilled)
            {
                for (int i = 0; i < 20; i++)
                    sched_yield();
                STORE(fulfilled, 1);
                omp_fulfill_event(event);
            }
        }
#pragma omp barrier
        CHECK(LOAD(fulfilled) == 1);
    }
}

CASE("an undeferred task: the taskgroup and its dependent tasks wait for its event")
{
    for (int round = 0; round < 20; round++) {
        int x = 0, fulfilled = 0, seen = -1;
#pragma omp parallel num_threads(2) shared(x, fulfilled, seen)
        {
#pragma omp single
            {
#pragma omp taskgroup
                {
                    omp_event_handle_t mine = (omp_event_handle_t)0;
#pragma omp task detach(mine) depend(out : x) shared(x) if (0)
                    x = 1;
                    event = mine;
#pragma omp task depend(in : x) shared(fulfilled, seen)
                    seen = LOAD(fulfilled);
#pragma omp task shared(fulfilled)
                    {
                        sched_yield();
                        STORE(fulfilled, 1);
                        omp_fulfill_event(event);
                    }
                }
                CHECK(LOAD(fulfilled) == 1 && seen == 1);
            }
        }
    }
}

CASE("an undeferred task outlives the code that generated it")
{
    enum { N = 200 };
    static omp_event_handle_t events[N];
    int ran = 0, fulfilled = 0;
#pragma omp parallel num_threads(2) shared(ran, fulfilled)
    {
#pragma omp single
        {
            for (int i = 0; i < N; i++) {
#pragma omp task shared(ran) firstprivate(i) if (i % 2)
                {
                    omp_event_handle_t mine = (omp_event_handle_t)0;
#pragma omp task detach(mine) shared(ran) if (0)
                    ADD(ran, 1);
                    events[i] = mine;
                }
            }
#pragma omp taskwait
            for (int i = N - 1; i >= 0; i--) {
                fulfilled++;
                omp_fulfill_event(events[i]);
            }
        }
    }
    CHECK(ran == N && fulfilled == N);
}

CASE("an included task: its generating task goes on at the end of the block")
{
    for (int round = 0; round < 20; round++) {
        int x = 0, seen = 0;
#pragma omp parallel num_threads(2) shared(x, seen)
        {
#pragma omp single
            {
#pragma omp task final(1) shared(x, seen)
                {
                    omp_event_handle_t mine = (omp_event_handle_t)0;
#pragma omp task detach(mine) shared(x)
                    x = 1;
                    seen = LOAD(x);
                    omp_fulfill_event(mine);
#pragma omp taskwait
                }
            }
        }
        CHECK(seen == 1);
    }
}

CASE("an undeferred task whose event is fulfilled while its block runs")
{
    int made = 0, done = 0;
#pragma omp parallel num_threads(2) shared(made, done)
    {
        if (omp_get_thread_num() == 0) {
            omp_event_handle_t mine = (omp_event_handle_t)0;
#pragma omp task detach(mine) shared(made, done) if (0)
            {
                event = mine;
                STORE(made, 1);
                WAIT_FOR(LOAD(done));
            }
#pragma omp taskwait
        } else {
            WAIT_FOR(LOAD(made));
            omp_fulfill_event(event);
            STORE(done, 1);
        }
    }
    CHECK(done == 1);
}

CASE("an event of another thread's task")
{
    static omp_event_handle_t events[MAX_THREADS];
    int completed = 0;
#pragma omp parallel shared(completed)
    {
        int me = omp_get_thread_num(), n = omp_get_num_threads();
        omp_event_handle_t mine = (omp_event_handle_t)0;
#pragma omp task detach(mine)
        ADD(bodies, 1);
        events[me] = mine;
        ADD(completed, 1);
        WAIT_FOR(LOAD(completed) >= n);
        omp_fulfill_event(events[(me + 1) % n]);
#pragma omp taskwait
    }
    CHECK(completed == omp_get_max_threads());
}

CASE("a thread of the team fulfils while others are in the barrier")
{
    int made = 0;
#pragma omp parallel num_threads(3) shared(made)
    {
        int me = omp_get_thread_num();
        if (me == 1) {
            omp_event_handle_t mine = (omp_event_handle_t)0;
#pragma omp task detach(mine)
            ADD(bodies, 1);
            event = mine;
            STORE(made, 1);
        } else if (me == 2) {
            WAIT_FOR(LOAD(made));
            omp_fulfill_event(event);
        }
#pragma omp barrier
    }
    CHECK(made == 1);
}
