// SPDX-License-Identifier: Apache-2.0
// Whether a thread at a place in a function holds a mutex: functions written by hand, whose ways a reader
// sees.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "inspect/owner/flow.h"
#include "machine/x86_64/x86.h"

// Each label is a place that is asked about. take, give, test and other are never run.
asm(R"(
        .text
flow_take: ret
flow_give: ret
flow_test: ret
flow_other: ret

        # entered on one way only; a loop and a branch inside
flow_plain:
        push %rbx
        lea flow_mutex(%rip), %rdi
plain_before:
        call flow_take
plain_taking:
        mov $5, %ebx
plain_loop:
        call flow_other
plain_called:
        test %eax, %eax
        je plain_skip
        call flow_other
plain_skip:
        dec %ebx
        jne plain_loop
        lea flow_mutex(%rip), %rdi
        call flow_give
plain_giving:
        pop %rbx
plain_after:
        ret
flow_plain_end:

        # the address in a register that calls keep, on the way that takes it only
flow_some:
        push %rbx
        lea flow_mutex(%rip), %rbx
        test %edi, %edi
        je some_join
        mov %rbx, %rdi
        call flow_take
some_inside:
        nop
some_join:
        call flow_other
some_joined:
        pop %rbx
        ret
flow_some_end:

        # another mutex, and one that nobody knows
flow_others:
        lea flow_mutex2(%rip), %rdi
        call flow_take
others_second:
        nop
        mov (%rsi), %rdi
        call flow_take
others_unknown:
        nop
        lea flow_mutex(%rip), %rdi
        call flow_take
others_first:
        nop
        mov (%rsi), %rdi
        call flow_give
others_blind:
        ret
flow_others_end:

        # a jump by register, as switch has it
flow_switch:
        lea flow_mutex(%rip), %rdi
        call flow_take
switch_inside:
        nop
        jmp *%rax
switch_case:
        lea flow_mutex(%rip), %rdi
        call flow_give
switch_after:
        nop
        ret
        # only the jump leads here
switch_other:
        nop
switch_other2:
        ret
flow_switch_end:

        # the unlikely code gives it back and returns into the middle
flow_hot:
        lea flow_mutex(%rip), %rdi
        call flow_take
        test %eax, %eax
        jne flow_cold
hot_inside:
        nop
hot_back:
        nop
        ret
flow_hot_end:
flow_cold:
        lea flow_mutex(%rip), %rdi
        call flow_give
cold_after:
        jmp hot_back
flow_cold_end:

        # its result says whether it has it; the end is a jump to another function
flow_try:
        lea flow_mutex(%rip), %rdi
        call flow_test
try_result:
        nop
        jmp flow_plain
flow_try_end:

        # the callee may change the register, so it is not known any more
flow_clobbered:
        lea flow_mutex(%rip), %rsi
        call flow_other
        mov %rsi, %rdi
        call flow_take
clobbered_after:
        nop
        ret
flow_clobbered_end:

        # taken on two ways, by another call on each
flow_twice:
        lea flow_mutex(%rip), %rdi
        test %esi, %esi
        je twice_else
        call flow_take
        jmp twice_inside
twice_else:
        call flow_take
twice_inside:
        nop
        ret
flow_twice_end:

        .data
flow_mutex: .quad 0
flow_mutex2: .quad 0
        .text
)");

#define PLACE(name) extern "C" const char name[]
PLACE(flow_take);
PLACE(flow_give);
PLACE(flow_test);
PLACE(flow_mutex);
PLACE(flow_plain);
PLACE(plain_before);
PLACE(plain_taking);
PLACE(plain_called);
PLACE(plain_skip);
PLACE(plain_giving);
PLACE(plain_after);
PLACE(flow_plain_end);
PLACE(flow_some);
PLACE(some_inside);
PLACE(some_join);
PLACE(some_joined);
PLACE(flow_some_end);
PLACE(flow_others);
PLACE(others_second);
PLACE(others_unknown);
PLACE(others_first);
PLACE(others_blind);
PLACE(flow_others_end);
PLACE(flow_switch);
PLACE(switch_inside);
PLACE(switch_case);
PLACE(switch_after);
PLACE(switch_other2);
PLACE(flow_switch_end);
PLACE(flow_hot);
PLACE(hot_inside);
PLACE(hot_back);
PLACE(flow_hot_end);
PLACE(flow_cold);
PLACE(cold_after);
PLACE(flow_cold_end);
PLACE(flow_try);
PLACE(try_result);
PLACE(flow_try_end);
PLACE(flow_clobbered);
PLACE(clobbered_after);
PLACE(flow_clobbered_end);
PLACE(flow_twice);
PLACE(twice_inside);
PLACE(flow_twice_end);

