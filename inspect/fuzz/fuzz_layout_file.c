/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libFuzzer's entry: an input is the text of a layout's file. The library that it is handed to looks at all
 * of it, and refuses every other one.
 */
#include <stdlib.h>
#include <string.h>

#include "inspect/base/printable.h"
#include "inspect/ompd/callbacks.h"
#include "inspect/ompd/layout_file.h"
#include "inspect/ompd/ompdlib.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

insp_session *callbacks_activate(insp_session *session)
{
    return session;
}

void callbacks_restore(insp_session *before)
{
    (void)before;
}

static size_t length(const char *text)
{
    return text ? strlen(text) : 0;
}

static ompd_rc_t layout_add(const ompdx_layout_t *row)
{
    size_t sum = length(row->family) + length(row->name) + length(row->source);

    if (row->count > LAYOUT_ENTRIES_MAX)
        abort();
    for (uint64_t i = 0; i < row->count; i++)
        sum += length(row->entries[i].name) + row->entries[i].kind;
    return sum % 2 ? ompd_rc_ok : ompd_rc_bad_input;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct ompdlib lib;
    static insp_session session;
    char *error = NULL;

    lib.ompdx_layout_add = layout_add;
    session.lib = &lib;
    if (insp_layout_text(&session, (const char *)data, size, "FILE", &error) != 0 &&
        (!error || !printable_all(error)))
        abort();
    free(error);
    layout_forget(&session);
    return 0;
}
