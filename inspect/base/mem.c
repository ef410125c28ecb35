/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "inspect/base/mem.h"

#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arena_block {
    struct arena_block *before;
    size_t used, size;
    alignas(max_align_t) char data[];
};

enum { BLOCK_BYTES = 16 * 1024 };

void *arena_alloc(struct arena *a, size_t size)
{
    size_t step = alignof(max_align_t);
    struct arena_block *block = a->last;

    if (size > SIZE_MAX / 2) {
        a->oom = true;
        return NULL;
    }
    size = (size + step - 1) / step * step;
    if (!block || block->size - block->used < size) {
        size_t want = size > BLOCK_BYTES ? size : BLOCK_BYTES;

        block = calloc(1, sizeof(*block) + want);
        if (!block) {
            a->oom = true;
            return NULL;
        }
        block->size = want;
        block->before = a->last;
        a->last = block;
    }
    block->used += size;
    return block->data + block->used - size;
}

/* Elements to make room for behind N elements, 0: there is room. An array is full when it has none, or a
 * power of two
   of them from 8 on. */
static size_t next_capacity(size_t n)
{
    if (!n)
        return 8;
    return n < 8 || n & (n - 1) ? 0 : 2 * n;
}

void *arena_grow(struct arena *a, void *array, size_t n, size_t size)
{
    size_t capacity = next_capacity(n);
    void *bigger;

    if (!capacity)
        return array;
    if (n > SIZE_MAX / 4 / size) {
        a->oom = true;
        return NULL;
    }
    bigger = arena_alloc(a, capacity * size);
    if (bigger && n)
        memcpy(bigger, array, n * size);
    return bigger;
}

void *array_grow(void *array, size_t n, size_t size)
{
    size_t capacity = next_capacity(n);

    if (!capacity)
        return array;
    return n > SIZE_MAX / 4 / size ? NULL : realloc(array, capacity * size);
}

char *arena_str(struct arena *a, const char *s)
{
    size_t size = s ? strlen(s) + 1 : 0;
    char *copy = s ? arena_alloc(a, size) : NULL;

    if (copy)
        memcpy(copy, s, size);
    return copy;
}

char *arena_printf(struct arena *a, const char *format, ...)
{
    va_list list;
    char *text;
    int n;

    va_start(list, format);
    n = vsnprintf(NULL, 0, format, list);
    va_end(list);
    if (n < 0)
        return NULL;
    text = arena_alloc(a, (size_t)n + 1);
    if (!text)
        return NULL;
    va_start(list, format);
    vsnprintf(text, (size_t)n + 1, format, list);
    va_end(list);
    return text;
}

void arena_free(struct arena *a)
{
    while (a->last) {
        struct arena_block *before = a->last->before;

        free(a->last);
        a->last = before;
    }
}

void sbuf_add_n(struct sbuf *b, const char *text, size_t n)
{
    if (b->oom)
        return;
    if (b->cap - b->len <= n) {
        size_t cap = b->cap ? b->cap : 256;
        char *bigger;

        while (cap - b->len <= n)
            cap *= 2;
        bigger = realloc(b->text, cap);
        if (!bigger) {
            b->oom = true;
            return;
        }
        b->text = bigger;
        b->cap = cap;
    }
    memcpy(b->text + b->len, text, n);
    b->len += n;
    b->text[b->len] = '\0';
}

void sbuf_add(struct sbuf *b, const char *text)
{
    sbuf_add_n(b, text, strlen(text));
}

void sbuf_pad(struct sbuf *b, char c, size_t n)
{
    while (n--)
        sbuf_add_n(b, &c, 1);
}

void sbuf_printf(struct sbuf *b, const char *format, ...)
{
    va_list list;
    char *text = NULL;
    int n;

    va_start(list, format);
    n = vasprintf(&text, format, list);
    va_end(list);
    if (n < 0) {
        b->oom = true;
        return;
    }
    sbuf_add_n(b, text, (size_t)n);
    free(text);
}

char *sbuf_take(struct sbuf *b)
{
    char *text;

    sbuf_add_n(b, "", 0);
    if (b->oom) {
        sbuf_free(b);
        return NULL;
    }
    text = b->text;
    *b = (struct sbuf){0};
    return text;
}

void sbuf_free(struct sbuf *b)
{
    free(b->text);
    *b = (struct sbuf){0};
}
