// SPDX-License-Identifier: Apache-2.0
// Each thread of a team has variables of its own, and writes which values they have. Thread 1 waits in libc.
#include <stdio.h>
#include <unistd.h>

extern "C" int omp_get_thread_num(void);
extern int far_away; // thread_local_far.cc
extern thread_local int far_own;
static int seed = 40;
#pragma omp threadprivate(seed)

namespace settings
{
int steps = 12;
struct Store {
    static thread_local int level;
};
thread_local int Store::level = 3;
} // namespace settings

// A local variable of a name that the file has too, which the body gets by reference.
static int hidden = 1;

static void work()
{
    int hidden = 7;
#pragma omp parallel num_threads(3) copyin(seed) shared(hidden)
    {
        const int me = omp_get_thread_num();
        seed += me;
        settings::Store::level = 10 * me;
        far_own = 100 * me + hidden;
        printf("%d %d %d %d\n", me, seed, settings::Store::level, far_own);
        fflush(stdout);
#pragma omp barrier
        if (me == 1)
            pause();
#pragma omp barrier
        hidden++;
    }
}

int main()
{
    work();
    return settings::steps + far_away + hidden;
}
