/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/frames/code.h"

#include <stdlib.h>
#include <string.h>

#include "inspect/frames/function.h"
#include "inspect/frames/libc_names.h"
#include "inspect/model/model.h"
#include "inspect/ompd/callbacks.h"
#include "inspect/target/discover.h"
#include "inspect/target/dynamic.h"
#include "inspect/target/hostcall.h"
#include "inspect/target/library.h"
#include "inspect/target/mapped.h"
#include "inspect/ompd/ompdlib.h"
#include "inspect/ompd/open.h"

/* Where the headers could not be read, the host may know the file. */
static struct insp_known_module *module_named(insp_session *s, const char *path)
{
    for (int i = 0; path && i < s->module_count; i++) {
        struct insp_known_module *m = &s->modules[i];

        if (m->seen == s->scan && !strcmp(m->path, path) && m->start == m->end)
            return m;
    }
    return NULL;
}

/* ---- whose a module is ---------------------------------------------------------------- */

static bool needs_openmp(insp_session *s, const struct dynamic *d)
{
    char name[DYNAMIC_NAME];

    for (int i = 0; i < d->count; i++)
        if (d->entry[i].d_tag == DT_NEEDED && dynamic_name(s, d, i, name) &&
            library_code(name) == INSP_CODE_OPENMP)
            return true;
    return false;
}

/* A library that links libgomp.a exports its functions too, but without the nodes of a version script. The
   first node is the file's own, which gold writes always. */
static bool is_runtime(insp_session *s, const struct dynamic *d)
{
    uint64_t nodes;

    return dynamic_value(d, DT_VERDEFNUM, &nodes) && nodes > 1 &&
           (dynamic_exports(s, d, "GOMP_parallel") || dynamic_exports(s, d, "__kmpc_fork_call"));
}

static enum insp_code by_soname(insp_session *s, const struct dynamic *d)
{
    char name[DYNAMIC_NAME];

    for (int i = 0; i < d->count; i++)
        if (d->entry[i].d_tag == DT_SONAME)
            return dynamic_name(s, d, i, name) ? library_code(name) : INSP_CODE_UNKNOWN;
    return INSP_CODE_UNKNOWN;
}

static bool is_program(const struct insp_known_module *m, const struct dynamic *d)
{
    uint64_t flags;

    return m->fixed || (dynamic_value(d, DT_FLAGS_1, &flags) && flags & DF_1_PIE);
}

static void judge(insp_session *s, struct insp_known_module *m)
{
    struct dynamic d = {0};
    bool dynamic;

    m->judged = m->readable;
    m->code = library_code(mdl_base_name(m->path));
    /* A program may be called libc.so.6, but none of the system's is. The libraries that name a dynamic
       linker are few. */
    if (m->code != INSP_CODE_UNKNOWN && !m->fixed && (!m->interpreted || library_of_system(m->path)))
        return;
    dynamic = dynamic_read(s, m, &d);
    if (m->code != INSP_CODE_UNKNOWN && !is_program(m, &d))
        return;
    m->code = INSP_CODE_USER;
    if (is_program(m, &d)) {
        m->is_static = !m->interpreted;
        return;
    }
    if (!dynamic) {
        if (library_of_system(m->path) && library_named(mdl_base_name(m->path)))
            m->code = INSP_CODE_SYSTEM;
        return;
    }
    m->code = by_soname(s, &d);
    if (m->code != INSP_CODE_UNKNOWN)
        return;
    if (is_runtime(s, &d))
        m->code = INSP_CODE_OPENMP;
    else if (dynamic_exports(s, &d, "MPI_Init"))
        m->code = INSP_CODE_MPI;
    else
        m->code = library_of_system(m->path) && !needs_openmp(s, &d) ? INSP_CODE_SYSTEM : INSP_CODE_USER;
}

/* ---- a runtime in a module ---------------------------------------------------------------- */

/* Asks the OMPD library which code of a module with the note is the runtime's: once a scan, for a runtime
   that has not started has no table yet. */
static void ask_range(insp_session *s, struct insp_known_module *m)
{
    ompdx_runtime_info_t info = {.size = sizeof(info)};
    ompd_address_space_context_t *context;
    char *why = NULL;

    if (m->code_start != m->code_end || m->code_asked == s->scan)
        return;
    m->code_asked = s->scan;
    if (!s->lib || !s->lib->ompdx_get_runtime_info || discover_started(s, m) != DISCOVER_STARTED)
        return;
    if (insp_session_context(s, m, &context, &why)) {
        free(why);
        return;
    }
    if (s->lib->ompdx_get_runtime_info(context->aspace, &info) != ompd_rc_ok)
        return;
    if (info.code_start < info.code_end && info.code_start >= m->start && info.code_end <= m->end) {
        m->code_start = info.code_start;
        m->code_end = info.code_end;
    }
}

