/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The best name of a data address: a variable, a function's local, a symbol, whose stack, heap, file.
 */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

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

bool cf_region(const struct cf_target *t, uint64_t addr, uint64_t *start, uint64_t *end)
{
    const struct cf_map *map = cf_map_at(t, addr);
    const struct cf_segment *s = cf_segment_at(t, addr);

    if (s) {
        *start = s->vaddr;
        *end = s->vaddr + s->memsz;
    } else if (map) {
        *start = map->start;
        *end = map->end;
    }
    return s || map;
}

static int by_sp(const void *a, const void *b, void *arg)
{
    const struct cf_target *t = arg;
    uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    uint64_t x = t->threads[i].reg[t->arch->sp], y = t->threads[k].reg[t->arch->sp];

    if (x != y)
        return x < y ? -1 : 1;
    return i > k ? -1 : i < k; /* of equal ones the first thread stands last */
}

/* Those with registers, by their stack pointers. */
static bool sort_by_sp(struct cf_target *t)
{
    if (t->by_sp)
        return true;
    t->by_sp = malloc((t->thread_count + (size_t)1) * sizeof(*t->by_sp));
    for (uint32_t i = 0; t->by_sp && i < t->thread_count; i++)
        if (t->threads[i].has_regs)
            t->by_sp[t->by_sp_count++] = i;
    if (t->by_sp)
        qsort_r(t->by_sp, t->by_sp_count, sizeof(*t->by_sp), by_sp, t);
    return t->by_sp;
}

struct cf_thread *cf_stack_owner(struct cf_target *t, uint64_t addr, uint64_t start)
{
    uint32_t low = 0, high = sort_by_sp(t) ? t->by_sp_count : 0;

    while (low < high) {
        uint32_t mid = low + (high - low) / 2;

        if (t->threads[t->by_sp[mid]].reg[t->arch->sp] <= addr)
            low = mid + 1;
        else
            high = mid;
    }
    return low && t->threads[t->by_sp[low - 1]].reg[t->arch->sp] >= start ? &t->threads[t->by_sp[low - 1]]
                                                                          : NULL;
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
 * Is ADDR, in a mapping up to END, in the heap that grows by brk(2)? A core does not say which mapping that is: it ends
 * where glibc's __curbrk stands. The kernel rounds up to a page.
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
