// SPDX-License-Identifier: Apache-2.0
// Handles of several processes at once, each with its own layout, byte order and word size: equal things are
// equal however they were found, the order is total and stays, and what has ended is stale.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "ompd/tests/image.h"

namespace
{

Shape Make(bool big, bool wide, unsigned pointer)
{
    Shape shape;
    shape.big_endian = big;
    shape.wide = wide;
    shape.pointer = pointer;
    return shape;
}

// A process that is open, and all handles that were got from it.
struct Space {
    Scene scene;
    ompd_address_space_handle_t *handle = nullptr;
    std::vector<ompd_thread_handle_t *> threads;
    std::vector<ompd_parallel_handle_t *> regions;
    std::vector<ompd_task_handle_t *> tasks;

    explicit Space(const Shape &shape) : scene(shape)
    {
        EXPECT_EQ(ompd_process_initialize(Context(&scene.image), &handle), ompd_rc_ok);
    }
    ompd_thread_handle_t *Thread(int i)
    {
        ompd_thread_handle_t *thread = nullptr;
        uint64_t native = scene.pthread(i);
        uint32_t native_4 = (uint32_t)native; // of the host's order, whatever the target's is
        const void *id = scene.image.shape.pointer == 8 ? (const void *)&native : &native_4;
        EXPECT_EQ(
            ompd_get_thread_handle(handle, OMPD_THREAD_ID_PTHREAD, scene.image.shape.pointer, id, &thread),
            ompd_rc_ok);
        threads.push_back(thread);
        return thread;
    }
    ompd_parallel_handle_t *Region(ompd_thread_handle_t *thread)
    {
        ompd_parallel_handle_t *region = nullptr;
        EXPECT_EQ(ompd_get_curr_parallel_handle(thread, &region), ompd_rc_ok);
        regions.push_back(region);
        return region;
    }
    ompd_task_handle_t *Task(ompd_parallel_handle_t *region, int number)
    {
        ompd_task_handle_t *task = nullptr;
        EXPECT_EQ(ompd_get_task_in_parallel(region, number, &task), ompd_rc_ok);
        tasks.push_back(task);
        return task;
    }
    // Each thing at least twice, by different ways.
    void Everything()
    {
        for (int i = 0; i < 3; i++) {
            ompd_thread_handle_t *again;
            ompd_parallel_handle_t *region = Region(Thread(i)), *outer;
            ompd_task_handle_t *task = Task(region, i), *current;
            ASSERT_EQ(ompd_get_thread_in_parallel(region, i, &again), ompd_rc_ok);
            threads.push_back(again);
            ASSERT_EQ(ompd_get_task_parallel_handle(task, &region), ompd_rc_ok);
            regions.push_back(region);
            ASSERT_EQ(ompd_get_enclosing_parallel_handle(region, &outer), ompd_rc_ok);
            regions.push_back(outer);
            ASSERT_EQ(ompd_get_curr_task_handle(again, &current), ompd_rc_ok);
            tasks.push_back(current);
            ASSERT_EQ(ompd_get_generating_task_handle(task, &current), ompd_rc_ok);
            tasks.push_back(current);
        }
    }
    void Close()
    {
        for (auto *thread : threads)
            EXPECT_EQ(ompd_rel_thread_handle(thread), ompd_rc_ok);
        for (auto *region : regions)
            EXPECT_EQ(ompd_rel_parallel_handle(region), ompd_rc_ok);
        for (auto *task : tasks)
            EXPECT_EQ(ompd_rel_task_handle(task), ompd_rc_ok);
        if (handle != nullptr) {
            EXPECT_EQ(ompd_rel_address_space_handle(handle), ompd_rc_ok);
        }
        threads.clear();
        regions.clear();
        tasks.clear();
        handle = nullptr;
    }
};

class Handles : public testing::Test
{
  protected:
    Tool tool;
    std::vector<std::unique_ptr<Space>> spaces;

