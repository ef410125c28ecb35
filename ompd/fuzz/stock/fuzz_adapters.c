/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libFuzzer's entry: an input is a recorded process and damage to its memory, registers and stacks; then
 * everything is asked that inspect asks. Nothing may crash, be read beyond its end, stay allocated, or take
 * long; what a thread does not know has a reason.
 *
 * Bytes: the image, how (bit 0: no bracket, in which all is read anew for each question, so few are asked;
 * bit 1: lost pieces; bits 2 to 5: threads, regions, tasks, control variables are left out), then six for
 * each damage: its place (two), its sort, and three of its value.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "ompd/fuzz/stock/target.h"
#include "ompdx.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define ICVS 60

/** Bits of the second byte. */
enum { NO_BRACKET = 1, LOST = 2, NO_THREADS = 4, NO_REGIONS = 8, NO_TASKS = 16, NO_ICVS = 32 };

static void must(int holds)
{
    if (!holds)
        abort();
}

static void damage(const uint8_t *bytes, int may_lose)
{
    const uint32_t where = bytes[0] | (uint32_t)bytes[1] << 8, words = target_bytes() / 4 + 1;
    const uint32_t at = (where * 2654435761u ^ where) % words * 4;
    const uint32_t value = bytes[3] | (uint32_t)bytes[4] << 8 | (uint32_t)bytes[5] << 16;
    switch (bytes[2] % 9) {
    case 0:
        target_put(at, 4, value);
        break;
    case 1:
        target_put(at, 8, -(uint64_t)value);
        break;
    case 2:
        target_put(at & ~7u, 8, target_address(value));
        break;
    case 3:
        target_put(at & ~7u, 8, target_number(value % words * 4, 8));
        break;
    case 4:
        target_put(at & ~7u, 8, target_number(at & ~7u, 8) ^ UINT64_C(1) << (value & 63));
        break;
    case 5:
        target_put(at & ~7u, 8, target_number(at & ~7u, 8) + (int8_t)value);
        break;
    case 6:
        target_put(at, 1 + value % 4, value >> 8);
        break;
    case 7: /* another number of the same place */
        target_put(at & ~7u, 8, target_number((at & ~7u) + 8 * (value % 8), 8));
        break;
    default:
        if (may_lose)
            target_lose(at);
        break;
    }
}

/** In a bracket, and of one entity of each sort. */
static int icvs_left;

static void ask_icvs(void *handle, ompd_scope_t scope)
{
    if (icvs_left-- <= 0)
        return;
    for (ompd_icv_id_t icv = 1; icv < ICVS; icv++) {
        const char *text = NULL;
        ompd_word_t value;
        (void)ompd_get_icv_from_scope(handle, scope, icv, &value);
        if (ompd_get_icv_string_from_scope(handle, scope, icv, &text) == ompd_rc_ok)
            target_callbacks.free_memory((void *)(uintptr_t)text);
    }
}

static void ask_thread(ompd_thread_handle_t *thread)
{
    ompdx_thread_info_t info = {.size = sizeof info};
    ompd_parallel_handle_t *region = NULL;
    ompd_task_handle_t *task = NULL;
    ompd_wait_id_t wait;
    ompd_word_t state;
    ompdx_held_t *held = NULL;
    const char *processors = NULL;
    int count = 0;
    if (ompdx_get_thread_info(thread, &info) == ompd_rc_ok) {
        must(info.thread_num >= 0 || info.unknown[ompdx_fact_thread_num] != NULL || info.region == 0);
        must(info.owner_kind != ompdx_owner_thread || info.owner_thread != 0);
        must(info.thread_num < 0 || info.thread_num < info.team_size);
    }
    (void)ompd_get_state(thread, &state, &wait);
    must(ompdx_get_held(thread, &held, &count) == ompd_rc_unsupported);
    const ompd_rc_t place = ompdx_get_place(thread, &count, &processors);
    if (place == ompd_rc_ok || place == ompd_rc_incomplete) {
        must(count >= 0 && processors != NULL && processors[0] == '{');
        target_callbacks.free_memory((void *)processors);
    }
    if (ompd_get_curr_parallel_handle(thread, &region) == ompd_rc_ok)
        (void)ompd_rel_parallel_handle(region);
    if (ompd_get_curr_task_handle(thread, &task) == ompd_rc_ok)
        (void)ompd_rel_task_handle(task);
    ask_icvs(thread, ompd_scope_thread);
    must(ompd_rel_thread_handle(thread) == ompd_rc_ok);
}

