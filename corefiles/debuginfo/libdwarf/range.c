/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The addresses of a DIE's code.
 */
#include "corefiles/debuginfo/libdwarf/handle.h"

/* DWARF 5, 2.17.3: .debug_rnglists. */
static void each_in_rnglist(const struct handle *h, int form, Dwarf_Unsigned at,
                            int (*each)(uint64_t start, uint64_t end, void *arg), void *arg)
{
    Dwarf_Rnglists_Head head;
    Dwarf_Unsigned count, offset, raw1, raw2, start, end;
    Dwarf_Bool unavailable;
    Dwarf_Error e = NULL;
    unsigned length, kind;

    if (dwarf_rnglists_get_rle_head(h->attr, (Dwarf_Half)form, at, &head, &count, &offset, &e) != DW_DLV_OK) {
        error_drop(h->of, e);
        return;
    }
    for (Dwarf_Unsigned i = 0; i < count; i++) {
        unavailable = 0;
        if (dwarf_get_rnglists_entry_fields_a(head, i, &length, &kind, &raw1, &raw2, &unavailable, &start,
                                              &end, &e) != DW_DLV_OK) {
            error_drop(h->of, e);
            break;
        }
        if (kind == DW_RLE_end_of_list)
            break;
        if (kind != DW_RLE_base_address && kind != DW_RLE_base_addressx && !unavailable && start != end &&
            each(start, end, arg))
            break;
    }
    dwarf_dealloc_rnglists_head(head);
}

/* DWARF 4, 2.17.3: .debug_ranges, from the unit's base address. */
static void each_in_ranges(const struct handle *h, Dwarf_Unsigned at, uint64_t base,
                           int (*each)(uint64_t start, uint64_t end, void *arg), void *arg)
{
    Dwarf_Unsigned bytes;
    Dwarf_Ranges *ranges;
    Dwarf_Signed count;
    Dwarf_Error e = NULL;
    Dwarf_Off offset;

    if (dwarf_get_ranges_b(h->of->dbg, at, h->die, &offset, &ranges, &count, &bytes, &e) != DW_DLV_OK) {
        error_drop(h->of, e);
        return;
    }
    for (Dwarf_Signed i = 0; i < count && ranges[i].dwr_type != DW_RANGES_END; i++) {
        if (ranges[i].dwr_type == DW_RANGES_ADDRESS_SELECTION)
            base = ranges[i].dwr_addr2;
        else if (ranges[i].dwr_addr1 != ranges[i].dwr_addr2 &&
                 each(base + ranges[i].dwr_addr1, base + ranges[i].dwr_addr2, arg))
            break;
    }
    FREE_RANGES(h->of->dbg, ranges, count);
}

/* DW_AT_low_pc and DW_AT_high_pc. */
static bool bounds(const struct die *die, uint64_t *start, uint64_t *end)
{
    enum Dwarf_Form_Class kind;
    Dwarf_Addr low, high;
    Dwarf_Error e = NULL;
    Dwarf_Half form;
    struct handle h;
    bool good;

    if (!handle_get(die, &h))
        return false;
    *start = 0;
    good = dwarf_lowpc(h.die, &low, &e) == DW_DLV_OK;
    if (good) {
        *start = low;
        good = dwarf_highpc_b(h.die, &high, &form, &kind, &e) == DW_DLV_OK;
    }
    error_drop(die->of, e);
    handle_release(&h);
    if (good)
        *end = kind == DW_FORM_CLASS_CONSTANT ? low + high : high;
    return good;
}

void die_each_range(const struct die *die, int (*each)(uint64_t start, uint64_t end, void *arg), void *arg)
{
    const struct unit *unit = unit_at(die->of, die->offset);
    uint64_t start, end, base = 0;
    Dwarf_Unsigned value;
    Dwarf_Error e = NULL;
    Dwarf_Off offset;
    struct handle h;
    struct die root;
    int form;

    if (bounds(die, &start, &end)) {
        if (start != end)
            (void)each(start, end, arg);
        return;
    }
    if (!unit || !handle_get_own(die, DW_AT_ranges, &h))
        return;
    form = handle_form(&h);
    if (form == DW_FORM_rnglistx ? dwarf_formudata(h.attr, &value, &e) == DW_DLV_OK
                                 : dwarf_global_formref(h.attr, &offset, &e) == DW_DLV_OK) {
        if (form != DW_FORM_rnglistx)
            value = offset;
        if (unit->version >= 5) {
            each_in_rnglist(&h, form, value, each, arg);
        } else {
            if (!die_unit(die, &root))
                (void)bounds(&root, &base, &end);
            each_in_ranges(&h, value, base, each, arg);
        }
    } else {
        error_drop(h.of, e);
    }
    handle_release(&h);
}

struct question {
    uint64_t pc;
    bool held;
};

static int covers(uint64_t start, uint64_t end, void *arg)
{
    struct question *q = arg;

    q->held = q->pc >= start && q->pc < end;
    return q->held;
}

bool die_holds(const struct die *die, uint64_t pc)
{
    struct question q = {.pc = pc};

    die_each_range(die, covers, &q);
    return q.held;
}
