// SPDX-License-Identifier: Apache-2.0
// One hand-built snapshot for each sort of verdict, and its sentence.
#include <gtest/gtest.h>

#include "inspect/tests/hand.h"

namespace
{

TEST(Sentence, CrossedLocks)
{
    Hand h(2);
    h.Mutex(0, "lock", "b", 1, 21);
    h.Mutex(1, "lock", "a", 0, 30);
    EXPECT_EQ(h.Verdict(),
              "deadlock: Deadlock: thread 1 (LWP 100) holds lock a and waits for lock b at solve.c:21; "
              "thread 2 (LWP 101) holds lock b and waits for lock a at solve.c:30.");
    h.s->moving = true;
    EXPECT_EQ(h.Verdict().find("suspected: Suspected deadlock: "), 0u);
    EXPECT_NE(h.Verdict().find(" This is not proved: the process kept running while it was read."),
              std::string::npos);
}

// Whatever a moving picture shows: no sentence is that of a stopped one.
TEST(Sentence, NothingIsCertainOfAMovingPicture)
{
    Hand barrier(4), busy(3), crossed(3);
    for (int i : {0, 1, 3})
        barrier.Barrier(i, 88, {2});
    crossed.Mutex(0, "lock", "b", 1, 21);
    crossed.Mutex(1, "lock", "a", 0, 30);
    crossed.Mutex(2, "lock", "a", 0, 30);
    for (Hand *h : {&barrier, &busy, &crossed}) {
        std::string still = h->Verdict(), moving;
        h->s->moving = true;
        moving = h->Verdict();
        EXPECT_TRUE(moving.find("Not certain, because the process kept running while it was read: ") !=
                        std::string::npos ||
                    moving.find("This is not proved: the process kept running while it was read.") !=
                        std::string::npos)
            << moving;
        EXPECT_EQ(moving.find("waits for ever"), std::string::npos) << moving;
        EXPECT_EQ(moving.find("No deadlock:"), std::string::npos) << moving;
    }
    EXPECT_EQ(busy.Verdict(), "none: Not certain, because the process kept running while it was read: no "
                              "deadlock: 3 threads compute.");
}

// Not stopped, it is not known whether a thread sleeps at the end of its region or is on its way out.
TEST(Sentence, BarrierLeftOutInAMovingPicture)
{
    Hand h(2);
    for (int i = 0; i < 2; i++) {
        h.Barrier(i, 0, {1});
        h.s->threads[i].wait.barrier = MDL_BARRIER_REGION_END;
        h.s->threads[i].asleep = -1;
        h.s->threads[i].wait.lasts = false;
    }
    h.s->moving = true;
    EXPECT_EQ(h.Verdict(),
              "unknown: It cannot be said whether this is a deadlock: whether a thread has left its barrier "
              "already is not known.");
}

TEST(Sentence, CircleOfThreeThroughACritical)
{
    Hand h(3);
    h.Mutex(0, "critical", "log", 1, 21);
    h.Mutex(1, "lock", "a", 2, 30);
    h.Mutex(2, "nest_lock", "n", 0, 40);
    EXPECT_EQ(h.Verdict(),
              "deadlock: Deadlock: thread 1 (LWP 100) holds nest lock n and waits for critical 'log' at "
              "solve.c:21; thread 2 (LWP 101) holds critical 'log' and waits for lock a at solve.c:30; "
              "thread 3 (LWP 102) holds lock a and waits for nest lock n at solve.c:40.");
}

TEST(Sentence, TwoRuntimes)
{
    Hand h(2);
    h.Mutex(0, "lock", "b", 1, 21);
    h.Mutex(1, "lock", "a", 0, 30);
    h.s->threads[1].runtime = 2;
    EXPECT_NE(h.Verdict().find("suspected: "), std::string::npos);
    EXPECT_NE(h.Verdict().find("two OpenMP runtimes are involved."), std::string::npos);
}

TEST(Sentence, OwnerHasEnded)
{
    Hand h(2);
    h.Mutex(0, "lock", "b", -2, 21);
    EXPECT_EQ(h.Verdict(),
              "stuck: Stuck: thread 1 (LWP 100) waits for lock b at solve.c:21, and the thread that holds "
              "it has ended.");
}

TEST(Sentence, BarrierInACritical)
{
    Hand h(2);
    h.Barrier(0, 88, {1});
    h.Mutex(1, "critical", "log", 0, 86);
    EXPECT_EQ(h.Verdict(),
              "deadlock: Deadlock: thread 1 (LWP 100) holds critical 'log' and waits at the barrier at "
              "solve.c:88 for thread 2 (LWP 101); thread 2 waits for critical 'log' at solve.c:86.");
    h.s->complete = false;
    EXPECT_NE(h.Verdict().find("This is not proved: not everything could be read."), std::string::npos);
}

TEST(Sentence, BarrierLeftOut)
{
    Hand h(3);
    h.Barrier(0, 88, {});
    h.Barrier(1, 88, {});
    h.Barrier(2, 0, {});
    h.s->threads[2].wait.barrier = MDL_BARRIER_REGION_END;
    // As long as a cancellation may have sent thread 3 there, the others may be let go.
    EXPECT_EQ(h.Verdict().find("suspected: "), 0u);
    EXPECT_NE(h.Verdict().find(" This is not proved: the region may have been cancelled."),
              std::string::npos);
    h.s->runtimes[0].cancellation = 0;
    EXPECT_EQ(
        h.Verdict(),
        "deadlock: Deadlock: thread 1 (LWP 100) waits at the barrier at solve.c:88 for thread 3 (LWP 102); "
        "thread 3 skipped the barrier at solve.c:88 and is at the end of its region (solve.c:80), where it "
        "waits for thread 1. 1 more thread also waits forever. Of the team of 3, 2 are at the barrier at "
        "solve.c:88 and 1 is at the end of the region.");
    // One that has been let go, and has not noticed, is no contradiction.
    h.Barrier(0, 88, {0, 1});
    h.Barrier(1, 88, {0, 1});
    EXPECT_EQ(h.Verdict(), "none: No deadlock: 3 threads wait and can go on.");
}

TEST(Sentence, BarrierThatNothingKeepsClosed)
{
    Hand h(2);
    h.Barrier(0, 88, {});
    h.Barrier(1, 88, {});
    for (int i = 0; i < 2; i++)
        h.s->threads[i].wait.lasts = true;
    EXPECT_EQ(h.Verdict(),
              "unknown: It cannot be said whether this is a deadlock: all members of a team wait "
              "at a barrier, and no task keeps it closed.");
    // One of them has been let go.
    h.s->threads[1].wait.lasts = false;
    EXPECT_EQ(h.Verdict().find("none: "), 0u);
}

TEST(Sentence, BarrierLeftOutByTheFirstToArrive)
{
    Hand h(2);
    for (int i = 0; i < 2; i++) {
        h.Barrier(i, 0, {1});
        h.s->threads[i].wait.barrier = MDL_BARRIER_REGION_END;
    }
    EXPECT_EQ(
        h.Verdict(),
        "deadlock: Deadlock: thread 1 (LWP 100) waits at the barrier at the end of its region (solve.c:80) "
        "for thread 2 (LWP 101); thread 2 skipped a barrier and is at the end of its region "
        "(solve.c:80), where it waits for thread 1.");
    // The others have gone on to a barrier of which the line is known.
    h.s->threads[0].wait.barrier = MDL_BARRIER_EXPLICIT;
    h.s->threads[0].wait.at = {nullptr, "/src/solve.c", 88, nullptr};
    EXPECT_EQ(h.Verdict(),
              "deadlock: Deadlock: thread 1 (LWP 100) waits at the barrier at solve.c:88 for thread 2 (LWP "
              "101); thread 2 skipped the barrier at solve.c:88 and is at the end of its region "
              "(solve.c:80), where it waits for thread 1.");
    h.s->threads[0].wait.barrier = MDL_BARRIER_REGION_END;
    // It may be about to arrive.
    h.s->threads[1].wait.lasts = false;
    h.s->threads[1].asleep = 0;
    EXPECT_EQ(h.Verdict().find("none: "), 0u);
    h.s->threads[1].asleep = -1;
    EXPECT_EQ(h.Verdict().find("unknown: "), 0u);
}

TEST(Sentence, OnlyAThreadWithoutOpenMPCouldStartARegion)
{
    Hand h(3);
    h.Mutex(0, "lock", "b", 1, 21);
    h.Idle(1);
    h.s->threads[2].openmp = false;
    EXPECT_EQ(h.Verdict(), "suspected: Suspected deadlock: thread 1 (LWP 100) waits for lock b at "
                           "solve.c:21, held by thread 2 (LWP 101), which is idle, and no remaining "
                           "thread can start a region. This is not proved: a thread that is not an OpenMP "
                           "thread may start a region.");
    h.s->threads[2].openmp = true;
    EXPECT_EQ(h.Verdict().find("none: "), 0u);
    h.Mutex(2, "lock", "b", 1, 30);
    EXPECT_EQ(h.Verdict().find("stuck: "), 0u);
}

TEST(Sentence, TaskwaitUnderALockThatTheChildNeeds)
{
    Hand h(2);
    h.Wait(0, "taskwait", 50, 10);
    h.Run(20, 1, 10, 45);
    h.Mutex(1, "lock", "a", 0, 46);
    EXPECT_EQ(h.Verdict(),
              "deadlock: Deadlock: thread 1 (LWP 100) holds lock a and waits in taskwait at solve.c:50 for "
              "task 20 (solve.c:45), which runs on thread 2 (LWP 101); thread 2 waits for lock a at "
              "solve.c:46.");
}

TEST(Sentence, TaskwaitRunsReadyWork)
{
    Hand h(1);
    h.Wait(0, "taskwait", 50, 10);
    h.Task(20, "explicit", "ready", -1, 10, 45);
    EXPECT_EQ(h.Verdict(), "none: No deadlock: 1 thread waits and can go on.");
    // Not its descendant: it may not run it here, and nobody else is in the team.
    h.Run(21, 0, 10, 46);
    h.Wait(0, "taskwait", 51, 21);
    h.After(h.Task(22, "explicit", "blocked", -1, 21, 47), 20);
    EXPECT_EQ(h.Verdict(),
              "deadlock: Deadlock: thread 1 (LWP 100) waits in taskwait at solve.c:51 for task 22 "
              "(solve.c:47), which depends on task 20 (solve.c:45), which is ready, but no thread of its "
              "team can run it.");
    // Untied ones are free of that constraint.
    h.s->tasks[1].flags = MDL_TASK_UNTIED;
    EXPECT_EQ(h.Verdict().find("none: "), 0u);
}

TEST(Sentence, DependenceOnATaskThatWaitsForItsCreator)
{
    Hand h(2);
    h.Wait(0, "depend", 60, 10);
    h.After(&h.s->tasks[0], 20);
    h.Run(20, 1, 10, 55);
    h.Mutex(1, "lock", "a", 0, 56);
    EXPECT_EQ(
        h.Verdict(),
        "deadlock: Deadlock: thread 1 (LWP 100) holds lock a and waits for its dependences at "
        "solve.c:60: task 20 (solve.c:55), which runs on thread 2 (LWP 101); thread 2 waits for lock a at "
        "solve.c:56.");
}

TEST(Sentence, UntiedTaskSetAside)
{
    Hand h(2);
    h.Mutex(0, "lock", "b", 1, 21);
    h.Mutex(1, "lock", "a", 0, 30);
    h.Task(20, "explicit", "suspended", -1, 10, 45)->flags = MDL_TASK_UNTIED;
    EXPECT_NE(h.Verdict().find("a suspended untied task may hold it."), std::string::npos);
}

TEST(Sentence, OrderedTurn)
{
    Hand h(2);
    h.Mutex(0, "ordered", "o", 1, 70);
    h.Mutex(1, "lock", "a", 0, 72);
    EXPECT_EQ(h.Verdict(), "deadlock: Deadlock: thread 1 (LWP 100) holds lock a and waits for its turn in "
                           "the ordered region o at "
                           "solve.c:70; thread 2 (LWP 101) has the turn in the ordered region o and waits "
                           "for lock a at solve.c:72.");
}

// A person looks the name up, or sets a breakpoint on it.
TEST(Sentence, FunctionsKeepTheirNames)
{
    static const char *const names[][3] = {
        {"/lib/libc.so.6", "_IO_fgets", "fgets"},
        {"/lib/libc.so.6", "__GI___libc_write", "write"},
        {"/lib/libc.so.6", "__pause", "pause"},
        {"/lib/libc.so.6", "___pthread_cond_wait", "pthread_cond_wait"},
        {"/lib/libc.so.6", "__memset_avx2_unaligned_erms", "__memset_avx2_unaligned_erms"},
        {"/lib/libstdc++.so.6", "__cxa_throw", "__cxa_throw"},
        {"/lib/libm.so.6", "__sin_fma", "__sin_fma"},
        {"/lib/libm.so.6", "__sinf", "__sinf"},
    };
    for (auto &name : names) {
        Hand h(2);
        h.Barrier(0, 88, {1});
        h.Frame(1, INSP_CODE_LIBC, name[1]);
        h.s->threads[1].frames[0].module = name[0];
        h.Frame(1, INSP_CODE_USER, "load_row", 12);
        EXPECT_NE(h.Verdict().find(std::string("which is in ") + name[2] + "(), called from load_row"),
                  std::string::npos)
            << h.Verdict();
    }
}

// What the user's code has called is the frame inside of it, whatever that calls in turn; a library without
// names has its own.
TEST(Sentence, WhatTheUsersCodeHasCalled)
{
    struct Frame {
        enum insp_code code;
        const char *name;
    };
    const struct {
        std::vector<Frame> frames;
        const char *says;
    } cases[] = {
        // A library that is parallel itself.
        {{{INSP_CODE_OPENMP, "GOMP_barrier"}, {INSP_CODE_SYSTEM, "dgemm_"}},
         "is in dgemm_(), called from solve at"},
        {{{INSP_CODE_OPENMP, "GOMP_barrier"}}, "is in the OpenMP runtime, called from solve at"},
        {{{INSP_CODE_OPENMP, nullptr}}, "is in the OpenMP runtime, called from solve at"},
        {{{INSP_CODE_LIBC, "poll"}, {INSP_CODE_MPI, "MPI_Recv"}}, "is in MPI_Recv(), called from solve at"},
        {{{INSP_CODE_LIBC, "poll"}, {INSP_CODE_SYSTEM, nullptr}}, "is in poll(), called from solve at"},
        {{{INSP_CODE_SYSTEM, nullptr}}, "is in libfast.so, called from solve at"},
        // In a static program: it may sleep there.
        {{{INSP_CODE_UNKNOWN, "__internal_wait"}}, "is in __internal_wait."},
        {{{INSP_CODE_UNKNOWN, nullptr}}, "is in libfast.so."},
    };
    for (const auto &c : cases) {
        Hand h(2);
        h.Barrier(0, 88, {1});
        for (const auto &f : c.frames) {
            h.Frame(1, f.code, f.name);
            h.s->threads[1].frames[h.s->threads[1].frame_count - 1].module = "/opt/libfast.so";
        }
        h.Frame(1, INSP_CODE_USER, "solve", 80);
        EXPECT_NE(h.Verdict().find(c.says), std::string::npos) << h.Verdict();
    }
}

TEST(Sentence, TeamWaitsForOne)
{
    Hand h(4);
    for (int i = 0; i < 4; i++)
        if (i != 2)
            h.Barrier(i, 88, {2});
    EXPECT_EQ(
        h.Verdict(),
        "none: The team of 4 waits at the barrier at solve.c:88 for thread 3 (LWP 102), which computes.");
    h.Frame(2, INSP_CODE_LIBC, "read");
    h.Frame(2, INSP_CODE_LIBC, "fgets");
    h.Frame(2, INSP_CODE_USER, "load_row", 12);
    EXPECT_EQ(h.Verdict(),
              "none: The team of 4 waits at the barrier at solve.c:88 for thread 3 (LWP 102), which is in "
              "fgets(), called from load_row at io.c:12.");
    for (int i : {0, 1, 3}) {
        h.s->threads[i].wait.barrier = MDL_BARRIER_REGION_END;
        h.s->threads[i].wait.at = {};
    }
    EXPECT_EQ(
        h.Verdict().find(
            "none: The team of 4 waits at the barrier at the end of its region (solve.c:80) for thread 3"),
        0u)
        << h.Verdict();
}

TEST(Sentence, MemberHasLeft)
{
    Hand h(2);
    h.Barrier(0, 88, {1});
    h.Idle(1);
    h.s->threads[1].region = h.s->threads[1].task = 0;
    h.s->tasks[1].state = MDL_TASK_COMPLETING;
    EXPECT_EQ(h.Verdict(),
              "stuck: Stuck: thread 1 (LWP 100) waits at the barrier at solve.c:88 for thread 2 (LWP 101), "
              "which is idle, and no remaining thread can start a region.");
}

// Seen in a core of a busy machine: the others arrived before the kernel let a called thread run.
TEST(Sentence, MemberIsCalledAndHasNotCome)
{
    Hand h(3);
    for (int i : {0, 2})
        h.Barrier(i, 88, {1});
    h.Idle(1);
    h.s->threads[1].region = h.s->threads[1].task = 0;
    h.s->tasks[1] = h.s->tasks[--h.s->task_count];
    EXPECT_EQ(h.Verdict().find("none: "), 0u) << h.Verdict();
    EXPECT_NE(h.Render(INSP_VIEW_WAITS, INSP_TEXT).find("thread 2 (LWP 101)  is called, has not arrived yet"),
              std::string::npos)
        << h.Render(INSP_VIEW_WAITS, INSP_TEXT);
}

// The last has arrived, two have gone on to the next barrier; thread 0 does not run yet.
TEST(Sentence, WhoIsLetGoMayGoOn)
{
    Hand h(3);
    for (int i = 0; i < 3; i++)
        h.Barrier(i, 88, {0});
    EXPECT_EQ(h.Verdict().find("none: "), 0u) << h.Verdict();
}

// A lock as a semaphore: not conforming, and it works on every runtime.
TEST(Sentence, OwnLockWhileOthersRun)
{
    const std::string own =
        "Suspected deadlock: thread 1 (LWP 100) waits for lock a at solve.c:21, which it already holds.";
    Hand h(3);
    h.Mutex(0, "lock", "a", 0, 21);
    h.Barrier(1, 88, {0, 2});
    EXPECT_EQ(h.Verdict(),
              "suspected: " + own +
                  " 1 more thread would also wait forever. This is not proved: only thread 3 (LWP 102) still "
                  "runs and could release it.");
    h.Barrier(1, 88, {0});
    h.Barrier(2, 88, {0});
    EXPECT_EQ(h.Verdict(), "deadlock: Deadlock: thread 1 (LWP 100) waits for lock a at solve.c:21, which "
                           "it already holds. 2 more threads also wait forever.");
    // A thread at a barrier takes the ready task, whose code may be anything.
    h.Task(21, "explicit", "ready", -1, 10, 45);
    EXPECT_EQ(
        h.Verdict(),
        "suspected: " + own +
            " 2 more threads would also wait forever. This is not proved: task 21 at solve.c:45 can still "
            "run and could release it.");
}

TEST(Sentence, OwnLockAndAThreadThatIsNoneOfOpenMP)
{
    for (const char *kind : {"lock", "nest_lock", "critical"}) {
        Hand h(3);
        h.Mutex(0, kind, "a", 0, 21);
        h.Barrier(1, 88, {0});
        h.s->threads[2].openmp = false;
        h.s->threads[2].state = MDL_STATE_UNKNOWN;
        h.s->regions[0].member_count = 2;
        std::string verdict = h.Verdict();
        if (strcmp(kind, "critical") != 0) {
            EXPECT_NE(verdict.find("This is not proved: only thread 3 (LWP 102), which is not an OpenMP "
                                   "thread, still runs and "
                                   "could release it."),
                      std::string::npos)
                << verdict;
            EXPECT_EQ(insp_verdict(h.s, nullptr), INSP_SUSPECTED);
        } else {
            EXPECT_EQ(insp_verdict(h.s, nullptr), INSP_DEADLOCK)
                << verdict; // only its own block ends a critical
        }
        // What others do cannot help a circle.
        h.Mutex(0, kind, "a", 1, 21);
        h.Mutex(1, kind, "b", 0, 22);
        EXPECT_EQ(h.Verdict().find("deadlock: "), 0u) << h.Verdict();
    }
}

TEST(Sentence, OwnLockAndManyOthers)
{
    Hand h(6);
    h.Mutex(0, "lock", "a", 0, 21);
    EXPECT_NE(
        h.Verdict().find("This is not proved: 5 other threads still run, and any of them could release it."),
        std::string::npos)
        << h.Verdict();
    for (int i = 3; i < 6; i++)
        h.Barrier(i, 88, {0, 1, 2});
    EXPECT_NE(h.Verdict().find("This is not proved: only thread 2 (LWP 101) and thread 3 (LWP 102) still run "
                               "and could release it."),
              std::string::npos)
        << h.Verdict();
}

// Less than the facts of a verdict gives none: never another one than a command that reads more.
TEST(Sentence, NoVerdictWithoutItsFacts)
{
    Hand h(2);
    h.Mutex(0, "lock", "a", 1, 21);
    h.Mutex(1, "lock", "b", 0, 22);
    h.s->want = INSP_THREADS | INSP_REGIONS;
    EXPECT_EQ(h.Verdict().find("unknown: "), 0u);
    h.s->want |= INSP_TASKS;
    EXPECT_EQ(h.Verdict().find("deadlock: "), 0u);
}

TEST(Sentence, WhatTheRuntimeCallsIsNotTheProgramsCall)
{
    Hand h(2);
    h.Barrier(0, 88, {1});
    h.Frame(1, INSP_CODE_LIBC, "syscall");
    h.Frame(1, INSP_CODE_OPENMP, "rt_team_fork");
    h.Frame(1, INSP_CODE_USER, "solve", 80);
    EXPECT_NE(h.Verdict().find("thread 2 (LWP 101), which is in the OpenMP runtime, called from solve at "
                               "io.c:80."),
              std::string::npos)
        << h.Verdict();
}

// Where a computing thread happens to be in the linkage table (PLT) on the way to a routine, its caller is
// what says something.
TEST(Sentence, AnEntryOfTheLinkageTableIsItsCallers)
{
    struct {
        const char *name, *module, *caller;
        bool entry;
    } const cases[] = {{"omp_test_lock@plt", nullptr, "/apps/a", true},
                       {nullptr, "/apps/a", "/apps/a", true},
                       {nullptr, "/usr/lib/libsolve.so.3", "/apps/a", false},
                       {"solve", nullptr, "/apps/a", false}};
    for (const auto &c : cases) {
        Hand h(2);
        h.Barrier(0, 88, {1});
        h.Frame(1, INSP_CODE_USER, c.name);
        h.s->threads[1].frames[0].module = c.module;
        h.Frame(1, INSP_CODE_USER, "try_both", 20);
        h.s->threads[1].frames[1].module = c.caller;
        EXPECT_EQ(h.Verdict().find("computes in try_both at io.c:20.") != std::string::npos, c.entry)
            << h.Verdict();
    }
}

// Code without names: the file that it is in says whom to ask.
TEST(Sentence, StrippedCodeHasAFile)
{
    Hand h(1);
    h.s->regions[0].place = {nullptr, nullptr, 0, "/usr/lib/libsolve.so.3"};
    h.s->regions[0].entry = 0x7f0000001230;
    h.s->tasks[0].place = h.s->regions[0].place;
    h.s->tasks[0].entry = 0x7f0000001230;
    h.Barrier(0, 0, {});
    h.s->threads[0].wait.at = h.s->regions[0].place;
    EXPECT_NE(h.Render(INSP_VIEW_PARALLEL, INSP_TEXT).find("parallel, 0x7f0000001230 in libsolve.so.3"),
              std::string::npos);
    EXPECT_NE(h.Render(INSP_VIEW_TASKS, INSP_TEXT).find("0x7f0000001230 in libsolve.so.3"),
              std::string::npos);
    EXPECT_NE(h.Render(INSP_VIEW_THREADS, INSP_TEXT).find("in libsolve.so.3"), std::string::npos);
    EXPECT_NE(h.Render(INSP_VIEW_PARALLEL, INSP_JSON).find("\"module\": \"/usr/lib/libsolve.so.3\""),
              std::string::npos)
        << h.Render(INSP_VIEW_PARALLEL, INSP_JSON);
}

TEST(Sentence, ReadyTasksAndASlowHolder)
{
    Hand h(4);
    for (uint64_t t = 20; t < 32; t++)
        h.Task(t, "explicit", "ready", -1, 10, 45);
    for (int i = 0; i < 4; i++)
        if (i != 1)
            h.Mutex(i, "critical", "log", 1, 90);
    h.Frame(1, INSP_CODE_LIBC, "write");
    h.Frame(1, INSP_CODE_USER, "say", 30);
    EXPECT_EQ(h.Verdict(),
              "none: 12 tasks are ready and no thread runs them: 3 threads wait for critical 'log' at "
              "solve.c:90, held by thread 2 (LWP 101), which is in write(), called from say at io.c:30.");
}

TEST(Sentence, Computing)
{
    Hand h(3);
    EXPECT_EQ(h.Verdict(), "none: No deadlock: 3 threads compute.");
}

TEST(Sentence, WhatCannotBeKnownIsSaid)
{
    Hand h(2);
    h.Mutex(0, "lock", "b", -1, 21);
    EXPECT_EQ(h.Verdict(),
              "unknown: It cannot be said whether this is a deadlock: the owner of what a thread waits for "
              "is not known.");
    h.Wait(0, "event", 21);
    EXPECT_EQ(h.Verdict(),
              "unknown: It cannot be said whether this is a deadlock: thread 1 (LWP 100) waits at "
              "solve.c:21 for omp_fulfill_event, which any code may call.");
    h.s->runtime_count = 0;
    EXPECT_EQ(h.Verdict(), "unknown: Nothing can be said about deadlocks.");
}

// Who holds a lock that no runtime keeps a record of is one of the threads: if none goes on, that is enough.
TEST(Sentence, NobodyRecordsWhoHoldsIt)
{
    Hand h(3);
    h.Unrecorded(0, "lock", "a", 21);
    h.Unrecorded(1, "lock", "b", 31);
    h.Unrecorded(2, "lock", "a", 21);
    EXPECT_EQ(
        h.Verdict(),
        "deadlock: Deadlock: thread 1 (LWP 100) waits for lock a at solve.c:21, and no thread that could "
        "release it can go on (who holds it is not recorded). 2 more threads also wait forever.");
    EXPECT_EQ(h.s->edge_count, 0);
    h.s->complete = false;
    EXPECT_EQ(h.Verdict().find("suspected: "), 0u);
    h.s->complete = true;
    // A thread that computes may be the one.
    h.s->threads[2].wait = {};
    h.s->threads[2].state = MDL_STATE_WORK_PARALLEL;
    h.Does(2, "computes", nullptr, 0)->asleep = false;
    EXPECT_EQ(
        h.Verdict(),
        "unknown: It cannot be said whether this is a deadlock: who holds lock a, for which thread 1 (LWP "
        "100) waits, is not recorded.");
}

// Where they are makes it probable, and no more than that.
TEST(Sentence, WhoProbablyHoldsIt)
{
    Hand h(3);
    static const int64_t second[] = {101}, first[] = {100};
    static struct mdl_unknown why = {"wait.owner_lwp",
                                     "libgomp does not record who holds a lock; probably another"};

    h.Unrecorded(0, "lock", "a", 21);
    h.Unrecorded(1, "lock", "b", 31);
    for (int i = 0; i < 2; i++) {
        h.s->threads[i].wait.candidates = i ? first : second;
        h.s->threads[i].wait.candidate_count = 1;
        h.s->threads[i].unknown = &why;
        h.s->threads[i].unknown_count = 1;
    }
    EXPECT_EQ(
        h.Verdict(),
        "suspected: Suspected deadlock: thread 1 (LWP 100) probably holds lock b and waits for lock a at "
        "solve.c:21; thread 2 (LWP 101) probably holds lock a and waits for lock b at solve.c:31. This is "
        "not "
        "proved: libgomp does not record who holds a lock; probably another.");
    for (int i = 0; i < h.s->edge_count; i++)
        EXPECT_FALSE(h.s->edges[i].proved);
    EXPECT_EQ(h.s->verdict.edge_count, 2);
    h.s->threads[1].wait = {};
    h.s->threads[1].state = MDL_STATE_WORK_PARALLEL;
    h.Does(1, "computes", nullptr, 0)->asleep = false;
    EXPECT_EQ(
        h.Verdict(),
        "unknown: It cannot be said whether this is a deadlock: who holds lock a, for which thread 1 (LWP "
        "100) waits, is not recorded; probably thread 2 (LWP 101) does, which computes.");
    // What the other waits for is known better than where its stack is.
    h.Mutex(1, "critical", "c", 2, 41);
    h.Does(2, "computes", nullptr, 0)->asleep = false;
    EXPECT_EQ(h.Verdict(),
              "unknown: It cannot be said whether this is a deadlock: who holds lock a, for which thread 1 "
              "(LWP 100) waits, is not recorded; probably thread 2 (LWP 101) does, which waits for critical "
              "'c' at solve.c:41.");
}

// A detached task has a name; whoever waits for it waits for a call that any code may make.
TEST(Sentence, ADetachedTaskIsNamed)
{
    Hand h(2);
    h.Wait(0, "taskwait", 50, 10);
    h.Task(20, "explicit", "detached", -1, 10, 45);
    const std::string event = "task 20 (solve.c:45) waits for omp_fulfill_event, which any code may call.";
    EXPECT_EQ(h.Verdict(), "unknown: It cannot be said whether this is a deadlock: " + event);
    // Nobody goes on by itself.
    h.Barrier(1, 88, {0});
    EXPECT_EQ(h.Verdict(), "unknown: Nothing is proved: " + event);
    h.Wait(0, "event", 50, 20);
    EXPECT_EQ(h.Verdict(), "unknown: Nothing is proved: thread 1 (LWP 100) waits at solve.c:50 for "
                           "omp_fulfill_event of task 20 (solve.c:45), which any code may call.");
}

TEST(Sentence, ATargetTaskWaitsForItsDevice)
{
    Hand h(2);
    h.Wait(0, "taskwait", 50, 10);
    h.Task(20, "target", "detached", -1, 10, 45);
    h.Barrier(1, 88, {0});
    EXPECT_EQ(h.Verdict(), "unknown: Nothing is proved: task 20 (solve.c:45) waits for its device.");
}

} // namespace
