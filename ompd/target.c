/* SPDX-License-Identifier: Apache-2.0 */
#include "target.h"

#include <string.h>

struct tgt_library tgt_lib;

/**
 * Codes of a callback that are taken as they are: those that say what failed. The others have a meaning of
 * their own in our answers (unavailable: "the thread is idle"; bad_input, unsupported: "your argument"),
 * which a tool's failure must not borrow; and a callback in a scripting language that died by an exception
 * returns any number.
 */
static ompd_rc_t callback_code(ompd_rc_t rc)
{
    switch (rc) {
    case ompd_rc_ok:
    case ompd_rc_stale_handle:
    case ompd_rc_error:
    case ompd_rc_device_read_error:
    case ompd_rc_nomem:
        return rc;
    default:
        return ompd_rc_callback_error;
    }
}

ompd_rc_t tgt_alloc(uint64_t bytes, void *ret)
{
    void *block = NULL;
    if (bytes > SIZE_MAX / 2 || tgt_lib.cb.alloc_memory(bytes != 0 ? bytes : 1, &block) != ompd_rc_ok ||
        block == NULL)
        return ompd_rc_nomem;
    memcpy(ret, &block, sizeof block);
    return ompd_rc_ok;
}

ompd_rc_t tgt_alloc_zero(uint64_t bytes, void *ret)
{
    void *block = NULL;
    TRY(tgt_alloc(bytes, &block));
    memset(block, 0, bytes);
    memcpy(ret, &block, sizeof block);
    return ompd_rc_ok;
}

void tgt_free(void *block)
{
    if (block != NULL)
        (void)tgt_lib.cb.free_memory(block);
}

void tgt_free_guard(void *pointer_to_block)
{
    void *block;
    memcpy(&block, pointer_to_block, sizeof block);
    tgt_free(block);
}

ompd_rc_t tgt_strdup(const char *text, const char **ret)
{
    size_t bytes = strlen(text) + 1;
    char *copy = NULL;
    TRY(tgt_alloc(bytes, &copy));
    memcpy(copy, text, bytes);
    *ret = copy;
    return ompd_rc_ok;
}

static int order_index(unsigned size)
{
    return size == 2 ? 0 : size == 4 ? 1 : 2;
}

static void reversed(const void *bytes, unsigned size, uint8_t *ret)
{
    for (unsigned i = 0; i < size; i++)
        ret[i] = ((const uint8_t *)bytes)[size - 1 - i];
}

/**
 * Learns what device_to_host does to a number of SIZE bytes. A snapshot of 256 threads decodes ten thousand
 * numbers; a callback for each would cost a tool written in Python more than all its reads. A conversion that
 * is neither nothing nor a swap is asked for each time.
 */
static ompd_rc_t learn_order(struct tgt *tgt, unsigned size)
{
    static const uint8_t pattern[8] = {0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef};
    uint8_t converted[8] = {0}, swapped[8];
    TRY(callback_code(tgt_lib.cb.device_to_host(tgt->context, pattern, size, 1, converted)));
    reversed(pattern, size, swapped);
    enum tgt_order order = TGT_ORDER_ASK;
    if (memcmp(converted, pattern, size) == 0)
        order = TGT_ORDER_SAME;
    else if (memcmp(converted, swapped, size) == 0)
        order = TGT_ORDER_SWAP;
    tgt->order[order_index(size)] = order;
    return ompd_rc_ok;
}

ompd_rc_t tgt_open(struct tgt *tgt, ompd_address_space_context_t *context)
{
    struct tgt opened = {.context = context, .reads = tgt->reads};
    TRY(callback_code(tgt_lib.cb.sizeof_type(context, &opened.sizes)));
    if (opened.sizes.sizeof_char != 1 || opened.sizes.sizeof_int != 4 ||
        (opened.sizes.sizeof_pointer != 4 && opened.sizes.sizeof_pointer != 8)) {
        tgt_say(
            "libompd: the debugger's sizes of the target's types fit no machine that this library knows.\n");
        return ompd_rc_incompatible;
    }
    TRY(learn_order(&opened, 2));
    TRY(learn_order(&opened, 4));
    TRY(learn_order(&opened, 8));
    *tgt = opened;
    return ompd_rc_ok;
}

