// SPDX-License-Identifier: Apache-2.0
// What a process handle remembers from call to call never shows: the target's memory changes between calls,
// as a program changes it, and each answer is that of the memory as it is now. No bracket is open.
#include <gtest/gtest.h>

#include <string>

#include "ompd/tests/image.h"

namespace
{

class Kept : public testing::Test
{
  protected:
    Tool tool;
    Scene scene;
    ompd_address_space_handle_t *process = nullptr;

    void SetUp() override
    {
        ASSERT_EQ(ompd_initialize(202411, Tool::Callbacks()), ompd_rc_ok);
        ASSERT_EQ(ompd_process_initialize(Context(&scene.image), &process), ompd_rc_ok);
    }
    void TearDown() override
    {
        EXPECT_EQ(ompd_rel_address_space_handle(process), ompd_rc_ok);
        EXPECT_EQ(ompd_finalize(), ompd_rc_ok);
        EXPECT_EQ(tool.live, 0);
        EXPECT_EQ(tool.printed, "");
    }
    /** Of the thread with that number, or why there is none. */
    std::string Find(ompd_thread_id_t kind, uint64_t native)
    {
        ompd_thread_handle_t *thread;
        uint64_t other = 0;
        const ompd_rc_t rc = ompd_get_thread_handle(process, kind, 8, &native, &thread);
        if (rc != ompd_rc_ok)
            return "code " + std::to_string(rc);
        EXPECT_EQ(ompd_get_thread_id(thread, kind, 8, &other), ompd_rc_ok);
        EXPECT_EQ(other, native);
        ompdx_thread_info_t info = {};
        info.size = sizeof info;
        EXPECT_EQ(ompdx_get_thread_info(thread, &info), ompd_rc_ok);
        EXPECT_EQ(ompd_rel_thread_handle(thread), ompd_rc_ok);
        return "thread " + std::to_string(info.id);
    }
    std::string ByPthread(uint64_t pthread) { return Find(OMPD_THREAD_ID_PTHREAD, pthread); }
    const std::string none = "code " + std::to_string(ompd_rc_unavailable);
};

TEST_F(Kept, ThreadsComeAndGo)
{
    const uint64_t first = scene.pthread(0), later = 0x7e990000;
    EXPECT_EQ(ByPthread(first), "thread 11");
    EXPECT_EQ(ByPthread(later), none);
    EXPECT_EQ(Find(OMPD_THREAD_ID_LWP, 4444), none);

    const uint64_t slot = scene.image.Thread(90, later, 4444);
    EXPECT_EQ(ByPthread(later), "thread 90");
    EXPECT_EQ(Find(OMPD_THREAD_ID_LWP, 4444), "thread 90");

    scene.image.Set(LAY_F_rt_thread_serial, slot, 0); // an end changes nothing else
    EXPECT_EQ(ByPthread(later), none);
    EXPECT_EQ(Find(OMPD_THREAD_ID_LWP, 4444), none);
    EXPECT_EQ(ByPthread(first), "thread 11");
}

TEST_F(Kept, AnotherThreadInASlotThatWasKnown)
{
    Image &image = scene.image;
    const uint64_t slot = scene.thread[3], before = scene.pthread(3), after = 0x7e880000;
    EXPECT_EQ(ByPthread(before), "thread 14");
    EXPECT_EQ(ByPthread(after), none);
    image.Set(LAY_F_rt_thread_pthread, slot, after);
    image.Set(LAY_F_rt_root_generation, image.root, image.Field(LAY_F_rt_root_generation, image.root) + 2);
    image.Set(LAY_F_rt_thread_serial, slot, 91);
    EXPECT_EQ(ByPthread(after), "thread 91");
    EXPECT_EQ(ByPthread(before), none);
    // A pthread_t is used again by a thread in another slot.
    EXPECT_EQ(ByPthread(scene.pthread(1)), "thread 12");
    image.Set(LAY_F_rt_thread_serial, scene.thread[1], 0);
    image.Thread(92, scene.pthread(1), 4445);
    EXPECT_EQ(ByPthread(scene.pthread(1)), "thread 92");
}

TEST_F(Kept, AThreadThatBeginsIsSeenWithItsSerial)
{
    Image &image = scene.image;
    const uint64_t pthread = 0x7e770000;
    const uint64_t slot = image.Thread(0, pthread, 4446);
    const uint64_t now = image.Field(LAY_F_rt_root_generation, image.root);
    image.Set(LAY_F_rt_root_generation, image.root, now + 1); // as life.c: odd, serial, even
    EXPECT_EQ(ByPthread(pthread), none);
    image.Set(LAY_F_rt_thread_serial, slot, 93);
    EXPECT_EQ(ByPthread(pthread), "thread 93");
    image.Set(LAY_F_rt_root_generation, image.root, now + 2);
    EXPECT_EQ(ByPthread(pthread), "thread 93");
}

TEST_F(Kept, ManyThreadsInManySlabs)
{
    EXPECT_EQ(ByPthread(scene.pthread(0)), "thread 11");
    for (unsigned i = 0; i < 200; i++) { // each is asked for before it is there, so each answer must change
        const uint64_t pthread = 0x7d000000 + 0x1000ull * i;
        EXPECT_EQ(ByPthread(pthread), none) << i;
        if (i % 40 == 0)
            scene.image.AddSlab(LAY_C_RT_KIND_THREAD, 40);
        scene.image.Thread(1000 + i, pthread, 9000 + (int)i);
        EXPECT_EQ(ByPthread(pthread), "thread " + std::to_string(1000 + i)) << i;
    }
    for (unsigned i = 0; i < 200; i++)
        EXPECT_EQ(ByPthread(0x7d000000 + 0x1000ull * i), "thread " + std::to_string(1000 + i));
}

TEST_F(Kept, WhoIsNoThreadCostsLittle)
{
    EXPECT_EQ(ByPthread(1), none);
    tool.ResetCounts();
    for (uint64_t i = 2; i < 102; i++)
        EXPECT_EQ(ByPthread(i), none);
    EXPECT_EQ(tool.reads, 100u);
    EXPECT_EQ(tool.bytes, 800u); // the generation
}

TEST_F(Kept, ATaskInASlabThatCameLater)
{
    Image &image = scene.image;
    ompd_thread_handle_t *thread;
    ompd_task_handle_t *task;
    ompd_address_t function;
    const uint64_t native = scene.pthread(0);
    ASSERT_EQ(ompd_get_thread_handle(process, OMPD_THREAD_ID_PTHREAD, 8, &native, &thread), ompd_rc_ok);
    image.AddSlab(LAY_C_RT_KIND_TASK, 4);
    const uint64_t later = image.Task(71, scene.team, 4, LAY_C_RT_TS_STARTED, scene.thread[0], 0);
    image.Set(LAY_F_rt_task_fn, later, 0x4711);
    image.Set(LAY_F_rt_thread_cur_task, scene.thread[0], later);
    ASSERT_EQ(ompd_get_curr_task_handle(thread, &task), ompd_rc_ok);
    ASSERT_EQ(ompd_get_task_function(task, &function), ompd_rc_ok);
    EXPECT_EQ(function.address, 0x4711u);
    EXPECT_EQ(ompd_rel_task_handle(task), ompd_rc_ok);
    EXPECT_EQ(ompd_rel_thread_handle(thread), ompd_rc_ok);
}

TEST_F(Kept, AnUnbegunTaskBeginsAndItsRegionEnds)
{
    Image &image = scene.image;
    const uint64_t team = image.Team(80, LAY_C_RT_TEAM_PARALLEL, 2, 1, 1, scene.initial_task);
    const uint64_t slot = image.Task(0, team, 2, LAY_C_RT_TS_STARTED, scene.thread[3], 1);
    image.Set(LAY_F_rt_team_first_task, team, 700);
    image.Set(LAY_F_rt_team_fn, team, 0x1234);
    image.Member(team, 0, slot, scene.thread[3]);
    image.Member(team, 1, slot, scene.thread[3]);
    image.Set(LAY_F_rt_thread_switching_team, scene.thread[3], team);

    ompd_thread_handle_t *thread;
    ompd_parallel_handle_t *region;
    ompd_task_handle_t *task;
    ompd_address_t function;
    const uint64_t native = scene.pthread(3);
    ASSERT_EQ(ompd_get_thread_handle(process, OMPD_THREAD_ID_PTHREAD, 8, &native, &thread), ompd_rc_ok);
    ASSERT_EQ(ompd_get_curr_parallel_handle(thread, &region), ompd_rc_ok);
    ASSERT_EQ(ompd_get_task_in_parallel(region, 1, &task), ompd_rc_ok);
    ASSERT_EQ(ompd_get_task_function(task, &function), ompd_rc_ok);
    EXPECT_EQ(function.address, 0x1234u); // the region's
    image.Set(LAY_F_rt_team_fn, team, 0x1235);
    ASSERT_EQ(ompd_get_task_function(task, &function), ompd_rc_ok);
    EXPECT_EQ(function.address, 0x1235u); // read again

    image.Set(LAY_F_rt_task_team, slot, team);
    image.Set(LAY_F_rt_task_team_serial, slot, 80);
    image.Set(LAY_F_rt_task_fn, slot, 0x5678);
    image.Set(LAY_F_rt_task_serial, slot, 701);
    ASSERT_EQ(ompd_get_task_function(task, &function), ompd_rc_ok);
    EXPECT_EQ(function.address, 0x5678u); // its own now
    image.Set(LAY_F_rt_team_serial, team, 0);
    EXPECT_EQ(ompd_get_task_function(task, &function), ompd_rc_stale_handle);
    EXPECT_EQ(ompd_rel_task_handle(task), ompd_rc_ok);
    EXPECT_EQ(ompd_rel_parallel_handle(region), ompd_rc_ok);
    EXPECT_EQ(ompd_rel_thread_handle(thread), ompd_rc_ok);
}

TEST_F(Kept, AnotherProcessBehindTheHandle)
{
    // A debugger that starts the program again: the same addresses, fewer threads, other slabs behind them.
    EXPECT_EQ(ByPthread(scene.pthread(3)), "thread 14");
    Image again;
    again.Set(LAY_F_rt_root_generation, again.root, 0x7900000000);
    again.AddSlab(LAY_C_RT_KIND_TEAM, 40);
    again.AddSlab(LAY_C_RT_KIND_TASK, 40);
    again.AddSlab(LAY_C_RT_KIND_THREAD, 40);
    again.Thread(1, scene.pthread(3), 4447);
    scene.image = again;
    EXPECT_EQ(ByPthread(scene.pthread(3)), "thread 1");
    EXPECT_EQ(ByPthread(scene.pthread(0)), none);
}

TEST_F(Kept, ARuntimeThatDoesNotSay)
{
    // Before layout 1.6 nothing tells that threads have come: each look-up searches.
    EXPECT_EQ(ompd_rel_address_space_handle(process), ompd_rc_ok);
    scene.image.Entry(LAY_F_rt_root_generation).kind = LAY_ABSENT;
    scene.image.WriteTable();
    ASSERT_EQ(ompd_process_initialize(Context(&scene.image), &process), ompd_rc_ok);
    EXPECT_EQ(ByPthread(0x7e660000), none);
    const uint64_t slot = scene.image.NewSlot(LAY_C_RT_KIND_THREAD);
    scene.image.Set(LAY_F_rt_thread_pthread, slot, 0x7e660000);
    scene.image.Set(LAY_F_rt_thread_serial, slot, 94);
    EXPECT_EQ(ByPthread(0x7e660000), "thread 94");
}

TEST_F(Kept, AThreadThatCannotBeReadIsNotTakenForNone)
{
    EXPECT_EQ(ByPthread(1), none);
    scene.image.AddSlab(LAY_C_RT_KIND_THREAD, 1, 0x7f0000900000);
    scene.image.Thread(95, 0x7e550000, 4448);
    scene.image.Lose(0x7f0000900000);
    EXPECT_EQ(ByPthread(1), "code " + std::to_string(ompd_rc_device_read_error));
    EXPECT_EQ(ByPthread(scene.pthread(0)), "thread 11");
    scene.image.Find(0x7f0000900000);
    EXPECT_EQ(ByPthread(1), none);
    EXPECT_EQ(ByPthread(0x7e550000), "thread 95");
}

} // namespace
