/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The variables of the function of a frame, through DWARF. inspect asks for one after the other: a stack is
 * unwound once.
 */
#include "corefiles/locals.h"

#include <stdlib.h>
#include <string.h>

#include "machine/arch.h"
#include "corefiles/expression.h"
#include "corefiles/frames.h"
#include "corefiles/stack.h"
#include "corefiles/strings.h"
#include "corefiles/threads.h"
#include "corefiles/type_text.h"
#include "corefiles/units.h"
#include "corefiles/unwind.h"
#include "corefiles/value.h"
#include "corefiles/variables.h"

/** As cf_host_frame lists them. */
enum { FRAMES_MAX = 1024 };

/* Variables of a frame that are shown to people: inspect asks for no more. */
enum { LOCALS_MAX = 65 };

/** A frame of the machine's, with its registers. */
struct machine_frame {
    struct cf_raw_frame raw;
    uint64_t reg[CF_REGISTERS];
    uint32_t
        first; /**< the index of what is inlined into it most deeply, or its own, as cf_host_frame counts */
};

/** One thread's frames, and the variables of one of them. */
struct cf_locals {
    int64_t lwp;
    struct machine_frame *frames;
    uint32_t frame_count, count; /**< count: with those inlined */
    uint32_t frame;              /**< of which the variables are listed */
    bool listed;
    struct cf_variable *list;
    uint32_t variable_count;
    /** The same for people: of the frame number `shown`, if `told`. */
    uint32_t shown, local_count;
    bool told;
    struct insp_local local[LOCALS_MAX]; /**< malloc'ed strings, but for `why` */
};

static void forget(struct cf_locals *l)
{
    for (uint32_t i = 0; i < l->local_count; i++) {
        free((char *)l->local[i].name);
        free((char *)l->local[i].type);
        free((char *)l->local[i].value);
    }
    l->local_count = 0;
    l->told = false;
}

void cf_locals_free(struct cf_locals *locals)
{
    if (!locals)
        return;
    forget(locals);
    free(locals->frames);
    free(locals->list);
    free(locals);
}

static uint32_t inlined_count(const struct cf_scopes *scopes)
{
    uint32_t n = 0;

    for (int i = 0; scopes && i < scopes->count && die_tag(&scopes->dies[i]) != TAG_subprogram; i++)
        n += die_tag(&scopes->dies[i]) == TAG_inlined_subroutine;
    return n;
}

struct unwinding {
    struct cf_target *t;
    struct cf_locals *locals;
    uint64_t inner; /* address in the instruction of the frame before */
};

/* The unwinder leaves out a register that the inner function's rules do not mention: that function has not
   touched it. Where there are no rules nobody knows what it has touched. */
static void inherit(const struct unwinding *u, struct machine_frame *f)
{
    const struct machine_frame *inner = f - 1;
    const uint64_t missing = cf_kept_registers(u->t) & inner->raw.known & ~f->raw.known;

    if (!missing || !cf_has_rules(u->t, u->inner))
        return;
    for (int i = 0; i < CF_REGISTERS; i++)
        if (missing >> i & 1)
            f->reg[i] = inner->reg[i];
    f->raw.known |= missing;
}

static int note_frame(const struct cf_raw_frame *raw, void *arg)
{
    struct unwinding *u = arg;
    struct cf_locals *l = u->locals;
    struct machine_frame *f;

    if (!cf_grow(&l->frames, l->frame_count, sizeof(*l->frames)))
        return 1;
    f = &l->frames[l->frame_count++];
    f->raw = *raw;
    for (int i = 0; i < CF_REGISTERS; i++)
        f->reg[i] = raw->known >> i & 1 ? raw->reg[i] : 0;
    if (l->frame_count > 1)
        inherit(u, f);
    u->inner = cf_frame_code(raw);
    f->first = l->count;
    l->count += 1 + inlined_count(cf_scopes_of(u->t, cf_frame_code(raw)));
    return l->count >= FRAMES_MAX;
}

