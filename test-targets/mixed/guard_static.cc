// SPDX-License-Identifier: Apache-2.0
// Whoever makes a static variable of a function waits for a lock of one that waits for the variable.
#include <omp.h>

#include "say.h"

static omp_lock_t lock;
static int tid[2], in[2];

enum { STATIC = 31 }; // the line of the static variable

struct Table {
    Table()
    {
        say_set(&in[0], 1);
        say_await(&in[1], 1);
        say(__LINE__ + 1, "openmp", "futex", "'wait':'lock','caller':%d,'owner':%d", STATIC, tid[1]);
        omp_set_lock(&lock);
        say_set(&in[0], 2);
    }
    int rows = 1;
};

static Table &table(int line)
{
    if (line)
        say(line, "once", "futex",
            "'call':'__cxa_guard_acquire','name':'guard variable for table(int)::made',"
            "'owner':%d",
            tid[0]);
    static Table made;
    return made;
}

int main()
{
    say_verdict(2, "deadlock");
    omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
    {
        const int me = omp_get_thread_num();
        tid[me] = say_tid();
        if (me == 1) {
            omp_set_lock(&lock);
            say_set(&in[1], 1);
            say_await(&in[0], 1);
            table(STATIC);
            say_set(&in[1], 2);
        } else {
            table(0);
        }
    }
}
