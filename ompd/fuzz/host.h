/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The tool under which the fuzzers run libompd: callbacks that count, and fail when told to. The context of
 * an address space is the `struct mem`.
 */
#ifndef OMPD_FUZZ_HOST_H
#define OMPD_FUZZ_HOST_H

#include <stdbool.h>
#include <stdint.h>

#include "omp-tools.h"
#include "ompdx.h"

enum host_callback {
    HOST_READ,
    HOST_ALLOC,
    HOST_SYMBOL,
    HOST_CONVERT,
    HOST_SIZEOF,
    HOST_CONTEXT, /**< get_thread_context_for_thread_id */
    HOST_PRINT,
    HOST_FREE,        /**< fails after it has freed */
    HOST_READ_STRING, /**< and the two others that no answer needs: write_memory, host_to_device */
    HOST_CALLBACKS
};

/**
 * Fail the call number `after` from now (1: the next one; 0: none) with a code; sticky: and all that follow.
 */
struct host_failure {
    uint32_t after;
    int code;
    bool sticky, fired;
};

struct host {
    uint64_t count[HOST_CALLBACKS]; /**< calls since the counts were cleared */
    int64_t live;                   /**< blocks that the library or its caller has */
    struct host_failure fail[HOST_CALLBACKS];
};
extern struct host host;

/** Blocks above this are refused: a target must not make the library ask for all memory there is. */
#define HOST_BLOCK_MAX (UINT64_C(64) << 20)

extern const char *const host_names[HOST_CALLBACKS];
extern const ompd_callbacks_t host_callbacks;

void host_clear_counts(void);
void host_clear_failures(void);
/** Frees what the library gave to its caller. */
void host_free(const void *block);

#endif
