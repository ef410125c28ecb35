/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Memory, device, interoperability and resource routines: self-checking, in the form of cases.h. Each check
 * is a sentence of the specification (5.2 chapter 6 and section 18.8, 18.12, 18.13; 6.0 chapters 8, 24 to
 * 27).
 *
 * Compiled with -DOMP_PEER=1 it runs on another runtime: what that does not export, or does in its own way,
 * is left out.
 */
#define _GNU_SOURCE
#include "cases.h"

#include <errno.h>
#include <limits.h>
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef OMP_PEER
/* All that not every peer has. */
#pragma weak kmp_aligned_malloc
#pragma weak kmp_calloc
#pragma weak kmp_free
#pragma weak kmp_malloc
#pragma weak kmp_realloc
#pragma weak omp_aligned_alloc
#pragma weak omp_aligned_calloc
#pragma weak omp_ancestor_is_free_agent
#pragma weak omp_calloc
#pragma weak omp_control_tool
#pragma weak omp_get_device_allocator
#pragma weak omp_get_device_and_host_allocator
#pragma weak omp_get_device_and_host_memspace
#pragma weak omp_get_device_from_uid
#pragma weak omp_get_device_memspace
#pragma weak omp_get_device_num_teams
#pragma weak omp_get_device_teams_thread_limit
#pragma weak omp_get_devices_all_allocator
#pragma weak omp_get_devices_all_memspace
#pragma weak omp_get_devices_allocator
#pragma weak omp_get_devices_and_host_allocator
#pragma weak omp_get_devices_and_host_memspace
#pragma weak omp_get_devices_memspace
#pragma weak omp_get_interop_int
#pragma weak omp_get_interop_name
#pragma weak omp_get_interop_ptr
#pragma weak omp_get_interop_rc_desc
#pragma weak omp_get_interop_str
#pragma weak omp_get_interop_type_desc
#pragma weak omp_get_mapped_ptr
#pragma weak omp_get_max_progress_width
#pragma weak omp_get_max_teams
#pragma weak omp_get_memspace_num_resources
#pragma weak omp_get_memspace_pagesize
#pragma weak omp_get_num_interop_properties
#pragma weak omp_get_submemspace
#pragma weak omp_get_teams_thread_limit
#pragma weak omp_get_uid_from_device
#pragma weak omp_is_free_agent
#pragma weak omp_realloc
#pragma weak omp_set_device_num_teams
#pragma weak omp_set_num_teams
#pragma weak omp_set_teams_thread_limit
#pragma weak omp_target_alloc
#pragma weak omp_target_associate_ptr
#pragma weak omp_target_disassociate_ptr
#pragma weak omp_target_free
#pragma weak omp_target_is_accessible
#pragma weak omp_target_is_present
#pragma weak omp_target_memcpy
#pragma weak omp_target_memcpy_async
#pragma weak omp_target_memcpy_rect
#pragma weak omp_target_memcpy_rect_async
#pragma weak omp_target_memset
#pragma weak omp_target_memset_async
#define NEEDS(routine)       \
    do {                     \
        if (routine == NULL) \
            return 0;        \
    } while (0)
#else
#define OMP_PEER       0
#define NEEDS(routine) (void)0
#endif

#define CHECK(condition)     \
    do {                     \
        if (!(condition))    \
            return __LINE__; \
    } while (0)

/* The compiler knows error at(execution). */
#if OMP_PEER || (defined(__clang__) ? __clang_major__ < 19 : __GNUC__ < 12)
#define HAS_ERROR 0
#else
#define HAS_ERROR 1
#endif

static omp_allocator_handle_t with1(int key, omp_uintptr_t value)
{
    omp_alloctrait_t trait[1] = {{(omp_alloctrait_key_t)key, value}};
    return omp_init_allocator(omp_default_mem_space, 1, trait);
}

/** An allocator with a pool of `size` bytes and a fallback. */
static omp_allocator_handle_t pool(size_t size, omp_uintptr_t fallback, omp_allocator_handle_t data)
{
    omp_alloctrait_t traits[3] = {
        {omp_atk_pool_size, size}, {omp_atk_fallback, fallback}, {omp_atk_fb_data, (omp_uintptr_t)data}};
    return omp_init_allocator(omp_default_mem_space, 3, traits);
}

static int aligned(const void *memory, size_t alignment)
{
    return (uintptr_t)memory % alignment == 0;
}

static int all_bytes(const void *memory, size_t n, int value)
{
    const unsigned char *bytes = memory;
    for (size_t i = 0; i < n; i++)
        if (bytes[i] != (unsigned char)value)
            return 0;
    return 1;
}

/** Runs a function in a child whose stderr goes to `text`; gives the wait status. */
static int in_child(void (*run)(void), char *text, size_t size)
{
    int ends[2];
    if (pipe(ends) != 0)
        return -1;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(ends[1], 2);
        run();
        _exit(77);
    }
    close(ends[1]);
    size_t n = 0;
    for (ssize_t got; n + 1 < size && (got = read(ends[0], text + n, size - 1 - n)) > 0;)
        n += (size_t)got;
    text[n] = '\0';
    close(ends[0]);
    int status = -1;
    waitpid(pid, &status, 0);
    return status;
}

/* ---- allocators ---------------------------------------------------------------------------------------- */

static int predefined_allocators(int threads)
{
    (void)threads;
    for (uintptr_t handle = omp_null_allocator; handle <= omp_thread_mem_alloc; handle++) {
        char *memory = omp_alloc(1000, (omp_allocator_handle_t)handle);
#if OMP_PEER && defined(__clang__) /* libomp 14 has no memory for some, and aligns to 8 bytes */
        if (memory == NULL || !aligned(memory, _Alignof(max_align_t)))
            continue;
#endif
        CHECK(memory != NULL && aligned(memory, _Alignof(max_align_t)));
        memset(memory, 'x', 1000);
        omp_free(memory, (omp_allocator_handle_t)handle);
        CHECK(omp_alloc(0, (omp_allocator_handle_t)handle) == NULL);
    }
    omp_free(NULL, omp_default_mem_alloc);
    return 0;
}

