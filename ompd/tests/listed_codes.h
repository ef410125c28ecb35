// SPDX-License-Identifier: Apache-2.0
// The 37 routines as a table of calls, each with right arguments and with
// ways to spoil them, for the tests of the codes that omp-tools.h lists.
#ifndef OMPD_TESTS_LISTED_CODES_H
#define OMPD_TESTS_LISTED_CODES_H

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <vector>

#include "ompd/tests/image.h"

// All outputs of all routines; one call fills a few.
struct Outputs {
    ompd_address_space_handle_t *space;
    ompd_thread_handle_t *thread;
    ompd_parallel_handle_t *region;
    ompd_task_handle_t *task;
    ompd_word_t word, more_word;
    ompd_wait_id_t wait;
    const char *text;
    const char *const *vars;
    ompd_icv_id_t id;
    ompd_address_t address;
    ompd_frame_info_t exit_frame, enter_frame;
    ompd_thread_id_t *kinds;
    ompd_size_t *sizes;
    uint64_t native;
    ompd_scope_t scope;
    int number;
};

enum Sort { kNone, kSpace, kThread, kRegion, kTask };

// A process, handles of each sort, and the arguments of the next call.
struct World {
    Tool tool;
    Scene scene;
    ompd_address_space_handle_t *space = nullptr;
    ompd_thread_handle_t *thread = nullptr;
    ompd_parallel_handle_t *region = nullptr;
    ompd_task_handle_t *task = nullptr;

    ompd_thread_id_t kind = OMPD_THREAD_ID_PTHREAD;
    ompd_size_t size = 8;
    uint64_t native = scene.pthread(1);
    int number = 1;
    ompd_word_t state = ompt_state_undefined;
    ompd_icv_id_t icv = ompd_icv_undefined; // where enumeration goes on
    ompd_icv_id_t wanted = 0;               // whose value is asked for
    ompd_icv_id_t procs = 0;
    ompd_scope_t scope = ompd_scope_task;

    explicit World(ompd_word_t version)
    {
        EXPECT_EQ(ompd_initialize(version, Tool::Callbacks()), ompd_rc_ok);
        Open();
        SetIcv(version > 201811 ? "num-procs-var" : "ompd-num-procs-var");
        procs = wanted;
        SetIcv("dyn-var");
        tool.ResetCounts();
    }
    void Open()
    {
        EXPECT_EQ(ompd_process_initialize(Context(&scene.image), &space), ompd_rc_ok);
        EXPECT_EQ(ompd_get_thread_handle(space, kind, size, &native, &thread), ompd_rc_ok);
        EXPECT_EQ(ompd_get_curr_parallel_handle(thread, &region), ompd_rc_ok);
        EXPECT_EQ(ompd_get_curr_task_handle(thread, &task), ompd_rc_ok);
    }
    // The runtime is an older one, whose table has no such entry.
    void Forget(unsigned id)
    {
        for (void *handle : {(void *)thread, (void *)region, (void *)task, (void *)space})
            ToolFree(handle);
        scene.image.Entry(id).kind = LAY_ABSENT;
        scene.image.WriteTable();
        Open();
    }
    // The process's ICV that is asked for is a text of the target.
    void AskForText(bool has_it)
    {
        if (!has_it)
            Forget(LAY_F_rt_env_affinity_format);
        SetIcv("affinity-format-var");
        procs = wanted;
    }
    ~World()
    {
        tool.fail_read = tool.fail_alloc = tool.fail_symbol = tool.fail_convert = tool.fail_sizeof = {};
        for (void *handle : {(void *)thread, (void *)region, (void *)task, (void *)space})
            ToolFree(handle); // what ompd_rel_* does to memory; those routines are under test here
        (void)ompd_finalize();
        EXPECT_EQ(tool.live, 0);
    }
    World(const World &) = delete;
    World &operator=(const World &) = delete;

    void *Handle(Sort sort)
    {
        void *handles[] = {nullptr, space, thread, region, task};
        return handles[sort];
    }
    // The handle is gone. (That of a process stays until those below it are.)
    void Released(Sort sort)
    {
        if (sort == kSpace) {
            (void)ompd_rel_thread_handle(thread);
            (void)ompd_rel_parallel_handle(region);
            (void)ompd_rel_task_handle(task);
            thread = nullptr, region = nullptr, task = nullptr, space = nullptr;
            return;
        }
        void **handles[] = {nullptr, nullptr, (void **)&thread, (void **)&region, (void **)&task};
        *handles[sort] = nullptr;
    }
    void End(Sort sort)
    {
        const std::pair<unsigned, uint64_t> serials[] = {{LAY_F_rt_thread_serial, scene.thread[1]},
                                                         {LAY_F_rt_team_serial, scene.team},
                                                         {LAY_F_rt_task_serial, scene.explicit_task}};
        scene.image.Set(serials[sort - kThread].first, serials[sort - kThread].second, 99);
    }
    void SetIcv(const char *name)
    {
        const char *text;
        int more = 1;
        for (ompd_icv_id_t id = ompd_icv_undefined; more;) {
            ASSERT_EQ(ompd_enumerate_icvs(space, id, &id, &text, &scope, &more), ompd_rc_ok);
            bool found = strcmp(text, name) == 0;
            ToolFree(text);
            if (found) {
                wanted = id;
                return;
            }
        }
        FAIL() << name;
    }
};

struct Special {
    ompd_rc_t code;
    std::function<void(World &)> prepare;
};

struct Subject {
    const char *name;
    Sort sort;    // of the handle that is its first argument
    int pointers; // other arguments that must not be NULL
    bool reads;   // looks at the target
    ompd_rc_t (*call)(World &world, void *handle, Outputs &out, int null);
    void (*give_back)(Outputs &out);
    std::vector<Special> specials;
    ompd_rc_t best = ompd_rc_ok; // what right arguments get
};

// All routines but the four that need no process and ompd_rel_display_control_vars.
std::vector<Subject> Subjects();

#endif
