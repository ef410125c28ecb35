// SPDX-License-Identifier: Apache-2.0
// Where threads run, what they hold, and what is wrong with that.
#include <gtest/gtest.h>
#include <map>
#include <string>

#include "inspect/placement/placement.h"
#include "inspect/placement/processors.h"
#include "inspect/tests/doings.h"

namespace
{

int Count(const char *list)
{
    processors set{};

    return processors_add(&set, list) ? processors_count(&set) : -1;
}

TEST(Processors, ListsOfTheKernel)
{
    EXPECT_EQ(Count("0"), 1);
    EXPECT_EQ(Count("0-3,8"), 5);
    EXPECT_EQ(Count("0-3,2-5"), 6);
    EXPECT_EQ(Count("8191"), 1);
    for (const char *bad :
         {"", "8192", "99999999999999999999", "3-1", "1-", "-1", "1,", ",1", "1 2", "a", "0-3;4"})
        EXPECT_EQ(Count(bad), -1) << bad;
    processors set{};
    EXPECT_EQ(processors_single(&set), -1);
    ASSERT_TRUE(processors_add(&set, "70"));
    EXPECT_EQ(processors_single(&set), 70);
    EXPECT_FALSE(processors_add(&set, "1-2,x"));
    EXPECT_EQ(processors_single(&set), 70);
    ASSERT_TRUE(processors_add(&set, "1"));
    EXPECT_EQ(processors_single(&set), -1);
}

// A team of N, of which each thread may run where the test says.
struct Team : Hand {
    insp_session session{};
    std::map<int64_t, std::string> allowed;

    explicit Team(int n, const char *everywhere) : Hand(n)
    {
        session.host.version = INSP_HOST_VERSION;
        session.host.size = sizeof(session.host);
        session.host.ctx = this;
        session.host.allowed = [](void *ctx, int64_t lwp, const char **ret) {
            Team *t = static_cast<Team *>(ctx);
            auto it = t->allowed.find(lwp);
            if (it == t->allowed.end())
                return 1;
            *ret = it->second.c_str();
            return 0;
        };
        session.host.kernel = [](void *, int64_t lwp, insp_kernel *ret) {
            ret->processor = static_cast<int32_t>(lwp % 2);
            return 0;
        };
        for (int i = 0; i < n; i++)
            allowed[100 + i] = everywhere;
    }
    std::string Found()
    {
        insp_render_options o = {};
        char *text;

        s->want |= INSP_PLACEMENT;
        verdict_make(s);
        placement_find(&session, s, nullptr);
        o.size = sizeof(o);
        o.view = INSP_VIEW_THREADS;
        o.expand = o.verbose = 1;
        text = insp_render(s, &o, nullptr);
        std::string result = text ? text : "";
        insp_string_free(text);
        return result;
    }
    bool Has(const std::string &text, const std::string &part)
    {
        return text.find(part) != std::string::npos;
    }
};

TEST(Placement, MoreThreadsThanProcessors)
{
    Team crowd(4, "0-1"), fits(4, "0-3"), unknown(4, "0-1"), sleeps(4, "0-1");

    EXPECT_TRUE(crowd.Has(crowd.Found(),
                          "Oversubscribed: 4 OpenMP threads want to run at this moment, and may "
                          "use 2 processors: "));
    EXPECT_FALSE(fits.Has(fits.Found(), "Oversubscribed"));
    unknown.allowed.erase(102);
    EXPECT_FALSE(unknown.Has(unknown.Found(), "Oversubscribed"));
    for (int i : {1, 2})
        Doing(&sleeps, i, MDL_ACTIVITY_SLEEP)->asleep = true;
    EXPECT_FALSE(sleeps.Has(sleeps.Found(), "Oversubscribed"));
}

TEST(Placement, MembersOnOneProcessor)
{
    Team bound(3, "0-7");

    bound.allowed[100] = bound.allowed[102] = "5";
    std::string text = bound.Found();
    EXPECT_TRUE(
        bound.Has(text, "2 members of region 3 may run on processor 5 only: thread 1 (LWP 100) and thread 3 "
                        "(LWP 102)."))
        << text;
    Team apart(3, "0-7");
    apart.allowed[100] = "5";
    apart.allowed[102] = "6";
    EXPECT_FALSE(apart.Has(apart.Found(), "only:"));
}

TEST(Placement, WhatOthersWaitForIsHeld)
{
    Team team(4, "0-7");

    team.Mutex(1, "lock", "a", 2, 21);
    team.Mutex(3, "lock", "a", 2, 21);
    std::string text = team.Found();
    EXPECT_TRUE(team.Has(text, "lock a (2 threads wait)")) << text;
    EXPECT_EQ(team.s->threads[2].hold_count, 1);
    EXPECT_EQ(team.s->threads[0].hold_count, 0);
}

// What the runtime has recorded is told once, and what somebody waits for with its waiters.
TEST(Placement, WhatNobodyWaitsForIsHeldToo)
{
    Team team(2, "0-7");
    mdl_wait held[2] = {};

    team.Mutex(1, "lock", "a", 0, 21);
    held[0].kind = held[1].kind = MDL_WAIT_LOCK;
    held[0].id = team.s->threads[1].wait.id;
    held[1].id = 0x5000;
    held[1].name = "b";
    held[1].taken_at = {"solve", "/src/solve.c", 70, nullptr};
    team.s->threads[0].held = held;
    team.s->threads[0].held_count = 2;
    std::string text = team.Found();
    EXPECT_TRUE(team.Has(text, "lock a (1 thread waits), lock b (taken at solve.c:70)")) << text;
    EXPECT_TRUE(team.Has(text, "Listed as held are all locks")) << text;
}

TEST(Placement, NamesOfTheTargetAreHarmless)
{
    Team team(2, "0-7");

    team.Mutex(0, "lock", "a\x1b[31m", 1, 21);
    std::string text = team.Found();
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    EXPECT_TRUE(team.Has(text, "lock a?[31m (1 thread waits)")) << text;
}

// Findings are of one moment, and a process that runs has none.
TEST(Placement, NothingIsFoundOfARunningProcess)
{
    Team team(4, "0");

    team.s->moving = true;
    std::string text = team.Found();
    EXPECT_FALSE(team.Has(text, "Oversubscribed")) << text;
    EXPECT_FALSE(team.Has(text, "only:"));
}

} // namespace
