// SPDX-License-Identifier: Apache-2.0
#include "ompd/tests/image.h"

#include <cstdlib>
#include <cstring>
#include <stdexcept>

thread_local volatile int in_library = 0;

namespace
{

const unsigned kTableBytes = 16384;

struct Row {
    unsigned id;
    lay_kind kind;
    const char *tag, *comment;
    uint64_t value;
};

const Row rows[] = {
#define RT_STRUCT(id, tag, comment)                   {id, LAY_STRUCT, #tag, comment, 0},
#define RT_FIELD(id, tag, member, comment)            {id, LAY_FIELD, #tag, comment, 0},
#define RT_BITS(id, tag, member, name, mask, comment) {id, LAY_BITS, #tag, comment, mask},
#define RT_VAR(id, variable, comment)                 {id, LAY_VARIABLE, "", comment, 0},
#define RT_CONST(id, name, value, comment)            {id, LAY_CONSTANT, #name, comment, value},
#include "runtime/layout.def"
#undef RT_STRUCT
#undef RT_FIELD
#undef RT_BITS
#undef RT_VAR
#undef RT_CONST
};

bool Starts(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

// Numbers that a test of "nothing is compiled in" must not leave as they are.
uint64_t OtherConstant(const Row &row)
{
    if (Starts(row.tag, "RT_KIND_"))
        return row.value + 70;
    if (Starts(row.tag, "RT_WAIT_REUSED")) // a bit that no kind has
        return 0x40;
    if (Starts(row.tag, "RT_WAIT_"))
        return row.value + 40;
    if (Starts(row.tag, "RT_TS_"))
        return 100 - row.value;
    if (Starts(row.tag, "RT_TEAM_"))
        return 9 - row.value;
    if (Starts(row.tag, "RT_MUTEX_SHIFT"))
        return 3;
    if (Starts(row.tag, "RT_MUTEX_TASK")) // the word has 29 bits for numbers then
        return 0x8000000;
    return row.value;
}

/** A structure of which there are arrays: its size is needed first. */
bool IsElement(const Row &row)
{
    return strcmp(row.tag, "rt_slab") == 0 || strcmp(row.tag, "rt_held_place") == 0;
}

/** Size and count of a field, by the type that its comment begins with. */
void SizeOf(const Shape &shape, const Row &row, unsigned slab_bytes, unsigned held_bytes, lay_entry *entry)
{
    const char *c = row.comment;
    entry->size = Starts(c, "u64")       ? 8
                  : Starts(c, "pointer") ? shape.pointer
                  : Starts(c, "u8")      ? 1
                  : Starts(c, "u16")     ? 2
                                         : 4;
    if (entry->size == 4 && shape.wide && (Starts(c, "u32") || Starts(c, "i32:")))
        entry->size = 8;
    if (Starts(c, "char[]"))
        entry->size = 1, entry->count = 40;
    if (Starts(c, "u8[]"))
        entry->count = 5;
    if (Starts(c, "u64[]"))
        entry->count = 2;
    if (Starts(c, "i32[]"))
        entry->size = shape.wide ? 8 : 4, entry->count = 6;
    if (Starts(c, "struct rt_slab[]"))
        entry->size = slab_bytes,
        entry->count = row.id == LAY_F_rt_root_slabs ? shape.root_slabs : shape.block_slabs;
    if (Starts(c, "struct rt_held_place[]"))
        entry->size = held_bytes, entry->count = 7;
}

unsigned Aligned(unsigned offset, unsigned alignment)
{
    return (offset + alignment - 1) / alignment * alignment;
}

} // namespace

void Image::LayOutOddly()
{
    // Members stand in the opposite order, with odd gaps, each structure after a gap of its own.
    std::map<std::string, unsigned> struct_id, struct_bytes;
    std::vector<const Row *> later;
    for (int pass = 0; pass < 2; pass++) // arrays of structures need the size of the structure first
        for (const Row &row : rows) {
            if ((pass == 0) != IsElement(row))
                continue;
            if (row.kind == LAY_STRUCT) {
                struct_id[row.tag] = row.id;
                struct_bytes[row.tag] = 5;
            }
        }
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = sizeof rows / sizeof rows[0]; i-- > 0;) {
            const Row &row = rows[i];
            lay_entry entry = {};
            entry.kind = (uint8_t)row.kind;
            entry.count = 1;
            if ((pass == 0) != IsElement(row))
                continue;
            if (row.kind == LAY_CONSTANT) {
                entry.mask = OtherConstant(row);
            } else if (row.kind == LAY_FIELD) {
                SizeOf(shape, row, struct_bytes["rt_slab"] + 11, struct_bytes["rt_held_place"] + 11, &entry);
                entry.offset = (int32_t)struct_bytes[row.tag];
                struct_bytes[row.tag] += entry.size * entry.count + 3;
            } else if (row.kind == LAY_BITS) {
                // All bits of a structure share one 8-byte member at the front, shifted.
                entry.offset = (int32_t)struct_bytes[row.tag];
                entry.size = 8;
                entry.mask = row.value << 9;
                if (row.id == LAY_B_rt_thread_state)
                    struct_bytes[row.tag] += 9; // rows run backwards: this is the second of the two
            }
            entries_[row.id] = entry;
        }
    for (const auto &[tag, id] : struct_id)
        entries_[id].size = struct_bytes[tag] + 11;
}

