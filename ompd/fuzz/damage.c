/* SPDX-License-Identifier: Apache-2.0 */
#include "ompd/fuzz/damage.h"

uint8_t damage_byte(struct damage *damage)
{
    if (damage->size == 0)
        return 0;
    damage->size--;
    return *damage->data++;
}

uint64_t damage_number(struct damage *damage, unsigned bytes)
{
    uint64_t number = 0;
    for (unsigned i = 0; i < bytes; i++)
        number |= (uint64_t)damage_byte(damage) << 8 * i;
    return number;
}

static const struct mem_place *place(const struct mem *mem, struct damage *damage)
{
    return &mem->places[damage_number(damage, 2) % mem->place_count];
}

static uint64_t structure(const struct mem *mem, struct damage *damage)
{
    return mem->addresses[damage_number(damage, 2) % mem->address_count];
}

static void fail(struct damage *damage)
{
    const uint8_t which = damage_byte(damage), after = damage_byte(damage), code = damage_byte(damage);
    host.fail[which % HOST_CALLBACKS] = (struct host_failure){
        .after = 1u + after % 32,
        /* 14 and 15 are no codes. An ok that fails means something for alloc_memory alone. */
        .code = which % HOST_CALLBACKS == HOST_ALLOC ? code % 16 : 1 + code % 15,
        .sticky = (code & 0x80) != 0,
    };
}

/* What counts, sizes and addresses overflow at. */
static const uint64_t huge[] = {UINT64_MAX, INT64_MAX,       UINT64_C(1) << 63, UINT32_MAX, INT32_MAX,
                                1u << 31,   UINT32_MAX - 63, UINT64_MAX - 63,   65536,      65537,
                                1u << 20,   1u << 24,        UINT64_MAX / 2,    4096,       4097,
                                8u << 20};

void damage_do(struct mem *mem, uint8_t op, struct damage *damage)
{
    const struct mem_place *to, *from;
    switch ((enum damage_op)op) {
    case DAMAGE_FLIP:
        to = place(mem, damage);
        mem_put(mem, to->at, to->size,
                mem_number(mem, to->at, to->size) ^ UINT64_C(1) << damage_byte(damage) % 64);
        break;
    case DAMAGE_SMALL:
        to = place(mem, damage);
        mem_put(mem, to->at, to->size, (uint64_t)(int64_t)(int8_t)damage_byte(damage));
        break;
    case DAMAGE_VALUE:
        to = place(mem, damage);
        mem_put(mem, to->at, to->size, damage_number(damage, to->size));
        break;
    case DAMAGE_POINTER:
        to = place(mem, damage);
        mem_put(mem, to->at, to->size,
                structure(mem, damage) + (uint64_t)(int64_t)(int8_t)damage_byte(damage));
        break;
    case DAMAGE_COPY:
        to = place(mem, damage);
        from = place(mem, damage);
        mem_put(mem, to->at, to->size, mem_number(mem, from->at, from->size));
        break;
    case DAMAGE_HUGE:
        to = place(mem, damage);
        mem_put(mem, to->at, to->size, huge[damage_byte(damage) % 16]);
        break;
    case DAMAGE_POKE: {
        const uint32_t at = (uint32_t)(damage_number(damage, 3) % mem->total);
        uint8_t bytes[15];
        const unsigned size = damage_byte(damage) % 16;
        for (unsigned i = 0; i < size; i++)
            bytes[i] = damage_byte(damage);
        mem_poke(mem, at, bytes, size);
        break;
    }
    case DAMAGE_CUT: {
        const uint8_t piece = damage_byte(damage);
        mem_cut(mem, piece, (uint32_t)damage_number(damage, 3));
        break;
    }
    case DAMAGE_LOSE:
        mem_lose(mem, structure(mem, damage));
        break;
    case DAMAGE_HEAL:
        mem_heal(mem);
        break;
    case DAMAGE_FAIL:
        fail(damage);
        break;
    default:
        host_clear_failures();
        break;
    }
}
