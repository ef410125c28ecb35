// SPDX-License-Identifier: Apache-2.0
// Who of a job's nodes has answered, by the lines that come; also when there is no memory to remember it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

extern "C" {
#include "command/jobs/framed_lines.h"
#include "command/jobs/nodes.h"
#include "command/jobs/nodeset.h"
#include "inspect/jobs/jobs.h"
#include "inspect/jobs/merge.h"

static bool no_memory;

void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
char *__real_strdup(const char *text);

void *__wrap_calloc(size_t count, size_t size)
{
    return no_memory ? nullptr : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return no_memory ? nullptr : __real_realloc(old, size);
}

char *__wrap_strdup(const char *text)
{
    return no_memory ? nullptr : __real_strdup(text);
}
}

namespace
{

class Nodes : public testing::Test
{
  protected:
    void SetUp() override
    {
        struct nodeset set = {};
        ASSERT_TRUE(nodeset_add(&set, "n[1-3]"));
        ASSERT_TRUE(nodes_make(&set, &nodes_));
        jobs_ = jobs_new();
    }

    void TearDown() override
    {
        no_memory = false;
        nodes_free(&nodes_);
        jobs_free(jobs_);
    }

    // The lines of an answer from HOST, each with LABEL before it.
    static std::vector<std::string> Answer(const char *host, const std::string &label = "",
                                           size_t size = 2000)
    {
        std::string text;
        uint32_t random = 1;
        for (size_t i = 0; i < size; i++) {
            random = random * 1664525 + 1013904223;
            text += static_cast<char>(' ' + (random >> 16) % 90);
        }
        char *lines = frames_write(text.c_str(), host);
        std::vector<std::string> ret;
        for (char *line = strtok(lines, "\n"); line; line = strtok(nullptr, "\n"))
            ret.push_back(label + line);
        free(lines);
        return ret;
    }

    bool Take(const std::vector<std::string> &lines)
    {
        bool good = true;
        for (const std::string &line : lines)
            good &= nodes_take_answer(&nodes_, line.data(), line.size());
        return good;
    }

    std::vector<std::string> Told()
    {
        nodes_tell(&nodes_, jobs_, "nothing has come");
        std::vector<std::string> ret;
        for (size_t i = 0; i < jobs_->failure_count; i++)
            ret.push_back(std::string(jobs_->failures[i].host ? jobs_->failures[i].host : "?") + ": " +
                          jobs_->failures[i].why);
        return ret;
    }

    struct nodes nodes_ = {};
    struct jobs *jobs_ = nullptr;
};

using Lines = std::vector<std::string>;

TEST_F(Nodes, WhoHasAnswered)
{
    Lines one = Answer("n1");
    ASSERT_GT(one.size(), 1u);
    EXPECT_TRUE(Take(one));
    EXPECT_TRUE(Take(Answer("elsewhere", "n3: ")));
    EXPECT_TRUE(Take({"n2: a word of another program", "ompd1 n2 nothing"}));
    EXPECT_EQ(nodes_answered(&nodes_), 2u);
    EXPECT_EQ(Told(), Lines({"n2: nothing has come"}));
}

TEST_F(Nodes, AnAnswerThatHasNoEnd)
{
    Lines lines = Answer("n1");
    lines.pop_back();
    EXPECT_TRUE(Take(lines));
    EXPECT_EQ(nodes_answered(&nodes_), 0u);
    EXPECT_EQ(Told(), Lines({"n[1-3]: nothing has come"}));
}

// By other names as many have answered as there are nodes: it is they.
TEST_F(Nodes, Strangers)
{
    for (const char *name : {"host-a", "host-b", "host-b"})
        EXPECT_TRUE(Take(Answer(name)));
    EXPECT_EQ(nodes_answered(&nodes_), 2u);
    EXPECT_EQ(Told().size(), 1u);
    EXPECT_TRUE(Take(Answer("host-c")));
    EXPECT_EQ(nodes_answered(&nodes_), 3u);
}

// A name is one name, whatever it looks like: else a single answer could stand for many nodes.
TEST_F(Nodes, ANameThatLooksLikeAList)
{
    EXPECT_TRUE(Take(Answer("x[1-500]")));
    EXPECT_TRUE(Take(Answer("x,y,z")));
    EXPECT_TRUE(Take(Answer("-o")));
    EXPECT_EQ(nodes_answered(&nodes_), 3u);
    nodeset_free(&nodes_.strangers);
    EXPECT_TRUE(Take(Answer("n[1-3]")));
    EXPECT_EQ(nodes_answered(&nodes_), 1u);
}

TEST_F(Nodes, NoMemoryForAStranger)
{
    Lines lines = Answer("host-a");
    no_memory = true;
    EXPECT_FALSE(Take(lines));
    // Whom it knows it needs no memory for, nor for lines that end no answer.
    no_memory = false;
    Lines known = Answer("n1");
    lines.pop_back();
    no_memory = true;
    EXPECT_TRUE(Take(known));
    EXPECT_TRUE(Take(lines));
    no_memory = false;
    EXPECT_EQ(nodes_answered(&nodes_), 1u);
}

TEST_F(Nodes, NoMemoryToTell)
{
    no_memory = true;
    nodes_tell(&nodes_, jobs_, "nothing has come");
    no_memory = false;
    // The row itself needs memory, and without any the jobs know that they are not whole.
    EXPECT_TRUE(jobs_->failure_count || jobs_->oom);
}

TEST(Nodesets, Names)
{
    struct nodeset set = {};
    EXPECT_TRUE(nodeset_add(&set, "n[1-3,07-08],login"));
    char *text = nodeset_fold(&set);
    EXPECT_EQ(set.count, 6u);
    EXPECT_STREQ(text, "login,n[07-08,1-3]");
    free(text);
    for (const char *bad : {"n[1-", "n[a-b]", "-x", "a;b", "n[1-99999999]"})
        EXPECT_FALSE(nodeset_add(&set, bad)) << bad;
    nodeset_free(&set);
}

} // namespace
