/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Reading the environment variables.
 */
#ifndef RT_ENV_READ_H
#define RT_ENV_READ_H

#include "root.h"

void rt_env_read(struct rt_root *root);

/** Whether "NAME=value" of the environment has no effect for that reason. */
int rt_env_ignores(const char *variable);
/** Applies "NAME=value|NAME=value" as if the environment had it (kmp_set_defaults). */
void rt_env_apply(const char *settings);

#endif
