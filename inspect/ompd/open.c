/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "inspect/ompd/open.h"

#include <stdlib.h>
#include <string.h>

#include "inspect/base/printable.h"
#include "inspect/ompd/callbacks.h"
#include "inspect/target/discover.h"
#include "inspect/target/hostcall.h"
#include "inspect/ompd/layout_file.h"
#include "inspect/ompd/ompdlib.h"
#include "inspect/ompd/trace.h"

static insp_session *refuse(insp_session *s, char **error, const char *sentence)
{
    if (error)
        *error = insp_sentence("%s", sentence);
    insp_close(s);
    return NULL;
}

/* That IS is the session with this host. */
static void tell_host(const insp_session *s, insp_session *is)
{
    if (s->host.opened)
        s->host.opened(s->host.ctx, is);
}

insp_session *insp_open(const struct insp_host *host, const char *libompd, char **error)
{
    insp_session *s, *before;

    if (error)
        *error = NULL;
    /* A host of an earlier day lacks the members at the end: they stay NULL. */
    if (!host || host->version != INSP_HOST_VERSION || host->size < offsetof(struct insp_host, frame))
        return refuse(NULL, error,
                      "The host interface does not have the version that libompdinspect expects.");
    if (!host->module || !host->read || !host->thread)
        return refuse(NULL, error, "The host lacks one of the required functions module, read and thread.");
    s = calloc(1, sizeof(*s));
    if (!s)
        return refuse(NULL, error, "Out of memory.");
    memcpy(&s->host, host, host->size < sizeof(s->host) ? host->size : sizeof(s->host));
    if (!libompd || !*libompd) {
        s->lib_why = insp_sentence("no OMPD library was named");
        tell_host(s, s);
        return s;
    }
    s->ompd_path = strdup(libompd);
    if (!s->ompd_path)
        return refuse(s, error, "Out of memory.");
    /* That a library cannot be loaded is said with the snapshot: a program without OpenMP needs none. */
    before = callbacks_activate(s);
    s->lib = ompdlib_open(libompd, &s->lib_why);
    callbacks_restore(before);
    tell_host(s, s);
    return s;
}

static void close_context(ompd_address_space_context_t *context)
{
    insp_session *s = context->session;

    if (context->rule_count)
        free(context->rules); /* by our callback alloc_memory */
    if (context->aspace)
        s->lib->ompd_rel_address_space_handle(context->aspace);
    for (int i = 0; i < context->icv_count; i++)
        free(context->icvs[i].name);
    free(context->icvs);
    free(context->module.path);
    free(context);
}

void insp_close(insp_session *s)
{
    insp_session *before;

    if (!s)
        return;
    tell_host(s, NULL);
    if (s->objects)
        s->objects_free(s->objects);
    before = callbacks_activate(s);
    for (int i = 0; i < s->context_count; i++)
        close_context(s->contexts[i]);
    free(s->contexts);
    ompdlib_close(s->lib);
    callbacks_restore(before == s ? NULL : before);
    for (int i = 0; i < s->module_count; i++)
        free(s->modules[i].path);
    free(s->modules);
    hash_free(&s->module_index);
    free(s->by_base);
    free(s->threads);
    layout_forget(s);
    free(s->lib_why);
    free(s->ompd_path);
    free(s->host_failure);
    free(s);
}

/* The library's own sentence for a clause of ours: "libompd: no layout is known.\n" without its first word
   and its end; malloc'ed. */
static char *take_reason(insp_session *s)
{
    static const char ours[] = "libompd: ";
    char *text = s->said, *why;
    size_t n;

    s->said = NULL;
    if (!text)
        return NULL;
    why = strncmp(text, ours, sizeof(ours) - 1) ? text : text + sizeof(ours) - 1;
    n = strcspn(why, "\n");
    n -= n && why[n - 1] == '.';
    why = strndup(why, n);
    free(text);
    return why;
}

/* How the callers of the runtime's code are found, where its file is missing. */
static void load_rules(ompd_address_space_context_t *context)
{
    const struct ompdlib *lib = context->session->lib;

    if (!context->stock || !lib->ompdx_get_frame_rules ||
        lib->ompdx_get_frame_rules(context->aspace, &context->rules, &context->rule_count) != ompd_rc_ok)
        context->rule_count = 0;
}

/* Of a runtime without our note it is the library that knows it, or says why not. */
static ompd_rc_t open_context(ompd_address_space_context_t *context, char **why)
{
    insp_session *s = context->session;
    ompd_rc_t rc;

    s->opening = !context->module.runtime;
    context->stock = discover_stock(&context->module) && ompdlib_is_ours(s->lib);
    rc = s->lib->ompd_process_initialize(context, &context->aspace);
    s->opening = false;
    if (rc == ompd_rc_ok)
        load_rules(context);
    if (rc == ompd_rc_ok && s->said)
        host_print(s, s->said);
    else
        *why = take_reason(s);
    free(s->said);
    s->said = NULL;
    return rc;
}

