/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The variables of the function of a frame, through DWARF.
 */
#include <dwarf.h>
#include <stdlib.h>

#include "typepath.h"

/* A frame base is an address, also where it is said to be in a register. */
static uint64_t frame_base(const struct cf_scene *scene, Dwarf_Die *function, Dwarf_Addr pc)
{
    Dwarf_Attribute attr;
    struct cf_place place;
    Dwarf_Op *ops;
    size_t count;

    if (!dwarf_attr_integrate(function, DW_AT_frame_base, &attr) ||
        dwarf_getlocation_addr(&attr, pc, &ops, &count, 1) != 1 ||
        cf_evaluate(scene, &attr, ops, count, &place))
        return 0;
    return place.at;
}

static int each_in(const struct cf_scene *scene, Dwarf_Die *block, int number, Dwarf_Addr pc,
                   int (*each)(const struct cf_slot *slot, int block, void *arg), void *arg)
{
    struct cf_slot slot;
    int rc = 0;

    if (dwarf_child(block, &slot.die))
        return 0;
    do {
        int tag = dwarf_tag(&slot.die);
        Dwarf_Attribute attr;
        Dwarf_Op *ops;
        size_t count;

        if ((tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) &&
            dwarf_attr_integrate(&slot.die, DW_AT_location, &attr) &&
            dwarf_getlocation_addr(&attr, pc, &ops, &count, 1) == 1 &&
            !cf_evaluate(scene, &attr, ops, count, &slot.place))
            rc = each(&slot, number, arg);
    } while (!rc && !dwarf_siblingof(&slot.die, &slot.die));
    return rc;
}

int cf_each_local(struct cf_target *t, const struct cf_raw_frame *frame,
                  int (*each)(const struct cf_slot *slot, int block, void *arg), void *arg)
{
    struct cf_scene scene = {.t = t, .frame = frame};
    uint64_t pc = cf_frame_code(frame);
    Dwarf_Die *scopes = NULL, cu;
    int count, function, rc = 0;

    if (cf_unit_at(t, pc, &cu, &scene.bias))
        return 0;
    pc -= scene.bias;
    count = cf_scopes_at(&cu, pc, &scopes);
    for (function = 0; function < count; function++)
        if (dwarf_tag(&scopes[function]) == DW_TAG_subprogram)
            break;
    if (function < count) {
        scene.frame_base = frame_base(&scene, &scopes[function], pc);
        for (int i = 0; !rc && i <= function; i++)
            rc = each_in(&scene, &scopes[i], i, pc, each, arg);
    }
    free(scopes);
    return rc;
}

struct search {
    uint64_t addr;
    struct cf_variable *ret;
};

static int at_address(const struct cf_slot *slot, int block, void *arg)
{
    struct search *s = arg;
    Dwarf_Die die = slot->die, type;

    (void)block;
    return !slot->place.is_value && cf_type_of(&die, &type) &&
           s->addr - slot->place.at < cf_type_size(&type) &&
           !cf_describe(&die, s->addr - slot->place.at, s->ret);
}

int cf_local(struct cf_target *t, const struct cf_raw_frame *frame, uint64_t addr, struct cf_variable *ret)
{
    struct search search = {addr, ret};

    return !cf_each_local(t, frame, at_address, &search);
}
