// SPDX-License-Identifier: Apache-2.0
// What many samples of one process add up to (`ompd profile`), and the rows of one of them (`ompd top`).
#include <gtest/gtest.h>
#include <jansson.h>

#include <string>
#include <vector>

#include "inspect/profile/profile.h"
#include "inspect/render/top.h"
#include "inspect/tests/hand.h"

namespace
{

std::string Take(char *text)
{
    std::string result = text ? text : "out of memory";
    insp_string_free(text);
    return result;
}

// Two members: one computes in a function, the other waits for a lock that the first one holds.
struct Sample : Hand {
    explicit Sample(const char *function = "relax", int line = 90) : Hand(2)
    {
        s->want |= INSP_STACKS;
        Frame(0, INSP_CODE_USER, function, line, 0x1000);
        Frame(0, INSP_CODE_USER, "main", 12, 0x2000);
        s->threads[0].activity.at = s->threads[0].frames[0].place;
        Mutex(1, "lock", "grid", 0, 95);
        Frame(1, INSP_CODE_OPENMP, "omp_set_lock", 0, 0x9000);
        Frame(1, INSP_CODE_USER, "main", 95, 0x3000);
        verdict_make(s);
    }
};

class Profile : public testing::Test
{
  protected:
    struct profile *p = profile_new(10);
    ~Profile() override { profile_free(p); }

    void Add(const Sample &sample, uint64_t stopped = 1000000)
    {
        ASSERT_TRUE(profile_add(p, sample.s, stopped));
    }
};

TEST_F(Profile, CountsStacks)
{
    Add(Sample());
    Add(Sample());
    Add(Sample("smooth", 40));
    profile_lose(p, 2);
    profile_lasts(p, 0.5);
    EXPECT_EQ(
        Take(profile_summary(p)),
        "3 samples of 2 threads in 0.5 s, 2 lost; the process stood still for 0.003 s of them (0.6 %).");
    EXPECT_EQ(
        Take(profile_folded(p, false)),
        "# ompd profile of solve (PID 4242): 3 samples of 2 threads in 0.5 s, 2 lost; the process stood "
        "still for 0.003 s of them (0.6 %).\n"
        "main;relax;io.c:90;[computes] 2\n"
        "main;solve.c:95;[waits for lock grid] 3\n"
        "main;smooth;io.c:40;[computes] 1\n");
    const std::string each = Take(profile_folded(p, true));
    EXPECT_NE(each.find("\nLWP 100;main;relax;io.c:90;[computes] 2\n"), std::string::npos) << each;
    EXPECT_NE(each.find("\nLWP 101;main;solve.c:95;[waits for lock grid] 3\n"), std::string::npos) << each;
}

TEST_F(Profile, TablesAddUp)
{
    Add(Sample());
    Add(Sample("smooth", 40));
    const std::string text = Take(profile_text(p, false, 0));
    EXPECT_NE(text.find("50.0 %      0.2  computes\n"), std::string::npos) << text;
    EXPECT_NE(text.find("50.0 %      0.2  waits for lock grid\n"), std::string::npos) << text;
    EXPECT_NE(text.find("100.0 %      0.4  parallel at solve.c:80\n"), std::string::npos) << text;
    EXPECT_NE(text.find("25.0 %      0.1  smooth, io.c:40  computes\n"), std::string::npos) << text;
}

// Of the same lock, held by another thread each time, there is one row; so it is with a barrier's arrivals.
TEST_F(Profile, WhatChangesIsNotInNames)
{
    Sample other;
    other.s->threads[1].wait.owner_lwp = 0;
    Add(Sample());
    Add(other);
    Sample barrier, later;
    barrier.Barrier(1, 97, {0});
    later.Barrier(1, 97, {});
    later.s->threads[1].wait.object = 77;
    Add(barrier);
    Add(later);
    const std::string folded = Take(profile_folded(p, false));
    EXPECT_NE(folded.find("[waits for lock grid] 2\n"), std::string::npos) << folded;
    EXPECT_NE(folded.find("barrier] 2\n"), std::string::npos) << folded;
}

TEST_F(Profile, NamesCannotBreakAFile)
{
    Add(Sample("a;b\033[2J\n7\xff", 90));
    const std::string folded = Take(profile_folded(p, false));
    EXPECT_NE(folded.find("main;a:b?[2J?7?;io.c:90;[computes] 1\n"), std::string::npos) << folded;
    json_error_t error;
    json_t *root = json_loads(Take(profile_speedscope(p, "ompd")).c_str(), 0, &error);
    ASSERT_TRUE(root) << error.text;
    EXPECT_EQ(json_array_size(json_object_get(root, "profiles")), 3u);
    json_decref(root);
}

TEST_F(Profile, WithoutASampleThereAreNoNumbers)
{
    EXPECT_EQ(Take(profile_summary(p)),
              "0 samples of 0 threads in 0.0 s, 0 lost; the process stood still for 0.000 s of them.");
    Take(profile_text(p, true, 40));
    Take(profile_speedscope(p, "ompd"));
}

std::string Top(const Hand &hand, const std::vector<top_usage> &usage, top_order order, int expand = 0)
{
    top_sample sample = {};
    insp_render_options o = {};
    o.size = sizeof(o);
    o.expand = expand;
    sample.snapshot = hand.s;
    sample.usage = usage.data();
    sample.usage_count = usage.size();
    sample.stopped_ns = 2500000;
    sample.order = order;
    return Take(top_text(&sample, &o));
}

TEST(TopTest, RowsThatLookTheSameShareALine)
{
    Hand hand(4);
    for (int i = 0; i < 4; i++)
        hand.Frame(i, INSP_CODE_USER, "relax", 90, 0x1000 + static_cast<uint64_t>(i));
    hand.Wait(3, "taskwait", 99);
    const std::vector<top_usage> usage = {
        {100, 1, 500, 0, 'R'}, {101, 1, 250, 0, 'R'}, {102, 1, 251, 1, 'R'}, {103, 1, 3, 1, 'S'}};
    const std::string text = Top(hand, usage, TOP_BY_TIME);
    EXPECT_EQ(text.substr(0, text.find('\n')),
              "solve (PID 4242): 4 threads, 1.0 processors in use, stopped 2.5 ms");
    EXPECT_NE(text.find("100-102 (3 threads)"), std::string::npos) << text;
    EXPECT_NE(text.find("100.1  0, 1  computes"), std::string::npos) << text;
    EXPECT_LT(text.find("100-102"), text.find("103 "));
    EXPECT_GT(Top(hand, usage, TOP_BY_STATE).find("taskwait"), text.find("relax"));
    const std::string each = Top(hand, usage, TOP_BY_TIME, 1);
    EXPECT_LT(each.find("100  0/4"), each.find("102  2/4")) << each;
    EXPECT_LT(each.find("102  2/4"), each.find("101  1/4")) << each; // 25.1 and 25.0
}

TEST(TopTest, AThreadThatHasJustBegunHasNoUsage)
{
    Hand hand(2);
    const std::string text = Top(hand, {{100, 1, -1, -1, 'R'}}, TOP_BY_NUMBER);
    EXPECT_EQ(text.find("processors in use"), std::string::npos) << text;
    top_sample sample = {};
    sample.snapshot = hand.s;
    EXPECT_NE(Take(top_json(&sample)).find("\"usage\":null"), std::string::npos);
}

} // namespace
