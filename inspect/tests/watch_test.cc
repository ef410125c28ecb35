// SPDX-License-Identifier: Apache-2.0
// Two samples of one process: what has moved, what waits, and what only stands at the same place.
#include <gtest/gtest.h>
#include <jansson.h>

#include <algorithm>
#include <functional>
#include <string>

#include "inspect/inspect.h"
#include "inspect/tests/hand.h"

namespace
{

enum : uint64_t { TICK = 10 * 1000 * 1000 };

// Two samples of the same threads.
struct Pair {
    explicit Pair(int threads) : a(threads), b(threads) {}
    Hand a, b;

    std::string Compare(int format = INSP_TEXT, int expand = 0, int width = 0)
    {
        insp_render_options o = {};
        char *error = nullptr;
        o.size = sizeof(o);
        o.format = format;
        o.expand = expand;
        o.width = width;
        verdict_make(a.s);
        verdict_make(b.s);
        char *text = insp_compare(a.s, b.s, &o, &error);
        std::string result = text ? text : error;
        insp_string_free(text ? text : error);
        return result;
    }
    // The motion of each thread, by its place in the list of the later sample.
    std::string Motion(int thread)
    {
        json_t *root = json_loads(Compare(INSP_JSON).c_str(), 0, nullptr), *row;
        size_t i;
        std::string found;
        json_array_foreach(json_object_get(root, "threads"), i,
                           row) if (json_integer_value(json_object_get(row, "lwp")) == 100 + thread) found =
            json_string_value(json_object_get(row, "motion"));
        json_decref(root);
        return found;
    }
    void Both(const std::function<void(Hand &)> &change)
    {
        change(a);
        change(b);
    }
};

// A runtime without numbers of its own: the same task may have another number, and another one the same.
TEST(Stock, TasksAreToldApartByWhatDoesNotChange)
{
    Pair p(1);
    p.Both([](Hand &h) {
        auto *r = static_cast<mdl_runtime *>(arena_alloc(&h.s->arena, sizeof(mdl_runtime)));
        *r = mdl_runtime{};
        r->id = 1;
        r->ids_of_stop = true;
        h.s->runtimes = r;
        h.s->runtime_count = 1;
        h.s->tasks = static_cast<mdl_task *>(arena_alloc(&h.s->arena, 2 * sizeof(mdl_task)));
        h.s->task_count = 2;
        for (int i = 0; i < 2; i++) {
            h.s->tasks[i] = mdl_task{};
            h.s->tasks[i].id = static_cast<uint64_t>(i) + 1;
            h.s->tasks[i].runtime = 1;
            h.s->tasks[i].serial = 0x1000 * (static_cast<uint64_t>(i) + 1);
        }
        h.s->threads[0].openmp = true;
        h.s->threads[0].runtime = 1;
        h.s->threads[0].wait.kind = MDL_WAIT_TASKWAIT;
        h.s->threads[0].wait.id = 0x55;
        h.s->threads[0].task = 1;
    });
    EXPECT_EQ(p.Motion(0), "waits");
    p.b.s->tasks[0].serial = 0x9000; // the task has ended, and another one has its number
    EXPECT_EQ(p.Motion(0), "moves");
    p.b.s->tasks[1].serial = 0x1000;
    p.b.s->threads[0].task = 2; // it has another number
    p.b.s->threads[0].wait.object = 2;
    EXPECT_EQ(p.Motion(0), "waits");
    EXPECT_NE(p.Compare().find("1 task ended, 1 is new"), std::string::npos) << p.Compare();
}

// Computes at one line in both.
struct Same : Pair {
    Same() : Pair(1)
    {
        Both([](Hand &h) {
            h.Frame(0, INSP_CODE_USER, "solve", 8);
            h.s->threads[0].activity.kind = MDL_ACTIVITY_COMPUTES;
        });
    }
    mdl_thread &Before() { return a.s->threads[0]; }
    mdl_thread &After() { return b.s->threads[0]; }
};

TEST(Watch, WhatMovesAndWhatWaits)
{
    Pair p(3);
    p.Both([](Hand &h) {
        h.Mutex(0, "lock", "b", 1, 21);
        h.Mutex(1, "lock", "a", 0, 30);
    });
    p.a.Frame(2, INSP_CODE_USER, "f", 3);
    p.b.Frame(2, INSP_CODE_USER, "g", 4);
    const std::string text = p.Compare();
    EXPECT_EQ(text.find("Between the two samples: 1 thread moved, 2 wait for the same as before; 0 tasks"),
              0u)
        << text;
    EXPECT_NE(text.find("It was the same in both samples."), std::string::npos);
    EXPECT_NE(text.find(">    3  102  moved        computes in f at io.c:3"), std::string::npos) << text;
    p.b.s->process.pid = 1;
    EXPECT_EQ(p.Compare(), "The two snapshots are of different processes.");
}

// A line that burns a processor does not stand, and one that does nothing does.
TEST(Watch, ALoopIsInOneLineAllTheTime)
{
    Same p;
    EXPECT_EQ(p.Motion(0), "stands");
    p.Before().registers = p.After().registers = 77;
    p.Before().cpu_ns = 100 * TICK;
    p.After().cpu_ns = 101 * TICK; // the stop itself may have taken a tick
    EXPECT_EQ(p.Motion(0), "stands");
    p.After().cpu_ns = 102 * TICK;
    EXPECT_EQ(p.Motion(0), "works");
    EXPECT_EQ(p.Compare().find("Between the two samples: 1 thread has run and is at the same place; "), 0u)
        << p.Compare();
    p.After().cpu_ns = p.Before().cpu_ns;
    p.After().registers = 78;
    EXPECT_EQ(p.Motion(0), "works");
}

// Unknown registers and times are no sign of anything.
TEST(Watch, WhatIsNotKnownIsNoChange)
{
    Same p;
    p.After().registers = 78;
    p.After().cpu_ns = 500 * TICK;
    EXPECT_EQ(p.Motion(0), "stands");
    p.Before().frame_count = 0;
    EXPECT_EQ(p.Motion(0), "unknown");
}

// Whoever spins for a lock uses time, and waits for the same all the same.
TEST(Watch, SpinningIsWaiting)
{
    Pair p(2);
    p.Both([](Hand &h) { h.Mutex(0, "lock", "b", 1, 21); });
    p.a.s->threads[0].cpu_ns = TICK;
    p.b.s->threads[0].cpu_ns = 90 * TICK;
    EXPECT_EQ(p.Motion(0), "waits");
    p.Both([](Hand &h) {
        h.s->threads[1].activity.kind = MDL_ACTIVITY_MPI;
        h.s->threads[1].activity.call = "MPI_Recv";
    });
    p.a.Frame(1, INSP_CODE_MPI, "progress", 0, 0x5000);
    p.b.Frame(1, INSP_CODE_MPI, "progress", 0, 0x5004);
    EXPECT_EQ(p.Motion(1), "waits");
    p.b.s->threads[1].activity.call = "MPI_Send";
    EXPECT_EQ(p.Motion(1), "moves");
}

TEST(Watch, WaitsOutsideOfOpenMp)
{
    Same p;
    p.Both([](Hand &h) {
        h.s->threads[0].openmp = false;
        h.s->threads[0].activity.kind = MDL_ACTIVITY_MUTEX;
        h.s->threads[0].activity.call = "pthread_mutex_lock";
        h.s->threads[0].activity.object = 0x4000;
        h.s->threads[0].activity.asleep = true;
    });
    EXPECT_EQ(p.Motion(0), "waits");
    p.Before().cpu_ns = TICK;
    p.After().cpu_ns = 30 * TICK; // it has had the lock since
    EXPECT_EQ(p.Motion(0), "works");
    p.After().cpu_ns = TICK;
    p.After().activity.object = 0x4040;
    EXPECT_EQ(p.Motion(0), "moves");
    // A sleep ends by itself: nobody is waited for.
    p.Before().activity = p.After().activity = mdl_activity();
    p.Before().activity.kind = p.After().activity.kind = MDL_ACTIVITY_SLEEP;
    EXPECT_EQ(p.Motion(0), "stands");
}

TEST(Watch, EqualRowsAreOne)
{
    Pair p(64);
    p.Both([](Hand &h) {
        for (int i = 0; i < 64; i++)
            h.Frame(i, INSP_CODE_USER, "solve", 8);
    });
    p.a.s->threads[5].frames[0].pc = p.a.s->threads[5].frames[0].pc + 4;
    const std::string text = p.Compare();
    EXPECT_NE(text.find("1 thread moved, 63 are at the same place"), std::string::npos) << text;
    EXPECT_NE(text.find("(63 threads)"), std::string::npos) << text;
    // Two rows, their head, and one sentence.
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 6) << text;
    const std::string all = p.Compare(INSP_TEXT, 1);
    EXPECT_GE(std::count(all.begin(), all.end(), '\n'), 64) << all;
    EXPECT_EQ(all.find("threads)"), std::string::npos) << all;
}

} // namespace
