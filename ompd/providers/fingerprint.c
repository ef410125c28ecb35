/* SPDX-License-Identifier: Apache-2.0 */
#include "fingerprint.h" /* beside this file: corefiles/layout is compiled with it too */

/* Of what every version has, from one end of the file to the other. */
static const char *const gomp[] = {"GOMP_atomic_start",
                                   "GOMP_barrier",
                                   "GOMP_critical_name_start",
                                   "GOMP_critical_start",
                                   "GOMP_loop_dynamic_start",
                                   "GOMP_loop_end",
                                   "GOMP_ordered_start",
                                   "GOMP_parallel",
                                   "GOMP_parallel_sections",
                                   "GOMP_sections_next",
                                   "GOMP_single_copy_start",
                                   "GOMP_task",
                                   "GOMP_taskgroup_end",
                                   "GOMP_taskwait",
                                   "omp_get_ancestor_thread_num",
                                   "omp_get_level",
                                   "omp_get_max_threads",
                                   "omp_get_num_procs",
                                   "omp_get_thread_num",
                                   "omp_get_wtime",
                                   "omp_in_final",
                                   "omp_set_lock",
                                   "omp_set_nest_lock",
                                   "omp_test_nest_lock",
                                   0};
static const char *const kmp[] = {"__kmpc_atomic_start",
                                  "__kmpc_barrier",
                                  "__kmpc_copyprivate",
                                  "__kmpc_critical",
                                  "__kmpc_critical_with_hint",
                                  "__kmpc_dispatch_init_4",
                                  "__kmpc_dispatch_next_4",
                                  "__kmpc_end_taskgroup",
                                  "__kmpc_fork_call",
                                  "__kmpc_for_static_init_4",
                                  "__kmpc_global_thread_num",
                                  "__kmpc_omp_task",
                                  "__kmpc_omp_task_alloc",
                                  "__kmpc_omp_taskwait",
                                  "__kmpc_ordered",
                                  "__kmpc_push_num_threads",
                                  "__kmpc_reduce",
                                  "__kmpc_set_lock",
                                  "__kmpc_set_nest_lock",
                                  "__kmpc_single",
                                  "__kmpc_threadprivate_cached",
                                  "omp_get_ancestor_thread_num",
                                  "omp_get_level",
                                  "omp_get_max_threads",
                                  0};

enum { FUNCTIONS_LEAST = 12 };

const char *const *fingerprint_names(int is_kmp)
{
    return is_kmp ? kmp : gomp;
}

/* FNV-1a, twice with different starts, the second over the inverted bytes. */
static void mix(struct fingerprint *print, uint8_t byte)
{
    print->hash[0] = (print->hash[0] ^ byte) * UINT64_C(0x100000001b3);
    print->hash[1] = (print->hash[1] ^ (uint8_t)~byte) * UINT64_C(0x100000001b3);
}

static void mix_number(struct fingerprint *print, uint64_t number)
{
    for (unsigned i = 0; i < 8; i++)
        mix(print, (uint8_t)(number >> 8 * i));
}

void fingerprint_add(struct fingerprint *print, unsigned index, uint64_t address, const uint8_t *bytes,
                     size_t size)
{
    if (print->functions++ == 0) {
        print->hash[0] = UINT64_C(0xcbf29ce484222325);
        print->hash[1] = UINT64_C(0x9ae16a3b2f90404f);
    }
    mix_number(print, index);
    mix_number(print, address);
    mix_number(print, size);
    for (size_t i = 0; i < size; i++)
        mix(print, bytes[i]);
}

void fingerprint_text(const struct fingerprint *print, char ret[FINGERPRINT_TEXT])
{
    unsigned length = 0;

    for (unsigned i = 0; print->functions >= FUNCTIONS_LEAST && i < 32; i++)
        ret[length++] = "0123456789abcdef"[print->hash[i / 16] >> (60 - 4 * (i % 16)) & 15];
    ret[length] = '\0';
}
