/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A recorded snapshot made alive again. The text may come from anywhere: a member of another type counts as
 * absent, strings are as little trusted as a target's, numbers pass through a range, and what must be sorted
 * is sorted here. The graph and the verdict are never taken from the file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/base/printable.h"
#include "inspect/graph/verdict.h"
#include "inspect/model/crash.h"
#include "inspect/model/words.h"
#include "inspect/session/library.h"
#include "inspect/snapshot/load.h"

enum { VERSION = 1, UNKNOWN_MAX = 200 };

static int64_t number(const struct doc *o, const char *key, int64_t absent, int64_t most)
{
    const struct doc *value = doc_get(o, key);
    int64_t n = doc_integer(value);

    return doc_is(value, PULL_INTEGER) && n >= 0 && n <= most ? n : absent;
}

static int small(const struct doc *o, const char *key, int absent)
{
    return (int)number(o, key, absent, INT32_MAX);
}

static uint64_t id(const struct doc *o, const char *key)
{
    return (uint64_t)number(o, key, 0, INT64_MAX);
}

static uint64_t address(const struct doc *o, const char *key)
{
    const char *s = doc_text(doc_get(o, key));

    return s && !strncmp(s, "0x", 2) ? strtoull(s + 2, NULL, 16) : 0;
}

/* The bytes that HEX stands for, as a string; NULL: it is not hexadecimal, or has a NUL. */
static const char *from_hex(struct arena *a, const char *hex)
{
    size_t n = hex ? strlen(hex) : 0;
    char *bytes = n && n % 2 == 0 && n == strspn(hex, "0123456789abcdef") ? arena_alloc(a, n / 2 + 1) : NULL;

    for (size_t i = 0; bytes && i < n / 2; i++) {
        const char pair[] = {hex[2 * i], hex[2 * i + 1], '\0'};

        bytes[i] = (char)strtoul(pair, NULL, 16);
        if (!bytes[i])
            return NULL;
    }
    return bytes;
}

/* What put_text wrote. */
static const char *word(struct arena *a, const struct doc *o, const char *key)
{
    const char *text = doc_text(doc_get(o, key)), *bytes = NULL;
    char name[64];

    if (text && strstr(text, "\xef\xbf\xbd") &&
        snprintf(name, sizeof(name), "%s_bytes", key) < (int)sizeof(name))
        bytes = from_hex(a, doc_text(doc_get(o, name)));
    return bytes ? bytes : arena_str(a, text);
}

/* A list `unknown` under construction, in the snapshot of a row. */
struct gaps {
    struct insp_snapshot *s;
    struct mdl_unknown **list;
    int *count;
};

/*
 * The value of a word of schema 1; ABSENT where there is none. A later version may have more words: one that
 * this version does not have is not known here, and `unknown` says so by the name FIELD.
 */
static int kind(const struct gaps *g, const struct doc *o, const char *key, const char *field,
                const struct mdl_words *words, int absent)
{
    const char *text = doc_text(doc_get(o, key));
    int value = mdl_word_value(words, text);

    if (text && value < 0)
        mdl_unknown(g->s, g->list, g->count, field,
                    arena_printf(&g->s->arena, "this version of ompd does not know the word \"%s\"", text));
    return value < 0 ? absent : value;
}

static bool yes(const struct doc *o, const char *key)
{
    return doc_is(doc_get(o, key), PULL_TRUE);
}

/* 1, 0, or -1 for what is neither true nor false. */
static int yes_or_no(const struct doc *o, const char *key)
{
    return yes(o, key) ? 1 : doc_is(doc_get(o, key), PULL_FALSE) ? 0 : -1;
}

/* Room for the rows of a list; *count is their number. */
static void *rows(struct arena *a, const struct doc *list, size_t size, int *count)
{
    size_t n = doc_rows(list);

    if (n > INT32_MAX / 2)
        n = 0;
    *count = (int)n;
    return arena_alloc(a, (n + 1) * size);
}

static void load_place(struct arena *a, const struct doc *o, struct mdl_place *ret)
{
    ret->function = word(a, o, "function");
    ret->file = word(a, o, "file");
    ret->line = small(o, "line", 0);
    ret->module = ret->function ? NULL : word(a, o, "module");
}

