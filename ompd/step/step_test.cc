// SPDX-License-Identifier: Apache-2.0
// No torn answer: after every single instruction of a fork-join, a nested fork, a lock wait, tasks and a
// barrier, with the threads' order decided by a seed, libompd is asked everything; each answer must be legal
// for that moment.
//
// What is legal is said here without libompd's help: by the program's own structure (which regions and tasks
// it can have, in which order a thread passes through them) and by the address of its lock.
//
// STEP_SEEDS (default 10): how many orders per case; the count of steps is printed.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <string.h>

#include <cstdlib>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <set>

#include "omp-tools.h"
#include "ompdx.h"
#include "tracer.h"

namespace
{

std::string target_path, runtime_path;
Tracer *tracer;
uint64_t table_address;

// ---- the callbacks of a debugger --------------------------------------------------------------------------
ompd_rc_t alloc_memory(ompd_size_t bytes, void **ret)
{
    *ret = malloc(bytes);
    return *ret ? ompd_rc_ok : ompd_rc_nomem;
}
ompd_rc_t free_memory(void *ptr)
{
    free(ptr);
    return ompd_rc_ok;
}
ompd_rc_t print_string(const char *text, int)
{
    fprintf(stderr, "libompd: %s\n", text);
    return ompd_rc_ok;
}
ompd_rc_t sizeof_type(ompd_address_space_context_t *, ompd_device_type_sizes_t *sizes)
{
    *sizes = {1, 2, 4, 8, 8, 8};
    return ompd_rc_ok;
}
ompd_rc_t lookup(ompd_address_space_context_t *, ompd_thread_context_t *, const char *name,
                 ompd_address_t *ret, const char *)
{
    if (strcmp(name, "rt_layout_table") != 0)
        return ompd_rc_error;
    *ret = {0, table_address};
    return ompd_rc_ok;
}
ompd_rc_t read_memory(ompd_address_space_context_t *, ompd_thread_context_t *, const ompd_address_t *address,
                      ompd_size_t bytes, void *buffer)
{
    return tracer->read(address->address, buffer, bytes) ? ompd_rc_ok : ompd_rc_error;
}
ompd_rc_t write_memory(ompd_address_space_context_t *, ompd_thread_context_t *, const ompd_address_t *,
                       ompd_size_t, const void *)
{
    ADD_FAILURE() << "libompd wrote to the target";
    return ompd_rc_error;
}
ompd_rc_t convert(ompd_address_space_context_t *, const void *in, ompd_size_t unit, ompd_size_t count,
                  void *out)
{
    memmove(out, in, unit * count);
    return ompd_rc_ok;
}
ompd_rc_t thread_context(ompd_address_space_context_t *, ompd_thread_id_t, ompd_size_t, const void *,
                         ompd_thread_context_t **ret)
{
    *ret = reinterpret_cast<ompd_thread_context_t *>(1);
    return ompd_rc_ok;
}
const ompd_callbacks_t callbacks = {alloc_memory, free_memory, print_string,  sizeof_type,
                                    lookup,       read_memory, write_memory,  read_memory,
                                    convert,      convert,     thread_context};

// ---- legality ---------------------------------------------------------------------------------------------
struct Rules {
    const char *name;
    int max_level;      // deepest region
    int max_team;       // largest team
    int explicit_tasks; // at most so many at once
};
const Rules rules[] = {{"fork_join", 1, 2, 0},    {"nested_fork", 2, 2, 0}, {"serialised", 1, 1, 0},
                       {"lock_wait", 1, 2, 0},    {"tasks", 1, 2, 3},       {"barrier", 1, 2, 0},
                       {"narrower", 1, 3, 0},     {"taken", 2, 2, 0},       {"tasks_at_once", 1, 1, 2},
                       {"barrier_tasks", 1, 2, 1}};

/** What a thread showed last, to judge the next. */
struct Seen {
    int level = -1; // -1: idle
    uint64_t region = 0, task = 0;
    std::set<uint64_t> regions_left;
};

struct Judge {
    const Rules &rule;
    ompd_address_space_handle_t *space;
    uint64_t lock, coming;
    std::map<pid_t, Seen> seen;
    uint64_t questions = 0, unbegun = 0, arrivals = 0;
    std::map<uint64_t, uint64_t> home = {}; // task -> its region: for ever the same

