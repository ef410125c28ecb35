/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/render/fields_json.h"

#include "inspect/frames/stacks.h"
#include "inspect/model/crash.h"
#include "inspect/model/phrases.h"
#include "inspect/render/crash_json.h"

static void put_fields(json_t *o, const struct json_of *of, enum mdl_row object, const void *row);

/* ---- values that are made ------------------------------------------------------------------------------ */

static void crash_address(const struct json_value *v)
{
    const struct mdl_crash *c = v->row;

    /* It may be 0, and is known then. */
    put(v->o, v->key, !c->address_known ? NULL : c->address ? hex(c->address) : json_string("0x0"));
}

static void stack_size(const struct json_value *v)
{
    const struct mdl_crash *c = v->row;

    put(v->o, v->key, positive(c->stack_high - c->stack_low));
}

static void verdict_edges(const struct json_value *v)
{
    const struct mdl_verdict *verdict = v->row;

    put(v->o, v->key, int_list(verdict->edges, verdict->edge_count));
}

static void thread_state(const struct json_value *v)
{
    const struct mdl_thread *t = v->row;

    if (t->state == MDL_STATE_OTHER)
        put_text(v->o, v->key, t->other_state);
    else
        put_word(v->o, v->key, &mdl_state_words, (int)t->state);
}

static void owner_ended(const struct json_value *v)
{
    put(v->o, v->key, json_boolean(((const struct mdl_wait *)v->row)->owner == MDL_OWNER_ENDED));
}

static void owner_task(const struct json_value *v)
{
    put(v->o, v->key, NULL);
}

static void owner_candidates(const struct json_value *v)
{
    const struct mdl_wait *w = v->row;
    json_t *list = json_array();

    for (int i = 0; i < w->candidate_count; i++)
        json_array_append_new(list, json_integer(w->candidates[i]));
    put(v->o, v->key, list);
}

static void arrived(const struct json_value *v)
{
    const struct mdl_wait *w = v->row;

    put(v->o, v->key, w->arrivals_known ? int_list(w->arrived, w->arrived_count) : NULL);
}

static void missing(const struct json_value *v)
{
    const struct mdl_wait *w = v->row;

    put(v->o, v->key, w->arrivals_known ? int_list(w->missing, w->missing_count) : NULL);
}

static void missing_lwp(const struct json_value *v)
{
    const struct mdl_wait *w = v->row;
    json_t *list = w->arrivals_known ? json_array() : NULL;

    for (int i = 0; list && i < w->missing_count; i++)
        json_array_append_new(list, positive((uint64_t)w->missing_lwp[i]));
    if (list)
        put(v->o, v->key, list);
}

static void timeout(const struct json_value *v)
{
    const int64_t ns = ((const struct mdl_activity *)v->row)->timeout_ns;

    put(v->o, v->key, ns == MDL_TIMEOUT_SOME ? json_string("some") : natural(ns));
}

static void child(const struct json_value *v)
{
    const int64_t pid = ((const struct mdl_activity *)v->row)->child;

    put(v->o, v->key, pid < 0 ? json_string("any") : positive((uint64_t)pid));
}

static void depends_on(const struct json_value *v)
{
    const struct mdl_task *t = v->row;
    json_t *list = json_array();

    for (int i = 0; i < t->depends_count; i++)
        json_array_append_new(list, json_integer((json_int_t)t->depends_on[i]));
    put(v->o, v->key, list);
}

static void icv_of(const struct json_value *v)
{
    const struct mdl_icv *icv = v->row;
    const char *key = icv->of == MDL_ICV_OF_TASK     ? "task"
                      : icv->of == MDL_ICV_OF_REGION ? "region"
                      : icv->of == MDL_ICV_OF_THREAD ? "lwp"
                                                     : "runtime";
    json_t *o = json_object();

    put(o, key, icv->of == MDL_ICV_OF_PROCESS ? json_integer(icv->runtime) : positive((uint64_t)icv->of_id));
    put(v->o, v->key, o);
}