static bool same_module(const struct insp_known_module *a, const struct insp_known_module *b)
{
    return a->base == b->base && a->table == b->table && !strcmp(a->path, b->path);
}

int insp_session_context(insp_session *s, const struct insp_known_module *module,
                         ompd_address_space_context_t **ret, char **why)
{
    ompd_address_space_context_t *context, **grown;
    ompd_rc_t rc;

    *why = NULL;
    for (int i = 0; i < s->context_count; i++)
        if (same_module(&s->contexts[i]->module, module)) {
            *ret = s->contexts[i];
            return 0;
        }
    grown = array_grow(s->contexts, (size_t)s->context_count, sizeof(*grown));
    if (!grown)
        return -1;
    s->contexts = grown;
    context = calloc(1, sizeof(*context));
    if (!context)
        return -1;
    context->session = s;
    context->module = *module;
    context->module.path = strdup(module->path);
    if (!context->module.path) {
        free(context);
        return -1;
    }
    rc = open_context(context, why);
    if (rc != ompd_rc_ok) {
        context->aspace = NULL;
        if (rc == ompd_rc_incompatible && !module->runtime)
            layout_unknown(s, module->base);
        /* A vendor's library says error for a runtime of others, and for its own one without symbols. */
        if (!ompdlib_is_ours(s->lib) && rc == ompd_rc_error) {
            free(*why);
            *why = insp_sentence("the OMPD library (%s) cannot open it: it is not that library's runtime, "
                                 "or has lost its "
                                 "symbols",
                                 s->lib->version ? s->lib->version : s->lib->path);
        } else if (!*why) {
            *why = insp_sentence("%s", ompdlib_rc(rc));
        }
        close_context(context);
        return rc == ompd_rc_unavailable && !module->runtime ? 1 : -1;
    }
    s->contexts[s->context_count++] = context;
    *ret = context;
    return 0;
}

void insp_session_drop(insp_session *s, uint64_t base)
{
    for (int i = 0; i < s->context_count; i++)
        if (s->contexts[i]->module.base == base) {
            close_context(s->contexts[i]);
            s->contexts[i] = s->contexts[--s->context_count];
            return;
        }
}

void insp_session_prune(insp_session *s)
{
    for (int i = s->context_count - 1; i >= 0; i--) {
        bool there = false;

        for (int m = 0; m < s->module_count; m++)
            there |= s->modules[m].seen == s->scan && same_module(&s->modules[m], &s->contexts[i]->module);
        if (!there)
            insp_session_drop(s, s->contexts[i]->module.base);
    }
}

void insp_get_stats(const insp_session *s, struct insp_stats *stats)
{
    if (s && stats)
        *stats = s->stats;
}

static void begin_stats(insp_session *s)
{
    s->stats = (struct insp_stats){0};
    if (s->host.reads)
        (void)!s->host.reads(s->host.ctx, &s->reads_before, &s->bytes_before);
}

void insp_reset_stats(insp_session *s)
{
    if (s)
        begin_stats(s);
}

int insp_runtime_ranges(insp_session *s, uint64_t (*ranges)[2], int n)
{
    int found = 0;

    if (!s)
        return 0;
    s->host_failed = false;
    /* It is asked often: it tells what is known, and only a session that knows no runtime looks for one. */
    for (int pass = 0; pass < 2 && !found; pass++) {
        if (pass && discover_scan(s) < 0)
            return 0;
        for (int i = 0; i < s->module_count; i++) {
            const struct insp_known_module *m = &s->modules[i];

            if (!m->runtime || m->seen != s->scan)
                continue;
            if (ranges && found < n) {
                ranges[found][0] = m->start;
                ranges[found][1] = m->end;
            }
            found++;
        }
    }
    return found;
}

int insp_runtimes(insp_session *s)
{
    int found = 0;

    if (!s)
        return 0;
    s->host_failed = false;
    for (int pass = 0; pass < 2 && !found; pass++) {
        if (pass && discover_scan(s) < 0)
            return 0;
        for (int i = 0; i < s->module_count; i++)
            found +=
                s->modules[i].seen == s->scan && (s->modules[i].runtime || discover_stock(&s->modules[i]));
    }
    return found;
}

void insp_string_free(char *string)
{
    free(string);
}

int insp_trace(const char *path, char **error)
{
    int rc;

    ompdlib_trace(false);
    rc = trace_open(path, error);
    if (trace_is_open())
        ompdlib_trace(true);
    return rc;
}
