// SPDX-License-Identifier: Apache-2.0
// Which workers a team has, which are in the pool, and which count as busy, from inside the runtime. What the
// numbers should be follows from the sizes of the regions alone.
#include <gtest/gtest.h>

#include <thread>

extern "C" {
#include "runtime/tests/dock_cases.h"
void omp_set_max_active_levels(int levels);
int omp_pause_resource_all(int kind);
}

namespace
{
// Each test has a thread of the program of its own; what the one before kept is in the pool.
template <class F> void alone(F test)
{
    std::thread([&] {
        omp_set_max_active_levels(3);
        omp_pause_resource_all(1);
        test();
    }).join();
}

TEST(Dock, TeamIsAsWideAsItsLastRegion)
{
    alone([] {
        dock_region(6);
        EXPECT_EQ(dock_threads(), 6);
        EXPECT_EQ(dock_pooled(), 0);
        dock_region(2);
        EXPECT_EQ(dock_threads(), 2);
        EXPECT_EQ(dock_pooled(), 4);
        EXPECT_TRUE(dock_agrees());
        dock_region(5);
        EXPECT_EQ(dock_threads(), 5);
        EXPECT_EQ(dock_pooled(), 1);
        EXPECT_TRUE(dock_agrees());
        dock_region(1);
        EXPECT_EQ(dock_threads(), 5);
    });
}

TEST(Dock, WhoIsInThePoolIsNotBusy)
{
    alone([] {
        const int others = dock_busy() - 1;
        EXPECT_EQ(dock_busy_in(6), others + 6);
        EXPECT_EQ(dock_busy_in(2), others + 2);
        EXPECT_EQ(dock_busy_in(7), others + 7);
    });
}

TEST(Dock, NestedTeamsAreBusyOnlyInTheirRegions)
{
    alone([] {
        dock_region(2);
        const int busy = dock_busy();
        dock_nested(2, 4);
        EXPECT_EQ(dock_busy(), busy);
        dock_nested(2, 3);
        EXPECT_EQ(dock_busy(), busy);
    });
}

TEST(Dock, WiderRegionTakesWorkersOfNestedTeams)
{
    alone([] {
        dock_region(2);
        dock_nested(2, 4); // 2 to 8 threads: the two inner regions need not be at the same time
        dock_region(8);
        EXPECT_EQ(dock_threads(), 8);
        EXPECT_EQ(dock_pooled(), 0);
        EXPECT_TRUE(dock_agrees());
    });
}

TEST(Dock, NestedRegionTakesWorkersOfTheTeamAround)
{
    alone([] {
        dock_region(8);
        dock_nested(1, 8);
        EXPECT_EQ(dock_threads(), 1);
        EXPECT_EQ(dock_pooled(), 0);
        dock_region(8);
        EXPECT_EQ(dock_threads(), 8);
        EXPECT_TRUE(dock_agrees());
    });
}

TEST(Dock, AlternatingWidthsAgree)
{
    alone([] {
        for (int i = 0; i < 2000; i++) {
            const int n = 2 + i * 7 % 6;
            dock_region(n);
            ASSERT_EQ(dock_threads(), n);
            ASSERT_TRUE(dock_agrees()) << i;
            if (i % 5 == 0)
                dock_nested(1 + i % 3, n);
        }
    });
}
} // namespace