static int spaces(int threads)
{
    (void)threads;
    for (uintptr_t space = omp_default_mem_space; space <= omp_low_lat_mem_space; space++) {
        if (OMP_PEER && space == omp_high_bw_mem_space)
            continue; /* both peers refuse it on a machine without such memory; here it is the heap */
        omp_allocator_handle_t allocator = omp_init_allocator((omp_memspace_handle_t)space, 0, NULL);
        CHECK(allocator != omp_null_allocator);
        void *memory = omp_alloc(64, allocator);
        CHECK(memory != NULL);
        omp_free(memory, omp_null_allocator); /* the block knows */
        omp_destroy_allocator(allocator);
    }
#if !OMP_PEER
    CHECK(omp_init_allocator((omp_memspace_handle_t)99, 0, NULL) != omp_null_allocator);
    CHECK(omp_init_allocator((omp_memspace_handle_t)5, 0, NULL) == omp_null_allocator);
#endif
    return 0;
}

static int traits_accepted(int threads)
{
    (void)threads;
    static const omp_alloctrait_t good[] = {
        {omp_atk_sync_hint, omp_atv_contended},
        {omp_atk_sync_hint, omp_atv_uncontended},
        {omp_atk_sync_hint, omp_atv_serialized},
        {omp_atk_sync_hint, omp_atv_private},
        {omp_atk_sync_hint, omp_atv_default},
        {omp_atk_alignment, 1},
        {omp_atk_alignment, 4096},
        {omp_atk_access, omp_atv_all},
        {omp_atk_access, omp_atv_cgroup},
        {omp_atk_access, omp_atv_pteam},
        {omp_atk_access, omp_atv_thread},
        {omp_atk_access, omp_atv_default},
        {omp_atk_pool_size, 12345},
        {omp_atk_pool_size, omp_atv_default},
        {omp_atk_fallback, omp_atv_default_mem_fb},
        {omp_atk_fallback, omp_atv_null_fb},
        {omp_atk_fallback, omp_atv_abort_fb},
        {omp_atk_pinned, omp_atv_false},
        {omp_atk_pinned, omp_atv_default},
        {omp_atk_partition, omp_atv_environment},
        {omp_atk_partition, omp_atv_nearest},
        {omp_atk_partition, omp_atv_blocked},
        {omp_atk_partition, omp_atv_interleaved},
        {omp_atk_partition, omp_atv_default},
#if !OMP_PEER || !defined(__clang__) /* libomp 14 ends the program */
        {omp_atk_alignment, omp_atv_default},
        {omp_atk_fallback, omp_atv_default},
#endif
#if !OMP_PEER
        {omp_atk_access, 19}, /* "all" of 6.0 */
        {omp_atk_access, omp_atv_memspace},
        {omp_atk_pinned, omp_atv_true},
        {omp_atk_pin_device, (omp_uintptr_t)omp_initial_device},
        {omp_atk_preferred_device, 0},
        {omp_atk_device_access, omp_atv_multiple},
        {omp_atk_target_access, omp_atv_single},
        {omp_atk_atomic_scope, omp_atv_device},
        {omp_atk_part_size, 4096},
#endif
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        omp_allocator_handle_t allocator = omp_init_allocator(omp_default_mem_space, 1, &good[i]);
        if (allocator == omp_null_allocator)
            printf("  trait %d, value %ld is refused\n", (int)good[i].key, (long)good[i].value);
        CHECK(allocator > omp_thread_mem_alloc);
        void *memory = omp_alloc(100, allocator);
        CHECK(memory != NULL);
        omp_free(memory, allocator);
        omp_destroy_allocator(allocator);
    }
    return 0;
}

static int traits_refused(int threads)
{
    (void)threads;
#if !OMP_PEER || !defined(__clang__) /* libomp ends the program */
    CHECK(with1(omp_atk_alignment, 3) == omp_null_allocator);
    CHECK(with1(omp_atk_alignment, 0) == omp_null_allocator);
    CHECK(with1(omp_atk_sync_hint, 2) == omp_null_allocator);
    CHECK(with1(omp_atk_access, omp_atv_private) == omp_null_allocator);
    CHECK(with1(omp_atk_fallback, omp_atv_cgroup) == omp_null_allocator);
    CHECK(with1(omp_atk_partition, omp_atv_allocator_fb) == omp_null_allocator);
    CHECK(with1(omp_atk_pinned, 2) == omp_null_allocator);
    CHECK(with1(99, 1) == omp_null_allocator && with1(0, 1) == omp_null_allocator);
    /* One bad trait among good ones is enough. */
    omp_alloctrait_t mixed[2] = {{omp_atk_alignment, 64}, {omp_atk_partition, 99}};
    CHECK(omp_init_allocator(omp_default_mem_space, 2, mixed) == omp_null_allocator);
#endif
#if !OMP_PEER
    CHECK(with1(omp_atk_pin_device, 7) == omp_null_allocator);
    CHECK(with1(omp_atk_partition, omp_atv_partitioner) == omp_null_allocator);
#endif
    return 0;
}

static int alignment(int threads)
{
    (void)threads;
    for (size_t trait = 1; trait <= 65536; trait *= 4) {
        omp_allocator_handle_t allocator = with1(omp_atk_alignment, trait);
        void *memory[20];
        for (size_t i = 0; i < 20; i++) {
            memory[i] = omp_alloc(1 + 37 * i, allocator);
            CHECK(memory[i] != NULL && aligned(memory[i], trait));
            memset(memory[i], 1, 1 + 37 * i);
        }
        for (size_t i = 0; i < 20; i++)
            omp_free(memory[i], allocator);
        omp_destroy_allocator(allocator);
    }
    NEEDS(omp_aligned_alloc);
    omp_allocator_handle_t allocator = with1(omp_atk_alignment, 64);
    for (size_t argument = 8; argument <= 16384; argument *= 2) {
        char *memory = omp_aligned_alloc(argument, 100, allocator);
        CHECK(memory != NULL && aligned(memory, argument) && aligned(memory, 64));
        omp_free(memory, allocator);
        memory = omp_aligned_calloc(argument, 10, 25, omp_default_mem_alloc);
        CHECK(memory != NULL && aligned(memory, argument) && all_bytes(memory, 250, 0));
        omp_free(memory, omp_null_allocator);
    }
    CHECK(omp_aligned_alloc(64, 0, allocator) == NULL && omp_aligned_calloc(64, 0, 4, allocator) == NULL);
    omp_destroy_allocator(allocator);
    return 0;
}

