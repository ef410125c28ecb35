/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The list says what may stay. What it does not name cannot stay, so a key of a later version is safe too.
 */
#include "harmless.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/base/hash.h"
#include "inspect/inspect.h"
#include "inspect/model/words.h"

enum {
    NUMBER = 1,
    WORD = 2,      /* one of schema 1 */
    ADDRESS = 4,   /* gets a number of its own */
    SENTENCE = 8,  /* the constant that it was made from */
    CONSTANT = 16, /* if it is one of ompd's */
    VERSION = 32,  /* letters, digits and little else */
    SETTING = 64,  /* numbers and words of OpenMP's */
    HEX = 128,
    /* Far from addresses that mean something, such as 0. */
    FIRST_ADDRESS = 0x10000000,
    VERSION_MOST = 100,
};

/* Of the objects (by the key that they or their list have, name_of) the keys; "*" any. The first rule
 * counts. */
static const struct rule {
    const char *objects, *keys;
    unsigned as;
} rules[] = {
    {"document", "schema", NUMBER},
    {"problems", "what why remedy", SENTENCE},
    {"unknown", "*", SENTENCE},
    {"process", "pid rank size start taken forked_from signal crashed_lwp", NUMBER},
    {"crash", "kind", WORD},
    {"crash", "lwp thread_num signal code other_lwp task", NUMBER},
    {"crash", "address", ADDRESS},
    {"crash", "what", SENTENCE},
    {"stack", "low high", ADDRESS},
    {"stack", "size beyond", NUMBER},
    {"stack", "of", WORD},
    {"verdict", "kind", WORD},
    {"verdict", "sentence", SENTENCE},
    {"verdict", "edges", NUMBER},
    {"edges", "id", NUMBER},
    {"edges", "because", SENTENCE},
    {"from to of members joined", "lwp task region runtime pid frame thread_num", NUMBER},
    {"ompd", "version", VERSION},
    {"ompd", "api", NUMBER},
    {"ompd", "why", SENTENCE},
    {"stats", "lookups reads bytes thread_contexts", NUMBER},
    {"companion", "version",
     VERSION}, /* that of another is the name of its row, which a user may have given */
    {"runtimes companion", "id openmp_version queue_limit layout_major layout_minor", NUMBER},
    {"runtimes companion", "kind version row found_how", CONSTANT},
    {"runtimes companion", "base", ADDRESS},
    {"runtimes companion", "build_id", HEX},
    {"abilities", "what why", SENTENCE},
    {"missing", "fact cost", SENTENCE},
    {"threads", "lwp target_tid gdb_num runtime thread_num team_size level active_level region task cpu_ns",
     NUMBER},
    {"threads", "state", WORD},
    {"threads", "pthread", ADDRESS},
    {"wait", "kind owner owner_how barrier", WORD},
    {"wait", "object owner_lwp owner_candidates owner_task arrived missing missing_lwp", NUMBER},
    {"wait", "id", ADDRESS},
    {"activity", "kind owner owner_how", WORD},
    {"activity", "timeout child", NUMBER | CONSTANT},
    {"activity", "owner_lwp owner_tid owner_pid descriptor", NUMBER},
    {"activity", "call pool", CONSTANT},
    {"activity", "object", ADDRESS},
    {"activity", "owner_doubt why", SENTENCE},
    {"at caller taken_at", "line", NUMBER},
    {"regions tasks",
     "id runtime region parent parent_task level active_level team_size league_size team_num", NUMBER},
    {"regions tasks", "generator scheduled_over taskgroup lwp thread_num creator_thread_num children",
     NUMBER},
    {"regions tasks", "priority flags depends_on line", NUMBER},
    {"regions tasks", "kind state", WORD},
    {"regions tasks", "entry codeptr", ADDRESS},
    {"task_groups", "runtime first count ids depends_on", NUMBER},
    {"not_taken", "reason", WORD},
    {"not_taken", "lwp task computes system_call waits inside before queued queue_full", NUMBER},
    {"icvs", "runtime", NUMBER},
    {"icvs", "scope", WORD},
    {"icvs", "name", CONSTANT},
    {"icvs", "value", SETTING},
    {"icvs", "why", SENTENCE},
    {"stacks", "lwp", NUMBER},
    {"frames called", "pc entry", ADDRESS},
    {"frames called", "line", NUMBER},
    {"frames called", "code", WORD},
    {"frames called", "kind", CONSTANT},
    {"called", "function symbol", CONSTANT},
    {"snapshot", "version want", NUMBER},
};