/**
 * The psABI way: in order, each member at a multiple of its size (but no more than a pointer's on 32 bits).
 */
void Image::LayOutNaturally()
{
    std::map<std::string, unsigned> struct_id, bytes;
    std::map<std::string, lay_entry> words; // members that have bits
    for (bool elements : {true, false})     // arrays of structures need the size of the structure first
        for (const Row &row : rows) {
            if (elements != IsElement(row))
                continue;
            lay_entry entry = {};
            entry.kind = (uint8_t)row.kind;
            entry.count = 1;
            if (row.kind == LAY_STRUCT) {
                struct_id[row.tag] = row.id;
            } else if (row.kind == LAY_CONSTANT) {
                entry.mask = row.value;
            } else if (row.kind == LAY_BITS && words.count(row.tag)) { // one word a structure has them all
                entry = words[row.tag];
                entry.mask = row.value;
            } else if (row.kind == LAY_FIELD || row.kind == LAY_BITS) {
                const unsigned slab_bytes = Aligned(bytes["rt_slab"], shape.pointer);
                SizeOf(shape, row, slab_bytes, Aligned(bytes["rt_held_place"], shape.pointer), &entry);
                const unsigned alignment =
                    std::min(Starts(row.comment, "struct") ? 8u : entry.size, shape.pointer);
                entry.offset = (int32_t)Aligned(bytes[row.tag], alignment);
                entry.mask = row.kind == LAY_BITS ? row.value : 0;
                bytes[row.tag] = (unsigned)entry.offset + entry.size * entry.count;
                if (row.kind == LAY_BITS)
                    words[row.tag] = entry;
            }
            entries_[row.id] = entry;
        }
    for (const auto &[tag, id] : struct_id)
        entries_[id].size = Aligned(bytes[tag], shape.pointer);
}

