// SPDX-License-Identifier: Apache-2.0
#include "ompd/tests/kmp_process.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace kmp
{

namespace
{

constexpr uint64_t LIBRARY = 0x7f0000000000, LIBRARY_BYTES = 0x100000, THREADS_AT = 0x1000;
constexpr uint64_t PROGRAM = 0x400000, LIBC = 0x7e0000000000, UNNAMED = 0x9000, FUNCTION_BYTES = 0x100;
constexpr uint64_t PTHREAD = 0x7d0000001000, EXPLICIT = UINT64_C(1) << 16;
constexpr uint64_t STACK_BYTES = 0x4000;
constexpr const char *BUILD_ID = "00112233445566778899aabbccddeeff00112233";

struct Number {
    uint32_t kind;
    const char *name;
    uint64_t a, b, c;
};
const Number layout[] = {
    {ompdx_layout_size, "kmp_info", INFO_BYTES, 0, 0},
    {ompdx_layout_field, "kmp_info.th.th_info.ds.ds_thread", INFO_PTHREAD, 8, 0},
    {ompdx_layout_field, "kmp_info.th.th_info.ds.ds_tid", INFO_TID, 4, 0},
    {ompdx_layout_field, "kmp_info.th.th_info.ds.ds_gtid", INFO_GTID, 4, 0},
    {ompdx_layout_field, "kmp_info.th.th_team", INFO_TEAM, 8, 0},
    {ompdx_layout_field, "kmp_info.th.th_dispatch", INFO_DISPATCH, 8, 0},
    {ompdx_layout_field, "kmp_info.th.th_spin_here", INFO_SPIN_HERE, 4, 0},
    {ompdx_layout_field, "kmp_info.th.th_ident", INFO_IDENT, 8, 0},
    {ompdx_layout_field, "kmp_info.th.th_task_team", INFO_TASK_TEAM, 8, 0},
    {ompdx_layout_field, "kmp_info.th.th_current_task", INFO_TASK, 8, 0},
    {ompdx_layout_field, "kmp_info.th.th_bar", INFO_BAR, 3 * BAR_BYTES, 0},
    {ompdx_layout_field, "kmp_info.th.th_next_waiting", INFO_NEXT_WAITING, 4, 0},
    {ompdx_layout_size, "kmp_balign", BAR_BYTES, 0, 0},
    {ompdx_layout_field, "kmp_balign.bb.b_arrived", BAR_ARRIVED, 8, 0},
    {ompdx_layout_field, "kmp_balign.bb.b_go", BAR_GO, 8, 0},
    {ompdx_layout_size, "kmp_team", TEAM_BYTES, 0, 0},
    {ompdx_layout_field, "kmp_team.t.t_bar", TEAM_BAR, 3 * TEAM_BAR_BYTES, 0},
    {ompdx_layout_field, "kmp_team.t.t_master_tid", TEAM_MASTER_TID, 4, 0},
    {ompdx_layout_field, "kmp_team.t.t_parent", TEAM_PARENT, 8, 0},
    {ompdx_layout_field, "kmp_team.t.t_dispatch", TEAM_DISPATCH, 8, 0},
    {ompdx_layout_field, "kmp_team.t.t_nproc", TEAM_NPROC, 4, 0},
    {ompdx_layout_field, "kmp_team.t.t_threads", TEAM_THREADS, 8, 0},
    {ompdx_layout_field, "kmp_team.t.t_implicit_task_taskdata", TEAM_TASKDATA, 8, 0},
    {ompdx_layout_field, "kmp_team.t.t_level", TEAM_LEVEL, 4, 0},
    {ompdx_layout_field, "kmp_team.t.t_active_level", TEAM_ACTIVE_LEVEL, 4, 0},
    {ompdx_layout_field, "kmp_team.t.t_cancel_request", TEAM_CANCEL, 4, 0},
    {ompdx_layout_size, "kmp_balign_team", TEAM_BAR_BYTES, 0, 0},
    {ompdx_layout_field, "kmp_balign_team.b_arrived", 0, 8, 0},
    {ompdx_layout_size, "kmp_taskdata", TASK_BYTES, 0, 0},
    {ompdx_layout_field, "kmp_taskdata.td_flags", TASK_FLAGS, 4, 0},
    {ompdx_layout_field, "kmp_taskdata.td_flags.tasktype", TASK_FLAGS, 4, EXPLICIT},
    {ompdx_layout_field, "kmp_taskdata.td_flags.started", TASK_FLAGS, 4, EXPLICIT << 1},
    {ompdx_layout_field, "kmp_taskdata.td_flags.executing", TASK_FLAGS, 4, EXPLICIT << 2},
    {ompdx_layout_field, "kmp_taskdata.td_flags.complete", TASK_FLAGS, 4, EXPLICIT << 3},
    {ompdx_layout_field, "kmp_taskdata.td_flags.freed", TASK_FLAGS, 4, EXPLICIT << 4},
    {ompdx_layout_field, "kmp_taskdata.td_team", TASK_TEAM, 8, 0},
    {ompdx_layout_field, "kmp_taskdata.td_parent", TASK_PARENT, 8, 0},
    {ompdx_layout_field, "kmp_taskdata.td_incomplete_child_tasks", TASK_CHILDREN, 4, 0},
    {ompdx_layout_field, "kmp_taskdata.td_taskgroup", TASK_GROUP, 8, 0},
    {ompdx_layout_size, "kmp_taskgroup", 40, 0, 0},
    {ompdx_layout_field, "kmp_taskgroup.count", 0, 4, 0},
    {ompdx_layout_size, "kmp_queuing_lock", 64, 0, 0},
    {ompdx_layout_field, "kmp_queuing_lock.lk.initialized", 0, 8, 0},
    {ompdx_layout_field, "kmp_queuing_lock.lk.tail_id", LOCK_TAIL, 4, 0},
    {ompdx_layout_field, "kmp_queuing_lock.lk.head_id", LOCK_HEAD, 4, 0},
    {ompdx_layout_field, "kmp_queuing_lock.lk.owner_id", 32, 4, 0},
    {ompdx_layout_field, "kmp_queuing_lock.lk.depth_locked", LOCK_DEPTH, 4, 0},
    {ompdx_layout_field, "kmp_queuing_lock.lk.flags", 40, 4, 0},
    {ompdx_layout_size, "kmp_disp", 64, 0, 0},
    {ompdx_layout_size, "dispatch_private_info", 192, 0, 0},
    {ompdx_layout_size, "dispatch_private_info32", 128, 0, 0},
    {ompdx_layout_size, "dispatch_private_info64", 128, 0, 0},
    {ompdx_layout_size, "dispatch_shared_info", 88, 0, 0},
    {ompdx_layout_size, "dispatch_shared_info32", 40, 0, 0},
    {ompdx_layout_size, "dispatch_shared_info64", 64, 0, 0},
    {ompdx_layout_field, "kmp_disp.th_dispatch_sh_current", 16, 8, 0},
    {ompdx_layout_field, "kmp_disp.th_dispatch_pr_current", 24, 8, 0},
    {ompdx_layout_field, "kmp_disp.th_disp_buffer", 32, 8, 0},
    {ompdx_layout_field, "kmp_disp.th_disp_index", 40, 4, 0},
    {ompdx_layout_field, "dispatch_private_info.u", 0, 128, 0},
    {ompdx_layout_field, "dispatch_private_info.schedule", 128, 4, 0},
    {ompdx_layout_field, "dispatch_private_info.flags.ordered", 132, 4, 1},
    {ompdx_layout_field, "dispatch_private_info.type_size", 152, 4, 0},
    {ompdx_layout_field, "dispatch_private_info32.count", 0, 4, 0},
    {ompdx_layout_field, "dispatch_private_info32.ub", 4, 4, 0},
    {ompdx_layout_field, "dispatch_private_info32.lb", 8, 4, 0},
    {ompdx_layout_field, "dispatch_private_info32.st", 12, 4, 0},
    {ompdx_layout_field, "dispatch_private_info32.tc", 16, 4, 0},
    {ompdx_layout_field, "dispatch_private_info32.parm1", 32, 4, 0},
    {ompdx_layout_field, "dispatch_private_info32.ordered_lower", 64, 4, 0},
    {ompdx_layout_field, "dispatch_private_info32.ordered_upper", 68, 4, 0},
    {ompdx_layout_field, "dispatch_private_info64.count", 0, 8, 0},
    {ompdx_layout_field, "dispatch_private_info64.ub", 8, 8, 0},
    {ompdx_layout_field, "dispatch_private_info64.lb", 16, 8, 0},
    {ompdx_layout_field, "dispatch_private_info64.st", 24, 8, 0},
    {ompdx_layout_field, "dispatch_private_info64.tc", 32, 8, 0},
    {ompdx_layout_field, "dispatch_private_info64.parm1", 64, 8, 0},
    {ompdx_layout_field, "dispatch_private_info64.ordered_lower", 96, 8, 0},
    {ompdx_layout_field, "dispatch_private_info64.ordered_upper", 104, 8, 0},
    {ompdx_layout_field, "dispatch_shared_info.u", 0, 64, 0},
    {ompdx_layout_field, "dispatch_shared_info.buffer_index", 64, 4, 0},
    {ompdx_layout_field, "dispatch_shared_info32.iteration", 0, 4, 0},
    {ompdx_layout_field, "dispatch_shared_info32.ordered_iteration", 8, 4, 0},
    {ompdx_layout_field, "dispatch_shared_info64.iteration", 0, 8, 0},
    {ompdx_layout_field, "dispatch_shared_info64.ordered_iteration", 16, 8, 0},
    {ompdx_layout_variable, "kmp_threads", THREADS_AT, 8, 0},
    {ompdx_layout_slot, "__kmpc_set_lock", ompdx_reg_rbx, 0, 0},
    {ompdx_layout_slot, "__kmpc_critical", ompdx_reg_rbx, 0, 0},
    {ompdx_layout_build_id, BUILD_ID, 0, 0, 0},
};
const char *const names[] = {"GOMP_barrier_cancel",  "__kmp_fork_call",  "__kmp_invoke_microtask",
                             "__kmp_wait_4",         "__kmpc_barrier",   "__kmpc_critical",
                             "__kmpc_end_taskgroup", "__kmpc_fork_call", "__kmpc_omp_taskwait",
                             "__kmpc_ordered",       "__kmpc_reduce",    "__kmpc_reduce_nowait",
                             "__kmpc_set_lock"};

ompd_rc_t Alloc(ompd_size_t bytes, void **ret)
{
    *ret = std::malloc(bytes);
    return *ret != nullptr ? ompd_rc_ok : ompd_rc_nomem;
}

ompd_rc_t Free(void *block)
{
    std::free(block);
    return ompd_rc_ok;
}

ompd_rc_t Print(const char *text, int)
{
    ADD_FAILURE() << text;
    return ompd_rc_ok;
}

ompd_rc_t Sizes(ompd_address_space_context_t *, ompd_device_type_sizes_t *ret)
{
    *ret = {1, 2, 4, 8, 8, 8};
    return ompd_rc_ok;
}

ompd_rc_t Symbol(ompd_address_space_context_t *, ompd_thread_context_t *, const char *, ompd_address_t *,
                 const char *)
{
    return ompd_rc_error;
}

ompd_rc_t Convert(ompd_address_space_context_t *, const void *from, ompd_size_t unit, ompd_size_t count,
                  void *to)
{
    std::memcpy(to, from, unit * count);
    return ompd_rc_ok;
}

ompd_rc_t Context(ompd_address_space_context_t *, ompd_thread_id_t kind, ompd_size_t size, const void *id,
                  ompd_thread_context_t **ret)
{
    int64_t lwp = 0;
    if (kind != OMPD_THREAD_ID_LWP || size != sizeof lwp)
        return ompd_rc_unsupported;
    std::memcpy(&lwp, id, sizeof lwp);
    *ret = reinterpret_cast<ompd_thread_context_t *>(lwp);
    return ompd_rc_ok;
}

} // namespace

Process *Process::current_;

Process::Process()
{
    current_ = this;
    for (const char *name : names)
        functions_[name] = 0x2000 + FUNCTION_BYTES * functions_.size();
    Map(LIBRARY + THREADS_AT, 8);
    EXPECT_EQ(ompd_initialize(202411, Callbacks()), ompd_rc_ok);
    AddLayout();
}

Process::~Process()
{
    if (space_ != nullptr) {
        EXPECT_EQ(ompd_rel_address_space_handle(space_), ompd_rc_ok);
    }
    EXPECT_EQ(ompd_finalize(), ompd_rc_ok);
}

void Process::AddLayout()
{
    std::vector<ompdx_layout_entry_t> entries;
    for (const Number &number : layout)
        entries.push_back({number.kind, number.name, number.a, number.b, number.c});
    for (const auto &function : functions_)
        entries.push_back({ompdx_layout_function, function.first.c_str(), function.second,
                           function.second + FUNCTION_BYTES, 0});
    ompdx_layout_t all = {};
    all.size = sizeof all;
    all.family = "kmp";
    all.name = "kmp-by-hand";
    all.source = "a test";
    all.count = entries.size();
    all.entries = entries.data();
    EXPECT_EQ(ompdx_layout_add(&all), ompd_rc_ok);
}

// ---- memory

void Process::Map(uint64_t address, uint64_t bytes)
{
    memory_[address].resize(bytes);
}

bool Process::Copy(uint64_t address, uint64_t bytes, void *buffer) const
{
    auto at = memory_.upper_bound(address);
    if (at == memory_.begin())
        return false;
    --at;
    const uint64_t offset = address - at->first;
    if (offset > at->second.size() || bytes > at->second.size() - offset)
        return false;
    std::memcpy(buffer, at->second.data() + offset, bytes);
    return true;
}

void Process::Put(uint64_t address, unsigned size, uint64_t value)
{
    auto at = memory_.upper_bound(address);
    ASSERT_NE(at, memory_.begin());
    --at;
    ASSERT_LE(address - at->first + size, at->second.size());
    std::memcpy(at->second.data() + (address - at->first), &value, size);
}

uint64_t Process::New(uint64_t bytes)
{
    const uint64_t at = next_;
    Map(at, bytes);
    next_ += (bytes + 0x1fff) / 0x1000 * 0x1000;
    return at;
}

// ---- OpenMP

uint64_t Process::Task(uint64_t at, uint64_t of_team, uint64_t parent, bool is_explicit)
{
    Put(at + TASK_FLAGS, 4, is_explicit ? EXPLICIT : 0);
    Put(at + TASK_TEAM, 8, of_team);
    Put(at + TASK_PARENT, 8, parent);
    return at;
}

void Process::Team(int members)
{
    const auto count = static_cast<uint64_t>(members);
    const uint64_t list = New(8 * (count + 64)), first = New(8), all = New(8 * count);
    const uint64_t initial_task = New(TASK_BYTES);
    initial_team = New(TEAM_BYTES);
    team = New(TEAM_BYTES);
    tasks = New(TASK_BYTES * count);
    const uint64_t task_team = New(512);
    Put(LIBRARY + THREADS_AT, 8, list);
    for (uint64_t i = 0; i < count; i++) {
        Native one = {
            New(INFO_BYTES), New(STACK_BYTES), {PTHREAD + 0x1000 * i, 100 + static_cast<int64_t>(i)}, {}};
        threads_.push_back(one);
        Put(list + 8 * i, 8, one.record);
        Put(all + 8 * i, 8, one.record);
        Put(one.record + INFO_PTHREAD, 8, one.native.pthread);
        Put(one.record + INFO_TID, 4, i);
        Put(one.record + INFO_GTID, 4, i);
        Put(one.record + INFO_TEAM, 8, team);
        Put(one.record + INFO_TASK_TEAM, 8, task_team);
        Put(one.record + INFO_TASK, 8, Task(tasks + TASK_BYTES * i, team, initial_task, false));
    }
    Put(first, 8, threads_[0].record);
    Task(initial_task, initial_team, 0, false);
    for (uint64_t one : {initial_team, team}) {
        Put(one + TEAM_NPROC, 4, one == team ? count : 1);
        Put(one + TEAM_THREADS, 8, one == team ? all : first);
        Put(one + TEAM_TASKDATA, 8, one == team ? tasks : initial_task);
    }
    Put(team + TEAM_PARENT, 8, initial_team);
    Put(team + TEAM_LEVEL, 4, 1);
    Put(team + TEAM_ACTIVE_LEVEL, 4, 1);
    for (int i = 0; i < members; i++)
        Works(i);
}

uint64_t Process::Runs(int member)
{
    const auto number = static_cast<uint64_t>(member);
    const uint64_t task = Task(New(TASK_BYTES), team, tasks + TASK_BYTES * number, true);
    Put(Thread(member) + INFO_TASK, 8, task);
    return task;
}

void Process::Inside(int member)
{
    const uint64_t inner = New(TEAM_BYTES), list = New(8), task = New(TASK_BYTES);
    const auto number = static_cast<uint64_t>(member);
    Put(list, 8, Thread(member));
    Put(inner + TEAM_PARENT, 8, team);
    Put(inner + TEAM_MASTER_TID, 4, number);
    Put(inner + TEAM_NPROC, 4, 1);
    Put(inner + TEAM_THREADS, 8, list);
    Put(inner + TEAM_TASKDATA, 8, task);
    Put(inner + TEAM_LEVEL, 4, 2);
    Put(inner + TEAM_ACTIVE_LEVEL, 4, 1);
    Put(Thread(member) + INFO_TEAM, 8, inner);
    Put(Thread(member) + INFO_TID, 4, 0);
    Put(Thread(member) + INFO_TASK, 8, Task(task, inner, tasks + TASK_BYTES * number, false));
}

void Process::Ordered(uint64_t turn, const std::vector<int> &first, uint64_t iterations)
{
    const uint64_t records = New(64 * first.size()), shared = New(88);
    Put(team + TEAM_DISPATCH, 8, records);
    Put(shared + 8, 4, turn);
    for (size_t i = 0; i < first.size(); i++) {
        const uint64_t one = records + 64 * i, own = New(192);
        const auto lower = static_cast<uint64_t>(first[i]);
        Put(Thread(static_cast<int>(i)) + INFO_DISPATCH, 8, one);
        Put(one + 16, 8, shared);
        Put(one + 24, 8, own);
        Put(one + 32, 8, own);
        Put(one + 40, 4, 1);
        Put(own + 4, 4, iterations - 1); // ub
        Put(own + 12, 4, 1);             // st
        Put(own + 16, 4, iterations);    // tc
        Put(own + 32, 4, 1);             // chunk
        Put(own + 64, 4, lower);
        Put(own + 68, 4, lower);
        Put(own + 128, 4, 35); // dynamic
        Put(own + 132, 4, 1);  // ordered
        Put(own + 152, 4, 4);  // bytes of a number
    }
}

// ---- stacks

void Process::Frame(Native *thread, uint64_t pc, uint64_t sp, int64_t code)
{
    ompdx_frame_t frame = {};
    frame.pc = pc;
    frame.sp = sp;
    frame.known = UINT64_C(1) << ompdx_reg_rsp | UINT64_C(1) << ompdx_reg_rbx;
    frame.exact = thread->frames.empty();
    frame.code = static_cast<uint64_t>(code);
    thread->frames.push_back(frame);
}

void Process::Runtime(Native *thread, const std::string &name)
{
    const uint64_t pc = name.empty() ? UNNAMED : functions_.at(name);
    Frame(thread, LIBRARY + pc + 0x10, sp_, ompdx_code_runtime);
    sp_ += 0x40;
}

// What is outside of the user's code in the region.
void Process::Outside(Native *thread)
{
    Frame(thread, PROGRAM + 0x100, sp_, ompdx_code_program);
    sp_ += 0x40;
    Runtime(thread, "__kmp_invoke_microtask");
    Runtime(thread, "");
    if (thread == &threads_[0]) {
        Runtime(thread, "__kmp_fork_call");
        Runtime(thread, "__kmpc_fork_call");
        Frame(thread, PROGRAM + 0x200, sp_, ompdx_code_program);
    } else {
        Runtime(thread, "");
        Frame(thread, LIBC + 0x200, sp_, ompdx_code_system);
    }
}

void Process::Begin(Native *thread, const std::string &name, const std::vector<uint64_t> &words, int deep,
                    bool libc)
{
    if (libc)
        Frame(thread, LIBC + 0x100, sp_, ompdx_code_system);
    sp_ += 0x40;
    for (int i = 0; i < deep; i++)
        Runtime(thread, "");
    for (size_t i = 0; i < words.size(); i++)
        Put(sp_ - 0x20 + 8 * i, 8, words[i]);
    sp_ += 0x100;
    Runtime(thread, name);
}

void Process::Works(int member)
{
    Native *thread = &threads_[static_cast<size_t>(member)];
    thread->frames.clear();
    sp_ = thread->stack + 0x800;
    Outside(thread);
}

void Process::Calls(int member, const std::string &name, const std::vector<uint64_t> &words, int deep,
                    bool libc)
{
    Native *thread = &threads_[static_cast<size_t>(member)];
    thread->frames.clear();
    sp_ = thread->stack + 0x800;
    Begin(thread, name, words, deep, libc);
    if (name == "__kmpc_fork_call") /* at the end of the region, whose own frames have gone */
        Frame(thread, PROGRAM + 0x200, sp_, ompdx_code_program);
    else
        Outside(thread);
}

void Process::RunsIn(int member, const std::string &name, const std::vector<uint64_t> &words)
{
    Native *thread = &threads_[static_cast<size_t>(member)];
    Runs(member);
    thread->frames.clear();
    sp_ = thread->stack + 0x800;
    Frame(thread, PROGRAM + 0x300, sp_, ompdx_code_program);
    Begin(thread, name, words, 2, false);
    if (name == "__kmpc_fork_call")
        Frame(thread, PROGRAM + 0x200, sp_, ompdx_code_program);
    else
        Outside(thread);
}

void Process::Docked(int member, const std::vector<uint64_t> &words)
{
    Native *thread = &threads_[static_cast<size_t>(member)];
    thread->frames.clear();
    sp_ = thread->stack + 0x800;
    Begin(thread, "", words, 2, true);
    Frame(thread, LIBC + 0x200, sp_, ompdx_code_system);
}

void Process::Forks()
{
    Native *thread = &threads_[0];
    thread->frames.clear();
    sp_ = thread->stack + 0x800;
    Begin(thread, "__kmp_fork_call", {}, 1, true);
    Runtime(thread, "__kmpc_fork_call");
    Frame(thread, PROGRAM + 0x200, sp_, ompdx_code_program);
}

void Process::Rbx(int member, uint64_t value)
{
    for (ompdx_frame_t &frame : threads_[static_cast<size_t>(member)].frames)
        frame.rbx = value;
}

void Process::Polls(int member)
{
    for (ompdx_frame_t &frame : threads_[static_cast<size_t>(member)].frames)
        if (frame.pc == LIBRARY + UNNAMED + 0x10) {
            frame.pc = LIBRARY + functions_.at("__kmp_wait_4") + 0x10;
            return;
        }
}

// ---- the tool

ompd_rc_t Process::ReadSegment(uint64_t segment, uint64_t at, const Native *thread, uint64_t bytes,
                               void *buffer)
{
    ompdx_module_t module = {};
    ompdx_registers_t registers = {};
    std::vector<ompdx_native_thread_t> natives;
    const void *from = &module;
    uint64_t size = sizeof module;
    module.base = module.bias = LIBRARY;
    module.end = LIBRARY + LIBRARY_BYTES;
    module.build_id_size = std::strlen(BUILD_ID) / 2;
    for (uint64_t i = 0; i < module.build_id_size; i++)
        module.build_id[i] = static_cast<uint8_t>(std::stoul(std::string(BUILD_ID + 2 * i, 2), nullptr, 16));
    for (const Native &one : threads_)
        natives.push_back(one.native);
    if (segment == OMPDX_SEGMENT_THREADS) {
        from = natives.data();
        size = natives.size() * sizeof natives[0];
    } else if (segment == OMPDX_SEGMENT_REGISTERS) {
        from = &registers;
        size = sizeof registers;
    } else if (segment == OMPDX_SEGMENT_FRAMES && thread != nullptr) {
        from = thread->frames.data();
        size = thread->frames.size() * sizeof thread->frames[0];
    } else if (segment != OMPDX_SEGMENT_MODULE) {
        return ompd_rc_error;
    }
    if (at > size || bytes > size - at)
        return ompd_rc_error;
    std::memcpy(buffer, static_cast<const uint8_t *>(from) + at, bytes);
    return ompd_rc_ok;
}

ompd_rc_t Process::Read(ompd_address_space_context_t *, ompd_thread_context_t *thread,
                        const ompd_address_t *address, ompd_size_t bytes, void *buffer)
{
    const Native *native = nullptr;
    const auto lwp = reinterpret_cast<int64_t>(thread);
    for (const Native &one : current_->threads_)
        if (one.native.lwp == lwp)
            native = &one;
    if (address->segment != 0)
        return current_->ReadSegment(address->segment, address->address - OMPDX_SEGMENT_BASE, native, bytes,
                                     buffer);
    return current_->Copy(address->address, bytes, buffer) ? ompd_rc_ok : ompd_rc_error;
}

const ompd_callbacks_t *Process::Callbacks()
{
    static ompd_callbacks_t callbacks = {};
    callbacks.alloc_memory = Alloc;
    callbacks.free_memory = Free;
    callbacks.print_string = Print;
    callbacks.sizeof_type = Sizes;
    callbacks.symbol_addr_lookup = Symbol;
    callbacks.read_memory = Read;
    callbacks.device_to_host = callbacks.host_to_device = Convert;
    callbacks.get_thread_context_for_thread_id = Context;
    return &callbacks;
}

// ---- answers

ompd_address_space_handle_t *Process::Open()
{
    if (space_ == nullptr) {
        EXPECT_EQ(ompd_process_initialize(reinterpret_cast<ompd_address_space_context_t *>(this), &space_),
                  ompd_rc_ok);
    }
    return space_;
}

std::map<int, Row> Process::Rows()
{
    std::map<int, Row> rows;
    ompd_thread_handle_t **list = nullptr;
    int count = 0;
    EXPECT_EQ(ompdx_get_all_threads(Open(), &list, &count), ompd_rc_ok);
    for (int i = 0; i < count; i++) {
        Row row = {};
        ompd_wait_id_t wait = 0;
        row.info.size = sizeof row.info;
        EXPECT_EQ(ompdx_get_thread_info(list[i], &row.info), ompd_rc_ok);
        EXPECT_EQ(ompd_get_state(list[i], &row.state, &wait), ompd_rc_ok);
        row.number = static_cast<int>((row.info.pthread - PTHREAD) / 0x1000);
        rows[row.number] = row;
        EXPECT_EQ(ompd_rel_thread_handle(list[i]), ompd_rc_ok);
    }
    std::free(list);
    return rows;
}

std::vector<int> Process::Arrivals(bool *known)
{
    std::vector<int> arrivals;
    ompd_parallel_handle_t **list = nullptr;
    int count = 0;
    EXPECT_EQ(ompdx_get_all_parallels(Open(), &list, &count), ompd_rc_ok);
    for (int i = 0; i < count; i++) {
        ompdx_parallel_info_t info = {};
        int *numbers = nullptr, arrived = 0;
        info.size = sizeof info;
        EXPECT_EQ(ompdx_get_parallel_info(list[i], &info), ompd_rc_ok);
        if (info.level == 1) {
            const ompd_rc_t rc = ompdx_get_barrier_arrivals(list[i], &numbers, &arrived);
            if (known != nullptr)
                *known = rc == ompd_rc_ok;
            if (rc == ompd_rc_ok)
                arrivals.assign(numbers, numbers + arrived);
            std::free(numbers);
        }
        EXPECT_EQ(ompd_rel_parallel_handle(list[i]), ompd_rc_ok);
    }
    std::free(list);
    return arrivals;
}

std::map<int, int32_t> Process::TaskStates()
{
    std::map<int, int32_t> states;
    ompd_task_handle_t **list = nullptr;
    int count = 0;
    EXPECT_EQ(ompdx_get_all_tasks(Open(), &list, &count), ompd_rc_ok);
    for (int i = 0; i < count; i++) {
        ompdx_task_info_t info = {};
        info.size = sizeof info;
        EXPECT_EQ(ompdx_get_task_info(list[i], &info), ompd_rc_ok);
        if ((info.flags & ompt_task_implicit) != 0)
            states[info.thread_num] = info.state;
        EXPECT_EQ(ompd_rel_task_handle(list[i]), ompd_rc_ok);
    }
    std::free(list);
    return states;
}

} // namespace kmp
