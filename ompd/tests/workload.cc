// SPDX-License-Identifier: Apache-2.0
#include "ompd/tests/workload.h"

#include <vector>

namespace
{

const int kMaxSteps = 64, kMaxMembers = 8, kMaxEntities = 64;

class Asker
{
  public:
    Asker(const Api &a, Outcome &o) : api(a), outcome(o) {}

    void Process(Image &image, bool bracket)
    {
        ompd_address_space_handle_t *process = nullptr;
        if (Note("ompd_process_initialize", Call(api.ompd_process_initialize, Context(&image), &process)))
            return;
        if (bracket)
            Note("ompdx_stop_begin", Call(api.ompdx_stop_begin, process));
        Space(process);
        Lists(process);
        Native(process, OMPD_THREAD_ID_PTHREAD);
        Native(process, OMPD_THREAD_ID_LWP);
        if (bracket)
            Note("ompdx_stop_end", Call(api.ompdx_stop_end, process));
        Note("ompd_rel_address_space_handle", Call(api.ompd_rel_address_space_handle, process));
    }

  private:
    const Api &api;
    Outcome &outcome;
    std::vector<std::pair<ompd_icv_id_t, ompd_scope_t>> icvs;

    int Note(const char *function, ompd_rc_t rc)
    {
        outcome.calls++;
        outcome.codes[function][rc]++;
        return rc;
    }

    void Space(ompd_address_space_handle_t *process)
    {
        ompd_word_t version;
        const char *text;
        Note("ompd_get_omp_version", Call(api.ompd_get_omp_version, process, &version));
        if (!Note("ompd_get_omp_version_string", Call(api.ompd_get_omp_version_string, process, &text)))
            ToolFree(text);
        ompdx_runtime_info_t info = {};
        info.size = sizeof info;
        Note("ompdx_get_runtime_info", Call(api.ompdx_get_runtime_info, process, &info));
        ompd_thread_id_t *kinds;
        ompd_size_t *sizes;
        int count, more = 1;
        if (!Note("ompd_get_device_thread_id_kinds",
                  Call(api.ompd_get_device_thread_id_kinds, process, &kinds, &sizes, &count))) {
            ToolFree(kinds);
            ToolFree(sizes);
        }
        ompd_address_space_handle_t *device;
        Note("ompd_device_initialize",
             Call(api.ompd_device_initialize, process, (ompd_address_space_context_t *)&count,
                  OMPD_DEVICE_KIND_CUDA, (ompd_size_t)4, (void *)&count, &device));
        const char *const *vars;
        if (!Note("ompd_get_display_control_vars", Call(api.ompd_get_display_control_vars, process, &vars)))
            Note("ompd_rel_display_control_vars", Call(api.ompd_rel_display_control_vars, &vars));
        ompd_word_t state = ompt_state_undefined, more_states = 1;
        while (more_states && !Note("ompd_enumerate_states", Call(api.ompd_enumerate_states, process, state,
                                                                  &state, &text, &more_states)))
            ToolFree(text);
        ompd_icv_id_t icv = ompd_icv_undefined;
        ompd_scope_t scope;
        while (more && !Note("ompd_enumerate_icvs",
                             Call(api.ompd_enumerate_icvs, process, icv, &icv, &text, &scope, &more))) {
            ToolFree(text);
            icvs.push_back({icv, scope});
        }
        Icvs(process, ompd_scope_global);
        Icvs(process, ompd_scope_address_space);
    }

    void Icvs(void *handle, ompd_scope_t wanted)
    {
        for (auto [icv, scope] : icvs) {
            ompd_word_t value;
            const char *text;
            if (scope != wanted)
                continue;
            Note("ompd_get_icv_from_scope", Call(api.ompd_get_icv_from_scope, handle, scope, icv, &value));
            if (Given(Note("ompd_get_icv_string_from_scope",
                           Call(api.ompd_get_icv_string_from_scope, handle, scope, icv, &text))))
                ToolFree(text);
        }
        ompd_word_t value;
        ompd_address_t pointer;
        Note("ompd_get_tool_data", Call(api.ompd_get_tool_data, handle, wanted, &value, &pointer));
    }

    void Thread(ompd_thread_handle_t *thread)
    {
        uint64_t native = 0;
        uint32_t native4;
        ompd_address_space_handle_t *device;
        ompd_word_t state;
        ompd_wait_id_t wait;
        int order;
        ompdx_thread_info_t info = {};
        info.size = sizeof info;
        if (Note("ompd_get_thread_id", Call(api.ompd_get_thread_id, thread, OMPD_THREAD_ID_PTHREAD,
                                            (ompd_size_t)8, (void *)&native)))
            Note("ompd_get_thread_id",
                 Call(api.ompd_get_thread_id, thread, OMPD_THREAD_ID_LWP, (ompd_size_t)4, (void *)&native4));
        Note("ompd_get_device_from_thread", Call(api.ompd_get_device_from_thread, thread, &device));
        Note("ompd_get_state", Call(api.ompd_get_state, thread, &state, &wait));
        Note("ompd_thread_handle_compare", Call(api.ompd_thread_handle_compare, thread, thread, &order));
        Note("ompdx_get_thread_info", Call(api.ompdx_get_thread_info, thread, &info));
        Held(thread);
        ompd_parallel_handle_t *region = nullptr;
        if (!Note("ompd_get_curr_parallel_handle", Call(api.ompd_get_curr_parallel_handle, thread, &region)))
            Regions(region);
        ompd_task_handle_t *task = nullptr;
        if (!Note("ompd_get_curr_task_handle", Call(api.ompd_get_curr_task_handle, thread, &task)))
            Generators(task);
        if (!Note("ompd_get_curr_task_handle", Call(api.ompd_get_curr_task_handle, thread, &task)))
            Schedulers(task);
    }

