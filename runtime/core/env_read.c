/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Environment variables of the specification (OpenMP 5.2 chapter 21, 6.0 chapter 4). A value that does not
 * fit its grammar is named in a warning and has no effect; values are case-insensitive and may have blanks
 * around them. NAME_ALL stands for the host too; NAME_DEV and NAME_DEV_n are for devices, of which there is
 * none. Unknown variables pass in silence.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "alloc.h"
#include "cgroup.h"
#include "env.h"
#include "env_kmp.h"
#include "env_parse.h"
#include "env_read.h"
#include "limits.h"
#include "offload.h"
#include "places.h"

#define DEFAULT_FORMAT "OMP: pid %P tid %i thread %n bound to OS proc set {%A}"

static void setting_bad(const char *name, const char *value, const char *expected)
{
    rt_env_warn("%s='%.200s' has no effect: %s is expected", name, value, expected);
}

/* ---- kinds of values ----------------------------------------------------------------------------------- */

/** A number into *ret, as read_int(), positive or not. */
static int read_int(const char *name, const char *value, long min, int32_t *ret)
{
    const char *s = value;
    long n;
    if (rt_parse_number(&s, min, INT_MAX, &n) && *s == '\0') {
        *ret = (int32_t)n;
        return 1;
    }
    setting_bad(name, value, min > 0 ? "a positive number" : "a non-negative number");
    return 0;
}

/** -1: no truth value. */
static int read_bool(const char *name, const char *value)
{
    int truth = rt_parse_bool(value);
    if (truth < 0)
        setting_bad(name, value, "true or false");
    return truth;
}

static int read_word(const char *name, const char *value, const char *const *words, const char *expected)
{
    int index = rt_parse_only_word(value, words);
    if (index < 0)
        setting_bad(name, value, expected);
    return index;
}

/* ---- threads ------------------------------------------------------------------------------------------- */

static void num_threads(const char *name, const char *value)
{
    const char *s = value;
    int32_t list[RT_NEST_LIST];
    uint32_t count = 0;
    long n;
    do {
        if (!rt_parse_number(&s, 1, INT_MAX, &n)) {
            setting_bad(name, value, "a positive number or a list of them");
            return;
        }
        if (count < RT_NEST_LIST)
            list[count++] = (int32_t)n;
    } while (*s == ',' && s++);
    if (*s != '\0') {
        setting_bad(name, value, "a positive number or a list of them");
        return;
    }
    memcpy(rt_root.nthreads_list, list, count * sizeof *list);
    rt_root.nthreads_list_count = count;
    rt_root.icvs.nthreads = list[0];
    rt_root.icvs.nthreads_rest = count > 1 ? rt_root.nthreads_list + 1 : NULL;
    rt_root.icvs.nthreads_rest_count = (uint16_t)(count - 1);
    rt_env.has_num_threads = 1;
}

static void dynamic(const char *name, const char *value)
{
    int truth = read_bool(name, value);
    if (truth >= 0)
        rt_root.icvs.dyn = (uint8_t)truth;
}

static void nested(const char *name, const char *value)
{
    int truth = read_bool(name, value);
    if (truth >= 0) {
        rt_env.has_nested = 1;
        rt_env.nested = (uint8_t)truth;
    }
}

static void max_active_levels(const char *name, const char *value)
{
    if (read_int(name, value, 0, &rt_root.icvs.max_active_levels))
        rt_env.has_active_levels = 1;
}

static void thread_limit(const char *name, const char *value)
{
    read_int(name, value, 1, &rt_root.icvs.thread_limit);
}

static void schedule(const char *name, const char *value)
{
    static const char *const kinds[] = {"static", "dynamic", "guided", "auto", "static_steal", NULL};
    static const char *const modifiers[] = {"monotonic", "nonmonotonic", NULL};
    const char *s = value, *after = value;
    int modifier = rt_parse_word(&after, modifiers);
    if (modifier >= 0 && *after == ':')
        s = after + 1;
    else
        modifier = -1;
    int kind = rt_parse_word(&s, kinds);
    long chunk = 0;
    int good = kind >= 0;
    if (good && *s == ',') {
        s++;
        good = rt_parse_number(&s, 1, INT_MAX, &chunk);
    }
    if (!good || *s != '\0') {
        setting_bad(name, value, "[modifier:]kind[,chunk] with kind static, dynamic, guided or auto");
        return;
    }
    if (kind == 4) /* libomp's name for what dynamic is here */
        kind = 1;
    rt_root.icvs.sched = (uint32_t)kind + 1 + (modifier == 0 ? 0x80000000u : 0);
    rt_root.icvs.chunk = kind == 3 ? 0 : (int32_t)chunk; /* auto has none */
}

