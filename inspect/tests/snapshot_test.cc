// SPDX-License-Identifier: Apache-2.0
// What a snapshot holds: matching of threads, ids without extensions, several runtimes, what is not known.
#include <algorithm>
#include <gtest/gtest.h>

#include "inspect/model/model.h"
#include "inspect/tests/scenario.h"

namespace
{

bool has_unknown(const mdl_thread &t, const char *field)
{
    for (int i = 0; i < t.unknown_count; i++)
        if (!strcmp(t.unknown[i].field, field))
            return true;
    return false;
}

struct Taken {
    Scenario s;
    insp_snapshot *snap = nullptr;
    explicit Taken(bool extensions) : s(extensions) {}
    insp_snapshot *take(unsigned want = INSP_ALL)
    {
        if (!s.session)
            s.open();
        insp_free(snap);
        snap = insp_take(s.session, want, nullptr);
        return snap;
    }
    ~Taken() { insp_free(snap); }
};

TEST(Threads, ByLwpWhenThePthreadIsUnknown)
{
    for (bool extensions : {true, false}) {
        Taken t(extensions);
        for (auto &h : t.s.host.threads)
            h.pthread = 0;
        ASSERT_TRUE(t.take());
        for (int i = 0; i < 5; i++)
            EXPECT_EQ(t.snap->threads[i].openmp, i < 4) << i;
        if (extensions) {
            EXPECT_EQ(t.snap->threads[0].wait.owner_lwp, 101);
        }
    }
}

TEST(Threads, ContainerNumbersDoNotMislead)
{
    Taken t(true);
    // The target numbers its threads 3, 4, ...; the host's thread 102 is called 101 in there, and so on.
    for (int i = 0; i < 4; i++)
        t.s.model->threads[i].tid = 99 + i;
    for (int i = 0; i < 2; i++)
        t.s.model->threads[i].owner_tid = 100 - i;
    ASSERT_TRUE(t.take());
    EXPECT_EQ(t.snap->threads[0].wait.owner_lwp, 101);
    EXPECT_EQ(t.snap->threads[1].wait.owner_lwp, 100);
    EXPECT_EQ(t.snap->threads[0].target_tid, 99);
    EXPECT_EQ(t.snap->regions[1].members[2].lwp, 102);
}

TEST(Threads, HiddenFromTheDebugger)
{
    Taken t(true);
    t.s.host.threads.erase(t.s.host.threads.begin()); // the one that holds lock_a
    ASSERT_TRUE(t.take());
    EXPECT_FALSE(t.snap->complete);
    ASSERT_EQ(t.snap->problem_count, 1);
    EXPECT_STREQ(t.snap->problems[0].what, "1 OpenMP thread is not shown");
    EXPECT_EQ(t.snap->threads[0].wait.owner_lwp, 0);
    EXPECT_TRUE(has_unknown(t.snap->threads[0], "wait.owner_lwp"));
    EXPECT_EQ(t.snap->regions[1].members[0].lwp, 0);
    EXPECT_NE(t.s.render(INSP_VIEW_PARALLEL).find("not listed"), std::string::npos);
}

// A lock in the heap is looked for from the stacks of those who have to do with it.
void look_in_heap(FakeHost *host)
{
    host->facts = true;
    host->regions = {{kLockA, kLockA + 8, INSP_MEMORY_HEAP, 0}};
    for (int64_t lwp = 100; lwp < 104; lwp++)
        host->frames[lwp] = {{0x500000, "wait", "", 0, "/apps/u/mixed"},
                             {0x401210, "inner", "", 0, "/apps/u/mixed"},
                             {0x401230, "outer", "", 0, "/apps/u/mixed"}};
}

TEST(Threads, WaitersAndOwnerNameALock)
{
    Taken t(true);
    look_in_heap(&t.s.host);
    t.s.host.locals[{102, 2}] = {{"mine", 7, kLockA, true}};
    t.s.host.types[7] = {INSP_TYPE_POINTER, "", 8, 8};
    t.s.host.types[8] = {INSP_TYPE_STRUCT, "Grid", 8, 0, {}, {{"lock", 1, 0}}};
    t.s.host.types[1] = {INSP_TYPE_ALIAS, "omp_lock_t", 4};
    std::reverse(t.s.host.threads.begin(), t.s.host.threads.end());
    ompdx_thread_info_t *third = &t.s.model->threads[2];
    third->state = ompt_state_wait_lock;
    third->wait_kind = ompdx_wait_lock;
    third->wait_id = kLockA;
    third->wait_codeptr = 0x401230;
    third->owner_kind = ompdx_owner_thread;
    third->owner_pthread = 0x7000;
    ASSERT_TRUE(t.take());
    // Once each; the lowest LWP first, whatever the order of the list; each from its own call on, the owner
    // from anywhere.
    EXPECT_EQ(t.s.host.unwound, (std::vector<int64_t>{101, 102, 100}));
    EXPECT_EQ(t.s.host.looked, (std::vector<std::pair<uint64_t, uint32_t>>{{101, 1}, {101, 2}, {102, 2}}));
    for (int i = 0; i < t.snap->thread_count; i++)
        if (t.snap->threads[i].wait.id == kLockA) {
            EXPECT_STREQ(t.snap->threads[i].wait.name, "mine->lock");
        }
}

// On the stack of the program's first thread are the functions around all constructs.
// Names of threads at each stop have none of a lock: no stack is looked at for it.
TEST(Threads, WithoutNamesNoneIsLookedFor)
{
    Taken t(true);
    look_in_heap(&t.s.host);
    ASSERT_TRUE(t.take(INSP_THREADS | INSP_UNNAMED));
    EXPECT_EQ(t.s.host.asked, 0u);
    EXPECT_TRUE(t.s.host.unwound.empty());
    for (int i = 0; i < t.snap->thread_count; i++)
        EXPECT_EQ(t.snap->threads[i].wait.name, nullptr);
    ASSERT_TRUE(t.take(INSP_THREADS));
    EXPECT_NE(t.s.host.asked, 0u);
}

TEST(Threads, TheFirstThreadIsAskedForALocksNameToo)
{
    Taken t(true);
    look_in_heap(&t.s.host);
    for (ompdx_thread_info_t &one : t.s.model->threads)
        if (one.wait_id == kLockA)
            one.owner_kind = ompdx_owner_none;
    ASSERT_TRUE(t.take());
    EXPECT_EQ(t.s.host.looked,
              (std::vector<std::pair<uint64_t, uint32_t>>{{101, 1}, {101, 2}, {100, 0}, {100, 1}, {100, 2}}));
    for (int i = 0; i < t.snap->thread_count; i++)
        if (t.snap->threads[i].wait.id == kLockA) {
            EXPECT_STREQ(t.snap->threads[i].wait.name, "(in the heap)");
        }
}

TEST(Threads, RunningOnesAreNotAsked)
{
    Taken t(true);
    t.s.host.threads[3].running = 1;
    ASSERT_TRUE(t.take());
    EXPECT_FALSE(t.snap->complete);
    EXPECT_FALSE(t.snap->threads[3].openmp);
    EXPECT_TRUE(has_unknown(t.snap->threads[3], "openmp"));
    EXPECT_TRUE(t.snap->threads[2].openmp);
    bool bracket = true;
    for (int i = 0; i < t.snap->runtimes[0].ability_count; i++)
        if (!strcmp(t.snap->runtimes[0].abilities[i].what, "one consistent reading of memory"))
            bracket = t.snap->runtimes[0].abilities[i].available;
    EXPECT_FALSE(bracket); // the promise that nothing runs cannot be given
}

TEST(Threads, OnlyThreadsAskForLittle)
{
    Taken t(true);
    ASSERT_TRUE(t.take(INSP_THREADS));
    EXPECT_EQ(t.snap->region_count, 0);
    EXPECT_EQ(t.snap->task_count, 0);
    EXPECT_EQ(t.snap->icv_count, 0);
    EXPECT_EQ(t.snap->threads[2].wait.missing_count, 3);
}

TEST(Threads, StateOfTheLibrarysOwn)
{
    for (bool extensions : {true, false}) {
        Taken t(extensions);
        t.s.model->threads[3].state = 0x200;
        ASSERT_TRUE(t.take());
        EXPECT_EQ(t.snap->threads[3].state, MDL_STATE_OTHER);
        EXPECT_STREQ(t.snap->threads[3].other_state, "fake_own");
    }
}

// gcc jumps to a barrier that is the last thing its function does: the barrier returns into the runtime.
TEST(Threads, CallThatReturnsIntoTheRuntime)
{
    Taken t(true);
    t.s.host.places[kBase + 0x100] = {"call_gomp", "/src/team.c", 503, 0x100};
    t.s.model->threads[2].wait_codeptr = kBase + 0x120;
    ASSERT_TRUE(t.take());
    const mdl_place &at = t.snap->threads[2].wait.at;
    EXPECT_EQ(t.snap->threads[2].wait.kind, MDL_WAIT_BARRIER);
    EXPECT_EQ(at.file, nullptr); // the task's code is all that is known
    EXPECT_EQ(at.module, nullptr);
    EXPECT_STREQ(t.snap->threads[0].wait.at.function, "work");
}

TEST(Threads, IdleOnes)
{
    Taken t(true);
    ompdx_thread_info_t *i = &t.s.model->threads[3];
    i->region = i->task = 0;
    i->state = ompt_state_idle;
    i->thread_num = i->team_size = i->level = i->active_level = -1;
    ASSERT_TRUE(t.take());
    EXPECT_TRUE(t.snap->threads[3].openmp);
    EXPECT_EQ(t.snap->threads[3].region, 0u);
    EXPECT_EQ(t.snap->threads[3].state, MDL_STATE_IDLE);
    EXPECT_TRUE(t.snap->complete);
}

TEST(Standard, IdsAndTrees)
{
    Taken t(false);
    ASSERT_TRUE(t.take());
    EXPECT_TRUE(t.snap->complete);
    ASSERT_EQ(t.snap->region_count, 3);
    EXPECT_EQ(t.snap->regions[0].kind, MDL_REGION_INITIAL);
    EXPECT_EQ(t.snap->regions[1].parent, 1u);
    EXPECT_EQ(t.snap->regions[1].member_count, 4);
    EXPECT_EQ(t.snap->regions[1].members[3].lwp, 103);
    // 2, 12, 13, 14, 15, 18, 20; the queued ones are unknown to the standard.
    ASSERT_EQ(t.snap->task_count, 7);
    EXPECT_EQ(t.snap->tasks[6].kind, MDL_TASK_EXPLICIT);
    EXPECT_EQ(t.snap->tasks[6].generator, 6u);
    EXPECT_EQ(t.snap->tasks[6].lwp, 103);
    EXPECT_EQ(t.snap->tasks[5].state, MDL_TASK_SUSPENDED);
    EXPECT_EQ(t.snap->tasks[4].state, MDL_TASK_STATE_UNKNOWN);
    EXPECT_TRUE(has_unknown(t.snap->threads[0], "wait.owner_lwp"));
    EXPECT_TRUE(has_unknown(t.snap->threads[2], "wait.arrived"));
}

TEST(Runtimes, TwoInOneProcess)
{
    Taken t(true);
    t.s.host.put_runtime(kBase + 0x1000000, "/opt/other/libompcompanion.so.1.0.0", kTable + 0x1000000, true);
    ASSERT_TRUE(t.take());
    ASSERT_EQ(t.snap->runtime_count, 2);
    EXPECT_EQ(t.snap->regions[0].runtime, 1);
    EXPECT_EQ(t.snap->regions[3].runtime, 2);
    EXPECT_EQ(t.snap->regions[3].id, 1u);
    EXPECT_EQ(mdl_region_by_id(t.snap, 2, 3), &t.snap->regions[4]);
    EXPECT_EQ(t.snap->threads[0].runtime, 1);
    EXPECT_EQ(t.s.model->in_bracket, 0);
}

TEST(Runtimes, IcvsOfAThreadOfBoth)
{
    Taken t(true);
    t.s.host.put_runtime(kBase + 0x1000000, "/opt/other/libompcompanion.so.1.0.0", kTable + 0x1000000, true);
    ASSERT_TRUE(t.take());
    ASSERT_EQ(t.snap->threads[t.snap->current].runtime, 1); // its row is the first runtime's
    int of_second = 0;
    for (int i = 0; i < t.snap->icv_count; i++) {
        const mdl_icv &icv = t.snap->icvs[i];
        EXPECT_NE(icv.value, nullptr) << icv.runtime << " " << icv.name << ": " << icv.why;
        if (icv.of == MDL_ICV_OF_TASK) {
            EXPECT_EQ(icv.of_id, 13) << icv.name;
        }
        of_second += icv.runtime == 2;
    }
    EXPECT_EQ(of_second, t.snap->icv_count / 2);
}

TEST(Runtimes, IcvsOfAThreadOfNone)
{
    Taken t(true);
    t.s.host.threads[1].is_current = 0;
    t.s.host.threads[4].is_current = 1;
    ASSERT_TRUE(t.take());
    for (int i = 0; i < t.snap->icv_count; i++)
        if (t.snap->icvs[i].of != MDL_ICV_OF_PROCESS) {
            EXPECT_STREQ(t.snap->icvs[i].why, "the thread is not one of this runtime's");
        }
}

const char *reason(const mdl_thread &t, const char *field)
{
    for (int i = 0; i < t.unknown_count; i++)
        if (!strcmp(t.unknown[i].field, field))
            return t.unknown[i].reason;
    return "";
}

// A libgomp in place of Companion, of which the OMPD library has no numbers of its own: an id is an address.
struct Stock : Taken {
    static constexpr uint64_t kRegion = 0x7f5500001000, kTask = 0x7f5500002000, kGroup = 0x7f5500003000;
    Stock() : Taken(true)
    {
        fake_model *m = s.model.get();
        s.host.modules.resize(3);
        s.host.modules.push_back({0x7d0000000000, "/usr/lib/libgomp.so.1"});
        s.host.memory[0x7d0000000000] = std::vector<uint8_t>(4096);
        m->info.kind = "libgomp";
        m->info.found_how = "row by build-id";
        m->info.row = "gomp-12.2.0";
        m->info.build_id = "3856f0954e19";
        m->info.flags = ompdx_runtime_ids_of_stop;
        m->info.lacks[ompdx_ability_owners] = "libgomp does not record who holds a lock";
        // The addresses fall as the numbers rise.
        auto region = [](uint64_t *id) { *id = *id ? kRegion - *id * 64 : 0; };
        auto task = [](uint64_t *id) { *id = *id ? kTask - *id * 64 : 0; };
        for (int i = 0; i < m->region_count; i++) {
            region(&m->regions[i].info.id);
            region(&m->regions[i].info.parent);
            task(&m->regions[i].info.parent_task);
        }
        for (int i = 0; i < m->task_count; i++) {
            auto *info = &m->tasks[i].info;
            task(&info->id);
            region(&info->region);
            task(&info->generator);
            task(&info->scheduled_over);
            for (int k = 0; k < m->tasks[i].pred_count; k++)
                task(&m->tasks[i].preds[k]);
        }
        m->tasks[7].info.taskgroup = kGroup;
        for (int i = 0; i < m->thread_count; i++) {
            region(&m->threads[i].region);
            task(&m->threads[i].task);
            region(&m->threads[i].wait_object);
        }
    }
};

// A layout that was read from code alone has no queues: the list of tasks is not whole, and says so.
TEST(Stock, TasksThatTheLayoutCannotReachAreToldOf)
{
    Stock t;
    t.s.model->info.lacks[ompdx_ability_tasks] = "the layout of its queues is not known";
    ASSERT_TRUE(t.take());
    EXPECT_FALSE(t.snap->tasks_known);
    ASSERT_EQ(t.snap->problem_count, 1);
    EXPECT_STREQ(t.snap->problems[0].what, "not all tasks are known");
    EXPECT_STREQ(t.snap->problems[0].why, "the layout of its queues is not known");
}

TEST(Stock, IdsAreSmallNumbers)
{
    Stock t;
    ASSERT_TRUE(t.take());
    ASSERT_EQ(t.snap->runtime_count, 1);
    EXPECT_TRUE(t.snap->runtimes[0].ids_of_stop);
    EXPECT_STREQ(t.snap->runtimes[0].row, "gomp-12.2.0");
    EXPECT_EQ(t.snap->runtimes[0].layout_major, -1);
    ASSERT_EQ(t.snap->region_count, 3);
    for (int i = 0; i < 3; i++) {
        EXPECT_EQ(t.snap->regions[i].id, static_cast<uint64_t>(i + 1));
        EXPECT_EQ(t.snap->regions[i].level, i);
        EXPECT_EQ(t.snap->regions[i].parent, static_cast<uint64_t>(i));
        EXPECT_NE(t.snap->regions[i].serial, 0u);
    }
    EXPECT_EQ(t.snap->threads[0].region, 2u);
    EXPECT_EQ(t.snap->threads[3].region, 3u);
    EXPECT_EQ(t.snap->threads[2].wait.object, 2u);
    EXPECT_EQ(t.snap->threads[2].wait.missing_count, 3);
    ASSERT_EQ(t.snap->task_count, 9);
    // The initial one, the team's four by their threads, two explicit ones in a queue, the inner region's.
    const mdl_task *tasks = t.snap->tasks;
    EXPECT_EQ(tasks[0].kind, MDL_TASK_INITIAL);
    for (int i = 1; i < 5; i++) {
        EXPECT_EQ(tasks[i].thread_num, i - 1);
        EXPECT_EQ(tasks[i].generator, 1u);
        EXPECT_EQ(t.snap->threads[i - 1].task, i < 4 ? static_cast<uint64_t>(i + 1) : 9u);
    }
    EXPECT_EQ(tasks[5].kind, MDL_TASK_EXPLICIT);
    EXPECT_EQ(tasks[6].kind, MDL_TASK_EXPLICIT);
    EXPECT_EQ(tasks[5].taskgroup + tasks[6].taskgroup, 1u);
    const mdl_task &blocked = tasks[5].state == MDL_TASK_BLOCKED ? tasks[5] : tasks[6];
    ASSERT_EQ(blocked.depends_count, 1);
    EXPECT_EQ(blocked.depends_on[0], &blocked == &tasks[5] ? 7u : 6u);
    EXPECT_EQ(tasks[8].scheduled_over, 8u);
    for (int i = 0; i < t.snap->icv_count; i++) {
        EXPECT_LT(t.snap->icvs[i].of_id, 200) << t.snap->icvs[i].name;
    }
    EXPECT_EQ(insp_thread_value(t.snap, 101, "region"), 2);
}

// What is asked for must not change the numbers.
TEST(Stock, ThreadsAloneHaveTheSameNumbers)
{
    Stock t;
    ASSERT_TRUE(t.take(INSP_THREADS));
    EXPECT_EQ(t.snap->threads[0].region, 2u);
    EXPECT_EQ(t.snap->threads[3].region, 3u);
    EXPECT_EQ(t.snap->threads[3].task, 9u);
    EXPECT_EQ(t.snap->region_count, 0);
    ASSERT_TRUE(t.take(INSP_THREADS | INSP_MOVING));
    EXPECT_EQ(t.snap->threads[0].region, 0u);
    EXPECT_TRUE(has_unknown(t.snap->threads[0], "region"));
    EXPECT_EQ(t.snap->threads[0].thread_num, 0);
}

TEST(Stock, ReasonsOfFacts)
{
    Stock t;
    const char why[] = "the team's record contradicts itself";
    ompdx_thread_info_t *m = t.s.model->threads;
    for (int fact : {ompdx_fact_thread_num, ompdx_fact_team_size, ompdx_fact_level, ompdx_fact_state,
                     ompdx_fact_wait_kind})
        m[3].unknown[fact] = why;
    m[0].unknown[ompdx_fact_wait_id] = why;
    m[0].unknown[ompdx_fact_owner] = "libgomp does not record who holds a lock";
    m[0].owner_kind = ompdx_owner_unknown;
    ASSERT_TRUE(t.take());
    const mdl_thread *row = t.snap->threads;
    EXPECT_EQ(row[3].thread_num, -1);
    EXPECT_EQ(row[3].team_size, -1);
    EXPECT_EQ(row[3].level, -1);
    EXPECT_EQ(row[3].state, MDL_STATE_UNKNOWN);
    EXPECT_EQ(row[3].wait.kind, MDL_WAIT_NONE);
    for (const char *field : {"thread_num", "team_size", "level", "state", "wait.kind"})
        EXPECT_STREQ(reason(row[3], field), why) << field;
    EXPECT_EQ(row[0].wait.id, 0u);
    EXPECT_EQ(row[0].wait.name, nullptr);
    EXPECT_STREQ(reason(row[0], "wait.id"), why);
    EXPECT_STREQ(reason(row[0], "wait.owner_lwp"), "libgomp does not record who holds a lock");
}

// Frames of a thread in the body of a region, called by the runtime.
std::vector<FakeHost::Frame> in_body(uint64_t body)
{
    const std::string gomp = "/usr/lib/libgomp.so.1";
    return {{0x401210, "work", "", 0, "/apps/u/mixed"},
            {body + 0x10, "main.omp_outlined", "", 0, "/apps/u/mixed"},
            {0x7d0000000800, "GOMP_parallel", "", 0, gomp},
            {0x7d0000000900, "", "", 0, gomp}};
}

// libgomp does not record the code of a region: it is found on a worker's stack, and not taken from a task's.
TEST(Stock, CodeOfARegionIsOnAWorkersStack)
{
    Stock t;
    fake_model *m = t.s.model.get();
    m->regions[1].info.function = m->regions[1].info.source = m->regions[1].info.codeptr = 0;
    ASSERT_TRUE(t.take());
    EXPECT_EQ(t.snap->regions[1].entry, 0u);
    ASSERT_GT(t.snap->regions[1].unknown_count, 0);
    EXPECT_STREQ(t.snap->regions[1].unknown[0].field, "entry");
    t.s.host.frames[102] = in_body(kFunction);
    ASSERT_TRUE(t.take());
    EXPECT_EQ(t.snap->regions[1].entry, kFunction);
    EXPECT_EQ(t.snap->regions[1].place.line, 15);
    // Two bodies: the inner one may be a task's.
    auto twice = in_body(0x401400);
    for (const auto &frame : in_body(kFunction))
        twice.push_back(frame);
    t.s.host.frames[102] = twice;
    ASSERT_TRUE(t.take());
    EXPECT_EQ(t.snap->regions[1].entry, 0u);
    // The body of an explicit task, which the thread runs at the region's end.
    t.s.host.frames[102] = in_body(0x401400);
    m->tasks[3].info.flags = 4;
    ASSERT_TRUE(t.take());
    EXPECT_EQ(t.snap->regions[1].entry, 0u);
}

// A worker that has created a region inside of its own has both bodies on its stack.
TEST(Stock, CodeOfNestedRegionsIsOnOneStack)
{
    Stock t;
    fake_model *m = t.s.model.get();
    for (int i : {1, 2})
        m->regions[i].info.function = m->regions[i].info.source = m->regions[i].info.codeptr = 0;
    m->threads[3].task = m->tasks[5].info.id;
    auto twice = in_body(0x401400);
    for (const auto &frame : in_body(kFunction))
        twice.push_back(frame);
    t.s.host.frames[103] = twice;
    ASSERT_TRUE(t.take());
    EXPECT_EQ(t.snap->regions[1].entry, kFunction);
    EXPECT_EQ(t.snap->regions[2].entry, 0x401400u);
    // One body for two regions: of which it is cannot be told.
    t.s.host.frames[103] = in_body(kFunction);
    ASSERT_TRUE(t.take());
    EXPECT_EQ(t.snap->regions[1].entry, 0u);
    EXPECT_EQ(t.snap->regions[2].entry, 0u);
}

TEST(Stock, WhatItLacksIsSaid)
{
    Stock t;
    std::string text = t.s.render(INSP_VIEW_STATUS);
    EXPECT_NE(text.find("libgomp does not record who holds a lock"), std::string::npos) << text;
    EXPECT_NE(text.find("gomp-12.2.0"), std::string::npos) << text;
    EXPECT_NE(text.find("build-id 3856f095"), std::string::npos) << text;
    EXPECT_EQ(text.find("Layout format"), std::string::npos) << text;
}

TEST(Query, IdsAndValues)
{
    Taken t(true);
    uint64_t ids[4] = {};
    ASSERT_TRUE(t.take());
    EXPECT_EQ(insp_ids(t.snap, 'r', ids, 4), 3);
    EXPECT_EQ(ids[2], 5u);
    EXPECT_EQ(ids[3], 0u);
    EXPECT_EQ(insp_ids(t.snap, 't', ids, 2), 9);
    EXPECT_EQ(insp_ids(t.snap, 'x', ids, 2), 0);
    EXPECT_EQ(insp_ids(nullptr, 'r', ids, 2), 0);
    EXPECT_EQ(insp_thread_value(t.snap, 101, "thread_num"), 1);
    EXPECT_EQ(insp_thread_value(t.snap, 101, "team_size"), 4);
    EXPECT_EQ(insp_thread_value(t.snap, 103, "level"), 2);
    EXPECT_EQ(insp_thread_value(t.snap, 103, "region"), 5);
    EXPECT_EQ(insp_thread_value(t.snap, 103, "task"), 20);
    EXPECT_EQ(insp_thread_value(t.snap, 104, "task"), -1);
    EXPECT_EQ(insp_thread_value(t.snap, 999, "task"), -1);
    EXPECT_EQ(insp_thread_value(t.snap, 101, "colour"), -1);
}

} // namespace
