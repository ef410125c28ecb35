// SPDX-License-Identifier: Apache-2.0
// What threads do outside of OpenMP: the words on screens, JSON, and back from a record.
#include "inspect/tests/doings.h"

#include <gtest/gtest.h>
#include <jansson.h>

#include <sstream>

#include "inspect/model/phrases.h"
#include "inspect/render/table.h"

namespace
{

std::string Row(const std::string &text, const std::string &begin)
{
    size_t at = text.find("\n" + begin);

    return at == std::string::npos ? text : text.substr(at + 1, text.find('\n', at + 1) - at - 1);
}

std::string Record(const insp_snapshot *s)
{
    char *text = insp_record(s, nullptr);
    std::string result = text;

    insp_string_free(text);
    return result;
}

TEST(Doings, ThreadsTable)
{
    Hand h(9);
    h.Mutex(0, "lock", "b", 1, 21);
    Doing(&h, 1, MDL_ACTIVITY_COMPUTES, nullptr, 30);
    Doing(&h, 2, MDL_ACTIVITY_SLEEP, "clock_nanosleep", 31)->timeout_ns = 1500000000;
    mdl_activity *a = Doing(&h, 3, MDL_ACTIVITY_READ, "read", 32);
    a->descriptor = 0;
    a->file = "/dev/pts/0";
    a = Doing(&h, 4, MDL_ACTIVITY_MUTEX, "pthread_mutex_lock", 33);
    a->name = "pool.queue_mutex";
    a->object = 0x4040;
    a->owner = MDL_OWNER_THREAD;
    a->owner_lwp = 102;
    a->timeout_ns = 5000000000;
    Doing(&h, 5, MDL_ACTIVITY_MPI, "MPI_Allreduce", 34);
    Doing(&h, 6, MDL_ACTIVITY_CHILD, "wait4", 35)->child = 4711;
    Foreign(&h, 7);
    Doing(&h, 7, MDL_ACTIVITY_CONDITION, "pthread_cond_wait", 36)->name = "queue.filled";
    Doing(&h, 8, MDL_ACTIVITY_UNKNOWN, nullptr)->why = "no registers";
    h.Verdict();
    EXPECT_EQ(h.Render(INSP_VIEW_THREADS, INSP_TEXT),
              "   Thr  LWP  OMP  Level  Region  Task  State             "
              "Waits for                                                            At\n"
              "     1  100  0/9      1       3    10  waiting           "
              "lock b, held by thread 2 (LWP 101)                                   solve.c:21\n"
              "     2  101  1/9      1       3    11  computes          "
              "                                                                     work, io.c:30\n"
              "     3  102  2/9      1       3    12  sleeps            "
              "                                                                     work, io.c:31\n"
              "     4  103  3/9      1       3    13  in read           "
              "descriptor 0 (/dev/pts/0)                                            work, io.c:32\n"
              "     5  104  4/9      1       3    14  waiting           "
              "mutex pool.queue_mutex, held by thread 3 (LWP 102), for at most 5 s  work, io.c:33\n"
              "     6  105  5/9      1       3    15  in MPI_Allreduce  "
              "                                                                     work, io.c:34\n"
              "     7  106  6/9      1       3    16  in wait4          "
              "child 4711                                                           work, io.c:35\n"
              "     8  107                            waiting           "
              "condition variable queue.filled                                      work, io.c:36\n"
              "     9  108  8/9      1       3    18  unknown\n");
}

// The kernel writes what is left of a sleep over its length, so each has another one.
TEST(Doings, SleepsShareARow)
{
    Hand h(2);
    Doing(&h, 0, MDL_ACTIVITY_SLEEP, "sleep", 31)->timeout_ns = INT64_C(98484000000);
    Doing(&h, 1, MDL_ACTIVITY_SLEEP, "sleep", 31)->timeout_ns = INT64_C(97000000000);
    h.Verdict();
    EXPECT_NE(h.Render(INSP_VIEW_THREADS, INSP_TEXT).find("(2 threads)"), std::string::npos);
    arena a = {};
    EXPECT_STREQ(mdl_timeout(&a, INT64_C(98484000000)), "for at most 99 s");
    EXPECT_STREQ(mdl_timeout(&a, INT64_C(2500000000)), "for at most 2.5 s");
    arena_free(&a);
}

// Who waits for work in a library's pool is idle, wherever it sleeps; all of them are one row, and none
// waits.
TEST(Doings, IdleWorkersOfAPool)
{
    Hand h(4);
    for (int i = 1; i < 4; i++) {
        Foreign(&h, i);
        mdl_activity *a = Doing(&h, i, MDL_ACTIVITY_CONDITION, "pthread_cond_wait", 30 + i);
        a->object = 0x4000 + 0x40 * static_cast<uint64_t>(i);
        a->pool = i < 3 ? "OpenBLAS" : "TBB";
    }
    h.Verdict();
    const std::string threads = h.Render(INSP_VIEW_THREADS, INSP_TEXT);
    EXPECT_NE(threads.find("2, 3 (2 threads)"), std::string::npos) << threads;
    EXPECT_NE(threads.find("idle      OpenBLAS's thread pool\n"), std::string::npos) << threads;
    EXPECT_NE(threads.find("idle      TBB's thread pool\n"), std::string::npos) << threads;
    EXPECT_EQ(threads.find("condition"), std::string::npos) << threads;
    EXPECT_EQ(h.Render(INSP_VIEW_WAITS, INSP_TEXT).find("101"), std::string::npos);
    EXPECT_NE(Record(h.s).find("\"pool\": \"OpenBLAS\""), std::string::npos);
}

// Those that sleep alike are one row, which says for what; they are never idle.
TEST(Doings, EqualSleepersShareARow)
{
    const char *const names[] = {"c[2]", "c[0]", "c[1]"};
    Hand h(4);
    for (int i = 1; i < 4; i++) {
        Foreign(&h, i);
        mdl_activity *a = Doing(&h, i, MDL_ACTIVITY_CONDITION, "pthread_cond_wait", 30);
        a->object = 0x4000 + 0x40 * static_cast<uint64_t>(i);
        a->name = names[i - 1];
    }
    auto threads = [&h] {
        h.Verdict();
        return h.Render(INSP_VIEW_THREADS, INSP_TEXT);
    };
    EXPECT_NE(threads().find("condition variables c[0] to c[2] "), std::string::npos) << threads();
    EXPECT_NE(threads().find("(3 threads)"), std::string::npos);
    EXPECT_EQ(threads().find("idle"), std::string::npos);
    h.s->threads[2].activity.name = "c[7]";
    EXPECT_NE(threads().find("different condition variables"), std::string::npos) << threads();
    h.s->threads[2].activity.name = "d[1]";
    EXPECT_NE(threads().find("different condition variables"), std::string::npos) << threads();
    for (int i = 1; i < 4; i++)
        h.s->threads[i].activity.object = 0x4000;
    EXPECT_EQ(threads().find("condition variables"), std::string::npos) << threads();
    h.s->threads[1].activity.object = 0x5000; // and who holds it is known: each has a row of its own
    for (int i = 1; i < 4; i++) {
        h.s->threads[i].activity.kind = MDL_ACTIVITY_MUTEX;
        h.s->threads[i].activity.object = 0x4000 + 0x40 * static_cast<uint64_t>(i);
    }
    EXPECT_EQ(threads().find("(3 threads)"), std::string::npos) << threads();
}

// OpenMP calls all of them at work.
TEST(Doings, NoWordOfWorkForOneThatIsInACall)
{
    for (int k = MDL_ACTIVITY_COMPUTES; k < MDL_ACTIVITIES; k++) {
        Hand h(2);
        Doing(&h, 0, static_cast<mdl_activity_kind>(k), k % 2 ? "some_call" : nullptr, 40)->asleep = true;
        Doing(&h, 1, MDL_ACTIVITY_SLEEP, "sleep", 41);
        for (int with_stack : {0, 1}) {
            if (with_stack) {
                h.s->want |= INSP_STACKS;
                h.Frame(0, INSP_CODE_LIBC, "some_call");
                h.Frame(0, INSP_CODE_USER, "work", 40);
            }
            for (int view : {INSP_VIEW_THREADS, INSP_VIEW_PARALLEL, INSP_VIEW_STACKS})
                for (const char *word : {"computes", "working", "running"})
                    EXPECT_EQ(h.Render(view, INSP_TEXT).find(word), std::string::npos)
                        << k << " " << h.Render(view, INSP_TEXT);
            std::string page = h.Render(INSP_VIEW_REPORT, INSP_HTML);
            page = page.substr(page.find("id=\"threads\""),
                               page.find("id=\"regions\"") - page.find("id=\"threads\""));
            for (const char *word : {"computes", "working", "running", "class=\"work\""})
                EXPECT_EQ(page.find(word), std::string::npos) << k << " " << page;
        }
    }
}

// Nothing is known: nothing is claimed.
TEST(Doings, NotAskedFor)
{
    Hand h(1);
    h.s->threads[0].activity = {};
    h.Frame(0, INSP_CODE_USER, "work", 40);
    h.Verdict();
    EXPECT_EQ(h.Render(INSP_VIEW_THREADS, INSP_TEXT).find("computes"), std::string::npos);
    EXPECT_EQ(Row(h.Render(INSP_VIEW_THREADS, INSP_TEXT), "     1"),
              "     1  100  0/1      1       3    10  parallel  work, io.c:40");
}

TEST(Doings, Owners)
{
    Hand h(DOINGS);
    AllDoings(&h);
    std::string text = h.Render(INSP_VIEW_THREADS, INSP_TEXT);
    const struct {
        int owner;
        const char *says;
    } cases[] = {{MDL_OWNER_NONE, "mutex 0x5000  "},
                 {MDL_OWNER_THREAD, "mutex pool.m, held by thread 2 (LWP 101)  "},
                 {MDL_OWNER_ENDED, "mutex 0x5002, held by a thread that has ended  "},
                 {MDL_OWNER_UNKNOWN, "mutex pool.m  "},
                 {MDL_OWNER_PROCESS, "mutex 0x5004, held by process 77  "},
                 {MDL_OWNER_FORK, "mutex pool.m, held since before the fork, by a thread of process 77  "}};
    for (const auto &c : cases) {
        std::string row = Row(text, "    " + std::to_string(MDL_ACTIVITIES + c.owner + 1) + " ");
        EXPECT_NE(row.find(c.says), std::string::npos) << row;
    }
    EXPECT_NE(Row(text, "    " + std::to_string(DOINGS) + " ").find("in wait4  "), std::string::npos);
    EXPECT_NE(Row(text, "    " + std::to_string(DOINGS) + " ").find("any child"), std::string::npos);
    EXPECT_NE(text.find("the end of thread 4 (LWP 103)"), std::string::npos) << text;
    h.s->threads[MDL_ACTIVITIES + 1].activity.owner_doubt = "it may have changed";
    text = h.Render(INSP_VIEW_THREADS, INSP_TEXT);
    EXPECT_NE(text.find("mutex pool.m, perhaps held by thread 2 (LWP 101)"), std::string::npos) << text;
    h.s->threads[MDL_ACTIVITIES + 1].activity = h.s->threads[MDL_ACTIVITIES].activity;
    h.s->threads[MDL_ACTIVITIES + 1].activity.owner = MDL_OWNER_THREAD;
    h.s->threads[MDL_ACTIVITIES + 1].activity.owner_lwp = 100 + MDL_ACTIVITIES + 1;
    text = h.Render(INSP_VIEW_THREADS, INSP_TEXT);
    EXPECT_NE(text.find("mutex 0x5000, which it already holds"), std::string::npos) << text;
}

TEST(Doings, Timeouts)
{
    const struct {
        int64_t ns;
        const char *says;
    } cases[] = {{MDL_TIMEOUT_NONE, ""},
                 {MDL_TIMEOUT_SOME, "for a limited time"},
                 {0, "for at most 0 ns"},
                 {999, "for at most 999 ns"},
                 {1000, "for at most 1 us"},
                 {20000000, "for at most 20 ms"},
                 {1250000000, "for at most 1.25 s"},
                 {5000000000, "for at most 5 s"},
                 {100000000000, "for at most 100 s"},
                 {3600000000000, "for at most 3600 s"},
                 {INT64_MAX, "for at most 9223372036.854 s"}};
    for (const auto &c : cases) {
        arena a = {};
        EXPECT_STREQ(mdl_timeout(&a, c.ns), c.says);
        arena_free(&a);
    }
}

TEST(Doings, EqualOnesShareARow)
{
    Hand h(12);
    for (int i = 0; i < 12; i++) {
        Foreign(&h, i);
        Doing(&h, i, MDL_ACTIVITY_CONDITION, "pthread_cond_wait", 36)->object = 0x7000;
    }
    h.s->threads[11].activity.timeout_ns = 7;
    h.Verdict();
    std::string text = h.Render(INSP_VIEW_THREADS, INSP_TEXT);
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3) << text;
    EXPECT_NE(text.find("1-11 (11 threads)"), std::string::npos) << text;
    EXPECT_EQ(text.find("not an OpenMP thread"), std::string::npos) << text;
}