static void num_teams(const char *name, const char *value)
{
    read_int(name, value, 1, &rt_root.nteams);
}

static void teams_thread_limit(const char *name, const char *value)
{
    read_int(name, value, 1, &rt_root.teams_thread_limit);
}

static void stacksize(const char *name, const char *value)
{
    uint64_t size;
    if (!rt_parse_size(value, 1, &size))
        setting_bad(name, value, "a size with an optional unit B, K, M or G");
    else if (size < (uint64_t)PTHREAD_STACK_MIN)
        rt_env_warn("%s='%.200s' has no effect: a thread needs %ld bytes", name, value,
                    (long)PTHREAD_STACK_MIN);
    else
        rt_root.stacksize = size;
}

static void wait_policy(const char *name, const char *value)
{
    static const char *const policies[] = {"active", "passive", NULL};
    int policy = read_word(name, value, policies, "active or passive");
    if (policy >= 0)
        rt_root.wait_policy = (uint32_t)policy + 1;
}

/* ---- affinity ------------------------------------------------------------------------------------------ */

static void proc_bind(const char *name, const char *value)
{
    static const char *const policies[] = {"master", "primary", "close", "spread", NULL};
    static const uint8_t numbers[] = {RT_BIND_PRIMARY, RT_BIND_PRIMARY, RT_BIND_CLOSE, RT_BIND_SPREAD};
    static const char expected[] = "true, false or a list of primary, close and spread";
    uint8_t list[RT_NEST_LIST];
    uint8_t count = 0;
    const char *s = value;
    int truth = rt_parse_bool(value);
    if (truth >= 0) {
        rt_env.bind[0] = (uint8_t)truth;
        rt_env.bind_count = 1;
        return;
    }
    do {
        int policy = rt_parse_word(&s, policies);
        if (policy < 0) {
            setting_bad(name, value, expected);
            return;
        }
        if (count < RT_NEST_LIST)
            list[count++] = numbers[policy];
    } while (*s == ',' && s++);
    if (*s != '\0') {
        setting_bad(name, value, expected);
        return;
    }
    memcpy(rt_env.bind, list, count);
    rt_env.bind_count = count;
    rt_env.lists |= count > 1;
}

static void places(const char *name, const char *value)
{
    (void)name;
    rt_env.places = value; /* read when the processors are known (places.c) */
}

static void display_affinity(const char *name, const char *value)
{
    int truth = read_bool(name, value);
    if (truth >= 0)
        rt_root.display_affinity = (uint32_t)truth;
}

static void affinity_format(const char *name, const char *value)
{
    (void)name;
    rt_env.affinity_format = value;
}

/* ---- the program as a whole ---------------------------------------------------------------------------- */

static void cancellation(const char *name, const char *value)
{
    int truth = read_bool(name, value);
    if (truth >= 0)
        rt_root.cancellation = (uint32_t)truth;
}

static void max_task_priority(const char *name, const char *value)
{
    read_int(name, value, 0, &rt_root.max_task_priority);
}

enum {
    INVALID_DEVICE = -4
}; /* omp_invalid_device of gcc's programs: clang's do not ask the runtime for a host region */

static void default_device(const char *name, const char *value)
{
    /* 6.0 also has words; the initial device's number is that of devices, 0. */
    static const char *const words[] = {"initial", "invalid", NULL};
    int word = rt_parse_only_word(value, words);
    if (word >= 0)
        rt_root.icvs.default_device = word == 0 ? 0 : INVALID_DEVICE;
    else if (!read_int(name, value, 0, &rt_root.icvs.default_device))
        return;
    rt_env.has_default_device = 1;
}

static void target_offload(const char *name, const char *value)
{
    static const char *const words[] = {"default", "mandatory", "disabled",
                                        NULL}; /* as enum rt_target_offload */
    int word = read_word(name, value, words, "mandatory, disabled or default");
    if (word >= 0)
        rt_env.target_offload = (uint8_t)word;
}

static void allocator(const char *name, const char *value)
{
    if (rt_alloc_parse(value, &rt_root.icvs.allocator) == 0) {
        rt_env.allocator = value;
        rt_env.allocator_made = rt_root.icvs.allocator;
    } else {
        setting_bad(name, value, "a predefined allocator or a memory space with traits");
    }
}

static const char *const switches[] = {"disabled", "enabled", NULL};

static void tool(const char *name, const char *value)
{
    int on = read_word(name, value, switches, "enabled or disabled");
    if (on >= 0)
        rt_env.tool = (uint8_t)on;
    else
        rt_env.tool_illegal = value;
}

static void tool_libraries(const char *name, const char *value)
{
    (void)name;
    rt_env.tool_libraries = value;
}

