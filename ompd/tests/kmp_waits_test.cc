// SPDX-License-Identifier: Apache-2.0
// Who waits on libomp, and who has only not run since the wait was over: by the numbers that its loops test,
// in processes made by hand.
#include "ompd/tests/kmp_process.h"

#include <gtest/gtest.h>

namespace
{

using kmp::FORKJOIN;
using kmp::PLAIN;
using kmp::Process;
using kmp::REDUCTION;
using kmp::Row;

constexpr uint64_t LASTS = OMPDX_WAIT_LASTS, OVER = OMPDX_WAIT_OVER, ITSELF = OMPDX_WAIT_FOR_ITSELF;

void Waits(const Row &row, uint64_t flags = LASTS, int kind = ompdx_wait_barrier)
{
    EXPECT_EQ(row.info.wait_kind, kind) << row.number;
    EXPECT_EQ(row.info.wait_flags, flags) << row.number;
    EXPECT_GE(row.state, static_cast<ompd_word_t>(ompt_state_wait_barrier)) << row.number;
}

void GoesOn(const Row &row)
{
    EXPECT_EQ(row.info.wait_kind, ompdx_wait_none) << row.number;
    EXPECT_EQ(row.info.wait_flags, OVER) << row.number;
    EXPECT_EQ(row.state, ompt_state_overhead) << row.number;
}

// A team that has had COUNT / 4 barriers of each kind.
void Begin(Process *process, int members, uint64_t count = 40)
{
    process->Team(members);
    for (kmp::Barrier bar : {PLAIN, FORKJOIN, REDUCTION}) {
        process->OfTeam(bar, count);
        for (int i = 1; i < members; i++)
            process->Own(i, bar, count);
    }
}

TEST(Barrier, WhoHasCountedWaits)
{
    Process p;
    Begin(&p, 4);
    for (int i = 1; i < 4; i++)
        p.Calls(i, "__kmpc_barrier");
    p.Own(1, PLAIN, 44);
    p.Own(2, PLAIN, 44 | 1); // somebody sleeps until it comes
    auto rows = p.Rows();
    Waits(rows[1]);
    Waits(rows[2]);
    GoesOn(rows[3]);
    EXPECT_EQ(rows[0].state, ompt_state_work_parallel);
    EXPECT_EQ(p.Arrivals(), (std::vector<int>{1, 2}));
}

// The last barrier is complete, and two still stand there: the fleet's "skipped barrier".
TEST(Barrier, WhoHasBeenReleasedWaitsForNothing)
{
    Process p;
    Begin(&p, 4);
    p.Calls(1, "__kmpc_barrier");
    p.Calls(2, "__kmpc_barrier");
    p.Go(1, PLAIN, 4);
    p.Go(2, PLAIN, 4 | 1); // it slept
    p.Docked(3);
    p.Own(3, FORKJOIN, 44);
    auto rows = p.Rows();
    GoesOn(rows[1]);
    GoesOn(rows[2]);
    Waits(rows[3]);
    EXPECT_EQ(p.Arrivals(), std::vector<int>{3});
}

TEST(Barrier, PrimaryGathers)
{
    Process p;
    Begin(&p, 3);
    p.Calls(0, "__kmpc_barrier", {p.Arrived(2, PLAIN), 44});
    p.Calls(1, "__kmpc_barrier");
    p.Own(1, PLAIN, 44);
    Waits(p.Rows()[0]);
    EXPECT_EQ(p.Arrivals(), (std::vector<int>{0, 1}));
}

TEST(Barrier, PrimaryDoesNotWaitForWhoHasCome)
{
    Process p;
    Begin(&p, 3);
    p.Calls(0, "__kmpc_barrier", {p.Arrived(1, PLAIN), 44});
    p.Calls(1, "__kmpc_barrier");
    p.Own(1, PLAIN, 44 | 1);
    GoesOn(p.Rows()[0]);
}

// The flag of the last barrier is still on the stack; so is the address of its own number.
TEST(Barrier, FlagOfAnotherBarrier)
{
    Process p;
    Begin(&p, 3);
    p.Calls(0, "__kmpc_barrier", {p.Arrived(1, PLAIN), 40});
    p.Calls(1, "__kmpc_barrier", {p.Arrived(1, PLAIN), 44});
    p.Calls(2, "__kmpc_barrier", {p.Arrived(1, FORKJOIN), 44});
    auto rows = p.Rows();
    for (int i = 0; i < 3; i++)
        GoesOn(rows[i]);
    EXPECT_EQ(p.Arrivals(), std::vector<int>{});
}

// Older releases have the flag's sort between the address and the value.
TEST(Barrier, AMemberGathersOthers)
{
    Process p;
    Begin(&p, 6);
    p.Calls(4, "__kmpc_barrier", {p.Arrived(5, PLAIN), 1, 44});
    p.Inside(5);
    p.Works(5);
    Waits(p.Rows()[4]);
    EXPECT_EQ(p.Arrivals(), std::vector<int>{4});
    p.Own(5, PLAIN, 44);
    GoesOn(p.Rows()[4]);
}

// Before anything has been counted only a flag tells of these counters: others may be in use.
TEST(Barrier, TheFirstOne)
{
    Process p;
    Begin(&p, 3, 0);
    p.Calls(0, "__kmpc_barrier", {p.Arrived(1, PLAIN), 4});
    p.Calls(1, "__kmpc_barrier");
    auto rows = p.Rows();
    Waits(rows[0]);
    Waits(rows[1], 0);
}

TEST(Barrier, Dist)
{
    Process p;
    Begin(&p, 3, 0);
    for (int i = 0; i < 3; i++)
        p.Calls(i, "__kmpc_barrier");
    auto rows = p.Rows();
    for (int i = 0; i < 3; i++)
        Waits(rows[i], 0);
}

TEST(Barrier, CountersContradictEachOther)
{
    Process p;
    Begin(&p, 3);
    p.Calls(1, "__kmpc_barrier");
    p.Own(1, PLAIN, 12);
    Waits(p.Rows()[1], 0);
}

TEST(Barrier, Reduction)
{
    Process p;
    Begin(&p, 4);
    p.Calls(0, "__kmpc_reduce_nowait", {p.Arrived(3, REDUCTION), 44});
    p.Calls(1, "__kmpc_reduce_nowait");
    p.Own(1, REDUCTION, 44);
    p.Calls(2, "__kmpc_reduce_nowait");
    p.Go(2, REDUCTION, 4);
    auto rows = p.Rows();
    Waits(rows[0]);
    Waits(rows[1]);
    EXPECT_EQ(rows[0].info.wait_id, rows[1].info.wait_id);
    GoesOn(rows[2]);
}

// The primary thread has left the runtime to combine the values, and the others wait for it.
TEST(Barrier, SplitReduction)
{
    Process p;
    Begin(&p, 2);
    p.Calls(1, "__kmpc_reduce");
    Waits(p.Rows()[1], 0);
}

TEST(Barrier, Cancelled)
{
    Process p;
    Begin(&p, 2);
    p.Calls(1, "GOMP_barrier_cancel");
    p.Own(1, PLAIN, 44);
    Waits(p.Rows()[1]);
    p.Put(p.team + kmp::TEAM_CANCEL, 4, 1);
    GoesOn(p.Rows()[1]);
    p.Calls(1, "__kmpc_barrier");
    Waits(p.Rows()[1]);
}

// All have come, and tasks are left. The primary thread may execute one itself.
class Closing : public testing::Test
{
  protected:
    void SetUp() override
    {
        Begin(&p, 3);
        task_team = p.New(512);
        for (int i = 0; i < 3; i++)
            p.Put(p.Thread(i) + kmp::INFO_TASK_TEAM, 8, task_team);
        unfinished = task_team + kmp::TASK_TEAM_UNFINISHED;
        p.Put(unfinished, 4, 2);
        p.Calls(1, "__kmpc_barrier");
        p.Calls(2, "__kmpc_barrier");
    }
    Process p;
    uint64_t task_team = 0, unfinished = 0;
};

TEST_F(Closing, AllWait)
{
    p.Calls(0, "__kmpc_barrier", {unfinished, 0});
    auto rows = p.Rows();
    for (int i = 0; i < 3; i++)
        Waits(rows[i]);
    EXPECT_EQ(p.Arrivals(), (std::vector<int>{0, 1, 2}));
}

TEST_F(Closing, PrimaryExecutesATask)
{
    p.RunsIn(0, "__kmpc_barrier", {unfinished, 0});
    auto rows = p.Rows();
    EXPECT_EQ(rows[0].state, ompt_state_work_parallel);
    Waits(rows[1]);
    EXPECT_EQ(p.Arrivals(), (std::vector<int>{0, 1, 2}));
}

// The primary thread releases the others; its wait for tasks, and their next number, are still in memory.
TEST_F(Closing, AMemberHasGoneOn)
{
    p.Calls(0, "__kmpc_barrier", {unfinished, 0});
    p.Docked(2);
    p.Own(2, FORKJOIN, 44);
    auto rows = p.Rows();
    GoesOn(rows[1]);
    Waits(rows[2]);
    EXPECT_EQ(p.Arrivals(), std::vector<int>{2});
}

TEST_F(Closing, AMemberHasBeenReleased)
{
    p.Calls(0, "__kmpc_barrier", {unfinished, 0});
    p.Go(2, PLAIN, 4);
    for (int i : {1, 2})
        GoesOn(p.Rows()[i]);
}

TEST_F(Closing, NoTasksAreLeft)
{
    p.Put(unfinished, 4, 0);
    p.Calls(0, "__kmpc_barrier", {unfinished, 0});
    auto rows = p.Rows();
    for (int i = 0; i < 3; i++)
        GoesOn(rows[i]);
}

TEST_F(Closing, ALockOfTheRecord)
{
    const uint64_t lock = task_team + 64;
    p.Put(lock, 4, 1);
    p.Put(lock + 8, 8, lock);
    p.Calls(0, "__kmpc_barrier", {lock, 0});
    GoesOn(p.Rows()[1]);
}

TEST_F(Closing, PrimaryIsElsewhere)
{
    p.Calls(0, "__kmpc_omp_taskwait", {unfinished, 0});
    GoesOn(p.Rows()[1]);
}

TEST_F(Closing, EndOfTheRegion)
{
    p.Calls(0, "__kmpc_fork_call", {unfinished, 0});
    p.Docked(1);
    p.Docked(2);
    auto rows = p.Rows();
    for (int i = 0; i < 3; i++)
        Waits(rows[i]);
    EXPECT_EQ(rows[0].info.wait_id, rows[1].info.wait_id);
}

TEST(Region, End)
{
    Process p;
    Begin(&p, 6);
    p.Calls(0, "__kmpc_fork_call", {p.Arrived(3, FORKJOIN), 44});
    p.Docked(1);
    p.Own(1, FORKJOIN, 44);
    p.Docked(2);
    p.Own(2, FORKJOIN, 44 | 1);
    p.Docked(4, {p.Arrived(5, FORKJOIN), 44});
    auto rows = p.Rows();
    for (int i : {0, 1, 2, 4})
        Waits(rows[i]);
    EXPECT_EQ(p.Arrivals(), (std::vector<int>{0, 1, 2, 4}));
}

TEST(Region, AllHaveComeToItsEnd)
{
    Process p;
    Begin(&p, 3);
    p.Calls(0, "__kmpc_fork_call", {p.Arrived(2, FORKJOIN), 40});
    p.Docked(1);
    p.Docked(2);
    auto rows = p.Rows();
    for (int i = 0; i < 3; i++)
        GoesOn(rows[i]);
}

// Called, and not begun; the others wait for it at a barrier.
TEST(Region, NotBegun)
{
    Process p;
    Begin(&p, 4);
    p.Calls(0, "__kmpc_barrier", {p.Arrived(1, PLAIN), 44});
    p.Docked(1);
    p.Go(1, FORKJOIN, 4 | 1);
    p.Docked(2); // has seen its call, or its parent in the tree has not passed it on
    p.Calls(3, "__kmpc_barrier");
    p.Own(3, PLAIN, 44);
    auto rows = p.Rows();
    GoesOn(rows[1]);
    GoesOn(rows[2]);
    Waits(rows[0]);
    EXPECT_EQ(p.Arrivals(), (std::vector<int>{0, 3}));
    EXPECT_EQ(p.TaskStates()[1], ompdx_task_created);
    EXPECT_EQ(p.TaskStates()[3], ompdx_task_running);
}

// The primary thread may still be in pthread_create: nobody has been called.
TEST(Region, BeingMade)
{
    Process p;
    Begin(&p, 3);
    p.Forks();
    p.Docked(1);
    p.Docked(2);
    p.Go(2, FORKJOIN, 1); // sleeps
    auto rows = p.Rows();
    for (int i = 1; i < 3; i++) {
        EXPECT_EQ(rows[i].state, ompt_state_idle) << i;
        EXPECT_EQ(rows[i].info.wait_flags, 0u) << i;
        EXPECT_EQ(p.TaskStates()[i], ompdx_task_created) << i;
    }
    bool known = false;
    EXPECT_EQ(p.Arrivals(&known), std::vector<int>{});
    EXPECT_TRUE(known);
    p.Go(2, FORKJOIN, 4 | 1);
    rows = p.Rows();
    GoesOn(rows[1]);
    GoesOn(rows[2]);
}

// A member that has begun shows that a region inside is what the primary thread makes.
TEST(Region, OneInsideIsBeingMade)
{
    Process p;
    Begin(&p, 3);
    p.Forks();
    p.Docked(1);
    GoesOn(p.Rows()[1]);
}

// ---- mutexes

class Locks : public testing::Test
{
  protected:
    void SetUp() override
    {
        Begin(&p, 3);
        word = p.New(8);
    }
    // The user's word of the kind tas: a tag, and whose it is.
    void Tas(int owner) { p.Put(word, 4, static_cast<uint64_t>(owner + 1) << 8 | 3); }
    Row Ask(const std::string &call, int deep, bool libc)
    {
        p.Calls(1, call, {}, deep, libc);
        p.Rbx(1, word);
        return p.Rows()[1];
    }
    Process p;
    uint64_t word = 0;
};

TEST_F(Locks, AnotherOneHasIt)
{
    Tas(2);
    const Row row = Ask("__kmpc_set_lock", 1, false);
    Waits(row, LASTS, ompdx_wait_lock);
    EXPECT_EQ(row.info.owner_kind, ompdx_owner_thread);
}

TEST_F(Locks, Free)
{
    p.Put(word, 4, 3);
    Waits(Ask("__kmpc_critical", 1, true), OVER, ompdx_wait_critical);
}

// It spins, yields or sleeps in functions below; in the first of them it may have acquired it now.
TEST_F(Locks, ItsOwn)
{
    Tas(1);
    Waits(Ask("__kmpc_set_lock", 0, true), LASTS | ITSELF, ompdx_wait_lock);
    Waits(Ask("__kmpc_set_lock", 2, false), LASTS | ITSELF, ompdx_wait_lock);
    Waits(Ask("__kmpc_critical", 2, true), LASTS | ITSELF, ompdx_wait_critical);
    Waits(Ask("__kmpc_set_lock", 1, false), 0, ompdx_wait_lock);
    Waits(Ask("__kmpc_set_lock", 0, false), 0, ompdx_wait_lock);
}

// A queuing lock of a critical region, handed from one to the next.
class Queue : public Locks
{
  protected:
    void SetUp() override
    {
        Locks::SetUp();
        const uint64_t indirect = p.New(16);
        lock = p.New(64);
        p.Put(word, 8, indirect);
        p.Put(indirect, 8, lock);
        p.Put(lock, 8, lock);
        p.Put(lock + kmp::LOCK_DEPTH, 4, 0xffffffff);
        p.Put(lock + 40, 4, 1);
    }
    void Waiters(uint32_t head, uint32_t tail)
    {
        p.Put(lock + kmp::LOCK_HEAD, 4, head);
        p.Put(lock + kmp::LOCK_TAIL, 4, tail);
    }
    void Spins(int member, int whether)
    {
        p.Put(p.Thread(member) + kmp::INFO_SPIN_HERE, 4, static_cast<uint64_t>(whether));
    }
    uint64_t lock = 0;
};

TEST_F(Queue, Handed)
{
    Waiters(2, 2); // gtid + 1
    Spins(1, 1);
    Waits(Ask("__kmpc_critical", 1, false), LASTS, ompdx_wait_critical);
    Waiters(0xffffffff, 0); // it is being handed over
    Waits(Ask("__kmpc_critical", 1, true), 0, ompdx_wait_critical);
    Spins(1, 0);
    Waits(Ask("__kmpc_critical", 1, true), OVER, ompdx_wait_critical);
}

// Who has it, and stands where it waited for it, is its owner. Others in the call may not have begun.
TEST_F(Queue, Owner)
{
    Waiters(3, 3);
    Spins(2, 1);
    for (bool polls : {false, true}) {
        for (int i : {1, 2}) {
            p.Calls(i, "__kmpc_critical", {}, 2, true);
            p.Rbx(i, word);
        }
        if (polls)
            p.Polls(1);
        auto rows = p.Rows();
        Waits(rows[1], OVER, ompdx_wait_critical);
        Waits(rows[2], LASTS, ompdx_wait_critical);
        EXPECT_EQ(rows[2].info.owner_kind, polls ? ompdx_owner_thread : ompdx_owner_somebody);
        EXPECT_EQ(rows[2].info.owner_thread, polls ? rows[1].info.id : 0u);
    }
}

// ---- ordered

TEST(Ordered, Turns)
{
    Process p;
    Begin(&p, 4);
    p.Ordered(5, {7, 5, 6, 8}, 100);
    for (int i = 0; i < 3; i++)
        p.Calls(i, "__kmpc_ordered");
    auto rows = p.Rows();
    for (int i : {0, 2}) {
        Waits(rows[i], LASTS, ompdx_wait_ordered);
        EXPECT_EQ(rows[i].info.owner_kind, ompdx_owner_thread) << i;
        EXPECT_EQ(rows[i].info.owner_thread, rows[1].info.id) << i;
    }
    Waits(rows[1], OVER, ompdx_wait_ordered);
}

// Nobody has the iteration: its member is on the way to it.
TEST(Ordered, NobodysTurn)
{
    Process p;
    Begin(&p, 2);
    p.Ordered(4, {7, 5}, 100);
    p.Calls(1, "__kmpc_ordered");
    Waits(p.Rows()[1], LASTS, ompdx_wait_ordered);
}

// ---- tasks

TEST(Tasks, Taskwait)
{
    Process p;
    Begin(&p, 2);
    p.Calls(1, "__kmpc_omp_taskwait");
    p.Put(p.tasks + kmp::TASK_BYTES + kmp::TASK_CHILDREN, 4, 2);
    Waits(p.Rows()[1], LASTS, ompdx_wait_taskwait);
    p.Put(p.tasks + kmp::TASK_BYTES + kmp::TASK_CHILDREN, 4, 0);
    Waits(p.Rows()[1], OVER, ompdx_wait_taskwait);
}

TEST(Tasks, Taskgroup)
{
    Process p;
    Begin(&p, 2);
    const uint64_t group = p.New(40);
    p.Calls(1, "__kmpc_end_taskgroup");
    p.Put(p.tasks + kmp::TASK_BYTES + kmp::TASK_GROUP, 8, group);
    p.Put(group, 4, 1);
    Waits(p.Rows()[1], LASTS, ompdx_wait_taskgroup);
    p.Put(group, 4, 0);
    Waits(p.Rows()[1], OVER, ompdx_wait_taskgroup);
}

} // namespace
