/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A target from its opening to its end.
 */
#include <elf.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "corefiles/debugfile.h"
#include "corefiles/decompress.h"
#include "corefiles/elfcore.h"
#include "corefiles/file.h"
#include "corefiles/folders.h"
#include "corefiles/frames.h"
#include "corefiles/kernel.h"
#include "corefiles/live.h"
#include "corefiles/locals.h"
#include "corefiles/memory.h"
#include "corefiles/modulefile.h"
#include "corefiles/modules.h"
#include "corefiles/pages.h"
#include "corefiles/procfs.h"
#include "corefiles/regions.h"
#include "corefiles/stack.h"
#include "corefiles/symbols.h"
#include "corefiles/systemd.h"
#include "corefiles/target.h"
#include "corefiles/strings.h"
#include "corefiles/vdso.h"
#include "corefiles/threads.h"
#include "corefiles/tls.h"
#include "corefiles/types.h"
#include "corefiles/units.h"
#include "corefiles/unwind.h"
#include "corefiles/variables.h"

/* A copy whose strings are its own. */
static bool copy_options(struct cf_target *t, const struct cf_options *options)
{
    const char **const strings[] = {&t->options.executable, &t->options.sysroot, &t->options.debug_dirs,
                                    &t->options.expression};

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
        t->core_fd = -1;
        if (cf_texts_new(t) && copy_options(t, options))
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
    /* It can only be copied while the process stands still. */
    for (uint32_t i = 0; i < t->module_count; i++)
        if (cf_is_vdso(t->modules[i].path))
            cf_module_file(t, &t->modules[i]);
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
    t->started = cf_proc_start(pid);
    (void)cf_proc_boot(); /* not while the process stands still */
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
    cf_unwinder_free(t->unwinder);
    cf_frames_free(t->frames);
    cf_stacks_free(t);
    cf_types_free(t->types);
    cf_unit_variables_free(t->unit_variables);
    cf_locals_free(t->locals);
    cf_regions_free(t->regions);
    cf_inlined_free(t->inlined);
    cf_symbols_free(t->symbols);
    cf_thread_db_free(t->thread_db);
    for (uint32_t i = 0; i < t->module_count; i++) {
        cf_statics_free(t->modules[i].statics);
        cf_units_free(t->modules[i].units);
        cf_debugfile_free(t->modules[i].debug);
        cf_module_file_free(&t->modules[i]);
        free(t->modules[i].id_text);
    }
    cf_maps_free(t->maps, t->map_count);
    cf_maps_free(t->first_maps, t->first_map_count);
    cf_folders_free(t->folders);
    cf_threads_free(t->thread_index);
    cf_pages_free(t->pages);
    cf_kernel_free(t->kernel);
    cf_texts_free(t->texts);
    cf_file_problems_free(t->file_problems);
    free(t->notes);
    free(t->modules);
    free(t->threads);
    free(t->segments);
    if (t->core_fd >= 0)
        close(t->core_fd);
    free(t);
}

void cf_info(const struct cf_target *t, struct cf_info *ret)
{
    *ret = t->info;
}
