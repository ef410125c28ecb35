/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An executable without OpenMP that loads a library with it. The library stands beside the executable and is
 * named after it: dlopen_clang.exe loads dlopen_region_clang.so.
 */
#define _GNU_SOURCE
#define TRUTH_WITHOUT_OPENMP
#include "truth.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char exe[PATH_MAX], path[PATH_MAX + 32];
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    if (n < 0)
        return 3;
    exe[n] = 0;
    char *name = strrchr(exe, '/');
    char *suffix = name ? strstr(name, "dlopen_") : NULL;
    char *end = suffix ? strstr(suffix, ".exe") : NULL;
    if (!end)
        return 3;
    *name = *end = 0;
    snprintf(path, sizeof path, "%s/dlopen_region_%s.so", exe, suffix + strlen("dlopen_"));

    truth_start("dlopen", 4, 0, 0);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void (*run_region)(void) = NULL;
    if (library)
        *(void **)&run_region = dlsym(library, "run_region");
    if (!run_region) {
        fprintf(stderr, "TRUTH-FAILED %s\n", dlerror());
        return 3;
    }
    run_region();
}
