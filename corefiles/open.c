/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A target from its opening to its end.
 */
#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A copy whose strings are its own. */
static bool copy_options(struct cf_target *t, const struct cf_options *options)
{
    const char **const strings[] = {&t->options.executable, &t->options.sysroot, &t->options.debug_dirs};

    if (options)
        memcpy(&t->options, options, options->size < sizeof(t->options) ? options->size : sizeof(t->options));
    for (size_t i = 0; i < sizeof(strings) / sizeof(*strings); i++)
        if (*strings[i] && !(*strings[i] = cf_keep(t, strdup(*strings[i]))))
            return false;
    return true;
}

static struct cf_target *new_target(const struct cf_options *options, char **error)
{
    struct cf_target *t = calloc(1, sizeof(*t));

    *error = NULL;
    elf_version(EV_CURRENT);
    if (t) {
        t->core_fd = t->home.fd = t->host.fd = t->own.fd = -1;
        if (copy_options(t, options))
            return t;
        cf_close(t);
    }
    *error = cf_format("Out of memory.");
    return NULL;
}

static int open_core(struct cf_target *t, const char *path, char **error)
{
    bool systemd = !strncmp(path, "coredumpctl:", 12), cut = false;
    int fd = systemd ? cf_coredumpctl(path + 12, error) : cf_open_own(path), plain;

    if (fd < 0) {
        if (!*error)
            *error = errno == EINVAL ? cf_format("%s is not a regular file.", path)
                                     : cf_format("%s cannot be opened: %s.", path, strerror(errno));
        return -1;
    }
    t->info.core = cf_keep(t, strdup(path));
    plain = cf_decompress(t, fd, &cut, error);
    if (plain != fd)
        close(fd);
    if (plain < 0)
        return -1;
    t->core_fd = plain;
    if (cut)
        t->info.truncated = 1;
    return cf_core_load(t, error);
}

/* What both kinds do once memory and threads are there. */
static int finish(struct cf_target *t, char **error)
{
    if (!cf_threads_sort(t) || cf_folders_load(t) || cf_modules_load(t)) {
        *error = cf_format("Out of memory.");
        return -1;
    }
    cf_thread_handles(t);
    if (!t->info.exe && t->options.executable)
        t->info.exe = t->options.executable;
    return 0;
}

int cf_open_core(const char *path, const struct cf_options *options, struct cf_target **ret, char **error)
{
    struct cf_target *t = new_target(options, error);

    if (!t)
        return -1;
    if (open_core(t, path, error) || finish(t, error)) {
        cf_close(t);
        return -1;
    }
    *ret = t;
    return 0;
}

int cf_open_process(int64_t pid, const struct cf_options *options, struct cf_target **ret, char **error)
{
    struct cf_target *t = new_target(options, error);
    char link[64], path[4096];
    ssize_t length;

    if (!t)
        return -1;
    t->live_pid = t->info.pid = pid;
    t->info.moving = t->options.no_stop;
    if (pid == getpid()) {
        *error = cf_format("Process %lld is this one: it cannot stop itself.", (long long)pid);
        cf_close(t);
        return -1;
    }
    if (cf_live_stop(t, error) || finish(t, error)) {
        cf_close(t);
        return -1;
    }
    snprintf(link, sizeof(link), "/proc/%lld/exe", (long long)t->live_task);
    length = readlink(link, path, sizeof(path) - 1);
    t->info.command = cf_keep(t, cf_proc_command(t->live_task));
    if (!t->info.exe && length > 0) {
        path[length] = '\0';
        t->info.exe = cf_keep(t, strdup(path));
    }
    *ret = t;
    return 0;
}

void cf_close(struct cf_target *t)
{
    if (!t)
        return;
    cf_live_detach(t);
    if (t->dwfl)
        dwfl_end(t->dwfl);
    cf_folders_free(t);
    if (t->machine_elf)
        elf_end(t->machine_elf);
    cf_frames_free(t->frames);
    cf_reach_forget(t);
    for (size_t i = 0; i < sizeof(t->scopes) / sizeof(*t->scopes); i++)
        free(t->scopes[i].dies);
    for (uint32_t i = 0; i < t->module_count; i++) {
        cf_types_free(t->modules[i].types);
        cf_units_free(t->modules[i].units);
        cf_debuginfo_free(&t->modules[i]);
        free(t->modules[i].id_text);
        free(t->modules[i].file);
        free(t->modules[i].parts);
        if (t->modules[i].fd >= 0)
            close(t->modules[i].fd);
    }
    for (uint32_t i = 0; i < t->map_count; i++)
        free(t->maps[i].path);
    for (uint32_t i = 0; i < t->kept_count; i++)
        free(t->kept[i]);
    for (size_t i = 0; i < sizeof(t->text) / sizeof(*t->text); i++)
        free(t->text[i]);
    free(t->modules);
    free(t->maps);
    free(t->threads);
    free(t->by_lwp);
    free(t->by_sp);
    free(t->seen);
    cf_pages_free(t->pages);
    free(t->segments);
    free(t->problems);
    free(t->kept);
    if (t->core_fd >= 0)
        close(t->core_fd);
    free(t);
}

void cf_info(const struct cf_target *t, struct cf_info *ret)
{
    *ret = t->info;
}