/* Whether ADDR is the runtime's code: 1, 0, negative when that is not known. */
static int in_runtime(insp_session *s, struct insp_known_module *m, uint64_t addr)
{
    if (!m->runtime)
        return 0;
    if (m->code == INSP_CODE_OPENMP)
        return 1; /* Companion's own file, also where it has not started yet */
    ask_range(s, m);
    if (m->code_start == m->code_end)
        return -1;
    return addr >= m->code_start && addr < m->code_end;
}

/* ---- an address ---------------------------------------------------------------- */

/* Program and libraries are in one file; only line tables and symbols tell one from the other. */
static enum insp_code in_static_program(insp_session *s, uint64_t addr, const struct insp_place *place)
{
    struct insp_place own;

    if (!place) {
        if (host_place(s, addr, &own))
            return INSP_CODE_UNKNOWN;
        place = &own;
    }
    if (place->file && *place->file && place->line > 0)
        return INSP_CODE_USER;
    return place->symbol && libc_has(place->symbol) ? INSP_CODE_LIBC : INSP_CODE_UNKNOWN;
}

enum insp_code code_at(insp_session *s, uint64_t addr, const struct insp_place *place)
{
    struct insp_known_module *m = mapped_at(s, addr);
    int inside;

    if (!m && place)
        m = module_named(s, place->module);
    if (!m)
        return INSP_CODE_UNKNOWN;
    if (!m->judged)
        judge(s, m);
    inside = in_runtime(s, m, addr);
    if (inside)
        return inside > 0 ? INSP_CODE_OPENMP : INSP_CODE_UNKNOWN;
    return m->is_static ? in_static_program(s, addr, place) : m->code;
}

const char *code_file(insp_session *s, uint64_t addr, uint64_t *base)
{
    const struct insp_known_module *m = mapped_at(s, addr);

    if (!m || !*m->path)
        return NULL;
    if (base)
        *base = m->base;
    return m->path;
}

/* clang writes /bin/../lib/gcc/... */
bool code_is_system_header(const char *file)
{
    return file && strstr(file, "/include/") && strncmp(file, "/usr/local/", 11) &&
           (!strncmp(file, "/usr/include/", 13) || !strncmp(file, "/usr/lib", 8) ||
            strstr(file, "/lib/gcc/"));
}

/* Whose the function is, by its name and the file of its line. */
static enum insp_code by_name(const struct insp_frame *frame)
{
    const struct insp_place *place = &frame->place;
    bool header = code_is_system_header(place->file);

    if (function_is_std(place->symbol)) /* unless the user has written it, a specialisation */
        return header || !place->file ? INSP_CODE_CXX : INSP_CODE_USER;
    /* What C++'s headers have is in their namespaces. */
    return header && frame->inlined && !strstr(place->file, "/c++/") ? INSP_CODE_SYSTEM : INSP_CODE_USER;
}

enum insp_code code_of_frame(insp_session *s, uint64_t addr, const struct insp_frame *frame)
{
    const struct insp_place *place = &frame->place;
    enum insp_code code = code_at(s, addr, place), its;

    if (!code_is_users(code) || !place->symbol)
        return code;
    /* In every program, and outside of main; clang puts the other into programs where something is thrown. */
    if (!place->file && !strcmp(place->symbol, "_start"))
        return INSP_CODE_LIBC;
    if (!place->file && !strcmp(place->symbol, "__clang_call_terminate"))
        return INSP_CODE_CXX;
    if (!frame->declared)
        its = by_name(frame);
    else if (!code_is_system_header(frame->declared))
        its = INSP_CODE_USER;
    else
        its = strstr(frame->declared, "/c++/") ? INSP_CODE_CXX : INSP_CODE_SYSTEM;
    return its == INSP_CODE_USER ? code : its;
}

enum insp_code insp_code_at(insp_session *s, uint64_t addr, int changed)
{
    insp_session *before;
    enum insp_code code;

    if (!s)
        return INSP_CODE_UNKNOWN;
    s->host_failed = false;
    before = callbacks_activate(s);
    if ((!s->scan || changed) && discover_scan(s))
        code = INSP_CODE_UNKNOWN;
    else
        code = code_at(s, addr, NULL);
    callbacks_restore(before);
    return code;
}

bool code_is_users(enum insp_code code)
{
    return code == INSP_CODE_USER || code == INSP_CODE_UNKNOWN;
}
