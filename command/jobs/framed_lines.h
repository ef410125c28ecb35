/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Documents in short lines, for the way through programs that cut long ones and mix those of several
 * machines, as srun does with lines of more than 1,024 bytes:
 *
 *   ompd1 HOST NUMBER I/N CHECK DATA
 *
 * DATA is a part of the document, compressed (zlib) and in base64; NUMBER is its length and checksum, by
 * which the N lines of one document belong together; CHECK is the checksum (CRC-32) of all that stands
 * between "ompd1" and it, and of DATA. What stands in a line before "ompd1", such as a label, and lines of
 * others are passed over.
 */
#ifndef COMMAND_FRAMED_LINES_H
#define COMMAND_FRAMED_LINES_H

#include <stdbool.h>
#include <stddef.h>

/** DOCUMENT in lines, malloc'ed; NULL out of memory. */
char *frames_write(const char *document, const char *host);

/** Which part of whose document a line has. */
struct frame {
    char host[64];
    unsigned long index, count; /**< from 1 */
    size_t label;               /**< so many bytes stand before it */
};
/** Has LINE, which is not trusted, such a part, and undamaged? */
bool frames_line(const char *line, size_t length, struct frame *ret);

/** Who gets what has been read. Texts live as long as the call. */
struct frames_sink {
    void (*document)(void *arg, const char *host, const char *text, size_t size);
    /** Not all of a document has come. HOST may be NULL: it is not known whose. */
    void (*failed)(void *arg, const char *host, const char *why);
    void *arg;
    /** Is there no more time? What is not read by then has failed. NULL: there is. */
    bool (*late)(void *arg);
};
/** False: TEXT, which is not trusted, has no such lines. The first document of each host comes before any
 *  second one, so that no host can take the time of all. */
bool frames_read(const char *text, size_t size, const struct frames_sink *sink);

#endif
