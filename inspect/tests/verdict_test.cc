// SPDX-License-Identifier: Apache-2.0
// Verdicts are given on proved edges only.
#include <gtest/gtest.h>

#include "inspect/graph/verdict.h"
#include "inspect/model/model.h"
#include "inspect/tests/scenario.h"

namespace
{

struct Verdict : testing::Test {
    Scenario s{true};
    insp_snapshot *snap = nullptr;
    const mdl_verdict *take()
    {
        if (!s.session)
            s.open();
        insp_free(snap);
        snap = insp_take(s.session, INSP_ALL, nullptr);
        // The fake threads do nothing that could be read: who does not wait in OpenMP computes.
        for (int i = 0; i < snap->thread_count; i++) {
            mdl_thread *t = &snap->threads[i];

            t->activity = {};
            t->activity.kind = t->wait.kind ? MDL_ACTIVITY_OPENMP : MDL_ACTIVITY_COMPUTES;
            t->activity.timeout_ns = MDL_TIMEOUT_NONE;
        }
        verdict_make(snap);
        return &snap->verdict;
    }
    void TearDown() override { insp_free(snap); }
};

TEST_F(Verdict, Circle)
{
    const mdl_verdict *v = take();
    EXPECT_EQ(v->kind, INSP_DEADLOCK);
    ASSERT_EQ(v->edge_count, 2);
    EXPECT_EQ(v->edges[0], 0);
    EXPECT_EQ(v->edges[1], 1);
}

TEST_F(Verdict, ChainIsNoCircle)
{
    s.model->threads[1].owner_pthread = 0x7300; // thread 3 works
    const mdl_verdict *v = take();
    EXPECT_EQ(v->kind, INSP_NONE);
    EXPECT_EQ(v->edge_count, 0);
    EXPECT_STREQ(v->sentence,
                 "3 threads wait, directly or indirectly, for thread 4 (LWP 103), which computes.");
}

// A thread whose state could not be read may be what the others wait for, though some compute. A circle of
// others is proved whatever it does.
TEST_F(Verdict, ThreadThatCouldNotBeRead)
{
    s.model->threads[3].state = ompt_state_undefined;
    s.model->threads[3].unknown[ompdx_fact_state] = "its record contradicts itself";
    EXPECT_EQ(take()->kind, INSP_DEADLOCK);
    for (int i = 0; i < 3; i++) { // no other waits
        s.model->threads[i].state = ompt_state_work_parallel;
        s.model->threads[i].wait_kind = ompdx_wait_none;
    }
    const mdl_verdict *v = take();
    EXPECT_EQ(v->kind, INSP_UNKNOWN);
    EXPECT_STREQ(
        v->sentence,
        "It cannot be said whether this is a deadlock: what thread 4 (LWP 103) does in OpenMP is not "
        "known (its record contradicts itself).");
    s.model->threads[3].state = ompt_state_work_parallel;
    s.model->threads[3].unknown[ompdx_fact_state] = nullptr;
    EXPECT_EQ(take()->kind, INSP_NONE);
}

TEST_F(Verdict, TailBeforeTheCircle)
{
    ompdx_thread_info_t *t = &s.model->threads[2];
    t->state = ompt_state_wait_critical;
    t->wait_kind = ompdx_wait_critical;
    t->owner_kind = ompdx_owner_thread;
    t->owner_pthread = 0x7000;
    const mdl_verdict *v = take();
    EXPECT_EQ(v->kind, INSP_DEADLOCK);
    EXPECT_EQ(v->edge_count, 2);
}

TEST_F(Verdict, OwnLock)
{
    s.model->threads[0].owner_pthread = 0x7000;
    const mdl_verdict *v = take();
    EXPECT_EQ(v->kind, INSP_SUSPECTED);
    const std::string own =
        "Suspected deadlock: thread 1 (LWP 100) waits for lock lock_b at mixed.c:20, which it already holds. "
        "2 more threads would also wait forever. This is not proved: ";
    const std::string others =
        "only thread 4 (LWP 103) and thread 5 (LWP 104) still run and could release it.";
    EXPECT_EQ(v->sentence, own + others);
    // Behind a system call it sleeps for the lock; elsewhere it is on its way out with the lock.
    s.host.put(0x7f0000001000, "\x90\x90\x0f\x05", 4);
    s.host.frames[100] = {{0x7f0000001004, "rt_futex_wait", "", 0, ""}};
    EXPECT_EQ(take()->sentence, own + others);
    s.host.put(0x7f0000001000, "\x90\x90\x90\x90", 4);
    EXPECT_EQ(take()->kind, INSP_NONE);
}

TEST_F(Verdict, OwnerHasEnded)
{
    s.model->threads[0].owner_kind = ompdx_owner_ended;
    const mdl_verdict *v = take();
    EXPECT_EQ(v->kind, INSP_STUCK);
    EXPECT_STREQ(
        v->sentence,
        "Stuck: thread 1 (LWP 100) waits for lock lock_b at mixed.c:20, and the thread that holds it has "
        "ended. 2 more threads also wait forever.");
    EXPECT_NE(s.render(INSP_VIEW_THREADS).find("lock lock_b, held by a thread that has ended"),
              std::string::npos);
}

TEST_F(Verdict, UnknownOwner)
{
    s.model->threads[0].owner_kind = ompdx_owner_unknown;
    EXPECT_EQ(take()->kind, INSP_UNKNOWN);
    EXPECT_STREQ(snap->verdict.sentence,
                 "It cannot be said whether this is a deadlock: the owner of what a thread waits for is "
                 "not known.");
    s.model->threads[0].owner_kind = ompdx_owner_none;
    EXPECT_EQ(take()->kind, INSP_NONE);
}

// The lock numbers of ended threads are in use again: the owner may be an earlier thread.
TEST_F(Verdict, OwnerInDoubt)
{
    s.model->threads[0].owner_uncertain = 1;
    const mdl_verdict *v = take();
    EXPECT_EQ(v->kind, INSP_SUSPECTED);
    EXPECT_TRUE(strstr(v->sentence,
                       "This is not proved: lock owner numbers have been reused, so a thread that has ended "
                       "may hold it."))
        << v->sentence;
    ASSERT_EQ(v->edge_count, 2);
    for (int i = 0; i < snap->edge_count; i++) {
        const mdl_edge *e = &snap->edges[i];

        EXPECT_EQ(e->proved, e->from.lwp != 100) << i;
    }
    EXPECT_NE(s.render(INSP_VIEW_THREADS).find("lock lock_b, perhaps held by thread 2 (LWP 101)"),
              std::string::npos)
        << s.render(INSP_VIEW_THREADS);
    std::string json = s.render(INSP_VIEW_THREADS, INSP_JSON);
    EXPECT_NE(json.find("\"wait.owner\": \"lock owner numbers have been reused"), std::string::npos) << json;
    s.model->threads[0].owner_uncertain = OMPDX_OWNER_SHARED;
    v = take();
    EXPECT_EQ(v->kind, INSP_SUSPECTED);
    EXPECT_TRUE(strstr(v->sentence,
                       "This is not proved: another copy of the runtime is in the process, and a "
                       "thread of that one may hold it."))
        << v->sentence;
    // "Nobody is stuck" is not proved either.
    s.model->threads[0].owner_uncertain = OMPDX_OWNER_REUSED;
    s.model->threads[1].owner_pthread = 0x7300;
    EXPECT_EQ(take()->kind, INSP_UNKNOWN);
    EXPECT_TRUE(strstr(snap->verdict.sentence, "lock owner numbers have been reused"))
        << snap->verdict.sentence;
}

TEST_F(Verdict, BarrierEdges)
{
    int barrier = 0;

    take();
    for (int i = 0; i < snap->edge_count; i++) {
        const mdl_edge &e = snap->edges[i];

        if (e.from.lwp != 102 || e.to.task)
            continue;
        barrier++;
        EXPECT_NE(std::string(e.because).find("barrier"), std::string::npos);
        EXPECT_NE(e.to.lwp, 102);
    }
    EXPECT_EQ(barrier, 3); // 103 among them, a member that is in a region within
}

} // namespace
