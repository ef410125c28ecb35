/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Frames with names: function, source line, and the functions that the compiler has inlined into it.
 */
#include "corefiles/stack.h"

#include <stdlib.h>
#include <string.h>

#include "corefiles/debuginfo/debuginfo.h"
#include "corefiles/debuginfo/scopes.h"
#include "corefiles/modulefile.h"
#include "corefiles/modules.h"
#include "corefiles/symbols.h"
#include "corefiles/target.h"
#include "corefiles/strings.h"
#include "corefiles/threads.h"
#include "corefiles/units.h"
#include "corefiles/unwind.h"
#include "inspect/base/hash.h"
#include "inspect/frames/function.h"

struct call {
    struct cf_target *t;
    int (*each)(const struct cf_frame *frame, void *arg);
    void *arg;
    uint32_t max, count;
};

static bool tell(struct call *c, struct cf_frame *frame)
{
    char *name = frame->symbol ? function_spelled(frame->symbol) : NULL;
    bool more;

    frame->function = name ? name : frame->symbol;
    c->count++;
    more = !c->each(frame, c->arg) && (!c->max || c->count < c->max);
    free(name);
    frame->function = NULL;
    return more;
}

const char *cf_function_name(struct die *die)
{
    static const unsigned linkage[] = {ATTR_linkage_name, ATTR_MIPS_linkage_name};
    const char *name = NULL;

    for (size_t i = 0; !name && i < sizeof(linkage) / sizeof(*linkage); i++)
        name = die_string(die, linkage[i]);
    return name ? name : die_name(die);
}

/* Where an inlined function was called from: becomes the line of the frame around it. */
static void call_site(struct die *inlined, const char **file, int32_t *line)
{
    int64_t number;

    *line = 0;
    if (!die_number(inlined, ATTR_call_line, &number) && number > 0 && number <= INT32_MAX)
        *line = (int32_t)number;
    *file = die_file(inlined, ATTR_call_file);
}

struct cf_inlined {
    struct hash at; /**< index + 1 by address: many threads wait at few places */
    struct cf_scopes **scopes;
    size_t count;
    struct hash by_die; /**< index + 1 of blocks, by file and offset */
    struct known_block {
        struct die die;
        struct cf_block variables;
    } * *blocks;
    size_t block_count;
    struct hash by_unit; /**< index + 1 of units, by file and offset */
    struct known_unit {
        struct die die;
        struct debuginfo_functions *functions;
    } * units;
    size_t unit_count;
};

void cf_inlined_free(struct cf_inlined *inlined)
{
    if (!inlined)
        return;
    for (size_t i = 0; i < inlined->count; i++) {
        free(inlined->scopes[i]->dies);
        free(inlined->scopes[i]);
    }
    for (size_t i = 0; i < inlined->block_count; i++) {
        free(inlined->blocks[i]->variables.variables);
        free(inlined->blocks[i]);
    }
    for (size_t i = 0; i < inlined->unit_count; i++)
        debuginfo_functions_free(inlined->units[i].functions);
    hash_free(&inlined->by_unit);
    free(inlined->units);
    hash_free(&inlined->by_die);
    free(inlined->blocks);
    hash_free(&inlined->at);
    free(inlined->scopes);
    free(inlined);
}

static struct debuginfo_functions *functions_of(struct cf_inlined *known, const struct die *unit)
{
    uint64_t key = hash_mix((uintptr_t)unit->of, unit->offset), *index;

    for (; (index = hash_add(&known->by_unit, key, NULL)); key++) {
        if (!*index) {
            struct known_unit *grown = array_grow(known->units, known->unit_count, sizeof(*grown));

            if (!grown)
                return NULL;
            known->units = grown;
            grown[known->unit_count] = (struct known_unit){*unit, debuginfo_functions_new()};
            *index = ++known->unit_count;
        }
        if (die_same(&known->units[*index - 1].die, unit))
            return known->units[*index - 1].functions;
    }
    return NULL;
}

static void find_scopes(struct cf_target *t, uint64_t pc, const struct die *unit, uint64_t bias,
                        struct cf_scopes *ret)
{
    struct debuginfo_functions *functions = functions_of(t->inlined, unit);
    const bool cut = functions && debuginfo_functions_cut(functions);
    const struct cf_mod *m = cf_module_at(t, pc);

    if (!functions)
        return;
    ret->count = debuginfo_scopes_at(unit, functions, pc - bias, &ret->dies);
    if (!cut && debuginfo_functions_cut(functions) && m)
        cf_file_problem(t, m, CF_FILE_DEBUG,
                        cf_format("Part of the debug information of %s is not read.", m->path),
                        cf_format("One of its units has more entries than are looked at."),
                        cf_format("Names of inlined functions and of variables may be missing."));
}

