/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Fuzzer: an input changes the published layout table (docs/core-note.md): the header, or members of entries,
 * with values that fit, absurd ones, and those of other entries, so that fields overlap. The library must
 * refuse the table, or answer by it.
 */
#include "ompd/fuzz/damage.h"
#include "ompd/fuzz/calls.h"
#include "ompd/fuzz/session.h"
#include "ompd/fuzz/survey.h"

#define CHANGES_MAX 32

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** A member of the header or of an entry: offset and bytes. */
static const uint8_t header[][2] = {{0, 8}, {8, 2}, {10, 2}, {12, 4}, {16, 4}, {20, 4}, {24, 8}, {12, 4}};
static const uint8_t entry[][2] = {{0, 2}, {2, 2}, {4, 4}, {8, 4}, {12, 4}, {16, 8}, {4, 4}, {8, 4}};

static uint32_t entry_at(const struct mem *mem, uint32_t table, unsigned i)
{
    const uint32_t sound_count = (uint32_t)mem_number(mem, table + 12, 4);
    return table + (uint32_t)mem_number(mem, table + 20, 4) +
           (uint32_t)mem_number(mem, table + 16, 4) * (i % sound_count);
}

static void change(struct mem *mem, uint32_t table, const struct mem *layout, struct damage *damage)
{
    static const uint32_t absurd[] = {
        0, UINT32_MAX, INT32_MAX, 1u << 31, 4096, 4097, 1u << 20, (1u << 20) + 1,
        8, 4,          2,         1,        3,    16,   255,      65536};
    const uint8_t how = damage_byte(damage);
    const bool of_header = (how & 0xc0) == 0xc0;
    const uint8_t *member = of_header ? header[how & 7] : entry[how & 7];
    const uint32_t base = of_header ? table : entry_at(layout, table, damage_byte(damage));
    uint64_t value;
    switch (how >> 3 & 3) {
    case 0:
        value = damage_number(damage, member[1]);
        break;
    case 1:
        value = absurd[damage_byte(damage) % 16];
        break;
    case 2:
        value = mem_number(mem, entry_at(layout, table, damage_byte(damage)) + member[0] % 24, member[1]);
        break;
    default:
        value = mem_number(mem, base + member[0], member[1]) + (uint64_t)(int64_t)(int8_t)damage_byte(damage);
        break;
    }
    mem_put(mem, base + member[0], member[1], value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct calls calls;
    struct damage damage = {data, size};
    const uint8_t image = damage_byte(&damage), how = damage_byte(&damage);
    static const uint8_t initialize[3] = {0, 0, 0};
    session_begin(&calls, image, how);
    struct mem *mem = calls.mem;
    const uint32_t table = mem_at(mem, mem->table);
    /* Where entries are is taken from the sound header: it is damaged too. */
    struct mem layout = *mem;
    layout.bytes = mem->sound;
    for (unsigned i = 0; i < CHANGES_MAX && damage.size != 0; i++)
        change(mem, table, &layout, &damage);
    if (call_run(&calls, CALL_ompd_process_initialize, initialize) == ompd_rc_ok)
        survey(&calls, 1, 1 + (how >> 2 & 1), (how & 8) != 0);
    session_end(&calls);
    return 0;
}
