// SPDX-License-Identifier: Apache-2.0
// One case for each code that a routine returns, with the outputs untouched; versions; stale handles; ICVs.
#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "ompd/tests/icvs.h"
#include "ompd/tests/image.h"

namespace
{

template <typename T> T *Poison()
{
    return reinterpret_cast<T *>(0x5a5a5a5a);
}

class Codes : public testing::Test
{
  protected:
    Tool tool;
    Scene scene;
    ompd_address_space_handle_t *process = nullptr;
    ompd_thread_handle_t *thread = nullptr;
    ompd_parallel_handle_t *region = nullptr;
    ompd_task_handle_t *task = nullptr;

    void Open(ompd_word_t version = 202411)
    {
        ASSERT_EQ(ompd_initialize(version, Tool::Callbacks()), ompd_rc_ok);
        ASSERT_EQ(ompd_process_initialize(Context(&scene.image), &process), ompd_rc_ok);
        uint64_t native = scene.pthread(1);
        ASSERT_EQ(ompd_get_thread_handle(process, OMPD_THREAD_ID_PTHREAD, 8, &native, &thread), ompd_rc_ok);
        ASSERT_EQ(ompd_get_curr_parallel_handle(thread, &region), ompd_rc_ok);
        ASSERT_EQ(ompd_get_task_in_parallel(region, 1, &task), ompd_rc_ok);
    }
    void TearDown() override
    {
        if (process != nullptr) {
            EXPECT_EQ(ompd_rel_thread_handle(thread), ompd_rc_ok);
            EXPECT_EQ(ompd_rel_parallel_handle(region), ompd_rc_ok);
            EXPECT_EQ(ompd_rel_task_handle(task), ompd_rc_ok);
            EXPECT_EQ(ompd_rel_address_space_handle(process), ompd_rc_ok);
        }
        (void)ompd_finalize();
        EXPECT_EQ(tool.live, 0);
    }
    void Start(ompd_rc_t expected, const char *says)
    {
        ompd_address_space_handle_t *handle = Poison<ompd_address_space_handle_t>();
        (void)ompd_initialize(202411, Tool::Callbacks());
        tool.printed.clear();
        EXPECT_EQ(ompd_process_initialize(Context(&scene.image), &handle), expected);
        EXPECT_EQ(handle, Poison<ompd_address_space_handle_t>());
        EXPECT_NE(tool.printed.find(says), std::string::npos) << tool.printed;
        EXPECT_EQ(tool.live, 0);
    }
    ompd_icv_id_t Icv(const char *name) { return FindIcv(process, name).id; }
};

TEST_F(Codes, Versions)
{
    ompd_word_t version = 0;
    const char *text = nullptr;
    EXPECT_EQ(ompd_get_api_version(&version), ompd_rc_ok);
    EXPECT_EQ(version, 202411);
    EXPECT_EQ(ompd_get_api_version(nullptr), ompd_rc_bad_input);
    EXPECT_EQ(ompd_get_version_string(&text), ompd_rc_ok);
    EXPECT_NE(std::string(text).find("libompd"), std::string::npos);
    EXPECT_EQ(ompd_get_version_string(nullptr), ompd_rc_bad_input);
    EXPECT_EQ(ompd_finalize(), ompd_rc_unsupported);
    for (ompd_word_t v : {201811, 202011, 202111, 202411}) {
        EXPECT_EQ(ompd_initialize(v, Tool::Callbacks()), ompd_rc_ok);
        EXPECT_EQ(ompd_initialize(v, Tool::Callbacks()), ompd_rc_error);
        EXPECT_EQ(ompd_finalize(), ompd_rc_ok);
    }
    for (ompd_word_t v : {0, 201611, 202211, 209999, -1})
        EXPECT_EQ(ompd_initialize(v, Tool::Callbacks()), ompd_rc_unsupported);
}

TEST_F(Codes, CallbackTable)
{
    EXPECT_EQ(ompd_initialize(202411, nullptr), ompd_rc_bad_input);
    for (size_t at : {0, 8, 24, 32, 40, 64}) {
        ompd_callbacks_t table = *Tool::Callbacks();
        memset((char *)&table + at, 0, 8);
        EXPECT_EQ(ompd_initialize(202411, &table), ompd_rc_bad_input) << at;
    }
    ompd_callbacks_t table = *Tool::Callbacks();
    table.print_string = nullptr; // silence is allowed
    EXPECT_EQ(ompd_initialize(202411, &table), ompd_rc_ok);
    memset(&table, 0, sizeof table); // the library has a copy
    tool.tool_has_symbol = false;
    ompd_address_space_handle_t *handle;
    EXPECT_EQ(ompd_process_initialize(Context(&scene.image), &handle), ompd_rc_incompatible);
}

TEST_F(Codes, NothingBeforeInitialize)
{
    int dummy;
    ompd_address_space_handle_t *handle;
    const char *const *vars = nullptr;
    EXPECT_EQ(ompd_process_initialize(Context(&scene.image), &handle), ompd_rc_callback_error);
    EXPECT_EQ(ompd_rel_address_space_handle((ompd_address_space_handle_t *)&dummy), ompd_rc_callback_error);
    EXPECT_EQ(ompd_rel_thread_handle((ompd_thread_handle_t *)&dummy), ompd_rc_callback_error);
    EXPECT_EQ(ompd_rel_display_control_vars(&vars), ompd_rc_callback_error);
    EXPECT_EQ(ompdx_stop_begin((ompd_address_space_handle_t *)&dummy), ompd_rc_callback_error);
}

TEST_F(Codes, RuntimeNotStarted)
{
    memset(scene.image.Bytes(scene.image.table), 0, 8);
    Start(ompd_rc_unavailable, "has not started");
}

TEST_F(Codes, NoRuntime)
{
    tool.tool_has_symbol = false;
    for (ompd_rc_t rc : {ompd_rc_error, ompd_rc_unavailable, ompd_rc_unsupported, ompd_rc_ok}) {
        tool.symbol_missing = rc; // ok: LLVM's plugin answers so, with address -1
        Start(ompd_rc_incompatible, "no OpenMP runtime");
    }
    tool.symbol_missing = ompd_rc_stale_handle;
    Start(ompd_rc_stale_handle, "");
}

TEST_F(Codes, TableMisfits)
{
    Image &i = scene.image;
    struct {
        unsigned at, size;
        uint64_t value;
        const char *says;
    } cases[] = {
        {0, 1, 'X', "magic"},
        {8, 2, 2, "major version 2"},
        {24, 8, 4711, "another address"},
        {20, 4, 16, "header"},
        {20, 4, 1 << 20, "header"},
        {16, 4, 8, "entries of impossible size"},
        {16, 4, 1 << 30, "entries of"},
        {12, 4, 0, "count"},
        {12, 4, 0xffffffff, "count"},
    };
    for (auto &c : cases) {
        uint64_t old = i.Get(i.table + c.at, c.size);
        i.Put(i.table + c.at, c.size, c.value);
        Start(ompd_rc_incompatible, c.says);
        i.Put(i.table + c.at, c.size, old);
    }
    i.Put(i.table + 48 + 32, 2, i.Get(i.table + 48, 2));
    Start(ompd_rc_incompatible, "two entries");
}

TEST_F(Codes, TableEntriesMisfit)
{
    Image &i = scene.image;
    struct {
        unsigned id;
        void (*spoil)(lay_entry &);
        const char *says;
    } cases[] = {
        {LAY_F_rt_task_sched_parent, [](lay_entry &e) { e.offset = 1 << 20; },
         "rt_task.sched_parent (id 153)"},
        {LAY_F_rt_task_fn, [](lay_entry &e) { e.offset = -4; }, "rt_task.fn"},
        {LAY_F_rt_team_level, [](lay_entry &e) { e.size = 3; }, "rt_team.level"},
        {LAY_F_rt_team_level, [](lay_entry &e) { e.size = 0; }, "rt_team.level"},
        {LAY_F_rt_root_slabs, [](lay_entry &e) { e.count = 0xffffffff; }, "rt_root.slabs"},
        {LAY_F_rt_root_slabs, [](lay_entry &e) { e.size -= 1; }, "contradicts"},
        {LAY_B_rt_thread_state, [](lay_entry &e) { e.mask = 0; }, "rt_thread.state:state"},
        {LAY_S_rt_task, [](lay_entry &e) { e.size = 1u << 31; }, "rt_task"},
        {LAY_S_rt_thread, [](lay_entry &e) { e.size = 8192; }, "larger"},
        {LAY_S_rt_team, [](lay_entry &e) { e.size = 16; }, "rt_team"},
        {LAY_C_RT_MUTEX_SHIFT, [](lay_entry &e) { e.kind = LAY_STRUCT; }, "RT_MUTEX_SHIFT"},
        {LAY_C_RT_MUTEX_SHIFT, [](lay_entry &e) { e.mask = 64; }, "contradicts"},
    };
    for (auto &c : cases) {
        lay_entry old = i.Entry(c.id);
        c.spoil(i.Entry(c.id));
        i.WriteTable();
        Start(ompd_rc_incompatible, c.says);
        i.Entry(c.id) = old;
    }
    i.Entry(LAY_F_rt_task_serial).kind = 77; // unknown kinds are ignored, so this one is missing
    i.WriteTable();
    Start(ompd_rc_incompatible, "lacks rt_task.serial (id 141)");
}

TEST_F(Codes, NewerMinorVersionAddsEntries)
{
    scene.image.Entry(500) = {LAY_FIELD, 0, 8, 1, 0};
    scene.image.Entry(501) = {99, 0, 8, 1, 0};
    scene.image.WriteTable();
    Open();
}

TEST_F(Codes, NullHandlesAreStale)
{
    Open();
    ompd_thread_handle_t *t;
    ompd_parallel_handle_t *p;
    ompd_task_handle_t *k;
    ompd_address_space_handle_t *a;
    ompd_word_t word;
    ompd_address_t address;
    ompd_frame_info_t frame;
    const char *text;
    int number;
    const ompd_rc_t stale = ompd_rc_stale_handle;
    EXPECT_EQ(ompd_rel_address_space_handle(nullptr), stale);
    EXPECT_EQ(ompd_rel_thread_handle(nullptr), stale);
    EXPECT_EQ(ompd_rel_parallel_handle(nullptr), stale);
    EXPECT_EQ(ompd_rel_task_handle(nullptr), stale);
    EXPECT_EQ(ompd_get_omp_version(nullptr, &word), stale);
    EXPECT_EQ(ompd_get_omp_version_string(nullptr, &text), stale);
    EXPECT_EQ(ompd_get_thread_handle(nullptr, 0, 8, &word, &t), stale);
    EXPECT_EQ(ompd_get_thread_in_parallel(nullptr, 0, &t), stale);
    EXPECT_EQ(ompd_get_task_in_parallel(nullptr, 0, &k), stale);
    EXPECT_EQ(ompd_get_curr_parallel_handle(nullptr, &p), stale);
    EXPECT_EQ(ompd_get_enclosing_parallel_handle(nullptr, &p), stale);
    EXPECT_EQ(ompd_get_task_parallel_handle(nullptr, &p), stale);
    EXPECT_EQ(ompd_get_curr_task_handle(nullptr, &k), stale);
    EXPECT_EQ(ompd_get_generating_task_handle(nullptr, &k), stale);
    EXPECT_EQ(ompd_get_scheduling_task_handle(nullptr, &k), stale);
    EXPECT_EQ(ompd_get_task_function(nullptr, &address), stale);
    EXPECT_EQ(ompd_get_task_frame(nullptr, &frame, &frame), stale);
    EXPECT_EQ(ompd_get_state(nullptr, &word, nullptr), stale);
    EXPECT_EQ(ompd_get_thread_id(nullptr, 0, 8, &word), stale);
    EXPECT_EQ(ompd_get_device_from_thread(nullptr, &a), stale);
    EXPECT_EQ(ompd_thread_handle_compare(nullptr, thread, &number), stale);
    EXPECT_EQ(ompd_thread_handle_compare(thread, nullptr, &number), stale);
    EXPECT_EQ(ompd_parallel_handle_compare(region, nullptr, &number), stale);
    EXPECT_EQ(ompd_task_handle_compare(nullptr, task, &number), stale);
    EXPECT_EQ(ompd_get_icv_from_scope(nullptr, ompd_scope_task, 1, &word), stale);
    EXPECT_EQ(ompd_get_icv_string_from_scope(nullptr, ompd_scope_task, 1, &text), stale);
    EXPECT_EQ(ompd_get_tool_data(nullptr, ompd_scope_task, &word, &address), stale);
    EXPECT_EQ(ompd_device_initialize(nullptr, Context(&scene.image), 2, 4, &word, &a), stale);
    EXPECT_EQ(ompdx_stop_begin(nullptr), stale);
    EXPECT_EQ(ompdx_stop_end(nullptr), stale);
}

TEST_F(Codes, NullOutputsAreBadInput)
{
    Open();
    ompd_word_t word = 0;
    ompd_address_t address;
    ompd_frame_info_t frame;
    ompd_scope_t scope;
    ompd_icv_id_t id;
    const char *text;
    int number, *numbers;
    uint64_t *ids;
    ompd_thread_id_t *kinds;
    ompd_size_t *sizes;
    const ompd_rc_t bad = ompd_rc_bad_input;
    ompd_address_space_handle_t *a;
    EXPECT_EQ(ompd_process_initialize(nullptr, &a), bad);
    EXPECT_EQ(ompd_process_initialize(Context(&scene.image), nullptr), bad);
    EXPECT_EQ(ompd_device_initialize(process, nullptr, 2, 4, &word, &a), bad);
    EXPECT_EQ(ompd_device_initialize(process, Context(&scene.image), 2, 4, nullptr, &a), bad);
    EXPECT_EQ(ompd_device_initialize(process, Context(&scene.image), 2, 4, &word, nullptr), bad);
    EXPECT_EQ(ompd_device_initialize(process, Context(&scene.image), 2, 4, &word, &a), ompd_rc_unsupported);
    EXPECT_EQ(ompd_get_device_thread_id_kinds(process, nullptr, &sizes, &number), bad);
    EXPECT_EQ(ompd_get_device_thread_id_kinds(process, &kinds, nullptr, &number), bad);
    EXPECT_EQ(ompd_get_device_thread_id_kinds(process, &kinds, &sizes, nullptr), bad);
    EXPECT_EQ(ompd_get_omp_version(process, nullptr), bad);
    EXPECT_EQ(ompd_get_omp_version_string(process, nullptr), bad);
    EXPECT_EQ(ompd_get_thread_handle(process, 0, 8, nullptr, &thread), bad);
    EXPECT_EQ(ompd_get_thread_handle(process, 0, 8, &word, nullptr), bad);
    EXPECT_EQ(ompd_get_thread_in_parallel(region, 0, nullptr), bad);
    EXPECT_EQ(ompd_get_task_in_parallel(region, 0, nullptr), bad);
    EXPECT_EQ(ompd_get_curr_parallel_handle(thread, nullptr), bad);
    EXPECT_EQ(ompd_get_enclosing_parallel_handle(region, nullptr), bad);
    EXPECT_EQ(ompd_get_task_parallel_handle(task, nullptr), bad);
    EXPECT_EQ(ompd_get_curr_task_handle(thread, nullptr), bad);
    EXPECT_EQ(ompd_get_generating_task_handle(task, nullptr), bad);
    EXPECT_EQ(ompd_get_scheduling_task_handle(task, nullptr), bad);
    EXPECT_EQ(ompd_get_task_function(task, nullptr), bad);
    EXPECT_EQ(ompd_get_task_frame(task, nullptr, &frame), bad);
    EXPECT_EQ(ompd_get_task_frame(task, &frame, nullptr), bad);
    EXPECT_EQ(ompd_get_state(thread, nullptr, nullptr), bad);
    EXPECT_EQ(ompd_get_thread_id(thread, 0, 8, nullptr), bad);
    EXPECT_EQ(ompd_get_device_from_thread(thread, nullptr), bad);
    EXPECT_EQ(ompd_thread_handle_compare(thread, thread, nullptr), bad);
    EXPECT_EQ(ompd_parallel_handle_compare(region, region, nullptr), bad);
    EXPECT_EQ(ompd_task_handle_compare(task, task, nullptr), bad);
    EXPECT_EQ(ompd_enumerate_states(process, ompt_state_undefined, nullptr, &text, &word), bad);
    EXPECT_EQ(ompd_enumerate_states(process, ompt_state_undefined, &word, nullptr, &word), bad);
    EXPECT_EQ(ompd_enumerate_states(process, ompt_state_undefined, &word, &text, nullptr), bad);
    EXPECT_EQ(ompd_enumerate_icvs(process, 0, nullptr, &text, &scope, &number), bad);
    EXPECT_EQ(ompd_enumerate_icvs(process, 0, &id, nullptr, &scope, &number), bad);
    EXPECT_EQ(ompd_enumerate_icvs(process, 0, &id, &text, nullptr, &number), bad);
    EXPECT_EQ(ompd_enumerate_icvs(process, 0, &id, &text, &scope, nullptr), bad);
    EXPECT_EQ(ompd_get_icv_from_scope(task, ompd_scope_task, 1, nullptr), bad);
    EXPECT_EQ(ompd_get_icv_string_from_scope(task, ompd_scope_task, 1, nullptr), bad);
    EXPECT_EQ(ompd_get_display_control_vars(process, nullptr), bad);
    EXPECT_EQ(ompd_rel_display_control_vars(nullptr), bad);
    EXPECT_EQ(ompd_get_tool_data(task, ompd_scope_task, nullptr, &address), bad);
    EXPECT_EQ(ompd_get_tool_data(task, ompd_scope_task, &word, nullptr), bad);
    EXPECT_EQ(ompd_get_tool_data(task, (ompd_scope_t)9, &word, &address), bad);
    EXPECT_EQ(ompd_get_tool_data(process, ompd_scope_address_space, &word, &address), ompd_rc_unsupported);
    EXPECT_EQ(ompdx_get_all_threads(process, nullptr, &number), bad);
    ompdx_frame_rule_t *rules;
    EXPECT_EQ(ompdx_get_frame_rules(process, nullptr, &number), bad);
    EXPECT_EQ(ompdx_get_frame_rules(process, &rules, nullptr), bad);
    EXPECT_EQ(ompdx_get_frame_rules(process, &rules, &number),
              ompd_rc_unavailable); /* it publishes its state */
    EXPECT_EQ(ompdx_get_all_parallels(process, nullptr, &number), bad);
    EXPECT_EQ(ompdx_get_all_tasks(process, nullptr, &number), bad);
    ompd_task_handle_t **tasks;
    EXPECT_EQ(ompdx_get_all_tasks(process, &tasks, nullptr), bad);
    EXPECT_EQ(ompdx_get_thread_info(thread, nullptr), bad);
    EXPECT_EQ(ompdx_get_barrier_arrivals(region, nullptr, &number), bad);
    EXPECT_EQ(ompdx_get_barrier_arrivals(region, &numbers, nullptr), bad);
    EXPECT_EQ(ompdx_get_task_predecessors(task, nullptr, &number), bad);
    EXPECT_EQ(ompdx_get_task_predecessors(task, &ids, nullptr), bad);
    const char *const *no_vars = nullptr;
    EXPECT_EQ(ompd_rel_display_control_vars(&no_vars), bad);
}

TEST_F(Codes, WrongSortOfHandle)
{
    for (ompd_word_t version : {202411, 202111, 202011, 201811}) {
        SCOPED_TRACE(version);
        Open(version);
        const ompd_rc_t wrong = version == 202411 ? ompd_rc_incompatible_handle : ompd_rc_stale_handle;
        ompd_word_t word;
        ompd_parallel_handle_t *p = Poison<ompd_parallel_handle_t>();
        EXPECT_EQ(ompd_get_state((ompd_thread_handle_t *)task, &word, nullptr), wrong);
        EXPECT_EQ(ompd_get_omp_version((ompd_address_space_handle_t *)thread, &word), wrong);
        EXPECT_EQ(ompd_get_task_parallel_handle((ompd_task_handle_t *)region, &p), wrong);
        EXPECT_EQ(ompd_rel_task_handle((ompd_task_handle_t *)region), wrong);
        EXPECT_EQ(ompd_get_curr_parallel_handle((ompd_thread_handle_t *)process, &p), wrong);
        EXPECT_EQ(p, Poison<ompd_parallel_handle_t>());
        uint64_t garbage[8] = {1, 2, 3};
        EXPECT_EQ(ompd_get_state((ompd_thread_handle_t *)garbage, &word, nullptr), ompd_rc_stale_handle);
        EXPECT_EQ(ompd_get_icv_from_scope(garbage, ompd_scope_task, 1, &word), ompd_rc_stale_handle);
        TearDown();
        process = nullptr;
    }
}

TEST_F(Codes, ThreadIdSizes)
{
    Open();
    uint64_t buffer = 0x1122334455667788;
    ompd_thread_handle_t *t = Poison<ompd_thread_handle_t>();
    EXPECT_EQ(ompd_get_thread_handle(process, OMPD_THREAD_ID_PTHREAD, 4, &buffer, &t), ompd_rc_bad_input);
    EXPECT_EQ(ompd_get_thread_handle(process, OMPD_THREAD_ID_LWP, 2, &buffer, &t), ompd_rc_bad_input);
    EXPECT_EQ(ompd_get_thread_handle(process, OMPD_THREAD_ID_WINTHREAD, 4, &buffer, &t), ompd_rc_unsupported);
    EXPECT_EQ(ompd_get_thread_handle(process, OMPD_THREAD_ID_PTHREAD, 8, &buffer, &t), ompd_rc_unavailable);
    EXPECT_EQ(t, Poison<ompd_thread_handle_t>());
    EXPECT_EQ(ompd_get_thread_id(thread, OMPD_THREAD_ID_PTHREAD, 4, &buffer), ompd_rc_bad_input);
    EXPECT_EQ(ompd_get_thread_id(thread, OMPD_THREAD_ID_CUDALOGICAL, 8, &buffer), ompd_rc_unsupported);
    EXPECT_EQ(buffer, 0x1122334455667788u);
}

TEST_F(Codes, StaleHandles)
{
    Open();
    Image &i = scene.image;
    ompd_word_t word = 5;
    ompd_parallel_handle_t *p = Poison<ompd_parallel_handle_t>();
    ompd_frame_info_t frame;
    ompd_address_space_handle_t *device;

    i.Set(LAY_F_rt_thread_serial, scene.thread[1], 99); // the slot is another thread's now
    EXPECT_EQ(ompd_get_state(thread, &word, nullptr), ompd_rc_stale_handle);
    EXPECT_EQ(ompd_get_device_from_thread(thread, &device), ompd_rc_stale_handle);
    EXPECT_EQ(ompd_get_curr_parallel_handle(thread, &p), ompd_rc_stale_handle);
    i.Set(LAY_F_rt_thread_serial, scene.thread[1], 0);
    EXPECT_EQ(ompd_get_state(thread, &word, nullptr), ompd_rc_stale_handle);
    i.Set(LAY_F_rt_thread_serial, scene.thread[1], 12);
    EXPECT_EQ(ompd_get_state(thread, &word, nullptr), ompd_rc_ok);

    i.Set(LAY_F_rt_team_first_task, scene.team, 0); // a region that does not say what its members will be
    i.Set(LAY_F_rt_task_serial, scene.implicit[1], 98);
    EXPECT_EQ(ompd_get_task_frame(task, &frame, &frame), ompd_rc_stale_handle);
    i.Set(LAY_F_rt_task_serial, scene.implicit[1], 33);
    i.Set(LAY_F_rt_team_first_task, scene.team, 32);

    i.Set(LAY_F_rt_team_serial, scene.team,
          0); // the region ends; the slots of its implicit tasks stay as they are
    EXPECT_EQ(ompd_get_enclosing_parallel_handle(region, &p), ompd_rc_stale_handle);
    EXPECT_EQ(ompd_get_task_frame(task, &frame, &frame), ompd_rc_stale_handle);
    EXPECT_EQ(ompd_get_task_parallel_handle(task, &p), ompd_rc_stale_handle);
    EXPECT_EQ(ompd_get_icv_from_scope(task, ompd_scope_task, Icv("levels-var"), &word), ompd_rc_stale_handle);
    EXPECT_EQ(ompd_get_icv_from_scope(task, ompd_scope_implicit_task, Icv("def-allocator-var"), &word),
              ompd_rc_stale_handle);
    i.Set(LAY_F_rt_team_serial, scene.team, 23); // and the next one begins in the same slot
    EXPECT_EQ(ompd_get_enclosing_parallel_handle(region, &p), ompd_rc_stale_handle);
    EXPECT_EQ(ompd_get_task_frame(task, &frame, &frame), ompd_rc_stale_handle);
    EXPECT_EQ(ompd_get_curr_parallel_handle(thread, &p), ompd_rc_unavailable); // idle
    i.Set(LAY_B_rt_thread_state, scene.thread[1], ompt_state_wait_barrier_implicit_parallel);
    EXPECT_EQ(ompd_get_state(thread, &word, nullptr), ompd_rc_ok);
    EXPECT_EQ(word, ompt_state_idle);
    EXPECT_EQ(p, Poison<ompd_parallel_handle_t>());
}

TEST_F(Codes, HandlesOfAReleasedProcessAreStale)
{
    Open();
    EXPECT_EQ(ompd_rel_address_space_handle(process), ompd_rc_ok);
    ompd_word_t word;
    int order;
    EXPECT_EQ(ompd_get_state(thread, &word, nullptr), ompd_rc_stale_handle);
    EXPECT_EQ(ompd_thread_handle_compare(thread, thread, &order), ompd_rc_stale_handle);
    EXPECT_EQ(ompd_rel_thread_handle(thread), ompd_rc_ok);
    EXPECT_EQ(ompd_rel_parallel_handle(region), ompd_rc_ok);
    EXPECT_EQ(ompd_rel_task_handle(task), ompd_rc_ok);
    EXPECT_EQ(tool.live, 0);
    process = nullptr;
}

TEST_F(Codes, TwoProcesses)
{
    Shape shape;
    shape.big_endian = true;
    shape.pointer = 4;
    Scene other(shape);
    Open();
    ompd_address_space_handle_t *second;
    ompd_thread_handle_t *t;
    uint32_t native = (uint32_t)other.pthread(1);
    int order = 77;
    ASSERT_EQ(ompd_process_initialize(Context(&other.image), &second), ompd_rc_ok);
    ASSERT_EQ(ompd_get_thread_handle(second, OMPD_THREAD_ID_PTHREAD, 4, &native, &t), ompd_rc_ok);
    EXPECT_EQ(ompd_thread_handle_compare(thread, t, &order), ompd_rc_ok); // same serial, other process
    EXPECT_NE(order, 0);
    int reverse = 77;
    EXPECT_EQ(ompd_thread_handle_compare(t, thread, &reverse), ompd_rc_ok);
    EXPECT_EQ(reverse, -order);
    ompd_word_t a, b;
    EXPECT_EQ(ompd_get_state(thread, &a, nullptr), ompd_rc_ok);
    EXPECT_EQ(ompd_get_state(t, &b, nullptr), ompd_rc_ok);
    EXPECT_EQ(a, b);
    EXPECT_EQ(ompd_rel_thread_handle(t), ompd_rc_ok);
    EXPECT_EQ(ompd_rel_address_space_handle(second), ompd_rc_ok);
}

TEST_F(Codes, Bracket)
{
    Open();
    ompd_word_t state;
    EXPECT_EQ(ompdx_stop_end(process), ompd_rc_unavailable);
    EXPECT_EQ(ompdx_stop_begin(process), ompd_rc_ok);
    EXPECT_EQ(ompdx_stop_begin(process), ompd_rc_unavailable);
    EXPECT_EQ(ompd_get_state(thread, &state, nullptr), ompd_rc_ok);
    EXPECT_EQ(state, ompt_state_wait_critical);
    scene.image.State(scene.thread[1], 1); // the host broke its promise: the old answer stands
    EXPECT_EQ(ompd_get_state(thread, &state, nullptr), ompd_rc_ok);
    EXPECT_EQ(state, ompt_state_wait_critical);
    EXPECT_EQ(ompdx_stop_end(process), ompd_rc_ok);
    EXPECT_EQ(ompd_get_state(thread, &state, nullptr), ompd_rc_ok);
    EXPECT_EQ(state, ompt_state_work_parallel);
    EXPECT_EQ(ompdx_stop_begin(process), ompd_rc_ok); // an open bracket goes with its process
}

TEST_F(Codes, InfoSizes)
{
    Open();
    ompdx_thread_info_t info;
    memset(&info, 0x77, sizeof info);
    const ompdx_thread_info_t before = info;
    info.size = offsetof(ompdx_thread_info_t, owner_codeptr) - 1; // of the first release
    EXPECT_EQ(ompdx_get_thread_info(thread, &info), ompd_rc_bad_input);
    info.size = before.size;
    EXPECT_EQ(memcmp(&info, &before, sizeof info), 0);
    struct {
        ompdx_thread_info_t info;
        uint64_t newer;
    } wide;
    memset(&wide, 0x77, sizeof wide);
    wide.info.size = sizeof wide;
    EXPECT_EQ(ompdx_get_thread_info(thread, &wide.info), ompd_rc_ok);
    EXPECT_EQ(wide.info.size, sizeof wide);
    EXPECT_EQ(wide.newer, 0x7777777777777777u);
}

TEST_F(Codes, IcvMisuse)
{
    Open();
    ompd_word_t value = 4711;
    const char *text = Poison<const char>();
    ompd_icv_id_t levels = Icv("levels-var"), procs = Icv("num-procs-var");
    EXPECT_EQ(ompd_get_icv_from_scope(task, ompd_scope_task, 0, &value), ompd_rc_bad_input);
    EXPECT_EQ(ompd_get_icv_from_scope(task, ompd_scope_task, 4000, &value), ompd_rc_bad_input);
    EXPECT_EQ(ompd_get_icv_from_scope(task, ompd_scope_task, ~0ull, &value), ompd_rc_bad_input);
    EXPECT_EQ(ompd_get_icv_from_scope(task, ompd_scope_parallel, levels, &value), ompd_rc_incompatible);
    EXPECT_EQ(ompd_get_icv_from_scope(region, ompd_scope_task, levels, &value), ompd_rc_incompatible);
    EXPECT_EQ(ompd_get_icv_string_from_scope(task, ompd_scope_address_space, procs, &text),
              ompd_rc_incompatible);
    EXPECT_EQ(value, 4711);
    EXPECT_EQ(text, Poison<const char>());
    ompd_icv_id_t id;
    ompd_scope_t scope;
    int more;
    EXPECT_EQ(ompd_enumerate_icvs(process, 4000, &id, &text, &scope, &more), ompd_rc_bad_input);
    EXPECT_EQ(ompd_enumerate_icvs(process, ~0ull, &id, &text, &scope, &more), ompd_rc_bad_input);
    scene.image.Set(LAY_F_rt_root_initialized, scene.image.root, 0);
    EXPECT_EQ(ompd_get_icv_from_scope(process, ompd_scope_address_space, procs, &value), ompd_rc_unavailable);
}

TEST_F(Codes, NamesByVersion)
{
    struct {
        ompd_word_t version;
        std::set<std::string> has, lacks;
        ompd_rc_t list;
        const char *bind;
        ompd_word_t teams_barrier;
    } cases[] = {
        {201811,
         {"ompd-team-size-var", "ompd-implicit-var", "team-size-var"},
         {"thread-num-var", "explicit-task-var"},
         ompd_rc_ok,
         "master",
         ompt_state_wait_barrier},
        {202011,
         {"team-size-var", "implicit-task-var"},
         {"ompd-implicit-var", "explicit-task-var"},
         ompd_rc_incomplete,
         "primary",
         ompt_state_wait_barrier_teams},
        {202111,
         {"explicit-task-var"},
         {"implicit-task-var", "team-generator-var"},
         ompd_rc_incomplete,
         "primary",
         ompt_state_wait_barrier_teams},
        {202411,
         {"explicit-task-var", "team-generator-var"},
         {"implicit-task-var"},
         ompd_rc_incomplete,
         "primary",
         ompt_state_wait_barrier_teams},
    };
    scene.image.Set(LAY_F_rt_task_icv_bind, scene.implicit[1], 2);
    for (auto &c : cases) {
        SCOPED_TRACE(c.version);
        Open(c.version);
        for (const std::string &name : c.has)
            EXPECT_NE(Icv(name.c_str()), 0u) << name;
        for (const std::string &name : c.lacks)
            EXPECT_EQ(Icv(name.c_str()), 0u) << name;
        EXPECT_EQ(IcvValue(process, task, "nthreads-var").first, c.list);
        EXPECT_EQ(IcvText(process, task, "bind-var"), c.bind);
        scene.image.State(scene.thread[1], ompt_state_wait_barrier_teams);
        ompd_word_t state;
        EXPECT_EQ(ompd_get_state(thread, &state, nullptr), ompd_rc_ok);
        EXPECT_EQ(state, c.teams_barrier);
        // Enumeration of states ends, names each once and knows none of later versions.
        std::set<ompd_word_t> seen;
        const char *text;
        ompd_word_t more = 1;
        for (state = ompt_state_undefined; more;) {
            ASSERT_EQ(ompd_enumerate_states(process, state, &state, &text, &more), ompd_rc_ok);
            EXPECT_EQ(strncmp(text, "ompt_state_", 11), 0);
            EXPECT_TRUE(seen.insert(state).second);
            ToolFree(text);
        }
        EXPECT_EQ(seen.size(), c.version == 201811 ? 20u : c.version == 202411 ? 24u : 22u);
        ompd_word_t next = 3;
        EXPECT_EQ(ompd_enumerate_states(process, state, &next, &text, &more), ompd_rc_bad_input);
        EXPECT_EQ(ompd_enumerate_states(process, 0x999, &next, &text, &more), ompd_rc_bad_input);
        EXPECT_EQ(next, 3);
        TearDown();
        process = nullptr;
    }
}

TEST_F(Codes, CallbackErrorIsErrorIn50)
{
    Open(201811);
    ompd_word_t state;
    tool.fail_read = {1, (ompd_rc_t)15, true};
    EXPECT_EQ(ompd_get_state(thread, &state, nullptr), ompd_rc_error);
    tool.fail_read = {};
}

} // namespace
