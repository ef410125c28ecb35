/* SPDX-License-Identifier: Apache-2.0 */
#include "framed_lines.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "corefiles/numbers.h"
#include "inspect/base/hash.h"
#include "inspect/base/mem.h"

/* Bytes of a document in a line, which then has less than 1,000 characters; the most that is taken. */
enum { PIECE = 600, HOST = 64, LINE = 1000, LINES_MAX = 1 << 17, DOCUMENT_MAX = 1 << 28 };

static const char mark[] = "ompd1 ";
static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* ---- base64, RFC 4648 ---------------------------------------------------------------------------------- */

static void encode(const unsigned char *from, size_t n, char *to)
{
    for (size_t i = 0; i < n; i += 3) {
        uint32_t word = (uint32_t)from[i] << 16 | (i + 1 < n ? (uint32_t)from[i + 1] << 8 : 0) |
                        (i + 2 < n ? from[i + 2] : 0);

        *to++ = digits[word >> 18];
        *to++ = digits[word >> 12 & 63];
        *to++ = i + 1 < n ? digits[word >> 6 & 63] : '=';
        *to++ = i + 2 < n ? digits[word & 63] : '=';
    }
    *to = '\0';
}

/* The bytes of LENGTH characters; -1: it is no base64. */
static long decode(const char *from, size_t length, unsigned char *to)
{
    long n = 0;

    if (!length || length % 4)
        return -1;
    for (size_t i = 0; i < length; i += 4) {
        uint32_t word = 0;
        int pad = 0;

        for (size_t k = 0; k < 4; k++) {
            const char *digit = from[i + k] ? strchr(digits, from[i + k]) : NULL;

            pad += from[i + k] == '=';
            if ((!digit && from[i + k] != '=') || (digit && pad) || (pad && (k < 2 || i + 4 < length)))
                return -1;
            word = word << 6 | (digit ? (uint32_t)(digit - digits) : 0);
        }
        for (int k = 0; k < 3 - pad; k++)
            to[n++] = (unsigned char)(word >> (16 - 8 * k));
    }
    return n;
}

/* ---- writing ------------------------------------------------------------------------------------------- */

static uint32_t check_of(const char *head, const char *data, size_t length)
{
    uLong crc = crc32(0, (const Bytef *)head, (uInt)strlen(head));

    return (uint32_t)crc32(crc, (const Bytef *)data, (uInt)length);
}

/* A name that has no blanks, and no byte that a line cannot have. */
static void host_name(const char *host, char ret[HOST])
{
    size_t n = 0;

    for (; host && *host && n < HOST - 1; host++)
        ret[n++] = *host > ' ' && *host < 127 ? *host : '_';
    if (!n)
        ret[n++] = '-';
    ret[n] = '\0';
}

static void write_lines(FILE *out, const char *host, const unsigned char *packed, size_t size)
{
    uint32_t number = (uint32_t)crc32(0, packed, (uInt)size);
    size_t count = (size + PIECE - 1) / PIECE;
    char head[LINE], data[LINE];

    for (size_t i = 0; i < count; i++) {
        size_t n = i + 1 < count ? PIECE : size - i * PIECE;

        snprintf(head, sizeof(head), "%s %zx-%08x %zu/%zu", host, size, number, i + 1, count);
        encode(packed + i * PIECE, n, data);
        fprintf(out, "%s%s %08x %s\n", mark, head, check_of(head, data, strlen(data)), data);
    }
}

char *frames_write(const char *document, const char *host)
{
    uLong length = (uLong)strlen(document), size = compressBound(length);
    unsigned char *packed = malloc(size);
    char name[HOST], *text = NULL;
    size_t bytes = 0;
    FILE *out = packed ? open_memstream(&text, &bytes) : NULL;
    bool good = out && compress2(packed, &size, (const Bytef *)document, length, 9) == Z_OK;

    host_name(host, name);
    if (good)
        write_lines(out, name, packed, size);
    if (out && fclose(out))
        good = false;
    free(packed);
    if (good)
        return text;
    free(text);
    return NULL;
}

/* ---- reading ------------------------------------------------------------------------------------------- */

/** A document, of whose lines some have come. */
struct document {
    const char *host;
    unsigned long size, number;
    unsigned long count, got;
    size_t nth; /**< of its host */
};

/** What a line has brought. */
struct piece {
    unsigned char *data;
    size_t bytes;
};

/** Takes memory for what has come, not for what a line says that will come. */
struct reader {
    struct arena arena;
    struct document *documents;
    struct piece *pieces;
    size_t count, piece_count, damaged;
    struct hash by_document, by_piece; /**< index + 1 of each */
    struct hash by_host;               /**< how many documents */
};

