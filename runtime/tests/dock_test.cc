// SPDX-License-Identifier: Apache-2.0
// Which workers a team has, which are in the pool, and which count as busy, from inside the runtime. What the
// numbers should be follows from the sizes of the regions alone.
#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <thread>
#include <vector>

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
        const int others = dock_busy();
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
// In a process of its own, whose only thread has called no routine yet.
template <class F> void in_child(F test)
{
    fflush(stdout);
    const pid_t pid = fork();
    if (pid == 0) {
        omp_set_max_active_levels(3);
        test();
        fflush(stdout);
        _exit(testing::Test::HasFailure());
    }
    int status = -1;
    waitpid(pid, &status, 0);
    EXPECT_EQ(status, 0);
}

// Threads of the program: they come, do something in OpenMP, and are idle until the end.
class Others
{
  public:
    template <class F> Others(int count, F what)
    {
        for (int i = 0; i < count; i++)
            threads_.emplace_back([this, what] {
                what();
                there_++;
                while (!over_)
                    usleep(1000);
            });
        while (there_ < count)
            usleep(1000);
    }
    ~Others()
    {
        over_ = true;
        for (std::thread &thread : threads_)
            thread.join();
    }

  private:
    std::atomic<int> there_{0};
    std::atomic<bool> over_{false};
    std::vector<std::thread> threads_;
};

TEST(Busy, ThreadsInNoRegionAreNot)
{
    in_child([] {
        Others others(4, dock_register);
        EXPECT_EQ(dock_busy(), 0);
        EXPECT_EQ(dock_busy_in(2), 2);
        EXPECT_EQ(dock_busy(), 0);
        EXPECT_EQ(dock_busy_in(5), 5);
        EXPECT_EQ(dock_busy(), 0);
    });
}

TEST(Busy, ThreadsWhoseRegionIsOverAreNot)
{
    in_child([] {
        Others others(4, [] { dock_region(3); });
        EXPECT_EQ(dock_busy(), 0);
        EXPECT_EQ(dock_busy_in(2), 2);
        EXPECT_EQ(dock_busy(), 0);
    });
}

TEST(Busy, TeamOfTheFirstThreadIsNotOnceThereAreOthers)
{
    in_child([] {
        EXPECT_EQ(dock_busy_in(4), 4);
        EXPECT_EQ(dock_busy_in(3), 3); // nobody else: it stays counted, and is not counted again
        EXPECT_EQ(dock_busy_in(4), 4);
        int in_other = -1;
        Others others(1, [&] { in_other = dock_busy_in(2); });
        EXPECT_EQ(in_other, 2);
        EXPECT_EQ(dock_busy(), 0);
        EXPECT_EQ(dock_busy_in(4), 4);
        EXPECT_EQ(dock_busy(), 0);
    });
}

TEST(Busy, RegionStaysCountedWhenAnotherThreadComes)
{
    in_child([] {
        for (int i = 0; i < 2; i++) {
            int in_other = -1, behind = -1;
            auto come = [&] {
                Others others(1, [&] { in_other = dock_busy_in(2); });
                behind = dock_busy();
            };
            dock_inside(
                3, [](void *f) { (*static_cast<decltype(come) *>(f))(); }, &come);
            EXPECT_EQ(in_other, 5);
            EXPECT_EQ(behind, 3);
            EXPECT_EQ(dock_busy(), 0);
        }
    });
}

TEST(Busy, RegionsOfOneThreadAndRegionsInside)
{
    in_child([] {
        Others others(1, dock_register);
        EXPECT_EQ(dock_busy_in(1), 0);
        EXPECT_EQ(dock_busy_nested(1, 3), 3); // who leads it is counted with it
        EXPECT_EQ(dock_busy(), 0);
        EXPECT_EQ(dock_busy_nested(2, 3), 6);
        EXPECT_EQ(dock_busy(), 0);
        EXPECT_EQ(dock_busy_nested(3, 1), 3);
        EXPECT_EQ(dock_busy(), 0);
    });
}

TEST(Busy, ThreadThatEndsTakesItsTeamAlong)
{
    in_child([] {
        for (int i = 0; i < 3; i++) {
            std::thread([] { EXPECT_EQ(dock_busy_in(4), 4); }).join();
            EXPECT_EQ(dock_busy(), 0);
        }
    });
}

TEST(Busy, ChildOfForkBeginsAnew)
{
    in_child([] {
        Others others(2, [] { dock_region(2); });
        EXPECT_EQ(dock_busy_in(3), 3);
        auto again = [] {
            in_child([] {
                EXPECT_EQ(dock_busy(), 0);
                EXPECT_EQ(dock_busy_in(4), 4);
                EXPECT_EQ(dock_busy_in(2), 2);
            });
        };
        again();
        dock_inside(
            1, [](void *f) { (*static_cast<decltype(again) *>(f))(); }, &again);
    });
}

// A server: more threads that answer than there are processors, and most of them sleep.
TEST(Busy, WaiterKeepsItsProcessorWhenOthersAreIdle)
{
    in_child([] {
        EXPECT_EQ(dock_slices(), 0);
        Others others(4, dock_register);
        EXPECT_EQ(dock_slices(), 0);
        EXPECT_EQ(dock_slices(), 0);
    });
    in_child([] {
        Others others(4, [] { dock_region(2); });
        EXPECT_EQ(dock_slices(), 0);
    });
}

TEST(Busy, WaiterGivesItAwayWhenOthersAreNot)
{
    in_child([] {
        int slices = -1;
        auto look = [&] { Others others(1, [&] { slices = dock_slices(); }); };
        dock_inside(
            2, [](void *f) { (*static_cast<decltype(look) *>(f))(); }, &look);
        EXPECT_GT(slices, 0);
    });
}

// It would be in the way of another thread's region, which needs all processors.
TEST(Busy, WorkerBetweenTwoRegionsCountsItself)
{
    in_child([] {
        std::atomic<bool> begun{false}, looked{false};
        auto wait = [&] {
            begun = true;
            while (!looked)
                usleep(1000);
        };
        Others others(1, dock_register);
        dock_region(2);
        EXPECT_EQ(dock_slices_between(), 0);
        std::thread other([&] {
            dock_inside(
                2, [](void *f) { (*static_cast<decltype(wait) *>(f))(); }, &wait);
        });
        while (!begun)
            usleep(1000);
        EXPECT_GT(dock_slices_between(), 0);
        looked = true;
        other.join();
    });
}

// How many of them are after the same lock is not known.
TEST(Busy, WaiterInNoRegionTakesAllThreadsForBusy)
{
    in_child([] {
        Others others(4, dock_register);
        EXPECT_GT(dock_slices_outside(), 0);
    });
    in_child([] {
        dock_register();
        EXPECT_EQ(dock_slices_outside(), 0);
    });
}
} // namespace
