// SPDX-License-Identifier: Apache-2.0
// Two locks of OpenMP in the wrong order, each waited for in a wrapper: a guard of the program's own, and
// std::lock_guard. Where the program takes them is one caller further out.
#include <omp.h>

#include <mutex>

#include "say.h"

static int tid[2], held[2];
static thread_local int called_at; // 0: nobody has the lock

static void say_wait(int line, int owner)
{
    if (called_at)
        say(line, "openmp", "futex", "'wait':'lock','caller':%d,'owner':%d", called_at, owner);
}

class Lock
{
  public:
    Lock() { omp_init_lock(&lock_); }
    void lock()
    {
        say_wait(__LINE__ + 1, tid[1]);
        omp_set_lock(&lock_);
        say_after();
    }
    void unlock() { omp_unset_lock(&lock_); }

  private:
    omp_lock_t lock_;
};

class Guard
{
  public:
    explicit Guard(omp_lock_t &lock) : lock_(lock)
    {
        say_wait(__LINE__ + 1, tid[0]);
        omp_set_lock(&lock_);
        say_after();
    }
    ~Guard() { omp_unset_lock(&lock_); }

  private:
    omp_lock_t &lock_;
};

static omp_lock_t first;
static Lock second;

__attribute__((noinline)) static void forward()
{
    Guard outer(first);
    say_set(&held[0], 1);
    say_await(&held[1], 1);
    called_at = __LINE__ + 1;
    std::lock_guard<Lock> inner(second);
    say_after();
}

__attribute__((noinline)) static void backward()
{
    std::lock_guard<Lock> outer(second);
    say_set(&held[1], 1);
    say_await(&held[0], 1);
    called_at = __LINE__ + 1;
    Guard inner(first);
    say_after();
}

int main()
{
    say_verdict(2, "deadlock");
    omp_init_lock(&first);
#pragma omp parallel num_threads(2)
    {
        const int me = omp_get_thread_num();
        tid[me] = say_tid();
        if (me == 0)
            forward();
        else
            backward();
    }
}