static struct cf_scopes *new_scopes(struct cf_target *t, uint64_t pc)
{
    struct cf_inlined *known = t->inlined;
    struct cf_scopes **grown = array_grow(known->scopes, known->count, sizeof(*grown)), *ret;
    struct die unit;
    uint64_t bias;

    if (!grown)
        return NULL;
    known->scopes = grown;
    ret = calloc(1, sizeof(*ret));
    if (!ret)
        return NULL;
    if (!cf_unit_at(t, pc, &unit, &bias))
        find_scopes(t, pc, &unit, bias, ret);
    grown[known->count++] = ret;
    return ret;
}

const struct cf_scopes *cf_scopes_of(struct cf_target *t, uint64_t pc)
{
    struct cf_scopes *ret;
    uint64_t *at;

    if (!t->inlined)
        t->inlined = calloc(1, sizeof(*t->inlined));
    at = t->inlined ? hash_add(&t->inlined->at, pc, NULL) : NULL;
    if (!at)
        return NULL;
    if (*at)
        return t->inlined->scopes[*at - 1];
    ret = new_scopes(t, pc);
    if (ret)
        *at = t->inlined->count;
    return ret;
}

static void list_variables(struct die *block, struct cf_block *ret)
{
    struct die child;
    uint64_t last = 0;

    if (die_child(block, &child))
        return;
    do {
        const unsigned tag = die_tag(&child);

        if (tag != TAG_variable && tag != TAG_formal_parameter)
            continue;
        if (ret->count == CF_VARIABLES_MAX || !cf_grow(&ret->variables, ret->count, sizeof(*ret->variables)))
            return;
        ret->variables[ret->count++] = child;
    } while (!die_sibling(&child, &child) && die_is_ahead(&child, &last));
}

const struct cf_block *cf_block_of(struct cf_target *t, struct die *block)
{
    struct cf_inlined *known = t->inlined ? t->inlined : (t->inlined = calloc(1, sizeof(*known)));
    uint64_t key = hash_mix((uintptr_t)block->of, block->offset), *index;

    for (; known && (index = hash_add(&known->by_die, key, NULL)); key++) {
        if (!*index) {
            struct known_block **grown = array_grow(known->blocks, known->block_count, sizeof(*grown));
            struct known_block *added = grown ? calloc(1, sizeof(*added)) : NULL;

            known->blocks = grown ? grown : known->blocks;
            if (!added)
                return NULL;
            added->die = *block;
            list_variables(block, &added->variables);
            grown[known->block_count++] = added;
            *index = known->block_count;
        }
        if (die_same(&known->blocks[*index - 1]->die, block))
            return &known->blocks[*index - 1]->variables;
    }
    return NULL;
}

static int named(const struct cf_raw_frame *raw, void *arg)
{
    struct call *c = arg;
    struct cf_target *t = c->t;
    const uint64_t pc = cf_frame_code(raw);
    struct cf_mod *m = cf_module_at(t, pc);
    struct cf_frame frame = {.pc = raw->pc, .cfa = raw->cfa};
    const struct cf_scopes *scopes = cf_scopes_of(t, pc);
    struct die *nested = scopes ? scopes->dies : NULL;
    const int count = scopes ? scopes->count : 0;
    bool more = true;
    int i;

    if (m) {
        frame.module = m->path;
        frame.module_base = m->base;
    }
    (void)!cf_line_at(t, pc, false, &frame.file, &frame.line);
    for (i = 0; more && i < count && die_tag(&nested[i]) != TAG_subprogram; i++) {
        struct cf_frame inner = frame;

        if (die_tag(&nested[i]) != TAG_inlined_subroutine)
            continue;
        inner.symbol = cf_function_name(&nested[i]);
        inner.declared = die_file(&nested[i], ATTR_decl_file);
        inner.inlined = 1;
        more = tell(c, &inner);
        call_site(&nested[i], &frame.file, &frame.line);
    }
    if (i < count)
        frame.declared = die_file(&nested[i], ATTR_decl_file);
    if (!cf_symbol_at(t, pc, &frame.symbol, &frame.offset))
        frame.offset += raw->pc - pc;
    else if (i < count)
        frame.symbol = cf_function_name(&nested[i]);
    if (more)
        more = tell(c, &frame);
    return more ? 0 : 1;
}

int cf_stack(struct cf_target *t, int64_t lwp, uint32_t max,
             int (*each)(const struct cf_frame *frame, void *arg), void *arg, const char **why)
{
    struct call call = {t, each, arg, max, 0};
    struct cf_thread *th = cf_thread_of(t, lwp);

    *why = NULL;
    if (!th) {
        *why = "there is no such thread";
        return -1;
    }
    return cf_unwind(t, th, 0, named, &call, why);
}
