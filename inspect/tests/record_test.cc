// SPDX-License-Identifier: Apache-2.0
// A recorded snapshot shows what the first one showed; what is no snapshot is refused; pictures stay
// readable.
#include <gtest/gtest.h>

#include <random>
#include <regex>

#include "inspect/tests/hand.h"

namespace
{

void Fill(Hand *h)
{
    h->Mutex(0, "lock", "b", 1, 21);
    h->Mutex(1, "lock", "a", 0, 30);
    h->Barrier(2, 88, {0, 1});
    h->After(h->Task(20, "explicit", "blocked", -1, 10, 45), 21);
    h->Task(21, "explicit", "ready", -1, 10, 45)->taskgroup = 77;
    h->s->want |= INSP_STACKS;
    h->s->regions[0].codeptr = 0x400500;
    h->Frame(1, INSP_CODE_USER, "kernel", 12);
    h->Frame(0, INSP_CODE_USER, "kernel", 12);
    h->Frame(0, INSP_CODE_OPENMP, "__kmpc_fork_call");
    h->Frame(0, INSP_CODE_USER, "main", 5, 0x400500);
    if (h->s->thread_count > 3) { /* the last ones are of the program's own */
        Foreign(h, 3);
        Doing(h, 3, MDL_ACTIVITY_MUTEX, "pthread_mutex_lock", 7)->owner = MDL_OWNER_THREAD;
        h->s->threads[3].activity.owner_lwp = 102;
        Foreign(h, 4);
        Doing(h, 4, MDL_ACTIVITY_CHILD, "wait4", 8)->child = -1;
        h->s->threads[4].activity.timeout_ns = 5000000000;
    }
    mdl_problem(h->s, "a page", "it is not in the core", "");
    verdict_make(h->s);
}

std::string Record(const insp_snapshot *s)
{
    char *error = nullptr, *text = insp_record(s, &error);
    std::string result = text ? text : error;

    insp_string_free(text ? text : error);
    return result;
}

TEST(Record, RoundTrip)
{
    Hand h(5);
    char *error = nullptr;
    Fill(&h);
    std::string text = Record(h.s);
    insp_snapshot *again = insp_load(text.data(), text.size(), &error);
    ASSERT_TRUE(again) << error;
    EXPECT_EQ(Record(again), text);
    for (int view = INSP_VIEW_THREADS; view <= INSP_VIEW_STACKS; view++)
        for (int format = INSP_TEXT; format <= INSP_FOLDED; format++) {
            insp_render_options o = {};
            o.size = sizeof(o);
            o.view = view;
            o.format = format;
            char *now = insp_render(again, &o, &error);
            ASSERT_TRUE(now) << error;
            EXPECT_EQ(now, h.Render(view, format)) << view << " " << format;
            insp_string_free(now);
        }
    insp_free(again);
}

TEST(Record, Refusals)
{
    for (const char *text :
         {"", "{", "[]", "{\"schema\": 1}", "{\"schema\": 2, \"snapshot\": {\"version\": 1}}"}) {
        char *error = nullptr;
        EXPECT_FALSE(insp_load(text, strlen(text), &error));
        ASSERT_TRUE(error);
        EXPECT_EQ(std::string(error).find("This is not a recorded snapshot"), 0u) << error;
        insp_string_free(error);
    }
    char *error = nullptr;
    const char newer[] = "{\"schema\": 1, \"snapshot\": {\"version\": 2}}";
    EXPECT_FALSE(insp_load(newer, strlen(newer), &error));
    EXPECT_STREQ(error, "The snapshot was written by a newer version of ompd.");
    insp_string_free(error);
}

// A word that a later version has and this one has not: nothing is proved with it, and the row says so.
TEST(Record, WordsOfALaterVersion)
{
    Hand h(3);
    h.Mutex(0, "lock", "b", 1, 21);
    h.Mutex(1, "lock", "a", 0, 30);
    h.Task(20, "explicit", "ready", -1, 10, 45);
    h.Barrier(2, 88, {0, 1});
    ASSERT_EQ(h.Verdict().find("deadlock: "), 0u);
    const std::string text = Record(h.s);
    const struct {
        const char *was, *now, *field, *verdict;
    } cases[] = {
        {R"("kind": "lock")", R"("kind": "futex")", "wait.kind", "unknown"},
        {R"("owner": "thread")", R"("owner": "guest")", "wait.owner_lwp", "unknown"},
        {R"("barrier": "explicit")", R"("barrier": "fuzzy")", "wait.barrier", "deadlock"},
        {R"("state": "ready")", R"("state": "stolen")", "state", "deadlock"},
        {R"("kind": "explicit")", R"("kind": "transparent")", "kind", "deadlock"},
        {R"("kind": "parallel")", R"("kind": "loop")", "kind", "deadlock"},
    };
    for (const auto &c : cases) {
        std::string changed = std::regex_replace(text, std::regex(c.was), c.now);
        ASSERT_NE(changed, text) << c.was;
        char *error = nullptr;
        insp_snapshot *again = insp_load(changed.data(), changed.size(), &error);
        ASSERT_TRUE(again) << error;
        std::string word = strrchr(c.now, ' ') + 2;
        std::string reason =
            "this version of ompd does not know the word \\\"" + word.substr(0, word.size() - 1);
        std::string result = Record(again);
        EXPECT_NE(result.find("\"" + std::string(c.field) + "\": \"" + reason), std::string::npos) << c.now;
        EXPECT_STREQ(mdl_word(&mdl_verdict_words, insp_verdict(again, nullptr)), c.verdict) << c.now;
        insp_free(again);
    }
    // A state of a thread that OMPT does not have may be the library's own: it stays as it is.
    std::string own =
        std::regex_replace(text, std::regex(R"("state": "work_parallel")"), R"("state": "steal")");
    char *error = nullptr;
    insp_snapshot *again = insp_load(own.data(), own.size(), &error);
    ASSERT_TRUE(again) << error;
    EXPECT_EQ(Record(again), own);
    insp_free(again);
}

// What graph.h takes as possible of a barrier depends on which one it is.
TEST(Record, BarrierOfALaterVersionProvesNothing)
{
    Hand h(2);
    h.Barrier(0, 88, {1});
    h.Barrier(1, 89, {});
    h.s->threads[1].wait.barrier = MDL_BARRIER_REGION_END;
    h.s->runtimes[0].cancellation = 0;
    ASSERT_EQ(h.Verdict().find("deadlock: "), 0u) << h.Verdict();
    std::string text =
        std::regex_replace(Record(h.s), std::regex("implicit_parallel"), "implicit_parallel_nowait");
    char *error = nullptr;
    insp_snapshot *again = insp_load(text.data(), text.size(), &error);
    ASSERT_TRUE(again) << error;
    EXPECT_EQ(insp_verdict(again, nullptr), INSP_UNKNOWN);
    insp_free(again);
}

// Values of other types, other numbers, missing keys: any answer will do, none may crash or hang.
TEST(Record, Mutations)
{
    Hand h(5);
    std::mt19937_64 rng(7);
    int loaded = 0;
    Fill(&h);
    const std::string text = Record(h.s);
    const char *const values[] = {"-1",        "9223372036854775807", "null",    "[]", "{}",   "\"barrier\"",
                                  "\"mutex\"", "\"thread\"",          "\"any\"", "3",  "true", "[1,{}]"};
    std::vector<std::pair<size_t, size_t>> spots;
    std::regex value("[0-9]+|\"[^\"]*\"|true|false|null");
    for (std::sregex_iterator it(text.begin(), text.end(), value), end; it != end; ++it)
        spots.push_back({static_cast<size_t>(it->position()), static_cast<size_t>(it->length())});
    for (int k = 0; k < 2000; k++) {
        std::string broken = text;
        auto spot = spots[rng() % spots.size()];
        broken.replace(spot.first, spot.second, values[rng() % (sizeof(values) / sizeof(*values))]);
        insp_snapshot *s = insp_load(broken.data(), broken.size(), nullptr);
        if (!s)
            continue;
        loaded++;
        for (int format = INSP_TEXT; format <= INSP_FOLDED; format++)
            for (int view : {INSP_VIEW_REPORT, INSP_VIEW_TASKS, INSP_VIEW_WAITS}) {
                insp_render_options o = {};
                o.size = sizeof(o);
                o.view = view;
                o.format = format;
                insp_string_free(insp_render(s, &o, nullptr));
            }
        insp_free(s);
    }
    EXPECT_GT(loaded, 1000);
}

TEST(Stacks, WorkerJoinsTheCreator)
{
    Hand h(3);
    Fill(&h);
    EXPECT_EQ(h.Render(INSP_VIEW_STACKS, INSP_TEXT),
              "thread 1 (LWP 100): waits for lock b, held by thread 2 (LWP 101)\n"
              "    #0  kernel at io.c:12\n"
              "    #1  main at io.c:5\n"
              "thread 2 (LWP 101): waits for lock a, held by thread 1 (LWP 100)\n"
              "    #0  kernel at io.c:12\n"
              "    -- region created by thread 1 (LWP 100) --\n"
              "    #1  main at io.c:5\n"
              "thread 3 (LWP 102): waits for explicit barrier of region 3, 2 of 3 missing: threads 1, "
              "2\n"
              "    -- region created by thread 1 (LWP 100) --\n"
              "    #0  main at io.c:5\n"
              "A page: it is not in the core.\n");
    EXPECT_EQ(h.Render(0, INSP_FOLDED), "main;kernel;[waits for lock b] 1\nmain;kernel;[waits for lock a] 1\n"
                                        "main;[waits for explicit barrier of region 3] 1\n");
}

// What the compiler has inlined around the call that makes the region has one pc with it: all of it is shown,
// and in a recursion it counts once.
TEST(Stacks, WorkerJoinsInlinedFramesOfTheCreator)
{
    Hand h(2);
    h.s->want |= INSP_STACKS;
    h.s->regions[0].codeptr = 0x500001;
    h.Frame(0, INSP_CODE_USER, "kernel", 12);
    h.Frame(0, INSP_CODE_USER, "inlined_into_main", 9, 0x500001);
    h.Frame(0, INSP_CODE_USER, "main", 5, 0x500001);
    h.Frame(0, INSP_CODE_USER, "_start");
    h.Frame(1, INSP_CODE_USER, "kernel", 13);
    verdict_make(h.s);
    EXPECT_NE(h.Render(INSP_VIEW_STACKS, INSP_TEXT)
                  .find("    #0  kernel at io.c:13\n"
                        "    -- region created by thread 1 (LWP 100) --\n"
                        "    #1  inlined_into_main at io.c:9\n"
                        "    #2  main at io.c:5\n"),
              std::string::npos)
        << h.Render(INSP_VIEW_STACKS, INSP_TEXT);
}

// As `bt` in GDB labels them.
TEST(Stacks, ConstructsAreLabelled)
{
    Hand h(1);
    h.s->want |= INSP_STACKS;
    h.s->regions[0].entry = 0x401000;
    h.s->regions[0].codeptr = 0x400510;
    mdl_task *task = h.Run(20, 0, 10, 90);
    task->entry = 0x402000;
    task->place.function = "visit";
    h.s->runtimes[0].kind = "companion";
    h.Frame(0, INSP_CODE_USER, "touch", 11, 0x403010);
    h.s->threads[0].frames[0].inlined = true;
    h.Frame(0, INSP_CODE_USER, ".omp_outlined.", 12, 0x401f80);
    h.s->threads[0].frames[1].symbol = ".omp_outlined._debug__.2";
    h.Frame(0, INSP_CODE_USER, ".omp_task_entry.", 12, 0x402030);
    h.Frame(0, INSP_CODE_OPENMP, "__kmpc_omp_taskwait");
    h.Frame(0, INSP_CODE_USER, "solve.omp_outlined", 82, 0x401020);
    h.Frame(0, INSP_CODE_OPENMP, "__kmpc_fork_call");
    h.Frame(0, INSP_CODE_USER, "solve", 80, 0x400510);
    h.Frame(0, INSP_CODE_USER, "main", 5, 0x400100);
    verdict_make(h.s);
    std::string text = h.Render(INSP_VIEW_STACKS, INSP_TEXT);
    EXPECT_NE(text.find("    #0  touch at io.c:11 (inlined)\n"
                        "    #1  visit [#pragma omp task at solve.c:90] at io.c:12\n"
                        "    #2  solve [#pragma omp parallel at solve.c:80] at io.c:82\n"
                        "    #3  solve at io.c:80\n"
                        "    #4  main at io.c:5\n"),
              std::string::npos)
        << text;
    // A frame of code that no construct's comes before is none's body.
    h.s->regions[0].entry = 0x401900;
    text = h.Render(INSP_VIEW_STACKS, INSP_TEXT);
    EXPECT_EQ(text.find("omp parallel"), std::string::npos) << text;
    h.s->regions[0].entry = 0x401000;
    h.s->regions[0].place.file = "/src/work.f90";
    text = h.Render(INSP_VIEW_STACKS, INSP_TEXT);
    EXPECT_NE(text.find("solve [!$omp parallel at work.f90:80] at io.c:82\n"), std::string::npos) << text;
}

// Of a truncated core the first frame may be all: what the thread did is not known.
TEST(Crash, SaysWhatTheThreadDidWhereThatIsKnown)
{
    Hand h(1);
    h.s->process.signal = 6;
    h.s->process.crashed_lwp = 100;
    h.Frame(0, INSP_CODE_LIBC, "pause");
    verdict_make(h.s);
    EXPECT_NE(h.Render(INSP_VIEW_REPORT, INSP_TEXT).find("Ended by SIGABRT in thread 1 (LWP 100). It ran"),
              std::string::npos)
        << h.Render(INSP_VIEW_REPORT, INSP_TEXT);
    h.Frame(0, INSP_CODE_USER, "main", 5);
    EXPECT_NE(h.Render(INSP_VIEW_REPORT, INSP_TEXT)
                  .find("(LWP 100), which was in pause(), called from main at io.c:5."),
              std::string::npos);
}

// Where nobody waits, a crash is the whole story.
TEST(Crash, NoDeadlockIsNoNews)
{
    Hand h(2);
    h.s->process.signal = 11;
    h.s->process.crashed_lwp = 100;
    EXPECT_EQ(h.Verdict().find("none: "), 0u);
    EXPECT_EQ(h.Render(INSP_VIEW_REPORT, INSP_TEXT).find("No deadlock"), std::string::npos);
    EXPECT_EQ(h.Render(INSP_VIEW_WAITS, INSP_TEXT).find("No deadlock"), std::string::npos);
    EXPECT_EQ(h.Render(INSP_VIEW_WAITS, INSP_TEXT).find("Ended by SIGSEGV in thread 1 (LWP 100)."), 0u);
    h.Barrier(1, 88, {0});
    h.Verdict();
    EXPECT_NE(h.Render(INSP_VIEW_REPORT, INSP_TEXT).find("The team of 2 waits"), std::string::npos);
}

TEST(Stacks, FramesBeyondTheHundredth)
{
    Hand h(1);
    h.s->want |= INSP_STACKS;
    for (int i = 0; i < 102; i++)
        h.Frame(0, INSP_CODE_USER, "f", 12, 0x400000 + static_cast<uint64_t>(i));
    std::string text = h.Render(INSP_VIEW_STACKS, INSP_TEXT);
    EXPECT_NE(text.find("    #99 f at io.c:12\n    #100 f at io.c:12\n"), std::string::npos)
        << text.substr(text.size() - 200);
}

TEST(Waits, WhereItWasTaken)
{
    Hand h(2);
    h.Mutex(0, "lock", "a", 1, 22);
    h.s->threads[0].wait.taken_at = {"grab", nullptr, 0, nullptr};
    h.Verdict();
    std::string text = h.Render(INSP_VIEW_THREADS, INSP_TEXT);
    EXPECT_NE(text.find("lock a, held by thread 2 (LWP 101), taken in grab "), std::string::npos) << text;
}

TEST(Groups, OneThatLeftOutABarrierIsAlone)
{
    Hand h(4);
    for (int i = 0; i < 4; i++) {
        h.Barrier(i, 0, {2});
        h.s->threads[i].wait.barrier = MDL_BARRIER_REGION_END;
    }
    for (int i : {0, 1, 3})
        h.s->threads[i].wait.barrier = MDL_BARRIER_EXPLICIT;
    verdict_make(h.s);
    std::string dot = h.Render(INSP_VIEW_WAITS, INSP_DOT);
    EXPECT_NE(dot.find("3 of 4 have arrived"), std::string::npos) << dot;
    EXPECT_EQ(dot.find("3 of 4 have arrived", dot.find("3 of 4 have arrived") + 1), std::string::npos) << dot;
    for (int i : {0, 1, 3})
        h.s->threads[i].wait.barrier = MDL_BARRIER_REGION_END;
    verdict_make(h.s);
    std::string text = h.Render(INSP_VIEW_THREADS, INSP_TEXT);
    EXPECT_NE(text.find("1, 2, 4 (3 threads)"), std::string::npos) << text;
    EXPECT_NE(
        text.find("barrier at the end of region 3, 1 of 4 missing: thread 3 (LWP 102)  solve, solve.c:80\n"),
        std::string::npos)
        << text;
    EXPECT_NE(
        text.find("barrier at the end of region 3, after skipping a barrier            solve, solve.c:80\n"),
        std::string::npos)
        << text;
}

TEST(Groups, EqualThreadsAreOneLine)
{
    Hand h(17);
    h.Frame(1, INSP_CODE_USER, "f", 3);
    for (int i = 2; i < 17; i++)
        h.Barrier(i, 88, {0, 1});
    verdict_make(h.s);
    std::string text = h.Render(INSP_VIEW_THREADS, INSP_TEXT);
    EXPECT_NE(text.find("3-17 (15 threads)"), std::string::npos) << text;
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);
}

