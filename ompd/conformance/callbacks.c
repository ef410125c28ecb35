/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The callbacks of a debugger, which also watch the library that calls them.
 *
 * Freed blocks are kept until the target is done with, and filled only after the library has let go of
 * everything: so a handle that was given back can be handed in once more.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "conf.h"

#define CONTEXT_MARK 0x5ce7e5u

struct callback_counts callback_counts;
int inside;
char trace_last[2048];
unsigned long trace_lines;

static long in_use;
static unsigned long writes, outside, foreign_contexts, foreign_blocks;

struct block {
    uint64_t mark;
    struct block *next;
};
#define BLOCK_USED 0x0c0ffee0b10c0001u
#define BLOCK_FREE 0x0c0ffee0b10c0000u
static struct block *freed;

static ompd_rc_t alloc_memory(ompd_size_t bytes, void **ret)
{
    outside += inside == 0;
    callback_counts.alloc++;
    struct block *block = malloc(sizeof *block + bytes);
    if (!block)
        return ompd_rc_nomem;
    block->mark = BLOCK_USED;
    memset(block + 1, 0xa5, bytes); /* nobody promised zeros */
    *ret = block + 1;
    in_use++;
    /* cppcheck-suppress memleak ; the library has it */
    return ompd_rc_ok;
}

static ompd_rc_t release(void *pointer)
{
    struct block *block = pointer ? (struct block *)pointer - 1 : NULL;
    if (!block || block->mark != BLOCK_USED) {
        foreign_blocks++;
        return ompd_rc_bad_input;
    }
    block->mark = BLOCK_FREE;
    block->next = freed;
    freed = block;
    in_use--;
    return ompd_rc_ok;
}

static ompd_rc_t free_memory(void *pointer)
{
    outside += inside == 0;
    callback_counts.free++;
    return release(pointer);
}

void give_back(const void *block)
{
    void *pointer;
    memcpy(&pointer, &block, sizeof pointer);
    check(release(pointer) == ompd_rc_ok, "a result is not a block of alloc_memory");
}

long blocks_in_use(void)
{
    return in_use;
}

unsigned long callbacks_made(void)
{
    const struct callback_counts *c = &callback_counts;
    return c->alloc + c->free + c->print + c->sizes + c->symbol + c->read + c->string + c->convert +
           c->thread;
}

static ompd_rc_t print_string(const char *text, int category)
{
    outside += inside == 0;
    callback_counts.print += category != OMPDX_PRINT_TRACE;
    if (category == OMPDX_PRINT_TRACE) {
        trace_lines++;
        snprintf(trace_last, sizeof trace_last, "%s", text);
    }
    return ompd_rc_ok;
}

/** Is it our context, and does the process live? */
static ompd_rc_t known(const ompd_address_space_context_t *context)
{
    outside += inside == 0;
    if (!context || context->mark != CONTEXT_MARK) {
        foreign_contexts++;
        return ompd_rc_bad_input;
    }
    return context->child->ended ? ompd_rc_stale_handle : ompd_rc_ok;
}

static ompd_rc_t sizeof_type(ompd_address_space_context_t *context, ompd_device_type_sizes_t *sizes)
{
    callback_counts.sizes++;
    const ompd_rc_t rc = known(context);
    if (rc == ompd_rc_ok)
        *sizes = (ompd_device_type_sizes_t){1, 2, 4, 8, 8, 8};
    return rc;
}

static ompd_rc_t symbol_addr_lookup(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
                                    const char *name, ompd_address_t *ret, const char *file)
{
    (void)file;
    callback_counts.symbol++;
    const ompd_rc_t rc = known(context);
    if (rc != ompd_rc_ok)
        return rc;
    if (!name)
        return ompd_rc_bad_input;
    uint64_t address;
    if (thread || !symbol_find(context->child, name, &address))
        return ompd_rc_error;
    *ret = (ompd_address_t){ompd_segment_none, address};
    return ompd_rc_ok;
}

static ompd_rc_t read_memory(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
                             const ompd_address_t *address, ompd_size_t bytes, void *buffer)
{
    (void)thread;
    callback_counts.read++;
    const ompd_rc_t rc = known(context);
    if (rc != ompd_rc_ok)
        return rc;
    return child_read(context->child, address->address, buffer, bytes) ? ompd_rc_ok : ompd_rc_error;
}

static ompd_rc_t write_memory(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
                              const ompd_address_t *address, ompd_size_t bytes, const void *buffer)
{
    (void)context;
    (void)thread;
    (void)address;
    (void)bytes;
    (void)buffer;
    writes++;
    return ompd_rc_error;
}

static ompd_rc_t read_string(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
                             const ompd_address_t *address, ompd_size_t bytes, void *buffer)
{
    (void)thread;
    callback_counts.string++;
    const ompd_rc_t rc = known(context);
    if (rc != ompd_rc_ok)
        return rc;
    for (ompd_size_t i = 0; i < bytes; i++) {
        if (!child_read(context->child, address->address + i, (char *)buffer + i, 1))
            return ompd_rc_error;
        if (((char *)buffer)[i] == 0)
            return ompd_rc_ok;
    }
    return ompd_rc_incomplete;
}

static ompd_rc_t convert(ompd_address_space_context_t *context, const void *in, ompd_size_t unit,
                         ompd_size_t count, void *out)
{
    callback_counts.convert++;
    const ompd_rc_t rc = known(context);
    if (rc == ompd_rc_ok)
        memmove(out, in, unit * count);
    return rc;
}

static ompd_rc_t get_thread_context(ompd_address_space_context_t *context, ompd_thread_id_t kind,
                                    ompd_size_t size, const void *id, ompd_thread_context_t **ret)
{
    static struct _ompd_thread_cont thread;
    callback_counts.thread++;
    const ompd_rc_t rc = known(context);
    if (rc != ompd_rc_ok)
        return rc;
    if (kind != OMPD_THREAD_ID_LWP)
        return ompd_rc_unsupported;
    if (size != sizeof thread.tid)
        return ompd_rc_bad_input;
    memcpy(&thread.tid, id, sizeof thread.tid);
    *ret = &thread;
    return ompd_rc_ok;
}

const ompd_callbacks_t *callbacks(void)
{
    static const ompd_callbacks_t table = {
        alloc_memory, free_memory, print_string, sizeof_type, symbol_addr_lookup, read_memory,
        write_memory, read_string, convert,      convert,     get_thread_context,
    };
    return &table;
}

void check_behaviour(void)
{
    check(writes == 0, "the library wrote to the target %lu times", writes);
    check(outside == 0, "%lu callbacks came outside any call", outside);
    check(foreign_contexts == 0, "%lu callbacks got a context that is not the tool's", foreign_contexts);
    check(foreign_blocks == 0, "free_memory got %lu blocks that are not alloc_memory's", foreign_blocks);
    check(in_use == 0, "%ld blocks were not given back", in_use);
    writes = outside = foreign_contexts = foreign_blocks = 0;
    while (freed) {
        struct block *block = freed;
        freed = block->next;
        free(block);
    }
}
