/* SPDX-License-Identifier: Apache-2.0 */
#include "trace.h"

#include <string.h>

#include "text.h"

enum trace_state trace_state;

/** The tool's own table while ours is in its place. */
static ompd_callbacks_t tools;

/* In the order of ompd_callbacks_t. */
enum { ALLOC, FREE, PRINT, SIZES, SYMBOL, READ, WRITE, STRING, TO_HOST, TO_DEVICE, THREAD, CALLBACKS };
static const char *const callback_names[CALLBACKS] = {"alloc_memory",
                                                      "free_memory",
                                                      "print_string",
                                                      "sizeof_type",
                                                      "symbol_addr_lookup",
                                                      "read_memory",
                                                      "write_memory",
                                                      "read_string",
                                                      "device_to_host",
                                                      "host_to_device",
                                                      "get_thread_context_for_thread_id"};
static struct {
    uint32_t calls, failed;
} counts[CALLBACKS];
/** Longest part of a string result that is shown. */
#define STRING_SHOWN 60u

static const char *rc_name(ompd_rc_t rc)
{
    static const char *const names[] = {
        "ok",          "unavailable",          "stale_handle",   "bad_input",          "error",
        "unsupported", "needs_state_tracking", "incompatible",   "device_read_error",  "device_write_error",
        "nomem",       "incomplete",           "callback_error", "incompatible_handle"};
    return (unsigned)rc < sizeof names / sizeof names[0] ? names[rc] : "unknown";
}

/* ---- counting ------------------------------------------------------------------------------------------ */

static ompd_rc_t count(int callback, ompd_rc_t rc)
{
    counts[callback].calls++;
    counts[callback].failed += rc != ompd_rc_ok;
    return rc;
}

static ompd_rc_t count_alloc(ompd_size_t bytes, void **ptr)
{
    return count(ALLOC, tools.alloc_memory(bytes, ptr));
}
static ompd_rc_t count_free(void *ptr)
{
    return count(FREE, tools.free_memory(ptr));
}
static ompd_rc_t count_print(const char *string, int category)
{
    return count(PRINT, tools.print_string(string, category));
}
static ompd_rc_t count_sizes(ompd_address_space_context_t *context, ompd_device_type_sizes_t *sizes)
{
    return count(SIZES, tools.sizeof_type(context, sizes));
}
static ompd_rc_t count_symbol(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
                              const char *name, ompd_address_t *address, const char *file)
{
    return count(SYMBOL, tools.symbol_addr_lookup(context, thread, name, address, file));
}
static ompd_rc_t count_read(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
                            const ompd_address_t *address, ompd_size_t bytes, void *buffer)
{
    return count(READ, tools.read_memory(context, thread, address, bytes, buffer));
}
static ompd_rc_t count_write(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
                             const ompd_address_t *address, ompd_size_t bytes, const void *buffer)
{
    return count(WRITE, tools.write_memory(context, thread, address, bytes, buffer));
}
static ompd_rc_t count_string(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
                              const ompd_address_t *address, ompd_size_t bytes, void *buffer)
{
    return count(STRING, tools.read_string(context, thread, address, bytes, buffer));
}
static ompd_rc_t count_to_host(ompd_address_space_context_t *context, const void *in, ompd_size_t unit,
                               ompd_size_t units, void *out)
{
    return count(TO_HOST, tools.device_to_host(context, in, unit, units, out));
}
static ompd_rc_t count_to_device(ompd_address_space_context_t *context, const void *in, ompd_size_t unit,
                                 ompd_size_t units, void *out)
{
    return count(TO_DEVICE, tools.host_to_device(context, in, unit, units, out));
}
static ompd_rc_t count_thread(ompd_address_space_context_t *context, ompd_thread_id_t kind, ompd_size_t size,
                              const void *id, ompd_thread_context_t **thread)
{
    return count(THREAD, tools.get_thread_context_for_thread_id(context, kind, size, id, thread));
}

/** Ours, with a hole where the tool's has one: the library looks whether a callback is there. */
static ompd_callbacks_t counting_table(void)
{
    return (ompd_callbacks_t){
        .alloc_memory = count_alloc,
        .free_memory = count_free,
        .print_string = count_print,
        .sizeof_type = count_sizes,
        .symbol_addr_lookup = count_symbol,
        .read_memory = count_read,
        .write_memory = tools.write_memory ? count_write : NULL,
        .read_string = tools.read_string ? count_string : NULL,
        .device_to_host = count_to_host,
        .host_to_device = tools.host_to_device ? count_to_device : NULL,
        .get_thread_context_for_thread_id = tools.get_thread_context_for_thread_id ? count_thread : NULL,
    };
}

