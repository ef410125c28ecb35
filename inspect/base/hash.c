/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/base/hash.h"

#include <stdlib.h>
#include <string.h>

struct hash_slot {
    uint64_t number, value;
    const char *text;
    bool used;
};

enum { FIRST_SLOTS = 32 };

/* The finalizer of MurmurHash3 (public domain). */
uint64_t hash_mix(uint64_t hash, uint64_t n)
{
    n ^= hash * UINT64_C(0x9e3779b97f4a7c15);
    n = (n ^ n >> 33) * UINT64_C(0xff51afd7ed558ccd);
    n = (n ^ n >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    return n ^ n >> 33;
}

/*
 * Where a key is or belongs. The table's own address is mixed in: the keys are a target's, and one that is
 * made to do harm cannot know which of them would all meet in one slot.
 */
static struct hash_slot *locate(const struct hash *h, uint64_t number, const char *text)
{
    uint64_t at = hash_mix((uintptr_t)h->slot, number);

    for (const char *c = text; c && *c; c++)
        at = (at ^ (unsigned char)*c) * UINT64_C(0x100000001b3); /* FNV-1a */
    for (at = text ? hash_mix(1, at) : at;; at++) {
        struct hash_slot *s = &h->slot[at & (h->slots - 1)];

        if (!s->used || (s->number == number && (s->text && text ? !strcmp(s->text, text) : s->text == text)))
            return s;
    }
}

uint64_t *hash_find(const struct hash *h, uint64_t number, const char *text)
{
    struct hash_slot *s = h->slots ? locate(h, number, text) : NULL;

    return s && s->used ? &s->value : NULL;
}

static bool grow(struct hash *h)
{
    struct hash_slot *old = h->slot, *slot;
    size_t old_slots = h->slots, slots = old_slots ? 2 * old_slots : FIRST_SLOTS;

    slot = h->arena ? arena_alloc(h->arena, slots * sizeof(*slot)) : calloc(slots, sizeof(*slot));
    if (!slot)
        return false;
    h->slot = slot;
    h->slots = slots;
    for (size_t i = 0; i < old_slots; i++)
        if (old[i].used)
            *locate(h, old[i].number, old[i].text) = old[i];
    if (!h->arena)
        free(old);
    return true;
}

uint64_t *hash_add(struct hash *h, uint64_t number, const char *text)
{
    uint64_t *found = hash_find(h, number, text);
    struct hash_slot *s;

    if (found || h->count >= (h->most ? h->most : HASH_MOST))
        return found;
    if (h->slots <= 2 * (h->count + 1) && !grow(h))
        return NULL;
    s = locate(h, number, text);
    *s = (struct hash_slot){.number = number, .text = text, .used = true};
    h->count++;
    return &s->value;
}

void hash_free(struct hash *h)
{
    if (!h->arena)
        free(h->slot);
    h->slot = NULL;
    h->count = h->slots = 0;
}