    void thread(const Tracer::Thread &native)
    {
        ompd_thread_handle_t *handle;
        ASSERT_EQ(ompd_get_thread_handle(space, OMPD_THREAD_ID_PTHREAD, 8, &native.pthread, &handle),
                  ompd_rc_ok);
        ompdx_thread_info_t info;
        memset(&info, 0, sizeof info);
        info.size = sizeof info;
        ASSERT_EQ(ompdx_get_thread_info(handle, &info), ompd_rc_ok);
        EXPECT_EQ(info.tid, native.tid);
        ompd_word_t state;
        ompd_wait_id_t wait_id = 0;
        ASSERT_EQ(ompd_get_state(handle, &state, &wait_id), ompd_rc_ok);
        EXPECT_EQ(state, info.state);
        ompd_parallel_handle_t *region = nullptr;
        ompd_task_handle_t *task = nullptr;
        ompd_rc_t region_rc = ompd_get_curr_parallel_handle(handle, &region);
        ompd_rc_t task_rc = ompd_get_curr_task_handle(handle, &task);
        ASSERT_EQ(region_rc, task_rc) << "a region without a task, or the other way round";
        Seen &last = seen[native.tid];
        if (region_rc != ompd_rc_ok) {
            ASSERT_EQ(region_rc, ompd_rc_unavailable);
            EXPECT_EQ(state, ompt_state_idle);
            EXPECT_NE(native.tid, tracer->pid()) << "the primary thread is never idle";
            left(last, 0, -1);
            last.level = -1;
        } else {
            place(handle, region, task, state, last);
            ompd_rel_parallel_handle(region);
            ompd_rel_task_handle(task);
        }
        waiting(state, info);
        ompd_rel_thread_handle(handle);
        questions++;
    }

    /** A region that a thread has left, for one that is not inside it, never comes back. */
    void left(Seen &last, uint64_t now, int level)
    {
        if (last.region != 0 && last.region != now && last.level > 0 && level <= last.level)
            last.regions_left.insert(last.region);
        EXPECT_EQ(last.regions_left.count(now), 0u) << "region " << now << " was left before";
        last.region = now;
    }

    void place(ompd_thread_handle_t *, ompd_parallel_handle_t *region, ompd_task_handle_t *task,
               ompd_word_t state, Seen &last)
    {
        ompdx_parallel_info_t parallel;
        memset(&parallel, 0, sizeof parallel);
        parallel.size = sizeof parallel;
        ASSERT_EQ(ompdx_get_parallel_info(region, &parallel), ompd_rc_ok);
        ompdx_task_info_t info;
        memset(&info, 0, sizeof info);
        info.size = sizeof info;
        ASSERT_EQ(ompdx_get_task_info(task, &info), ompd_rc_ok);
        EXPECT_GE(parallel.level, 0);
        EXPECT_LE(parallel.level, rule.max_level);
        EXPECT_EQ(parallel.level == 0, parallel.kind == ompd_generator_program);
        EXPECT_GE(parallel.team_size, 1);
        EXPECT_LE(parallel.team_size, parallel.level == 0 ? 1 : rule.max_team);
        EXPECT_GE(info.thread_num, 0);
        EXPECT_EQ(home.emplace(info.id, info.region).first->second, info.region) << "task " << info.id;
        if (info.region == parallel.id) {
            EXPECT_LT(info.thread_num, parallel.team_size);
        } else {
            // Beginning or ending: the encountering task is current, the region is the inner one.
            EXPECT_EQ(info.region, parallel.parent);
            EXPECT_EQ(state, ompt_state_overhead);
        }
        if (last.level >= 0) {
            int change = parallel.level - last.level;
            EXPECT_TRUE(change >= -1 && change <= 1)
                << "from level " << last.level << " to " << parallel.level;
        }
        left(last, parallel.id, parallel.level);
        last.level = parallel.level;
        last.task = info.id;
        // The nest: exactly `level` enclosing regions.
        int depth = 0;
        ompd_parallel_handle_t *outer = nullptr, *inner = region;
        while (ompd_get_enclosing_parallel_handle(inner, &outer) == ompd_rc_ok) {
            if (inner != region)
                ompd_rel_parallel_handle(inner);
            inner = outer;
            ASSERT_LE(++depth, rule.max_level);
        }
        if (inner != region)
            ompd_rel_parallel_handle(inner);
        EXPECT_EQ(depth, parallel.level);
        ompd_frame_info_t exit_frame, enter_frame;
        EXPECT_EQ(ompd_get_task_frame(task, &exit_frame, &enter_frame), ompd_rc_ok);
        // The stack grows down: a runtime frame entered from the task's code is deeper than the one that
        // called it.
        if (exit_frame.frame_address.address != 0 && enter_frame.frame_address.address != 0) {
            EXPECT_LT(enter_frame.frame_address.address, exit_frame.frame_address.address);
        }
    }

