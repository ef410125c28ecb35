/* SPDX-License-Identifier: Apache-2.0 */
/*
 * C++: a region in a function template, with a reduction and a nested region in a lambda in a lambda. Members
 * 0 and 1 of the outer team are masters of inner teams of 2; thread 1 of each inner team is at a barrier.
 */
#include "truth.h"

#include <vector>

namespace
{

template <typename T, int N> T visit(const std::vector<T> &values, T start)
{
    T sum = start;
#pragma omp parallel num_threads(N) reduction(+ : sum)
    {
        sum += values[static_cast<std::size_t>(omp_get_thread_num())];
        auto outer = [&](int size) {
            auto inner = [size]() {
#pragma omp parallel num_threads(size)
                {
                    if (omp_get_thread_num() != 1) {
                        truth_works();
                        busy_here();
                    }
                    truth_barrier(TRUTH_EXPLICIT_BARRIER, __LINE__ + 1);
#pragma omp barrier
                }
            };
            inner();
        };
        outer(2);
    }
    return sum;
}

} // namespace

int main()
{
    truth_start("cxx_templates", 4, 0, 0);
    omp_set_max_active_levels(8);
    return static_cast<int>(visit<double, 2>({1.0, 2.0}, 0.5));
}