    // Walks to the outermost region; releases.
    void Regions(ompd_parallel_handle_t *region)
    {
        for (int i = 0; i < kMaxSteps; i++) {
            ompd_parallel_handle_t *outer = nullptr;
            int order;
            bool more = !Note("ompd_get_enclosing_parallel_handle",
                              Call(api.ompd_get_enclosing_parallel_handle, region, &outer));
            if (more)
                Note("ompd_parallel_handle_compare",
                     Call(api.ompd_parallel_handle_compare, region, outer, &order));
            Note("ompd_rel_parallel_handle", Call(api.ompd_rel_parallel_handle, region));
            if (!more)
                return;
            region = outer;
        }
        Note("ompd_rel_parallel_handle", Call(api.ompd_rel_parallel_handle, region));
    }

    void Generators(ompd_task_handle_t *task)
    {
        for (int i = 0; i < kMaxSteps; i++) {
            ompd_task_handle_t *next = nullptr;
            int order;
            bool more = !Note("ompd_get_generating_task_handle",
                              Call(api.ompd_get_generating_task_handle, task, &next));
            if (more)
                Note("ompd_task_handle_compare", Call(api.ompd_task_handle_compare, task, next, &order));
            Note("ompd_rel_task_handle", Call(api.ompd_rel_task_handle, task));
            if (!more)
                return;
            task = next;
        }
        Note("ompd_rel_task_handle", Call(api.ompd_rel_task_handle, task));
    }

    void Schedulers(ompd_task_handle_t *task)
    {
        for (int i = 0; i < kMaxSteps; i++) {
            ompd_task_handle_t *next = nullptr;
            bool more = !Note("ompd_get_scheduling_task_handle",
                              Call(api.ompd_get_scheduling_task_handle, task, &next));
            Note("ompd_rel_task_handle", Call(api.ompd_rel_task_handle, task));
            if (!more)
                return;
            task = next;
        }
        Note("ompd_rel_task_handle", Call(api.ompd_rel_task_handle, task));
    }

    void Region(ompd_parallel_handle_t *region)
    {
        ompdx_parallel_info_t info = {};
        info.size = sizeof info;
        Note("ompdx_get_parallel_info", Call(api.ompdx_get_parallel_info, region, &info));
        int *arrived, count;
        if (!Note("ompdx_get_barrier_arrivals",
                  Call(api.ompdx_get_barrier_arrivals, region, &arrived, &count)))
            ToolFree(arrived);
        for (int i = 0; i < kMaxMembers; i++) {
            ompd_thread_handle_t *thread;
            ompd_task_handle_t *task;
            if (!Note("ompd_get_thread_in_parallel",
                      Call(api.ompd_get_thread_in_parallel, region, i, &thread)))
                Note("ompd_rel_thread_handle", Call(api.ompd_rel_thread_handle, thread));
            if (!Note("ompd_get_task_in_parallel", Call(api.ompd_get_task_in_parallel, region, i, &task)))
                Note("ompd_rel_task_handle", Call(api.ompd_rel_task_handle, task));
        }
        Icvs(region, ompd_scope_parallel);
    }

    void Held(ompd_thread_handle_t *thread)
    {
        ompdx_held_t *held;
        const char *processors;
        int count;
        if (Given(Note("ompdx_get_held", Call(api.ompdx_get_held, thread, &held, &count))))
            ToolFree(held);
        if (Given(Note("ompdx_get_place", Call(api.ompdx_get_place, thread, &count, &processors))))
            ToolFree((void *)processors);
    }

    void Task(ompd_task_handle_t *task, bool icvs_too)
    {
        ompdx_task_info_t info = {};
        info.size = sizeof info;
        Note("ompdx_get_task_info", Call(api.ompdx_get_task_info, task, &info));
        ompdx_loop_info_t loop = {};
        loop.size = sizeof loop;
        Note("ompdx_get_loop_info", Call(api.ompdx_get_loop_info, task, &loop));
        uint64_t *ids;
        int count;
        if (!Note("ompdx_get_task_predecessors", Call(api.ompdx_get_task_predecessors, task, &ids, &count)))
            ToolFree(ids);
        ompd_address_t entry;
        ompd_frame_info_t exit_frame, enter_frame;
        Note("ompd_get_task_function", Call(api.ompd_get_task_function, task, &entry));
        Note("ompd_get_task_frame", Call(api.ompd_get_task_frame, task, &exit_frame, &enter_frame));
        ompd_parallel_handle_t *region;
        if (!Note("ompd_get_task_parallel_handle", Call(api.ompd_get_task_parallel_handle, task, &region)))
            Note("ompd_rel_parallel_handle", Call(api.ompd_rel_parallel_handle, region));
        if (icvs_too) {
            Icvs(task, ompd_scope_implicit_task);
            Icvs(task, ompd_scope_task);
        }
    }

