// SPDX-License-Identifier: Apache-2.0
// Names: criticals' symbols, strings of a hostile target.
#include "inspect/names/names.h"

#include <gtest/gtest.h>

#include <string>

#include "inspect/target/discover.h"
#include "inspect/target/hostcall.h"
#include "inspect/tests/scenario.h"

namespace
{

TEST(Critical, Symbols)
{
    const struct {
        const char *symbol, *name;
    } cases[] = {{".gomp_critical_user_update.var", "update"},
                 {".gomp_critical_user_update", "update"},
                 {".gomp_critical_user_.var", ""},
                 {".gomp_critical_user_.reduction.var", ""},
                 {"lock_a", nullptr}};
    for (const auto &c : cases) {
        std::string symbol = c.symbol;
        const char *name = names_parse_critical(&symbol[0]);
        EXPECT_EQ(name == nullptr, c.name == nullptr) << c.symbol;
        if (name && c.name) {
            EXPECT_STREQ(name, c.name);
        }
    }
}

struct Named : testing::Test {
    Scenario s{true};
    arena a = {};
    places n = {};
    void SetUp() override
    {
        s.open();
        places_init(&n, s.session, &a);
    }
    void TearDown() override { arena_free(&a); }
};

TEST_F(Named, Objects)
{
    s.host.places[0x5000] = {".gomp_critical_user_grid.var", "", 0, 32};
    s.host.places[0x6000] = {".gomp_critical_user_.var", "", 0, 32};
    s.host.places[0x7000] = {"table", "", 0, 64};
    EXPECT_STREQ(names_object(&n, "critical", 0x5000, nullptr, 0), "grid");
    EXPECT_STREQ(names_object(&n, "critical", 0x6000, nullptr, 0), "(unnamed)");
    // gcc's is in the runtime, whose symbols may be stripped. In a program that has its runtime in itself
    // nothing is known without symbols.
    ASSERT_EQ(discover_scan(s.session), 0);
    EXPECT_STREQ(names_object(&n, "critical", kTable + 0x840, nullptr, 0), "(unnamed)");
    EXPECT_EQ(names_object(&n, "lock", kTable + 0x840, nullptr, 0), nullptr);
    ASSERT_TRUE(s.make_static());
    EXPECT_EQ(names_object(&n, "critical", kTable + 0x840, nullptr, 0), nullptr);
    EXPECT_STREQ(names_object(&n, "critical", 0x5000, nullptr, 0), "grid");
    EXPECT_STREQ(names_object(&n, "lock", 0x7000, nullptr, 0), "table");
    EXPECT_STREQ(names_object(&n, "nest_lock", 0x7010, nullptr, 0), "table+16");
    EXPECT_EQ(names_object(&n, "lock", 0x9000, nullptr, 0), nullptr);
    EXPECT_EQ(names_object(&n, "lock", 0, nullptr, 0), nullptr);
    EXPECT_EQ(names_object(&n, "atomic", 0x7000, nullptr, 0), nullptr);
    int asked = s.host.calls[FakeHost::kPlace];
    EXPECT_STREQ(names_object(&n, "lock", 0x7000, nullptr, 0), "table");
    EXPECT_EQ(s.host.calls[FakeHost::kPlace], asked); // each address once
}

TEST_F(Named, StringsOverPageEnds)
{
    char buf[4096];
    s.host.put(0x20000ff0, std::string("end")); // ends in its page; the next page is absent
    ASSERT_EQ(host_read_string(s.session, 0x20000ff0, buf, sizeof(buf)), 0);
    EXPECT_STREQ(buf, "end");
    s.host.memory[0x30000f00] = std::vector<uint8_t>(0x100, 'x');
    EXPECT_LT(host_read_string(s.session, 0x30000f00, buf, sizeof(buf)), 0);
    EXPECT_EQ(host_read_string(s.session, 0x30000f00, buf, 16), 1);
}

TEST(Strings, AreCopiedByteForByte)
{
    arena a = {};
    EXPECT_STREQ(arena_str(&a, "\033[31m\n\xff\xc2\x9b \xe2\x80\xae"), "\033[31m\n\xff\xc2\x9b \xe2\x80\xae");
    EXPECT_EQ(arena_str(&a, nullptr), nullptr);
    arena_free(&a);
}

TEST(Strings, ArenaArraysGrow)
{
    arena a = {};
    int *list = nullptr;
    for (int i = 0; i < 1000; i++) {
        list = static_cast<int *>(arena_grow(&a, list, static_cast<size_t>(i), sizeof(*list)));
        ASSERT_NE(list, nullptr);
        list[i] = i;
    }
    for (int i = 0; i < 1000; i++)
        ASSERT_EQ(list[i], i);
    EXPECT_EQ(arena_alloc(&a, SIZE_MAX), nullptr);
    EXPECT_TRUE(a.oom);
    arena_free(&a);
}

} // namespace