TEST(Doings, WaitsTable)
{
    Hand h(DOINGS);
    AllDoings(&h);
    std::string text = h.Render(INSP_VIEW_WAITS, INSP_TEXT);
    for (const char *row : {"  mutex 0x5002 ", "  mutex pool.m                not known\n",
                            "a thread that has ended", "process 77", "  condition variable\n"})
        EXPECT_NE(text.find(row), std::string::npos) << row << "\n" << text;
    EXPECT_EQ(text.find("  descriptor"), std::string::npos) << text; // a read waits for nobody of the program
    std::string dot = h.Render(INSP_VIEW_WAITS, INSP_DOT);
    EXPECT_NE(dot.find("label=\"mutex 0x5002\\na thread that has ended\\n\""), std::string::npos) << dot;
    h.s->edges = static_cast<mdl_edge *>(arena_alloc(&h.s->arena, sizeof(mdl_edge)));
    h.s->edge_count = 1;
    h.s->edges[0] = {};
    h.s->edges[0].from.lwp = 100 + MDL_ACTIVITY_CHILD;
    h.s->edges[0].to.pid = 4711;
    h.s->edges[0].because = "the end of process 4711";
    h.s->verdict = {};
    text = h.Render(INSP_VIEW_WAITS, INSP_TEXT);
    EXPECT_NE(text.find("  the end of process 4711     process 4711 "), std::string::npos) << text;
    dot = h.Render(INSP_VIEW_WAITS, INSP_DOT);
    EXPECT_NE(dot.find("label=\"process 4711\""), std::string::npos) << dot;
}

