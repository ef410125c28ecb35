/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Expressions for what pointers lead to, from the program's global variables and from those of a thread's
 * functions.
 */
#include "corefiles/pointed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corefiles/debuginfo/debuginfo.h"
#include "corefiles/dwfl.h"
#include "corefiles/memory.h"
#include "corefiles/modules.h"
#include "corefiles/reach.h"
#include "corefiles/target.h"
#include "corefiles/threads.h"
#include "corefiles/units.h"
#include "corefiles/unwind.h"

/** LOCALS_MAX: variables of one function to start from. FRAMES_MAX: functions of one thread. WALKS_MAX:
 * stacks that are
 *  gone through for one snapshot, a thread's twice for each lock; with thousands of locks the first ones are
 *  named. */
enum { LOCALS_MAX = 256, FRAMES_MAX = 64, WALKS_MAX = 512 };

/* The pointers in libstdc++'s classes that a user means by the object: v[3] is what he wrote, not
 * v._M_impl._M_start[3]. */
static const struct {
    const char *path;
    bool ended; /* with an end pointer, so always an array */
} wrappers[] = {
    {"._M_impl._M_start", true},             /* std::vector */
    {"._M_t._M_t._M_head_impl", false},      /* std::unique_ptr, GCC 12 */
    {"._M_t._M_t._M_t._M_head_impl", false}, /* the same of other releases */
    {"._M_ptr", false},                      /* std::shared_ptr */
};

static void unwrap(char *text, bool ended)
{
    size_t length = strlen(text);

    for (size_t i = 0; i < sizeof(wrappers) / sizeof(*wrappers); i++) {
        size_t n = strlen(wrappers[i].path);

        if (wrappers[i].ended == ended && length > n && !strcmp(text + length - n, wrappers[i].path)) {
            text[length - n] = '\0';
            return;
        }
    }
}

/* The element of a Fortran descriptor's array, as (3,2). */
static char *element(struct cf_reach *r, const struct cf_spot *spot, uint64_t index)
{
    int64_t lower[CF_DIMENSIONS], count[CF_DIMENSIONS];
    uint64_t start, size;
    char *text = NULL;
    size_t length;
    FILE *out;
    int n;

    if (!cf_reach_array(r->t, (struct die *)&spot->type, r->spots[spot->from].start + spot->offset, &start,
                        &size, &n, lower, count))
        return NULL;
    out = open_memstream(&text, &length);
    if (!out)
        return NULL;
    (void)cf_write_index(n, true, lower, count, index, out);
    return fclose(out) ? NULL : text;
}

/* The expression, malloc'ed, of what lies OFFSET bytes into a spot; NULL when nothing begins there. */
static char *expression(struct cf_reach *r, const struct cf_spot *spot, uint64_t offset, struct cf_part *part)
{
    struct die type = spot->type, variable = spot->variable;
    uint64_t index = spot->size ? offset / spot->size : 0, within = spot->size ? offset % spot->size : 0;
    char *path = NULL, *base = NULL, *text = NULL, *function = NULL, *at;
    struct cf_part ignored;
    size_t length;
    FILE *out;
    int rc;

    if (spot->hops && spot->how == CF_BY_DESCRIPTOR && die_type(&type, &type))
        return NULL;
    out = open_memstream(&path, &length);
    if (!out)
        return NULL;
    rc = cf_type_path(&type, cf_is_fortran(&type), within, out, part);
    if (fclose(out) || rc)
        goto out;
    if (!spot->hops) {
        out = open_memstream(&base, &length);
        if (!out)
            goto out;
        cf_write_variable(&variable, out, &function);
        if (!fclose(out))
            text = cf_format("%s%s", base, path);
        goto out;
    }
    base = expression(r, &r->spots[spot->from], spot->offset, &ignored);
    if (!base)
        goto out;
    unwrap(base, spot->ended);
    if (spot->how == CF_BY_REFERENCE) {
        text = cf_format("%s%s", base, path);
    } else if (spot->how == CF_BY_DESCRIPTOR) {
        at = element(r, spot, index);
        text = at ? cf_format("%s%s%s", base, at, path) : NULL;
        free(at);
    } else {
        bool starred = *base == '*'; /* which binds less than what follows */

        if (index || spot->several)
            text = cf_format(starred ? "(%s)[%llu]%s" : "%s[%llu]%s", base, (unsigned long long)index, path);
        else if (*path == '.')
            text = cf_format(starred ? "(%s)->%s" : "%s->%s", base, path + 1);
        else
            text = cf_format(*path ? "(*%s)%s" : "*%s%s", base, path);
    }
out:
    free(path);
    free(base);
    free(function);
    return text;
}

