/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From what the user names to a snapshot.
 */
#include "settle.h"

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A snapshot of a million tasks has some 500 MB. */
enum { SNAPSHOT_LIMIT = 1 << 30 };

/* Says the sentence of a failed call and frees it. */
static int failed(char *error)
{
    int rc = cmd_failed(error);

    free(error);
    return rc;
}

char *cmd_read_file(const char *path, size_t *size)
{
    char *text = NULL, *grown;
    size_t room = 0, got = 1;
    FILE *in;

    *size = 0;
    errno = 0;
    in = strcmp(path, "-") ? fopen(path, "re") : stdin;
    while (in && got && *size < SNAPSHOT_LIMIT) {
        if (room - *size < 65536) {
            room = room ? 2 * room : 1 << 17;
            grown = realloc(text, room);
            if (!grown) {
                free(text);
                if (in != stdin)
                    fclose(in);
                (void)cmd_out_of_memory();
                return NULL;
            }
            text = grown;
        }
        got = fread(text + *size, 1, room - *size, in);
        *size += got;
    }
    if (!in || ferror(in) || got) {
        cmd_say("%s cannot be read: %s.", path,
                got && in && !ferror(in) ? "it is too large" : strerror(errno));
        free(text);
        text = NULL;
    }
    if (in && in != stdin)
        fclose(in);
    return text;
}

static int load(const char *path, insp_snapshot **ret)
{
    char *error = NULL, *text;
    insp_snapshot *snapshot;
    size_t size;

    text = cmd_read_file(path, &size);
    if (!text)
        return CMD_NOTHING;
    snapshot = insp_load(text, size, &error);
    free(text);
    if (!snapshot) {
        if (!error || !strcmp(error, "Out of memory."))
            return failed(error);
        cmd_say("%s is no snapshot of `ompd record`: %s", path, error);
        insp_string_free(error);
        return CMD_NOTHING;
    }
    *ret = snapshot;
    return CMD_ALL;
}

static void library_speaks(void *arg, const char *text)
{
    const struct cmd_args *args = arg;

    if (args->verbose)
        fputs(text, stderr);
}

/* The library that the user names, else that of this installation, and no other: docs/using-ompd.md. */
int cmd_find_library(const struct cmd_args *args, char **ret)
{
    struct stat st;
    char *path = args->library ? strdup(args->library) : cmd_installed("libompd.so.1");

    if (!path)
        return cmd_out_of_memory();
    if (access(path, R_OK)) {
        cmd_say("The OMPD library %s cannot be read: %s.%s", path, strerror(errno),
                args->library ? "" : " Install it there, or name it with --ompd-library FILE.");
        free(path);
        return CMD_NOTHING;
    }
    /* The loader would wait forever at a FIFO. */
    if (!stat(path, &st) && !S_ISREG(st.st_mode)) {
        cmd_say("The OMPD library %s is not a regular file.", path);
        free(path);
        return CMD_NOTHING;
    }
    *ret = path;
    return CMD_ALL;
}

/* A directory that is not there would find nothing, silently. */
static bool is_folder(const char *option, const char *path)
{
    struct stat st;

    if (stat(path, &st))
        cmd_say("%s %s: %s.", option, path, strerror(errno));
    else if (!S_ISDIR(st.st_mode))
        cmd_say("%s %s: it is no directory.", option, path);
    else
        return true;
    return false;
}

int cmd_check_named(const struct cmd_args *args)
{
    char *list = args->debug_dirs ? strdup(args->debug_dirs) : NULL, *rest = list;
    bool good = true;

    if (args->debug_dirs && !list)
        return cmd_out_of_memory();
    if (args->executable && access(args->executable, R_OK)) {
        cmd_say("--executable %s: %s.", args->executable, strerror(errno));
        good = false;
    }
    if (args->sysroot)
        good &= is_folder("--sysroot", args->sysroot);
    for (char *dir; (dir = strsep(&rest, ":"));)
        good &= is_folder("--debug-dir", dir);
    free(list);
    return good ? CMD_ALL : CMD_NOTHING;
}

int cmd_open_target(const struct cmd_args *args, struct cf_target **ret, char **error)
{
    struct cf_options options = {
        .size = sizeof(options),
        .no_stop = args->no_stop,
        .executable = args->executable,
        .sysroot = args->sysroot,
        .debug_dirs = args->debug_dirs,
        .elements = (uint32_t)args->elements,
        .expression = args->sub->bit == CMD_PRINT ? args->argument : NULL,
        .progress = cmd_progress,
        .print = library_speaks,
        .arg = (void *)args,
        .no_memory = cmd_no_memory,
        .file_room = cmd_room_of_one(args),
        .files = args->shared,
    };

    return args->core ? cf_open_core(args->core, &options, ret, error)
                      : cf_open_process(args->pid, &options, ret, error);
}

