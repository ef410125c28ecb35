/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/names/names.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/session/hostcall.h"

struct names_entry {
    uint64_t addr;      /* 0: free */
    bool source;        /* an ident string at addr, else a place */
    const char *symbol; /* for a source: its function */
    uint64_t offset;
    const char *file;
    int line;
    const char *module;
};

enum { SOURCE_MAX = 4096 };

static size_t slot_of(const struct names *n, uint64_t addr, bool source)
{
    size_t at = (size_t)((addr * 2 + source) * UINT64_C(0x9e3779b97f4a7c15) >> 20);

    for (;; at++) {
        const struct names_entry *e = &n->table[at & (n->size - 1)];

        if (!e->addr || (e->addr == addr && e->source == source))
            return at & (n->size - 1);
    }
}

static bool grow(struct names *n)
{
    struct names old = *n;

    if (n->size > 2 * n->count)
        return true;
    n->size = n->size ? 2 * n->size : 256;
    n->table = calloc(n->size, sizeof(*n->table));
    if (!n->table) {
        *n = old;
        return false;
    }
    for (size_t i = 0; i < old.size; i++)
        if (old.table[i].addr)
            n->table[slot_of(n, old.table[i].addr, old.table[i].source)] = old.table[i];
    free(old.table);
    return true;
}

void names_free(struct names *n)
{
    free(n->table);
    n->table = NULL;
    n->count = n->size = 0;
}

static void ask_place(struct names *n, struct names_entry *e)
{
    struct insp_place place;

    if (host_place(n->s, e->addr, &place))
        return;
    e->symbol = place.symbol && *place.symbol ? arena_str(n->arena, place.symbol) : NULL;
    e->module = place.module && *place.module ? arena_str(n->arena, place.module) : NULL;
    e->offset = place.offset;
    e->file = place.file && *place.file ? arena_str(n->arena, place.file) : NULL;
    e->line = e->file && place.line > 0 ? place.line : 0;
}

static void ask_source(struct names *n, struct names_entry *e)
{
    struct mdl_place place;
    char text[SOURCE_MAX];

    if (host_read_string(n->s, e->addr, text, sizeof(text)))
        return;
    names_parse_source(text, &place);
    e->symbol = arena_str(n->arena, place.function);
    e->file = arena_str(n->arena, place.file);
    e->line = place.line;
}

/* NULL without an address or memory. */
static const struct names_entry *find(struct names *n, uint64_t addr, bool source)
{
    struct names_entry *e;

    if (!addr || !grow(n))
        return NULL;
    e = &n->table[slot_of(n, addr, source)];
    if (!e->addr) {
        e->addr = addr;
        e->source = source;
        n->count++;
        if (source)
            ask_source(n, e);
        else
            ask_place(n, e);
    }
    return e;
}

/* NULL when nothing is known of ADDR, or no more than its file. */
static const struct names_entry *entry(struct names *n, uint64_t addr, bool source)
{
    const struct names_entry *e = find(n, addr, source);

    return e && (e->symbol || e->file) ? e : NULL;
}

/* Of code without names: which file to ask for, or to send along. */
static void add_module(struct names *n, uint64_t addr, struct mdl_place *ret)
{
    const struct names_entry *e = ret->function || ret->file ? NULL : find(n, addr, false);

    ret->module = e ? e->module : NULL;
}

void names_parse_source(char *text, struct mdl_place *ret)
{
    char *part[4] = {NULL, NULL, NULL, NULL};
    char *at = text, *end;
    long line;

    *ret = (struct mdl_place){0};
    if (*at++ != ';')
        return;
    for (int i = 0; i < 4; i++) {
        end = strchr(at, ';');
        if (!end)
            return; /* cut off: no part of it is to be trusted */
        *end = '\0';
        part[i] = at;
        at = end + 1;
    }
    line = strtol(part[2], &end, 10);
    if (*end || line < 0 || line > INT_MAX)
        return;
    /* clang without -g writes ";unknown;unknown;0;0;;". */
    if (*part[1] && strcmp(part[1], "unknown"))
        ret->function = part[1];
    if (*part[0] && strcmp(part[0], "unknown") && line) {
        ret->file = part[0];
        ret->line = (int)line;
    }
}

/* clang up to 17 calls every outlined function ".omp_outlined.", ".omp_task_entry." and a number: no name for a user. */
static bool anonymous(const char *symbol)
{
    symbol += *symbol == '.'; /* which GDB's demangler takes away in C++ */
    return !strncmp(symbol, "omp_outlined", 12) || !strncmp(symbol, "omp_task_entry", 14);
}

/* The runtime whose file, or whose part of the program's file, holds ADDR; NULL. */
static const struct insp_known_module *runtime_at(const insp_session *s, uint64_t addr)
{
    for (int i = 0; s && i < s->runtime_count; i++) {
        const struct insp_known_module *m = &s->modules[s->runtimes[i]];

        if (addr >= m->start && addr < m->end)
            return m;
    }
    return NULL;
}