/* The first spot of all is the one that is reached on the shortest way. */
static int find(struct cf_reach *r, uint64_t addr, char **ret)
{
    for (uint32_t i = 0; i < r->count; i++) {
        const struct cf_spot *spot = &r->spots[i];
        uint64_t offset = addr - spot->start;
        struct cf_part part;
        char *text;

        if (!spot->hops || offset / spot->size >= spot->count)
            continue;
        text = expression(r, spot, offset, &part);
        if (text && cf_is_awaited(&part)) {
            *ret = text;
            return 0;
        }
        free(text);
    }
    return 1;
}

static bool is_program(const struct cf_target *t, const struct cf_mod *m)
{
    return t->at_entry >= m->base && t->at_entry < m->end;
}

/* Libraries of the system: no variable of theirs leads to a lock of the program's, and their debug
 * information is large. */
static bool is_users(const struct cf_target *t, const struct cf_mod *m)
{
    static const char *const folders[] = {"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/", "["};

    for (size_t i = 0; !is_program(t, m) && i < sizeof(folders) / sizeof(*folders); i++)
        if (!strncmp(m->path, folders[i], strlen(folders[i])))
            return false;
    return true;
}

static int add_static(struct die *die, uint64_t addr, void *arg)
{
    struct cf_reach *r = arg;
    struct cf_spot spot = {.start = addr, .count = 1, .variable = *die};

    if (die_name(die) && !die_type(die, &spot.type) && cf_leads(r->leads, &spot.type, CF_HOPS)) {
        spot.size = cf_type_size(&spot.type);
        spot.size += !spot.size; /* a descriptor has none of its own */
        return !cf_reach_add(r, &spot);
    }
    return 0;
}

int cf_reach(struct cf_target *t, uint64_t addr, char **ret)
{
    if (!t->reach) {
        t->reach = cf_reach_new(t, CF_READS);
        if (!t->reach || !cf_dwfl(t))
            return 1;
        /* The program's own variables first. */
        for (int program = 1; program >= 0; program--)
            for (uint32_t i = 0; i < t->module_count; i++) {
                struct cf_mod *m = &t->modules[i];

                if (is_program(t, m) == program && is_users(t, m))
                    cf_each_static(m, add_static, t->reach);
            }
        cf_reach_run(t->reach);
    }
    return find(t->reach, addr, ret);
}

/** Variables of one function. */
struct locals {
    struct {
        struct cf_slot slot;
        const char *name;
        int block, line;
    } list[LOCALS_MAX];
    uint32_t count;
};

static int note_local(const struct cf_slot *slot, int block, void *arg)
{
    struct locals *l = arg;
    struct die die = slot->die;
    const char *name = die_name(&die);
    int64_t line = 0;

    if (!name)
        return 0;
    (void)!die_number(&die, ATTR_decl_line, &line);
    l->list[l->count].slot = *slot;
    l->list[l->count].name = name;
    l->list[l->count].block = block;
    l->list[l->count].line = (int)line;
    return ++l->count == LOCALS_MAX;
}

/* Of a block those declared first come first: GDB knows no other order. */
static int by_place(const void *a, const void *b)
{
    const __typeof__(((struct locals *)0)->list[0]) *x = a, *y = b;

    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    return x->line != y->line ? (x->line < y->line ? -1 : 1) : strcmp(x->name, y->name);
}

static void add_local(struct cf_reach *r, const struct cf_slot *slot)
{
    struct cf_spot spot = {
        .start = slot->place.at, .count = 1, .variable = slot->die, .held = slot->place.is_value};
    struct die die = slot->die;

    if (die_type(&die, &spot.type) || !cf_leads(r->leads, &spot.type, CF_HOPS))
        return;
    spot.size = cf_type_size(&spot.type);
    spot.size += !spot.size;
    (void)cf_reach_add(r, &spot);
}

