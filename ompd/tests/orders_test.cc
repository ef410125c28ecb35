// SPDX-License-Identifier: Apache-2.0
// Byte order and word size: the same process, laid out from runtime/layout.def for other machines, gives the
// same answers as on the native one, through the whole API, outside and inside a bracket.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>
#include <string>

#include "ompd/tests/icvs.h"
#include "ompd/tests/image.h"

namespace
{

/** All answers as text. Addresses of the target, which differ between the machines, by name. */
class Transcript
{
  public:
    explicit Transcript(const Shape &shape, bool bracket) : scene(shape)
    {
        name = {{scene.lock, "lock"},           {scene.critical, "critical"}, {scene.loop, "loop"},
                {scene.team, "team"},           {scene.ended_team, "ended"},  {scene.source, "source"},
                {scene.implicit[0], "implicit"}};
        const Image &i = scene.image;
        // An ordered loop besides what the scene has: thread 13 waits for its turn, which thread 11 has.
        scene.image.Set(LAY_F_rt_workshare_ordered_next, scene.loop, 2);
        scene.image.Set(LAY_F_rt_workshare_team, scene.loop, scene.team);
        scene.image.Set(LAY_F_rt_task_loop, scene.implicit[0], scene.loop);
        scene.image.Set(LAY_F_rt_task_loop_last, scene.implicit[0], 3);
        scene.image.State(scene.thread[2], 0x044, LAY_C_RT_WAIT_ORDERED, scene.loop);
        // Negative numbers, and such as need all of their bits.
        scene.image.Set(LAY_F_rt_task_icv_default_device, scene.implicit[1], (uint64_t)-2);
        scene.image.Set(LAY_F_rt_root_stacksize, i.root, 0x0123456789abcdef);
        Ask("ompd_initialize", ompd_initialize(202411, Tool::Callbacks()));
        Ask("ompd_process_initialize", ompd_process_initialize(Context(&scene.image), &process));
        if (bracket) {
            EXPECT_EQ(ompdx_stop_begin(process), ompd_rc_ok);
        }
        Process();
        Lists();
        if (bracket) {
            EXPECT_EQ(ompdx_stop_end(process), ompd_rc_ok);
        }
        asked.insert({"ompdx_stop_begin", "ompdx_stop_end"});
        Ask("ompd_rel_address_space_handle", ompd_rel_address_space_handle(process));
        Ask("ompd_finalize", ompd_finalize());
        EXPECT_EQ(tool.live, 0);
        EXPECT_EQ(tool.printed, "");
    }
    std::string text() const { return out.str(); }
    std::set<std::string> asked;

  private:
    Tool tool;
    Scene scene;
    std::map<uint64_t, std::string> name;
    std::ostringstream out;
    ompd_address_space_handle_t *process = nullptr;

    bool Ask(const char *function, ompd_rc_t rc)
    {
        asked.insert(function);
        out << "\n" << function << " " << rc;
        return rc == ompd_rc_ok;
    }
    template <typename... T> void Say(T... values) { ((out << " " << values), ...); }
    void Place(uint64_t address)
    {
        auto found = name.find(address);
        if (found != name.end())
            Say(found->second);
        else
            Say(address);
    }
    void Text(const char *text)
    {
        Say(text);
        ToolFree(text);
    }