/* A frame base is an address, also where it is said to be in a register. */
static uint64_t frame_base(const struct cf_eval_context *context, const struct die *function, uint64_t pc)
{
    struct cf_location location;

    return cf_evaluate(context, function, ATTR_frame_base, pc, &location) ? 0 : location.at;
}

/* The blocks of a function, inlined or not, around the place where a frame stands. */
struct frame_scopes {
    struct cf_raw_frame raw;
    struct cf_eval_context context;
    struct die *block; /* innermost first; the last one is the function */
    int count;
};

/* Of the function that is LEVEL inlined ones outside of the innermost one at frame F. */
static bool scopes_of(struct cf_target *t, const struct machine_frame *f, uint32_t level,
                      struct frame_scopes *ret)
{
    uint64_t pc = cf_frame_code(&f->raw);
    const struct cf_scopes *scopes = cf_scopes_of(t, pc);
    int function = 0, first = 0, last;
    struct die cu;

    *ret =
        (struct frame_scopes){.raw = f->raw, .context = {.t = t, .frame = &ret->raw, .lwp = t->locals->lwp}};
    ret->raw.reg = f->reg;
    if (!scopes)
        return false;
    while (function < scopes->count && die_tag(&scopes->dies[function]) != TAG_subprogram)
        function++;
    if (function == scopes->count || cf_unit_at(t, pc, &cu, &ret->context.bias))
        return false;
    ret->context.pc = pc - ret->context.bias;
    for (last = 0; last < function; last++)
        if (die_tag(&scopes->dies[last]) == TAG_inlined_subroutine) {
            if (!level--)
                break;
            first = last + 1;
        }
    ret->context.frame_base = frame_base(&ret->context, &scopes->dies[function], ret->context.pc);
    ret->block = scopes->dies + first;
    ret->count = last - first + 1;
    return true;
}

/* Those of a function or block that have a place now; *LEFT: so many are still looked at. */
static void list_block(const struct cf_eval_context *context, struct die *block, struct cf_variable v,
                       uint32_t *left, struct cf_locals *l)
{
    const struct cf_block *of = cf_block_of(context->t, block);

    for (uint32_t i = 0; of && i < of->count && *left; i++, --*left) {
        v.die = of->variables[i];
        if (cf_evaluate(context, &v.die, ATTR_location, context->pc, &v.location))
            continue;
        if (!cf_grow(&l->list, l->variable_count, sizeof(*l->list)))
            return;
        l->list[l->variable_count++] = v;
    }
}

static void list_frame(struct cf_target *t, struct cf_locals *l, const struct machine_frame *f,
                       uint32_t level)
{
    struct frame_scopes scopes;
    uint32_t left = CF_VARIABLES_MAX;

    if (!scopes_of(t, f, level, &scopes))
        return;
    for (int i = 0; i < scopes.count; i++) {
        const struct cf_variable v = {.depth = i,
                                      .function = cf_function_name(&scopes.block[scopes.count - 1])};

        list_block(&scopes.context, &scopes.block[i], v, &left, l);
    }
}

/* What compilers add for themselves. `this` is artificial too, and arrays that gfortran passes. */
static bool is_compilers(const struct die *variable, const char *name)
{
    return strchr(name, '.') || !strncmp(name, "__context", 9) ||
           (*name == '_' && die_has(variable, ATTR_artificial));
}

