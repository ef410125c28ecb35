/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Environment variables of libgomp (GOMP_*) and libomp (KMP_*) that users of theirs set. Those that tune the
 * other runtime's internals pass in silence.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "env.h"
#include "env_kmp.h"
#include "env_parse.h"

#define ROUNDS_PER_MS 25000 /**< pause takes about 40 ns on current processors */

static void setting_bad(const char *name, const char *value, const char *expected)
{
    rt_env_warn("%s='%.200s' has no effect: %s is expected", name, value, expected);
}

static void switch_to(uint8_t *ret, const char *name, const char *value)
{
    int truth = rt_parse_bool(value);
    if (truth < 0)
        setting_bad(name, value, "true or false");
    else
        *ret = (uint8_t)truth;
}

/** A positive number, also with a sign or blanks around. */
static void positive(int32_t *ret, const char *name, const char *value)
{
    const char *s = value;
    long n;
    if (rt_parse_number(&s, 1, INT_MAX, &n) && *s == '\0')
        *ret = (int32_t)n;
    else
        setting_bad(name, value, "a positive number");
}

/* ---- messages ------------------------------------------------------------------------------------------ */

static void warnings(const char *name, const char *value)
{
    switch_to(&rt_env.warnings, name, value);
}

static void settings(const char *name, const char *value)
{
    switch_to(&rt_env.kmp_settings, name, value);
}

static void version(const char *name, const char *value)
{
    switch_to(&rt_env.kmp_version, name, value);
}

static void stats_file(const char *name, const char *value)
{
    (void)name;
    rt_env.stats = 1;
    rt_env.stats_file = *value != '\0' ? value : NULL;
}

static void stats_threads(const char *name, const char *value)
{
    rt_env.stats = 1;
    switch_to(&rt_env.stats_threads, name, value);
}

/* ---- threads ------------------------------------------------------------------------------------------- */

static void all_threads(const char *name, const char *value)
{
    positive(&rt_root.icvs.thread_limit, name, value);
}

static void teams_thread_limit(const char *name, const char *value)
{
    positive(&rt_root.teams_thread_limit, name, value);
}

static int stack_of(const char *name, const char *value, int unit, uint64_t *ret)
{
    uint64_t size;
    if (!rt_parse_size(value, unit, &size))
        setting_bad(name, value, "a size with an optional unit B, K, M, G or T");
    else if (size < (uint64_t)PTHREAD_STACK_MIN)
        rt_env_warn("%s='%.200s' has no effect: a thread needs %ld bytes", name, value,
                    (long)PTHREAD_STACK_MIN);
    else {
        *ret = size;
        return 1;
    }
    return 0;
}

static void kmp_stacksize(const char *name, const char *value)
{
    stack_of(name, value, 0, &rt_env.kmp_stacksize);
}

static void gomp_stacksize(const char *name, const char *value)
{
    stack_of(name, value, 1, &rt_root.stacksize); /* OMP_STACKSIZE comes later and wins */
}

static void library(const char *name, const char *value)
{
    /* as enum rt_library, with the short forms */
    static const char *const words[] = {"serial", "turnaround", "throughput", "ser", "turn", "thru", NULL};
    int word = rt_parse_only_word(value, words);
    if (word < 0)
        setting_bad(name, value, "serial, turnaround or throughput");
    else
        rt_env.library = (uint8_t)(word % 3 + 1);
}

static void task_throttling(const char *name, const char *value)
{
    uint8_t on = 1;
    switch_to(&on, name, value);
    if (!on)
        rt_root.queue_enough = UINT32_MAX;
}

/* ---- waiting ------------------------------------------------------------------------------------------- */

static void barrier_cluster(const char *name, const char *value)
{
    const char *s = value;
    long n;
    if (rt_parse_number(&s, 0, INT32_MAX, &n) && *s == '\0')
        rt_env.barrier_cluster = (int32_t)n;
    else
        rt_env_warn("%s='%.200s' has no effect: a number is expected", name, value);
}

