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
#include "inspect/model/fields.h"
#include "inspect/target/library.h"
#include "inspect/snapshot/load.h"

enum { VERSION = 1, UNKNOWN_MAX = 200 };

static int64_t number(const struct doc *o, const char *key, int64_t absent, int64_t most)
{
    const struct doc *value = doc_get(o, key);
    int64_t n = doc_integer(value);

    return doc_is(value, PULL_INTEGER) && n >= 0 && n <= most ? n : absent;
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

/* The object O of the file, which is read into the structure at ROW, and the list `unknown` for what is not
 * known of it. */
struct reading {
    struct insp_snapshot *s;
    const struct doc *o;
    void *row;
    struct mdl_unknown **list;
    int *count;
};

/* The value of a word of schema 1; where there is none, that of "unknown" if the list has it, or 0. A word of
 * a later version is not known here, and `unknown` says so by the name FACT. */
static int kind(const struct reading *in, const char *key, const char *fact, const struct mdl_words *words)
{
    const char *text = doc_text(doc_get(in->o, key));
    int value = mdl_word_value(words, text);

    if (text && value < 0 && fact)
        mdl_unknown(in->s, in->list, in->count, fact,
                    arena_printf(&in->s->arena, "this version of ompd does not know the word \"%s\"", text));
    if (value < 0)
        value = mdl_word_value(words, "unknown");
    return value < 0 ? 0 : value;
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

/* What fields.def says of an object, and of a list of them. A number that is null in the file is not known,
 * or has no meaning. */
static void load_fields(const struct reading *in, const struct doc *o, enum mdl_row object, void *row);
static void load_list(const struct reading *in, const struct doc *o, const struct mdl_field *f, void *row);

/* ---- what is not read as it is written ----------------------------------------------------------------- */

static void load_module(const struct reading *in)
{
    struct mdl_place *place = in->row;

    place->module = place->function ? NULL : word(&in->s->arena, in->o, "module");
}

static void load_barrier(const struct reading *in)
{
    struct arena *a = &in->s->arena;
    const struct doc *lwps = doc_get(in->o, "missing_lwp");
    struct mdl_wait *w = in->row;
    int64_t *missing;
    int count;

    if (w->kind != MDL_WAIT_BARRIER)
        return;
    w->barrier = (enum mdl_barrier)kind(in, "barrier", "wait.barrier", &mdl_barrier_words);
    /* At which of its region's barriers it is decides whether the others can still come. */
    if (mdl_word_value(&mdl_barrier_words, doc_text(doc_get(in->o, "barrier"))) < 0 &&
        doc_is(doc_get(in->o, "barrier"), PULL_TEXT)) {
        w->lasts = false;
        return;
    }
    if (!doc_is(doc_get(in->o, "arrived"), PULL_ARRAY) || !doc_is(doc_get(in->o, "missing"), PULL_ARRAY))
        return;
    w->arrivals_known = true;
    w->arrived = numbers(a, doc_get(in->o, "arrived"), &w->arrived_count);
    w->missing = numbers(a, doc_get(in->o, "missing"), &w->missing_count);
    missing = rows(a, doc_get(in->o, "missing"), sizeof(*missing), &count);
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

static void load_candidates(const struct reading *in)
{
    const struct doc *list = doc_get(in->o, "owner_candidates");
    struct mdl_wait *w = in->row;
    int count;
    int64_t *lwps = rows(&in->s->arena, list, sizeof(*lwps), &count);

    for (int i = 0; lwps && i < count; i++) {
        int64_t lwp = doc_integer(doc_row(list, (size_t)i));

        if (lwp > 0)
            lwps[w->candidate_count++] = lwp;
    }
    w->candidates = lwps;
}

static void load_wait(const struct reading *in)
{
    const struct doc *wait = doc_get(in->o, "wait");

    if (doc_is(doc_get(wait, "kind"), PULL_TEXT))
        load_fields(in, wait, MDL_O_wait, &((struct mdl_thread *)in->row)->wait);
}

/* A timeout of another sort is one all the same: without any, more would be proved. */
static void load_timeout(const struct reading *in)
{
    const struct doc *timeout = doc_get(in->o, "timeout");
    int64_t ns = number(in->o, "timeout", MDL_TIMEOUT_NONE, INT64_MAX);

    ((struct mdl_activity *)in->row)->timeout_ns =
        ns == MDL_TIMEOUT_NONE && timeout && !doc_is(timeout, PULL_NULL) ? MDL_TIMEOUT_SOME : ns;
}

static void load_child(const struct reading *in)
{
    bool any = mdl_same(doc_text(doc_get(in->o, "child")), "any");

    ((struct mdl_activity *)in->row)->child = any ? -1 : number(in->o, "child", 0, INT64_MAX);
}

/* Of a kind that this version does not know little is taken over: what its members mean is not known. */
static void load_activity(const struct reading *in)
{
    const struct doc *o = doc_get(in->o, "activity");
    const char *text = doc_text(doc_get(o, "kind"));
    struct mdl_activity *ret = &((struct mdl_thread *)in->row)->activity, all = {0};

    if (text)
        load_fields(in, o, MDL_O_activity, &all);
    *ret = all;
    if (all.kind != MDL_ACTIVITY_UNKNOWN)
        return;
    *ret = (struct mdl_activity){
        .asleep = all.asleep,
        .at = all.at,
        .call = all.call,
        .pool = all.pool,
        .why = all.why || !text ? all.why : "the snapshot does not say why",
        .timeout_ns = MDL_TIMEOUT_NONE,
        .descriptor = -1,
    };
    if (text && mdl_word_value(&mdl_activity_words, text) < 0)
        ret->why = arena_printf(&in->s->arena, "this version of ompd does not know the word \"%s\"", text);
}

static void load_state(const struct reading *in)
{
    const char *text = doc_text(doc_get(in->o, "state"));
    int state = mdl_word_value(&mdl_state_words, text);
    struct mdl_thread *t = in->row;

    t->state = state > 0 ? (enum mdl_state)state : text ? MDL_STATE_OTHER : MDL_STATE_UNKNOWN;
    if (t->state == MDL_STATE_OTHER)
        t->other_state = word(&in->s->arena, in->o, "state");
}

static void load_members(const struct reading *in)
{
    struct mdl_region *r = in->row;

    load_list(in, in->o, &mdl_fields[MDL_F_region_members], in->row);
    for (int i = 0; i < r->member_count; i++)
        r->members[i].thread_num = i;
}

static void load_depends(const struct reading *in)
{
    const struct doc *depends = doc_get(in->o, "depends_on");
    struct mdl_task *t = in->row;
    uint64_t *ids = rows(&in->s->arena, depends, sizeof(*ids), &t->depends_count);

    for (int i = 0; ids && i < t->depends_count; i++)
        ids[i] = (uint64_t)doc_integer(doc_row(depends, (size_t)i));
    t->depends_on = ids;
    if (!ids)
        t->depends_count = 0;
}

static void load_waits_for(const struct reading *in)
{
    struct mdl_loop *l = in->row;

    l->waits_for = doc_integer(doc_get(in->o, "waits_for"));
    l->waits = doc_is(doc_get(in->o, "waits_for"), PULL_INTEGER);
}

static void load_icv_of(const struct reading *in)
{
    static const char *const keys[] = {
        [MDL_ICV_OF_THREAD] = "lwp", [MDL_ICV_OF_REGION] = "region", [MDL_ICV_OF_TASK] = "task"};
    const struct doc *of = doc_get(in->o, "of");
    struct mdl_icv *icv = in->row;

    for (int i = MDL_ICV_OF_THREAD; i <= MDL_ICV_OF_TASK; i++)
        if (doc_get(of, keys[i])) {
            icv->of = (enum mdl_icv_of)i;
            icv->of_id = number(of, keys[i], 0, INT64_MAX);
        }
}

/* Snapshots of earlier versions have `kind` only, and of a library the name. */
static void load_code(const struct reading *in)
{
    const char *kind = doc_text(doc_get(in->o, "kind"));
    int code = mdl_word_value(&mdl_code_words, doc_text(doc_get(in->o, "code")));
    struct mdl_frame *f = in->row;

    if (code < 0 && !mdl_same(kind, "system"))
        code = mdl_same(kind, "runtime") ? INSP_CODE_OPENMP : INSP_CODE_USER;
    if (code < 0) {
        code = f->module ? (int)library_code(mdl_base_name(f->module)) : INSP_CODE_LIBC;
        code = code == INSP_CODE_UNKNOWN ? INSP_CODE_SYSTEM : code;
    }
    f->code = (enum insp_code)code;
}

/* The verdict finds it again; variables are in no file. */
static void load_nothing(const struct reading *in)
{
    (void)in;
}

static void load_signal_code(const struct reading *in)
{
    struct mdl_crash *c = in->row;

    c->code_known = doc_is(doc_get(in->o, "code"), PULL_INTEGER);
    c->code = (int)doc_integer(doc_get(in->o, "code"));
}

static void load_fault(const struct reading *in)
{
    struct mdl_crash *c = in->row;

    c->address_known = doc_is(doc_get(in->o, "address"), PULL_TEXT);
    c->address = address(in->o, "address");
}

static void (*const loaders[MDL_ROWS])(const struct reading *in) = {
    [MDL_F_place_module] = load_module,
    [MDL_F_crash_code] = load_signal_code,
    [MDL_F_crash_address] = load_fault,
    [MDL_F_thread_state] = load_state,
    [MDL_F_thread_wait] = load_wait,
    [MDL_F_thread_activity] = load_activity,
    [MDL_F_wait_owner_candidates] = load_candidates,
    [MDL_F_wait_barrier] = load_barrier,
    [MDL_F_activity_timeout] = load_timeout,
    [MDL_F_activity_child] = load_child,
    [MDL_F_region_members] = load_members,
    [MDL_F_task_depends_on] = load_depends,
    [MDL_F_task_not_taken] = load_nothing,
    [MDL_F_loop_waits_for] = load_waits_for,
    [MDL_F_icv_of] = load_icv_of,
    [MDL_F_frame_code] = load_code,
    [MDL_F_frame_locals] = load_nothing,
    [MDL_F_frame_locals_left] = load_nothing,
};

/* ---- all others ---------------------------------------------------------------------------------------- */

static void load_list(const struct reading *in, const struct doc *o, const struct mdl_field *f, void *row)
{
    const struct doc *list = doc_get(o, f->key);
    int *count = mdl_field_count(f, row);
    char *ret = rows(&in->s->arena, list, f->size, count);

    *(void **)mdl_field_at(f, row) = ret;
    if (!ret)
        *count = 0;
    for (int i = 0; i < *count; i++)
        load_fields(in, doc_row(list, (size_t)i), f->of, ret + (size_t)i * f->size);
}

static int64_t load_number(const struct reading *in, const struct mdl_field *f)
{
    switch (f->how) {
    case MDL_ADDRESS:
        return (int64_t)address(in->o, f->key);
    case MDL_YES:
        return yes(in->o, f->key);
    case MDL_MAYBE:
        return yes_or_no(in->o, f->key);
    case MDL_BIT:
        return mdl_field_number(f, in->row) | (yes(in->o, f->key) ? f->mask : 0);
    case MDL_NATURAL:
        return number(in->o, f->key, -1, mdl_field_most(f));
    default:
        if ((f->how == MDL_FACT || f->how == MDL_SIGNED) && f->number == 'l')
            return doc_integer(doc_get(in->o, f->key));
        return number(in->o, f->key, 0, mdl_field_most(f));
    }
}

static void load_field(const struct reading *in, const struct mdl_field *f)
{
    const struct doc *value = doc_get(in->o, f->key);
    void *at = mdl_field_at(f, in->row);

    switch (f->how) {
    case MDL_TEXT:
        *(const char **)at = word(&in->s->arena, in->o, f->key);
        break;
    case MDL_WORD:
        mdl_field_set(f, in->row, kind(in, f->key, f->fact, f->words));
        break;
    case MDL_SUB:
        load_fields(in, value, f->of, at);
        break;
    case MDL_POINTER:
        *(void **)at = doc_is(value, PULL_OBJECT) ? arena_alloc(&in->s->arena, f->size) : NULL;
        if (*(void **)at)
            load_fields(in, value, f->of, *(void **)at);
        break;
    case MDL_INLINE:
        load_fields(in, in->o, f->of, at);
        break;
    case MDL_LIST:
        load_list(in, in->o, f, in->row);
        break;
    case MDL_UNKNOWN: /* they come first */
    case MDL_APART:
        break;
    default:
        mdl_field_set(f, in->row, load_number(in, f));
    }
}

static void load_fields(const struct reading *in, const struct doc *o, enum mdl_row object, void *row)
{
    const struct mdl_field *first = mdl_fields_of(object), *f;
    struct reading own = *in;

    own.o = o;
    own.row = row;
    for (f = first; f->key; f++)
        if (f->how == MDL_UNKNOWN) {
            own.list = mdl_field_at(f, row);
            own.count = mdl_field_count(f, row);
            load_unknown(in->s, o, own.list, own.count);
        }
    for (f = first; f->key; f++)
        if (loaders[f - mdl_fields])
            loaders[f - mdl_fields](&own);
        else
            load_field(&own, f);
}

/* ---- the document -------------------------------------------------------------------------------------- */

static void load_threads(const struct reading *in, const struct doc *root)
{
    struct insp_snapshot *s = in->s;

    load_list(in, root, &mdl_fields[MDL_F_document_threads], s);
    for (int k = 0; k < s->thread_count; k++) {
        struct mdl_thread *t = &s->threads[k];

        for (int i = 0; i < t->unknown_count && t->wait.owner == MDL_OWNER_THREAD; i++)
            if (mdl_same(t->unknown[i].field, "wait.owner"))
                t->wait.owner_doubt = t->unknown[i].reason;
        if (t->current)
            s->current = k;
    }
    mdl_index_threads(s);
}

static void load_stacks(const struct reading *in, const struct doc *list)
{
    for (size_t i = 0; i < doc_rows(list); i++) {
        const struct doc *o = doc_row(list, i);
        struct mdl_thread *t = mdl_thread_by_lwp(in->s, number(o, "lwp", 0, INT64_MAX));

        if (t && !t->frames)
            load_list(in, o, &mdl_fields[MDL_F_stack_frames], t);
    }
}

static void load_problems(struct insp_snapshot *s, const struct doc *list)
{
    for (size_t i = 0; i < doc_rows(list); i++) {
        const struct doc *p = doc_row(list, i);
        const char *what = word(&s->arena, p, "what"), *why = word(&s->arena, p, "why");
        const char *remedy = word(&s->arena, p, "remedy");

        mdl_problem(s, what ? what : "?", why ? why : "?", remedy ? remedy : "");
    }
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
    static const enum mdl_row lists[] = {MDL_F_document_runtimes, MDL_F_document_regions,
                                         MDL_F_document_tasks, MDL_F_document_loops, MDL_F_document_icvs};
    const struct reading in = {.s = s};
    const struct doc *own = doc_get(root, "snapshot");

    load_fields(&in, own, MDL_O_snapshot, s);
    /* What is found of placement is not recorded. */
    s->want = (unsigned)number(own, "want", INSP_ALL, 0x7ff) & ~(unsigned)INSP_PLACEMENT;
    s->current = -1;
    load_fields(&in, doc_get(root, "process"), MDL_O_process, &s->process);
    load_fields(&in, doc_get(root, "ompd"), MDL_O_ompd, s);
    load_fields(&in, doc_get(root, "stats"), MDL_O_stats, &s->stats);
    load_threads(&in, root);
    for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
        load_list(&in, root, &mdl_fields[lists[i]], s);
    for (int i = 0; i < s->icv_count; i++)
        s->icvs[i].name = s->icvs[i].name ? s->icvs[i].name : "?";
    if (s->arena.oom)
        return;
    mdl_sort_rows(s);
    load_stacks(&in, doc_get(root, "stacks"));
    load_problems(s, doc_get(root, "problems"));
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
