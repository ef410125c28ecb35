/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Loops over random-access iterators and ranges, in templates and lambdas (OpenMP 5.2, 4.4.1).
 */
#include <deque>
#include <numeric>
#include <vector>
#include "check.h"

CASE("std::vector iterators, with each schedule")
{
    std::vector<int> v(500);
    std::iota(v.begin(), v.end(), 0);
#pragma omp parallel for schedule(static)
    for (std::vector<int>::iterator i = v.begin(); i < v.end(); ++i)
        *i += 1;
#pragma omp parallel for schedule(dynamic, 7)
    for (auto i = v.begin(); i < v.end(); i++)
        *i += 1;
#pragma omp parallel for schedule(guided)
    for (auto i = v.end() - 1; i >= v.begin() + 1; --i)
        *i += 1;
    for (int i = 0; i < 500; i++)
        CHECK(v[(size_t)i] == i + (i ? 3 : 2));
}

CASE("steps, reverse iterators, std::deque")
{
    std::vector<int> v(100, 0);
#pragma omp parallel for
    for (auto i = v.begin(); i < v.end(); i += 5)
        *i = 1;
    CHECK(std::accumulate(v.begin(), v.end(), 0) == 20);
    long sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (auto i = v.rbegin(); i < v.rend(); ++i)
        sum += *i;
    CHECK(sum == 20);
    std::deque<int> d(3000, 2);
    sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(dynamic, 100)
    for (auto i = d.cbegin(); i < d.cend(); ++i)
        sum += *i;
    CHECK(sum == 6000);
}

CASE("i != end, and a range-based loop")
{
    std::vector<int> v(300, 1);
    long sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (auto i = v.begin(); i != v.end(); ++i)
        sum += *i;
    CHECK(sum == 300);
    sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int x : v)
        sum += x;
    CHECK(sum == 300);
#pragma omp parallel for schedule(dynamic, 9)
    for (int &x : v)
        x = 4;
    CHECK(std::accumulate(v.begin(), v.end(), 0) == 1200);
}

CASE("collapse with iterators")
{
    std::vector<std::vector<int>> grid(12, std::vector<int>(15, 0));
    std::vector<int> rows(12), columns(15);
    std::iota(rows.begin(), rows.end(), 0);
    std::iota(columns.begin(), columns.end(), 0);
#pragma omp parallel for collapse(2)
    for (auto r = rows.begin(); r < rows.end(); ++r)
        for (auto c = columns.begin(); c < columns.end(); ++c)
            grid[(size_t)*r][(size_t)*c] = *r * 100 + *c;
    for (int r = 0; r < 12; r++)
        for (int c = 0; c < 15; c++)
            CHECK(grid[(size_t)r][(size_t)c] == r * 100 + c);
}

namespace
{
template <typename T> T total(const std::vector<T> &v)
{
    T sum = T();
#pragma omp parallel for reduction(+ : sum)
    for (size_t i = 0; i < v.size(); i++)
        sum += v[i];
    return sum;
}
} // namespace

CASE("template functions with size_t loops")
{
    CHECK(total(std::vector<int>(100, 3)) == 300);
    CHECK(total(std::vector<double>(100, 0.5)) == 50);
    CHECK(total(std::vector<long long>(7, 1LL << 40)) == 7LL << 40);
}

CASE("in lambdas, with captures")
{
    int factor = 3;
    std::vector<int> v(200, 1);
    auto scale = [&v, factor]() {
#pragma omp parallel for
        for (int i = 0; i < 200; i++)
            v[(size_t)i] *= factor;
    };
    scale();
    scale();
    CHECK(std::accumulate(v.begin(), v.end(), 0) == 1800);
}

CASE("taskloop over iterators")
{
    std::vector<int> v(100, 0);
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskloop num_tasks(9)
            for (auto i = v.begin(); i < v.end(); ++i)
                *i += 1;
        }
    }
    CHECK(std::accumulate(v.begin(), v.end(), 0) == 100);
}

#ifndef __clang__ /* copies an iterator back that was never made */
CASE("lastprivate iterator")
{
    std::vector<int> v(100, 0);
    std::vector<int>::iterator i;
#pragma omp parallel for lastprivate(i)
    for (i = v.begin(); i < v.end(); ++i)
        *i = 1;
    CHECK(i == v.end());
}
#endif
