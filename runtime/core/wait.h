/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Waiting inside a team, running its tasks meanwhile.
 */
#ifndef RT_WAIT_H
#define RT_WAIT_H

#include "help.h"
#include "notify.h"

/**
 * Waits until ready(arg) is true; BITS wake it when it sleeps. With help.on it runs tasks of the team
 * meanwhile: descendants of help.ancestor, or any when that is NULL.
 */
void rt_team_wait(struct rt_thread *th, struct rt_team *team, uint32_t bits, struct rt_help help,
                  int (*ready)(void *), void *arg);

#endif