static const struct mdl_words *const words[] = {
    &mdl_wait_words,     &mdl_barrier_words, &mdl_owner_words,     &mdl_state_words,    &mdl_region_words,
    &mdl_task_words,     &mdl_scope_words,   &mdl_verdict_words,   &mdl_code_words,     &mdl_task_state_words,
    &mdl_activity_words, &mdl_crash_words,   &mdl_owner_how_words, &mdl_stack_of_words, &mdl_not_taken_words,
};

struct cleaning {
    const struct own_text *own;
    struct hash texts, addresses; /* their numbers */
    struct hash sentences;        /* index + 1 into `made` */
    char **made;
    size_t made_count;
    bool failed;
};

static bool is_listed(const char *list, const char *name)
{
    const size_t n = strlen(name);

    for (const char *at = list; (at = strstr(at, name)); at += n)
        if ((at == list || at[-1] == ' ') && (!at[n] || at[n] == ' ') && n)
            return true;
    return false;
}

static unsigned rule_of(const char *object, const char *key)
{
    for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
        if (is_listed(rules[i].objects, object) && (*rules[i].keys == '*' || is_listed(rules[i].keys, key)))
            return rules[i].as;
    return 0;
}

static bool is_word(const char *text)
{
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        if (mdl_word_value(words[i], text) >= 0)
            return true;
    return false;
}

static bool consists_of(const char *text, const char *characters)
{
    return *text && !text[strspn(text, characters)];
}

#define DIGITS  "0123456789"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* "dynamic,4", "true". */
static bool is_setting(const char *text)
{
    static const char known[] =
        "true false static dynamic guided auto monotonic nonmonotonic master primary close "
        "spread default mandatory disabled enabled active passive";

    for (size_t n; *text; text += n, text += strspn(text, ",:-")) {
        char part[24] = "";

        n = strcspn(text, ",:-");
        if (!n || n >= sizeof(part))
            return false;
        memcpy(part, text, n);
        if (!consists_of(part, DIGITS) && !is_listed(known, part))
            return false;
    }
    return true;
}

static bool may_stay(const struct cleaning *c, unsigned as, const char *text)
{
    if (as & WORD && is_word(text))
        return true;
    if (as & CONSTANT && own_text_has(c->own, text))
        return true;
    if (as & VERSION && strlen(text) < VERSION_MOST && consists_of(text, LETTERS DIGITS " .,:+-_~()"))
        return true;
    if (as & SETTING && is_setting(text))
        return true;
    return as & HEX && consists_of(text, DIGITS "abcdef");
}

/* The number of a key, from 1 on. */
static uint64_t number_of(struct cleaning *c, struct hash *map, uint64_t number, const char *text)
{
    uint64_t *at = hash_add(map, number, text);

    if (!at) {
        c->failed = true;
        return 0;
    }
    if (!*at)
        *at = map->count;
    return *at;
}

static json_t *numbered(struct cleaning *c, const char *text)
{
    return json_sprintf("text %" PRIu64, number_of(c, &c->texts, 0, text));
}

static json_t *address(struct cleaning *c, const char *text)
{
    const uint64_t n = number_of(c, &c->addresses, strtoull(text, NULL, 16), NULL);
    char buffer[32];

    snprintf(buffer, sizeof(buffer), "0x%" PRIx64, n + FIRST_ADDRESS);
    return json_string(buffer);
}

/* There are few sentences, and many of each: looking for one takes a while. */
static json_t *sentence(struct cleaning *c, const char *text)
{
    uint64_t *at = hash_add(&c->sentences, 0, text);
    char **grown;

    if (at && !*at) {
        grown = array_grow(c->made, c->made_count, sizeof(*grown));
        if (grown) {
            c->made = grown;
            c->made[c->made_count++] = own_text_of(c->own, text);
            *at = c->made_count;
        }
    }
    if (!at || !*at) {
        c->failed = true;
        return NULL;
    }
    return c->made[*at - 1] ? json_string(c->made[*at - 1]) : numbered(c, text);
}

static json_t *text_of(struct cleaning *c, unsigned as, const char *text)
{
    if (as & ADDRESS && !strncmp(text, "0x", 2))
        return address(c, text);
    if (as & SENTENCE)
        return sentence(c, text);
    return may_stay(c, as, text) ? json_string(text) : numbered(c, text);
}