    void SetUp() override
    {
        ASSERT_EQ(ompd_initialize(202411, Tool::Callbacks()), ompd_rc_ok);
        for (const Shape &shape :
             {Make(false, false, 8), Make(true, true, 4), Make(false, true, 8), Make(true, false, 8)})
            spaces.push_back(std::make_unique<Space>(shape));
    }
    void TearDown() override
    {
        for (auto &space : spaces)
            space->Close();
        EXPECT_EQ(ompd_finalize(), ompd_rc_ok);
        EXPECT_EQ(tool.live, 0);
        EXPECT_EQ(tool.printed, "");
    }
};

template <typename H> using Compare = ompd_rc_t (*)(H *, H *, int *);

template <typename H> int Order(Compare<H> compare, H *a, H *b)
{
    int order = 4711;
    EXPECT_EQ(compare(a, b, &order), ompd_rc_ok);
    return order < 0 ? -1 : order > 0;
}

// Checks that the comparison is a total order of ALL; returns the matrix of answers. OWNER[i] is the process.
template <typename H>
std::vector<int> CheckOrder(Compare<H> compare, const std::vector<H *> &all, const std::vector<size_t> &owner,
                            size_t different)
{
    const size_t n = all.size();
    std::vector<int> order(n * n);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            order[i * n + k] = Order(compare, all[i], all[k]);
    size_t classes = 0;
    for (size_t i = 0; i < n; i++) {
        bool first = true;
        for (size_t k = 0; k < n; k++) {
            EXPECT_EQ(order[i * n + k], -order[k * n + i]);
            if (owner[i] != owner[k]) {
                EXPECT_NE(order[i * n + k], 0);
            }
            first = first && !(k < i && order[i * n + k] == 0);
            for (size_t m = 0; m < n; m++)
                if (order[i * n + k] <= 0 && order[k * n + m] <= 0) {
                    EXPECT_LE(order[i * n + m], 0);
                }
        }
        EXPECT_EQ(order[i * n + i], 0);
        classes += first;
    }
    EXPECT_EQ(classes, different);
    return order;
}

template <typename H>
void Gather(const std::vector<std::unique_ptr<Space>> &spaces, std::vector<H *> Space::*list,
            std::vector<H *> *all, std::vector<size_t> *owner)
{
    for (size_t i = 0; i < spaces.size(); i++)
        for (H *handle : (*spaces[i]).*list) {
            all->push_back(handle);
            owner->push_back(i);
        }
}

TEST_F(Handles, OrderIsTotalAndStays)
{
    std::vector<ompd_thread_handle_t *> threads;
    std::vector<ompd_parallel_handle_t *> regions;
    std::vector<ompd_task_handle_t *> tasks;
    std::vector<size_t> of_threads, of_regions, of_tasks;
    for (auto &space : spaces)
        space->Everything();
    Gather(spaces, &Space::threads, &threads, &of_threads);
    Gather(spaces, &Space::regions, &regions, &of_regions);
    Gather(spaces, &Space::tasks, &tasks, &of_tasks);
    // In each process: threads 11, 12, 13; regions 21, 22; tasks 31, 32, 33, 34, 41.
    auto t = CheckOrder(ompd_thread_handle_compare, threads, of_threads, 3 * spaces.size());
    auto r = CheckOrder(ompd_parallel_handle_compare, regions, of_regions, 2 * spaces.size());
    auto k = CheckOrder(ompd_task_handle_compare, tasks, of_tasks, 5 * spaces.size());
    // All ends; a tool that keeps its handles sorted still finds them.
    for (auto &space : spaces) {
        Image &i = space->scene.image;
        for (int n = 0; n < 3; n++) {
            i.Set(LAY_F_rt_thread_serial, space->scene.thread[n], 70 - (unsigned)n);
            i.Set(LAY_F_rt_task_serial, space->scene.implicit[n], 0);
        }
        i.Set(LAY_F_rt_team_serial, space->scene.team, 80);
    }
    EXPECT_EQ(CheckOrder(ompd_thread_handle_compare, threads, of_threads, 3 * spaces.size()), t);
    EXPECT_EQ(CheckOrder(ompd_parallel_handle_compare, regions, of_regions, 2 * spaces.size()), r);
    EXPECT_EQ(CheckOrder(ompd_task_handle_compare, tasks, of_tasks, 5 * spaces.size()), k);
}

// One process opened twice is two address spaces, and each goes its own way.
TEST_F(Handles, OneProcessTwice)
{
    ompd_address_space_handle_t *second = nullptr;
    ompd_thread_handle_t *thread = nullptr, *first = spaces[0]->Thread(1);
    ompd_word_t state;
    uint64_t native = spaces[0]->scene.pthread(1);
    ASSERT_EQ(ompd_process_initialize(Context(&spaces[0]->scene.image), &second), ompd_rc_ok);
    ASSERT_EQ(ompd_get_thread_handle(second, OMPD_THREAD_ID_PTHREAD, 8, &native, &thread), ompd_rc_ok);
    EXPECT_NE(Order(ompd_thread_handle_compare, first, thread), 0);
    ompd_address_space_handle_t *device;
    ASSERT_EQ(ompd_get_device_from_thread(thread, &device), ompd_rc_ok);
    EXPECT_EQ(device, second);
    EXPECT_EQ(ompd_rel_address_space_handle(second), ompd_rc_ok);
    EXPECT_EQ(ompd_get_state(thread, &state, nullptr), ompd_rc_stale_handle);
    EXPECT_EQ(ompd_get_state(first, &state, nullptr), ompd_rc_ok);
    EXPECT_EQ(ompd_rel_thread_handle(thread), ompd_rc_ok);
}

// Calls on processes of four layouts take turns; each knows its own sizes, order, constants and brackets.
TEST_F(Handles, LayoutsDoNotMix)
{
    for (int pass = 0; pass < 3; pass++) {
        for (size_t i = 0; i < spaces.size(); i++) // pass 1: brackets in every other one
            if (pass == 1 && i % 2 == 0) {
                ASSERT_EQ(ompdx_stop_begin(spaces[i]->handle), ompd_rc_ok);
            } else if (pass == 2 && i % 2 == 0) {
                ASSERT_EQ(ompdx_stop_end(spaces[i]->handle), ompd_rc_ok);
            }
        for (auto &space : spaces)
            space->Thread(1);
        for (auto &space : spaces)
            space->Region(space->threads.back());
        for (auto &space : spaces)
            space->Task(space->regions.back(), 2);
        for (auto &space : spaces) {
            ompd_word_t state = 0;
            ompd_wait_id_t wait = 0;
            ompd_frame_info_t exit_frame, enter_frame;
            uint64_t native = 0;
            ompd_thread_id_t *kinds;
            ompd_size_t *sizes;
            int count;
            ompd_thread_handle_t *member;
            EXPECT_EQ(ompd_get_state(space->threads.back(), &state, &wait), ompd_rc_ok);
            EXPECT_EQ(state, ompt_state_wait_critical);
            EXPECT_EQ(wait, space->scene.critical);
            EXPECT_EQ(ompd_get_task_frame(space->tasks.back(), &exit_frame, &enter_frame), ompd_rc_ok);
            EXPECT_EQ(exit_frame.frame_address.address, 0x7ffc0002u);
            EXPECT_EQ(exit_frame.frame_flag, ompt_frame_runtime | ompt_frame_framepointer);
            space->Task(space->regions.back(), 1);
            EXPECT_EQ(ompd_get_task_frame(space->tasks.back(), &exit_frame, &enter_frame), ompd_rc_ok);
            EXPECT_EQ(exit_frame.frame_flag, ompt_frame_application | ompt_frame_framepointer);
            ASSERT_EQ(ompd_get_thread_in_parallel(space->regions.back(), 0, &member), ompd_rc_ok);
            EXPECT_EQ(ompd_get_thread_id(member, OMPD_THREAD_ID_LWP, 8, &native), ompd_rc_ok);
            EXPECT_EQ(native, 1001u);
            EXPECT_EQ(ompd_rel_thread_handle(member), ompd_rc_ok);
            ASSERT_EQ(ompd_get_device_thread_id_kinds(space->handle, &kinds, &sizes, &count), ompd_rc_ok);
            EXPECT_EQ(sizes[0], space->scene.image.shape.pointer);
            ToolFree(kinds);
            ToolFree(sizes);
        }
    }
}

// A process ends, its context with it: the tool's callbacks say so, and the others go on.
TEST_F(Handles, FinishedProcess)
{
    ompd_thread_handle_t *gone = spaces[1]->Thread(0), *there = spaces[0]->Thread(0);
    ompd_word_t state = 0;
    tool.fail_read = {1, ompd_rc_stale_handle, true};
    EXPECT_EQ(ompd_get_state(gone, &state, nullptr), ompd_rc_stale_handle);
    tool.fail_read = {};
    EXPECT_EQ(ompd_rel_address_space_handle(spaces[1]->handle), ompd_rc_ok);
    spaces[1]->handle = nullptr;
    tool.ResetCounts();
    EXPECT_EQ(ompd_get_state(gone, &state, nullptr), ompd_rc_stale_handle);
    EXPECT_EQ(tool.reads, 0u); // its context is the tool's again
    EXPECT_EQ(ompd_get_state(there, &state, nullptr), ompd_rc_ok);
    EXPECT_EQ(state, ompt_state_wait_lock);
}

// A slot that is used again is something else: old handles are stale, new ones are not equal to them.
TEST_F(Handles, ReusedSlots)
{
    for (auto &space : spaces) {
        Image &i = space->scene.image;
        ompd_thread_handle_t *old_thread = space->Thread(1);
        ompd_parallel_handle_t *old_region = space->Region(old_thread), *region;
        ompd_task_handle_t *old_task = space->Task(old_region, 1), *task;
        ompd_word_t state;
        ompd_address_t entry;
        i.Set(LAY_F_rt_thread_serial, space->scene.thread[1], 112);
        i.Set(LAY_F_rt_team_serial, space->scene.team, 122);
        i.Set(LAY_F_rt_team_first_task, space->scene.team, 131 + space->scene.implicit[1] % 7);
        for (uint64_t slot : {space->scene.implicit[1], space->scene.explicit_task}) {
            i.Set(LAY_F_rt_task_serial, slot, 132 + slot % 7);
            i.Set(LAY_F_rt_task_team_serial, slot, 122);
        }
        EXPECT_EQ(ompd_get_state(old_thread, &state, nullptr), ompd_rc_stale_handle);
        EXPECT_EQ(ompd_get_enclosing_parallel_handle(old_region, &region), ompd_rc_stale_handle);
        EXPECT_EQ(ompd_get_task_in_parallel(old_region, 1, &task), ompd_rc_stale_handle);
        EXPECT_EQ(ompd_get_task_function(old_task, &entry), ompd_rc_stale_handle);
        EXPECT_EQ(ompd_get_generating_task_handle(old_task, &task), ompd_rc_stale_handle);
        ompd_thread_handle_t *thread = space->Thread(1);
        region = space->Region(thread);
        task = space->Task(region, 1);
        EXPECT_NE(Order(ompd_thread_handle_compare, old_thread, thread), 0);
        EXPECT_NE(Order(ompd_parallel_handle_compare, old_region, region), 0);
        EXPECT_NE(Order(ompd_task_handle_compare, old_task, task), 0);
        EXPECT_EQ(ompd_get_state(thread, &state, nullptr), ompd_rc_ok);
        EXPECT_EQ(ompd_get_task_function(task, &entry), ompd_rc_ok);
    }
}

// A library that is finalised and made ready again knows no handle from before: contexts and memory of that
// time may belong to another tool.
TEST_F(Handles, OfAnEarlierSession)
{
    ompd_thread_handle_t *thread = spaces[0]->Thread(1);
    ompd_word_t word;
    EXPECT_EQ(ompd_finalize(), ompd_rc_ok);
    EXPECT_EQ(ompd_get_state(thread, &word, nullptr), ompd_rc_callback_error);
    ASSERT_EQ(ompd_initialize(202111, Tool::Callbacks()), ompd_rc_ok);
    tool.ResetCounts();
    EXPECT_EQ(ompd_get_state(thread, &word, nullptr), ompd_rc_stale_handle);
    EXPECT_EQ(ompd_rel_thread_handle(thread), ompd_rc_stale_handle);
    EXPECT_EQ(ompd_rel_address_space_handle(spaces[0]->handle), ompd_rc_stale_handle);
    EXPECT_EQ(tool.reads, 0u);
    for (auto &space : spaces) { // the tool's blocks, the tool's to free
        ToolFree(space->handle);
        space->handle = nullptr;
        space->threads.clear();
    }
    ToolFree(thread);
}

} // namespace
