/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON, schema 1. A key that a row lacks is null when there is no such thing, and listed in `unknown` when it
 * cannot be known. Failed allocations: jansson's functions pass NULL on, and json_dumps of NULL is NULL.
 */
#include "inspect/render/json.h"

#include "inspect/base/printable.h"
#include "inspect/render/fields_json.h"
#include "inspect/render/icv_filter.h"
#include "inspect/render/placement_json.h"
#include "inspect/render/tasks_json.h"

static json_t *list_of(const struct json_of *of, enum mdl_row field)
{
    return list_json(of, &mdl_fields[field], of->s);
}

static json_t *threads_json(const struct json_of *of, bool placement)
{
    json_t *list = json_array();

    for (int i = 0; i < of->s->thread_count; i++) {
        json_t *o = object_json(of, MDL_O_thread, &of->s->threads[i]);

        if (placement)
            put_placement(o, of, &of->s->threads[i]);
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *icvs_json(const struct json_of *of, const struct insp_render_options *o)
{
    json_t *list = json_array();

    for (int i = 0; i < of->s->icv_count; i++)
        if (o->view != INSP_VIEW_ICVS || icv_wanted(o, &of->s->icvs[i]))
            json_array_append_new(list, object_json(of, MDL_O_icv, &of->s->icvs[i]));
    return list;
}

static json_t *stacks_json(const struct json_of *of)
{
    json_t *list = json_array();

    for (int i = 0; i < of->s->thread_count; i++)
        if (of->s->threads[i].frame_count)
            json_array_append_new(list, object_json(of, MDL_O_stack, &of->s->threads[i]));
    return list;
}

static void put_lists(json_t *root, const struct json_of *of, const struct insp_render_options *o)
{
    const insp_snapshot *s = of->s;
    bool all = o->view == INSP_VIEW_REPORT, placement = o->verbose && s->want & INSP_PLACEMENT;

    if (all || o->view == INSP_VIEW_THREADS) {
        put(root, "threads", threads_json(of, placement));
        if (placement)
            put(root, "findings", findings_json(s));
    }
    if (all || o->view == INSP_VIEW_PARALLEL)
        put(root, "regions", list_of(of, MDL_F_document_regions));
    if (all || o->view == INSP_VIEW_TASKS)
        put_tasks(root, of, o);
    if (all || o->view == INSP_VIEW_WAITS)
        put(root, "edges", list_of(of, MDL_F_document_edges));
    if (all || o->view == INSP_VIEW_ICVS)
        put(root, "icvs", icvs_json(of, o));
    if (all || o->view == INSP_VIEW_STACKS)
        put(root, "stacks", stacks_json(of));
}

static json_t *document(const insp_snapshot *s, const struct insp_render_options *o, bool record)
{
    const bool status = o->view == INSP_VIEW_STATUS, report = o->view == INSP_VIEW_REPORT;
    const struct json_of of = {
        .s = s,
        .report = report,
        .verdict = report || o->view == INSP_VIEW_WAITS,
        .status = status || record,
        .locals = o->locals && s->want & INSP_LOCALS,
    };
    json_t *root = json_object();

    put(root, "schema", json_integer(1));
    put(root, "moving", json_boolean(s->moving));
    put(root, "complete", json_boolean(s->complete));
    put(root, "problems", list_of(&of, MDL_F_document_problems));
    if (report || status)
        put(root, "process", object_json(&of, MDL_O_process, &s->process));
    if (of.verdict)
        put(root, "verdict", object_json(&of, MDL_O_verdict, &s->verdict));
    if (of.status)
        put(root, "ompd", object_json(&of, MDL_O_ompd, s));
    if (record || (status && o->stats))
        put(root, "stats", object_json(&of, MDL_O_stats, &s->stats));
    put(root, "runtimes", list_of(&of, MDL_F_document_runtimes));
    put_lists(root, &of, o);
    /* No part of a report, which does not ask for them. */
    if ((record || o->view == INSP_VIEW_LOOPS) && s->want & INSP_LOOPS)
        put(root, "loops", list_of(&of, MDL_F_document_loops));
    if (record)
        put(root, "snapshot", object_json(&of, MDL_O_snapshot, s));
    return root;
}

json_t *json_document(const insp_snapshot *s, const struct insp_render_options *o)
{
    return document(s, o, false);
}

char *render_json(const insp_snapshot *s, const struct insp_render_options *o)
{
    return dump_document(document(s, o, false));
}

char *insp_record(const insp_snapshot *s, char **error)
{
    struct insp_render_options o = {.size = sizeof(o), .view = INSP_VIEW_REPORT, .format = INSP_JSON};
    char *text = s ? dump_document(document(s, &o, true)) : NULL;

    if (error)
        *error = text ? NULL : insp_sentence(s ? "Out of memory." : "There is no snapshot.");
    return text;
}
