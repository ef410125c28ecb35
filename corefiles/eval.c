/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * DWARF expressions (DWARF 5, section 2.5), as far as compilers use them for variables, frame bases and
 * Fortran's array descriptors. What is not known here, or would need the caller's arguments of old, has no
 * value.
 */
#include "corefiles/eval.h"

#include "machine/arch.h"
#include "corefiles/debuginfo/debuginfo.h"
#include "corefiles/modules.h"
#include "corefiles/read.h"
#include "corefiles/tls.h"
#include "corefiles/unwind.h"

enum { STACK_MAX = 16, OPS_MAX = 64 };

struct machine {
    const struct cf_eval_context *context;
    uint64_t stack[STACK_MAX];
    int count;
};

static bool push(struct machine *m, uint64_t value)
{
    if (m->count == STACK_MAX)
        return false;
    m->stack[m->count++] = value;
    return true;
}

static bool push_register(struct machine *m, uint64_t number, uint64_t offset)
{
    const struct cf_raw_frame *frame = m->context->frame;

    return frame && number < CF_REGISTERS && (frame->known >> number & 1) &&
           push(m, frame->reg[number] + offset);
}

static bool load(struct machine *m, uint64_t size)
{
    uint64_t value = 0;

    if (!m->count || !size || size > 8 || cf_read(m->context->t, m->stack[m->count - 1], &value, size))
        return false;
    m->stack[m->count - 1] = value;
    return true;
}

static bool binary(struct machine *m, unsigned atom)
{
    uint64_t b, *a;

    if (m->count < 2)
        return false;
    b = m->stack[--m->count];
    a = &m->stack[m->count - 1];
    switch (atom) {
    case OP_plus:
        *a += b;
        break;
    case OP_minus:
        *a -= b;
        break;
    case OP_mul:
        *a *= b;
        break;
    default: /* OP_and */
        *a &= b;
        break;
    }
    return true;
}

/* From an offset in the module's thread-local storage. */
static bool thread_local_address(struct machine *m)
{
    const struct cf_eval_context *s = m->context;
    uint64_t *at = m->count ? &m->stack[m->count - 1] : NULL;

    return at && s->lwp && !cf_tls_address(s->t, s->lwp, cf_module_at(s->t, s->pc + s->bias), *at, at);
}

static bool one(struct machine *m, const struct die_operation *op)
{
    const struct cf_eval_context *s = m->context;

    if (op->code >= OP_lit0 && op->code <= OP_lit31)
        return push(m, op->code - OP_lit0);
    if (op->code >= OP_breg0 && op->code <= OP_breg31)
        return push_register(m, op->code - OP_breg0, op->number);
    switch (op->code) {
    case OP_addr:
        return push(m, op->number + s->bias);
    case OP_const1u:
    case OP_const1s:
    case OP_const2u:
    case OP_const2s:
    case OP_const4u:
    case OP_const4s:
    case OP_const8u:
    case OP_const8s:
    case OP_constu:
    case OP_consts:
        return push(m, op->number);
    case OP_bregx:
        return push_register(m, op->number, op->number2);
    case OP_fbreg:
        return s->frame_base && push(m, s->frame_base + op->number);
    case OP_call_frame_cfa:
        return s->frame && s->frame->cfa && push(m, s->frame->cfa);
    case OP_push_object_address:
        return s->object && push(m, s->object);
    case OP_form_tls_address:
    case OP_GNU_push_tls_address:
        return thread_local_address(m);
    case OP_deref:
        return load(m, 8);
    case OP_deref_size:
        return load(m, op->number);
    case OP_plus_uconst:
        return m->count && (m->stack[m->count - 1] += op->number, true);
    case OP_plus:
    case OP_minus:
    case OP_mul:
    case OP_and:
        return binary(m, op->code);
    case OP_ne: /* ATTR_allocated */
        if (!binary(m, OP_minus))
            return false;
        m->stack[m->count - 1] = m->stack[m->count - 1] != 0;
        return true;
    case OP_dup:
        return m->count && push(m, m->stack[m->count - 1]);
    case OP_nop:
        return true;
    default:
        return false;
    }
}

static int run(const struct cf_eval_context *context, const struct die_operation *ops, int count,
               struct cf_location *ret)
{
    struct machine m = {.context = context};
    struct cf_location place = {0};

    if (ops[0].code >= OP_reg0 && ops[0].code <= OP_reg31 && count == 1) {
        if (!push_register(&m, ops[0].code - OP_reg0, 0))
            return 1;
        *ret = (struct cf_location){m.stack[0], true};
        return 0;
    }
    for (int i = 0; i < count; i++) {
        if (ops[i].code == OP_stack_value && i + 1 == count)
            place.is_value = true;
        else if (!one(&m, &ops[i]))
            return 1;
    }
    if (!m.count)
        return 1;
    place.at = m.stack[m.count - 1];
    *ret = place;
    return 0;
}

int cf_evaluate(const struct cf_eval_context *context, const struct die *die, unsigned which, uint64_t pc,
                struct cf_location *ret)
{
    struct die_operation ops[OPS_MAX];
    int count;

    return die_operations(die, which, pc, ops, OPS_MAX, &count) || run(context, ops, count, ret) ? 1 : 0;
}

const char *cf_unplaced(const struct die *die, uint64_t pc)
{
    struct die_operation ops[OPS_MAX];
    int count, rc = die_operations(die, ATTR_location, pc, ops, OPS_MAX, &count);

    if (rc)
        return rc > 0 ? "optimised out" : "not known: its location cannot be read";
    for (int i = 0; i < count; i++)
        switch (ops[i].code) {
        case OP_implicit_pointer:
        case OP_GNU_implicit_pointer:
            return "optimised out: it points to what has no place";
        case OP_entry_value:
        case OP_GNU_entry_value:
            return "not known: only the caller had it";
        case OP_piece:
            return "not known: its parts are in several places";
        case OP_form_tls_address:
        case OP_GNU_push_tls_address:
            return "not known: the thread's own storage for it was not found, or does not exist yet";
        default:
            break;
        }
    return ops[0].code >= OP_reg0 && ops[0].code <= OP_breg31
               ? "not known: it is in a register that was not kept"
               : "not known: how its location is computed is not";
}

int cf_number(const struct cf_eval_context *context, const struct die *die, unsigned which, int64_t *ret)
{
    struct cf_location place;

    if (!die_number(die, which, ret))
        return 0;
    if (cf_evaluate(context, die, which, DIE_EVERYWHERE, &place))
        return 1;
    *ret = (int64_t)place.at;
    return 0;
}
