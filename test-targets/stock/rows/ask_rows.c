/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * One core asked by way of many layouts (ompd/rows): each line of the input is one, each answer is a line
 * with its length and then the report in JSON, or the sentence of the refusal.
 *
 *   ask_rows LIBOMPD CORE
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "corefiles/corefiles.h"
#include "inspect/inspect.h"

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "ask_rows: %s: %s\n", what, why ? why : "out of memory");
    exit(2);
}

/* The path of a file in memory with the SIZE bytes of TEXT. */
static void put_file(int fd, const char *text, size_t size)
{
    if (ftruncate(fd, 0) || pwrite(fd, text, size, 0) != (ssize_t)size)
        fail("a file in memory", "it cannot be written");
}

static char *ask(struct cf_target *target, const char *library, const char *row)
{
    const struct insp_render_options options = {
        .size = sizeof(options), .view = INSP_VIEW_REPORT, .format = INSP_JSON};
    insp_snapshot *snapshot = NULL;
    char *error = NULL, *text = NULL;
    struct insp_host host;
    insp_session *session;

    cf_host(target, &host);
    session = insp_open(&host, library, &error);
    if (!session)
        fail(library, error);
    if (insp_layout_file(session, row, &error)) {
        text = error;
    } else {
        snapshot = cf_take(target, session, INSP_ALL | INSP_STACKS | INSP_LOOPS, &error);
        text = snapshot ? insp_render(snapshot, &options, &error) : NULL;
        if (!text)
            fail("no report", error);
    }
    insp_free(snapshot);
    insp_close(session);
    return text;
}

int main(int argc, char **argv)
{
    struct cf_options options = {.size = sizeof(options)};
    int fd = memfd_create("row", MFD_CLOEXEC);
    struct cf_target *target;
    char *error, *line = NULL, path[64];
    size_t room = 0;
    ssize_t length;

    if (argc != 3 || fd < 0)
        fail("usage", "ask_rows LIBOMPD CORE");
    if (cf_open_core(argv[2], &options, &target, &error))
        fail(argv[2], error);
    if (!dlopen(argv[1], RTLD_NOW | RTLD_LOCAL)) /* loading it anew for each row would take long */
        fail(argv[1], dlerror());
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    while ((length = getline(&line, &room, stdin)) > 0) {
        char *text;

        put_file(fd, line, (size_t)length);
        text = ask(target, argv[1], path);
        printf("%zu\n%s", strlen(text), text);
        fflush(stdout);
        insp_string_free(text);
    }
    free(line);
    cf_close(target);
    return 0;
}
