/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Has the runtime say everything that it says with a text of somebody else's: the first argument, and what
 * stands in the environment.
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

void omp_set_affinity_format(const char *format);
void omp_display_affinity(const char *format);
void omp_display_env(int verbose);
void kmp_set_defaults(const char *settings);
void GOMP_warning(const char *message, size_t length);
void __kmpc_error(const void *loc, int severity, const char *message);
void GOMP_parallel(void (*fn)(void *), void *data, unsigned threads, unsigned flags);

static void nothing(void *data)
{
    (void)data;
}

/** The search for a tool of 2016 is what looks at an OMP_TOOL that is neither word. */
void *ompt_tool(void)
{
    return NULL;
}

int main(int argc, char **argv)
{
    const char *text = argc > 1 ? argv[1] : "";
    char settings[4096];
    GOMP_parallel(nothing, NULL, 2, 0); /* OMP_DISPLAY_AFFINITY */
    omp_display_affinity(NULL);
    omp_display_affinity(text);
    omp_set_affinity_format(text);
    omp_display_affinity(NULL);
    omp_display_env(1);
    snprintf(settings, sizeof settings, "OMP_SCHEDULE=%s|KMP_LIBRARY=%s", text, text);
    kmp_set_defaults(settings);
    GOMP_warning(text, strlen(text));
    GOMP_warning(text, (size_t)-1);
    __kmpc_error(NULL, 1, text);
    return 0;
}
