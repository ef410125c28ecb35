// SPDX-License-Identifier: Apache-2.0
// How long a thread that waits keeps its processor.
#include <gtest/gtest.h>

extern "C" {
#include "runtime/tests/waiting_cases.h"
}

namespace
{
TEST(Waiting, KeepsItsProcessorIfAllWhoAreAheadMayRun)
{
    const int short_while = 10, long_while = 100; // looks, with a pause of 20 to 60 ns before each
    EXPECT_GE(waiting_looks(2, 4, 1), short_while);
    EXPECT_LE(waiting_looks(2, 4, 1), long_while);
    EXPECT_GE(waiting_looks(8, 9, 7), short_while);
}

TEST(Waiting, GivesItAwayAtOnceIfSomeoneNeedsIt)
{
    EXPECT_EQ(waiting_looks(2, 4, 2), 1);
    EXPECT_EQ(waiting_looks(2, 4, 100), 1);
    EXPECT_EQ(waiting_looks(1, 2, 1), 1);
    EXPECT_EQ(waiting_looks(2, 3, 0), 1); // nobody knows how many
}

TEST(Waiting, KeepsItWhereThereAreEnough)
{
    EXPECT_GT(waiting_looks(4, 4, 3), 100);
    EXPECT_GT(waiting_looks(4, 4, 0), 100);
}

TEST(Waiting, BarrierSaysHowManyAreMissing)
{
    for (int threads : {2, 3, 4, 7}) {
        unsigned ahead[WAITING_MOST] = {};
        waiting_barrier(threads, ahead);
        for (int i = 0; i < threads - 1; i++)
            EXPECT_EQ(ahead[i], (unsigned)(threads - 1 - i)) << i << " of " << threads;
    }
}

TEST(Waiting, OrderedLoopSaysHowManyComeBefore)
{
    for (int threads : {2, 3, 5}) {
        unsigned ahead[WAITING_MOST] = {};
        waiting_ordered(threads, ahead);
        for (int i = 1; i < threads; i++)
            EXPECT_EQ(ahead[i], (unsigned)i) << threads;
    }
}

TEST(Waiting, MutexIsLookedAtMoreAndMoreRarely)
{
    unsigned pauses[WAITING_MOST] = {};
    waiting_mutex(pauses);
    for (unsigned i = 0; i < WAITING_MOST; i++)
        EXPECT_EQ(pauses[i], i < 3 ? i : 3);
}

TEST(Waiting, WhoWasCalledForWorkInVainNapsAndNobodyIsCalledMeanwhile)
{
    int called[3], left_to;
    EXPECT_EQ(waiting_nap(called, &left_to), 50000);
    EXPECT_GE(called[0], 1);
    EXPECT_EQ(called[1], 0); // by a hundred tasks that their creator ran, and seven more
    EXPECT_EQ(called[2], 1);
    EXPECT_EQ(left_to, 1); // behind the nap it looks
}

// A slice of 4 ms: 250 in a second.
TEST(Waiting, SlicesOfItsOwnTeamAreGivenAway)
{
    EXPECT_GE(waiting_slices(4000, 0), 249);
    EXPECT_GE(waiting_slices(4000, 20), 249); // the kernel's own threads
}

TEST(Waiting, SlicesOfAnotherProgramAreGivenAwayRarely)
{
    EXPECT_LE(waiting_slices(4000, 50), 1000 / 36 + 1); // and 8 times as long none
    EXPECT_LE(waiting_slices(4000, 100), 1000 / 36 + 1);
    EXPECT_GE(waiting_slices(4000, 100), 1000 / 36 - 1); // but it goes on asking
}

TEST(Waiting, ShortSlicesAreGivenAwayInAnyCase)
{
    EXPECT_GE(waiting_slices(100, 100), 9999);
}
} // namespace
