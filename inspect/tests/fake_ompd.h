/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A scripted OMPD library: the test fills the model, the library answers from it. Built twice, with and
 * without ompdx_.
 */
#ifndef INSPECT_TESTS_FAKE_OMPD_H
#define INSPECT_TESTS_FAKE_OMPD_H

#include <stdint.h>

#include "omp-tools.h"
#include "ompdx.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { FAKE_THREADS = 300, FAKE_REGIONS = 20, FAKE_TASKS = 100, FAKE_LIST = 300 };

struct fake_model {
    ompdx_thread_info_t threads[FAKE_THREADS];
    int thread_count;
    struct {
        ompdx_parallel_info_t info;
        uint64_t members[FAKE_LIST]; /* thread ids */
        int arrivals[FAKE_LIST], arrival_count;
    } regions[FAKE_REGIONS];
    int region_count;
    struct {
        ompdx_task_info_t info;
        uint64_t preds[FAKE_LIST];
        int pred_count;
    } tasks[FAKE_TASKS];
    int task_count;
    int fail_at; /* the n-th call of the API fails (from 1), 0 none */
    ompd_rc_t fail_rc;
    int calls;        /* of the API so far */
    int live_handles; /* not yet released */
    int in_bracket;
    int reads_in_bracket; /* how many reads stop_begin does */
    uint64_t root;        /* address those read */
    uint64_t code_start, code_end;
    ompdx_runtime_info_t info; /* of a runtime that publishes nothing; kind NULL: there is none such */
    ompd_rc_t refuses;         /* what opening it ends with, after REFUSAL */
    const char *refusal;
};

/** Exported by the library. */
void fake_set_model(struct fake_model *model);

#ifdef __cplusplus
}
#endif
#endif