/* The report joins the two sentences to "what: why."; malloc'ed. */
static char *part(const char *sentence, bool lower)
{
    size_t n = strlen(sentence);
    char *text = strndup(sentence, n && sentence[n - 1] == '.' ? n - 1 : n);

    if (text && lower && n > 1 && islower((unsigned char)text[1]))
        text[0] = (char)tolower((unsigned char)text[0]);
    return text;
}

/* What the host has found wrong belongs to the answer. */
void cmd_add_problems(const struct cf_target *t, insp_snapshot *snapshot)
{
    struct cf_problem problem;

    for (uint32_t i = 0; cf_problem(t, i, &problem) == 0; i++) {
        char *what = part(problem.what, false), *why = part(problem.why, true);

        if (what && why)
            insp_add_problem(snapshot, what, why, problem.remedy);
        free(what);
        free(why);
    }
}

static void tell_details(const struct cf_target *t)
{
    struct cf_module module;
    struct cf_info info;

    cf_info(t, &info);
    for (uint32_t i = 0; cf_module(t, i, &module) == 0; i++)
        if (!module.file)
            cmd_say("%s: %s", module.path, module.looked_for ? "no file" : "its file is not needed");
        else
            cmd_say("%s: %s, build-id %s", module.path,
                    strcmp(module.path, module.file) ? module.file : "that file",
                    module.build_id ? module.build_id : "unknown");
    if (info.stopped_ns)
        cmd_say("The process stood still for %.1f ms.", (double)info.stopped_ns / 1e6);
}

/* *again: layouts have been made, with which another snapshot may tell more. A process goes on meanwhile. */
static int take(const struct cmd_args *args, unsigned want, struct cf_target *t, const char *library,
                insp_snapshot **ret, bool *again)
{
    struct insp_host host;
    insp_session *session;
    insp_snapshot *snapshot = NULL;
    char *error = NULL;

    if (!args->core)
        want |= INSP_MOTION;
    cf_host(t, &host);
    session = insp_open(&host, library, &error);
    if (session)
        cmd_rows_give(session);
    if (session && (!args->layout || !insp_layout_file(session, args->layout, &error)))
        snapshot = cf_take(t, session, want, &error);
    cf_resume(t);
    *again = snapshot && !args->layout && cmd_rows_make(args, t, session);
    if (snapshot && !*again) {
        snapshot = cmd_settle(args, want, t, session, snapshot);
        cmd_rows_tell(session, snapshot);
    }
    if (session)
        insp_close(session);
    cmd_progress_end();
    if (!snapshot)
        return failed(error);
    if (*again) {
        insp_free(snapshot);
        return CMD_ALL;
    }
    cmd_add_problems(t, snapshot);
    if (args->verbose)
        tell_details(t);
    *ret = snapshot;
    return CMD_ALL;
}

/* From a process or a core. */
static int take_target(const struct cmd_args *args, unsigned want, insp_snapshot **ret)
{
    struct cf_target *t = NULL;
    char *library = NULL, *error = NULL;
    void *loaded;
    int rc;

    rc = cmd_check_named(args);
    if (!rc)
        rc = cmd_find_library(args, &library);
    if (rc)
        return rc;
    if (args->trace && insp_trace(args->trace, &error))
        rc = failed(error);
    /* The process shall not stand still for that. Why it cannot be loaded is said later. */
    loaded = rc ? NULL : dlopen(library, RTLD_NOW | RTLD_LOCAL);
    for (bool again = true; !rc && again;) {
        t = NULL;
        if (cmd_open_target(args, &t, &error))
            rc = failed(error);
        /* Its threads stand still now; the signal takes effect when they are let go. */
        if (!rc && args->hold)
            kill((pid_t)args->pid, SIGSTOP);
        if (!rc)
            rc = take(args, want, t, library, ret, &again);
        if (!rc && again && args->hold)
            kill((pid_t)args->pid, SIGCONT);
        cf_close(t);
    }
    if (loaded)
        dlclose(loaded);
    free(library);
    return rc;
}

int cmd_take(const struct cmd_args *args, unsigned want, insp_snapshot **ret)
{
    int rc;

    cmd_limit_processor(args, CMD_CPU_DEFAULT);
    rc = args->snapshot ? load(args->snapshot, ret) : take_target(args, want, ret);

    if (!rc && args->stable)
        insp_stable(*ret);
    return rc;
}