Image::Image(const Shape &s) : shape(s)
{
    if (shape.pointer == 4) {
        table = 0x70010000;
        root = 0x70020000;
        env = 0x70028000;
        next_slab_ = 0x71000000;
    }
    if (shape.natural)
        LayOutNaturally();
    else
        LayOutOddly();
    entries_[LAY_V_rt_root].offset = (int32_t)(root - table);
    entries_[LAY_V_rt_root].size = entries_[LAY_S_rt_root].size;
    entries_[LAY_V_rt_env].offset = (int32_t)(env - table);
    entries_[LAY_V_rt_env].size = entries_[LAY_S_rt_env].size;
    Map(table, kTableBytes);
    Map(root, 8192);
    Map(env, 4096);
    WriteTable();
    Set(LAY_F_rt_root_initialized, root, 1);
    Set(LAY_F_rt_root_generation, root, 0x7000000000);
    Set(LAY_F_rt_root_openmp_version, root, 202411);
    Set(LAY_F_rt_root_procs, root, 96);
    Set(LAY_F_rt_root_wait_policy, root, 2);
    Set(LAY_F_rt_root_stacksize, root, 4194304);
    Set(LAY_F_rt_root_debug, root, 1);
    Set(LAY_F_rt_root_thread_limit, root, 1000);
    Set(LAY_F_rt_root_max_task_priority, root, 7);
    Set(LAY_F_rt_root_stacksize_default, root, 8 << 20);
    Set(LAY_F_rt_env_tool, env, 1);
    Set(LAY_F_rt_env_affinity_format, env, Text("thread %n"));
    Places(3);
    const char version[] = "Companion 9.8 (hand-made)";
    memcpy(Bytes(root) + entries_[LAY_F_rt_root_version_string].offset, version, sizeof version);
    const lay_entry &list = entries_[LAY_F_rt_root_nthreads_list];
    for (int i = 0; i < 3; i++)
        Put(root + (unsigned)list.offset + list.size * (unsigned)i, list.size, (uint64_t)(8 >> i)); // 8,4,2
    Set(LAY_F_rt_root_nthreads_list_count, root, 3);
}

void Image::WriteTable()
{
    // Larger than the contract's least: a reader steps by them.
    const unsigned header = shape.natural ? 32 : 48, entry = shape.natural ? 24 : 32;
    unsigned at = header;
    memset(Bytes(table), 0, kTableBytes);
    memcpy(Bytes(table), "OMPCLAYT", 8);
    Put(table + 8, 2, 1);
    Put(table + 10, 2, 8);
    Put(table + 12, 4, entries_.size());
    Put(table + 16, 4, entry);
    Put(table + 20, 4, header);
    Put(table + 24, 8, table);
    for (const auto &[id, e] : entries_) {
        Put(table + at, 2, id);
        Put(table + at + 2, 2, e.kind);
        Put(table + at + 4, 4, (uint32_t)e.offset);
        Put(table + at + 8, 4, e.size);
        Put(table + at + 12, 4, e.count);
        Put(table + at + 16, 8, e.mask);
        at += entry;
    }
    if (at > kTableBytes)
        throw std::logic_error("table too large");
}

void Image::Map(uint64_t address, uint64_t bytes)
{
    regions[address].bytes.assign(bytes, 0);
}

uint8_t *Image::Bytes(uint64_t address)
{
    auto it = regions.upper_bound(address);
    if (it == regions.begin())
        return nullptr;
    --it;
    uint64_t offset = address - it->first;
    return offset < it->second.bytes.size() ? &it->second.bytes[offset] : nullptr;
}

bool Image::Read(uint64_t address, uint64_t bytes, void *buffer) const
{
    if (address + bytes < address)
        return false;
    for (uint64_t done = 0; done < bytes;) {
        uint64_t at = address + done;
        auto it = regions.upper_bound(at);
        if (it == regions.begin())
            return false;
        --it;
        uint64_t offset = at - it->first, have = it->second.bytes.size();
        if (offset >= have)
            return false;
        uint64_t n = std::min(bytes - done, have - offset);
        for (uint64_t page = at / 4096; !lost_.empty() && page <= (at + n - 1) / 4096; page++)
            if (lost_.count(page))
                return false;
        memcpy((char *)buffer + done, it->second.bytes.data() + offset, n);
        done += n;
    }
    return true;
}

static void Order(const Shape &shape, const uint8_t *in, unsigned size, uint8_t *out)
{
    if (shape.ask && size == 4) { // 2, 3, 0, 1: its own inverse
        uint8_t m[4] = {in[2], in[3], in[0], in[1]};
        memcpy(out, m, 4);
        return;
    }
    for (unsigned i = 0; i < size; i++)
        out[i] = shape.big_endian ? in[size - 1 - i] : in[i];
}

