/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where an answer goes: standard output, a file, or one whose name says which process it is of.
 */
#include "cmd.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool put(FILE *out, const char *text)
{
    size_t n = strlen(text);

    return fwrite(text, 1, n, out) == n && (!n || text[n - 1] == '\n' || fputc('\n', out) != EOF) &&
           !fflush(out);
}

static bool is_file(const char *output)
{
    return output && strcmp(output, "-");
}

/* Writes TEXT to PATH, which OUT is open on; NULL: it could not be opened. */
static int finish(FILE *out, const char *path, const char *text)
{
    bool good = out && put(out, text);
    int error = errno;

    if (out && out != stdout && fclose(out) && good) {
        error = errno;
        good = false;
    }
    if (good)
        return CMD_ALL;
    cmd_say("%s cannot be written: %s.", out == stdout ? "Standard output" : path, strerror(error));
    return CMD_NOTHING;
}

int cmd_write(const struct cmd_args *args, const char *text)
{
    FILE *out = is_file(args->output) ? fopen(args->output, "we") : stdout;

    return finish(out, args->output, text);
}

/* ---- names that say which process it is ------------------------------------------------------------- */

/* VALUE as a part of a file's name. It comes from the process, and shall lead to no other directory, look
   like an option, or mean something to a shell or a terminal. */
static void add_value(FILE *out, const char *value)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";

    for (const char *c = value; *c; c++)
        fputc(strchr(plain, *c) && (c != value || (*c != '.' && *c != '-')) ? *c : '_', out);
}

/* False: LETTER is none that stands for something, or what it stands for is not known, which is said. */
static bool add_letter(FILE *out, char letter, const char *pattern, const struct insp_process *p)
{
    const char *absent = NULL, *remedy = "";

    switch (letter) {
    case '%':
        fputc('%', out);
        break;
    case 'r':
        absent = p->rank < 0 ? "rank in MPI" : NULL;
        remedy = " --rank N gives it one.";
        fprintf(out, "%" PRId64, p->rank);
        break;
    case 'p':
        absent = p->pid <= 0 ? "process id" : NULL;
        fprintf(out, "%" PRId64, p->pid);
        break;
    case 'h':
        absent = p->host ? NULL : "host";
        add_value(out, p->host ? p->host : "");
        break;
    case 'j':
        absent = p->job ? NULL : "job";
        add_value(out, p->job ? p->job : "");
        break;
    default:
        cmd_say(
            "%s: %%%c stands for nothing; %%r is the rank, %%h the host, %%p the process id, %%j the job, "
            "%%%% a %%.",
            pattern, letter ? letter : ' ');
        return false;
    }
    if (absent)
        cmd_say("%s: the %s of this process is not known, for which %%%c stands.%s", pattern, absent, letter,
                remedy);
    return !absent;
}

/* malloc'ed; NULL having said why. */
static char *expand(const char *pattern, const struct insp_process *process)
{
    bool good = true;
    char *name = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&name, &size);

    if (!out) {
        (void)cmd_out_of_memory();
        return NULL;
    }
    for (const char *c = pattern; *c && good; c++)
        if (*c != '%')
            fputc(*c, out);
        else
            good = add_letter(out, *++c, pattern, process);
    if (fclose(out)) {
        (void)cmd_out_of_memory();
        good = false;
    }
    if (good)
        return name;
    free(name);
    return NULL;
}

/* ---- files that are not lost -------------------------------------------------------------------------- */

/* The file that this command has made itself: `ompd run` writes it anew for each report. */
static char *own;

/* A device or a pipe holds nothing that could be lost. */
static bool may_be_written(const struct cmd_args *args, const char *path)
{
    struct stat st;

    return args->force || (own && !strcmp(own, path)) || stat(path, &st) || !S_ISREG(st.st_mode);
}

static int say_exists(const char *path)
{
    cmd_say("%s exists already; --force overwrites it.", path);
    return CMD_NOTHING;
}

int cmd_check_output(const struct cmd_args *args)
{
    struct stat st;

    /* Whose it is will be known later. */
    if (!is_file(args->output) || strchr(args->output, '%') || may_be_written(args, args->output) ||
        stat(args->output, &st))
        return CMD_ALL;
    return say_exists(args->output);
}

/* Two processes may do so at the same time: only one of them makes the file. A link that leads to no file
   is not followed: it would be somebody else's choice where that is made. */
static int write_file(const struct cmd_args *args, const char *path, const char *text)
{
    const int flags = O_WRONLY | O_CLOEXEC;
    int fd = open(path, flags | O_CREAT | O_EXCL, 0666);

    if (fd < 0 && errno == EEXIST) {
        if (!may_be_written(args, path))
            return say_exists(path);
        fd = open(path, flags | O_TRUNC);
    } else if (fd >= 0) {
        free(own);
        own = strdup(path);
    }
    return finish(fd < 0 ? NULL : fdopen(fd, "w"), path, text);
}

int cmd_write_process(const struct cmd_args *args, const insp_snapshot *snapshot, const char *text)
{
    struct insp_process process;
    char *path;
    int rc;

    if (!is_file(args->output))
        return cmd_write(args, text);
    insp_process(snapshot, &process);
    path = expand(args->output, &process);
    rc = path ? write_file(args, path, text) : CMD_NOTHING;
    free(path);
    return rc;
}