/* ---- lines --------------------------------------------------------------------------------------------- */

static void add_string(struct text *text, const char *string)
{
    char part[STRING_SHOWN + 1];
    const size_t length = strnlen(string, STRING_SHOWN);
    memcpy(part, string, length);
    part[length] = 0;
    text_add(text, "\"");
    text_add(text, part);
    text_add(text, string[length] == 0 ? "\"" : "...\"");
}

/** What an output holds after a call that filled it. */
static void add_result(struct text *text, const struct trace_argument *argument)
{
    const void *at = (const void *)(uintptr_t)argument->value;
    int number;
    int64_t word;
    uint64_t hex;
    const char *string;
    ompd_address_t address;
    text_add(text, "->");
    switch (argument->kind) {
    case TRACE_OUT_INT:
        memcpy(&number, at, sizeof number);
        text_add_int(text, number);
        break;
    case TRACE_OUT_WORD:
        memcpy(&word, at, sizeof word);
        text_add_int(text, word);
        break;
    case TRACE_OUT_STRING:
        memcpy(&string, at, sizeof string);
        add_string(text, string);
        break;
    case TRACE_OUT_ADDRESS:
        memcpy(&address, at, sizeof address);
        text_add_hex(text, address.address);
        break;
    default:
        memcpy(&hex, at, sizeof hex);
        text_add_hex(text, hex);
        break;
    }
}

static void add_arguments(struct text *text, const struct trace_argument *arguments, bool filled)
{
    for (const struct trace_argument *a = arguments; a->kind != TRACE_END; a++) {
        if (a != arguments)
            text_add(text, ", ");
        text_add(text, a->name);
        text_add(text, "=");
        if (a->kind == TRACE_NUMBER)
            text_add_int(text, (int64_t)a->value);
        else if (a->value == 0)
            text_add(text, "NULL");
        else if (a->kind == TRACE_POINTER || !filled)
            text_add_hex(text, a->value);
        else
            add_result(text, a);
    }
}

static void add_counts(struct text *text)
{
    uint64_t all = 0;
    for (int i = 0; i < CALLBACKS; i++)
        all += counts[i].calls;
    text_add(text, "; callbacks: ");
    text_add_uint(text, all);
    for (int i = 0; i < CALLBACKS; i++) {
        if (counts[i].calls == 0)
            continue;
        text_add(text, ", ");
        text_add(text, callback_names[i]);
        text_add(text, " ");
        text_add_uint(text, counts[i].calls);
        if (counts[i].failed != 0) {
            text_add(text, " (");
            text_add_uint(text, counts[i].failed);
            text_add(text, " failed)");
        }
    }
    text_add(text, "\n");
}

void trace_enter(void)
{
    memset(counts, 0, sizeof counts);
    trace_state = TRACE_INSIDE;
}

void trace_leave(const char *function, const struct trace_argument *arguments, ompd_rc_t rc)
{
    struct text text = {0};
    text_add(&text, function);
    text_add(&text, "(");
    add_arguments(&text, arguments, rc == ompd_rc_ok || rc == ompd_rc_incomplete);
    text_add(&text, ") = ");
    text_add(&text, rc_name(rc));
    add_counts(&text);
    /* Past the counting table: the trace does not count itself. */
    (void)tools.print_string(text.buffer, OMPDX_PRINT_TRACE);
    /* After ompd_finalize the trace is over: the next user of the library has callbacks of its own. */
    trace_state = tgt_lib.ready ? TRACE_ON : TRACE_OFF;
}

ompd_rc_t ompdx_trace(int on)
{
    if (!tgt_lib.ready)
        return ompd_rc_callback_error;
    if (on != 0 && on != 1)
        return ompd_rc_bad_input;
    if (tgt_lib.cb.print_string == NULL)
        return ompd_rc_callback_error;
    if ((trace_state == TRACE_ON) == (on == 1))
        return ompd_rc_ok;
    if (on == 1) {
        tools = tgt_lib.cb;
        tgt_lib.cb = counting_table();
    } else {
        tgt_lib.cb = tools;
    }
    trace_state = on == 1 ? TRACE_ON : TRACE_OFF;
    return ompd_rc_ok;
}
