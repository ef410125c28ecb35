// SPDX-License-Identifier: Apache-2.0
/* Constructs whose first statement is of a function that the compiler inlines, from here or from a header. */
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "gdb-plugin/tests/lines.h"

int table[16];
static int created;

static inline void raise(int i)
{
    table[i] += 2;
}

void __attribute__((noinline)) all_created(void)
{
    __asm__ volatile("");
}

void __attribute__((noinline)) held(void)
{
    while (!__atomic_load_n(&created, __ATOMIC_SEQ_CST))
        usleep(1000);
    all_created();
}

static void work(std::vector<int> &list)
{
#pragma omp task depend(out : table[0])
    held();
#pragma omp task depend(in : table[0])
    raise(1);
#pragma omp task depend(in : table[0])
    touch(2);
#pragma omp task depend(in : table[0]) shared(list)
    std::fill(list.begin(), list.end(), 3);
#pragma omp task depend(in : table[0]) shared(list)
    list.push_back(4);
    spread(table);
    __atomic_store_n(&created, 1, __ATOMIC_SEQ_CST);
}

int main()
{
    std::vector<int> list(16);
#pragma omp parallel num_threads(2) shared(list)
    {
        raise(5);
#pragma omp single
        work(list);
    }
    return table[1] == 0;
}
