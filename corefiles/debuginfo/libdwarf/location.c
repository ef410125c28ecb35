/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Location expressions and lists.
 */
#include "corefiles/debuginfo/libdwarf/handle.h"

/* An operation in the form of debuginfo.h; false: it cannot be read. */
static bool operation(const struct handle *h, Dwarf_Locdesc_c list, Dwarf_Unsigned i,
                      struct die_operation *ret)
{
    Dwarf_Unsigned first, second, third, branch;
    Dwarf_Error e = NULL;
    Dwarf_Small code;
    Dwarf_Addr addr;

    if (dwarf_get_location_op_value_c(list, i, &code, &first, &second, &third, &branch, &e) != DW_DLV_OK) {
        error_drop(h->of, e);
        return false;
    }
    /* libdwarf gives OP_lit0 to OP_reg31 the number in their name as an operand. */
    *ret = code >= OP_lit0 && code <= OP_reg31 ? (struct die_operation){code, 0, 0}
                                               : (struct die_operation){code, first, second};
    if (code == DW_OP_addrx || code == DW_OP_GNU_addr_index) {
        if (dwarf_debug_addr_index_to_addr(h->die, first, &addr, &e) != DW_DLV_OK) {
            error_drop(h->of, e);
            return false;
        }
        *ret = (struct die_operation){OP_addr, addr, 0};
    }
    return true;
}

/* The entry of a location list for PC. A plain expression holds everywhere and is the only entry. */
static int entry(const struct handle *h, Dwarf_Loc_Head_c head, Dwarf_Unsigned count, uint64_t pc,
                 struct die_operation *ret, int max)
{
    for (Dwarf_Unsigned i = 0; i < count; i++) {
        Dwarf_Unsigned raw_low, raw_high, n, expression, offset;
        Dwarf_Locdesc_c list;
        Dwarf_Small kind, source;
        Dwarf_Bool unavailable = 0;
        Dwarf_Addr low, high;
        Dwarf_Error e = NULL;

        if (dwarf_get_locdesc_entry_d(head, i, &kind, &raw_low, &raw_high, &unavailable, &low, &high, &n,
                                      &list, &source, &expression, &offset, &e) != DW_DLV_OK) {
            error_drop(h->of, e);
            return -1;
        }
        if (pc != DIE_EVERYWHERE && source && kind != DW_LLE_default_location &&
            (unavailable || kind == DW_LLE_base_address || kind == DW_LLE_base_addressx || pc < low ||
             pc >= high))
            continue;
        if (n > (Dwarf_Unsigned)max)
            return -1;
        for (Dwarf_Unsigned k = 0; k < n; k++)
            if (!operation(h, list, k, &ret[k]))
                return -1;
        return (int)n;
    }
    return 0;
}

static bool is_expression(int form)
{
    return form == DW_FORM_exprloc || form == DW_FORM_block || form == DW_FORM_block1 ||
           form == DW_FORM_block2 || form == DW_FORM_block4;
}

int die_operations(const struct die *die, unsigned attribute, uint64_t pc, struct die_operation *ret, int max,
                   int *count)
{
    Dwarf_Loc_Head_c head = NULL;
    Dwarf_Error e = NULL;
    Dwarf_Unsigned n;
    struct handle h;
    int found = -1;

    if (!handle_get_any(die, attribute, &h, NULL))
        return 1;
    if (pc == DIE_EVERYWHERE && !is_expression(handle_form(&h))) {
        handle_release(&h);
        return 1;
    }
    if (dwarf_get_loclist_c(h.attr, &head, &n, &e) == DW_DLV_OK) {
        found = entry(&h, head, n, pc, ret, max);
        FREE_LOCATIONS(head);
    } else {
        error_drop(h.of, e);
    }
    handle_release(&h);
    if (found <= 0)
        return found < 0 ? -1 : 1;
    *count = found;
    return 0;
}
