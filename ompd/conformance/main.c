/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * conformance TARGETS.JSON LIBOMPD [--may-lack] [--truth-only] [--walk PROGRAM] [NAME...]
 *
 * Every target, or those that are named, in each version of the API. --may-lack: the library may lack
 * functions of newer versions (LLVM's does). --truth-only: for an old library. --walk: see check_walk.c.
 */
#define _GNU_SOURCE
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conf.h"

/** Environment of all targets: values that are nobody's default, so that ICVs tell something. */
static const char *const environment[] = {"OMP_SCHEDULE",          "guided,7", "OMP_THREAD_LIMIT",   "999",
                                          "OMP_MAX_TASK_PRIORITY", "3",        "TRUTH_HOLD_SECONDS", "300"};
enum { ENVIRONMENT = sizeof environment / sizeof *environment };

static const ompd_word_t versions[] = {VERSION_50, VERSION_51, VERSION_52, VERSION_60};

static void check_target(const char *folder, const json_t *target)
{
    const char *name = json_string_value(json_object_get(target, "name"));
    json_t *args = json_object_get(target, "args"), *env = json_object_get(target, "env"), *value;
    const bool dies = strncmp(json_string_value(json_object_get(target, "stop")), "SIG", 3) == 0;
    char path[4096], *argv[16] = {path};
    const char *variables[64], *key;
    size_t i, used = ENVIRONMENT;
    struct child child;
    struct truth truth;

    snprintf(path, sizeof path, "%s/%s", folder, json_string_value(json_object_get(target, "exe")));
    json_array_foreach(args, i, value)
    {
        if (i < 14)
            argv[i + 1] = (char *)(uintptr_t)json_string_value(value);
    }
    memcpy(variables, environment, sizeof environment);
    json_object_foreach(env, key, value)
    {
        if (used < 60) {
            variables[used++] = key;
            variables[used++] = json_string_value(value);
        }
    }
    variables[used] = NULL;
    set_title(name, 0);
    version = 0;
    if (!check(child_start(&child, argv, variables, "TRUTH ", dies), "the program did not come to rest")) {
        child_forget(&child);
        return;
    }
    if (check(truth_parse(strstr(child.text, "TRUTH ") + 6, &truth), "its truth cannot be read")) {
        symbols_forget();
        for (size_t v = 0; v < sizeof versions / sizeof *versions; v++) {
            struct scene scene = {.child = &child, .truth = &truth};
            const bool last = v + 1 == sizeof versions / sizeof *versions;
            set_title(name, versions[v]);
            check_initialize(versions[v]);
            /* One version with the trace to its end, one with a part of it. */
            if (versions[v] == VERSION_51 || versions[v] == VERSION_52)
                check_trace_on();
            if (check_process(&scene)) {
                check_states(&scene);
                check_icvs(&scene);
                check_threads(&scene);
                check_regions(&scene);
                check_tasks(&scene);
                check_display(&scene);
                if (versions[v] == VERSION_51)
                    check_trace_off();
                if (!truth_only)
                    check_arguments(&scene);
                if (last && !truth_only)
                    check_ended(&scene);
                else
                    check_rc(CALL(ompd_rel_address_space_handle, scene.space), ompd_rc_ok, "release");
            }
            check_finalize();
            check_behaviour();
        }
    }
    truth_free(&truth);
    child_forget(&child);
}

static bool is_named(const json_t *target, char **names)
{
    if (!*names)
        return true;
    for (; *names; names++)
        if (strcmp(json_string_value(json_object_get(target, "name")), *names) == 0)
            return true;
    return false;
}

/** Every function was called, and answered when there was something to answer. */
static void check_coverage(void)
{
    int called = 0;
    for (int i = 0; i < FUNCTIONS; i++) {
        if (!functions[i].standard || !functions[i].calls)
            continue;
        called++;
        /* There is no device here, and the runtime may have no tool. */
        if (strcmp(functions[i].name, "ompd_device_initialize") != 0 &&
            strcmp(functions[i].name, "ompd_get_tool_data") != 0)
            check(functions[i].codes & 1u << ompd_rc_ok, "%s was never ok", functions[i].name);
    }
    printf("%d of 37 functions called, %lu calls of the library\n", called, tally.calls);
}

int main(int argc, char **argv)
{
    const char *walks[4];
    int walk_count = 0;
    bool may_lack = false;
    int arg = 3, done = 0;
    for (; arg < argc && strncmp(argv[arg], "--", 2) == 0; arg++) {
        if (strcmp(argv[arg], "--may-lack") == 0) {
            may_lack = true;
        } else if (strcmp(argv[arg], "--truth-only") == 0) {
            truth_only = true;
        } else if (strcmp(argv[arg], "--walk") == 0 && arg + 1 < argc && walk_count < 4) {
            walks[walk_count++] = argv[++arg];
        } else {
            arg = 0;
            break;
        }
    }
    if (argc < 3 || arg == 0) {
        fprintf(stderr, "usage: conformance TARGETS.JSON LIBOMPD [--may-lack] [--truth-only] [--walk "
                        "PROGRAM] [NAME...]\n");
        return 64;
    }
    json_t *root = json_load_file(argv[1], 0, NULL), *target;
    char *folder = strdup(argv[1]), *slash = folder ? strrchr(folder, '/') : NULL;
    size_t i;
    if (!root || !slash || !load_library(argv[2])) {
        fprintf(stderr, "conformance: %s or %s cannot be used\n", argv[1], argv[2]);
        free(folder);
        return 2;
    }
    *slash = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    check_exports(may_lack);
    json_array_foreach(json_object_get(root, "targets"), i, target)
    {
        if (is_named(target, argv + arg)) {
            check_target(folder, target);
            done++;
        }
    }
    for (int w = 0; w < walk_count; w++)
        check_walk(walks[w]);
    set_title("library", 0);
    version = 0;
    if (!truth_only)
        check_coverage();
    printf("%d targets and %d walks: %lu assertions, %lu failed; %u ICV values compared with omp_get_*\n",
           done, walk_count, tally.assertions, tally.failures, tally.icvs);
    json_decref(root);
    free(folder);
    return tally.failures || (!done && !walk_count) ? 1 : 0;
}
