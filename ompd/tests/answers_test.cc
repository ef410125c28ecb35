// SPDX-License-Identifier: Apache-2.0
// Right answers from a hand-made process, whose structures are laid out unlike any build of the runtime, in
// each byte order and word size, outside and inside a bracket.
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

#include "ompd/tests/icvs.h"
#include "ompd/tests/image.h"

namespace
{

// The type of a function's second parameter.
template <class R, class A, class B> B Second(R (*)(A, B));

class Answers : public testing::TestWithParam<std::tuple<Shape, bool>>
{
  protected:
    Tool tool;
    Scene scene{std::get<0>(GetParam())};
    ompd_address_space_handle_t *process = nullptr;

    void SetUp() override
    {
        ASSERT_EQ(ompd_initialize(202411, Tool::Callbacks()), ompd_rc_ok);
        ASSERT_EQ(ompd_process_initialize(Context(&scene.image), &process), ompd_rc_ok) << tool.printed;
        if (std::get<1>(GetParam())) {
            ASSERT_EQ(ompdx_stop_begin(process), ompd_rc_ok);
        }
    }
    void TearDown() override
    {
        EXPECT_EQ(ompd_rel_address_space_handle(process), ompd_rc_ok);
        EXPECT_EQ(ompd_finalize(), ompd_rc_ok);
        EXPECT_EQ(tool.live, 0);
        EXPECT_EQ(tool.printed, "");
    }
    ompd_thread_handle_t *Thread(int i)
    {
        ompd_thread_handle_t *handle = nullptr;
        uint64_t native = scene.pthread(i);
        EXPECT_EQ(ompd_get_thread_handle(process, OMPD_THREAD_ID_PTHREAD, scene.image.shape.pointer, &native,
                                         &handle),
                  ompd_rc_ok);
        return handle;
    }
    /** At the barrier of thread 0's region. */
    std::vector<int> Arrived()
    {
        ompd_parallel_handle_t *region;
        ompd_thread_handle_t *thread = Thread(0);
        int *numbers = nullptr, count = 0;
        EXPECT_EQ(ompd_get_curr_parallel_handle(thread, &region), ompd_rc_ok);
        EXPECT_EQ(ompdx_get_barrier_arrivals(region, &numbers, &count), ompd_rc_ok);
        std::vector<int> arrived(numbers, numbers + count);
        if (numbers != nullptr)
            ToolFree(numbers);
        ompd_rel_thread_handle(thread);
        ompd_rel_parallel_handle(region);
        return arrived;
    }
    ompdx_thread_info_t Info(int i)
    {
        ompdx_thread_info_t info = {};
        info.size = sizeof info;
        ompd_thread_handle_t *thread = Thread(i);
        EXPECT_EQ(ompdx_get_thread_info(thread, &info), ompd_rc_ok) << tool.printed;
        EXPECT_EQ(ompd_rel_thread_handle(thread), ompd_rc_ok);
        return info;
    }
    static uint64_t Id(ompd_parallel_handle_t *region)
    {
        ompdx_parallel_info_t info = {};
        info.size = sizeof info;
        EXPECT_EQ(ompdx_get_parallel_info(region, &info), ompd_rc_ok);
        return info.id;
    }
    static ompdx_task_info_t Info(ompd_task_handle_t *task)
    {
        ompdx_task_info_t info = {};
        info.size = sizeof info;
        EXPECT_EQ(ompdx_get_task_info(task, &info), ompd_rc_ok);
        return info;
    }
    std::vector<uint64_t> Tasks()
    {
        std::vector<uint64_t> ids;
        ompd_task_handle_t **list;
        int count;
        EXPECT_EQ(ompdx_get_all_tasks(process, &list, &count), ompd_rc_ok);
        for (int i = 0; i < count; i++) {
            ids.push_back(Info(list[i]).id);
            ompd_rel_task_handle(list[i]);
        }
        ToolFree(list);
        return ids;
    }
    ompd_task_handle_t *Task(uint64_t id)
    {
        ompd_task_handle_t **list, *found = nullptr;
        int count;
        EXPECT_EQ(ompdx_get_all_tasks(process, &list, &count), ompd_rc_ok);
        for (int i = 0; i < count; i++)
            if (found == nullptr && Info(list[i]).id == id)
                found = list[i];
            else
                ompd_rel_task_handle(list[i]);
        ToolFree(list);
        return found;
    }
};

TEST_P(Answers, Process)
{
    ompd_word_t version;
    const char *text;
    ASSERT_EQ(ompd_get_omp_version(process, &version), ompd_rc_ok);
    EXPECT_EQ(version, 202411);
    ASSERT_EQ(ompd_get_omp_version_string(process, &text), ompd_rc_ok);
    EXPECT_STREQ(text, "Companion 9.8 (hand-made)");
    ToolFree(text);
    ompdx_runtime_info_t info = {};
    info.size = sizeof info;
    ASSERT_EQ(ompdx_get_runtime_info(process, &info), ompd_rc_ok);
    EXPECT_STREQ(info.kind, "companion");
    EXPECT_EQ(info.layout_major, 1u);
    EXPECT_EQ(info.layout_minor, 8u);
    EXPECT_EQ(info.slabs, 4u);
    ompd_thread_id_t *kinds;
    ompd_size_t *sizes;
    int count;
    ASSERT_EQ(ompd_get_device_thread_id_kinds(process, &kinds, &sizes, &count), ompd_rc_ok);
    ASSERT_EQ(count, 2);
    EXPECT_EQ(kinds[0], OMPD_THREAD_ID_PTHREAD);
    EXPECT_EQ(sizes[0], scene.image.shape.pointer);
    EXPECT_EQ(kinds[1], OMPD_THREAD_ID_LWP);
    EXPECT_EQ(sizes[1], 4u);
    ToolFree(kinds);
    ToolFree(sizes);
}

TEST_P(Answers, ThreadIds)
{
    int32_t tid = 1003;
    int64_t tid8 = 1003;
    ompd_thread_handle_t *a, *b, *c = Thread(0);
    ASSERT_EQ(ompd_get_thread_handle(process, OMPD_THREAD_ID_LWP, 4, &tid, &a), ompd_rc_ok);
    ASSERT_EQ(ompd_get_thread_handle(process, OMPD_THREAD_ID_LWP, 8, &tid8, &b), ompd_rc_ok);
    int order = 7;
    EXPECT_EQ(ompd_thread_handle_compare(a, b, &order), ompd_rc_ok);
    EXPECT_EQ(order, 0);
    EXPECT_EQ(ompd_thread_handle_compare(a, c, &order), ompd_rc_ok);
    EXPECT_GT(order, 0);
    EXPECT_EQ(ompd_thread_handle_compare(c, a, &order), ompd_rc_ok);
    EXPECT_LT(order, 0);
    uint64_t native = 0;
    EXPECT_EQ(ompd_get_thread_id(a, OMPD_THREAD_ID_PTHREAD, scene.image.shape.pointer, &native), ompd_rc_ok);
    EXPECT_EQ(native, scene.pthread(2));
    tid = 0;
    EXPECT_EQ(ompd_get_thread_id(c, OMPD_THREAD_ID_LWP, 4, &tid), ompd_rc_ok);
    EXPECT_EQ(tid, 1001);
    ompd_address_space_handle_t *device;
    EXPECT_EQ(ompd_get_device_from_thread(a, &device), ompd_rc_ok);
    EXPECT_EQ(device, process);
    for (auto *handle : {a, b, c})
        EXPECT_EQ(ompd_rel_thread_handle(handle), ompd_rc_ok);
    tid = 1009; // has ended
    EXPECT_EQ(ompd_get_thread_handle(process, OMPD_THREAD_ID_LWP, 4, &tid, &a), ompd_rc_unavailable);
}

TEST_P(Answers, AllThreads)
{
    ompd_thread_handle_t **list;
    int count;
    ASSERT_EQ(ompdx_get_all_threads(process, &list, &count), ompd_rc_ok);
    ASSERT_EQ(count, 4);
    for (int i = 0; i < 4; i++) {
        int32_t tid;
        EXPECT_EQ(ompd_get_thread_id(list[i], OMPD_THREAD_ID_LWP, 4, &tid), ompd_rc_ok);
        EXPECT_EQ(tid, 1001 + i);
        ompd_rel_thread_handle(list[i]);
    }
    ToolFree(list);
}

TEST_P(Answers, WaitsAndOwners)
{
    ompdx_thread_info_t info = Info(0);
    EXPECT_EQ(info.id, 11u);
    EXPECT_EQ(info.kind, 1);
    EXPECT_EQ(info.state, ompt_state_wait_lock);
    EXPECT_EQ(info.wait_kind, ompdx_wait_lock);
    EXPECT_EQ(info.wait_id, scene.lock);
    EXPECT_EQ(info.wait_codeptr, 0x401234u);
    EXPECT_EQ(info.owner_kind, ompdx_owner_thread);
    EXPECT_EQ(info.owner_thread, 12u);
    EXPECT_EQ(info.owner_tid, 1002);
    EXPECT_EQ(info.owner_pthread, scene.pthread(1));
    EXPECT_EQ(info.region, 22u);
    EXPECT_EQ(info.task, 32u);
    EXPECT_EQ(std::make_tuple(info.thread_num, info.team_size, info.level, info.active_level),
              std::make_tuple(0, 3, 1, 1));
    info = Info(1);
    EXPECT_EQ(info.wait_kind, ompdx_wait_critical);
    EXPECT_EQ(info.owner_kind, ompdx_owner_ended);
    EXPECT_EQ(info.owner_thread, 15u);
    EXPECT_EQ(info.task, 41u);
    EXPECT_EQ(info.thread_num, 1);
    info = Info(2);
    EXPECT_EQ(info.state, ompt_state_wait_barrier_explicit);
    EXPECT_EQ(info.wait_kind, ompdx_wait_barrier);
    EXPECT_EQ(info.wait_object, 22u);
    EXPECT_EQ(info.owner_kind, ompdx_owner_none);
    info = Info(3); // its team has ended, whatever its state word says
    EXPECT_EQ(info.state, ompt_state_idle);
    EXPECT_EQ(info.wait_kind, ompdx_wait_none);
    EXPECT_EQ(info.wait_id, 0u);
    EXPECT_EQ(info.region, 0u);
    EXPECT_EQ(info.task, 0u);
    EXPECT_EQ(info.thread_num, -1);
    EXPECT_EQ(info.team_size, -1);
}

TEST_P(Answers, FreeMutexHasNoOwner)
{
    scene.image.Put(scene.lock, 4, 0);
    EXPECT_EQ(Info(0).owner_kind, ompdx_owner_none);
}

TEST_P(Answers, UnreadableMutexHasAnUnknownOwner)
{
    scene.image.State(scene.thread[0], 0x041, LAY_C_RT_WAIT_LOCK, 0x10);
    EXPECT_EQ(Info(0).owner_kind, ompdx_owner_unknown);
}

// After 1073741823 threads numbers are used again: the owner is given, and that it may be another.
TEST_P(Answers, ReusedLockNumbers)
{
    Image &i = scene.image;
    EXPECT_EQ(Info(0).owner_uncertain, 0u);
    if (std::get<1>(GetParam())) // a bracket promises that nothing changes inside
        return;
    const uint64_t kind = i.Const(LAY_C_RT_WAIT_LOCK) | i.Const(LAY_C_RT_WAIT_REUSED);
    i.Set(LAY_F_rt_root_lock_numbers_reused, i.root, 1); // as layout.def says
    i.Set(LAY_F_rt_thread_serial, scene.thread[1], 0x80000007);
    i.Set(LAY_B_rt_thread_wait_kind, scene.thread[0], kind);
    ompdx_thread_info_t info = Info(0); // the word has the number 12
    EXPECT_EQ(info.wait_kind, ompdx_wait_lock);
    EXPECT_EQ(info.owner_kind, ompdx_owner_thread);
    EXPECT_EQ(info.owner_thread, 0x80000007u);
    EXPECT_EQ(info.owner_tid, 1002);
    EXPECT_EQ(info.owner_uncertain, 1u);
    info = Info(1); // 15: nobody's, so its taker has ended, whoever it was
    EXPECT_EQ(info.owner_kind, ompdx_owner_ended);
    EXPECT_EQ(info.owner_thread, 0u);
    EXPECT_EQ(info.owner_uncertain, 0u);

    // A caller that does not know of the doubt is told nothing that it would take for certain.
    ompd_thread_handle_t *thread = Thread(0);
    info.size = offsetof(ompdx_thread_info_t, owner_uncertain);
    info.owner_uncertain = 99;
    ASSERT_EQ(ompdx_get_thread_info(thread, &info), ompd_rc_ok);
    EXPECT_EQ(info.owner_kind, ompdx_owner_unknown);
    EXPECT_EQ(info.owner_thread, 0u);
    EXPECT_EQ(info.owner_tid, 0);
    EXPECT_EQ(info.owner_pthread, 0u);
    EXPECT_EQ(info.owner_uncertain, 99u);
    ompd_rel_thread_handle(thread);
}

// Another copy of the runtime gives its threads the same numbers: one that no thread has here may be there.
TEST_P(Answers, SharedLockNumbers)
{
    Image &i = scene.image;
    if (std::get<1>(GetParam()))
        return;
    EXPECT_EQ(Info(1).owner_kind, ompdx_owner_ended);    // 15
    i.Set(LAY_F_rt_root_lock_numbers_reused, i.root, 2); // as layout.def says
    EXPECT_EQ(Info(1).owner_kind, ompdx_owner_unknown);
    EXPECT_NE(Info(1).unknown[ompdx_fact_owner], nullptr);
    EXPECT_EQ(Info(0).owner_kind, ompdx_owner_thread);
    EXPECT_EQ(Info(0).owner_uncertain, (uint64_t)OMPDX_OWNER_SHARED);
}

// A nestable lock of an untied task has the task's number: whoever executes the task holds it, and nobody
// while it is in a queue, though the thread that had taken the lock still lives.
TEST_P(Answers, NestLockOfAnUntiedTask)
{
    Image &i = scene.image;
    if (std::get<1>(GetParam()))
        return;
    const unsigned shift = (unsigned)i.Const(LAY_C_RT_MUTEX_SHIFT);
    const uint64_t untied = i.Const(LAY_C_RT_TASK_EXPLICIT) | 0x10000000; // ompt_task_untied
    const uint64_t bit = i.Const(LAY_C_RT_MUTEX_TASK), serial = 3 * bit + 77;
    const uint64_t task = i.Task(serial, scene.team, untied, LAY_C_RT_TS_STARTED, scene.thread[1], 1);
    const uint64_t lock = i.Raw(8);
    i.Put(lock, 4, (bit + 77) << shift | 1);
    i.State(scene.thread[0], 0x041, LAY_C_RT_WAIT_NEST_LOCK, lock);
    ompdx_thread_info_t info = Info(0);
    EXPECT_EQ(info.wait_kind, ompdx_wait_nest_lock);
    EXPECT_EQ(info.owner_kind, ompdx_owner_thread);
    EXPECT_EQ(info.owner_tid, 1002);
    EXPECT_EQ(info.owner_uncertain, 0u);

    i.Set(LAY_F_rt_task_thread, task, scene.thread[2]); // its next part, elsewhere
    EXPECT_EQ(Info(0).owner_tid, 1003);

    i.Set(LAY_F_rt_task_state, task, i.Const(LAY_C_RT_TS_READY)); // between two parts
    EXPECT_EQ(Info(0).owner_kind, ompdx_owner_unknown);
    EXPECT_NE(Info(0).unknown[ompdx_fact_owner], nullptr);

    i.Set(LAY_F_rt_task_state, task, i.Const(LAY_C_RT_TS_STARTED));
    i.Set(LAY_F_rt_task_flags, task, i.Const(LAY_C_RT_TASK_EXPLICIT)); // a tied one has no number there
    EXPECT_EQ(Info(0).owner_kind, ompdx_owner_unknown);
}

// A caller that was compiled with the first release of ompdx.h: its structures had these sizes, counted by
// hand.
TEST_P(Answers, CallersOfTheFirstRelease)
{
    alignas(8) unsigned char room[256];
    auto check = [&](auto function, auto *handle, uint64_t size) {
        memset(room, 0x5a, sizeof room);
        memcpy(room, &size, sizeof size);
        auto *info = reinterpret_cast<decltype(Second(function))>(room);
        EXPECT_EQ(function(handle, info), ompd_rc_ok) << size;
        uint64_t first, untouched = 0x5a5a5a5a5a5a5a5a;
        memcpy(&first, room + 8, sizeof first);
        EXPECT_NE(first, untouched) << "nothing was filled";
        for (uint64_t i = size; i < sizeof room; i++)
            ASSERT_EQ(room[i], 0x5a) << size << ": byte " << i << " is not the caller's";
        info->size = size - 1;
        EXPECT_EQ(function(handle, info), ompd_rc_bad_input) << size;
    };
    ompd_thread_handle_t *thread = Thread(0);
    ompd_parallel_handle_t *region;
    ompd_task_handle_t *task;
    ASSERT_EQ(ompd_get_curr_parallel_handle(thread, &region), ompd_rc_ok);
    ASSERT_EQ(ompd_get_curr_task_handle(thread, &task), ompd_rc_ok);
    check(ompdx_get_runtime_info, process, 4 * 8 + 2 * 4);
    check(ompdx_get_thread_info, thread, 12 * 8 + 8 * 4);
    check(ompdx_get_parallel_info, region, 7 * 8 + 6 * 4);
    check(ompdx_get_task_info, task, 11 * 8 + 6 * 4);
    ompd_rel_task_handle(task);
    ompd_rel_parallel_handle(region);
    ompd_rel_thread_handle(thread);
}

TEST_P(Answers, OrderedTurn)
{
    Image &i = scene.image;
    i.Set(LAY_F_rt_workshare_ordered_next, scene.loop, 6);
    i.Set(LAY_F_rt_workshare_team, scene.loop, scene.team);
    i.State(scene.thread[0], 0x044, LAY_C_RT_WAIT_ORDERED, scene.loop);
    for (unsigned n = 0; n < 3; n++) {
        i.Set(LAY_F_rt_task_loop, scene.implicit[n], scene.loop);
        i.Set(LAY_F_rt_task_loop_first, scene.implicit[n], n * 4);
        i.Set(LAY_F_rt_task_loop_last, scene.implicit[n], n * 4 + 3);
    }
    i.Set(LAY_F_rt_thread_cur_task, scene.thread[1], scene.implicit[1]);
    ompdx_thread_info_t info = Info(0);
    EXPECT_EQ(info.wait_kind, ompdx_wait_ordered);
    EXPECT_EQ(info.owner_kind, ompdx_owner_thread);
    EXPECT_EQ(info.owner_thread, 12u);
    if (!std::get<1>(GetParam())) { // nobody has the iteration in hand
        i.Set(LAY_F_rt_workshare_ordered_next, scene.loop, 99);
        EXPECT_EQ(Info(0).owner_kind, ompdx_owner_none);
    }
}

// Where the owner took what others wait for: the latest entry of the owner's own list, and nothing that makes
// no sense.
TEST_P(Answers, WhereTheOwnerTookIt)
{
    Image &i = scene.image;
    EXPECT_EQ(Info(0).owner_codeptr, 0u); // without OMP_DEBUG
    if (std::get<1>(GetParam()))
        return; // in a bracket nothing changes
    uint64_t held = i.Raw(i.Size(LAY_S_rt_held)),
             place = held + (uint64_t)i.Entry(LAY_F_rt_held_places).offset;
    const uint64_t objects[] = {scene.lock, 0x1000, scene.lock, 0x2000};
    for (unsigned n = 0; n < 4; n++, place += i.Size(LAY_S_rt_held_place)) {
        i.Set(LAY_F_rt_held_place_object, place, objects[n]);
        i.Set(LAY_F_rt_held_place_codeptr, place, 0x402000 + n);
    }
    i.Set(LAY_F_rt_held_count, held, 4);
    i.Set(LAY_F_rt_thread_held, scene.thread[0], held); // who waits
    EXPECT_EQ(Info(0).owner_codeptr, 0u);
    i.Set(LAY_F_rt_thread_held, scene.thread[0], 0);
    i.Set(LAY_F_rt_thread_held, scene.thread[1], held); // who owns
    EXPECT_EQ(Info(0).owner_codeptr, 0x402002u);
    i.Set(LAY_F_rt_held_count, held, 2);
    EXPECT_EQ(Info(0).owner_codeptr, 0x402000u);
    for (uint64_t nonsense : {0xffffffffu, 64u, 0u}) {
        i.Set(LAY_F_rt_held_count, held, nonsense);
        EXPECT_EQ(Info(0).owner_codeptr, 0u) << nonsense;
    }
    i.Set(LAY_F_rt_held_count, held, 4);
    i.Set(LAY_F_rt_thread_held, scene.thread[1], 0x7000); // no memory
    EXPECT_EQ(Info(0).owner_codeptr, 0u);
    EXPECT_EQ(Info(0).owner_thread, 12u);
}

// The list of what a thread holds: without entries that another thread has released since, or that stand
// twice.
TEST_P(Answers, WhatAThreadHolds)
{
    Image &i = scene.image;
    ompd_thread_handle_t *thread = Thread(1);
    ompdx_held_t *rows = nullptr;
    int count = -1;
    EXPECT_EQ(ompdx_get_held(thread, &rows, &count), ompd_rc_ok);
    EXPECT_EQ(count, 0);
    EXPECT_EQ(rows, nullptr);
    EXPECT_EQ(ompdx_get_held(thread, nullptr, &count), ompd_rc_bad_input);
    if (std::get<1>(GetParam())) { // in a bracket nothing changes
        ompd_rel_thread_handle(thread);
        return;
    }
    const uint64_t mine = i.Get(scene.lock, 4), free = i.Raw(16), own = i.Raw(16);
    i.Put(free, 4, 0);
    i.Put(own, 4, mine);
    const struct {
        uint64_t object;
        int kind;
    } entries[] = {{own, LAY_C_RT_WAIT_CRITICAL},
                   {free, LAY_C_RT_WAIT_LOCK},
                   {scene.lock, LAY_C_RT_WAIT_NEST_LOCK},
                   {own, LAY_C_RT_WAIT_CRITICAL}};
    uint64_t held = i.Raw(i.Size(LAY_S_rt_held)),
             place = held + (uint64_t)i.Entry(LAY_F_rt_held_places).offset;
    for (unsigned n = 0; n < 4; n++, place += i.Size(LAY_S_rt_held_place)) {
        i.Set(LAY_F_rt_held_place_object, place, entries[n].object);
        i.Set(LAY_F_rt_held_place_codeptr, place, 0x402000 + n);
        i.Set(LAY_F_rt_held_place_kind, place, i.Const(entries[n].kind));
    }
    i.Set(LAY_F_rt_held_count, held, 4);
    i.Set(LAY_F_rt_thread_held, scene.thread[1], held);
    ASSERT_EQ(ompdx_get_held(thread, &rows, &count), ompd_rc_ok);
    ASSERT_EQ(count, 2);
    EXPECT_EQ(std::make_tuple(rows[0].object, rows[0].kind, rows[0].codeptr, rows[0].uncertain),
              std::make_tuple(own, (int)ompdx_wait_critical, uint64_t{0x402000}, 0));
    EXPECT_EQ(std::make_tuple(rows[1].object, rows[1].kind, rows[1].codeptr, rows[1].uncertain),
              std::make_tuple(scene.lock, (int)ompdx_wait_nest_lock, uint64_t{0x402002}, 0));
    ToolFree(rows);
    i.Set(LAY_F_rt_root_lock_numbers_reused, i.root, 1);
    place = held + (uint64_t)i.Entry(LAY_F_rt_held_places).offset;
    i.Set(LAY_F_rt_held_place_object, place, 0x7000); // no memory
    ASSERT_EQ(ompdx_get_held(thread, &rows, &count), ompd_rc_incomplete);
    ASSERT_EQ(count, 2);
    EXPECT_EQ(rows[0].object, scene.lock);
    EXPECT_EQ(rows[0].uncertain, 1);
    ToolFree(rows);
    count = -1;
    i.Set(LAY_F_rt_held_count, held, 64);
    EXPECT_EQ(ompdx_get_held(thread, &rows, &count), ompd_rc_error);
    i.Set(LAY_F_rt_held_count, held, i.Entry(LAY_F_rt_held_places).count); // it is full
    EXPECT_EQ(ompdx_get_held(thread, &rows, &count), ompd_rc_incomplete);
    ToolFree(rows);
    i.Set(LAY_F_rt_root_debug, i.root, 0);
    count = -1;
    EXPECT_EQ(ompdx_get_held(thread, &rows, &count), ompd_rc_unsupported);
    EXPECT_EQ(count, -1);
    ompd_rel_thread_handle(thread);
}

// Place N has the processors 2 N and 2 N + 1.
TEST_P(Answers, ThePlaceOfAThread)
{
    Image &i = scene.image;
    ompd_thread_handle_t *thread = Thread(0);
    const char *processors = nullptr;
    int place = -7;
    if (std::get<1>(GetParam())) {
        ompd_rel_thread_handle(thread);
        return;
    }
    i.Set(LAY_F_rt_thread_place, scene.thread[0], (uint64_t)-1);
    EXPECT_EQ(ompdx_get_place(thread, &place, &processors), ompd_rc_unavailable);
    EXPECT_EQ(place, -7);
    i.Set(LAY_F_rt_thread_place, scene.thread[0], 100000);
    EXPECT_EQ(ompdx_get_place(thread, &place, &processors), ompd_rc_error);
    EXPECT_EQ(ompdx_get_place(thread, nullptr, &processors), ompd_rc_bad_input);
    EXPECT_EQ(ompdx_get_place(thread, &place, nullptr), ompd_rc_bad_input);
    i.Places(3);
    i.Set(LAY_F_rt_thread_place, scene.thread[0], 2);
    ASSERT_EQ(ompdx_get_place(thread, &place, &processors), ompd_rc_ok);
    EXPECT_EQ(place, 2);
    EXPECT_STREQ(processors, "{4,5}");
    ToolFree((void *)processors);
    ompd_rel_thread_handle(thread);
}

TEST_P(Answers, States)
{
    ompd_word_t state;
    ompd_wait_id_t wait = 5;
    ompd_thread_handle_t *thread = Thread(0);
    EXPECT_EQ(ompd_get_state(thread, &state, &wait), ompd_rc_ok);
    EXPECT_EQ(state, ompt_state_wait_lock);
    EXPECT_EQ(wait, scene.lock);
    EXPECT_EQ(ompd_get_state(thread, &state, nullptr), ompd_rc_ok);
    ompd_rel_thread_handle(thread);
    thread = Thread(3);
    EXPECT_EQ(ompd_get_state(thread, &state, &wait), ompd_rc_ok);
    EXPECT_EQ(state, ompt_state_idle);
    EXPECT_EQ(wait, 0u);
    if (!std::get<1>(GetParam())) {
        scene.image.State(scene.thread[2], 0x7777);
        ompd_rel_thread_handle(thread);
        thread = Thread(2);
        EXPECT_EQ(ompd_get_state(thread, &state, &wait), ompd_rc_ok);
        EXPECT_EQ(state, ompt_state_undefined);
    }
    ompd_rel_thread_handle(thread);
}

TEST_P(Answers, Regions)
{
    ompd_parallel_handle_t **list, *region, *outer, *none = nullptr;
    int count, order;
    ASSERT_EQ(ompdx_get_all_parallels(process, &list, &count), ompd_rc_ok);
    ASSERT_EQ(count, 2);
    ompdx_parallel_info_t info = {};
    info.size = sizeof info;
    ASSERT_EQ(ompdx_get_parallel_info(list[1], &info), ompd_rc_ok);
    EXPECT_EQ(info.id, 22u);
    EXPECT_EQ(info.parent, 21u);
    EXPECT_EQ(info.parent_task, 31u);
    EXPECT_EQ(info.function, 0x401000u);
    EXPECT_EQ(info.codeptr, 0x401100u);
    EXPECT_EQ(info.source, scene.source);
    EXPECT_EQ(info.kind, ompd_generator_parallel);
    EXPECT_EQ(std::make_tuple(info.level, info.active_level, info.team_size, info.league_size, info.team_num),
              std::make_tuple(1, 1, 3, -1, -1));
    ASSERT_EQ(ompdx_get_parallel_info(list[0], &info), ompd_rc_ok);
    EXPECT_EQ(info.id, 21u);
    EXPECT_EQ(info.parent, 0u);
    EXPECT_EQ(info.kind, ompd_generator_program);

    ompd_thread_handle_t *thread = Thread(1);
    ASSERT_EQ(ompd_get_curr_parallel_handle(thread, &region), ompd_rc_ok);
    EXPECT_EQ(ompd_parallel_handle_compare(region, list[1], &order), ompd_rc_ok);
    EXPECT_EQ(order, 0);
    ASSERT_EQ(ompd_get_enclosing_parallel_handle(region, &outer), ompd_rc_ok);
    EXPECT_EQ(ompd_parallel_handle_compare(outer, list[0], &order), ompd_rc_ok);
    EXPECT_EQ(order, 0);
    EXPECT_EQ(ompd_get_enclosing_parallel_handle(outer, &none), ompd_rc_unavailable);
    EXPECT_EQ(none, nullptr);
    ompd_rel_thread_handle(thread);
    thread = Thread(3);
    EXPECT_EQ(ompd_get_curr_parallel_handle(thread, &none), ompd_rc_unavailable);
    ompd_rel_thread_handle(thread);
    for (auto *handle : {region, outer, list[0], list[1]})
        EXPECT_EQ(ompd_rel_parallel_handle(handle), ompd_rc_ok);
    ToolFree(list);
}

TEST_P(Answers, Members)
{
    ompd_parallel_handle_t *region;
    ompd_thread_handle_t *thread = Thread(0), *member, *none = nullptr;
    ompd_task_handle_t *task, *no_task = nullptr;
    ASSERT_EQ(ompd_get_curr_parallel_handle(thread, &region), ompd_rc_ok);
    for (int n = 0; n < 3; n++) {
        int32_t tid;
        ASSERT_EQ(ompd_get_thread_in_parallel(region, n, &member), ompd_rc_ok);
        EXPECT_EQ(ompd_get_thread_id(member, OMPD_THREAD_ID_LWP, 4, &tid), ompd_rc_ok);
        EXPECT_EQ(tid, 1001 + n);
        ASSERT_EQ(ompd_get_task_in_parallel(region, n, &task), ompd_rc_ok);
        EXPECT_EQ(Info(task).id, 32u + (unsigned)n);
        ompd_rel_thread_handle(member);
        ompd_rel_task_handle(task);
    }
    for (int n : {-1, 3, 1 << 30}) {
        EXPECT_EQ(ompd_get_thread_in_parallel(region, n, &none), ompd_rc_bad_input);
        EXPECT_EQ(ompd_get_task_in_parallel(region, n, &no_task), ompd_rc_bad_input);
    }
    ompd_rel_thread_handle(thread);
    ompd_rel_parallel_handle(region);
    EXPECT_EQ(Arrived(), std::vector<int>{2});
}

// Member 1 has left the barrier at which the team's count says that the team still is: so that is over, and
// who has arrived there is about to leave.
TEST_P(Answers, BarrierThatAMemberHasLeft)
{
    scene.image.Set(LAY_F_rt_task_bar_left, scene.implicit[1], 0);
    EXPECT_EQ(Arrived(), std::vector<int>());
}

TEST_P(Answers, MemberAtTheNextBarrier)
{
    scene.image.Set(LAY_F_rt_task_bar_left, scene.implicit[1], 0);
    scene.image.Set(LAY_F_rt_task_bar_seq, scene.implicit[1], 1);
    EXPECT_EQ(Arrived(), std::vector<int>{1});
}

TEST_P(Answers, MemberThatHasNotBegun)
{
    scene.image.Member(scene.team, 2, scene.old_implicit, scene.thread[2]);
    scene.image.Set(LAY_F_rt_task_serial, scene.implicit[2], 0);
    ompd_parallel_handle_t *region;
    ompd_thread_handle_t *thread = Thread(0), *member;
    ompd_task_handle_t *task = nullptr;
    ASSERT_EQ(ompd_get_curr_parallel_handle(thread, &region), ompd_rc_ok);
    // Its slot still has the task of an ended region, which its thread has as its current one.
    ASSERT_EQ(ompd_get_task_in_parallel(region, 2, &task), ompd_rc_ok) << tool.printed;
    ompdx_task_info_t info = Info(task);
    EXPECT_EQ(info.id, 34u);
    EXPECT_EQ(info.region, 22u);
    EXPECT_EQ(info.generator, 31u);
    EXPECT_EQ(info.state, ompdx_task_created);
    EXPECT_EQ(info.flags, (uint32_t)ompt_task_implicit);
    EXPECT_EQ(info.thread_num, 2);
    EXPECT_EQ(info.thread, 0u);
    EXPECT_EQ(info.tid, 0);
    EXPECT_EQ(info.function, 0x401000u);
    EXPECT_EQ(info.children, 0u);

    ompd_parallel_handle_t *again;
    ompd_task_handle_t *generator, *none = nullptr;
    int order = 99;
    ASSERT_EQ(ompd_get_task_parallel_handle(task, &again), ompd_rc_ok);
    EXPECT_EQ(ompd_parallel_handle_compare(region, again, &order), ompd_rc_ok);
    EXPECT_EQ(order, 0);
    ASSERT_EQ(ompd_get_generating_task_handle(task, &generator), ompd_rc_ok);
    EXPECT_EQ(Info(generator).id, 31u);
    EXPECT_EQ(ompd_get_scheduling_task_handle(task, &none), ompd_rc_unavailable);
    ompd_address_t entry = {1, 1};
    ASSERT_EQ(ompd_get_task_function(task, &entry), ompd_rc_ok);
    EXPECT_EQ(entry.address, 0x401000u);
    ompd_frame_info_t exit_frame, enter_frame;
    ASSERT_EQ(ompd_get_task_frame(task, &exit_frame, &enter_frame), ompd_rc_ok);
    EXPECT_EQ(exit_frame.frame_address.address, 0u);
    EXPECT_EQ(enter_frame.frame_address.address, 0u);
    ompd_word_t value = 1;
    ompd_address_t data = {1, 1};
    ASSERT_EQ(ompd_get_tool_data(task, ompd_scope_implicit_task, &value, &data), ompd_rc_ok);
    EXPECT_EQ(value, 0);
    EXPECT_EQ(data.address, 0u);
    EXPECT_EQ(Tasks(), (std::vector<uint64_t>{31, 32, 33, 34, 41, 42, 43})); // once, with its id

    // The thread that will execute it: idle, and in no task.
    ASSERT_EQ(ompd_get_thread_in_parallel(region, 2, &member), ompd_rc_ok);
    ompd_word_t state = 0;
    ompd_wait_id_t wait_id = 1;
    ASSERT_EQ(ompd_get_state(member, &state, &wait_id), ompd_rc_ok);
    EXPECT_EQ(state, ompt_state_idle);
    EXPECT_EQ(ompd_get_curr_task_handle(member, &none), ompd_rc_unavailable);
    EXPECT_EQ(none, nullptr);

    for (auto *handle : {task, generator})
        ompd_rel_task_handle(handle);
    ompd_rel_thread_handle(member);
    ompd_rel_thread_handle(thread);
    ompd_rel_parallel_handle(region);
    ompd_rel_parallel_handle(again);
}

// The handle of a task that has not begun is the task's when it has, and dead with its region.
TEST_P(Answers, MemberThatBegins)
{
    if (std::get<1>(GetParam())) // a bracket promises that nothing changes inside
        return;
    scene.image.Set(LAY_F_rt_task_serial, scene.implicit[2], 0);
    scene.image.Set(LAY_F_rt_thread_cur_task, scene.thread[2], 0);
    ompd_parallel_handle_t *region;
    ompd_thread_handle_t *thread = Thread(0);
    ompd_task_handle_t *before, *after;
    int order = 99;
    ASSERT_EQ(ompd_get_curr_parallel_handle(thread, &region), ompd_rc_ok);
    ASSERT_EQ(ompd_get_task_in_parallel(region, 2, &before), ompd_rc_ok);
    EXPECT_EQ(Info(before).state, ompdx_task_created);
    scene.image.Set(LAY_F_rt_task_serial, scene.implicit[2], 34);
    scene.image.Set(LAY_F_rt_thread_cur_task, scene.thread[2], scene.implicit[2]);
    ASSERT_EQ(ompd_get_task_in_parallel(region, 2, &after), ompd_rc_ok);
    ASSERT_EQ(ompd_task_handle_compare(before, after, &order), ompd_rc_ok);
    EXPECT_EQ(order, 0);
    EXPECT_EQ(Info(before).state, ompdx_task_running);
    scene.image.Set(LAY_F_rt_task_serial, scene.implicit[2], 0);
    scene.image.Set(LAY_F_rt_team_serial, scene.team, 0);
    ompdx_task_info_t info = {};
    info.size = sizeof info;
    EXPECT_EQ(ompdx_get_task_info(before, &info), ompd_rc_stale_handle);
    for (auto *handle : {before, after})
        EXPECT_EQ(ompd_rel_task_handle(handle), ompd_rc_ok);
    ompd_rel_thread_handle(thread);
    ompd_rel_parallel_handle(region);
}

// The variables that it will begin with: the generating task's, of nthreads-var those of a level deeper.
TEST_P(Answers, VariablesOfAMemberThatHasNotBegun)
{
    Image &i = scene.image;
    ompd_parallel_handle_t *region;
    ompd_task_handle_t *task;
    i.Set(LAY_F_rt_task_serial, scene.implicit[2], 0);
    i.Set(LAY_F_rt_thread_cur_task, scene.thread[2], 0);
    i.Set(LAY_F_rt_task_icv_thread_limit, scene.initial_task, 77);
    i.Set(LAY_F_rt_task_icv_max_active_levels, scene.initial_task, 5);
    i.Set(LAY_F_rt_task_icv_dyn, scene.initial_task, 1);
    i.Set(LAY_F_rt_task_icv_default_device, scene.initial_task, 3);
    ompd_thread_handle_t *thread = Thread(0);
    ASSERT_EQ(ompd_get_curr_parallel_handle(thread, &region), ompd_rc_ok);
    ASSERT_EQ(ompd_get_task_in_parallel(region, 2, &task), ompd_rc_ok);
    EXPECT_EQ(IcvText(process, task, "nthreads-var"), "4,2");
    EXPECT_EQ(IcvText(process, task, "thread-limit-var"), "77");
    EXPECT_EQ(IcvText(process, task, "max-active-levels-var"), "5");
    EXPECT_EQ(IcvText(process, task, "dyn-var"), "true");
    EXPECT_EQ(IcvText(process, task, "default-device-var"), "3");
    EXPECT_EQ(IcvText(process, task, "thread-num-var"), "2");
    EXPECT_EQ(IcvText(process, task, "levels-var"), "1");
    EXPECT_EQ(IcvText(process, task, "explicit-task-var"), "false");
    ompd_rel_task_handle(task);
    ompd_rel_thread_handle(thread);
    ompd_rel_parallel_handle(region);
}

TEST_P(Answers, SwitchingTeam)
{
    // At ompd_bp_parallel_begin: the new region, but the encountering task.
    scene.image.Set(LAY_F_rt_thread_cur_task, scene.thread[0], scene.initial_task);
    scene.image.Set(LAY_F_rt_thread_switching_team, scene.thread[0], scene.team);
    ompd_parallel_handle_t *region;
    ompd_task_handle_t *task;
    ompd_thread_handle_t *thread = Thread(0);
    ASSERT_EQ(ompd_get_curr_parallel_handle(thread, &region), ompd_rc_ok);
    EXPECT_EQ(Id(region), 22u);
    ASSERT_EQ(ompd_get_curr_task_handle(thread, &task), ompd_rc_ok);
    EXPECT_EQ(Info(task).id, 31u);
    EXPECT_EQ(Info(0).region, 21u);
    ompd_rel_thread_handle(thread);
    ompd_rel_parallel_handle(region);
    ompd_rel_task_handle(task);
}

TEST_P(Answers, Tasks)
{
    EXPECT_EQ(Tasks(), (std::vector<uint64_t>{31, 32, 33, 34, 41, 42, 43}));
    ompd_task_handle_t *task = Task(41);
    ompdx_task_info_t info = Info(task);
    EXPECT_EQ(info.region, 22u);
    EXPECT_EQ(info.generator, 32u);
    EXPECT_EQ(info.scheduled_over, 33u);
    EXPECT_EQ(info.thread, 12u);
    EXPECT_EQ(info.tid, 1002);
    EXPECT_EQ(info.pthread, scene.pthread(1));
    EXPECT_EQ(info.function, 0x402000u);
    EXPECT_EQ(info.codeptr, 0x401200u);
    EXPECT_EQ(info.source, scene.source);
    EXPECT_EQ(info.state, ompdx_task_running);
    EXPECT_EQ(info.flags, 4u);
    EXPECT_EQ(info.thread_num, 1);
    EXPECT_EQ(info.creator_thread_num, 1);
    EXPECT_EQ(info.children, 2u);
    EXPECT_EQ(info.taskloop, 0);
    uint64_t *ids;
    int count;
    ASSERT_EQ(ompdx_get_task_predecessors(task, &ids, &count), ompd_rc_ok);
    EXPECT_EQ(count, 0);
    EXPECT_EQ(ids, nullptr);

    ompd_task_handle_t *other;
    ompd_parallel_handle_t *region;
    ASSERT_EQ(ompd_get_scheduling_task_handle(task, &other), ompd_rc_ok);
    info = Info(other);
    EXPECT_EQ(info.id, 33u);
    EXPECT_EQ(info.state, ompdx_task_suspended);
    EXPECT_EQ(info.thread, 12u);
    EXPECT_EQ(info.creator_thread_num, -1);
    int order;
    EXPECT_EQ(ompd_task_handle_compare(other, task, &order), ompd_rc_ok);
    EXPECT_LT(order, 0);
    ompd_rel_task_handle(other);
    ASSERT_EQ(ompd_get_generating_task_handle(task, &other), ompd_rc_ok);
    EXPECT_EQ(Info(other).id, 32u);
    ompd_rel_task_handle(other);
    ASSERT_EQ(ompd_get_task_parallel_handle(task, &region), ompd_rc_ok);
    EXPECT_EQ(Id(region), 22u);
    ompd_rel_parallel_handle(region);

    ompd_address_t entry;
    ompd_frame_info_t exit_frame, enter_frame;
    EXPECT_EQ(ompd_get_task_function(task, &entry), ompd_rc_ok);
    EXPECT_EQ(entry.address, 0x402000u);
    EXPECT_EQ(entry.segment, (ompd_seg_t)ompd_segment_none);
    ASSERT_EQ(ompd_get_task_frame(task, &exit_frame, &enter_frame), ompd_rc_ok);
    EXPECT_EQ(exit_frame.frame_address.address, 0u);
    EXPECT_EQ(exit_frame.frame_flag, 0);
    EXPECT_EQ(enter_frame.frame_address.address, 0x7ffc1000u);
    EXPECT_EQ(enter_frame.frame_flag, ompt_frame_runtime | ompt_frame_framepointer);
    ompd_rel_task_handle(task);

    task = Task(31);
    other = nullptr;
    EXPECT_EQ(ompd_get_generating_task_handle(task, &other), ompd_rc_unavailable);
    EXPECT_EQ(ompd_get_scheduling_task_handle(task, &other), ompd_rc_unavailable);
    EXPECT_EQ(ompd_get_task_function(task, &entry), ompd_rc_unavailable);
    EXPECT_EQ(other, nullptr);
    EXPECT_EQ(Info(task).state, ompdx_task_suspended);
    ompd_rel_task_handle(task);

    task = Task(42);
    info = Info(task);
    EXPECT_EQ(info.state, ompdx_task_ready);
    EXPECT_EQ(info.thread, 0u);
    EXPECT_EQ(info.thread_num, -1);
    EXPECT_EQ(info.taskloop, 1);
    EXPECT_EQ(info.flags, 4u);
    EXPECT_EQ(info.generator, 41u);
    ompd_rel_task_handle(task);
    task = Task(43);
    EXPECT_EQ(Info(task).state, ompdx_task_blocked);
    ASSERT_EQ(ompdx_get_task_predecessors(task, &ids, &count), ompd_rc_ok);
    ASSERT_EQ(count, 2);
    EXPECT_EQ(ids[0], 41u);
    EXPECT_EQ(ids[1], 42u);
    ToolFree(ids);
    ompd_rel_task_handle(task);
}

TEST_P(Answers, CompleteTaskThatIsStillCurrentIsListed)
{
    scene.image.Set(LAY_F_rt_thread_cur_task, scene.thread[2], scene.done);
    EXPECT_EQ(Tasks(), (std::vector<uint64_t>{31, 32, 33, 34, 41, 42, 43, 44}));
    EXPECT_EQ(Info(2).task, 44u);
}

// ompt_data_t is a union of a 64-bit number and a pointer.
TEST_P(Answers, WhatAToolHasStored)
{
    const Shape &shape = scene.image.shape;
    const uint64_t word = 0x1122334455667788;
    const uint64_t pointer = shape.pointer == 8 ? word : shape.big_endian ? word >> 32 : word & 0xffffffff;
    ompd_thread_handle_t *thread = Thread(2);
    ompd_parallel_handle_t *region = nullptr;
    ompd_task_handle_t *task = nullptr;
    ASSERT_EQ(ompd_get_curr_parallel_handle(thread, &region), ompd_rc_ok);
    ASSERT_EQ(ompd_get_curr_task_handle(thread, &task), ompd_rc_ok);
    const uint64_t none = 0;
    const auto expect = [&](void *handle, ompd_scope_t scope, uint64_t value, uint64_t address) {
        ompd_word_t got = -1;
        ompd_address_t got_address = {};
        EXPECT_EQ(ompd_get_tool_data(handle, scope, &got, &got_address), ompd_rc_ok) << tool.printed;
        EXPECT_EQ((uint64_t)got, value);
        EXPECT_EQ(got_address.address, address);
        EXPECT_EQ(got_address.segment, (ompd_seg_t)ompd_segment_none);
    };
    if (!std::get<1>(GetParam())) { // a bracket promises that nothing changes inside
        expect(thread, ompd_scope_thread, none, none);
        expect(region, ompd_scope_parallel, none, none);
        expect(task, ompd_scope_implicit_task, none, none);
        scene.image.Set(LAY_F_rt_thread_tool_data, scene.thread[2], word);
        expect(thread, ompd_scope_thread, word, pointer);
        expect(region, ompd_scope_parallel, none, none);
        scene.image.Set(LAY_F_rt_team_tool_data, scene.team, word);
        expect(region, ompd_scope_parallel, word, pointer);
        expect(task, ompd_scope_task, none, none);
        scene.image.Set(LAY_F_rt_task_icv_tool_data, scene.implicit[2], word);
        expect(task, ompd_scope_implicit_task, word, pointer);
    } else {
        expect(task, ompd_scope_task, none, none);
    }
    EXPECT_EQ(ompd_rel_task_handle(task), ompd_rc_ok);
    EXPECT_EQ(ompd_rel_parallel_handle(region), ompd_rc_ok);
    EXPECT_EQ(ompd_rel_thread_handle(thread), ompd_rc_ok);
}

TEST_P(Answers, BeforeTheRuntimeHasStarted)
{
    scene.image.Set(LAY_F_rt_root_initialized, scene.image.root, 0);
    scene.image.Set(LAY_F_rt_root_slab_count, scene.image.root, 0);
    ompd_thread_handle_t **list;
    int count = -1;
    ASSERT_EQ(ompdx_get_all_threads(process, &list, &count), ompd_rc_ok);
    EXPECT_EQ(count, 0);
    ToolFree(list);
    ompd_thread_handle_t *thread;
    uint64_t native = scene.pthread(0);
    EXPECT_EQ(
        ompd_get_thread_handle(process, OMPD_THREAD_ID_PTHREAD, scene.image.shape.pointer, &native, &thread),
        ompd_rc_unavailable);
}

Shape Make(bool big, bool wide, unsigned pointer, bool ask)
{
    Shape shape;
    shape.big_endian = big;
    shape.wide = wide;
    shape.pointer = pointer;
    shape.ask = ask;
    return shape;
}

std::string Name(const testing::TestParamInfo<std::tuple<Shape, bool>> &info)
{
    const Shape &s = std::get<0>(info.param);
    return std::string(s.big_endian ? "Big"
                       : s.ask      ? "Middle"
                                    : "Little") +
           (s.wide ? "Wide" : "") + (s.pointer == 4 ? "32" : "64") +
           (std::get<1>(info.param) ? "Bracket" : "Fresh");
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, Answers,
    testing::Combine(testing::Values(Make(false, false, 8, false), Make(true, false, 8, false),
                                     Make(false, true, 8, false), Make(true, true, 4, false),
                                     Make(false, false, 4, false), Make(false, false, 8, true)),
                     testing::Bool()),
    Name);

} // namespace
