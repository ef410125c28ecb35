/* SPDX-License-Identifier: Apache-2.0 */
#include "corefiles/fuzz/survey.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "corefiles/corefiles.h"
#include "inspect/inspect.h"

static void must(int holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "report: %s\n", what);
    abort();
}

static void render(const insp_snapshot *snapshot)
{
    static const int formats[] = {INSP_TEXT, INSP_JSON, INSP_DOT, INSP_HTML};

    for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
        struct insp_render_options options = {
            .size = sizeof(options), .view = INSP_VIEW_REPORT, .format = formats[i], .locals = 1};
        char *error = NULL, *text = insp_render(snapshot, &options, &error);

        must(text || error, "neither a page nor a reason");
        insp_string_free(text);
        insp_string_free(error);
    }
}

int survey_core(const uint8_t *data, size_t size, const char *with)
{
    struct cf_options options = {.size = sizeof(options), .sysroot = "/proc/self/fdinfo"};
    int fd = memfd_create("core", MFD_CLOEXEC), opened;
    insp_snapshot *snapshot = NULL;
    insp_session *session = NULL;
    static void *library;
    struct cf_target *target;
    struct insp_host host;
    char path[64], *error = NULL;

    /* Loading it anew for each core would take most of the time. */
    if (!library)
        library = dlopen(with, RTLD_NOW | RTLD_LOCAL);
    must(library != NULL, "the library cannot be loaded");
    must(fd >= 0 && write(fd, data, size) == (ssize_t)size, "no file in memory");
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    opened = !cf_open_core(path, &options, &target, &error);
    close(fd);
    if (opened) {
        cf_host(target, &host);
        session = insp_open(&host, with, &error);
        snapshot = session ? cf_take(target, session, INSP_ALL | INSP_STACKS | INSP_LOCALS, &error) : NULL;
        if (snapshot)
            render(snapshot);
    }
    must(snapshot || (error && *error), "neither a snapshot nor a reason");
    free(error);
    insp_free(snapshot);
    if (session)
        insp_close(session);
    if (opened)
        cf_close(target);
    return opened;
}
