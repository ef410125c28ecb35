/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Global and static variables by address, through DWARF.
 */
#include "internal.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "typepath.h"

/** Where a variable lies, and its DIE. */
struct entry {
    uint64_t start, end; /**< as in the file */
    Dwarf_Off die;
};

/** The variables of one module, sorted by start. */
struct cf_types {
    Dwarf *dwarf;
    Dwarf_Addr bias;
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

/* The fixed address of a variable: DW_OP_addr or DW_OP_addrx, perhaps an offset (a Fortran COMMON's member). */
static bool fixed_address(Dwarf_Die *die, uint64_t *ret)
{
    Dwarf_Attribute attr, addr;
    Dwarf_Op *ops;
    size_t count;
    uint64_t at;

    if (!dwarf_attr(die, DW_AT_location, &attr) || dwarf_getlocation(&attr, &ops, &count) || !count ||
        count > 2)
        return false;
    if (ops[0].atom == DW_OP_addr)
        at = ops[0].number;
    else if (ops[0].atom != DW_OP_addrx && ops[0].atom != DW_OP_GNU_addr_index)
        return false;
    else if (dwarf_getlocation_attr(&attr, &ops[0], &addr) || dwarf_formaddr(&addr, &at))
        return false;
    if (count == 2) {
        if (ops[1].atom != DW_OP_plus_uconst)
            return false;
        at += ops[1].number;
    }
    *ret = at;
    return true;
}

static bool note_variable(struct cf_types *types, Dwarf_Die *die)
{
    Dwarf_Die type;
    uint64_t at, size;

    if (!fixed_address(die, &at) || !at)
        return true;
    size = cf_type_of(die, &type) ? cf_type_size(&type) : 0;
    if (!cf_grow(&types->entries, types->count, sizeof(*types->entries)))
        return false;
    types->entries[types->count++] = (struct entry){at, at + (size ? size : 1), dwarf_dieoffset(die)};
    return true;
}

/* The DIEs that can have a variable below them. */
static bool collect(struct cf_types *types, Dwarf_Die *parent, int depth)
{
    Dwarf_Die child;

    if (depth > NESTING_MAX || dwarf_child(parent, &child))
        return true;
    do {
        switch (dwarf_tag(&child)) {
        case DW_TAG_variable:
            if (!note_variable(types, &child))
                return false;
            break;
        case DW_TAG_namespace:
        case DW_TAG_module:
        case DW_TAG_subprogram:
        case DW_TAG_lexical_block:
        case DW_TAG_common_block:
            if (!collect(types, &child, depth + 1))
                return false;
            break;
        default:
            break;
        }
    } while (!dwarf_siblingof(&child, &child));
    return true;
}

static int by_start(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    return x->start < y->start ? -1 : x->start > y->start;
}

static struct cf_types *types_of(struct cf_target *t, struct cf_mod *m)
{
    Dwarf_Die *cu = NULL;
    Dwarf_Addr bias;

