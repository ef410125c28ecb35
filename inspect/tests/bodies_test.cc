// SPDX-License-Identifier: Apache-2.0
// Bodies of constructs that clang up to 17 gives no name: whose they are, in regions, tasks and stacks.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "inspect/model/model.h"
#include "inspect/tests/scenario.h"

namespace
{

constexpr uint64_t kDebugBody = 0x401800, kTaskEntry = 0x401400, kTaskBody = 0x401900, kSolve = 0x401a00;
constexpr uint64_t kRuntime = kTable + 0x900;

struct Bodies : testing::Test {
    Scenario s{true};
    insp_snapshot *snap = nullptr;

    void SetUp() override
    {
        s.host.places[kFunction] = {".omp_outlined.", "/src/mixed.c", 14, 0x10};
        s.host.places[kDebugBody] = {".omp_outlined._debug__", "/src/mixed.c", 15, 0x100};
        s.host.places[kTaskBody] = {".omp_outlined..2", "/src/mixed.c", 31, 0x100};
        s.host.places[kSolve] = {"_Z5solveIiEvT_", "/src/mixed.c", 12, 0x100};
        region(3).codeptr = kSolve + 0x10;
        s.open();
    }
    void TearDown() override { insp_free(snap); }

    ompdx_parallel_info_t &region(uint64_t id)
    {
        int i = 0;
        while (s.model->regions[i].info.id != id)
            i++;
        return s.model->regions[i].info;
    }
    ompdx_task_info_t &task(uint64_t id)
    {
        int i = 0;
        while (s.model->tasks[i].info.id != id)
            i++;
        return s.model->tasks[i].info;
    }
    insp_snapshot *take(unsigned want = INSP_ALL | INSP_STACKS)
    {
        insp_free(snap);
        return snap = insp_take(s.session, want, nullptr);
    }
    std::string function_of_region(uint64_t id)
    {
        const char *name = mdl_region_by_id(snap, 1, id)->place.function;
        return name ? name : "(none)";
    }
    std::string function_of_task(uint64_t id)
    {
        const char *name = mdl_task_by_id(snap, 1, id)->place.function;
        return name ? name : "(none)";
    }
    // "function:line", innermost first; of the runtime's frames "(runtime)".
    std::vector<std::string> stack(int64_t lwp)
    {
        const mdl_thread *t = mdl_thread_by_lwp(snap, lwp);
        std::vector<std::string> lines;
        for (int i = 0; i < t->frame_count; i++) {
            const mdl_frame &f = t->frames[i];
            lines.push_back(f.code == INSP_CODE_OPENMP
                                ? "(runtime)"
                                : std::string(f.place.function ? f.place.function : "(none)") + ":" +
                                      std::to_string(f.place.line));
        }
        return lines;
    }
    // A task that is run at a barrier of the region's body, by the thread that has made the region.
    void deep_stack(int64_t lwp)
    {
        s.host.frames[lwp] = {
            {0x401210, "work", "/src/mixed.c", 21, ""},
            {kTaskBody + 0x21, ".omp_outlined..2", "/src/mixed.c", 32, ""},
            {kTaskEntry + 0x11, ".omp_task_entry.", "/src/mixed.c", 30, ""},
            {kRuntime + 1, "rt_run", "", 0, ""},
            {kDebugBody + 0x31, ".omp_outlined._debug__", "/src/mixed.c", 17, ""},
            {kFunction + 0x9, ".omp_outlined.", "/src/mixed.c", 14, ""},
            {kRuntime + 9, "rt_fork", "", 0, ""},
            {kSolve + 0x10, "_Z5solveIiEvT_", "/src/mixed.c", 14, ""},
        };
    }
};

using Lines = std::vector<std::string>;

TEST_F(Bodies, IdentStringsSayWhoseTheyAre)
{
    s.host.put(kSource, ";mixed.c;solve;14;3;;");
    take();
    EXPECT_EQ(function_of_region(3), "solve<int>"); // what calls it tells the arguments too
    region(3).codeptr = 0x401210;
    take();
    EXPECT_EQ(function_of_region(3), "solve"); // inlined into work
}

TEST_F(Bodies, WithoutIdentStringsTheCallTells)
{
    region(3).source = 0;
    task(20).function = kTaskEntry;
    task(20).source = 0;
    task(20).codeptr = kDebugBody + 0x20; // in the region's body
    task(21).function = kTaskEntry;
    task(21).source = 0;
    task(21).codeptr = 0x401220; // in a function that the body calls
    take();
    EXPECT_EQ(function_of_region(3), "solve<int>");
    EXPECT_EQ(function_of_task(12), "solve<int>");
    EXPECT_EQ(function_of_task(21), "work");
    EXPECT_EQ(function_of_task(20), "(none)"); // its region's body is not known
    region(5).function = kFunction;
    region(5).codeptr = kDebugBody + 0x40;
    take();
    EXPECT_EQ(function_of_region(5), "solve<int>");
    EXPECT_EQ(function_of_task(20), "solve<int>");
}

TEST_F(Bodies, FramesOfOneBodyAreOne)
{
    s.host.put(kSource, ";mixed.c;solve;14;3;;");
    s.model->threads[0].task = 21;
    task(21).function = kTaskEntry;
    task(21).source = kSource;
    task(21).codeptr = kSolve + 0x20;
    task(21).scheduled_over = 12;
    task(12).function = kFunction;
    deep_stack(100);
    take();
    EXPECT_EQ(stack(100), (Lines{"work:21", "solve<int>:32", "(runtime)", "solve<int>:17", "(runtime)",
                                 "solve<int>:14"}));
    const mdl_frame &f = mdl_thread_by_lwp(snap, 100)->frames[1];
    EXPECT_STREQ(f.symbol, ".omp_task_entry.");
    EXPECT_EQ(f.pc, kTaskBody + 0x21);
    EXPECT_FALSE(f.inlined);
}

TEST_F(Bodies, ABodyOutsideOfTheChainHasTheFunctionOfOthersWithIt)
{
    // libgomp and libomp do not say which task a thread has left for the one that it runs.
    s.host.put(kSource, ";mixed.c;solve;14;3;;");
    s.model->threads[0].task = 12;
    task(12).function = kFunction;
    task(21).function = kTaskEntry;
    task(21).source = kSource;
    task(21).codeptr = kSolve + 0x20;
    deep_stack(100);
    take();
    EXPECT_EQ(stack(100)[1], "solve<int>:32");
}

TEST_F(Bodies, AWaitInABodyHasItsFunction)
{
    s.host.put(kSource, ";mixed.c;solve;14;3;;");
    s.host.frames[100] = {
        {kRuntime + 9, "rt_wait", "", 0, ""},
        {kFunction + 0x9, ".omp_outlined.", "/src/mixed.c", 14, ""},
        {kRuntime + 9, "rt_fork", "", 0, ""},
        {kSolve + 0x10, "_Z5solveIiEvT_", "/src/mixed.c", 14, ""},
    };
    s.model->threads[0].wait_codeptr = kFunction + 0x9;
    for (unsigned want : {INSP_ALL | INSP_STACKS, INSP_ALL | INSP_ACTIVITY}) {
        take(want);
        const mdl_wait &w = mdl_thread_by_lwp(snap, 100)->wait;
        ASSERT_TRUE(w.kind);
        EXPECT_STREQ(w.at.function, "solve<int>");
        EXPECT_EQ(w.at.line, 14);
    }
}

TEST_F(Bodies, WithoutRegionsOnlyTheCallersOwnIsKnown)
{
    deep_stack(100);
    take(INSP_THREADS | INSP_STACKS);
    EXPECT_EQ(stack(100),
              (Lines{"work:21", "(none):32", "(runtime)", "solve<int>:17", "(runtime)", "solve<int>:14"}));
    // A worker's body is called by no function of the program.
    s.host.frames[100].pop_back();
    take(INSP_THREADS | INSP_STACKS);
    EXPECT_EQ(stack(100), (Lines{"work:21", "(none):32", "(runtime)", "(none):17", "(runtime)"}));
}

TEST_F(Bodies, ABodyThatIsCalledByAnotherOneStaysAFrame)
{
    // #pragma omp parallel if(0) within a region: clang calls the inner body at once.
    s.host.frames[100] = {
        {kTaskBody + 0x21, ".omp_outlined..2", "/src/mixed.c", 32, ""},
        {kDebugBody + 0x31, ".omp_outlined._debug__", "/src/mixed.c", 17, ""},
        {kFunction + 0x9, ".omp_outlined.", "/src/mixed.c", 14, ""},
        {kRuntime + 9, "rt_fork", "", 0, ""},
        {kSolve + 0x10, "_Z5solveIiEvT_", "/src/mixed.c", 14, ""},
    };
    take(INSP_THREADS | INSP_STACKS);
    EXPECT_EQ(stack(100), (Lines{"solve<int>:32", "solve<int>:17", "(runtime)", "solve<int>:14"}));
}

TEST_F(Bodies, NewerCompilersNameThem)
{
    s.host.places[kFunction] = {"_Z5solveIiEvT_.omp_outlined", "/src/mixed.c", 14, 0x10};
    s.host.frames[100] = {
        {kDebugBody + 0x31, "_Z5solveIiEvT_.omp_outlined_debug__", "/src/mixed.c", 17, ""},
        {kFunction + 0x9, "_Z5solveIiEvT_.omp_outlined", "/src/mixed.c", 14, ""},
        {kRuntime + 9, "rt_fork", "", 0, ""},
    };
    take();
    EXPECT_EQ(stack(100), (Lines{"solve<int>:17", "(runtime)"}));
    EXPECT_EQ(function_of_region(3), "solve<int>");
}

TEST_F(Bodies, AWrapperHasACaller)
{
    const uint64_t wait = s.model->threads[0].wait_codeptr;
    auto caller = [&](const FakeHost::Frame &wrapper, const FakeHost::Frame &outside) {
        s.host.frames[100] = {{kRuntime + 1, "omp_set_lock", "", 0, ""},
                              wrapper,
                              outside,
                              {kSolve + 0x30, "main", "/src/mixed.c", 19, ""}};
        take();
        const mdl_place &p = mdl_thread_by_lwp(snap, 100)->wait.caller;
        return p.function ? std::string(p.function) + ":" + std::to_string(p.line) : "(none)";
    };
    const FakeHost::Frame phase = {kSolve + 0x10, "_Z5phasei", "/src/mixed.c", 15, ""};

    EXPECT_EQ(caller({wait, "_ZN5GuardC2ER10omp_lock_t", "/src/mixed.c", 7, ""}, phase), "phase:15");
    EXPECT_EQ(caller({wait, "_ZN5GuardD1Ev", "/src/mixed.c", 7, ""}, phase), "phase:15");
    EXPECT_EQ(caller({wait, "_ZN2ns5GuardIiEC1Ev", "/src/mixed.c", 7, ""}, phase), "phase:15");
    EXPECT_EQ(
        caller({wait, "_ZN4Lock4lockEv", "/src/mixed.c", 7, ""},
               {kSolve, "_ZNSt10lock_guardI4LockEC1ERS0_", "/usr/include/c++/12/bits/std_mutex.h", 229, ""}),
        "main:19");
    EXPECT_EQ(caller({wait, "_ZN4Lock4lockEv", "/src/mixed.c", 7, ""}, phase), "(none)");
    EXPECT_EQ(caller({wait, "work", "/src/mixed.c", 7, ""}, phase), "(none)");
}

} // namespace