// That one waits for input is no wait for another thread; it may be one for another process.
TEST(Doings, CallsWaitForNobodyHere)
{
    Hand h(1);
    Doing(&h, 0, MDL_ACTIVITY_READ, "read", 5);
    h.Verdict();
    EXPECT_NE(
        h.Render(INSP_VIEW_WAITS, INSP_TEXT).find("No thread or task waits for another of this process.\n"),
        std::string::npos)
        << h.Render(INSP_VIEW_WAITS, INSP_TEXT);
    Doing(&h, 0, MDL_ACTIVITY_COMPUTES);
    h.Verdict();
    EXPECT_NE(h.Render(INSP_VIEW_WAITS, INSP_TEXT).find("No thread or task waits for another.\n"),
              std::string::npos);
}

TEST(Doings, NoLineIsWiderThanAsked)
{
    Hand h(DOINGS);
    AllDoings(&h);
    for (int width : {40, 60, 80, 100})
        for (int view : {INSP_VIEW_THREADS, INSP_VIEW_WAITS, INSP_VIEW_STACKS, INSP_VIEW_REPORT}) {
            std::istringstream lines(h.Render(view, INSP_TEXT, width));
            for (std::string line; std::getline(lines, line);) {
                ASSERT_LE(text_width(line.c_str()), static_cast<size_t>(width)) << view << ": " << line;
            }
        }
}