    void Process()
    {
        ompd_word_t number, more = 1;
        const char *text;
        if (Ask("ompd_get_api_version", ompd_get_api_version(&number)))
            Say(number);
        if (Ask("ompd_get_version_string", ompd_get_version_string(&text)))
            Say(text);
        if (Ask("ompd_get_omp_version", ompd_get_omp_version(process, &number)))
            Say(number);
        if (Ask("ompd_get_omp_version_string", ompd_get_omp_version_string(process, &text)))
            Text(text);
        Ask("ompdx_trace", ompdx_trace(0));
        Ask("ompdx_layout_add", ompdx_layout_add(nullptr));
        ompdx_frame_rule_t *rules;
        int rule_count;
        Ask("ompdx_get_frame_rules", ompdx_get_frame_rules(process, &rules, &rule_count));
        ompdx_runtime_info_t info = {};
        info.size = sizeof info;
        if (Ask("ompdx_get_runtime_info", ompdx_get_runtime_info(process, &info)))
            Say(info.kind, info.layout_major, info.layout_minor, info.slabs, info.layout_fields);
        ompd_thread_id_t *kinds;
        ompd_size_t *sizes;
        int count;
        if (Ask("ompd_get_device_thread_id_kinds",
                ompd_get_device_thread_id_kinds(process, &kinds, &sizes, &count))) {
            for (int i = 0; i < count; i++)
                Say(kinds[i],
                    sizes[i] == scene.image.shape.pointer && i == 0 ? "pointer" : std::to_string(sizes[i]));
            ToolFree(kinds);
            ToolFree(sizes);
        }
        ompd_address_space_handle_t *device;
        Ask("ompd_device_initialize", ompd_device_initialize(process, Context(&scene.image),
                                                             OMPD_DEVICE_KIND_CUDA, 4, &count, &device));
        const char *const *vars;
        if (Ask("ompd_get_display_control_vars", ompd_get_display_control_vars(process, &vars))) {
            for (const char *const *var = vars; *var != nullptr; var++)
                Say(*var);
            Ask("ompd_rel_display_control_vars", ompd_rel_display_control_vars(&vars));
        }
        for (ompd_word_t state = ompt_state_undefined;
             more != 0 &&
             Ask("ompd_enumerate_states", ompd_enumerate_states(process, state, &state, &text, &more));
             Text(text))
            Say(state);
        asked.insert("ompd_enumerate_icvs");
        Icvs(process, {ompd_scope_global, ompd_scope_address_space});
    }

    void Icvs(void *handle, const std::set<int> &scopes)
    {
        for (const IcvRow &row : ListIcvs(process)) {
            if (scopes.count(row.scope) == 0)
                continue;
            ompd_word_t number = -1;
            const char *text = nullptr;
            Say("\n", row.name);
            const ompd_rc_t rc = ompd_get_icv_from_scope(handle, row.scope, row.id, &number);
            Ask("ompd_get_icv_from_scope", rc);
            if (rc == ompd_rc_ok || rc == ompd_rc_incomplete)
                Say(number);
            if (Ask("ompd_get_icv_string_from_scope",
                    ompd_get_icv_string_from_scope(handle, row.scope, row.id, &text)))
                Text(text);
        }
        ompd_word_t value;
        ompd_address_t pointer;
        if (Ask("ompd_get_tool_data",
                ompd_get_tool_data(handle, (ompd_scope_t)*scopes.rbegin(), &value, &pointer)))
            Say(value, pointer.address);
    }

    void Thread(ompd_thread_handle_t *thread, ompd_thread_handle_t *other)
    {
        const unsigned pointer = scene.image.shape.pointer;
        uint64_t native = 0;
        uint32_t native4 = 0, tid = 0;
        ompd_thread_handle_t *again;
        ompd_address_space_handle_t *device;
        ompd_word_t state;
        ompd_wait_id_t wait;
        int order;
        void *id = pointer == 4 ? (void *)&native4 : (void *)&native;
        if (Ask("ompd_get_thread_id", ompd_get_thread_id(thread, OMPD_THREAD_ID_PTHREAD, pointer, id)))
            Say(pointer == 4 ? native4 : native);
        if (Ask("ompd_get_thread_id", ompd_get_thread_id(thread, OMPD_THREAD_ID_LWP, 4, &tid)))
            Say(tid);
        if (Ask("ompd_get_thread_handle",
                ompd_get_thread_handle(process, OMPD_THREAD_ID_PTHREAD, pointer, id, &again))) {
            Ask("ompd_thread_handle_compare", ompd_thread_handle_compare(thread, again, &order));
            Say(order);
            Ask("ompd_rel_thread_handle", ompd_rel_thread_handle(again));
        }
        if (Ask("ompd_thread_handle_compare", ompd_thread_handle_compare(thread, other, &order)))
            Say(order);
        if (Ask("ompd_get_device_from_thread", ompd_get_device_from_thread(thread, &device)))
            Say(device == process);
        if (Ask("ompd_get_state", ompd_get_state(thread, &state, &wait))) {
            Say(state);
            Place(wait);
        }
        ompdx_thread_info_t info = {};
        info.size = sizeof info;
        if (Ask("ompdx_get_thread_info", ompdx_get_thread_info(thread, &info))) {
            Say(info.id, info.pthread, info.tid, info.kind, info.state, info.wait_kind, info.owner_kind);
            Place(info.wait_id);
            Say(info.wait_codeptr, info.wait_object, info.owner_thread, info.owner_tid, info.owner_pthread,
                info.region, info.task, info.thread_num, info.team_size, info.level, info.active_level);
        }
        ompdx_held_t *held;
        const char *processors;
        int count;
        if (Ask("ompdx_get_held", ompdx_get_held(thread, &held, &count))) {
            for (int i = 0; i < count; i++)
                Say(held[i].codeptr, held[i].kind);
            ToolFree(held);
        }
        if (Ask("ompdx_get_place", ompdx_get_place(thread, &count, &processors))) {
            Say(count);
            ToolFree((void *)processors);
        }
        ompd_parallel_handle_t *region;
        ompd_task_handle_t *task;
        if (Ask("ompd_get_curr_parallel_handle", ompd_get_curr_parallel_handle(thread, &region)))
            Give(region);
        if (Ask("ompd_get_curr_task_handle", ompd_get_curr_task_handle(thread, &task)))
            Give(task);
        Icvs(thread, {ompd_scope_thread});
    }

