/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Variables of static storage, through DWARF: by address, and those of one compilation unit.
 */
#include "corefiles/variables.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "corefiles/debugfile.h"
#include "corefiles/dwfl.h"
#include "corefiles/modules.h"
#include "corefiles/stack.h"
#include "corefiles/symbols.h"
#include "corefiles/strings.h"
#include "corefiles/tls.h"
#include "corefiles/type_text.h"
#include "corefiles/types.h"
#include "corefiles/units.h"
#include "inspect/base/hash.h"
#include "inspect/frames/function.h"

/** NAME_MAX_BYTES: inspect leaves out what has a longer name. */
enum { NESTING_MAX = 256, NAME_MAX_BYTES = 4096 };

/** What is around a variable: a namespace, a class, a module, a function. */
struct scope {
    const char *name; /**< NULL: anonymous */
    uint32_t parent;  /**< index + 1; 0: the unit */
    bool function;
};

struct scope_list {
    struct scope *list;
    uint32_t count;
};

struct static_variable {
    uint64_t start, end; /**< as in the file */
    uint64_t die;
    uint32_t scope; /**< index + 1; 0: the unit */
};

/** The static variables of one module, sorted by start. */
struct cf_statics {
    struct debuginfo *debuginfo;
    uint64_t bias;
    struct static_variable *list;
    uint32_t count;
    struct scope_list scopes;
};

/** The variables of one unit that are outside of functions. */
struct cf_unit_variables {
    struct cf_unit_variables *next;
    uint64_t unit;
    struct die cu;
    uint64_t bias;
    bool listed;
    struct unit_variable {
        struct die die;
        uint64_t at; /**< 0: declared, or thread-local */
        uint32_t scope;
        bool is_thread_local;
    } * list;
    uint32_t count;
    struct scope_list scopes;
};

void cf_statics_free(struct cf_statics *statics)
{
    if (!statics)
        return;
    free(statics->list);
    free(statics->scopes.list);
    free(statics);
}

void cf_unit_variables_free(struct cf_unit_variables *variables)
{
    while (variables) {
        struct cf_unit_variables *next = variables->next;

        free(variables->list);
        free(variables->scopes.list);
        free(variables);
        variables = next;
    }
}

/* The fixed address of a variable: OP_addr, perhaps an offset (a Fortran COMMON's member). */
static bool fixed_address(const struct die *die, uint64_t *ret)
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
    return at != 0;
}

static bool is_thread_local(const struct die *die)
{
    struct die_operation ops[2];
    int count;

    return die_has(die, ATTR_location) &&
           !die_operations(die, ATTR_location, DIE_EVERYWHERE, ops, 2, &count) && count == 2 &&
           (ops[1].code == OP_form_tls_address || ops[1].code == OP_GNU_push_tls_address);
}

/** A walk through a unit for its variables. */
struct walk {
    struct scope_list *scopes;
    bool functions; /**< into those too */
    bool (*each)(struct die *die, uint32_t scope, void *arg);
    void *arg;
    uint32_t *found;       /**< variables, to drop scopes that have none */
    uint64_t *last;        /**< for die_is_ahead */
    struct hash *declared; /**< scopes of the unit's variables that are declared, by the DIE's offset */
};

static bool below(const struct walk *w, struct die *parent, uint32_t scope, int depth);

/* A variable of a namespace is declared in it and may be defined elsewhere in the unit. */
static bool found_variable(const struct walk *w, struct die *die, uint32_t scope)
{
    struct die declared;
    uint64_t *other;

    if (scope && die_has(die, ATTR_declaration)) {
        other = hash_add(w->declared, die->offset, NULL);
        if (!other)
            return false;
        *other = scope;
    }
    if (!scope && die_has(die, ATTR_specification) && !die_reference(die, ATTR_specification, &declared) &&
        declared.of == die->of && (other = hash_find(w->declared, declared.offset, NULL)))
        scope = (uint32_t)*other;
    if (die_has(die, ATTR_location) || die_has(die, ATTR_declaration))
        ++*w->found;
    return w->each(die, scope, w->arg);
}