static int zeroed(int threads)
{
    (void)threads;
    NEEDS(omp_calloc);
    for (size_t size = 1; size < 3000000; size = size * 3 + 1)
        for (int again = 0; again < 3; again++) {
            char *memory = omp_calloc(size, 3, omp_default_mem_alloc);
            CHECK(memory != NULL && all_bytes(memory, size * 3, 0));
            memset(memory, 0xee, size * 3);
            omp_free(memory, omp_default_mem_alloc);
        }
    CHECK(omp_calloc(0, 8, omp_default_mem_alloc) == NULL && omp_calloc(8, 0, omp_default_mem_alloc) == NULL);
#if !OMP_PEER || !defined(__clang__)         /* libomp 14 computes a size that overflows */
    volatile size_t huge = SIZE_MAX / 2 + 2; /* times 2 it is 2 */
    CHECK(omp_calloc(huge, 2, omp_default_mem_alloc) == NULL);
    CHECK(omp_alloc(SIZE_MAX - huge % 2, omp_default_mem_alloc) == NULL);
#endif
    return 0;
}

/* ---- pools and fallbacks ------------------------------------------------------------------------------- */

static int pool_null_fb(int threads)
{
    (void)threads;
    omp_allocator_handle_t allocator = pool(4096, omp_atv_null_fb, omp_null_allocator);
    CHECK(allocator != omp_null_allocator);
    CHECK(omp_alloc(4097, allocator) == NULL);
    for (int round = 0; round < 3; round++) {
        void *first = omp_alloc(2500, allocator);
        CHECK(first != NULL && omp_alloc(2500, allocator) == NULL);
        void *second = omp_alloc(1000, allocator);
        CHECK(second != NULL);
        omp_free(first, allocator);
        omp_free(second, allocator);
    }
#if !OMP_PEER /* how much of the pool is the allocator's own is its affair; here 32 bytes a block */
    void *all = omp_alloc(4096 - 32, allocator);
    CHECK(all != NULL && omp_alloc(1, allocator) == NULL);
    omp_free(all, allocator);
#endif
    CHECK(omp_alloc(SIZE_MAX / 2, allocator) == NULL);
    void *still = omp_alloc(2500, allocator); /* what failed took nothing out of the pool */
    CHECK(still != NULL);
    omp_free(still, allocator);
    omp_destroy_allocator(allocator);
    return 0;
}

static int pool_default_mem_fb(int threads)
{
    (void)threads;
    omp_allocator_handle_t allocator = pool(1024, omp_atv_default_mem_fb, omp_null_allocator);
    char *memory[10];
    for (int i = 0; i < 10; i++) {
        memory[i] = omp_alloc(800, allocator);
        CHECK(memory[i] != NULL);
        memset(memory[i], i, 800);
    }
    for (int i = 0; i < 10; i++) {
        CHECK(all_bytes(memory[i], 800, i));
        omp_free(memory[i], allocator);
    }
    CHECK(omp_alloc(SIZE_MAX / 2, allocator) == NULL); /* there the default has none either */
    omp_destroy_allocator(allocator);
    return 0;
}

static int pool_allocator_fb(int threads)
{
    (void)threads;
    omp_allocator_handle_t last = pool(8192, omp_atv_null_fb, omp_null_allocator);
    omp_allocator_handle_t middle = pool(4096, omp_atv_allocator_fb, last);
    omp_allocator_handle_t first = pool(2048, omp_atv_allocator_fb, middle);
    void *a = omp_alloc(1500, first), *b = omp_alloc(1500, first), *c = omp_alloc(6000, first);
    CHECK(a != NULL && b != NULL && c != NULL);
    CHECK(omp_alloc(6000, first) == NULL && omp_alloc(6000, last) == NULL);
    CHECK(omp_alloc(3500, middle) == NULL); /* has b, and the last has c */
    omp_free(b, first);
    b = omp_alloc(3500, middle);
    CHECK(b != NULL);
    omp_free(a, omp_null_allocator);
    omp_free(b, omp_null_allocator);
    omp_free(c, omp_null_allocator);
    c = omp_alloc(7000, last);
    CHECK(c != NULL);
    omp_free(c, last);
    omp_destroy_allocator(first);
    omp_destroy_allocator(middle);
    omp_destroy_allocator(last);
    return 0;
}

static void abort_fb(void)
{
    omp_alloc(200, pool(100, omp_atv_abort_fb, omp_null_allocator));
}

static int pool_abort_fb(int threads)
{
    (void)threads;
    char text[400];
    int status = in_child(abort_fb, text, sizeof text);
    CHECK(WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) != 77));
    return 0;
}

/* No more than three blocks of a pool of three are out at any time, and none gets lost. */
static int pool_of_threads(int threads)
{
    omp_allocator_handle_t allocator = pool(3 * 4096, omp_atv_null_fb, omp_null_allocator);
    int held = 0, most = 0, got = 0;
#pragma omp parallel num_threads(threads)
    for (int i = 0; i < 2000; i++) {
        int *memory = omp_alloc(3200, allocator);
        if (memory == NULL)
            continue;
        int now = __atomic_add_fetch(&held, 1, __ATOMIC_ACQ_REL);
#pragma omp critical
        {
            most = now > most ? now : most;
            got++;
        }
        memory[0] = memory[799] = i;
        __atomic_sub_fetch(&held, 1, __ATOMIC_ACQ_REL);
        omp_free(memory, i % 2 != 0 ? allocator : omp_null_allocator);
    }
    CHECK(most <= 3 && got > 0);
    void *blocks[3];
    for (int i = 0; i < 3; i++)
        CHECK((blocks[i] = omp_alloc(3200, allocator)) != NULL);
    CHECK(omp_alloc(3200, allocator) == NULL);
    for (int i = 0; i < 3; i++)
        omp_free(blocks[i], allocator);
    omp_destroy_allocator(allocator);
    return 0;
}

