/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The process, its device, versions, the display of control variables. OpenMP 6.0 sections 41.2, 41.3, 41.10.
 */
#include <stdlib.h>
#include <string.h>

#include "conf.h"

#define CONTEXT_MARK 0x5ce7e5u

static void check_kinds(const struct scene *scene)
{
    ompd_thread_id_t *kinds = NULL;
    ompd_size_t *sizes = NULL;
    int count = 0;
    if (!HAS(ompd_get_device_thread_id_kinds) ||
        !check_rc(CALL(ompd_get_device_thread_id_kinds, scene->space, &kinds, &sizes, &count), ompd_rc_ok,
                  "ompd_get_device_thread_id_kinds"))
        return;
    bool pthread = false, lwp = false;
    for (int i = 0; i < count; i++) {
        pthread |= kinds[i] == OMPD_THREAD_ID_PTHREAD && sizes[i] == sizeof(uint64_t);
        lwp |= kinds[i] == OMPD_THREAD_ID_LWP && sizes[i] == sizeof(pid_t);
        for (int j = 0; j < i; j++)
            check(kinds[i] != kinds[j], "kind %lu is listed twice", (unsigned long)kinds[i]);
    }
    check(pthread && lwp, "the kinds pthread and LWP are not both listed");
    give_back(kinds);
    give_back(sizes);
}

static void check_versions(const struct scene *scene)
{
    ompd_word_t openmp = 0;
    const char *text = NULL;
    if (HAS(ompd_get_omp_version) &&
        check_rc(CALL(ompd_get_omp_version, scene->space, &openmp), ompd_rc_ok, "ompd_get_omp_version"))
        check(openmp >= 201511 && openmp <= 203012, "the runtime's version is %ld", (long)openmp);
    if (HAS(ompd_get_omp_version_string) && check_rc(CALL(ompd_get_omp_version_string, scene->space, &text),
                                                     ompd_rc_ok, "ompd_get_omp_version_string")) {
        check(*text != 0, "the runtime's version is no text");
        give_back(text);
    }
}

static void check_device(const struct scene *scene)
{
    ompd_address_space_handle_t *device = NULL;
    uint64_t id = 0;
    if (!HAS(ompd_device_initialize))
        return;
    const ompd_rc_t rc =
        CALL(ompd_device_initialize, scene->space, (ompd_address_space_context_t *)&scene->context,
             OMPD_DEVICE_KIND_CUDA, sizeof id, &id, &device);
    check_rc(rc, ompd_rc_unsupported, "ompd_device_initialize for a device that is not there");
    check(device == NULL, "ompd_device_initialize changed its output");
}

bool check_process(struct scene *scene)
{
    ompd_address_space_handle_t *second = NULL;
    scene->context.mark = CONTEXT_MARK;
    scene->context.child = scene->child;
    scene->space = NULL;
    check_rc(CALL(ompd_process_initialize, NULL, &scene->space), ompd_rc_bad_input,
             "ompd_process_initialize without a context");
    check(scene->space == NULL, "ompd_process_initialize changed its output");
    check_rc(CALL(ompd_process_initialize, &scene->context, NULL), ompd_rc_bad_input,
             "ompd_process_initialize without an output");
    if (!check_rc(CALL(ompd_process_initialize, &scene->context, &scene->space), ompd_rc_ok,
                  "ompd_process_initialize"))
        return false;
    /* Two handles of one process live side by side. */
    if (check_rc(CALL(ompd_process_initialize, &scene->context, &second), ompd_rc_ok,
                 "a second ompd_process_initialize")) {
        check(second != scene->space, "the second handle is the first one");
        check_rc(CALL(ompd_rel_address_space_handle, second), ompd_rc_ok, "ompd_rel_address_space_handle");
    }
    check_versions(scene);
    check_kinds(scene);
    check_device(scene);
    return true;
}

void check_display(const struct scene *scene)
{
    const char *const *vars = NULL;
    if (!HAS(ompd_get_display_control_vars) ||
        !check_rc(CALL(ompd_get_display_control_vars, scene->space, &vars), ompd_rc_ok,
                  "ompd_get_display_control_vars"))
        return;
    int count = 0;
    bool schedule = false;
    for (; vars[count]; count++) {
        check(strchr(vars[count], '=') && strstr(vars[count], "MP_"), "\"%s\" is no NAME=VALUE", vars[count]);
        /* The tester set it: see main.c. */
        schedule |= strncmp(vars[count], "OMP_SCHEDULE=", 13) == 0 && strstr(vars[count], "guided") &&
                    strstr(vars[count], "7");
    }
    check(count > 0, "no control variable is displayed");
    check(schedule, "OMP_SCHEDULE=guided,7 is not displayed");
    check_rc(CALL(ompd_rel_display_control_vars, &vars), ompd_rc_ok, "ompd_rel_display_control_vars");
}
