// SPDX-License-Identifier: Apache-2.0
// The verdict of two looks at one process: what has moved is part of no proof, and a loop in which nothing
// changes is no motion.
#include <gtest/gtest.h>

#include <string>

#include "inspect/inspect.h"
#include "inspect/tests/hand.h"

namespace
{

// Thread 0 waits for something whose holder nobody knows, thread 1 is in a loop of the program's.
struct Looks {
    Looks() : before(2), after(2)
    {
        for (Hand *h : {&before, &after}) {
            h->Pthread(0, "m", 1, 40);
            Doing(h, 1, MDL_ACTIVITY_COMPUTES, nullptr, 50);
            h->Frame(1, INSP_CODE_USER, "spin", 50);
            h->s->threads[1].values = 7;
            h->s->threads[1].cpu_ns = 1;
        }
        after.s->threads[1].cpu_ns = 20000000;
    }
    std::string Judge(enum insp_verdict_kind kind = INSP_UNKNOWN, const char *sentence = "It cannot be said.")
    {
        for (Hand *h : {&before, &after})
            verdict_give(h->s, kind, sentence);
        insp_judge(before.s, after.s, 60);
        return after.s->verdict.sentence;
    }
    Hand before, after;
};

TEST(Judge, ALoopInWhichNothingChangesIsNoMotion)
{
    Looks l;

    EXPECT_EQ(l.Judge(), "It cannot be said; thread 2 (LWP 101) spins at io.c:50.");
    EXPECT_EQ(l.after.s->verdict.kind, INSP_UNKNOWN);
}

TEST(Judge, ItRunsBesideALoop)
{
    Looks l;

    Doing(&l.after, 0, MDL_ACTIVITY_COMPUTES, nullptr, 41);
    EXPECT_EQ(l.Judge(),
              "It runs: 1 of 2 threads has moved within 60 ms; thread 2 (LWP 101) spins at io.c:50.");
    EXPECT_EQ(l.after.s->verdict.kind, INSP_NONE);
}

TEST(Judge, WhatComputesRuns)
{
    Looks l;

    l.after.s->threads[1].values = 8;
    EXPECT_EQ(l.Judge(), "It runs: 1 of 2 threads has moved within 60 ms; thread 1 (LWP 100) still waits for "
                         "mutex m.");
}

TEST(Judge, AProofStaysUnlessAThreadOfItHasMoved)
{
    Looks l;
    int64_t stuck[] = {100};

    l.after.s->verdict.stuck = stuck;
    l.after.s->verdict.stuck_count = 1;
    l.after.s->threads[1].values = 8;
    EXPECT_EQ(l.Judge(INSP_STUCK, "Stuck: LWP 100."), "Stuck: LWP 100.");
    EXPECT_FALSE(insp_withdrawn(l.after.s));
    stuck[0] = 101;
    EXPECT_EQ(l.Judge(INSP_STUCK, "Stuck: LWP 101.").substr(0, 30), "It runs: 1 of 2 threads has mo");
    EXPECT_EQ(l.after.s->verdict.kind, INSP_NONE);
    EXPECT_TRUE(insp_withdrawn(l.after.s));
}

} // namespace
