// SPDX-License-Identifier: Apache-2.0
// Three threads, each of which says what it has before it stays: `ompd print` is to say the same.
#include <cstdio>
#include <unistd.h>

extern "C" int omp_get_thread_num(void);

struct cell {
    int value;
    cell *next;
};
struct base {
    int id;
};
struct grid : base {
    cell cells[4];
    int *numbers;
    int table[3][5];
    unsigned bits : 3;
};

static int counter = 42;
namespace inner
{
int deep = 7;
}

static void stay(int mine)
{
    const int *pointer = &mine;
#pragma omp critical
    {
        std::printf("%d %d\n", omp_get_thread_num(), mine);
        std::fflush(stdout);
    }
    for (;;)
        sleep(1000u + static_cast<unsigned>(*pointer * 0 + counter * 0 + inner::deep * 0));
}

int main()
{
    int n = 100, around = 5, numbers[3] = {1, 2, 3};
    grid g{}, *to = &g;
    grid &same = g;

    g.id = 77;
    g.numbers = numbers;
    g.table[2][3] = 23;
    for (int i = 0; i < 4; i++) {
        g.cells[i].value = 10 * i;
        g.cells[i].next = &g.cells[(i + 1) % 4];
    }
#pragma omp parallel num_threads(3) firstprivate(n)
    {
        n += omp_get_thread_num() / 2;
        stay(n + to->id * 0 + same.id * 0);
    }
    return around;
}
