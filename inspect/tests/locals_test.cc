/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arguments and local variables in the views of stacks.
 */
#include <gtest/gtest.h>

#include <string>

#include "inspect/tests/hand.h"

namespace
{

void Local(Hand *h, int thread, const char *name, const char *value, const char *why, bool hidden = false)
{
    mdl_frame *f = &h->s->threads[thread].frames[0];

    f->locals = static_cast<mdl_local *>(
        arena_grow(&h->s->arena, f->locals, static_cast<size_t>(f->local_count), sizeof(mdl_local)));
    f->locals[f->local_count++] = {name, "int", value, why, false, 0, hidden};
}

/* Threads with one stack, in a team. */
void Fill(Hand *h, int threads)
{
    h->s->want |= INSP_STACKS | INSP_LOCALS;
    for (int i = 0; i < threads; i++) {
        h->Frame(i, INSP_CODE_USER, "kernel", 12, 0x400100);
        Local(h, i, "n", "3", nullptr);
    }
}

std::string Stacks(Hand *h, int format, bool locals = true)
{
    insp_render_options o = {};

    o.view = INSP_VIEW_STACKS;
    o.format = format;
    o.locals = locals;
    return h->Render(o);
}

TEST(Locals, StandBelowTheirFrame)
{
    Hand h(1);
    Fill(&h, 1);
    Local(&h, 0, "gone", nullptr, "optimised out");
    Local(&h, 0, "n", "4", nullptr, true);
    h.s->threads[0].frames[0].locals_left = true;
    verdict_make(h.s);
    EXPECT_NE(Stacks(&h, INSP_TEXT)
                  .find("    #0  kernel at io.c:12\n"
                        "          n = 3\n"
                        "          gone = <optimised out>\n"
                        "          n (of a block around) = 4\n"
                        "          and more variables\n"),
              std::string::npos)
        << Stacks(&h, INSP_TEXT);
    const std::string json = Stacks(&h, INSP_JSON);
    EXPECT_NE(json.find("\"locals_left\": true"), std::string::npos) << json;
    EXPECT_NE(json.find("\"hidden\": true"), std::string::npos) << json;
}

TEST(Locals, AreNotThereUnlessAskedFor)
{
    Hand h(1);
    Fill(&h, 1);
    verdict_make(h.s);
    // The snapshot has them, the reader has not asked.
    EXPECT_EQ(Stacks(&h, INSP_JSON, false).find("\"locals"), std::string::npos);
    EXPECT_EQ(Stacks(&h, INSP_TEXT, false).find("n = 3"), std::string::npos);
    // Nor is a word of them in a file.
    char *record = insp_record(h.s, nullptr);
    EXPECT_EQ(std::string(record).find("\"locals"), std::string::npos);
    insp_string_free(record);
    h.s->want &= ~static_cast<unsigned>(INSP_LOCALS);
    EXPECT_EQ(Stacks(&h, INSP_JSON).find("\"locals"), std::string::npos);
}

TEST(Locals, ThreadsThatDifferInOneShareNoStack)
{
    Hand h(4);
    Fill(&h, 4);
    verdict_make(h.s);
    EXPECT_NE(Stacks(&h, INSP_TEXT).find("(4 threads)"), std::string::npos) << Stacks(&h, INSP_TEXT);
    h.s->threads[3].frames[0].locals[0].value = "5";
    const std::string text = Stacks(&h, INSP_TEXT);
    EXPECT_NE(text.find("(3 threads)"), std::string::npos) << text;
    EXPECT_NE(text.find("n = 5\n"), std::string::npos) << text;
    // Variables that are not shown keep nobody apart, in no view.
    EXPECT_NE(Stacks(&h, INSP_TEXT, false).find("(4 threads)"), std::string::npos);
    EXPECT_NE(h.Render(INSP_VIEW_THREADS, INSP_TEXT).find("4 threads"), std::string::npos)
        << h.Render(INSP_VIEW_THREADS, INSP_TEXT);
}

/* What a program has in its variables may not control the terminal. */
TEST(Locals, AreHarmlessOnATerminal)
{
    Hand h(1);
    Fill(&h, 1);
    Local(&h, 0, "wild\x1b[31m", "\"\x1b]0;x\x07\"", nullptr);
    verdict_make(h.s);
    for (int format : {INSP_TEXT, INSP_JSON})
        EXPECT_EQ(Stacks(&h, format).find('\x1b'), std::string::npos);
}

} // namespace
