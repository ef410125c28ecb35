/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * omp_display_env (OpenMP 5.1, 3.15; 5.2, 18.15): its text, on whichever standard stream.
 */
#include "check.h"

static char text[100000];

static void show(int verbose)
{
    int out[2];
    CHECK(pipe(out) == 0);
    fflush(stdout);
    fflush(stderr);
    int keep1 = dup(1), keep2 = dup(2);
    dup2(out[1], 1);
    dup2(out[1], 2);
    omp_display_env(verbose);
    fflush(stdout);
    fflush(stderr);
    dup2(keep1, 1);
    dup2(keep2, 2);
    close(keep1);
    close(keep2);
    close(out[1]);
    size_t length = 0;
    ssize_t got;
    while (length < sizeof text - 1 && (got = read(out[0], text + length, sizeof text - 1 - length)) > 0)
        length += (size_t)got;
    text[length] = '\0';
    close(out[0]);
}

CASE("begin, the version first, the variables, end")
{
    show(0);
    char *begin = strstr(text, "OPENMP DISPLAY ENVIRONMENT BEGIN"),
         *end = strstr(text, "OPENMP DISPLAY ENVIRONMENT END");
    char *version = strstr(text, "_OPENMP");
    CHECK(begin && end && version && begin < version && version < end);
    static const char *const names[] = {"OMP_NUM_THREADS",    "OMP_DYNAMIC",          "OMP_SCHEDULE",
                                        "OMP_PROC_BIND",      "OMP_PLACES",           "OMP_STACKSIZE",
                                        "OMP_WAIT_POLICY",    "OMP_THREAD_LIMIT",     "OMP_CANCELLATION",
                                        "OMP_DEFAULT_DEVICE", "OMP_MAX_ACTIVE_LEVELS"};
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        char *at = strstr(text, names[i]);
        CHECK(at && version && version < at && at < end);
    }
}

CASE("values in single quotes: OMP_NUM_THREADS is what the environment says")
{
    const char *n = getenv("OMP_NUM_THREADS");
    char *at = strstr(text, "OMP_NUM_THREADS");
    if (n && at) {
        char expected[50];
        snprintf(expected, sizeof expected, "'%s'", n);
        char *eol = strchr(at, '\n');
        CHECK(eol != NULL);
        if (eol)
            *eol = '\0';
        CHECK(strstr(at, expected) != NULL);
    }
}

CASE("verbose shows no less")
{
    show(0);
    size_t plain = strlen(text);
    show(1);
    CHECK(strlen(text) >= plain && strstr(text, "OMP_NUM_THREADS") != NULL);
}
