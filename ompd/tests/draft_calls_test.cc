// SPDX-License-Identifier: Apache-2.0
// ompd-draft.h against a library that is this test: what each conversion makes of the numbers on both sides,
// and what it answers to those that do not fit. That the whole works on real programs, draft_test.py shows.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "omp-tools.h"
using TodaysCallbacks = ompd_callbacks_t; // before the draft takes the name

#define OMPD_DRAFT_LOADED
#include "ompd-draft.h"

namespace
{

// The library: answers that a test sets.
TodaysCallbacks given;
ompd_word_t given_version, answer_state, icv_word;
ompd_rc_t answer_code;
ompd_thread_id_t asked_kind;
std::string icv_text;
std::vector<std::pair<std::string, ompd_scope_t>> icvs;
std::set<std::string> lacks;
std::vector<std::string> calls;

// The debugger: what its callbacks were called with.
ompd_target_type_sizes_t sizes;
std::string memory; // readable from address 0x1000
std::vector<std::pair<uint64_t, ompd_tword_t>> reads;
ompd_osthread_kind_t got_kind;
int converted;
std::string printed, looked_up;

template <typename T> T *Pointer(uintptr_t value)
{
    return reinterpret_cast<T *>(value);
}

ompd_rc_t Initialize(ompd_word_t version, const TodaysCallbacks *table)
{
    given_version = version;
    given = *table;
    return answer_code;
}
ompd_rc_t Answer()
{
    return answer_code;
}
ompd_rc_t ProcessInitialize(ompd_address_space_context_t *, ompd_address_space_handle_t **handle)
{
    *handle = Pointer<ompd_address_space_handle_t>(1);
    return ompd_rc_ok;
}
ompd_rc_t EnumerateIcvs(ompd_address_space_handle_t *, ompd_icv_id_t at, ompd_icv_id_t *next,
                        const char **name, ompd_scope_t *scope, int *more)
{
    *next = at + 1;
    void *copy;
    EXPECT_EQ(given.alloc_memory(icvs[at].first.size() + 1, &copy), ompd_rc_ok);
    *name = strcpy(static_cast<char *>(copy), icvs[at].first.c_str());
    *scope = icvs[at].second;
    *more = at + 1 < icvs.size();
    return ompd_rc_ok;
}
ompd_rc_t IcvWord(void *handle, ompd_scope_t scope, ompd_icv_id_t id, ompd_word_t *value)
{
    calls.push_back(icvs[id - 1].first + " " + std::to_string(scope) + " " +
                    std::to_string(reinterpret_cast<uintptr_t>(handle)));
    *value = icvs[id - 1].first == "team-size-var" ? 2 : icv_word;
    return answer_code;
}
ompd_rc_t IcvText(void *, ompd_scope_t, ompd_icv_id_t, const char **text)
{
    void *copy;
    EXPECT_EQ(given.alloc_memory(icv_text.size() + 1, &copy), ompd_rc_ok);
    *text = strcpy(static_cast<char *>(copy), icv_text.c_str());
    return answer_code;
}
ompd_rc_t State(ompd_thread_handle_t *, ompd_word_t *state, ompd_wait_id_t *wait)
{
    *state = answer_state;
    *wait = 42;
    return answer_code;
}
ompd_rc_t ThreadHandle(ompd_address_space_handle_t *, ompd_thread_id_t kind, ompd_size_t, const void *,
                       ompd_thread_handle_t **)
{
    asked_kind = kind;
    return answer_code;
}
// Handles: region 20; its threads 30 and 31, whose current tasks are 40 and 41.
ompd_rc_t TaskParallel(ompd_task_handle_t *, ompd_parallel_handle_t **ret)
{
    *ret = Pointer<ompd_parallel_handle_t>(20);
    return ompd_rc_ok;
}
ompd_rc_t ThreadInParallel(ompd_parallel_handle_t *, int number, ompd_thread_handle_t **ret)
{
    *ret = Pointer<ompd_thread_handle_t>(30 + static_cast<uintptr_t>(number));
    return ompd_rc_ok;
}
ompd_rc_t CurrTask(ompd_thread_handle_t *thread, ompd_task_handle_t **ret)
{
    *ret = Pointer<ompd_task_handle_t>(10 + reinterpret_cast<uintptr_t>(thread));
    return ompd_rc_ok;
}
ompd_rc_t TaskCompare(ompd_task_handle_t *one, ompd_task_handle_t *two, int *order)
{
    *order = one == two ? 0 : one < two ? -1 : 1;
    return ompd_rc_ok;
}
ompd_rc_t Release(void *handle)
{
    calls.push_back("release " + std::to_string(reinterpret_cast<uintptr_t>(handle)));
    return ompd_rc_ok;
}

void *Find(void *, const char *name)
{
    static const std::map<std::string, void *> found = {
        {"ompd_initialize", reinterpret_cast<void *>(Initialize)},
        {"ompd_process_initialize", reinterpret_cast<void *>(ProcessInitialize)},
        {"ompd_enumerate_icvs", reinterpret_cast<void *>(EnumerateIcvs)},
        {"ompd_get_icv_from_scope", reinterpret_cast<void *>(IcvWord)},
        {"ompd_get_icv_string_from_scope", reinterpret_cast<void *>(IcvText)},
        {"ompd_get_state", reinterpret_cast<void *>(State)},
        {"ompd_get_thread_handle", reinterpret_cast<void *>(ThreadHandle)},
        {"ompd_get_task_parallel_handle", reinterpret_cast<void *>(TaskParallel)},
        {"ompd_get_thread_in_parallel", reinterpret_cast<void *>(ThreadInParallel)},
        {"ompd_get_curr_task_handle", reinterpret_cast<void *>(CurrTask)},
        {"ompd_task_handle_compare", reinterpret_cast<void *>(TaskCompare)},
        {"ompd_rel_thread_handle", reinterpret_cast<void *>(Release)},
        {"ompd_rel_task_handle", reinterpret_cast<void *>(Release)},
        {"ompd_rel_parallel_handle", reinterpret_cast<void *>(Release)},
    };
    if (lacks.count(name) != 0 || strncmp(name, "ompdx_", 6) == 0)
        return nullptr;
    auto at = found.find(name);
    return at == found.end() ? reinterpret_cast<void *>(Answer) : at->second;
}

ompd_rc_t Alloc(ompd_size_t bytes, void **ptr)
{
    *ptr = malloc(bytes);
    return ompd_rc_ok;
}
ompd_rc_t Free(void *ptr)
{
    free(ptr);
    return ompd_rc_ok;
}
ompd_rc_t Print(const char *text)
{
    printed = text;
    return ompd_rc_ok;
}
ompd_rc_t Sizes(ompd_address_space_context_t *, ompd_target_type_sizes_t *ret)
{
    *ret = sizes;
    return ompd_rc_ok;
}
ompd_rc_t Symbol(ompd_address_space_context_t *, ompd_thread_context_t *, const char *name,
                 ompd_address_t *ret)
{
    looked_up = name;
    *ret = {0, 77};
    return ompd_rc_ok;
}
ompd_rc_t Read(ompd_address_space_context_t *, ompd_thread_context_t *, const ompd_address_t *from,
               ompd_tword_t nbytes, void *to)
{
    reads.emplace_back(from->address, nbytes);
    if (from->address < 0x1000 || from->address - 0x1000 + static_cast<uint64_t>(nbytes) > memory.size())
        return ompd_rc_target_read_error;
    memcpy(to, memory.data() + (from->address - 0x1000), static_cast<size_t>(nbytes));
    return ompd_rc_ok;
}
ompd_rc_t Convert(ompd_address_space_context_t *, const void *, int unit, int count, void *)
{
    converted = unit * 100 + count;
    return ompd_rc_ok;
}
ompd_rc_t Context(ompd_address_space_context_t *, ompd_osthread_kind_t kind, ompd_size_t, const void *,
                  ompd_thread_context_t **)
{
    got_kind = kind;
    return ompd_rc_ok;
}

class Draft : public testing::Test
{
  protected:
    void SetUp() override
    {
        answer_code = ompd_rc_ok;
        icvs = {{"nthreads-var", ompd_scope_thread},
                {"team-size-var", ompd_scope_parallel},
                {"run-sched-var", ompd_scope_task}};
        lacks.clear();
        calls.clear();
        reads.clear();
        table = {};
        table.d_alloc_memory = Alloc;
        table.d_free_memory = Free;
        table.print_string = Print;
        table.t_sizeof_prim_type = Sizes;
        table.t_symbol_addr_lookup = Symbol;
        table.t_read_memory = Read;
        table.target_to_host = Convert;
        table.get_thread_context_for_osthread = Context;
        ASSERT_EQ(ompd_draft_bind(Find, nullptr), ompd_rc_ok);
        ASSERT_EQ(ompd_initialize(&table), ompd_rc_ok);
        ASSERT_EQ(ompd_process_initialize(nullptr, &process), ompd_rc_ok);
        calls.clear();
    }
    ompd_callbacks_t table;
    ompd_address_space_handle_t *process;
    ompd_thread_handle_t *thread = Pointer<ompd_thread_handle_t>(30);
    ompd_task_handle_t *task = Pointer<ompd_task_handle_t>(41);
};

TEST_F(Draft, Version)
{
    EXPECT_EQ(given_version, 201811);
}

TEST_F(Draft, ALibraryThatLacksARoutineIsNotTaken)
{
    lacks = {"ompd_get_task_frame"};
    void *before = reinterpret_cast<void *>(ompd_draft_library.at_ompd_get_state);
    EXPECT_EQ(ompd_draft_bind(Find, nullptr), ompd_rc_incompatible);
    EXPECT_EQ(reinterpret_cast<void *>(ompd_draft_library.at_ompd_get_state), before);
}

TEST_F(Draft, ALibraryWithoutExtensionsSaysSo)
{
    int count = 7;
    char *id = nullptr;
    ompd_tword_t limit = 7;
    EXPECT_EQ(ompd_get_threads(process, nullptr, &count), ompd_rc_unsupported);
    EXPECT_EQ(ompd_get_thread_handle_string_id(thread, &id), ompd_rc_unsupported);
    EXPECT_EQ(ompd_get_thread_limit(process, &limit), ompd_rc_unsupported);
    EXPECT_EQ(count, 7);
    EXPECT_EQ(id, nullptr);
    EXPECT_EQ(limit, 7);
}

// The numbers are the seed's, written out once more: the header's own constants prove nothing about it.
TEST_F(Draft, States)
{
    const std::map<int, int> table_of_states = {
        {0x000, 0x00}, {0x001, 0x01}, {0x002, 0x02}, {0x003, 0x01}, {0x004, 0x01}, {0x010, 0x40},
        {0x011, 0x41}, {0x012, 0x41}, {0x013, 0x41}, {0x014, 0x42}, {0x015, 0x40}, {0x016, 0x40},
        {0x020, 0x50}, {0x021, 0x51}, {0x040, 0x60}, {0x041, 0x61}, {0x042, 0x62}, {0x043, 0x63},
        {0x044, 0x64}, {0x100, 0x10}, {0x101, 0x20}, {0x102, 0x70}};
    for (int today = -1; today < 0x300; today++) {
        ompd_state_t state = ompd_state_first;
        ompd_wait_id_t wait = 1;
        answer_state = today;
        auto expected = table_of_states.find(today);
        if (expected == table_of_states.end()) {
            EXPECT_EQ(ompd_get_state(thread, &state, &wait), ompd_rc_unsupported) << today;
            EXPECT_EQ(state, ompd_state_first);
            EXPECT_EQ(wait, 1u);
        } else {
            EXPECT_EQ(ompd_get_state(thread, &state, &wait), ompd_rc_ok) << today;
            EXPECT_EQ(static_cast<int>(state), expected->second) << today;
            EXPECT_EQ(wait, 42u);
        }
    }
}

TEST_F(Draft, CodesEndWithTen)
{
    /* C++ gives an enumeration whose largest value is 13 no value above 15. */
    for (int code = 1; code < 16; code++) {
        ompd_parallel_handle_t *region;
        answer_code = static_cast<ompd_rc_t>(code);
        int expected = code <= 10                            ? code
                       : code == ompd_rc_incompatible_handle ? ompd_rc_bad_input
                                                             : ompd_rc_error;
        EXPECT_EQ(static_cast<int>(ompd_get_top_parallel_region(thread, &region)), expected) << code;
    }
}

TEST_F(Draft, NoThreadOfOpenMP)
{
    int lwp = 5;
    ompd_thread_handle_t *handle = thread;
    answer_code = ompd_rc_stale_handle;
    EXPECT_EQ(ompd_get_thread_handle(process, ompd_osthread_lwp, sizeof lwp, &lwp, &handle),
              ompd_rc_stale_handle);
    EXPECT_EQ(handle, thread);
    EXPECT_EQ(asked_kind, OMPD_THREAD_ID_LWP);
    answer_code = ompd_rc_unavailable;
    EXPECT_EQ(ompd_get_thread_handle(process, ompd_osthread_lwp, sizeof lwp, &lwp, &handle),
              ompd_rc_bad_input);
    EXPECT_EQ(handle, nullptr);
}

TEST_F(Draft, TypeSizes)
{
    ompd_device_type_sizes_t got = {9, 9, 9, 9, 9, 9};
    sizes = {1, 2, 4, 300, 8, 8};
    EXPECT_EQ(given.sizeof_type(nullptr, &got), ompd_rc_error);
    sizes = {1, 2, 4, 0, 8, 8};
    EXPECT_EQ(given.sizeof_type(nullptr, &got), ompd_rc_error);
    EXPECT_EQ(got.sizeof_long, 9);
    sizes = {1, 2, 3, 4, 5, 6};
    EXPECT_EQ(given.sizeof_type(nullptr, &got), ompd_rc_ok);
    EXPECT_EQ(got.sizeof_char, 1);
    EXPECT_EQ(got.sizeof_short, 2);
    EXPECT_EQ(got.sizeof_int, 3);
    EXPECT_EQ(got.sizeof_long, 4);
    EXPECT_EQ(got.sizeof_long_long, 5);
    EXPECT_EQ(got.sizeof_pointer, 6);
}

TEST_F(Draft, MemoryAndStrings)
{
    char buffer[700] = {0};
    ompd_address_t at = {0, 0x1000 + 200};
    memory = std::string(500, 'x') + '\0';
    // The string's last piece ends at 0x1200: beyond `memory`, as if a page ended at 501; so fill that piece
    // up.
    memory.resize(512, 'y');
    EXPECT_EQ(given.read_string(nullptr, nullptr, &at, sizeof buffer, buffer), ompd_rc_ok);
    EXPECT_STREQ(buffer, std::string(300, 'x').c_str());
    EXPECT_EQ(reads, (std::vector<std::pair<uint64_t, ompd_tword_t>>{{0x10c8, 56}, {0x1100, 256}}));
    EXPECT_EQ(given.read_string(nullptr, nullptr, &at, 100, buffer), ompd_rc_incomplete);
    at.address = 0x1000 + 501;
    EXPECT_EQ(given.read_string(nullptr, nullptr, &at, 100, buffer), ompd_rc_target_read_error);
    reads.clear();
    EXPECT_EQ(given.read_memory(nullptr, nullptr, &at, UINT64_MAX, buffer), ompd_rc_bad_input);
    EXPECT_TRUE(reads.empty());
    EXPECT_EQ(given.write_memory(nullptr, nullptr, &at, 1, buffer), ompd_rc_unsupported);
}

TEST_F(Draft, OtherCallbacks)
{
    int dummy = 0;
    EXPECT_EQ(given.device_to_host(nullptr, &dummy, 4, 7, &dummy), ompd_rc_ok);
    EXPECT_EQ(converted, 407);
    EXPECT_EQ(given.device_to_host(nullptr, &dummy, 1, 1ull << 32, &dummy), ompd_rc_bad_input);
    EXPECT_EQ(given.host_to_device(nullptr, &dummy, 4, 7, &dummy), ompd_rc_unsupported);
    ompd_address_t address;
    EXPECT_EQ(given.symbol_addr_lookup(nullptr, nullptr, "name", &address, "file.c"), ompd_rc_ok);
    EXPECT_EQ(looked_up, "name");
    EXPECT_EQ(address.address, 77u);
    EXPECT_EQ(given.print_string("text", 3), ompd_rc_ok);
    EXPECT_EQ(printed, "text");
    ompd_thread_context_t *context;
    EXPECT_EQ(given.get_thread_context_for_thread_id(nullptr, OMPD_THREAD_ID_LWP, 4, &dummy, &context),
              ompd_rc_ok);
    EXPECT_EQ(got_kind, ompd_osthread_lwp);
    EXPECT_EQ(
        given.get_thread_context_for_thread_id(nullptr, OMPD_THREAD_ID_CUDALOGICAL, 4, &dummy, &context),
        ompd_rc_unsupported);
}

// LLVM's library has nthreads-var in the scope of threads; the draft asks a task.
TEST_F(Draft, AnIcvOfAnotherScopeIsReached)
{
    ompd_tword_t value = 0;
    icv_word = 5;
    EXPECT_EQ(ompd_get_max_threads(task, &value), ompd_rc_ok);
    EXPECT_EQ(value, 5);
    EXPECT_EQ(calls, (std::vector<std::string>{"team-size-var 4 20", "release 40", "release 30", "release 41",
                                               "release 20", "nthreads-var 3 31", "release 31"}));
    calls.clear();
    EXPECT_EQ(ompd_get_max_threads(Pointer<ompd_task_handle_t>(40), &value), ompd_rc_ok); // the first one's
    EXPECT_EQ(calls, (std::vector<std::string>{"team-size-var 4 20", "release 40", "release 20",
                                               "nthreads-var 3 30", "release 30"}));
    calls.clear();
    EXPECT_EQ(ompd_get_max_threads(Pointer<ompd_task_handle_t>(99), &value), ompd_rc_unavailable);
    EXPECT_EQ(ompd_get_dynamic(task, &value), ompd_rc_unsupported); // not listed
    EXPECT_EQ(ompd_get_max_threads(task, nullptr), ompd_rc_bad_input);
}

TEST_F(Draft, Schedules)
{
    const struct {
        const char *text;
        int kind;
        ompd_tword_t modifier;
    } rows[] = {{"static", 1, 0}, {"dynamic,3", 2, 3},           {"guided,70000000000", 3, 70000000000},
                {"auto", 4, 0},   {"monotonic:dynamic,5", 2, 5}, {"nonmonotonic:static", 1, 0}};
    auto kind = static_cast<ompd_sched_t>(0);
    ompd_tword_t modifier = 0;
    for (const auto &row : rows) {
        icv_text = row.text;
        EXPECT_EQ(ompd_get_schedule(task, &kind, &modifier), ompd_rc_ok) << row.text;
        EXPECT_EQ(static_cast<int>(kind), row.kind) << row.text;
        EXPECT_EQ(modifier, row.modifier) << row.text;
    }
    icv_text = "stat";
    EXPECT_EQ(ompd_get_schedule(task, &kind, &modifier), ompd_rc_unsupported);
}

} // namespace
