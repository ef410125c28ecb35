/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Memory partitions and partitioners (OpenMP 6.0 section 27.5): the objects that divide an allocation among
 * the resources of a memory space.
 *
 * A memory space of the host is one resource (omp_alloc.c), so there is nothing to divide: an allocator with
 * partition=partitioner is refused (core/alloc.c), and a part is accepted where it needs no dividing. The
 * user's objects hold one pointer to what is here.
 */
#include <stdlib.h>

#include "../core/base.h"

typedef void (*compute_proc)(uint64_t memspace, size_t size, intptr_t argument, void **partition);
typedef void (*release_proc)(void **partition);

struct partitioner {
    int lifetime;
    compute_proc compute;
    release_proc release;
};

struct partition {
    const void *user_data;
    size_t nparts;
    size_t sizes[];
};

RT_EXPORT void omp_init_mempartitioner(struct partitioner **partitioner, int lifetime, compute_proc compute,
                                       release_proc release)
{
    struct partitioner *made = malloc(sizeof *made);
    if (made != NULL)
        *made = (struct partitioner){lifetime, compute, release};
    *partitioner = made;
}

RT_EXPORT void omp_destroy_mempartitioner(struct partitioner *const *partitioner)
{
    free(*partitioner);
}

RT_EXPORT void omp_init_mempartition(struct partition **partition, size_t nparts, const void *user_data)
{
    struct partition *made = NULL;
    if (nparts <= (SIZE_MAX - sizeof *made) / sizeof made->sizes[0])
        made = calloc(1, sizeof *made + nparts * sizeof made->sizes[0]);
    if (made != NULL) {
        made->user_data = user_data;
        made->nparts = nparts;
    }
    *partition = made;
}

RT_EXPORT void omp_destroy_mempartition(struct partition *const *partition)
{
    free(*partition);
}

/* 0 done; -1 that size cannot be had there. */
RT_EXPORT int omp_mempartition_set_part(struct partition *const *partition, size_t part, int resource,
                                        size_t size)
{
    struct partition *of = *partition;
    if (of == NULL || part >= of->nparts || resource != 0 || size == 0)
        return -1;
    of->sizes[part] = size;
    return 0;
}

RT_EXPORT void *omp_mempartition_get_user_data(struct partition *const *partition)
{
    return *partition != NULL ? (void *)(uintptr_t)(*partition)->user_data : NULL;
}