static void frame_kind(const struct json_value *v)
{
    put_text(v->o, v->key, stack_kind(v->row));
}

static void joined(const struct json_value *v)
{
    struct stack_segment segments[STACK_SEGMENTS];
    const int count = stack_segments(v->of->s, v->row, segments);
    json_t *list = json_array();

    for (int k = 1; k < count; k++) {
        json_t *part = json_object();

        put(part, "lwp", json_integer(segments[k].thread->lwp));
        put(part, "frame", json_integer(segments[k].from));
        json_array_append_new(list, part);
    }
    put(v->o, v->key, list);
}

static void snapshot_version(const struct json_value *v)
{
    put(v->o, v->key, json_integer(1));
}

/* Neither variables nor where threads run are in the file. */
static void snapshot_want(const struct json_value *v)
{
    put(v->o, v->key, json_integer(v->of->s->want & ~(unsigned)(INSP_LOCALS | INSP_PLACEMENT | INSP_MOTION)));
}

static void (*const made[MDL_ROWS])(const struct json_value *v) = {
    [MDL_F_crash_thread_num] = put_crash_thread_num,
    [MDL_F_crash_address] = crash_address,
    [MDL_F_crash_what] = put_crash_what,
    [MDL_F_crash_task] = put_crash_task,
    [MDL_F_crash_loop] = put_crash_loop,
    [MDL_F_crash_stack_size] = stack_size,
    [MDL_F_verdict_edges] = verdict_edges,
    [MDL_F_thread_state] = thread_state,
    [MDL_F_wait_owner_ended] = owner_ended,
    [MDL_F_wait_owner_candidates] = owner_candidates,
    [MDL_F_wait_owner_task] = owner_task,
    [MDL_F_wait_arrived] = arrived,
    [MDL_F_wait_missing] = missing,
    [MDL_F_wait_missing_lwp] = missing_lwp,
    [MDL_F_activity_timeout] = timeout,
    [MDL_F_activity_child] = child,
    [MDL_F_task_depends_on] = depends_on,
    [MDL_F_icv_of] = icv_of,
    [MDL_F_frame_kind] = frame_kind,
    [MDL_F_stack_joined] = joined,
    [MDL_F_snapshot_version] = snapshot_version,
    [MDL_F_snapshot_want] = snapshot_want,
};

/* ---- values that are not always there ------------------------------------------------------------------ */

enum presence {
    LEFT_OUT, /* there is no such key */
    IS_NULL,
    THERE
};

static enum presence null_unless(bool is_there)
{
    return is_there ? THERE : IS_NULL;
}

static enum presence left_out_unless(bool is_there)
{
    return is_there ? THERE : LEFT_OUT;
}

static enum presence remedy(const struct json_value *v)
{
    const struct mdl_problem *p = v->row;

    return null_unless(p->remedy && *p->remedy);
}

static enum presence place_module(const struct json_value *v)
{
    return left_out_unless(((const struct mdl_place *)v->row)->module);
}

static enum presence of_report(const struct json_value *v)
{
    return left_out_unless(v->of->report);
}

static enum presence crash_code(const struct json_value *v)
{
    return null_unless(((const struct mdl_crash *)v->row)->code_known);
}

static enum presence crash_exception(const struct json_value *v)
{
    const struct mdl_crash *c = v->row;

    return null_unless(c->kind == MDL_CRASH_EXCEPTION || c->type);
}

static enum presence crash_stack(const struct json_value *v)
{
    return null_unless(((const struct mdl_crash *)v->row)->stack_high);
}

static enum presence beside_verdict(const struct json_value *v)
{
    return left_out_unless(v->of->verdict);
}

static enum presence of_status(const struct json_value *v)
{
    return left_out_unless(v->of->status);
}

static enum presence layout(const struct json_value *v)
{
    return left_out_unless(v->of->status && ((const struct mdl_runtime *)v->row)->layout_major >= 0);
}

