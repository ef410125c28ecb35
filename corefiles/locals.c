/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The variables of the function of a frame, through DWARF.
 */
#include "corefiles/locals.h"

#include <stdlib.h>

#include "corefiles/debuginfo/debuginfo.h"
#include "corefiles/debuginfo/scopes.h"
#include "corefiles/expr.h"
#include "corefiles/place.h"
#include "corefiles/target.h"
#include "corefiles/typepath.h"
#include "corefiles/units.h"
#include "corefiles/unwind.h"

/* A frame base is an address, also where it is said to be in a register. */
static uint64_t frame_base(const struct cf_scene *scene, struct die *function, uint64_t pc)
{
    struct cf_place place;

    return cf_evaluate(scene, function, ATTR_frame_base, pc, &place) ? 0 : place.at;
}

static int each_in(const struct cf_scene *scene, struct die *block, int number, uint64_t pc,
                   int (*each)(const struct cf_slot *slot, int block, void *arg), void *arg)
{
    struct cf_slot slot;
    int rc = 0;

    if (die_child(block, &slot.die))
        return 0;
    do {
        unsigned tag = die_tag(&slot.die);

        if ((tag == TAG_variable || tag == TAG_formal_parameter) &&
            !cf_evaluate(scene, &slot.die, ATTR_location, pc, &slot.place))
            rc = each(&slot, number, arg);
    } while (!rc && !die_sibling(&slot.die, &slot.die));
    return rc;
}

int cf_each_local(struct cf_target *t, const struct cf_raw_frame *frame,
                  int (*each)(const struct cf_slot *slot, int block, void *arg), void *arg)
{
    struct cf_scene scene = {.t = t, .frame = frame};
    uint64_t pc = cf_frame_code(frame);
    struct die *scopes = NULL, cu;
    int count, function, rc = 0;

    if (cf_unit_at(t, pc, &cu, &scene.bias))
        return 0;
    pc -= scene.bias;
    count = debuginfo_scopes_at(&cu, pc, &scopes);
    for (function = 0; function < count; function++)
        if (die_tag(&scopes[function]) == TAG_subprogram)
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
    struct die die = slot->die, type;

    (void)block;
    return !slot->place.is_value && !die_type(&die, &type) &&
           s->addr - slot->place.at < cf_type_size(&type) &&
           !cf_describe(&die, s->addr - slot->place.at, s->ret);
}

int cf_local(struct cf_target *t, const struct cf_raw_frame *frame, uint64_t addr, struct cf_variable *ret)
{
    struct search search = {addr, ret};

    return !cf_each_local(t, frame, at_address, &search);
}
