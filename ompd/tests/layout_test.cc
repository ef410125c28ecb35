// SPDX-License-Identifier: Apache-2.0
// Layouts that a tool adds: what is taken, and what is refused with which words.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ompd/tests/image.h"
#include "ompdx.h"

namespace
{

class Layouts : public testing::Test
{
  protected:
    void SetUp() override { ASSERT_EQ(ompd_initialize(202411, Tool::Callbacks()), ompd_rc_ok); }
    void TearDown() override
    {
        EXPECT_EQ(ompd_finalize(), ompd_rc_ok);
        EXPECT_EQ(tool.live, 0); // the copies too
    }

    ompd_rc_t Add(const std::vector<ompdx_layout_entry_t> &entries, const char *family = "gomp",
                  const char *name = "mine")
    {
        ompdx_layout_t layout = {};
        layout.size = sizeof layout;
        layout.family = family;
        layout.name = name;
        layout.source = "a test";
        layout.count = entries.size();
        layout.entries = entries.data();
        return ompdx_layout_add(&layout);
    }
    void Refused(const std::vector<ompdx_layout_entry_t> &entries, const std::string &words)
    {
        tool.printed.clear();
        EXPECT_EQ(Add(entries), ompd_rc_bad_input) << words;
        EXPECT_NE(tool.printed.find(words), std::string::npos) << tool.printed;
        EXPECT_NE(tool.printed.find("\"mine\""), std::string::npos) << tool.printed;
    }

    Tool tool;
    const std::vector<ompdx_layout_entry_t> good = {
        {ompdx_layout_function, "GOMP_barrier", 4096, 4160, 0},
        {ompdx_layout_size, "gomp_team", 1344, 0, 0},
        {ompdx_layout_field, "gomp_team.nthreads", 0, 4, 0},
        {ompdx_layout_field, "gomp_team.implicit_task", 1344, 0, 0},
        {ompdx_layout_site, nullptr, 4106, 24, ompdx_reg_rdi},
        {ompdx_layout_slot, "__kmpc_critical", ompdx_reg_rsp, 1, 48},
        {ompdx_layout_build_id, "3856f0954e1931eebc020ca4a4e6bef40f4f7765", 0, 0, 0}};

