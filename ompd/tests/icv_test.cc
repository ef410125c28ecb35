// SPDX-License-Identifier: Apache-2.0
// Control variables of a hand-made process: each version's list, each one's scope, integer and text, and what
// a program cannot see of itself. icv_live_test.cc compares with what a program sees.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "ompd/tests/icvs.h"
#include "ompd/tests/image.h"

namespace
{

using Pair = std::pair<ompd_rc_t, ompd_word_t>;

class Icvs : public testing::TestWithParam<ompd_word_t>
{
  protected:
    Tool tool;
    Scene scene;
    Image &i = scene.image;
    ompd_address_space_handle_t *process = nullptr;
    ompd_thread_handle_t *thread = nullptr;
    ompd_parallel_handle_t *region = nullptr, *outer = nullptr;
    ompd_task_handle_t *task = nullptr, *initial = nullptr, *explicit_task = nullptr;

    void Open(ompd_word_t version = 202411)
    {
        ASSERT_EQ(ompd_initialize(version, Tool::Callbacks()), ompd_rc_ok);
        ASSERT_EQ(ompd_process_initialize(Context(&i), &process), ompd_rc_ok);
        uint64_t native = scene.pthread(1);
        ASSERT_EQ(ompd_get_thread_handle(process, OMPD_THREAD_ID_PTHREAD, 8, &native, &thread), ompd_rc_ok);
        ASSERT_EQ(ompd_get_curr_parallel_handle(thread, &region), ompd_rc_ok);
        ASSERT_EQ(ompd_get_enclosing_parallel_handle(region, &outer), ompd_rc_ok);
        ASSERT_EQ(ompd_get_task_in_parallel(region, 1, &task), ompd_rc_ok);
        ASSERT_EQ(ompd_get_task_in_parallel(outer, 0, &initial), ompd_rc_ok);
        ASSERT_EQ(ompd_get_curr_task_handle(thread, &explicit_task), ompd_rc_ok);
    }
    void TearDown() override
    {
        if (process != nullptr) {
            for (auto *handle : {task, initial, explicit_task})
                EXPECT_EQ(ompd_rel_task_handle(handle), ompd_rc_ok);
            EXPECT_EQ(ompd_rel_parallel_handle(region), ompd_rc_ok);
            EXPECT_EQ(ompd_rel_parallel_handle(outer), ompd_rc_ok);
            EXPECT_EQ(ompd_rel_thread_handle(thread), ompd_rc_ok);
            EXPECT_EQ(ompd_rel_address_space_handle(process), ompd_rc_ok);
        }
        (void)ompd_finalize();
        EXPECT_EQ(tool.live, 0);
    }
    Pair Value(void *handle, const char *name) { return IcvValue(process, handle, name); }
    std::string Text(void *handle, const char *name) { return IcvText(process, handle, name); }
    void *Handle(ompd_scope_t scope)
    {
        switch (scope) {
        case ompd_scope_global:
        case ompd_scope_address_space:
            return process;
        case ompd_scope_parallel:
            return region;
        default:
            return task;
        }
    }
};

// The specifications' lists, written out again: nobody may drop or add a name by an edit of the table alone.
const std::set<std::string> kOf50 = {"dyn-var",
                                     "nthreads-var",
                                     "run-sched-var",
                                     "def-sched-var",
                                     "bind-var",
                                     "stacksize-var",
                                     "wait-policy-var",
                                     "thread-limit-var",
                                     "active-levels-var",
                                     "levels-var",
                                     "cancel-var",
                                     "debug-var",
                                     "max-active-levels-var",
                                     "place-partition-var",
                                     "display-affinity-var",
                                     "tool-var",
                                     "def-allocator-var",
                                     "affinity-format-var",
                                     "default-device-var",
                                     "target-offload-var",
                                     "max-task-priority-var",
                                     "tool-libraries-var"};
const std::set<std::string> kNewIn51 = {
    "tool-verbose-init-var", "num-procs-var", "thread-num-var", "final-task-var",
    "implicit-task-var",     "team-size-var", "nteams-var",     "teams-thread-limit-var"};
const std::set<std::string> kNewIn60 = {
    "available-devices-var", "device-num-var",  "free-agent-thread-limit-var", "free-agent-var",
    "league-size-var",       "num-devices-var", "place-assignment-var",        "structured-thread-limit-var",
    "team-generator-var",    "team-num-var"};

std::set<std::string> Specified(ompd_word_t version)
{
    std::set<std::string> all = kOf50;
    if (version == 201811) {
        // 5.0 section 5.5.9, and two that LLVM's plugin asks for
        for (const char *name :
             {"ompd-num-procs-var", "ompd-thread-num-var", "ompd-final-var", "ompd-implicit-var",
              "ompd-team-size-var", "team-size-var", "implicit-task-var"})
            all.insert(name);
        return all;
    }
    all.insert(kNewIn51.begin(), kNewIn51.end());
    if (version == 202011) {
        for (const char *name : {"ompd-num-procs-var", "ompd-thread-num-var", "ompd-final-task-var",
                                 "ompd-implicit-task-var", "ompd-team-size-var"})
            all.insert(name);
        return all;
    }
    all.erase("def-sched-var");
    all.erase("implicit-task-var");
    all.insert("explicit-task-var");
    if (version == 202411)
        all.insert(kNewIn60.begin(), kNewIn60.end());
    return all;
}

TEST_P(Icvs, ListIsTheSpecifications)
{
    Open(GetParam());
    std::set<std::string> names;
    std::set<ompd_icv_id_t> ids;
    for (const IcvRow &row : ListIcvs(process)) {
        EXPECT_TRUE(names.insert(row.name).second) << row.name << " is listed twice";
        EXPECT_TRUE(ids.insert(row.id).second);
    }
    EXPECT_EQ(names, Specified(GetParam()));
    EXPECT_EQ(names.size(), GetParam() == 201811   ? 29u
                            : GetParam() == 202011 ? 35u
                            : GetParam() == 202111 ? 29u
                                                   : 39u);
}

TEST_P(Icvs, EachHasATextAndACodeForItsInteger)
{
    Open(GetParam());
    const std::set<std::string> no_integer = {"affinity-format-var", "available-devices-var",
                                              "place-assignment-var", "tool-verbose-init-var",
                                              "tool-libraries-var"};
    const std::set<std::string> longer = {"nthreads-var", "place-partition-var"};
    for (const IcvRow &row : ListIcvs(process)) {
        void *handle = Handle(row.scope);
        Pair value = Value(handle, row.name.c_str());
        EXPECT_NE(Text(handle, row.name.c_str()).substr(0, 1), "!") << row.name;
        EXPECT_EQ(value.first, no_integer.count(row.name) ? ompd_rc_incompatible
                               : !longer.count(row.name)  ? ompd_rc_ok
                               : GetParam() == 201811     ? ompd_rc_ok
                                                          : ompd_rc_incomplete)
            << row.name;
        if (no_integer.count(row.name)) {
            EXPECT_EQ(value.second, -77) << row.name;
        }
    }
}

TEST_P(Icvs, ScopesAreTheSpecifications)
{
    Open(GetParam());
    const ompd_word_t version = GetParam();
    // A caller of 5.0 gets scopes that LLVM's plugin knows.
    const ompd_scope_t global = version == 201811 ? ompd_scope_address_space : ompd_scope_global;
    const ompd_scope_t implicit = version == 201811 ? ompd_scope_task : ompd_scope_implicit_task;
    std::map<std::string, ompd_scope_t> scopes;
    for (const char *name : {"cancel-var", "debug-var", "display-affinity-var", "max-task-priority-var",
                             "target-offload-var", "tool-var", "tool-libraries-var", "tool-verbose-init-var",
                             "available-devices-var", "num-devices-var"})
        scopes[name] = global;
    for (const char *name :
         {"affinity-format-var", "nteams-var", "num-procs-var", "ompd-num-procs-var", "stacksize-var",
          "teams-thread-limit-var", "wait-policy-var", "device-num-var", "def-sched-var"})
        scopes[name] = ompd_scope_address_space;
    for (const char *name : {"def-allocator-var", "place-partition-var", "place-assignment-var"})
        scopes[name] = implicit;
    if (version == 202011)
        scopes["thread-num-var"] = scopes["ompd-thread-num-var"] = ompd_scope_implicit_task;
    if (version <= 202011)
        scopes["team-size-var"] = scopes["ompd-team-size-var"] = ompd_scope_parallel;
    if (version == 201811)
        scopes["levels-var"] = scopes["active-levels-var"] = ompd_scope_parallel;
    for (const IcvRow &row : ListIcvs(process))
        EXPECT_EQ(row.scope, scopes.count(row.name) ? scopes[row.name] : ompd_scope_task) << row.name;
}

INSTANTIATE_TEST_SUITE_P(Versions, Icvs, testing::Values(201811, 202011, 202111, 202411));

TEST_F(Icvs, Lists)
{
    Open();
    EXPECT_EQ(Value(initial, "nthreads-var"), Pair(ompd_rc_incomplete, 8));
    EXPECT_EQ(Text(initial, "nthreads-var"), "8,4,2");
    EXPECT_EQ(Text(task, "nthreads-var"), "4,2");
    i.Set(LAY_F_rt_task_icv_nthreads, scene.implicit[1], 5); // omp_set_num_threads sets the first item
    EXPECT_EQ(Value(task, "nthreads-var"), Pair(ompd_rc_incomplete, 5));
    EXPECT_EQ(Text(task, "nthreads-var"), "5,2");
    i.Set(LAY_F_rt_task_icv_nthreads_rest_count, scene.implicit[1], 0);
    EXPECT_EQ(Value(task, "nthreads-var"), Pair(ompd_rc_ok, 5));
    EXPECT_EQ(Text(task, "nthreads-var"), "5");

    EXPECT_EQ(Value(task, "bind-var"), Pair(ompd_rc_ok, 4));
    EXPECT_EQ(Text(task, "bind-var"), "spread");
    const lay_entry &list = i.Entry(LAY_F_rt_env_bind);
    const uint8_t policies[] = {2, 4, 3, 2};
    for (unsigned n = 0; n < 4; n++)
        i.Put(i.env + (unsigned)list.offset + list.size * n, list.size, policies[n]);
    i.Set(LAY_F_rt_env_bind_count, i.env, 4);
    EXPECT_EQ(Value(task, "bind-var"), Pair(ompd_rc_incomplete, 4)); // level 1
    EXPECT_EQ(Text(task, "bind-var"), "spread,close,primary");
    i.Set(LAY_F_rt_task_icv_bind, scene.implicit[1], 0);
    EXPECT_EQ(Value(task, "bind-var"), Pair(ompd_rc_ok, 0));
    EXPECT_EQ(Text(task, "bind-var"), "false");
    i.Set(LAY_F_rt_task_icv_bind, scene.implicit[1], 4);
    i.Set(LAY_F_rt_env_bind_count, i.env, 200);
    EXPECT_EQ(Value(task, "bind-var"), Pair(ompd_rc_error, -77));
    EXPECT_NE(tool.printed.find("bind-var has an impossible length"), std::string::npos);
}

TEST_F(Icvs, LongList)
{
    Open();
    uint64_t rest = i.Raw(4 * 1000);
    std::string text = "4";
    for (unsigned n = 0; n < 1000; n++) {
        i.Put(rest + 4 * n, 4, n + 1);
        if (n < 255)
            text += "," + std::to_string(n + 1);
    }
    i.Set(LAY_F_rt_task_icv_nthreads_rest, scene.implicit[1], rest);
    i.Set(LAY_F_rt_task_icv_nthreads_rest_count, scene.implicit[1], 1000);
    EXPECT_EQ(Value(task, "nthreads-var"), Pair(ompd_rc_incomplete, 4));
    const char *string;
    IcvRow row = FindIcv(process, "nthreads-var");
    ASSERT_EQ(ompd_get_icv_string_from_scope(task, row.scope, row.id, &string), ompd_rc_incomplete);
    EXPECT_EQ(string, text);
    ToolFree(string);
}

TEST_F(Icvs, Places)
{
    Open();
    EXPECT_EQ(Text(task, "place-partition-var"), "{0,1},{2,3},{4,5}");
    EXPECT_EQ(Value(task, "place-partition-var"), Pair(ompd_rc_incomplete, 0));
    i.Set(LAY_F_rt_task_icv_place_first, scene.implicit[1], 1);
    i.Set(LAY_F_rt_task_icv_place_count, scene.implicit[1], 1);
    EXPECT_EQ(Text(task, "place-partition-var"), "{2,3}");
    EXPECT_EQ(Value(task, "place-partition-var"), Pair(ompd_rc_ok, 1));
    const lay_entry &bits = i.Entry(LAY_F_rt_cpus_bits);
    uint64_t place = i.Field(LAY_F_rt_env_place_table, i.env) + i.Size(LAY_S_rt_cpus);
    i.Put(place + (unsigned)bits.offset, 8, 0xf000000000000001); // a run over the end of a word
    i.Put(place + (unsigned)bits.offset + 8, 8, 0x27);
    EXPECT_EQ(Text(task, "place-partition-var"), "{0,60:7,69}");
    for (auto [first, count] :
         {std::pair<int, int>{-1, 1}, {3, 1}, {0, 4}, {1, -1}, {0x7fffffff, 0x7fffffff}}) {
        i.Set(LAY_F_rt_task_icv_place_first, scene.implicit[1], (uint64_t)first);
        i.Set(LAY_F_rt_task_icv_place_count, scene.implicit[1], (uint64_t)count);
        EXPECT_EQ(Value(task, "place-partition-var"), Pair(ompd_rc_error, -77)) << first << " " << count;
    }
    i.Places(64); // 64 places: the text has no limit of its own
    i.Set(LAY_F_rt_task_icv_place_count, scene.implicit[1], 0);
    std::string text;
    for (int n = 0; n < 64; n++)
        text += (n ? ",{" : "{") + std::to_string(2 * n) + "," + std::to_string(2 * n + 1) + "}";
    i.Set(LAY_F_rt_task_icv_place_first, scene.implicit[1], 0);
    EXPECT_EQ(Text(task, "place-partition-var"), text);
}

TEST_F(Icvs, Schedules)
{
    Open();
    const struct {
        uint64_t kind, chunk;
        ompd_rc_t rc;
        const char *text;
    } cases[] = {{1, 0, ompd_rc_ok, "static"},
                 {2, 0, ompd_rc_ok, "dynamic"},
                 {3, 7, ompd_rc_incomplete, "guided,7"},
                 {4, 0, ompd_rc_ok, "auto"},
                 {0x80000001, 16, ompd_rc_incomplete, "monotonic:static,16"}};
    for (const auto &c : cases) {
        i.Set(LAY_F_rt_task_icv_sched, scene.implicit[1], c.kind);
        i.Set(LAY_F_rt_task_icv_chunk, scene.implicit[1], c.chunk);
        EXPECT_EQ(Value(task, "run-sched-var"), Pair(c.rc, (ompd_word_t)c.kind));
        EXPECT_EQ(Text(task, "run-sched-var"), c.text);
    }
}

TEST_F(Icvs, OfTheTask)
{
    Open();
    EXPECT_EQ(Text(task, "dyn-var"), "false");
    EXPECT_EQ(Text(task, "thread-limit-var"), "1000");
    EXPECT_EQ(Text(task, "structured-thread-limit-var"), "1000");
    EXPECT_EQ(Text(task, "free-agent-thread-limit-var"), "999");
    EXPECT_EQ(Text(task, "max-active-levels-var"), "3");
    EXPECT_EQ(Value(task, "default-device-var"), Pair(ompd_rc_ok, -1));
    EXPECT_EQ(Text(task, "default-device-var"), "-1");
    i.Set(LAY_F_rt_task_icv_default_device, scene.implicit[1], (uint64_t)-4);
    EXPECT_EQ(Text(task, "default-device-var"), "invalid");
    EXPECT_EQ(Value(task, "levels-var"), Pair(ompd_rc_ok, 1));
    EXPECT_EQ(Value(initial, "levels-var"), Pair(ompd_rc_ok, 0));
    EXPECT_EQ(Value(initial, "active-levels-var"), Pair(ompd_rc_ok, 0));
    EXPECT_EQ(Value(task, "thread-num-var"), Pair(ompd_rc_ok, 1));
    EXPECT_EQ(Value(task, "team-size-var"), Pair(ompd_rc_ok, 3));
    EXPECT_EQ(Text(task, "explicit-task-var"), "false");
    EXPECT_EQ(Text(explicit_task, "explicit-task-var"), "true");
    EXPECT_EQ(Text(explicit_task, "final-task-var"), "false");
    i.Set(LAY_F_rt_task_flags, scene.explicit_task,
          i.Const(LAY_C_RT_TASK_EXPLICIT) | i.Const(LAY_C_RT_TASK_FINAL));
    EXPECT_EQ(Text(explicit_task, "final-task-var"), "true");
    EXPECT_EQ(Text(task, "free-agent-var"), "false");
    EXPECT_EQ(Text(task, "team-generator-var"), "parallel");
    EXPECT_EQ(Value(initial, "team-generator-var"), Pair(ompd_rc_ok, ompd_generator_program));
    i.Set(LAY_F_rt_team_num_teams, scene.team, 5);
    i.Set(LAY_F_rt_team_team_num, scene.team, 4);
    EXPECT_EQ(Value(task, "league-size-var"), Pair(ompd_rc_ok, 5));
    EXPECT_EQ(Value(task, "team-num-var"), Pair(ompd_rc_ok, 4));
    i.Set(LAY_F_rt_team_kind, scene.team, i.Const(LAY_C_RT_TEAM_TEAMS));
    EXPECT_EQ(Text(task, "team-generator-var"), "teams");
    i.Set(LAY_F_rt_team_kind, scene.team, i.Const(LAY_C_RT_TEAM_INITIAL)); // and a task has met it
    EXPECT_EQ(Text(task, "team-generator-var"), "target");
    // A task that nobody has started has no thread number.
    ompd_task_handle_t **list;
    int count;
    ASSERT_EQ(ompdx_get_all_tasks(process, &list, &count), ompd_rc_ok);
    int without = 0;
    for (int n = 0; n < count; n++) {
        without += Value(list[n], "thread-num-var") == Pair(ompd_rc_unavailable, -77);
        ompd_rel_task_handle(list[n]);
    }
    ToolFree(list);
    EXPECT_EQ(without, 2); // 42 and 43
}

TEST_F(Icvs, OfTheImplicitTask)
{
    Open();
    i.Set(LAY_F_rt_task_icv_allocator, scene.implicit[1], 4);
    EXPECT_EQ(Value(task, "def-allocator-var"), Pair(ompd_rc_ok, 4));
    EXPECT_EQ(Text(task, "def-allocator-var"), "omp_high_bw_mem_alloc");
    for (const char *name : {"def-allocator-var", "place-partition-var", "place-assignment-var"}) {
        EXPECT_EQ(Value(explicit_task, name), Pair(ompd_rc_incompatible, -77)) << name;
        EXPECT_EQ(Text(explicit_task, name), "!7") << name;
    }
    i.Set(LAY_F_rt_task_icv_allocator, scene.implicit[1], 1024); // made by the program
    EXPECT_EQ(Text(task, "def-allocator-var"), "1024");
    i.Set(LAY_F_rt_env_allocator, i.env, i.Text("omp_default_mem_space:pinned=true"));
    i.Set(LAY_F_rt_env_allocator_made, i.env, 1024); // by the environment
    EXPECT_EQ(Text(task, "def-allocator-var"), "omp_default_mem_space:pinned=true");
    EXPECT_EQ(Text(task, "place-assignment-var"), "");
}

TEST_F(Icvs, A50CallerAsksAnyTaskForTheImplicitTasks)
{
    Open(201811);
    i.Set(LAY_F_rt_task_icv_allocator, scene.implicit[1], 4);
    i.Set(LAY_F_rt_task_icv_allocator, scene.explicit_task, 2);
    EXPECT_EQ(Value(explicit_task, "def-allocator-var"), Pair(ompd_rc_ok, 4));
    EXPECT_EQ(Value(region, "levels-var"), Pair(ompd_rc_ok, 1));
    EXPECT_EQ(Value(outer, "levels-var"), Pair(ompd_rc_ok, 0));
    EXPECT_EQ(Value(region, "active-levels-var"), Pair(ompd_rc_ok, 1));
    EXPECT_EQ(Value(region, "team-size-var"), Pair(ompd_rc_ok, 3));
    EXPECT_EQ(Value(region, "ompd-team-size-var"), Pair(ompd_rc_ok, 3));
    EXPECT_EQ(Text(task, "ompd-implicit-var"), "true");
    EXPECT_EQ(Text(task, "default-device-var"), "-1");
    EXPECT_EQ(Text(process, "def-sched-var"), "static");
    i.Set(LAY_F_rt_task_icv_bind, scene.implicit[1], 2);
    EXPECT_EQ(Text(task, "bind-var"), "master");
    i.Set(LAY_F_rt_task_icv_default_device, scene.implicit[1], (uint64_t)-4);
    EXPECT_EQ(Text(task, "default-device-var"), "-4");
}

TEST_F(Icvs, OfTheProcess)
{
    Open();
    struct {
        const char *name;
        unsigned field;
        uint64_t structure, value;
        const char *text;
    } cases[] = {
        {"num-procs-var", LAY_F_rt_root_procs, i.root, 12, "12"},
        {"stacksize-var", LAY_F_rt_root_stacksize, i.root, 65536, "65536B"},
        {"stacksize-var", LAY_F_rt_root_stacksize, i.root, 0, "8388608B"},
        {"wait-policy-var", LAY_F_rt_root_wait_policy, i.root, 1, "active"},
        {"wait-policy-var", LAY_F_rt_root_wait_policy, i.root, 0, "passive"},
        {"debug-var", LAY_F_rt_root_debug, i.root, 0, "disabled"},
        {"debug-var", LAY_F_rt_root_debug, i.root, 1, "enabled"},
        {"nteams-var", LAY_F_rt_root_nteams, i.root, 9, "9"},
        {"teams-thread-limit-var", LAY_F_rt_root_teams_thread_limit, i.root, 11, "11"},
        {"cancel-var", LAY_F_rt_root_cancellation, i.root, 1, "true"},
        {"display-affinity-var", LAY_F_rt_root_display_affinity, i.root, 1, "true"},
        {"max-task-priority-var", LAY_F_rt_root_max_task_priority, i.root, 77, "77"},
        {"target-offload-var", LAY_F_rt_env_target_offload, i.env, 0, "default"},
        {"target-offload-var", LAY_F_rt_env_target_offload, i.env, 1, "mandatory"},
        {"target-offload-var", LAY_F_rt_env_target_offload, i.env, 2, "disabled"},
        {"tool-var", LAY_F_rt_env_tool, i.env, 0, "disabled"},
        {"tool-var", LAY_F_rt_env_tool, i.env, 1, "enabled"},
        {"tool-libraries-var", LAY_F_rt_env_tool_libraries, i.env, i.Text("/a/b.so:/c.so"), "/a/b.so:/c.so"},
        {"tool-libraries-var", LAY_F_rt_env_tool_libraries, i.env, 0, ""},
        {"tool-verbose-init-var", LAY_F_rt_env_tool_verbose_init, i.env, i.Text("stderr"), "stderr"},
        {"tool-verbose-init-var", LAY_F_rt_env_tool_verbose_init, i.env, 0, "disabled"},
        {"affinity-format-var", LAY_F_rt_env_affinity_format, i.env, i.Text("host %H {%A}"), "host %H {%A}"},
    };
    for (const auto &c : cases) {
        i.Set(c.field, c.structure, c.value);
        EXPECT_EQ(Text(process, c.name), c.text) << c.name;
        if (Value(process, c.name).first == ompd_rc_ok && c.text[0] != '8') {
            EXPECT_EQ(Value(process, c.name).second, (ompd_word_t)c.value) << c.name;
        }
    }
    EXPECT_EQ(Value(process, "num-devices-var"), Pair(ompd_rc_ok, 0));
    EXPECT_EQ(Value(process, "device-num-var"), Pair(ompd_rc_ok, 0));
    EXPECT_EQ(Text(process, "available-devices-var"), "");
}

TEST_F(Icvs, TextsOfTheTarget)
{
    Open();
    const std::string lengths[] = {std::string(255, 'a'), std::string(256, 'b'), std::string(100000, 'c')};
    for (const std::string &text : lengths) {
        i.Set(LAY_F_rt_env_affinity_format, i.env, i.Text(text));
        EXPECT_EQ(Text(process, "affinity-format-var"), text);
    }
    // Without an end it is cut; where memory ends, so does the answer.
    uint64_t endless = i.EndlessFormat();
    IcvRow row = FindIcv(process, "affinity-format-var");
    const char *string = nullptr;
    ASSERT_EQ(ompd_get_icv_string_from_scope(process, row.scope, row.id, &string), ompd_rc_incomplete);
    EXPECT_EQ(strlen(string), (1u << 20) - 1);
    ToolFree(string);
    i.Set(LAY_F_rt_env_affinity_format, i.env, endless + (2 << 20) - 300);
    string = nullptr;
    EXPECT_EQ(ompd_get_icv_string_from_scope(process, row.scope, row.id, &string), ompd_rc_error);
    EXPECT_EQ(string, nullptr);
}

// A runtime of the first layout tells less, and what it tells is right.
TEST_F(Icvs, OlderRuntime)
{
    for (unsigned id = 300; id < 360; id++)
        if (i.Entry(id).kind != LAY_ABSENT)
            i.Entry(id).kind = 0;
    i.WriteTable();
    Open();
    std::set<std::string> refused;
    for (const IcvRow &row : ListIcvs(process))
        if (Text(Handle(row.scope), row.name.c_str()) == "!5")
            refused.insert(row.name);
    EXPECT_EQ(refused,
              (std::set<std::string>{"affinity-format-var", "available-devices-var", "cancel-var",
                                     "def-allocator-var", "device-num-var", "display-affinity-var",
                                     "max-task-priority-var", "nteams-var", "num-devices-var",
                                     "place-partition-var", "target-offload-var", "teams-thread-limit-var",
                                     "tool-libraries-var", "tool-var", "tool-verbose-init-var"}));
    EXPECT_EQ(Text(task, "nthreads-var"), "4,2");
    i.Set(LAY_F_rt_task_icv_nthreads, scene.implicit[1], 5);
    EXPECT_EQ(Text(task, "nthreads-var"), "5");
    EXPECT_EQ(Text(task, "bind-var"), "spread");
    EXPECT_EQ(Text(process, "stacksize-var"), "4194304B");
    const char *const *vars;
    ASSERT_EQ(ompd_get_display_control_vars(process, &vars), ompd_rc_ok);
    int count = 0;
    while (vars[count] != nullptr)
        count++;
    EXPECT_EQ(count, 11); // the ten of the first layout and the fixed one
    EXPECT_EQ(ompd_rel_display_control_vars(&vars), ompd_rc_ok);
}

std::set<std::string> Display(ompd_address_space_handle_t *process)
{
    const char *const *vars = nullptr;
    std::set<std::string> all;
    EXPECT_EQ(ompd_get_display_control_vars(process, &vars), ompd_rc_ok);
    for (int n = 0; vars != nullptr && vars[n] != nullptr; n++)
        all.insert(vars[n]);
    EXPECT_EQ(ompd_rel_display_control_vars(&vars), ompd_rc_ok);
    EXPECT_EQ(vars, nullptr);
    return all;
}

TEST_F(Icvs, DisplayControlVars)
{
    Open();
    const std::set<std::string> expected = {"OMP_AFFINITY_FORMAT=thread %n",
                                            "OMP_ALLOCATOR=omp_default_mem_alloc",
                                            "OMP_AVAILABLE_DEVICES=",
                                            "OMP_CANCELLATION=false",
                                            "OMP_DEBUG=enabled",
                                            "OMP_DEFAULT_DEVICE=-1",
                                            "OMP_DISPLAY_AFFINITY=false",
                                            "OMP_DISPLAY_ENV=false",
                                            "OMP_DYNAMIC=false",
                                            "OMP_MAX_ACTIVE_LEVELS=3",
                                            "OMP_MAX_TASK_PRIORITY=7",
                                            "OMP_NUM_TEAMS=0",
                                            "OMP_NUM_THREADS=8,4,2",
                                            "OMP_PLACES={0,1},{2,3},{4,5}",
                                            "OMP_PROC_BIND=spread",
                                            "OMP_SCHEDULE=dynamic",
                                            "OMP_STACKSIZE=4194304B",
                                            "OMP_TARGET_OFFLOAD=default",
                                            "OMP_TEAMS_THREAD_LIMIT=0",
                                            "OMP_THREADS_RESERVE=structured(1),free_agent(0)",
                                            "OMP_THREAD_LIMIT=1000",
                                            "OMP_TOOL=enabled",
                                            "OMP_TOOL_LIBRARIES=",
                                            "OMP_TOOL_VERBOSE_INIT=disabled",
                                            "OMP_WAIT_POLICY=passive",
                                            "KMP_BLOCKTIME=0"};
    EXPECT_EQ(Display(process), expected);
    i.Set(LAY_F_rt_env_gomp_affinity, i.env, i.Text("0-3"));
    i.Set(LAY_F_rt_env_kmp_affinity, i.env, i.Text("compact"));
    i.Set(LAY_F_rt_env_kmp_hw_subset, i.env, i.Text("1t"));
    i.Set(LAY_F_rt_env_blocktime, i.env, 0x7fffffff);
    i.Set(LAY_F_rt_env_display, i.env, 2);
    std::set<std::string> all = Display(process);
    for (const char *name : {"GOMP_CPU_AFFINITY=0-3", "KMP_AFFINITY=compact", "KMP_HW_SUBSET=1t",
                             "KMP_BLOCKTIME=infinite", "OMP_DISPLAY_ENV=verbose"})
        EXPECT_EQ(all.count(name), 1u) << name;
    // Before the runtime has started there is nothing to say.
    i.Set(LAY_F_rt_root_initialized, i.root, 0);
    const char *const *vars = nullptr;
    EXPECT_EQ(ompd_get_display_control_vars(process, &vars), ompd_rc_unavailable);
    EXPECT_EQ(vars, nullptr);
}

TEST_F(Icvs, DisplayControlVarsOf50)
{
    Open(201811);
    std::set<std::string> all = Display(process);
    EXPECT_EQ(all.count("OMP_NESTED=true"), 1u);
    for (const std::string &item : all)
        for (const char *later : {"OMP_NUM_TEAMS", "OMP_TEAMS_THREAD_LIMIT", "OMP_TOOL_VERBOSE",
                                  "OMP_THREADS_RESERVE", "OMP_AVAILABLE"})
            EXPECT_EQ(item.find(later), std::string::npos) << item;
    EXPECT_EQ(all.size(), 22u);
}

} // namespace