static int freed_by_another_thread(int threads)
{
    char *memory[64];
    omp_allocator_handle_t allocator = with1(omp_atk_alignment, 128);
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(static, 1)
        for (int i = 0; i < 64; i++)
            memset(memory[i] = omp_alloc(100 + (size_t)i, allocator), i, 100 + (size_t)i);
#pragma omp for schedule(static, 2)
        for (int i = 0; i < 64; i++) {
            if (!all_bytes(memory[i], 100 + (size_t)i, i))
                abort();
            omp_free(memory[i], allocator);
        }
    }
    omp_destroy_allocator(allocator);
    return 0;
}

static int pinned(int threads)
{
    (void)threads;
#if !OMP_PEER
    omp_alloctrait_t traits[2] = {{omp_atk_pinned, omp_atv_true}, {omp_atk_alignment, 256}};
    omp_allocator_handle_t allocator = omp_init_allocator(omp_default_mem_space, 2, traits);
    CHECK(allocator != omp_null_allocator);
    for (size_t size = 1; size < 40000; size = size * 2 + 1) {
        char *memory = omp_calloc(1, size, allocator);
        CHECK(memory != NULL && aligned(memory, 256) && all_bytes(memory, size, 0));
        memset(memory, 7, size);
        memory = omp_realloc(memory, 2 * size, allocator, allocator);
        CHECK(memory != NULL && aligned(memory, 256) && all_bytes(memory, size, 7));
        omp_free(memory, allocator);
    }
    omp_destroy_allocator(allocator);
    char *memory = omp_alloc(100, (omp_allocator_handle_t)200); /* gcc's ompx_gnu_pinned_mem_alloc */
    omp_free(memory, omp_null_allocator);
#endif
    return 0;
}

/* The specification leaves this open; here the blocks stay. */
static int destroyed_early(int threads)
{
    (void)threads;
#if !OMP_PEER
    for (int round = 0; round < 100; round++) {
        omp_allocator_handle_t allocator = pool(4096, omp_atv_null_fb, omp_null_allocator);
        char *a = omp_alloc(1000, allocator), *b = omp_alloc(1000, allocator);
        omp_destroy_allocator(allocator);
        memset(a, 1, 1000);
        omp_free(a, omp_null_allocator);
        memset(b, 1, 1000);
        omp_free(b, allocator);
    }
    omp_destroy_allocator(omp_default_mem_alloc);
    omp_destroy_allocator(omp_null_allocator);
    void *memory = omp_alloc(8, omp_default_mem_alloc);
    CHECK(memory != NULL);
    omp_free(memory, omp_default_mem_alloc);
#endif
    return 0;
}

#if !OMP_PEER
static void free_twice(void)
{
    void *memory = omp_alloc(100000, omp_default_mem_alloc);
    omp_free(memory, omp_default_mem_alloc);
    omp_free(memory, omp_default_mem_alloc);
}

static void free_foreign(void)
{
    static long words[100];
    omp_free(&words[50 + (uintptr_t)&words[50] % 16 / 8], omp_default_mem_alloc);
}
#endif

static int many_allocators(int threads)
{
    enum { MANY = 3000 };
    omp_allocator_handle_t *handles = malloc(MANY * sizeof *handles);
    for (int round = 0; round < 3; round++) {
#pragma omp parallel for num_threads(threads) schedule(static, 7)
        for (int i = 0; i < MANY; i++)
            handles[i] = with1(omp_atk_alignment, (omp_uintptr_t)1 << i % 13);
        int wrong = 0;
#pragma omp parallel for num_threads(threads) schedule(static, 5) reduction(+ : wrong)
        for (int i = 0; i < MANY; i++) {
            void *memory = omp_alloc(16, handles[i]);
            wrong += !aligned(memory, (size_t)1 << i % 13);
            omp_free(memory, handles[i]);
            omp_destroy_allocator(handles[i]);
        }
        CHECK(wrong == 0);
    }
    free(handles);
    return 0;
}

#if !OMP_PEER
static void use_destroyed(void)
{
    omp_allocator_handle_t allocator = with1(omp_atk_alignment, 64);
    omp_destroy_allocator(allocator);
    omp_alloc(8, allocator);
}
#endif

static int wrong_use(int threads)
{
    (void)threads;
#if !OMP_PEER
    char text[400];
    int status = in_child(free_foreign, text, sizeof text);
    CHECK(!(WIFEXITED(status) && (WEXITSTATUS(status) == 77 || WEXITSTATUS(status) == 0)));
    CHECK(strstr(text, "does not come from an OpenMP allocator") != NULL);
    status = in_child(use_destroyed, text, sizeof text);
    CHECK(!WIFEXITED(status) || (WEXITSTATUS(status) != 77 && WEXITSTATUS(status) != 0));
    CHECK(strstr(text, "is no allocator, or was destroyed") != NULL);
    status = in_child(free_twice, text, sizeof text);
    CHECK(!(WIFEXITED(status) && (WEXITSTATUS(status) == 77 || WEXITSTATUS(status) == 0)));
#endif
    return 0;
}

static int reallocation(int threads)
{
    (void)threads;
    NEEDS(omp_realloc);
#if OMP_PEER && defined(__clang__)
    return 0; /* libomp 14 ends with a fault when it moves an aligned block */
#endif
    static const size_t sizes[] = {10, 1000, 50, 100000, 99999, 3000000, 1};
    omp_allocator_handle_t handles[] = {omp_default_mem_alloc, omp_low_lat_mem_alloc,
                                        with1(omp_atk_alignment, 512), with1(omp_atk_pool_size, 10000000)};
    for (int h = 0; h < 4; h++) {
        char *memory = omp_realloc(NULL, 5, handles[h], omp_null_allocator);
        CHECK(memory != NULL);
        memset(memory, 'a', 5);
        size_t before = 5;
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            memory = omp_realloc(memory, sizes[i], i % 2 != 0 ? handles[h] : omp_null_allocator, handles[h]);
            CHECK(memory != NULL && all_bytes(memory, before < sizes[i] ? before : sizes[i], 'a'));
            CHECK(h != 2 || aligned(memory, 512));
            memset(memory, 'a', before = sizes[i]);
        }
        /* To another allocator, and away. */
        memory = omp_realloc(memory, 300, handles[(h + 1) % 4], handles[h]);
        CHECK(memory != NULL && memory[0] == 'a');
        CHECK(omp_realloc(memory, 0, handles[0], handles[(h + 1) % 4]) == NULL);
    }
    omp_destroy_allocator(handles[2]);
    omp_destroy_allocator(handles[3]);

    /* What does not fit into the pool fails and leaves the block; the pool counts the new size only. */
    omp_allocator_handle_t small = pool(4096, omp_atv_null_fb, omp_null_allocator);
    char *memory = omp_alloc(2000, small);
    CHECK(memory != NULL);
    memset(memory, 'b', 2000);
    CHECK(omp_realloc(memory, 5000, small, small) == NULL && all_bytes(memory, 2000, 'b'));