    void waiting(ompd_word_t state, const ompdx_thread_info_t &info)
    {
        switch (state) {
        case ompt_state_work_serial:
        case ompt_state_work_parallel:
        case ompt_state_overhead:
        case ompt_state_idle:
            EXPECT_EQ(info.wait_kind, ompdx_wait_none);
            EXPECT_EQ(info.wait_id, 0u);
            break;
        case ompt_state_wait_lock:
            EXPECT_STREQ(rule.name, "lock_wait");
            EXPECT_EQ(info.wait_kind, ompdx_wait_lock);
            EXPECT_EQ(info.wait_id, lock);
            if (info.owner_kind == ompdx_owner_thread)
                EXPECT_EQ(seen.count(static_cast<pid_t>(info.owner_tid)), 1u);
            else
                EXPECT_EQ(info.owner_kind, ompdx_owner_none);
            break;
        case ompt_state_wait_barrier: // gcc's calls do not tell which one it is
        case ompt_state_wait_barrier_explicit:
            EXPECT_EQ(strncmp(rule.name, "barrier", 7), 0);
            EXPECT_EQ(info.wait_kind, ompdx_wait_barrier);
            EXPECT_NE(info.wait_object, 0u);
            break;
        case ompt_state_wait_barrier_implicit_workshare:
            EXPECT_STREQ(rule.name, "tasks");
            EXPECT_EQ(info.wait_kind, ompdx_wait_barrier);
            break;
        case ompt_state_wait_barrier_implicit_parallel:
            EXPECT_EQ(info.wait_kind, ompdx_wait_barrier);
            EXPECT_GT(info.team_size, 1);
            break;
        case ompt_state_wait_taskwait:
            EXPECT_STREQ(rule.name, "tasks");
            EXPECT_EQ(info.wait_kind, ompdx_wait_taskwait);
            break;
        default:
            ADD_FAILURE() << "state " << state << " cannot occur in " << rule.name;
        }
    }

    /**
     * Who has arrived at a barrier has said before that it comes, as often as the one that waits there. (A
     * waiter that is not among those is about to leave, or is not counted yet.)
     */
    void barrier(const std::vector<Tracer::Thread> &natives)
    {
        int announced[2] = {};
        if (strncmp(rule.name, "barrier", 7) != 0)
            return;
        ASSERT_TRUE(tracer->read(coming, announced, sizeof announced));
        for (const Tracer::Thread &native : natives) {
            ompd_thread_handle_t *handle;
            ompd_parallel_handle_t *region;
            ompdx_thread_info_t info;
            memset(&info, 0, sizeof info);
            info.size = sizeof info;
            ASSERT_EQ(ompd_get_thread_handle(space, OMPD_THREAD_ID_PTHREAD, 8, &native.pthread, &handle),
                      ompd_rc_ok);
            ASSERT_EQ(ompdx_get_thread_info(handle, &info), ompd_rc_ok);
            if (info.wait_kind == ompdx_wait_barrier && info.team_size == 2 &&
                ompd_get_curr_parallel_handle(handle, &region) == ompd_rc_ok) {
                int *numbers = nullptr, count = 0;
                ASSERT_EQ(ompdx_get_barrier_arrivals(region, &numbers, &count), ompd_rc_ok);
                const std::set<int> arrived(numbers, numbers + count);
                if (arrived.count(info.thread_num) != 0) {
                    for (int member : arrived)
                        EXPECT_GE(announced[member], announced[info.thread_num])
                            << "thread " << member << " has arrived, it is said, where thread "
                            << info.thread_num << " waits";
                    arrivals++;
                }
                free(numbers);
                ompd_rel_parallel_handle(region);
            }
            ompd_rel_thread_handle(handle);
        }
    }