/* What is not known of a row has one of its members' names, so there are not many. */
static void load_unknown(struct insp_snapshot *s, const struct doc *o, struct mdl_unknown **list, int *count)
{
    const struct doc *unknown = doc_get(o, "unknown"), *one;

    for (size_t i = 0; i < UNKNOWN_MAX && (one = doc_member(unknown, i)); i++) {
        const char *field = arena_str(&s->arena, one->key);
        const char *why = arena_str(&s->arena, doc_text(doc_get(unknown, one->key)));

        if (field)
            mdl_unknown(s, list, count, field, why);
    }
}

static const int *numbers(struct arena *a, const struct doc *list, int *count)
{
    int *ret = rows(a, list, sizeof(*ret), count);

    for (int i = 0; ret && i < *count; i++) {
        int64_t n = doc_integer(doc_row(list, (size_t)i));

        ret[i] = n >= 0 && n <= INT32_MAX ? (int)n : -1;
    }
    return ret;
}

static void load_barrier(const struct gaps *g, const struct doc *o, struct mdl_wait *w)
{
    struct arena *a = &g->s->arena;
    const struct doc *lwps = doc_get(o, "missing_lwp");
    int64_t *missing;
    int count;

    w->barrier =
        (enum mdl_barrier)kind(g, o, "barrier", "wait.barrier", &mdl_barrier_words, MDL_BARRIER_NONE);
    if (w->barrier == MDL_BARRIER_NONE) {
        /* At which of its region's barriers it is decides whether the others can still come. */
        w->barrier = MDL_BARRIER_UNKNOWN;
        if (doc_is(doc_get(o, "barrier"), PULL_TEXT)) {
            w->lasts = false;
            return;
        }
    }
    if (!doc_is(doc_get(o, "arrived"), PULL_ARRAY) || !doc_is(doc_get(o, "missing"), PULL_ARRAY))
        return;
    w->arrivals_known = true;
    w->arrived = numbers(a, doc_get(o, "arrived"), &w->arrived_count);
    w->missing = numbers(a, doc_get(o, "missing"), &w->missing_count);
    missing = rows(a, doc_get(o, "missing"), sizeof(*missing), &count);
    for (int i = 0; missing && i < count; i++) {
        int64_t lwp = doc_integer(doc_row(lwps, (size_t)i));

        missing[i] = lwp > 0 ? lwp : 0;
    }
    w->missing_lwp = missing;
    for (int i = 1; w->missing && i < w->missing_count; i++)
        if (w->missing[i - 1] >= w->missing[i])
            w->arrived_count = w->missing_count = w->arrivals_known = 0; /* not in order: it says nothing */
    if (!w->arrived || !w->missing || !missing)
        w->arrived_count = w->missing_count = 0;
}

static void load_candidates(struct arena *a, const struct doc *list, struct mdl_wait *w)
{
    int count;
    int64_t *lwps = rows(a, list, sizeof(*lwps), &count);

    for (int i = 0; lwps && i < count; i++) {
        int64_t lwp = doc_integer(doc_row(list, (size_t)i));

        if (lwp > 0)
            lwps[w->candidate_count++] = lwp;
    }
    w->candidates = lwps;
}

static void load_wait(const struct gaps *g, const struct doc *o, struct mdl_wait *w)
{
    struct arena *a = &g->s->arena;

    if (!doc_is(doc_get(o, "kind"), PULL_TEXT))
        return;
    w->kind = (enum mdl_wait_kind)kind(g, o, "kind", "wait.kind", &mdl_wait_words, MDL_WAIT_UNKNOWN);
    w->id = address(o, "id");
    w->object = id(o, "object");
    w->name = word(a, o, "name");
    w->owner = (enum mdl_owner)kind(g, o, "owner", "wait.owner_lwp", &mdl_owner_words, MDL_OWNER_UNKNOWN);
    w->owner_lwp = number(o, "owner_lwp", 0, INT64_MAX);
    w->owner_how =
        (enum mdl_owner_how)kind(g, o, "owner_how", "wait.owner_how", &mdl_owner_how_words, MDL_HOW_NONE);
    w->lasts = yes(o, "lasts");
    w->for_itself = yes(o, "for_itself");
    w->uncancelled = yes(o, "uncancelled");
    load_candidates(a, doc_get(o, "owner_candidates"), w);
    load_place(a, doc_get(o, "at"), &w->at);
    load_place(a, doc_get(o, "caller"), &w->caller);
    load_place(a, doc_get(o, "taken_at"), &w->taken_at);
    if (w->kind == MDL_WAIT_BARRIER)
        load_barrier(g, o, w);
}