TEST(Doings, RecordRoundTrip)
{
    Hand h(DOINGS);
    AllDoings(&h);
    std::string text = Record(h.s);
    char *error = nullptr;
    insp_snapshot *again = insp_load(text.data(), text.size(), &error);
    ASSERT_TRUE(again) << error;
    EXPECT_EQ(Record(again), text);
    for (int i = 0; i < DOINGS; i++) {
        const mdl_activity &a = h.s->threads[i].activity, &b = again->threads[i].activity;
        EXPECT_EQ(a.kind, b.kind);
        EXPECT_EQ(a.asleep, b.asleep);
        EXPECT_EQ(a.timeout_ns, b.timeout_ns);
        EXPECT_EQ(a.descriptor, b.descriptor);
        EXPECT_EQ(a.child, b.child);
        EXPECT_EQ(a.owner, b.owner);
        EXPECT_EQ(a.owner_how, b.owner_how);
        EXPECT_EQ(a.owner_pid, b.owner_pid);
        EXPECT_EQ(h.s->threads[i].cpu_ns, again->threads[i].cpu_ns);
    }
    EXPECT_EQ(again->process.rank, 3);
    EXPECT_EQ(again->process.size, 64);
    EXPECT_STREQ(again->process.job, "4711");
    const mdl_thread &t = again->threads[MDL_ACTIVITY_COMPUTES];
    EXPECT_TRUE(t.frames[0].inlined);
    EXPECT_STREQ(t.frames[1].symbol, "_Z5outerv");
    insp_free(again);
}

