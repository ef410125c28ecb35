// SPDX-License-Identifier: Apache-2.0
// Control variables of living programs, by clang and by gcc: set by the environment, by routines and by
// clauses, at two nesting levels. The truth is what icv_target's own omp_get_* say, and what this test has
// put into the environment. Likewise what its OMPT tool has stored with threads, regions and tasks.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "ompd/tests/icvs.h"
#include "ompd/tests/image.h"

namespace
{

std::vector<std::string> programs;

using Strings = std::map<std::string, std::string>;

/** The target, held; read through /proc. */
class Target
{
  public:
    Target(const std::string &program, const std::string &mode, const Strings &environment)
    {
        int out[2];
        if (pipe(out) != 0)
            return;
        pid_ = fork();
        if (pid_ == 0) {
            dup2(out[1], 1);
            close(out[0]);
            for (const auto &[name, value] : environment)
                setenv(name.c_str(), value.c_str(), 1);
            execl(program.c_str(), program.c_str(), mode.c_str(), (char *)nullptr);
            _exit(127);
        }
        close(out[1]);
        FILE *lines = fdopen(out[0], "r");
        char line[8192];
        while (fgets(line, sizeof line, lines) != nullptr) {
            std::istringstream words(line);
            std::string word, where, name, value;
            uint64_t number;
            words >> word >> number;
            if (word == "HELD") {
                table = number;
                break;
            }
            words >> where >> name;
            std::getline(words, value);
            truth[{number, where}][name] = value.substr(1);
        }
        fclose(lines);
        memory_ = open(("/proc/" + std::to_string(pid_) + "/mem").c_str(), O_RDONLY);
    }
    ~Target()
    {
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
        close(memory_);
    }
    bool Read(uint64_t address, void *buffer, size_t bytes) const
    {
        return pread(memory_, buffer, bytes, (off_t)address) == (ssize_t)bytes;
    }
    uint64_t table = 0;
    std::map<std::pair<uint64_t, std::string>, Strings> truth;

  private:
    pid_t pid_ = -1;
    int memory_ = -1;
};

// ---- the tool
ompd_rc_t Allocate(ompd_size_t bytes, void **ret)
{
    *ret = malloc(bytes);
    return ompd_rc_ok;
}
ompd_rc_t Free(void *block)
{
    free(block);
    return ompd_rc_ok;
}
ompd_rc_t Print(const char *text, int)
{
    ADD_FAILURE() << text;
    return ompd_rc_ok;
}
ompd_rc_t Sizes(ompd_address_space_context_t *, ompd_device_type_sizes_t *sizes)
{
    *sizes = {1, 2, 4, 8, 8, 8};
    return ompd_rc_ok;
}
ompd_rc_t Symbol(ompd_address_space_context_t *context, ompd_thread_context_t *, const char *name,
                 ompd_address_t *ret, const char *)
{
    if (strcmp(name, "rt_layout_table") != 0)
        return ompd_rc_error;
    *ret = {0, reinterpret_cast<Target *>(context)->table};
    return ompd_rc_ok;
}
ompd_rc_t ReadMemory(ompd_address_space_context_t *context, ompd_thread_context_t *,
                     const ompd_address_t *address, ompd_size_t bytes, void *buffer)
{
    return reinterpret_cast<Target *>(context)->Read(address->address, buffer, bytes) ? ompd_rc_ok
                                                                                      : ompd_rc_error;
}
ompd_rc_t Convert(ompd_address_space_context_t *, const void *in, ompd_size_t unit, ompd_size_t count,
                  void *out)
{
    memmove(out, in, unit * count);
    return ompd_rc_ok;
}

/** "{0:3,5}" or "{0,1,2,5}" as the target writes a place: "0+1+2+5". */
std::string Plain(const std::string &places)
{
    std::string text;
    std::istringstream list(places);
    char c;
    long number = 0;
    while (list >> c) {
        if (c == '{' || (c == ',' && list.peek() != '{')) {
            list >> number;
            text += (c == ',' ? "+" : "") + std::to_string(number);
        } else if (c == ':') {
            long length;
            list >> length;
            for (long i = 1; i < length; i++)
                text += "+" + std::to_string(number + i);
        } else if (c == ',') {
            text += ";";
        }
    }
    return text;
}

/** A schedule's text from what omp_get_schedule says; a chunk of 1 may be the default. */
std::string Schedule(const std::string &truth, const std::string &text)
{
    unsigned kind = 0;
    int chunk = 0;
    sscanf(truth.c_str(), "%u/%d", &kind, &chunk);
    static const char *const names[] = {"?", "static", "dynamic", "guided", "auto"};
    std::string expected = (kind & 0x80000000 ? "monotonic:" : "") + std::string(names[kind & 7]);
    const bool plain = chunk == 0 || (chunk == 1 && text.find(',') == std::string::npos);
    return plain ? expected : expected + "," + std::to_string(chunk);
}

class Live : public testing::Test
{
  protected:
    ompd_address_space_handle_t *process = nullptr;
    Tool tool; // icvs.cc gives names back to one
    int checked = 0, stored = 0;