static enum presence waits(const struct json_value *v)
{
    return null_unless(((const struct mdl_thread *)v->row)->wait.kind);
}

static enum presence activity(const struct json_value *v)
{
    return null_unless(mdl_activity_known(&((const struct mdl_thread *)v->row)->activity));
}

static enum presence caller(const struct json_value *v)
{
    return null_unless(mdl_place_known(&((const struct mdl_wait *)v->row)->caller));
}

static enum presence taken_at(const struct json_value *v)
{
    return null_unless(mdl_place_known(&((const struct mdl_wait *)v->row)->taken_at));
}

static enum presence not_taken(const struct json_value *v)
{
    return null_unless(((const struct mdl_task *)v->row)->not_taken.reason);
}

static bool has_iterations(const struct mdl_loop *l)
{
    return l->has_count && !mdl_unknown_reason(l->unknown, l->unknown_count, "has");
}

static enum presence of_loop(const struct json_value *v)
{
    const struct mdl_loop *l = v->row;

    switch (v->field) {
    case MDL_F_loop_chunk:
        return null_unless(l->chunk);
    case MDL_F_loop_next:
        return null_unless(l->left && !(l->flags & MDL_LOOP_SHARES));
    case MDL_F_loop_turn:
        return null_unless(l->flags & MDL_LOOP_ORDERED);
    case MDL_F_loop_waits_for:
        return null_unless(l->waits);
    default:
        return null_unless(has_iterations(l));
    }
}

/* A task, else another process, else a thread. */
static enum presence of_end(const struct json_value *v)
{
    const struct mdl_end *end = v->row;

    return left_out_unless(v->field == MDL_F_end_pid   ? !end->task && end->pid
                           : v->field == MDL_F_end_lwp ? !end->task && !end->pid
                                                       : end->task);
}

static enum presence icv_why(const struct json_value *v)
{
    return left_out_unless(!((const struct mdl_icv *)v->row)->value);
}

static enum presence frame_entry(const struct json_value *v)
{
    return left_out_unless(((const struct mdl_frame *)v->row)->entry);
}

static enum presence frame_signal(const struct json_value *v)
{
    return left_out_unless(((const struct mdl_frame *)v->row)->signal);
}

static enum presence with_locals(const struct json_value *v)
{
    return left_out_unless(v->of->locals);
}

static enum presence (*const presence[MDL_ROWS])(const struct json_value *v) = {
    [MDL_F_place_module] = place_module,
    [MDL_F_problem_remedy] = remedy,
    [MDL_F_process_crash] = of_report,
    [MDL_F_crash_code] = crash_code,
    [MDL_F_crash_exception] = crash_exception,
    [MDL_F_crash_stack] = crash_stack,
    [MDL_F_runtime_queue_limit] = beside_verdict,
    [MDL_F_runtime_cancellation] = beside_verdict,
    [MDL_F_runtime_abilities] = of_status,
    [MDL_F_runtime_missing] = of_status,
    [MDL_F_runtime_found_how] = of_status,
    [MDL_F_runtime_row] = of_status,
    [MDL_F_runtime_build_id] = of_status,
    [MDL_F_runtime_ids_of_stop] = of_status,
    [MDL_F_runtime_layout_major] = layout,
    [MDL_F_runtime_layout_minor] = layout,
    [MDL_F_thread_wait] = waits,
    [MDL_F_thread_activity] = activity,
    [MDL_F_wait_caller] = caller,
    [MDL_F_wait_taken_at] = taken_at,
    [MDL_F_task_not_taken] = not_taken,
    [MDL_F_loop_chunk] = of_loop,
    [MDL_F_loop_next] = of_loop,
    [MDL_F_loop_has] = of_loop,
    [MDL_F_loop_at] = of_loop,
    [MDL_F_loop_turn] = of_loop,
    [MDL_F_loop_waits_for] = of_loop,
    [MDL_F_end_task] = of_end,
    [MDL_F_end_runtime] = of_end,
    [MDL_F_end_pid] = of_end,
    [MDL_F_end_lwp] = of_end,
    [MDL_F_icv_why] = icv_why,
    [MDL_F_frame_signal] = frame_signal,
    [MDL_F_frame_entry] = frame_entry,
    [MDL_F_frame_locals] = with_locals,
    [MDL_F_frame_locals_left] = with_locals,
};

