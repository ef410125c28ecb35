/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of a stack: which there are, and which stand for several frames.
 */
#include <gtest/gtest.h>

#include <string>

#include "inspect/tests/hand.h"

namespace
{

std::string Stacks(Hand *h, bool frames = false)
{
    insp_render_options o = {};

    h->s->want |= INSP_STACKS;
    verdict_make(h->s);
    o.view = INSP_VIEW_STACKS;
    o.frames = frames;
    const std::string text = h->Render(o);
    return text.substr(text.find("    #0"));
}

TEST(Rows, OfARecursionAreOne)
{
    Hand h(1);
    h.Frame(0, INSP_CODE_USER, "walk", 8, 0x400100);
    for (int i = 0; i < 2037; i++)
        h.Frame(0, INSP_CODE_USER, "walk", 9, 0x400200);
    h.Frame(0, INSP_CODE_USER, "main", 20, 0x400300);
    EXPECT_EQ(Stacks(&h), "    #0  walk at io.c:8\n"
                          "    #1-#2037 walk at io.c:9 (2037 times)\n"
                          "    #2038 main at io.c:20\n");
}

TEST(Rows, OfFewOrOtherCallsStay)
{
    Hand h(1);
    for (int i = 0; i < 3; i++)
        h.Frame(0, INSP_CODE_USER, "few", 8, 0x400100);
    for (int i = 0; i < 3; i++) { // a recursion through two functions
        h.Frame(0, INSP_CODE_USER, "even", 9, 0x400200);
        h.Frame(0, INSP_CODE_USER, "odd", 10, 0x400300);
    }
    h.Frame(0, INSP_CODE_USER, "inner", 11, 0x400400); // inlined
    for (int i = 0; i < 4; i++)
        h.Frame(0, INSP_CODE_USER, "outer", 12, 0x400400);
    EXPECT_EQ(Stacks(&h), "    #0  few at io.c:8\n"
                          "    #1  few at io.c:8\n"
                          "    #2  few at io.c:8\n"
                          "    #3  even at io.c:9\n"
                          "    #4  odd at io.c:10\n"
                          "    #5  even at io.c:9\n"
                          "    #6  odd at io.c:10\n"
                          "    #7  even at io.c:9\n"
                          "    #8  odd at io.c:10\n"
                          "    #9  inner at io.c:11\n"
                          "    #10-#13 outer at io.c:12 (4 times)\n");
}

// What exit() runs was not called by the function that called exit().
TEST(Rows, OfExitIsThere)
{
    Hand h(1);
    h.Frame(0, INSP_CODE_USER, "at_end", 8, 0x400100);
    h.Frame(0, INSP_CODE_LIBC, "__run_exit_handlers", 0, 0x7f0000000100);
    h.Frame(0, INSP_CODE_LIBC, "exit", 0, 0x7f0000000200);
    h.Frame(0, INSP_CODE_USER, "main", 20, 0x400300);
    h.Frame(0, INSP_CODE_LIBC, "__libc_start_main", 0, 0x7f0000000300);
    h.s->threads[0].frames[2].symbol = "__GI_exit";
    h.s->threads[0].frames[2].module = "/lib/libc.so.6";
    EXPECT_EQ(Stacks(&h), "    #0  at_end at io.c:8\n"
                          "    #1  exit in libc.so.6\n"
                          "    #2  main at io.c:20\n");
    h.s->threads[0].frames[2].code = INSP_CODE_SYSTEM; // another library's
    EXPECT_EQ(Stacks(&h), "    #0  at_end at io.c:8\n"
                          "    #1  main at io.c:20\n");
}

// A handler was called by nobody.
TEST(Rows, OfASignalsHandler)
{
    Hand h(1);
    h.Frame(0, INSP_CODE_USER, "on_alarm", 8, 0x400100);
    h.Frame(0, INSP_CODE_LIBC, "__restore_rt", 0, 0x7f0000000100);
    h.Frame(0, INSP_CODE_LIBC, "pause", 0, 0x7f0000000200);
    h.Frame(0, INSP_CODE_USER, "main", 20, 0x400300);
    h.s->threads[0].frames[1].signal = true;
    EXPECT_EQ(Stacks(&h), "    #0  on_alarm at io.c:8\n"
                          "    -- interrupted by a signal --\n"
                          "    #1  main at io.c:20\n");
    const std::string all = Stacks(&h, true);
    EXPECT_NE(all.find("#1  __restore_rt"), std::string::npos) << all;
    EXPECT_NE(all.find("    -- interrupted by a signal --\n    #2  pause"), std::string::npos) << all;
    h.s->threads[0].frames[1].signal = false;
    EXPECT_EQ(Stacks(&h).find("signal"), std::string::npos);
}

} // namespace
