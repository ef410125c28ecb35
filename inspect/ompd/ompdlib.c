/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "inspect/ompd/ompdlib.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/base/printable.h"
#include "inspect/ompd/callbacks.h"
#include "inspect/ompd/trace.h"

static struct ompdlib *loaded;
static bool traced;

static void trace_one(struct ompdlib *lib)
{
    bool done = lib->ompdx_trace && lib->ompdx_trace(traced) == ompd_rc_ok;

    if (traced)
        trace_begin_library(lib->path, done);
}

void ompdlib_trace(bool on)
{
    traced = on;
    for (struct ompdlib *lib = loaded; lib; lib = lib->next)
        trace_one(lib);
}

static char *initialize(struct ompdlib *lib)
{
    /* The library's own newest version first; what it cannot give it refuses with ompd_rc_unsupported. */
    const ompd_word_t versions[] = {0, 202411, 202111, 202011, 201811};
    ompd_word_t own = 0;
    ompd_rc_t rc = ompd_rc_unsupported;

    /* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): a library without a routine was refused. */
    if (lib->ompd_get_version_string(&lib->version) != ompd_rc_ok)
        lib->version = NULL;
    if (lib->ompd_get_api_version(&own) != ompd_rc_ok)
        own = 0;
    for (size_t i = 0; i < sizeof(versions) / sizeof(*versions) && rc == ompd_rc_unsupported; i++) {
        lib->api = i ? versions[i] : own;
        /* A version newer than 6.0 may have another table of callbacks. */
        if (lib->api > 0 && lib->api <= 202411)
            rc = lib->ompd_initialize(lib->api, callbacks_table());
    }
    return rc == ompd_rc_ok ? NULL : insp_sentence("%s cannot start: %s", lib->path, ompdlib_rc(rc));
}

static char *find_functions(struct ompdlib *lib)
{
#define FIND_REQUIRED(name)                                \
    lib->name = (__typeof__(name) *)dlsym(lib->dl, #name); \
    if (!lib->name)                                        \
        return insp_sentence("%s is not an OMPD library: it has no %s", lib->path, #name);
#define FIND_OPTIONAL(name) lib->name = (__typeof__(name) *)dlsym(lib->dl, #name);
    OMPDLIB_REQUIRED(FIND_REQUIRED)
    OMPDLIB_OPTIONAL(FIND_OPTIONAL)
#undef FIND_REQUIRED
#undef FIND_OPTIONAL
    /* A bracket that cannot be closed is worse than none. */
    if (!lib->ompdx_stop_end)
        lib->ompdx_stop_begin = NULL;
    return NULL;
}

static void destroy(struct ompdlib *lib)
{
    if (lib->dl)
        dlclose(lib->dl);
    free(lib->path);
    free(lib);
}

struct ompdlib *ompdlib_open(const char *path, char **why)
{
    struct ompdlib *lib = calloc(1, sizeof(*lib));

    *why = NULL;
    if (!lib || !(lib->path = strdup(path))) {
        free(lib);
        return NULL;
    }
    lib->dl = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!lib->dl) {
        const char *reason = dlerror();

        *why = insp_sentence("the OMPD library cannot be loaded: %s", reason ? reason : path);
        destroy(lib);
        return NULL;
    }
    for (struct ompdlib *other = loaded; other; other = other->next)
        if (other->dl == lib->dl) {
            destroy(lib);
            other->users++;
            return other;
        }
    *why = find_functions(lib);
    if (!*why)
        *why = initialize(lib);
    if (*why) {
        destroy(lib);
        return NULL;
    }
    lib->users = 1;
    lib->next = loaded;
    loaded = lib;
    if (traced)
        trace_one(lib);
    return lib;
}

void ompdlib_close(struct ompdlib *lib)
{
    if (!lib || --lib->users)
        return;
    for (struct ompdlib **link = &loaded; *link; link = &(*link)->next)
        if (*link == lib) {
            *link = lib->next;
            break;
        }
    lib->ompd_finalize();
    destroy(lib);
}

bool ompdlib_is_ours(const struct ompdlib *lib)
{
    return lib->ompdx_get_runtime_info;
}

const char *ompdlib_rc(ompd_rc_t rc)
{
    switch (rc) {
    case ompd_rc_ok:
        return "done";
    case ompd_rc_unavailable:
        return "the OMPD library says that this does not exist here";
    case ompd_rc_stale_handle:
        return "it has ended in the meantime";
    case ompd_rc_bad_input:
        return "the OMPD library does not accept the request";
    case ompd_rc_unsupported:
        return "the OMPD library does not support this";
    case ompd_rc_needs_state_tracking:
        return "the program runs without OMP_DEBUG=enabled, so the runtime did not record it";
    case ompd_rc_incompatible:
        return "the OMPD library does not fit this version of the runtime";
    case ompd_rc_device_read_error:
        return "the program's memory could not be read";
    case ompd_rc_nomem:
        return "out of memory";
    case ompd_rc_incomplete:
        return "only a part of the answer was given";
    case ompd_rc_callback_error:
        return "memory or symbols of the program could not be read";
    case ompd_rc_incompatible_handle:
        return "the OMPD library does not accept the handle";
    default:
        return "the runtime's memory is inconsistent or cannot be read";
    }
}
