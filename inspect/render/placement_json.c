/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/render/placement_json.h"

#include "inspect/render/fields_json.h"
#include "inspect/render/text_placement.h"

static json_t *hold_json(const struct json_of *of, const struct mdl_hold *h)
{
    json_t *o = json_object();

    if (h->wait)
        put_word(o, "kind", &mdl_wait_words, (int)h->wait->kind);
    else
        put_word(o, "kind", &mdl_activity_words, (int)h->activity->kind);
    put(o, "id", hex(h->wait ? h->wait->id : h->activity->object));
    put_text(o, "name", h->wait ? h->wait->name : h->activity->name);
    put(o, "waiters", json_integer(h->waiters));
    if (h->wait)
        put(o, "taken_at",
            mdl_place_known(&h->wait->taken_at) ? object_json(of, MDL_O_place, &h->wait->taken_at) : NULL);
    put(o, "certain", json_boolean(!h->perhaps));
    return o;
}

void put_placement(json_t *o, const struct json_of *of, const struct mdl_thread *t)
{
    json_t *processor = json_object(), *holds = json_array(), *place = NULL;

    put(processor, "last", of->s->process.core ? json_null() : natural(t->processor));
    put_text(processor, "allowed", t->allowed);
    put(o, "processor", processor);
    if (t->place_num >= 0) {
        place = json_object();
        put(place, "number", natural(t->place_num));
        put_text(place, "processors", t->place);
    }
    put(o, "place", place);
    put_text(o, "bind", t->bind);
    for (int i = 0; i < t->hold_count; i++)
        json_array_append_new(holds, hold_json(of, &t->holds[i]));
    put(o, "holds", holds);
    put_unknown(o, t->placement_unknown, t->placement_unknown_count);
}

json_t *findings_json(const insp_snapshot *s)
{
    json_t *list = json_array();
    struct arena arena = {0};

    for (int i = 0; i < s->finding_count; i++) {
        const struct mdl_finding *f = &s->findings[i];
        json_t *o = json_object(), *lwps = json_array();

        put_word(o, "kind", &mdl_finding_words, (int)f->kind);
        put_text(o, "sentence", placement_finding(&arena, s, f));
        put(o, "threads", json_integer(f->threads));
        put(o, "processors", positive((uint64_t)f->processors));
        put(o, "processor", natural(f->processor));
        put(o, "runtime", positive((uint64_t)f->runtime));
        put(o, "region", positive(f->region));
        for (int k = 0; f->lwps && k < f->threads; k++)
            json_array_append_new(lwps, json_integer(f->lwps[k]));
        put(o, "lwps", lwps);
        json_array_append_new(list, o);
    }
    arena_free(&arena);
    return list;
}
