/* SPDX-License-Identifier: Apache-2.0 */
/* Steps through code without an unwind table, in memory made by hand: a program at 0x400000 that calls the
   runtime at 0x7f0000 by each kind of call, and a stack at 0x1000. */
#include "inspect/frames/frame_pointer.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <vector>

namespace
{

constexpr uint64_t kRuntime = 0x7f0000, kEnd = 0x7f8000, kFunction = kRuntime + 0x200;
constexpr uint64_t kStack = 0x1000, kEntry = 0x400800, kSlot = 0x404000;

class FramePointer : public testing::Test
{
  public:
    std::map<uint64_t, uint8_t> memory;

    void bytes(uint64_t at, const std::vector<uint8_t> &list)
    {
        for (size_t i = 0; i < list.size(); i++)
            memory[at + i] = list[i];
    }
    void word(uint64_t at, uint64_t value)
    {
        for (int i = 0; i < 8; i++)
            memory[at + i] = uint8_t(value >> 8 * i);
    }
    void offset(uint64_t at, uint64_t target)
    {
        for (int i = 0; i < 4; i++)
            memory[at + i] = uint8_t((target - (at + 4)) >> 8 * i);
    }
    /** A call before BACK, with NOPs where another instruction may begin. */
    void call(uint64_t back, uint64_t target)
    {
        bytes(back - 6, {0x90, 0xe8});
        offset(back - 4, target);
    }
    void call_by_table(uint64_t back, uint64_t slot)
    {
        bytes(back - 6, {0xff, 0x15});
        offset(back - 4, slot);
    }
    void entry_of_table(uint64_t at, uint64_t slot)
    {
        bytes(at, std::vector<uint8_t>(16, 0x90));
        bytes(at, {0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25});
        offset(at + 7, slot);
    }
    static int read(void *ctx, uint64_t addr, void *buf, uint64_t size)
    {
        auto *self = static_cast<FramePointer *>(ctx);
        for (uint64_t i = 0; i < size; i++) {
            auto at = self->memory.find(addr + i);
            if (at == self->memory.end())
                return -1;
            static_cast<uint8_t *>(buf)[i] = at->second;
        }
        return 0;
    }
    /** The caller's pc, and its sp and frame pointer; zeros: it cannot be told. */
    std::vector<uint64_t> step(uint64_t pc, uint64_t sp, uint64_t fp, bool newest = true, bool x86 = true)
    {
        frame_step at = {pc, sp, fp};
        const bool found = frame_pointer_step(read, this, kRuntime, kEnd, newest, x86, &at);
        EXPECT_TRUE(found || (at.pc == pc && at.sp == sp && at.fp == fp));
        return found ? std::vector<uint64_t>{at.pc, at.sp, at.fp} : std::vector<uint64_t>{0, 0, 0};
    }
    /** A caller at the top of the stack, another behind a pushed register, a third by the frame pointer. */
    void SetUp() override
    {
        word(kStack, 0x400100);
        word(kStack + 8, 0x400200);
        word(kStack + 0x100, 0x1200);
        word(kStack + 0x108, 0x400300);
    }
    using Caller = std::vector<uint64_t>;
    const Caller by_pointer = {0x400300, 0x1110, 0x1200}, at_top = {0x400100, 0x1008, 0x1100};
};

TEST_F(FramePointer, FollowsThePointerWhereNothingIsKnownOfTheCode)
{
    EXPECT_EQ(step(kFunction, kStack, 0x1100), by_pointer);
    EXPECT_EQ(step(kFunction, kStack, 0x1100, true, false), by_pointer);
    EXPECT_EQ(step(kFunction, 0x1100, 0x1100), by_pointer);
}

TEST_F(FramePointer, KnowsWhereAFunctionBeginsAndEnds)
{
    const std::vector<std::vector<uint8_t>> before = {
        {0x55, 0x48, 0x89, 0xe5}, {0xf3, 0x0f, 0x1e, 0xfa}, {0xc3, 0x90, 0x90, 0x90}};
    for (const auto &code : before) {
        bytes(kFunction, code);
        EXPECT_EQ(step(kFunction, kStack, 0x1100), at_top);
        EXPECT_EQ(step(kFunction, kStack, 0x1100, false), by_pointer) << "a call returns there";
    }
    bytes(kFunction, {0x48, 0x89, 0xe5, 0x90});
    EXPECT_EQ(step(kFunction, kStack, 0x1100), (Caller{0x400200, 0x1010, 0x400100}));
}

TEST_F(FramePointer, BelievesACallToTheFunction)
{
    call(0x400100, kFunction - 0x20);
    EXPECT_EQ(step(kFunction, kStack, 0x1100), at_top);
    EXPECT_EQ(step(kFunction, kStack, 0x1100, false), by_pointer);
    call_by_table(0x400100, kSlot);
    EXPECT_EQ(step(kFunction, kStack, 0x1100), by_pointer) << "its table cannot be read";
    word(kSlot, kFunction);
    EXPECT_EQ(step(kFunction, kStack, 0x1100), at_top);
    memory.erase(0x4000fa);
    EXPECT_EQ(step(kFunction, kStack, 0x1100), by_pointer);
    call(0x400100, kEntry);
    entry_of_table(kEntry, kSlot);
    EXPECT_EQ(step(kFunction, kStack, 0x1100), at_top);
}

TEST_F(FramePointer, AndNoOtherCall)
{
    for (uint64_t target : {kFunction + 1, kFunction - 0x1000, kRuntime - 8, uint64_t{0x400500}}) {
        call(0x400100, target);
        EXPECT_EQ(step(kFunction, kStack, 0x1100), by_pointer) << std::hex << target;
    }
    // A word that an earlier call has left on the stack, and the frame pointer's own return address.
    call(0x400100, kFunction - 0x20);
    call(0x400300, kFunction - 0x20);
    EXPECT_EQ(step(kFunction, kStack, 0x1100), by_pointer);
}

TEST_F(FramePointer, KnowsAPushedPointer)
{
    word(kStack, 0x1100);
    EXPECT_EQ(step(kFunction, kStack, 0x1100), by_pointer);
    call(0x400200, kFunction - 5);
    EXPECT_EQ(step(kFunction, kStack, 0x1100), (Caller{0x400200, 0x1010, 0x1100}));
    word(kStack, 0x1180);
    EXPECT_EQ(step(kFunction, kStack, 0x1100), by_pointer);
}

TEST_F(FramePointer, RefusesWhatCannotBeAFramePointer)
{
    for (uint64_t fp : {uint64_t{0}, kStack - 8, kStack + 0x101, kStack + (1 << 30), ~uint64_t{7}})
        EXPECT_EQ(step(kFunction, kStack, fp), (Caller{0, 0, 0})) << std::hex << fp;
    word(kStack + 0x108, 0);
    EXPECT_EQ(step(kFunction, kStack, 0x1100), (Caller{0, 0, 0}));
    memory.erase(kStack + 0x108);
    EXPECT_EQ(step(kFunction, kStack, 0x1100), (Caller{0, 0, 0}));
    bytes(kFunction, {0x55, 0x48, 0x89, 0xe5});
    EXPECT_EQ(step(kFunction, kStack + 1, 0x1100), (Caller{0, 0, 0}));
}

} // namespace
