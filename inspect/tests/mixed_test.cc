// SPDX-License-Identifier: Apache-2.0
// One wait graph over OpenMP and all else: what a thread waits for outside of OpenMP is part of the verdict.
#include <gtest/gtest.h>

#include "inspect/tests/hand.h"

namespace
{

std::string Edges(const Hand &h)
{
    std::string text;

    for (int i = 0; i < h.s->edge_count; i++) {
        const mdl_edge &e = h.s->edges[i];

        text += std::to_string(e.from.lwp) + " -> " +
                (e.to.pid ? "process " + std::to_string(e.to.pid) : std::to_string(e.to.lwp)) + ", " +
                e.because + (e.proved ? "\n" : ", not proved\n");
    }
    return text;
}

TEST(Mixed, TwoMutexesInTheWrongOrder)
{
    Hand h(2);
    h.Pthread(0, "b", 1, 9);
    h.Pthread(1, "a", 0, 10);
    const std::string deadlock =
        "deadlock: Deadlock: thread 1 (LWP 100) holds mutex a and waits for mutex b at solve.c:9; thread 2 "
        "(LWP 101) holds mutex b and waits for mutex a at solve.c:10.";
    EXPECT_EQ(h.Verdict(), deadlock);
    EXPECT_EQ(Edges(h), "100 -> 101, mutex b\n101 -> 100, mutex a\n");
    ASSERT_EQ(h.s->verdict.edge_count, 2);
    // Neither needs OpenMP: threads that are none of it, a runtime that has not started, tasks not read.
    h.s->want = INSP_THREADS;
    h.s->complete = h.s->tasks_known = false;
    h.s->runtime_count = 0;
    h.Foreign(0);
    h.Foreign(1);
    EXPECT_EQ(h.Verdict(), deadlock);
    h.s->threads[1].activity.owner_doubt = "the mutex is damaged";
    EXPECT_EQ(h.Verdict().find("suspected: "), 0u);
    EXPECT_NE(h.Verdict().find("This is not proved: the mutex is damaged."), std::string::npos);
    EXPECT_EQ(Edges(h), "100 -> 101, mutex b\n101 -> 100, mutex a, not proved\n");
}

// A lock is given back by its owner, whatever others do.
TEST(Mixed, ACircleHoldsWhateverOthersDo)
{
    Hand h(4);
    h.Pthread(0, "m", 1, 9);
    h.Mutex(1, "lock", "a", 0, 10);
    h.Foreign(2);
    EXPECT_EQ(
        h.Verdict(),
        "deadlock: Deadlock: thread 1 (LWP 100) holds lock a and waits for mutex m at solve.c:9; thread "
        "2 (LWP 101) holds mutex m and waits for lock a at solve.c:10.");
    h.Does(2, "read", "read", 30);
    h.Does(3, "sleep", "nanosleep", 31);
    EXPECT_EQ(h.Verdict().find("deadlock: "), 0u);
    // Through a barrier too: half of the circle is OpenMP's.
    Hand half(3);
    half.Pthread(0, "log", 1, 8);
    half.Barrier(1, 88, {0});
    half.Does(2, "read", "read", 30);
    half.Foreign(2);
    half.s->regions[0].member_count = 2;
    EXPECT_EQ(half.Verdict(),
              "deadlock: Deadlock: thread 1 (LWP 100) waits for mutex log at solve.c:8; thread 2 (LWP 101) "
              "holds mutex log and waits at the barrier at solve.c:88 for thread 1.");
}

TEST(Mixed, AJoinOfAThreadThatWaitsForTheJoiner)
{
    Hand h(2);
    h.Owned(0, "join", "pthread_join", nullptr, 1, 40);
    h.Pthread(1, "m", 0, 12);
    h.Foreign(1);
    EXPECT_EQ(h.Verdict(),
              "deadlock: Deadlock: thread 1 (LWP 100) holds mutex m and waits in pthread_join at solve.c:40 "
              "for the end of thread 2 (LWP 101); thread 2 waits for mutex m at solve.c:12.");
    EXPECT_EQ(Edges(h), "100 -> 101, the end of thread 2\n101 -> 100, mutex m\n");
    h.Owned(0, "join", "pthread_join", nullptr, 0, 40);
    EXPECT_EQ(h.Verdict(), "stuck: Stuck: thread 1 (LWP 100) waits in pthread_join at solve.c:40 for its own "
                           "end. 1 more thread also waits forever.");
    EXPECT_EQ(Edges(h), "100 -> 100, the end of thread 1\n101 -> 100, mutex m\n");
    // The kernel wakes the joiner before a thread is gone.
    h.Owned(0, "join", "pthread_join", nullptr, -2, 40);
    EXPECT_EQ(h.Verdict().find("unknown: Nothing is proved: "), 0u) << h.Verdict();
}

TEST(Mixed, TheOwnerHasEnded)
{
    Hand h(3);
    h.Pthread(0, "m", -2, 9);
    h.Pthread(1, "n", 0, 10);
    EXPECT_EQ(h.Verdict(), "stuck: Stuck: thread 1 (LWP 100) waits for mutex m at solve.c:9, and the thread "
                           "that holds it has ended. 1 more thread also waits forever.");
    h.s->threads[0].activity.owner_doubt = "it may be a thread of the process from which this one was forked";
    EXPECT_EQ(h.Verdict(), "suspected: Suspected deadlock: thread 1 (LWP 100) waits for mutex m at "
                           "solve.c:9, and the thread that holds it has perhaps ended. 1 more thread would "
                           "also wait forever. This is not proved: it may be a thread of the process from "
                           "which this one was forked.");
    // The thread that called main has, and its process goes on.
    h.Pthread(0, "m", 2, 9);
    h.Does(2, "zombie", nullptr, 0);
    EXPECT_EQ(h.Verdict(),
              "stuck: Stuck: thread 1 (LWP 100) waits for mutex m at solve.c:9, held by thread 3 (LWP 102), "
              "which has ended. 1 more thread also waits forever.");
}

TEST(Mixed, ALockThatItsWaiterHolds)
{
    const std::string own =
        "Suspected deadlock: thread 1 (LWP 100) waits for mutex m at solve.c:9, which it already holds.";
    Hand h(2);
    h.Pthread(0, "m", 0, 9);
    EXPECT_EQ(h.Verdict(), "suspected: " + own +
                               " This is not proved: only thread 2 (LWP 101) still runs and could release "
                               "it.");
    h.Foreign(1);
    h.Does(1, "read", "read", 30);
    EXPECT_EQ(h.Verdict(), "suspected: " + own +
                               " This is not proved: only thread 2 (LWP 101), which is not an OpenMP thread, "
                               "may still go on and could release it.");
    h.Pthread(1, "m", 0, 10);
    EXPECT_EQ(h.Verdict(), "deadlock: Deadlock: thread 1 (LWP 100) waits for mutex m at solve.c:9, which it "
                           "already holds. 1 more thread also waits forever.");
    // Out of the system call it may have got it just now.
    h.s->threads[0].activity.asleep = false;
    EXPECT_EQ(h.Verdict().find("none: "), 0u) << h.Verdict();
}

// What can be ended from outside proves nothing, and is nobody's way to go on by itself.
TEST(Mixed, NothingIsProvedOfWhatMayEndFromOutside)
{
    static const char *const alone = "no other thread goes on before it does; a signal handler may end that";
    static const char *const shared =
        "no other thread goes on before it does; a signal handler, or a process "
        "that shares it, may end that";
    static const struct {
        const char *kind, *call, *says, *end;
    } cases[] = {
        {"read", "read", "waits in read for descriptor 3 (pipe:[12]) at solve.c:9",
         "another process may end that"},
        {"write", "writev", "waits in writev for descriptor 3 (pipe:[12]) at solve.c:9",
         "another process may end that"},
        {"poll", "epoll_wait", "waits in epoll_wait for descriptor 3 (pipe:[12]) at solve.c:9",
         "another process may end that"},
        {"condition", "pthread_cond_wait", "waits in pthread_cond_wait at solve.c:9", shared},
        {"semaphore", "sem_wait", "waits in sem_wait at solve.c:9", shared},
        {"barrier", "pthread_barrier_wait", "waits in pthread_barrier_wait at solve.c:9", shared},
        {"once", "pthread_once", "waits in pthread_once at solve.c:9", alone},
        {"atomic", "std::atomic::wait", "waits in std::atomic::wait at solve.c:9", shared},
        {"future", "std::future::get", "waits in std::future::get at solve.c:9", alone},
        {"futex", "syscall", "waits in syscall at solve.c:9", shared},
        {"child", "wait4", "waits in wait4 for child 77 at solve.c:9", "the child may end that"},
        {"mpi", "MPI_Allreduce", "waits in MPI_Allreduce at solve.c:9", "another process may end that"},
        {"signal", "pause", "waits in pause at solve.c:9", "a signal may end that"},
        {"loader", "dlopen", "waits for a lock of the dynamic linker at solve.c:9", alone},
        {"malloc", "malloc", "waits for a lock of malloc at solve.c:9", alone},
        {"system_call", "flock", "waits in flock at solve.c:9", "the kernel or another process may end that"},
        {"stopped", nullptr, "is stopped by a signal at solve.c:9", "a signal may end that"},
        {"traced", nullptr, "is stopped by another debugger at solve.c:9", "the debugger may end that"},
        {"kernel", "read", "waits in the kernel, in read at solve.c:9",
         "the kernel or another process may end that"},
    };
    for (const auto &c : cases) {
        Hand h(2);
        mdl_activity *a = h.Does(0, c.kind, c.call, 9);
        a->descriptor = 3;
        a->file = "pipe:[12]";
        a->child = 77;
        h.Barrier(1, 88, {0});
        EXPECT_EQ(h.Verdict(),
                  std::string("unknown: Nothing is proved: the team of 2 waits at the barrier at "
                              "solve.c:88 for thread 1 (LWP 100), which ") +
                      c.says + "; " + c.end + ".");
        EXPECT_EQ(Edges(h), std::string(strcmp(c.kind, "child") ? ""
                                                                : "100 -> process 77, the end of process "
                                                                  "77\n") +
                                "101 -> 100, explicit barrier of region 3 at solve.c:88\n");
        // With a time it goes on by itself.
        if (strcmp(c.kind, "stopped") && strcmp(c.kind, "traced")) {
            a->timeout_ns = 5000000000;
            EXPECT_EQ(h.Verdict().find("none: The team of 2 waits"), 0u) << h.Verdict();
            EXPECT_EQ(h.Verdict().find("comput"), std::string::npos) << h.Verdict();
        }
    }
}

TEST(Mixed, OneThreadInRead)
{
    Hand h(1);
    mdl_activity *a = h.Does(0, "read", "read", 9);
    a->descriptor = 3;
    h.s->threads[0].gdb_num = 0;
    EXPECT_EQ(h.Verdict(), "unknown: Nothing is proved: LWP 100 waits in read for descriptor 3 at solve.c:9; "
                           "another process may end that.");
    h.Does(0, "signal", "sem_wait", 9);
    h.Does(0, "semaphore", "sem_wait", 9);
    EXPECT_NE(
        h.Verdict().find("; it is the only thread; a signal handler, or a process that shares it, may "),
        std::string::npos)
        << h.Verdict();
    // A thread of the team that waits for it, and one that waits for something else.
    Hand more(3);
    more.Does(0, "condition", "pthread_cond_wait", 9)->name = "cv";
    more.Does(1, "read", "read", 10);
    more.Barrier(2, 88, {0, 1});
    EXPECT_EQ(more.Verdict(),
              "unknown: Nothing is proved: 1 thread waits for thread 1 (LWP 100), which waits for condition "
              "variable cv at solve.c:9, and 1 more thread waits; another thread or a signal handler may end "
              "that.");
    h.s->moving = true;
    EXPECT_NE(h.Verdict().find(" The process kept running while it was read."), std::string::npos);
}

TEST(Mixed, SeveralThatWaitForTheOutside)
{
    Hand h(3);
    h.Does(0, "mpi", "MPI_Allreduce", 9);
    h.Does(1, "condition", "pthread_cond_wait", 10);
    h.Does(2, "read", "read", 11);
    EXPECT_EQ(h.Verdict(), "unknown: Nothing is proved: thread 1 (LWP 100) waits in MPI_Allreduce at "
                           "solve.c:9, and 2 more threads wait; another process may end that.");
}

TEST(Mixed, OwnersThatAreNoThreadHere)
{
    Hand h(2);
    h.Pthread(1, "b", 0, 10);
    mdl_activity *a = h.Pthread(0, "m", -1, 9);
    const std::string begin = "unknown: Nothing is proved: 1 thread waits for mutex b at solve.c:10, held by "
                              "thread 1 (LWP 100), which waits for mutex m at solve.c:9; ";
    EXPECT_EQ(h.Verdict(), begin + "no other thread goes on before it does; a signal handler may end that.");
    a->owner = MDL_OWNER_PROCESS;
    a->owner_pid = 55;
    EXPECT_EQ(h.Verdict(), begin + "another process holds it and may end that.");
    EXPECT_EQ(Edges(h), "100 -> process 55, mutex m\n101 -> 100, mutex b\n");
}

// What was held at a fork stays so, unless who has forked gives it back.
TEST(Mixed, HeldSinceAFork)
{
    Hand h(2);
    mdl_activity *a = h.Pthread(0, "m", -1, 9);

    h.Barrier(1, 88, {0});
    a->owner = MDL_OWNER_FORK;
    a->owner_pid = 55;
    EXPECT_EQ(h.Verdict(),
              "stuck: Stuck: thread 1 (LWP 100) waits for mutex m at solve.c:9, which a thread of "
              "process 55 has held since before it forked this one. 1 more thread also waits "
              "forever.");
    const std::string begin =
        "stuck: Stuck: thread 1 (LWP 100) waits for mutex m at solve.c:9, and the thread "
        "that holds it is not in this process: it ";
    a->owner = MDL_OWNER_GONE;
    a->owner_pid = 0;
    EXPECT_EQ(h.Verdict(), begin +
                               "has ended, or stayed behind when this process was forked. 1 more thread also "
                               "waits forever.");
    h.s->process.forked = 1;
    h.s->process.forked_from = 54;
    EXPECT_EQ(h.Verdict(), begin + "was one of PID 54, which forked this one, or it has ended. 1 more thread "
                                   "also waits forever.");
    a->owner_doubt = "the numbers may be others";
    EXPECT_EQ(h.Verdict().find("suspected: "), 0u) << h.Verdict();
    Hand other(2);
    a = other.Pthread(0, "m", -1, 9);
    a->owner = MDL_OWNER_GONE;
    other.Does(1, "computes", "f", 30);
    EXPECT_EQ(other.Verdict().find("suspected: "), 0u) << other.Verdict();
    EXPECT_NE(other.Verdict().find(" only thread 2 (LWP 101) may still go on and could release it."),
              std::string::npos)
        << other.Verdict();
}

TEST(Mixed, CountsSayWhatThreadsDo)
{
    Hand h(6);
    EXPECT_EQ(h.Verdict(), "none: No deadlock: 6 threads compute.");
    h.Does(1, "sleep", "usleep", 9);
    h.Does(2, "condition", "pthread_cond_wait", 10);
    h.Does(3, "read", "read", 10);
    h.Barrier(4, 88, {5});
    EXPECT_EQ(h.Verdict(), "none: The team of 6 waits at the barrier at solve.c:88 for thread 6 (LWP 105), "
                           "which computes.");
    h.Mutex(4, "lock", "a", 0, 88);
    h.Pthread(5, "m", 1, 88);
    EXPECT_EQ(h.Verdict(), "none: No deadlock: 1 thread computes, 4 wait, 1 sleeps.");
    h.Does(0, "unknown", nullptr, 0)->why = "its libc has no symbols";
    EXPECT_EQ(h.Verdict(), "unknown: It cannot be said whether this is a deadlock: what thread 1 (LWP 100) "
                           "does is not known (its libc has no symbols).");
    h.Mutex(4, "lock", "a", 5, 88);
    EXPECT_EQ(h.Verdict(), "none: 2 threads wait, directly or indirectly, for thread 2 (LWP 101), which "
                           "sleeps in usleep at solve.c:9.");
    h.Does(1, "computes", nullptr, 0)->asleep = false;
    h.Pthread(5, "m", 3, 88);
    h.Does(4, "sleep", nullptr, 0);
    h.s->threads[4].wait = {};
    EXPECT_EQ(h.Verdict(), "none: 1 thread waits for mutex m at solve.c:88, held by thread 4 (LWP 103), "
                           "which waits in read at solve.c:10.");
}

TEST(Mixed, NothingIsKnownOfAnyThread)
{
    Hand h(2);
    h.Does(0, "unknown", nullptr, 0);
    h.Does(1, "unknown", nullptr, 0);
    EXPECT_EQ(h.Verdict(), "unknown: It cannot be said whether this is a deadlock: what thread 1 (LWP 100) "
                           "does was not read.");
    h.Does(0, "unknown", nullptr, 0)->why = "its libc has no symbols";
    h.Does(1, "computes", nullptr, 0)->asleep = false;
    EXPECT_EQ(h.Verdict(), "none: No deadlock: 1 thread computes; what 1 other thread does is not known.");
}

// No word of a thread's being at work, whatever its stack looks like.
TEST(Mixed, WhoSleepsDoesNotCompute)
{
    Hand h(2);
    h.Barrier(0, 88, {1});
    h.Does(1, "read", "fgets", 0)->descriptor = 0;
    h.Frame(1, INSP_CODE_LIBC, "__GI___libc_read");
    h.Frame(1, INSP_CODE_LIBC, "_IO_fgets");
    h.Frame(1, INSP_CODE_USER, "load_row", 12);
    EXPECT_NE(h.Verdict().find("which waits in fgets for descriptor 0, called from load_row at io.c:12;"),
              std::string::npos)
        << h.Verdict();
    h.s->threads[1].frame_count = 0;
    EXPECT_NE(h.Verdict().find("which waits in fgets for descriptor 0;"), std::string::npos) << h.Verdict();
    h.Does(1, "sleep", "clock_nanosleep", 0)->timeout_ns = 2500000000;
    h.Frame(1, INSP_CODE_USER, "load_row", 12);
    EXPECT_NE(h.Verdict().find(
                  "which sleeps in clock_nanosleep for at most 2.5 s, called from load_row at io.c:12."),
              std::string::npos)
        << h.Verdict();
    h.Does(1, "unknown", nullptr, 0);
    EXPECT_EQ(h.Verdict().find("comput"), std::string::npos) << h.Verdict();
}

} // namespace
