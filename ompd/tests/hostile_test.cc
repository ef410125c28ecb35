// SPDX-License-Identifier: Apache-2.0
// Broken targets and failing tools: no crash, no hang, no leak, no answer that was not read.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "ompd/tests/image.h"
#include "ompd/tests/workload.h"
#include "target.h"

namespace
{

/** Most reads of one workload (some 400 calls) on a small image, whatever is in it. */
const uint64_t kMostReads = 2000000;

const size_t kFunctions = 0
#define X(name) +1
#include "ompd/tests/api_list.def"
#undef X
    ;

// Codes 14 and 15 are no codes: an exception in a callback of a scripting language returns any number.
// (Larger ones are undefined in C++ enumerations, so UBSan stops at them.)
class Hostile : public testing::Test
{
  protected:
    Tool tool;
    Scene scene;
    const Api api = LinkedApi();

    void SetUp() override { ASSERT_EQ(ompd_initialize(202411, Tool::Callbacks()), ompd_rc_ok); }
    void TearDown() override
    {
        EXPECT_EQ(ompd_finalize(), ompd_rc_ok);
        EXPECT_EQ(tool.live, 0);
    }
    // Both ways; returns the outcome of the one without a bracket.
    Outcome Survive()
    {
        Outcome fresh;
        for (bool bracket : {true, false}) {
            tool.ResetCounts();
            tool.printed.clear();
            fresh = AskEverything(api, scene.image, bracket);
            EXPECT_EQ(tool.live, 0);
            EXPECT_LT(tool.reads, kMostReads);
            if (tool.live != 0)
                abort(); // no use in a million repetitions
        }
        return fresh;
    }
    static int Times(Outcome &outcome, const char *function, ompd_rc_t rc)
    {
        return outcome.codes[function][rc];
    }
};

TEST_F(Hostile, TheSoundImageAnswersEverything)
{
    for (bool bracket : {false, true}) {
        Outcome outcome = AskEverything(api, scene.image, bracket);
        for (auto &[function, codes] : outcome.codes) {
            if (function == "ompd_device_initialize") {
                EXPECT_EQ(codes.count(ompd_rc_unsupported), 1u);
            } else {
                EXPECT_GT(codes[ompd_rc_ok], 0) << function;
            }
            EXPECT_EQ(codes.count(ompd_rc_error), 0u) << function;
            EXPECT_EQ(codes.count(ompd_rc_stale_handle), 0u) << function;
        }
        // All but the six that need no process, the one for stock runtimes, and the two of the bracket.
        EXPECT_EQ(outcome.codes.size(), kFunctions - 7 - (bracket ? 0 : 2));
    }
}

TEST_F(Hostile, EveryFailureOfEveryCallback)
{
    struct {
        const char *name;
        Tool::Failure Tool::*failure;
        std::vector<ompd_rc_t> codes;
    } callbacks[] = {
        {"read",
         &Tool::fail_read,
         {ompd_rc_error, ompd_rc_unavailable, ompd_rc_incomplete, ompd_rc_device_read_error,
          ompd_rc_stale_handle, (ompd_rc_t)15}},
        {"alloc", &Tool::fail_alloc, {ompd_rc_nomem, ompd_rc_error}},
        {"symbol", &Tool::fail_symbol, {ompd_rc_error, ompd_rc_stale_handle, (ompd_rc_t)14}},
        {"convert", &Tool::fail_convert, {ompd_rc_error, (ompd_rc_t)14}},
        {"sizeof", &Tool::fail_sizeof, {ompd_rc_error, ompd_rc_unavailable}},
    };
    uint64_t cases = 0;
    for (auto &callback : callbacks)
        for (ompd_rc_t code : callback.codes)
            for (bool bracket : {false, true})
                for (bool sticky : {false, true})
                    for (uint64_t k = 1;; k++) {
                        tool.*callback.failure = {k, code, sticky};
                        Outcome outcome = AskEverything(api, scene.image, bracket);
                        cases++;
                        bool reached = sticky ? (tool.*callback.failure).after == 1
                                              : (tool.*callback.failure).after == 0;
                        tool.*callback.failure = {};
                        tool.printed.clear();
                        ASSERT_EQ(tool.live, 0) << callback.name << " k=" << k << " code=" << code;
                        for (auto &[function, codes] : outcome.codes)
                            for (auto &[rc, times] : codes)
                                ASSERT_TRUE(rc >= 0 && rc <= 13) << function << " " << rc;
                        if (!reached)
                            break;
                    }
    printf("%llu cases of (callback, code, k)\n", (unsigned long long)cases);
    tool.ResetCounts();
    Survive();
}

TEST_F(Hostile, AFailedReadIsNoAnswer)
{
    // The k-th read of each single call fails: the code is an error, and the output stays as it was.
    ompd_address_space_handle_t *process;
    ompd_thread_handle_t *thread;
    uint64_t native = scene.pthread(0);
    ASSERT_EQ(ompd_process_initialize(Context(&scene.image), &process), ompd_rc_ok);
    ASSERT_EQ(ompd_get_thread_handle(process, OMPD_THREAD_ID_PTHREAD, 8, &native, &thread), ompd_rc_ok);
    for (uint64_t k = 1; k <= 2; k++) { // thread, what it waits for
        ompd_word_t state = -5;
        tool.fail_read = {k, ompd_rc_device_read_error, false};
        EXPECT_EQ(ompd_get_state(thread, &state, nullptr), ompd_rc_device_read_error) << k;
        EXPECT_EQ(state, -5);
    }
    tool.fail_read = {};
    scene.image.Set(LAY_B_rt_thread_state, scene.thread[0], ompt_state_work_parallel);
    for (uint64_t k = 1; k <= 3; k++) { // thread, task, team
        ompd_word_t state = -5;
        ompd_task_handle_t *task = nullptr;
        ompd_parallel_handle_t *region = nullptr;
        ompdx_thread_info_t info = {};
        info.size = sizeof info;
        tool.fail_read = {k, ompd_rc_device_read_error, false};
        EXPECT_EQ(ompd_get_state(thread, &state, nullptr), ompd_rc_device_read_error) << k;
        EXPECT_EQ(state, -5);
        tool.fail_read = {k, ompd_rc_unavailable, false}; // must not look like "idle"
        EXPECT_EQ(ompd_get_curr_task_handle(thread, &task), ompd_rc_callback_error);
        tool.fail_read = {k, ompd_rc_unavailable, false};
        EXPECT_EQ(ompd_get_curr_parallel_handle(thread, &region), ompd_rc_callback_error);
        tool.fail_read = {k, ompd_rc_error, false};
        EXPECT_EQ(ompdx_get_thread_info(thread, &info), ompd_rc_error);
        EXPECT_EQ(task, nullptr);
        EXPECT_EQ(region, nullptr);
        EXPECT_EQ(info.id, 0u);
    }
    tool.fail_read = {};
    EXPECT_EQ(ompd_rel_thread_handle(thread), ompd_rc_ok);
    EXPECT_EQ(ompd_rel_address_space_handle(process), ompd_rc_ok);
}

TEST_F(Hostile, SelfParentTeam)
{
    scene.image.Set(LAY_F_rt_team_parent_task, scene.team, scene.implicit[0]);
    scene.image.Set(LAY_F_rt_team_parent_serial, scene.team, 32);
    Outcome outcome = Survive();
    EXPECT_GT(Times(outcome, "ompd_get_enclosing_parallel_handle", ompd_rc_error), 0);
    EXPECT_LT(outcome.codes["ompd_get_enclosing_parallel_handle"][ompd_rc_ok], 10);
    EXPECT_NE(tool.printed.find("leads back to itself"), std::string::npos);
}

TEST_F(Hostile, RingsOfTasksAndTeams)
{
    Image &i = scene.image;
    i.Set(LAY_F_rt_task_parent, scene.initial_task, scene.explicit_task); // 41 -> 32 -> 31 -> 41
    uint64_t below =
        i.Task(45, scene.team, i.Const(LAY_C_RT_TASK_EXPLICIT), LAY_C_RT_TS_STARTED, scene.thread[1], 1);
    i.Set(LAY_F_rt_task_sched_parent, scene.explicit_task, below);
    i.Set(LAY_F_rt_task_sched_parent, below, scene.explicit_task);           // 41 -> 45 -> 41
    i.Set(LAY_F_rt_team_parent_task, scene.initial_team, scene.implicit[2]); // 22 -> 21 -> 22
    i.Set(LAY_F_rt_team_parent_serial, scene.initial_team, 34);
    for (bool bracket : {false, true}) {
        Outcome outcome = AskEverything(api, i, bracket);
        for (const char *function : {"ompd_get_generating_task_handle", "ompd_get_scheduling_task_handle",
                                     "ompd_get_enclosing_parallel_handle"}) {
            EXPECT_GT(Times(outcome, function, ompd_rc_error), 0) << function;
            EXPECT_LT(Times(outcome, function, ompd_rc_ok), 40) << function;
        }
    }
}

TEST_F(Hostile, LongChainsAreNotRings)
{
    Image &i = scene.image;
    uint64_t parent = scene.implicit[1];
    for (unsigned n = 0; n < 50; n++) {
        uint64_t task = i.Task(1000 + n, scene.team, 4, LAY_C_RT_TS_STARTED, scene.thread[1], 1);
        i.Set(LAY_F_rt_task_parent, task, parent);
        i.Set(LAY_F_rt_task_sched_parent, task, parent);
        parent = task;
    }
    i.Set(LAY_F_rt_thread_cur_task, scene.thread[1], parent);
    Outcome outcome = Survive();
    EXPECT_EQ(Times(outcome, "ompd_get_generating_task_handle", ompd_rc_error), 0);
    EXPECT_GE(Times(outcome, "ompd_get_generating_task_handle", ompd_rc_ok), 50);
}

TEST_F(Hostile, HugeCounts)
{
    Image &i = scene.image;
    struct {
        unsigned id;
        uint64_t where;
    } counts[] = {{LAY_F_rt_root_slab_count, i.root},
                  {LAY_F_rt_root_nthreads_list_count, i.root},
                  {LAY_F_rt_team_nthreads, scene.team},
                  {LAY_F_rt_team_nthreads, scene.initial_team}};
    for (auto &c : counts)
        for (uint64_t value : {0xffffffffull, 0x7fffffffull, 0x80000000ull, 100000000ull}) {
            uint64_t old = i.Field(c.id, c.where);
            i.Set(c.id, c.where, value);
            Survive();
            i.Set(c.id, c.where, old);
        }
    // Directory entries.
    const lay_entry &slabs = i.Entry(LAY_F_rt_root_slabs);
    for (unsigned n = 0; n < 4; n++)
        for (unsigned id : {LAY_F_rt_slab_base, LAY_F_rt_slab_capacity, LAY_F_rt_slab_used,
                            LAY_F_rt_slab_slot_size, LAY_F_rt_slab_kind})
            for (uint64_t value : {0ull, 1ull, 0xffffffffull, 0x7fffffffull, 0xfffffffffffff000ull, 72ull}) {
                uint64_t entry = i.root + (unsigned)slabs.offset + n * slabs.size, old = i.Field(id, entry);
                i.Set(id, entry, value);
                Survive();
                i.Set(id, entry, old);
            }
}

// Members of a team that claims more of them than memory holds: a copy of them all is tried once, not for
// each.
TEST_F(Hostile, MembersThatAreNotThere)
{
    scene.image.Set(LAY_F_rt_team_nthreads, scene.team, 60000);
    ompd_address_space_handle_t *process;
    ompd_parallel_handle_t **list;
    ompd_thread_handle_t *thread;
    int count;
    ASSERT_EQ(ompd_process_initialize(Context(&scene.image), &process), ompd_rc_ok);
    ASSERT_EQ(ompdx_stop_begin(process), ompd_rc_ok);
    ASSERT_EQ(ompdx_get_all_parallels(process, &list, &count), ompd_rc_ok);
    uint64_t tried = 0;
    for (int n = 0; n < count; n++) {
        const uint64_t before = tool.allocs;
        for (int number = 100; number < 1100; number++)
            EXPECT_NE(ompd_get_thread_in_parallel(list[n], number, &thread), ompd_rc_ok);
        tried = std::max(tried, tool.allocs - before);
        EXPECT_EQ(ompd_rel_parallel_handle(list[n]), ompd_rc_ok);
    }
    EXPECT_GT(tried, 0u);
    EXPECT_LT(tried, 10u);
    ToolFree(list);
    EXPECT_EQ(ompdx_stop_end(process), ompd_rc_ok);
    EXPECT_EQ(ompd_rel_address_space_handle(process), ompd_rc_ok);
}

TEST_F(Hostile, RingOfDirectoryBlocks)
{
    Image &i = scene.image;
    for (int n = 0; n < 20; n++)
        i.AddSlab(LAY_C_RT_KIND_EDGE, 4);
    uint64_t block = i.Field(LAY_F_rt_root_more_slabs, i.root);
    ASSERT_NE(block, 0u);
    Outcome outcome = Survive();
    EXPECT_EQ(Times(outcome, "ompdx_get_all_tasks", ompd_rc_ok), 1);
    i.Set(LAY_F_rt_slab_block_next, block, block);
    Survive();
    i.Set(LAY_F_rt_slab_block_next, block, 0x1234);
    Survive();
    uint64_t other =
        i.Raw(i.Size(LAY_S_rt_slab_block)); // an empty block may be in the chain, but not in a ring
    i.Set(LAY_F_rt_slab_block_next, block, other);
    i.Set(LAY_F_rt_slab_block_next, other, block);
    outcome = Survive();
    EXPECT_EQ(Times(outcome, "ompdx_get_all_tasks", ompd_rc_error), 1);
}

TEST_F(Hostile, PointersIntoNowhere)
{
    Image &i = scene.image;
    struct {
        unsigned id;
        uint64_t where;
    } pointers[] = {{LAY_F_rt_thread_cur_task, scene.thread[0]},
                    {LAY_F_rt_thread_switching_team, scene.thread[0]},
                    {LAY_F_rt_thread_wait_id, scene.thread[0]},
                    {LAY_F_rt_thread_wait_id, scene.thread[2]},
                    {LAY_F_rt_team_parent_task, scene.team},
                    {LAY_F_rt_team_members, scene.team},
                    {LAY_F_rt_team_loc, scene.team},
                    {LAY_F_rt_task_team, scene.implicit[0]},
                    {LAY_F_rt_task_team, scene.explicit_task},
                    {LAY_F_rt_task_parent, scene.explicit_task},
                    {LAY_F_rt_task_sched_parent, scene.explicit_task},
                    {LAY_F_rt_task_thread, scene.explicit_task},
                    {LAY_F_rt_task_loc, scene.explicit_task},
                    {LAY_F_rt_root_more_slabs, i.root}};
    for (auto &p : pointers)
        for (uint64_t value : {uint64_t(1), uint64_t(0xdeadbeefcafef00d), ~uint64_t(0), scene.thread[0] + 1,
                               scene.thread[0], scene.team, scene.explicit_task + 64, i.table}) {
            uint64_t old = i.Field(p.id, p.where);
            i.Set(p.id, p.where, value);
            Survive();
            i.Set(p.id, p.where, old);
        }
    i.Set(LAY_F_rt_thread_cur_task, scene.thread[0], scene.team); // a slot, but of another kind
    Outcome outcome = Survive();
    EXPECT_GT(Times(outcome, "ompd_get_curr_task_handle", ompd_rc_error), 0);
    EXPECT_NE(tool.printed.find("leads to no slot"), std::string::npos);
}

TEST_F(Hostile, LostPages)
{
    // A page of a slab is missing from the core: its slots are, the others are listed, and the list says
    // incomplete.
    Image &i = scene.image;
    for (unsigned n = 0; n < 40; n++)
        i.Task(2000 + n, scene.team, 4, LAY_C_RT_TS_READY, 0, 0);
    auto count = [&](ompd_rc_t expected, bool bracket) {
        ompd_address_space_handle_t *process;
        ompd_task_handle_t **list;
        int tasks = -1;
        EXPECT_EQ(ompd_process_initialize(Context(&i), &process), ompd_rc_ok);
        if (bracket) {
            EXPECT_EQ(ompdx_stop_begin(process), ompd_rc_ok);
        }
        EXPECT_EQ(ompdx_get_all_tasks(process, &list, &tasks), expected);
        for (int n = 0; n < tasks; n++)
            EXPECT_EQ(ompd_rel_task_handle(list[n]), ompd_rc_ok);
        ToolFree(list);
        EXPECT_EQ(ompd_rel_address_space_handle(process), ompd_rc_ok);
        return tasks;
    };
    for (bool bracket : {false, true}) {
        EXPECT_EQ(count(ompd_rc_ok, bracket), 47);
        i.Lose(scene.ready + 4096);
        int some = count(ompd_rc_incomplete, bracket);
        EXPECT_GT(some, 7);
        EXPECT_LT(some, 47);
        i.Find(scene.ready + 4096);
    }
    // The thread's slab is lost: not found is no answer.
    i.Lose(scene.thread[0]);
    i.Lose(scene.thread[0] + 4096);
    Outcome outcome = Survive();
    EXPECT_EQ(Times(outcome, "ompd_get_thread_handle", ompd_rc_unavailable), 0);
    EXPECT_EQ(Times(outcome, "ompd_get_thread_handle", ompd_rc_device_read_error), 4);
    EXPECT_EQ(Times(outcome, "ompdx_get_all_threads", ompd_rc_incomplete), 1);
}

// What could not be read is not told as if it were not there.
TEST_F(Hostile, LostEdgesAndMembers)
{
    Image &i = scene.image;
    const uint64_t edge = i.Edge(60, scene.ready, scene.blocked);
    for (bool bracket : {false, true}) {
        Outcome outcome = AskEverything(api, i, bracket);
        EXPECT_EQ(Times(outcome, "ompdx_get_task_predecessors", ompd_rc_ok), 7);
        EXPECT_EQ(Times(outcome, "ompdx_get_barrier_arrivals", ompd_rc_ok), 2);
        i.Lose(edge);
        outcome = AskEverything(api, i, bracket);
        EXPECT_EQ(Times(outcome, "ompdx_get_task_predecessors", ompd_rc_device_read_error), 7);
        EXPECT_EQ(Times(outcome, "ompdx_get_barrier_arrivals", ompd_rc_ok), 2);
        i.Find(edge);
        i.Lose(scene.implicit[2]);
        outcome = AskEverything(api, i, bracket);
        EXPECT_GT(Times(outcome, "ompdx_get_barrier_arrivals", ompd_rc_device_read_error), 0);
        i.Find(scene.implicit[2]);
    }
}

TEST_F(Hostile, EachPageLost)
{
    for (auto &[address, region] : scene.image.regions)
        for (uint64_t at = address; at < address + region.bytes.size(); at += 4096) {
            scene.image.Lose(at);
            Survive();
            scene.image.Find(at);
        }
}

TEST_F(Hostile, EachByteOfTheTable)
{
    Image &i = scene.image;
    for (uint64_t at = i.table; at < i.table + 48 + 130 * 32; at++)
        for (uint8_t value : {0x00, 0xff, 0x80}) {
            uint8_t old = *i.Bytes(at);
            *i.Bytes(at) = value;
            AskEverything(api, i, at % 2 == 0);
            *i.Bytes(at) = old;
            tool.printed.clear();
            ASSERT_EQ(tool.live, 0);
        }
}

TEST_F(Hostile, EachBitOfEachStructure)
{
    Image &i = scene.image;
    uint64_t flips = 0;
    for (auto &[address, region] : i.regions) {
        if (address == i.table)
            continue;
        for (size_t n = 0; n < region.bytes.size(); n++) {
            if (region.bytes[n] == 0 && n % 13 != 0)
                continue;
            for (int bit : {0, 4, 7}) {
                region.bytes[n] ^= (uint8_t)(1 << bit);
                AskEverything(api, i, (n + (unsigned)bit) % 2 == 0);
                region.bytes[n] ^= (uint8_t)(1 << bit);
                tool.printed.clear();
                ASSERT_EQ(tool.live, 0);
                flips++;
            }
        }
    }
    printf("%llu flips\n", (unsigned long long)flips);
}

TEST_F(Hostile, RandomDamage)
{
    // HOSTILE_ROUNDS for a longer run; the seed is fixed, so a finding can be had again.
    const char *rounds_text = getenv("HOSTILE_ROUNDS");
    const int rounds = rounds_text != nullptr ? atoi(rounds_text) : 3000;
    std::mt19937_64 random(20261121);
    std::vector<uint64_t> pointers = {scene.thread[0],     scene.thread[3],   scene.team,
                                      scene.initial_team,  scene.implicit[0], scene.implicit[2],
                                      scene.explicit_task, scene.blocked,     scene.lock,
                                      scene.members,       scene.image.table, 0};
    const auto sound = scene.image.regions;
    for (int round = 0; round < rounds; round++) {
        const int damages = 1 + (int)(random() % 12);
        for (int n = 0; n < damages; n++) {
            auto it = scene.image.regions.begin();
            std::advance(it, (long)(random() % scene.image.regions.size()));
            if (it->first == scene.image.table && random() % 8 != 0)
                continue;
            auto &bytes = it->second.bytes;
            size_t at = random() % bytes.size();
            if (random() % 2 == 0) {
                bytes[at] ^= (uint8_t)(1u << random() % 8);
            } else if (at + 8 <= bytes.size()) {
                uint64_t value = random() % 4 == 0 ? random() : pointers[random() % pointers.size()];
                memcpy(&bytes[at], &value, 8);
            }
            if (random() % 50 == 0)
                bytes.resize(1 + random() % bytes.size());
        }
        AskEverything(api, scene.image, round % 2 == 0);
        tool.printed.clear();
        scene.image.regions = sound;
        ASSERT_EQ(tool.live, 0) << round;
    }
}

// Found by ompd/fuzz/fuzz_mass: one more than the largest level.
TEST(Damage, LevelsThatHaveNoNext)
{
    Tool tool;
    Shape shape;
    shape.wide = true; // an i32 of this machine has 8 bytes
    Scene scene(shape);
    ASSERT_EQ(ompd_initialize(202411, Tool::Callbacks()), ompd_rc_ok);
    for (uint64_t level : {uint64_t(INT64_MAX), uint64_t(INT32_MAX), uint64_t(INT64_MIN), uint64_t(-1)}) {
        scene.image.Set(LAY_F_rt_team_level, scene.team, level);
        for (bool bracket : {false, true}) {
            Outcome outcome = AskEverything(LinkedApi(), scene.image, bracket);
            EXPECT_GT(outcome.codes["ompd_get_icv_string_from_scope"][ompd_rc_ok], 0);
        }
    }
    EXPECT_EQ(ompd_finalize(), ompd_rc_ok);
    EXPECT_EQ(tool.live, 0);
}

void GiveBack(ompd_address_space_handle_t *process, ompd_task_handle_t **tasks, int count)
{
    for (int i = 0; i < count; i++)
        EXPECT_EQ(ompd_rel_task_handle(tasks[i]), ompd_rc_ok);
    ToolFree(tasks);
    EXPECT_EQ(ompd_rel_address_space_handle(process), ompd_rc_ok);
    EXPECT_EQ(ompd_finalize(), ompd_rc_ok);
    EXPECT_EQ(Tool::current->live, 0);
}

// Slabs too far apart to be read together, and more of them than a call may read.
TEST(Damage, NoCallReadsForEver)
{
    const unsigned slabs = TGT_READS_MAX + 1000;
    Tool tool;
    Shape shape;
    shape.block_slabs = 1000;
    Scene scene(shape);
    for (unsigned n = 0; n < slabs; n++) {
        scene.image.AddSlab(LAY_C_RT_KIND_EDGE, 1, 0x100000000000 + n * 0x20000ull);
        (void)scene.image.NewSlot(LAY_C_RT_KIND_EDGE);
    }
    ASSERT_EQ(ompd_initialize(202411, Tool::Callbacks()), ompd_rc_ok);
    ompd_address_space_handle_t *process;
    ompd_task_handle_t **tasks;
    uint64_t *ids;
    int count, before;
    ASSERT_EQ(ompd_process_initialize(Context(&scene.image), &process), ompd_rc_ok);
    ASSERT_EQ(ompdx_get_all_tasks(process, &tasks, &count), ompd_rc_ok);
    ASSERT_EQ(count, 7);
    tool.ResetCounts();
    if (ompdx_get_task_predecessors(tasks[6], &ids, &before) == ompd_rc_ok)
        ToolFree(ids);
    EXPECT_EQ(tool.reads, TGT_READS_MAX);
    EXPECT_NE(tool.printed.find("one call read too often"), std::string::npos);
    ompdx_task_info_t info = {};
    info.size = sizeof info;
    EXPECT_EQ(ompdx_get_task_info(tasks[6], &info), ompd_rc_ok); // the next call has reads of its own
    EXPECT_EQ(info.id, 43u);
    GiveBack(process, tasks, count);
}

// A slab of 900 MB of which nothing is there: it is lost, and no memory is asked for it.
TEST(Damage, ClaimedSlabsTakeNoMemory)
{
    Tool tool;
    Scene scene;
    scene.image.AddSlab(LAY_C_RT_KIND_TASK, 4, 0x100000000000);
    const lay_entry &slabs = scene.image.Entry(LAY_F_rt_root_slabs);
    const uint64_t entry = scene.image.root + (unsigned)slabs.offset +
                           (scene.image.Field(LAY_F_rt_root_slab_count, scene.image.root) - 1) * slabs.size;
    const uint64_t slot = scene.image.Field(LAY_F_rt_slab_slot_size, entry);
    scene.image.regions.erase(0x100000000000);
    scene.image.Set(LAY_F_rt_slab_capacity, entry, (900u << 20) / slot);
    scene.image.Set(LAY_F_rt_slab_used, entry, (900u << 20) / slot);
    ASSERT_EQ(ompd_initialize(202411, Tool::Callbacks()), ompd_rc_ok);
    ompd_address_space_handle_t *process;
    ompd_task_handle_t **tasks;
    int count;
    ASSERT_EQ(ompd_process_initialize(Context(&scene.image), &process), ompd_rc_ok);
    EXPECT_EQ(ompdx_get_all_tasks(process, &tasks, &count), ompd_rc_incomplete);
    EXPECT_EQ(count, 7);
    EXPECT_LT(tool.largest, 1u << 20);
    GiveBack(process, tasks, count);
}

} // namespace
