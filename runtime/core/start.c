/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The start of the runtime.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

#include "debug.h"
#include "display_env.h"
#include "env.h"
#include "env_read.h"
#include "fork.h"
#include "held.h"
#include "keep_errno.h"
#include "layout_table.h"
#include "membarrier.h"
#include "mutex.h"
#include "other_copies.h"
#include "resident.h"
#include "soname.h"
#include "start.h"
#include "tools.h"

static pthread_once_t started = PTHREAD_ONCE_INIT;

/** OpenMP version that the runtime implements: 5.2; what 6.0 adds comes with later versions. */
#define OPENMP_VERSION 202111

static void start_once(void)
{
    struct rt_root *root = &rt_root;
    root->openmp_version = OPENMP_VERSION;
    snprintf(root->version_string, sizeof root->version_string, "Companion 1.0.0 (OpenMP runtime)");
    atomic_init(&root->next_task_serial, 1);
    atomic_init(&root->next_team_serial, 1);
    atomic_init(&root->next_thread_serial, 1);
    rt_generation_renew();
    root->spin = 20000;
    root->queue_enough = 256;
    rt_fork_start();
    rt_membarrier_start();
    rt_mutex_start();
    rt_other_copies_start();
    rt_env_read(root);
    if (rt_env.kmp_version)
        fprintf(stderr, "%s\n", root->version_string);
    if (rt_env.kmp_settings)
        rt_env_display_settings();
    if (rt_env.display)
        rt_env_display(rt_env.display == 2);
    rt_held_start();
    rt_layout_fill();
    rt_publish(root->initialized, 1);
    rt_debug_publish();
    rt_stats_start();
#ifdef RT_STATIC
    rt_stay_resident();
#endif
}

void rt_start(void)
{
    RT_KEEP_ERRNO;
    pthread_once(&started, start_once);
}

/* As early as possible: a debugger that stops in main() finds the table filled. */
__attribute__((constructor)) static void loaded(void)
{
    rt_start();
#ifndef RT_STATIC
    rt_soname_claim();
#endif
}
