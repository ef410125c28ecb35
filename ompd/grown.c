/* SPDX-License-Identifier: Apache-2.0 */
#include "grown.h"

#include <string.h>

#include "text.h"

void grown_free(struct grown *text)
{
    tgt_free(text->bytes);
    text->bytes = NULL;
}

void grown_add_bytes(struct grown *text, const char *bytes, uint64_t count)
{
    if (text->rc != ompd_rc_ok)
        return;
    if (count > GROWN_BYTES_MAX - 1 - text->length) {
        count = GROWN_BYTES_MAX - 1 - text->length;
        text->cut = true;
    }
    if (text->length + count + 1 > text->room) {
        uint64_t room = text->room != 0 ? text->room : 64;
        while (room < text->length + count + 1)
            room *= 2;
        char *wider = NULL;
        text->rc = tgt_alloc(room, &wider);
        if (text->rc != ompd_rc_ok)
            return;
        if (text->length != 0)
            memcpy(wider, text->bytes, text->length);
        tgt_free(text->bytes);
        text->bytes = wider;
        text->room = room;
    }
    memcpy(text->bytes + text->length, bytes, count);
    text->length += count;
    text->bytes[text->length] = '\0';
}

void grown_add(struct grown *text, const char *string)
{
    grown_add_bytes(text, string, strlen(string));
}

void grown_add_int(struct grown *text, int64_t number)
{
    struct text digits = {0};
    text_add_int(&digits, number);
    grown_add(text, digits.buffer);
}

void grown_add_target(struct grown *text, const struct tgt *tgt, uint64_t address)
{
    /* A read stays within 256 bytes that start at a multiple of 256: no page ends inside. */
    char block[256];
    while (address != 0 && text->rc == ompd_rc_ok && !text->cut) {
        const uint64_t bytes = sizeof block - address % sizeof block;
        text->rc = tgt_read(tgt, address, bytes, block);
        if (text->rc != ompd_rc_ok)
            return;
        const uint64_t length = strnlen(block, bytes);
        grown_add_bytes(text, block, length);
        if (length < bytes)
            return;
        address += bytes;
    }
}

ompd_rc_t grown_give(struct grown *text, const char **ret)
{
    grown_add(text, ""); /* an empty text has no memory yet */
    TRY(text->rc);
    *ret = text->bytes;
    text->bytes = NULL;
    return text->cut ? ompd_rc_incomplete : ompd_rc_ok;
}
