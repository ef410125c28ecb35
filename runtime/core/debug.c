/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What OMPD asks of a runtime (OpenMP 6.0 chapter 42): where the OMPD library is, and places for breakpoints.
 *
 * The places are labels in functions that all such events pass, those of tasks in arch_x86_64.S and
 * execute.c; each is exported, so `break ompd_bp_task_begin` works on a stripped program. They are always
 * passed, OMP_DEBUG or not.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "debug.h"

RT_EXPORT const char **ompd_dll_locations;

static const char *locations[] = {"libompd.so.1", "libompd.so", NULL, NULL};

#ifdef RT_STATIC
/** The archive has no place of its own: the program's says nothing of where the library is. */
static void add_path(void) {}
#else
/**
 * Puts the library beside the runtime's file first, so that a debugger finds it without a search path. The
 * real file: the runtime is mostly loaded by a link of another name in another folder. Nothing when the
 * library is not there, as in a build tree. This only names a file, so it is done under AT_SECURE too; the
 * path is where the loader has found the runtime.
 */
static void add_path(void)
{
    static const char name[] = "libompd.so.1";
    static char path[PATH_MAX + sizeof name];
    Dl_info info;

    if (dladdr(locations, &info) == 0 || info.dli_fname == NULL || realpath(info.dli_fname, path) == NULL)
        return;
    char *slash = strrchr(path, '/');
    if (slash == NULL)
        return;
    memcpy(slash + 1, name, sizeof name);
    if (access(path, F_OK) != 0)
        return;
    memmove(locations + 1, locations, 2 * sizeof *locations);
    locations[0] = path;
}
#endif

/* Complete vector first, then the pointer, then the place: a tool may stop the program anywhere. */
RT_NOINLINE void rt_debug_publish(void)
{
    add_path();
    __atomic_store_n(&ompd_dll_locations, locations, __ATOMIC_RELEASE);
    RT_BREAKPOINT(ompd_dll_locations_valid);
}

RT_NOINLINE void rt_bp_thread_begin(void)
{
    RT_BREAKPOINT(ompd_bp_thread_begin);
}

RT_NOINLINE void rt_bp_thread_end(void)
{
    RT_BREAKPOINT(ompd_bp_thread_end);
}

RT_NOINLINE void rt_bp_parallel_begin(void)
{
    RT_BREAKPOINT(ompd_bp_parallel_begin);
}

RT_NOINLINE void rt_bp_parallel_end(void)
{
    RT_BREAKPOINT(ompd_bp_parallel_end);
}

RT_NOINLINE void rt_bp_teams_begin(void)
{
    RT_BREAKPOINT(ompd_bp_teams_begin);
}

RT_NOINLINE void rt_bp_teams_end(void)
{
    RT_BREAKPOINT(ompd_bp_teams_end);
}

RT_NOINLINE void rt_bp_target_begin(void)
{
    RT_BREAKPOINT(ompd_bp_target_begin);
}

RT_NOINLINE void rt_bp_target_end(void)
{
    RT_BREAKPOINT(ompd_bp_target_end);
}

/* No device: these exist because the specification asks for the symbols, and are never passed. */
RT_NOINLINE __attribute__((used)) static void never_passed(void)
{
    RT_BREAKPOINT(ompd_bp_device_begin);
    RT_BREAKPOINT(ompd_bp_device_end);
}
