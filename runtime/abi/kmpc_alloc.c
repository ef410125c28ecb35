/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * clang's memory entry points (docs/abi/kmpc.md section 12), and libomp's own heap routines kmp_* and kmpc_*,
 * which have no allocator.
 *
 * The compiler passes the null allocator where the user named none, also for its depend objects.
 */

#include "../core/alloc.h"
#include "../core/attach.h"

RT_EXPORT void *__kmpc_alloc(int gtid, size_t size, uint64_t allocator)
{
    (void)gtid;
    return rt_alloc(allocator, 0, size);
}

RT_EXPORT void *__kmpc_aligned_alloc(int gtid, size_t alignment, size_t size, uint64_t allocator)
{
    (void)gtid;
    return rt_alloc(allocator, alignment, size);
}

RT_EXPORT void *__kmpc_calloc(int gtid, size_t n, size_t size, uint64_t allocator)
{
    (void)gtid;
    return rt_alloc_zeroed(allocator, 0, n, size);
}

RT_EXPORT void *__kmpc_realloc(int gtid, void *pointer, size_t size, uint64_t allocator,
                               uint64_t free_allocator)
{
    (void)gtid;
    (void)free_allocator;
    return rt_realloc(pointer, size, allocator);
}

RT_EXPORT void __kmpc_free(int gtid, void *pointer, uint64_t allocator)
{
    (void)gtid;
    (void)allocator;
    rt_free(pointer);
}

RT_EXPORT uint64_t __kmpc_init_allocator(int gtid, uint64_t memspace, int ntraits,
                                         const struct rt_alloctrait *traits)
{
    (void)gtid;
    return rt_alloc_init(memspace, ntraits, traits);
}

RT_EXPORT void __kmpc_destroy_allocator(int gtid, uint64_t allocator)
{
    (void)gtid;
    rt_alloc_destroy(allocator);
}

RT_EXPORT void __kmpc_set_default_allocator(int gtid, uint64_t allocator)
{
    (void)gtid;
    rt_alloc_set_default(rt_me(), allocator);
}

RT_EXPORT uint64_t __kmpc_get_default_allocator(int gtid)
{
    (void)gtid;
    return rt_alloc_default();
}

/* ---- kmp_*, kmpc_*: the heap --------------------------------------------------------------------------- */

RT_EXPORT void *kmpc_malloc(size_t size)
{
    return rt_alloc(RT_ALLOC_DEFAULT, 0, size);
}

RT_EXPORT void *kmpc_aligned_malloc(size_t size, size_t alignment)
{
    return rt_alloc(RT_ALLOC_DEFAULT, alignment, size);
}

RT_EXPORT void *kmpc_calloc(size_t n, size_t size)
{
    return rt_alloc_zeroed(RT_ALLOC_DEFAULT, 0, n, size);
}

RT_EXPORT void *kmpc_realloc(void *pointer, size_t size)
{
    return rt_realloc(pointer, size, RT_ALLOC_NULL);
}

RT_EXPORT void kmpc_free(void *pointer)
{
    rt_free(pointer);
}

RT_EXPORT void *kmp_malloc(size_t size)
{
    return rt_alloc(RT_ALLOC_DEFAULT, 0, size);
}

RT_EXPORT void *kmp_aligned_malloc(size_t size, size_t alignment)
{
    return rt_alloc(RT_ALLOC_DEFAULT, alignment, size);
}

RT_EXPORT void *kmp_calloc(size_t n, size_t size)
{
    return rt_alloc_zeroed(RT_ALLOC_DEFAULT, 0, n, size);
}

RT_EXPORT void *kmp_realloc(void *pointer, size_t size)
{
    return rt_realloc(pointer, size, RT_ALLOC_NULL);
}

RT_EXPORT void kmp_free(void *pointer)
{
    rt_free(pointer);
}

/* Fortran: every argument by reference, a pointer is an integer of its kind. */

RT_EXPORT void *kmp_malloc_(const size_t *size)
{
    return rt_alloc(RT_ALLOC_DEFAULT, 0, *size);
}

RT_EXPORT void *kmp_aligned_malloc_(const size_t *size, const size_t *alignment)
{
    return rt_alloc(RT_ALLOC_DEFAULT, *alignment, *size);
}

RT_EXPORT void *kmp_calloc_(const size_t *n, const size_t *size)
{
    return rt_alloc_zeroed(RT_ALLOC_DEFAULT, 0, *n, *size);
}

RT_EXPORT void *kmp_realloc_(void *const *pointer, const size_t *size)
{
    return rt_realloc(*pointer, *size, RT_ALLOC_NULL);
}

RT_EXPORT void kmp_free_(void *const *pointer)
{
    rt_free(*pointer);
}