void Image::Put(uint64_t address, unsigned size, uint64_t value)
{
    uint8_t host[8], target[8];
    memcpy(host, &value, 8);
    Order(shape, host, size, target);
    for (unsigned i = 0; i < size; i++) {
        uint8_t *byte = Bytes(address + i);
        if (byte == nullptr)
            throw std::logic_error("put into nowhere");
        *byte = target[i];
    }
}

uint64_t Image::Get(uint64_t address, unsigned size) const
{
    uint8_t target[8] = {}, host[8] = {};
    if (!Read(address, size, target))
        throw std::logic_error("get from nowhere");
    Order(shape, target, size, host);
    uint64_t value;
    memcpy(&value, host, 8);
    return value;
}

void Image::Set(unsigned id, uint64_t structure, uint64_t value)
{
    const lay_entry &e = entries_.at(id);
    uint64_t at = structure + (uint64_t)(int64_t)e.offset;
    if (e.kind == LAY_BITS) {
        uint64_t word = Get(at, e.size) & ~e.mask;
        value = word | (value << __builtin_ctzll(e.mask));
    }
    Put(at, e.size, value);
}

uint64_t Image::Field(unsigned id, uint64_t structure) const
{
    const lay_entry &e = entries_.at(id);
    return Get(structure + (uint64_t)(int64_t)e.offset, e.size);
}

static unsigned StructOf(unsigned kind_constant)
{
    switch (kind_constant) {
    case LAY_C_RT_KIND_THREAD:
        return LAY_S_rt_thread;
    case LAY_C_RT_KIND_TEAM:
        return LAY_S_rt_team;
    case LAY_C_RT_KIND_TASK:
        return LAY_S_rt_task;
    case LAY_C_RT_KIND_TASKGROUP:
        return LAY_S_rt_taskgroup;
    default:
        return LAY_S_rt_edge;
    }
}

void Image::AddSlab(unsigned kind, uint32_t capacity, uint64_t base, unsigned slot_extra)
{
    uint32_t slot = (uint32_t)((Size(StructOf(kind)) + slot_extra + 63) / 64 * 64);
    if (base == 0) {
        base = next_slab_;
        next_slab_ += ((uint64_t)slot * capacity + 0x1fff) / 0x1000 * 0x1000;
        Map(base, shape.arena ? next_slab_ - base : (uint64_t)slot * capacity);
    } else {
        Map(base, (uint64_t)slot * capacity);
    }
    const lay_entry &first = Entry(LAY_F_rt_root_slabs), &more = Entry(LAY_F_rt_slab_block_slabs);
    uint64_t entry;
    if (slab_count_ < first.count) {
        entry = root + (unsigned)first.offset + (uint64_t)slab_count_ * first.size;
        Set(LAY_F_rt_root_slab_count, root, slab_count_ + 1);
    } else {
        unsigned in_block = (slab_count_ - first.count) % more.count;
        uint64_t block = Field(LAY_F_rt_root_more_slabs, root);
        if (in_block == 0) { // in front of the others
            uint64_t fresh = Raw(Size(LAY_S_rt_slab_block));
            Set(LAY_F_rt_slab_block_next, fresh, block);
            Set(LAY_F_rt_root_more_slabs, root, fresh);
            block = fresh;
        }
        entry = block + (unsigned)more.offset + (uint64_t)in_block * more.size;
        Set(LAY_F_rt_slab_block_count, block, in_block + 1);
    }
    slab_count_++;
    Set(LAY_F_rt_slab_base, entry, base);
    Set(LAY_F_rt_slab_slot_size, entry, slot);
    Set(LAY_F_rt_slab_capacity, entry, capacity);
    Set(LAY_F_rt_slab_used, entry, 0);
    Set(LAY_F_rt_slab_kind, entry, Const(kind));
    slabs_[kind].push_back({entry, base, slot, capacity, 0});
}

uint64_t Image::NewSlot(unsigned kind)
{
    auto &list = slabs_[kind];
    if (list.empty() || list.back().used == list.back().capacity)
        AddSlab(kind, 16);
    SlabInfo &slab = list.back();
    Set(LAY_F_rt_slab_used, slab.entry, slab.used + 1);
    return slab.base + (uint64_t)slab.slot * slab.used++;
}