    static bool Given(int rc) { return rc == ompd_rc_ok || rc == ompd_rc_incomplete; }

    void Lists(ompd_address_space_handle_t *process)
    {
        ompd_thread_handle_t **threads;
        ompd_parallel_handle_t **regions;
        ompd_task_handle_t **tasks;
        int count;
        if (Given(
                Note("ompdx_get_all_threads", Call(api.ompdx_get_all_threads, process, &threads, &count)))) {
            for (int i = 0; i < count; i++) {
                if (i < kMaxEntities)
                    Thread(threads[i]);
                Note("ompd_rel_thread_handle", Call(api.ompd_rel_thread_handle, threads[i]));
            }
            ToolFree(threads);
        }
        if (Given(Note("ompdx_get_all_parallels",
                       Call(api.ompdx_get_all_parallels, process, &regions, &count)))) {
            for (int i = 0; i < count; i++) {
                if (i < kMaxEntities)
                    Region(regions[i]);
                Note("ompd_rel_parallel_handle", Call(api.ompd_rel_parallel_handle, regions[i]));
            }
            ToolFree(regions);
        }
        if (Given(Note("ompdx_get_all_tasks", Call(api.ompdx_get_all_tasks, process, &tasks, &count)))) {
            for (int i = 0; i < count; i++) {
                if (i < kMaxEntities)
                    Task(tasks[i], i % 3 == 1); // there are many ICVs: of an implicit and of an explicit task
                Note("ompd_rel_task_handle", Call(api.ompd_rel_task_handle, tasks[i]));
            }
            ToolFree(tasks);
        }
    }

    void Native(ompd_address_space_handle_t *process, ompd_thread_id_t kind)
    {
        for (uint64_t native : {uint64_t(kind == OMPD_THREAD_ID_LWP ? 1002 : 0x7e002000), uint64_t(77)}) {
            ompd_thread_handle_t *thread;
            if (!Note("ompd_get_thread_handle", Call(api.ompd_get_thread_handle, process, kind,
                                                     (ompd_size_t)8, (const void *)&native, &thread)))
                Note("ompd_rel_thread_handle", Call(api.ompd_rel_thread_handle, thread));
        }
    }
};

} // namespace

Outcome AskEverything(const Api &api, Image &image, bool bracket)
{
    Outcome outcome;
    Asker(api, outcome).Process(image, bracket);
    return outcome;
}

void AskThreads(const Api &api, ompd_address_space_handle_t *process)
{
    ompd_thread_handle_t **threads = nullptr;
    ompd_parallel_handle_t **regions = nullptr;
    int count = 0;
    if (Call(api.ompdx_get_all_threads, process, &threads, &count) == ompd_rc_ok) {
        for (int i = 0; i < count; i++) {
            ompdx_thread_info_t info = {};
            info.size = sizeof info;
            (void)Call(api.ompdx_get_thread_info, threads[i], &info);
            ompd_word_t state;
            ompd_wait_id_t wait;
            (void)Call(api.ompd_get_state, threads[i], &state, &wait);
            ompd_task_handle_t *task;
            if (Call(api.ompd_get_curr_task_handle, threads[i], &task) == ompd_rc_ok) {
                ompdx_task_info_t task_info = {};
                task_info.size = sizeof task_info;
                (void)Call(api.ompdx_get_task_info, task, &task_info);
                (void)Call(api.ompd_rel_task_handle, task);
            }
            ompd_parallel_handle_t *region;
            if (Call(api.ompd_get_curr_parallel_handle, threads[i], &region) == ompd_rc_ok)
                (void)Call(api.ompd_rel_parallel_handle, region);
            (void)Call(api.ompd_rel_thread_handle, threads[i]);
        }
        ToolFree(threads);
    }
    if (Call(api.ompdx_get_all_parallels, process, &regions, &count) == ompd_rc_ok) {
        for (int i = 0; i < count; i++) {
            ompdx_parallel_info_t info = {};
            info.size = sizeof info;
            (void)Call(api.ompdx_get_parallel_info, regions[i], &info);
            int *arrived, arrivals;
            if (Call(api.ompdx_get_barrier_arrivals, regions[i], &arrived, &arrivals) == ompd_rc_ok)
                ToolFree(arrived);
            for (int n = 0; n < info.team_size; n++) {
                ompd_thread_handle_t *thread;
                if (Call(api.ompd_get_thread_in_parallel, regions[i], n, &thread) == ompd_rc_ok)
                    (void)Call(api.ompd_rel_thread_handle, thread);
            }
            (void)Call(api.ompd_rel_parallel_handle, regions[i]);
        }
        ToolFree(regions);
    }
}