/* A file of its own, in which nothing is the program's. */
static bool is_library(const struct insp_known_module *m)
{
    static const char library[] = "libompcompanion.so";

    return m && !strncmp(mdl_base_name(m->path), library, sizeof(library) - 1);
}

/* One of the sources of a runtime that is linked statically. */
static bool is_source(const char *file)
{
    static const char *const folders[] = {"runtime/core/", "runtime/abi/"};

    for (size_t i = 0; file && i < sizeof(folders) / sizeof(*folders); i++) {
        const char *at = strstr(file, folders[i]);

        if (at && (at == file || at[-1] == '/') && !strchr(at + strlen(folders[i]), '/'))
            return true;
    }
    return false;
}

bool names_is_jump(struct names *n, uint64_t codeptr)
{
    uint64_t addr = codeptr - 1;
    const struct insp_known_module *m = codeptr ? runtime_at(n->s, addr) : NULL;
    const struct names_entry *e = m && !is_library(m) ? entry(n, addr, false) : NULL;

    return is_library(m) || (e && is_source(e->file));
}

void names_construct(struct names *n, uint64_t function, uint64_t codeptr, uint64_t source,
                     struct mdl_place *ret)
{
    const struct names_entry *e = entry(n, source, true);
    const char *user_function = e ? e->symbol : NULL;

    *ret = (struct mdl_place){0};
    if (e && e->file) {
        ret->file = e->file;
        ret->line = e->line;
    }
    e = entry(n, function, false);
    if (e) {
        /* An outlined function starts at its entry; a symbol further up is a stripped program's nearest
           neighbour. */
        ret->function =
            e->offset == 0 && e->symbol && !(user_function && anonymous(e->symbol)) ? e->symbol : NULL;
        if (!ret->file && e->line) {
            ret->file = e->file;
            ret->line = e->line;
        }
    }
    if (!ret->function)
        ret->function = user_function;
    e = ret->file || !codeptr || names_is_jump(n, codeptr) ? NULL : entry(n, codeptr - 1, false);
    if (e && e->line) {
        ret->file = e->file;
        ret->line = e->line;
    }
    add_module(n, function, ret);
}

void names_call(struct names *n, uint64_t codeptr, struct mdl_place *ret)
{
    const struct names_entry *e;

    *ret = (struct mdl_place){0};
    if (!codeptr || names_is_jump(n, codeptr))
        return;
    e = entry(n, codeptr - 1, false);
    if (e) {
        ret->function = e->symbol && !anonymous(e->symbol) ? e->symbol : NULL;
        ret->file = e->file;
        ret->line = e->line;
    }
    add_module(n, codeptr - 1, ret);
}

const char *names_parse_critical(char *symbol)
{
    static const char start[] = ".gomp_critical_user_";
    static const char *const ends[] = {".var", ".reduction.var", ".reduction"};
    size_t length;
    char *name;

    if (strncmp(symbol, start, sizeof(start) - 1))
        return NULL;
    name = symbol + sizeof(start) - 1;
    length = strlen(name);
    /* clang writes NAME.var, gcc NAME. The longest ending first would cut a critical called "x.reduction": no
       such id. */
    for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
        size_t n = strlen(ends[i]);

        if (length >= n && !strcmp(name + length - n, ends[i])) {
            name[length - n] = '\0';
            length -= n;
        }
    }
    return name;
}

const char *names_object(struct names *n, const char *kind, uint64_t addr, const struct insp_viewer *viewers,
                         uint32_t count)
{
    const struct names_entry *e = entry(n, addr, false);
    const char *critical, *expression = NULL;
    char *copy;

    if ((!strcmp(kind, "lock") || !strcmp(kind, "nest_lock")) &&
        !host_object(n->s, addr, viewers, count, &expression) && expression)
        return arena_str(n->arena, expression);
    /* gcc's unnamed critical is there and has no variable in the program. One that is linked statically has the program's
       own criticals around it. */
    if (!strcmp(kind, "critical") && is_library(runtime_at(n->s, addr)))
        return "(unnamed)";
    if (!e || !e->symbol)
        return NULL;
    copy = arena_str(n->arena, e->symbol);
    critical = copy ? names_parse_critical(copy) : NULL;
    if (critical)
        return *critical ? critical : !strcmp(kind, "critical") ? "(unnamed)" : NULL;
    /* The atomic lock is a variable of the runtime: no name of the user's. */
    if (!strcmp(kind, "critical") || !strcmp(kind, "atomic") || !strcmp(kind, "reduction"))
        return NULL;
    if (e->offset)
        return arena_printf(n->arena, "%s+%" PRIu64, e->symbol, e->offset);
    return e->symbol;
}
