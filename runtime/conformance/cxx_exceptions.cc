/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * C++ exceptions thrown and caught inside of constructs (OpenMP 5.2, 1.2.6: they must not leave the block).
 */
#include <stdexcept>
#include <string>
#include "check.h"

namespace
{
struct tracked {
    static int alive;
    tracked() { ADD(alive, 1); }
    tracked(const tracked &) { ADD(alive, 1); }
    ~tracked() { ADD(alive, -1); }
};
int tracked::alive;

void thrower(int i)
{
    tracked t;
    throw i;
}
} // namespace

CASE("in a parallel region, each thread its own")
{
    int caught = 0;
#pragma omp parallel
    for (int i = 0; i < 20; i++) {
        try {
            tracked t;
            throw std::runtime_error("x");
        } catch (const std::exception &e) {
            ADD(caught, e.what()[0] == 'x');
        }
    }
    CHECK(caught == 20 * omp_get_max_threads());
    CHECK(tracked::alive == 0);
}

CASE("in the iterations of a loop, with each schedule")
{
    int caught = 0;
#pragma omp parallel
    {
#pragma omp for schedule(static) reduction(+ : caught)
        for (int i = 0; i < 60; i++) {
            try {
                thrower(i);
            } catch (int j) {
                caught += i == j;
            }
        }
#pragma omp for schedule(dynamic, 3) reduction(+ : caught)
        for (int i = 0; i < 60; i++) {
            try {
                thrower(i);
            } catch (int j) {
                caught += i == j;
            }
        }
    }
    CHECK(caught == 120 && tracked::alive == 0);
}

CASE("in critical, single, masked, sections and ordered")
{
    int caught = 0;
#pragma omp parallel num_threads(4)
    {
#pragma omp critical
        {
            try {
                thrower(1);
            } catch (int) {
                ADD(caught, 1); // the single of another thread may be under way
            }
        }
#pragma omp single
        {
            try {
                thrower(2);
            } catch (int) {
                ADD(caught, 10);
            }
        }
#pragma omp sections
        {
#pragma omp section
            {
                try {
                    thrower(3);
                } catch (int) {
                    ADD(caught, 100);
                }
            }
#pragma omp section
            {
                try {
                    thrower(3);
                } catch (int) {
                    ADD(caught, 100);
                }
            }
        }
#pragma omp for ordered
        for (int i = 0; i < 10; i++) {
#pragma omp ordered
            {
                try {
                    thrower(4);
                } catch (int) {
                    ADD(caught, 1000);
                }
            }
        }
    }
    CHECK(caught == 4 + 10 + 200 + 10000 && tracked::alive == 0);
}

CASE("in tasks")
{
    int caught = 0;
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 50; i++) {
#pragma omp task shared(caught) firstprivate(i)
            {
                try {
                    tracked t;
#pragma omp task shared(caught)
                    {
                        try {
                            thrower(i);
                        } catch (int j) {
                            ADD(caught, i == j);
                        }
                    }
                    thrower(i);
                } catch (int j) {
                    ADD(caught, i == j);
                }
            }
        }
    }
    CHECK(caught == 100 && tracked::alive == 0);
}

CASE("an exception in flight while the handler meets constructs")
{
    int sum = 0;
    try {
        throw std::string("outer");
    } catch (const std::string &s) {
#pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < 100; i++)
            sum += i;
#pragma omp parallel num_threads(2)
        {
            try {
                throw 1;
            } catch (int) {
                ADD(sum, 1000);
            }
        }
        CHECK(s == "outer");
    }
    CHECK(sum == 4950 + 2000);
}

CASE("a region called from a function whose caller catches afterwards")
{
    int got = 0;
    for (int round = 0; round < 20; round++) {
        try {
            int sum = 0;
#pragma omp parallel reduction(+ : sum) num_threads(3)
            sum += 1;
            throw sum;
        } catch (int n) {
            got += n;
        }
    }
    CHECK(got == 60);
}

CASE("nested regions")
{
    omp_set_max_active_levels(2);
    int caught = 0;
#pragma omp parallel num_threads(2)
    {
        try {
#pragma omp parallel num_threads(2)
            {
                try {
                    thrower(5);
                } catch (int) {
                    ADD(caught, 1);
                }
            }
            thrower(6);
        } catch (int) {
            ADD(caught, 10);
        }
    }
    CHECK(caught == 24 && tracked::alive == 0);
    omp_set_max_active_levels(1);
}
