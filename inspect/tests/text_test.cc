// SPDX-License-Identifier: Apache-2.0
// The text views, letter by letter, and how tables fit.
#include <gtest/gtest.h>

#include <sstream>

#include "inspect/render/table.h"
#include "inspect/tests/scenario.h"

namespace
{

TEST(Threads, Golden)
{
    Scenario s(true);
    EXPECT_EQ(
        s.render(INSP_VIEW_THREADS),
        "   Thr  LWP  OMP  Level  Region  Task  State     Waits for                                       "
        "               At\n"
        "     1  100  0/4      1       3    12  waiting   lock lock_b, held by thread 2 (LWP 101)         "
        "               work, mixed.c:20\n"
        "*    2  101  1/4      1       3    13  waiting   lock lock_a, held by thread 1 (LWP 100)         "
        "               work, mixed.c:20\n"
        "     3  102  2/4      1       3    14  waiting   explicit barrier of region 3, 3 of 4 missing: "
        "threads 1, 2, 4  work, mixed.c:20\n"
        "     4  103  0/1      2       5    20  parallel\n"
        "1 thread is not an OpenMP thread: 5.\n");
}

TEST(Threads, Golden80)
{
    Scenario s(true);
    EXPECT_EQ(s.render(INSP_VIEW_THREADS, INSP_TEXT, 80),
              "   Thr  LWP  OMP  Level  Region  Task  State\n"
              "     1  100  0/4      1       3    12  waiting\n"
              "      at mixed.c:20 in work, for lock lock_b, held by thread 2 (LWP 101)\n"
              "*    2  101  1/4      1       3    13  waiting\n"
              "      at mixed.c:20 in work, for lock lock_a, held by thread 1 (LWP 100)\n"
              "     3  102  2/4      1       3    14  waiting\n"
              "      at mixed.c:20 in work, for explicit barrier of region 3, 3 of 4 missing:\n"
              "        threads 1, 2, 4\n"
              "     4  103  0/1      2       5    20  parallel\n"
              "1 thread is not an OpenMP thread: 5.\n");
}

TEST(Threads, WithoutExtensions)
{
    Scenario s(false);
    EXPECT_EQ(s.render(INSP_VIEW_THREADS),
              "   Thr  LWP  OMP  Level  Region  Task  State     Waits for\n"
              "     1  100  0/4      1       2     2  waiting   lock lock_b\n"
              "*    2  101  1/4      1       2     3  waiting   lock lock_a\n"
              "     3  102  2/4      1       2     4  waiting   explicit barrier of region 2\n"
              "     4  103  0/1      2       3     7  parallel\n"
              "1 thread is not an OpenMP thread: 5.\n");
}

TEST(Threads, WithoutADebuggersNumbers)
{
    Scenario s(true);
    for (auto &t : s.host.threads)
        t.gdb_num = t.is_current = 0;
    std::string text = s.render(INSP_VIEW_THREADS);
    EXPECT_EQ(text.substr(0, text.find("Waits")), "   LWP  OMP  Level  Region  Task  State     ");
    EXPECT_NE(text.find("held by LWP 101 "), std::string::npos) << text;
    EXPECT_NE(text.find("1 thread is not an OpenMP thread: LWP 104.\n"), std::string::npos) << text;
}

// The line is that of an inlined function: so is its name, as in the stack.
TEST(Threads, InlinedFunction)
{
    Scenario s(true);
    s.want |= INSP_STACKS;
    s.host.frames[100] = {{0x401208, "rt_wait", "", 0, "/opt/lib/libompcompanion.so.1.0.0"},
                          {0x401210, "Bank::transfer", "/src/mixed.c", 20, "/apps/u/mixed"},
                          {0x401210, "work", "/src/mixed.c", 41, "/apps/u/mixed"}};
    std::string text = s.render(INSP_VIEW_THREADS);
    EXPECT_NE(text.find("Bank::transfer, mixed.c:20\n"), std::string::npos) << text;
    s.host.frames[100][1].line = 19; // not the line of the call
    text = s.render(INSP_VIEW_THREADS);
    EXPECT_EQ(text.find("Bank::transfer"), std::string::npos) << text;
}

// gcc does not tell what is inlined into a body: the line of a call in it may be a header's.
TEST(Stacks, LineOfTheProgramsOwnFile)
{
    Scenario s(true);
    s.want |= INSP_STACKS;
    s.host.places[0x401200] = {"main._omp_fn.0", "/src/mixed.c", 40, 0x80};
    s.host.frames[100] = {
        {0x401230, "waits", "/src/mixed.c", 20, "/apps/u/mixed"},
        {0x401258, "main._omp_fn.0", "/usr/include/c++/12/bits/std_function.h", 591, "/apps/u/mixed"}};
    s.host.own_lines[0x401257] = {0x401200, "/src/mixed.c", 75};
    std::string text = s.render(INSP_VIEW_STACKS);
    EXPECT_NE(text.find(" at mixed.c:75\n"), std::string::npos) << text;
    EXPECT_EQ(text.find("std_function.h"), std::string::npos) << text;
    s.host.own_lines[0x401257].file = "/usr/include/c++/12/bits/invoke.h"; // no better
    text = s.render(INSP_VIEW_STACKS);
    EXPECT_NE(text.find(" at std_function.h:591\n"), std::string::npos) << text;
}

TEST(Parallel, Golden)
{
    Scenario s(true);
    EXPECT_EQ(s.render(INSP_VIEW_PARALLEL),
              "  Region 1: initial, level 0, 1 thread\n"
              "       0  thread 1 (LWP 100)  in region 3\n"
              "*   Region 3: parallel at mixed.c:14, main, level 1, 4 threads\n"
              "         0  thread 1 (LWP 100)  waits for lock lock_b, held by thread 2 (LWP 101)\n"
              "      *  1  thread 2 (LWP 101)  waits for lock lock_a, held by thread 1 (LWP 100)\n"
              "         2  thread 3 (LWP 102)  waits for explicit barrier of region 3, 3 of 4 missing: "
              "threads 1, 2, 4\n"
              "         3  thread 4 (LWP 103)  in region 5\n"
              "      Region 5: parallel at mixed.c:15, level 2, 1 thread\n"
              "           0  thread 4 (LWP 103)  parallel\n");
}

TEST(Parallel, EqualMembersFold)
{
    Scenario s(true);
    s.host.threads[1].is_current = 0;
    for (int i = 0; i < 3; i++) {
        s.model->threads[i].state = ompt_state_work_parallel;
        s.model->threads[i].wait_kind = 0;
    }
    std::string text = s.render(INSP_VIEW_PARALLEL);
    EXPECT_NE(text.find("         0-2  threads 1-3         parallel (3 threads)\n"), std::string::npos)
        << text;
}

TEST(Parallel, MembersThatTakeTurnsFold)
{
    Scenario s(true);
    s.host.threads[1].is_current = 0;
    for (int i = 0; i < 3; i += 2) {
        s.model->threads[i].state = ompt_state_work_parallel;
        s.model->threads[i].wait_kind = 0;
    }
    std::string text = s.render(INSP_VIEW_PARALLEL);
    EXPECT_NE(text.find("         0, 2  threads 1, 3        parallel\n"), std::string::npos) << text;
    EXPECT_NE(text.find("         1     thread 2 (LWP 101)  waits for"), std::string::npos) << text;
}

TEST(Parallel, NoneOpen)
{
    Scenario s(true);
    s.model->region_count = 1;
    EXPECT_EQ(s.render(INSP_VIEW_PARALLEL), "There is no parallel region.\n");
}

TEST(Tasks, Golden)
{
    Scenario s(true);
    EXPECT_EQ(s.render(INSP_VIEW_TASKS),
              "   Task      Kind      State      Region  Creator  Thr  Function  At          Waits for\n"
              "   2         initial   suspended       1             1\n"
              "     12      implicit  waiting         3             1  main      mixed.c:15  lock lock_b\n"
              "       21    explicit  ready           3        0       main      mixed.c:30\n"
              "       22    explicit  blocked         3        0       main      mixed.c:30  task 21\n"
              "*    13      implicit  waiting         3             2  main      mixed.c:15  lock lock_a\n"
              "     14      implicit  waiting         3             3  main      mixed.c:15  explicit "
              "barrier of region 3\n"
              "     15      implicit  suspended       3             4  main      mixed.c:15\n"
              "       18    implicit  suspended       5             4\n"
              "         20  explicit  running         5        0    4            mixed.c:30\n"
              "Ready and not taken: task 21: nothing that is known keeps thread 3 (LWP 102) "
              "from taking one now.\n");
}

TEST(Tasks, ByState)
{
    Scenario s(true);
    EXPECT_EQ(s.render(INSP_VIEW_TASKS, INSP_TEXT, 0, "blocked"),
              "   Task  Kind      State    Region  Creator  Function  At          Waits for\n"
              "   22    explicit  blocked       3        0  main      mixed.c:30  task 21\n");
    EXPECT_EQ(s.render(INSP_VIEW_TASKS, INSP_TEXT, 0, "detached"), "No task is detached.\n");
    EXPECT_EQ(s.render(INSP_VIEW_TASKS, INSP_TEXT, 0, "asleep").substr(0, 42),
              "error: No task state is called \"asleep\": c");
}

TEST(Tasks, EqualOnesFold)
{
    Scenario s(true);
    for (uint64_t id = 30; id < 60; id++) {
        auto *t = &s.model->tasks[s.model->task_count++].info;
        *t = s.model->tasks[7].info;
        t->id = id;
    }
    std::string text = s.render(INSP_VIEW_TASKS);
    EXPECT_NE(text.find("       21, 30-59 (31)  explicit  ready "), std::string::npos) << text;
}

TEST(Tasks, WhatHasNoRoomStandsBelow)
{
    Scenario s(true);
    std::string text = s.render(INSP_VIEW_TASKS, INSP_TEXT, 80);
    EXPECT_NE(text.find("main      mixed.c:15\n        waits for lock lock_b\n"), std::string::npos) << text;
    EXPECT_EQ(text.find("Waits for"), std::string::npos) << text;
}

TEST(Tasks, NoExplicitOne)
{
    Scenario s(true);
    s.model->task_count = 1;
    EXPECT_EQ(s.render(INSP_VIEW_TASKS), "There are no explicit tasks.\n");
}

TEST(Icvs, Golden)
{
    Scenario s(true);
    EXPECT_EQ(s.render(INSP_VIEW_ICVS),
              "Values for thread 2 (LWP 101): OpenMP thread 1 of region 3, task 13\n"
              "ICV                  Scope          Value\n"
              "debug-var            address_space  1\n"
              "nthreads-var         task           4,2\n"
              "thread-num-var       thread         1\n"
              "levels-var           parallel       1\n"
              "team-size-var        parallel       4\n"
              "implicit-task-var    task           1\n"
              "affinity-format-var  address_space  level %L thread %n\n");
}

TEST(Icvs, Filters)
{
    Scenario s(true);
    EXPECT_NE(s.render(INSP_VIEW_ICVS, INSP_TEXT, 0, "nthreads").find("\nnthreads-var  task   4,2\n"),
              std::string::npos);
    std::string text = s.render(INSP_VIEW_ICVS, INSP_TEXT, 0, nullptr, "thread");
    EXPECT_NE(text.find("thread-num-var"), std::string::npos);
    EXPECT_EQ(text.find("nthreads-var"), std::string::npos);
    EXPECT_EQ(s.render(INSP_VIEW_ICVS, INSP_TEXT, 0, "x-var"), "error: No ICV is called \"x-var\".");
    EXPECT_EQ(s.render(INSP_VIEW_ICVS, INSP_TEXT, 0, nullptr, "x").substr(0, 28),
              "error: No scope is called \"x");
}

TEST(Icvs, CurrentThreadIsNotOpenMP)
{
    Scenario s(true);
    s.host.threads[1].is_current = 0;
    s.host.threads[4].is_current = 1;
    EXPECT_EQ(s.render(INSP_VIEW_ICVS),
              "The current thread is not an OpenMP thread: only values of the process are shown.\n"
              "ICV                  Scope          Value\n"
              "debug-var            address_space  1\n"
              "affinity-format-var  address_space  level %L thread %n\n");
    EXPECT_NE(s.render(INSP_VIEW_THREADS).find("thread: 5. It is the current thread.\n"), std::string::npos);
}

TEST(Report, VerdictFirst)
{
    Scenario s(true);
    std::string text = s.render(INSP_VIEW_REPORT);
    EXPECT_EQ(
        text.substr(0, text.find("\n\n")),
        "Process 4242, /apps/u/mixed\n"
        "Deadlock: thread 1 (LWP 100) holds lock lock_a and waits for lock lock_b at mixed.c:20; thread 2 "
        "(LWP 101) holds lock lock_b and waits for lock lock_a at mixed.c:20. 1 more thread also waits "
        "forever.");
    EXPECT_LT(text.find("\nThreads\n"), text.find("\nRegions\n"));
    EXPECT_LT(text.find("\nRegions\n"), text.find("\nTasks\n"));
}

TEST(Status, Golden)
{
    Scenario s(true);
    s.stats = 1;
    EXPECT_EQ(s.render(INSP_VIEW_STATUS),
              "OMPD library: " + s.library +
                  " (fake OMPD 1, API 202411)\n"
                  "Runtime 1: companion, Fake runtime 1.0\n"
                  "  Library: /opt/lib/libompcompanion.so.1.0.0, at 0x7f0000000000\n"
                  "  OpenMP version: 202411\n"
                  "  Layout format: 1.2\n"
                  "  Available: threads, states, current regions and tasks\n"
                  "  Available: owners of locks and critical regions\n"
                  "  Available: all regions of the process\n"
                  "  Available: all tasks of the process, including queued ones\n"
                  "  Available: task dependences\n"
                  "  Available: arrivals at barriers\n"
                  "  Available: internal control variables\n"
                  "  Available: one consistent reading of memory\n"
                  "Asked of the process: 1 symbol lookups, 9 memory reads (8552 bytes), 0 thread contexts\n");
    Scenario plain(false);
    std::string text = plain.render(INSP_VIEW_STATUS);
    EXPECT_NE(text.find("  Not available: owners of locks and critical regions (this OMPD library has no "
                        "extension for it)\n"),
              std::string::npos)
        << text;
    EXPECT_EQ(text.find("Asked of"), std::string::npos);
}

TEST(Views, NoLineIsWiderThanAsked)
{
    for (int width : {30, 40, 50, 60, 70, 80, 100, 132}) {
        Scenario s(true);
        for (int view = INSP_VIEW_THREADS; view <= INSP_VIEW_STATUS; view++) {
            std::istringstream lines(s.render(view, INSP_TEXT, width));
            for (std::string line; std::getline(lines, line);) {
                if (line.find(' ', line.find_first_not_of(' ')) == std::string::npos)
                    continue; // one word, a path or a name, has no place to break
                ASSERT_LE(text_width(line.c_str()), static_cast<size_t>(width)) << view << ": " << line;
            }
        }
    }
}

TEST(Views, ColourOnlyWhenAsked)
{
    Scenario s(true);
    for (int view = INSP_VIEW_THREADS; view <= INSP_VIEW_STATUS; view++)
        EXPECT_EQ(s.render(view).find('\033'), std::string::npos);
    s.colour = 1;
    std::string text = s.render(INSP_VIEW_THREADS);
    EXPECT_NE(text.find("\033[1m*    2  101"), std::string::npos) << text;
    EXPECT_NE(text.find("\033[0m\n"), std::string::npos);
}

TEST(Views, Addresses)
{
    Scenario s(true);
    s.addresses = 1;
    EXPECT_NE(s.render(INSP_VIEW_THREADS).find("lock lock_b at 0x404018, held by"), std::string::npos);
    EXPECT_NE(s.render(INSP_VIEW_PARALLEL).find("main, 0x401000, level"), std::string::npos);
    EXPECT_NE(s.render(INSP_VIEW_TASKS).find("main 0x401400"), std::string::npos);
}

TEST(Views, StrippedProgramShowsAddresses)
{
    Scenario s(true);
    s.host.places.clear();
    s.host.memory.erase(kSource);
    EXPECT_NE(s.render(INSP_VIEW_THREADS).find("lock 0x404018, held by"), std::string::npos);
    EXPECT_NE(s.render(INSP_VIEW_PARALLEL).find("Region 3: parallel, 0x401000, level 1"), std::string::npos);
    EXPECT_NE(s.render(INSP_VIEW_TASKS).find("  0x401400"), std::string::npos);
}

TEST(Views, WrongCalls)
{
    Scenario s(true);
    EXPECT_EQ(s.render(99), "error: There is no such view.");
    EXPECT_EQ(s.render(INSP_VIEW_THREADS, 7), "error: There is no such view.");
    EXPECT_EQ(insp_render(nullptr, nullptr, nullptr), nullptr);
}

TEST(Table, Wraps)
{
    table t = {};
    sbuf out = {};
    table_column(&t, "N", true, false);
    table_column(&t, "Text", false, true);
    table_row(&t, TABLE_PLAIN);
    table_cell(&t, 0, "%d", 7);
    table_cell(&t, 1, "one two three four");
    table_row(&t, TABLE_PLAIN);
    table_cell(&t, 0, "%d", 123);
    table_cell(&t, 1, "abcdefghijklmnop");
    table_print(&t, 15, false, &out);
    EXPECT_STREQ(out.text, "  N  Text\n"
                           "  7  one two\n"
                           "     three four\n"
                           "123  abcdefghij\n"
                           "     klmnop\n");
    sbuf_free(&out);
    table_free(&t);
}

TEST(Table, RowsBecomeParagraphsWhereColumnsDoNotFit)
{
    table t = {};
    sbuf out = {};
    table_column(&t, " ", false, false);
    table_column(&t, "Task", false, false);
    table_column(&t, "State", false, false);
    table_column(&t, "Thr", true, false);
    table_column(&t, "Function", false, true);
    table_set_cut(&t);
    table_column(&t, "At", false, true);
    table_set_down(&t);
    table_row(&t, TABLE_PLAIN);
    table_cell(&t, 0, "*");
    table_cell(&t, 1, "    12");
    table_cell(&t, 2, "suspended");
    table_cell(&t, 4, "a_name_of_which_nobody_wants_all");
    table_cell(&t, 5, "heat.c:16");
    table_print(&t, 30, false, &out);
    EXPECT_STREQ(out.text, "* Task 12, State suspended,\n"
                           "    Function a_name_o…nts_all,\n"
                           "    At heat.c:16\n");
    sbuf_free(&out);
    table_free(&t);
}

// The lines of Python code are in no frame; who has them is said.
TEST(Report, Python)
{
    Scenario s(true);
    s.want |= INSP_STACKS;
    EXPECT_EQ(s.render(INSP_VIEW_REPORT).find("Python"), std::string::npos);
    s.host.frames[100] = {{0x401210, "work", "", 0, "/apps/u/mixed"},
                          {0x401230, "_PyEval_EvalFrameDefault", "", 0, "/usr/bin/python3.11"}};
    EXPECT_NE(s.render(INSP_VIEW_REPORT).find("`py-spy dump --pid 4242`"), std::string::npos);
}

} // namespace
