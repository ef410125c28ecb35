/* SPDX-License-Identifier: Apache-2.0 */
#include "ompd/fuzz/host.h"

#include <stdlib.h>
#include <string.h>

#include "ompd/fuzz/memory.h"

struct host host;

const char *const host_names[HOST_CALLBACKS] = {
    [HOST_READ] = "read_memory",       [HOST_ALLOC] = "alloc_memory", [HOST_SYMBOL] = "symbol_addr_lookup",
    [HOST_CONVERT] = "device_to_host", [HOST_SIZEOF] = "sizeof_type", [HOST_CONTEXT] = "get_thread_context",
    [HOST_PRINT] = "print_string",     [HOST_FREE] = "free_memory",   [HOST_READ_STRING] = "read_string",
};

void host_clear_counts(void)
{
    memset(host.count, 0, sizeof host.count);
}

void host_clear_failures(void)
{
    memset(host.fail, 0, sizeof host.fail);
}

static bool fails(enum host_callback which, ompd_rc_t *rc)
{
    struct host_failure *failure = &host.fail[which];
    host.count[which]++;
    if (failure->after == 0 || (failure->after > 1 && --failure->after != 0))
        return false;
    if (!failure->sticky)
        failure->after = 0;
    failure->fired = true;
    *rc = (ompd_rc_t)failure->code;
    return true;
}

static ompd_rc_t alloc_memory(ompd_size_t bytes, void **ptr)
{
    ompd_rc_t rc;
    if (fails(HOST_ALLOC, &rc)) {
        if (rc == ompd_rc_ok)
            *ptr = NULL; /* a tool that hands malloc's result on */
        return rc;
    }
    if (bytes > HOST_BLOCK_MAX)
        return ompd_rc_nomem;
    *ptr = malloc(bytes);
    if (*ptr == NULL)
        return ompd_rc_nomem;
    host.live++;
    return ompd_rc_ok;
}

static ompd_rc_t free_memory(void *ptr)
{
    ompd_rc_t rc = ompd_rc_ok;
    host.live--;
    free(ptr);
    (void)fails(HOST_FREE, &rc);
    return rc;
}

void host_free(const void *block)
{
    if (block == NULL)
        return;
    host.live--;
    free((void *)(uintptr_t)block);
}

static ompd_rc_t print_string(const char *text, int category)
{
    ompd_rc_t rc;
    (void)category;
    if (fails(HOST_PRINT, &rc))
        return rc;
    if (strlen(text) > 1023)
        abort(); /* no sentence of ours */
    return ompd_rc_ok;
}

static ompd_rc_t sizeof_type(ompd_address_space_context_t *context, ompd_device_type_sizes_t *sizes)
{
    ompd_rc_t rc;
    if (fails(HOST_SIZEOF, &rc))
        return rc;
    const uint8_t pointer = ((const struct mem *)context)->pointer;
    *sizes = (ompd_device_type_sizes_t){1, 2, 4, pointer, 8, pointer};
    return ompd_rc_ok;
}

static ompd_rc_t symbol(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
                        const char *name, ompd_address_t *address, const char *file)
{
    ompd_rc_t rc;
    (void)thread;
    (void)file;
    if (fails(HOST_SYMBOL, &rc))
        return rc;
    if (strcmp(name, "rt_layout_table") != 0)
        return ompd_rc_error;
    *address = (ompd_address_t){ompd_segment_none, ((const struct mem *)context)->table};
    return ompd_rc_ok;
}

static ompd_rc_t read_memory(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
                             const ompd_address_t *address, ompd_size_t bytes, void *buffer)
{
    ompd_rc_t rc;
    (void)thread;
    if (fails(HOST_READ, &rc)) {
        memset(buffer, 0xd1, bytes / 2); /* it broke off half-way */
        return rc;
    }
    return mem_read((const struct mem *)context, address->address, bytes, buffer) ? ompd_rc_ok
                                                                                  : ompd_rc_error;
}

static ompd_rc_t no_string(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
                           const ompd_address_t *address, ompd_size_t bytes, void *buffer)
{
    ompd_rc_t rc;
    (void)context, (void)thread, (void)address, (void)bytes, (void)buffer;
    return fails(HOST_READ_STRING, &rc) ? rc : ompd_rc_error;
}

static ompd_rc_t no_write(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
                          const ompd_address_t *address, ompd_size_t bytes, const void *buffer)
{
    (void)context, (void)thread, (void)address, (void)bytes, (void)buffer;
    abort(); /* the library never writes */
}

static ompd_rc_t to_host(ompd_address_space_context_t *context, const void *in, ompd_size_t unit,
                         ompd_size_t count, void *out)
{
    ompd_rc_t rc;
    if (fails(HOST_CONVERT, &rc))
        return rc;
    for (ompd_size_t i = 0; i < count; i++)
        mem_convert((const struct mem *)context, (const char *)in + i * unit, unit, (char *)out + i * unit);
    return ompd_rc_ok;
}

static ompd_rc_t to_device(ompd_address_space_context_t *context, const void *in, ompd_size_t unit,
                           ompd_size_t count, void *out)
{
    (void)context, (void)in, (void)unit, (void)count, (void)out;
    abort();
}

static ompd_rc_t thread_context(ompd_address_space_context_t *context, ompd_thread_id_t kind,
                                ompd_size_t size, const void *id, ompd_thread_context_t **ret)
{
    ompd_rc_t rc;
    (void)kind, (void)size, (void)id;
    if (fails(HOST_CONTEXT, &rc))
        return rc;
    *ret = (ompd_thread_context_t *)context;
    return ompd_rc_ok;
}

const ompd_callbacks_t host_callbacks = {
    .alloc_memory = alloc_memory,
    .free_memory = free_memory,
    .print_string = print_string,
    .sizeof_type = sizeof_type,
    .symbol_addr_lookup = symbol,
    .read_memory = read_memory,
    .write_memory = no_write,
    .read_string = no_string,
    .device_to_host = to_host,
    .host_to_device = to_device,
    .get_thread_context_for_thread_id = thread_context,
};
