/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/render/status.h"

#include <inttypes.h>
#include <string.h>

#include "inspect/render/text_view.h"

/* "known by its build-id 3856f095 (gomp-12.2.0)"; NULL: the runtime publishes what is needed. */
static const char *known_how(const struct text_view *v, const struct mdl_runtime *r)
{
    enum { SHOWN = 8 }; /* of a build-id: enough to tell two builds apart */
    static const struct {
        const char *word, *text;
    } ways[] = {{"row by build-id", "its build-id"},
                {"row by fingerprint", "the fingerprint of its code"},
                {"layout file", "a layout file"}};
    const char *way = r->found_how, *id = r->build_id ? r->build_id : "";
    bool by_id = false;

    if (!way || (!r->row && !*id))
        return NULL;
    if (!strcmp(way, "decoded from its code"))
        return arena_printf(v->arena, "layout read from the code of %s%s%.*s",
                            r->library ? r->library : "its file", *id ? "; build-id " : "", SHOWN, id);
    for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++)
        if (!strcmp(way, ways[i].word)) {
            way = ways[i].text;
            by_id = i == 0;
        }
    return arena_printf(v->arena, "known by %s%s%.*s%s%s%s%s%.*s", way, by_id ? " " : "", SHOWN,
                        by_id ? id : "", r->row ? " (row " : "", r->row ? r->row : "", r->row ? ")" : "",
                        !by_id && *id ? "; build-id " : "", SHOWN, by_id ? "" : id);
}

/* What is not known of its structures, and what that costs. */
static void missing_facts(const struct text_view *v, const struct mdl_runtime *r)
{
    const bool decoded = mdl_same(r->found_how, "decoded from its code");
    const char *file = r->library && *r->library ? mdl_base_name(r->library) : r->kind;

    for (int i = 0; i < r->missing_count; i++) {
        const struct mdl_missing *m = &r->missing[i];

        text_paragraph(v, 4,
                       arena_printf(v->arena,
                                    decoded ? "  %s: %s was not found in its code: %s"
                                            : "  %s: %s is not in its layout: %s",
                                    file ? file : "runtime", m->fact ? m->fact : "?",
                                    m->cost ? m->cost : "?"));
    }
}

static void one_runtime(const struct text_view *v, const struct mdl_runtime *r)
{
    const char *how = known_how(v, r);

    text_paragraph(v, 2,
                   arena_printf(v->arena, "Runtime %d: %s, %s", r->id, r->kind ? r->kind : "unknown",
                                r->version ? r->version : "version unknown"));
    text_paragraph(v, 4,
                   arena_printf(v->arena, "  Library: %s, at 0x%" PRIx64,
                                r->library && *r->library ? r->library : "(name unknown)", r->base));
    if (how)
        text_paragraph(v, 4, arena_printf(v->arena, "  Structures: %s", how));
    if (r->openmp_version)
        sbuf_printf(v->out, "  OpenMP version: %" PRId64 "\n", r->openmp_version);
    if (r->layout_major >= 0)
        sbuf_printf(v->out, "  Layout format: %d.%d\n", r->layout_major, r->layout_minor);
    for (int i = 0; i < r->ability_count; i++) {
        const struct mdl_ability *a = &r->abilities[i];

        text_paragraph(v, 4,
                       a->available ? arena_printf(v->arena, "  Available: %s", a->what)
                                    : arena_printf(v->arena, "  Not available: %s (%s)", a->what, a->why));
    }
    missing_facts(v, r);
}

void text_status(const struct text_view *v)
{
    const insp_snapshot *s = v->snap;

    if (s->ompd_why)
        text_paragraph(v, 2, arena_printf(v->arena, "OMPD library: %s", s->ompd_why));
    else
        text_paragraph(v, 2,
                       arena_printf(v->arena, "OMPD library: %s (%s, API %" PRId64 ")",
                                    s->ompd_library ? s->ompd_library : "?",
                                    s->ompd_version ? s->ompd_version : "version unknown", s->ompd_api));
    for (int i = 0; i < s->runtime_count; i++)
        one_runtime(v, &s->runtimes[i]);
    (void)text_no_runtime(v);
    if (v->options->stats)
        text_paragraph(v, 2,
                       arena_printf(v->arena,
                                    "Asked of the process: %" PRIu64 " symbol lookups, %" PRIu64
                                    " memory reads (%" PRIu64 " bytes), %" PRIu64 " thread contexts",
                                    s->stats.lookups, s->stats.reads, s->stats.bytes,
                                    s->stats.thread_contexts));
}
