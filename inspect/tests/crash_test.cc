// SPDX-License-Identifier: Apache-2.0
// Crashes: types and texts in hostile memory, and what is said. test-targets/crashes/ has the programs.
#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

#include "inspect/crash/stack_bounds.h"
#include "inspect/crash/type_info.h"
#include "inspect/model/crash.h"
#include "inspect/tests/doings.h"

namespace
{

// Words at addresses, and nothing else.
struct Memory {
    std::map<uint64_t, uint8_t> bytes;
    insp_session s{};
    arena a{};
    unsigned reads = 0;

    Memory()
    {
        s.host.version = INSP_HOST_VERSION;
        s.host.size = sizeof(s.host);
        s.host.ctx = this;
        s.host.read = [](void *ctx, uint64_t addr, void *buf, uint64_t size) {
            auto *m = static_cast<Memory *>(ctx);
            m->reads++;
            for (uint64_t i = 0; i < size; i++) {
                auto it = m->bytes.find(addr + i);
                if (it == m->bytes.end())
                    return -1;
                static_cast<uint8_t *>(buf)[i] = it->second;
            }
            return 0;
        };
        s.host.mapping = [](void *, uint64_t addr, insp_mapping *ret) {
            *ret = {0x10000, 0x20000, addr >= 0x10000 && addr < 0x20000, 6, nullptr};
            return 0;
        };
    }
    ~Memory() { arena_free(&a); }
    void Put(uint64_t addr, const void *data, size_t size)
    {
        for (size_t i = 0; i < size; i++)
            bytes[addr + i] = static_cast<const uint8_t *>(data)[i];
    }
    void Word(uint64_t addr, uint64_t word) { Put(addr, &word, 8); }
    // Strings are read in pieces up to a multiple of 256.
    void Text(uint64_t addr, const std::string &text)
    {
        std::string padded = text + std::string(1024, '\0');
        Put(addr, padded.data(), padded.size());
    }
    // A std::type_info of KIND at ADDR with its base at BASE; what it needs lies behind it.
    void Type(uint64_t addr, const std::string &name, const std::string &kind, uint64_t base)
    {
        Word(addr, addr + 0x108); // the functions, behind the word that leads to the type's type
        Word(addr + 8, addr + 0x1000);
        Word(addr + 16, base);
        Word(addr + 0x100, addr + 0x200);
        Word(addr + 0x208, addr + 0x2000);
        Text(addr + 0x1000, name);
        Text(addr + 0x2000, kind);
    }
    std::string What(uint64_t info, uint64_t object, const char **why)
    {
        const char *text = type_info_what(&s, &a, info, object, why);
        return text ? text : "(none)";
    }
};

const char kSingle[] = "N10__cxxabiv120__si_class_type_infoE",
           kMany[] = "N10__cxxabiv121__vmi_class_type_infoE";

struct TypeInfo : ::testing::Test, Memory {
    const char *why = nullptr;
};

TEST_F(TypeInfo, ConstantsAndMembersAreRead)
{
    Type(0x100000, "3Bad", kSingle, 0x200000);
    Type(0x200000, "St9exception", "", 0);
    Word(0x300000, 0x310000);                    // the object's functions
    Word(0x310010, 0x320000);                    // what()
    std::string code("\x48\x8b\x47\x08\xc3", 5); // mov 8(%rdi),%rax; ret
    Put(0x320000, (code + std::string(64, '\x90')).data(), 64);
    Word(0x300008, 0x330000);
    Text(0x330000, "too hot");
    EXPECT_EQ(What(0x100000, 0x300000, &why), "too hot");
    code.assign("\x48\x8d\x05\xf9\xff\x00\x00\xc3", 8); // lea 0xfff9(%rip),%rax; ret
    Put(0x320000, code.data(), code.size());
    EXPECT_EQ(What(0x100000, 0x300000, &why), "too hot");
    code.assign("\xf3\x0f\x1e\xfa\x55\x48\x89\xe5\x48\x89\x7d\xf8\xb8\x00\x00\x33\x00\x5d\xc3", 19);
    Put(0x320000, code.data(), code.size()); // not optimised: mov $0x330000,%eax
    EXPECT_EQ(What(0x100000, 0x300000, &why), "too hot");
    EXPECT_EQ(why, nullptr);
    code.assign("\xe8\x00\x00\x00\x00\xc3", 6); // it calls something
    Put(0x320000, code.data(), code.size());
    EXPECT_EQ(What(0x100000, 0x300000, &why), "(none)");
    EXPECT_NE(why, nullptr);
}

// No other kind of class: what the object has is none of std::exception's functions.
TEST_F(TypeInfo, WhatIsNoExceptionHasNoText)
{
    Type(0x100000, "3Bad", "", 0x200000);
    Type(0x200000, "St9exception", "", 0);
    EXPECT_EQ(What(0x100000, 0x300000, &why), "(none)");
    EXPECT_EQ(why, nullptr);
}

TEST_F(TypeInfo, CirclesAndCrowdsEnd)
{
    Type(0x100000, "3Bad", kSingle, 0x200000);
    Type(0x200000, "4Bad2", kSingle, 0x100000);
    EXPECT_EQ(What(0x100000, 0x300000, &why), "(none)");
    // As many bases as a number can say, and a class that is its own base, many times.
    Type(0x400000, "4Many", kMany, 0xffffffff00000000);
    EXPECT_EQ(What(0x400000, 0x300000, &why), "(none)");
    Type(0x500000, "4Self", kMany, 0x2000000000);
    for (uint64_t i = 0; i < 32; i++) {
        Word(0x500018 + 16 * i, 0x500000);
        Word(0x500020 + 16 * i, 2);
    }
    reads = 0;
    EXPECT_EQ(What(0x500000, 0x300000, &why), "(none)");
    EXPECT_LT(reads, 20000u);
}

TEST_F(TypeInfo, NamesAreTexts)
{
    Type(0x100000, "*N4grid3BadE", kSingle, 0);
    EXPECT_STREQ(type_info_name(&s, &a, 0x100000), "N4grid3BadE");
    Type(0x200000, "a b", kSingle, 0);
    EXPECT_EQ(type_info_name(&s, &a, 0x200000), nullptr);
    Type(0x300000, std::string(5000, 'x'), kSingle, 0);
    EXPECT_EQ(type_info_name(&s, &a, 0x300000), nullptr);
    EXPECT_EQ(type_info_name(&s, &a, 0x300001), nullptr);
    EXPECT_EQ(type_info_name(&s, &a, 0), nullptr);
    EXPECT_EQ(type_info_name(&s, &a, UINT64_MAX - 7), nullptr);
}

TEST_F(TypeInfo, AStringThatLiesAboutItsLength)
{
    Type(0x100000, "NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE", "", 0);
    Word(0x300000, 0x330000);
    Word(0x300008, UINT64_MAX);
    Text(0x330000, "text");
    EXPECT_EQ(What(0x100000, 0x300000, &why).substr(0, 4), "text");
    Word(0x300000, 0x770000);
    EXPECT_EQ(What(0x100000, 0x300000, &why), "(none)");
    EXPECT_NE(why, nullptr);
}

// What a thread's descriptor says counts only if it fits the mapping.
TEST_F(TypeInfo, StackBoundsMustFitTheMapping)
{
    insp_snapshot snap{};
    mdl_thread t{};
    stack_bounds bounds{};

    snap.process.pid = 1;
    t.lwp = 2;
    t.pthread = 0x1f000;
    for (uint64_t at = t.pthread; at < 0x20000; at += 8)
        Word(at, 0);
    ASSERT_TRUE(stack_bounds_of(&s, &snap, &t, &bounds));
    EXPECT_FALSE(bounds.exact);
    EXPECT_EQ(bounds.low, 0x10000u);
    Word(0x1f690, 0x3000); // it begins elsewhere
    Word(0x1f698, 0x1d000);
    Word(0x1f6a0, 0x1000);
    ASSERT_TRUE(stack_bounds_of(&s, &snap, &t, &bounds));
    EXPECT_FALSE(bounds.exact);
    Word(0x1f690, 0xf000);
    Word(0x1f698, 0x11000);
    ASSERT_TRUE(stack_bounds_of(&s, &snap, &t, &bounds));
    EXPECT_TRUE(bounds.exact);
    EXPECT_EQ(bounds.guard, 0xf000u);
    EXPECT_EQ(bounds.low, 0x10000u);
    EXPECT_EQ(bounds.high, 0x20000u);
    Word(0x1f690, 0x13000); // others' stacks lie below it in the same mapping
    Word(0x1f698, 0xd000);
    ASSERT_TRUE(stack_bounds_of(&s, &snap, &t, &bounds));
    EXPECT_TRUE(bounds.exact);
    EXPECT_EQ(bounds.guard, 0x13000u);
    EXPECT_EQ(bounds.low, 0x14000u);
    EXPECT_EQ(bounds.high, 0x20000u);
    Word(0x1f698, 0xe000); // it ends elsewhere
    ASSERT_TRUE(stack_bounds_of(&s, &snap, &t, &bounds));
    EXPECT_FALSE(bounds.exact);
    Word(0x1f690, 0xf000);
    Word(0x1f698, 0x11000);
    Word(0x1f6a0, 0x12000); // more guard than stack
    ASSERT_TRUE(stack_bounds_of(&s, &snap, &t, &bounds));
    EXPECT_FALSE(bounds.exact);
    t.pthread = 0x30000;
    EXPECT_FALSE(stack_bounds_of(&s, &snap, &t, &bounds));
}

TEST(CrashText, NothingOfTheTargetsReachesTheTerminal)
{
    Hand h(2);
    mdl_crash crash{};

    crash.kind = MDL_CRASH_EXCEPTION;
    crash.lwp = 101;
    crash.signal = 6;
    crash.type = "Bad\x1b[31m";
    crash.what = "hot\n\x07";
    h.s->process.signal = 6;
    h.s->process.crashed_lwp = 101;
    h.s->process.crash = &crash;
    verdict_make(h.s);
    std::string text = h.Render(INSP_VIEW_REPORT, INSP_TEXT);
    EXPECT_NE(text.find("An exception was not caught: Bad?[31m, \"hot??\"."), std::string::npos) << text;
    EXPECT_EQ(crash.what, std::string("hot\n\x07"));
}

// A file of a later version may have another kind.
TEST(CrashText, IsTheSameOfARecordedSnapshot)
{
    Hand h(2);
    mdl_crash crash{};

    crash.kind = MDL_CRASH_STACK;
    crash.lwp = 101;
    crash.signal = 11;
    crash.live = crash.address_known = crash.code_known = true;
    crash.code = 2;
    crash.address = 0x7ff0;
    crash.stack_low = 0x8000;
    crash.stack_high = 0x208000;
    crash.stack_of = MDL_STACK_WORKER;
    crash.stack_beyond = 1 << 20;
    h.s->process.crash = &crash;
    verdict_make(h.s);
    std::string text = h.Render(INSP_VIEW_REPORT, INSP_TEXT);
    EXPECT_NE(text.find("Stopped at SIGSEGV in thread 2 (LWP 101)"), std::string::npos) << text;
    char *error = nullptr, *record = insp_record(h.s, &error);
    ASSERT_NE(record, nullptr);
    std::string file = record;
    insp_snapshot *again = insp_load(file.data(), file.size(), &error);
    ASSERT_NE(again, nullptr);
    EXPECT_EQ(again->process.crash->kind, MDL_CRASH_STACK);
    EXPECT_EQ(again->process.crash->stack_beyond, 1u << 20);
    EXPECT_EQ(again->process.crash->address, 0x7ff0u);
    insp_free(again);
    file.replace(file.find("\"stack_overflow\""), 16, "\"moon_phase\"");
    again = insp_load(file.data(), file.size(), &error);
    ASSERT_NE(again, nullptr);
    EXPECT_EQ(again->process.crash->kind, MDL_CRASH_UNKNOWN);
    insp_free(again);
    insp_string_free(record);
}

} // namespace