    /**
     * A region has all its implicit tasks from its begin to its end; `listed` are those of the list of all
     * tasks.
     */
    void members(std::set<uint64_t> listed)
    {
        ompd_parallel_handle_t **regions;
        int count;
        ASSERT_EQ(ompdx_get_all_parallels(space, &regions, &count), ompd_rc_ok);
        for (int i = 0; i < count; i++) {
            ompdx_parallel_info_t region;
            memset(&region, 0, sizeof region);
            region.size = sizeof region;
            ASSERT_EQ(ompdx_get_parallel_info(regions[i], &region), ompd_rc_ok);
            for (int n = 0; n < region.team_size; n++) {
                ompd_task_handle_t *task;
                ompd_frame_info_t exit_frame, enter_frame;
                ompdx_task_info_t info;
                memset(&info, 0, sizeof info);
                info.size = sizeof info;
                ASSERT_EQ(ompd_get_task_in_parallel(regions[i], n, &task), ompd_rc_ok)
                    << "member " << n << " of region " << region.id;
                ASSERT_EQ(ompdx_get_task_info(task, &info), ompd_rc_ok);
                EXPECT_EQ(info.region, region.id);
                EXPECT_EQ(info.thread_num, n);
                EXPECT_EQ(info.function, region.function);
                EXPECT_EQ(info.generator, region.parent_task);
                EXPECT_EQ(listed.erase(info.id), 1u) << "task " << info.id;
                ASSERT_EQ(ompd_get_task_frame(task, &exit_frame, &enter_frame), ompd_rc_ok);
                if (info.state == ompdx_task_created) {
                    EXPECT_EQ(info.thread, 0u);
                    EXPECT_EQ(exit_frame.frame_address.address, 0u);
                    EXPECT_EQ(enter_frame.frame_address.address, 0u);
                    unbegun++;
                }
                ompd_rel_task_handle(task);
            }
            ompd_rel_parallel_handle(regions[i]);
        }
        free(regions);
        EXPECT_TRUE(listed.empty()) << "task " << *listed.begin() << " is no member's";
        questions++;
    }