uint64_t Image::Raw(uint64_t bytes)
{
    uint64_t at = next_raw_;
    next_raw_ += (bytes + 4096 + 63) / 64 * 64;
    Map(at, bytes);
    return at;
}

uint64_t Image::Text(const std::string &text)
{
    uint64_t at = Raw(text.size() + 1 + 256); // texts are read in aligned blocks of 256 bytes
    memcpy(Bytes(at), text.c_str(), text.size() + 1);
    return at;
}

uint64_t Image::EndlessFormat()
{
    uint64_t at = Raw(2 << 20);
    memset(Bytes(at), 'x', 2 << 20);
    Set(LAY_F_rt_env_affinity_format, env, at);
    return at;
}

void Image::Places(unsigned n)
{
    uint64_t list = Raw(Size(LAY_S_rt_cpus) * n);
    const lay_entry &bits = Entry(LAY_F_rt_cpus_bits);
    for (unsigned i = 0; i < n; i++)
        Put(list + Size(LAY_S_rt_cpus) * i + (unsigned)bits.offset + i / 32 * bits.size, bits.size,
            3ull << i % 32 * 2);
    Set(LAY_F_rt_env_place_table, env, list);
    Set(LAY_F_rt_env_place_total, env, n);
}

uint64_t Image::Thread(uint64_t serial, uint64_t pthread, int tid)
{
    Set(LAY_F_rt_root_generation, root, Field(LAY_F_rt_root_generation, root) + 2);
    uint64_t t = NewSlot(LAY_C_RT_KIND_THREAD);
    Set(LAY_F_rt_thread_serial, t, serial);
    Set(LAY_F_rt_thread_lock_number, t, serial);
    Set(LAY_F_rt_thread_pthread, t, pthread);
    Set(LAY_F_rt_thread_tid, t, (uint64_t)tid);
    Set(LAY_F_rt_thread_kind, t, serial == 11 ? 1 : 2);
    State(t, 1);
    return t;
}

uint64_t Image::Team(uint64_t serial, unsigned kind, int nthreads, int level, int active,
                     uint64_t parent_task)
{
    uint64_t t = NewSlot(LAY_C_RT_KIND_TEAM);
    Set(LAY_F_rt_team_serial, t, serial);
    Set(LAY_F_rt_team_kind, t, Const(kind));
    Set(LAY_F_rt_team_nthreads, t, (uint64_t)nthreads);
    Set(LAY_F_rt_team_level, t, (uint64_t)level);
    Set(LAY_F_rt_team_active_level, t, (uint64_t)active);
    Set(LAY_F_rt_team_parent_task, t, parent_task);
    Set(LAY_F_rt_team_parent_serial, t, parent_task != 0 ? Field(LAY_F_rt_task_serial, parent_task) : 0);
    Set(LAY_F_rt_team_members, t, Raw(Size(LAY_S_rt_member) * (uint64_t)nthreads));
    Set(LAY_F_rt_team_bar_gen, t, 0xffffffff); // the count wraps round within these tests
    return t;
}