#if !OMP_PEER
    memory = omp_realloc(memory, 4000, small, small);
    CHECK(memory != NULL && all_bytes(memory, 2000, 'b') && omp_alloc(96, small) == NULL);
#endif
    memory = omp_realloc(memory, 100, small, small);
    CHECK(memory != NULL && all_bytes(memory, 100, 'b'));
    char *more = omp_alloc(3500, small);
    CHECK(more != NULL);
    omp_free(memory, small);
    omp_free(more, small);
    omp_destroy_allocator(small);

    /* Its fallback may give what the pool cannot. */
    small = pool(4096, omp_atv_default_mem_fb, omp_null_allocator);
    memory = omp_alloc(2000, small);
    memset(memory, 'c', 2000);
    memory = omp_realloc(memory, 50000, small, small);
    CHECK(memory != NULL && all_bytes(memory, 2000, 'c'));
    omp_free(memory, small);
    omp_destroy_allocator(small);
    return 0;
}

/* ---- def-allocator-var --------------------------------------------------------------------------------- */

static int default_allocator(int threads)
{
    omp_allocator_handle_t initial = omp_get_default_allocator();
    CHECK(initial == omp_default_mem_alloc || getenv("OMP_ALLOCATOR") != NULL);
    omp_allocator_handle_t mine = pool(4096, omp_atv_null_fb, omp_null_allocator);
    omp_set_default_allocator(mine);
    CHECK(omp_get_default_allocator() == mine);
    CHECK(omp_alloc(5000, omp_null_allocator) == NULL);
    int wrong = 0;
#pragma omp parallel num_threads(threads) reduction(+ : wrong)
    {
        wrong += omp_get_default_allocator() != mine;
#pragma omp barrier
        omp_set_default_allocator((omp_allocator_handle_t)(1 + omp_get_thread_num() % 8));
#pragma omp barrier
        wrong += (int)omp_get_default_allocator() != 1 + omp_get_thread_num() % 8;
#pragma omp parallel num_threads(2) reduction(+ : wrong)
        wrong += (int)omp_get_default_allocator() != 1 + omp_get_ancestor_thread_num(1) % 8;
        /* The ICV is the implicit task's: a task inside reads and sets that. */
#pragma omp task if (0) shared(wrong)
        {
            wrong += (int)omp_get_default_allocator() != 1 + omp_get_thread_num() % 8;
            omp_set_default_allocator(omp_cgroup_mem_alloc);
        }
        wrong += omp_get_default_allocator() != omp_cgroup_mem_alloc;
    }
    CHECK(wrong == 0);
    CHECK(omp_get_default_allocator() == mine);
    omp_set_default_allocator(initial);
    CHECK(omp_get_default_allocator() == initial);
    void *memory = omp_alloc(5000, omp_null_allocator);
    CHECK(memory != NULL);
    omp_free(memory, omp_null_allocator);
#if !OMP_PEER
    omp_set_default_allocator(omp_const_mem_alloc);
    omp_set_default_allocator(omp_null_allocator);
    CHECK(omp_get_default_allocator() == initial);
#endif
    omp_destroy_allocator(mine);
    return 0;
}

/* ---- what the compiler makes of clauses and directives ------------------------------------------------- */

static int allocate_clause(int threads)
{
#if OMP_PEER && defined(__clang__) && __clang_major__ < 16
    omp_allocator_handle_t mine =
        omp_low_lat_mem_alloc; /* clang 14 passes 32 bits of what libomp has as an address */
#else
    omp_allocator_handle_t mine = with1(omp_atk_alignment, 128);
#endif
    int wrong = 0, value = 5;
    int table[100];
    for (int i = 0; i < 100; i++)
        table[i] = i;
#pragma omp parallel num_threads(threads) firstprivate(value, table) reduction(+ : wrong) \
    allocate(omp_low_lat_mem_alloc : value, table)
    {
        value += omp_get_thread_num();
        table[3] = value;
#pragma omp barrier
        wrong += value != 5 + omp_get_thread_num() || table[3] != value || table[99] != 99;
    }
    CHECK(wrong == 0 && value == 5);
#pragma omp parallel num_threads(threads) firstprivate(table) reduction(+ : wrong) allocate(mine : table)
    {
        table[omp_get_thread_num() % 100] = -1;
#pragma omp barrier
        for (int i = 0; i < 100; i++)
            wrong += table[i] != (i == omp_get_thread_num() % 100 ? -1 : i);
#pragma omp single
        for (int n = 0; n < 20; n++)
#pragma omp task firstprivate(table, n) allocate(omp_default_mem_alloc : table)
            table[n] = n;
    }
    CHECK(wrong == 0);
#if defined(__clang__)
    {
        int local[50];
#pragma omp allocate(local) allocator(omp_const_mem_alloc)
        for (int i = 0; i < 50; i++)
            local[i] = i;
        CHECK(local[49] == 49);
    }
#if __clang_major__ >= 19
    {
        double wide[8];
#pragma omp allocate(wide) allocator(omp_default_mem_alloc) align(512)
        wide[0] = 1;
        CHECK(aligned(wide, 512) && wide[0] == 1);
    }
#endif
#endif
    if (mine > omp_thread_mem_alloc)
        omp_destroy_allocator(mine);
    return 0;
}

