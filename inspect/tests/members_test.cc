// SPDX-License-Identifier: Apache-2.0
// Who is a member: what the thread began with and where it stands, whatever the runtime's records say of its
// number.
#include <gtest/gtest.h>

#include "inspect/model/model.h"
#include "inspect/tests/hand.h"
#include "inspect/tests/scenario.h"

namespace
{

constexpr uint64_t kDescriptor = 0x7000, kStep = 0x100,
                   kOffset = 0x40; // pthread_t of thread 0, and from one to the next
constexpr uint64_t kEntry = 0x7e0000008000,
                   kWorker = kBase + 0x100; // glibc's table; the runtime's own function
constexpr int kOther = 4;                   // the thread that is none of OpenMP's

constexpr char kProgram[] = "/apps/u/mixed", kLibc[] = "/lib/x86_64-linux-gnu/libc.so.6",
               kRuntime[] = "/opt/lib/libompcompanion.so.1.0.0";

struct Process {
    Scenario s{true};
    insp_snapshot *snap = nullptr;

    // Workers began in the runtime, all else in the program.
    Process()
    {
        const uint32_t entry[] = {64, 1, kOffset};

        s.host.put(kEntry, entry, sizeof entry);
        s.host.symbols["_thread_db_pthread_start_routine"] = kEntry;
        for (int i = 1; i < kOther; i++)
            Began(i, kWorker);
        Began(0, 0);
        Began(kOther, kFunction);
    }
    ~Process() { insp_free(snap); }
    Process(const Process &) = delete;
    Process &operator=(const Process &) = delete;

