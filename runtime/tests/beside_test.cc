// SPDX-License-Identifier: Apache-2.0
// Workers begin off their creator's processor, and nobody sees how: which calls that takes, and which masks
// they have, follows from where the two are and what the creator's mask is.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

extern "C" {
#include "runtime/tests/beside_cases.h"
}

namespace
{
// A process of its own, so that all workers are new; its status is its failures.
template <class F> void in_child(F test)
{
    fflush(stdout);
    const pid_t pid = fork();
    if (pid == 0) {
        test();
        fflush(stdout);
        _exit(testing::Test::HasFailure());
    }
    int status = -1;
    waitpid(pid, &status, 0);
    EXPECT_EQ(status, 0);
}

beside machine(int processors, int creator, int worker)
{
    beside made = {};
    made.processors = processors;
    made.mask = ~(uint64_t)0 >> (64 - processors);
    made.creator = creator;
    made.worker = worker;
    return made;
}

void expect(beside made, int threads, int asked, int bound)
{
    in_child([&] {
        beside_region(&made, threads);
        EXPECT_EQ(made.members, threads);
        EXPECT_EQ(made.asked, asked);
        EXPECT_EQ(made.bound, bound);
        EXPECT_EQ(made.wrong, 0);
        if (bound > 0) {
            EXPECT_EQ(made.narrow, made.mask & ~((uint64_t)1 << made.creator));
        }
    });
}

TEST(Beside, WorkerOnItsCreatorsProcessorLeavesIt)
{
    expect(machine(2, 1, 1), 2, 1, 2);
    expect(machine(64, 63, 63), 2, 1, 2);
    expect(machine(8, 3, 3), 8, 7, 14); // three calls each
}

TEST(Beside, WorkerElsewhereAsksNothing)
{
    expect(machine(2, 1, 0), 2, 0, 0);
    expect(machine(8, 3, 4), 8, 0, 0);
}

TEST(Beside, OnlyWhereEachMayHaveAProcessor)
{
    expect(machine(1, 0, 0), 2, 0, 0);
    expect(machine(2, 0, 0), 3, 0, 0);
    expect(machine(8, 0, 0), 9, 0, 0);
}

TEST(Beside, MaskOfTheProgramIsNeverWider)
{
    beside made = machine(8, 2, 2);
    made.mask = 0x0c; // the program has narrowed it since
    expect(made, 2, 1, 2);
    made.mask = 0x04; // to its one processor: there is no other
    expect(made, 2, 1, 0);
}

TEST(Beside, BoundTeamsAreAtTheirPlaces)
{
    beside made = machine(8, 2, 2);
    made.binding = 1;
    expect(made, 4, 0, 0);
}

TEST(Beside, SystemThatSaysNothingAndOneThatRefuses)
{
    expect(machine(8, -1, -1), 4, 0, 0);
    beside made = machine(2, 1, 1);
    made.refused = 1; // a cpuset that has changed
    expect(made, 2, 1, 1);
}

TEST(Beside, TeamThatGrowsUsesWhatIsLeft)
{
    in_child([] {
        beside made = machine(4, 1, 1);
        beside_region(&made, 2);
        EXPECT_EQ(made.bound, 2);
        beside_region(&made, 4); // two more
        EXPECT_EQ(made.bound, 4);
        beside_region(&made, 5); // one too many
        EXPECT_EQ(made.bound, 0);
    });
}

// Nothing is made up here.
TEST(Beside, MembersHaveTheMaskOfTheirPrimary)
{
    cpu_set_t whole;
    ASSERT_EQ(sched_getaffinity(0, sizeof whole, &whole), 0);
    in_child([] { EXPECT_EQ(beside_others(2), 0); });
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &whole))
            in_child([cpu] {
                cpu_set_t one;
                CPU_ZERO(&one);
                CPU_SET(cpu, &one);
                EXPECT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
                EXPECT_EQ(beside_others(2), 0);
                EXPECT_EQ(beside_others(4), 0);
            });
}
} // namespace
