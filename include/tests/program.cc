/* SPDX-License-Identifier: Apache-2.0 */
/* What omp.h adds for C++: default arguments, noexcept, allocators for containers. Compiled, never run. */
#include <omp.h>

#include <map>
#include <memory>
#include <vector>

static_assert(noexcept(omp_get_thread_num()), "no routine throws");
static_assert(noexcept(omp_alloc(1)), "no routine throws");
static_assert(noexcept(omp_get_affinity_format(nullptr, 0)), "no routine throws");
static_assert(sizeof(omp_lock_t) == 8 && sizeof(omp_nest_lock_t) == 16, "one size for all compilers");

int main()
{
    omp_free(omp_alloc(1));
    omp_free(omp_aligned_alloc(64, 1));
    omp_free(omp_calloc(1, 1));
    omp_free(omp_aligned_calloc(64, 1, 1));
    omp_free(omp_realloc(nullptr, 1));

    omp_alloctrait_t traits[] = {{omp_atk_pool_size, omp_atv_default}, {omp_atk_pinned, omp_atv_true}};
    omp_allocator_handle_t allocator = omp_init_allocator(omp_large_cap_mem_space, 2, traits);
    omp_destroy_allocator(allocator);

    std::vector<int, omp::allocator::default_mem<int>> vector(10);
    std::vector<char, omp::allocator::null_allocator<char>> other;
    std::map<int, int, std::less<int>, omp::allocator::high_bw_mem<std::pair<const int, int>>> map;
    map[1] = vector[2];
    other.push_back('x');

    omp_set_affinity_format("%n");
    omp_display_affinity("");
    char buffer[10];
    omp_capture_affinity(buffer, omp_get_affinity_format(buffer, sizeof(buffer)), nullptr);
    return omp_get_interop_name(omp_interop_none, omp_ipr_device) != nullptr;
}