/* ---- all others ---------------------------------------------------------------------------------------- */

/* Is the fact that FIELD says in the list `unknown` of its object at ROW, whose rows begin with FIRST? */
static bool is_unknown(const struct mdl_field *first, const struct mdl_field *field, const void *row)
{
    const struct mdl_field *f = first;

    if (!field->fact || field->how == MDL_WORD)
        return false;
    while (f->how != MDL_UNKNOWN)
        f++;
    return mdl_unknown_reason(*(struct mdl_unknown **)mdl_field_at(f, row), *mdl_field_count(f, row),
                              field->fact);
}

json_t *list_json(const struct json_of *of, const struct mdl_field *field, const void *row)
{
    const char *rows = *(char **)mdl_field_at(field, row);
    json_t *list = json_array();

    for (int i = 0; i < *mdl_field_count(field, row); i++)
        json_array_append_new(list, object_json(of, field->of, rows + (size_t)i * field->size));
    return list;
}

static json_t *number_json(const struct mdl_field *f, const void *row)
{
    const int64_t n = mdl_field_number(f, row);

    switch (f->how) {
    case MDL_POSITIVE:
        return n > 0 ? json_integer(n) : NULL;
    case MDL_NATURAL:
        return natural(n);
    case MDL_BIT:
        return json_boolean(n & f->mask);
    case MDL_ADDRESS:
        return hex((uint64_t)n);
    case MDL_YES:
        return json_boolean(n);
    case MDL_MAYBE:
        return n < 0 ? NULL : json_boolean(n);
    default:
        return json_integer(n);
    }
}

static void put_field(const struct json_value *v, const struct mdl_field *f)
{
    const void *at = mdl_field_at(f, v->row);

    switch (f->how) {
    case MDL_TEXT:
        put_text(v->o, f->key, *(const char **)at);
        break;
    case MDL_WORD:
        put_word(v->o, f->key, f->words, (int)mdl_field_number(f, v->row));
        break;
    case MDL_UNKNOWN:
        put_unknown(v->o, *(struct mdl_unknown **)at, *mdl_field_count(f, v->row));
        break;
    case MDL_INLINE:
        put_fields(v->o, v->of, f->of, at);
        break;
    case MDL_POINTER:
        at = *(void **)at;
        put(v->o, f->key, at ? object_json(v->of, f->of, at) : NULL);
        break;
    case MDL_SUB:
        put(v->o, f->key, object_json(v->of, f->of, at));
        break;
    case MDL_LIST:
        put(v->o, f->key, list_json(v->of, f, v->row));
        break;
    case MDL_APART:
        break;
    default:
        put(v->o, f->key, number_json(f, v->row));
    }
}

static void put_fields(json_t *o, const struct json_of *of, enum mdl_row object, const void *row)
{
    const struct mdl_field *first = mdl_fields_of(object);

    for (const struct mdl_field *f = first; f->key; f++) {
        const int i = (int)(f - mdl_fields);
        const struct json_value v = {of, o, f->key, i, row};
        const enum presence found = presence[i] ? presence[i](&v) : THERE;

        if (found == IS_NULL || (found == THERE && is_unknown(first, f, row)))
            put(o, f->key, NULL);
        else if (found == THERE && made[i])
            made[i](&v);
        else if (found == THERE)
            put_field(&v, f);
    }
}

json_t *object_json(const struct json_of *of, enum mdl_row object, const void *row)
{
    json_t *o = json_object();

    put_fields(o, of, object, row);
    return o;
}