    std::vector<ompdx_layout_entry_t> With(ompdx_layout_entry_t entry) const
    {
        std::vector<ompdx_layout_entry_t> all = good;
        all.push_back(entry);
        return all;
    }
};

TEST_F(Layouts, Taken)
{
    EXPECT_EQ(Add(good), ompd_rc_ok);
    EXPECT_EQ(Add(good, "kmp"), ompd_rc_ok);
    EXPECT_EQ(tool.printed, "");
}

TEST_F(Layouts, OlderVersionOfAFunction)
{
    EXPECT_EQ(Add(With({ompdx_layout_function, "GOMP_barrier", 8192, 8200, 0})), ompd_rc_ok);
}

TEST_F(Layouts, NoLayout)
{
    EXPECT_EQ(ompdx_layout_add(nullptr), ompd_rc_bad_input);
    EXPECT_EQ(Add({}), ompd_rc_bad_input);
    EXPECT_EQ(Add(good, "gomp", nullptr), ompd_rc_bad_input);
    EXPECT_EQ(Add(good, nullptr), ompd_rc_bad_input);
    EXPECT_EQ(Add(good, "mpc"), ompd_rc_bad_input);
    ompdx_layout_t layout = {};
    EXPECT_EQ(ompdx_layout_add(&layout), ompd_rc_bad_input);
}

TEST_F(Layouts, Refused)
{
    Refused(With({ompdx_layout_field, "gomp_team.barrier", 1340, 8, 0}), "not inside its structure");
    Refused(With({ompdx_layout_field, "gomp_task.fn", 0, 8, 0}), "no size of the structure");
    Refused(With({ompdx_layout_field, "nothing", 0, 8, 0}), "names no structure");
    Refused(With({ompdx_layout_field, "gomp_team.nthreads", 0, 4, 0}), "two entries");
    Refused(With({ompdx_layout_field, "gomp_team.bits", 0, 2, 0x10000}), "mask");
    Refused(With({ompdx_layout_size, "gomp_task", 0, 0, 0}), "size");
    Refused(With({ompdx_layout_size, "gomp_task", UINT64_MAX, 0, 0}), "size");
    Refused(With({ompdx_layout_variable, "x", UINT64_C(1) << 31, 8, 0}), "no file is so large");
    Refused(With({ompdx_layout_site, nullptr, 4106, 32, ompdx_reg_rdi}), "twice");
    Refused(With({ompdx_layout_site, nullptr, 4108, 33, ompdx_reg_rdi}), "site");
    Refused(With({ompdx_layout_site, nullptr, 4108, 32, ompdx_registers}), "site");
    Refused(With({ompdx_layout_spin, nullptr, 100, 100, ompdx_reg_rdi}), "loop");
    for (const char *rule :
         {"rip", "rd", "rdx ", "<rdx", "<=", "<=0x2", "2", "0x", "0x02", "0xG", "0x100000000"})
        Refused(With({ompdx_layout_spin, rule, 100, 104, ompdx_reg_rdi}), "loop");
    for (const char *rule : {"", "rdx", "r15", "<=rax", "0x0", "0x80000000", "0xffffffff"})
        EXPECT_EQ(Add(With({ompdx_layout_spin, rule, 100, 104, ompdx_reg_rdi})), ompd_rc_ok) << rule;
    Refused(With({ompdx_layout_function, "GOMP_task", 4150, 4170, 0}), "overlap");
    Refused(With({ompdx_layout_function, "GOMP_task", 5000, 4900, 0}), "range");
    Refused(With({ompdx_layout_slot, "__kmpc_set_lock", ompdx_registers, 0, 0}), "mutex");
    Refused(With({ompdx_layout_build_id, "3856f09", 0, 0, 0}), "build-id");
    Refused(With({ompdx_layout_build_id, "xyzxyzxyz", 0, 0, 0}), "build-id");
    Refused(With({ompdx_layout_fingerprint, "12", 0, 0, 0}), "fingerprint");
    Refused(With({ompdx_layout_constant, nullptr, 0, 0, 0}), "name");
    Refused(With({ompdx_layout_constant, std::string(300, 'x').c_str(), 0, 0, 0}), "name");
    Refused(With({77, "x", 0, 0, 0}), "kind");
    for (const char *rule :
         {"rsp", "rsp+", "rsp+0", "rsp+12", "rsp-16", "rax+16", "rsp+08", "rsp+16 ", "rsp+16,rbx-16",
          "rsp+16 rbx-8", "rsp+16 rbx+16", "rsp+16 rax-16", "rsp+32 rbx-16 rbx-24", "rsp+16  rbx-16",
          "rsp+65544", "rsp+99999999999999999999"})
        Refused(With({ompdx_layout_frame, rule, 4096, 4100, 0}), "frame");
    Refused(With({ompdx_layout_frame, "rsp+16", 4100, 4100, 0}), "frame");
    EXPECT_EQ(Add(With({ompdx_layout_frame, "rbp+16 rbp-16 r15-65528", 4096, 4100, 0})), ompd_rc_ok);
}

// Members that no declaration in C could have where the row says.
TEST_F(Layouts, ContradictsItself)
{
    Refused(With({ompdx_layout_field, "gomp_team.barrier.total", 124, 4, 0}), "\"gomp_team.barrier.total\"");
    Refused(With({ompdx_layout_field, "gomp_team.prev_ts.team", 16, 8, 0}), "contradicts itself");
    Refused(With({ompdx_layout_field, "gomp_team.task_count", 1320, 8, 0}), "contradicts itself");
    Refused(With({ompdx_layout_field, "gomp_team.team_cancelled", 1332, 4, 0}), "contradicts itself");
    Refused(With({ompdx_layout_constant, "nest_lock_owner", 16, 0, 0}), "nest_lock_owner");
    Refused(With({ompdx_layout_constant, "openmp_version", 201515, 0, 0}), "openmp_version");
    Refused(With({ompdx_layout_site, nullptr, 4114, 24, ompdx_reg_rbx}), "site");
    EXPECT_EQ(Add(With({ompdx_layout_field, "gomp_team.prev_ts.team", 8, 8, 0})), ompd_rc_ok);
    EXPECT_EQ(Add(With({ompdx_layout_field, "gomp_team.team_cancelled", 1336, 4, 0})), ompd_rc_ok);
}

TEST(LayoutsWithout, Initialize)
{
    ompdx_layout_t layout = {};
    EXPECT_EQ(ompdx_layout_add(&layout), ompd_rc_callback_error);
}

} // namespace