size_t Count(const std::string &text, const std::string &part)
{
    size_t n = 0;

    for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; at++)
        n++;
    return n;
}

// Each task depends on the one before it, the first on a task that runs.
void Chain(Hand *h, int count)
{
    h->s->tasks[1].kind = MDL_TASK_IMPLICIT;
    h->Run(36, 0, 10, 14);
    h->Barrier(1, 88, {0});
    for (int i = 0; i < count; i++)
        h->After(h->Task(37 + static_cast<uint64_t>(i), "explicit", "blocked", -1, 10, 15),
                 36 + static_cast<uint64_t>(i));
    verdict_make(h->s);
}

TEST(Groups, AChainOfTasksIsARow)
{
    Hand h(2, 6100);
    Chain(&h, 6000);
    std::string text = h.Render(INSP_VIEW_TASKS, INSP_TEXT);
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 5) << text;
    EXPECT_NE(text.find("37-6036 (6000)  explicit  blocked"), std::string::npos) << text;
    EXPECT_NE(text.find("  task 36, then one another\n"), std::string::npos) << text;
    text = h.Render(INSP_VIEW_WAITS, INSP_TEXT);
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 10) << text;
    EXPECT_NE(text.find("6000 tasks: 37-6036"), std::string::npos) << text;
    EXPECT_NE(text.find("at least 6"), std::string::npos) << text; // of edges there are 64 for each thread
    EXPECT_LT(h.Render(INSP_VIEW_REPORT, INSP_TEXT).size(), 5000u);
    std::string page = h.Render(INSP_VIEW_REPORT, INSP_HTML);
    EXPECT_LT(page.size(), 20000u);
    EXPECT_NE(page.find("37-6036 (6000 tasks)"), std::string::npos) << page;
    EXPECT_EQ(page.find("<th>Count</th>"), std::string::npos);
}

