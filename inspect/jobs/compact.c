/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/jobs/compact.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/** What is being copied, and how far. */
struct copy {
    const char *text;
    size_t size, at; /**< of `text` */
    char *to;
    size_t length;
    size_t depth;
    bool edges;    /**< the last word was that name */
    size_t hidden; /**< where the value of `edges` begins, 0 not in it */
};

/* The word in quotes at `at`. False: it has no end. */
static bool copy_string(struct copy *c)
{
    static const char name[] = "\"edges\"";
    const char *start = c->text + c->at, *end = start;
    size_t n, escapes;

    do {
        end = memchr(end + 1, '"', c->size - (size_t)(end + 1 - c->text));
        if (!end)
            return false;
        for (escapes = 0; end[-1 - (ptrdiff_t)escapes] == '\\'; escapes++)
            ;
    } while (escapes % 2);
    n = (size_t)(end + 1 - start);
    c->edges = c->depth == 1 && n == sizeof(name) - 1 && !memcmp(start, name, n);
    if (!c->hidden) {
        memcpy(c->to + c->length, start, n);
        c->length += n;
    }
    c->at += n;
    return true;
}

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r';
}

/* Blanks at `at`. One stays behind a number, which must not grow together with another one. */
static void copy_blanks(struct copy *c)
{
    while (c->at < c->size && is_blank(c->text[c->at]))
        c->at++;
    if (!c->hidden && !strchr("\",:[]{}", c->to[c->length - 1]))
        c->to[c->length++] = ' ';
}

/* A byte between words. */
static void copy_byte(struct copy *c)
{
    const char byte = c->text[c->at];
    const bool closes = byte == '}' || byte == ']';

    if (c->hidden && c->depth == 1 && (byte == ',' || closes)) {
        if (c->at > c->hidden)
            c->to[c->length++] = '0';
        c->hidden = 0;
    }
    if (!c->hidden)
        c->to[c->length++] = byte;
    c->at++;
    if (byte == ':' && c->edges && c->depth == 1 && !c->hidden)
        c->hidden = c->at;
    c->depth += byte == '{' || byte == '[';
    c->depth -= closes;
}

char *compact(const char *text, size_t size, size_t *length, size_t *used)
{
    struct copy c = {.text = text, .size = size};
    bool good = size && *text == '{';

    if (good)
        c.to = malloc(size + 1);
    good = c.to != NULL;
    while (good) {
        if (text[c.at] == '"')
            good = copy_string(&c);
        else if (is_blank(text[c.at]))
            copy_blanks(&c);
        else
            copy_byte(&c);
        if (!c.depth)
            break;
        good &= c.at < size;
    }
    if (!good) {
        free(c.to);
        return NULL;
    }
    *length = c.length;
    *used = c.at;
    return c.to;
}