static int heap_of_libomp(int threads)
{
    (void)threads;
    NEEDS(kmp_malloc);
    char *memory = kmp_malloc(100);
    CHECK(memory != NULL);
    memset(memory, 'k', 100);
    memory = kmp_realloc(memory, 10000);
    CHECK(memory != NULL && all_bytes(memory, 100, 'k'));
    kmp_free(memory);
    memory = kmp_calloc(10, 30);
    CHECK(memory != NULL && all_bytes(memory, 300, 0));
    kmp_free(memory);
    memory = kmp_aligned_malloc(50, 1024);
    CHECK(memory != NULL && aligned(memory, 1024));
    kmp_free(memory);
    return 0;
}

static int spaces_of_devices(int threads)
{
    (void)threads;
    NEEDS(omp_get_device_memspace);
#if !OMP_PEER
    const omp_memspace_handle_t space = omp_high_bw_mem_space;
    int host[2] = {omp_initial_device, omp_get_initial_device()}, bad[2] = {0, 5}, zero = 0, one = 1;
    CHECK(omp_get_device_memspace(host[0], space) == space);
    CHECK(omp_get_devices_memspace(2, host, space) == space && omp_get_devices_all_memspace(space) == space);
    CHECK(omp_get_device_and_host_memspace(host[1], space) == space);
    CHECK(omp_get_devices_and_host_memspace(0, NULL, space) == space);
    CHECK(omp_get_devices_memspace(2, bad, space) == omp_null_mem_space);
    CHECK(omp_get_device_memspace(omp_invalid_device, space) == omp_null_mem_space);
    CHECK(omp_get_device_allocator(host[0], space) == omp_high_bw_mem_alloc);
    CHECK(omp_get_devices_allocator(2, host, omp_default_mem_space) == omp_default_mem_alloc);
    CHECK(omp_get_device_and_host_allocator(host[1], omp_low_lat_mem_space) == omp_low_lat_mem_alloc);
    CHECK(omp_get_devices_and_host_allocator(1, host, omp_const_mem_space) == omp_const_mem_alloc);
    CHECK(omp_get_devices_all_allocator(omp_large_cap_mem_space) == omp_large_cap_mem_alloc);
    CHECK(omp_get_devices_allocator(2, bad, space) == omp_null_allocator);
    CHECK(omp_get_device_allocator(0, (omp_memspace_handle_t)77) == omp_null_allocator);
    CHECK(omp_get_memspace_num_resources(space) == 1);
    CHECK(omp_get_memspace_pagesize(space) == (size_t)sysconf(_SC_PAGESIZE));
    CHECK(omp_get_submemspace(space, 1, &zero) == space);
    CHECK(omp_get_submemspace(space, 1, &one) == omp_null_mem_space);
#endif
    return 0;
}

static int partitions(int threads)
{
    (void)threads;
#if !OMP_PEER
    int data = 5;
    omp_mempartition_t partition;
    omp_init_mempartition(&partition, 2, &data);
    CHECK(omp_mempartition_get_user_data(&partition) == &data);
    CHECK(omp_mempartition_set_part(&partition, 0, 0, 4096) == 0);
    CHECK(omp_mempartition_set_part(&partition, 1, 1, 4096) == -1); /* there is one resource */
    CHECK(omp_mempartition_set_part(&partition, 2, 0, 4096) == -1);
    omp_destroy_mempartition(&partition);
    omp_mempartitioner_t partitioner;
    omp_init_mempartitioner(&partitioner, omp_dynamic_mempartition, NULL, NULL);
    omp_destroy_mempartitioner(&partitioner);
#endif
    return 0;
}

/* ---- devices ------------------------------------------------------------------------------------------- */

static int device_memory(int threads)
{
    (void)threads;
    NEEDS(omp_target_alloc);
    int host = omp_get_initial_device(), bad = omp_get_num_devices() + 7, x = 0;
    char *a = omp_target_alloc(1000, host), *b = omp_target_alloc(1000, host);
    CHECK(a != NULL && b != NULL && omp_target_alloc(8, bad) == NULL);
    for (int i = 0; i < 1000; i++)
        a[i] = (char)i;
    memset(b, 0, 1000);
    CHECK(omp_target_memcpy(b, a, 100, 50, 200, host, host) == 0);
    CHECK(memcmp(b + 50, a + 200, 100) == 0 && all_bytes(b, 50, 0) && all_bytes(b + 150, 850, 0));
    CHECK(omp_target_memcpy(b, a, 10, 0, 0, bad, host) != 0 &&
          omp_target_memcpy(b, a, 10, 0, 0, host, bad) != 0);
    CHECK(omp_target_memcpy(b, a, 0, 0, 0, host, host) == 0);
    CHECK(omp_target_is_present(&x, host) == 1 && omp_target_is_present(&x, bad) == 0);
    CHECK(omp_target_associate_ptr(&x, a, 4, 0, host) != 0 && omp_target_disassociate_ptr(&x, host) != 0);
    omp_target_free(a, host);
    omp_target_free(b, host);
    omp_target_free(NULL, host);
#if !OMP_PEER
    void *c = omp_target_alloc(8, omp_initial_device);
    CHECK(c != NULL && omp_target_alloc(8, omp_invalid_device) == NULL);
    omp_target_free(c, omp_initial_device);
    CHECK(omp_target_memcpy(NULL, &x, 4, 0, 0, host, host) == EINVAL);
    CHECK(omp_target_memcpy(&x, &x, 4, 0, 0, omp_invalid_device, host) == EINVAL);
#endif
    NEEDS(omp_target_is_accessible);
    CHECK(omp_target_is_accessible(&x, sizeof x, host) == 1 && omp_get_mapped_ptr(&x, host) == &x);
    CHECK(omp_target_is_accessible(&x, sizeof x, bad) == 0 && omp_get_mapped_ptr(&x, bad) == NULL);
    return 0;
}

static int device_boxes(int threads)
{
    (void)threads;
    NEEDS(omp_target_alloc);
    int host = omp_get_initial_device();
    static int from[6][7][8], to[5][9][10], expected[5][9][10];
    for (int i = 0; i < 6 * 7 * 8; i++)
        (&from[0][0][0])[i] = 1000 + i;
    memset(to, 0, sizeof to);
    memset(expected, 0, sizeof expected);
    const size_t volume[3] = {3, 4, 5}, to_offset[3] = {1, 2, 4}, from_offset[3] = {2, 1, 3};
    const size_t to_dims[3] = {5, 9, 10}, from_dims[3] = {6, 7, 8};
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 4; j++)
            for (size_t k = 0; k < 5; k++)
                expected[1 + i][2 + j][4 + k] = from[2 + i][1 + j][3 + k];
    CHECK(omp_target_memcpy_rect(to, from, sizeof(int), 3, volume, to_offset, from_offset, to_dims, from_dims,
                                 host, host) == 0);
    CHECK(memcmp(to, expected, sizeof to) == 0);
    CHECK(omp_target_memcpy_rect(NULL, NULL, 4, 1, volume, to_offset, from_offset, to_dims, from_dims, host,
                                 host) >= 3);