ompd_rc_t tgt_read(const struct tgt *tgt, uint64_t address, uint64_t bytes, void *ret)
{
    if (address == 0 || bytes == 0 || address + bytes < address)
        return ompd_rc_error;
    if (tgt->sizes.sizeof_pointer == 4 && address + bytes > 0x100000000)
        return ompd_rc_error;
    if (*tgt->reads >= TGT_READS_MAX) {
        if (*tgt->reads == TGT_READS_MAX)
            tgt_say("libompd: the target's memory is damaged, or so large that one call read too often.\n");
        *tgt->reads = TGT_READS_MAX + 1;
        return ompd_rc_error;
    }
    ++*tgt->reads;
    const ompd_address_t place = {.segment = ompd_segment_none, .address = address};
    return callback_code(tgt_lib.cb.read_memory(tgt->context, NULL, &place, bytes, ret));
}

ompd_rc_t tgt_read_segment(const struct tgt *tgt, ompd_thread_context_t *context, uint64_t segment,
                           uint64_t address, uint64_t bytes, void *ret)
{
    const ompd_address_t place = {.segment = segment, .address = address};
    if (*tgt->reads >= TGT_READS_MAX)
        return ompd_rc_unavailable;
    ++*tgt->reads;
    return tgt_lib.cb.read_memory(tgt->context, context, &place, bytes, ret) == ompd_rc_ok
               ? ompd_rc_ok
               : ompd_rc_unavailable;
}

ompd_rc_t tgt_number(const struct tgt *tgt, const void *bytes, unsigned size, uint64_t *ret)
{
    uint8_t host[8];
    const void *value = host;
    if (size == 1) {
        *ret = *(const uint8_t *)bytes;
        return ompd_rc_ok;
    }
    if (size != 2 && size != 4 && size != 8)
        return ompd_rc_incompatible;
    switch (tgt->order[order_index(size)]) {
    case TGT_ORDER_SAME:
        value = bytes;
        break;
    case TGT_ORDER_SWAP:
        reversed(bytes, size, host);
        break;
    default:
        memset(host, 0, sizeof host);
        TRY(callback_code(tgt_lib.cb.device_to_host(tgt->context, bytes, size, 1, host)));
        break;
    }
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    if (size == 2) {
        memcpy(&u16, value, sizeof u16);
        *ret = u16;
    } else if (size == 4) {
        memcpy(&u32, value, sizeof u32);
        *ret = u32;
    } else {
        memcpy(&u64, value, sizeof u64);
        *ret = u64;
    }
    return ompd_rc_ok;
}

ompd_rc_t tgt_read_pointer(const struct tgt *tgt, uint64_t address, uint64_t *ret)
{
    uint8_t bytes[8];
    TRY(tgt_read(tgt, address, tgt->sizes.sizeof_pointer, bytes));
    return tgt_number(tgt, bytes, tgt->sizes.sizeof_pointer, ret);
}

ompd_rc_t tgt_symbol(const struct tgt *tgt, const char *name, uint64_t *ret)
{
    ompd_address_t place = {.segment = ompd_segment_none, .address = 0};
    ompd_rc_t rc = tgt_lib.cb.symbol_addr_lookup(tgt->context, NULL, name, &place, NULL);
    if (rc == ompd_rc_error || rc == ompd_rc_unavailable || rc == ompd_rc_unsupported)
        return ompd_rc_unavailable;
    TRY(callback_code(rc));
    /* LLVM's GDB plugin answers "ok" and -1 for a symbol that it did not find. */
    if (place.address == 0 || place.address == UINT64_MAX)
        return ompd_rc_unavailable;
    *ret = place.address;
    return ompd_rc_ok;
}

void tgt_say(const char *sentence)
{
    if (tgt_lib.ready && tgt_lib.cb.print_string != NULL)
        (void)tgt_lib.cb.print_string(sentence, 0);
}
