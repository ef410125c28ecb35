/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What draft_tool.c offers to draft_program.c: what the tool has found, and the inquiry functions.
 */
#ifndef DRAFT_TOOL_H
#define DRAFT_TOOL_H

#include "ompt-draft.h"

enum { DRAFT_TOOL_EVENTS = 72 };

/** How often each event has come; how often ompt_tool was called; what the tool found wrong. */
extern _Atomic long draft_counts[DRAFT_TOOL_EVENTS];
extern _Atomic int draft_asked, draft_violations;

struct draft_functions {
    ompt_set_callback_t set_callback;
    ompt_get_callback_t get_callback;
    ompt_enumerate_state_t enumerate_state;
    ompt_get_thread_id_t get_thread_id;
    ompt_get_state_t get_state;
    ompt_get_idle_frame_t get_idle_frame;
    ompt_get_parallel_id_t get_parallel_id;
    ompt_get_parallel_team_size_t get_parallel_team_size;
    ompt_get_parallel_info_t get_parallel_info;
    ompt_get_task_id_t get_task_id;
    ompt_get_task_frame_t get_task_frame;
    ompt_get_task_info_t get_task_info;
    ompt_get_target_info_t get_target_info;
};
extern struct draft_functions draft;

/** Notes a violation and says where, the first ten times. */
#define DRAFT_MUST(condition)                                \
    do {                                                     \
        if (!(condition))                                    \
            draft_violation(__FILE__, __LINE__, #condition); \
    } while (0)
void draft_violation(const char *file, int line, const char *what);

#endif
