// SPDX-License-Identifier: Apache-2.0
// Tasks that differ in nothing but their number, as JSON has them.
#include <gtest/gtest.h>
#include <jansson.h>

#include <memory>
#include <string>

#include "inspect/tests/hand.h"

namespace
{

struct Release {
    void operator()(json_t *value) const { json_decref(value); }
};
using Document = std::unique_ptr<json_t, Release>;

Document Groups(Hand *h, const char *state = nullptr, bool expand = false)
{
    insp_render_options o = {};
    o.view = INSP_VIEW_TASKS;
    o.format = INSP_JSON;
    o.filter = state;
    o.expand = expand;
    const std::string text = h->Render(o);
    const Document root(json_loads(text.c_str(), 0, nullptr));
    EXPECT_TRUE(root) << text;
    return Document(json_incref(json_object_get(root.get(), "task_groups")));
}

std::string Text(const json_t *value)
{
    char *text = json_dumps(value, JSON_COMPACT | JSON_SORT_KEYS);
    const std::string ret = text ? text : "";
    free(text);
    return ret;
}

// Task 20 runs; 21 to 30 wait for it one behind the other, 31 to 33 are ready.
void Fill(Hand *h)
{
    h->Run(20, 1, 10, 40);
    for (uint64_t id = 21; id <= 30; id++)
        h->After(h->Task(id, "explicit", "blocked", -1, 10, 45), id - 1);
    for (uint64_t id = 31; id <= 33; id++)
        h->Task(id, "explicit", "ready", -1, 10, 50);
    verdict_make(h->s);
}

constexpr char kChain[] =
    "{\"count\":10,\"depends_on\":[20],\"first\":21,\"ids\":[[21,30]],\"one_another\":true,\"runtime\":1}";
constexpr char kReady[] =
    "{\"count\":3,\"depends_on\":[],\"first\":31,\"ids\":[[31,33]],\"one_another\":false,\"runtime\":1}";

TEST(TaskGroups, AChainAndEqualOnes)
{
    Hand h(2);
    Fill(&h);
    EXPECT_EQ(Text(Groups(&h).get()), std::string("[") + kChain + "," + kReady + "]");
}

TEST(TaskGroups, OfOneStateOnly)
{
    Hand h(2);
    Fill(&h);
    EXPECT_EQ(Text(Groups(&h, "ready").get()), std::string("[") + kReady + "]");
}

// A row a task is a matter of text.
TEST(TaskGroups, AreTheSameForEachTaskARow)
{
    Hand h(2);
    Fill(&h);
    EXPECT_EQ(Text(Groups(&h, nullptr, true).get()), Text(Groups(&h).get()));
}

TEST(TaskGroups, IdsWithAGapAreTwoRuns)
{
    Hand h(2);
    Fill(&h);
    for (int i = 0; i < h.s->task_count; i++)
        if (h.s->tasks[i].id == 32)
            h.s->tasks[i].place.line = 51;
    EXPECT_EQ(Text(json_object_get(json_array_get(Groups(&h, "ready").get(), 0), "ids")),
              "[[31,31],[33,33]]");
}

// What threads do is not known equally well of a process and its core.
TEST(TaskGroups, NoTaskOfAThreadIsInOne)
{
    Hand h(4);
    for (int i = 0; i < 4; i++)
        h.Run(20 + static_cast<uint64_t>(i), i, 10, 40);
    verdict_make(h.s);
    EXPECT_EQ(json_array_size(Groups(&h).get()), 0u);
    EXPECT_NE(h.Render(INSP_VIEW_TASKS, INSP_TEXT).find("20"), std::string::npos);
}

TEST(TaskGroups, OneIsNoGroup)
{
    Hand h(2);
    h.Task(21, "explicit", "ready", -1, 10, 50);
    verdict_make(h.s);
    EXPECT_EQ(json_array_size(Groups(&h).get()), 0u);
}

} // namespace
