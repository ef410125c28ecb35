/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Surveys cores (survey.h) and damaged copies of them.
 *
 *   replay WITH FILE...     a corpus, FILE.hex, of a core a line in hexadecimal digits; or a core
 *
 * Every core is surveyed as it is, then MUTATIONS copies (of the environment; 3,000) with one to eight
 * changes, the same for the same SEED (1). Ends with 1 when hardly any is opened: such damage would test
 * nothing. A survey that takes longer than SECONDS ends the program, with its number; ONLY=NUMBER does that
 * one alone.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "corefiles/fuzz/mutate.h"
#include "corefiles/fuzz/survey.h"
#include "tools/fuzz/lines.h"

enum { SECONDS = 60, CORES_MAX = 4096 };

static struct {
    uint8_t *data;
    size_t size;
} cores[CORES_MAX];
static size_t core_count;
static volatile unsigned long current; /**< number of the mutation */

static void too_long(int signal)
{
    /* NOLINTNEXTLINE(bugprone-signal-handler): nothing goes on after this; a text cut off does no harm. */
    fprintf(stderr, "mutation %lu: signal %d\n", current, signal);
    _exit(1);
}

static void keep(const uint8_t *data, size_t size)
{
    if (core_count == CORES_MAX || !(cores[core_count].data = malloc(size + 1)))
        exit(2);
    memcpy(cores[core_count].data, data, size);
    cores[core_count++].size = size;
}

static void keep_file(const char *path)
{
    FILE *file = fopen(path, "r");
    uint8_t *data;
    long size;

    if (!file || fseek(file, 0, SEEK_END) || (size = ftell(file)) < 0 || fseek(file, 0, SEEK_SET) ||
        !(data = malloc((size_t)size + 1)) || fread(data, 1, (size_t)size, file) != (size_t)size) {
        perror(path);
        exit(2);
    }
    keep(data, (size_t)size);
    free(data);
    fclose(file);
}

static uint64_t setting(const char *name, uint64_t usual)
{
    const char *text = getenv(name);

    return text ? strtoull(text, NULL, 0) : usual;
}

int main(int argc, char **argv)
{
    uint64_t seed = setting("SEED", 1);
    size_t largest = 0;
    uint8_t *copy;
    const long only = (long)setting("ONLY", UINT64_MAX);
    unsigned long count = setting("MUTATIONS", 3000), whole = 0, damaged = 0;

    if (argc < 3 || !seed) {
        fprintf(stderr, "usage: %s WITH FILE...\n", argv[0]);
        return 64;
    }
    signal(SIGALRM, too_long);
    signal(SIGABRT, too_long);
    for (int i = 2; i < argc; i++) {
        const char *end = strrchr(argv[i], '.');

        if (end && !strcmp(end, ".hex"))
            lines_each(argv[i], keep);
        else
            keep_file(argv[i]);
    }
    for (size_t i = 0; i < core_count; i++) {
        alarm(SECONDS);
        whole += (unsigned long)survey_core(cores[i].data, cores[i].size, argv[1]);
        largest = cores[i].size > largest ? cores[i].size : largest;
    }
    copy = malloc(largest + 1);
    if (!copy)
        return 2;
    for (unsigned long i = 0; core_count && i < count; i++, current = i) {
        size_t which = mutate_random(&seed) % core_count, size = cores[which].size;

        memcpy(copy, cores[which].data, size);
        for (uint64_t n = mutate_random(&seed) % 8 + 1; n; n--)
            size = mutate_core(copy, size, &seed);
        alarm(SECONDS);
        if (only < 0 || i == (unsigned long)only)
            damaged += (unsigned long)survey_core(copy, size, argv[1]);
    }
    for (size_t i = 0; i < core_count; i++)
        free(cores[i].data);
    free(copy);
    printf("%zu cores, %lu opened; %lu mutations, %lu opened, no finding\n", core_count, whole, count,
           damaged);
    return !whole || (only < 0 && damaged * 10 < count);
}