/** A line, taken apart. */
struct line {
    char host[HOST];
    uint64_t size, number, index, count;
    unsigned char data[LINE];
    size_t bytes;
};

/* AT is behind the mark, END the line's. False: it is damaged. */
static bool read_line(const char *at, const char *end, struct line *ret)
{
    char text[LINE], head[LINE + HOST], *data;
    uint64_t check;
    size_t host;
    long bytes;

    if ((size_t)(end - at) >= LINE)
        return false;
    memcpy(text, at, (size_t)(end - at));
    text[end - at] = '\0';
    text[strcspn(text, "\r")] = '\0';
    at = text + strspn(text, " ");
    host = strcspn(at, " ");
    if (!host || host >= HOST)
        return false;
    memcpy(ret->host, at, host);
    ret->host[host] = '\0';
    at += host;
    if (!cf_next_number(&at, 16, &ret->size) || *at++ != '-' || !cf_next_number(&at, 16, &ret->number) ||
        !cf_next_number(&at, 10, &ret->index) || *at++ != '/' || !cf_next_number(&at, 10, &ret->count) ||
        !cf_next_number(&at, 16, &check) || *at != ' ')
        return false;
    data = text + (at - text) + strspn(at, " ");
    data[strcspn(data, " ")] = '\0';
    snprintf(head, sizeof(head), "%s %" PRIx64 "-%08" PRIx64 " %" PRIu64 "/%" PRIu64, ret->host, ret->size,
             ret->number, ret->index, ret->count);
    if (check_of(head, data, strlen(data)) != check || !ret->index || ret->index > ret->count ||
        ret->count > LINES_MAX || ret->number > UINT32_MAX || ret->size > (unsigned long)LINES_MAX * PIECE ||
        ret->count != (ret->size + PIECE - 1) / PIECE)
        return false;
    bytes = decode(data, strlen(data), ret->data);
    ret->bytes = bytes > 0 ? (size_t)bytes : 0;
    return bytes > 0 &&
           ret->bytes == (ret->index < ret->count ? PIECE : ret->size - (ret->count - 1) * PIECE);
}

bool frames_line(const char *text, size_t length, struct frame *ret)
{
    const char *at = memmem(text, length, mark, sizeof(mark) - 1);
    struct line line;

    if (!at || !read_line(at + sizeof(mark) - 1, text + length, &line))
        return false;
    *ret = (struct frame){.index = line.index, .count = line.count, .label = (size_t)(at - text)};
    memcpy(ret->host, line.host, sizeof(ret->host));
    return true;
}

/* The entry of line INDEX of a document. */
static uint64_t piece_key(size_t document, unsigned long index)
{
    return (uint64_t)document << 32 | index;
}

/* The index of the document that LINE belongs to; -1 out of memory. */
static long document_of(struct reader *r, const struct line *line)
{
    const char *host = arena_str(&r->arena, line->host);
    uint64_t *at =
        host ? hash_add(&r->by_document, (uint64_t)line->size << 32 | (uint32_t)line->number, host) : NULL;
    struct document *grown;
    uint64_t *documents;

    if (at && *at)
        return (long)*at - 1;
    documents = at ? hash_add(&r->by_host, 0, host) : NULL;
    grown = documents ? arena_grow(&r->arena, r->documents, r->count, sizeof(*grown)) : NULL;
    if (!grown)
        return -1;
    r->documents = grown;
    grown[r->count] = (struct document){host, line->size, line->number, line->count, 0, (*documents)++};
    *at = ++r->count;
    return (long)*at - 1;
}

static bool take_line(struct reader *r, const struct line *line)
{
    const long document = document_of(r, line);
    uint64_t *at =
        document >= 0 ? hash_add(&r->by_piece, piece_key((size_t)document, line->index), NULL) : NULL;
    unsigned char *copy;
    struct piece *grown;

    if (at && *at)
        return true; /* it has come twice */
    copy = at ? arena_alloc(&r->arena, line->bytes) : NULL;
    grown = copy ? arena_grow(&r->arena, r->pieces, r->piece_count, sizeof(*grown)) : NULL;
    if (!grown)
        return false;
    memcpy(copy, line->data, line->bytes);
    r->pieces = grown;
    grown[r->piece_count] = (struct piece){copy, line->bytes};
    *at = ++r->piece_count;
    r->documents[document].got++;
    return true;
}

