// SPDX-License-Identifier: Apache-2.0
// Names of objects in memory: how parts are spelled, which chains of pointers lead to a lock, and what a
// damaged or hostile
// program's types and memory may cost.
#include <gtest/gtest.h>

#include <cstring>
#include <ctime>
#include <string>

#include "inspect/names/limits.h"
#include "inspect/tests/fake_host.h"

namespace
{

enum : uint64_t { kLock = 1, kInt, kPointer, kStruct, kArray, kOther, kMany = 100 };
enum : uint64_t { kData = 0x600000, kHeap = 0x700000, kHeapSize = 0x100000, kStack = 0x900000 };

const uint64_t kHeapStart = kHeap;

struct Objects : testing::Test {
    FakeHost host;
    insp_session *session = nullptr;
    std::vector<uint8_t> heap = std::vector<uint8_t>(kHeapSize), data = std::vector<uint8_t>(4096);

    void SetUp() override
    {
        host.facts = true;
        host.types[kLock] = {INSP_TYPE_ALIAS, "omp_lock_t", 8};
        host.types[kInt] = {INSP_TYPE_INTEGER, "int", 4};
        host.types[kPointer] = {INSP_TYPE_POINTER, "", 8, kLock};
        host.data = {{kData, kData + 4096}};
        host.regions = {{kData, kData + 4096, INSP_MEMORY_FILE, 0},
                        {kHeap, kHeap + kHeapSize, INSP_MEMORY_HEAP, 0},
                        {kStack, kStack + 4096, INSP_MEMORY_STACK, 42},
                        {kStack + 0x100000, kStack + 0x200000, INSP_MEMORY_ANONYMOUS, 0}};
    }
    void TearDown() override { insp_close(session); }

