/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Global and static variables by address, through DWARF.
 */
#include "corefiles/expr.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corefiles/debugfile.h"
#include "corefiles/debuginfo/debuginfo.h"
#include "corefiles/debuginfo/scopes.h"
#include "corefiles/dwfl.h"
#include "corefiles/modules.h"
#include "corefiles/symbols.h"
#include "corefiles/target.h"
#include "corefiles/text.h"
#include "corefiles/typepath.h"

/** Where a variable lies, and its DIE. */
struct entry {
    uint64_t start, end; /**< as in the file */
    uint64_t die;
};

/** The variables of one module, sorted by start. */
struct cf_types {
    struct debuginfo *debuginfo;
    uint64_t bias;
    struct entry *entries;
    uint32_t count;
};

enum { NESTING_MAX = 256 };

void cf_types_free(struct cf_types *types)
{
    if (types)
        free(types->entries);
    free(types);
}

void cf_variable_free(struct cf_variable *v)
{
    free(v->text);
    free(v->type);
    free(v->function);
    free(v->file);
    *v = (struct cf_variable){0};
}

/* The fixed address of a variable: DW_OP_addr or DW_OP_addrx, perhaps an offset (a Fortran COMMON's
 * member). */
static bool fixed_address(struct die *die, uint64_t *ret)
{
    struct die_operation ops[2];
    uint64_t at;
    int count;

    /* Not that of the declaration or the abstract instance, which has an entry of its own. */
    if (!die_has(die, ATTR_location) || die_operations(die, ATTR_location, DIE_EVERYWHERE, ops, 2, &count) ||
        ops[0].code != OP_addr)
        return false;
    at = ops[0].number;
    if (count == 2) {
        if (ops[1].code != OP_plus_uconst)
            return false;
        at += ops[1].number;
    }
    *ret = at;
    return true;
}

static bool note_variable(struct cf_types *types, struct die *die)
{
    struct die type;
    uint64_t at, size;

    if (!fixed_address(die, &at) || !at)
        return true;
    size = !die_type(die, &type) ? cf_type_size(&type) : 0;
    if (!cf_grow(&types->entries, types->count, sizeof(*types->entries)))
        return false;
    types->entries[types->count++] = (struct entry){at, at + (size ? size : 1), die->offset};
    return true;
}

/* The DIEs that can have a variable below them. */
static bool collect(struct cf_types *types, struct die *parent, int depth, uint64_t *last)
{
    struct die child;

    if (depth > NESTING_MAX || die_child(parent, &child) || !die_is_ahead(&child, last))
        return true;
    do {
        switch (die_tag(&child)) {
        case TAG_variable:
            if (!note_variable(types, &child))
                return false;
            break;
        case TAG_namespace:
        case TAG_module:
        case TAG_subprogram:
        case TAG_lexical_block:
        case TAG_common_block:
            if (!collect(types, &child, depth + 1, last))
                return false;
            break;
        default:
            break;
        }
    } while (!die_sibling(&child, &child) && die_is_ahead(&child, last));
    return true;
}

static int by_start(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    return x->start < y->start ? -1 : x->start > y->start;
}

static struct cf_types *types_of(struct cf_mod *m)
{
    uint64_t unit = 0, last;
    struct die root;

    if (m->types_tried || !m->dwfl)
        return m->types;
    m->types_tried = true;
    m->types = calloc(1, sizeof(*m->types));
    if (!m->types)
        return NULL;
    m->types->debuginfo = cf_debuginfo(m, &m->types->bias);
    while (m->types->debuginfo && !debuginfo_next_unit(m->types->debuginfo, &unit, &root)) {
        last = root.offset;
        if (!collect(m->types, &root, 0, &last))
            break;
    }
    if (m->types->count)
        qsort(m->types->entries, m->types->count, sizeof(*m->types->entries), by_start);
    return m->types;
}

/* "namespace::Class::" before the name; the function whose static variable it is. */
static void write_scope(struct die *die, FILE *out, char **function)
{
    struct die declared = *die, *scopes = NULL;
    int count;

    /* A static member is declared in its class and defined elsewhere. */
    (void)!die_reference(die, ATTR_specification, &declared);
    count = debuginfo_scopes_of(&declared, &scopes);
    for (int i = count - 1; i >= 0; i--) {
        const char *name = die_name(&scopes[i]);

        switch (die_tag(&scopes[i])) {
        case TAG_namespace:
        case TAG_module:
        case TAG_class_type:
        case TAG_structure_type:
        case TAG_union_type:
            if (!*function)
                fprintf(out, "%s::", name ? name : "(anonymous namespace)");
            break;
        case TAG_subprogram:
            if (!name)
                break;
            free(*function); /* the body of a construct stands within another function */
            *function = strdup(name);
            break;
        default:
            break;
        }
    }
    free(scopes);
}