/* All pieces of a document, of which none is missing; malloc'ed. */
static unsigned char *join(const struct reader *r, size_t document)
{
    const struct document *d = &r->documents[document];
    unsigned char *packed = malloc(d->size);
    size_t at = 0;

    for (unsigned long i = 1; packed && i <= d->count; i++) {
        const uint64_t *found = hash_find(&r->by_piece, piece_key(document, i), NULL);
        const struct piece *piece = &r->pieces[*found - 1];

        memcpy(packed + at, piece->data, piece->bytes);
        at += piece->bytes;
    }
    return packed;
}

static bool is_late(const struct frames_sink *sink)
{
    return sink->late && sink->late(sink->arg);
}

/* What PACKED unpacks to, malloc'ed; NULL: it is not what was packed, or there is no more time. */
static char *unpack(unsigned char *packed, const struct document *d, const struct frames_sink *sink,
                    size_t *size)
{
    size_t room = 1 << 16;
    char *text = malloc(room);
    z_stream z = {0};
    int rc = Z_OK;

    if (!packed || !text || crc32(0, packed, (uInt)d->size) != d->number || inflateInit(&z) != Z_OK) {
        free(text);
        return NULL;
    }
    z.next_in = packed;
    z.avail_in = (uInt)d->size;
    while (rc == Z_OK && room <= DOCUMENT_MAX && text && !is_late(sink)) {
        char *grown = text;

        if (z.total_out + 1 >= room)
            grown = realloc(text, room *= 2);
        if (!grown)
            break;
        text = grown;
        z.next_out = (Bytef *)text + z.total_out;
        z.avail_out = (uInt)(room - z.total_out - 1);
        rc = inflate(&z, Z_NO_FLUSH);
    }
    *size = z.total_out;
    inflateEnd(&z);
    if (rc == Z_STREAM_END) {
        text[*size] = '\0';
        return text;
    }
    free(text);
    return NULL;
}

static void finish(const struct reader *r, size_t document, const struct frames_sink *sink)
{
    const struct document *d = &r->documents[document];
    unsigned char *packed = d->got == d->count ? join(r, document) : NULL;
    char why[128], *text = NULL;
    size_t size;

    if (packed && !is_late(sink))
        text = unpack(packed, d, sink, &size);
    free(packed);
    if (text)
        sink->document(sink->arg, d->host, text, size);
    else if (is_late(sink))
        sink->failed(sink->arg, d->host, "the time was over before its answer was read");
    else if (d->got == d->count)
        sink->failed(sink->arg, d->host, "its answer cannot be unpacked");
    else {
        snprintf(why, sizeof(why), "%lu of %lu lines of its answer have come", d->got, d->count);
        sink->failed(sink->arg, d->host, why);
    }
    free(text);
}

struct turn {
    size_t nth, document;
};

static int by_turn(const void *left, const void *right)
{
    const struct turn *a = left, *b = right;

    if (a->nth != b->nth)
        return a->nth < b->nth ? -1 : 1;
    return a->document < b->document ? -1 : a->document > b->document;
}

static bool finish_all(struct reader *r, const struct frames_sink *sink)
{
    struct turn *turns = arena_alloc(&r->arena, (r->count + 1) * sizeof(*turns));

    for (size_t i = 0; turns && i < r->count; i++)
        turns[i] = (struct turn){r->documents[i].nth, i};
    if (turns && r->count)
        qsort(turns, r->count, sizeof(*turns), by_turn);
    for (size_t i = 0; turns && i < r->count; i++)
        finish(r, turns[i].document, sink);
    return turns != NULL;
}

bool frames_read(const char *text, size_t size, const struct frames_sink *sink)
{
    const char *end = text + size, *next;
    struct reader r = {0};
    struct line taken;
    bool any, good = true;
    char why[96];

    /* Reports of some 100 kB mostly have none. */
    if (!memmem(text, size, mark, sizeof(mark) - 1))
        return false;
    for (const char *line = text; line < end; line = next) {
        const char *stop = memchr(line, '\n', (size_t)(end - line)), *at;

        stop = stop ? stop : end;
        next = stop < end ? stop + 1 : end;
        at = memmem(line, (size_t)(stop - line), mark, sizeof(mark) - 1);
        if (at && read_line(at + sizeof(mark) - 1, stop, &taken))
            good &= take_line(&r, &taken);
        else
            r.damaged += at != NULL;
    }
    good &= finish_all(&r, sink);
    if (r.damaged) {
        snprintf(why, sizeof(why), "%zu damaged line%s", r.damaged, r.damaged == 1 ? "" : "s");
        sink->failed(sink->arg, NULL, why);
    }
    if (!good)
        sink->failed(sink->arg, NULL, "there was not enough memory for all of the answers");
    any = r.count || r.damaged || !good;
    hash_free(&r.by_document);
    hash_free(&r.by_piece);
    hash_free(&r.by_host);
    arena_free(&r.arena);
    return any;
}
