/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/render/crash_json.h"

#include "inspect/model/crash.h"
#include "inspect/render/crash_words.h"
#include "inspect/render/json_put.h"

static json_t *stack_json(const struct mdl_crash *c)
{
    json_t *o;

    if (!c->stack_high)
        return json_null();
    o = json_object();
    put(o, "low", hex(c->stack_low));
    put(o, "high", hex(c->stack_high));
    put(o, "size", positive(c->stack_high - c->stack_low));
    put(o, "beyond", positive(c->stack_beyond));
    put_word(o, "of", &mdl_stack_of_words, (int)c->stack_of);
    return o;
}

static json_t *exception_json(const struct mdl_crash *c)
{
    json_t *o;

    if (c->kind != MDL_CRASH_EXCEPTION && !c->type)
        return json_null();
    o = json_object();
    put_text(o, "type", c->type);
    put_text(o, "what", c->what);
    put_text(o, "what_why", c->what_why);
    return o;
}

/* The address may be 0, and is known then. */
static json_t *address_json(const struct mdl_crash *c)
{
    return !c->address_known ? json_null() : c->address ? hex(c->address) : json_string("0x0");
}

/* The loop of the task that it was in. */
static json_t *loop_json(const insp_snapshot *s, const struct mdl_thread *t)
{
    const struct mdl_task *task = t ? mdl_task_by_id(s, t->runtime, t->task) : NULL;
    const struct mdl_loop *l = task ? crash_loop_of(s, task) : NULL;
    const char *why = l ? mdl_unknown_reason(l->unknown, l->unknown_count, "has") : NULL;
    const bool has = l && l->has_count && !why;
    const char *at_why = has ? mdl_unknown_reason(l->unknown, l->unknown_count, "at") : NULL;
    json_t *o = has || why ? json_object() : NULL;

    if (!o)
        return json_null();
    put_word(o, "schedule", &mdl_schedule_words, (int)l->schedule);
    put(o, "first", has ? json_integer(l->has_first) : NULL);
    put(o, "last", has ? json_integer(l->has_last) : NULL);
    put(o, "at", has && !at_why ? json_integer(l->at) : NULL);
    put_text(o, "why", why ? why : at_why);
    return o;
}

json_t *crash_json(const insp_snapshot *s)
{
    const struct mdl_crash *c = s->process.crash;
    const struct mdl_thread *t = c ? mdl_thread_by_lwp(s, c->lwp) : NULL;
    struct arena arena = {0};
    const char *what;
    json_t *o;

    if (!c)
        return json_null();
    o = json_object();
    what = crash_cause(&arena, s);
    put(o, "lwp", positive((uint64_t)c->lwp));
    put(o, "thread_num", t ? natural(t->thread_num) : NULL);
    put(o, "signal", json_integer(c->signal));
    put(o, "live", json_boolean(c->live));
    put(o, "code", c->code_known ? json_integer(c->code) : NULL);
    put(o, "address", address_json(c));
    put_word(o, "kind", &mdl_crash_words, (int)c->kind);
    put_text(o, "what", *what == ' ' ? what + 1 : NULL);
    put(o, "raised_again", json_boolean(c->raised_again));
    put(o, "jump", json_boolean(c->jump));
    put(o, "other_lwp", positive((uint64_t)c->other_lwp));
    put_text(o, "file", c->file);
    put_text(o, "message", c->message);
    put(o, "exception", exception_json(c));
    put(o, "stack", stack_json(c));
    put(o, "task", t ? positive(t->task) : NULL);
    put(o, "loop", loop_json(s, t));
    arena_free(&arena);
    return o;
}