static bool in_scope(const struct walk *w, struct die *die, uint32_t scope, int depth)
{
    const uint32_t found = *w->found, count = w->scopes->count;

    if (!cf_grow(&w->scopes->list, count, sizeof(*w->scopes->list)))
        return false;
    w->scopes->list[count] = die_tag(die) == TAG_subprogram
                                 ? (struct scope){cf_function_name(die), scope, true}
                                 : (struct scope){die_name(die), scope, false};
    w->scopes->count++;
    if (!below(w, die, count + 1, depth + 1))
        return false;
    if (*w->found == found)
        w->scopes->count = count; /* most functions have no static variable */
    return true;
}

static bool below(const struct walk *w, struct die *parent, uint32_t scope, int depth)
{
    struct die child;
    bool ok = true;

    if (depth > NESTING_MAX || die_child(parent, &child) || !die_is_ahead(&child, w->last))
        return true;
    do {
        switch (die_tag(&child)) {
        case TAG_variable:
            ok = found_variable(w, &child, scope);
            break;
        case TAG_namespace:
        case TAG_module:
            ok = in_scope(w, &child, scope, depth);
            break;
        case TAG_subprogram:
            ok = !w->functions || in_scope(w, &child, scope, depth);
            break;
        case TAG_lexical_block:
            ok = !w->functions || below(w, &child, scope, depth + 1);
            break;
        case TAG_common_block:
            ok = below(w, &child, scope, depth + 1);
            break;
        default:
            break;
        }
    } while (ok && !die_sibling(&child, &child) && die_is_ahead(&child, w->last));
    return ok;
}

/* False out of memory. */
static bool walk_unit(struct die *unit, struct scope_list *scopes, bool functions,
                      bool (*each)(struct die *die, uint32_t scope, void *arg), void *arg)
{
    struct hash declared = {0};
    uint32_t found = 0;
    uint64_t last = unit->offset;
    const struct walk walk = {scopes, functions, each, arg, &found, &last, &declared};
    bool ok = below(&walk, unit, 0, 0);

    hash_free(&declared);
    return ok;
}

static bool note_static(struct die *die, uint32_t scope, void *arg)
{
    struct cf_statics *statics = arg;
    struct die type;
    uint64_t at, size;

    if (!fixed_address(die, &at))
        return true;
    size = die_type(die, &type) ? 0 : cf_type_size(&type);
    if (!cf_grow(&statics->list, statics->count, sizeof(*statics->list)))
        return false;
    statics->list[statics->count++] =
        (struct static_variable){at, at + (size ? size : 1), die->offset, scope};
    return true;
}

static int by_start(const void *a, const void *b)
{
    const struct static_variable *x = a, *y = b;

    return x->start < y->start ? -1 : x->start > y->start;
}

static const struct cf_statics *statics_of(struct cf_mod *m)
{
    uint64_t at = 0;
    struct die unit;

    if (m->statics || !cf_dwfl_module(m))
        return m->statics;
    m->statics = calloc(1, sizeof(*m->statics));
    if (!m->statics)
        return NULL;
    m->statics->debuginfo = cf_debuginfo(m, &m->statics->bias);
    while (m->statics->debuginfo && !debuginfo_next_unit(m->statics->debuginfo, &at, &unit))
        if (!walk_unit(&unit, &m->statics->scopes, true, note_static, m->statics))
            break;
    if (m->statics->count)
        qsort(m->statics->list, m->statics->count, sizeof(*m->statics->list), by_start);
    return m->statics;
}

static const char *scope_name(const struct scope *s)
{
    return s->name ? s->name : "(anonymous namespace)";
}

/* "namespace::module::", malloc'ed; *function: whose variable it is, which then has no such thing before
   its name. NULL: out of memory, or longer than a name may be. */
static char *scope_text(const struct scope_list *scopes, uint32_t scope, const char **function)
{
    size_t length = 0;
    char *text;

    *function = NULL;
    for (uint32_t at = scope; at; at = scopes->list[at - 1].parent) {
        const struct scope *s = &scopes->list[at - 1];

        if (s->function && s->name) {
            *function = s->name;
            return strdup("");
        }
        /* All scopes of a hostile file may have one name of megabytes. */
        length += s->function ? 0 : strnlen(scope_name(s), NAME_MAX_BYTES) + 2;
        if (length > NAME_MAX_BYTES)
            return NULL;
    }
    text = malloc(length + 1);
    if (!text)
        return NULL;
    text[length] = '\0';
    for (uint32_t at = scope; at; at = scopes->list[at - 1].parent) {
        const struct scope *s = &scopes->list[at - 1];
        const size_t own = s->function ? 0 : strlen(scope_name(s));

        if (s->function)
            continue;
        length -= own + 2;
        memcpy(text + length, scope_name(s), own);
        memcpy(text + length + own, "::", 2);
    }
    return text;
}