uint64_t Image::Task(uint64_t serial, uint64_t team, uint64_t flags, unsigned state, uint64_t thread,
                     int thread_num)
{
    uint64_t t = NewSlot(LAY_C_RT_KIND_TASK);
    Set(LAY_F_rt_task_serial, t, serial);
    Set(LAY_F_rt_task_team, t, team);
    Set(LAY_F_rt_task_team_serial, t, Field(LAY_F_rt_team_serial, team));
    Set(LAY_F_rt_task_flags, t, flags);
    Set(LAY_F_rt_task_state, t, Const(state));
    Set(LAY_F_rt_task_thread, t, thread);
    Set(LAY_F_rt_task_thread_num, t, (uint64_t)thread_num);
    Set(LAY_F_rt_task_creator_thread_num, t, 1);
    Set(LAY_F_rt_task_bar_seq, t, 0xffffffff);
    Set(LAY_F_rt_task_bar_left, t, 0xffffffff);
    Set(LAY_F_rt_task_loop_first, t, 1);
    const uint64_t level = Field(LAY_F_rt_team_level, team);
    const lay_entry &list = Entry(LAY_F_rt_root_nthreads_list); // 8,4,2
    Set(LAY_F_rt_task_icv_nthreads, t, (uint64_t)(8 >> level));
    Set(LAY_F_rt_task_icv_nthreads_rest, t, root + (unsigned)list.offset + list.size * (level + 1));
    Set(LAY_F_rt_task_icv_nthreads_rest_count, t, level < 2 ? 2 - level : 0);
    Set(LAY_F_rt_task_icv_allocator, t, 1);
    Set(LAY_F_rt_task_icv_thread_limit, t, 1000);
    Set(LAY_F_rt_task_icv_max_active_levels, t, 3);
    Set(LAY_F_rt_task_icv_sched, t, 2);
    Set(LAY_F_rt_task_icv_chunk, t, 0);
    Set(LAY_F_rt_task_icv_dyn, t, 0);
    Set(LAY_F_rt_task_icv_bind, t, 4);
    Set(LAY_F_rt_task_icv_default_device, t, (uint64_t)-1);
    return t;
}

uint64_t Image::Edge(uint64_t serial, uint64_t pred, uint64_t succ)
{
    uint64_t e = NewSlot(LAY_C_RT_KIND_EDGE);
    Set(LAY_F_rt_edge_serial, e, serial);
    Set(LAY_F_rt_edge_pred, e, pred);
    Set(LAY_F_rt_edge_succ, e, succ);
    return e;
}

void Image::Member(uint64_t team, int number, uint64_t task, uint64_t thread)
{
    uint64_t m = Field(LAY_F_rt_team_members, team) + Size(LAY_S_rt_member) * (uint64_t)number;
    Set(LAY_F_rt_member_task, m, task);
    Set(LAY_F_rt_member_thread, m, thread);
}

void Image::State(uint64_t thread, unsigned state, unsigned wait_constant, uint64_t wait_id)
{
    Set(LAY_B_rt_thread_state, thread, state);
    Set(LAY_B_rt_thread_wait_kind, thread,
        wait_constant != 0 ? Const(wait_constant) : Const(LAY_C_RT_WAIT_NONE));
    Set(LAY_F_rt_thread_wait_id, thread, wait_id);
    Set(LAY_F_rt_thread_wait_codeptr, thread, wait_id != 0 ? 0x401234 : 0);
}

