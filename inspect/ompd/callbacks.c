/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/ompd/callbacks.h"

#include <stdlib.h>
#include <string.h>

#include "inspect/base/printable.h"
#include "inspect/model/model.h"
#include "inspect/target/discover.h"
#include "inspect/target/hostcall.h"
#include "inspect/ompd/segments.h"
#include "inspect/target/still.h"
#include "inspect/ompd/trace.h"
#include "ompdx.h"

/* More is surely a number out of a broken target. */
#define MAX_READ (UINT64_C(1) << 30)

static insp_session *active; /* one for all: inspect.h has one thread at a time */

insp_session *callbacks_activate(insp_session *s)
{
    insp_session *before = active;

    active = s;
    return before;
}

void callbacks_restore(insp_session *before)
{
    active = before;
}

static ompd_rc_t cb_alloc(ompd_size_t nbytes, void **ptr)
{
    void *block;

    if (!ptr)
        return ompd_rc_bad_input;
    block = nbytes <= MAX_READ ? malloc(nbytes ? nbytes : 1) : NULL;
    if (!block)
        return ompd_rc_nomem;
    *ptr = block;
    return ompd_rc_ok;
}

static ompd_rc_t cb_free(void *ptr)
{
    free(ptr);
    return ompd_rc_ok;
}

/* The first sentence is the reason; what follows is shown as ever. */
static bool keep_reason(char *text)
{
    if (!active || !active->opening || active->said)
        return false;
    active->said = text;
    return true;
}

static ompd_rc_t cb_print(const char *string, int category)
{
    /* The library quotes the target. */
    char *text = string ? strdup(string) : NULL;

    printable_fix_lines(text);
    if ((category == OMPDX_PRINT_TRACE && trace_line(text)) || !active || !text) {
        free(text);
    } else if (category == OMPDX_PRINT_TRACE || !keep_reason(text)) {
        host_print(active, text);
        free(text);
    }
    return ompd_rc_ok;
}

/* x86-64, ILP32 and big-endian targets are not found by discover.c, so none of them gets here. */
static ompd_rc_t cb_sizeof(ompd_address_space_context_t *context, ompd_device_type_sizes_t *sizes)
{
    if (!context)
        return ompd_rc_stale_handle;
    if (!sizes)
        return ompd_rc_bad_input;
    *sizes = (ompd_device_type_sizes_t){1, 2, 4, 8, 8, 8};
    return ompd_rc_ok;
}

static ompd_rc_t cb_symbol(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
                           const char *symbol, ompd_address_t *ret, const char *file)
{
    insp_session *s;
    uint64_t addr = 0;
    int rc;

    (void)file; /* the context says better which library is meant */
    if (!context)
        return ompd_rc_stale_handle;
    if (!symbol || !ret)
        return ompd_rc_bad_input;
    s = context->session;
    /* A debugger looks through the symbols of all files: with many of them that takes longest of all. */
    if (context->stock)
        return ompd_rc_error;
    if (!thread && discover_own_symbol(context, symbol, &addr))
        rc = 0;
    else if (thread)
        rc = host_lookup_tls(s, thread->thread.lwp, symbol, context->module.path, &addr);
    else
        rc = host_lookup(s, symbol, context->module.path, &addr);
    if (rc)
        return ompd_rc_error;
    /* Another copy of the library may define the symbol too; only this one's counts. */
    if (!thread && context->module.end && (addr < context->module.start || addr >= context->module.end))
        return ompd_rc_error;
    ret->segment = 0;
    ret->address = addr;
    return ompd_rc_ok;
}

static ompd_rc_t cb_read(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
                         const ompd_address_t *addr, ompd_size_t nbytes, void *buffer)
{
    if (!context)
        return ompd_rc_stale_handle;
    if (!addr || !buffer || nbytes > MAX_READ)
        return ompd_rc_bad_input;
    if (!nbytes)
        return ompd_rc_ok;
    if (segment_is_ours(addr->segment))
        return segment_read(context, thread, addr, buffer, nbytes) ? ompd_rc_error : ompd_rc_ok;
    if (addr->address + nbytes < addr->address)
        return ompd_rc_error;
    if (still_has(context->session, addr->address, buffer, nbytes))
        return ompd_rc_ok;
    return host_read(context->session, addr->address, buffer, nbytes) ? ompd_rc_error : ompd_rc_ok;
}

static ompd_rc_t cb_read_string(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
                                const ompd_address_t *addr, ompd_size_t nbytes, void *buffer)
{
    int rc;

    (void)thread;
    if (!context)
        return ompd_rc_stale_handle;
    if (!addr || !buffer || nbytes > MAX_READ)
        return ompd_rc_bad_input;
    rc = host_read_string(context->session, addr->address, buffer, nbytes);
    return rc > 0 ? ompd_rc_incomplete : rc < 0 ? ompd_rc_error : ompd_rc_ok;
}

/* Nothing here writes the target. */
static ompd_rc_t cb_write(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
                          const ompd_address_t *addr, ompd_size_t nbytes, const void *buffer)
{
    (void)context;
    (void)thread;
    (void)addr;
    (void)nbytes;
    (void)buffer;
    return ompd_rc_unsupported;
}

/* Same byte order on both sides (discover.c takes no other). */
static ompd_rc_t cb_convert(ompd_address_space_context_t *context, const void *input, ompd_size_t unit_size,
                            ompd_size_t count, void *output)
{
    if (!context)
        return ompd_rc_stale_handle;
    if (!input || !output || (unit_size && count > MAX_READ / unit_size))
        return ompd_rc_bad_input;
    memmove(output, input, unit_size * count);
    return ompd_rc_ok;
}

static ompd_rc_t cb_thread(ompd_address_space_context_t *context, ompd_thread_id_t kind, ompd_size_t size,
                           const void *id, ompd_thread_context_t **ret)
{
    const struct mdl_thread *row;
    uint64_t number = 0;
    insp_session *s;

    if (!context)
        return ompd_rc_stale_handle;
    if (!id || !ret || (size != 4 && size != 8) || (kind == OMPD_THREAD_ID_PTHREAD && size != 8))
        return ompd_rc_bad_input;
    if (kind != OMPD_THREAD_ID_PTHREAD && kind != OMPD_THREAD_ID_LWP)
        return ompd_rc_unsupported;
    memcpy(&number, id, size); /* little-endian, as discover.c checked */
    s = context->session;
    s->stats.thread_contexts++;
    /* The rows of the snapshot are those of the session, and are indexed. */
    row = !s->taking                       ? NULL
          : kind == OMPD_THREAD_ID_PTHREAD ? mdl_thread_by_pthread(s->taking, number)
                                           : mdl_thread_by_lwp(s->taking, (int64_t)number);
    if (!row)
        return ompd_rc_unavailable;
    *ret = &s->threads[row - s->taking->threads];
    return ompd_rc_ok;
}

const ompd_callbacks_t *callbacks_table(void)
{
    static const ompd_callbacks_t table = {
        .alloc_memory = cb_alloc,
        .free_memory = cb_free,
        .print_string = cb_print,
        .sizeof_type = cb_sizeof,
        .symbol_addr_lookup = cb_symbol,
        .read_memory = cb_read,
        .write_memory = cb_write,
        .read_string = cb_read_string,
        .device_to_host = cb_convert,
        .host_to_device = cb_convert,
        .get_thread_context_for_thread_id = cb_thread,
    };

    return &table;
}
