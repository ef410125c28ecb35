// SPDX-License-Identifier: Apache-2.0
// Stacks by the tables in memory: this program's own, beside what libgcc's unwinder makes of them.
#include "inspect/unwind/unwind.h"

#include <gtest/gtest.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include <string>
#include <vector>

#include "inspect/model/model.h"
#include "inspect/target/discover.h"
#include "inspect/ompd/open.h"
#include "inspect/target/still.h"
#include "ompdx.h"

namespace
{

constexpr int kRegisters[] = {3, 6, 12, 13, 14, 15}; // DWARF's rbx, rbp, r12 to r15

struct Truth {
    uint64_t pc, sp, reg[6];
};

struct File {
    uint64_t base;
    std::string path;
};

struct Own {
    std::vector<File> files;
    std::vector<uint32_t> asked; // indices of frames that the host was asked for
    insp_host host = {};
    insp_session *session = nullptr;
    insp_snapshot snap = {};
    uint64_t reg[27] = {};

    Own()
    {
        dl_iterate_phdr(
            [](dl_phdr_info *info, size_t, void *arg) {
                uint64_t low = UINT64_MAX;
                for (int i = 0; i < info->dlpi_phnum; i++)
                    if (info->dlpi_phdr[i].p_type == PT_LOAD)
                        low = std::min<uint64_t>(low, info->dlpi_phdr[i].p_vaddr & ~UINT64_C(0xfff));
                static_cast<Own *>(arg)->files.push_back({info->dlpi_addr + low, info->dlpi_name});
                return 0;
            },
            this);
        host.version = INSP_HOST_VERSION;
        host.size = sizeof host;
        host.ctx = this;
        host.module = [](void *ctx, uint32_t index, insp_module *ret) {
            auto &files = static_cast<Own *>(ctx)->files;
            if (index >= files.size())
                return 1;
            *ret = {files[index].base, files[index].path.c_str()};
            return 0;
        };
        host.read = [](void *, uint64_t addr, void *buf, uint64_t size) {
            iovec local = {buf, size}, remote = {reinterpret_cast<void *>(addr), size};
            return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == ssize_t(size) ? 0 : -1;
        };
        host.thread = [](void *, uint32_t, insp_thread *) { return 1; };
        host.registers = [](void *ctx, int64_t, uint64_t *reg, uint64_t *known) {
            memcpy(reg, static_cast<Own *>(ctx)->reg, sizeof static_cast<Own *>(ctx)->reg);
            *known = (1 << 27) - 1;
            return 0;
        };
        host.frame_registers = [](void *ctx, int64_t, uint32_t index, insp_frame_registers *) {
            static_cast<Own *>(ctx)->asked.push_back(index);
            return 1;
        };
        session = insp_open(&host, nullptr, nullptr);
        session->taking = &snap;
        EXPECT_EQ(discover_scan(session), 0);
    }
    ~Own()
    {
        still_forget(session);
        session->taking = nullptr;
        insp_close(session);
    }
    std::vector<insp_frame_registers> frames(int64_t lwp)
    {
        std::vector<insp_frame_registers> ret;
        insp_frame_registers one;
        while (!unwind_frame(session, lwp, uint32_t(ret.size()), &one))
            ret.push_back(one);
        return ret;
    }
    void take(const ucontext_t &context)
    {
        const greg_t *g = context.uc_mcontext.gregs;
        reg[ompdx_reg_rip] = g[REG_RIP];
        reg[ompdx_reg_rsp] = g[REG_RSP];
        reg[ompdx_reg_rbx] = g[REG_RBX];
        reg[ompdx_reg_rbp] = g[REG_RBP];
        reg[ompdx_reg_r12] = g[REG_R12];
        reg[ompdx_reg_r13] = g[REG_R13];
        reg[ompdx_reg_r14] = g[REG_R14];
        reg[ompdx_reg_r15] = g[REG_R15];
    }
};

_Unwind_Reason_Code one_frame(_Unwind_Context *context, void *arg)
{
    Truth row = {_Unwind_GetIP(context), _Unwind_GetCFA(context), {}};
    for (int i = 0; i < 6; i++)
        row.reg[i] = _Unwind_GetGR(context, kRegisters[i]);
    if (row.pc)
        static_cast<std::vector<Truth> *>(arg)->push_back(row);
    return _URC_NO_REASON;
}

// The same but for the function that looks, which does so at two places. Returns the number of equal frames.
size_t compare(const std::vector<insp_frame_registers> &got, const std::vector<Truth> &truth)
{
    size_t n = 1;
    for (; n < got.size() && n < truth.size(); n++) {
        const uint64_t reg[] = {got[n].rbx, got[n].rbp, got[n].r12, got[n].r13, got[n].r14, got[n].r15};
        EXPECT_EQ(got[n].pc, truth[n].pc) << n;
        EXPECT_EQ(got[n].sp, truth[n].sp) << n;
        EXPECT_EQ(got[n].exact, 0);
        EXPECT_EQ(got[n].known, UINT64_C(0x9003f)) << n; // all of them
        for (int i = 0; i < 6; i++)
            EXPECT_EQ(reg[i], truth[n].reg[i]) << "frame " << n << ", register " << kRegisters[i];
    }
    return n;
}

Own *own;
std::vector<Truth> truth;
std::vector<insp_frame_registers> got;
uint64_t more_reads;

__attribute__((noinline)) void look()
{
    ucontext_t context;
    truth.clear();
    _Unwind_Backtrace(one_frame, &truth);
    getcontext(&context);
    own->take(context);
    got = own->frames(1);
    const uint64_t before = own->session->stats.reads;
    EXPECT_EQ(own->frames(2).size(), got.size());
    more_reads = own->session->stats.reads - before;
}

// A stack that the compiler cannot count: its frame is found by rbp.
__attribute__((noinline)) void deep(int left)
{
    char block[64 + left * 40];
    volatile char *keep = block;
    keep[left] = char(left);
    if (left)
        deep(left - 1);
    else
        look();
    keep[0] = block[left];
}

int compare_two(const void *, const void *)
{
    deep(5);
    return 0;
}

struct Unwind : testing::Test {
    Own here;
    void SetUp() override { own = &here; }
};

// Through the C library, which knows nothing of this test.
TEST_F(Unwind, AsLibgcc)
{
    int two[] = {2, 1};
    qsort(two, 2, sizeof *two, compare_two);
    EXPECT_EQ(got.size(), truth.size());
    EXPECT_GT(got.size(), 10u);
    EXPECT_EQ(compare(got, truth), got.size());
    EXPECT_EQ(here.asked, std::vector<uint32_t>());
    EXPECT_EQ(got[0].exact, 1);
    EXPECT_EQ(more_reads, 0u); // another thread at the same place, on pages that are known
}

TEST_F(Unwind, AThreadsStackEnds)
{
    pthread_t thread;
    auto body = [](void *) -> void * {
        deep(2);
        return nullptr;
    };
    ASSERT_EQ(pthread_create(&thread, nullptr, body, nullptr), 0);
    ASSERT_EQ(pthread_join(thread, nullptr), 0);
    EXPECT_EQ(got.size(), truth.size());
    EXPECT_EQ(compare(got, truth), got.size());
    EXPECT_EQ(here.asked, std::vector<uint32_t>());
}

// What a signal has interrupted is no call: the host's unwinder goes on there.
TEST_F(Unwind, ASignalIsTheHosts)
{
    struct sigaction action = {};
    action.sa_handler = [](int) { deep(1); };
    ASSERT_EQ(sigaction(SIGUSR1, &action, nullptr), 0);
    ASSERT_EQ(raise(SIGUSR1), 0);
    ASSERT_GT(truth.size(), got.size());
    EXPECT_GT(got.size(), 3u);
    EXPECT_EQ(compare(got, truth), got.size());
    EXPECT_EQ(here.asked, std::vector<uint32_t>(2, uint32_t(got.size()))); // of each of the two threads
}

TEST_F(Unwind, ADamagedStack)
{
    static uint64_t stack[512];
    for (size_t i = 0; i < 512; i++)
        stack[i] = reinterpret_cast<uint64_t>(&deep) + 1; // calls without end, if one believes it
    here.reg[ompdx_reg_rip] = reinterpret_cast<uint64_t>(&deep);
    for (uint64_t sp : {UINT64_C(0), UINT64_C(16), UINT64_MAX - 7, reinterpret_cast<uint64_t>(stack) + 1}) {
        still_forget(here.session);
        here.asked.clear();
        here.reg[ompdx_reg_rsp] = here.reg[ompdx_reg_rbp] = sp;
        EXPECT_EQ(here.frames(1).size(), 1u) << sp;
        EXPECT_EQ(here.asked, std::vector<uint32_t>(1, 1u));
    }
    still_forget(here.session);
    here.reg[ompdx_reg_rsp] = here.reg[ompdx_reg_rbp] = reinterpret_cast<uint64_t>(stack);
    EXPECT_LE(here.frames(1).size(), 1024u);
}

TEST_F(Unwind, CodeOfNobody)
{
    here.reg[ompdx_reg_rip] = 0x1234;
    here.reg[ompdx_reg_rsp] = reinterpret_cast<uint64_t>(&here);
    EXPECT_EQ(here.frames(1).size(), 1u);
    EXPECT_EQ(here.asked, std::vector<uint32_t>(1, 1u));
}

// While it runs nothing is kept, and the stack of a moment ago is another one.
TEST_F(Unwind, NotOfAMovingProcess)
{
    here.snap.moving = true;
    EXPECT_EQ(here.frames(1).size(), 0u);
    EXPECT_EQ(here.asked, std::vector<uint32_t>(1, 0u));
}

} // namespace
