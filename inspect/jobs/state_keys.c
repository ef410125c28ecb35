/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/jobs/state_keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/base/mem.h"
#include "inspect/jobs/state.h"

/* FNV-1a of 128 bits. Equal keys are no proof: whoever puts states together compares them. */
static void hash_text(const char *text, char ret[33])
{
    __extension__ typedef unsigned __int128 wide;
    const wide prime = ((wide)1 << 88) + 0x13b;
    wide hash = ((wide)UINT64_C(0x6c62272e07bb0142) << 64) + UINT64_C(0x62b821756295c58d);

    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * prime;
    snprintf(ret, 33, "%016llx%016llx", (unsigned long long)(hash >> 64), (unsigned long long)hash);
}

/* Does the row say where the process is? Threads outside of OpenMP do when there are no others. */
static bool counts(const json_t *row, bool openmp)
{
    const char *kind = json_string_value(json_object_get(row, "kind"));

    if (kind && !strcmp(kind, "idle"))
        return false;
    return !openmp || json_is_true(json_object_get(row, "openmp")) || (kind && !strncmp(kind, "MPI_", 4));
}

static bool has_openmp(const json_t *threads)
{
    for (size_t i = 0; i < json_array_size(threads); i++)
        if (json_is_true(json_object_get(json_array_get(threads, i), "openmp")))
            return true;
    return false;
}

static int by_string(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* The set of what the rows say under KEYS. */
static void hash_rows(const json_t *state, const char *const *keys, char ret[33])
{
    const json_t *threads = json_object_get(state, "threads");
    size_t n = json_array_size(threads), count = 0;
    char **texts = calloc(n + 1, sizeof(*texts));
    bool openmp = has_openmp(threads);
    struct sbuf all = {0};

    for (size_t i = 0; texts && i < n; i++) {
        const json_t *row = json_array_get(threads, i);
        json_t *part = json_array();

        for (const char *const *key = keys; *key; key++)
            json_array_append(part, json_object_get(row, *key));
        texts[count] = counts(row, openmp) ? state_canonical(part) : NULL;
        count += texts[count] != NULL;
        json_decref(part);
    }
    if (texts)
        qsort(texts, count, sizeof(*texts), by_string);
    for (size_t i = 0; i < count; i++)
        if (!i || strcmp(texts[i], texts[i - 1]) != 0)
            sbuf_printf(&all, "%s\n", texts[i]);
    for (const char *const *key = (const char *const[]){"program", "verdict", "signal", NULL}; *key; key++) {
        char *text = state_canonical(json_object_get(state, *key));

        sbuf_printf(&all, "%s\n", text ? text : "");
        free(text);
    }
    hash_text(all.text ? all.text : "", ret);
    sbuf_free(&all);
    for (size_t i = 0; i < count; i++)
        free(texts[i]);
    free(texts);
}

void state_make_keys(const json_t *state, struct state_keys *ret)
{
    static const char *const coarse[] = {"kind", "region", NULL};
    static const char *const finer[] = {"kind", "region", "does", "team_size", "level", "at", NULL};
    char *all = state_canonical(state);

    hash_rows(state, coarse, ret->key[0]);
    hash_rows(state, finer, ret->key[1]);
    hash_text(all ? all : "", ret->key[2]);
    free(all);
}