/* Of a kind that this version does not know nothing is taken over: what its members mean is not known. */
static void load_activity(const struct gaps *g, const struct doc *o, struct mdl_activity *ret)
{
    struct arena *a = &g->s->arena;
    const char *text = doc_text(doc_get(o, "kind"));
    const struct doc *timeout = doc_get(o, "timeout");

    *ret = (struct mdl_activity){.timeout_ns = MDL_TIMEOUT_NONE, .descriptor = -1};
    if (!text)
        return;
    ret->asleep = yes(o, "asleep");
    load_place(a, doc_get(o, "at"), &ret->at);
    ret->call = word(a, o, "call");
    ret->pool = word(a, o, "pool");
    ret->why = word(a, o, "why");
    if (mdl_word_value(&mdl_activity_words, text) < 0)
        ret->why = arena_printf(a, "this version of ompd does not know the word \"%s\"", text);
    ret->kind = (enum mdl_activity_kind)kind(g, o, "kind", "activity.kind", &mdl_activity_words,
                                             MDL_ACTIVITY_UNKNOWN);
    if (ret->kind == MDL_ACTIVITY_UNKNOWN) {
        ret->why = ret->why ? ret->why : "the snapshot does not say why";
        return;
    }
    ret->object = address(o, "object");
    ret->name = word(a, o, "name");
    ret->owner = (enum mdl_owner)kind(g, o, "owner", "activity.owner", &mdl_owner_words, MDL_OWNER_UNKNOWN);
    ret->owner_how =
        (enum mdl_owner_how)kind(g, o, "owner_how", "activity.owner_how", &mdl_owner_how_words, MDL_HOW_NONE);
    ret->owner_lwp = number(o, "owner_lwp", 0, INT64_MAX);
    ret->owner_tid = number(o, "owner_tid", 0, INT64_MAX);
    ret->owner_pid = number(o, "owner_pid", 0, INT64_MAX);
    ret->owner_doubt = word(a, o, "owner_doubt");
    ret->timeout_ns = number(o, "timeout", MDL_TIMEOUT_NONE, INT64_MAX);
    /* A timeout of another sort is one all the same: without any, more would be proved. */
    if (ret->timeout_ns == MDL_TIMEOUT_NONE && timeout && !doc_is(timeout, PULL_NULL))
        ret->timeout_ns = MDL_TIMEOUT_SOME;
    ret->descriptor = small(o, "descriptor", -1);
    ret->file = word(a, o, "file");
    ret->child = mdl_same(doc_text(doc_get(o, "child")), "any") ? -1 : number(o, "child", 0, INT64_MAX);
}

