// SPDX-License-Identifier: Apache-2.0
// The rows that the library brings keep its own rules: a rule that a build breaks would hide that build.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "ompd/tests/image.h"

extern "C" {
#include "providers/row_lay.h"
#include "providers/rows.h"
}

namespace
{

std::vector<ompdx_layout_entry_t> Entries(const rows_row &packed)
{
    std::vector<ompdx_layout_entry_t> entries;
    for (uint32_t i = packed.first; i < packed.first + packed.count; i++) {
        const rows_entry &from = rows_entries[i];
        entries.push_back({from.kind, rows_text + from.name, from.a, from.b, from.c});
    }
    return entries;
}

class Rows : public testing::Test
{
  protected:
    void SetUp() override { ASSERT_EQ(ompd_initialize(202411, Tool::Callbacks()), ompd_rc_ok); }
    void TearDown() override { EXPECT_EQ(ompd_finalize(), ompd_rc_ok); }
    ompd_rc_t LayOut(const rows_row &packed, const std::vector<ompdx_layout_entry_t> &entries)
    {
        static struct lay lay;
        ompdx_layout_t row = {};
        row.size = sizeof row;
        row.family = rows_text + packed.family;
        row.name = rows_text + packed.name;
        row.count = entries.size();
        row.entries = entries.data();
        tool.printed.clear();
        return row_lay(&row, 0, &lay);
    }
    Tool tool;
};

TEST_F(Rows, NoneContradictsItself)
{
    std::set<std::string> families;
    for (uint32_t i = 0; i < rows_count; i++) {
        EXPECT_EQ(LayOut(rows_list[i], Entries(rows_list[i])), ompd_rc_ok) << tool.printed;
        families.insert(rows_text + rows_list[i].family);
    }
    EXPECT_EQ(families, (std::set<std::string>{"gomp", "kmp"}));
}

// What a thread has of its loop and what a lock is of are in the order of their declarations in C.
TEST_F(Rows, MovedMembersOfLocksAndLoopsAreRefused)
{
    const std::set<std::string> structures = {
        "kmp_ticket_lock",       "kmp_drdpa_lock",          "kmp_disp",
        "dispatch_private_info", "dispatch_private_info64", "dispatch_shared_info64"};
    int refused = 0, asked = 0;
    for (uint32_t i = 0; i < rows_count; i++) {
        std::vector<ompdx_layout_entry_t> entries = Entries(rows_list[i]);
        for (ompdx_layout_entry_t &entry : entries) {
            const std::string name = entry.name;
            if (name == "dispatch_private_info.type_size") // nothing has to be right before it
                continue;
            if (entry.kind != ompdx_layout_field || structures.count(name.substr(0, name.find('.'))) == 0)
                continue;
            entry.a += 4;
            asked++;
            if (LayOut(rows_list[i], entries) == ompd_rc_incompatible)
                refused++;
            else
                ADD_FAILURE() << rows_text + rows_list[i].name << ": " << name;
            entry.a -= 4;
        }
    }
    EXPECT_GT(asked, 300);
    EXPECT_EQ(refused, asked);
}

} // namespace
