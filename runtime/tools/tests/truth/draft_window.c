/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The window of OMPT of 2016, for windows.c.
 */
#include <stddef.h>

#include "answers.h"
#include "ompt-draft.h"

static ompt_get_state_t get_state;
static ompt_get_thread_id_t get_thread_id;
static ompt_get_task_info_t get_task_info;
static ompt_get_parallel_info_t get_parallel_info;
static long events;

long draft_events(void)
{
    return events;
}

int draft_ask(struct answer *answers)
{
    ompt_wait_id_t wait = 0;
    ompt_task_id_t task = 0;
    ompt_parallel_id_t region = 0;
    uint32_t number = 0;
    int size = -1, state = (int)get_state(&wait);
    int in_task = get_task_info(0, NULL, &task, NULL, NULL, &number);
    if (!get_parallel_info(0, &region, &size))
        size = -1;
    const struct answer all[] = {{"draft_state", state},
                                 {"draft_wait", (int64_t)wait},
                                 {"draft_thread", (int64_t)get_thread_id()},
                                 {"draft_task", in_task ? (int64_t)task : -1},
                                 {"draft_thread_num", in_task ? (int64_t)number : -1},
                                 {"draft_region", (int64_t)region},
                                 {"draft_team_size", size}};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        answers[i] = all[i];
    return sizeof all / sizeof *all;
}

static void on_event(void)
{
    __atomic_fetch_add(&events, 1, __ATOMIC_RELAXED);
}

static void initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned version)
{
    (void)runtime, (void)version;
    ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    get_state = (ompt_get_state_t)lookup("ompt_get_state");
    get_thread_id = (ompt_get_thread_id_t)lookup("ompt_get_thread_id");
    get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
    get_parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
    for (int event = 1; event <= 61; event++)
        set_callback((ompt_event_t)event, (ompt_callback_t)on_event);
}

ompt_initialize_fn_t ompt_tool(void)
{
    return initialize;
}
