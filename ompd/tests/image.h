// SPDX-License-Identifier: Apache-2.0
// A process made by hand: memory with Companion's structures in it, laid out unlike any build of the runtime,
// and the tool's callbacks on it, which count, and fail when told to.
#ifndef OMPD_TESTS_IMAGE_H
#define OMPD_TESTS_IMAGE_H

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "layout.h"
#include "ompd/tests/api.h"

struct Shape {
    bool big_endian = false;
    bool wide = false; // u32 and i32 fields have 8 bytes
    unsigned pointer = 8;
    unsigned root_slabs = 7, block_slabs = 3; // directory entries
    bool arena = false;                       // slabs lie side by side in one mapping, as in a real process
    // device_to_host does something else than nothing or a swap (middle-endian 4-byte numbers)
    bool ask = false;
    // As a compiler for such a machine lays the structures out, with layout.def's own constants; else as no
    // build does.
    bool natural = false;
};

class Image
{
  public:
    explicit Image(const Shape &shape = {});

    // ---- memory
    void Map(uint64_t address, uint64_t bytes);
    void Put(uint64_t address, unsigned size, uint64_t value);
    uint64_t Get(uint64_t address, unsigned size) const;
    bool Read(uint64_t address, uint64_t bytes, void *buffer) const;
    uint8_t *Bytes(uint64_t address); // nullptr: not mapped
    void Lose(uint64_t page) { lost_.insert(page / 4096); }
    void Find(uint64_t page) { lost_.erase(page / 4096); }

    // ---- layout
    lay_entry &Entry(unsigned id) { return entries_[id]; }
    uint64_t Const(unsigned id) const { return entries_.at(id).mask; }
    uint64_t Size(unsigned id) const { return entries_.at(id).size; }
    void Set(unsigned id, uint64_t structure, uint64_t value); // a field, bits, or element 0 of an array
    uint64_t Field(unsigned id, uint64_t structure) const;
    void WriteTable(); // after a change of Entry
    uint64_t table = 0x7f0000010000, root = 0x7f0000020000, env = 0x7f0000028000;

    // ---- Companion
    void AddSlab(unsigned kind_constant, uint32_t capacity, uint64_t base = 0, unsigned slot_extra = 64);
    uint64_t NewSlot(unsigned kind_constant);
    uint64_t Thread(uint64_t serial, uint64_t pthread, int tid);
    uint64_t Team(uint64_t serial, unsigned kind, int nthreads, int level, int active, uint64_t parent_task);
    uint64_t Task(uint64_t serial, uint64_t team, uint64_t flags, unsigned state_constant, uint64_t thread,
                  int thread_num);
    uint64_t Edge(uint64_t serial, uint64_t pred, uint64_t succ);
    void Member(uint64_t team, int number, uint64_t task, uint64_t thread);
    void State(uint64_t thread, unsigned state, unsigned wait_constant = 0, uint64_t wait_id = 0);
    uint64_t Raw(uint64_t bytes); // memory of the program
    uint64_t Text(const std::string &text);
    uint64_t EndlessFormat(); // affinity-format-var: 2 MiB without an end; its address
    // n places of two processors each: {0,1},{2,3},...
    void Places(unsigned n);

    Shape shape;

    struct Region {
        std::vector<uint8_t> bytes;
    };
    std::map<uint64_t, Region> regions;

  private:
    void LayOutOddly();
    void LayOutNaturally();
    struct SlabInfo {
        uint64_t entry, base;
        uint32_t slot, capacity, used;
    };
    std::map<unsigned, lay_entry> entries_;
    std::map<unsigned, std::vector<SlabInfo>> slabs_;
    std::set<uint64_t> lost_;
    uint64_t next_slab_ = 0x7f0000100000, next_raw_ = 0x600000;
    unsigned slab_count_ = 0;
};

/** The tool: callbacks on one or more images. The context is the image. */
struct Tool {
    static Tool *current;

    uint64_t reads = 0, bytes = 0, lookups = 0, allocs = 0, converts = 0;
    int64_t live = 0;     // blocks not freed
    uint64_t largest = 0; // block asked for
    std::string printed;
    std::vector<std::pair<uint64_t, uint64_t>> read_log;
    bool tool_has_symbol = true;
    ompd_rc_t symbol_missing = ompd_rc_error;
    // Fail the n-th call from now (1 = next) of a callback with a code; 0: never. sticky: and all that
    // follow.
    struct Failure {
        uint64_t after = 0;
        ompd_rc_t code = ompd_rc_error;
        bool sticky = false;
    } fail_read, fail_alloc, fail_symbol, fail_convert, fail_sizeof;

    Tool() { current = this; }
    void ResetCounts()
    {
        reads = bytes = lookups = allocs = converts = 0;
        read_log.clear();
    }
    static const ompd_callbacks_t *Callbacks();
};

inline ompd_address_space_context_t *Context(Image *image)
{
    return reinterpret_cast<ompd_address_space_context_t *>(image);
}

/** Frees what the library gave (names, arrays), as a tool does. */
void ToolFree(const void *block);

/**
 * A process in the middle of things:
 *   threads 1..4 (serials 11, 12, 13, 14; tid 1001..; pthread 0x7e0000001000...), 14 idle, 15 has ended (slot
 *   free). region 21 initial: task 31, suspended; region 22 parallel of 3: implicit tasks 32, 33, 34
 *   thread 11 in task 32 waits for a lock held by thread 12; thread 12 in explicit task 41 over task 33 waits
 *   for a critical of an ended thread 15; thread 13 in task 34 waits at the barrier
 *   task 42 ready, 43 blocked by 41 and 42, 44 done; task 36: implicit of an ended region
 */
struct Scene {
    explicit Scene(const Shape &shape = {});
    Image image;
    uint64_t thread[4], ended_thread, initial_team, team, ended_team, initial_task, implicit[3],
        explicit_task, ready, blocked, done, old_implicit, members, lock, critical, loop, ident, source;
    uint64_t pthread(int i) const { return 0x7e000000 + 0x1000u * (unsigned)(i + 1); }
};

#endif