static void ask_region(ompd_parallel_handle_t *region)
{
    ompdx_parallel_info_t info = {.size = sizeof info};
    ompd_parallel_handle_t *around = NULL;
    int *numbers = NULL, count = 0;
    (void)ompdx_get_parallel_info(region, &info);
    if (ompdx_get_barrier_arrivals(region, &numbers, &count) == ompd_rc_ok) {
        for (int i = 1; i < count; i++)
            must(numbers[i - 1] < numbers[i]);
        target_callbacks.free_memory(numbers);
    }
    for (int i = 0; i < 4; i++) {
        ompd_thread_handle_t *thread = NULL;
        ompd_task_handle_t *task = NULL;
        if (ompd_get_thread_in_parallel(region, i, &thread) == ompd_rc_ok)
            (void)ompd_rel_thread_handle(thread);
        if (ompd_get_task_in_parallel(region, i, &task) == ompd_rc_ok)
            (void)ompd_rel_task_handle(task);
    }
    if (ompd_get_enclosing_parallel_handle(region, &around) == ompd_rc_ok)
        (void)ompd_rel_parallel_handle(around);
    ask_icvs(region, ompd_scope_parallel);
    must(ompd_rel_parallel_handle(region) == ompd_rc_ok);
}

static void ask_task(ompd_task_handle_t *task)
{
    ompdx_task_info_t info = {.size = sizeof info};
    uint64_t *ids = NULL;
    int count = 0;
    ompd_task_handle_t *other = NULL;
    (void)ompdx_get_task_info(task, &info);
    ompdx_loop_info_t loop = {.size = sizeof loop};
    (void)ompdx_get_loop_info(task, &loop);
    if (ompdx_get_task_predecessors(task, &ids, &count) == ompd_rc_ok)
        target_callbacks.free_memory(ids);
    if (ompd_get_generating_task_handle(task, &other) == ompd_rc_ok)
        (void)ompd_rel_task_handle(other);
    if (ompd_get_scheduling_task_handle(task, &other) == ompd_rc_ok)
        (void)ompd_rel_task_handle(other);
    ask_icvs(task, ompd_scope_task);
    must(ompd_rel_task_handle(task) == ompd_rc_ok);
}

/** Asks of the first of a list's entries; the others are only released. */
#define ASK(list, get, ask, release)                        \
    do {                                                    \
        ompd_rc_t got = get(space, &list, &count);          \
        if (got != ompd_rc_ok && got != ompd_rc_incomplete) \
            break;                                          \
        for (int i = 0; i < count; i++)                     \
            if (i < most)                                   \
                ask(list[i]);                               \
            else                                            \
                must(release(list[i]) == ompd_rc_ok);       \
        target_callbacks.free_memory(list);                 \
    } while (0)

/** The ranges are by address, and disjoint. */
static void ask_frames(ompd_address_space_handle_t *space)
{
    ompdx_frame_rule_t *rules = NULL;
    int count = 0;
    if (ompdx_get_frame_rules(space, &rules, &count) != ompd_rc_ok)
        return;
    for (int i = 0; i < count; i++)
        must(rules[i].from < rules[i].to && (i == 0 || rules[i - 1].to <= rules[i].from));
    target_callbacks.free_memory(rules);
}

static void ask(ompd_address_space_handle_t *space, unsigned how)
{
    ompdx_runtime_info_t info = {.size = sizeof info};
    ompd_parallel_handle_t **regions = NULL;
    ompd_thread_handle_t **threads = NULL;
    ompd_task_handle_t **tasks = NULL;
    const bool bracket = (how & NO_BRACKET) == 0;
    const int most = bracket ? 40 : 2;
    int count = 0;
    icvs_left = bracket && (how & NO_ICVS) == 0 ? 4 : 0;
    if (bracket)
        must(ompdx_stop_begin(space) == ompd_rc_ok);
    (void)ompdx_get_runtime_info(space, &info);
    ask_frames(space);
    if ((how & NO_THREADS) == 0)
        ASK(threads, ompdx_get_all_threads, ask_thread, ompd_rel_thread_handle);
    if ((how & NO_REGIONS) == 0)
        ASK(regions, ompdx_get_all_parallels, ask_region, ompd_rel_parallel_handle);
    if ((how & NO_TASKS) == 0)
        ASK(tasks, ompdx_get_all_tasks, ask_task, ompd_rel_task_handle);
    ask_icvs(space, ompd_scope_address_space);
    if (bracket)
        must(ompdx_stop_end(space) == ompd_rc_ok);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int initialized;
    ompd_address_space_handle_t *space = NULL;
    if (size < 2)
        return 0;
    if (!initialized)
        must(ompd_initialize(201811, &target_callbacks) == ompd_rc_ok);
    initialized = 1;
    const int64_t before = target_live;
    target_choose(data[0]);
    for (size_t at = 2; at + 6 <= size; at += 6)
        damage(data + at, data[1] & LOST);
    if (ompd_process_initialize((ompd_address_space_context_t *)&initialized, &space) == ompd_rc_ok) {
        ask(space, data[1]);
        must(ompd_rel_address_space_handle(space) == ompd_rc_ok);
    }
    must(target_live == before);
    return 0;
}