static void tell(const struct cf_eval_context *context, struct die *die, int depth, struct cf_locals *l)
{
    enum { NAME_MOST = 256 };
    const uint32_t asked = context->t->options.elements;
    const char *name = die_name(die);
    struct insp_local *one = &l->local[l->local_count];
    struct cf_location place;
    struct die type;
    uint32_t elements;
    int64_t constant;

    if (!name || !*name || is_compilers(die, name))
        return;
    *one = (struct insp_local){
        .name = strndup(name, NAME_MOST), .argument = die_tag(die) == TAG_formal_parameter, .depth = depth};
    l->local_count++;
    if (die_type(die, &type)) {
        one->why = "of no type that is known";
        return;
    }
    one->type = cf_type_text(&type);
    elements = asked > CF_ELEMENTS_MAX ? CF_ELEMENTS_MAX : asked ? asked : CF_ELEMENTS;
    if (!cf_evaluate(context, die, ATTR_location, context->pc, &place))
        one->value = cf_value_text(context, &type, &place, elements);
    else if (!die_number(die, ATTR_const_value, &constant))
        one->value = cf_value_text(context, &type, &(struct cf_location){(uint64_t)constant, true}, elements);
    else
        one->why = cf_unplaced(die, context->pc);
}

/* The variable NAME of the innermost block that has one, and how many blocks that leaves; NULL none. */
static struct die *find_local(const struct frame_scopes *scopes, const char *name, int *depth)
{
    for (int i = 0; i < scopes->count; i++) {
        const struct cf_block *of = cf_block_of(scopes->context.t, &scopes->block[i]);

        for (uint32_t k = 0; of && k < of->count; k++) {
            const char *own = die_name(&of->variables[k]);

            if (own && !strcmp(own, name)) {
                *depth = i;
                return &of->variables[k];
            }
        }
    }
    return NULL;
}

/* Fills ONE, which has a name, from the variable DIE at PLACE, NULL: where it says itself. */
static void tell_value(const struct frame_scopes *scopes, const struct cf_expression *e, struct die *die,
                       const struct cf_location *known, struct insp_local *one)
{
    const struct cf_eval_context *context = &scopes->context;
    const uint32_t asked = context->t->options.elements;
    struct cf_location place;
    struct die type;
    int64_t constant;

    one->why = "of no type that is known";
    if (die_type(die, &type))
        return;
    if (known) {
        place = *known;
    } else if (cf_evaluate(context, die, ATTR_location, context->pc, &place)) {
        one->why = cf_unplaced(die, context->pc);
        if (die_number(die, ATTR_const_value, &constant))
            return;
        place = (struct cf_location){(uint64_t)constant, true};
    }
    if (cf_expression_follow(context, e, &type, &place, &one->why))
        return;
    one->why = NULL;
    one->type = cf_type_text(&type);
    one->value = cf_value_text(context, &type, &place,
                               asked > CF_ELEMENTS_MAX ? CF_ELEMENTS_MAX
                               : asked                 ? asked
                                                       : CF_ELEMENTS);
}

/* clang hands a construct's body a reference to the primary thread's copy of what copyin names, under the
   name and line of the thread-local variable. */
static bool is_copyins(const struct die *parameter, const struct cf_static *variable)
{
    const char *file = die_file(parameter, ATTR_decl_file), *other = die_file(&variable->die, ATTR_decl_file);
    int64_t line, its;

    return variable->is_thread_local && die_tag(parameter) == TAG_formal_parameter && file && other &&
           !strcmp(file, other) && !die_number(parameter, ATTR_decl_line, &line) &&
           !die_number(&variable->die, ATTR_decl_line, &its) && line == its;
}

/* The value of the expression that was asked for, if it means something in the frame's function. */
static void tell_expression(struct cf_target *t, struct cf_locals *l, const struct machine_frame *f,
                            uint32_t level)
{
    struct insp_local *one = &l->local[0];
    struct frame_scopes scopes;
    struct cf_static variable;
    struct cf_expression e;
    struct die *die;
    const char *why;
    bool is_static;
    int depth = -1;

    if (!scopes_of(t, f, level, &scopes) || cf_expression_parse(t->options.expression, &e, &why))
        return;
    die = find_local(&scopes, e.name, &depth);
    is_static = (!die || die_tag(die) == TAG_formal_parameter) &&
                !cf_unit_static(t, l->lwp, cf_frame_code(&f->raw), e.name, &variable);
    if (!die && !is_static)
        return;
    if (die && is_static && is_copyins(die, &variable)) {
        die = NULL;
        depth = -1;
    }
    *one = (struct insp_local){.name = strdup(t->options.expression), .depth = depth};
    l->local_count = 1;
    if (die)
        tell_value(&scopes, &e, die, NULL, one);
    else if (variable.placed || variable.is_thread_local)
        tell_value(&scopes, &e, &variable.die, variable.placed ? &variable.place : NULL, one);
    else
        one->why = "not known: it is declared there, and no file of the process defines it";
}