    void Give(ompd_parallel_handle_t *region)
    {
        ompdx_parallel_info_t info = {};
        info.size = sizeof info;
        if (Ask("ompdx_get_parallel_info", ompdx_get_parallel_info(region, &info))) {
            Say(info.id, info.parent, info.parent_task, info.function, info.codeptr);
            Place(info.source);
            Say(info.kind, info.level, info.active_level, info.team_size, info.league_size, info.team_num);
        }
        Ask("ompd_rel_parallel_handle", ompd_rel_parallel_handle(region));
    }

    void Give(ompd_task_handle_t *task)
    {
        ompdx_task_info_t info = {};
        info.size = sizeof info;
        if (Ask("ompdx_get_task_info", ompdx_get_task_info(task, &info))) {
            Say(info.id, info.region, info.generator, info.scheduled_over, info.thread, info.tid,
                info.pthread);
            Place(info.source);
            Say(info.function, info.codeptr, info.state, info.flags, info.thread_num, info.creator_thread_num,
                info.children, info.taskloop);
        }
        Ask("ompd_rel_task_handle", ompd_rel_task_handle(task));
    }

    void Region(ompd_parallel_handle_t *region, ompd_parallel_handle_t *other)
    {
        ompd_thread_handle_t *thread;
        ompd_task_handle_t *task;
        ompd_parallel_handle_t *outer;
        int *numbers, count, order;
        for (int i = 0; i < 4; i++) {
            if (Ask("ompd_get_thread_in_parallel", ompd_get_thread_in_parallel(region, i, &thread))) {
                uint32_t tid = 0;
                (void)ompd_get_thread_id(thread, OMPD_THREAD_ID_LWP, 4, &tid);
                Say(tid);
                (void)ompd_rel_thread_handle(thread);
            }
            if (Ask("ompd_get_task_in_parallel", ompd_get_task_in_parallel(region, i, &task)))
                Give(task);
        }
        if (Ask("ompdx_get_barrier_arrivals", ompdx_get_barrier_arrivals(region, &numbers, &count))) {
            for (int i = 0; i < count; i++)
                Say(numbers[i]);
            ToolFree(numbers);
        }
        if (Ask("ompd_parallel_handle_compare", ompd_parallel_handle_compare(region, other, &order)))
            Say(order);
        if (Ask("ompd_get_enclosing_parallel_handle", ompd_get_enclosing_parallel_handle(region, &outer)))
            Give(outer);
        Icvs(region, {ompd_scope_parallel});
    }