#if !OMP_PEER /* libgomp 12 does not come back */
    CHECK(omp_target_memcpy_rect(to, from, 4, 0, volume, to_offset, from_offset, to_dims, from_dims, host,
                                 host) != 0);
#endif
    CHECK(omp_target_memcpy_rect(to, from, 4, 3, volume, to_offset, from_offset, to_dims, from_dims, host,
                                 host + 7) != 0);
    /* One dimension, and as many as nobody uses: the first 20 of them have two slices, the others one. */
    short line[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, part[10] = {0};
    CHECK(omp_target_memcpy_rect(part, line, sizeof(short), 1, volume, to_offset, from_offset, to_dims,
                                 from_dims, host, host) == 0);
    CHECK(part[0] == 0 && part[1] == 2 && part[2] == 3 && part[3] == 4 && part[4] == 0);
#if !OMP_PEER
    enum { DIMS = 500, WIDE = 12 };
    static size_t many[DIMS], none[DIMS], ones[DIMS], wrong[DIMS];
    for (int i = 0; i < DIMS; i++) {
        many[i] = i % 40 == 0 && i / 40 < WIDE ? 2 : 1;
        ones[i] = 1;
        wrong[i] = SIZE_MAX / 2;
    }
    char *big = malloc(1 << WIDE), *copy = malloc(1 << WIDE);
    for (int i = 0; i < 1 << WIDE; i++)
        big[i] = (char)(i ^ i >> 5), copy[i] = 99;
    CHECK(omp_target_memcpy_rect(copy, big, 1, DIMS, many, none, none, many, many, host, host) == 0);
    CHECK(memcmp(big, copy, 1 << WIDE) == 0);
    CHECK(omp_target_memcpy_rect(copy, big, 1, DIMS, wrong, none, none, wrong, wrong, host, host) == EINVAL);
    CHECK(omp_target_memcpy_rect(copy, big, 1, DIMS, ones, none, none, none, ones, host, host) == EINVAL);
    free(big);
    free(copy);
#endif
    return 0;
}

static int device_memset(int threads)
{
    (void)threads;
    NEEDS(omp_target_memset);
    char bytes[20] = {0};
    int host = omp_get_initial_device();
    CHECK(omp_target_memset(bytes + 5, 0x177, 10, host) == bytes + 5);
    CHECK(all_bytes(bytes, 5, 0) && all_bytes(bytes + 5, 10, 0x77) && all_bytes(bytes + 15, 5, 0));
    CHECK(omp_target_memset_async(bytes, 1, 20, host, 0, NULL) == bytes && all_bytes(bytes, 20, 1));
    return 0;
}

/* An asynchronous copy is a task with dependences: it runs behind the tasks that it depends on. */
static int device_async(int threads)
{
    NEEDS(omp_target_memcpy_async);
    int host = omp_get_initial_device(), wrong = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int round = 0; round < 20; round++) {
        int a = 0, b = 0, c = 0, other = 0;
        omp_depend_t deps[2];
#pragma omp depobj(deps[0]) depend(in : a)
#pragma omp depobj(deps[1]) depend(inout : b)
#pragma omp task depend(out : a) shared(a)
        {
            for (int i = 0; i < 20; i++)
                sched_yield();
            a = 41 + round;
        }
#pragma omp task depend(out : other) shared(other)
        other = 1;
        wrong += omp_target_memcpy_async(&b, &a, sizeof a, 0, 0, host, host, 2, deps) != 0;
#pragma omp task depend(inout : b) shared(b)
        b++;
        size_t one = 1, zero = 0;
        wrong += omp_target_memcpy_rect_async(&c, &b, sizeof b, 1, &one, &zero, &zero, &one, &one, host, host,
                                              1, &deps[1]) != 0;
#pragma omp task depend(in : b) shared(b, c)
        c += b;
#pragma omp taskwait
        wrong += c != 2 * (42 + round) || other != 1;
        wrong += omp_target_memcpy_async(&b, &a, sizeof a, 0, 0, host, host + 7, 1, deps) == 0;
#pragma omp depobj(deps[0]) destroy
#pragma omp depobj(deps[1]) destroy
    }
    CHECK(wrong == 0);
    return 0;
}

static int device_identity(int threads)
{
    (void)threads;
    NEEDS(omp_get_uid_from_device);
    const char *uid = omp_get_uid_from_device(omp_initial_device);
    CHECK(uid != NULL && uid[0] != '\0' && omp_get_device_from_uid(uid) == omp_initial_device);
    CHECK(omp_get_uid_from_device(omp_get_initial_device()) != NULL);
    CHECK(omp_get_device_from_uid("nobody") < -1 && omp_get_device_from_uid(NULL) < -1);
    CHECK(omp_get_uid_from_device(omp_invalid_device) == NULL && omp_get_uid_from_device(9) == NULL);
    NEEDS(omp_get_max_progress_width);
    CHECK(omp_get_max_progress_width(omp_initial_device) >= 1);
    NEEDS(omp_get_device_num_teams);
    int teams = omp_get_max_teams(), limit = omp_get_teams_thread_limit();
    omp_set_device_num_teams(3, omp_initial_device);
    CHECK(omp_get_max_teams() == 3 && omp_get_device_num_teams(omp_get_initial_device()) == 3);
    omp_set_teams_thread_limit(5);
    CHECK(omp_get_device_teams_thread_limit(omp_initial_device) == 5);
    omp_set_device_num_teams(7, omp_invalid_device);
    CHECK(omp_get_max_teams() == 3);
    omp_set_num_teams(teams);
    omp_set_teams_thread_limit(limit);
    return 0;
}

