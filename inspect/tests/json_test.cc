// SPDX-License-Identifier: Apache-2.0
// JSON, schema 1: the names of docs/json.md, in every view.
#include <gtest/gtest.h>
#include <jansson.h>

#include <set>

#include "inspect/tests/scenario.h"

namespace
{

using Keys = std::set<std::string>;

Keys keys(const json_t *object)
{
    Keys result;
    const char *key;
    json_t *value;
    json_object_foreach(const_cast<json_t *>(object), key, value) result.insert(key);
    return result;
}

bool within(const Keys &some, const Keys &all)
{
    for (const std::string &k : some)
        if (!all.count(k))
            return false;
    return true;
}

struct Json : testing::Test {
    Scenario s{true};
    json_t *root = nullptr;
    void load(int view, const char *filter = nullptr)
    {
        json_decref(root);
        json_error_t error;
        std::string text = s.render(view, INSP_JSON, 0, filter);
        root = json_loads(text.c_str(), JSON_REJECT_DUPLICATES, &error);
        ASSERT_TRUE(root) << error.text << text;
    }
    json_t *at(const char *list, size_t i) { return json_array_get(json_object_get(root, list), i); }
    int64_t number(json_t *o, const char *key)
    {
        EXPECT_TRUE(json_is_integer(json_object_get(o, key))) << key;
        return json_integer_value(json_object_get(o, key));
    }
    std::string word(json_t *o, const char *key)
    {
        EXPECT_TRUE(json_is_string(json_object_get(o, key))) << key;
        const char *text = json_string_value(json_object_get(o, key));
        return text ? text : "";
    }
    bool null(json_t *o, const char *key) { return json_is_null(json_object_get(o, key)); }
    void TearDown() override { json_decref(root); }
};

TEST_F(Json, ReportHasTheSchemasNames)
{
    load(INSP_VIEW_REPORT);
    EXPECT_EQ(keys(root), (Keys{"schema", "moving", "complete", "problems", "process", "verdict", "runtimes",
                                "threads", "regions", "tasks", "task_groups", "edges", "icvs", "stacks"}));
    EXPECT_EQ(number(root, "schema"), 1);
    EXPECT_TRUE(json_is_true(json_object_get(root, "complete")));
    EXPECT_TRUE(within({"pid", "exe", "core", "host", "rank", "signal", "crashed_lwp"},
                       keys(json_object_get(root, "process"))));
    EXPECT_TRUE(within({"kind", "sentence", "edges"}, keys(json_object_get(root, "verdict"))));
    EXPECT_TRUE(within({"id", "kind", "library", "version"}, keys(at("runtimes", 0))));
    EXPECT_TRUE(within({"lwp", "target_tid", "pthread", "gdb_num", "openmp", "runtime", "thread_num",
                        "team_size", "level", "active_level", "region", "task", "state", "wait", "unknown"},
                       keys(at("threads", 0))));
    EXPECT_TRUE(
        within({"kind", "id", "name", "owner_lwp", "owner_task", "barrier", "arrived", "missing", "at"},
               keys(json_object_get(at("threads", 0), "wait"))));
    EXPECT_EQ(keys(json_object_get(json_object_get(at("threads", 0), "wait"), "at")),
              (Keys{"function", "file", "line"}));
    EXPECT_TRUE(within({"id", "runtime", "kind", "parent", "level", "team_size", "league_size", "team_num",
                        "function", "file", "line", "members"},
                       keys(at("regions", 0))));
    EXPECT_TRUE(within({"id", "runtime", "kind", "state", "region", "generator", "lwp", "function", "file",
                        "line", "depends_on"},
                       keys(at("tasks", 0))));
    EXPECT_EQ(keys(at("edges", 0)), (Keys{"id", "from", "to", "because", "proved"}));
    EXPECT_TRUE(within({"name", "scope", "value", "of"}, keys(at("icvs", 0))));
}

TEST_F(Json, Values)
{
    load(INSP_VIEW_REPORT);
    json_t *t = at("threads", 1), *w = json_object_get(t, "wait");
    EXPECT_EQ(number(t, "lwp"), 101);
    EXPECT_EQ(word(t, "pthread"), "0x7100");
    EXPECT_EQ(number(t, "gdb_num"), 2);
    EXPECT_TRUE(json_is_true(json_object_get(t, "openmp")));
    EXPECT_EQ(number(t, "region"), 3);
    EXPECT_EQ(number(t, "task"), 13);
    EXPECT_EQ(word(t, "state"), "wait_lock");
    EXPECT_EQ(word(w, "kind"), "lock");
    EXPECT_EQ(word(w, "id"), "0x404010");
    EXPECT_EQ(word(w, "name"), "lock_a");
    EXPECT_EQ(number(w, "owner_lwp"), 100);
    EXPECT_TRUE(null(w, "barrier"));
    EXPECT_TRUE(null(w, "arrived"));
    EXPECT_EQ(number(json_object_get(w, "at"), "line"), 20);

    w = json_object_get(at("threads", 2), "wait");
    EXPECT_EQ(word(w, "barrier"), "explicit");
    EXPECT_EQ(json_array_size(json_object_get(w, "arrived")), 1u);
    EXPECT_EQ(json_array_size(json_object_get(w, "missing")), 3u);

    t = at("threads", 4);
    EXPECT_TRUE(json_is_false(json_object_get(t, "openmp")));
    for (const char *key : {"runtime", "thread_num", "team_size", "level", "region", "task", "state", "wait"})
        EXPECT_TRUE(null(t, key)) << key;

    json_t *r = at("regions", 1);
    EXPECT_EQ(word(r, "kind"), "parallel");
    EXPECT_EQ(number(r, "parent"), 1);
    EXPECT_EQ(word(r, "function"), "main");
    EXPECT_EQ(word(r, "file"), "mixed.c");
    EXPECT_EQ(number(r, "line"), 14);
    EXPECT_EQ(number(json_array_get(json_object_get(r, "members"), 3), "lwp"), 103);
    EXPECT_TRUE(null(at("regions", 0), "parent"));

    t = at("tasks", 8);
    EXPECT_EQ(number(t, "id"), 22);
    EXPECT_EQ(word(t, "state"), "blocked");
    EXPECT_EQ(number(t, "generator"), 12);
    EXPECT_TRUE(null(t, "lwp"));
    EXPECT_EQ(json_integer_value(json_array_get(json_object_get(t, "depends_on"), 0)), 21);

    // Two for locks; for the barrier three threads and the tasks 20 (of a region inside), 21 and 22; 22
    // depends on 21; 20 runs on 103, which comes back to region 5 by itself.
    EXPECT_EQ(json_array_size(json_object_get(root, "edges")), 10u);
    EXPECT_EQ(number(json_object_get(at("edges", 0), "to"), "lwp"), 101);
    EXPECT_EQ(number(json_object_get(at("icvs", 1), "of"), "task"), 13);
}

TEST_F(Json, ViewsHaveTheirOwnList)
{
    const struct {
        int view;
        const char *list;
    } views[] = {{INSP_VIEW_THREADS, "threads"},
                 {INSP_VIEW_PARALLEL, "regions"},
                 {INSP_VIEW_TASKS, "tasks"},
                 {INSP_VIEW_ICVS, "icvs"}};
    for (const auto &v : views) {
        load(v.view);
        Keys expected = {"schema", "moving", "complete", "problems", "runtimes", v.list};
        if (v.view == INSP_VIEW_TASKS)
            expected.insert("task_groups");
        EXPECT_EQ(keys(root), expected);
    }
    s.stats = 1;
    load(INSP_VIEW_STATUS);
    EXPECT_EQ(keys(root),
              (Keys{"schema", "moving", "complete", "problems", "runtimes", "process", "ompd", "stats"}));
    load(INSP_VIEW_TASKS, "ready");
    EXPECT_EQ(json_array_size(json_object_get(root, "tasks")), 1u);
}

TEST_F(Json, HostileNamesStayValid)
{
    s.host.places[kLockA].symbol = "\xff\"\\\n\xc3(";
    s.host.modules.back().path = "/opt/\x80.so";
    load(INSP_VIEW_REPORT);
    EXPECT_EQ(word(json_object_get(at("threads", 1), "wait"), "name"), "\xef\xbf\xbd\"\\\n\xef\xbf\xbd(");
    EXPECT_EQ(word(json_object_get(at("threads", 1), "wait"), "name_bytes"), "ff225c0ac328");
}

TEST_F(Json, WithoutARuntime)
{
    s.host.modules.resize(1);
    load(INSP_VIEW_REPORT);
    EXPECT_TRUE(json_is_false(json_object_get(root, "complete")));
    EXPECT_EQ(json_array_size(json_object_get(root, "runtimes")), 0u);
    EXPECT_EQ(json_array_size(json_object_get(root, "problems")), 1u);
    EXPECT_EQ(word(json_object_get(root, "verdict"), "kind"), "unknown");
    EXPECT_EQ(json_array_size(json_object_get(root, "threads")), 5u);
}

} // namespace