    std::string name(uint64_t addr, const std::vector<insp_viewer> &viewers = {})
    {
        insp_object object;
        host.put(kData, data.data(), data.size());
        host.put(kHeap, heap.data(), heap.size());
        insp_host table = host.table();
        if (!session)
            session = insp_open(&table, nullptr, nullptr);
        int rc = insp_name(session, addr, viewers.data(), static_cast<uint32_t>(viewers.size()), &object);
        return rc ? "none" : object.text;
    }
    void point(uint64_t from, uint64_t to)
    {
        std::vector<uint8_t> &memory = from >= kHeap ? heap : data;
        memcpy(&memory[from - (from >= kHeap ? kHeap : kData)], &to, 8);
    }
    // A chunk of glibc's malloc with SIZE bytes for the user at ADDR, and the next one's header.
    void chunk(uint64_t addr, uint64_t size)
    {
        point(addr - 8, ((size + 8 + 15) & ~UINT64_C(15)) | 1);
        point(addr - 16 + ((size + 8 + 15) & ~UINT64_C(15)) + 8, 0x21);
    }
};

TEST_F(Objects, PartsOfVariables)
{
    host.types[10] = {INSP_TYPE_STRUCT, "Base", 16, 0, {}, {{"filler", kInt, 0}, {"inherited", kLock, 8}}};
    host.types[11] = {
        INSP_TYPE_STRUCT, "", 24, 0, {}, {{"x", kInt, 0}, {"anonymous", kLock, 8}, {"y", kInt, 16}}};
    host.types[12] = {INSP_TYPE_UNION, "U", 8, 0, {}, {{"number", kInt, 0}, {"lock", kLock, 0}}};
    host.types[13] = {INSP_TYPE_ALIAS, "mine", 0, kLock};
    host.types[14] = {INSP_TYPE_ARRAY, "", 0, 13, {{0, 2}, {0, 3}}};
    host.types[15] = {INSP_TYPE_STRUCT,
                      "Bits",
                      16,
                      0,
                      {},
                      {{"a", kInt, 0, 3}, {"after", kLock, 0}, {"b", kInt, 8, 5}, {"", kLock, 8}}};
    host.types[16] = {INSP_TYPE_STRUCT, "Empty", 1};
    host.types[17] = {INSP_TYPE_STRUCT,
                      "All",
                      256,
                      0,
                      {},
                      {{"", 16, 0, 0, true},
                       {"Base", 10, 0, 0, true},
                       {"", 11, 16},
                       {"u", 12, 40},
                       {"locks", 14, 48},
                       {"bits", 15, 96},
                       {"_M_elems", 14, 112}}};
    host.statics = {{"ns::all", 17, kData}};
    EXPECT_EQ(name(kData), "ns::all");
    EXPECT_EQ(name(kData + 8), "ns::all.inherited");
    EXPECT_EQ(name(kData + 24), "ns::all.anonymous");
    EXPECT_EQ(name(kData + 32), "ns::all.y");
    EXPECT_EQ(name(kData + 40), "ns::all.u.lock");
    EXPECT_EQ(name(kData + 48 + 8 * 5), "ns::all.locks[1][2]");
    EXPECT_EQ(name(kData + 96), "ns::all.bits.after");
    EXPECT_EQ(name(kData + 112 + 8 * 4), "ns::all[1][1]");
    EXPECT_EQ(name(kData + 12), "none"); // the middle of a lock
    EXPECT_EQ(name(0x10), "none");
}

// pthread_cond_wait waits for a word in the middle of the object; a user has named the whole.
TEST_F(Objects, ObjectsOfTheThreadLibrary)
{
    host.types[10] = {INSP_TYPE_UNION, "", 48, 0, {}, {{"__size", kOther, 0}}};
    host.types[11] = {INSP_TYPE_ALIAS, "pthread_cond_t", 48, 10};
    host.types[12] = {INSP_TYPE_UNION, "", 40, 0, {}, {{"__lock", kInt, 0}}};
    host.types[13] = {INSP_TYPE_ALIAS, "pthread_mutex_t", 40, 12};
    host.types[14] = {INSP_TYPE_STRUCT, "__mutex_base", 40, 0, {}, {{"_M_mutex", 13, 0}}};
    host.types[15] = {INSP_TYPE_STRUCT, "mutex", 40, 0, {}, {{"__mutex_base", 14, 0, 0, true}}};
    host.types[16] = {INSP_TYPE_STRUCT, "__condvar", 48, 0, {}, {{"_M_cond", 11, 0}}};
    host.types[17] = {INSP_TYPE_STRUCT, "condition_variable", 48, 0, {}, {{"_M_cond", 16, 0}}};
    host.types[18] = {INSP_TYPE_ARRAY, "", 0, 15, {{0, 2}}};
    host.types[19] = {INSP_TYPE_STRUCT,
                      "Pool",
                      256,
                      0,
                      {},
                      {{"filler", kInt, 0}, {"mine", 11, 8}, {"ready", 17, 56}, {"mutexes", 18, 104}}};
    host.types[20] = {INSP_TYPE_POINTER, "", 8, 19};
    host.types[21] = {INSP_TYPE_POINTER, "", 8, 15};
    host.statics = {{"pool", 19, kData},
                    {"cond", 11, kData + 256},
                    {"heap", 20, kData + 304},
                    {"one", 21, kData + 312},
                    {"lock", kLock, kData + 320}};
    for (uint64_t word : {0, 32, 40}) {
        EXPECT_EQ(name(kData + 8 + word), "pool.mine") << word;
        EXPECT_EQ(name(kData + 56 + word), "pool.ready");
        EXPECT_EQ(name(kData + 256 + word), "cond");
    }
    EXPECT_EQ(name(kData + 104), "pool.mutexes[0]");
    EXPECT_EQ(name(kData + 144), "pool.mutexes[1]");
    EXPECT_EQ(name(kData + 323), "none"); // an OpenMP lock is waited for at its beginning
    point(kData + 304, kHeap + 256);
    point(kData + 312, kHeap + 1024);
    EXPECT_EQ(name(kHeap + 256 + 56 + 40), "heap->ready");
    EXPECT_EQ(name(kHeap + 256 + 144), "heap->mutexes[1]");
    EXPECT_EQ(name(kHeap + 1024), "*one");
}

TEST_F(Objects, Fortran)
{
    host.types[10] = {INSP_TYPE_INTEGER, "integer(kind=4)", 4};
    host.types[10].fortran = true;
    host.types[11] = {INSP_TYPE_ARRAY, "", 0, 10, {{-1, 4}, {1, 3}}};
    host.types[11].fortran = true;
    host.types[12] = {INSP_TYPE_STRUCT, "cell", 64, 0, {}, {{"filler", 10, 0}, {"locks", 11, 4}}};
    host.types[12].fortran = true;
    host.types[13] = {INSP_TYPE_ARRAY, "", 0, 12, {}, {}, true, true};
    host.types[14] = {INSP_TYPE_ARRAY, "", 0, 12, {{3, 5}}, {}, true};
    host.statics = {
        {"box::plane", 11, kData}, {"box::cell", 12, kData + 64}, {"box::cells", 13, kData + 128}};
    host.arrays[kData + 128] = {14, kHeap + 256};
    point(kData + 128, kHeap + 256);
    EXPECT_EQ(name(kData), "box::plane(-1,1)");
    EXPECT_EQ(name(kData + 4 * 6), "box::plane(1,2)");
    EXPECT_EQ(name(kData + 64 + 4 + 4 * 5), "box::cell%locks(0,2)");
    EXPECT_EQ(name(kHeap + 256 + 64 * 2 + 4 + 4), "box::cells(5)%locks(0,1)");
    EXPECT_EQ(name(kHeap + 256 + 64 * 5 + 4), "(in the heap)");
}

TEST_F(Objects, Chains)
{
    host.types[kStruct] = {
        INSP_TYPE_STRUCT, "Node", 32, 0, {}, {{"next", 10, 0}, {"lock", kLock, 8}, {"hidden", 11, 16}}};
    host.types[10] = {INSP_TYPE_POINTER, "", 8, kStruct};
    host.types[11] = {INSP_TYPE_UNION, "", 8, 0, {}, {{"p", kPointer, 0}}};
    host.statics = {{"list", 10, kData}, {"locks", kPointer, kData + 8}, {"held", kPointer, kData + 16}};
    host.statics[2].type = 12; // a pointer to nothing that is known
    for (uint64_t i = 0; i < 6; i++)
        point(i ? kHeap + 64 * i : kData, kHeap + 64 * (i + 1));
    point(kHeap + 64 + 16, kHeap + 0x800);
    point(kData + 8, kHeap + 0x1010);
    chunk(kHeap + 0x1010, 8 * 20);
    EXPECT_EQ(name(kHeap + 64 + 8), "list->lock");
    EXPECT_EQ(name(kHeap + 64 * 4 + 8), "list->next->next->next->lock");
    EXPECT_EQ(name(kHeap + 64 * 5 + 8), "(in the heap)"); // five pointers
    EXPECT_EQ(name(kHeap + 0x800), "(in the heap)");      // through a union
    EXPECT_EQ(name(kHeap + 0x1010), "locks[0]");
    EXPECT_EQ(name(kHeap + 0x1010 + 8 * 19), "locks[19]");
    EXPECT_EQ(name(kHeap + 0x1010 + 8 * 21), "(in the heap)");
    EXPECT_EQ(name(kStack + 0x100000), "(in allocated memory)");
}

TEST_F(Objects, SameNamesOfDifferentTypes)
{
    // Two files' "struct node", of the same size: the host tells them apart.
    host.types[10] = {INSP_TYPE_POINTER, "", 8, 12};
    host.types[11] = {INSP_TYPE_POINTER, "", 8, 13};
    host.types[12] = {INSP_TYPE_STRUCT, "node", 16, 0, {}, {{"value", 14, 0}}};
    host.types[13] = {INSP_TYPE_STRUCT, "node", 16, 0, {}, {{"lock", kPointer, 0}}};
    host.types[14] = {INSP_TYPE_POINTER, "", 8, kInt};
    host.statics = {{"aa", 10, kData}, {"zz", 11, kData + 8}};
    point(kData, kHeap + 0x100);
    point(kData + 8, kHeap + 0x200);
    point(kHeap + 0x200, kHeap + 0x300);
    EXPECT_EQ(name(kHeap + 0x300), "*zz->lock");
}

TEST_F(Objects, ViewersBeforeTheProgramInnerFramesFirst)
{
    host.statics = {{"rest", kPointer, kData}};
    point(kData, kHeap + 0x100);
    host.modules = {{0x10000000, "/lib/libc.so.6"}};
    host.frames[42] = {{0x401000, "system", "", 0, "/lib/libc.so.6"},
                       {0x402000, "inner", "", 0, "/apps/u/mixed"},
                       {0x403000, "outer", "", 0, "/apps/u/mixed"}};
    host.locals[{42, 0}] = {{"systems", kPointer, kHeap + 0x100, true}};
    host.locals[{42, 1}] = {{"z", kPointer, kHeap + 0x100, true, "", "", "", 9, 1},
                            {"b", kPointer, kHeap + 0x100, true, "", "", "", 7, 0},
                            {"a", kPointer, kHeap + 0x100, true, "", "", "", 8, 0}};
    EXPECT_EQ(name(kHeap + 0x100, {{42, 0x403000}}), "*rest");
    EXPECT_EQ(name(kHeap + 0x100, {{42, 0}}), "*b");
    // The unit's own variables come before those of functions; its code is before the return address.
    host.unit_of[0x402fff] = 5;
    host.units[5] = {{"declared", kPointer, 0, false, "", "declared"}};
    host.symbols["declared"] = kData + 8;
    point(kData + 8, kHeap + 0x100);
    insp_close(session);
    session = nullptr;
    EXPECT_EQ(name(kHeap + 0x100, {{42, 0}}), "*declared");
}

// All locks are "x" in the constructor of a guard: the caller's expression tells them apart.
TEST_F(Objects, AParameterIsWhatItsCallerHasForIt)
{
    host.types[10] = {INSP_TYPE_STRUCT, "cell", 24, 0, {}, {{"n", kInt, 0}, {"lock", kLock, 8}}};
    host.types[11] = {INSP_TYPE_POINTER, "", 8, 10};
    host.frames[42] = {{0x402000, "Guard::Guard", "", 0, "/apps/u/mixed"},
                       {0x403000, "hold", "", 0, "/apps/u/mixed"},
                       {0x404000, "phase", "", 0, "/apps/u/mixed"},
                       {0x405000, "main", "", 0, "/apps/u/mixed"}};
    host.locals[{42, 0}] = {{"x", kPointer, kHeap + 0x108, true}};
    EXPECT_EQ(name(kHeap + 0x108, {{42, 0}}), "*x");
    host.locals[{42, 2}] = {{"cell", 11, kHeap + 0x100, true}};
    insp_close(session);
    session = nullptr;
    EXPECT_EQ(name(kHeap + 0x108, {{42, 0}}), "*x"); // hold does not tell
    host.locals[{42, 1}] = {{"l", kPointer, kHeap + 0x108, true}};
    host.locals[{42, 3}] = {{"other", kPointer, kHeap + 0x108, true}};
    insp_close(session);
    session = nullptr;
    EXPECT_EQ(name(kHeap + 0x108, {{42, 0}}), "cell->lock");
}

TEST_F(Objects, OnStacks)
{
    host.frames[42] = {{0x402000, "inner", "", 0, "/apps/u/mixed"},
                       {0x403000, "outer", "", 0, "/apps/u/mixed"}};
    host.types[kArray] = {INSP_TYPE_ARRAY, "", 0, kLock, {{0, 4}}};
    host.locals[{42, 1}] = {{"mine", kArray, kStack + 64, false, "outer"}};
    EXPECT_EQ(name(kStack + 64 + 16), "mine[2]");
    EXPECT_EQ(name(kStack + 64 + 32), "(on the stack of LWP 42)");
}

TEST_F(Objects, AHostOfAnEarlierDay)
{
    host.facts = false;
    EXPECT_EQ(name(kData), "none");
    host.facts = true;
    insp_close(session);
    host.put_lock(kData, "lock");
    insp_host table = host.table();
    table.size = offsetof(insp_host, region);
    session = insp_open(&table, nullptr, nullptr);
    EXPECT_EQ(name(kData), "none");
}

// Deep recursions, and many locks on their stacks: so many frames are looked at and no more.
TEST_F(Objects, OnDeepStacks)
{
    for (uint64_t i = 0; i < 1000; i++)
        host.frames[42].push_back({0x402000, "inner", "", 0, "/apps/u/mixed"});
    host.locals[{42, 999}] = {{"outermost", kLock, kStack + 64}};
    EXPECT_EQ(name(kStack + 64), "outermost");
    for (uint64_t i = 0; i < 100; i++)
        EXPECT_EQ(name(kStack + 65 + i), "(on the stack of LWP 42)");
    EXPECT_LT(host.looked.size(), 10000u);
}

// What p means in the program is the innermost one, which leads nowhere.
TEST_F(Objects, AShadowedVariableLeadsNowhere)
{
    host.frames[42] = {{0x402000, "inner", "", 0, "/apps/u/mixed"}};
    host.locals[{42, 0}] = {{"p", kPointer, kHeap + 0x100, true, "", "", "", 7, 1},
                            {"p", kInt, kStack, false, "", "", "", 9, 0},
                            {"q", kPointer, kHeap + 0x200, true, "", "", "", 8, 1}};
    EXPECT_EQ(name(kHeap + 0x100, {{42, 0}}), "(in the heap)");
    EXPECT_EQ(name(kHeap + 0x200, {{42, 0}}), "*q");
}

// Only OpenMP's own names make a lock of a type: this one has a lock in it.
TEST_F(Objects, ATypeWithALikeName)
{
    host.types[10] = {INSP_TYPE_STRUCT, "my_omp_lock_t", 16, 0, {}, {{"tries", kInt, 0}, {"lock", kLock, 8}}};
    host.types[11] = {INSP_TYPE_STRUCT, "10omp_lock_t", 8, 0, {}, {{"_lk", kPointer, 0}}};
    host.statics = {{"mine", 10, kData}, {"of_template", 11, kData + 16}};
    EXPECT_EQ(name(kData + 8), "mine.lock");
    EXPECT_EQ(name(kData + 16), "of_template");
}

// A mapped file that is no module, such as shared memory, is not a part of the module before it.
TEST_F(Objects, InFiles)
{
    std::vector<uint8_t> page = elf_page(0, 4096, 1, 0x1800);
    host.put(0x500000, page.data(), page.size());
    host.modules = {{0x500000, "/apps/u/libsolver.so"}};
    host.regions.push_back({0x500000, 0x502000, INSP_MEMORY_FILE, 0});
    EXPECT_EQ(name(0x501010), "libsolver.so+0x1010");
    EXPECT_EQ(name(kData + 8), "none");
}

// A name that is too long to be one is not shown, and what has it does not pass for something without a name.
TEST_F(Objects, LongNames)
{
    host.types[10] = {INSP_TYPE_STRUCT, "S", 16, 0, {}, {{std::string(100000, 'x'), kLock, 8}}};
    host.statics = {{"s", 10, kData}, {std::string(100000, 'y'), kLock, kData + 16}};
    EXPECT_EQ(name(kData + 8), "none");
    EXPECT_EQ(name(kData + 16), "none");
}

// A variable that ends where addresses end.
TEST_F(Objects, TheLastAddress)
{
    std::vector<uint8_t> bytes(4096);
    for (uint64_t i = 0; i < bytes.size(); i += 8)
        memcpy(&bytes[i], &kHeapStart, 8);
    for (uint64_t left : {3, 8, 9}) {
        host.put(0x10000, bytes.data(), bytes.size());
        host.types[10] = {INSP_TYPE_STRUCT, "Huge", UINT64_MAX - 0x10000 - left, 0, {}, {{"p", kPointer, 0}}};
        host.statics = {{"huge", 10, 0x10000}};
        host.data = {{0x10000, 0x11000}};
        EXPECT_EQ(name(kHeap + 8), "(in the heap)");
        EXPECT_LT(host.calls[FakeHost::kRead], 1000);
        insp_close(session);
        session = nullptr;
    }
}

// Types that make no sense: an answer, after little work.
TEST_F(Objects, HostileTypes)
{
    host.types[10] = {INSP_TYPE_STRUCT, "Self", 16, 0, {}, {{"self", 10, 0}, {"p", 11, 8}}};
    host.types[11] = {INSP_TYPE_POINTER, "", 8, 10};
    host.types[12] = {INSP_TYPE_ALIAS, "circle", 0, 13};
    host.types[13] = {INSP_TYPE_ALIAS, "circle", 0, 12};
    host.types[14] = {INSP_TYPE_ARRAY, "", 0, 16, {{0, UINT64_MAX}, {0, UINT64_MAX}}};
    host.types[15] = {INSP_TYPE_ARRAY, "", UINT64_MAX, 15, {{INT64_MIN, UINT64_MAX}}};
    host.types[16] = {INSP_TYPE_STRUCT, "Nothing", 0, 0, {}, {{"lock", kLock, 0}}};
    host.types[17] = {
        INSP_TYPE_STRUCT, "Outside", 8, 0, {}, {{"far", kPointer, UINT64_MAX - 4}, {"lock", kLock, 4}}};
    host.types[18] = {99, "no kind", 8};
    host.types[19] = {INSP_TYPE_POINTER, "", 8, 18};
    host.types[20] = {INSP_TYPE_ARRAY, "", 0, 21, {{0, 1 << 20}}};
    host.types[21] = {INSP_TYPE_ARRAY, "", 0, 22, {{0, 1 << 20}}};
    host.types[22] = {INSP_TYPE_ARRAY, "", 0, kPointer, {{0, 1 << 20}}};
    for (uint64_t i = 0; i < 300; i++) // unions within unions, each twice
        host.types[kMany + i] = {
            INSP_TYPE_UNION, "Deep", 8, 0, {}, {{"a", kMany + i + 1, 0}, {"b", kMany + i + 1, 0}}};
    host.types[500] = {INSP_TYPE_STRUCT, "Wide", 64, 0, {}, {}};
    for (uint64_t i = 0; i < 40000; i++)
        host.types[500].fields.push_back({"f" + std::to_string(i), 10 + i % 12, 0});
    uint64_t at = kData;
    for (uint64_t type : {10, 11, 12, 14, 15, 16, 17, 19, 20, 100, 500}) {
        host.statics.push_back({"v" + std::to_string(type), type, at});
        point(at, kHeap + 16 * (type % 64));
        at += 64;
    }
    host.frames[42] = {{0x402000, "inner", "", 0, "/apps/u/mixed"}};
    host.unit_of[0x402000] = 5;
    host.units[5] = host.locals[{42, 0}] = host.statics;
    for (uint64_t addr = kData; addr < at; addr += 4)
        EXPECT_NE(name(addr), "");
    for (uint64_t addr = kHeap; addr < kHeap + 2048; addr += 8)
        EXPECT_NE(name(addr, {{42, 0}, {42, 0}}), "");
    EXPECT_LT(host.asked, 2000000u);
}

// Unions within unions: each name of what lies in them is looked for along many paths, in many objects. And
// structures of bit-fields, which lead nowhere.
TEST_F(Objects, HostilePaths)
{
    enum { kLevels = 12, kWide = 200, kDeep = 1000 };
    const clock_t began = clock();
    for (uint64_t i = 0; i <= kLevels; i++) {
        host.types[kDeep + i] = {INSP_TYPE_UNION, "Deep", kHeapSize};
        for (uint64_t k = 0; k < kWide && i < kLevels; k++)
            host.types[kDeep + i].fields.push_back({"m" + std::to_string(k), kDeep + i + 1, 0});
    }
    host.types[kDeep + kLevels] = {INSP_TYPE_INTEGER, "char", kHeapSize};
    host.types[10] = {INSP_TYPE_STRUCT, "Node", kHeapSize, 0, {}, {{"lock", kLock, 0}, {"deep", kDeep, 8}}};
    host.types[11] = {INSP_TYPE_POINTER, "", 8, 10};
    host.types[12] = {INSP_TYPE_ARRAY, "", 0, 11, {{0, 400}}};
    host.types[13] = {INSP_TYPE_STRUCT, "Bits", 8, 0, {}, {{"p", kPointer, 0}}};
    for (uint64_t k = 0; k < NAMES_FIELDS; k++)
        host.types[13].fields.push_back({"b", kInt, 0, 1});
    host.types[14] = {INSP_TYPE_ARRAY, "", 0, 13, {{0, 1 << 20}}};
    host.units[5] = {{"all", 12, kData}};
    for (uint64_t i = 0; i < 100; i++)
        host.units[5].push_back({"bits" + std::to_string(i), 14, kData});
    for (uint64_t i = 0; i < 400; i++)
        point(kData + 8 * i, kHeap + 16 * i);
    for (uint64_t i = 0; i < 64; i++) {
        host.frames[42].push_back({0x402000 + i, "inner", "", 0, "/apps/u/mixed"});
        host.unit_of[0x402000 + i] = host.unit_of[0x402000 + i - 1] = 5;
    }
    for (uint64_t i = 0; i < 10; i++)
        EXPECT_EQ(name(kHeap + 0x8001 + i, {{42, 0}}), "(in the heap)");
    EXPECT_LT((clock() - began) / CLOCKS_PER_SEC, 20);
}

// Pointers everywhere, each to everywhere: so many are read and no more.
TEST_F(Objects, HostileMemory)
{
    host.types[kStruct] = {
        INSP_TYPE_STRUCT, "Node", 4096, 0, {}, {{"next", kArray, 0}, {"lock", kLock, 4088}}};
    host.types[kArray] = {INSP_TYPE_ARRAY, "", 0, 10, {{0, 500}}};
    host.types[10] = {INSP_TYPE_POINTER, "", 8, kStruct};
    host.statics = {{"all", kArray, kData}};
    for (uint64_t i = 0; i < kHeapSize; i += 8)
        point(kHeap + i, kHeap + i * 2654435761u % (kHeapSize - 4096) / 8 * 8);
    for (uint64_t i = 0; i < 4096; i += 8)
        point(kData + i, kHeap + i * 40503 % kHeapSize / 8 * 8);
    for (uint64_t addr = kHeap; addr < kHeap + 64; addr += 8)
        EXPECT_NE(name(addr), "");
    EXPECT_LT(host.calls[FakeHost::kRead], NAMES_READS * 2);
    // Half of it is not there.
    host.memory.erase(kHeap);
    heap.resize(kHeapSize / 2);
    insp_close(session);
    session = nullptr;
    EXPECT_NE(name(kHeap + 8), "");
}

} // namespace
