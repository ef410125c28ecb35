// SPDX-License-Identifier: Apache-2.0
// What an OMPD library reads beside memory: registers, frames, threads, the runtime's file.
#include "inspect/ompd/segments.h"

#include <gtest/gtest.h>

#include "inspect/ompd/callbacks.h"
#include "inspect/target/discover.h"
#include "inspect/tests/scenario.h"
#include "ompdx.h"

namespace
{

constexpr uint64_t kFree = 0x7e0000000000, kGomp = 0x7d0000000000, kLibc = 0x7c0000000000,
                   kSolver = 0x7b0000000000;

struct Segments : testing::Test {
    Scenario s{true};
    _ompd_aspace_cont context = {};
    _ompd_thread_cont thread = {};

    void SetUp() override
    {
        put_file(kGomp, "/usr/lib/libgomp.so.1");
        put_file(kLibc, "/usr/lib/libc-2.31.so");
        put_file(kSolver, "/apps/u/libsolver.so");
        // A table at the address that the segments have, if somebody took them for memory.
        s.host.put(OMPDX_SEGMENT_BASE, "memory", 7);
        s.open();
        ASSERT_EQ(discover_scan(s.session), 0);
        context.session = s.session;
        thread.thread.lwp = 77;
    }
    void put_file(uint64_t base, const char *path)
    {
        s.host.put_runtime(base, path, base + 0x9000, false);
        s.host.memory[base][kNoteOffset + 12] ^= 1; // of another owner
    }
    ompd_rc_t read(uint64_t segment, uint64_t at, void *buf, uint64_t size, bool with_thread = true)
    {
        const ompd_address_t addr = {segment, at};
        return callbacks_table()->read_memory(&context, with_thread ? &thread : nullptr, &addr, size, buf);
    }
};

TEST_F(Segments, Registers)
{
    ompdx_registers_t got = {};
    auto &all = s.host.user[77];
    for (uint64_t i = 0; i < 27; i++)
        all.reg[i] = 1000 + i;
    all.known = UINT64_C(1) << ompdx_reg_rip | 1;
    ASSERT_EQ(read(OMPDX_SEGMENT_REGISTERS, OMPDX_SEGMENT_BASE, &got, sizeof got), ompd_rc_ok);
    EXPECT_EQ(got.known, all.known);
    EXPECT_EQ(got.reg[ompdx_reg_r15], 1000u);
    EXPECT_EQ(got.reg[ompdx_reg_rip], 1016u);
    EXPECT_EQ(got.reg[ompdx_reg_gs], 1026u);
    // A part of them.
    uint64_t two[2];
    ASSERT_EQ(read(OMPDX_SEGMENT_REGISTERS,
                   OMPDX_SEGMENT_BASE + offsetof(ompdx_registers_t, reg) + 8 * ompdx_reg_orig_rax, two, 16),
              ompd_rc_ok);
    EXPECT_EQ(two[0], 1015u);
    EXPECT_EQ(two[1], 1016u);
    // Not behind them, not in front, not of nobody, and not of a thread that the host knows nothing of.
    EXPECT_EQ(read(OMPDX_SEGMENT_REGISTERS, OMPDX_SEGMENT_BASE, &got, sizeof got, false), ompd_rc_error);
    char bytes[sizeof got + 1];
    EXPECT_EQ(read(OMPDX_SEGMENT_REGISTERS, OMPDX_SEGMENT_BASE, bytes, sizeof bytes), ompd_rc_error);
    EXPECT_EQ(read(OMPDX_SEGMENT_REGISTERS, OMPDX_SEGMENT_BASE + sizeof got, bytes, 1), ompd_rc_error);
    EXPECT_EQ(read(OMPDX_SEGMENT_REGISTERS, OMPDX_SEGMENT_BASE - 8, bytes, 8), ompd_rc_error);
    EXPECT_EQ(read(OMPDX_SEGMENT_REGISTERS, UINT64_MAX - 8, bytes, 8), ompd_rc_error);
    thread.thread.lwp = 78;
    EXPECT_EQ(read(OMPDX_SEGMENT_REGISTERS, OMPDX_SEGMENT_BASE, &got, sizeof got), ompd_rc_error);
}

TEST_F(Segments, Frames)
{
    const uint64_t all = UINT64_C(1) << ompdx_reg_rbx;
    auto &stack = s.host.stacks[77];
    stack.push_back({kGomp + 0x123, 0x1000, all, 1, 2, 3, 4, 5, 6, 1});
    stack.push_back({kBase + 0x100, 0x1040, all, 11, 12, 13, 14, 15, 16, 0});
    stack.push_back({kFree, 0x1080, 0, 0, 0, 0, 0, 0, 0, 0});
    stack.push_back({kLibc + 0x200, 0x10c0, 0, 0, 0, 0, 0, 0, 0, 0});
    // A call that is the last instruction of the library.
    const uint64_t end = kSolver + 0x9000 + 0x10000;
    stack.push_back({end, 0x1100, 0, 0, 0, 0, 0, 0, 0, 0});
    stack.push_back({end, 0x1140, 0, 0, 0, 0, 0, 0, 0, 1});
    ompdx_frame_t got[6] = {}, one = {};
    ASSERT_EQ(read(OMPDX_SEGMENT_FRAMES, OMPDX_SEGMENT_BASE, got, sizeof got), ompd_rc_ok);
    EXPECT_EQ(got[0].pc, kGomp + 0x123);
    EXPECT_EQ(got[0].sp, 0x1000u);
    EXPECT_EQ(got[0].known, all);
    EXPECT_EQ(got[0].rbx, 1u);
    EXPECT_EQ(got[0].rbp, 2u);
    EXPECT_EQ(got[0].r12, 3u);
    EXPECT_EQ(got[0].r15, 6u);
    EXPECT_EQ(got[0].exact, 1u);
    EXPECT_EQ(got[0].code, uint64_t{ompdx_code_runtime}); // by its name
    EXPECT_EQ(got[1].exact, 0u);
    EXPECT_EQ(got[1].code, uint64_t{ompdx_code_runtime}); // by its note
    EXPECT_EQ(got[2].code, uint64_t{ompdx_code_unknown});
    EXPECT_EQ(got[3].code, uint64_t{ompdx_code_system});
    EXPECT_EQ(got[4].code, uint64_t{ompdx_code_program});
    EXPECT_EQ(got[5].code, uint64_t{ompdx_code_unknown});
    ASSERT_EQ(read(OMPDX_SEGMENT_FRAMES, OMPDX_SEGMENT_BASE + sizeof one, &one, sizeof one), ompd_rc_ok);
    EXPECT_EQ(memcmp(&one, &got[1], sizeof one), 0);
    EXPECT_EQ(read(OMPDX_SEGMENT_FRAMES, OMPDX_SEGMENT_BASE + 6 * sizeof one, &one, sizeof one),
              ompd_rc_error);
    EXPECT_EQ(read(OMPDX_SEGMENT_FRAMES, OMPDX_SEGMENT_BASE + (UINT64_C(1) << 62), &one, sizeof one),
              ompd_rc_error);
    EXPECT_EQ(read(OMPDX_SEGMENT_FRAMES, OMPDX_SEGMENT_BASE, &one, sizeof one, false), ompd_rc_error);
}

TEST_F(Segments, Threads)
{
    std::vector<ompdx_native_thread_t> got;
    ompdx_native_thread_t one;
    // The threads are those of a snapshot that is being taken.
    EXPECT_EQ(read(OMPDX_SEGMENT_THREADS, OMPDX_SEGMENT_BASE, &one, sizeof one, false), ompd_rc_error);
    s.host.on_progress = [&] {
        while (read(OMPDX_SEGMENT_THREADS, OMPDX_SEGMENT_BASE + got.size() * sizeof one, &one, sizeof one,
                    false) == ompd_rc_ok)
            got.push_back(one);
    };
    s.render(INSP_VIEW_THREADS);
    ASSERT_EQ(got.size(), s.host.threads.size());
    for (size_t i = 0; i < got.size(); i++) {
        EXPECT_EQ(got[i].lwp, s.host.threads[i].lwp);
        EXPECT_EQ(got[i].pthread, s.host.threads[i].pthread);
    }
}

TEST_F(Segments, Module)
{
    ompdx_module_t got = {};
    context.module.base = context.module.start = 0x1000;
    context.module.end = 0x9000;
    context.module.bias = 0x800;
    context.module.dynamic = 0x7000;
    context.module.build_id_size = 3;
    memcpy(context.module.build_id, "\x12\x34\x56", 3);
    ASSERT_EQ(read(OMPDX_SEGMENT_MODULE, OMPDX_SEGMENT_BASE, &got, sizeof got, false), ompd_rc_ok);
    EXPECT_EQ(got.base, 0x1000u);
    EXPECT_EQ(got.end, 0x9000u);
    EXPECT_EQ(got.bias, 0x800u);
    EXPECT_EQ(got.dynamic, 0x7000u);
    EXPECT_EQ(got.build_id_size, 3u);
    EXPECT_EQ(memcmp(got.build_id, "\x12\x34\x56\x00", 4), 0);
    EXPECT_EQ(read(OMPDX_SEGMENT_MODULE, OMPDX_SEGMENT_BASE + sizeof got, &got, 1, false), ompd_rc_error);
}

TEST_F(Segments, OthersAreMemory)
{
    // A vendor's library has words of its own for segments, and reads memory with them as before.
    char text[7];
    for (uint64_t segment : {UINT64_C(0), UINT64_C(5), OMPDX_SEGMENT_MODULE + 1}) {
        ASSERT_EQ(read(segment, OMPDX_SEGMENT_BASE, text, sizeof text), ompd_rc_ok);
        EXPECT_STREQ(text, "memory");
    }
}

TEST_F(Segments, OfAHostOfAnEarlierDay)
{
    insp_host old = s.host.table();
    ompdx_registers_t got;
    ompdx_frame_t one;
    char *error = nullptr;
    s.host.user[77] = {};
    s.host.stacks[77].push_back({});
    old.size = offsetof(insp_host, registers);
    insp_session *session = insp_open(&old, s.library.c_str(), &error);
    ASSERT_NE(session, nullptr) << error;
    context.session = session;
    EXPECT_EQ(read(OMPDX_SEGMENT_REGISTERS, OMPDX_SEGMENT_BASE, &got, sizeof got), ompd_rc_error);
    EXPECT_EQ(read(OMPDX_SEGMENT_FRAMES, OMPDX_SEGMENT_BASE, &one, sizeof one), ompd_rc_error);
    EXPECT_EQ(session->registers_asked, 0u);
    insp_close(session);
}

TEST_F(Segments, AHostThatBreaks)
{
    ompdx_registers_t got;
    s.host.broken = true;
    EXPECT_EQ(read(OMPDX_SEGMENT_REGISTERS, OMPDX_SEGMENT_BASE, &got, sizeof got), ompd_rc_error);
    EXPECT_TRUE(s.session->host_failed);
    EXPECT_EQ(s.session->registers_asked, 1u);
    EXPECT_EQ(read(OMPDX_SEGMENT_REGISTERS, OMPDX_SEGMENT_BASE, &got, sizeof got), ompd_rc_error);
    EXPECT_EQ(s.session->registers_asked, 1u);
}

// Companion's records are enough: nobody looks at registers, nor at frames for it.
TEST(Companion, NeedsNone)
{
    Scenario s(true);
    s.want = INSP_ALL | INSP_STACKS;
    s.open();
    s.render(INSP_VIEW_REPORT);
    EXPECT_EQ(s.session->registers_asked, 0u);
    EXPECT_EQ(s.session->frames_asked, 0u);
}

} // namespace
