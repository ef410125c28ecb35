/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * DWARF expressions (DWARF 5, section 2.5), as far as compilers use them for variables, frame bases and Fortran's array
 * descriptors. What is not known here, or would need the caller's arguments of old, has no value.
 */
#include <dwarf.h>

#include "typepath.h"

enum { STACK_MAX = 16, OPS_MAX = 64 };

struct machine {
    const struct cf_scene *scene;
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
    const struct cf_raw_frame *frame = m->scene->frame;

    return frame && number < CF_REGISTERS && (frame->known >> number & 1) &&
           push(m, frame->reg[number] + offset);
}

static bool load(struct machine *m, uint64_t size)
{
    uint64_t value = 0;

    if (!m->count || !size || size > 8 || cf_read(m->scene->t, m->stack[m->count - 1], &value, size))
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
    case DW_OP_plus:
        *a += b;
        break;
    case DW_OP_minus:
        *a -= b;
        break;
    case DW_OP_mul:
        *a *= b;
        break;
    default: /* DW_OP_and */
        *a &= b;
        break;
    }
    return true;
}

static bool one(struct machine *m, Dwarf_Attribute *attr, const Dwarf_Op *op)
{
    const struct cf_scene *s = m->scene;
    Dwarf_Attribute addr;
    uint64_t at;

    if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31)
        return push(m, op->atom - DW_OP_lit0);
    if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
        return push_register(m, op->atom - DW_OP_breg0, op->number);
    switch (op->atom) {
    case DW_OP_addr:
        return push(m, op->number + s->bias);
    case DW_OP_addrx:
    case DW_OP_GNU_addr_index:
        return !dwarf_getlocation_attr(attr, op, &addr) && !dwarf_formaddr(&addr, &at) &&
               push(m, at + s->bias);
    case DW_OP_const1u:
    case DW_OP_const1s:
    case DW_OP_const2u:
    case DW_OP_const2s:
    case DW_OP_const4u:
    case DW_OP_const4s:
    case DW_OP_const8u:
    case DW_OP_const8s:
    case DW_OP_constu:
    case DW_OP_consts:
        return push(m, op->number);
    case DW_OP_bregx:
        return push_register(m, op->number, op->number2);
    case DW_OP_fbreg:
        return s->frame_base && push(m, s->frame_base + op->number);
    case DW_OP_call_frame_cfa:
        return s->frame && s->frame->cfa && push(m, s->frame->cfa);
    case DW_OP_push_object_address:
        return s->object && push(m, s->object);
    case DW_OP_deref:
        return load(m, 8);
    case DW_OP_deref_size:
        return load(m, op->number);
    case DW_OP_plus_uconst:
        return m->count && (m->stack[m->count - 1] += op->number, true);
    case DW_OP_plus:
    case DW_OP_minus:
    case DW_OP_mul:
    case DW_OP_and:
        return binary(m, op->atom);
    case DW_OP_ne: /* DW_AT_allocated */
        if (!binary(m, DW_OP_minus))
            return false;
        m->stack[m->count - 1] = m->stack[m->count - 1] != 0;
        return true;
    case DW_OP_dup:
        return m->count && push(m, m->stack[m->count - 1]);
    case DW_OP_nop:
        return true;
    default:
        return false;
    }
}

int cf_evaluate(const struct cf_scene *scene, Dwarf_Attribute *attr, const Dwarf_Op *ops, size_t count,
                struct cf_place *ret)
{
    struct machine m = {.scene = scene};
    struct cf_place place = {0};

    if (!count || count > OPS_MAX)
        return 1;
    if (ops[0].atom >= DW_OP_reg0 && ops[0].atom <= DW_OP_reg31 && count == 1) {
        if (!push_register(&m, ops[0].atom - DW_OP_reg0, 0))
            return 1;
        *ret = (struct cf_place){m.stack[0], true};
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        if (ops[i].atom == DW_OP_stack_value && i + 1 == count)
            place.is_value = true;
        else if (!one(&m, attr, &ops[i]))
            return 1;
    }
    if (!m.count)
        return 1;
    place.at = m.stack[m.count - 1];
    *ret = place;
    return 0;
}

int cf_number(const struct cf_scene *scene, Dwarf_Die *die, unsigned which, int64_t *ret)
{
    Dwarf_Attribute attr;
    struct cf_place place;
    Dwarf_Sword number;
    Dwarf_Op *ops;
    size_t count;

    if (!dwarf_attr_integrate(die, which, &attr))
        return 1;
    switch (dwarf_whatform(&attr)) {
    case DW_FORM_exprloc:
    case DW_FORM_block:
    case DW_FORM_block1:
    case DW_FORM_block2:
    case DW_FORM_block4:
        if (dwarf_getlocation(&attr, &ops, &count) || cf_evaluate(scene, &attr, ops, count, &place))
            return 1;
        *ret = (int64_t)place.at;
        return 0;
    default:
        if (dwarf_formsdata(&attr, &number))
            return 1;
        *ret = number;
        return 0;
    }
}