    static std::string Text(ompd_address_space_handle_t *p, void *handle, const std::string &name)
    {
        IcvRow row = FindIcv(p, name);
        const char *text = nullptr;
        EXPECT_EQ(ompd_get_icv_string_from_scope(handle, row.scope, row.id, &text), ompd_rc_ok) << name;
        std::string copy = text != nullptr ? text : "?";
        free(const_cast<char *>(text));
        return copy;
    }

    /** What the target's OMPT tool has stored. */
    void CheckStored(ompd_thread_handle_t *thread, ompd_task_handle_t *task, const Strings &truth)
    {
        ompd_parallel_handle_t *region;
        ASSERT_EQ(ompd_get_task_parallel_handle(task, &region), ompd_rc_ok);
        const std::tuple<const char *, void *, ompd_scope_t> places[] = {
            {"tool-thread", thread, ompd_scope_thread},
            {"tool-parallel", region, ompd_scope_parallel},
            {"tool-task", task, ompd_scope_task}};
        for (const auto &[name, handle, scope] : places) {
            if (truth.count(name) == 0)
                continue;
            ompd_word_t value = -1;
            ompd_address_t pointer = {};
            EXPECT_EQ(ompd_get_tool_data(handle, scope, &value, &pointer), ompd_rc_ok) << name;
            EXPECT_EQ(std::to_string((uint64_t)value), truth.at(name)) << name;
            EXPECT_EQ(std::to_string(pointer.address), truth.at(name)) << name;
            stored++;
        }
        EXPECT_EQ(ompd_rel_parallel_handle(region), ompd_rc_ok);
    }

    void Check(void *task, const Strings &truth)
    {
        static const char *const booleans[] = {"cancel-var", "dyn-var", "explicit-task-var",
                                               "final-task-var"};
        for (const auto &[name, expected] : truth) {
            if (name.compare(0, 5, "tool-") == 0)
                continue;
            IcvRow row = FindIcv(process, name);
            ASSERT_NE(row.id, 0u) << name;
            void *handle = row.scope < ompd_scope_thread ? process : task;
            bool in_task = truth.at("explicit-task-var") == "1";
            if (row.scope == ompd_scope_implicit_task && in_task)
                continue;
            std::string text = Text(process, handle, name);
            auto [rc, value] = IcvValue(process, handle, name);
            checked++;
            if (name == "affinity-format-var") {
                EXPECT_EQ(text, expected);
                EXPECT_EQ(rc, ompd_rc_incompatible);
            } else if (name == "place-partition-var") {
                std::string list = std::to_string(std::count(text.begin(), text.end(), '{'));
                EXPECT_EQ(list + "/" + std::to_string(value) + "/" + Plain(text), expected);
                EXPECT_EQ(rc, list == "1" ? ompd_rc_ok : ompd_rc_incomplete);
            } else if (name == "run-sched-var") {
                EXPECT_EQ(text, Schedule(expected, text));
                EXPECT_EQ((unsigned)value, (unsigned)strtoul(expected.c_str(), nullptr, 10));
                EXPECT_EQ(rc, text.find(',') == std::string::npos ? ompd_rc_ok : ompd_rc_incomplete);
            } else if (name == "nthreads-var" || name == "bind-var") {
                EXPECT_EQ(std::to_string(value), expected) << name;
                EXPECT_EQ(rc, text.find(',') == std::string::npos ? ompd_rc_ok : ompd_rc_incomplete) << text;
            } else {
                EXPECT_EQ(rc, ompd_rc_ok) << name;
                EXPECT_EQ(std::to_string(value), expected) << name;
                if (std::count(std::begin(booleans), std::end(booleans), name)) {
                    EXPECT_EQ(text, expected == "0" ? "false" : "true") << name;
                } else if (name != "def-allocator-var" && text != "invalid") {
                    EXPECT_EQ(text, expected) << name;
                }
            }
        }
    }