/** Global variables of one compilation unit. */
struct cf_unit_reach {
    struct die unit;
    struct cf_reach *reach;
    struct cf_unit_reach *next;
};

void cf_reach_forget(struct cf_target *t)
{
    cf_reach_free(t->reach);
    t->reach = NULL;
    t->reach_reads = t->reach_walks = 0;
    while (t->seen_of) {
        struct cf_unit_reach *u = t->seen_of;

        t->seen_of = u->next;
        cf_reach_free(u->reach);
        free(u);
    }
}

static bool leads_on(struct die *die, void *arg)
{
    struct cf_reach *r = arg;
    struct die type;

    return !die_type(die, &type) && cf_leads(r->leads, &type, CF_HOPS);
}

static int by_address(const void *a, const void *b)
{
    const struct cf_spot *x = a, *y = b;

    return x->start < y->start ? -1 : x->start > y->start;
}

/* What leads from the variables of the unit of PC; NULL none. */
static struct cf_reach *seen_at(struct cf_target *t, uint64_t pc)
{
    struct cf_visible visible = {.t = t, .wanted = leads_on, .each = add_static};
    struct cf_unit_reach *u;
    struct die cu;

    if (cf_unit_at(t, pc, &cu, &visible.bias))
        return NULL;
    for (u = t->seen_of; u; u = u->next)
        if (die_same(&u->unit, &cu))
            return u->reach;
    u = calloc(1, sizeof(*u));
    if (!u)
        return NULL;
    *u = (struct cf_unit_reach){cu, cf_reach_new(t, CF_READS), t->seen_of};
    t->seen_of = u;
    visible.arg = u->reach;
    if (!u->reach)
        return NULL;
    cf_each_visible(&visible, &cu);
    if (u->reach->count)
        qsort(u->reach->spots, u->reach->count, sizeof(*u->reach->spots), by_address);
    cf_reach_run(u->reach);
    return u->reach;
}

/** Goes through the frames of the viewers, inner ones first. */
struct search {
    struct cf_target *t;
    uint64_t addr, pc;
    char **ret;
    uint32_t frames;
    bool locals, found;
};

static bool in_function(struct search *s, const struct cf_raw_frame *frame)
{
    struct locals *locals = calloc(1, sizeof(*locals));
    struct cf_reach *r = cf_reach_new(s->t, CF_LOCAL_READS);
    bool found = false;

    if (locals && r) {
        (void)cf_each_local(s->t, frame, note_local, locals);
        qsort(locals->list, locals->count, sizeof(*locals->list), by_place);
        for (uint32_t i = 0; i < locals->count; i++)
            add_local(r, &locals->list[i].slot);
        cf_reach_run(r);
        found = !find(r, s->addr, s->ret);
    }
    cf_reach_free(r);
    free(locals);
    return found;
}

static int in_frame(const struct cf_raw_frame *frame, void *arg)
{
    struct search *s = arg;
    const struct cf_mod *m = cf_module_at(s->t, cf_frame_code(frame));
    struct cf_reach *r;

    if ((s->pc && s->pc != frame->pc) || !m || !is_users(s->t, m))
        return 0;
    s->pc = 0;
    if (s->locals) {
        s->found = in_function(s, frame);
    } else {
        r = seen_at(s->t, cf_frame_code(frame));
        s->found = r && !find(r, s->addr, s->ret);
    }
    return s->found || ++s->frames == FRAMES_MAX;
}

int cf_reach_from(struct cf_target *t, const struct insp_viewer *viewers, uint32_t count, uint64_t addr,
                  char **ret)
{
    uint64_t start, end;

    if (t->nameless || cf_module_at(t, addr) || !cf_region(t, addr, &start, &end) ||
        cf_stack_owner(t, addr, start))
        return 1;
    for (int locals = 0; locals < 2; locals++)
        for (uint32_t i = 0; i < count; i++) {
            struct search s = {.t = t, .addr = addr, .pc = viewers[i].pc, .ret = ret, .locals = locals};
            struct cf_thread *th = cf_thread_of(t, viewers[i].lwp);
            const char *why;

            if (th && t->reach_walks++ < WALKS_MAX && cf_unwind(t, th, 0, in_frame, &s, &why) >= 0 && s.found)
                return 0;
        }
    return 1;
}