static void load_thread(struct insp_snapshot *s, const struct doc *o, struct mdl_thread *t)
{
    const struct gaps gaps = {s, &t->unknown, &t->unknown_count};
    const char *state = doc_text(doc_get(o, "state"));

    *t = (struct mdl_thread){
        .lwp = number(o, "lwp", 0, INT64_MAX),
        .target_tid = number(o, "target_tid", 0, INT64_MAX),
        .pthread = address(o, "pthread"),
        .gdb_num = small(o, "gdb_num", 0),
        .current = yes(o, "current"),
        .running = yes(o, "running"),
        .openmp = yes(o, "openmp"),
        .asleep = yes_or_no(o, "asleep"),
        .released = yes(o, "released"),
        .moving = yes(o, "moving"),
        .runtime = small(o, "runtime", 0),
        .thread_num = small(o, "thread_num", -1),
        .team_size = small(o, "team_size", -1),
        .level = small(o, "level", -1),
        .active_level = small(o, "active_level", -1),
        .region = id(o, "region"),
        .task = id(o, "task"),
        .cpu_ns = id(o, "cpu_ns"),
        .state = mdl_word_value(&mdl_state_words, state) > 0
                     ? (enum mdl_state)mdl_word_value(&mdl_state_words, state)
                 : state ? MDL_STATE_OTHER
                         : MDL_STATE_UNKNOWN,
    };
    if (t->state == MDL_STATE_OTHER)
        t->other_state = word(&s->arena, o, "state");
    load_unknown(s, o, &t->unknown, &t->unknown_count);
    load_wait(&gaps, doc_get(o, "wait"), &t->wait);
    load_activity(&gaps, doc_get(o, "activity"), &t->activity);
    for (int i = 0; i < t->unknown_count && t->wait.owner == MDL_OWNER_THREAD; i++)
        if (mdl_same(t->unknown[i].field, "wait.owner"))
            t->wait.owner_doubt = t->unknown[i].reason;
    if (t->current)
        s->current = (int)(t - s->threads);
}

static void load_region(struct insp_snapshot *s, const struct doc *o, struct mdl_region *r)
{
    const struct doc *members = doc_get(o, "members");
    const struct gaps gaps = {s, &r->unknown, &r->unknown_count};

    *r = (struct mdl_region){
        .id = id(o, "id"),
        .runtime = small(o, "runtime", 0),
        .parent = id(o, "parent"),
        .parent_task = id(o, "parent_task"),
        .level = small(o, "level", -1),
        .active_level = small(o, "active_level", -1),
        .team_size = small(o, "team_size", -1),
        .league_size = small(o, "league_size", -1),
        .team_num = small(o, "team_num", -1),
        .entry = address(o, "entry"),
        .codeptr = address(o, "codeptr"),
    };
    load_place(&s->arena, o, &r->place);
    load_unknown(s, o, &r->unknown, &r->unknown_count);
    r->kind = (enum mdl_region_kind)kind(&gaps, o, "kind", "kind", &mdl_region_words, MDL_REGION_UNKNOWN);
    r->members = rows(&s->arena, members, sizeof(*r->members), &r->member_count);
    for (int i = 0; r->members && i < r->member_count; i++) {
        const struct doc *m = doc_row(members, (size_t)i);

        r->members[i] = (struct mdl_member){
            .thread_num = i, .lwp = number(m, "lwp", 0, INT64_MAX), .gone = yes(m, "gone")};
    }
    if (!r->members)
        r->member_count = 0;
}

static void load_task(struct insp_snapshot *s, const struct doc *o, struct mdl_task *t)
{
    const struct doc *depends = doc_get(o, "depends_on");
    const struct gaps gaps = {s, &t->unknown, &t->unknown_count};
    uint64_t *ids;

    *t = (struct mdl_task){
        .id = id(o, "id"),
        .runtime = small(o, "runtime", 0),
        .region = id(o, "region"),
        .generator = id(o, "generator"),
        .scheduled_over = id(o, "scheduled_over"),
        .taskgroup = id(o, "taskgroup"),
        .lwp = number(o, "lwp", 0, INT64_MAX),
        .thread_num = small(o, "thread_num", -1),
        .creator_thread_num = small(o, "creator_thread_num", -1),
        .children = small(o, "children", -1),
        .priority = small(o, "priority", -1),
        .flags = (uint32_t)number(o, "flags", 0, UINT32_MAX),
        .entry = address(o, "entry"),
        .codeptr = address(o, "codeptr"),
    };
    load_place(&s->arena, o, &t->place);
    load_unknown(s, o, &t->unknown, &t->unknown_count);
    t->kind = (enum mdl_task_kind)kind(&gaps, o, "kind", "kind", &mdl_task_words, MDL_TASK_UNKNOWN);
    t->state =
        (enum mdl_task_state)kind(&gaps, o, "state", "state", &mdl_task_state_words, MDL_TASK_STATE_UNKNOWN);
    ids = rows(&s->arena, depends, sizeof(*ids), &t->depends_count);
    for (int i = 0; ids && i < t->depends_count; i++)
        ids[i] = (uint64_t)doc_integer(doc_row(depends, (size_t)i));
    t->depends_on = ids;
    if (!ids)
        t->depends_count = 0;
}