static void tool_verbose_init(const char *name, const char *value)
{
    static const char *const words[] = {"disabled", "stdout", "stderr", NULL};
    (void)name;
    int word = rt_parse_only_word(value, words);
    rt_env.tool_verbose_init = word < 0 ? value : word == 0 ? NULL : words[word];
}

static void debug(const char *name, const char *value)
{
    int on = read_word(name, value, switches, "enabled or disabled");
    if (on >= 0)
        rt_root.debug = (uint32_t)on;
}

static void display_env(const char *name, const char *value)
{
    static const char *const verbose[] = {"verbose", NULL};
    int truth = rt_parse_bool(value);
    if (rt_parse_only_word(value, verbose) == 0)
        rt_env.display = 2;
    else if (truth >= 0)
        rt_env.display = (uint8_t)truth;
    else
        setting_bad(name, value, "true, false or verbose");
}

const struct rt_setting rt_settings_omp[] = {
    {"OMP_NUM_THREADS", RT_SETTING_ALL, num_threads},
    {"OMP_DYNAMIC", RT_SETTING_ALL, dynamic},
    {"OMP_NESTED", 0, nested},
    {"OMP_MAX_ACTIVE_LEVELS", RT_SETTING_ALL, max_active_levels},
    {"OMP_THREAD_LIMIT", RT_SETTING_ALL, thread_limit},
    {"OMP_SCHEDULE", RT_SETTING_ALL, schedule},
    {"OMP_NUM_TEAMS", RT_SETTING_ALL, num_teams},
    {"OMP_TEAMS_THREAD_LIMIT", RT_SETTING_ALL, teams_thread_limit},
    {"OMP_STACKSIZE", RT_SETTING_ALL, stacksize},
    {"OMP_WAIT_POLICY", RT_SETTING_ALL, wait_policy},
    {"OMP_PROC_BIND", RT_SETTING_ALL, proc_bind},
    {"OMP_PLACES", 0, places},
    {"OMP_DISPLAY_AFFINITY", 0, display_affinity},
    {"OMP_AFFINITY_FORMAT", 0, affinity_format},
    {"OMP_CANCELLATION", 0, cancellation},
    {"OMP_MAX_TASK_PRIORITY", 0, max_task_priority},
    {"OMP_DEFAULT_DEVICE", 0, default_device},
    {"OMP_TARGET_OFFLOAD", 0, target_offload},
    {"OMP_ALLOCATOR", 0, allocator},
    {"OMP_TOOL", 0, tool},
    {"OMP_TOOL_LIBRARIES", RT_SETTING_FILE, tool_libraries},
    {"OMP_TOOL_VERBOSE_INIT", RT_SETTING_FILE, tool_verbose_init},
    {"OMP_DEBUG", 0, debug},
    {"OMP_DISPLAY_ENV", 0, display_env},
    {NULL, 0, NULL},
};

/* ---- all of them --------------------------------------------------------------------------------------- */

static int is_ignored(const struct rt_setting *setting)
{
    return (setting->is & RT_SETTING_FILE) != 0 && rt_env_secure();
}

int rt_env_ignores(const char *variable)
{
    static const struct rt_setting *const tables[] = {rt_settings_omp, rt_settings_kmp};
    size_t length = strcspn(variable, "=");
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (const struct rt_setting *setting = tables[i]; setting->name != NULL; setting++)
            if (strlen(setting->name) == length && strncmp(setting->name, variable, length) == 0)
                return is_ignored(setting);
    return 0;
}

/** The one place that reads the environment. */
static const char *value_of(const struct rt_setting *setting, const char *name)
{
    return is_ignored(setting) ? NULL : getenv(name);
}

static void read_all(const struct rt_setting *setting)
{
    for (; setting->name != NULL; setting++) {
        char name[48];
        const char *value = value_of(setting, setting->name);
        snprintf(name, sizeof name, "%s", setting->name);
        if (value == NULL && setting->is & RT_SETTING_ALL) {
            snprintf(name, sizeof name, "%s_ALL", setting->name);
            value = value_of(setting, name);
        }
        if (value != NULL)
            setting->read(name, value);
    }
}

static int apply_one(const struct rt_setting *setting, const char *name, const char *value)
{
    for (; setting->name != NULL; setting++)
        if (strcmp(setting->name, name) == 0) {
            setting->read(setting->name, value);
            return 1;
        }
    return 0;
}

/** What pthread_create gives a thread when nobody asks for a size. */
static uint64_t system_stacksize(void)
{
    pthread_attr_t attributes;
    size_t size = 0;
    if (pthread_attr_init(&attributes) == 0) {
        pthread_attr_getstacksize(&attributes, &size);
        pthread_attr_destroy(&attributes);
    }
    return size;
}

