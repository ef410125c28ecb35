/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * OMP_DISPLAY_ENV and omp_display_env (OpenMP 5.2 sections 21.7 and 18.15): the initial values of the ICVs,
 * in the form that libgomp 13 and later print; KMP_SETTINGS, in libomp's.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alloc.h"
#include "display_env.h"
#include "env.h"
#include "env_read.h"
#include "message.h"

/** One line; `scope` NULL leaves the brackets out. */
struct form {
    FILE *out;
    const char *before, *equals, *quote;
    int scopes;
};

static void display_line(const struct form *form, const char *scope, const char *name, const char *value)
{
    fputs(form->before, form->out);
    if (scope != NULL && form->scopes)
        fprintf(form->out, "[%s] ", scope);
    fprintf(form->out, "%s%s%s", name, form->equals, form->quote);
    rt_put_printable(form->out, value);
    fprintf(form->out, "%s\n", form->quote);
}

static void number(const struct form *form, const char *scope, const char *name, unsigned long long value)
{
    char text[32];
    snprintf(text, sizeof text, "%llu", value);
    display_line(form, scope, name, text);
}

static void truth(const struct form *form, const char *scope, const char *name, int value)
{
    display_line(form, scope, name, value ? "TRUE" : "FALSE");
}

static void threads(const struct form *form)
{
    char text[RT_NEST_LIST * 12];
    int n = snprintf(text, sizeof text, "%d", rt_root.icvs.nthreads);
    for (uint32_t i = 1; i < rt_root.nthreads_list_count; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, ",%d", rt_root.nthreads_list[i]);
    display_line(form, "host", "OMP_NUM_THREADS", text);
}

static void schedule(const struct form *form)
{
    static const char *const kinds[] = {"STATIC", "DYNAMIC", "GUIDED", "AUTO"};
    char text[64], chunk[16] = "";
    if (rt_root.icvs.chunk > 0)
        snprintf(chunk, sizeof chunk, ",%d", rt_root.icvs.chunk);
    snprintf(text, sizeof text, "%s%s%s", rt_root.icvs.sched & 0x80000000u ? "MONOTONIC:" : "",
             kinds[((rt_root.icvs.sched & 0x7fffffff) - 1) & 3], chunk);
    display_line(form, "host", "OMP_SCHEDULE", text);
}

static void bind(const struct form *form)
{
    static const char *const policies[] = {"FALSE", "TRUE", "PRIMARY", "CLOSE", "SPREAD"};
    char text[RT_NEST_LIST * 10] = "FALSE";
    int n = 0;
    for (int i = 0; i < rt_env.bind_count; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, "%s%s", i ? "," : "", policies[rt_env.bind[i]]);
    display_line(form, "host", "OMP_PROC_BIND", text);
}

static void places(const struct form *form)
{
    size_t size = rt_places_text(&rt_env.list, NULL, 0) + 1;
    char *text = malloc(size);
    if (text == NULL)
        return;
    rt_places_text(&rt_env.list, text, size);
    display_line(form, "host", "OMP_PLACES", text);
    free(text);
}

static void allocator(const struct form *form)
{
    const char *name = rt_alloc_name(rt_root.icvs.allocator);
    display_line(form, "host", "OMP_ALLOCATOR",
                 rt_env.allocator != NULL ? rt_env.allocator
                 : name != NULL           ? name
                                          : "");
}

static void format(const struct form *form)
{
    rt_lock(&rt_env.format_lock);
    display_line(form, "host", "OMP_AFFINITY_FORMAT", rt_env.affinity_format);
    rt_unlock(&rt_env.format_lock);
}