    void Began(int thread, uint64_t function)
    {
        s.host.put(kDescriptor + kStep * static_cast<uint64_t>(thread) + kOffset, &function, sizeof function);
    }
    void Stands(int thread, std::initializer_list<const char *> modules)
    {
        auto &frames = s.host.frames[s.host.threads[static_cast<size_t>(thread)].lwp];

        for (const char *module : modules)
            frames.push_back({!strcmp(module, kRuntime) ? kWorker : 0x10, "f", "", 0, module});
    }
    insp_snapshot *Take()
    {
        if (!s.session)
            s.open();
        insp_free(snap);
        snap = insp_take(s.session, INSP_ALL, nullptr);
        return snap;
    }
    const char *Unknown(int thread) const
    {
        return mdl_unknown_reason(snap->threads[thread].unknown, snap->threads[thread].unknown_count,
                                  "openmp");
    }
};

TEST(Members, BeganInTheRuntime)
{
    Process p;
    ASSERT_TRUE(p.Take());
    for (int i = 0; i < kOther; i++)
        EXPECT_TRUE(p.snap->threads[i].openmp) << i;
    EXPECT_FALSE(p.snap->threads[kOther].openmp);
}

TEST(Members, BeganElsewhere)
{
    Process p;
    p.Began(2, kFunction);
    p.Stands(2, {kProgram, kLibc});
    ASSERT_TRUE(p.Take());
    EXPECT_FALSE(p.snap->threads[2].openmp);
    EXPECT_EQ(p.Unknown(2), nullptr);
    const mdl_region *r = mdl_region_by_id(p.snap, 1, 3);
    for (int i = 0; i < r->member_count; i++) {
        EXPECT_EQ(r->members[i].lwp, i == 2 ? 0 : p.s.host.threads[static_cast<size_t>(i)].lwp);
        EXPECT_EQ(r->members[i].gone, i == 2);
    }
    EXPECT_TRUE(p.snap->complete);
}

// A thread of which it is not known who has created it may become the member.
TEST(Members, NotGoneWhileOneMayCome)
{
    Process p;
    p.Began(2, kFunction);
    p.Stands(2, {kProgram, kLibc});
    p.Began(kOther, kWorker);
    ASSERT_TRUE(p.Take());
    EXPECT_FALSE(p.snap->threads[2].openmp);
    EXPECT_FALSE(mdl_region_by_id(p.snap, 1, 3)->members[2].gone);
}

// A sanitizer's function comes first, and calls the runtime's.
TEST(Members, BeganInATool)
{
    Process p;
    p.Began(2, kFunction);
    p.Stands(2, {kProgram, kRuntime, kLibc});
    ASSERT_TRUE(p.Take());
    EXPECT_TRUE(p.snap->threads[2].openmp);
}

// Who has created it cannot be told. Without a fork the runtime's records are of this process.
TEST(Members, NeitherTells)
{
    for (bool forked : {false, true}) {
        Process p;
        p.s.host.symbols.erase("_thread_db_pthread_start_routine");
        p.s.host.origin = forked ? FakeHost::kForked : FakeHost::kNotForked;
        p.Stands(1, {kProgram, kRuntime, kLibc});
        p.Stands(2, {kProgram});
        p.Stands(3, {kProgram, kLibc});
        ASSERT_TRUE(p.Take());
        EXPECT_TRUE(p.snap->threads[1].openmp);
        EXPECT_EQ(p.snap->threads[2].openmp, !forked);
        EXPECT_EQ(p.Unknown(2) != nullptr, forked);
        EXPECT_EQ(p.snap->threads[3].openmp, !forked);
        EXPECT_EQ(p.Unknown(3), nullptr);
    }
}

// What a table in the target says is a number like any other.
TEST(Members, WrongTable)
{
    const uint32_t wrong[][3] = {{32, 1, kOffset}, {64, 0, kOffset}, {64, 1, 3}, {64, 1, UINT32_MAX - 7}};

    for (const auto &entry : wrong) {
        Process p;
        p.s.host.put(kEntry, entry, sizeof entry);
        p.Began(2, kFunction);
        ASSERT_TRUE(p.Take());
        EXPECT_TRUE(p.snap->threads[2].openmp);
    }
}

/* ---- what is said of a team that is not there ---------------------------------------------------------- */

void Gone(Hand *h, std::initializer_list<int> members)
{
    for (int m : members) {
        h->s->regions[0].members[m].gone = true;
        h->s->regions[0].members[m].lwp = 0;
        h->Foreign(m);
    }
}

TEST(Abandoned, Sentences)
{
    Hand h(4);
    h.Barrier(0, 88, {1, 2, 3});
    Gone(&h, {1, 2, 3});
    h.s->process.forked = 1;
    h.s->process.forked_from = 4711;
    EXPECT_EQ(h.Verdict(),
              "stuck: Stuck: this process was forked by PID 4711 after that had used OpenMP; of the team "
              "of 4 at solve.c:80 only thread 1 (LWP 100) is here, which waits at solve.c:88 for "
              "threads that stayed in the parent. Fork before the first region, or start such processes anew "
              "(posix_spawn, exec; in Python the start method \"spawn\").");
    h.s->process.forked_from = 0;
    EXPECT_EQ(
        h.Verdict().find("stuck: Stuck: this process was forked by one that had used OpenMP; of the team "),
        0u);
    h.s->process.forked = -1;
    EXPECT_EQ(h.Verdict(),
              "stuck: Stuck: of the team of 4 at solve.c:80 only thread 1 (LWP 100) is here, "
              "which waits at solve.c:88 for threads that do not exist in this process. Fork before the "
              "first region, or start such processes anew (posix_spawn, exec; in Python the start "
              "method \"spawn\").");
}

TEST(Abandoned, WhileItBegins)
{
    Hand h(3);
    Gone(&h, {1, 2});
    h.s->threads[0].state = MDL_STATE_OVERHEAD;
    h.Does(0, "futex", "futex", 80);
    EXPECT_EQ(h.Verdict().find("stuck: "), 0u);
    h.s->threads[0].activity.asleep = false;
    EXPECT_EQ(h.Verdict().find("stuck: "), std::string::npos);
    h.Does(0, "openmp", nullptr, 80);
    EXPECT_EQ(h.Verdict().find("stuck: "), 0u);
    h.s->threads[0].released = true;
    EXPECT_EQ(h.Verdict().find("stuck: "), std::string::npos);
}

// Who of those that are gone had arrived before the fork is not known: all that are here have to wait.
TEST(Abandoned, ArrivalsThatAreNotKnown)
{
    Hand h(3);
    for (int i : {0, 1}) {
        h.Barrier(i, 88, {2});
        h.s->threads[i].wait.arrivals_known = false;
    }
    Gone(&h, {2});
    EXPECT_EQ(h.Verdict().find("stuck: "), 0u);
    h.Task(30, "explicit", "ready", -1, 10, 40);
    EXPECT_EQ(h.Verdict().find("stuck: "), std::string::npos);
    h.s->task_count--;
    h.s->threads[1].wait = {};
    EXPECT_EQ(h.Verdict().find("stuck: "), std::string::npos);
}

TEST(Abandoned, NotByThoseThatHaveArrived)
{
    Hand h(3);
    h.Barrier(0, 88, {1});
    Gone(&h, {2});
    EXPECT_EQ(h.Verdict().find("stuck: "), std::string::npos);
}

} // namespace