    void all_tasks()
    {
        ompd_task_handle_t **handles;
        std::set<uint64_t> implicit;
        int count, explicits = 0;
        ASSERT_EQ(ompdx_get_all_tasks(space, &handles, &count), ompd_rc_ok);
        uint64_t before = 0;
        for (int i = 0; i < count; i++) {
            ompdx_task_info_t info;
            memset(&info, 0, sizeof info);
            info.size = sizeof info;
            ASSERT_EQ(ompdx_get_task_info(handles[i], &info), ompd_rc_ok);
            EXPECT_GT(info.id, before);
            before = info.id;
            EXPECT_GE(info.state, ompdx_task_created);
            EXPECT_LE(info.state, ompdx_task_completing);
            EXPECT_NE(info.region, 0u);
            EXPECT_EQ(home.emplace(info.id, info.region).first->second, info.region) << "task " << info.id;
            EXPECT_EQ(info.generator == 0, (info.flags & ompt_task_initial) != 0);
            if (info.flags & ompt_task_explicit)
                explicits++;
            else
                implicit.insert(info.id);
            ompd_rel_task_handle(handles[i]);
        }
        free(handles);
        EXPECT_LE(explicits, rule.explicit_tasks);
        questions++;
        members(implicit);
    }
};

class Step : public testing::TestWithParam<int>
{
};

uint64_t address_of(const Tracer &process, const std::string &name)
{
    const std::string line = "ADDRESS " + name + " ";
    const size_t at = process.output().find(line);
    EXPECT_NE(at, std::string::npos) << name;
    return at == std::string::npos ? 0 : strtoull(process.output().c_str() + at + line.size(), nullptr, 16);
}

TEST_P(Step, EveryAnswerIsLegal)
{
    const Rules &rule = rules[GetParam()];
    int seeds = getenv("STEP_SEEDS") ? atoi(getenv("STEP_SEEDS")) : 10;
    uint64_t steps = 0, questions = 0;
    for (int seed = 1; seed <= seeds; seed++) {
        Tracer process({target_path, rule.name});
        tracer = &process;
        void *library = dlopen(runtime_path.c_str(), RTLD_NOW | RTLD_LOCAL);
        ASSERT_NE(library, nullptr) << dlerror();
        Dl_info where;
        void *table = dlsym(library, "rt_layout_table");
        ASSERT_TRUE(table != nullptr && dladdr(table, &where));
        uint64_t base = process.base_of("libompcompanion.so.1.0.0");
        ASSERT_NE(base, 0u);
        table_address = base + (static_cast<char *>(table) - static_cast<char *>(where.dli_fbase));
        ompd_address_space_handle_t *space;
        ASSERT_EQ(ompd_process_initialize(reinterpret_cast<ompd_address_space_context_t *>(1), &space),
                  ompd_rc_ok);

        Judge judge{rule, space, address_of(process, "lock"), address_of(process, "coming"), {}, 0, 0, 0, {}};
        for (const Tracer::Thread &thread : process.threads())
            judge.seen[thread.tid];
        std::mt19937 random(static_cast<uint32_t>(seed));
        for (bool finished = false; !finished;) {
            int index = process.pick(random());
            ASSERT_GE(index, 0) << "every thread sleeps: the program hangs after " << steps << " steps";
            int quantum = seed == 1 ? 1000 : 1 + static_cast<int>(random() % 60);
            for (int k = 0;
                 k < quantum && !finished && !process.threads()[static_cast<size_t>(index)].blocked; k++) {
                finished = process.step(static_cast<size_t>(index)) == Tracer::kFinished;
                steps++;
                ASSERT_EQ(ompdx_stop_begin(space), ompd_rc_ok);
                for (const Tracer::Thread &thread : process.threads())
                    judge.thread(thread);
                judge.all_tasks();
                judge.barrier(process.threads());
                ASSERT_EQ(ompdx_stop_end(space), ompd_rc_ok);
                ASSERT_FALSE(HasFailure()) << "seed " << seed << ", step " << steps;
            }
        }
        questions += judge.questions;
        EXPECT_EQ(judge.arrivals > 0, strncmp(rule.name, "barrier", 7) == 0);
        EXPECT_GT(judge.unbegun, 0u); /* the primary is in its region before others are */
        ompd_rel_address_space_handle(space);
        tracer = nullptr;
    }
    printf("%s: %llu steps, %llu answers, %d orders\n", rule.name, static_cast<unsigned long long>(steps),
           static_cast<unsigned long long>(questions), seeds);
}

std::string name(const testing::TestParamInfo<int> &info)
{
    return rules[info.param].name;
}
INSTANTIATE_TEST_SUITE_P(Constructs, Step, testing::Range(0, static_cast<int>(std::size(rules))), name);

} // namespace

int main(int argc, char **argv)
{
    testing::InitGoogleTest(&argc, argv);
    if (argc < 3) {
        fprintf(stderr, "usage: step_test TARGET RUNTIME\n");
        return 64;
    }
    target_path = argv[1];
    runtime_path = argv[2];
    if (ompd_initialize(202111, &callbacks) != ompd_rc_ok)
        return 1;
    return RUN_ALL_TESTS();
}