static void blocktime(const char *name, const char *value)
{
    static const char *const infinite[] = {"infinite", "infinity", NULL};
    static const char *const units[] = {"ms", "us", NULL};
    const char *s = value;
    long n;
    int unit = 0;
    if (rt_parse_only_word(value, infinite) >= 0)
        n = RT_BLOCKTIME_INFINITE;
    else if (!rt_parse_number(&s, 0, RT_BLOCKTIME_INFINITE, &n) ||
             (*s != '\0' && (unit = rt_parse_only_word(s, units)) < 0)) {
        setting_bad(name, value, "a number of milliseconds, or infinite,");
        return;
    }
    rt_env.has_blocktime = 1;
    rt_env.blocktime = (int32_t)(unit == 1 ? n / 1000 : n);
    rt_env.blocktime_us = unit == 1 ? (int32_t)(n % 1000) : 0;
}

static void spincount(const char *name, const char *value)
{
    static const char *const infinite[] = {"infinite", "infinity", NULL};
    static const char units[] = "KMGT";
    const char *s = value;
    long n;
    if (rt_parse_only_word(value, infinite) >= 0) {
        rt_env.spincount = UINT64_MAX;
        rt_env.has_spincount = 1;
        return;
    }
    if (rt_parse_number(&s, 0, LONG_MAX, &n)) {
        const char *unit = *s ? strchr(units, toupper((unsigned char)*s)) : NULL;
        uint64_t scale = 1;
        for (const char *u = units; unit != NULL && u <= unit; u++)
            scale *= 1000;
        if ((*s == '\0' || (unit != NULL && *rt_parse_blanks(s + 1) == '\0')) &&
            (uint64_t)n <= UINT64_MAX / scale) {
            rt_env.spincount = (uint64_t)n * scale;
            rt_env.has_spincount = 1;
            return;
        }
    }
    setting_bad(name, value, "a number with an optional unit K, M, G or T, or infinite,");
}

void rt_env_spin(void)
{
    uint64_t rounds = rt_env.spin_default;
    if (rt_env.has_spincount)
        rounds = rt_env.spincount;
    else if (rt_env.has_blocktime)
        rounds = rt_env.blocktime == RT_BLOCKTIME_INFINITE
                     ? UINT64_MAX
                     : (uint64_t)rt_env.blocktime * ROUNDS_PER_MS +
                           (uint64_t)rt_env.blocktime_us * ROUNDS_PER_MS / 1000;
    else if (rt_root.wait_policy != 0)
        rounds = rt_root.wait_policy == 1 ? UINT64_MAX : 0;
    /* Waiting threads may be reading it (kmp_set_blocktime). */
    __atomic_store_n(&rt_root.spin, rounds > UINT32_MAX ? UINT32_MAX : (uint32_t)rounds, __ATOMIC_RELAXED);
}

/* ---- affinity: read when the processors are known (places.c) ------------------------------------------- */

static void gomp_cpu_affinity(const char *name, const char *value)
{
    (void)name;
    rt_env.gomp_affinity = value;
}

static void kmp_affinity(const char *name, const char *value)
{
    (void)name;
    rt_env.kmp_affinity = value;
}

static void kmp_hw_subset(const char *name, const char *value)
{
    (void)name;
    rt_env.kmp_hw_subset = value;
}

const struct rt_setting rt_settings_kmp[] = {
    {"KMP_WARNINGS", 0, warnings}, /* before all that may warn */
    {"KMP_SETTINGS", 0, settings},
    {"KMP_VERSION", 0, version},
    {"KMP_STATS_FILE", RT_SETTING_FILE, stats_file},
    {"KMP_STATS_THREADS", 0, stats_threads},
    {"KMP_DEVICE_THREAD_LIMIT", 0, all_threads},
    {"KMP_ALL_THREADS", 0, all_threads},
    {"KMP_TEAMS_THREAD_LIMIT", 0, teams_thread_limit},
    {"KMP_STACKSIZE", 0, kmp_stacksize},
    {"GOMP_STACKSIZE", 0, gomp_stacksize},
    {"KMP_LIBRARY", 0, library},
    {"KMP_ENABLE_TASK_THROTTLING", 0, task_throttling},
    {"KMP_BLOCKTIME", 0, blocktime},
    {"GOMP_SPINCOUNT", 0, spincount},
    {"OMPC_BARRIER_CLUSTER", 0, barrier_cluster},
    {"GOMP_CPU_AFFINITY", 0, gomp_cpu_affinity},
    {"KMP_AFFINITY", 0, kmp_affinity},
    {"KMP_HW_SUBSET", 0, kmp_hw_subset},
    {NULL, 0, NULL},
};
