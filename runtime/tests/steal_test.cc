// SPDX-License-Identifier: Apache-2.0
// What a thief learns, by a made-up clock, and which tasks their creator runs at once, by counts.
#include <gtest/gtest.h>

extern "C" {
#include "runtime/core/steal.h"
#include "runtime/tests/steal_cases.h"
}

namespace
{
const uint32_t FULL = 256; // rt_root.queue_enough without a setting; docs/man/libompcompanion.7

// A program on two processors as a thief sees it: it looks every 300 ticks, and finds tasks whose code takes
// `length` ticks; what it does besides costs it 400 for each and 1000 for the visit.
struct Thief {
    rt_steal steal = {};
    uint64_t now = 1000000;
    int visits = 0;
    uint64_t tasks = 0;

    bool visit(uint64_t length)
    {
        const uint32_t most = RT_STEAL_MOST;
        if (rt_steal_pauses(&steal, now))
            return false;
        visits++;
        tasks += most;
        rt_steal_brought(&steal, now, most);
        now += 1000;
        for (uint32_t i = 0; i < most; i++) {
            now += length + 400;
            rt_steal_ran(&steal, length, now);
        }
        return true;
    }

    void look(uint64_t length, uint64_t ticks)
    {
        for (uint64_t end = now + ticks; now < end;)
            if (!visit(length))
                now += 300;
    }
};

TEST(Steal, LongTasksAreTakenAllTheTime)
{
    Thief thief;
    thief.look(10000, 100000000);
    // 10000 of each 10400 ticks are tasks, and of each visit's 16 tasks 1000 ticks are the visit.
    EXPECT_GT(thief.tasks * 10000, 100000000u / 100 * 95);
    EXPECT_FALSE(rt_steal_pauses(&thief.steal, thief.now));
}

TEST(Steal, ShortTasksAreLeftAlone)
{
    Thief thief;
    const uint64_t ticks = 100 * RT_STEAL_PAUSE_MOST;
    thief.look(100, ticks);
    // One visit finds out, the pauses double from the first to the longest, and then there is one in each.
    int doublings = 0;
    for (uint64_t pause = RT_STEAL_PAUSE_FIRST; pause < RT_STEAL_PAUSE_MOST; pause *= 2)
        doublings++;
    EXPECT_LE(thief.visits, 1 + doublings + 100);
    EXPECT_GE(thief.visits, 90); // it goes on asking
}

TEST(Steal, ChangeIsNoticed)
{
    Thief thief;
    for (int i = 0; i < 10; i++) {
        thief.look(100, 30000000);
        EXPECT_NE(thief.steal.pause, 0u);
        // The longest pause at most, the tasks of one probe, and then all the time again.
        thief.look(300000, RT_STEAL_PAUSE_MOST + RT_STEAL_MOST * 301000);
        EXPECT_EQ(thief.steal.pause, 0u);
        uint64_t before = thief.tasks;
        thief.look(300000, 30000000);
        EXPECT_GE(thief.tasks - before, 30000000u / 301000 * 9 / 10);
    }
}

TEST(Steal, PauseOutlivesNoClockThatWraps)
{
    Thief thief;
    thief.now = UINT64_MAX - RT_STEAL_PAUSE_MOST; // a few pauses before it starts again
    for (int i = 0; i < 40; i++) {
        uint64_t before = thief.now;
        int looks = 0;
        while (!thief.visit(100)) {
            thief.now += 300;
            looks++;
        }
        EXPECT_LE((uint64_t)looks * 300, RT_STEAL_PAUSE_MOST + 300) << before;
    }
}

// A virtual machine that was moved: the other host's counter began later, or earlier.
TEST(Steal, PauseIsNoLongerOnAHostWithAnotherCounter)
{
    for (uint64_t moved : {(uint64_t)0 - 1000000000, (uint64_t)1000000000}) {
        Thief thief;
        thief.now = 5000000000;
        thief.look(100, 100 * RT_STEAL_PAUSE_MOST);
        while (!rt_steal_pauses(&thief.steal, thief.now))
            thief.visit(100);
        thief.now += moved;
        int looks = 0;
        for (; looks < 10000 && !thief.visit(100); looks++)
            thief.now += 300;
        EXPECT_LE((uint64_t)looks * 300, RT_STEAL_PAUSE_MOST + 300) << (int64_t)moved;
    }
}

// A thread that never came again would leave one of the two alone for ever.
TEST(Steal, ThiefThatStayedAwayComesAgain)
{
    for (int i = 0; i < 20; i++)
        EXPECT_EQ(steal_meeting(20000), 20000);
}

// Any of them may want what the creator does next, and another thread would run it.
TEST(Steal, CreatorOfTasksThatWaitRunsNone)
{
    EXPECT_EQ(steal_waiting(20000), 0);
}

class Direct : public testing::TestWithParam<int>
{
};

TEST_P(Direct, CreatorRunsWhatAFullQueueHasNoRoomFor)
{
    for (uint32_t enough : {0u, 16u, 0u}) {
        steal_run run = {};
        run.tasks = 1000;
        run.by_clang = GetParam();
        run.enough = enough;
        steal_flat(&run);
        EXPECT_EQ(run.ran_at_once, 1000 - (int)(enough == 0 ? FULL : enough));
        EXPECT_EQ(run.ran, 1000);
    }
}

// Each in the frames of the one that created it: 100 bytes each would be 20 MB, more than a stack has.
TEST_P(Direct, ChainKeepsOffTheEndOfTheStack)
{
    int ran = 0;
    long bytes = steal_chain(200000, GetParam(), &ran);
    EXPECT_EQ(ran, 200000);
    EXPECT_LT(bytes, 256 * 1024);
}

INSTANTIATE_TEST_SUITE_P(Compilers, Direct, testing::Values(0, 1),
                         [](const testing::TestParamInfo<int> &param) {
                             return param.param ? "clang" : "gcc";
                         });
} // namespace