Scene::Scene(const Shape &shape) : image(shape)
{
    Image &i = image;
    for (int n = 0; n < 4; n++)
        thread[n] = i.Thread(11 + (unsigned)n, pthread(n), 1001 + n);
    ended_thread = i.Thread(0, 0x7e000000 + 0x9000, 1009);
    initial_team = i.Team(21, LAY_C_RT_TEAM_INITIAL, 1, 0, 0, 0);
    initial_task =
        i.Task(31, initial_team, i.Const(LAY_C_RT_TASK_INITIAL), LAY_C_RT_TS_STARTED, thread[0], 0);
    i.Member(initial_team, 0, initial_task, thread[0]);
    i.Set(LAY_F_rt_team_first_task, initial_team, 31);
    team = i.Team(22, LAY_C_RT_TEAM_PARALLEL, 3, 1, 1, initial_task);
    ended_team = i.Team(0, LAY_C_RT_TEAM_PARALLEL, 2, 1, 1, initial_task);
    i.Set(LAY_F_rt_team_first_task, team, 32);
    i.Set(LAY_F_rt_team_fn, team, 0x401000);
    i.Set(LAY_F_rt_team_codeptr, team, 0x401100);
    source = i.Raw(64);
    ident = i.Raw(24);
    i.Put(ident + 16, shape.pointer, source);
    i.Set(LAY_F_rt_team_loc, team, ident);
    for (int n = 0; n < 3; n++) {
        implicit[n] = i.Task(32 + (unsigned)n, team, i.Const(LAY_C_RT_TASK_IMPLICIT), LAY_C_RT_TS_STARTED,
                             thread[n], n);
        i.Set(LAY_F_rt_task_parent, implicit[n], initial_task);
        i.Set(LAY_F_rt_task_fn, implicit[n], 0x401000);
        i.Set(LAY_F_rt_task_exit_frame, implicit[n], 0x7ffc0000u + (unsigned)n);
        i.Member(team, n, implicit[n], thread[n]);
        i.Set(LAY_F_rt_thread_cur_task, thread[n], implicit[n]);
    }
    i.Set(LAY_F_rt_task_frame_flags, implicit[1], i.Const(LAY_C_RT_FRAME_OF_CODE));
    i.Set(LAY_F_rt_task_frame_flags, implicit[2], 0x77); /* no flag that the runtime stores */
    explicit_task = i.Task(41, team, i.Const(LAY_C_RT_TASK_EXPLICIT), LAY_C_RT_TS_STARTED, thread[1], 1);
    i.Set(LAY_F_rt_task_parent, explicit_task, implicit[0]);
    i.Set(LAY_F_rt_task_sched_parent, explicit_task, implicit[1]);
    i.Set(LAY_F_rt_task_fn, explicit_task, 0x402000);
    i.Set(LAY_F_rt_task_codeptr, explicit_task, 0x401200);
    i.Set(LAY_F_rt_task_loc, explicit_task, ident);
    i.Set(LAY_F_rt_task_children, explicit_task, 2);
    i.Set(LAY_F_rt_task_enter_frame, explicit_task, 0x7ffc1000);
    i.Set(LAY_F_rt_thread_cur_task, thread[1], explicit_task);
    ready = i.Task(42, team, i.Const(LAY_C_RT_TASK_EXPLICIT) | i.Const(LAY_C_RT_TASK_TASKLOOP),
                   LAY_C_RT_TS_READY, 0, 0);
    blocked = i.Task(43, team, i.Const(LAY_C_RT_TASK_EXPLICIT) | i.Const(LAY_C_RT_TASK_FINAL),
                     LAY_C_RT_TS_BLOCKED, 0, 0);
    done = i.Task(44, team, i.Const(LAY_C_RT_TASK_EXPLICIT), LAY_C_RT_TS_DONE, thread[2], 2);
    for (uint64_t t : {ready, blocked, done})
        i.Set(LAY_F_rt_task_parent, t, explicit_task);
    old_implicit = i.Task(36, ended_team, i.Const(LAY_C_RT_TASK_IMPLICIT), LAY_C_RT_TS_STARTED, thread[3], 1);
    i.Set(LAY_F_rt_task_team_serial, old_implicit, 20);
    i.Set(LAY_F_rt_thread_cur_task, thread[3], old_implicit);
    i.Edge(52, ready, blocked);
    i.Edge(51, explicit_task, blocked);
    i.Edge(0, done, blocked);

    members = i.Field(LAY_F_rt_team_members, team);
    lock = i.Raw(4);
    critical = i.Raw(4);
    loop = i.Raw(i.Size(LAY_S_rt_workshare));
    unsigned shift = (unsigned)i.Const(LAY_C_RT_MUTEX_SHIFT);
    i.Put(lock, 4, 12u << shift | 1);
    i.Put(critical, 4, 15u << shift);
    i.State(thread[0], 0x041, LAY_C_RT_WAIT_LOCK, lock);
    i.State(thread[1], 0x042, LAY_C_RT_WAIT_CRITICAL, critical);
    i.State(thread[2], 0x014, LAY_C_RT_WAIT_BARRIER, team);
    i.Set(LAY_F_rt_task_bar_seq, implicit[2], 0); // one more than the team's count, which is at its highest
    i.State(thread[3], 0x011, LAY_C_RT_WAIT_BARRIER, ended_team);
}

// ---- the tool

