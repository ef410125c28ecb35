/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `stacks` of schema 1: the frames of each thread once, and how a worker's stack goes on in that of others;
 * and what a recorded snapshot needs besides schema 1.
 */
#include "inspect/render/stacks_json.h"

#include "inspect/frames/stacks.h"
#include "inspect/model/words.h"
#include "inspect/render/json_put.h"

static json_t *locals_json(const struct mdl_frame *f)
{
    json_t *list = json_array();

    for (int i = 0; i < f->local_count; i++) {
        const struct mdl_local *l = &f->locals[i];
        json_t *o = json_object();

        put_text(o, "name", l->name);
        put_text(o, "type", l->type);
        put_text(o, "value", l->value);
        put_text(o, "why", l->why);
        put(o, "argument", json_boolean(l->argument));
        put(o, "hidden", json_boolean(l->hidden));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *frame_json(const struct mdl_frame *f, bool locals)
{
    json_t *o = json_object();

    put(o, "pc", hex(f->pc));
    put_place(o, &f->place);
    put_text(o, "symbol", f->symbol);
    put(o, "inlined", json_boolean(f->inlined));
    if (f->entry)
        put(o, "entry", hex(f->entry));
    put_text(o, "module", f->module);
    put_text(o, "kind", stack_kind(f));
    put_text(o, "code", mdl_word(&mdl_code_words, (int)f->code));
    if (locals) {
        put(o, "locals", locals_json(f));
        put(o, "locals_left", json_boolean(f->locals_left));
    }
    return o;
}

json_t *stacks_json(const insp_snapshot *s, bool locals)
{
    json_t *list = json_array();

    for (int i = 0; i < s->thread_count; i++) {
        const struct mdl_thread *t = &s->threads[i];
        struct stack_segment segments[STACK_SEGMENTS];
        json_t *o, *frames, *joined;
        int count;

        if (!t->frame_count)
            continue;
        o = json_object();
        frames = json_array();
        joined = json_array();
        put(o, "lwp", json_integer(t->lwp));
        for (int f = 0; f < t->frame_count; f++)
            json_array_append_new(frames, frame_json(&t->frames[f], locals && s->want & INSP_LOCALS));
        put(o, "frames", frames);
        count = stack_segments(s, t, segments);
        for (int k = 1; k < count; k++) {
            json_t *part = json_object();

            put(part, "lwp", json_integer(segments[k].thread->lwp));
            put(part, "frame", json_integer(segments[k].from));
            json_array_append_new(joined, part);
        }
        put(o, "joined", joined);
        json_array_append_new(list, o);
    }
    return list;
}

/* Neither variables nor where threads run are in the file: `want` does not say so. */
json_t *snapshot_json(const insp_snapshot *s)
{
    json_t *o = json_object();

    put(o, "version", json_integer(1));
    put(o, "want", json_integer(s->want & ~(unsigned)(INSP_LOCALS | INSP_PLACEMENT | INSP_MOTION)));
    put(o, "loops_untold", json_boolean(s->loops_untold));
    put(o, "moving", json_boolean(s->moving));
    put(o, "tasks_known", json_boolean(s->tasks_known));
    return o;
}
