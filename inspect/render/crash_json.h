/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What process.crash has in JSON besides the members of struct mdl_crash.
 */
#ifndef INSPECT_CRASH_JSON_H
#define INSPECT_CRASH_JSON_H

#include "inspect/render/json_put.h"

void put_crash_thread_num(const struct json_value *v);
void put_crash_task(const struct json_value *v);
/** The cause in sentences. */
void put_crash_what(const struct json_value *v);
/** The loop of the task that it was in. */
void put_crash_loop(const struct json_value *v);

#endif