/* The keys of `unknown` are names of facts; a file could have anything there. */
static bool is_key(const char *key)
{
    return consists_of(key, "abcdefghijklmnopqrstuvwxyz_.") && !strstr(key, "_bytes");
}

/* What the list calls the object at KEY: the frame of a runtime or of libc, whose function is not the
 * program's, is "called". */
static const char *name_of(const char *key, const json_t *object)
{
    const char *code = json_string_value(json_object_get(object, "code"));
    const char *kind = json_string_value(json_object_get(object, "kind"));

    if (!strcmp(key, "frames") && code && is_listed("openmp libc", code))
        return "called";
    return !strcmp(key, "runtimes") && kind && !strcmp(kind, "companion") ? kind : key;
}

static json_t *clean(struct cleaning *c, const char *object, const char *key, const json_t *value);

static json_t *clean_object(struct cleaning *c, const char *name, const json_t *object)
{
    json_t *ret = json_object(), *value, *left;
    const char *key;

    json_object_foreach((json_t *)object, key, value)
    {
        left = is_key(key) ? clean(c, name, key, value) : NULL;
        if (left && json_object_set_new(ret, key, left))
            c->failed = true;
    }
    return ret;
}

static json_t *clean_list(struct cleaning *c, const char *object, const char *key, const json_t *list)
{
    json_t *ret = json_array(), *left;

    for (size_t i = 0; i < json_array_size(list); i++) {
        left = clean(c, object, key, json_array_get(list, i));
        if (left && json_array_append_new(ret, left))
            c->failed = true;
    }
    return ret;
}

/* What is left of VALUE, KEY of an object that is called OBJECT; NULL: nothing. */
static json_t *clean(struct cleaning *c, const char *object, const char *key, const json_t *value)
{
    const unsigned as = rule_of(object, key);

    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return clean_object(c, name_of(key, value), value);
    case JSON_ARRAY:
        return clean_list(c, object, key, value);
    case JSON_STRING:
        return text_of(c, as, json_string_value(value));
    case JSON_INTEGER:
        return as & NUMBER ? json_incref((json_t *)value) : NULL;
    case JSON_REAL:
        return NULL;
    default:
        return json_incref((json_t *)value);
    }
}

/* Iterations are values of the program's variables, and without them a loop says nothing. */
static void leave_out_loops(json_t *document)
{
    json_t *own = json_object_get(document, "snapshot");
    const json_int_t want = json_integer_value(json_object_get(own, "want"));

    json_object_del(document, "loops");
    json_object_del(json_object_get(json_object_get(document, "process"), "crash"), "loop");
    json_object_set_new(own, "want", json_integer(want & ~(json_int_t)INSP_LOOPS));
}

/* What a reader of DOCUMENT makes of it; NULL: nothing. */
static json_t *read_again(const json_t *document)
{
    char *text = json_dumps(document, 0), *again;
    insp_snapshot *snapshot = text ? insp_load(text, strlen(text), NULL) : NULL;
    json_t *ret;

    again = insp_record(snapshot, NULL);
    ret = again ? json_loads(again, 0, NULL) : NULL;
    insp_string_free(again);
    insp_free(snapshot);
    free(text);
    return ret;
}

/* The verdict's sentence has names in many places. It is made again, of what is left of the process: so its
 * words stay, and it can name nothing else. */
static void judge_again(json_t *document)
{
    json_t *again = read_again(document);
    json_t *verdict = json_object_get(again, "verdict"), *edges = json_object_get(again, "edges");

    /* It may hang on a text that is not known again; then it would be the sentence of something else. */
    if (again &&
        json_equal(json_object_get(verdict, "kind"),
                   json_object_get(json_object_get(document, "verdict"), "kind")) &&
        json_array_size(edges) == json_array_size(json_object_get(document, "edges"))) {
        json_object_set(document, "verdict", verdict);
        json_object_set(document, "edges", edges);
    }
    json_decref(again);
}

json_t *harmless(const json_t *document, const struct own_text *own)
{
    struct cleaning c = {.own = own};
    json_t *ret = clean_object(&c, "document", document);

    leave_out_loops(ret);
    judge_again(ret);
    hash_free(&c.texts);
    hash_free(&c.addresses);
    hash_free(&c.sentences);
    for (size_t i = 0; i < c.made_count; i++)
        free(c.made[i]);
    free(c.made);
    if (!c.failed)
        return ret;
    json_decref(ret);
    return NULL;
}
