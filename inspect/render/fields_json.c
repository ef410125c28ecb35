/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/render/fields_json.h"

#include "inspect/frames/stacks.h"
#include "inspect/model/crash.h"
#include "inspect/model/phrases.h"
#include "inspect/render/crash_json.h"

static void put_fields(json_t *o, const struct json_of *of, enum mdl_row object, const void *row);

/* ---- values that are made ------------------------------------------------------------------------------ */

/* Puts VALUE, which is made of the structure at `row`. */
#define VALUE(name, type, value)                 \
    static void name(const struct json_value *v) \
    {                                            \
        const struct type *row = v->row;         \
                                                 \
        put(v->o, v->key, value);                \
    }

/* It may be 0, and is known then. */
VALUE(crash_address, mdl_crash, row->address ? hex(row->address) : json_string("0x0"))
VALUE(stack_size, mdl_crash, positive(row->stack_high - row->stack_low))
VALUE(verdict_edges, mdl_verdict, int_list(row->edges, row->edge_count))
VALUE(owner_ended, mdl_wait, json_boolean(row->owner == MDL_OWNER_ENDED))
VALUE(owner_candidates, mdl_wait, id_list(row->candidates, row->candidate_count))
VALUE(arrived, mdl_wait, int_list(row->arrived, row->arrived_count))
VALUE(missing, mdl_wait, int_list(row->missing, row->missing_count))
VALUE(timeout, mdl_activity,
      row->timeout_ns == MDL_TIMEOUT_SOME ? json_string("some") : natural(row->timeout_ns))
VALUE(child, mdl_activity, row->child < 0 ? json_string("any") : positive((uint64_t)row->child))
VALUE(depends_on, mdl_task, id_list(row->depends_on, row->depends_count))
VALUE(frame_kind, mdl_frame, json_string(stack_kind(row)))
/* Neither variables nor where threads run are in the file. */
VALUE(snapshot_want, insp_snapshot,
      json_integer(row->want & ~(unsigned)(INSP_LOCALS | INSP_PLACEMENT | INSP_MOTION)))

static void snapshot_version(const struct json_value *v)
{
    put(v->o, v->key, json_integer(1));
}

static void missing_lwp(const struct json_value *v)
{
    const struct mdl_wait *w = v->row;
    json_t *list = json_array();

    for (int i = 0; i < w->missing_count; i++)
        json_array_append_new(list, positive((uint64_t)w->missing_lwp[i]));
    put(v->o, v->key, list);
}

static void thread_state(const struct json_value *v)
{
    const struct mdl_thread *t = v->row;

    if (t->state == MDL_STATE_OTHER)
        put_text(v->o, v->key, t->other_state);
    else
        put_word(v->o, v->key, &mdl_state_words, (int)t->state);
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

/* ABSENT unless CONDITION holds of the structure at `row`. */
#define UNLESS(name, absent, type, condition)             \
    static enum presence name(const struct json_value *v) \
    {                                                     \
        const struct type *row = v->row;                  \
                                                          \
        return (condition) ? THERE : (absent);            \
    }

UNLESS(place_module, LEFT_OUT, mdl_place, row->module)
UNLESS(remedy, IS_NULL, mdl_problem, row->remedy && row->remedy[0])
UNLESS(crash_code, IS_NULL, mdl_crash, row->code_known)
UNLESS(crash_at, IS_NULL, mdl_crash, row->address_known)
UNLESS(crash_exception, IS_NULL, mdl_crash, row->kind == MDL_CRASH_EXCEPTION || row->type)
UNLESS(crash_stack, IS_NULL, mdl_crash, row->stack_high)
UNLESS(layout, LEFT_OUT, mdl_runtime, v->of->status && row->layout_major >= 0)
UNLESS(waits, IS_NULL, mdl_thread, row->wait.kind)
UNLESS(activity, IS_NULL, mdl_thread, mdl_activity_known(&row->activity))
UNLESS(arrivals, IS_NULL, mdl_wait, row->arrivals_known)
UNLESS(arrivals_lwp, LEFT_OUT, mdl_wait, row->arrivals_known)
UNLESS(caller, IS_NULL, mdl_wait, mdl_place_known(&row->caller))
UNLESS(taken_at, IS_NULL, mdl_wait, mdl_place_known(&row->taken_at))
UNLESS(not_taken, IS_NULL, mdl_task, row->not_taken.reason)
UNLESS(chunk, IS_NULL, mdl_loop, row->chunk)
UNLESS(next, IS_NULL, mdl_loop, row->left && !(row->flags & MDL_LOOP_SHARES))
UNLESS(in_hand, IS_NULL, mdl_loop,
       row->has_count && !mdl_unknown_reason(row->unknown, row->unknown_count, "has"))
UNLESS(turn, IS_NULL, mdl_loop, (row->flags & MDL_LOOP_ORDERED) != 0)
UNLESS(waits_for, IS_NULL, mdl_loop, row->waits)
/* The end of an edge is a task, else another process, else a thread. */
UNLESS(end_task, LEFT_OUT, mdl_end, row->task)
UNLESS(end_pid, LEFT_OUT, mdl_end, !row->task && row->pid)
UNLESS(end_lwp, LEFT_OUT, mdl_end, !row->task && !row->pid)
UNLESS(icv_why, LEFT_OUT, mdl_icv, !row->value)
UNLESS(frame_entry, LEFT_OUT, mdl_frame, row->entry)

static enum presence of_report(const struct json_value *v)
{
    return v->of->report ? THERE : LEFT_OUT;
}

static enum presence beside_verdict(const struct json_value *v)
{
    return v->of->verdict ? THERE : LEFT_OUT;
}

static enum presence of_status(const struct json_value *v)
{
    return v->of->status ? THERE : LEFT_OUT;
}

static enum presence frame_signal(const struct json_value *v)
{
    return ((const struct mdl_frame *)v->row)->signal ? THERE : LEFT_OUT;
}

static enum presence with_locals(const struct json_value *v)
{
    return v->of->locals ? THERE : LEFT_OUT;
}

static enum presence nobody(const struct json_value *v)
{
    (void)v;
    return IS_NULL;
}

static enum presence (*const presence[MDL_ROWS])(const struct json_value *v) = {
    [MDL_F_place_module] = place_module,
    [MDL_F_problem_remedy] = remedy,
    [MDL_F_process_crash] = of_report,
    [MDL_F_crash_code] = crash_code,
    [MDL_F_crash_address] = crash_at,
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
    [MDL_F_wait_owner_task] = nobody,
    [MDL_F_wait_arrived] = arrivals,
    [MDL_F_wait_missing] = arrivals,
    [MDL_F_wait_missing_lwp] = arrivals_lwp,
    [MDL_F_wait_caller] = caller,
    [MDL_F_wait_taken_at] = taken_at,
    [MDL_F_task_not_taken] = not_taken,
    [MDL_F_loop_chunk] = chunk,
    [MDL_F_loop_next] = next,
    [MDL_F_loop_has] = in_hand,
    [MDL_F_loop_at] = in_hand,
    [MDL_F_loop_turn] = turn,
    [MDL_F_loop_waits_for] = waits_for,
    [MDL_F_end_task] = end_task,
    [MDL_F_end_runtime] = end_task,
    [MDL_F_end_pid] = end_pid,
    [MDL_F_end_lwp] = end_lwp,
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
        const ptrdiff_t i = f - mdl_fields;
        const struct json_value v = {of, o, f->key, row};
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