    void Task(ompd_task_handle_t *task, ompd_task_handle_t *other)
    {
        ompd_address_t entry;
        ompd_frame_info_t leave, enter;
        ompd_parallel_handle_t *region;
        ompd_task_handle_t *relative;
        uint64_t *ids;
        int count, order;
        if (Ask("ompd_get_task_function", ompd_get_task_function(task, &entry)))
            Say(entry.address);
        if (Ask("ompd_get_task_frame", ompd_get_task_frame(task, &leave, &enter)))
            Say(leave.frame_address.address, leave.frame_flag, enter.frame_address.address, enter.frame_flag);
        if (Ask("ompd_get_task_parallel_handle", ompd_get_task_parallel_handle(task, &region)))
            Give(region);
        if (Ask("ompd_get_generating_task_handle", ompd_get_generating_task_handle(task, &relative)))
            Give(relative);
        if (Ask("ompd_get_scheduling_task_handle", ompd_get_scheduling_task_handle(task, &relative)))
            Give(relative);
        ompdx_loop_info_t loop = {};
        loop.size = sizeof loop;
        if (Ask("ompdx_get_loop_info", ompdx_get_loop_info(task, &loop)))
            /* The id is where the loop's record lies: elsewhere with other widths. */
            Say(loop.id != 0, loop.schedule, loop.flags, loop.iterations, loop.left, loop.hand_count,
                loop.share);
        if (Ask("ompdx_get_task_predecessors", ompdx_get_task_predecessors(task, &ids, &count))) {
            for (int i = 0; i < count; i++)
                Say(ids[i]);
            ToolFree(ids);
        }
        if (Ask("ompd_task_handle_compare", ompd_task_handle_compare(task, other, &order)))
            Say(order);
        Icvs(task, {ompd_scope_implicit_task, ompd_scope_task});
    }

    void Lists()
    {
        ompd_thread_handle_t **threads;
        ompd_parallel_handle_t **regions;
        ompd_task_handle_t **tasks;
        int count;
        ASSERT_TRUE(Ask("ompdx_get_all_threads", ompdx_get_all_threads(process, &threads, &count)));
        for (int i = 0; i < count; i++)
            Thread(threads[i], threads[count - 1 - i]);
        for (int i = 0; i < count; i++)
            (void)ompd_rel_thread_handle(threads[i]);
        ToolFree(threads);
        ASSERT_TRUE(Ask("ompdx_get_all_parallels", ompdx_get_all_parallels(process, &regions, &count)));
        for (int i = 0; i < count; i++)
            Region(regions[i], regions[count - 1 - i]);
        for (int i = 0; i < count; i++)
            Give(regions[i]);
        ToolFree(regions);
        ASSERT_TRUE(Ask("ompdx_get_all_tasks", ompdx_get_all_tasks(process, &tasks, &count)));
        for (int i = 0; i < count; i++)
            Task(tasks[i], tasks[count - 1 - i]);
        for (int i = 0; i < count; i++)
            Give(tasks[i]);
        ToolFree(tasks);
    }
};

Shape Machine(bool big_endian, unsigned pointer)
{
    Shape shape;
    shape.natural = true;
    shape.big_endian = big_endian;
    shape.pointer = pointer;
    return shape;
}

void SameAsNative(const Shape &shape)
{
    for (bool bracket : {false, true}) {
        const Transcript native(Machine(false, 8), bracket), other(shape, bracket);
        EXPECT_EQ(native.text(), other.text());
        EXPECT_GT(native.text().size(), 5000u);
    }
}

TEST(Orders, TheTranscriptIsOfTheWholeApi)
{
    const Transcript native(Machine(false, 8), false);
    const std::set<std::string> all = {
#define X(name) #name,
#include "ompd/tests/api_list.def"
#undef X
    };
    EXPECT_EQ(native.asked, all);
    for (const char *truth : {"wait", "lock", "8,4,2", "Companion 9.8", "81985529216486895"})
        EXPECT_NE(native.text().find(truth), std::string::npos) << truth;
}

TEST(Orders, BigEndian64)
{
    SameAsNative(Machine(true, 8));
}

TEST(Orders, LittleEndian32)
{
    SameAsNative(Machine(false, 4));
}

TEST(Orders, BigEndian32)
{
    SameAsNative(Machine(true, 4));
}

TEST(Orders, MiddleEndian)
{
    Shape shape = Machine(false, 8);
    shape.ask = true; // device_to_host neither copies nor swaps: it is asked for each number
    SameAsNative(shape);
}

} // namespace