Tool *Tool::current;

namespace
{

bool Fails(Tool::Failure &failure)
{
    if (failure.after == 0)
        return false;
    if (failure.after > 1) {
        failure.after--;
        return false;
    }
    if (!failure.sticky)
        failure.after = 0;
    return true;
}

Tool &T()
{
    return *Tool::current;
}

ompd_rc_t AllocMemory(ompd_size_t bytes, void **ptr)
{
    Outside outside;
    T().allocs++;
    T().largest = std::max<uint64_t>(T().largest, bytes);
    if (Fails(T().fail_alloc))
        return T().fail_alloc.code;
    if (bytes > (1ull << 31))
        return ompd_rc_nomem;
    *ptr = malloc(bytes);
    if (bytes < 1 << 20)
        memset(*ptr, 0xa5, bytes);
    T().live++;
    return ompd_rc_ok;
}

ompd_rc_t FreeMemory(void *ptr)
{
    Outside outside;
    T().live--;
    free(ptr);
    return ompd_rc_ok;
}

ompd_rc_t PrintString(const char *text, int)
{
    Outside outside;
    if (T().printed.size() < 100000)
        T().printed += text;
    return ompd_rc_ok;
}

ompd_rc_t SizeofType(ompd_address_space_context_t *context, ompd_device_type_sizes_t *sizes)
{
    Outside outside;
    if (Fails(T().fail_sizeof))
        return T().fail_sizeof.code;
    unsigned pointer = reinterpret_cast<Image *>(context)->shape.pointer;
    *sizes = {1, 2, 4, (uint8_t)pointer, 8, (uint8_t)pointer};
    return ompd_rc_ok;
}

ompd_rc_t SymbolLookup(ompd_address_space_context_t *context, ompd_thread_context_t *, const char *name,
                       ompd_address_t *address, const char *)
{
    Outside outside;
    T().lookups++;
    if (Fails(T().fail_symbol))
        return T().fail_symbol.code;
    if (strcmp(name, "rt_layout_table") != 0 || !T().tool_has_symbol) {
        *address = {0, ~0ull};
        return T().symbol_missing;
    }
    *address = {0, reinterpret_cast<Image *>(context)->table};
    return ompd_rc_ok;
}

ompd_rc_t ReadMemory(ompd_address_space_context_t *context, ompd_thread_context_t *,
                     const ompd_address_t *address, ompd_size_t bytes, void *buffer)
{
    Outside outside;
    T().reads++;
    T().bytes += bytes;
    if (T().read_log.size() < 10000)
        T().read_log.push_back({address->address, bytes});
    if (Fails(T().fail_read))
        return T().fail_read.code;
    return reinterpret_cast<Image *>(context)->Read(address->address, bytes, buffer) ? ompd_rc_ok
                                                                                     : ompd_rc_error;
}

ompd_rc_t DeviceToHost(ompd_address_space_context_t *context, const void *in, ompd_size_t unit,
                       ompd_size_t count, void *out)
{
    Outside outside;
    T().converts++;
    if (Fails(T().fail_convert))
        return T().fail_convert.code;
    for (ompd_size_t i = 0; i < count; i++)
        Order(reinterpret_cast<Image *>(context)->shape, (const uint8_t *)in + i * unit, (unsigned)unit,
              (uint8_t *)out + i * unit);
    return ompd_rc_ok;
}

} // namespace

const ompd_callbacks_t *Tool::Callbacks()
{
    static const ompd_callbacks_t callbacks = [] {
        ompd_callbacks_t c = {};
        c.alloc_memory = AllocMemory;
        c.free_memory = FreeMemory;
        c.print_string = PrintString;
        c.sizeof_type = SizeofType;
        c.symbol_addr_lookup = SymbolLookup;
        c.read_memory = ReadMemory;
        c.device_to_host = DeviceToHost;
        return c;
    }();
    return &callbacks;
}

void ToolFree(const void *block)
{
    if (block != nullptr) {
        T().live--;
        free(const_cast<void *>(block));
    }
}