TEST(Groups, EachTaskHasARowWhenAsked)
{
    Hand h(2, 600);
    Chain(&h, 500);
    insp_render_options o = {};
    o.size = sizeof(o);
    o.view = INSP_VIEW_TASKS;
    o.expand = 1;
    char *text = insp_render(h.s, &o, nullptr);
    EXPECT_EQ(std::count(text, text + strlen(text), '\n'), 504) << text;
    EXPECT_TRUE(strstr(text, "  task 535\n"));
    insp_string_free(text);
}

// Two loops that take turns in creating tasks.
TEST(Groups, TasksThatTakeTurns)
{
    Hand h(1, 1100);
    for (uint64_t i = 0; i < 1000; i++)
        h.Task(100 + i, "explicit", "ready", -1, 10, i % 2 ? 45 : 46);
    verdict_make(h.s);
    std::string text = h.Render(INSP_VIEW_TASKS, INSP_TEXT);
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 5) << text;
    EXPECT_NE(text.find("100, ... (500)"), std::string::npos) << text;
    EXPECT_NE(text.find("101, ... (500)"), std::string::npos) << text;
    EXPECT_NE(text.find("tasks 100-1099: the team's only thread"), std::string::npos) << text;
}

// 64 implicit tasks that wait for the same share a row of the page, as they do in the text.
TEST(Groups, ImplicitTasksOfThePage)
{
    Hand h(64);
    for (int i = 1; i < 64; i++)
        h.Barrier(i, 88, {0});
    verdict_make(h.s);
    std::string page = h.Render(INSP_VIEW_REPORT, INSP_HTML);
    EXPECT_NE(page.find("<td class=\"ids\">11-73 (63 tasks)</td><td>implicit</td><td>waiting</td>"),
              std::string::npos)
        << page.substr(page.find("id=\"tasks\""), 2000);
    EXPECT_NE(page.find("<td>team of 64</td>"), std::string::npos);
}