namespace
{

uint64_t At(const char *place)
{
    return reinterpret_cast<uint64_t>(place);
}

struct Function {
    const char *start, *end;
    bool entry;
};

const std::vector<Function> &Functions()
{
    static const std::vector<Function> all = {
        {flow_plain, flow_plain_end, true},   {flow_some, flow_some_end, true},
        {flow_others, flow_others_end, true}, {flow_switch, flow_switch_end, true},
        {flow_hot, flow_hot_end, true},       {flow_cold, flow_cold_end, false},
        {flow_try, flow_try_end, true},       {flow_clobbered, flow_clobbered_end, true},
        {flow_twice, flow_twice_end, true},
    };
    return all;
}

bool Read(void *arg, uint64_t addr, void *buf, size_t size)
{
    if (arg && !--*static_cast<int *>(arg))
        return false;
    memcpy(buf, reinterpret_cast<const void *>(addr), size);
    return true;
}

bool Part(void *, uint64_t addr, uint64_t *start, uint64_t *end, bool *entry)
{
    for (const Function &f : Functions())
        if (addr >= At(f.start) && addr < At(f.end)) {
            *start = At(f.start);
            *end = At(f.end);
            *entry = f.entry;
            return true;
        }
    return false;
}

flow_call Call(void *, uint64_t target)
{
    flow_effect effect = target == At(flow_take)   ? FLOW_TAKES
                         : target == At(flow_give) ? FLOW_GIVES
                         : target == At(flow_test) ? FLOW_MAY_TAKE
                                                   : FLOW_NOTHING;

    return {effect, X86_RDI};
}

flow_answer Ask(const char *entry, const char *pc, bool exact, int *reads = nullptr)
{
    const flow_code code = {reads, Read, Part, Call};
    const flow_question question = {At(entry), At(pc), exact, At(flow_mutex), nullptr};

    return flow_ask(&code, &question);
}

// Where the call returns to that has taken it.
uint64_t Taken(const char *entry, const char *pc)
{
    const flow_code code = {nullptr, Read, Part, Call};
    uint64_t taken = 1;
    const flow_question question = {At(entry), At(pc), true, At(flow_mutex), &taken};

    EXPECT_EQ(flow_ask(&code, &question), FLOW_INSIDE);
    return taken;
}

flow_answer Stands(const char *entry, const char *pc)
{
    return Ask(entry, pc, true);
}

flow_answer Calls(const char *entry, const char *pc)
{
    return Ask(entry, pc, false);
}

TEST(Flow, OnAllWays)
{
    EXPECT_EQ(Stands(flow_plain, flow_plain), FLOW_OUTSIDE);
    EXPECT_EQ(Stands(flow_plain, plain_before), FLOW_OUTSIDE);
    EXPECT_EQ(Calls(flow_plain, plain_taking), FLOW_OUTSIDE); // it waits, or has just got it
    EXPECT_EQ(Stands(flow_plain, plain_taking), FLOW_INSIDE);
    EXPECT_EQ(Calls(flow_plain, plain_called), FLOW_INSIDE);
    EXPECT_EQ(Stands(flow_plain, plain_skip), FLOW_INSIDE);
    EXPECT_EQ(Calls(flow_plain, plain_giving), FLOW_OUTSIDE); // it may be free already
    EXPECT_EQ(Stands(flow_plain, plain_after), FLOW_OUTSIDE);
}

TEST(Flow, WhereItWasTaken)
{
    EXPECT_EQ(Taken(flow_plain, plain_skip), At(plain_taking));
    EXPECT_EQ(Taken(flow_some, some_inside), At(some_inside));
    EXPECT_EQ(Taken(flow_others, others_first), At(others_first));
    EXPECT_EQ(Taken(flow_twice, twice_inside), 0U); // on one of two ways
}

TEST(Flow, OnSomeWays)
{
    EXPECT_EQ(Stands(flow_some, some_inside), FLOW_INSIDE);
    EXPECT_EQ(Stands(flow_some, some_join), FLOW_PERHAPS);
    EXPECT_EQ(Calls(flow_some, some_joined), FLOW_PERHAPS);
    EXPECT_EQ(Stands(flow_try, try_result), FLOW_PERHAPS);
}

TEST(Flow, WhichMutex)
{
    EXPECT_EQ(Stands(flow_others, others_second), FLOW_UNKNOWN); // of the whole function
    EXPECT_EQ(Stands(flow_others, others_unknown), FLOW_UNKNOWN);
    EXPECT_EQ(Stands(flow_others, others_first), FLOW_INSIDE);
    EXPECT_EQ(Stands(flow_others, others_blind), FLOW_UNKNOWN);
    EXPECT_EQ(Stands(flow_clobbered, clobbered_after), FLOW_UNKNOWN);
}

TEST(Flow, JumpsThatNobodyKnows)
{
    EXPECT_EQ(Stands(flow_switch, flow_switch), FLOW_PERHAPS);
    EXPECT_EQ(Stands(flow_switch, switch_inside), FLOW_INSIDE);
    EXPECT_EQ(Stands(flow_switch, switch_case), FLOW_INSIDE);
    EXPECT_EQ(Stands(flow_switch, switch_after), FLOW_OUTSIDE);
    EXPECT_EQ(Stands(flow_switch, switch_other2), FLOW_INSIDE);
}

TEST(Flow, PartsOfAFunction)
{
    EXPECT_EQ(Stands(flow_hot, hot_inside), FLOW_INSIDE);
    EXPECT_EQ(Stands(flow_hot, hot_back), FLOW_PERHAPS);
    EXPECT_EQ(Stands(flow_hot, flow_cold), FLOW_INSIDE);
    EXPECT_EQ(Stands(flow_hot, cold_after), FLOW_OUTSIDE);
    // Another function is not a part.
    EXPECT_EQ(Stands(flow_try, plain_skip), FLOW_UNKNOWN);
}

TEST(Flow, WhatCannotBeRead)
{
    int reads = 1;

    EXPECT_EQ(Ask(flow_plain, plain_skip, true, &reads), FLOW_UNKNOWN);
    reads = 2;
    EXPECT_EQ(Ask(flow_hot, hot_inside, true, &reads), FLOW_UNKNOWN); // its other part
    EXPECT_EQ(Ask("", plain_skip, true), FLOW_UNKNOWN);
    EXPECT_EQ(Ask(flow_plain, plain_skip + 1, true), FLOW_UNKNOWN); // within an instruction
}

} // namespace
