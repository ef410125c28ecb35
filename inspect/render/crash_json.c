/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/render/crash_json.h"

#include "inspect/model/crash.h"
#include "inspect/render/crash_words.h"

static const struct mdl_thread *thread_of(const struct json_value *v)
{
    return mdl_thread_by_lwp(v->of->s, ((const struct mdl_crash *)v->row)->lwp);
}

void put_crash_thread_num(const struct json_value *v)
{
    const struct mdl_thread *t = thread_of(v);

    put(v->o, v->key, t ? natural(t->thread_num) : NULL);
}

void put_crash_task(const struct json_value *v)
{
    const struct mdl_thread *t = thread_of(v);

    put(v->o, v->key, t ? positive(t->task) : NULL);
}

void put_crash_what(const struct json_value *v)
{
    struct arena arena = {0};
    const char *what = crash_cause(&arena, v->of->s);

    put_text(v->o, v->key, *what == ' ' ? what + 1 : NULL);
    arena_free(&arena);
}

void put_crash_loop(const struct json_value *v)
{
    const insp_snapshot *s = v->of->s;
    const struct mdl_thread *t = thread_of(v);
    const struct mdl_task *task = t ? mdl_task_by_id(s, t->runtime, t->task) : NULL;
    const struct mdl_loop *l = task ? crash_loop_of(s, task) : NULL;
    const char *why = l ? mdl_unknown_reason(l->unknown, l->unknown_count, "has") : NULL;
    const bool has = l && l->has_count && !why;
    const char *at_why = has ? mdl_unknown_reason(l->unknown, l->unknown_count, "at") : NULL;
    json_t *o = has || why ? json_object() : NULL;

    put(v->o, v->key, o);
    if (!o)
        return;
    put_word(o, "schedule", &mdl_schedule_words, (int)l->schedule);
    put(o, "first", has ? json_integer(l->has_first) : NULL);
    put(o, "last", has ? json_integer(l->has_last) : NULL);
    put(o, "at", has && !at_why ? json_integer(l->at) : NULL);
    put_text(o, "why", why ? why : at_why);
}
