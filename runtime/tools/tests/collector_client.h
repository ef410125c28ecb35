/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A client of the collector API for tests: one request at a time, with everything around its memory guarded.
 * It knows nothing of the runtime but omp_collector_api.h.
 */
#ifndef COLLECTOR_CLIENT_H
#define COLLECTOR_CLIENT_H

#include <stdint.h>

#include "omp_collector_api.h"

#define CHECK(condition)                               \
    do {                                               \
        if (!(condition))                              \
            failed(__FILE__, __LINE__, #condition, 0); \
    } while (0)
#define CHECK_EQUAL(a, b)                                                           \
    do {                                                                            \
        long long is = (long long)(a);                                              \
        if (is != (long long)(b))                                                   \
            failed(__FILE__, __LINE__, #a " == " #b ", but the first is this", is); \
    } while (0)
_Noreturn void failed(const char *file, int line, const char *what, long long is);

/** What one request answered. mem begins as bytes of 0xab. */
struct answer {
    int ret, ec, rsz;
    unsigned char mem[64];
};
/** A request with `size` bytes of input in a mem of `room` bytes. Fails when anything else is written. */
struct answer ask(int request, const void *input, int size, int room);
/** The same of an entry that says `sz`, with mem behind it all the same. */
struct answer ask_sized(int request, const void *input, int size, int sz);

/** The list was handled, with this answer. */
void expect(struct answer answer, int ec, int rsz);
struct answer ask_register(int event, OMP_COLLECTORAPI_CALLBACK callback);
struct answer ask_unregister(int event);
/** A request that is to succeed. */
void must(int request);
int state_of(const struct answer *answer);
uint64_t word_at(const struct answer *answer, int offset);
/** Region ids of the calling thread; the second must exist. */
uint64_t current_region(void);
uint64_t parent_region(void);
/** 1 while ask() runs in this thread. */
extern _Thread_local volatile int asking;

/** What a thread's signal handler is told when it asks. */
struct probe {
    struct answer full, small, none, region; /**< of the state with 12, 4 and 0 bytes; the region's id */
};
/** Readies the calling thread's process for probes. */
void probes_start(void);
/** Interrupts a thread, whatever it does. */
struct probe probe_thread(uint64_t thread);
/** Interrupts it again and again until it is in that state. */
struct probe probe_until(uint64_t thread, int state);

/** Cases of a program: its argument is the name of one. */
struct one_case {
    const char *name;
    void (*run)(void);
};
extern const struct one_case request_cases[], thread_cases[], region_cases[], list_cases[];

#endif