void cf_write_variable(struct die *die, FILE *out, char **function)
{
    const char *name = die_name(die);

    write_scope(die, out, function);
    fputs(name ? name : "", out);
}

int cf_describe(struct die *die, uint64_t offset, struct cf_variable *ret)
{
    const char *file = die_file(die, ATTR_decl_file);
    struct cf_variable v = {.offset = offset};
    struct cf_part part;
    struct die type;
    int64_t line;
    long whole = -1; /* end of the variable's name when that is all */
    size_t size;
    FILE *out;
    int rc = 1;

    if (!die_name(die))
        return 1;
    out = open_memstream(&v.text, &size);
    if (!out)
        return 1;
    cf_write_variable(die, out, &v.function);
    if (!die_type(die, &type)) {
        bool fortran = cf_is_fortran(die);
        long end = ftell(out);

        rc = cf_type_path(&type, fortran, offset, out, &part);
        if (!rc) {
            /* The first byte of a thing that is no lock is the thing. */
            if (!part.lock && !offset && !(fortran && part.element))
                whole = end;
            v.lock = part.lock;
            v.type = part.type_name ? strdup(part.type_name) : NULL;
        }
    }
    if (fclose(out) || !v.text)
        rc = 1;
    else if (whole >= 0)
        v.text[whole] = '\0';
    if (rc) {
        cf_variable_free(&v);
        return 1;
    }
    v.file = file ? strdup(file) : NULL;
    if (!die_number(die, ATTR_decl_line, &line) && line > 0 && line <= INT32_MAX)
        v.line = (int)line;
    *ret = v;
    return 0;
}

void cf_each_static(struct cf_mod *m, int (*each)(struct die *die, uint64_t addr, void *arg), void *arg)
{
    const struct cf_types *types = types_of(m);
    struct die die;

    for (uint32_t i = 0; types && i < types->count; i++)
        if (!debuginfo_die(types->debuginfo, types->entries[i].die, &die) &&
            each(&die, types->entries[i].start + types->bias, arg))
            return;
}

/* Declared here, defined in another unit: where the linker has put it. */
static int declared(struct cf_target *t, struct die *die, uint64_t *ret)
{
    const char *symbol;

    if (!die_has(die, ATTR_declaration) || !die_has(die, ATTR_external))
        return 1;
    symbol = die_string(die, ATTR_linkage_name);
    if (!symbol)
        symbol = die_name(die);
    return symbol ? cf_lookup(t, symbol, NULL, ret) : 1;
}

static int visible_below(const struct cf_visible *v, struct die *parent, int depth, uint64_t *last)
{
    struct die child;
    int rc = 0;

    if (depth > NESTING_MAX || die_child(parent, &child) || !die_is_ahead(&child, last))
        return 0;
    do {
        uint64_t at;

        switch (die_tag(&child)) {
        case TAG_variable:
            if (!v->wanted(&child, v->arg))
                break;
            if (fixed_address(&child, &at) && at)
                rc = v->each(&child, at + v->bias, v->arg);
            else if (!declared(v->t, &child, &at))
                rc = v->each(&child, at, v->arg);
            break;
        case TAG_namespace:
        case TAG_module:
        case TAG_common_block:
            rc = visible_below(v, &child, depth + 1, last);
            break;
        default:
            break;
        }
    } while (!rc && !die_sibling(&child, &child) && die_is_ahead(&child, last));
    return rc;
}

void cf_each_visible(const struct cf_visible *visible, struct die *unit)
{
    uint64_t last = unit->offset;

    (void)visible_below(visible, unit, 0, &last);
}

int cf_expression(struct cf_target *t, uint64_t addr, struct cf_variable *ret)
{
    struct cf_mod *m = cf_dwfl(t) ? cf_module_at(t, addr) : NULL;
    struct cf_types *types = m ? types_of(m) : NULL;
    uint32_t low = 0, high = types ? types->count : 0;
    uint64_t at = types ? addr - types->bias : 0;
    struct die die;

    while (low < high) {
        uint32_t mid = low + (high - low) / 2;

        if (types->entries[mid].start <= at)
            low = mid + 1;
        else
            high = mid;
    }
    /* A COMMON block's variables and those with several names lie on top of each other: the nearest start
     * that covers. */
    for (uint32_t i = low; i > 0 && low - i < 64; i--) {
        const struct entry *e = &types->entries[i - 1];

        if (at < e->end && !debuginfo_die(types->debuginfo, e->die, &die) &&
            !cf_describe(&die, at - e->start, ret))
            return 0;
    }
    return 1;
}
