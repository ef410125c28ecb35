// SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * A host without a process: memory, modules, threads and places come from tables; every function can be made
 * to fail at its k-th call.
 */
#ifndef INSPECT_TESTS_FAKE_HOST_H
#define INSPECT_TESTS_FAKE_HOST_H

#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "inspect/inspect.h"

struct FakeHost {
    enum Function {
        kProcess,
        kModule,
        kRead,
        kThread,
        kLookup,
        kLookupTls,
        kPlace,
        kProgress,
        kFrame,
        kFunctions
    };

    struct Module {
        uint64_t base;
        std::string path;
    };
    struct Place {
        std::string symbol, file;
        int line = 0;
        uint64_t size = 1;
    };

    std::vector<Module> modules;
    std::vector<insp_thread> threads;
    std::map<uint64_t, std::vector<uint8_t>> memory; // address -> bytes
    std::map<uint64_t, Place> places;                // address -> what stands there
    std::map<std::string, uint64_t> symbols;
    struct Frame {
        uint64_t pc;
        std::string function, file;
        int line;
        std::string module;
        bool inlined = false;
    };
    std::map<int64_t, std::vector<Frame>> frames; // by LWP, innermost first
    struct OwnLine {
        uint64_t start; // of the function, from which it must be asked for
        std::string file;
        int line;
    };
    std::map<uint64_t, OwnLine> own_lines; // by address

    // What threads want of the kernel, by LWP; without `registers` the host does not tell.
    bool registers = false;
    std::map<int64_t, insp_system_call> system_calls; // none: in none
    std::map<int64_t, insp_kernel> kernels;           // none: a core
    std::map<int32_t, std::string> descriptors;
    std::vector<std::string> environment; // none: the host does not tell
    struct Task {
        int64_t process;
        bool parent;
    };
    bool tasks_known = false;                             // of other processes
    std::map<int64_t, Task> tasks;                        // by their number in the target
    std::map<std::pair<int64_t, uint32_t>, uint64_t> reg; // LWP, DWARF number
    struct User {
        uint64_t reg[27], known;
    };
    std::map<int64_t, User> user;                                // all registers, by LWP
    std::map<int64_t, std::vector<insp_frame_registers>> stacks; // frames with registers, by LWP
    enum { kOriginUnknown = -1, kNotForked, kForked } origin = kOriginUnknown;
    int64_t forked_by = 0;
    bool broken = false;               // to ask for those breaks the host
    std::vector<int64_t> kernel_asked; // threads of which the kernel was asked, or the registers

    // What names of objects are made of; without `facts` the host does not tell.
    struct Variable {
        std::string name;
        uint64_t type, address;
        bool is_value = false;
        std::string function = {}, symbol = {}, file = {};
        int line = 0, depth = 0;
    };
    struct Field {
        std::string name;
        uint64_t type, offset;
        uint32_t bit_size = 0;
        bool base = false;
    };
    struct Type {
        int kind;
        std::string name;
        uint64_t size;
        uint64_t target = 0;
        std::vector<std::pair<int64_t, uint64_t>> dimensions = {}; // lower bound, count
        std::vector<Field> fields = {};
        bool fortran = false, described = false;
    };
    bool facts = false;
    std::vector<insp_region> regions;
    std::vector<std::pair<uint64_t, uint64_t>> data;
    std::vector<Variable> statics;
    std::map<uint64_t, uint64_t> unit_of; // code -> unit
    std::map<uint64_t, std::vector<Variable>> units;
    std::map<std::pair<uint64_t, uint32_t>, std::vector<Variable>> locals; // LWP, frame
    std::map<uint64_t, Type> types;
    std::map<uint64_t, std::pair<uint64_t, uint64_t>>
        arrays; // descriptor -> type of an array, where it begins
    uint64_t size_of(uint64_t type) const;
    std::vector<int64_t> unwound;                      // threads whose newest frame was asked for
    std::vector<std::pair<uint64_t, uint32_t>> looked; // frames whose variables were
    uint64_t asked = 0;                                // calls of all these
    // A lock of its own at ADDR.
    void put_lock(uint64_t addr, const std::string &name);
    std::string printed;
    int64_t pid = 4242;
    bool cancel = false;
    std::function<void()> on_progress; // called once, while inspect waits for the answer

    int calls[kFunctions] = {};
    Function fail_function = kFunctions;
    int fail_at = 0; // the k-th call fails (from 1)
    int fail_code = -1;

    insp_host table();
    void put(uint64_t addr, const void *bytes, size_t n)
    {
        const uint8_t *b = static_cast<const uint8_t *>(bytes);
        memory[addr] = std::vector<uint8_t>(b, b + n);
    }
    void put(uint64_t addr, const std::string &text) { put(addr, text.c_str(), text.size() + 1); }

    // An ELF file of one page at BASE, whose note leads to a table at TABLE.
    void put_runtime(uint64_t base, const std::string &path, uint64_t table, bool started);

    bool fails(Function f) { return ++calls[f] == fail_at && f == fail_function; }
};

// A first page: ELF header, one PT_LOAD of LOAD_SIZE, one PT_NOTE with owner OMPC whose word is OFFSET.
std::vector<uint8_t> elf_page(int32_t offset, uint32_t table_size, uint32_t major, uint64_t load_size);
enum { kNoteOffset = 0x200, kDescOffset = kNoteOffset + 12 + 8 };

#endif
