/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * How the runtime of a process is found: a published table; else, of a runtime that publishes nothing, a
 * row that lists the build-id of its file, or one that has the fingerprint of its code.
 */
#include <string.h>

#include "providers/code_print.h"
#include "providers/provider.h"
#include "providers/row.h"
#include "providers/row_add.h"
#include "providers/row_lay.h"
#include "runtimes/base/runtime.h"
#include "runtimes/world/world.h"
#include "text.h"

static ompd_rc_t adapt(aspace_t *aspace, const struct rtm_ops *adapter)
{
    TRY(adapter->check(aspace));
    aspace->rt = adapter;
    return ompd_rc_ok;
}

static void hexadecimal(const ompdx_module_t *module, char *ret)
{
    for (uint64_t i = 0; i < module->build_id_size; i++) {
        *ret++ = "0123456789abcdef"[module->build_id[i] >> 4];
        *ret++ = "0123456789abcdef"[module->build_id[i] & 15];
    }
    *ret = '\0';
}

static ompd_rc_t refuse_stock(const struct stock *stock)
{
    struct text text = {0};
    text_add(&text, "libompd: no layout is known for the library with the build-id ");
    text_add(&text, stock->build_id[0] != '\0' ? stock->build_id : "(none)");
    text_add(&text, "; `ompd layout FILE` makes one of an OpenMP runtime, --layout takes it.\n");
    tgt_say(text.buffer);
    return ompd_rc_incompatible;
}

static void take(aspace_t *aspace, struct stock *stock, const struct row_found *found, const char *how)
{
    aspace->row_memory = found->memory;
    stock->row = found->row;
    stock->found_how = row_is_added(found->row) ? "layout file" : how;
}

/** A row for the file: by its build-id, or else by its code. Codes: ok; unavailable: there is none; nomem. */
static ompd_rc_t find_row(aspace_t *aspace, struct stock *stock)
{
    struct row_found found = {0};
    char print[FINGERPRINT_TEXT];
    const char *family = NULL;
    if (stock->build_id[0] != '\0') {
        ompd_rc_t rc = row_find(stock->build_id, NULL, NULL, &found);
        if (rc == ompd_rc_ok)
            take(aspace, stock, &found, "row by build-id");
        if (rc != ompd_rc_unavailable)
            return rc;
    }
    TRY(code_print(&aspace->tgt, &stock->module, print, &family));
    TRY(row_find(NULL, print, family, &found));
    take(aspace, stock, &found, "row by fingerprint");
    return ompd_rc_ok;
}

static ompd_rc_t identify(aspace_t *aspace, struct stock *stock)
{
    hexadecimal(&stock->module, stock->build_id);
    ompd_rc_t rc = find_row(aspace, stock);
    if (rc == ompd_rc_unavailable)
        return refuse_stock(stock);
    TRY(rc);
    TRY(row_lay(stock->row, stock->module.bias, &aspace->lay));
    return adapt(aspace, strcmp(stock->row->family, "gomp") == 0 ? &rtm_gomp : &rtm_kmp);
}

static ompd_rc_t detect_stock(aspace_t *aspace, const ompdx_module_t *module)
{
    TRY(tgt_alloc_zero(sizeof *aspace->stock, &aspace->stock));
    aspace->stock->module = *module;
    ompd_rc_t rc = identify(aspace, aspace->stock);
    if (rc == ompd_rc_ok)
        return ompd_rc_ok;
    tgt_free(aspace->stock);
    tgt_free(aspace->row_memory);
    aspace->stock = NULL;
    aspace->row_memory = NULL;
    return rc;
}

ompd_rc_t rtm_detect(aspace_t *aspace)
{
    bool found = false;
    ompdx_module_t module;
    ompd_rc_t rc = published_load(&aspace->tgt, &aspace->lay, &found);
    if (rc == ompd_rc_ok)
        return adapt(aspace, &rtm_companion);
    if (rc != ompd_rc_unavailable || found)
        return rc;
    if (stock_module(&aspace->tgt, &module) == ompd_rc_ok)
        return detect_stock(aspace, &module);
    tgt_say("libompd: the process has no OpenMP runtime that this library knows (symbol rt_layout_table not "
            "found).\n");
    return ompd_rc_incompatible;
}