// Words and types of a later version: nothing is taken for something else.
TEST(Doings, LaterVersions)
{
    Hand h(1);
    mdl_activity *a = Doing(&h, 0, MDL_ACTIVITY_MUTEX, "pthread_mutex_lock", 5);
    a->owner = MDL_OWNER_THREAD;
    a->owner_lwp = 100;
    h.Verdict();
    json_t *root = json_loads(Record(h.s).c_str(), 0, nullptr);
    json_t *activity = json_object_get(json_array_get(json_object_get(root, "threads"), 0), "activity");
    auto load = [&] {
        char *text = json_dumps(root, 0);
        insp_snapshot *s = insp_load(text, strlen(text), nullptr);
        free(text);
        return s;
    };
    json_object_set_new(activity, "timeout", json_string("a while"));
    json_object_set_new(activity, "owner", json_string("guest"));
    insp_snapshot *s = load();
    EXPECT_EQ(s->threads[0].activity.timeout_ns, MDL_TIMEOUT_SOME);
    EXPECT_EQ(s->threads[0].activity.owner, MDL_OWNER_UNKNOWN);
    insp_free(s);
    json_object_set_new(activity, "kind", json_string("ponders"));
    s = load();
    EXPECT_EQ(s->threads[0].activity.kind, MDL_ACTIVITY_UNKNOWN);
    EXPECT_STREQ(s->threads[0].activity.why, "this version of ompd does not know the word \"ponders\"");
    EXPECT_EQ(s->threads[0].activity.owner, MDL_OWNER_NONE);
    EXPECT_STREQ(s->threads[0].activity.call, "pthread_mutex_lock");
    insp_free(s);
    json_object_set_new(activity, "kind", json_integer(7));
    s = load();
    EXPECT_FALSE(mdl_activity_known(&s->threads[0].activity));
    insp_free(s);
    json_decref(root);
}

TEST(Doings, FirstLineOfAReport)
{
    Hand h(1);
    h.Verdict();
    std::string text = h.Render(INSP_VIEW_REPORT, INSP_TEXT);
    EXPECT_EQ(text.substr(0, text.find('\n')), "Process 4242, /apps/solve");
    h.s->process.rank = 0;
    text = h.Render(INSP_VIEW_REPORT, INSP_TEXT);
    EXPECT_EQ(text.substr(0, text.find('\n')), "Process 4242, rank 0, /apps/solve");
    h.s->process.size = 64;
    h.s->process.job = "4711";
    h.s->process.step = "2";
    text = h.Render(INSP_VIEW_REPORT, INSP_TEXT);
    EXPECT_EQ(text.substr(0, text.find('\n')), "Process 4242, rank 0 of 64, job 4711.2, /apps/solve");
}

// A program of pthreads, or one whose runtime cannot be read, has threads all the same.
TEST(Doings, WithoutARuntime)
{
    Hand h(2);
    h.s->runtime_count = h.s->region_count = h.s->task_count = 0;
    for (int i = 0; i < 2; i++) {
        Foreign(&h, i);
        Doing(&h, i, MDL_ACTIVITY_MUTEX, "pthread_mutex_lock", 5 + i)->object =
            0x10u * static_cast<unsigned>(i + 1);
    }
    mdl_problem(h.s, "the OpenMP runtime of this process", "there is none", "");
    h.Verdict();
    for (int view : {INSP_VIEW_THREADS, INSP_VIEW_WAITS, INSP_VIEW_REPORT})
        EXPECT_NE(h.Render(view, INSP_TEXT).find("mutex 0x20"), std::string::npos)
            << h.Render(view, INSP_TEXT);
    h.s->want |= INSP_STACKS;
    EXPECT_NE(h.Render(INSP_VIEW_STACKS, INSP_TEXT).find("thread 2 (LWP 101): waits for mutex 0x20\n"),
              std::string::npos)
        << h.Render(INSP_VIEW_STACKS, INSP_TEXT);
}

} // namespace
