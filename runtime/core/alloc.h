/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Memory allocators with traits (OpenMP 5.2 chapter 6 and section 18.13; 6.0 chapters 8 and 27), for
 * abi/omp_alloc.c, abi/kmpc_alloc.c, abi/gomp_alloc.c and for OMP_ALLOCATOR.
 *
 * Every handle is a number of eight bytes: 0 is omp_null_allocator, those up to 255 are kept for predefined
 * allocators, and those from 1024 on come from rt_alloc_init().
 */
#ifndef RT_ALLOC_H
#define RT_ALLOC_H

#include "base.h"

/** Handles that every header has alike; clang's headers add 100 .. 102 and gcc's 200. */
enum {
    RT_ALLOC_NULL = 0,
    RT_ALLOC_DEFAULT = 1,
    RT_ALLOC_LARGE_CAP = 2,
    RT_ALLOC_CONST = 3,
    RT_ALLOC_HIGH_BW = 4,
    RT_ALLOC_LOW_LAT = 5,
    RT_ALLOC_CGROUP = 6,
    RT_ALLOC_PTEAM = 7,
    RT_ALLOC_THREAD = 8,
    RT_ALLOC_LLVM_HOST = 100,
    RT_ALLOC_LLVM_SHARED = 101,
    RT_ALLOC_LLVM_DEVICE = 102,
    RT_ALLOC_GNU_PINNED = 200,
    RT_ALLOC_PREDEFINED_MAX = 255
};

/** omp_alloctrait_key_t and omp_alloctrait_value_t. Where two headers differ, both numbers are here. */
enum {
    RT_ATK_SYNC_HINT = 1,
    RT_ATK_ALIGNMENT = 2,
    RT_ATK_ACCESS = 3,
    RT_ATK_POOL_SIZE = 4,
    RT_ATK_FALLBACK = 5,
    RT_ATK_FB_DATA = 6,
    RT_ATK_PINNED = 7,
    RT_ATK_PARTITION = 8,
    RT_ATK_PIN_DEVICE = 9,
    RT_ATK_PREFERRED_DEVICE = 10,
    RT_ATK_DEVICE_ACCESS = 11,
    RT_ATK_TARGET_ACCESS = 12,
    RT_ATK_ATOMIC_SCOPE = 13,
    RT_ATK_PART_SIZE = 14,
    RT_ATK_PARTITIONER = 15,
    RT_ATK_PARTITIONER_ARG = 16
};
enum {
    RT_ATV_FALSE = 0,
    RT_ATV_TRUE = 1,
    RT_ATV_CONTENDED = 3,
    RT_ATV_UNCONTENDED = 4,
    RT_ATV_SERIALIZED = 5,
    RT_ATV_PRIVATE = 6,
    RT_ATV_ALL = 7, /**< 6.0's headers call 7 "device", which on the host is the same */
    RT_ATV_THREAD = 8,
    RT_ATV_PTEAM = 9,
    RT_ATV_CGROUP = 10,
    RT_ATV_DEFAULT_MEM_FB = 11,
    RT_ATV_NULL_FB = 12,
    RT_ATV_ABORT_FB = 13,
    RT_ATV_ALLOCATOR_FB = 14,
    RT_ATV_ENVIRONMENT = 15,
    RT_ATV_NEAREST = 16,
    RT_ATV_BLOCKED = 17,
    RT_ATV_INTERLEAVED = 18,
    RT_ATV_ALL_6 = 19, /**< "all" of 6.0's headers */
    RT_ATV_SINGLE = 20,
    RT_ATV_MULTIPLE = 21,
    RT_ATV_MEMSPACE = 22
};
#define RT_ATV_DEFAULT UINT64_MAX

/** omp_alloctrait_t. */
struct rt_alloctrait {
    int32_t key;
    uint64_t value;
};

/**
 * A new allocator, or RT_ALLOC_NULL: no such memory space, a trait that nobody knows or that cannot be had.
 */
uint64_t rt_alloc_init(uint64_t memspace, int ntraits, const struct rt_alloctrait *traits);
/**
 * Predefined allocators stay. Blocks that are still in use stay valid, though the specification asks for
 * less. A handle that is no allocator's ends the program, here and below.
 */
void rt_alloc_destroy(uint64_t handle);
/** The predefined allocator of a memory space; RT_ALLOC_NULL: there is no such space. */
uint64_t rt_alloc_of_memspace(uint64_t memspace);

/** def-allocator-var of the calling thread's implicit task. */
uint64_t rt_alloc_default(void);
/** RT_ALLOC_NULL: back to what the program started with. */
void rt_alloc_set_default(struct rt_thread *th, uint64_t handle);

/**
 * A block of `size` bytes, RT_ALLOC_NULL meaning the default allocator. NULL: size is 0, the alignment is no
 * power of two (0 asks for none), or there is no memory and the allocator's fallback ends so.
 */
void *rt_alloc(uint64_t handle, size_t alignment, size_t size);
/** The same, zeroed, for n objects. */
void *rt_alloc_zeroed(uint64_t handle, size_t alignment, size_t n, size_t size);
/**
 * RT_ALLOC_NULL: the allocator that the block has. NULL and a size other than 0: the block stays as it was.
 */
void *rt_realloc(void *pointer, size_t size, uint64_t handle);
/**
 * The block knows its allocator. NULL does nothing; what is no block, or is none any more, ends the program.
 */
void rt_free(void *pointer);
/** Whether a pointer of unknown origin is a block; reads no memory that is not mapped. */
int rt_alloc_is_block(const void *pointer);

/* ---- alloc_parse.c ------------------------------------------------------------------------------------- */
/**
 * The value of OMP_ALLOCATOR (OpenMP 5.2 section 21.5.1): a predefined allocator, a memory space, or a memory
 * space, a colon and a list of trait=value. 0: *handle is the allocator; -1: bad value, *handle is untouched.
 */
int rt_alloc_parse(const char *value, uint64_t *handle) RT_WARN_UNUSED;
/** The name of a predefined allocator as the headers spell it; NULL for other handles. */
const char *rt_alloc_name(uint64_t handle);

#endif