/* ---- interoperability, resources, tools, errors -------------------------------------------------------- */

static int interop(int threads)
{
    (void)threads;
    NEEDS(omp_get_num_interop_properties);
    if (OMP_PEER)
        return 0; /* libomp leaves the return code as it was */
    omp_interop_t none = omp_interop_none;
    omp_interop_private_rc_t rc = 77;
    CHECK(omp_get_num_interop_properties(none) >= 0);
    CHECK(omp_get_interop_int(none, omp_ipr_fr_id, &rc) == 0 && rc < 0);
    CHECK(omp_get_interop_ptr(none, omp_ipr_device, &rc) == NULL && rc < 0);
    CHECK(omp_get_interop_str(none, omp_ipr_vendor_name, &rc) == NULL && rc < 0);
    CHECK(rc == omp_irc_empty);
    CHECK(omp_get_interop_int(none, omp_ipr_fr_id, NULL) == 0);
    CHECK(strcmp(omp_get_interop_name(none, omp_ipr_fr_id), "fr_id") == 0);
    CHECK(strcmp(omp_get_interop_name(none, omp_ipr_targetsync), "targetsync") == 0);
    CHECK(omp_get_interop_name(none, (omp_interop_property_t)0) == NULL);
    CHECK(omp_get_interop_type_desc(none, omp_ipr_device) == NULL);
    for (int code = omp_irc_other; code <= omp_irc_no_value; code++)
        CHECK(omp_get_interop_rc_desc(none, (omp_interop_rc_t)code) != NULL);
    CHECK(omp_get_interop_rc_desc(none, (omp_interop_rc_t)9) == NULL);
    return 0;
}

static int region_works(int threads)
{
    int sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
    sum += omp_get_num_threads();
    return sum == threads * threads;
}

static int own = 1;
#pragma omp threadprivate(own)

/** Regions after a pause have other threads, whose variables are new. */
static int threads_are_new(int threads, omp_pause_resource_t kind)
{
    int wrong = 0;
#pragma omp parallel num_threads(threads)
    own = 100 + omp_get_thread_num();
    CHECK(omp_pause_resource_all(kind) == 0);
#pragma omp parallel num_threads(threads) reduction(+ : wrong)
    wrong += own != (omp_get_thread_num() == 0 ? 100 : 1);
    return wrong == 0;
}

static int pause_resources(int threads)
{
    int host = omp_get_initial_device();
    CHECK(region_works(threads));
    CHECK(omp_pause_resource(omp_pause_soft, host) == 0 && region_works(threads));
    CHECK(omp_pause_resource_all(omp_pause_hard) == 0 && region_works(threads));
    CHECK(omp_pause_resource(omp_pause_soft, 77) != 0);
    CHECK(region_works(threads));
#if !OMP_PEER
    CHECK(omp_pause_resource(omp_pause_soft, host) == 0); /* libomp takes the second for an error */
    CHECK(omp_pause_resource(omp_pause_soft, omp_initial_device) == 0);
    CHECK(omp_pause_resource(omp_pause_soft, omp_invalid_device) != 0);
    CHECK(omp_pause_resource((omp_pause_resource_t)17, host) != 0);
    int done = 0;
#pragma omp parallel num_threads(threads) reduction(+ : done)
    done += omp_pause_resource(omp_pause_soft, host) == 0 || omp_pause_resource_all(omp_pause_hard) == 0;
    CHECK(done == 0 && region_works(threads));
    CHECK(threads_are_new(threads, omp_pause_soft) && threads_are_new(threads, omp_pause_hard));
#endif
    return 0;
}

static int without_tools_or_free_agents(int threads)
{
    NEEDS(omp_control_tool);
    CHECK(omp_control_tool(omp_control_tool_flush, 0, NULL) == omp_control_tool_notool);
    NEEDS(omp_is_free_agent);
    int agents = 0;
#pragma omp parallel num_threads(threads) reduction(+ : agents)
    agents += omp_is_free_agent() + omp_ancestor_is_free_agent(1) + omp_ancestor_is_free_agent(5);
    CHECK(agents == 0);
    return 0;
}

#if HAS_ERROR
static const char *nothing __attribute__((unused));

static void error_warning(void)
{
#pragma omp error at(execution) severity(warning) message("mind the gap")
#pragma omp error at(execution) severity(warning)
#if !defined(__clang__) || __clang_major__ >= 22
    const char *text = nothing;
#pragma omp error at(execution) severity(warning) message(text)
#endif
    fprintf(stderr, "went on\n");
}

static void error_fatal(void)
{
#pragma omp error at(execution) severity(fatal) message("no way")
}
#endif

static int error_directive(int threads)
{
    (void)threads;
#if HAS_ERROR
    char text[1000];
    int status = in_child(error_warning, text, sizeof text);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 77);
    CHECK(strstr(text, "error directive: mind the gap\n") != NULL && strstr(text, "went on\n") != NULL);
    status = in_child(error_fatal, text, sizeof text);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 1 && strstr(text, "error directive: no way\n") != NULL);
#endif
    return 0;
}

#define CASE(name)  \
    {               \
#name, name \
    }
const struct omp_case alloc_cases[] = {
    CASE(predefined_allocators),
    CASE(spaces),
    CASE(traits_accepted),
    CASE(traits_refused),
    CASE(alignment),
    CASE(zeroed),
    CASE(pool_null_fb),
    CASE(pool_default_mem_fb),
    CASE(pool_allocator_fb),
    CASE(pool_abort_fb),
    CASE(pool_of_threads),
    CASE(freed_by_another_thread),
    CASE(pinned),
    CASE(destroyed_early),
    CASE(many_allocators),
    CASE(wrong_use),
    CASE(reallocation),
    CASE(default_allocator),
    CASE(allocate_clause),
    CASE(heap_of_libomp),
    CASE(spaces_of_devices),
    CASE(partitions),
    CASE(device_memory),
    CASE(device_boxes),
    CASE(device_memset),
    CASE(device_async),
    CASE(device_identity),
    CASE(interop),
    CASE(pause_resources),
    CASE(without_tools_or_free_agents),
    CASE(error_directive),
};
const int alloc_case_count = sizeof alloc_cases / sizeof *alloc_cases;