    if (m->types_tried || !m->dwfl)
        return m->types;
    m->types_tried = true;
    m->types = calloc(1, sizeof(*m->types));
    if (!m->types)
        return NULL;
    m->types->dwarf = cf_module_dwarf(t, m, &m->types->bias);
    if (m->types->dwarf)
        while ((cu = dwfl_module_nextcu(m->dwfl, cu, &bias)) != NULL)
            if (!collect(m->types, cu, 0))
                break;
    if (m->types->count)
        qsort(m->types->entries, m->types->count, sizeof(*m->types->entries), by_start);
    return m->types;
}

const char *cf_variable_name(Dwarf_Die *die)
{
    const char *name = dwarf_diename(die);
    Dwarf_Attribute attr;

    if (!name && dwarf_attr_integrate(die, DW_AT_name, &attr))
        name = dwarf_formstring(&attr);
    return name;
}

/* "namespace::Class::" before the name; the function whose static variable it is. */
static void write_scope(Dwarf_Die *die, FILE *out, char **function)
{
    Dwarf_Die declared = *die, *scopes = NULL;
    Dwarf_Attribute attr;
    int count;

    /* A static member is declared in its class and defined elsewhere. */
    if (dwarf_attr(die, DW_AT_specification, &attr))
        (void)dwarf_formref_die(&attr, &declared);
    count = dwarf_getscopes_die(&declared, &scopes);
    for (int i = count - 1; i > 0; i--) {
        const char *name = dwarf_diename(&scopes[i]);

        switch (dwarf_tag(&scopes[i])) {
        case DW_TAG_namespace:
        case DW_TAG_module:
        case DW_TAG_class_type:
        case DW_TAG_structure_type:
        case DW_TAG_union_type:
            if (!*function)
                fprintf(out, "%s::", name ? name : "(anonymous namespace)");
            break;
        case DW_TAG_subprogram:
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

void cf_write_variable(Dwarf_Die *die, FILE *out, char **function)
{
    const char *name = cf_variable_name(die);

    write_scope(die, out, function);
    fputs(name ? name : "", out);
}

int cf_describe(Dwarf_Die *die, uint64_t offset, struct cf_variable *ret)
{
    const char *file = cf_file_of(die, DW_AT_decl_file);
    struct cf_variable v = {.offset = offset};
    struct cf_part part;
    Dwarf_Die type;
    long whole = -1; /* end of the variable's name when that is all */
    size_t size;
    FILE *out;
    int rc = 1;

    if (!cf_variable_name(die))
        return 1;
    out = open_memstream(&v.text, &size);
    if (!out)
        return 1;
    cf_write_variable(die, out, &v.function);
    if (cf_type_of(die, &type)) {
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
    (void)dwarf_decl_line(die, &v.line);
    *ret = v;
    return 0;
}

void cf_each_static(struct cf_target *t, struct cf_mod *m,
                    int (*each)(Dwarf_Die *die, uint64_t addr, void *arg), void *arg)
{
    const struct cf_types *types = types_of(t, m);
    Dwarf_Die die;

    for (uint32_t i = 0; types && i < types->count; i++)
        if (dwarf_offdie(types->dwarf, types->entries[i].die, &die) &&
            each(&die, types->entries[i].start + types->bias, arg))
            return;
}

/* Declared here, defined in another unit: where the linker has put it. */
static int declared(struct cf_target *t, Dwarf_Die *die, uint64_t *ret)
{
    Dwarf_Attribute attr;
    const char *symbol;

    if (!dwarf_hasattr(die, DW_AT_declaration) || !dwarf_hasattr(die, DW_AT_external))
        return 1;
    symbol = dwarf_attr(die, DW_AT_linkage_name, &attr) ? dwarf_formstring(&attr) : dwarf_diename(die);
    return symbol ? cf_lookup(t, symbol, NULL, ret) : 1;
}

static int visible_below(const struct cf_visible *v, Dwarf_Die *parent, int depth)
{
    Dwarf_Die child;
    int rc = 0;

    if (depth > NESTING_MAX || dwarf_child(parent, &child))
        return 0;
    do {
        uint64_t at;

        switch (dwarf_tag(&child)) {
        case DW_TAG_variable:
            if (!v->wanted(&child, v->arg))
                break;
            if (fixed_address(&child, &at) && at)
                rc = v->each(&child, at + v->bias, v->arg);
            else if (!declared(v->t, &child, &at))
                rc = v->each(&child, at, v->arg);
            break;
        case DW_TAG_namespace:
        case DW_TAG_module:
        case DW_TAG_common_block:
            rc = visible_below(v, &child, depth + 1);
            break;
        default:
            break;
        }
    } while (!rc && !dwarf_siblingof(&child, &child));
    return rc;
}

void cf_each_visible(const struct cf_visible *visible, Dwarf_Die *unit)
{
    (void)visible_below(visible, unit, 0);
}

int cf_expression(struct cf_target *t, uint64_t addr, struct cf_variable *ret)
{
    struct cf_mod *m = cf_dwfl(t) ? cf_module_at(t, addr) : NULL;
    struct cf_types *types = m ? types_of(t, m) : NULL;
    uint32_t low = 0, high = types ? types->count : 0;
    uint64_t at = types ? addr - types->bias : 0;
    Dwarf_Die die;

    while (low < high) {
        uint32_t mid = low + (high - low) / 2;

        if (types->entries[mid].start <= at)
            low = mid + 1;
        else
            high = mid;
    }
    /* A COMMON block's variables and those with several names lie on top of each other: the nearest start that covers. */
    for (uint32_t i = low; i > 0 && low - i < 64; i--) {
        const struct entry *e = &types->entries[i - 1];

        if (at < e->end && dwarf_offdie(types->dwarf, e->die, &die) && !cf_describe(&die, at - e->start, ret))
            return 0;
    }
    return 1;
}
