// SPDX-License-Identifier: Apache-2.0
// As held.c, in a member function of a template; with "crash" member 3 throws what nobody catches.
#include <omp.h>
#include <unistd.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "words.h"

namespace grid
{

struct Bad : std::runtime_error {
    explicit Bad(int row) : std::runtime_error("row " + std::to_string(row) + " is bad") {}
};

struct Base {
    int shade = 43;
};

template <class T> struct Solver : Base {
    omp_lock_t gate;
    int holds = 0;
    bool crashes;
    std::vector<T> rows;

    explicit Solver(bool crash) : crashes(crash), rows(7) { omp_init_lock(&gate); }

    void hold_and_create()
    {
        omp_set_lock(&gate); // TAKEN
        __atomic_store_n(&holds, 1, __ATOMIC_SEQ_CST);
        for (int i = 0; i < TASKS; i++) {
#pragma omp task
            stay_asleep();
        }
    }

    void member(int i, int mine)
    {
        const int number = omp_get_thread_num();

        if (number == 0)
            hold_and_create();
        while (!__atomic_load_n(&holds, __ATOMIC_SEQ_CST))
            usleep(1000);
        words_of_member(number, i, mine, omp_get_place_num());
        if (number == 1)
            omp_set_lock(&gate); // WAITS
        if (number == 2)
            stay_busy();
        words_await();
        if (number == 3 && crashes)
            throw Bad(i); // CRASHES
        stay_asleep();
    }

    void work(int pass)
    {
        int unused = 70 + pass;

        words_around(pass, unused, shade);
#pragma omp parallel num_threads(MEMBERS)
        {
            int mine = 100 * omp_get_thread_num();
#pragma omp for schedule(dynamic, 3)
            for (int i = 0; i < 100; i++)
                member(i, mine);
        }
    }
};

} // namespace grid

int main(int argc, char **argv)
{
    grid::Solver<double> solver(argc > 1 && std::string(argv[1]) == "crash");

    solver.work(3);
}