    /** EXPECTED: "where icv" -> text, in the environment's own words. */
    void Run(const std::string &mode, const Strings &environment, const Strings &expected)
    {
        static const ompd_callbacks_t callbacks = {Allocate, Free,       Print,   Sizes,   Symbol, ReadMemory,
                                                   nullptr,  ReadMemory, Convert, Convert, nullptr};
        for (const std::string &program : programs) {
            SCOPED_TRACE(program + " " + mode);
            Target target(program, mode, environment);
            ASSERT_NE(target.table, 0u);
            checked = stored = 0;
            ASSERT_EQ(ompd_initialize(202411, &callbacks), ompd_rc_ok);
            ASSERT_EQ(
                ompd_process_initialize(reinterpret_cast<ompd_address_space_context_t *>(&target), &process),
                ompd_rc_ok);
            size_t texts = 0;
            for (const auto &[who, truth] : target.truth) {
                SCOPED_TRACE(who.second);
                ompd_thread_handle_t *thread;
                ompd_task_handle_t *task;
                ASSERT_EQ(ompd_get_thread_handle(process, OMPD_THREAD_ID_PTHREAD, 8, &who.first, &thread),
                          ompd_rc_ok);
                ASSERT_EQ(ompd_get_curr_task_handle(thread, &task), ompd_rc_ok);
                // "initial" was told two regions further out, "member" before its explicit task.
                const int outwards = who.second == "initial" ? 2 : who.second == "member" ? 1 : 0;
                for (int i = 0; i < outwards; i++) {
                    ompd_task_handle_t *generating;
                    ASSERT_EQ(ompd_get_generating_task_handle(task, &generating), ompd_rc_ok);
                    ompd_rel_task_handle(task);
                    task = generating;
                }
                Check(task, truth);
                CheckStored(thread, task, truth);
                for (const auto &[key, text] : expected) {
                    const std::string where = key.substr(0, key.find(' ')),
                                      name = key.substr(key.find(' ') + 1);
                    if (where != who.second)
                        continue;
                    void *handle = FindIcv(process, name).scope < ompd_scope_thread ? (void *)process : task;
                    EXPECT_EQ(Text(process, handle, name), text) << name;
                    texts++;
                }
                ompd_rel_task_handle(task);
                ompd_rel_thread_handle(thread);
            }
            // Seven places, each with a thread, a region and a task.
            EXPECT_EQ(stored, environment.count("ICV_TARGET_TOOL") ? 21 : 0);
            EXPECT_GE(texts, expected.size());
            EXPECT_EQ(target.truth.size(), 7u); // initial, two primaries, two members and their tasks
            printf("%s %s: %d values\n", program.c_str(), mode.c_str(), checked);
            EXPECT_EQ(ompd_rel_address_space_handle(process), ompd_rc_ok);
            EXPECT_EQ(ompd_finalize(), ompd_rc_ok);
        }
    }
};

const Strings kTwoLevels = {{"OMP_NUM_THREADS", "2,2"}, {"OMP_MAX_ACTIVE_LEVELS", "4"}};

Strings With(Strings more)
{
    more.insert(kTwoLevels.begin(), kTwoLevels.end());
    return more;
}

TEST_F(Live, Defaults)
{
    Run("environment", kTwoLevels,
        {{"initial nthreads-var", "2,2"},
         {"primary nthreads-var", "2"},
         {"initial run-sched-var", "static"},
         {"initial def-allocator-var", "omp_default_mem_alloc"},
         {"initial bind-var", "false"},
         {"initial target-offload-var", "default"},
         {"initial tool-var", "enabled"},
         {"initial tool-libraries-var", ""},
         {"initial tool-verbose-init-var", "disabled"},
         {"initial debug-var", "disabled"},
         {"initial display-affinity-var", "false"},
         {"initial wait-policy-var", "passive"},
         {"initial team-generator-var", "program"},
         {"primary team-generator-var", "parallel"},
         {"initial available-devices-var", ""},
         {"initial place-assignment-var", ""},
         {"task free-agent-var", "false"}});
}

TEST_F(Live, Environment)
{
    Strings set = {{"OMP_NUM_THREADS", "2,2,7"},
                   {"OMP_MAX_ACTIVE_LEVELS", "4"},
                   {"OMP_DYNAMIC", "false"},
                   {"OMP_SCHEDULE", "monotonic:guided,5"},
                   {"OMP_PROC_BIND", "spread,close,master"},
                   {"OMP_PLACES", "{0},{1}"},
                   {"OMP_STACKSIZE", "3M"},
                   {"OMP_WAIT_POLICY", "active"},
                   {"OMP_THREAD_LIMIT", "40"},
                   {"OMP_CANCELLATION", "true"},
                   {"OMP_DISPLAY_AFFINITY", "false"},
                   {"OMP_AFFINITY_FORMAT", "is %n at %A"},
                   {"OMP_DEFAULT_DEVICE", "5"},
                   {"OMP_MAX_TASK_PRIORITY", "33"},
                   {"OMP_TARGET_OFFLOAD", "disabled"},
                   {"OMP_TOOL", "disabled"},
                   {"OMP_TOOL_LIBRARIES", "/x/a.so:/y/b.so"},
                   {"OMP_TOOL_VERBOSE_INIT", "stderr"},
                   {"OMP_DEBUG", "enabled"},
                   {"OMP_ALLOCATOR", "omp_large_cap_mem_alloc"},
                   {"OMP_NUM_TEAMS", "8"},
                   {"OMP_TEAMS_THREAD_LIMIT", "19"}};
    Run("environment", set,
        {{"initial nthreads-var", "2,2,7"},
         {"primary nthreads-var", "7"},
         {"task nthreads-var", "7"},
         {"initial run-sched-var", "monotonic:guided,5"},
         {"member run-sched-var", "monotonic:guided,5"},
         {"initial bind-var", "spread,close,primary"},
         {"primary bind-var", "primary"},
         {"initial place-partition-var", "{0},{1}"},
         {"initial stacksize-var", "3145728B"},
         {"initial wait-policy-var", "active"},
         {"initial thread-limit-var", "40"},
         {"initial structured-thread-limit-var", "40"},
         {"initial free-agent-thread-limit-var", "39"},
         {"initial cancel-var", "true"},
         {"initial affinity-format-var", "is %n at %A"},
         {"task default-device-var", "5"},
         {"initial max-task-priority-var", "33"},
         {"initial target-offload-var", "disabled"},
         {"initial tool-var", "disabled"},
         {"initial tool-libraries-var", "/x/a.so:/y/b.so"},
         {"initial tool-verbose-init-var", "stderr"},
         {"initial debug-var", "enabled"},
         {"primary def-allocator-var", "omp_large_cap_mem_alloc"},
         {"initial nteams-var", "8"},
         {"initial teams-thread-limit-var", "19"},
         {"initial max-active-levels-var", "4"}});
}

TEST_F(Live, AllocatorWithTraitsAndNoDevice)
{
    Run("environment",
        With({{"OMP_ALLOCATOR", "omp_default_mem_space:alignment=64,pinned=false"},
              {"OMP_DEFAULT_DEVICE", "invalid"}}),
        {{"initial def-allocator-var", "omp_default_mem_space:alignment=64,pinned=false"},
         {"initial default-device-var", "invalid"}});
}

TEST_F(Live, Routines)
{
    Run("routines", {{"OMP_MAX_ACTIVE_LEVELS", "4"}},
        {{"initial run-sched-var", "guided"},
         {"primary run-sched-var", "auto"},
         {"initial def-allocator-var", "omp_const_mem_alloc"},
         {"member def-allocator-var", "omp_low_lat_mem_alloc"},
         {"initial default-device-var", "10"},
         {"primary default-device-var", "12"},
         {"initial affinity-format-var", "set %n of %N"},
         {"initial nteams-var", "6"},
         {"task nthreads-var", "17"},
         {"member nthreads-var", "1"}});
}

TEST_F(Live, Clauses)
{
    Run("clauses", With({{"OMP_PLACES", "threads"}, {"OMP_PROC_BIND", "spread,close"}}),
        {{"task final-task-var", "true"},
         {"member final-task-var", "false"},
         {"initial nthreads-var", "2,2"}});
}

TEST_F(Live, WhatAToolHasStored)
{
    Run("environment", With({{"ICV_TARGET_TOOL", "1"}}), {{"initial tool-var", "enabled"}});
}

} // namespace

int main(int argc, char **argv)
{
    testing::InitGoogleTest(&argc, argv);
    for (int i = 1; i < argc; i++)
        programs.push_back(argv[i]);
    return RUN_ALL_TESTS();
}
