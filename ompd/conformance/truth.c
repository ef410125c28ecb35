/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The line TRUTH {json} of a target (test-targets/truth.h), as structures.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "conf.h"

static int number(const json_t *object, const char *key, int otherwise)
{
    const json_t *value = json_object_get(object, key);
    return json_is_integer(value) ? (int)json_integer_value(value) : otherwise;
}

static uint64_t hex(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? strtoull(text, NULL, 16) : 0;
}

static int64_t *numbers(const json_t *array, int *count)
{
    const size_t n = json_array_size(array);
    int64_t *list = calloc(n + 1, sizeof *list);
    if (!list)
        abort();
    for (size_t i = 0; i < n; i++)
        list[i] = json_integer_value(json_array_get(array, i));
    *count = (int)n;
    return list;
}

static void parse_thread(json_t *row, struct truth_thread *thread)
{
    json_t *wait = json_object_get(row, "wait"), *icvs = json_object_get(row, "icvs"), *value;
    json_t *ancestors = json_object_get(row, "ancestors");
    const char *name;
    thread->tid = json_integer_value(json_object_get(row, "tid"));
    thread->pthread = hex(row, "pthread");
    thread->openmp = json_is_true(json_object_get(row, "openmp"));
    thread->state = json_string_value(json_object_get(row, "state"));
    thread->thread_num = number(row, "thread_num", -1);
    thread->idle = thread->thread_num < 0;
    thread->team_size = number(row, "team_size", -1);
    thread->level = number(row, "level", -1);
    thread->active_level = number(row, "active_level", -1);
    thread->region = number(row, "region", -1);
    thread->task_explicit = json_is_true(json_object_get(row, "task_explicit"));
    thread->in_final = json_is_true(json_object_get(row, "in_final"));
    for (size_t l = 0; l < json_array_size(ancestors) && l < TRUTH_LEVELS; l++)
        for (int i = 0; i < 2; i++)
            thread->ancestors[l][i] =
                (int)json_integer_value(json_array_get(json_array_get(ancestors, l), (size_t)i));
    thread->wait_kind = json_string_value(json_object_get(wait, "kind"));
    thread->wait_id = hex(wait, "id");
    thread->owner_tid = number(wait, "owner_tid", 0);
    thread->owner_ended = json_is_true(json_object_get(wait, "owner_ended"));
    thread->arrived = numbers(json_object_get(wait, "arrived"), &thread->arrived_count);
    json_object_foreach(icvs, name, value)
    {
        if (thread->icv_count < TRUTH_ICVS) {
            thread->icvs[thread->icv_count].name = name;
            thread->icvs[thread->icv_count++].value = json_integer_value(value);
        }
    }
}

bool truth_parse(const char *line, struct truth *truth)
{
    json_t *document = json_loads(line, JSON_DISABLE_EOF_CHECK, NULL), *row, *list;
    size_t i;
    *truth = (struct truth){.document = document};
    if (!document)
        return false;
    list = json_object_get(document, "threads");
    truth->threads = calloc(json_array_size(list) + 1, sizeof *truth->threads);
    if (!truth->threads)
        abort();
    json_array_foreach(list, i, row)
    {
        parse_thread(row, &truth->threads[truth->thread_count++]);
    }
    list = json_object_get(document, "regions");
    truth->regions = calloc(json_array_size(list) + 1, sizeof *truth->regions);
    if (!truth->regions)
        abort();
    json_array_foreach(list, i, row)
    {
        struct truth_region *region = &truth->regions[truth->region_count++];
        region->level = number(row, "level", 0);
        region->team_size = number(row, "team_size", 0);
        region->members = numbers(json_object_get(row, "members"), &region->member_count);
    }
    json_array_foreach(json_object_get(document, "not_openmp"), i, row)
    {
        if (truth->other_count < 64)
            truth->not_openmp[truth->other_count++] = json_integer_value(row);
    }
    list = json_object_get(document, "tasks");
    truth->explicit_total = number(list, "explicit_total", -1);
    truth->running = number(list, "running", -1);
    truth->ready = number(list, "ready", -1);
    truth->blocked = number(list, "blocked", -1);
    truth->suspended = number(list, "suspended", -1);
    truth->completing = number(list, "completing", -1);
    return true;
}

void truth_free(struct truth *truth)
{
    for (int i = 0; i < truth->thread_count; i++)
        free((void *)(uintptr_t)truth->threads[i].arrived);
    for (int i = 0; i < truth->region_count; i++)
        free(truth->regions[i].members);
    free(truth->threads);
    free(truth->regions);
    json_decref(truth->document);
}
