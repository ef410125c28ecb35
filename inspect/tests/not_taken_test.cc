// SPDX-License-Identifier: Apache-2.0
// Why a ready task is not taken: situations that pass too quickly in a program, or that no runtime here has.
#include <gtest/gtest.h>

#include "inspect/graph/not_taken.h"
#include "inspect/tests/hand.h"

namespace
{

mdl_task *Ready(Hand *h, uint64_t id, int priority, int creator = 0)
{
    mdl_task *t = h->Task(id, "explicit", "ready", -1, 10, 30);

    t->priority = priority;
    t->creator_thread_num = creator;
    return t;
}

// The threads of the team wait at its barrier, but for the first ones.
void Wait(Hand *h, int from, int size)
{
    for (int i = from; i < size; i++)
        h->Barrier(i, 12, {0});
}

TEST(NotTaken, AFreeThreadTakesTheHighestPriorityFirst)
{
    Hand h(3);
    mdl_task *low = Ready(&h, 20, 0), *high = Ready(&h, 21, 7), *middle = Ready(&h, 22, 3);

    Wait(&h, 1, 3);
    h.Verdict();
    EXPECT_EQ(high->not_taken.reason, MDL_NOT_TAKEN_FREE);
    EXPECT_EQ(high->not_taken.before, 0);
    for (mdl_task *t : {low, middle}) {
        EXPECT_EQ(t->not_taken.reason, MDL_NOT_TAKEN_PRIORITY);
        EXPECT_EQ(t->not_taken.task, 21u);
        EXPECT_EQ(t->not_taken.lwp, 102);
    }
    EXPECT_EQ(low->not_taken.before, 2);
    EXPECT_EQ(middle->not_taken.before, 1);
    const std::string text = h.Render(INSP_VIEW_TASKS, INSP_TEXT);
    EXPECT_NE(
        text.find("task 20: thread 3 (LWP 102) is free, and takes task 21, which has a higher priority, "
                  "first."),
        std::string::npos)
        << text;
}

// The one that is not known may have the highest.
TEST(NotTaken, NothingIsSaidToComeFirstBesideAnUnknownPriority)
{
    Hand h(3);
    mdl_task *low = Ready(&h, 20, 0), *high = Ready(&h, 21, 7);
    Ready(&h, 22, -1);

    Wait(&h, 1, 3);
    h.Verdict();
    for (mdl_task *t : {low, high}) {
        EXPECT_EQ(t->not_taken.reason, MDL_NOT_TAKEN_FREE);
        EXPECT_EQ(t->not_taken.before, -1);
    }
}

TEST(NotTaken, UnknownPrioritiesAreNoReason)
{
    Hand h(3);
    mdl_task *a = Ready(&h, 20, -1), *b = Ready(&h, 21, -1);

    Wait(&h, 1, 3);
    h.Verdict();
    for (mdl_task *t : {a, b}) {
        EXPECT_EQ(t->not_taken.reason, MDL_NOT_TAKEN_FREE);
        EXPECT_EQ(t->not_taken.before, -1);
    }
}

TEST(NotTaken, WhatABusyTeamDoes)
{
    Hand h(4);
    mdl_task *t = Ready(&h, 20, 0);

    h.Does(0, "sleep", "nanosleep", 11);
    h.Mutex(1, "lock", "a", 2, 21);
    h.s->threads[3].region = 9; // one inside
    h.Verdict();
    EXPECT_EQ(t->not_taken.reason, MDL_NOT_TAKEN_BUSY);
    EXPECT_EQ(t->not_taken.lwp, 0);
    EXPECT_NE(
        h.Render(INSP_VIEW_TASKS, INSP_TEXT)
            .find("all threads of the team do something else: 1 computes, 1 is in a system call, 1 waits for "
                  "a lock or the like, 1 is in a region inside."),
        std::string::npos);
}

TEST(NotTaken, WhoASignalHasEndedComputesNoMore)
{
    Hand h(3);
    Ready(&h, 20, 0);

    h.s->process.signal = 6;
    h.s->process.crashed_lwp = 101;
    h.Verdict();
    const std::string text = h.Render(INSP_VIEW_TASKS, INSP_TEXT);
    EXPECT_NE(text.find("something else: 2 compute, 1 does something else."), std::string::npos) << text;
}

TEST(NotTaken, AFullQueueIsTold)
{
    Hand h(2);
    mdl_task *of_first = nullptr, *of_second = Ready(&h, 60, 0, 1);

    h.s->runtimes[0].queue_limit = 3;
    for (int i = 0; i < 3; i++)
        of_first = Ready(&h, 20 + static_cast<uint64_t>(i), 0);
    h.Verdict();
    EXPECT_EQ(of_first->not_taken.queued, 3);
    EXPECT_EQ(of_second->not_taken.queued, 1);
    const std::string text = h.Render(INSP_VIEW_TASKS, INSP_TEXT);
    EXPECT_NE(
        text.find(
            "tasks 20-22: all threads of the team do something else: 2 compute. A thread with 3 tasks in "
            "its queue executes further ones that it creates itself, at once."),
        std::string::npos)
        << text;
    EXPECT_NE(text.find("task 60: all threads of the team do something else: 2 compute.\n"),
              std::string::npos);
}

} // namespace
