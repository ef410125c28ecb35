/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Memory: an arena (all that a snapshot holds is freed at once), growing arrays, and a growing string.
 */
#ifndef INSPECT_MEM_H
#define INSPECT_MEM_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define INSP_WARN_UNUSED  __attribute__((warn_unused_result))
#define INSP_PRINTF(f, a) __attribute__((format(printf, f, a)))

struct arena_block;

/** Blocks that live and die together. {0} is an empty arena. `oom` stays set once an allocation failed. */
struct arena {
    struct arena_block *last;
    bool oom;
};
/** Zeroed memory, or NULL (and a->oom). */
void *arena_alloc(struct arena *a, size_t size);
/**
 * Makes room for one more element behind N elements of SIZE bytes: `rows = arena_grow(a, rows, n,
 * sizeof(*rows))`, then `rows[n++] = ...`. Capacities are powers of two, so N alone says when to grow; an
 * array that grows so must have begun with NULL and 0. The old copy is left to the arena. NULL (and a->oom):
 * the old array is still good.
 */
void *arena_grow(struct arena *a, void *array, size_t n, size_t size) INSP_WARN_UNUSED;
/** The same of an array in malloc'ed memory, which the caller frees. */
void *array_grow(void *array, size_t n, size_t size) INSP_WARN_UNUSED;
/** Copy of S, byte for byte: what may be shown of it is a printer's matter (printable.h). NULL gives NULL. */
char *arena_str(struct arena *a, const char *s);
char *arena_printf(struct arena *a, const char *format, ...) INSP_PRINTF(2, 3);
void arena_free(struct arena *a);

/** Text under construction. {0} is empty. After a failed allocation all further calls do nothing and `oom` is
 *  set. */
struct sbuf {
    char *text;
    size_t len, cap;
    bool oom;
};
void sbuf_add(struct sbuf *b, const char *text);
void sbuf_add_n(struct sbuf *b, const char *text, size_t n);
void sbuf_pad(struct sbuf *b, char c, size_t n);
void sbuf_printf(struct sbuf *b, const char *format, ...) INSP_PRINTF(2, 3);
/** The malloc'ed text ("" when empty), now the caller's; NULL after a failed allocation. */
char *sbuf_take(struct sbuf *b);
void sbuf_free(struct sbuf *b);

#ifdef __cplusplus
}
#endif
#endif
