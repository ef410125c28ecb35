/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the compilers' entry points say of a parallel region.
 */
#ifndef RT_REGION_CALL_H
#define RT_REGION_CALL_H

#include "task.h"

/** What a parallel region is to do. Zero means "none" in every member. */
struct rt_region {
    const struct rt_loc *loc; /**< clang's ident_t; gcc has none */
    void *fn;
    enum rt_call call;
    int argc;        /**< RT_CALL_KMPC: words in argv */
    void **argv;     /**< RT_CALL_KMPC: the words; RT_CALL_GOMP: the one argument, data */
    int num_threads; /**< num_threads clause; 1 serialises (if clause false) */
    int proc_bind;   /**< proc_bind clause, omp_proc_bind_t */
    int by_program;  /**< the program calls the region's code itself */
    void (*setup)(struct rt_thread *th, int threads, void *argument); /**< once, by the primary, size known */
    void (*prepare)(struct rt_thread *th,
                    void *argument); /**< each member inside the region before its code */
    void *argument;
};

#endif