/* For people: the arguments, then the rest from the innermost block outwards. */
static void tell_frame(struct cf_target *t, struct cf_locals *l, const struct machine_frame *f,
                       uint32_t level)
{
    struct frame_scopes scopes;

    if (!scopes_of(t, f, level, &scopes))
        return;
    for (int arguments = 1; arguments >= 0; arguments--)
        for (int i = arguments ? scopes.count - 1 : 0; i < scopes.count; i++) {
            const struct cf_block *of = cf_block_of(t, &scopes.block[i]);

            for (uint32_t k = 0; of && k < of->count && l->local_count < LOCALS_MAX; k++)
                if ((die_tag(&of->variables[k]) == TAG_formal_parameter) == arguments)
                    tell(&scopes.context, &of->variables[k], i, l);
        }
}

static struct cf_locals *locals_of(struct cf_target *t, int64_t lwp)
{
    struct cf_thread *th = cf_thread_of(t, lwp);
    const char *why;

    if (t->locals && t->locals->lwp == lwp)
        return t->locals;
    cf_locals_free(t->locals);
    t->locals = calloc(1, sizeof(*t->locals));
    if (t->locals && th) {
        struct unwinding u = {.t = t, .locals = t->locals};

        (void)!cf_unwind(t, th, 0, note_frame, &u, &why); /* what there is of the stack */
    }
    if (t->locals)
        t->locals->lwp = lwp;
    return t->locals;
}

/* The machine's frame in which frame number FRAME is, or is inlined. */
static const struct machine_frame *machine_frame_of(const struct cf_locals *l, uint32_t frame)
{
    uint32_t low = 0, high = l->frame_count;

    while (high - low > 1) {
        uint32_t mid = low + (high - low) / 2;

        if (l->frames[mid].first <= frame)
            low = mid;
        else
            high = mid;
    }
    return &l->frames[low];
}

int cf_host_frame_variable(struct cf_target *t, int64_t lwp, uint32_t frame, uint32_t index,
                           struct insp_variable *ret)
{
    struct cf_locals *l = t->nameless ? NULL : locals_of(t, lwp);

    if (!l || frame >= l->count)
        return 1;
    if (!l->listed || l->frame != frame) {
        const struct machine_frame *f = machine_frame_of(l, frame);

        l->variable_count = 0;
        free(l->list);
        l->list = NULL;
        list_frame(t, l, f, frame - f->first);
        l->frame = frame;
        l->listed = true;
    }
    if (index >= l->variable_count)
        return 1;
    /* One without a name or a type is listed all the same: others are behind it. */
    if (cf_variable(t, &l->list[index], ret))
        *ret = (struct insp_variable){0};
    return 0;
}

int cf_host_local(struct cf_target *t, int64_t lwp, uint32_t frame, uint32_t index, struct insp_local *ret)
{
    struct cf_locals *l = t->nameless ? NULL : locals_of(t, lwp);

    if (!l || frame >= l->count)
        return 1;
    if (!l->told || l->shown != frame) {
        const struct machine_frame *f = machine_frame_of(l, frame);

        forget(l);
        if (t->options.expression)
            tell_expression(t, l, f, frame - f->first);
        else
            tell_frame(t, l, f, frame - f->first);
        l->shown = frame;
        l->told = true;
    }
    if (index >= l->local_count)
        return 1;
    *ret = l->local[index];
    return 0;
}