/* A static member is declared in its class and defined elsewhere: only its linker's name tells both. */
static char *declared_name(const struct die *die)
{
    const char *symbol = die_has(die, ATTR_specification) ? die_string(die, ATTR_linkage_name) : NULL;

    return symbol ? function_demangled(symbol) : NULL;
}

int cf_variable(struct cf_target *t, const struct cf_variable *v, struct insp_variable *ret)
{
    struct die die = v->die, type;
    const char *own = die_name(&die), *file = die_file(&die, ATTR_decl_file);
    struct insp_variable variable = {.function = v->function,
                                     .address = v->location.at,
                                     .is_value = v->location.is_value,
                                     .depth = v->depth};
    int64_t line;
    char *name;

    if (!own || strnlen(own, NAME_MAX_BYTES) == NAME_MAX_BYTES || die_type(&die, &type))
        return 1;
    name = v->function ? NULL : declared_name(&die);
    if (!name)
        name = cf_format("%s%s", v->scope && !v->function ? v->scope : "", own);
    variable.name = cf_say(t, CF_SAY_VARIABLE, name);
    if (v->declared && !(variable.symbol = die_string(&die, ATTR_linkage_name)))
        variable.symbol = own;
    variable.file = cf_say(t, CF_SAY_VARIABLE_FILE, file ? strdup(file) : NULL);
    if (!die_number(&die, ATTR_decl_line, &line) && line > 0 && line <= INT32_MAX)
        variable.line = (int32_t)line;
    variable.type = cf_type_number(t, &type);
    if (!variable.name || !variable.type)
        return 1;
    *ret = variable;
    return 0;
}

static int in_scope_list(struct cf_target *t, const struct scope_list *scopes, uint32_t scope,
                         struct cf_variable *v, struct insp_variable *ret)
{
    char *text = scope_text(scopes, scope, &v->function);
    int rc;

    if (!text)
        return 1;
    v->scope = text;
    rc = cf_variable(t, v, ret);
    free(text);
    return rc;
}

int cf_host_variable_at(struct cf_target *t, uint64_t addr, uint32_t index, struct insp_variable *ret)
{
    /* So many are looked at: a COMMON block's variables and those with several names lie on top of each
       other. */
    enum { COVERING_MAX = 64 };
    struct cf_mod *m = !t->nameless ? cf_module_at(t, addr) : NULL;
    const struct cf_statics *statics = m ? statics_of(m) : NULL;
    uint32_t low = 0, high = statics ? statics->count : 0;
    uint64_t at = statics ? addr - statics->bias : 0;

    while (low < high) {
        uint32_t mid = low + (high - low) / 2;

        if (statics->list[mid].start <= at)
            low = mid + 1;
        else
            high = mid;
    }
    for (uint32_t i = low; i > 0 && low - i < COVERING_MAX; i--) {
        const struct static_variable *s = &statics->list[i - 1];
        struct cf_variable v = {.location.at = s->start + statics->bias};

        if (at < s->end && !debuginfo_die(statics->debuginfo, s->die, &v.die) && die_name(&v.die) && !index--)
            return in_scope_list(t, &statics->scopes, s->scope, &v, ret);
    }
    return 1;
}

static bool note_of_unit(struct die *die, uint32_t scope, void *arg)
{
    struct cf_unit_variables *v = arg;
    const bool own = is_thread_local(die);
    uint64_t at;

    if (fixed_address(die, &at))
        at += v->bias;
    else if (own || (die_has(die, ATTR_declaration) && die_has(die, ATTR_external)))
        at = 0; /* else defined in another unit */
    else
        return true;
    if (!cf_grow(&v->list, v->count, sizeof(*v->list)))
        return false;
    v->list[v->count++] = (struct unit_variable){*die, at, scope, own};
    return true;
}

