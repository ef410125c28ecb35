/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The best name of a data address: a variable, a function's local, a symbol, whose stack, heap, file.
 */
#include <stdlib.h>
#include <string.h>

#include "corefiles/expr.h"
#include "corefiles/locals.h"
#include "corefiles/memory.h"
#include "corefiles/modules.h"
#include "corefiles/pointed.h"
#include "corefiles/read.h"
#include "corefiles/symbols.h"
#include "corefiles/target.h"
#include "corefiles/text.h"
#include "corefiles/threads.h"
#include "corefiles/unwind.h"

struct search {
    struct cf_target *t;
    uint64_t addr;
    struct cf_raw_frame frame;
    struct cf_variable variable;
    bool found, local;
};

static int holds(const struct cf_raw_frame *frame, void *arg)
{
    struct search *s = arg;

    if (frame->cfa <= s->addr)
        return 0;
    s->frame = *frame;
    s->found = true;
    s->local = !cf_local(s->t, frame, s->addr, &s->variable); /* while it has its registers */
    return 1;
}

static void hand_out(struct cf_target *t, struct cf_variable *v, struct cf_name *ret)
{
    ret->text = cf_say(t, CF_SAY_NAME, v->text);
    ret->type = cf_say(t, CF_SAY_NAME_TYPE, v->type);
    ret->function = cf_say(t, CF_SAY_NAME_FUNCTION, v->function);
    ret->file = cf_say(t, CF_SAY_NAME_FILE, v->file);
    ret->line = v->line;
}

static void on_stack(struct cf_target *t, struct cf_thread *th, uint64_t addr, struct cf_name *ret)
{
    struct search s = {.t = t, .addr = addr};
    const char *why, *symbol;
    uint64_t pc, offset;

    ret->lwp = th->lwp;
    ret->kind = CF_NAME_STACK;
    if (cf_unwind(t, th, 0, holds, &s, &why) >= 0 && s.found) {
        pc = cf_frame_code(&s.frame);
        if (s.local) {
            ret->kind = CF_NAME_LOCAL;
            if (!s.variable.function && !cf_symbol_at(t, pc, &symbol, &offset))
                s.variable.function = cf_demangle(symbol);
            hand_out(t, &s.variable, ret);
            return;
        }
        if (!cf_symbol_at(t, pc, &symbol, &offset))
            ret->function = cf_say(t, CF_SAY_NAME_FUNCTION, cf_demangle(symbol));
    }
    ret->text = cf_say(t, CF_SAY_NAME, cf_format("stack of LWP %lld", (long long)th->lwp));
}

static void in_file(struct cf_target *t, const struct cf_mod *m, uint64_t addr, struct cf_name *ret)
{
    const char *symbol, *base = strrchr(m->path, '/');
    uint64_t offset;
    char *name;

    if (!cf_symbol_at(t, addr, &symbol, &offset)) {
        ret->kind = CF_NAME_SYMBOL;
        name = cf_demangle(symbol);
        ret->text = cf_say(t, CF_SAY_NAME,
                           name && offset ? cf_format("%s+%llu", name, (unsigned long long)offset) : name);
        if (name && offset)
            free(name);
    } else {
        ret->kind = CF_NAME_FILE;
        ret->text =
            cf_say(t, CF_SAY_NAME,
                   cf_format("%s+0x%llx", base ? base + 1 : m->path, (unsigned long long)(addr - m->base)));
    }
}

/*
 * Is ADDR, in a mapping up to END, in the heap that grows by brk(2)? A core does not say which mapping that
 * is: it ends where glibc's __curbrk stands. The kernel rounds up to a page.
 */
static bool in_heap(struct cf_target *t, uint64_t addr, uint64_t end)
{
    const struct cf_map *map = cf_map_at(t, addr);
    uint64_t at;

    if (map)
        return !strcmp(map->path, "[heap]");
    if (!t->heap_tried && (cf_lookup(t, "__curbrk", NULL, &at) || cf_read(t, at, &t->heap_end, 8)))
        t->heap_end = 0;
    t->heap_tried = true;
    return addr < t->heap_end && end - t->heap_end < CF_PAGE;
}

int cf_name_of_address(struct cf_target *t, uint64_t addr, struct cf_name *ret)
{
    const struct cf_mod *m = cf_module_at(t, addr);
    struct cf_name name = {0};
    struct cf_variable v;
    struct cf_thread *th;
    uint64_t start, end;
    char *text;

    if (t->nameless)
        return 1;
    if (!cf_expression(t, addr, &v)) {
        name.kind = CF_NAME_VARIABLE;
        hand_out(t, &v, &name);
    } else if (m) {
        in_file(t, m, addr, &name);
    } else if (cf_region(t, addr, &start, &end)) {
        th = cf_stack_owner(t, addr, start);
        if (th) {
            on_stack(t, th, addr, &name);
        } else if (!cf_reach(t, addr, &text)) {
            name.kind = CF_NAME_POINTED;
            name.text = cf_say(t, CF_SAY_NAME, text);
        } else {
            name.kind = CF_NAME_HEAP;
            name.text = in_heap(t, addr, end) ? "heap" : "allocated memory";
        }
    } else {
        return 1;
    }
    *ret = name;
    return 0;
}