static int64_t whole(const struct doc *o, const char *key)
{
    return doc_integer(doc_get(o, key));
}

/* A number that is null in the file is one that is not known: `unknown` has it then, or it has no meaning. */
static void load_loop(struct insp_snapshot *s, const struct doc *o, struct mdl_loop *l)
{
    const struct doc *has = doc_get(o, "has");
    const struct gaps gaps = {s, &l->unknown, &l->unknown_count};

    *l = (struct mdl_loop){
        .runtime = small(o, "runtime", 0),
        .region = id(o, "region"),
        .task = id(o, "task"),
        .lwp = number(o, "lwp", 0, INT64_MAX),
        .thread_num = small(o, "thread_num", -1),
        .id = address(o, "id"),
        .sequence = id(o, "sequence"),
        .iterations = id(o, "iterations"),
        .chunk = id(o, "chunk"),
        .left = id(o, "left"),
        .share = id(o, "share"),
        .first = whole(o, "first"),
        .step = whole(o, "step"),
        .next = whole(o, "next"),
        .at = whole(o, "at"),
        .turn = whole(o, "turn"),
        .waits_for = whole(o, "waits_for"),
        .waits = doc_is(doc_get(o, "waits_for"), PULL_INTEGER),
        .has_first = whole(has, "first"),
        .has_last = whole(has, "last"),
        .has_count = id(has, "count"),
        .flags = (yes(o, "shares") ? MDL_LOOP_SHARES : 0u) | (yes(o, "ordered") ? MDL_LOOP_ORDERED : 0u) |
                 (yes(o, "doacross") ? MDL_LOOP_DOACROSS : 0u) |
                 (yes(o, "or_sections") ? MDL_LOOP_OR_SECTIONS : 0u),
    };
    load_unknown(s, o, &l->unknown, &l->unknown_count);
    l->schedule =
        (enum mdl_schedule)kind(&gaps, o, "schedule", "schedule", &mdl_schedule_words, MDL_SCHEDULE_UNKNOWN);
    l->source =
        (enum mdl_loop_source)kind(&gaps, o, "source", "source", &mdl_loop_source_words, MDL_LOOP_OF_RUNTIME);
}

static void load_runtime(struct insp_snapshot *s, const struct doc *o, struct mdl_runtime *r)
{
    const struct doc *list = doc_get(o, "abilities");

    *r = (struct mdl_runtime){
        .queue_limit = number(o, "queue_limit", 0, UINT32_MAX),
        .cancellation = yes_or_no(o, "cancellation"),
        .id = small(o, "id", 0),
        .kind = word(&s->arena, o, "kind"),
        .library = word(&s->arena, o, "library"),
        .version = word(&s->arena, o, "version"),
        .base = address(o, "base"),
        .openmp_version = number(o, "openmp_version", 0, INT32_MAX),
        .layout_major = small(o, "layout_major", -1),
        .layout_minor = small(o, "layout_minor", -1),
        .found_how = word(&s->arena, o, "found_how"),
        .row = word(&s->arena, o, "row"),
        .build_id = word(&s->arena, o, "build_id"),
        .ids_of_stop = yes(o, "ids_of_stop"),
    };
    r->abilities = rows(&s->arena, list, sizeof(*r->abilities), &r->ability_count);
    for (int i = 0; r->abilities && i < r->ability_count; i++) {
        const struct doc *a = doc_row(list, (size_t)i);

        r->abilities[i] =
            (struct mdl_ability){word(&s->arena, a, "what"), yes(a, "available"), word(&s->arena, a, "why")};
    }
    if (!r->abilities)
        r->ability_count = 0;
    list = doc_get(o, "missing");
    r->missing = rows(&s->arena, list, sizeof(*r->missing), &r->missing_count);
    for (int i = 0; r->missing && i < r->missing_count; i++) {
        const struct doc *m = doc_row(list, (size_t)i);

        r->missing[i] = (struct mdl_missing){word(&s->arena, m, "fact"), word(&s->arena, m, "cost")};
    }
    if (!r->missing)
        r->missing_count = 0;
}