TEST(Pictures, FiveThousandTasks)
{
    Hand h(4, 6000);
    for (int i = 0; i < 4; i++)
        h.Barrier(i, 88, {});
    // Equal ones, then some that differ by their line.
    for (uint64_t t = 0; t < 5000; t++)
        h.Task(100 + t, "explicit", "ready", -1, 10, t < 4500 ? 45 : 1000 + static_cast<int>(t));
    verdict_make(h.s);
    std::string tree = h.Render(INSP_VIEW_TASKS, INSP_DOT), waits = h.Render(INSP_VIEW_WAITS, INSP_DOT);
    EXPECT_NE(tree.find("4500 explicit tasks"), std::string::npos);
    EXPECT_LE(Count(tree, "label="), 90u);
    EXPECT_NE(tree.find("more below"), std::string::npos);
    EXPECT_LE(Count(waits, "label="), 90u);
    EXPECT_NE(waits.find("5000 tasks"), std::string::npos);
    std::string page = h.Render(INSP_VIEW_REPORT, INSP_HTML);
    EXPECT_LT(page.size(), 1000000u);
    EXPECT_EQ(page.find("http"), page.find("http-equiv")); // nothing is fetched
    EXPECT_EQ(Count(page, "http"), 1u);
}

// One thread that waits for what it holds is a circle of one; a group at a barrier is none.
TEST(Pictures, OneThatWaitsForItself)
{
    Hand alone(1), three(3);
    alone.Mutex(0, "lock", "a", 0, 21);
    three.Mutex(0, "lock", "a", 0, 21);
    three.Mutex(1, "lock", "a", 0, 21);
    three.Mutex(2, "lock", "a", 0, 21);
    for (Hand *h : {&alone, &three}) {
        verdict_make(h->s);
        std::string dot = h->Render(INSP_VIEW_WAITS, INSP_DOT);
        EXPECT_NE(dot.find("  n0 -> n0 [color=\"#b3261e\""), std::string::npos) << dot;
        EXPECT_EQ(Count(dot, "n0 -> n0"), 1u) << dot;
        EXPECT_NE(dot.find("lock a\\n"), std::string::npos) << dot; // no address beside a name
    }
}

