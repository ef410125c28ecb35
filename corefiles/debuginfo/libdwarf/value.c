/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Attributes of a DIE and their values.
 */
#include <string.h>

#include "corefiles/debuginfo/libdwarf/handle.h"

/** DW_AT_abstract_origin and DW_AT_specification in a row. */
enum { INTEGRATE_MAX = 16 };

bool handle_get_own(const struct die *die, unsigned attribute, struct handle *h)
{
    Dwarf_Error e = NULL;

    if (!handle_get(die, h))
        return false;
    if (dwarf_attr(h->die, (Dwarf_Half)attribute, &h->attr, &e) == DW_DLV_OK)
        return true;
    error_drop(h->of, e);
    h->attr = NULL;
    handle_release(h);
    return false;
}

int handle_form(const struct handle *h)
{
    Dwarf_Error e = NULL;
    Dwarf_Half form;

    if (dwarf_whatform(h->attr, &form, &e) == DW_DLV_OK)
        return form;
    error_drop(h->of, e);
    return 0;
}

static int type_unit(struct debuginfo *of, const Dwarf_Sig8 *signature, struct die *ret)
{
    for (size_t i = 0; i < of->count; i++)
        if (of->units[i].type && !memcmp(&of->units[i].signature, signature, sizeof(*signature)))
            return debuginfo_die(of, of->units[i].type, ret);
    return -1;
}

/* Where a reference leads to. */
static int follow(const struct handle *h, struct die *ret)
{
    Dwarf_Error e = NULL;
    struct debuginfo *of = h->of;
    Dwarf_Sig8 signature;
    Dwarf_Off offset, own;
    int form = handle_form(h);

    if (form == DW_FORM_ref_sig8) {
        if (dwarf_formsig8(h->attr, &signature, &e) == DW_DLV_OK)
            return type_unit(of, &signature, ret);
        error_drop(of, e);
        return -1;
    }
    if (dwarf_global_formref(h->attr, &offset, &e) != DW_DLV_OK) {
        error_drop(of, e);
        return -1;
    }
    if (form == DW_FORM_GNU_ref_alt || form == DW_FORM_ref_sup4 || form == DW_FORM_ref_sup8)
        return of->alt ? debuginfo_die(of->alt, offset, ret) : -1;
    /* A reference from .debug_types stays there, except DW_FORM_ref_addr, an offset in .debug_info. */
    if (form != DW_FORM_ref_addr && !dwarf_get_die_infotypes_flag(h->die) &&
        dwarf_dieoffset(h->die, &own, &e) == DW_DLV_OK)
        offset |= DIE_IN_TYPES;
    return debuginfo_die(of, offset, ret);
}

bool handle_get_any(const struct die *die, unsigned attribute, struct handle *h, struct die *at)
{
    static const unsigned sources[] = {DW_AT_abstract_origin, DW_AT_specification};
    struct die from = *die;

    for (int i = 0; i < INTEGRATE_MAX; i++) {
        int rc = 1;

        if (handle_get_own(&from, attribute, h)) {
            if (at)
                *at = from;
            return true;
        }
        for (size_t k = 0; rc && k < sizeof(sources) / sizeof(*sources); k++)
            if (handle_get_own(&from, sources[k], h)) {
                rc = follow(h, &from);
                handle_release(h);
            }
        if (rc)
            return false;
    }
    return false;
}

bool die_has(const struct die *die, unsigned attribute)
{
    struct handle h;

    if (!handle_get_own(die, attribute, &h))
        return false;
    handle_release(&h);
    return true;
}

const char *die_string(const struct die *die, unsigned attribute)
{
    Dwarf_Error e = NULL;
    char *text = NULL;
    struct handle h;
    int form;

    if (!handle_get_any(die, attribute, &h, NULL))
        return NULL;
    form = handle_form(&h);
    /* Without an alternate file libdwarf returns a message of its own instead of the string. */
    if (!h.of->alt && (form == DW_FORM_GNU_strp_alt || form == DW_FORM_strp_sup)) {
        handle_release(&h);
        return NULL;
    }
    if (dwarf_formstring(h.attr, &text, &e) != DW_DLV_OK) {
        error_drop(h.of, e);
        text = NULL;
    }
    handle_release(&h);
    return text;
}

const char *die_name(const struct die *die)
{
    return die_string(die, DW_AT_name);
}

int die_number(const struct die *die, unsigned attribute, int64_t *ret)
{
    Dwarf_Error e = NULL;
    Dwarf_Unsigned bits;
    Dwarf_Signed value;
    struct handle h;
    int rc = DW_DLV_ERROR;

    if (!handle_get_any(die, attribute, &h, NULL))
        return 1;
    switch (handle_form(&h)) {
    case DW_FORM_data1:
    case DW_FORM_data2:
    case DW_FORM_data4:
    case DW_FORM_data8:
    case DW_FORM_udata:
        rc = dwarf_formudata(h.attr, &bits, &e);
        value = (Dwarf_Signed)bits;
        break;
    case DW_FORM_sdata:
    case DW_FORM_implicit_const:
        rc = dwarf_formsdata(h.attr, &value, &e);
        break;
    default:
        break;
    }
    handle_release(&h);
    if (rc != DW_DLV_OK) {
        error_drop(die->of, e);
        return -1;
    }
    *ret = value;
    return 0;
}

int die_reference(const struct die *die, unsigned attribute, struct die *ret)
{
    struct handle h;
    int rc;

    if (!handle_get_any(die, attribute, &h, NULL))
        return 1;
    rc = follow(&h, ret);
    handle_release(&h);
    return rc;
}

int die_type(const struct die *die, struct die *ret)
{
    struct die type, whole;
    int rc = die_reference(die, DW_AT_type, &type);

    if (rc)
        return rc;
    /* With clang it may refer to a declaration that names a type unit (DW_AT_signature). */
    *ret = !die_reference(&type, DW_AT_signature, &whole) ? whole : type;
    return 0;
}

int64_t die_size(const struct die *die)
{
    int64_t size;

    return die_number(die, DW_AT_byte_size, &size) ? -1 : size;
}

unsigned die_language(const struct die *die)
{
    struct die unit;
    int64_t language;

    return die_unit(die, &unit) || die_number(&unit, DW_AT_language, &language) ? 0 : (unsigned)language;
}
