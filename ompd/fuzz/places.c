/* SPDX-License-Identifier: Apache-2.0 */
#include "ompd/fuzz/places.h"

#include <stdio.h>
#include <stdlib.h>

#define IDS 512

/** Ids and owners of layout.def; of the table's format docs/core-note.md tells. */
enum {
#define RT_STRUCT(id, tag, comment)                   S_##tag = (id),
#define RT_FIELD(id, tag, member, comment)            F_##tag##_##member = (id),
#define RT_BITS(id, tag, member, name, mask, comment) B_##tag##_##name = (id),
#define RT_VAR(id, variable, comment)                 V_##variable = (id),
#define RT_CONST(id, name, value, comment)            C_##name = (id),
#include "runtime/layout.def"
#undef RT_STRUCT
#undef RT_FIELD
#undef RT_BITS
#undef RT_VAR
#undef RT_CONST
};

static const uint16_t owner[IDS] = {
#define RT_STRUCT(id, tag, comment)
#define RT_FIELD(id, tag, member, comment)            [id] = S_##tag,
#define RT_BITS(id, tag, member, name, mask, comment) [id] = S_##tag,
#define RT_VAR(id, variable, comment)
#define RT_CONST(id, name, value, comment)
#include "runtime/layout.def"
#undef RT_STRUCT
#undef RT_FIELD
#undef RT_BITS
#undef RT_VAR
#undef RT_CONST
};

struct row {
    uint32_t offset, size, count;
    uint64_t mask;
};

struct map {
    struct mem *mem;
    struct row rows[IDS];
};

static void unsound(const struct mem *mem)
{
    fprintf(stderr, "the image %s is not sound\n", mem->name);
    abort();
}

static uint32_t at(const struct map *map, uint64_t address)
{
    uint32_t found = mem_at(map->mem, address);
    if (found == UINT32_MAX)
        unsound(map->mem);
    return found;
}

static void add_place(struct mem *mem, uint32_t where, unsigned size)
{
    if (mem->place_count < MEM_PLACES_MAX && (size == 1 || size == 2 || size == 4 || size == 8))
        mem->places[mem->place_count++] = (struct mem_place){where, (uint8_t)size};
}

static void add_structure(const struct map *map, unsigned id, uint64_t address)
{
    struct mem *mem = map->mem;
    if (mem_at(mem, address) == UINT32_MAX)
        return; /* of a kind that nobody reads */
    if (mem->address_count < MEM_ADDRESSES_MAX)
        mem->addresses[mem->address_count++] = address;
    for (unsigned field = 0; field < IDS; field++) {
        const uint32_t where = mem_at(mem, address + map->rows[field].offset);
        /* What nobody has read is not in a recorded image. */
        if (owner[field] == id && map->rows[field].size != 0 && where != UINT32_MAX)
            add_place(mem, where, map->rows[field].size);
    }
}

static uint64_t field(const struct map *map, unsigned id, uint64_t structure)
{
    return mem_number(map->mem, at(map, structure + map->rows[id].offset), map->rows[id].size);
}

static void read_table(struct map *map)
{
    struct mem *mem = map->mem;
    const uint32_t table = at(map, mem->table);
    const uint32_t count = (uint32_t)mem_number(mem, table + 12, 4),
                   entry = (uint32_t)mem_number(mem, table + 16, 4);
    uint32_t where = table + (uint32_t)mem_number(mem, table + 20, 4);
    for (uint32_t i = 0; i < count; i++, where += entry) {
        uint32_t id = (uint32_t)mem_number(mem, where, 2);
        if (id < IDS)
            map->rows[id] =
                (struct row){(uint32_t)mem_number(mem, where + 4, 4), (uint32_t)mem_number(mem, where + 8, 4),
                             (uint32_t)mem_number(mem, where + 12, 4), mem_number(mem, where + 16, 8)};
    }
}

static void add_pointed(const struct map *map, unsigned id, uint64_t address)
{
    if (address != 0 && mem_at(map->mem, address) != UINT32_MAX)
        add_structure(map, id, address);
}

static void add_slots(const struct map *map, uint64_t slab)
{
    static const uint16_t kinds[][2] = {{C_RT_KIND_THREAD, S_rt_thread},
                                        {C_RT_KIND_TEAM, S_rt_team},
                                        {C_RT_KIND_TASK, S_rt_task},
                                        {C_RT_KIND_EDGE, S_rt_edge}};
    const uint64_t kind = field(map, F_rt_slab_kind, slab), base = field(map, F_rt_slab_base, slab),
                   size = field(map, F_rt_slab_slot_size, slab), used = field(map, F_rt_slab_used, slab);
    for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        for (uint64_t slot = 0; map->rows[kinds[i][0]].mask == kind && slot < used; slot++) {
            const uint64_t address = base + slot * size;
            add_structure(map, kinds[i][1], address);
            if (kinds[i][1] == S_rt_task)
                add_pointed(map, S_rt_workshare, field(map, F_rt_task_loop, address));
            if (kinds[i][1] != S_rt_team)
                continue;
            const uint64_t members = field(map, F_rt_team_members, address);
            for (uint64_t n = 0; n < field(map, F_rt_team_nthreads, address) && n < 64; n++)
                add_pointed(map, S_rt_member, members + n * map->rows[S_rt_member].size);
        }
}

void places_find(struct mem *mem)
{
    struct map map = {.mem = mem};
    read_table(&map);
    const uint64_t root = mem->table + (uint64_t)(int64_t)(int32_t)map.rows[V_rt_root].offset;
    add_structure(&map, S_rt_root, root);
    const uint64_t slabs = field(&map, F_rt_root_slab_count, root);
    for (uint64_t i = 0; i < slabs; i++) {
        const uint64_t slab = root + map.rows[F_rt_root_slabs].offset + i * map.rows[S_rt_slab].size;
        add_structure(&map, S_rt_slab, slab);
        add_slots(&map, slab);
    }
    const uint64_t block = field(&map, F_rt_root_more_slabs, root);
    add_pointed(&map, S_rt_slab_block, block);
    if (map.rows[V_rt_env].offset != 0) { /* since layout 1.1 */
        const uint64_t env = mem->table + (uint64_t)(int64_t)(int32_t)map.rows[V_rt_env].offset;
        add_structure(&map, S_rt_env, env);
        add_pointed(&map, S_rt_cpus, field(&map, F_rt_env_place_table, env));
    }
    /* What is waited for and named lies in pieces of its own. */
    for (uint32_t i = 0; i < mem->piece_count; i++)
        if (mem->address_count < MEM_ADDRESSES_MAX)
            mem->addresses[mem->address_count++] = mem->pieces[i].address;
    if (mem->place_count < 50)
        unsound(mem);
}