int cf_host_unit(struct cf_target *t, uint64_t pc, uint64_t *ret)
{
    struct cf_unit_variables *v;
    uint64_t bias;
    struct die cu;

    if (t->nameless || cf_unit_at(t, pc, &cu, &bias))
        return 1;
    for (v = t->unit_variables; v && !die_same(&v->cu, &cu); v = v->next)
        ;
    if (!v) {
        v = calloc(1, sizeof(*v));
        if (!v)
            return -1;
        *v = (struct cf_unit_variables){.next = t->unit_variables, .cu = cu, .bias = bias};
        v->unit = v->next ? v->next->unit + 1 : 1;
        t->unit_variables = v;
    }
    *ret = v->unit;
    return 0;
}

/* Its variables are listed; NULL: there is no such unit. */
static struct cf_unit_variables *variables_of(struct cf_target *t, uint64_t unit)
{
    struct cf_unit_variables *v = t->unit_variables;

    while (v && v->unit != unit)
        v = v->next;
    if (v && !v->listed) {
        v->listed = true;
        (void)walk_unit(&v->cu, &v->scopes, false, note_of_unit, v);
    }
    return v;
}

/* 1: it has no name or no type. */
static int tell(struct cf_target *t, const struct cf_unit_variables *v, uint32_t index,
                struct insp_variable *ret)
{
    const struct unit_variable *one = &v->list[index];
    struct cf_variable variable = {
        .die = one->die, .location.at = one->at, .declared = !one->at && !one->is_thread_local};

    return in_scope_list(t, &v->scopes, one->scope, &variable, ret);
}

int cf_host_unit_variable(struct cf_target *t, uint64_t unit, uint32_t index, struct insp_variable *ret)
{
    const struct cf_unit_variables *v = variables_of(t, unit);

    if (!v || index >= v->count)
        return 1;
    /* One without a name or a type is listed all the same: others are behind it. */
    if (v->list[index].is_thread_local || tell(t, v, index, ret))
        *ret = (struct insp_variable){0};
    return 0;
}

/* Is NAME what the source calls a variable whose whole name is WHOLE? *short_one: without its module. */
static bool is_called(const char *whole, const char *name, bool fortran, bool *short_one)
{
    const char *last = fortran && !strchr(name, ':') ? strrchr(whole, ':') : NULL;

    *short_one = last != NULL;
    return fortran ? !strcasecmp(last ? last + 1 : whole, name) : !strcmp(whole, name);
}

/* An index of the list; -1: none, or several modules have one. */
static int64_t index_of(struct cf_target *t, const struct cf_unit_variables *v, const char *name)
{
    const bool fortran = cf_type_is_fortran(&v->cu);
    int64_t found = -1;

    for (uint32_t i = 0; i < v->count; i++) {
        const bool defined = v->list[i].at || v->list[i].is_thread_local;
        struct insp_variable variable;
        bool short_one;

        if (tell(t, v, i, &variable) || !is_called(variable.name, name, fortran, &short_one))
            continue;
        if (short_one && found >= 0 && v->list[found].scope != v->list[i].scope)
            return -1;
        /* A definition may stand behind its declaration. */
        if (found < 0 || defined)
            found = i;
        if (!short_one && defined)
            break;
    }
    return found;
}

int cf_unit_static(struct cf_target *t, int64_t lwp, uint64_t pc, const char *name, struct cf_static *ret)
{
    struct cf_unit_variables *v;
    const char *symbol;
    uint64_t unit, at;
    int64_t found;

    if (cf_host_unit(t, pc, &unit) || !(v = variables_of(t, unit)) || (found = index_of(t, v, name)) < 0)
        return 1;
    at = v->list[found].at;
    *ret = (struct cf_static){.die = v->list[found].die, .is_thread_local = v->list[found].is_thread_local};
    if (ret->is_thread_local)
        return 0;
    if (!at) {
        symbol = die_string(&ret->die, ATTR_linkage_name);
        symbol = symbol ? symbol : die_name(&ret->die);
        if (!symbol || (cf_lookup(t, symbol, NULL, &at) && cf_lookup_tls(t, lwp, symbol, NULL, &at)))
            return 0;
    }
    ret->placed = true;
    ret->place.at = at;
    return 0;
}
