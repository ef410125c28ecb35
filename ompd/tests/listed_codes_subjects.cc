// SPDX-License-Identifier: Apache-2.0
#include "ompd/tests/listed_codes.h"

namespace
{

// The K-th pointer argument, NULL when it is its turn.
template <typename T> T *P(int k, int null, T *pointer)
{
    return k == null ? nullptr : pointer;
}

void Nothing(Outputs &) {}
void Text(Outputs &out)
{
    ToolFree(out.text);
}
void GiveThread(Outputs &out)
{
    EXPECT_EQ(ompd_rel_thread_handle(out.thread), ompd_rc_ok);
}
void GiveRegion(Outputs &out)
{
    EXPECT_EQ(ompd_rel_parallel_handle(out.region), ompd_rc_ok);
}
void GiveTask(Outputs &out)
{
    EXPECT_EQ(ompd_rel_task_handle(out.task), ompd_rc_ok);
}

#define CALL(...)                                           \
    [](World &w, void *h, Outputs &o, int n) -> ompd_rc_t { \
        (void)w;                                            \
        (void)h;                                            \
        (void)o;                                            \
        (void)n;                                            \
        return __VA_ARGS__;                                 \
    }
#define SPACE  ((ompd_address_space_handle_t *)h)
#define THREAD ((ompd_thread_handle_t *)h)
#define REGION ((ompd_parallel_handle_t *)h)
#define TASK   ((ompd_task_handle_t *)h)

// A field of the scene, or an argument, that makes for another answer.
#define WHEN(...)           \
    [](World &w) {          \
        Scene &s = w.scene; \
        Image &i = s.image; \
        (void)s;            \
        (void)i;            \
        __VA_ARGS__;        \
    }

const ompd_rc_t kUnavailable = ompd_rc_unavailable, kBad = ompd_rc_bad_input;

} // namespace