static void default_num_threads(void)
{
    /*
     * A cgroup's quota takes processor time away though each processor may be used: more threads than it pays
     * for would be stopped for the rest of each period. omp_get_num_procs counts the processors alone.
     */
    int quota = rt_cgroup_quota("");
    rt_root.icvs.nthreads = quota > 0 && (uint32_t)quota < rt_root.procs ? quota : (int32_t)rt_root.procs;
}

/** OMP_NUM_THREADS with more threads than there can ever be counts as not given. */
static void check_num_threads(void)
{
    struct rt_icvs *icvs = &rt_root.icvs;
    int32_t most = 0;
    for (uint32_t i = 0; rt_env.has_num_threads && i < rt_root.nthreads_list_count; i++)
        most = rt_root.nthreads_list[i] > most ? rt_root.nthreads_list[i] : most;
    most = icvs->dyn ? 0 : most > icvs->thread_limit ? icvs->thread_limit : most;
    if (most <= (int32_t)rt_root.procs)
        return;
    struct rt_limit limit = rt_limits_read("");
    if (most <= limit.threads)
        return;
    rt_root.nthreads_list_count = icvs->nthreads_rest_count = 0;
    icvs->nthreads_rest = NULL;
    rt_env.has_num_threads = 0;
    default_num_threads();
    rt_env_warn("OMP_NUM_THREADS asks for %d threads and this process can have %ld at most (%s); the "
                "default, %d, is used",
                most, limit.threads, limit.what, icvs->nthreads);
}

/** What follows from several variables together. */
static void settle(void)
{
    struct rt_icvs *icvs = &rt_root.icvs;
    if (rt_env.library == RT_LIBRARY_SERIAL)
        icvs->thread_limit = 1;
    check_num_threads();
    if (!rt_env.has_active_levels) {
        if (rt_env.has_nested)
            icvs->max_active_levels = rt_env.nested ? INT_MAX : 1;
        else if (rt_env.lists || rt_root.nthreads_list_count > 1)
            icvs->max_active_levels = INT_MAX;
    }
    if (rt_env.target_offload == RT_OFFLOAD_MANDATORY && !rt_env.has_default_device && !rt_offload_present())
        icvs->default_device = INVALID_DEVICE; /* 5.2, Table 2.1: there is no device but the host */
    if (rt_root.wait_policy == 0 && rt_env.library == RT_LIBRARY_TURNAROUND)
        rt_root.wait_policy = 1;
    if (rt_env.kmp_stacksize != 0)
        rt_root.stacksize = rt_env.kmp_stacksize;
    if (rt_root.wait_policy != 0 && !rt_env.has_blocktime)
        rt_env.blocktime = rt_root.wait_policy == 1 ? RT_BLOCKTIME_INFINITE : 0;
    rt_root.thread_limit = icvs->thread_limit;
    rt_env_spin();
}

void rt_env_read(struct rt_root *root)
{
    rt_env.warnings = 1;
    rt_env.tool = 1;
    rt_env.blocktime =
        200; /* libomp's default, for kmp_get_blocktime; the time that is really spent is spin_default */
    rt_env.spin_default = root->spin;
    rt_env.barrier_cluster = -1;
    root->stacksize_default = system_stacksize();
    rt_env.affinity_format = DEFAULT_FORMAT;
    rt_env.true_means = RT_BIND_CLOSE;
    root->icvs = (struct rt_icvs){
        .thread_limit = INT_MAX,
        .max_active_levels = 1,
        .sched = 1,
        .allocator = RT_ALLOC_DEFAULT,
    };
    read_all(rt_settings_kmp); /* first: they may silence warnings, and are defaults to the specification's */
    read_all(rt_settings_omp);
    rt_places_start();
    rt_places_setup();
    if (!rt_env.has_num_threads)
        default_num_threads();
    settle();
}

/** Texts that settings may point into; never freed. */
struct applied {
    struct applied *before;
    char text[];
};
static struct applied *applied;

void rt_env_apply(const char *settings)
{
    size_t size = strlen(settings) + 1;
    struct applied *kept = malloc(sizeof *kept + size);
    if (kept == NULL)
        return;
    kept->before = applied;
    applied = kept;
    char *rest = memcpy(kept->text, settings, size), *item;
    while ((item = strsep(&rest, "|")) != NULL) {
        char *value = strchr(item, '=');
        if (value == NULL)
            continue;
        *value++ = '\0';
        const char *name = rt_parse_blanks(item);
        if (!apply_one(rt_settings_omp, name, value))
            apply_one(rt_settings_kmp, name, value);
    }
    settle();
}