static void specified(const struct form *form)
{
    static const char *const offload[] = {"DEFAULT", "MANDATORY", "DISABLED"}; /* as enum rt_target_offload */
    const struct rt_icvs *icvs = &rt_root.icvs;
    truth(form, "host", "OMP_DYNAMIC", icvs->dyn);
    truth(form, "host", "OMP_NESTED", icvs->max_active_levels > 1);
    threads(form);
    schedule(form);
    bind(form);
    places(form);
    number(form, "host", "OMP_STACKSIZE", rt_root.stacksize);
    display_line(form, "host", "OMP_WAIT_POLICY", rt_root.wait_policy == 1 ? "ACTIVE" : "PASSIVE");
    number(form, "host", "OMP_THREAD_LIMIT", (unsigned)icvs->thread_limit);
    number(form, "host", "OMP_MAX_ACTIVE_LEVELS", (unsigned)icvs->max_active_levels);
    number(form, "host", "OMP_NUM_TEAMS", (unsigned)rt_root.nteams);
    number(form, "host", "OMP_TEAMS_THREAD_LIMIT", (unsigned)rt_root.teams_thread_limit);
    truth(form, "all", "OMP_CANCELLATION", (int)rt_root.cancellation);
    if (icvs->default_device < 0)
        display_line(form, "all", "OMP_DEFAULT_DEVICE", "INVALID");
    else
        number(form, "all", "OMP_DEFAULT_DEVICE", (unsigned)icvs->default_device);
    number(form, "all", "OMP_MAX_TASK_PRIORITY", (unsigned)rt_root.max_task_priority);
    truth(form, "all", "OMP_DISPLAY_AFFINITY", (int)rt_root.display_affinity);
    format(form);
    allocator(form);
    display_line(form, "all", "OMP_TARGET_OFFLOAD", offload[rt_env.target_offload]);
    display_line(form, "all", "OMP_TOOL", rt_env.tool ? "ENABLED" : "DISABLED");
    display_line(form, "all", "OMP_TOOL_LIBRARIES",
                 rt_env.tool_libraries != NULL ? rt_env.tool_libraries : "");
    display_line(form, "all", "OMP_TOOL_VERBOSE_INIT",
                 rt_env.tool_verbose_init != NULL ? rt_env.tool_verbose_init : "DISABLED");
    display_line(form, "all", "OMP_DEBUG", rt_root.debug ? "ENABLED" : "DISABLED");
}

static void peers(const struct form *form)
{
    static const char *const libraries[] = {"throughput", "serial", "turnaround", "throughput"};
    display_line(form, "host", "GOMP_CPU_AFFINITY", rt_env.gomp_affinity != NULL ? rt_env.gomp_affinity : "");
    number(form, "host", "GOMP_STACKSIZE", rt_root.stacksize);
    if (rt_root.spin == UINT32_MAX)
        display_line(form, "host", "GOMP_SPINCOUNT", "INFINITE");
    else
        number(form, "host", "GOMP_SPINCOUNT", rt_root.spin);
    display_line(form, "host", "KMP_AFFINITY", rt_env.kmp_affinity != NULL ? rt_env.kmp_affinity : "");
    if (rt_env.blocktime == RT_BLOCKTIME_INFINITE)
        display_line(form, "host", "KMP_BLOCKTIME", "INFINITE");
    else
        number(form, "host", "KMP_BLOCKTIME", (unsigned)rt_env.blocktime);
    display_line(form, "host", "KMP_HW_SUBSET", rt_env.kmp_hw_subset != NULL ? rt_env.kmp_hw_subset : "");
    display_line(form, "host", "KMP_LIBRARY", libraries[rt_env.library]);
    number(form, "host", "KMP_STACKSIZE", rt_root.stacksize);
    truth(form, "host", "KMP_WARNINGS", rt_env.warnings);
}

/** All in one write: other threads and processes may be writing too. */
static void show(char *text, size_t size)
{
    fflush(stderr);
    fwrite(text, 1, size, stderr);
    free(text);
}

void rt_env_display(int verbose)
{
    char *text;
    size_t size;
    struct form form = {open_memstream(&text, &size), "  ", " = ", "'", 1};
    if (form.out == NULL)
        return;
    fputs("\nOPENMP DISPLAY ENVIRONMENT BEGIN\n", form.out);
    number(&form, NULL, "_OPENMP", rt_root.openmp_version);
    specified(&form);
    if (verbose)
        peers(&form);
    fputs("OPENMP DISPLAY ENVIRONMENT END\n", form.out);
    if (fclose(form.out) == 0)
        show(text, size);
}

void rt_env_display_settings(void)
{
    char *text;
    size_t size;
    struct form form = {open_memstream(&text, &size), "   ", "=", "", 0};
    if (form.out == NULL)
        return;
    fputs("\nUser settings:\n\n", form.out);
    for (char **variable = environ; variable != NULL && *variable != NULL; variable++)
        if ((strncmp(*variable, "OMP_", 4) == 0 || strncmp(*variable, "KMP_", 4) == 0 ||
             strncmp(*variable, "GOMP_", 5) == 0) &&
            !rt_env_ignores(*variable)) {
            fputs("   ", form.out);
            rt_put_printable(form.out, *variable);
            fputc('\n', form.out);
        }
    fputs("\nEffective settings:\n\n", form.out);
    specified(&form);
    peers(&form);
    fputs("\n", form.out);
    if (fclose(form.out) == 0)
        show(text, size);
}
