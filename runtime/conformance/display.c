/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Affinity formats: set, get, capture (OpenMP 5.2, 18.3.8 to 18.3.11).
 */
#include "check.h"

static char text[2000];

static size_t capture(const char *format)
{
    memset(text, 'x', sizeof text);
    return omp_capture_affinity(text, sizeof text, format);
}

CASE("set and get, with the length")
{
    char buffer[40];
    omp_set_affinity_format("thread %n of %N");
    size_t n = omp_get_affinity_format(buffer, sizeof buffer);
    CHECK(n == strlen("thread %n of %N") && strcmp(buffer, "thread %n of %N") == 0);
    memset(buffer, 'x', sizeof buffer);
    n = omp_get_affinity_format(buffer, 7);
    CHECK(n == 15 && strcmp(buffer, "thread") == 0 && buffer[7] == 'x');
    n = omp_get_affinity_format(NULL, 0);
    CHECK(n == 15);
}

CASE("literals and %%")
{
    CHECK(capture("plain text") == 10 && strcmp(text, "plain text") == 0);
    CHECK(capture("100%%") == 4 && strcmp(text, "100%") == 0);
}

CASE("thread number, team size, level, team")
{
    capture("%n/%N/%L/%t/%T");
    CHECK(strcmp(text, "0/1/0/0/1") == 0);
#pragma omp parallel num_threads(4)
    {
        char mine[100], expected[100];
        omp_capture_affinity(mine, sizeof mine, "%n/%N/%L/%t/%T/%a");
        snprintf(expected, sizeof expected, "%d/4/1/0/1/0", omp_get_thread_num());
        CHECK(strcmp(mine, expected) == 0);
    }
}

CASE("long names")
{
#pragma omp parallel num_threads(3)
    {
        char mine[200], expected[200];
        omp_capture_affinity(
            mine, sizeof mine,
            "%{thread_num} %{num_threads} %{nesting_level} %{team_num} %{num_teams} %{ancestor_tnum}");
        snprintf(expected, sizeof expected, "%d 3 1 0 1 0", omp_get_thread_num());
        CHECK(strcmp(mine, expected) == 0);
    }
}

CASE("width, right justification, zeros")
{
    capture("[%4n]");
    CHECK(strcmp(text, "[0   ]") == 0);
    capture("[%.4n]");
    CHECK(strcmp(text, "[   0]") == 0);
    capture("[%0.4n]");
    CHECK(strcmp(text, "[0000]") == 0);
    capture("[%.5{num_threads}]");
    CHECK(strcmp(text, "[    1]") == 0);
}

CASE("process, host, native thread, affinity")
{
    char expected[400];
    capture("%P");
    snprintf(expected, sizeof expected, "%d", (int)getpid());
    CHECK(strcmp(text, expected) == 0);
    capture("%H");
    CHECK(gethostname(expected, sizeof expected) == 0);
    CHECK(strcmp(text, expected) == 0);
    capture("%i");
    CHECK(strlen(text) > 0);
    capture("%A");
    CHECK(strlen(text) > 0 && text[strspn(text, "0123456789,-")] == '\0');
}

CASE("truncation: terminated, the whole length is returned")
{
    char buffer[8];
    memset(buffer, 'x', sizeof buffer);
    size_t n = omp_capture_affinity(buffer, 5, "0123456789");
    CHECK(n == 10 && strcmp(buffer, "0123") == 0 && buffer[5] == 'x');
    CHECK(omp_capture_affinity(NULL, 0, "0123456789") == 10);
}

CASE("an empty format means affinity-format-var")
{
    omp_set_affinity_format("var %N");
    CHECK(capture("") == 5 && strcmp(text, "var 1") == 0);
    CHECK(capture(NULL) == 5 && strcmp(text, "var 1") == 0);
    omp_display_affinity("");
    omp_display_affinity("shown: thread %n");
}

CASE("a long format")
{
    char format[600];
    memset(format, 'a', sizeof format);
    strcpy(format + 590, "%n");
    CHECK(capture(format) == 591 && text[590] == '0' && text[589] == 'a' && text[591] == '\0');
}