static void load_icv(struct insp_snapshot *s, const struct doc *o, struct mdl_icv *icv)
{
    static const char *const keys[] = {
        [MDL_ICV_OF_THREAD] = "lwp", [MDL_ICV_OF_REGION] = "region", [MDL_ICV_OF_TASK] = "task"};
    const struct doc *of = doc_get(o, "of");
    int scope = mdl_word_value(&mdl_scope_words, doc_text(doc_get(o, "scope")));

    *icv = (struct mdl_icv){
        .runtime = small(o, "runtime", 0),
        .name = word(&s->arena, o, "name"),
        .scope = scope < 0 ? MDL_SCOPE_UNKNOWN : (enum mdl_scope)scope,
        .value = word(&s->arena, o, "value"),
        .why = word(&s->arena, o, "why"),
    };
    icv->name = icv->name ? icv->name : "?";
    for (int i = MDL_ICV_OF_THREAD; i <= MDL_ICV_OF_TASK; i++)
        if (doc_get(of, keys[i])) {
            icv->of = (enum mdl_icv_of)i;
            icv->of_id = number(of, keys[i], 0, INT64_MAX);
        }
}

/* Snapshots of earlier versions have `kind` only, and of a library the name. */
static enum insp_code load_code(const struct doc *frame, const char *module)
{
    const char *kind = doc_text(doc_get(frame, "kind"));
    int code = mdl_word_value(&mdl_code_words, doc_text(doc_get(frame, "code")));

    if (code >= 0)
        return (enum insp_code)code;
    if (!mdl_same(kind, "system"))
        return mdl_same(kind, "runtime") ? INSP_CODE_OPENMP : INSP_CODE_USER;
    code = module ? (int)library_code(mdl_base_name(module)) : INSP_CODE_LIBC;
    return code == INSP_CODE_UNKNOWN ? INSP_CODE_SYSTEM : (enum insp_code)code;
}

static void load_stack(struct insp_snapshot *s, const struct doc *o)
{
    struct mdl_thread *t = mdl_thread_by_lwp(s, number(o, "lwp", 0, INT64_MAX));
    const struct doc *frames = doc_get(o, "frames");

    if (!t || t->frames)
        return;
    t->frames = rows(&s->arena, frames, sizeof(*t->frames), &t->frame_count);
    for (int i = 0; t->frames && i < t->frame_count; i++) {
        const struct doc *f = doc_row(frames, (size_t)i);

        t->frames[i] = (struct mdl_frame){
            .pc = address(f, "pc"),
            .module = word(&s->arena, f, "module"),
            .symbol = word(&s->arena, f, "symbol"),
            .inlined = yes(f, "inlined"),
            .entry = address(f, "entry"),
        };
        t->frames[i].code = load_code(f, t->frames[i].module);
        load_place(&s->arena, f, &t->frames[i].place);
    }
    if (!t->frames)
        t->frame_count = 0;
}

/* ---- the document -------------------------------------------------------------------------------------- */

#define BY_ID(type)                                       \
    static int type##_by_id(const void *a, const void *b) \
    {                                                     \
        const struct mdl_##type *x = a, *y = b;           \
                                                          \
        if (x->runtime != y->runtime)                     \
            return x->runtime < y->runtime ? -1 : 1;      \
        return x->id < y->id ? -1 : x->id > y->id;        \
    }
BY_ID(region)
BY_ID(task)

