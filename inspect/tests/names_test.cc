// SPDX-License-Identifier: Apache-2.0
// Names: clang's ident strings, criticals' symbols, strings of a hostile target.
#include "inspect/names/names.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "inspect/session/discover.h"
#include "inspect/session/hostcall.h"
#include "inspect/tests/scenario.h"

namespace
{

std::string parsed(std::string text)
{
    mdl_place p;
    names_parse_source(&text[0], &p);
    return std::string(p.function ? p.function : "-") + "|" + (p.file ? p.file : "-") + "|" +
           std::to_string(p.line);
}

TEST(Source, Parts)
{
    EXPECT_EQ(parsed(";mixed.c;main;14;3;;"), "main|mixed.c|14");
    EXPECT_EQ(parsed(";/a b/c.c;f(int);1;1;;"), "f(int)|/a b/c.c|1");
    EXPECT_EQ(parsed(";unknown;unknown;0;0;;"), "-|-|0");
    EXPECT_EQ(parsed(";x.c;unknown;7;0;;"), "-|x.c|7");
}

TEST(Source, Broken)
{
    for (const char *bad : {"", ";", ";;;;", ";;", "x;a.c;f;1;1;;", ";a.c;f;1", ";a.c;f;one;1;;",
                            ";a.c;f;-1;1;;", ";a.c;f;99999999999;1;;"})
        EXPECT_EQ(parsed(bad), "-|-|0") << bad;
}

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
    names n = {};
    void SetUp() override
    {
        s.open();
        n.s = s.session;
        n.arena = &a;
    }
    void TearDown() override
    {
        names_free(&n);
        arena_free(&a);
    }
};

TEST_F(Named, Objects)
{
    s.host.places[0x5000] = {".gomp_critical_user_grid.var", "", 0, 32};
    s.host.places[0x6000] = {".gomp_critical_user_.var", "", 0, 32};
    s.host.places[0x7000] = {"table", "", 0, 64};
    EXPECT_STREQ(names_object(&n, "critical", 0x5000, nullptr, 0), "grid");
    EXPECT_STREQ(names_object(&n, "critical", 0x6000, nullptr, 0), "(unnamed)");
    // gcc's is in the runtime, whose symbols may be stripped. In a program that has its runtime in itself nothing is
    // known without symbols.
    ASSERT_EQ(discover_scan(s.session), 0);
    EXPECT_STREQ(names_object(&n, "critical", kTable + 0x840, nullptr, 0), "(unnamed)");
    EXPECT_EQ(names_object(&n, "lock", kTable + 0x840, nullptr, 0), nullptr);
    for (int i = 0; i < s.session->module_count; i++)
        if (s.session->modules[i].runtime)
            strcpy(s.session->modules[i].path, "/apps/u/static");
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

TEST_F(Named, ACallThatReturnsToTheRuntimeHasNoPlace)
{
    mdl_place p;
    ASSERT_EQ(discover_scan(s.session), 0);
    // The address before the one that it returns to is asked for.
    s.host.places[0x5000] = {"work", "/src/runtime/core/solve.c", 7, 16};
    s.host.places[kTable + 0x900] = {"call_gomp", "/build/runtime/core/team.c", 506, 32};
    names_call(&n, 0x5001, &p);
    EXPECT_EQ(std::string(p.function) + ":" + std::to_string(p.line), "work:7");
    names_call(&n, kTable + 0x901, &p);
    EXPECT_EQ(p.function, nullptr);
    EXPECT_EQ(p.file, nullptr);
    names_construct(&n, 0, kTable + 0x901, 0, &p);
    EXPECT_EQ(p.file, nullptr);
    // In a program that has its runtime in itself: by its sources.
    for (int i = 0; i < s.session->module_count; i++)
        if (s.session->modules[i].runtime)
            strcpy(s.session->modules[i].path, "/apps/u/static");
    names_call(&n, kTable + 0x901, &p);
    EXPECT_EQ(p.function, nullptr);
    s.host.places[kTable + 0xa00] = {"work", "/src/solve.c", 7, 16};
    names_call(&n, kTable + 0xa01, &p);
    EXPECT_EQ(std::string(p.function) + ":" + std::to_string(p.line), "work:7");
}

TEST_F(Named, Construct)
{
    mdl_place p;
    names_construct(&n, kFunction, 0, kSource, &p);
    EXPECT_STREQ(p.function, "main.omp_outlined");
    EXPECT_STREQ(p.file, "mixed.c"); // what the compiler wrote, before the line table's
    EXPECT_EQ(p.line, 14);
    names_construct(&n, kFunction, 0, 0, &p);
    EXPECT_STREQ(p.file, "/src/mixed.c");
    EXPECT_EQ(p.line, 15);
    names_construct(&n, kFunction + 4, 0, 0, &p);
    EXPECT_EQ(p.function, nullptr); // a stripped program's nearest symbol is no name
    names_construct(&n, 0x990000, 0x401201, 0, &p);
    EXPECT_EQ(p.function, nullptr);
    EXPECT_EQ(p.line, 20);
    names_construct(&n, 0, 0, 0x123, &p); // an unreadable string
    EXPECT_EQ(p.file, nullptr);
}

TEST_F(Named, ManyAddresses)
{
    mdl_place p;
    for (uint64_t i = 1; i < 5000; i++) {
        s.host.places[0x1000000 + 16 * i] = {"f" + std::to_string(i), "", 0, 1};
        names_construct(&n, 0x1000000 + 16 * i, 0, 0, &p);
    }
    for (uint64_t i = 1; i < 5000; i += 7) {
        names_construct(&n, 0x1000000 + 16 * i, 0, 0, &p);
        ASSERT_EQ(p.function, "f" + std::to_string(i));
    }
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
