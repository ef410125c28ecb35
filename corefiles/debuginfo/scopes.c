/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The functions, inlined functions and blocks around an address. gcc describes the body of an OpenMP
 * construct as a function within the one that has the construct, whose own addresses are others: when no
 * function at the outside has the address, all that are within functions are looked at.
 */
#include "corefiles/debuginfo/scopes.h"

#include <stdlib.h>
#include <string.h>

/* DIES_MAX: of one unit, some seconds; CHILDREN_MAX: of one function or block. */
enum { NESTING_MAX = 256, DIES_MAX = 1 << 26, CHILDREN_MAX = 1 << 16 };

/* A path from the outside to the inside. */
struct path {
    struct die *dies;
    int count, size;
};

static bool add(struct path *p, const struct die *die)
{
    if (p->count == p->size) {
        int size = p->size ? 2 * p->size : 8;
        struct die *dies = realloc(p->dies, (size_t)size * sizeof(*dies));

        if (!dies)
            return false;
        p->dies = dies;
        p->size = size;
    }
    p->dies[p->count++] = *die;
    return true;
}

/* The other way round: from the inside to the outside. */
static int turned(struct path *p, struct die **ret)
{
    for (int i = 0; i < p->count / 2; i++) {
        struct die die = p->dies[i];

        p->dies[i] = p->dies[p->count - 1 - i];
        p->dies[p->count - 1 - i] = die;
    }
    if (p->count)
        *ret = p->dies;
    else
        free(p->dies);
    return p->count;
}

/* ---- functions by address ------------------------------------------------------------------------------ */

/* [start, end) is code of function `function`. */
struct span {
    uint64_t start, end;
    uint32_t function;
};

/* Functions in the order of the unit, and their code. */
struct table {
    struct die *functions;
    struct span *spans;
    uint32_t function_count, span_count;
    bool made;
};

struct debuginfo_functions {
    struct table outside; /* not within another one, */
    struct table all;     /* also there */
    uint64_t left;        /* so many DIEs may be looked at */
};

/* While a table is made. */
struct making {
    struct table *table;
    bool everywhere;
    uint64_t *left, last;
};

/* Room for one more in an array that has COUNT: doubled at powers of two. */
static void *grown(void *array, uint32_t count, size_t size)
{
    if (count & (count - 1) || !count)
        return count ? array : realloc(array, size);
    return count > UINT32_MAX / 2 ? NULL : realloc(array, 2 * (size_t)count * size);
}

static int note_span(uint64_t start, uint64_t end, void *arg)
{
    struct table *t = arg;
    struct span *spans = start < end ? grown(t->spans, t->span_count, sizeof(*spans)) : NULL;

    if (!spans)
        return start < end;
    t->spans = spans;
    spans[t->span_count++] = (struct span){start, end, t->function_count};
    return 0;
}

static void note_function(struct table *t, const struct die *die)
{
    const uint32_t before = t->span_count;
    struct die *functions = grown(t->functions, t->function_count, sizeof(*functions));

    if (!functions)
        return;
    t->functions = functions;
    die_each_range(die, note_span, t);
    if (t->span_count > before)
        functions[t->function_count++] = *die;
}

static void collect(struct making *m, const struct die *parent, int depth)
{
    struct die child;

    if (depth > NESTING_MAX || die_child(parent, &child) || !die_is_ahead(&child, &m->last))
        return;
    do {
        switch (die_tag(&child)) {
        case TAG_subprogram:
            note_function(m->table, &child);
            if (m->everywhere)
                collect(m, &child, depth + 1);
            break;
        case TAG_lexical_block:
        case TAG_namespace:
        case TAG_module:
        case TAG_class_type:
        case TAG_structure_type:
            collect(m, &child, depth + 1);
            break;
        default:
            break;
        }
    } while (*m->left && --*m->left && !die_sibling(&child, &child) && die_is_ahead(&child, &m->last));
}

static int by_start(const void *a, const void *b)
{
    const struct span *x = a, *y = b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->function < y->function ? -1 : x->function > y->function;
}