// Also of those that the verdict's sentence has no room for.
TEST(Waits, EachThatWaitsForItselfHasARow)
{
    Hand h(2);
    h.Mutex(0, "lock", "a", 0, 21);
    h.Mutex(1, "lock", "b", 1, 30);
    verdict_make(h.s);
    std::string text = h.Render(INSP_VIEW_WAITS, INSP_TEXT);
    EXPECT_EQ(h.s->edge_count, 2);
    EXPECT_NE(text.find("!  thread 1 (LWP 100)  lock a     thread 1 (LWP 100)  also waits\n"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("   thread 2 (LWP 101)  lock b     thread 2 (LWP 101)  also waits\n"),
              std::string::npos)
        << text;
}

// "Stuck", and then "Nobody waits": no edge can lead to one that has ended.
TEST(Waits, OwnersThatAreGoneHaveARow)
{
    Hand h(3);
    h.Mutex(0, "lock", "b", -2, 22);
    h.Mutex(1, "lock", "b", -2, 22);
    EXPECT_EQ(h.Verdict().find("stuck: "), 0u) << h.Verdict();
    std::string text = h.Render(INSP_VIEW_WAITS, INSP_TEXT);
    EXPECT_NE(text.find("   threads 1, 2 (2 threads)  lock b     a thread that has ended\n"),
              std::string::npos)
        << text;
    EXPECT_EQ(text.find("Nobody"), std::string::npos) << text;
    std::string dot = h.Render(INSP_VIEW_WAITS, INSP_DOT);
    EXPECT_NE(dot.find(" -> ended [label=\"lock b\\n\"]"), std::string::npos) << dot;
    EXPECT_EQ(dot.find("Nobody"), std::string::npos) << dot;
    h.s->threads[0].wait.owner = h.s->threads[1].wait.owner = MDL_OWNER_THREAD;
    h.Verdict();
    text = h.Render(INSP_VIEW_WAITS, INSP_TEXT);
    EXPECT_NE(text.find("lock b     a thread that is not listed\n"), std::string::npos) << text;
}

// One thread did fewer barriers: it is at the end of the region, where the runtime counts it with the others.
TEST(Barriers, TwoAreTwo)
{
    Hand h(4);
    for (int i = 0; i < 4; i++)
        h.Barrier(i, 8, {});
    h.s->threads[3].wait.barrier = MDL_BARRIER_REGION_END;
    h.s->runtimes[0].cancellation = 0;
    EXPECT_EQ(h.Verdict().find("deadlock: "), 0u) << h.Verdict();
    for (int view : {INSP_VIEW_THREADS, INSP_VIEW_PARALLEL, INSP_VIEW_STACKS, INSP_VIEW_REPORT})
        for (int format : {INSP_TEXT, INSP_HTML}) {
            h.s->want |= INSP_STACKS;
            std::string text = h.Render(view, format);
            EXPECT_EQ(text.find("all have arrived"), std::string::npos) << text;
            EXPECT_NE(text.find("explicit barrier of region 3, 1 of 4 missing: thread 4 (LWP 103) is at "
                                "the end of the region"),
                      std::string::npos)
                << text;
            EXPECT_NE(text.find("barrier at the end of region 3, 3 of 4 missing: 3 threads are at the "
                                "barrier at solve.c:8"),
                      std::string::npos)
                << text;
        }
    std::string dot = h.Render(INSP_VIEW_WAITS, INSP_DOT);
    EXPECT_NE(dot.find("label=\"explicit barrier of region 3\\nsolve.c:8\\n3 of 4 have arrived\\n\""),
              std::string::npos)
        << dot;
    EXPECT_NE(dot.find("label=\"barrier at the end of region 3\\nsolve.c:80\\n1 of 4 has arrived\\n\""),
              std::string::npos)
        << dot;
}

// A tool's callback at the begin of a wait keeps a thread that has not arrived yet: one barrier is told one
// way.
TEST(Barriers, OneIsToldOneWay)
{
    Hand h(3);
    for (int i = 0; i < 3; i++)
        h.Barrier(i, 88, {1});
    h.Verdict();
    std::string rows = h.Render(INSP_VIEW_THREADS, INSP_TEXT);
    EXPECT_EQ(rows.find("all have arrived"), std::string::npos) << rows;
    // All have been let go, none has noticed.
    for (int i = 0; i < 3; i++)
        h.Barrier(i, 88, {0, 1, 2});
    rows = h.Render(INSP_VIEW_THREADS, INSP_TEXT);
    EXPECT_NE(rows.find("all have arrived"), std::string::npos) << rows;
    EXPECT_EQ(rows.find("missing"), std::string::npos) << rows;
}

TEST(Waits, SomebodyWhoseOwnerIsNotKnown)
{
    Hand h(1);
    h.Mutex(0, "ordered", "o", -1, 21);
    verdict_make(h.s);
    EXPECT_NE(h.Render(INSP_VIEW_WAITS, INSP_TEXT).find("No thread or task is known to wait for another.\n"),
              std::string::npos);
    h.s->threads[0].wait = {};
    verdict_make(h.s);
    EXPECT_NE(h.Render(INSP_VIEW_WAITS, INSP_TEXT).find("No thread or task waits for another.\n"),
              std::string::npos);
}

TEST(Pictures, NamesAreQuoted)
{
    Hand h(2);
    char *error = nullptr;
    h.Mutex(0, "lock", "a<b>&\"\\", 1, 21);
    h.Mutex(1, "lock", "c", 0, 30);
    verdict_make(h.s);
    std::string dot = h.Render(INSP_VIEW_WAITS, INSP_DOT), page = h.Render(INSP_VIEW_REPORT, INSP_HTML);
    EXPECT_NE(dot.find("a<b>&\\\"\\\\"), std::string::npos) << dot;
    EXPECT_EQ(page.find("a<b>"), std::string::npos);
    char *svg = insp_svg(dot.c_str(), &error);
    ASSERT_TRUE(svg) << error;
    EXPECT_TRUE(strstr(svg, "a&lt;b&gt;&amp;"));
    insp_string_free(svg);
    EXPECT_FALSE(insp_svg("this is no graph {", &error));
    EXPECT_STREQ(error, "The program dot has drawn nothing.");
    insp_string_free(error);
}

} // namespace