std::vector<Subject> Subjects()
{
    return {
        {"ompd_process_initialize",
         kNone,
         2,
         true,
         CALL(ompd_process_initialize(P(0, n, Context(&w.scene.image)), P(1, n, &o.space))),
         [](Outputs &o) { EXPECT_EQ(ompd_rel_address_space_handle(o.space), ompd_rc_ok); },
         {{kUnavailable, WHEN(memset(i.Bytes(i.table), 0, 8))},
          {ompd_rc_incompatible, WHEN(i.Put(i.table + 8, 2, 2))},
          {ompd_rc_incompatible, WHEN(w.tool.tool_has_symbol = false)},
          {ompd_rc_stale_handle, WHEN(w.tool.fail_sizeof = {1, ompd_rc_stale_handle, false})},
          {ompd_rc_stale_handle, WHEN(w.tool.fail_convert = {1, ompd_rc_stale_handle, false})},
          {ompd_rc_stale_handle, WHEN(w.tool.fail_symbol = {1, ompd_rc_stale_handle, false})}}},
        {"ompd_device_initialize",
         kSpace,
         3,
         false,
         CALL(ompd_device_initialize(SPACE, P(0, n, Context(&w.scene.image)), OMPD_DEVICE_KIND_CUDA, 8,
                                     P(1, n, &w.native), P(2, n, &o.space))),
         Nothing,
         {},
         ompd_rc_unsupported},
        {"ompd_rel_address_space_handle",
         kSpace,
         0,
         false,
         CALL(ompd_rel_address_space_handle(SPACE)),
         Nothing,
         {}},
        {"ompd_get_device_thread_id_kinds",
         kSpace,
         3,
         false,
         CALL(ompd_get_device_thread_id_kinds(SPACE, P(0, n, &o.kinds), P(1, n, &o.sizes),
                                              P(2, n, &o.number))),
         [](Outputs &o) {
             ToolFree(o.kinds);
             ToolFree(o.sizes);
         },
         {}},
        {"ompd_get_omp_version",
         kSpace,
         1,
         true,
         CALL(ompd_get_omp_version(SPACE, P(0, n, &o.word))),
         Nothing,
         {{kUnavailable, WHEN(i.Set(LAY_F_rt_root_openmp_version, i.root, 0))}}},
        {"ompd_get_omp_version_string",
         kSpace,
         1,
         true,
         CALL(ompd_get_omp_version_string(SPACE, P(0, n, &o.text))),
         Text,
         {{kUnavailable, WHEN(i.Set(LAY_F_rt_root_version_string, i.root, 0))}}},
        {"ompd_get_thread_in_parallel",
         kRegion,
         1,
         true,
         CALL(ompd_get_thread_in_parallel(REGION, w.number, P(0, n, &o.thread))),
         GiveThread,
         {{kUnavailable, WHEN(i.Member(s.team, 1, 0, 0))},
          {kBad, WHEN(w.number = -1)},
          {kBad, WHEN(w.number = 3)}}},
        {"ompd_get_thread_handle",
         kSpace,
         2,
         true,
         CALL(ompd_get_thread_handle(SPACE, w.kind, w.size, P(0, n, &w.native), P(1, n, &o.thread))),
         GiveThread,
         {{kUnavailable, WHEN(w.native = 77)},
          {kUnavailable, WHEN(w.native = 0x7e009000)}, // has ended
          {kUnavailable, WHEN(w.native = 0)},
          {ompd_rc_unsupported, WHEN(w.kind = OMPD_THREAD_ID_WINTHREAD)},
          {ompd_rc_unsupported, WHEN(w.kind = OMPD_THREAD_ID_CUDALOGICAL; w.size = 128)},
          {kBad, WHEN(w.size = 4)},
          {kBad, WHEN(w.kind = OMPD_THREAD_ID_LWP; w.size = 2)}}},
        {"ompd_rel_thread_handle", kThread, 0, false, CALL(ompd_rel_thread_handle(THREAD)), Nothing, {}},
        {"ompd_thread_handle_compare",
         kThread,
         1,
         false,
         CALL(ompd_thread_handle_compare(THREAD, w.thread, P(0, n, &o.number))),
         Nothing,
         {}},
        {"ompd_get_thread_id",
         kThread,
         1,
         true,
         CALL(ompd_get_thread_id(THREAD, w.kind, w.size, P(0, n, &o.native))),
         Nothing,
         {{ompd_rc_unsupported, WHEN(w.kind = OMPD_THREAD_ID_WINTHREAD)},
          {kBad, WHEN(w.size = 4)},
          {kBad, WHEN(w.kind = OMPD_THREAD_ID_LWP; w.size = 16)}}},
        {"ompd_get_device_from_thread",
         kThread,
         1,
         true,
         CALL(ompd_get_device_from_thread(THREAD, P(0, n, &o.space))),
         Nothing,
         {}},
        {"ompd_get_curr_parallel_handle",
         kThread,
         1,
         true,
         CALL(ompd_get_curr_parallel_handle(THREAD, P(0, n, &o.region))),
         GiveRegion,
         {{kUnavailable, WHEN(i.Set(LAY_F_rt_thread_cur_task, s.thread[1], 0))}}},
        {"ompd_get_enclosing_parallel_handle",
         kRegion,
         1,
         true,
         CALL(ompd_get_enclosing_parallel_handle(REGION, P(0, n, &o.region))),
         GiveRegion,
         {{kUnavailable, WHEN(i.Set(LAY_F_rt_team_parent_task, s.team, 0))}}},
        {"ompd_get_task_parallel_handle",
         kTask,
         1,
         true,
         CALL(ompd_get_task_parallel_handle(TASK, P(0, n, &o.region))),
         GiveRegion,
         {}},
        {"ompd_rel_parallel_handle", kRegion, 0, false, CALL(ompd_rel_parallel_handle(REGION)), Nothing, {}},
        {"ompd_parallel_handle_compare",
         kRegion,
         1,
         false,
         CALL(ompd_parallel_handle_compare(REGION, w.region, P(0, n, &o.number))),
         Nothing,
         {}},
        {"ompd_get_curr_task_handle",
         kThread,
         1,
         true,
         CALL(ompd_get_curr_task_handle(THREAD, P(0, n, &o.task))),
         GiveTask,
         {{kUnavailable, WHEN(i.Set(LAY_F_rt_thread_cur_task, s.thread[1], 0))}}},
        {"ompd_get_generating_task_handle",
         kTask,
         1,
         true,
         CALL(ompd_get_generating_task_handle(TASK, P(0, n, &o.task))),
         GiveTask,
         {{kUnavailable, WHEN(i.Set(LAY_F_rt_task_parent, s.explicit_task, 0))}}},
        {"ompd_get_scheduling_task_handle",
         kTask,
         1,
         true,
         CALL(ompd_get_scheduling_task_handle(TASK, P(0, n, &o.task))),
         GiveTask,
         {{kUnavailable, WHEN(i.Set(LAY_F_rt_task_sched_parent, s.explicit_task, 0))},
          {kUnavailable, WHEN(i.Set(LAY_F_rt_task_flags, s.explicit_task, i.Const(LAY_C_RT_TASK_IMPLICIT)))},
          // It waits for its event, off the stack.
          {kUnavailable, WHEN(i.Set(LAY_F_rt_task_state, s.explicit_task, i.Const(LAY_C_RT_TS_DETACHED));
                              i.Set(LAY_F_rt_thread_cur_task, s.thread[1], s.implicit[1]))}}},
        {"ompd_get_task_in_parallel",
         kRegion,
         1,
         true,
         CALL(ompd_get_task_in_parallel(REGION, w.number, P(0, n, &o.task))),
         GiveTask,
         {{kUnavailable, WHEN(i.Member(s.team, 1, 0, s.thread[1]))},
          {kBad, WHEN(w.number = -1)},
          {kBad, WHEN(w.number = 3)}}},
        {"ompd_rel_task_handle", kTask, 0, false, CALL(ompd_rel_task_handle(TASK)), Nothing, {}},
        {"ompd_task_handle_compare",
         kTask,
         1,
         false,
         CALL(ompd_task_handle_compare(TASK, w.task, P(0, n, &o.number))),
         Nothing,
         {}},
        {"ompd_get_task_function",
         kTask,
         1,
         true,
         CALL(ompd_get_task_function(TASK, P(0, n, &o.address))),
         Nothing,
         {{kUnavailable, WHEN(i.Set(LAY_F_rt_task_fn, s.explicit_task, 0))}}},
        {"ompd_get_task_frame",
         kTask,
         2,
         true,
         CALL(ompd_get_task_frame(TASK, P(0, n, &o.exit_frame), P(1, n, &o.enter_frame))),
         Nothing,
         {}},
        {"ompd_enumerate_states",
         kSpace,
         3,
         false,
         CALL(ompd_enumerate_states(SPACE, w.state, P(0, n, &o.word), P(1, n, &o.text),
                                    P(2, n, &o.more_word))),
         Text,
         {{kBad, WHEN(w.state = 0x999)}, {kBad, WHEN(w.state = ompt_state_overhead)}}},
        {"ompd_get_state",
         kThread,
         1,
         true,
         CALL(ompd_get_state(THREAD, P(0, n, &o.word), &o.wait)),
         Nothing,
         {}},
        {"ompd_get_display_control_vars",
         kSpace,
         1,
         true,
         CALL(ompd_get_display_control_vars(SPACE, P(0, n, &o.vars))),
         [](Outputs &o) { EXPECT_EQ(ompd_rel_display_control_vars(&o.vars), ompd_rc_ok); },
         {{kUnavailable, WHEN(i.Set(LAY_F_rt_root_initialized, i.root, 0))}}},
        {"ompd_enumerate_icvs",
         kSpace,
         4,
         false,
         CALL(ompd_enumerate_icvs(SPACE, w.icv, P(0, n, &o.id), P(1, n, &o.text), P(2, n, &o.scope),
                                  P(3, n, &o.number))),
         Text,
         {{kBad, WHEN(w.icv = 4000)}, {kBad, WHEN(w.icv = ~0ull)}}},
        {"ompd_get_icv_from_scope",
         kTask,
         1,
         true,
         CALL(ompd_get_icv_from_scope(h, w.scope, w.wanted, P(0, n, &o.word))),
         Nothing,
         {{ompd_rc_incomplete, WHEN(w.SetIcv("nthreads-var"))},
          {ompd_rc_incompatible, WHEN(w.scope = ompd_scope_parallel)},
          {ompd_rc_incompatible, WHEN(w.wanted = w.procs)},
          {kBad, WHEN(w.wanted = 0)},
          {kBad, WHEN(w.wanted = 4000)}}},
        {"ompd_get_icv_string_from_scope",
         kTask,
         1,
         true,
         CALL(ompd_get_icv_string_from_scope(h, w.scope, w.wanted, P(0, n, &o.text))),
         Text,
         {{ompd_rc_incomplete, WHEN(w.SetIcv("nthreads-var"); // OMP_NUM_THREADS with 1001 items
                                    i.Set(LAY_F_rt_task_icv_nthreads_rest, s.explicit_task, i.Raw(8000));
                                    i.Set(LAY_F_rt_task_icv_nthreads_rest_count, s.explicit_task, 1000))},
          {ompd_rc_incompatible, WHEN(w.scope = ompd_scope_parallel)},
          {ompd_rc_incompatible, WHEN(w.wanted = w.procs)},
          {kBad, WHEN(w.wanted = 0)},
          {kBad, WHEN(w.wanted = 4000)}}},
        {"ompd_get_icv_from_scope",
         kSpace,
         1,
         true,
         CALL(ompd_get_icv_from_scope(h, ompd_scope_address_space, w.procs, P(0, n, &o.word))),
         Nothing,
         {{kUnavailable, WHEN(i.Set(LAY_F_rt_root_initialized, i.root, 0))},
          {ompd_rc_incompatible, WHEN(w.AskForText(true))},
          {ompd_rc_unsupported, WHEN(w.AskForText(false))}}},
        {"ompd_get_icv_string_from_scope",
         kSpace,
         1,
         true,
         CALL(ompd_get_icv_string_from_scope(h, ompd_scope_address_space, w.procs, P(0, n, &o.text))),
         Text,
         {{kUnavailable, WHEN(i.Set(LAY_F_rt_root_initialized, i.root, 0))},
          {ompd_rc_unsupported, WHEN(w.AskForText(false))},
          {ompd_rc_incomplete, WHEN(w.AskForText(true); i.EndlessFormat())}}},
        {"ompd_get_tool_data",
         kTask,
         2,
         true,
         CALL(ompd_get_tool_data(h, w.scope, P(0, n, &o.word), P(1, n, &o.address))),
         Nothing,
         {{kBad, WHEN(w.scope = (ompd_scope_t)9)},
          {kBad, WHEN(w.scope = (ompd_scope_t)0)},
          {ompd_rc_unsupported, WHEN(w.Forget(LAY_F_rt_task_icv_tool_data))},
          {ompd_rc_incompatible_handle, WHEN(w.scope = ompd_scope_thread)}}},
    };
}
