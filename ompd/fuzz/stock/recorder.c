/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Stands before libompd and writes down what the tool's callback gives it: each read is a line "segment LWP
 * address bytes hexadecimal" of the file RECORDER_LOG. Linked with libompd, whose other functions are found
 * through it. record.py makes images of such files.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "omp-tools.h"

#define THREADS_MAX 1024

static ompd_callbacks_t real, wrapped;
static FILE *out;
static struct {
    ompd_thread_context_t *context;
    int64_t lwp;
} threads[THREADS_MAX];
static int thread_count;

static int64_t lwp_of(const ompd_thread_context_t *context)
{
    for (int i = 0; context != NULL && i < thread_count; i++)
        if (threads[i].context == context)
            return threads[i].lwp;
    return 0;
}

static ompd_rc_t read_memory(ompd_address_space_context_t *space, ompd_thread_context_t *thread,
                             const ompd_address_t *address, ompd_size_t bytes, void *buffer)
{
    const ompd_rc_t rc = real.read_memory(space, thread, address, bytes, buffer);
    if (rc != ompd_rc_ok || out == NULL)
        return rc;
    fprintf(out, "%llx %lld %llx %llu ", (unsigned long long)address->segment, (long long)lwp_of(thread),
            (unsigned long long)address->address, (unsigned long long)bytes);
    for (ompd_size_t i = 0; i < bytes; i++)
        fprintf(out, "%02x", ((const unsigned char *)buffer)[i]);
    fputc('\n', out);
    fflush(out);
    return rc;
}

static ompd_rc_t thread_context(ompd_address_space_context_t *space, ompd_thread_id_t kind, ompd_size_t size,
                                const void *id, ompd_thread_context_t **ret)
{
    const ompd_rc_t rc = real.get_thread_context_for_thread_id(space, kind, size, id, ret);
    if (rc == ompd_rc_ok && kind == OMPD_THREAD_ID_LWP && lwp_of(*ret) == 0 && thread_count < THREADS_MAX) {
        threads[thread_count].context = *ret;
        threads[thread_count++].lwp = *(const int64_t *)id;
    }
    return rc;
}

ompd_rc_t ompd_initialize(ompd_word_t version, const ompd_callbacks_t *callbacks)
{
    ompd_rc_t (*next)(ompd_word_t, const ompd_callbacks_t *) = dlsym(RTLD_NEXT, "ompd_initialize");
    if (out == NULL)
        out = fopen(getenv("RECORDER_LOG"), "w");
    wrapped = real = *callbacks;
    wrapped.read_memory = read_memory;
    wrapped.get_thread_context_for_thread_id = thread_context;
    return next(version, &wrapped);
}
