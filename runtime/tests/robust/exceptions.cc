/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * C++ exceptions thrown and caught inside of regions, loops, tasks, sections, criticals and nested regions:
 * unwinding passes through no frame of the runtime and leaves it as it was. An exception that leaves a region
 * ends the program.
 */
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "robust.h"

#include <omp.h>

namespace
{

struct Counted {
    static int alive;
    Counted()
    {
#pragma omp atomic
        alive++;
    }
    Counted(const Counted &)
    {
#pragma omp atomic
        alive++;
    }
    ~Counted()
    {
#pragma omp atomic
        alive--;
    }
};
int Counted::alive;

__attribute__((noinline)) int thrower(int value)
{
    Counted here;
    std::vector<int> memory(10, value);
    if (value % 2 == 0)
        throw std::runtime_error("even " + std::to_string(memory[3]));
    return value;
}

int guarded(int value)
{
    try {
        Counted here;
        return thrower(value);
    } catch (const std::runtime_error &error) {
        return error.what()[0] == 'e' ? 1000 : -1000000;
    }
}

int expected(int n)
{
    int sum = 0;
    for (int i = 1; i <= n; i++)
        sum += i % 2 == 0 ? 1000 : i;
    return sum;
}

void leave_region()
{
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == omp_get_num_threads() - 1)
            throw std::runtime_error("out of the region");
#pragma omp barrier
    }
}

} // namespace

int main(int argc, char **)
{
    if (argc > 1) {
        leave_region();
        return 1;
    }
    int sum = 0, n = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum, n)
    {
        for (int i = 1; i <= 20; i++)
            sum += guarded(i);
        n++;
    }
    EXPECT(sum == n * expected(20));

    sum = 0;
#pragma omp parallel for schedule(dynamic, 2) reduction(+ : sum) num_threads(4)
    for (int i = 1; i <= 100; i++) {
        try {
            sum += thrower(i);
        } catch (const std::exception &) {
            sum += 1000;
        }
    }
    EXPECT(sum == expected(100));

    sum = 0;
#pragma omp parallel num_threads(4) shared(sum)
#pragma omp single
    for (int i = 1; i <= 100; i++) {
#pragma omp task firstprivate(i) shared(sum)
        {
            int got = guarded(i);
#pragma omp atomic
            sum += got;
        }
    }
    EXPECT(sum == expected(100));

    sum = 0;
#pragma omp parallel sections num_threads(3) reduction(+ : sum)
    {
#pragma omp section
        sum += guarded(2);
#pragma omp section
        sum += guarded(3);
#pragma omp section
        sum += guarded(4);
    }
    EXPECT(sum == 2003);

    sum = 0;
#pragma omp parallel num_threads(4) shared(sum)
    {
        for (int i = 1; i <= 10; i++) {
#pragma omp critical
            {
                try {
                    sum += thrower(i) ? 1 : 0;
                } catch (...) {
                    sum += 1;
                }
            }
        }
#pragma omp single
        n = omp_get_num_threads();
    }
    EXPECT(sum == 10 * n);

    /* Caught outside of a whole inner region that is not left by it. */
    omp_set_max_active_levels(2);
    sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        try {
            int inner = 0;
#pragma omp parallel num_threads(2) reduction(+ : inner)
            inner += guarded(6) == 1000 ? 1 : 0;
            sum += inner > 0 ? 1 : 0;
            thrower(8);
        } catch (const std::runtime_error &) {
            sum += 10;
        }
    }
    EXPECT(sum == 11 || sum == 22);

    /* An exception that is kept and thrown again after the region. */
    std::exception_ptr kept;
#pragma omp parallel num_threads(4) shared(kept)
    {
        try {
            thrower(2 * omp_get_thread_num());
        } catch (...) {
#pragma omp critical
            kept = std::current_exception();
        }
    }
    int caught = 0;
    try {
        if (kept)
            std::rethrow_exception(kept);
    } catch (const std::runtime_error &error) {
        caught = std::string(error.what()).compare(0, 5, "even ") == 0;
    }
    EXPECT(caught == 1);
    kept = nullptr;
    EXPECT(Counted::alive == 0);

    struct outcome end = robust_again("leave", 15, nullptr);
    EXPECT(!end.late);
    EXPECT(end.signal == SIGABRT);
    EXPECT(strstr(end.words, "terminate") != nullptr);
    return robust_end();
}
