/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A map from keys to numbers by open addressing. A key is a number, a string, or both: (address, NULL), (0,
 * name), (base, path). Values are mostly indexes into an array of the caller's, which also keeps the order;
 * the map itself has none that means anything.
 *
 *     struct hash map = {.arena = a};             // or {0}: malloc, then hash_free
 *     uint64_t *at = hash_add(&map, addr, NULL);
 *     if (at && !*at) {                           // new: its value is 0
 *         rows[count] = ...;
 *         *at = ++count;                          // index + 1
 *     }
 *     at = hash_find(&map, addr, NULL);           // NULL: there is no such key
 *
 * To put rows together that are equal by more than a number, use a hash of the row as the key, and, where the
 * row found is another one after all, the next number.
 */
#ifndef INSPECT_HASH_H
#define INSPECT_HASH_H

#include "inspect/base/mem.h"

#ifdef __cplusplus
extern "C" {
#endif

struct hash_slot;

/** {0} is an empty map in malloc'ed memory. */
struct hash {
    struct arena *arena; /**< where the table lives; NULL: malloc */
    size_t most;         /**< keys that it may hold, 0: HASH_MOST */
    struct hash_slot *slot;
    size_t count, slots; /**< keys; slots are a power of two, more than half of them free */
};

enum { HASH_MOST = 1 << 26 };

/** The value of a key, for reading and writing until the next hash_add. NULL: there is no such key. */
uint64_t *hash_find(const struct hash *h, uint64_t number, const char *text) INSP_WARN_UNUSED;
/**
 * The same; a key that is not there is added with the value 0. TEXT is not copied: it must live as long as
 * the map. NULL out of memory, or when the map has all the keys that it may hold; the map is then as it was.
 */
uint64_t *hash_add(struct hash *h, uint64_t number, const char *text) INSP_WARN_UNUSED;
/** Empties the map. One in an arena leaves its memory there. */
void hash_free(struct hash *h);

/** HASH with N mixed in, for keys that are made of several numbers: every bit of both changes half of the
 *  result's. */
uint64_t hash_mix(uint64_t hash, uint64_t n);

#ifdef __cplusplus
}
#endif
#endif
