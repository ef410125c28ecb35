// SPDX-License-Identifier: Apache-2.0
// What answers cost inside a bracket: reads, look-ups and numbers decoded, in a hand-made process of many
// threads.
#include <gtest/gtest.h>

#include "ompd/tests/image.h"
#include "ompd/tests/workload.h"

namespace
{

// 256 threads in one region, each with its own heap of slabs: what `ompd threads` needs.
TEST(Cost, Threads256)
{
    Tool tool;
    Shape shape;
    shape.root_slabs = 40;
    shape.block_slabs = 165;
    shape.arena = true;
    Image image(shape);
    const unsigned n = 256;
    image.AddSlab(LAY_C_RT_KIND_THREAD, n);
    image.AddSlab(LAY_C_RT_KIND_TEAM, 16);
    uint64_t initial = image.Team(1, LAY_C_RT_TEAM_INITIAL, 1, 0, 0, 0);
    uint64_t initial_task = image.Task(1, initial, 1, LAY_C_RT_TS_STARTED, 0, 0);
    uint64_t team = image.Team(2, LAY_C_RT_TEAM_PARALLEL, (int)n, 1, 1, initial_task);
    uint64_t ident = image.Raw(24), locks = image.Raw(4 * n);
    image.Set(LAY_F_rt_team_loc, team, ident);
    for (unsigned i = 0; i < n; i++) {
        image.AddSlab(LAY_C_RT_KIND_TASK, 16);
        uint64_t thread = image.Thread(i + 1, 0x70000000 + i, (int)(5000 + i));
        uint64_t task = image.Task(i + 2, team, 2, LAY_C_RT_TS_STARTED, thread, (int)i);
        image.Set(LAY_F_rt_task_loc, task, ident);
        image.Set(LAY_F_rt_thread_cur_task, thread, task);
        image.Member(team, (int)i, task, thread);
        if (i == 0)
            image.Set(LAY_F_rt_task_thread, initial_task, thread);
        image.Put(locks + 4 * i, 4, (i + 1) << 3);
        image.State(thread, 0x041, LAY_C_RT_WAIT_LOCK, locks + 4 * (i % 2 ? 0 : i));
    }
    ASSERT_EQ(ompd_initialize(202411, Tool::Callbacks()), ompd_rc_ok);
    ompd_address_space_handle_t *process;
    ASSERT_EQ(ompd_process_initialize(Context(&image), &process), ompd_rc_ok);
    ASSERT_EQ(ompdx_stop_begin(process), ompd_rc_ok);
    AskThreads(LinkedApi(), process);
    printf("256 threads: %d look-ups, %d reads, %d bytes, %d allocations\n", (int)tool.lookups,
           (int)tool.reads, (int)tool.bytes, (int)tool.allocs);
    EXPECT_EQ(tool.lookups, 1u);
    EXPECT_LE(tool.reads, 8u);
    uint64_t before = tool.reads;
    AskThreads(LinkedApi(), process);
    EXPECT_EQ(tool.reads, before) << "inside a bracket nothing is read twice";
    ASSERT_EQ(ompdx_stop_end(process), ompd_rc_ok);
    ompd_rel_address_space_handle(process);
    ompd_finalize();
    EXPECT_EQ(tool.live, 0);
}

// A team of N in an ordered loop, all but one waiting for that one: how many numbers of the target are
// decoded to say so. The machine's byte order is one that the library has to ask device_to_host about, which
// counts.
uint64_t DecodedOfOrderedWaiters(unsigned n)
{
    Tool tool;
    Shape shape;
    shape.ask = true;
    Image image(shape);
    image.AddSlab(LAY_C_RT_KIND_THREAD, n);
    image.AddSlab(LAY_C_RT_KIND_TASK, n + 1);
    image.AddSlab(LAY_C_RT_KIND_TEAM, 4);
    uint64_t initial = image.Team(1, LAY_C_RT_TEAM_INITIAL, 1, 0, 0, 0);
    uint64_t initial_task = image.Task(1, initial, 1, LAY_C_RT_TS_STARTED, 0, 0);
    uint64_t team = image.Team(2, LAY_C_RT_TEAM_PARALLEL, (int)n, 1, 1, initial_task);
    uint64_t loop = image.Raw(image.Size(LAY_S_rt_workshare));
    image.Set(LAY_F_rt_workshare_team, loop, team);
    image.Set(LAY_F_rt_workshare_ordered_next, loop, n - 1);
    for (unsigned i = 0; i < n; i++) {
        uint64_t thread = image.Thread(i + 1, 0x70000000 + i, (int)(5000 + i));
        uint64_t task = image.Task(i + 2, team, 2, LAY_C_RT_TS_STARTED, thread, (int)i);
        image.Set(LAY_F_rt_thread_cur_task, thread, task);
        image.Member(team, (int)i, task, thread);
        image.Set(LAY_F_rt_task_loop, task, loop);
        image.Set(LAY_F_rt_task_loop_first, task, i);
        image.Set(LAY_F_rt_task_loop_last, task, i);
        if (i + 1 < n)
            image.State(thread, 0x044, LAY_C_RT_WAIT_ORDERED, loop);
    }
    EXPECT_EQ(ompd_initialize(202411, Tool::Callbacks()), ompd_rc_ok);
    ompd_address_space_handle_t *process;
    EXPECT_EQ(ompd_process_initialize(Context(&image), &process), ompd_rc_ok);
    EXPECT_EQ(ompdx_stop_begin(process), ompd_rc_ok);
    ompd_thread_handle_t **threads = nullptr;
    int count = 0;
    EXPECT_EQ(ompdx_get_all_threads(process, &threads, &count), ompd_rc_ok);
    EXPECT_EQ((unsigned)count, n);
    const uint64_t before = tool.converts;
    for (int i = 0; i < count; i++) {
        ompdx_thread_info_t info = {};
        info.size = sizeof info;
        EXPECT_EQ(ompdx_get_thread_info(threads[i], &info), ompd_rc_ok);
        EXPECT_EQ(info.owner_kind, i + 1 < count ? ompdx_owner_thread : ompdx_owner_none);
        EXPECT_EQ(info.owner_thread, i + 1 < count ? n : 0);
        ompd_rel_thread_handle(threads[i]);
    }
    const uint64_t decoded = tool.converts - before;
    ToolFree(threads);
    EXPECT_EQ(ompdx_stop_end(process), ompd_rc_ok);
    ompd_rel_address_space_handle(process);
    ompd_finalize();
    EXPECT_EQ(tool.live, 0);
    return decoded;
}

TEST(Cost, OrderedWaiters)
{
    const uint64_t few = DecodedOfOrderedWaiters(100), many = DecodedOfOrderedWaiters(400);
    printf("100 threads: %d numbers decoded, 400 threads: %d\n", (int)few, (int)many);
    EXPECT_GT(few, 100u);
    EXPECT_LT(many, 5 * few);
}

} // namespace
