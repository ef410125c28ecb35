/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Several threads of the program, each with its own regions (OpenMP 5.2, 1.3: each is an initial thread).
 */
#include <atomic>
#include <thread>
#include <vector>
#include "check.h"

CASE("regions of several threads at once")
{
    std::atomic<int> good(0);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; t++)
        threads.emplace_back([&good, t] {
            omp_set_dynamic(0);
            for (int round = 0; round < 20; round++) {
                int count = 0, sum = 0;
#pragma omp parallel num_threads(2 + t % 2) shared(count)
                {
                    ADD(count, 1);
#pragma omp barrier
                    if (omp_get_num_threads() != 2 + t % 2 || LOAD(count) != 2 + t % 2)
                        ADD(count, 1000);
#pragma omp for reduction(+ : sum)
                    for (int i = 0; i < 50; i++)
                        sum += i;
                }
                good += count == 2 + t % 2 && sum == 1225;
            }
        });
    for (auto &t : threads)
        t.join();
    CHECK(good == 80);
}

CASE("their ICVs are their own, and start from the environment")
{
    int before = omp_get_max_threads();
    omp_set_num_threads(before + 7);
    int seen = -1;
    std::thread other([&seen] {
        seen = omp_get_max_threads();
        omp_set_num_threads(3);
    });
    other.join();
    CHECK(seen == before);
    CHECK(omp_get_max_threads() == before + 7);
    omp_set_num_threads(before);
}

CASE("outside they see a team of one")
{
    int wrong = 0;
#pragma omp parallel num_threads(2) shared(wrong)
    {
        std::thread other([&wrong] {
            ADD(wrong, omp_get_num_threads() != 1 || omp_get_thread_num() != 0 || omp_get_level() != 0 ||
                           omp_in_parallel());
        });
        other.join();
    }
    CHECK(wrong == 0);
}

CASE("critical regions of different threads' teams")
{
    long count = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; t++)
        threads.emplace_back([&count] {
            omp_set_dynamic(0);
#pragma omp parallel num_threads(2) shared(count)
            for (int i = 0; i < 200; i++) {
#pragma omp atomic
                count++;
            }
        });
    for (auto &t : threads)
        t.join();
    CHECK(count == 1200);
}

CASE("tasks, and locks between threads of the program")
{
    omp_lock_t lock;
    omp_init_lock(&lock);
    int count = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; t++)
        threads.emplace_back([&count, &lock] {
            omp_set_dynamic(0);
#pragma omp parallel num_threads(2) shared(count, lock)
            {
#pragma omp single
                for (int i = 0; i < 50; i++) {
#pragma omp task shared(count, lock)
                    {
                        omp_set_lock(&lock);
                        count++;
                        omp_unset_lock(&lock);
                    }
                }
            }
        });
    for (auto &t : threads)
        t.join();
    CHECK(count == 150);
    omp_destroy_lock(&lock);
}

CASE("many short-lived threads with regions")
{
    int count = 0;
    for (int i = 0; i < 30; i++) {
        std::thread t([&count] {
            omp_set_dynamic(0);
#pragma omp parallel num_threads(2) shared(count)
            ADD(count, 1);
        });
        t.join();
    }
    CHECK(count == 60);
}
