// SPDX-License-Identifier: Apache-2.0
// inspect and libompd on every target, from a debugger that is this test itself: what `./dev sanitize` runs
// with AddressSanitizer and UndefinedBehaviorSanitizer in both. The targets' own truth says what must come
// out.
#include <gtest/gtest.h>
#include <jansson.h>

#include <map>

#include "inspect/inspect.h"
#include "process_host.h"

namespace
{

std::string directory, libompd;

struct Target {
    std::string name, exe, verdict; // verdict: "" where the target has no word on it
    std::vector<std::string> args;
    std::vector<std::pair<std::string, std::string>> env;
};
std::vector<Target> targets;

std::string text_of(json_t *value)
{
    return json_is_string(value) ? json_string_value(value) : std::to_string(json_integer_value(value));
}

void load(const std::string &path)
{
    json_error_t error;
    json_t *root = json_load_file(path.c_str(), 0, &error);
    json_t *list = json_object_get(root, json_object_get(root, "programs") ? "programs" : "targets"), *entry,
           *value;
    size_t i, k;
    const char *key;
    json_array_foreach(list, i, entry)
    {
        Target target;
        target.name = text_of(json_object_get(entry, "name"));
        target.exe = directory + "/" + text_of(json_object_get(entry, "exe"));
        if (json_object_get(entry, "verdict") != nullptr)
            target.verdict = text_of(json_object_get(entry, "verdict"));
        json_array_foreach(json_object_get(entry, "args"), k, value) target.args.push_back(text_of(value));
        target.env.emplace_back("OMP_WAIT_POLICY", "passive");
        json_object_foreach(json_object_get(entry, "env"), key, value)
            target.env.emplace_back(key, text_of(value));
        // These two die by a signal right after their truth; a debugger sees them under GDB and in their
        // cores. That a thread waits for a mutex is told by libc's function, whose name this host has not.
        if (target.name.rfind("crash_", 0) != 0 && target.name.rfind("pthread_mutex", 0) != 0)
            targets.push_back(target);
    }
    json_decref(root);
}

std::string render(const insp_snapshot *snapshot, int view, int format)
{
    insp_render_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.view = view;
    options.format = format;
    options.width = 100;
    options.stats = 1;
    char *error = nullptr, *text = insp_render(snapshot, &options, &error);
    EXPECT_NE(text, nullptr) << (error ? error : "");
    std::string result = text ? text : "";
    insp_string_free(text);
    insp_string_free(error);
    return result;
}

void same(json_t *truth, json_t *row, const char *field)
{
    json_t *want = json_object_get(truth, field);
    if (want != nullptr && !json_is_null(want)) {
        EXPECT_TRUE(json_equal(want, json_object_get(row, field)))
            << field << " of thread " << json_integer_value(json_object_get(truth, "tid"));
    }
}

void has_verdict(const insp_snapshot *snapshot, const std::string &kind)
{
    static const char *const kinds[] = {"unknown", "none", "suspected", "stuck", "deadlock"};
    const char *sentence = "";
    EXPECT_EQ(kinds[insp_verdict(snapshot, &sentence)], kind) << sentence;
}

void tells_the_truth(const Target &target)
{
    std::vector<std::string> argv = {target.exe};
    argv.insert(argv.end(), target.args.begin(), target.args.end());
    ProcessHost process(argv, target.env);
    insp_host host = process.host();
    char *error = nullptr;
    insp_session *session = insp_open(&host, libompd.c_str(), &error);
    ASSERT_NE(session, nullptr) << error;
    insp_snapshot *snapshot = insp_take(session, INSP_ALL | INSP_ACTIVITY, &error);
    ASSERT_NE(snapshot, nullptr) << error;

    for (int view = INSP_VIEW_THREADS; view <= INSP_VIEW_STATUS; view++)
        EXPECT_NE(render(snapshot, view, INSP_TEXT), "");
    if (!target.verdict.empty()) { // such a one says nothing about threads that compute
        has_verdict(snapshot, target.verdict);
        insp_free(snapshot);
        insp_close(session);
        return;
    }
    json_t *report = json_loads(render(snapshot, INSP_VIEW_REPORT, INSP_JSON).c_str(), 0, nullptr);
    json_t *truth = json_loads(process.truth().c_str(), 0, nullptr);
    ASSERT_TRUE(report != nullptr && truth != nullptr);
    EXPECT_TRUE(json_is_true(json_object_get(report, "complete")));

    std::map<json_int_t, json_t *> rows;
    json_t *row;
    size_t i;
    json_array_foreach(json_object_get(report, "threads"), i, row)
    {
        if (json_is_true(json_object_get(row, "openmp")))
            rows[json_integer_value(json_object_get(row, "target_tid"))] = row;
    }
    size_t openmp = 0;
    json_array_foreach(json_object_get(truth, "threads"), i, row)
    {
        if (!json_is_true(json_object_get(row, "openmp")))
            continue;
        openmp++;
        auto found = rows.find(json_integer_value(json_object_get(row, "tid")));
        ASSERT_NE(found, rows.end());
        for (const char *field : {"thread_num", "team_size", "level", "active_level", "state", "pthread"})
            same(row, found->second, field);
    }
    EXPECT_EQ(rows.size(), openmp);

    json_decref(truth);
    json_decref(report);
    insp_free(snapshot);
    insp_close(session);
}

} // namespace

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: live_test TARGETS.JSON LIBOMPD [GoogleTest options]\n");
        return 64;
    }
    std::string list = argv[1];
    directory = list.substr(0, list.rfind('/'));
    libompd = argv[2];
    load(list);
    if (targets.empty()) {
        fprintf(stderr, "live_test: no target in %s\n", list.c_str());
        return 2;
    }
    class Live : public testing::Test
    {
      public:
        explicit Live(const Target &target) : target_(target) {}
        void TestBody() override { tells_the_truth(target_); }

      private:
        const Target &target_;
    };
    for (const Target &target : targets)
        testing::RegisterTest("Live", target.name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                              [&target]() -> testing::Test * { return new Live(target); });
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
