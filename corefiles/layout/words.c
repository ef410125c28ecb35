/* SPDX-License-Identifier: Apache-2.0 */
#include "corefiles/layout/words.h"

#include <string.h>

/* ---- pointers ------------------------------------------------------------------------------------------ */

static uint16_t find(const struct ly_pointers *pointers, uint16_t parent, int32_t offset, int32_t stride)
{
    for (uint16_t i = LY_ROOTS; i < pointers->count; i++)
        if (pointers->list[i].parent == parent && pointers->list[i].offset == offset &&
            pointers->list[i].stride == stride)
            return i;
    return LY_UNKNOWN;
}

static uint16_t make(struct ly_pointers *pointers, uint16_t parent, uint16_t depth, int32_t offset,
                     int32_t stride)
{
    const uint16_t known = find(pointers, parent, offset, stride);

    if (known || pointers->count == LY_POINTERS_MAX)
        return known;
    pointers->list[pointers->count] = (struct ly_pointer){parent, depth, offset, stride};
    return pointers->count++;
}

uint16_t ly_loaded(struct ly_pointers *pointers, uint16_t parent, int32_t offset)
{
    const uint16_t depth = pointers->list[parent].depth;

    if (parent == LY_UNKNOWN || parent == LY_NUMBER || parent == LY_MULTIPLE || depth == LY_DEPTH_MAX)
        return LY_UNKNOWN;
    return make(pointers, parent, depth + 1, offset, 0);
}

uint16_t ly_returned(struct ly_pointers *pointers, uint64_t pc)
{
    return pc > INT32_MAX ? LY_UNKNOWN : make(pointers, LY_UNKNOWN, 0, (int32_t)pc, 0);
}

uint16_t ly_element(struct ly_pointers *pointers, uint16_t parent, int32_t stride)
{
    if (pointers->list[parent].stride == stride)
        return parent; /* the next but some */
    return make(pointers, parent, pointers->list[parent].depth, 0, stride);
}

uint16_t ly_find_loaded(const struct ly_pointers *pointers, uint16_t parent, int32_t offset)
{
    return parent == LY_UNKNOWN ? LY_UNKNOWN : find(pointers, parent, offset, 0);
}

/* ---- states -------------------------------------------------------------------------------------------- */

void ly_state_start(struct ly_state *state)
{
    *state = (struct ly_state){.steps = 0};
    state->registers[X86_RSP].pointer = LY_STACK;
    state->registers[X86_RDI].pointer = LY_ARGUMENT;
    state->registers[X86_RSI].pointer = LY_SECOND_ARGUMENT;
    state->registers[X86_RDX].pointer = LY_THIRD_ARGUMENT;
    state->registers[X86_R8].pointer = LY_FIFTH_ARGUMENT;
    state->registers[X86_R9].pointer = LY_SIXTH_ARGUMENT;
}

struct ly_word ly_slot_get(const struct ly_state *state, int32_t at)
{
    for (unsigned i = 0; i < state->slot_count; i++)
        if (state->slots[i].at == at)
            return state->slots[i].word;
    return (struct ly_word){LY_UNKNOWN, 0};
}

void ly_slot_set(struct ly_state *state, int32_t at, unsigned size, struct ly_word word)
{
    unsigned kept = 0, place = 0;

    for (unsigned i = 0; i < state->slot_count; i++) {
        const int64_t slot = state->slots[i].at;
        if (slot + 8 <= at || slot >= (int64_t)at + size)
            state->slots[kept++] = state->slots[i];
    }
    state->slot_count = (uint16_t)kept;
    if (size != 8 || word.pointer == LY_UNKNOWN || kept == LY_SLOTS_MAX)
        return;
    while (place < kept && state->slots[place].at < at)
        place++;
    memmove(state->slots + place + 1, state->slots + place, (kept - place) * sizeof state->slots[0]);
    state->slots[place] = (struct ly_slot_word){at, word};
    state->slot_count++;
}

static bool same(struct ly_word a, struct ly_word b)
{
    return a.pointer == b.pointer && a.offset == b.offset;
}

bool ly_state_equal(const struct ly_state *a, const struct ly_state *b)
{
    if (a->slot_count != b->slot_count)
        return false;
    for (unsigned i = 0; i < X86_RIP; i++)
        if (!same(a->registers[i], b->registers[i]))
            return false;
    for (unsigned i = 0; i < a->slot_count; i++)
        if (a->slots[i].at != b->slots[i].at || !same(a->slots[i].word, b->slots[i].word))
            return false;
    return true;
}

void ly_state_join(struct ly_state *into, const struct ly_state *other)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < X86_RIP; i++)
        if (!same(into->registers[i], other->registers[i]))
            into->registers[i] = (struct ly_word){LY_UNKNOWN, 0};
    for (unsigned i = 0; i < into->slot_count; i++)
        if (same(into->slots[i].word, ly_slot_get(other, into->slots[i].at)))
            into->slots[kept++] = into->slots[i];
    into->slot_count = (uint16_t)kept;
    if (other->steps < into->steps)
        into->steps = other->steps;
}