#define LOAD_LIST(name)                                                                   \
    do {                                                                                  \
        const struct doc *name##_list = doc_get(root, #name "s");                         \
        s->name##s = rows(&s->arena, name##_list, sizeof(*s->name##s), &s->name##_count); \
        for (int i = 0; s->name##s && i < s->name##_count; i++)                           \
            load_##name(s, doc_row(name##_list, (size_t)i), &s->name##s[i]);              \
        if (!s->name##s)                                                                  \
            s->name##_count = 0;                                                          \
    } while (0)

static struct mdl_crash *load_crash(struct insp_snapshot *s, const struct doc *o)
{
    const struct doc *stack = doc_get(o, "stack"), *exception = doc_get(o, "exception");
    struct mdl_crash *c = doc_is(o, PULL_OBJECT) ? arena_alloc(&s->arena, sizeof(*c)) : NULL;
    int found = mdl_word_value(&mdl_crash_words, doc_text(doc_get(o, "kind")));
    int of = mdl_word_value(&mdl_stack_of_words, doc_text(doc_get(stack, "of")));

    if (!c)
        return NULL;
    *c = (struct mdl_crash){
        .kind = found < 0 ? MDL_CRASH_UNKNOWN : (enum mdl_crash_kind)found,
        .lwp = number(o, "lwp", 0, INT64_MAX),
        .signal = small(o, "signal", 0),
        .live = yes(o, "live"),
        .code_known = doc_is(doc_get(o, "code"), PULL_INTEGER),
        .code = (int)doc_integer(doc_get(o, "code")),
        .address_known = doc_is(doc_get(o, "address"), PULL_TEXT),
        .address = address(o, "address"),
        .raised_again = yes(o, "raised_again"),
        .jump = yes(o, "jump"),
        .other_lwp = number(o, "other_lwp", 0, INT64_MAX),
        .file = word(&s->arena, o, "file"),
        .stack_low = address(stack, "low"),
        .stack_high = address(stack, "high"),
        .stack_of = of < 0 ? MDL_STACK_OTHER : (enum mdl_stack_of)of,
        .stack_beyond = (uint64_t)number(stack, "beyond", 0, INT64_MAX),
        .message = word(&s->arena, o, "message"),
        .type = word(&s->arena, exception, "type"),
        .what = word(&s->arena, exception, "what"),
        .what_why = word(&s->arena, exception, "what_why"),
    };
    return c;
}

static void load_process(struct insp_snapshot *s, const struct doc *o)
{
    s->process = (struct mdl_process){
        .pid = number(o, "pid", 0, INT64_MAX),
        .exe = word(&s->arena, o, "exe"),
        .core = word(&s->arena, o, "core"),
        .host = word(&s->arena, o, "host"),
        .signal = small(o, "signal", 0),
        .crashed_lwp = number(o, "crashed_lwp", 0, INT64_MAX),
        .crash = load_crash(s, doc_get(o, "crash")),
        .rank = number(o, "rank", -1, INT64_MAX),
        .size = number(o, "size", -1, INT64_MAX),
        .job = word(&s->arena, o, "job"),
        .step = word(&s->arena, o, "step"),
        .name_space = word(&s->arena, o, "namespace"),
        .boot_id = word(&s->arena, o, "boot_id"),
        .start = id(o, "start"),
        .forked = yes_or_no(o, "forked"),
        .forked_from = number(o, "forked_from", 0, INT64_MAX),
        .taken = number(o, "taken", 0, INT64_MAX),
    };
}

static void load_status(struct insp_snapshot *s, const struct doc *root)
{
    const struct doc *ompd = doc_get(root, "ompd"), *stats = doc_get(root, "stats");

    s->ompd_library = word(&s->arena, ompd, "library");
    s->ompd_version = word(&s->arena, ompd, "version");
    s->ompd_why = word(&s->arena, ompd, "why");
    s->ompd_api = number(ompd, "api", 0, INT64_MAX);
    s->stats = (struct insp_stats){id(stats, "lookups"), id(stats, "reads"), id(stats, "bytes"),
                                   id(stats, "thread_contexts")};
}

/* A file of an earlier day has it among the ICVs only. */
static void load_cancellation(struct insp_snapshot *s)
{
    for (int i = 0; i < s->icv_count; i++)
        for (int r = 0; r < s->runtime_count && mdl_same(s->icvs[i].name, "cancel-var"); r++)
            if (s->runtimes[r].id == s->icvs[i].runtime && s->runtimes[r].cancellation < 0 &&
                s->icvs[i].value)
                s->runtimes[r].cancellation = strcmp(s->icvs[i].value, "false") != 0;
}

static void load_document(struct insp_snapshot *s, const struct doc *root)
{
    const struct doc *own = doc_get(root, "snapshot"), *list;

    /* What is found of placement is not recorded. */
    s->want = (unsigned)number(own, "want", INSP_ALL, 0x7ff) & ~(unsigned)INSP_PLACEMENT;
    s->moving = yes(own, "moving");
    s->tasks_known = yes(own, "tasks_known");
    s->loops_untold = yes(own, "loops_untold");
    s->current = -1;
    load_process(s, doc_get(root, "process"));
    load_status(s, root);
    LOAD_LIST(runtime);
    LOAD_LIST(thread);
    mdl_index_threads(s);
    LOAD_LIST(region);
    LOAD_LIST(task);
    LOAD_LIST(loop);
    LOAD_LIST(icv);
    if (s->arena.oom)
        return;
    qsort(s->regions, (size_t)s->region_count, sizeof(*s->regions), region_by_id);
    qsort(s->tasks, (size_t)s->task_count, sizeof(*s->tasks), task_by_id);
    list = doc_get(root, "stacks");
    for (size_t i = 0; i < doc_rows(list); i++)
        load_stack(s, doc_row(list, i));
    list = doc_get(root, "problems");
    for (size_t i = 0; i < doc_rows(list); i++) {
        const struct doc *p = doc_row(list, i);
        const char *what = word(&s->arena, p, "what"), *why = word(&s->arena, p, "why");
        const char *remedy = word(&s->arena, p, "remedy");

        mdl_problem(s, what ? what : "?", why ? why : "?", remedy ? remedy : "");
    }
    s->complete = yes(root, "complete");
    load_cancellation(s);
}

/* A report says by `complete` whether all that was asked for could be found out, tasks too. */
static void load_report(struct insp_snapshot *s, const struct doc *root)
{
    s->want = INSP_ALL | INSP_STACKS;
    s->moving = yes(root, "moving");
    s->tasks_known = s->complete && doc_is(doc_get(root, "tasks"), PULL_ARRAY);
}

insp_snapshot *load_doc(const struct doc *root, char **error)
{
    const struct doc *own = doc_get(root, "snapshot");
    insp_snapshot *s;

    *error = NULL;
    if (number(root, "schema", 0, INT32_MAX) != 1)
        *error = insp_sentence("This is not a recorded snapshot: `ompd record` writes them.");
    else if (own && number(own, "version", 0, INT32_MAX) != VERSION)
        *error = insp_sentence("The snapshot was written by a newer version of ompd.");
    if (*error)
        return NULL;
    s = calloc(1, sizeof(*s));
    if (s) {
        load_document(s, root);
        if (!own)
            load_report(s, root);
        if (!s->arena.oom)
            verdict_make(s);
    }
    if (!s || s->arena.oom) {
        insp_free(s);
        *error = insp_sentence("Out of memory.");
        return NULL;
    }
    return s;
}

const char *const load_unread[] = {"edges", "verdict", NULL};

insp_snapshot *insp_load(const char *text, size_t size, char **error)
{
    insp_snapshot *s = NULL;
    char *sentence = NULL;
    struct arena arena = {0};
    const struct doc *root;
    struct pull p;

    pull_start(&p, text ? text : "", text ? size : 0);
    root = text ? doc_read(&arena, &p, load_unread) : NULL;
    if (!text)
        sentence = insp_sentence("There is no text.");
    else if (arena.oom)
        sentence = insp_sentence("Out of memory.");
    else if (!root || !pull_done(&p))
        sentence = insp_sentence("This is not a recorded snapshot: line %d: %s.", pull_line(&p),
                                 p.why ? p.why : "something is behind its end");
    else if (!doc_is(doc_get(root, "snapshot"), PULL_OBJECT))
        sentence = insp_sentence("This is not a recorded snapshot: `ompd record` writes them.");
    else
        s = load_doc(root, &sentence);
    arena_free(&arena);
    if (error)
        *error = sentence;
    else
        free(sentence);
    return s;
}