/* A heap of those that cover an address, on top the first in the unit. */
static void push(const struct span **heap, uint32_t count, const struct span *one)
{
    uint32_t at = count;

    for (; at && heap[(at - 1) / 2]->function > one->function; at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = one;
}

static void pop(const struct span **heap, uint32_t count)
{
    const struct span *last = heap[count - 1];
    uint32_t at = 0, child;

    while ((child = 2 * at + 1) < count - 1) {
        child += child + 1 < count - 1 && heap[child + 1]->function < heap[child]->function;
        if (heap[child]->function >= last->function)
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
}

/* Makes spans disjoint; where several are, the first in the unit stays. */
static void make_disjoint(struct table *t)
{
    const uint32_t n = t->span_count;
    const struct span **heap = calloc((size_t)n + 1, sizeof(*heap));
    struct span *ret = calloc(2 * (size_t)n + 1, sizeof(*ret));
    uint32_t count = 0, made = 0, next = 0;
    uint64_t at = 0;

    if (n)
        qsort(t->spans, n, sizeof(*t->spans), by_start);
    while (heap && ret && (next < n || count)) {
        if (!count && t->spans[next].start > at)
            at = t->spans[next].start;
        for (; next < n && t->spans[next].start <= at; next++)
            push(heap, count++, &t->spans[next]);
        for (; count && heap[0]->end <= at; count--)
            pop(heap, count);
        if (!count)
            continue;
        ret[made] = (struct span){at, heap[0]->end, heap[0]->function};
        if (next < n && t->spans[next].start < ret[made].end)
            ret[made].end = t->spans[next].start;
        at = ret[made++].end;
    }
    free(heap);
    free(t->spans);
    t->spans = ret;
    t->span_count = made;
}

static void make(struct debuginfo_functions *f, struct table *t, const struct die *unit)
{
    struct making m = {t, t == &f->all, &f->left, unit->offset};

    t->made = true;
    collect(&m, unit, 0);
    make_disjoint(t);
}

static bool find_function(struct debuginfo_functions *f, struct table *t, const struct die *unit, uint64_t pc,
                          struct die *ret)
{
    uint32_t low = 0, high;

    if (!t->made)
        make(f, t, unit);
    for (high = t->span_count; low < high;) {
        const uint32_t middle = low + (high - low) / 2;

        if (t->spans[middle].start <= pc)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low || pc >= t->spans[low - 1].end)
        return false;
    *ret = t->functions[t->spans[low - 1].function];
    return true;
}

struct debuginfo_functions *debuginfo_functions_new(void)
{
    struct debuginfo_functions *f = calloc(1, sizeof(*f));

    if (f)
        f->left = DIES_MAX;
    return f;
}

bool debuginfo_functions_cut(const struct debuginfo_functions *f)
{
    return !f->left;
}

void debuginfo_functions_free(struct debuginfo_functions *f)
{
    if (!f)
        return;
    free(f->outside.functions);
    free(f->outside.spans);
    free(f->all.functions);
    free(f->all.spans);
    free(f);
}

/* ---- scopes -------------------------------------------------------------------------------------------- */

/* A function, block or inlined function directly in PARENT that holds PC. */
static bool find_inner(const struct die *parent, uint64_t pc, struct die *ret)
{
    struct die child;
    uint64_t last = 0;
    int left = CHILDREN_MAX;

    if (die_child(parent, &child))
        return false;
    do {
        switch (die_tag(&child)) {
        case TAG_subprogram:
        case TAG_inlined_subroutine:
        case TAG_lexical_block:
            if (die_holds(&child, pc)) {
                *ret = child;
                return true;
            }
            break;
        default:
            break;
        }
    } while (--left && !die_sibling(&child, &child) && die_is_ahead(&child, &last));
    return false;
}

int debuginfo_scopes_at(const struct die *unit, struct debuginfo_functions *f, uint64_t pc, struct die **ret)
{
    struct path path = {0};
    struct die at;

    if (!find_function(f, &f->outside, unit, pc, &at) && !find_function(f, &f->all, unit, pc, &at))
        return 0;
    do {
        if (die_tag(&at) == TAG_subprogram)
            path.count = 0; /* what is around it has an address of its own */
    } while (add(&path, &at) && path.count < NESTING_MAX && find_inner(&at, pc, &at));
    return turned(&path, ret);
}

/* The child of PARENT that is DIE or has it somewhere below: the last that does not begin behind it. */
static bool find_around(const struct die *parent, const struct die *die, struct die *ret)
{
    struct die child;
    bool found = false;

    if (die_child(parent, &child))
        return false;
    while (child.offset <= die->offset) {
        *ret = child;
        found = true;
        if (die_sibling(&child, &child))
            break;
    }
    return found;
}

int debuginfo_scopes_of(const struct die *die, struct die **ret)
{
    struct path path = {0};
    struct die at;

    if (die_unit(die, &at))
        return 0;
    while (!die_same(&at, die)) {
        if (!add(&path, &at) || path.count > NESTING_MAX || !find_around(&at, die, &at)) {
            free(path.dies);
            return 0;
        }
    }
    return turned(&path, ret);
}
