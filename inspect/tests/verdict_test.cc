// SPDX-License-Identifier: Apache-2.0
// Verdicts are given on proved edges only.
#include <gtest/gtest.h>

#include "inspect/model.h"
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
        return &snap->verdict;
    }
    void TearDown() override { insp_free(snap); }
};

TEST_F(Verdict, Circle)
{
    const mdl_verdict *v = take();
    EXPECT_STREQ(v->kind, "deadlock");
    ASSERT_EQ(v->edge_count, 2);
    EXPECT_EQ(v->edges[0], 0);
    EXPECT_EQ(v->edges[1], 1);
}

TEST_F(Verdict, ChainIsNoCircle)
{
    s.model->threads[1].owner_pthread = 0x7300; // thread 3 works
    const mdl_verdict *v = take();
    EXPECT_STREQ(v->kind, "none");
    EXPECT_EQ(v->edge_count, 0);
    EXPECT_STREQ(v->sentence, "No deadlock was found among locks and criticals.");
}

TEST_F(Verdict, TailBeforeTheCircle)
{
    ompdx_thread_info_t *t = &s.model->threads[2];
    t->state = ompt_state_wait_critical;
    t->wait_kind = ompdx_wait_critical;
    t->owner_kind = ompdx_owner_thread;
    t->owner_pthread = 0x7000;
    const mdl_verdict *v = take();
    EXPECT_STREQ(v->kind, "deadlock");
    EXPECT_EQ(v->edge_count, 2);
}

TEST_F(Verdict, OwnLock)
{
    s.model->threads[0].owner_pthread = 0x7000;
    const mdl_verdict *v = take();
    EXPECT_STREQ(v->kind, "deadlock");
    EXPECT_STREQ(v->sentence,
                 "Deadlock: thread 1 (LWP 100) waits for lock lock_b at 0x404018, which it holds itself.");
}

TEST_F(Verdict, OwnerHasEnded)
{
    s.model->threads[0].owner_kind = ompdx_owner_ended;
    const mdl_verdict *v = take();
    EXPECT_STREQ(v->kind, "stuck");
    EXPECT_STREQ(v->sentence,
                 "Stuck: thread 1 (LWP 100) waits for lock lock_b at 0x404018, and the thread that holds it "
                 "has ended.");
    EXPECT_NE(s.render(INSP_VIEW_THREADS).find("lock lock_b, held by a thread that has ended"),
              std::string::npos);
}

TEST_F(Verdict, UnknownOwner)
{
    s.model->threads[0].owner_kind = ompdx_owner_unknown;
    EXPECT_STREQ(take()->kind, "unknown");
    EXPECT_EQ(snap->edge_count, 4); // thread 1's, and three for the barrier
    s.model->threads[0].owner_kind = ompdx_owner_none;
    EXPECT_STREQ(take()->kind, "none");
}

TEST_F(Verdict, BarrierEdges)
{
    take();
    ASSERT_EQ(snap->edge_count, 5);
    for (int i = 2; i < 5; i++) {
        EXPECT_FALSE(snap->edges[i].mutex);
        EXPECT_EQ(snap->edges[i].from, 102);
    }
    EXPECT_EQ(snap->edges[4].to, 103); // a member that is in a region within
}

} // namespace
